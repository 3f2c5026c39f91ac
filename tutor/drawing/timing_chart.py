"""Times over sizes on two log scales: a line with a band for each series, its name at its end."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

from tutor._timing_lab.model import Point, Results, Series
from tutor._timing_lab.text import line_name
from tutor._words import seconds_text
from tutor.drawing import svg
from tutor.drawing.strip import px, written

_LEFT, _RIGHT, _NAMES = 54.0, 506.0, 522.0
_TOP, _LEAST = 28.0, 262.0  # the highest gridline, and the least height of the chart
_LINE, _TWO_LINES = 15.0, 28.0
_TICK_ROOM = 62.0
_SIGN = 13.0
_DETAIL = 31  # characters beneath a name, at six pixels each
_DASHES = ("", "2 3", "8 3", "8 3 2 3")  # first run, second run, …
_RECORDED = "5 4"


@dataclass(frozen=True)
class _Frame:
    """Where sizes and times lie."""

    sizes: tuple[float, float]
    times: tuple[float, float]
    bottom: float

    def x(self, n: float) -> float:
        low, high = self.sizes
        return _LEFT + (_RIGHT - _LEFT) * log10(n / low) / log10(high / low)

    def y(self, seconds: float) -> float:
        low, high = self.times
        return self.bottom - (self.bottom - _TOP) * log10(seconds / low) / log10(high / low)


@dataclass(frozen=True)
class _Name:
    """The name of a line: where the line ends, and where the name stands."""

    series: Series
    detail: str
    x: float
    y: float
    place: float

    @property
    def height(self) -> float:
        return _TWO_LINES if self.detail else _LINE


def chart(results: Results) -> str:
    """The chart; nothing where there is no time yet."""
    shown = [one for one in results.series if one.measured]
    if not shown:
        return ""
    room = sum(_TWO_LINES if results.detail(one) else _LINE for one in shown)
    frame = _frame(shown, results.sizes, _TOP + max(_LEAST, room))
    names = _placed([_name(results, one, frame) for one in shown], frame.bottom)
    shapes = _shapes(results)
    from_below = sorted(shown, key=lambda one: one.origin is None)  # what was measured here lies on what was recorded
    lines = "".join(_line(one, frame, shapes[_key(one)]) for one in from_below)
    named = "".join(_written(name, shapes[_key(name.series)]) for name in names)
    body = _grid(frame) + _ticks(frame, results) + lines + named
    title = f"{results.experiment.title}: time per call by {results.experiment.axis}"
    return svg.picture(title, _description(results), body, frame.bottom + 40)


def _frame(shown: Sequence[Series], sizes: Sequence[int], bottom: float) -> _Frame:
    all_sizes = [*sizes, *(point.n for one in shown for point in one.measured)]
    low, high = float(min(all_sizes)), float(max(all_sizes))
    if low == high:
        low, high = low / 3, high * 3
    lows = [point.low for one in shown for point in one.measured if point.low is not None]
    highs = [point.high for one in shown for point in one.measured if point.high is not None]
    first, last = floor(log10(min(lows))), ceil(log10(max(highs)))
    return _Frame((low, high), (10.0**first, 10.0 ** max(last, first + 1)), bottom)


def _grid(frame: _Frame) -> str:
    body = '<text x="0" y="12" class="quiet">time per call: the median, and a band over the middle half</text>'
    decade = frame.times[0]
    while decade <= frame.times[1] * 1.01:
        y = frame.y(decade)
        body += f'<line x1="{px(_LEFT)}" y1="{px(y)}" x2="{px(_RIGHT)}" y2="{px(y)}" class="grid"/>'
        body += written(_LEFT - 8, y + 4, "quiet end", _round_time(decade))
        decade *= 10
    return body


def _round_time(seconds: float) -> str:
    return re.sub(r"\.0+ ", " ", seconds_text(seconds * (1 + 1e-9)))


def _ticks(frame: _Frame, results: Results) -> str:
    body = f'<line x1="{px(_LEFT)}" y1="{px(frame.bottom)}" x2="{px(_RIGHT)}" y2="{px(frame.bottom)}" class="axis"/>'
    taken = float("-inf")
    for n in _tick_sizes(frame, results):
        x = frame.x(n)
        body += f'<line x1="{px(x)}" y1="{px(frame.bottom)}" x2="{px(x)}" y2="{px(frame.bottom + 4)}" class="axis"/>'
        if x - taken >= _TICK_ROOM:
            body += written(x, frame.bottom + 18, "quiet middle", size_text(n))
            taken = x
    dtypes = list(dict.fromkeys(one.dtype for one in results.series if one.dtype))
    words = ", ".join([results.experiment.axis, *(dtypes if len(dtypes) == 1 else [])])
    return body + written((_LEFT + _RIGHT) / 2, frame.bottom + 36, "quiet middle", words)


def _tick_sizes(frame: _Frame, results: Results) -> list[int]:
    """Powers of ten where there are enough of them, else the sizes themselves."""
    low, high = frame.sizes
    decades = [10**e for e in range(ceil(log10(low) - 1e-9), floor(log10(high) + 1e-9) + 1)]
    if len(decades) > 2 and high / low >= 1_000:
        return decades
    return sorted({point.n for one in results.series for point in one.measured} | set(results.sizes))


def size_text(n: int) -> str:
    """A size in few characters.

    >>> size_text(1_000), size_text(3_162_278), size_text(10**8)
    ('1,000', '3.2 million', '100 million')
    """
    return f"{n:,}" if n < 10**6 else f"{n / 10**6:,.1f}".removesuffix(".0") + " million"


def _shapes(results: Results) -> dict[tuple[str, str], int]:
    """Which marker a candidate has, the same in every run and every recording; own lines differ by their code."""
    lines = dict.fromkeys(_key(one) for one in results.series)
    return {key: i % len(_MARKERS) for i, key in enumerate(lines)}


def _key(series: Series) -> tuple[str, str]:
    return series.candidate.name, series.candidate.code


def _line(series: Series, frame: _Frame, shape: int) -> str:
    points = series.measured
    spread = [point for point in points if point.blocks != 1]
    dash = _RECORDED if series.origin is not None else _DASHES[(series.run - 1) % len(_DASHES)]
    path = "L".join(f"{px(frame.x(p.n))} {px(frame.y(p.median or 0))}" for p in points)
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    marker = "".join(_marker(series, shape, frame.x(p.n), frame.y(p.median or 0)) for p in points)
    return (
        f'<g class="{_role(series)}">{_band(spread, frame)}'
        f'<path d="M{path}" class="stroke" stroke-width="1.5"{dashed}/>{marker}</g>'
    )


def _marker(series: Series, shape: int, x: float, y: float) -> str:
    return _MARKERS[shape].format(x=x, y=y, kind="full" if series.origin is None else "open")


def _role(series: Series) -> str:
    return svg.MARKS[series.candidate.mark].role if series.candidate.mark != "none" else "tt-inked"


def _band(points: Sequence[Point], frame: _Frame) -> str:
    if len(points) < 2:
        return "".join(_whisker(point, frame) for point in points)
    above = [f"{px(frame.x(p.n))} {px(frame.y(p.high or 0))}" for p in points]
    beneath = [f"{px(frame.x(p.n))} {px(frame.y(p.low or 0))}" for p in reversed(points)]
    return f'<path d="M{"L".join([*above, *beneath])}z" class="band"/>'


def _whisker(point: Point, frame: _Frame) -> str:
    x, top, bottom = frame.x(point.n), frame.y(point.high or 0), frame.y(point.low or 0)
    return f'<path d="M{px(x)} {px(top)}V{px(bottom)}" class="stroke" stroke-width="5" stroke-opacity=".3"/>'


_MARKERS = (
    '<circle cx="{x:.1f}" cy="{y:.1f}" r="3.4" class="{kind}"/>',
    '<path d="M{x:.1f} {y:.1f}m-3.2 -3.2h6.4v6.4h-6.4z" class="{kind}"/>',
    '<path d="M{x:.1f} {y:.1f}m0 -4.4l4.4 4.4l-4.4 4.4l-4.4 -4.4z" class="{kind}"/>',
    '<path d="M{x:.1f} {y:.1f}m0 -4l4.2 7h-8.4z" class="{kind}"/>',
    '<path d="M{x:.1f} {y:.1f}m0 4l4.2 -7h-8.4z" class="{kind}"/>',
    '<path d="M{x:.1f} {y:.1f}m-1.4 -4.2h2.8v2.8h2.8v2.8h-2.8v2.8h-2.8v-2.8h-2.8v-2.8h2.8z" class="{kind}"/>',
)


def _name(results: Results, series: Series, frame: _Frame) -> _Name:
    last = series.measured[-1]
    y = frame.y(last.median or 0)
    return _Name(series, results.detail(series), frame.x(last.n), y, y)


def _placed(names: Sequence[_Name], bottom: float) -> list[_Name]:
    """The names from top to bottom, moved apart where they would stand on each other."""
    ordered = sorted(names, key=lambda name: (name.y, -name.x))
    places: list[float] = []
    for name in ordered:
        least = places[-1] + ordered[len(places) - 1].height if places else _TOP
        places.append(max(name.y, least))
    limit = bottom + _LINE
    for i in reversed(range(len(ordered))):
        places[i] = min(places[i], limit - ordered[i].height)
        limit = places[i]
    return [_Name(n.series, n.detail, n.x, n.y, place) for n, place in zip(ordered, places, strict=True)]


def _written(name: _Name, shape: int) -> str:
    """Marker, sign and label, so that lines on top of each other can be told apart."""
    series = name.series
    marker = _marker(series, shape, _NAMES + 4, name.place)
    x = _NAMES + _SIGN
    sign = ""
    if series.candidate.mark != "none":
        sign = f'<tspan class="code mark">{svg.escape(svg.MARKS[series.candidate.mark].sign)}</tspan>'
        x += _SIGN
    label = f'<tspan class="code" x="{px(x)}">{svg.escape(series.candidate.label)}</tspan>'
    body = f'{marker}<text x="{px(_NAMES + _SIGN)}" y="{px(name.place + 4)}">{sign}{label}</text>'
    if name.detail:
        body += written(x, name.place + 17, "quiet", _cut(name.detail))
    if _RIGHT - name.x > 8 or abs(name.place - name.y) > 5:
        body += (
            f'<path d="M{px(name.x + 7)} {px(name.y)}L{px(max(name.x + 7, _RIGHT))} {px(name.y)}'
            f'L{px(_NAMES - 3)} {px(name.place)}" class="leader"/>'
        )
    return f'<g class="{_role(series)}">{body}</g>'


def _cut(words: str) -> str:
    """Words that stay within the picture; a device's full name is told beneath it."""
    return words if len(words) <= _DETAIL else f"{words[: _DETAIL - 1]}…"


def _description(results: Results) -> str:
    """What the lines do, for those who do not see them."""
    said = []
    for one in results.series:
        if not one.measured:
            continue
        first, last = one.measured[0], one.measured[-1]
        ends = f"{seconds_text(first.median or 0)} at {size_text(first.n)}"
        if len(one.measured) > 1:
            ends = f"from {ends} to {seconds_text(last.median or 0)} at {size_text(last.n)}"
        said.append(f"{line_name(results, one)}: {ends}.")
    return f"Both scales are logarithmic. {' '.join(said)} All numbers are in the table."
