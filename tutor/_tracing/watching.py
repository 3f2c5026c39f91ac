"""Turn everything on that watches, and off again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from tutor._tracing.model import XRay
from tutor._tracing.modes import Functions, Operators
from tutor._tracing.recorder import Recorder
from tutor._tracing.unfired import wrapped


@contextmanager
def watch(home: str) -> Iterator[XRay]:
    """Watch a block of code; its events are told by the lines of the file `home` that run."""
    recorder = Recorder(home)
    try:
        with wrapped(recorder), Operators(recorder), Functions(recorder):
            yield XRay(recorder.record)
    finally:
        recorder.close()
