"""Facts about training runs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import isfinite, nan
from statistics import fmean, median

from tutor._fact import Fact


@dataclass(frozen=True)
class TrainingRun:
    """One training loop.

    Attributes
    ----------
    name
        The name it was given.
    losses
        The loss of each step.
    seconds
        The time of each step.
    kept
        Bytes that autograd kept for the first backward pass, the weights themselves left out.
    """

    name: str
    losses: tuple[float, ...]
    seconds: tuple[float, ...] = ()
    kept: int | None = None

    @property
    def first(self) -> float:
        """The loss of the first step; NaN if there was none."""
        return self.losses[0] if self.losses else nan

    @property
    def last(self) -> float:
        """The mean loss of the last tenth of the steps; NaN or infinite if one of them is."""
        return fmean(self.losses[-max(1, len(self.losses) // 10) :]) if self.losses else nan

    @property
    def lost_at(self) -> int | None:
        """The first step, counted from 0, whose loss is not finite."""
        return next((i for i, loss in enumerate(self.losses) if not isfinite(loss)), None)

    @property
    def per_step(self) -> float | None:
        """The median time of a step in seconds; the first, which also prepares, is left out."""
        return median(self.seconds[1:]) if len(self.seconds) > 1 else None


@dataclass(frozen=True)
class LossCurves(Fact):
    """Training runs side by side; see `tutor.loss_curves`.

    Attributes
    ----------
    runs
        In the order in which they were given.
    threads
        The number of threads that torch had.
    """

    runs: tuple[TrainingRun, ...]
    threads: int

    def __getitem__(self, name: str) -> TrainingRun:
        """One run by its name."""
        for run in self.runs:
            if run.name == name:
                return run
        raise KeyError(name)

    @cached_property
    def steps(self) -> int:
        """The steps of the longest run."""
        return max((len(run.losses) for run in self.runs), default=0)

    @cached_property
    def highest(self) -> float:
        """The top of the scale: twice the highest first loss, or the highest of all if that is lower, or 0."""
        firsts = [run.first for run in self.runs if isfinite(run.first)]
        highest = max(0.0, min(max(self._finite, default=1.0), 2 * max(firsts, default=1.0)))
        return highest if highest > self.lowest else 1.0

    @cached_property
    def lowest(self) -> float:
        """The bottom of the scale: 0, or the lowest loss if that is negative."""
        return min(0.0, min(self._finite, default=0.0))

    @property
    def _finite(self) -> list[float]:
        return [loss for run in self.runs for loss in run.losses if isfinite(loss)]

    def height(self, loss: float) -> float:
        """Where a loss stands on the scale, from 0 to 1; one above the scale stands at its top."""
        return min(1.0, (loss - self.lowest) / (self.highest - self.lowest))

    def learned(self) -> tuple[str, ...]:
        """The names of the runs whose loss fell by more than half of the first: below half of it, if it is positive."""
        return tuple(run.name for run in self.runs if run.last < run.first - abs(run.first) / 2)

    def __repr__(self) -> str:
        from tutor._training.text import curves_text  # noqa: PLC0415 - the text is written from the facts

        return curves_text(self)
