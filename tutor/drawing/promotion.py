"""The promotion table to walk through: radio buttons and CSS, as in the atlas, no kernel needed."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256

from tutor._dtypes.promoting import GROUPS, NUMBERS, PromotionTable, Sum
from tutor._dtypes.promotion_text import answer, title, versions
from tutor._fact import to_html
from tutor.drawing import svg
from tutor.drawing.atlas import _WALK

_FIRST = ("int64", "float16")  # the sum that is shown at first, where there is such a one


@to_html.register
def draw(table: PromotionTable) -> str:
    """A promotion table as one HTML output."""
    blocks: dict[str, int] = {}
    for cell in table.cells:
        blocks.setdefault(_block(cell), len(blocks))
    name = "tt-" + sha256(repr(table.cells).encode()).hexdigest()[:8]
    body = (
        f'<form id="{name}" method="dialog"><style>{"".join(_rules(name, table, blocks))}</style>'
        f"{_filter(table)}{_detail(table, blocks)}"
        f'<div class="tt-scroll">{_table(table, blocks)}</div>'
        f'<p class="tt-quiet tt-fine tt-wide">Bold: neither operand has this dtype. A corner: NumPy has both and '
        f"answers otherwise. x: raises. Click, or walk with the arrow keys. {svg.escape(versions(table))}</p></form>"
    )
    return svg.page(body, "atlas", "promotion")


def _rules(name: str, table: PromotionTable, blocks: dict[str, int]) -> Iterator[str]:
    """Which parts of the sum and of what is said belong to the cell that is checked."""
    for i in range(len(table.columns)):
        chosen = f"#{name}:has(td:nth-child({i + 2}) :checked)"
        yield f"{chosen} .k{i}{{display:inline}}"
        yield f"{chosen} th:nth-child({i + 2})>span{{font-weight:700;text-decoration:underline}}"
    for i in range(len(table.rows)):
        yield f"#{name}:has(.r{i} :checked) .s{i}{{display:inline}}"
    for i in blocks.values():
        yield f'#{name}:has([value="{i}"]:checked) .b{i}{{display:block}}'


def _filter(table: PromotionTable) -> str:
    cells = table.cells
    choices = (
        ("all", "tt-all", "all", len(cells)),
        ("new", "tt-all", "<b>neither operand's dtype</b>", sum(cell.is_new for cell in cells)),
        ("differ", "tt-all", '<span class="tt-corner"></span> NumPy differs', sum(cell.differs for cell in cells)),
        ("raise", "tt-raise", f"{svg.mark('raise')} raises", sum(cell.error is not None for cell in cells)),
    )
    labels = " ".join(
        f'<label class="{role}"><input class="tt-hidden" type="radio" name="show" value="{value}"'
        f'{" checked" if value == "all" else ""}>{words} <span class="tt-quiet">{count}</span></label>'
        for value, role, words, count in choices
    )
    return f'<fieldset class="tt-filter"><legend class="tt-hidden">show</legend>{labels}</fieldset>'


def _table(table: PromotionTable, blocks: dict[str, int]) -> str:
    heads = "".join(f'<th scope="col" class="tt-slant"><span>{name}</span></th>' for name in table.columns)
    wide = " tt-few" if table.other == "Python number" else ""
    return (
        f'<table class="tt-matrix tt-promotion{wide}" onkeydown="{svg.escape(_WALK)}">'
        f'<caption class="tt-hidden">{svg.escape(title(table))}</caption>'
        f"<thead><tr><td></td>{heads}</tr></thead>{''.join(_rows(table, blocks))}</table>"
    )


def _rows(table: PromotionTable, blocks: dict[str, int]) -> Iterator[str]:
    first = _FIRST if _FIRST[1] in table.columns else (_FIRST[0], table.columns[-2])
    for group in GROUPS:
        rows = [name for name in group if name in table.rows]
        if rows:
            lines = "".join(_row(table, name, blocks, first) for name in rows)
            yield f"<tbody>{lines}</tbody>"


def _row(table: PromotionTable, name: str, blocks: dict[str, int], first: tuple[str, str]) -> str:
    cells = (table[name, column] for column in table.columns)
    shown = "".join(_cell(cell, blocks[_block(cell)], (cell.left, cell.right) == first) for cell in cells)
    return f'<tr class="r{table.rows.index(name)}"><th scope="row">{name}</th>{shown}</tr>'


def _cell(cell: Sum, block: int, checked: bool) -> str:
    roles = [
        "tt-raise" if cell.error else "",
        "tt-p-new" if cell.is_new else "",
        "tt-remark" if cell.differs else "",
    ]
    role = " ".join(filter(None, roles))
    gives = cell.dtype or "an error"
    label = f"{cell.left} + {cell.right} gives {gives}" + (f"; NumPy: {_numpy_gives(cell)}" if cell.differs else "")
    return (
        f'<td class="{role}"><label><input class="tt-hidden" type="radio" name="cell" value="{block}" '
        f'aria-label="{svg.escape(label)}"{" checked" if checked else ""}>{answer(cell)}</label></td>'
    )


def _numpy_gives(cell: Sum) -> str:
    return cell.numpy or "an error"


def _detail(table: PromotionTable, blocks: dict[str, int]) -> str:
    """The sum that is selected, put together from its row and its column, and what came of it."""
    left = "".join(
        f'<span class="s{i}" hidden>torch.ones(1, dtype=torch.{name})</span>' for i, name in enumerate(table.rows)
    )
    right = "".join(
        f'<span class="k{i}" hidden>{svg.escape(_right(table.other, name))}</span>'
        for i, name in enumerate(table.columns)
    )
    said = "".join(f'<div class="b{i}" hidden>{block}</div>' for block, i in blocks.items())
    return (
        '<details class="tt-detail tt-sum" aria-live="polite"><summary>The sum you select</summary>'
        f"<p><code>{left} + {right}</code></p>{said}</details>"
    )


def _right(other: str, name: str) -> str:
    if other == "Python number":
        return repr(NUMBERS[name])
    return f"torch.ones({'1' if other == 'tensor' else '()'}, dtype=torch.{name})"


def _block(cell: Sum) -> str:
    """All that is said of a sum beneath its code."""
    if cell.error:
        gave = f'<p class="tt-raise">{svg.mark("raise")} <b>Raises</b> <code>{svg.escape(cell.error)}</code></p>'
    else:
        gave = f"<p>→ <b>{svg.code(cell.result or '')}</b>, so {cell.dtype}.</p>"
    return f"{gave}<p>{_numpy(cell)}</p>"


def _numpy(cell: Sum) -> str:
    if cell.numpy_error:
        return f"NumPy raises <code>{svg.escape(cell.numpy_error)}</code>"
    if cell.numpy is None:
        return '<span class="tt-quiet">NumPy lacks one of these dtypes.</span>'
    return f"<b>NumPy gives {cell.numpy}.</b>" if cell.differs else "NumPy gives the same dtype."
