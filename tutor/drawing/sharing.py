"""How a write is drawn: the memory map, with a dot at each element that changed, and the table of all pairs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tutor._fact import to_html
from tutor._mapping.model import Bar, Storage
from tutor._mapping.words import names_text
from tutor._sharing.model import Cell, Change, Sharing, SharingTable
from tutor._sharing.text import (
    IN_A_NOTEBOOK,
    LEGEND,
    WORDS,
    changes_listed,
    how_found,
    quiet_sides,
    reason,
    verdict,
)
from tutor.drawing import svg
from tutor.drawing.lanes import (
    BETWEEN,
    Columns,
    Scale,
    columns_for,
    draw_heading,
    draw_row,
    draw_ruler,
    draw_titles,
    scale_for,
)

PARTS = ("picture", "controls", "row", "sharing")
_MOST = 16  # dots on one bar
_Dots = Mapping[str, Sequence[Change]]


@to_html.register
def sharing_html(sharing: Sharing) -> str:
    """The code, the map with what was written, and what was seen."""
    return svg.page(sharing_body(sharing), *PARTS)


def sharing_body(sharing: Sharing) -> str:
    """The same without its style."""
    return _code(sharing) + _map(sharing) + _verdict(sharing) + _changes(sharing) + _notes(sharing)


def _code(sharing: Sharing) -> str:
    """The lines that ran, one beneath the other, with no sign among them, so that they can be copied."""
    write = [sharing.write.code] if sharing.write else []
    return f'<pre class="tt-lines">{svg.escape(chr(10).join([*sharing.lines, *write]))}</pre>'


def _map(sharing: Sharing) -> str:
    storages = sharing.map.storages
    if not storages:
        return ""
    dots: _Dots = {"source": sharing.write.source, "result": sharing.write.result} if sharing.write else {}
    at = columns_for(storages)
    body, y = draw_titles(at), 0.0
    for storage in storages:
        lane, y = _lane(storage, dots, at, y)
        body += lane
    names = list(dict.fromkeys(bar.name for storage in storages for bar in storage.bars))
    _, head, sentence = verdict(sharing)
    said = f"{head} {sentence}".replace("`", "")
    where = " ".join(f"{name} changed in bytes {bytes_}." for name, _, _, bytes_ in changes_listed(sharing)[0])
    return svg.picture(f"Memory map of {names_text(names)}", f"{said} {where}".strip(), body, y - BETWEEN + 4)


def _lane(storage: Storage, dots: _Dots, at: Columns, y: float) -> tuple[str, float]:
    """One storage with its names, the dots on them, and where the next one begins."""
    scale = scale_for(storage, at)
    body = draw_heading(storage, at, y)
    ruler, y = draw_ruler(storage, scale, y + 21)
    places: dict[float, list[float]] = {}
    bottom = y - 6
    for bar in storage.bars:
        for x in _written(bar, dots, scale):
            places.setdefault(x, []).append(y + 7)
        row, y = draw_row(bar, storage, scale, at, y)
        body += row
    return body + ruler + _dots(places, bottom), y + BETWEEN


def _written(bar: Bar, dots: _Dots, scale: Scale) -> list[float]:
    """Where the dots of one bar stand."""
    places = [one.place for one in dots.get(bar.name, ())[:_MOST] if one.place is not None]
    return [round((scale.x(start) + scale.x(stop)) / 2, 1) for start, stop in places]


def _dots(places: Mapping[float, Sequence[float]], top: float) -> str:
    """A dot at each element that changed, and a line down from its place through all names that saw it."""
    marks = "".join(
        f'<line x1="{x}" y1="{top}" x2="{x}" y2="{max(ys)}" class="stroke" stroke-width="1.25"/>'
        + "".join(f'<circle cx="{x}" cy="{y}" r="4.5" class="written"/>' for y in ys)
        for x, ys in places.items()
    )
    return f'<g class="tt-write">{marks}</g>' if marks else ""


def _verdict(sharing: Sharing) -> str:
    kind, head, sentence = verdict(sharing)
    mark = f'<span class="{svg.MARKS[kind].role}">{svg.mark(kind)}</span> ' if kind != "none" else ""
    return f'<p class="tt-lead tt-wide" role="status">{mark}<b>{head}</b> {svg.prose(sentence)}</p>'


def _changes(sharing: Sharing) -> str:
    rows, left = changes_listed(sharing)
    if not rows:
        return ""
    dot = f'<span class="tt-write">{svg.mark("write")}</span>'
    cells = "".join(
        f'<tr><th scope="row">{dot} {svg.code(name)}</th><td class="tt-num"><code>{svg.escape(before)}</code></td>'
        f'<td class="tt-num"><b><code>{svg.escape(after)}</code></b></td><td>{svg.escape(where)}</td></tr>'
        for name, before, after, where in rows
    )
    quiet = "".join(
        f'<tr><th scope="row">{svg.mark("none")} {svg.code(name)}</th><td colspan="3" class="tt-quiet">'
        "no element changed</td></tr>"
        for name in quiet_sides(sharing)
    )
    more = f'<p class="tt-quiet">and {left:,} more.</p>' if left else ""
    head = "".join(f'<th scope="col"{css}>{text}</th>' for text, css in _HEAD)
    return f'<table class="tt-written"><thead><tr>{head}</tr></thead><tbody>{cells}{quiet}</tbody></table>{more}'


_HEAD = (("element", ""), ("before", ' class="tt-num"'), ("after", ' class="tt-num"'), ("bytes that changed", ""))


def _notes(sharing: Sharing) -> str:
    errors = filter(None, (sharing.error, sharing.write.error if sharing.write else None))
    said = "".join(_error(sharing, error) for error in errors)
    warned = (*sharing.warnings, *(sharing.write.warnings if sharing.write else ()))
    return said + "".join(f'<div class="tt-note tt-said"><pre>{svg.escape(text)}</pre></div>' for text in warned)


def _error(sharing: Sharing, error: str) -> str:
    why = reason(sharing, error)
    explained = f"<p>{svg.prose(why)}</p>" if why else ""
    mark = f'<span class="tt-raise">{svg.mark("raise")}</span>'
    return f'<div class="tt-note tt-said"><pre>{mark} {svg.escape(error)}</pre>{explained}</div>'


@to_html.register
def table_html(table: SharingTable) -> str:
    """A row for each conversion, a column for each source, a mark and a word in each cell."""
    head = "".join(f'<th scope="col">{svg.escape(name)}</th>' for name in table.sources)
    rows = "".join(
        f'<tr><th scope="row">{svg.code(conversion)}</th>'
        + "".join(_cell(table[source, conversion]) for source in table.sources)
        + "</tr>"
        for conversion in table.conversions
    )
    kinds = {cell.outcome for cell in table.cells}
    legend = "; ".join(f"{WORDS[kind]}: {text.partition(': ')[2]}" for kind, text in LEGEND.items() if kind in kinds)
    return svg.page(
        '<div class="tt-scroll"><table class="tt-pairs-seen">'
        "<caption>What a conversion does with a source, as observed here"
        f"</caption><thead><tr><td></td>{head}</tr></thead><tbody>{rows}</tbody></table></div>"
        f'<p class="tt-fine tt-quiet tt-wide">{svg.escape(legend)}. {svg.escape(how_found(table))}</p>'
        f'<p class="tt-wide">{IN_A_NOTEBOOK}</p>',
        "picture",
        "sharing",
    )


def _cell(cell: Cell) -> str:
    return (
        f'<td class="{svg.MARKS[cell.outcome].role}"><span class="tt-nowrap">{svg.mark(cell.outcome)} '
        f"{WORDS[cell.outcome]}</span></td>"
    )
