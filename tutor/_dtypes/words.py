"""How numbers and what became of them are said, the same in text and in pictures."""

from __future__ import annotations

import math
import sys
from decimal import Decimal
from fractions import Fraction

from tutor._dtypes.model import FloatCast, IntegerCast, NumberLine
from tutor._dtypes.number import Number

_LARGEST = Fraction(sys.float_info.max)
_DIGITS = 17  # enough to tell any two float64 apart
_PLAIN_FROM, _PLAIN_TO = -6, 3  # powers of ten that are written out, the upper one beyond the digits that are shown


def exact_text(value: float | int) -> str:
    """A number with all of its decimal digits.

    >>> exact_text(0.5), exact_text(2.0**-24)
    ('0.5', '5.9604644775390625e-8')
    """
    return _written(value, 2000)


def short_text(value: float | int, digits: int = _DIGITS) -> str:
    """A number with its first digits; a sign says where there are more.

    >>> short_text(0.25), short_text(0.1), short_text(-1e300, 3)
    ('0.25', '0.10000000000000000…', '-1.00…e300')
    """
    return _written(value, digits)


def _written(value: float | int, most: int) -> str:
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    sign, digits, exponent = Decimal(value).as_tuple()
    assert isinstance(exponent, int)
    written = "".join(map(str, digits)).lstrip("0") or "0"
    power = exponent + len(written) - 1  # of the first digit
    written = written.rstrip("0") or "0"
    minus = "-" if sign else ""
    if written == "0":
        return "-0.0" if sign else "0"
    plain = _PLAIN_FROM <= power < most + _PLAIN_TO
    more = "…" if len(written) > (max(most, power + 1) if plain else most) else ""
    if plain:
        return minus + _plain(written[: max(most, power + 1)] if more else written, power) + more
    head = written[:most]
    return f"{minus}{head[0]}{'.' + head[1:] if head[1:] else ''}{more}e{power}"


def _plain(digits: str, power: int) -> str:
    if power < 0:
        return "0." + "0" * (-power - 1) + digits
    whole, rest = digits[: power + 1].ljust(power + 1, "0"), digits[power + 1 :]
    return whole + ("." + rest if rest else "")


def about(x: Fraction | float, figures: int = 3) -> str:
    """A number to a few significant figures.

    >>> about(Fraction(1, 16384)), about(0.25), about(1.4e-17)
    ('6.1e-5', '0.25', '1.4e-17')
    """
    x = float(x)
    if math.pow(10, figures) - 0.5 <= abs(x) < 1e6:
        return f"{x:.0f}"
    mantissa, _, exponent = f"{x:.{figures}g}".partition("e")
    return mantissa + (f"e{int(exponent)}" if exponent else "")


def signed(x: Fraction | float, figures: int = 2) -> str:
    """The same with its sign."""
    x = float(x)
    return ("−" if x < 0 else "+" if x > 0 else "") + about(abs(x), figures)


def off_by(cast: FloatCast) -> str:
    """The error against the number in per cent, or what stands in its place."""
    if cast.outcome == "exact":
        return "0" if cast.x is not None else "kept"
    if cast.relative is None:
        return "not finite" if cast.x is not None else "lost"
    return f"{signed(100 * cast.relative)} %"


def in_steps(cast: FloatCast) -> str:
    """The error in steps of the dtype."""
    if cast.steps is None:
        return "—"
    return "0" if cast.error == 0 else signed(cast.steps)


def happened(cast: FloatCast) -> str:
    """What became of the number, in a few words."""
    if cast.x is None and cast.outcome != "exact":
        return "the last value" if cast.outcome == "last" else f"becomes {cast.value}"
    if not cast.is_nearest:
        return "rounded twice, not the nearest" if cast.by_way_of_float32 else "not the nearest"
    words = {
        "exact": "exact" if cast.x is not None else "kept",
        "rounded": "rounded",
        "zero": "rounded to zero",
        "last": "too large: the last value",
        "inf": f"too large: {cast.value}",
        "nan": "too large: nan",
    }
    return words[cast.outcome]


def between(cast: FloatCast) -> str:
    """Where the number lies among the finite values of the dtype, in a sentence."""
    x, dtype = cast.number.text, cast.dtype
    if cast.x is None:
        return f"{x} lies nowhere among the finite values of {dtype}."
    if cast.step is None:
        end = cast.below if cast.above is None else cast.above
        assert end is not None
        return f"{x} lies beyond {short_text(end)}, the last value of {dtype}."
    apart = f"{about(cast.step)} apart"
    if cast.error == 0:
        beside = [one for one in (cast.below, cast.above) if one is not None]
        steps = [about(abs(Fraction(one) - cast.x)) for one in beside]
        # Below a power of two the values lie twice as close as above.
        away = apart if len(set(steps)) == 1 else f"{' and '.join(steps)} away"
        return f"{dtype} holds {x}; beside it {' and '.join(map(short_text, beside))}, {away}."
    assert cast.below is not None
    assert cast.above is not None
    return f"{x} lies between {short_text(cast.below)} and {short_text(cast.above)} in {dtype}, {apart}."


def twice(cast: FloatCast) -> str:
    """For a result that is not the nearest value: which is, and why, as far as it was seen."""
    if cast.is_nearest or cast.x is None:
        return ""
    nearest = cast.above if cast.error is not None and cast.error < 0 else cast.below
    assert nearest is not None
    why = " Casting to float32 first gives the same: the cast rounds twice." if cast.by_way_of_float32 else ""
    return f"In {cast.dtype}, {short_text(nearest)} lies nearer to x than {short_text(cast.value)}.{why}"


def named(number: Number) -> str:
    """The number as it was written, and an int that was written as a sum in digits."""
    whole = isinstance(number.value, int) and number.text != str(number.value)
    return f"x = {number.text}{f' = {number.value}' if whole else ''}"


def given(number: Number) -> str:
    """What the number is in Python, a float with all its digits."""
    if isinstance(number.value, int):
        return "a Python int" + ("" if number.fits_int64 else ", beyond int64, so that float(x) is cast")
    digits = exact_text(number.value)
    return "a Python float" + ("" if digits == number.text else f", exactly {digits}")


def integer_happened(cast: IntegerCast) -> str:
    """What became of the number in an integer dtype, in a few words."""
    if cast.outcome == "undefined":
        others = ", ".join(map(str, cast.others))
        return f"not defined in C++{f'; in a longer tensor also {others}' if others else ''}"
    words = {
        "exact": "exact",
        "cut": "cut after the point",
        "rounded": "rounded by float(x)",
        "wrapped": "wrapped around",
    }
    return words[cast.outcome]


def direct_text(cast: IntegerCast) -> str:
    """What the constructor gives, or that it raises."""
    return f"{cast.direct}" if cast.error is None else f"raises {cast.error.partition(':')[0]}"


def end_text(end: Fraction) -> str:
    """An end of the stretch that is shown, which may lie beyond all that a float holds."""
    return short_text(float(end) if abs(end) <= _LARGEST else round(end), 8)


def stretch(line: NumberLine, steps: int) -> str:
    """Which part of the number line is shown."""
    low, high = (end_text(end) for end in (line.low, line.high))
    return f"from {low} to {high}, {steps} steps of {line.scale} to either side of x"
