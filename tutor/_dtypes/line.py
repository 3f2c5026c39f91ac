"""A stretch of the number line around a number, and the values of each float dtype on it."""

from __future__ import annotations

from fractions import Fraction

from tutor._dtypes.floats import FLOATS, FORMATS, cast
from tutor._dtypes.model import FloatCast, LineRow, NumberLine
from tutor._dtypes.number import Number

STEPS = 8  # to either side of the number, of the dtype that sets the scale; half as many of a dtype of 8 bits
_MOST_TICKS = 120  # more cannot be told apart


def line(number: Number, scale: str | None = None) -> NumberLine:
    """The stretch around a finite number, in steps of the dtype `scale`."""
    x = number.exact
    if x is None:
        raise ValueError(f"x: expected a finite number, but got {number.text}, which lies nowhere on the line")
    casts = {name: cast(number, name) for name in FLOATS}
    chosen = scale or _scale(casts)
    reach = steps(chosen) * (casts[chosen].step or _last_step(chosen))
    low, high = x - reach, x + reach
    return NumberLine(number, chosen, low, high, tuple(_row(one, low, high) for one in casts.values()))


def steps(name: str) -> int:
    """How many steps of a dtype are shown to either side, where it sets the scale."""
    return STEPS if FORMATS[name].size > 8 else STEPS // 2


def _scale(casts: dict[str, FloatCast]) -> str:
    """The finest dtype of at most 16 bits that misses the number; the coarsest of all that reach so far, if none does.

    The two dtypes of 16 bits are the ones that training chooses between.
    """
    reaching = [one for one in casts.values() if one.step is not None]
    if not reaching:
        return FLOATS[-1]
    missing = [one for one in reaching if one.error != 0 and FORMATS[one.dtype].size <= 16]
    ordered = sorted(missing or reaching, key=lambda one: one.step or 0, reverse=not missing)
    return ordered[0].dtype


def _last_step(name: str) -> Fraction:
    """The widest step of a dtype, for a number that lies beyond its last value."""
    form = FORMATS[name]
    return Fraction(form.at(form.last_rank)) - Fraction(form.at(form.last_rank - 1))


def _row(found: FloatCast, low: Fraction, high: Fraction) -> LineRow:
    form = FORMATS[found.dtype]
    first, last = form.rank_below(low), form.rank_below(high)
    if first < -form.last_rank or form.at(first) != low:
        first += 1
    count = max(0, last - first + 1)
    if count == 0:
        return LineRow(found, 0, ())
    ticks = form.between(first, last) if count <= _MOST_TICKS else [form.at(first), form.at(last)]
    return LineRow(found, count, tuple(ticks))
