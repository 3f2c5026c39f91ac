"""The other end of the atlas: a process that may be lost. It runs cells and says after each what it saw.

It is started by ``tutor._constructing.run`` with one line of JSON on its standard input, and answers with lines of
JSON: ``{"start": key}`` before each cell and ``{"cell": fields}`` after it. The input stays open as long as the
parent lives.
"""

from __future__ import annotations

import faulthandler
import json
import os
import shutil
import sys
import threading
from dataclasses import asdict
from typing import Any, TextIO


def main(request: dict[str, Any]) -> None:
    """Answer one request, and leave at once: nothing here is worth a clean-up that might fail."""
    _leave_with_parent(request["folder"])
    _end_quietly(request["limit"])
    answer = _own_output()
    _take_settings(request)
    from tutor._constructing.observe import observe  # noqa: PLC0415 the settings come first

    for constructor, source in request["cells"]:
        _say(answer, {"start": [constructor, source]})
        (cell,) = observe([(constructor, source)], alone=True)
        _say(answer, {"cell": asdict(cell)})
    os._exit(0)


def _leave_with_parent(folder: str) -> None:
    def watch() -> None:
        sys.stdin.read()  # returns when the parent is gone, however it went
        shutil.rmtree(folder, ignore_errors=True)  # what the parent would have done
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()


def _end_quietly(limit: float) -> None:
    """No core file, no dialogue, no endless life, whatever a cell does."""
    faulthandler.dump_traceback_later(limit, exit=True)
    if sys.platform == "win32":
        import ctypes  # noqa: PLC0415

        ctypes.windll.kernel32.SetErrorMode(0x0001 | 0x0002 | 0x8000)
    else:
        import resource  # noqa: PLC0415

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _own_output() -> TextIO:
    """The real standard output for the answers alone; what a library prints goes to standard error."""
    answer = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    return answer


def _take_settings(request: dict[str, Any]) -> None:
    import torch  # noqa: PLC0415

    torch.set_default_dtype(getattr(torch, request["dtype"]))
    if request["device"] != "cpu":
        torch.set_default_device(request["device"])


def _say(answer: TextIO, line: dict[str, Any]) -> None:
    answer.write(json.dumps(line) + "\n")
    answer.flush()
