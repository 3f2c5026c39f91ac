"""Memory over time: bytes held as filled areas, the cells that ran above them, and what each changed beneath."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil

from tutor._fact import to_html
from tutor._watching.facts import KINDS, MemoryTrace, Reading, Step, change_text, columns, now_text
from tutor._words import bytes_text
from tutor.drawing import svg

PARTS = ("picture", "watching")
_SECONDS = 60  # as far back as the picture goes
_ROWS = 8  # steps in the table, the last ones
_LEFT, _RIGHT, _TOP = 76, 150, 24
_HEIGHT = 96
_GAP = 30
_WIDE = svg.PICTURE_WIDTH - _LEFT - _RIGHT
_LEAST_LABEL = 14  # pixels between two labels of lines
_MEANT = {
    "process": "Process: pages of main memory.",
    "highest": "Highest seen: of the process, at a reading, ten a second; in between it may be more.",
    "allocated": "Allocated: the bytes of tensors.",
    "reserved": "Reserved: these, and freed blocks that torch keeps for the next tensor, until empty_cache().",
    "device": "In use: all programs together, as the driver counts.",
}


@to_html.register
def draw_trace(trace: MemoryTrace) -> str:
    """A picture of the last minute, and a table of the last steps."""
    return svg.page(trace_body(trace), *PARTS)


def trace_body(trace: MemoryTrace) -> str:
    """The same without its style."""
    return f'<p class="tt-wide">{svg.escape(now_text(trace))}</p>{_picture(trace)}{_table(trace)}'


def _picture(trace: MemoryTrace) -> str:
    end = max(trace.readings[-1].at, 1.0)
    start = max(0.0, end - _SECONDS)
    shown = [reading for reading in trace.readings if reading.at >= start]
    charts = [["process"], [kind for kind, _ in columns(trace) if kind != "process"]]
    body, y = "", _TOP
    for kinds in filter(None, charts):
        body += _chart(shown, kinds, (start, end), y)
        y += _HEIGHT + _GAP
    below = y - _GAP
    body += _bands(trace.steps, (start, end), below) + _time_axis(start, end, below)
    return svg.picture("Memory over time", f"{now_text(trace)}.", body, below + 26)


@dataclass(frozen=True)
class _Axes:
    """Where a reading stands in a chart, in pixels."""

    span: tuple[float, float]
    y: float
    height: float
    most: int

    @property
    def base(self) -> float:
        return self.y + self.height

    def down(self, nbytes: int) -> float:
        return self.base - self.height * nbytes / self.most

    def along(self, at: float) -> float:
        return _x(at, self.span)


def _chart(readings: Sequence[Reading], kinds: Sequence[str], span: tuple[float, float], y: float) -> str:
    """One chart: an axis of bytes from 0, and a line with its area for each kind."""
    ticks = _ticks(max((getattr(r, kind) or 0) for r in readings for kind in kinds))
    axes = _Axes(span, y, _HEIGHT, ticks[-1])
    out = []
    for tick in ticks:
        at = axes.down(tick)
        out.append(f'<path class="grid" d="M{_LEFT} {at:.1f}H{_LEFT + _WIDE}"/>')
        out.append(f'<text class="quiet end" x="{_LEFT - 8}" y="{at + 4:.1f}">{bytes_text(tick)}</text>')
    # The largest first, so that what it holds is drawn over it.
    ends = {kind: known[-1] for kind in kinds if (known := _known(readings, kind))}
    for kind in sorted(ends, key=lambda kind: -ends[kind][1]):
        out.append(_area(_known(readings, kind), kind, axes))
    return "".join([*out, *_labels({kind: nbytes for kind, (_, nbytes) in ends.items()}, axes)])


def _known(readings: Sequence[Reading], kind: str) -> list[tuple[float, int]]:
    """When one of `KINDS` was known, and what it was; of a device nothing is before it is used."""
    return [(r.at, nbytes) for r in readings if (nbytes := getattr(r, kind)) is not None]


def _area(known: Sequence[tuple[float, int]], kind: str, axes: _Axes) -> str:
    """Steps from reading to reading, since nothing is known of what lies between."""
    points = [(axes.along(at), axes.down(nbytes)) for at, nbytes in known]
    line = f"M{points[0][0]:.1f} {points[0][1]:.1f}"
    line += "".join(f"H{b[0]:.1f}" + (f"V{b[1]:.1f}" if abs(a[1] - b[1]) > 0.05 else "") for a, b in pairwise(points))
    area = f"{line}V{axes.base}H{points[0][0]:.1f}Z"
    held = "tt-held" if kind in ("process", "allocated") else "tt-kept"
    dashed = " dashed" if kind == "device" else ""
    return f'<g class="tt-make"><path class="{held}" d="{area}"/><path class="stroke{dashed}" d="{line}"/></g>'


def _labels(last: Mapping[str, int], axes: _Axes) -> list[str]:
    """A name at the end of each line; one that would lie on another is moved up."""
    out: list[str] = []
    least = axes.base
    for at, kind in sorted(((axes.down(nbytes), kind) for kind, nbytes in last.items()), reverse=True):
        least = min(at, least)
        out.append(f'<text class="quiet" x="{_LEFT + _WIDE + 8}" y="{least + 4:.1f}">{KINDS[kind]}</text>')
        least -= _LEAST_LABEL
    return out


def _bands(steps: Sequence[Step], span: tuple[float, float], below: float) -> str:
    """The time that each step took, with its name on top where there is room."""
    out, free = [], float(_LEFT)
    for step in steps:
        until = step.after.at if step.after else span[1]
        if until < span[0]:
            continue
        left, right = _x(max(step.before.at, span[0]), span), _x(until, span)
        out.append(f'<path class="band" d="M{left:.1f} {_TOP}H{max(right, left + 1):.1f}V{below}H{left:.1f}Z"/>')
        if left >= free:
            out.append(f'<text class="quiet" x="{left:.1f}" y="{_TOP - 8}">{svg.escape(step.name)}</text>')
            free = left + 8 * len(step.name)
    return "".join(out)


def _time_axis(start: float, end: float, below: float) -> str:
    ago = round(end - start)
    axis = f'<path class="axis" d="M{_LEFT} {below}H{_LEFT + _WIDE}"/>'
    return (
        f'{axis}<text class="quiet" x="{_LEFT}" y="{below + 16}">{ago} s ago</text>'
        f'<text class="quiet end" x="{_LEFT + _WIDE}" y="{below + 16}">now</text>'
    )


def _x(at: float, span: tuple[float, float]) -> float:
    start, end = span
    return _LEFT + _WIDE * (at - start) / (end - start)


def _ticks(most: int) -> list[int]:
    """The ticks of an axis that holds `most` bytes: 0 and two to four more, whose step is a power of two."""
    step = 2**20
    while most > 4 * step:
        step *= 2
    return [i * step for i in range(max(2, ceil(most / step)) + 1)]


def _table(trace: MemoryTrace) -> str:
    if not trace.steps:
        return '<p class="tt-quiet tt-fine">Run a cell, or press a button: what it changed is told here.</p>'
    shown = columns(trace)
    heads = "".join(f'<th scope="col" class="tt-num">{words}</th>' for _, words in shown)
    heads += '<th scope="col" class="tt-num">highest seen</th>'
    head = f'<tr><th scope="col">cell</th><th scope="col">code</th>{heads}</tr>'
    rows = "".join(_row(step, [kind for kind, _ in shown]) for step in reversed(trace.steps[-_ROWS:]))
    beneath = " ".join(words for kind, words in _MEANT.items() if kind in dict(shown) or kind == "highest")
    return (
        f'<table class="tt-watching tt-wide"><caption>what each step changed</caption><thead>{head}</thead>'
        f'<tbody>{rows}</tbody></table><p class="tt-quiet tt-fine tt-wide">{beneath}</p>'
    )


def _row(step: Step, kinds: Sequence[str]) -> str:
    cells = "".join(f'<td class="tt-num">{change_text(step, kind)}</td>' for kind in kinds)
    return (
        f'<tr><td class="tt-quiet">{svg.escape(step.name)}</td><th scope="row">{svg.code(step.code)}</th>{cells}'
        f'<td class="tt-num tt-quiet">{bytes_text(step.highest)}</td></tr>'
    )
