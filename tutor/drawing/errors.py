"""An explanation: what the error means, where it was raised, its operands, and the line that ran instead."""

from __future__ import annotations

from tutor._explaining.model import Explanation, Operand
from tutor._explaining.text import GONE, HEADS, RAN, headline, places_of, rows, sentences
from tutor._fact import to_html
from tutor.drawing import svg


@to_html.register
def draw(told: Explanation) -> str:
    """An explanation as one HTML output."""
    parts = [_head(told), _expression(told), *(f"<p>{svg.prose(text)}</p>" for text in sentences(told))]
    parts += [_table(told), _correction(told), *(svg.note(f"<p>{svg.prose(n)}</p>", settled=True) for n in told.notes)]
    return svg.page("".join(parts), "errors")


def _head(told: Explanation) -> str:
    title = f'<p class="tt-lead"><b>{svg.escape(told.kind)}</b></p>' if told.kind else ""
    return f'{title}<p class="tt-quiet tt-fine tt-said">{svg.escape(headline(told))}</p>'


def _expression(told: Explanation) -> str:
    """The expression, with the operands that the error is about underlined."""
    if told.expression is None:
        return ""
    text, out, at = told.expression, [], 0
    for start, end in places_of(told.blamed, text):
        out += [svg.escape(text[at:start]), f'<u class="tt-blamed">{svg.escape(text[start:end])}</u>']
        at = end
    line = f'<span class="tt-quiet tt-fine">line {told.line}</span>' if told.line is not None else ""
    return f'<pre class="tt-failed">{"".join(out)}{svg.escape(text[at:])}</pre>{line}'


def _table(told: Explanation) -> str:
    if not told.operands:
        return ""
    shown = rows(told.operands)
    used = [i for i in range(1, len(HEADS)) if any(row[i] for row in shown)]
    head = "".join(f'<th scope="col">{HEADS[i] if i < len(HEADS) - 1 else ""}</th>' for i in used)
    body = "".join(
        _row(one, row, used, blamed=one.name in told.blamed) for one, row in zip(told.operands, shown, strict=True)
    )
    key = f'<p class="tt-quiet tt-fine tt-raise">{svg.mark("raise")} the error is about it</p>' if told.blamed else ""
    return (
        f'<div class="tt-scroll"><table class="tt-operands"><caption class="tt-hidden">Operands</caption>'
        f'<thead><tr><td></td><th scope="col">operand</th>{head}</tr></thead><tbody>{body}</tbody></table></div>{key}'
    )


def _row(one: Operand, row: tuple[str, ...], used: list[int], *, blamed: bool) -> str:
    sign = f'<td class="tt-raise">{svg.mark("raise")}</td>' if blamed else "<td></td>"
    name = svg.code(one.name)
    if one.gone:
        return f'<tr>{sign}<th scope="row">{name}</th><td class="tt-quiet" colspan="{len(used)}">{GONE}</td></tr>'
    cells = "".join(f"<td>{svg.escape(row[i])}</td>" for i in used)
    return f'<tr>{sign}<th scope="row">{f"<b>{name}</b>" if blamed else name}</th>{cells}</tr>'


def _correction(told: Explanation) -> str:
    if told.correction is None:
        return ""
    code = f'<pre class="tt-ran">{svg.escape(told.correction.code)}</pre>'
    return f'<p class="tt-quiet tt-fine">{RAN}</p>{code}<p class="tt-fine">{svg.escape(told.correction.gave)}</p>'
