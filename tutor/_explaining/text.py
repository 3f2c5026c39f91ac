"""The text twin of an explanation."""

from __future__ import annotations

import re
from collections.abc import Sequence
from textwrap import fill
from typing import TYPE_CHECKING

from tutor._inspecting.names import shape_text

if TYPE_CHECKING:
    from tutor._explaining.model import Explanation, Operand

HEADS = ("operand", "dtype", "shape", "device", "strides", "more")
GONE = "gone: no frame of the traceback holds it"
UNKNOWN = "This error is not among those that are known here, so there are only facts below, and no guess."
RAN = "Corrected, and run on stand-ins of these operands:"
_WIDTH = 96


def explanation_text(told: Explanation) -> str:
    """All that the picture of an explanation says."""
    lines = [headline(told), *_marked(told), *("  " + line for text in sentences(told) for line in _filled(text))]
    if told.operands:
        lines += ["", *_table(rows(told.operands))]
    if told.correction is not None:
        code = ["    " + line for line in told.correction.code.splitlines()]
        lines += ["", RAN, *code, f"    {told.correction.gave}"]
    lines += [line for note in told.notes for line in ("", *_filled(note))]
    return "\n".join(lines)


def places_of(names: Sequence[str], expression: str) -> list[tuple[int, int]]:
    """Where operands stand in an expression, as whole names; the longest name where one holds another."""
    longest = sorted(names, key=len, reverse=True)
    pattern = "|".join(rf"(?<![\w.]){re.escape(name)}(?!\w)" for name in longest)
    return [found.span() for found in re.finditer(pattern, expression)] if names else []


def _marked(told: Explanation) -> list[str]:
    """The expression, with a row of signs below the operands that the error is about."""
    if not told.expression or "\n" in told.expression or told.kind is None:
        return []
    head = f"    line {told.line}: "
    signs = [" "] * len(told.expression)
    for start, end in places_of(told.blamed, told.expression):
        signs[start:end] = "^" * (end - start)
    return ["", head + told.expression, *filter(None, [(" " * len(head) + "".join(signs)).rstrip()]), ""]


def headline(told: Explanation) -> str:
    """The class of the error and what it says."""
    return f"{told.error}: {told.message}" if told.message else told.error


def sentences(told: Explanation) -> list[str]:
    """What it means, what caused it here, what to do; of an unknown error, only where it was raised."""
    if told.kind is None:
        return [UNKNOWN, *filter(None, (where(told),))]
    return [told.meaning, told.cause, told.cure]


def where(told: Explanation) -> str:
    """The place in the learner's code, as a sentence."""
    if told.line is None:
        return ""
    return f"It was raised on line {told.line}" + (f", by `{told.expression}`." if told.expression else ".")


def rows(operands: Sequence[Operand]) -> list[tuple[str, ...]]:
    """A row of words for each operand."""
    return [_row(one) for one in operands]


def _row(one: Operand) -> tuple[str, ...]:
    if one.gone:
        return (one.name, "", "", "", "", GONE)
    shape, strides = (shape_text(x) if x is not None else "" for x in (one.shape, one.strides))
    more = ", ".join(filter(None, (one.kind, one.more)))
    return (one.name, one.dtype, shape, one.device, strides, more)


def _table(body: list[tuple[str, ...]]) -> list[str]:
    table = [HEADS, *body]
    used = [i for i in range(len(HEADS)) if any(row[i] for row in body)]
    wide = {i: max(len(row[i]) for row in table) for i in used}
    return [
        "  ".join(f"{row[i] if row is not HEADS or i < 5 else '':<{wide[i]}}" for i in used).rstrip() for row in table
    ]


def _filled(text: str) -> list[str]:
    return fill(text, _WIDTH, break_long_words=False, break_on_hyphens=False).splitlines()
