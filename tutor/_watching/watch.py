"""Reads memory again and again in a thread of its own, so that it goes on while a cell runs."""

from __future__ import annotations

import threading
import weakref
from collections import deque
from collections.abc import Callable
from typing import Any

from tutor._watching.facts import MemoryTrace, Reading, Step
from tutor._watching.reading import Reader

EVERY = 0.1  # seconds
_KEPT = 3_000  # readings, five minutes of them
_STEPS_KEPT = 100
_LONGEST = 60  # characters of a line of code


class Watch:
    """A thread that reads memory, and the steps of code that it is told of.

    Parameters
    ----------
    on_reading
        Called in that thread after each reading; it must not raise.
    """

    def __init__(self, on_reading: Callable[[], None] | None = None) -> None:
        self._read = Reader()
        self._on_reading = on_reading
        self._lock = threading.Lock()
        self._readings: deque[Reading] = deque([self._read()], maxlen=_KEPT)
        self._steps: deque[Step] = deque(maxlen=_STEPS_KEPT)
        self._running: dict[object, tuple[str, Reading]] = {}
        self._over = threading.Event()
        self._thread: threading.Thread | None = None
        self._started = 0.0

    @property
    def running(self) -> bool:
        """Whether memory is being read."""
        return self._thread is not None and self._thread.is_alive()

    def start(self) -> None:
        """Begin to read, if it does not already."""
        if self.running:
            return
        self._over = threading.Event()
        self._started = self.reading().at
        # The thread holds no reference to the watch: one that nobody has any more ends.
        self._thread = threading.Thread(target=_loop, args=(weakref.ref(self), self._over), daemon=True)
        self._thread.name = "tutor-memory-watch"
        self._thread.start()

    def stop(self) -> None:
        """Read no more; what was read stays."""
        self._over.set()
        thread, self._thread = self._thread, None
        if thread is not None and thread is not threading.current_thread():
            thread.join(timeout=10 * EVERY)

    def clear(self) -> None:
        """Forget what was read."""
        with self._lock:
            self._readings = deque([self._read()], maxlen=_KEPT)
            self._started = self._readings[-1].at
            self._steps.clear()

    def reading(self) -> Reading:
        """Read now."""
        with self._lock:  # around both: two threads read, and the readings stay in the order of their times
            found = self._read()
            self._readings.append(found)
        return found

    def begin(self, key: object, code: str) -> None:
        """A step begins. Until it ends it is called ``[*]``, as in a notebook."""
        first = next((line.strip() for line in code.splitlines() if line.strip()), "")
        cut = first if len(first) <= _LONGEST else first[: _LONGEST - 1] + "…"
        self._running[key] = cut, self.reading()

    def end(self, key: object, name: str) -> Step | None:
        """A step ends, and has its name now; None if its beginning was not seen."""
        begun = self._running.pop(key, None)
        if begun is None:
            return None
        step = self._step(name, *begun, self.reading())
        with self._lock:
            self._steps.append(step)
        return step

    def trace(self) -> MemoryTrace:
        """All that was read, up to now."""
        with self._lock:
            readings, steps = tuple(self._readings), tuple(self._steps)
        under_way = [self._step("[*]", *begun, None, readings) for begun in list(self._running.values())]
        return MemoryTrace(self._read.device, readings, (*steps, *under_way))

    @property
    def idle(self) -> float:
        """Seconds since the last step ended; 0 while one runs."""
        with self._lock:
            now = self._readings[-1].at
            ended = self._steps[-1].after if self._steps else None
        return 0.0 if self._running else now - max(self._started, ended.at if ended else 0.0)

    def tick(self) -> None:
        """One reading, told to whoever listens."""
        self.reading()
        if self._on_reading is not None:
            self._on_reading()

    def _step(
        self, name: str, code: str, before: Reading, after: Reading | None, readings: tuple[Reading, ...] | None = None
    ) -> Step:
        if readings is None:
            with self._lock:
                readings = tuple(self._readings)
        during = [r.process for r in readings if r.at >= before.at]
        return Step(name, code, before, after, max([before.process, *during]))


def _loop(watched: weakref.ref[Watch], over: threading.Event) -> None:
    while not over.wait(EVERY):
        watch: Any = watched()
        if watch is None:
            return
        watch.tick()
        del watch
