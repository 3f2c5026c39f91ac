"""What a piece of code did to memory, as a table: each line of the code once, and under it what happened.

The size of the table depends on the code and on the kinds of things that happened, never on how often they did.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from heapq import nlargest
from itertools import groupby

from tutor._fact import to_html
from tutor._tracing.model import KINDS, WORDS, Event, Finding, Kind, Line, Row, XRay
from tutor._tracing.text import detail_text, times_text
from tutor._words import bytes_text, count_text
from tutor.drawing import svg

_MARKS: dict[Kind, str] = {
    "view": "share",
    "copy": "copy",
    "cast": "cast",
    "transfer": "move",
    "wait": "wait",
    "allocation": "make",
    "in-place": "write",
}
_WAIT_WIDTH = "14px"  # a wait has no bytes that could give it a length
_MOST_LINES, _MOST_ROWS, _MOST_FINDINGS = 100, 16, 6
_FEW_QUIET = 4  # lines without events that are shown one by one
_LONGEST_SOURCE = 400  # characters


@to_html.register
def xray_html(seen: XRay) -> str:
    """The table, the totals, and what could not be seen."""
    lines, events = seen.lines, seen.events
    if not events:
        return svg.page(f"<p>Nothing happened to memory.</p>{_notes(seen.notes)}", "xray")
    return svg.page(_table(lines) + _totals(events, len(seen.findings)) + _notes(seen.notes), "xray")


def _table(lines: Sequence[Line]) -> str:
    most = max((row.bytes for line in lines for row in line.rows if row.event.kind != "wait"), default=0)
    ends = f"<i>0</i><i>{bytes_text(most)}, linear</i>" if most else ""
    head = (
        f'<tr><th scope="col">{_unseen("mark")}</th><th scope="col">{_unseen("what happened")}</th>'
        f'<th scope="col" class="tt-num">bytes</th><th scope="col"><span class="tt-span">{ends}</span></th></tr>'
    )
    shown = _largest_lines(lines)
    body = "".join(_quiet(group) if quiet else _told(group, most) for quiet, group in _stretches(shown))
    return (
        '<table class="tt-xray"><caption>what each line did to memory</caption><colgroup><col class="tt-c-mark"><col>'
        f'<col class="tt-c-bytes"><col class="tt-c-bar"></colgroup><thead>{head}</thead>{body}'
        f"{_missing_lines(lines, shown)}</table>"
    )


def _stretches(lines: Sequence[Line]) -> Iterator[tuple[bool, list[Line]]]:
    """Lines that follow one another, told apart by whether nothing happened on them."""
    for quiet, group in groupby(lines, lambda line: not line.rows and not line.findings):
        yield quiet, list(group)


def _largest_lines(lines: Sequence[Line]) -> Sequence[Line]:
    if len(lines) <= _MOST_LINES:
        return lines
    told = nlargest(_MOST_LINES, lines, key=lambda line: (bool(line.findings), _written(line.rows), len(line.rows)))
    kept = {line.number for line in told}
    return [line for line in lines if line.number in kept]


def _missing_lines(lines: Sequence[Line], shown: Sequence[Line]) -> str:
    if len(shown) == len(lines):
        return ""
    kept = {line.number for line in shown}
    rest = [row for line in lines if line.number not in kept for row in line.rows]
    more = f"and {count_text(len(lines) - len(shown), 'more line')}"
    return f'<tbody class="tt-rest">{_rest(more, rest)}</tbody>'


def _quiet(lines: Sequence[Line]) -> str:
    """Lines that did nothing to memory: their code alone, and of many only which they are."""
    if len(lines) <= _FEW_QUIET:
        return f'<tbody class="tt-still">{"".join(map(_head, lines))}</tbody>'
    between = f'<td colspan="3">lines {lines[1].number} to {lines[-2].number}</td>'
    return (
        f'<tbody class="tt-still">{_head(lines[0])}<tr class="tt-line"><td>⋮</td>{between}</tr>'
        f"{_head(lines[-1])}</tbody>"
    )


def _told(lines: Iterable[Line], most: int) -> str:
    return "".join(f"<tbody>{_head(line)}{_rows(line.rows, most)}{_findings(line.findings)}</tbody>" for line in lines)


def _head(line: Line) -> str:
    number = str(line.number) if line.number else "?"
    source = line.source.rstrip()
    if len(source) > _LONGEST_SOURCE:
        source = f"{source[:_LONGEST_SOURCE]}…"
    code = f"<code>{svg.escape(source)}</code>" if source else "code that could not be found"
    return (
        f'<tr class="tt-line"><th scope="rowgroup" class="tt-quiet">{_unseen("line ")}{number}</th>'
        f'<td colspan="3">{code}</td></tr>'
    )


def _rows(rows: Sequence[Row], most: int) -> str:
    """The rows in their order; where there are many, the largest."""
    if len(rows) <= _MOST_ROWS:
        return "".join(_row(row, most) for row in rows)
    largest = set(nlargest(_MOST_ROWS - 1, range(len(rows)), key=lambda i: rows[i].bytes * rows[i].event.writes))
    shown = "".join(_row(row, most) for i, row in enumerate(rows) if i in largest)
    rest = [row for i, row in enumerate(rows) if i not in largest]
    return shown + _rest(f"and {count_text(len(rest), 'more row')}", rest)


def _row(row: Row, most: int) -> str:
    event = row.event
    kind = _MARKS[event.kind]
    more = detail_text(event)
    words = WORDS[event.kind] + (f' <span class="tt-quiet">{svg.escape(more)}</span>' if more else "")
    times, comma, each = times_text(row).partition(", ")
    often = f' <b>{times}</b><span class="tt-quiet">{comma}{each}</span>' if times else ""
    number = "tt-num" if event.writes else "tt-num tt-quiet"
    return (
        f'<tr class="{svg.MARKS[kind].role}"><td>{svg.mark(kind)}</td><td>{words}{often}</td>'
        f'<td class="{number}">{bytes_text(row.bytes)}</td><td>{_bar(row, most)}</td></tr>'
    )


def _bar(row: Row, most: int) -> str:
    if not row.bytes:
        return ""
    width = _WAIT_WIDTH if row.event.kind == "wait" else f"{100 * row.bytes / most:.3g}%"
    return f'<span class="tt-bar" style="--w:{width}"></span>'


def _rest(more: str, rows: Iterable[Row]) -> str:
    """What there was no room for, in one row."""
    return (
        f'<tr class="tt-quiet"><td>⋮</td><td>{more}; <code>.events</code> has them all</td>'
        f'<td class="tt-num">{bytes_text(_written(rows))}</td><td></td></tr>'
    )


def _written(rows: Iterable[Row]) -> int:
    return sum(row.bytes for row in rows if row.event.writes)


def _findings(findings: Sequence[Finding]) -> str:
    shown = "".join(map(_finding, findings[:_MOST_FINDINGS]))
    if not shown:
        return ""
    more = len(findings) - _MOST_FINDINGS
    rest = f"<p>{more:,} more worth a look are in <code>.findings</code>.</p>" if more > 0 else ""
    return f'<tr class="tt-why"><td></td><td colspan="3">{shown}{rest}</td></tr>'


def _finding(finding: Finding) -> str:
    why = f'<span class="tt-quiet">{svg.prose(finding.why)}</span>'
    return f'<p class="tt-note"><b>Worth a look:</b> {why}</p>'


def _totals(events: Sequence[Event], findings: int) -> str:
    """A card for each kind that happened, the bytes written in all before them."""
    written = sum(event.bytes for event in events if event.writes)
    cards = [_card("", bytes_text(written), "written in all")]
    for kind in sorted(KINDS, key=("view", "wait").count):  # what wrote bytes first
        of = [event for event in events if event.kind == kind]
        if of:
            cards.append(_kind_card(kind, of))
    if findings:
        cards.append(_card("", f"{findings:,}", "worth a look"))
    return f'<ul class="tt-cards" aria-label="totals">{"".join(cards)}</ul>'


def _kind_card(kind: Kind, events: Sequence[Event]) -> str:
    times = f"{len(events):,} times" if len(events) > 1 else "once"
    if kind == "view":
        return _card(_MARKS[kind], f"{len(events):,}", "views" if len(events) > 1 else "view")
    if kind == "wait":
        return _card(_MARKS[kind], f"{len(events):,}", _waits(events))
    words = "written in place" if kind == "in-place" else WORDS[kind]
    return _card(_MARKS[kind], bytes_text(sum(event.bytes for event in events)), f"{words} {times}")


def _waits(events: Sequence[Event]) -> str:
    would = sum(event.hypothetical for event in events)
    if would == len(events):
        return "would wait on a GPU"
    waits = "waits" if len(events) > 1 else "wait"
    return f"{waits}, {would:,} of them only on a GPU" if would else waits


def _card(kind: str, number: str, words: str) -> str:
    role = f' class="{svg.MARKS[kind].role}"' if kind else ""
    sign = f"{svg.mark(kind)} " if kind else ""
    return (
        f'<li{role}><span class="tt-number">{sign}<b>{number}</b></span> '
        f'<span class="tt-quiet tt-fine">{words}</span></li>'
    )


def _notes(notes: Sequence[str]) -> str:
    return "".join(f'<p class="tt-quiet tt-fine tt-wide">{svg.prose(note)}</p>' for note in notes)


def _unseen(text: str) -> str:
    """Words for a screen reader, and for a page that has lost its styles."""
    return f'<span class="tt-hidden">{text}</span>'
