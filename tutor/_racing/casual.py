"""How people usually time things, run for real, so that it can be held against `measure`."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from tutor._fact import Fact
from tutor._racing.clock import accelerator
from tutor._racing.facts import Measurement
from tutor._words import count_text, seconds_text


@dataclass(frozen=True)
class Difference:
    """One way in which the usual timing differs from `measure`."""

    aspect: str
    naive: str
    measure: str


@dataclass(frozen=True, repr=False)
class Naive(Fact):
    """A time as it is usually taken.

    Attributes
    ----------
    name
        The candidate's name.
    times
        Seconds that each run took, the first one included.
    differences
        What `measure` does otherwise.
    """

    name: str
    times: tuple[float, ...]
    differences: tuple[Difference, ...]

    @property
    def mean(self) -> float:
        """The mean of the runs, seconds."""
        return sum(self.times) / len(self.times)

    @property
    def how(self) -> str:
        """How it was taken, in one sentence."""
        told = "one run" if len(self.times) == 1 else f"the mean of {len(self.times):,} runs"
        return f"{told}, by `time.time`, no warm-up."

    def beside(self, measured: Measurement) -> SideBySide:
        """Both this time and one that `measure` took, side by side.

        Raises
        ------
        TypeError
            If `measured` is no measurement.
        """
        if not isinstance(measured, Measurement):
            raise TypeError(f"beside: expected what measure(fn) gives, got {type(measured).__name__}")
        return SideBySide(self, measured)

    def __repr__(self) -> str:
        lines = [f"{self.name}: {seconds_text(self.mean)} a call ({self.how.removesuffix('.')})"]
        return "\n".join([*lines, *_columns([("", "here", "measure"), *_rows(self.differences)])])


@dataclass(frozen=True, repr=False)
class SideBySide(Fact):
    """The usual time and an honest one of the same call.

    Attributes
    ----------
    naive, measured
        The two.
    """

    naive: Naive
    measured: Measurement

    @property
    def ratio(self) -> float:
        """The usual time over the median of the honest one."""
        return self.naive.mean / self.measured.median

    @property
    def rows(self) -> tuple[Difference, ...]:
        """The two times, their spread, and how they were taken."""
        spread = "none told" if len(self.naive.times) == 1 else _ends(self.naive.times)
        times = (
            Difference("a call takes", seconds_text(self.naive.mean), seconds_text(self.measured.median)),
            Difference("spread", spread, f"middle half {self.measured.middle_half}"),
            Difference("first call", seconds_text(self.naive.times[0]), seconds_text(self.measured.first)),
        )
        return times + self.naive.differences

    @property
    def sentence(self) -> str:
        """How far the two are apart."""
        times = f"{self.ratio:.1f}" if self.ratio < 100 else f"{self.ratio:,.0f}"
        low, high = self.measured.quartiles
        if low <= self.naive.mean <= high:
            return "This time the usual way hit the middle half of the honest runs."
        if self.ratio < 1:
            return f"The usual way said {self.ratio:.2g} times the honest median."
        return f"The usual way said {times} times the honest median."

    def __repr__(self) -> str:
        rows = [("", "usual way", "measure"), *_rows(self.rows)]
        return "\n".join([f"{self.naive.name}", *_columns(rows), self.sentence])


def casual_times(fn: Callable[[], object], runs: int) -> tuple[float, ...]:
    """Seconds of each run, as `time.time` has them."""
    times = []
    for _ in range(runs):
        start = time.time()
        fn()
        times.append(time.time() - start)
    return tuple(times)


def differences(runs: int) -> tuple[Difference, ...]:
    """What `measure` does otherwise, on this machine."""
    device = accelerator()
    waits = (f"{device} is not waited for: its work may be unfinished", f"{device} is waited for at both ends")
    return (
        Difference("warm-up", "none, the first call counts", "the first call is kept apart"),
        Difference("runs", count_text(runs, "run"), "blocks of calls, until the median is steady"),
        Difference(
            "told", "the run" if runs == 1 else "the mean, which one slow run moves", "the median and the middle half"
        ),
        Difference("clock", _clock("time"), _clock("perf_counter")),
        *([] if device is None else [Difference("accelerator", *waits)]),
        Difference("garbage", "may be collected meanwhile", "is collected before or after"),
    )


def _clock(name: Literal["time", "perf_counter"]) -> str:
    told = time.get_clock_info(name)
    turned = "can be set back" if told.adjustable else "only goes forward"
    return f"time.{name}, {turned}"


def _ends(times: tuple[float, ...]) -> str:
    return f"{seconds_text(min(times))} to {seconds_text(max(times))}"


def _rows(differences: tuple[Difference, ...]) -> list[tuple[str, str, str]]:
    return [(d.aspect, d.naive, d.measure) for d in differences]


def _columns(rows: list[tuple[str, str, str]]) -> list[str]:
    first, second = (max(len(row[i]) for row in rows) for i in range(2))
    return [f"  {a:<{first}}  {b:<{second}}  {c}".rstrip() for a, b, c in rows]
