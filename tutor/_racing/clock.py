"""The stopwatch under the loop: calls of one candidate between two readings of the clock, and a look at what it does.

The host's clock waits for the accelerator at both ends of a block. Where the accelerator has events, a pair of them
is recorded around the same calls, so that each block is timed by both clocks.
"""

from __future__ import annotations

import gc
import timeit
from collections.abc import Callable
from typing import Any

import torch

from tutor._racing.looking import Inputs, laziness


def stopwatch(name: str, fn: Callable[[], object]) -> Watch:
    """A stopwatch for calls of `fn`: no garbage is collected meanwhile, each result is dropped at once."""
    return Watch(name, fn, event_maker())


class Watch:
    """Times blocks of calls of one candidate.

    The clock waits for the accelerator, if there is one, before it is read. The calls run in `timeit.Timer`, as in
    `torch.utils.benchmark.Timer`, but without its two unmeasured calls before every block: these would triple the time
    of a slow candidate.

    Parameters
    ----------
    name
        What error messages call the candidate.
    fn
        What is called.
    event
        Makes an event of the accelerator that takes times, called with ``enable_timing=True``; None if there is none.

    Attributes
    ----------
    on_device
        Seconds between the two events around the last block; None without events.
    note
        What the calls did to what they read, in one sentence; empty if nothing.
    """

    def __init__(self, name: str, fn: Callable[[], object], event: Callable[..., Any] | None = None) -> None:
        self.on_device: float | None = None
        self.note = ""
        self._name = name
        self._fn = fn
        self._clock = TwoClocks(event) if event is not None else None
        self._timer = timeit.Timer("fn()", globals={"fn": fn}, timer=self._clock or host_clock)
        self._inputs = Inputs(fn)
        self._runs = 0

    def __call__(self, number: int) -> float:
        """The seconds that so many calls took together."""
        self._runs += 1
        if self._runs <= 2:
            self._inputs.before()
        try:
            if self._runs == 1:
                took, result = self._one_call()
            else:
                took, result = self._timer.timeit(number), None
        except Exception as error:
            raise RuntimeError(f"{self._name} raised {type(error).__name__}: {error}") from error
        if self._clock is not None:
            self.on_device = self._clock.between()
        if self._runs == 1 and (lazy := laziness(result)):
            raise TypeError(f"{self._name} {lazy}")
        if self._runs <= 2:
            self._look()
        return took

    def _one_call(self) -> tuple[float, object]:
        """The first call, with its result."""
        clock = self._clock or host_clock
        was_on = gc.isenabled()
        gc.disable()
        try:
            begin = clock()
            result = self._fn()
            return clock() - begin, result
        finally:
            if was_on:
                gc.enable()

    def _look(self) -> None:
        self._inputs.after()
        trouble = self._inputs.trouble()
        if trouble:
            raise ValueError(f"{self._name} {trouble}")
        self.note = self._inputs.note()


class TwoClocks:
    """A timer for `timeit.Timer` that reads the host's clock, and marks the same moments on the device's stream.

    The events are recorded on the current stream of the current device, which is idle when the first is recorded;
    work on another stream lies outside of them, but the host waits for it. See
    https://docs.pytorch.org/docs/stable/generated/torch.cuda.Event.html.
    """

    def __init__(self, event: Callable[..., Any]) -> None:
        self._start = event(enable_timing=True)
        self._end = event(enable_timing=True)
        self._running = False

    def __call__(self) -> float:
        """Seconds on the host's clock, at the start and the end of a block in turn."""
        self._running = not self._running
        if self._running:
            host_clock()  # waits until the device is idle
            self._start.record()
            return timeit.default_timer()
        self._end.record()
        return host_clock()

    def between(self) -> float:
        """Seconds between the events of the last block, which has been waited for."""
        self._running = False
        return float(self._start.elapsed_time(self._end)) / 1e3  # events count in milliseconds


def host_clock() -> float:
    """Seconds on the host's clock, read when the accelerator has done its work.

    `torch.utils.benchmark.timer` is the same in recent releases; in torch 2.6 it waits for CUDA only.
    """
    if torch.accelerator.is_available():
        torch.accelerator.synchronize()
    return timeit.default_timer()


def event_maker() -> Callable[..., Any] | None:
    """What makes events that take times on the current accelerator; None where there is none, or it has no events."""
    device = accelerator()
    if device is None:
        return None
    module = torch.get_device_module(device)
    found: Callable[..., Any] | None = getattr(module, "Event", None)
    if found is None:
        found = getattr(getattr(module, "event", None), "Event", None)  # torch.mps keeps it there
    try:
        if found is not None:
            found(enable_timing=True)
    except (RuntimeError, TypeError, AssertionError):
        return None
    return found


def accelerator() -> torch.device | None:
    """The current accelerator, if there is one."""
    return torch.accelerator.current_accelerator() if torch.accelerator.is_available() else None


def device_text() -> str:
    """Which device's work is in the times: cpu, and the accelerator that the clock waits for."""
    device = accelerator()
    return "cpu" if device is None else f"cpu, waiting for {device}"
