"""The text twins of a number in all dtypes and of the number line."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fractions import Fraction

from tutor._dtypes import words
from tutor._dtypes.line import steps
from tutor._dtypes.model import Casts, FloatCast, LineRow, NumberLine

_HALF = 24  # characters to either side of the number


def casts_text(casts: Casts) -> str:
    """A number in every dtype: its bits, what they hold, what integers make of it, and the number line."""
    parts = [heading(casts), _bits(casts.floats), _values(casts.floats)]
    parts += ["\n".join(remarks)] if (remarks := [words.twice(one) for one in casts.floats if words.twice(one)]) else []
    parts.append(_integers(casts))
    parts += [line_text(casts.line)] if casts.line else []
    return "\n\n".join(parts)


def line_text(line: NumberLine) -> str:
    """The stretch with a mark for each value, and in words what lies beside the number."""
    x = line.number.text
    wide = max(len(row.cast.dtype) for row in line.rows)
    at = " " * (wide + 2 + _HALF)
    lines = [f"values {words.stretch(line, steps(line.scale))}", f"{at}x = {x}"]
    lines += [f"{row.cast.dtype:<{wide}}  {_strip(row, line)}" for row in line.rows]
    lines.append("| one value, # several")
    return "\n".join([*lines, *(words.between(row.cast) for row in line.rows)])


def heading(casts: Casts) -> str:
    """The number, exactly, and the tensor that is cast."""
    x = casts.number
    return f"{words.named(x)}: {words.given(x)}\ncast with {x.code}.to(dtype)"


def _bits(floats: Sequence[FloatCast]) -> str:
    rows = [(one.dtype, one.bits.sign, one.bits.exponent, one.bits.fraction) for one in floats]
    return aligned([("", "sign", "exponent", "fraction"), *rows])


def _values(floats: Sequence[FloatCast]) -> str:
    rows = [
        (one.dtype, words.short_text(one.value), words.off_by(one), words.in_steps(one), words.happened(one))
        for one in floats
    ]
    return aligned([("", "holds", "off by", "in steps", ""), *rows], right={2, 3})


def _integers(casts: Casts) -> str:
    rows = [(one.dtype, str(one.value), words.integer_happened(one), words.direct_text(one)) for one in casts.integers]
    return aligned([("", ".to(dtype)", "", "torch.tensor(x, dtype=dtype)"), *rows], right={1})


def _strip(row: LineRow, line: NumberLine) -> str:
    """A line of characters, each of which stands for a piece of the stretch."""
    places = [round((Fraction(tick) - line.low) / (line.high - line.low) * 2 * _HALF) for tick in row.ticks]
    if row.is_dense:
        return "".join("#" if places[0] <= i <= places[-1] else "." for i in range(2 * _HALF + 1))
    return "".join(".|#"[min(places.count(i), 2)] for i in range(2 * _HALF + 1))


def aligned(rows: Sequence[Sequence[str]], right: Collection[int] = ()) -> str:
    """Rows in columns, words to the left and numbers to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    sides = [">" if i in right else "<" for i in range(len(widths))]
    return "\n".join(
        "  ".join(f"{cell:{side}{wide}}" for cell, side, wide in zip(row, sides, widths, strict=True)).rstrip()
        for row in rows
    )
