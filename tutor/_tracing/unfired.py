"""What makes tensors past both levels: wrapped while a block is watched, and put back afterwards."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import torch
import torch.overrides
import torch.utils.dlpack

from tutor._tracing.conversions import made_from_data
from tutor._tracing.modes import unheard_of
from tutor._tracing.recorder import Recorder

_HAS_TORCH_FUNCTION = torch.overrides.has_torch_function
_watching = threading.local()
_lock = threading.Lock()
_blocks = 0
_restore: list[Callable[[], None]] = []


def recorders() -> list[Recorder]:
    """Those that watch this thread, the outermost first."""
    found: list[Recorder] = vars(_watching).setdefault("recorders", [])
    return found


@contextmanager
def wrapped(recorder: Recorder) -> Iterator[None]:
    """Let `recorder` see, in this thread, what neither level sees."""
    here = recorders()
    _wrap()
    here.append(recorder)
    try:
        yield
    finally:
        here.remove(recorder)
        _unwrap()


def _wrap() -> None:
    global _blocks  # noqa: PLW0603 - one torch, however many blocks
    with _lock:
        _blocks += 1
        if _blocks == 1:
            for module, name in ((torch, "from_numpy"), (torch, "frombuffer"), (torch, "from_dlpack")):
                _replace(module, name)
            _replace(torch.utils.dlpack, "from_dlpack")
            _set(torch.overrides, "has_torch_function", _takes_over)
            torch.Tensor.__init__ = _constructed  # type: ignore[method-assign, assignment]
            _restore.append(lambda: delattr(torch.Tensor, "__init__"))


def _unwrap() -> None:
    global _blocks  # noqa: PLW0603
    with _lock:
        _blocks -= 1
        while not _blocks and _restore:
            _restore.pop()()


def _replace(module: Any, name: str) -> None:
    original = getattr(module, name)

    @functools.wraps(original)
    def watched(*args: Any, **kwargs: Any) -> Any:
        active = [recorder for recorder in recorders() if not recorder.silent]
        for recorder in active:
            recorder.silent += 1
        try:
            result = original(*args, **kwargs)
        finally:
            for recorder in active:
                recorder.silent -= 1
        source = args[0] if args else next(iter(kwargs.values()), None)
        _tell(active, name, source, result)
        return result

    _set(module, name, watched)


def _set(module: Any, name: str, value: Any) -> None:
    original = getattr(module, name)
    setattr(module, name, value)

    def restore() -> None:
        if getattr(module, name) is value:  # and not what the block has put there itself
            setattr(module, name, original)

    _restore.append(restore)


def _takes_over(arguments: Any) -> bool:
    """Answer as if nobody watched: layers of torch take their slow way, with other last digits, if somebody does."""
    with unheard_of():
        return bool(_HAS_TORCH_FUNCTION(arguments))


def _constructed(self: torch.Tensor, *args: Any, **kwargs: Any) -> None:
    """Take the place of ``torch.Tensor.__init__``: an instance has been made by ``__new__``, which nothing can see."""
    for recorder in recorders():
        last = recorder.raws[-1] if recorder.raws else None
        if last is not None and last.op == "lift_fresh" and args and not recorder.silent:
            recorder.raws.pop()
            _tell([recorder], type(self).__name__, args[0], self)


def _tell(active: list[Recorder], op: str, source: object, x: torch.Tensor) -> None:
    for recorder in active:
        recorder.silent += 1
        try:
            with torch._C.DisableTorchFunction(), torch._C._DisableTorchDispatch():
                made_from_data(recorder, op, source, x)
        except Exception as error:  # to watch must not break what is watched
            recorder.remark(f"{op} could not be looked at: {type(error).__name__}")
        finally:
            recorder.silent -= 1
