"""An experiment as data, and what running it has found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

from tutor._fact import Fact

Way = Literal["honest", "naive"]
Where = Literal["any", "cpu", "accelerator"]
MARKS = ("share", "copy", "cast", "move", "make", "none")


@dataclass(frozen=True)
class Candidate:
    """One of the ways that an experiment compares.

    Attributes
    ----------
    name
        An identifier, as `race` wants one.
    label
        What stands at the end of its line: short code.
    code
        An expression, or statements. It reads what the set-up has made.
    mark
        What it does to bytes, by the name of its mark, one of `MARKS`; "none" for nothing.
    way
        "honest" as `race` measures, "naive" as people do.
    dtypes
        The dtypes it can take; all of the experiment's if empty.
    where
        On which devices it makes sense.
    """

    name: str
    label: str
    code: str
    mark: str = "none"
    way: Way = "honest"
    dtypes: tuple[str, ...] = ()
    where: Where = "any"


@dataclass(frozen=True)
class Experiment:
    """A question about time, and the code that answers it.

    Attributes
    ----------
    name, title, question
        Its key; two to six words; one sentence that ends in a question mark.
    setup
        Statements that make what the candidates read, from `n`, `dtype`, `device`, `torch` and `np`. Not timed.
    candidates
        What is compared.
    sizes
        The values of `n`, from small to large.
    axis
        What `n` counts.
    dtypes
        By name; the first is chosen unless the learner says otherwise. Empty if the code has none.
    where
        On which devices it makes sense.
    look
        What to look at in the chart, in one sentence that says no result.
    """

    name: str
    title: str
    question: str
    setup: str
    candidates: tuple[Candidate, ...]
    sizes: tuple[int, ...]
    axis: str = "elements"
    dtypes: tuple[str, ...] = ("float32",)
    where: Where = "any"
    look: str = ""

    def fits(self, device: str) -> bool:
        """Whether it makes sense on a device."""
        return _fits(self.where, device)

    def lanes(self, dtype: str, device: str) -> tuple[Candidate, ...]:
        """The candidates that take a dtype and make sense on a device."""
        return tuple(
            one for one in self.candidates if _fits(one.where, device) and (not one.dtypes or dtype in one.dtypes)
        )


def _fits(where: Where, device: str) -> bool:
    return where == "any" or (where == "cpu") == (device == "cpu")


@dataclass(frozen=True)
class Point:
    """The time of one candidate at one size.

    Attributes
    ----------
    name
        The candidate's.
    n
        The size.
    median, low, high
        Seconds per call: the median, and where the middle half of the blocks begins and ends; None if not measured.
    blocks, calls
        The number of timed blocks, and of calls in each.
    why
        Why it was not measured, in a sentence; empty if it was.
    note
        What the calls did to what they read, in a sentence; empty if nothing.
    """

    name: str
    n: int
    median: float | None = None
    low: float | None = None
    high: float | None = None
    blocks: int = 0
    calls: int = 0
    why: str = ""
    note: str = ""


@dataclass(frozen=True)
class Origin:
    """Where a recorded series comes from.

    Attributes
    ----------
    device
        The device's full name, such as that of a graphics card.
    date
        When it was recorded, as ``YYYY-MM-DD``.
    versions
        What was installed: "torch", "numpy", "python", "driver", …
    """

    device: str
    date: str
    versions: tuple[tuple[str, str], ...] = ()

    @property
    def text(self) -> str:
        """Device, versions and date in a line."""
        return ", ".join([self.device, *(f"{name} {version}" for name, version in self.versions), self.date])


@dataclass(frozen=True)
class Series:
    """One line of the chart: one candidate at several sizes.

    Attributes
    ----------
    experiment, candidate
        What was run.
    setup, dtype, device, axis
        On what it was run.
    threads
        How many threads torch had for one operation.
    run
        1 for the first run of an experiment, 2 for the second, …
    points
        From small to large.
    origin
        Where it was recorded; None if it was measured here and now.
    """

    experiment: str
    candidate: Candidate
    setup: str
    dtype: str
    device: str
    axis: str
    threads: int
    run: int = 1
    points: tuple[Point, ...] = ()
    origin: Origin | None = None

    @property
    def measured(self) -> tuple[Point, ...]:
        """The points that have a time."""
        return tuple(point for point in self.points if point.median is not None)

    def with_point(self, point: Point) -> Series:
        """The same series with one more point."""
        return replace(self, points=(*self.points, point))

    def as_json(self) -> dict[str, Any]:
        """Plain data, for `json.dump`; `series_from_json` reads it."""
        data = asdict(self)
        data.pop("origin")
        data["points"] = [
            {key: value for key, value in point.items() if value not in (None, "")} for point in data["points"]
        ]
        return data


def series_from_json(data: Mapping[str, Any], origin: Origin | None = None) -> Series:
    """The series that `Series.as_json` wrote.

    Raises
    ------
    KeyError, TypeError
        If a field is missing, or there is one too many.
    """
    told = dict(data)
    candidate = dict(told.pop("candidate"))
    candidate["dtypes"] = tuple(candidate.get("dtypes", ()))
    points = tuple(Point(**point) for point in told.pop("points"))
    return Series(**told, candidate=Candidate(**candidate), points=points, origin=origin)


@dataclass(frozen=True, repr=False)
class Results(Fact):
    """What an experiment has found so far.

    Attributes
    ----------
    experiment
        What was run.
    series
        The lines, those that were recorded elsewhere last.
    sizes
        The sizes that the chart has to have room for.
    running
        The number of the run that is being measured; 0 if nothing is.
    """

    experiment: Experiment
    series: tuple[Series, ...] = ()
    sizes: tuple[int, ...] = ()
    running: int = 0

    @property
    def rows(self) -> int:
        """How many points have a time."""
        return sum(len(one.measured) for one in self.series)

    @property
    def skipped(self) -> tuple[str, ...]:
        """Why points are missing: one sentence for each size and reason."""
        told: dict[tuple[int, str], dict[str, None]] = {}
        for one in self.series:
            reasons = [point for point in one.points if point.why]
            if reasons:
                told.setdefault((reasons[0].n, reasons[0].why), {})[one.candidate.label] = None
        every = {one.candidate.label for one in self.series}
        return tuple(
            f"{'All' if set(labels) == every and len(every) > 1 else ', '.join(labels)} from n = {n:,} on: {why}"
            for (n, why), labels in told.items()
        )

    @property
    def notes(self) -> tuple[str, ...]:
        """What the lines did to what they read: a sentence for each line."""
        noted = [(one.candidate.label, point.note) for one in self.series for point in one.points if point.note]
        return tuple(f"{label}: {note}" for label, note in dict.fromkeys(noted))

    def detail(self, series: Series) -> str:
        """What tells a line from the others of its candidate: dtype, device, run, device of the recording."""
        live = [one for one in self.series if one.origin is None]
        words = []
        if len({one.dtype for one in self.series}) > 1:
            words.append(series.dtype)
        if series.origin is not None:
            return ", ".join([*words, f"recorded: {series.origin.device}"])
        if len({one.device for one in live}) > 1:
            words.append(series.device)
        alike = [
            one
            for one in live
            if (one.candidate, one.dtype, one.device) == (series.candidate, series.dtype, series.device)
        ]
        if len(alike) > 1:
            words.append(f"run {series.run}")
        if self.running == series.run and len(series.points) < len(self.sizes):
            words.append(f"measuring, {len(series.points)} of {len(self.sizes)}")
        return ", ".join(words)

    def __repr__(self) -> str:
        from tutor._timing_lab.text import results_text  # noqa: PLC0415 - the words need this class

        return results_text(self)
