"""The text twins: what a terminal shows."""

from __future__ import annotations

import re

from tutor._inspecting.model import Comparison, Inspection, Outcome, Unavailable, Values
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

_BLOCKS = "▁▂▃▄▅▆▇█"
_SPARK = 25  # characters of a strip
_SIGNS = {"none": " ", "raise": "x", "cast": "~", "make": "#"}


def inspection_text(facts: Inspection) -> str:
    """All that the picture of an inspection says."""
    what, device = headline(facts)
    lines = [f"{what} on {device}"]
    if facts.remark:
        lines.append(f"  {_plain(facts.remark)}")
    table = [("" if i else name, label, value) for name, rows in groups(facts) for i, (label, value) in enumerate(rows)]
    lines += _table(table)
    lines += [f"Not available: {names} ({why})" for names, why in missing(facts)]
    if isinstance(facts.values, Values):
        lines += values_lines(facts.values)
    return "\n".join(lines)


def values_lines(values: Values) -> list[str]:
    """The values on one line, and what else is to be said of them."""
    pieces = []
    if not isinstance(values.min, Unavailable) and not isinstance(values.max, Unavailable):
        low, high = number_text(values.min), number_text(values.max)
        strip = spark(values.histogram) if values.histogram else ""
        pieces += [f"min {low} {strip} {high} max"] if strip else [f"min {low}", f"max {high}"]
    pieces += [f"{label} {number}" for label, number in value_counts(values)]
    gap = value_gap(values)
    return ["   ".join(pieces), *filter(None, (f"  {gap}" if gap else "", strip_caption(values)))]


def spark(histogram: tuple[int, ...]) -> str:
    """A histogram in block characters, at most 25 of them.

    >>> spark((0, 1, 4, 8, 4, 1, 0))
    '▁▂▅█▅▂▁'
    """
    if len(histogram) > _SPARK:
        histogram = tuple(a + b for a, b in zip(histogram[::2], [*histogram[1::2], 0], strict=False))
    top = max(histogram)
    return "".join(_BLOCKS[-(-count * (len(_BLOCKS) - 1) // top)] for count in histogram)


def comparison_text(met: Comparison) -> str:
    """All that the picture of a comparison says."""
    lines = []
    if met.differences:
        lines += _table([("differ in", "a", "b"), *((row.field, row.a, row.b) for row in met.differences)])
    alike = f"Alike: {', '.join(met.alike)}. " if met.alike else ""
    lines += [f"{alike}{sharing_sentence(met)}", _outcome_line(met.add), _outcome_line(met.matmul)]
    return "\n".join(lines)


def _outcome_line(outcome: Outcome) -> str:
    code, words = outcome_text(outcome)
    return f"{outcome.expression}  {_SIGNS[outcome_role(outcome)]} {code}{_plain(words)}"


def _table(rows: list[tuple[str, str, str]]) -> list[str]:
    first, second = (max(len(row[i]) for row in rows) for i in (0, 1))
    return [f"{a:<{first}}  {b:<{second}}  {_plain(c)}".rstrip() for a, b, c in rows]


def _plain(prose: str) -> str:
    return re.sub(r"\*\*(.+?)\*\*", r"\1", prose).replace("`", "")
