"""Which line of the learner's code is running."""

from __future__ import annotations

import linecache
import site
import sys
import sysconfig
from pathlib import Path

import numpy as np
import torch

_LIBRARIES = tuple(
    {
        *(sysconfig.get_paths()[name] for name in ("stdlib", "platstdlib", "purelib", "platlib")),
        *site.getsitepackages(),
        *(str(Path(module.__path__[0])) for module in (torch, np)),
        str(Path(__file__).parent.parent),
        "<frozen",
        "<string>",
        "<__array_function__",
    }
)
_is_library: dict[str, bool] = {}


def place(home: str) -> tuple[int, str] | None:
    """The innermost line of the file `home` that is running, and the learner's function it has called, if any.

    None where nothing of that file is running, as in a thread of autograd's own.
    """
    called = ""
    frame = sys._getframe(1)
    while frame is not None:
        code = frame.f_code
        if code.co_filename == home:
            return frame.f_lineno, called
        if not called and not _library(code.co_filename):
            called = code.co_name
        frame = frame.f_back  # type: ignore[assignment]
    return None


def _library(file: str) -> bool:
    known = _is_library.get(file)
    if known is None:
        known = _is_library[file] = file.startswith(_LIBRARIES)
    return known


def source_line(file: str, line: int) -> str:
    """The text of a line, without indentation; empty if there is none."""
    return linecache.getline(file, line).strip() if line else ""
