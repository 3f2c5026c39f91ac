"""Loss curves: a panel for each run on the same scales, with the other runs faintly behind it, and a table beneath."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from math import isfinite

from tutor._fact import to_html
from tutor._training.model import LossCurves, TrainingRun
from tutor._training.text import cost, loss_text, remark, spoken
from tutor._words import count_text
from tutor.drawing import svg

_LEFT, _GAP, _TOP, _HEIGHT = 44, 16, 24, 132  # pixels
_ROW = _TOP + _HEIGHT + 26
_CHARACTER = 7.5  # pixels that a letter of code takes at most
_MOST_IN_ROW = 4
_BINS = 200  # a longer run is drawn by the lowest and the highest loss of each


@to_html.register
def draw(curves: LossCurves) -> str:
    """Loss curves as one HTML output."""
    return svg.page(body(curves), "picture", "curves")


def body(curves: LossCurves) -> str:
    """The picture and the table."""
    return _picture(curves) + _table(curves)


def _picture(curves: LossCurves) -> str:
    columns = min(_MOST_IN_ROW, max(1, len(curves.runs)))
    width = (svg.PICTURE_WIDTH - _LEFT - _GAP * (columns - 1)) / columns
    rows = -(-len(curves.runs) // columns)
    panels = "".join(
        _panel(curves, run, _LEFT + (i % columns) * (width + _GAP), (i // columns) * _ROW, width)
        for i, run in enumerate(curves.runs)
    )
    scales = "".join(_scale(curves, row * _ROW) for row in range(rows))
    title = f"The loss of {count_text(len(curves.runs), 'training run')}, step by step"
    return svg.picture(title, " ".join(map(spoken, curves.runs)), scales + panels, max(1, rows) * _ROW)


def _scale(curves: LossCurves, y: float) -> str:
    top, bottom = y + _TOP, y + _TOP + _HEIGHT
    return (
        f'<text x="{_LEFT - 8}" y="{top + 4}" class="quiet end">{loss_text(curves.highest)}</text>'
        f'<text x="{_LEFT - 8}" y="{bottom + 4}" class="quiet end">{loss_text(curves.lowest)}</text>'
    )


def _panel(curves: LossCurves, run: TrainingRun, x: float, y: float, width: float) -> str:
    bottom = y + _TOP + _HEIGHT
    frame = (
        f'<path d="M{x:.1f} {y + _TOP}h{width:.1f}" class="grid"/>'
        f'<path d="M{x:.1f} {bottom}h{width:.1f}" class="axis"/>'
        f'<text x="{x:.1f}" y="{y + 12}" class="code strong">{svg.escape(_fitting(run.name, width))}</text>'
        f'<text x="{x:.1f}" y="{bottom + 16}" class="quiet">step 1</text>'
        f'<text x="{x + width:.1f}" y="{bottom + 16}" class="quiet end">{curves.steps:,}</text>'
    )
    others = "".join(
        f'<path d="{_line(other, curves, x, y, width)}" class="tt-faint"/>' for other in curves.runs if other is not run
    )
    own = f'<path d="{_line(run, curves, x, y, width)}" class="tt-curve"/>'
    return f"<g>{frame}{others}{own}{_lost(run, curves, x, y, width)}</g>"


def _fitting(name: str, width: float) -> str:
    """A name, cut where it would run into the next panel; the table has it whole."""
    most = int(width / _CHARACTER)
    return name if len(name) <= most else f"{name[: most - 1]}…"


def _lost(run: TrainingRun, curves: LossCurves, x: float, y: float, width: float) -> str:
    """A mark at the top where the loss stops being a finite number."""
    if run.lost_at is None:
        return ""
    place = _x(run.lost_at, curves, x, width)
    return f'<text x="{place:.1f}" y="{y + _TOP + 14}" class="middle strong">x</text>'


def _line(run: TrainingRun, curves: LossCurves, x: float, y: float, width: float) -> str:
    """A path through the finite losses, with a gap where they are not."""
    return "".join(_stretch(points) for points in _stretches(run, curves, x, y, width))


def _stretch(points: list[str]) -> str:
    """A line, or a dash for a point that stands alone."""
    return f"M{points[0]}" + ("L" + " ".join(points[1:]) if points[1:] else "m-2 0h4")


def _stretches(run: TrainingRun, curves: LossCurves, x: float, y: float, width: float) -> Iterator[list[str]]:
    for finite, steps in groupby(_drawn(run.losses), key=lambda i: isfinite(run.losses[i])):
        if finite:
            yield [f"{_x(i, curves, x, width):.1f} {_y(run.losses[i], curves, y):.1f}" for i in steps]


def _drawn(losses: Sequence[float]) -> Iterator[int]:
    """The steps to draw: every one, or of a long run so many that no peak and no gap is lost."""
    size = max(1, len(losses) // _BINS)

    def order(i: int) -> tuple[bool, float]:
        return not isfinite(losses[i]), losses[i]

    for start in range(0, len(losses), size):
        steps = range(start, min(start + size, len(losses)))
        yield from sorted({min(steps, key=order), max(steps, key=order)})


def _x(step: int, curves: LossCurves, x: float, width: float) -> float:
    return x + width * step / max(1, curves.steps - 1)


def _y(loss: float, curves: LossCurves, y: float) -> float:
    return y + _TOP + _HEIGHT * (1 - curves.height(loss))


def _table(curves: LossCurves) -> str:
    rows = "".join(
        f'<tr><th scope="row">{svg.code(run.name)}</th><td class="tt-num">{loss_text(run.first)}</td>'
        f'<td class="tt-num">{loss_text(run.last)}</td>'
        + "".join(f'<td class="tt-num">{said}</td>' for said in cost(run))
        + "</tr>"
        for run in curves.runs
    )
    heads = ("first loss", "last losses", "time per step", "kept for backward")
    head = "".join(f'<th scope="col" class="tt-num">{name}</th>' for name in heads)
    said = "".join(f"<p>{svg.prose(text)}</p>" for text in map(remark, curves.runs) if text)
    fine = (
        "Last losses: the mean of the last tenth of the steps. Time: the median, with "
        f"{count_text(curves.threads, 'thread')}. Kept: bytes that autograd holds for the first backward pass, "
        "the weights themselves left out."
    )
    return (
        f'<table class="tt-curves"><thead><tr><td></td>{head}</tr></thead><tbody>{rows}</tbody></table>{said}'
        f'<p class="tt-quiet tt-fine tt-wide">{fine}</p>'
    )
