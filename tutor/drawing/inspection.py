"""How one inspected array, and two compared ones, are drawn."""

from __future__ import annotations

from tutor._fact import to_html
from tutor._inspecting.names import number_text
from tutor._inspecting.rows import (
    groups,
    headline,
    missing,
    outcome_role,
    outcome_text,
    sharing_sentence,
    strip_caption,
    value_counts,
    value_gap,
)
from tutor.drawing import svg
from tutor.inspection import Comparison, Difference, Inspection, Outcome, Unavailable, Values

_STRIP_WIDTH, _STRIP_HEIGHT = 150, 22
_SPACE = "&emsp;"


@to_html.register
def inspection_html(facts: Inspection) -> str:
    """Headline, at most one remark, quiet groups of facts, and the values on one line."""
    return svg.page(
        _headline(facts) + _remark(facts) + _groups(facts) + _missing(facts) + _values(facts.values), "inspect"
    )


@to_html.register
def comparison_html(met: Comparison) -> str:
    """What differs in full, what agrees in one line, and what would happen if they met."""
    return svg.page(_differences(met.differences) + _alike(met) + _outcomes(met.add, met.matmul), "inspect")


def _headline(facts: Inspection) -> str:
    what, device = headline(facts)
    return (
        f'<p class="tt-lead"><code><b>{svg.escape(what)}</b></code> '
        f'<span class="tt-quiet">on</span> {svg.escape(device)}</p>'
    )


def _remark(facts: Inspection) -> str:
    return f'<p class="tt-note">{svg.prose(facts.remark)}</p>' if facts.remark else ""


def _groups(facts: Inspection) -> str:
    return f'<div class="tt-groups">{"".join(_group(name, rows) for name, rows in groups(facts))}</div>'


def _group(name: str, rows: list[tuple[str, str]]) -> str:
    body = "".join(
        f'<tr><th scope="row">{svg.escape(label)}</th><td>{svg.prose(value)}</td></tr>' for label, value in rows
    )
    return f"<table><caption>{svg.escape(name)}</caption><tbody>{body}</tbody></table>"


def _missing(facts: Inspection) -> str:
    rows = [f"{svg.escape(names)} ({svg.escape(why)})" for names, why in missing(facts)]
    if not rows:
        return ""
    return f'<p class="tt-quiet tt-fine tt-wide">Not available: {"; ".join(rows)}.</p>'


def _values(values: Values | Unavailable | None) -> str:
    if not isinstance(values, Values):
        return ""
    pieces = [_range(values), *(f"{_quiet(label)} {svg.escape(number)}" for label, number in value_counts(values))]
    line = f'<p class="tt-wide">{_SPACE.join(filter(None, pieces))}</p>'
    said = [text for text in (value_gap(values), strip_caption(values)) if text]
    return line + "".join(f'<p class="tt-quiet tt-fine">{svg.escape(_sentence(text))}</p>' for text in said)


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:].removesuffix('.')}."


def _range(values: Values) -> str:
    if isinstance(values.min, Unavailable) or isinstance(values.max, Unavailable):
        return ""
    low, high = (svg.escape(number_text(x)) for x in (values.min, values.max))
    if not values.histogram:
        return f"{_quiet('min')} {low}{_SPACE}{_quiet('max')} {high}"
    return f"{_quiet('min')} {low}{_strip(values, low, high)}{high} {_quiet('max')}"


def _strip(values: Values, low: str, high: str) -> str:
    label = f"distribution between {low} and {high}, {_peak(values)}"
    return (
        f'<span class="tt-strip"><svg viewBox="0 0 {_STRIP_WIDTH} 24" role="img" aria-label="{label}">'
        f'<path d="{_outline(values.histogram)}" fill="currentColor" fill-opacity=".5"/>'
        f'<path d="M0 22.5H{_STRIP_WIDTH}{_zero_tick(values)}" stroke="currentColor" stroke-opacity=".6"/></svg></span>'
    )


def _peak(values: Values) -> str:
    low, high = float(values.min), float(values.max)  # type: ignore[arg-type]
    i = values.histogram.index(max(values.histogram))
    share = (i + 0.5) / len(values.histogram)
    return f"most near {number_text(low * (1 - share) + high * share)}"


def _outline(histogram: tuple[int, ...]) -> str:
    top, width = max(histogram), _STRIP_WIDTH / len(histogram)
    steps = "".join(f"V{_short(_STRIP_HEIGHT - 20 * count / top)}h{_short(width)}" for count in histogram)
    return f"M0 {_STRIP_HEIGHT}{steps}V{_STRIP_HEIGHT}z"


def _zero_tick(values: Values) -> str:
    low, high = float(values.min), float(values.max)  # type: ignore[arg-type]
    if not low < 0 < high:
        return ""
    at = _STRIP_WIDTH / (1 - high / low)
    return f"M{_short(at)} 20v4"


def _short(x: float) -> str:
    return f"{x:.1f}".removesuffix(".0")


def _quiet(text: str) -> str:
    return f'<span class="tt-quiet">{svg.escape(text)}</span>'


def _differences(rows: tuple[Difference, ...]) -> str:
    if not rows:
        return ""
    head = '<th scope="col">differ in</th><th scope="col"><code>a</code></th><th scope="col"><code>b</code></th>'
    body = "".join(
        f'<tr><th scope="row">{svg.escape(row.field)}</th><td>{_side(row.a)}</td><td>{_side(row.b)}</td></tr>'
        for row in rows
    )
    return f'<table class="tt-two"><thead><tr>{head}</tr></thead><tbody class="tt-diff">{body}</tbody></table>'


def _side(text: str) -> str:
    return svg.code(text) if text.startswith("(") else svg.escape(text)


def _alike(met: Comparison) -> str:
    alike = f"Alike: {svg.escape(', '.join(met.alike))}. " if met.alike else ""
    sentence = svg.escape(sharing_sentence(met))
    if met.sharing.elements_overlap:
        sentence = f'<span class="tt-share">{svg.mark("share")}</span><span class="tt-loud">{sentence}</span>'
    return f'<p class="tt-quiet tt-fine tt-wide">{alike}{sentence}</p>'


def _outcomes(*outcomes: Outcome) -> str:
    head = '<th scope="col">together</th><th></th><th scope="col">would give</th>'
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(_outcome(o) for o in outcomes)}</tbody></table>"


def _outcome(outcome: Outcome) -> str:
    kind = outcome_role(outcome)
    code, words = outcome_text(outcome)
    given = (svg.code(code) if code else "") + svg.prose(words)
    expression = svg.code(outcome.expression)
    return (
        f'<tr class="{svg.MARKS[kind].role}"><th scope="row" class="tt-nowrap">{expression}</th>'
        f"<td>{svg.mark(kind)}</td><td>{given}</td></tr>"
    )
