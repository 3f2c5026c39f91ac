"""Times as a table: a tick for the median on a bar for the middle half, and the ratio in words beside it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import ceil, floor, log10

from tutor._fact import to_html
from tutor._words import count_text, seconds_text
from tutor.drawing import svg
from tutor.timing import Difference, Measurement, Naive, Race, Ratio, SideBySide

_LEGEND = "A tick for the median, a bar for the middle half, log scale."
_STEPS = (1.0, 2.0, 5.0, 10.0)


@to_html.register
def draw_race(race: Race) -> str:
    """A race: a row for each candidate, the ratios against the first."""
    first = race.names[0]
    verdicts = ['<td class="tt-quiet">1</td>', *(f"<td>{_verdict(r)}</td>" for r in race.against_first)]
    table = _table(race.measurements, f"against {svg.code(first)}", verdicts, spelled=True)
    told = svg.escape(f"{race.on_device} {race.how}".strip())
    beneath = f"{_LEGEND} The ratios are medians over the rounds, with their 99 % interval. {told}"
    remark = f'<p class="tt-wide">{svg.prose(race.remark)}</p>' if race.remark else ""
    return svg.page(f"{table}{_fine(beneath)}{remark}", "race")


@to_html.register
def draw_measurement(measurement: Measurement) -> str:
    """One candidate's times, as a race of one row."""
    middle = f'<td class="tt-quiet">{measurement.middle_half}</td>'
    table = _table([measurement], "middle half", [middle], spelled=False)
    first = seconds_text(measurement.first)
    told = svg.escape(f"{measurement.on_device} {measurement.how}".strip())
    beneath = f"{_LEGEND} The first call, not counted, took {first}. {told}"
    note = f'<p class="tt-wide">{svg.escape(measurement.note)}</p>' if measurement.note else ""
    return svg.page(table + _fine(beneath) + note, "race")


@to_html.register
def draw_naive(naive: Naive) -> str:
    """The usual time, and what `measure` does otherwise."""
    said = f"<b>{seconds_text(naive.mean)}</b> a call, {svg.prose(naive.how)}"
    return svg.page(f'<p class="tt-wide">{svg.code(naive.name)}: {said}</p>{_two_ways(naive.differences, "here")}')


@to_html.register
def draw_side_by_side(both: SideBySide) -> str:
    """The usual time and an honest one, and how they were taken."""
    said = f"<p><b>{svg.escape(both.sentence)}</b></p>"
    return svg.page(f"<p>{svg.code(both.naive.name)}</p>{said}{_two_ways(both.rows, 'the usual way')}")


def _two_ways(rows: Sequence[Difference], here: str) -> str:
    head = (
        f'<th scope="col">{_unseen("what")}</th><th scope="col">{here}</th><th scope="col">{svg.code("measure")}</th>'
    )
    body = "".join(
        f'<tr><th scope="row" class="tt-quiet">{svg.escape(row.aspect)}</th><td>{svg.escape(row.naive)}</td>'
        f"<td>{svg.escape(row.measure)}</td></tr>"
        for row in rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


@to_html.register
def draw_ratio(ratio: Ratio) -> str:
    """One ratio as a sentence."""
    a, b = svg.code(ratio.a), svg.code(ratio.b)
    return svg.page(
        f'<p class="tt-wide">{a} against {b}: {_verdict(ratio)} <span class="tt-quiet">(99 % interval, '
        f"{count_text(ratio.rounds, 'round')})</span></p>"
    )


def _table(rows: Sequence[Measurement], heading: str, last_cells: Sequence[str], *, spelled: bool) -> str:
    """The rows; `spelled` says the bars in words too, for readers who see none."""
    low, high = _scale(rows)
    words = _unseen("middle half, on a scale of " if spelled else "on a scale of ")
    ends = f"{words}<i>{_end(low)}</i>{_unseen(' to ')}<i>{_end(high)}</i>"
    head = (
        f'<tr><th scope="col">{_unseen("candidate")}</th><th scope="col" class="tt-num">median</th>'
        f'<th scope="col"><span class="tt-ends-of-scale">{ends}</span></th><th scope="col">{heading}</th></tr>'
    )
    body = "".join(_row(m, low, high, cell, spelled) for m, cell in zip(rows, last_cells, strict=True))
    return (
        '<table class="tt-race tt-wide"><caption>time per call</caption>'
        f"<thead>{head}</thead><tbody>{body}</tbody></table>"
    )


def _row(m: Measurement, low: float, high: float, last_cell: str, spelled: bool) -> str:
    name = svg.code(m.name)
    begin, end = m.quartiles
    places = zip(("lo", "mid", "hi"), (begin, m.median, end), strict=True)
    words = _unseen(m.middle_half) if spelled else ""
    style = ";".join(f"--{place}:{_percent(seconds, low, high):.1f}%" for place, seconds in places)
    return (
        f'<tr><th scope="row">{name}</th><td class="tt-num">{seconds_text(m.median)}</td>'
        f'<td><span class="tt-range" style="{style}">{words}</span></td>'
        f"{last_cell}</tr>"
    )


def _verdict(ratio: Ratio) -> str:
    """The words and the interval: bold where there is a difference, plain where there is none."""
    words = ratio.words if ratio.verdict == "no difference" else f"<b>{ratio.words}</b>"
    return f'{words} <span class="tt-quiet tt-nowrap">{ratio.interval}</span>'


def _scale(rows: Sequence[Measurement]) -> tuple[float, float]:
    """The ends of the log scale: the nearest 1, 2 or 5 beyond all quartiles, at least a factor of two apart."""
    low = _round_down(min(m.quartiles[0] for m in rows))
    high = _round_up(max(m.quartiles[1] for m in rows))
    return low, max(high, low * 2)


def _round_down(x: float) -> float:
    decade = 10.0 ** floor(log10(x))
    return decade * max(step for step in _STEPS if step * decade <= x * (1 + 1e-9))


def _round_up(x: float) -> float:
    decade = 10.0 ** (ceil(log10(x)) - 1)
    return decade * min(step for step in _STEPS if step * decade >= x * (1 - 1e-9))


def _percent(seconds: float, low: float, high: float) -> float:
    return 100 * log10(seconds / low) / log10(high / low)


def _end(seconds: float) -> str:
    """An end of the scale, which is a round number: "1 ms", not "1.00 ms"."""
    return re.sub(r"\.0+ ", " ", seconds_text(seconds * (1 + 1e-9)))


def _unseen(text: str) -> str:
    """Words for a screen reader, and for a page that has lost its styles."""
    return f'<span class="tt-hidden">{text}</span>'


def _fine(text: str) -> str:
    return f'<p class="tt-quiet tt-fine tt-wide">{text}</p>'
