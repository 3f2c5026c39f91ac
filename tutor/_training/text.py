"""The text twin of loss curves, and the words that text and picture share."""

from __future__ import annotations

from math import isfinite

from tutor._dtypes.text import aligned
from tutor._training.model import LossCurves, TrainingRun
from tutor._words import bytes_text, count_text, seconds_text

_COLUMNS = 40


def curves_text(curves: LossCurves) -> str:
    """A line of digits for each run, and its first and last losses."""
    span = f"from {loss_text(curves.lowest)} to" if curves.lowest else "of"
    tenths = f"The loss in tenths {span} {loss_text(curves.highest)}"
    scale = f"{tenths}, over {count_text(curves.steps, 'step')}; x: not finite"
    rows = [("", "", "first", "last"), *(_row(run, curves) for run in curves.runs)]
    return "\n".join([scale, aligned(rows, right={2, 3}), *filter(None, map(remark, curves.runs))])


def _row(run: TrainingRun, curves: LossCurves) -> tuple[str, str, str, str]:
    return run.name, digits(run, curves), loss_text(run.first), loss_text(run.last)


def digits(run: TrainingRun, curves: LossCurves) -> str:
    """The losses as digits from 0 to 9, or x, at most forty of them."""
    columns = min(_COLUMNS, curves.steps)
    at = [round(i * (curves.steps - 1) / max(1, columns - 1)) for i in range(columns)]
    return "".join(_digit(run.losses[i], curves) for i in at if i < len(run.losses))


def _digit(loss: float, curves: LossCurves) -> str:
    return str(min(9, int(10 * curves.height(loss)))) if isfinite(loss) else "x"


def loss_text(loss: float) -> str:
    """A loss with three figures.

    >>> loss_text(0.69314), loss_text(1.5e-05), loss_text(float("nan"))
    ('0.693', '1.5e-05', 'nan')
    """
    return f"{loss:.3g}"


def remark(run: TrainingRun) -> str:
    """Where a run was lost, if it was, or that it made no step."""
    if not run.losses:
        return f"{run.name}: no step came. A generator runs once; for another run make a new one."
    return "" if run.lost_at is None else f"{run.name}: the loss is not finite at step {run.lost_at + 1:,}."


def cost(run: TrainingRun) -> tuple[str, str]:
    """The time of a step, and the bytes kept for backward."""
    per_step = "" if run.per_step is None else seconds_text(run.per_step)
    return per_step, "" if run.kept is None else bytes_text(run.kept)


def spoken(run: TrainingRun) -> str:
    """A run in one sentence."""
    end = f"from {loss_text(run.first)} to {loss_text(run.last)}"
    return f"{run.name}: {end} in {count_text(len(run.losses), 'step')}. {remark(run)}".strip()
