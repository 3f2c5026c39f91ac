"""The autocast table: a row for each operator, the dtypes that came out in columns, marked where autocast cast."""

from __future__ import annotations

from collections.abc import Iterator

from tutor._casting.model import AutocastTable, Cast, Outcome, Place
from tutor._casting.text import LEGEND, errors, summary, versions
from tutor._dtypes.promotion_text import short
from tutor._fact import to_html
from tutor.drawing import svg


@to_html.register
def draw(table: AutocastTable) -> str:
    """An autocast table as one HTML output."""
    rows = "".join(_group(table, name, codes) for name, codes in table.groups)
    beneath = [LEGEND, *errors(table), *(summary(table, place) for place in table.places), versions(table)]
    body = (
        f'<div class="tt-scroll"><table class="tt-casting"><caption>The dtype that comes out, by the dtype of the '
        f"inputs</caption>{_head(table.places)}{rows}</table></div>"
    )
    fine = "<br>".join(map(svg.prose, beneath))
    return svg.page(f'{body}<p class="tt-quiet tt-fine tt-wide">{fine}</p>', "picture", "casting")


def _head(places: tuple[Place, ...]) -> str:
    where = "".join(
        f'<th scope="colgroup" colspan="3">on {svg.escape(p.device)}, autocast to <b>{p.low}</b></th>' for p in places
    )
    given = "".join(
        f'<th scope="col"{" class=tt-first" if i == 0 else ""}>{name}</th>'
        for place in places
        for i, name in enumerate(("float32", place.low, "float64"))
    )
    return f'<thead><tr><td></td>{where}</tr><tr><th scope="col">inputs</th>{given}</tr></thead>'


def _group(table: AutocastTable, name: str, codes: tuple[str, ...]) -> str:
    head = f'<tr><th scope="rowgroup" colspan="{1 + 3 * len(table.places)}" class="tt-quiet">{name}</th></tr>'
    return f"<tbody>{head}{''.join(_row(table, code) for code in codes)}</tbody>"


def _row(table: AutocastTable, code: str) -> str:
    cells = "".join(cell for place in table.places for cell in _cells(table[code, place.device]))
    return f'<tr><th scope="row">{svg.code(code)}</th>{cells}</tr>'


def _cells(cast: Cast) -> Iterator[str]:
    if not cast.outcomes:
        yield '<td colspan="3" class="tt-first tt-quiet">cannot be run here</td>'
    for i, outcome in enumerate(cast.outcomes):
        yield f'<td class="{"tt-first " if i == 0 else ""}{_role(outcome)}">{_answer(outcome)}</td>'


def _role(outcome: Outcome) -> str:
    if outcome.dtype is None:
        return "tt-raise"
    return "tt-cast" if outcome.changed else "tt-same"


def _answer(outcome: Outcome) -> str:
    if outcome.dtype is None:
        return f"{svg.mark('raise')} raises"
    sign = svg.mark("cast") if outcome.changed else '<span class="tt-mark"></span>'
    return f"{sign}{short(outcome.dtype)}"
