"""Turn everything on that watches, and off again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

from tutor._tracing.kernels import Kernels
from tutor._tracing.model import XRay
from tutor._tracing.modes import modes
from tutor._tracing.recorder import Recorder
from tutor._tracing.unfired import wrapped


@contextmanager
def watch(home: str, *, kernels: bool = False) -> Iterator[XRay]:
    """Watch a block of code; its events are told by the lines of the file `home` that run.

    With `kernels`, torch's profiler runs as well, and finds what operators copy inside.
    """
    recorder = Recorder(home)
    try:
        with (
            Kernels(recorder) if kernels else nullcontext(),
            wrapped(recorder),
            modes(recorder),
        ):
            yield XRay(recorder.record)
    finally:
        recorder.close()
