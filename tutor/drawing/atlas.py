"""The atlas as a table to walk through: radio buttons and CSS, no kernel needed.

Every cell is a radio button. Which details are shown follows from the row, the column and the value of the one that is
checked, so that no text is written twice: the call is put together from the column's and the row's part.
All of them lie in a closed fold that the style sheet opens: a reader whose style is taken away is spared the heap.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import sha256
from html import escape

from tutor._constructing.cell import SIGNS, noted
from tutor._constructing.table import CONSTRUCTORS, SOURCES
from tutor._constructing.text import absent, remarks, where
from tutor._fact import to_html
from tutor._words import count_text
from tutor.constructors import Atlas, Cell
from tutor.drawing import svg

_ROLE = {outcome: svg.MARKS[outcome].role for outcome in SIGNS if outcome in svg.MARKS} | {"pending": "tt-pending"}

_SHORT = {"share": "shares", "make": "new bytes", "move": "moved"}

# Arrow keys: up and down stay in the column, left and right go through the rows; what the filter dims is passed over.
# Where scripts are off, the browser's own arrow keys still go from cell to cell.
_WALK = (
    "let k=event.key,v=k=='ArrowUp'||k=='ArrowDown',d={ArrowUp:-1,ArrowLeft:-1,ArrowDown:1,ArrowRight:1}[k],"
    "e=event.target,c=e.closest('td');if(d&&c){event.preventDefault();"
    "let l=[...this.querySelectorAll('td input')].filter(i=>i==e||(!v||i.closest('td').cellIndex==c.cellIndex)"
    "&&getComputedStyle(i.parentNode).opacity>.5),t=l[l.indexOf(e)+d];if(t){t.focus();t.click()}}"
)

_HEAD_PX, _ROW_PX, _PANE_PX = 122, 22, 320
_COLUMN_PX, _LETTER_PX = 27, 4.1


@to_html.register
def draw(atlas: Atlas) -> str:
    """An atlas as it stands, as one HTML output."""
    blocks = _blocks(atlas)
    name = "tt-" + sha256(repr((atlas.constructors, atlas.sources, atlas.cells)).encode()).hexdigest()[:8]
    body = (
        f'<form id="{name}" method="dialog">'
        f"<style>{''.join(_rules(name, atlas, blocks))}</style>{_filter(atlas)}"
        f'<div class="tt-atlas"><div class="tt-scroll">{_table(atlas, blocks)}</div>{_detail(atlas, blocks)}</div>'
        f"{_beneath(atlas)}</form>"
    )
    return svg.page(body, "atlas")


@to_html.register
def draw_cell(cell: Cell) -> str:
    """One cell by itself."""
    made = f'<pre class="tt-quiet tt-fine">{escape(cell.where)}</pre>' if cell.where else ""
    return svg.page(f'{made}<p class="tt-lead">{svg.code(cell.code)}</p>{_block(cell)}', "atlas")


def _blocks(atlas: Atlas) -> dict[str, int]:
    """What is said of cells, each once, with its number."""
    blocks: dict[str, int] = {}
    for cell in atlas.cells:
        blocks.setdefault(_block(cell), len(blocks))
    return blocks


def _rules(name: str, atlas: Atlas, blocks: dict[str, int]) -> Iterator[str]:
    """Which parts of the details belong to the cell that is checked."""
    yield f"#{name} .tt-detail{{margin-left:{_overhang(atlas.constructors)}px}}"
    for i in range(len(atlas.constructors)):
        chosen = f"#{name}:has(td:nth-child({i + 2}) :checked)"
        yield f"{chosen} .k{i}{{display:inline}}"
        yield f"{chosen} th:nth-child({i + 2})>span{{font-weight:700;text-decoration:underline}}"
    for i in range(len(atlas.sources)):
        yield f"#{name}:has(.r{i} :checked){{--tt-top:{_top(i, len(atlas.sources))}px}}"
        yield f"#{name}:has(.r{i} :checked) .s{i}{{display:inline}}"
        yield f"#{name}:has(.r{i} :checked) .w{i}{{display:block}}"
    for i in blocks.values():
        yield f'#{name}:has([value="{i}"]:checked) .b{i}{{display:block}}'


def _top(row: int, rows: int) -> int:
    """How far down the details stand, so that they are beside the row they are about."""
    lowest = max(0, _HEAD_PX + rows * _ROW_PX - _PANE_PX)
    return min(lowest, max(0, row * _ROW_PX - _ROW_PX))


def _overhang(names: tuple[str, ...]) -> int:
    """How far the slanted names reach into the details."""
    reach = [_LETTER_PX * len(name) - _COLUMN_PX * (len(names) - i) for i, name in enumerate(names)]
    return max(0, round(max(reach, default=0)))


def _filter(atlas: Atlas) -> str:
    total = len(atlas.cells)
    parts = [_choice("all", "tt-all", "all", total, " checked")]
    for outcome, count in atlas.counts.items():
        sign, words = SIGNS[outcome][0], _SHORT.get(outcome, SIGNS[outcome][1])
        parts.append(_choice(outcome, _ROLE[outcome], f'<span class="tt-mark">{sign}</span> {words}', count))
    return f'<fieldset class="tt-filter"><legend class="tt-hidden">show</legend>{" ".join(parts)}</fieldset>'


def _choice(value: str, role: str, words: str, count: int, checked: str = "") -> str:
    radio = f'<input class="tt-hidden" type="radio" name="show" value="{value}"{checked}>'
    return f'<label class="{role}">{radio}{words} <span class="tt-quiet">{count}</span></label>'


def _table(atlas: Atlas, blocks: dict[str, int]) -> str:
    heads = "".join(f'<th scope="col" class="tt-slant"><span>{escape(name)}</span></th>' for name in atlas.constructors)
    rows = "".join(_rows(atlas, blocks))
    return (
        f'<table class="tt-matrix" onkeydown="{escape(_WALK)}">'
        f'<caption class="tt-hidden">Constructors by sources</caption>'
        f"<thead><tr><td></td>{heads}</tr></thead>{rows}</table>"
    )


def _rows(atlas: Atlas, blocks: dict[str, int]) -> Iterator[str]:
    first, group = _first(atlas), None
    columns = len(atlas.constructors)
    groups = _groups(atlas.sources)
    for i, source in enumerate(atlas.sources):
        if groups[i] != group:
            yield "</tbody><tbody>" if group else "<tbody>"
            group = groups[i]
        cells = atlas.cells[i * columns : (i + 1) * columns]
        shown = "".join(_cell(cell, blocks[_block(cell)], cell is first) for cell in cells)
        yield f'<tr class="r{i}"><th scope="row">{escape(source)}</th>{shown}</tr>'
    yield "</tbody>" if group else ""


def _groups(sources: tuple[str, ...]) -> list[str]:
    """The group of each source; one for all where there are about as many groups as sources."""
    groups = [SOURCES[name].group for name in sources]
    return groups if len(set(groups)) * 2 <= len(groups) else ["all"] * len(groups)


def _first(atlas: Atlas) -> Cell | None:
    """The cell that is open at first: one of which there is something to say, if there is one."""
    remarkable = [cell for cell in atlas.cells if noted(cell)]
    return next(iter([*remarkable, *atlas.cells]), None)


def _cell(cell: Cell, block: int, checked: bool) -> str:
    sign, words = SIGNS[cell.outcome]
    role = _ROLE[cell.outcome] + (" tt-remark" if noted(cell) else "")
    label = escape(f"{cell.constructor} of {cell.source}: {words}")
    return (
        f'<td class="{role}"><label><input class="tt-hidden" type="radio" name="cell" value="{block}" '
        f'aria-label="{label}"{" checked" if checked else ""}>{sign}</label></td>'
    )


def _detail(atlas: Atlas, blocks: dict[str, int]) -> str:
    heads = [CONSTRUCTORS[name].partition("{x}") for name in atlas.constructors]
    before = "".join(f'<span class="k{i}" hidden>{escape(head[0])}</span>' for i, head in enumerate(heads))
    after = "".join(f'<span class="k{i}" hidden>{escape(head[2])}</span>' for i, head in enumerate(heads))
    between = "".join(
        f'<span class="s{i}" hidden>{escape(SOURCES[name].expression)}</span>' for i, name in enumerate(atlas.sources)
    )
    said = "".join(f'<div class="b{i}" hidden>{block}</div>' for block, i in blocks.items())
    return (
        f'<details class="tt-detail" aria-live="polite"><summary>The cell you select</summary>{_where(atlas.sources)}'
        f'<p class="tt-lead"><code>{before}{between}{after}</code></p>{said}</details>'
    )


def _where(sources: Iterable[str]) -> str:
    lines: dict[str, list[int]] = {}
    for i, name in enumerate(sources):
        lines.setdefault(SOURCES[name].where, []).append(i)
    lines.pop("", None)
    return "".join(
        f'<pre class="{" ".join(f"w{i}" for i in rows)} tt-quiet tt-fine" hidden>{escape(text)}</pre>'
        for text, rows in lines.items()
    )


_SENTENCES = {
    "share": "<b>Shares</b> the bytes of its source",
    "copy": "<b>Copied</b>",
    "cast": "<b>Copied and cast</b> from {cell.source_dtype} to {cell.dtype}",
    "make": "<b>New bytes</b>, no value of the source in them",
    "move": "<b>Moved</b> to {cell.device}",
    "raise": "<b>Raises</b>",
    "end": "<b>Ends the process</b>",
    "pending": "<b>Not decided yet</b>",
}


def _block(cell: Cell) -> str:
    """All that is said of a cell beneath its call."""
    sign = SIGNS[cell.outcome][0]
    warned = ", with a warning" if cell.warnings else ""
    sentence = _SENTENCES[cell.outcome].format(cell=cell) + warned
    lead = f'<p class="{_ROLE[cell.outcome]}"><span class="tt-mark">{sign}</span> {sentence}.</p>'
    return lead + _facts(cell) + "".join(_notes(cell))


def _facts(cell: Cell) -> str:
    if cell.dtype is None:
        return ""
    layout = "" if cell.contiguous else ", not contiguous"
    rows = {
        "gives": f"<code>{cell.dtype} {cell.shape}</code>",
        "strides": f"<code>{cell.strides}</code>{layout}",
        "device": f"<code>{cell.device}</code>",
        "requires_grad": str(cell.requires_grad),
    }
    shown = "".join(
        f'<tr><th scope="row" class="tt-quiet">{name}</th><td>{fact}</td></tr>' for name, fact in rows.items()
    )
    return f"<table>{shown}</table>"


def _notes(cell: Cell) -> Iterator[str]:
    if cell.remark:
        yield f"<p>{escape(cell.remark)}</p>"
    for said in (cell.error, *cell.warnings):
        if said:
            yield f'<p class="tt-quiet tt-fine"><code>{escape(said)}</code></p>'


def _beneath(atlas: Atlas) -> str:
    """How to read it, where it was run, and all remarks for who reads on."""
    lines = [f'<p class="tt-quiet tt-fine tt-wide">{_key(atlas)}</p>']
    if atlas.missing:
        lines.append(f'<p class="tt-quiet tt-fine tt-wide">{escape(absent(atlas.missing))}</p>')
    items = "".join(f"<li>{escape(where(about))}: {escape(said)}</li>" for said, about in remarks(atlas.cells).items())
    if items:
        lines.append(f"<details><summary>All remarks as text</summary><ul>{items}</ul></details>")
    return "".join(lines)


def _key(atlas: Atlas) -> str:
    alone = sum(cell.alone for cell in atlas.cells)
    pending = sum(cell.outcome == "pending" for cell in atlas.cells)
    corner = "A corner: there is a remark, select the cell to read it. " if any(map(noted, atlas.cells)) else ""
    own = "a process of its own" if alone == 1 else "processes of their own"
    apart = f"; {count_text(alone, 'cell')} in {own}" if alone else ""
    left = f" {count_text(pending, 'cell')} not decided yet." if pending else ""
    return f"{corner}Click, or walk with the arrow keys. Each cell was run here{apart}.{left}"
