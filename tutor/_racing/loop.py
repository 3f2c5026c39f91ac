"""The loop under ``measure`` and ``race``: warm up, then rounds in an order drawn by lot, until steady or out of time.

It goes in steps of one round, so that a live widget can drive it and stay awake in between.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from math import inf
from time import perf_counter

import numpy as np
import torch
from numpy.typing import NDArray

from tutor._racing.clock import accelerator, device_text, stopwatch
from tutor._racing.interval import median_interval
from tutor._words import seconds_text

__all__ = ["CONFIDENCE", "LEAST_ROUNDS", "Contest", "Lane", "Stopwatch", "device_text", "log_ratios", "stopwatch"]

Stopwatch = Callable[[int], float]  # the number of calls -> the seconds they took together

CONFIDENCE = 0.99
LEAST_ROUNDS = 5

# One block of calls lasts at least this long: far above what reading the clock costs (about 0.1 µs), and below the
# 3 ms or so for which a busy system takes the core away, so that most blocks are never interrupted.
_BLOCK_S = 200e-6
# Alone, a candidate gets longer blocks. Operators that share their work with another thread are slow in bursts, which
# the median of short blocks leaves out; in a race a burst meets every candidate.
_BLOCK_ALONE_S = 2e-3
# Waiting for an accelerator at both ends of a block costs some 10 µs: a longer block hides it.
_BLOCK_WITH_ACCELERATOR_S = 2e-3
_MOST_ROUNDS = 5_000
_TICK = 1e-9  # no block takes less, whatever a coarse clock says

# The budget's parts after which the loop asks whether it may stop. Each question uses up a part of the 1 % that a
# 99 % interval may miss, so that asking often does not make it miss more.
_LOOKS = (0.125, 0.25, 0.5)
_ALPHA = 1 - CONFIDENCE
_ALPHA_PER_LOOK = _ALPHA / (len(_LOOKS) + 1)
_STEADY = 0.01  # half the width of an interval of logarithms: about 1 %
_FEWEST_TO_LOOK = 10  # with fewer, the sign test has no interval at the level of one look


@dataclass
class Lane:
    """One candidate in the loop: its stopwatch and what it has shown so far."""

    run: Stopwatch
    first: float = 0.0
    calls: int = 1
    times: list[float] = field(default_factory=list)
    device_times: list[float] = field(default_factory=list)

    def block(self) -> None:
        """Time one block and note the seconds per call."""
        self.times.append(max(self.run(self.calls), _TICK) / self.calls)
        on_device = getattr(self.run, "on_device", None)
        if on_device is not None:
            self.device_times.append(on_device / self.calls)

    @property
    def note(self) -> str:
        """What the calls did to what they read, in a sentence."""
        return getattr(self.run, "note", "")


class Contest:
    """Candidates timed against each other, one round a step.

    Attributes
    ----------
    stopped
        None while there is more to do, else why it stopped, in words that fit after "stopped because".
    alpha
        The chance that an interval of all rounds so far may miss, given how often the loop has asked.

    Examples
    --------
    >>> contest = Contest({"a": stopwatch("a", list), "b": stopwatch("b", dict)}, budget=0.02)
    >>> while contest.stopped is None:
    ...     contest.step()
    >>> len(contest.lanes["a"].times) == len(contest.lanes["b"].times) >= 5
    True
    """

    def __init__(
        self,
        stopwatches: Mapping[str, Stopwatch],
        budget: float,
        *,
        now: Callable[[], float] = perf_counter,
        lots: random.Random | None = None,
        before: Callable[[], None] | None = None,
    ) -> None:
        self.lanes = {name: Lane(run) for name, run in stopwatches.items()}
        self.stopped: str | None = None
        self.threads = torch.get_num_threads()
        self._budget = budget
        self._now = now
        # Lots of its own: the learner's random numbers stay as they were.
        self._lots = lots or random.Random()
        # Run before each call, outside of the time: then a block is a single call, else only its first would feel it.
        self.before = before
        self.alpha = _ALPHA
        self._looks = list(_LOOKS)
        self._start = now()
        self._warm = False

    def step(self) -> None:
        """Run one round: a block of each candidate, in an order drawn by lot. The first step also warms up."""
        for _ in self.pieces():
            pass

    def pieces(self) -> Iterator[None]:
        """One round in pieces that last one block or so, for a caller that has other things to do in between."""
        if not self._warm:
            yield from self._warm_up()
        for lane in self._lots.sample(list(self.lanes.values()), len(self.lanes)):
            if self.before is not None:
                self.before()
            lane.block()
            yield
        self._ask_whether_to_stop()

    def _warm_up(self) -> Iterator[None]:
        for name, lane in self.lanes.items():
            lane.first = lane.run(1)
            if torch.get_num_threads() != self.threads:
                torch.set_num_threads(self.threads)
                raise RuntimeError(f"{name!r} changed the number of torch's threads; set it before timing, not inside")
            yield
        if self.before is None:
            yield from self._size_blocks()
        else:
            for lane in self.lanes.values():
                lane.run(1)
        self._warm = True

    def _size_blocks(self) -> Iterator[None]:
        least = max(_shortest_block(len(self.lanes)), self._budget / _MOST_ROUNDS)
        calls: dict[str, int] = {}
        for name, lane in self.lanes.items():
            calls[name] = yield from _calls_for(lane, least, self._budget / 20)
        most = max(calls.values())
        for name, lane in self.lanes.items():
            # Candidates of about the same speed get blocks of the same number of calls: the first call of a block
            # finds colder caches than the others, and must weigh the same for each.
            lane.calls = most if calls[name] * 2 > most else calls[name]

    def _ask_whether_to_stop(self) -> None:
        used = (self._now() - self._start) / self._budget
        if used >= 1 and self.rounds >= LEAST_ROUNDS:
            self.stopped = self._out_of_time()
        elif self._looks and used >= self._looks[0]:
            self._looks = [look for look in self._looks if look > used]
            self._stop_if_steady()

    def _out_of_time(self) -> str:
        budget = seconds_text(self._budget)
        if self.rounds == LEAST_ROUNDS:
            return f"the least of {LEAST_ROUNDS} rounds was run, past its budget of {budget}"
        return f"its budget of {budget} was spent"

    def _stop_if_steady(self) -> None:
        if self.rounds < _FEWEST_TO_LOOK:
            return
        if self._width(_ALPHA_PER_LOOK) <= 2 * _STEADY:
            self.stopped, self.alpha = "it was steady", _ALPHA_PER_LOOK
        else:
            self.alpha -= _ALPHA_PER_LOOK

    @property
    def rounds(self) -> int:
        """The number of rounds that every candidate has run."""
        return min(len(lane.times) for lane in self.lanes.values())

    def _width(self, alpha: float) -> float:
        """The width of the widest interval: of each pair's ratio, or of a single candidate's median."""
        logs = [np.log(lane.times) for lane in self.lanes.values()]
        values = [a - b for a, b in combinations(logs, 2)] or logs
        return max((high - low for low, high in (median_interval(v, alpha) for v in values)), default=inf)


def log_ratios(a: tuple[float, ...], b: tuple[float, ...]) -> NDArray[np.float64]:
    """The logarithm of a's time over b's time in the same round, for every round."""
    return np.asarray(np.log(a) - np.log(b), dtype=np.float64)


def _shortest_block(candidates: int) -> float:
    if accelerator() is not None:
        return _BLOCK_WITH_ACCELERATOR_S
    return _BLOCK_S if candidates > 1 else _BLOCK_ALONE_S


def _calls_for(lane: Lane, least: float, patience: float) -> Generator[None, None, int]:
    """How many calls fill a block of `least` seconds. Finding out warms the candidate up, too."""
    calls, took = 1, lane.run(1)
    while True:
        yield
        if least <= took < patience:
            # Once more: the core may have been taken away, and some code is fast only from its third call on.
            took = min(took, lane.run(calls))
        if took >= least:
            return calls
        calls = max(calls + 1, int(calls * min(1.1 * least / max(took, _TICK), 10)))
        took = lane.run(calls)
