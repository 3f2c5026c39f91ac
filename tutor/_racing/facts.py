"""What a measurement and a race have found, as facts."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from math import exp, inf, log
from typing import Literal

import numpy as np

from tutor._fact import Fact
from tutor._racing.interval import median_interval
from tutor._racing.loop import CONFIDENCE, log_ratios
from tutor._words import count_text, seconds_text

Verdict = Literal["faster", "slower", "no difference"]

# By how much two copies of the same code may differ for good, as a part of their time.
PLACEMENT = 0.02


@dataclass(frozen=True)
class Ratio(Fact):
    """How many times as long `a` takes as `b`.

    Attributes
    ----------
    a, b
        The names of the two candidates.
    value
        The median over the rounds of a's time divided by b's time.
    low, high
        The ends of the 99 % interval; 0 and infinity where too few rounds were run to say anything.
    rounds
        The number of rounds it rests on.
    """

    a: str
    b: str
    value: float
    low: float
    high: float
    rounds: int

    @property
    def verdict(self) -> Verdict:
        """How `a` stands to `b`; "no difference" when the interval contains 1."""
        if self.low > 1:
            return "slower"
        return "faster" if self.high < 1 else "no difference"

    @property
    def factor(self) -> tuple[float, float, float]:
        """The value and its ends as "so many times slower" or "so many times faster", as the verdict has it."""
        if self.verdict == "faster":
            return 1 / self.value, 1 / self.high, 1 / self.low
        return self.value, self.low, self.high

    @property
    def words(self) -> str:
        """The verdict and its size, such as "slower, 10.0 times"."""
        return self.verdict if self.verdict == "no difference" else f"{self.verdict}, {_times(self.factor[0])} times"

    @property
    def interval(self) -> str:
        """The ends of the interval, such as "9.40 to 10.6"."""
        _, low, high = self.factor
        return f"{_times(low)} to {_times(high)}"

    def __repr__(self) -> str:
        spread = f"{_times(self.low)} to {_times(self.high)}"
        return (
            f"{self.a} / {self.b} = {_times(self.value)}, 99 % interval {spread} "
            f"({count_text(self.rounds, 'round')}): {self.a} against {self.b}: {self.verdict}"
        )


@dataclass(frozen=True, repr=False)
class Measurement(Fact):
    """How long one call takes.

    Attributes
    ----------
    name
        The candidate's name.
    times
        Seconds per call, one value for each timed block, in the order of the blocks.
    calls
        The number of calls in each block.
    first
        Seconds that the very first call took, which is in none of the blocks.
    threads
        The number of threads torch had for one operation.
    device
        "cpu", and the accelerator that the clock waited for, if there is one.
    stopped
        Why no more blocks were run, in words that fit after "stopped because".
    cache
        "warm", or how the caches were emptied before each call.
    device_times
        Seconds per call between two events on the accelerator's current stream, for the same blocks; empty where
        there is no accelerator, or it has no events.
    note
        What the calls did to what they read, in sentences; empty if nothing was seen.
    """

    name: str
    times: tuple[float, ...]
    calls: int
    first: float
    threads: int
    device: str
    stopped: str
    cache: str = "warm"
    device_times: tuple[float, ...] = ()
    note: str = ""

    @cached_property
    def median(self) -> float:
        """The median, seconds per call."""
        return float(np.median(self.times))

    @cached_property
    def quartiles(self) -> tuple[float, float]:
        """Where the middle half of the blocks begins and ends, seconds per call."""
        low, high = np.quantile(self.times, (0.25, 0.75))
        return float(low), float(high)

    @property
    def iqr(self) -> float:
        """The width of the middle half (interquartile range), seconds per call."""
        low, high = self.quartiles
        return high - low

    @cached_property
    def device_median(self) -> float | None:
        """The median between two events on the device, seconds per call; None without events."""
        return float(np.median(self.device_times)) if self.device_times else None

    @property
    def n(self) -> int:
        """The number of timed blocks."""
        return len(self.times)

    @property
    def middle_half(self) -> str:
        """The quartiles in words, such as "3.90 ms to 4.20 ms"."""
        low, high = self.quartiles
        return f"{seconds_text(low)} to {seconds_text(high)}"

    @property
    def how(self) -> str:
        """How it was measured, in one sentence."""
        return (
            f"{_runs(self.n, self.calls)}, {count_text(self.threads, 'thread')}, {self.device}{_cold(self.cache)}; "
            f"stopped because {self.stopped}."
        )

    @property
    def on_device(self) -> str:
        """What the device's own clock said, in one sentence; empty without events."""
        if self.device_median is None:
            return ""
        return f"Between two events on the device: {seconds_text(self.device_median)} a call (median)."

    def __repr__(self) -> str:
        lines = (
            f"{self.name}: {seconds_text(self.median)} a call (median)",
            f"middle half {self.middle_half} (IQR {seconds_text(self.iqr)}), first call {seconds_text(self.first)}",
            self.on_device,
            self.how,
            self.note,
        )
        return "\n".join(line for line in lines if line)


@dataclass(frozen=True, repr=False)
class Race(Fact):
    """Candidates timed against each other, round by round.

    Indexed with a name, as in ``result["by_list"]``, it gives the `Measurement` of that candidate.

    Attributes
    ----------
    measurements
        One for each candidate, in the order given; value i of each one's times was taken in round i.
    threads, device, stopped
        As in `Measurement`; the same for all.
    alpha
        The chance that an interval of these rounds may miss, at most 1 %; smaller where the race could have gone on.
    """

    measurements: tuple[Measurement, ...]
    threads: int
    device: str
    stopped: str
    alpha: float = field(default=1 - CONFIDENCE)

    @property
    def names(self) -> tuple[str, ...]:
        """The candidates' names."""
        return tuple(m.name for m in self.measurements)

    @property
    def rounds(self) -> int:
        """The number of rounds."""
        return self.measurements[0].n

    @property
    def median(self) -> dict[str, float]:
        """Each candidate's median, seconds per call."""
        return {m.name: m.median for m in self.measurements}

    @property
    def iqr(self) -> dict[str, float]:
        """The width of each candidate's middle half, seconds per call."""
        return {m.name: m.iqr for m in self.measurements}

    def __getitem__(self, name: str) -> Measurement:
        return self.measurements[self._place(name)]

    def ratio(self, a: str, b: str) -> Ratio:
        """How many times as long `a` takes as `b`, with its 99 % interval.

        Raises
        ------
        ValueError
            If no candidate has that name.
        """
        values = log_ratios(self[a].times, self[b].times)
        if a == b:
            return Ratio(a, b, 1.0, 1.0, 1.0, self.rounds)
        low, high = median_interval(values, self.alpha)
        margin = log(1 + PLACEMENT)
        return Ratio(a, b, exp(float(np.median(values))), exp(low - margin), exp(high + margin), self.rounds)

    def verdict(self, a: str, b: str) -> Verdict:
        """How `a` stands to `b`: "faster", "slower" or "no difference".

        Raises
        ------
        ValueError
            If no candidate has that name.
        """
        return self.ratio(a, b).verdict

    @cached_property
    def against_first(self) -> tuple[Ratio, ...]:
        """The ratio of every other candidate against the first one."""
        first, *others = self.names
        return tuple(self.ratio(name, first) for name in others)

    @property
    def how(self) -> str:
        """How it was measured, in one sentence."""
        return (
            f"{count_text(self.rounds, 'round')}, interleaved in random order, "
            f"{count_text(self.threads, 'thread')}, {self.device}{_cold(self.measurements[0].cache)}; "
            f"stopped because {self.stopped}."
        )

    @property
    def on_device(self) -> str:
        """What the device's own clock said of each candidate, in one sentence; empty without events."""
        told = [f"{m.name} {seconds_text(m.device_median)}" for m in self.measurements if m.device_median is not None]
        return f"Between two events on the device: {', '.join(told)} a call (median)." if told else ""

    @property
    def remark(self) -> str:
        """What the candidates did to what they read, and what to do if the race could not tell much; else empty."""
        notes = [f"`{m.name}`: {m.note}" for m in self.measurements if m.note]
        return " ".join([*notes, *([self._width_remark] if self._width_remark else [])])

    @property
    def _width_remark(self) -> str:
        wide = [r.a for r in self.against_first if r.verdict == "no difference" and r.high > 1.2 * r.low]
        if not wide:
            return ""
        return f"The interval of {', '.join(wide)} is wide. A larger budget would narrow it: `race(…, budget=10)`."

    def _place(self, name: str) -> int:
        if name not in self.names:
            known = ", ".join(repr(n) for n in self.names)
            raise ValueError(f"no candidate of this race is named {name!r}; there are {known}")
        return self.names.index(name)

    def __repr__(self) -> str:
        first = self.names[0]
        rows = [("", "median", "middle half", f"against {first}")]
        verdicts = ["1", *(f"{r.words}, {r.interval}" for r in self.against_first)]
        for m, verdict in zip(self.measurements, verdicts, strict=True):
            rows.append((m.name, seconds_text(m.median), m.middle_half, verdict))
        note = f"Ratios with their 99 % interval. {self.how}"
        return "\n".join([*_columns(rows), *(line for line in (note, self.on_device, self.remark) if line)])


def _cold(cache: str) -> str:
    return "" if cache == "warm" else f", caches {cache}"


def _runs(n: int, calls: int) -> str:
    return count_text(n, "run") + (f" of {calls:,} calls" if calls > 1 else "")


def _times(x: float) -> str:
    """A ratio in three figures."""
    if x == inf:
        return "any"
    return f"{x:,.0f}" if x >= 99.95 else f"{x:.1f}" if x >= 9.995 else f"{x:.2f}" if x >= 0.1 else f"{x:.2g}"


def _columns(rows: list[tuple[str, str, str, str]]) -> list[str]:
    widths = [max(len(row[i]) for row in rows) for i in range(3)]
    return [
        f"{name:<{widths[0]}}  {median:>{widths[1]}}  {half:<{widths[2]}}  {verdict}".rstrip()
        for name, median, half, verdict in rows
    ]
