"""Runs an experiment piece by piece, without a widget, and gives its points as they come."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import log
from time import perf_counter
from typing import Any

import numpy as np
import torch

from tutor._racing.casual import casual_times
from tutor._racing.clock import Watch, stopwatch
from tutor._racing.loop import Contest, Lane
from tutor._timing_lab import memory, source
from tutor._timing_lab.experiments import EXPERIMENTS, OWN
from tutor._timing_lab.model import Candidate, Experiment, Point, Series
from tutor._words import bytes_text, seconds_text

BUDGET_S = 0.15  # for each candidate at each size
LONGEST_S = 0.1  # a call that would take longer is left out: nobody could stop it
_LONGEST_SETUP_S = 0.5
_PAUSE_AFTER_S = 0.02
_CLEARLY_LESS = 0.7  # as a power of the size
_SETUP = "set-up"  # no candidate's name, which is an identifier
_UNKNOWN_BYTES = 64  # for each element, where no small size could be run


def devices() -> tuple[str, ...]:
    """The devices of this machine that a lab can run on."""
    found = torch.accelerator.current_accelerator() if torch.accelerator.is_available() else None
    return ("cpu",) if found is None else ("cpu", found.type)


def run_experiment(experiment: str | Experiment, **options: Any) -> Iterator[Point]:
    """Run an experiment from its smallest size to its largest.

    Parameters
    ----------
    experiment
        An experiment, or the name of one of those that are built in.
    **options
        As in `Settings`: ``dtype``, ``device``, ``sizes``, ``budget``, ``longest``.

    Yields
    ------
    Point
        One for each candidate at each size. Use `Run` itself to have them as series.

    Examples
    --------
    >>> [(p.name, p.n) for p in run_experiment("first_write", sizes=[100], budget=0.01)][:2]
    [('empty', 100), ('zeros', 100)]
    """
    yield from Run(experiment, Settings(**options)).points()


@dataclass(frozen=True)
class Settings:
    """On what an experiment is run.

    Attributes
    ----------
    dtype, device
        By name; the experiment's first dtype and the first device that fits, if None.
    sizes
        The sizes to run; all of the experiment's, if None.
    budget
        Seconds for each candidate at each size.
    longest
        Seconds. A candidate is left out at sizes at which one call would take longer.
    names
        The learner's names, which the code can read.
    number
        Which run of this experiment it is.
    """

    dtype: str | None = None
    device: str | None = None
    sizes: Sequence[int] | None = None
    budget: float = BUDGET_S
    longest: float = LONGEST_S
    names: Mapping[str, Any] = field(default_factory=dict)
    number: int = 1


class Run:
    """One run of an experiment on one dtype and one device.

    Parameters
    ----------
    experiment
        An experiment, or the name of one of those that are built in.
    settings
        On what it is run.

    Attributes
    ----------
    series
        What has been found so far.
    done, total
        How many points there are, and how many there will be.

    Raises
    ------
    ValueError
        If there is no such experiment, dtype, device or size, or it makes no sense there.
    """

    def __init__(self, experiment: str | Experiment, settings: Settings | None = None) -> None:
        self.experiment = find(experiment)
        self._settings = settings or Settings()
        self._dtype = _dtype(self.experiment, self._settings.dtype)
        self._device = _device(self.experiment, self._settings.device)
        given = self._settings.sizes
        self.sizes = sorted(self.experiment.sizes if given is None else checked_sizes(given))
        self._left_out: dict[str, str] = {}
        self._tried: dict[str, tuple[int, float]] = {}  # at the largest of the small sizes, while memory was traced
        self._took: dict[str, list[tuple[int, float]]] = {}
        lanes = self.experiment.lanes(self._dtype, self._device)
        self._series = {lane.name: self._empty(lane, self._settings.number) for lane in lanes}
        self.total = len(lanes) * len(self.sizes)

    @property
    def series(self) -> tuple[Series, ...]:
        """What has been found so far."""
        return tuple(self._series.values())

    @property
    def done(self) -> int:
        """How many points there are so far."""
        return sum(len(one.points) for one in self._series.values())

    def points(self) -> Iterator[Point]:
        """Run to the end, and give each point as it comes.

        Raises
        ------
        tutor._timing_lab.source.CodeError
            If the set-up or a candidate cannot be read, or the set-up raises.
        """
        return (point for point in self.pieces() if point is not None)

    def pieces(self) -> Iterator[Point | None]:
        """The same in pieces of some milliseconds: a point if one has come, else None."""
        growth = yield from self._growth()
        for n in self.sizes:
            refusal = self._refusal(n, growth)
            if refusal:
                for name in self._series:
                    self._left_out.setdefault(name, refusal)
            yield from self._size(n)

    def _empty(self, lane: Candidate, number: int) -> Series:
        told = self.experiment
        threads = torch.get_num_threads()
        return Series(told.name, lane, told.setup, self._dtype, self._device, told.axis, threads, number)

    def _note(self, point: Point) -> Point:
        self._series[point.name] = self._series[point.name].with_point(point)
        if point.median is not None:
            self._took.setdefault(point.name, []).append((point.n, point.median))
        return point

    # ── what is refused before it runs ──────────────────────────────────────────────────────────────────────────────

    def _growth(self) -> Generator[None, None, memory.Growth | None]:
        """How the memory of the set-up and of the hungriest candidate grows."""
        lanes = [one.candidate for one in self._series.values()]

        def run(n: int) -> object:
            names = source.namespace(self._settings.names, n, self._dtype, self._device)
            started = perf_counter()
            source.prepare(self.experiment.setup, names)
            self._tried[_SETUP] = n, perf_counter() - started
            for lane in lanes:
                call = source.function(lane.code, names)
                started = perf_counter()
                call()
                self._tried[lane.name] = n, perf_counter() - started
            return names

        try:
            return (yield from memory.growth(run, self.sizes[0], self.sizes[-1]))
        except source.CodeError:
            raise
        except Exception:  # the code will say what is wrong when it is run for its time
            return None

    def _refusal(self, n: int, growth: memory.Growth | None) -> str:
        """Why a size is not run, or nothing."""
        free = memory.free_bytes(self._device)
        needed = growth.at(n) if growth is not None else n * _UNKNOWN_BYTES
        if free is not None and needed > memory.SHARE * free:
            return (
                f"it would need about {bytes_text(int(needed))}, more than a third of the {bytes_text(free)} "
                f"that are free."
            )
        expected = self._expected(_SETUP, n)
        return f"the set-up alone would take about {seconds_text(expected)}." if expected > _LONGEST_SETUP_S else ""

    def _expected(self, name: str, n: int) -> float:
        """Seconds at a size: in proportion, unless the two sizes before it clearly grew less; 0 if nothing is known."""
        seen = self._took.get(name, [])
        if not seen:
            return 0.0
        before, took = seen[-1]
        other, earlier = seen[-2] if len(seen) > 1 else self._tried.get(name, (before, took))
        power = 1.0 if other == before else log(took / earlier) / log(before / other)
        return float(took * (n / before) ** (1.0 if power > _CLEARLY_LESS else max(power, 0.0)))

    def _too_slow(self, name: str, n: int) -> str:
        expected = self._expected(name, n)
        return (
            f"one call would take about {seconds_text(expected)} or longer."
            if expected > self._settings.longest
            else ""
        )

    # ── one size ────────────────────────────────────────────────────────────────────────────────────────────────────

    def _size(self, n: int) -> Iterator[Point | None]:
        for name in self._series:
            if name not in self._left_out and (why := self._too_slow(name, n)):
                self._left_out[name] = why
        yield from (self._note(Point(name, n, why=self._left_out[name])) for name in self._left_out)
        lanes = [one.candidate for name, one in self._series.items() if name not in self._left_out]
        if not lanes:
            return
        names = source.namespace(self._settings.names, n, self._dtype, self._device)
        try:
            started = perf_counter()
            source.prepare(self.experiment.setup, names)
            self._took.setdefault(_SETUP, []).append((n, perf_counter() - started))
            yield None
            yield from self._naive([lane for lane in lanes if lane.way == "naive"], n, names)
            yield from self._honest([lane for lane in lanes if lane.way == "honest"], n, names)
        finally:
            names.clear()

    def _naive(self, lanes: list[Candidate], n: int, names: dict[str, Any]) -> Iterator[Point]:
        """Each once, as people do."""
        for lane in lanes:
            try:
                (took,) = casual_times(source.function(lane.code, names), 1)
            except source.CodeError:
                raise
            except Exception as error:
                yield self._give_up(lane.name, n, f"it raised {type(error).__name__}: {error}")
                continue
            took = max(took, 1e-9)  # a coarse clock may say nothing at all
            yield self._note(Point(lane.name, n, took, took, took, 1, 1))

    def _honest(self, lanes: list[Candidate], n: int, names: dict[str, Any]) -> Iterator[Point | None]:
        """All against each other, in rounds."""
        watches: dict[str, Watch] = {}
        for lane in lanes:
            watch = stopwatch(lane.label, source.function(lane.code, names))
            try:
                watch(1)
                yield None
                took = watch(1)
            except (RuntimeError, TypeError, ValueError) as error:
                yield self._give_up(lane.name, n, str(error).removeprefix(f"{lane.label} "))
                continue
            if took > 4 * self._settings.longest:
                yield self._give_up(lane.name, n, f"one call took {seconds_text(took)}.")
                continue
            watches[lane.name] = watch
            yield None
        if not watches:
            return
        contest = Contest(watches, self._settings.budget * len(watches))
        yield from _rounds(contest)
        for name, lane_times in contest.lanes.items():
            # A line of the course's own that writes in place does so with care, and is told in its code.
            note = lane_times.note if self.experiment.name == OWN else ""
            yield self._note(_point(name, n, lane_times, note))

    def _give_up(self, name: str, n: int, why: str) -> Point:
        self._left_out[name] = why
        return self._note(Point(name, n, why=why))


def _rounds(contest: Contest) -> Iterator[None]:
    """The rounds of a contest, with pauses between rounds; within one only if it is long."""
    last = perf_counter()
    while contest.stopped is None:
        for _ in contest.pieces():
            if perf_counter() - last > _PAUSE_AFTER_S:
                yield None
                last = perf_counter()
        yield None


def _point(name: str, n: int, lane: Lane, note: str) -> Point:
    low, median, high = (float(x) for x in np.quantile(lane.times, (0.25, 0.5, 0.75)))
    return Point(name, n, median, low, high, len(lane.times), lane.calls, note=note)


def checked_sizes(sizes: object) -> tuple[int, ...]:
    """Sizes that can be run, each once.

    Raises
    ------
    ValueError
        If they are no whole numbers of 1 or more, or there are none.

    Examples
    --------
    >>> checked_sizes(range(1, 4))
    (1, 2, 3)
    """
    given = list(sizes) if isinstance(sizes, Iterable) and not isinstance(sizes, str) else []
    if not given or not all(isinstance(n, int | np.integer) and not isinstance(n, bool) and n > 0 for n in given):
        raise ValueError(f"sizes: expected whole numbers of 1 or more, as in [100, 1000], got {sizes!r}")
    return tuple(dict.fromkeys(int(n) for n in given))


def find(experiment: str | Experiment) -> Experiment:
    """An experiment by its name.

    Raises
    ------
    ValueError
        If there is none of that name.
    """
    if isinstance(experiment, Experiment):
        return experiment
    if experiment not in EXPERIMENTS:
        raise ValueError(f"experiment: there is no {experiment!r}; there are {', '.join(map(repr, EXPERIMENTS))}")
    return EXPERIMENTS[experiment]


def _dtype(experiment: Experiment, dtype: str | None) -> str:
    if dtype is None:
        return experiment.dtypes[0] if experiment.dtypes else ""
    if dtype not in experiment.dtypes:
        known = ", ".join(experiment.dtypes) or "none"
        raise ValueError(f"dtype: {experiment.title!r} has no {dtype!r}; there are: {known}")
    return dtype


def _device(experiment: Experiment, device: str | None) -> str:
    fitting = [one for one in devices() if experiment.fits(one)]
    if not fitting:
        raise ValueError(no_device(experiment))
    if device is None:
        return fitting[0]
    if device not in fitting:
        raise ValueError(f"device: {experiment.title!r} can run on {', '.join(fitting)} here, not on {device!r}")
    return device


def no_device(experiment: Experiment) -> str:
    """That an experiment cannot run here."""
    return f"{experiment.title} needs an accelerator, and this machine has none that torch can use."
