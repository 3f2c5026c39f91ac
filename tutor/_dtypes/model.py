"""What is known of a number in the dtypes, as plain fields."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from tutor._dtypes.number import Number
from tutor._fact import Fact


@dataclass(frozen=True)
class Bits:
    """The bits of a float, each part as zeros and ones."""

    sign: str
    exponent: str
    fraction: str

    @property
    def kind(self) -> str:
        """``"zero"``, ``"subnormal"`` or ``"other"``, as the exponent and the fraction say."""
        if "1" in self.exponent:
            return "other"
        return "subnormal" if "1" in self.fraction else "zero"

    @property
    def power(self) -> int:
        """The power of two that the fraction is multiplied by."""
        bias = (1 << len(self.exponent) - 1) - 1
        return max(int(self.exponent, 2), 1) - bias

    def __str__(self) -> str:
        return f"{self.sign} {self.exponent} {self.fraction}"


@dataclass(frozen=True)
class FloatCast:
    """What a number becomes in one float dtype.

    Attributes
    ----------
    dtype
        Its name.
    bits
        Sign, exponent and fraction of the result.
    value
        The result, which may be NaN or infinite.
    number
        The number that was cast.
    below, above
        The finite values of the dtype between which `x` lies. If `x` is one of them, the one before and the one after.
        None beyond the last.
    step
        How far apart the values are there; None where `x` lies beyond the last.
    by_way_of_float32
        For a result that is not the nearest value: whether a cast to float32 first gives the same one.
    """

    dtype: str
    bits: Bits
    value: float
    number: Number
    below: float | None
    above: float | None
    step: Fraction | None
    by_way_of_float32: bool = False

    @property
    def x(self) -> Fraction | None:
        """The number, exactly; None if it is NaN or infinite."""
        return self.number.exact

    @property
    def error(self) -> Fraction | None:
        """The result less the number, exactly; None if either is NaN or infinite."""
        return Fraction(self.value) - self.x if self.x is not None and math.isfinite(self.value) else None

    @property
    def steps(self) -> float | None:
        """The error in steps: half a step at most, if the result is the nearest value."""
        return float(self.error / self.step) if self.error is not None and self.step else None

    @property
    def relative(self) -> float | None:
        """The error against the number: 0.01 is one per cent."""
        return float(self.error / abs(self.x)) if self.error is not None and self.x else None

    @property
    def is_nearest(self) -> bool:
        """Whether no finite value of the dtype lies nearer to the number, as far as that can be asked."""
        if self.error is None or self.x is None or self.error == 0:
            return True
        beside = (one for one in (self.below, self.above) if one is not None)
        return all(abs(self.error) <= abs(Fraction(one) - self.x) for one in beside)

    @property
    def outcome(self) -> str:
        """``"exact"``, ``"rounded"``, ``"zero"``, ``"last"``, ``"inf"`` or ``"nan"``: what became of the number."""
        if self.error == 0 or (self.x is None and str(self.value) == str(float(self.number.value))):
            return "exact"
        if not math.isfinite(self.value):
            return "nan" if math.isnan(self.value) else "inf"
        if self.step is None:
            return "last"
        return "zero" if self.value == 0 else "rounded"


@dataclass(frozen=True)
class IntegerCast:
    """What a number becomes in one integer dtype.

    Attributes
    ----------
    dtype
        Its name.
    low, high
        The ends of its range.
    value
        What ``.to()`` makes of a tensor with one element.
    others
        What it makes of some elements of a longer tensor, where that differs.
    outcome
        ``"exact"``, ``"cut"`` (what stands after the point is lost), ``"rounded"`` (by ``float(x)``, before the cast),
        ``"wrapped"`` (2 to the number of bits was added or taken away until it fitted), or ``"undefined"`` (C++, in
        which torch is written, leaves open what happens).
    direct
        What ``torch.tensor(x, dtype=…)`` gives; None where it raises.
    error
        What it says where it raises.
    """

    dtype: str
    low: int
    high: int
    value: int
    others: tuple[int, ...]
    outcome: str
    direct: int | None
    error: str | None


@dataclass(frozen=True)
class LineRow:
    """The values of one float dtype on a stretch of the number line.

    Attributes
    ----------
    cast
        What becomes of the number.
    count
        How many values of the dtype lie on the stretch.
    ticks
        All of them, if they are few enough to be told apart; else the first and the last.
    """

    cast: FloatCast
    count: int
    ticks: tuple[float, ...]

    @property
    def is_dense(self) -> bool:
        """Whether there are too many to be told apart."""
        return self.count > len(self.ticks)


@dataclass(frozen=True)
class NumberLine(Fact):
    """The values that each float dtype has around a number; see `tutor.number_line`.

    Attributes
    ----------
    number
        The number, which stands in the middle.
    scale
        The dtype whose steps set the scale.
    low, high
        The ends of the stretch.
    rows
        One for each dtype, from the coarsest to the finest.
    """

    number: Number
    scale: str
    low: Fraction
    high: Fraction
    rows: tuple[LineRow, ...]

    def __repr__(self) -> str:
        from tutor._dtypes.text import line_text  # noqa: PLC0415 - the text is written from the facts

        return line_text(self)


@dataclass(frozen=True)
class Casts(Fact):
    """A number in every dtype; see `tutor.dtype_explorer`.

    Attributes
    ----------
    number
        The number that was cast.
    floats, integers
        What it becomes, dtype by dtype.
    line
        The values around it; None for NaN and the infinities.
    """

    number: Number
    floats: tuple[FloatCast, ...]
    integers: tuple[IntegerCast, ...]
    line: NumberLine | None

    def __getitem__(self, dtype: str) -> FloatCast | IntegerCast:
        """The cast to the dtype of that name."""
        casts: dict[str, FloatCast | IntegerCast] = {one.dtype: one for one in self.floats}
        return (casts | {one.dtype: one for one in self.integers})[dtype]

    def __repr__(self) -> str:
        from tutor._dtypes.text import casts_text  # noqa: PLC0415 - the text is written from the facts

        return casts_text(self)
