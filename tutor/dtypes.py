"""Facts about dtypes: `number_line`, `promotion_table`, and what `dtype_explorer` shows."""

from __future__ import annotations

from tutor._dtypes import floats, integers
from tutor._dtypes.line import line
from tutor._dtypes.model import Bits, Casts, FloatCast, IntegerCast, LineRow, NumberLine
from tutor._dtypes.number import Number, number
from tutor._dtypes.promoting import OTHERS, PromotionTable, Sum, observe

__all__ = [
    "Bits",
    "Casts",
    "FloatCast",
    "IntegerCast",
    "LineRow",
    "Number",
    "NumberLine",
    "PromotionTable",
    "Sum",
    "casts",
    "number_line",
    "promotion_table",
]


def number_line(x: object, *, scale: str | None = None) -> NumberLine:
    """Show the values that each float dtype has around a number.

    The number stands in the middle. Each dtype has a line with a tick for each of its values, and a band where they
    lie too close to tell apart. Every value was read back from torch.

    Parameters
    ----------
    x
        A finite number, a tensor or an array with one element, or text: ``"2**24 + 1"``, ``"1e-8"``, ``"0xff"``.
    scale
        The dtype whose steps set the scale, such as ``"float16"``. If none is given, the finest dtype of 16 bits or
        fewer that does not hold `x`; if they all hold it, the coarsest.

    Returns
    -------
    NumberLine
        A picture in a notebook, and the same in characters and words in a terminal. ``rows`` holds the values that
        are drawn, and what becomes of `x` in each dtype.

    Raises
    ------
    TypeError
        If `x` is no number.
    ValueError
        If `x` is text that says no number, is not finite or too large, or there is no float dtype named `scale`.

    Notes
    -----
    What the dtypes are: https://docs.pytorch.org/docs/stable/tensor_attributes.html.

    Examples
    --------
    >>> line = number_line(2049)
    >>> line.scale, line.rows[3].cast.below, line.rows[3].cast.above
    ('float16', 2048.0, 2050.0)
    >>> print(repr(line).splitlines()[-3])
    2049 lies between 2048 and 2050 in float16, 2 apart.
    """
    check_scale(scale)
    return line(number(x), scale)


def promotion_table(other: str = "tensor") -> PromotionTable:
    """Add every dtype to every other, and show which dtype comes out.

    Each sum is run when you call this: a tensor with one element plus another, in all pairs of dtypes that torch can
    fill with numbers. Beside it stands what NumPy gives for the same pair, where it has both dtypes.

    Parameters
    ----------
    other
        What stands at the right: ``"tensor"``, also with one element; ``"0-d tensor"``; or ``"Python number"``, for
        True, 1, 1.0 and 1j.

    Returns
    -------
    PromotionTable
        A table to walk through in a notebook, and the same as text in a terminal.
        ``table["int64", "float16"]`` is one sum, with its code, its result and NumPy's.

    Raises
    ------
    ValueError
        If `other` is none of the three.

    Notes
    -----
    The rules: https://docs.pytorch.org/docs/stable/tensor_attributes.html#type-promotion-doc and
    https://numpy.org/doc/stable/reference/arrays.promotion.html.

    Examples
    --------
    >>> table = promotion_table()
    >>> table["int64", "float16"].dtype, table["int64", "float16"].numpy
    ('float16', 'float64')
    >>> table["float16", "bfloat16"].code
    'torch.ones(1, dtype=torch.float16) + torch.ones(1, dtype=torch.bfloat16)'
    """
    if other not in OTHERS:
        raise ValueError(f"other: there is no {other!r}; there are {', '.join(map(repr, OTHERS))}")
    return observe(other)


def casts(x: object, *, scale: str | None = None) -> Casts:
    """What a number becomes in each dtype, as facts.

    Parameters
    ----------
    x
        A number, a tensor or an array with one element, or text that says a number.
    scale
        The dtype whose steps set the scale of the number line, as for `number_line`.

    Returns
    -------
    Casts
        ``casts(0.1)["float16"]`` is one of them.

    Raises
    ------
    TypeError
        If `x` is no number.
    ValueError
        If `x` is text that says no number, or too large, or there is no float dtype named `scale`.

    Examples
    --------
    >>> casts(300)["uint8"].value, casts(0.1)["float16"].value
    (44, 0.0999755859375)
    """
    check_scale(scale)
    seen = number(x)
    return Casts(
        seen,
        tuple(floats.cast(seen, name) for name in floats.FLOATS),
        tuple(integers.cast(seen, name) for name in integers.INTEGERS),
        line(seen, scale) if seen.exact is not None else None,
    )


def check_scale(scale: str | None) -> None:
    """Raise where no float dtype has that name."""
    if scale is not None and scale not in floats.FLOATS:
        raise ValueError(f"scale: there is no {scale!r}; there are {', '.join(map(repr, floats.FLOATS))}")
