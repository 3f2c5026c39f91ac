"""What float dtypes make of a number: the cast that torch does, its bits, and the values beside it."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

import torch

from tutor._dtypes.model import Bits, FloatCast
from tutor._dtypes.number import Number

FLOATS = ("float8_e5m2", "float8_e4m3fn", "bfloat16", "float16", "float32", "float64")
_INTS = {8: torch.uint8, 16: torch.int16, 32: torch.int32, 64: torch.int64}


@dataclass(frozen=True)
class Format:
    """A float dtype as a row of values in order: each has a rank, and those beside it the ranks beside.

    Read as a whole number, the bits without the sign grow with the value. So the rank of a value is that number, and
    less than zero for values less than zero. The cast and both ways between bits and values are torch's own.
    """

    name: str

    @property
    def dtype(self) -> torch.dtype:
        """The dtype itself."""
        dtype: torch.dtype = getattr(torch, self.name)
        return dtype

    @property
    def size(self) -> int:
        """How many bits a value has."""
        return torch.finfo(self.dtype).bits

    @property
    def fraction(self) -> int:
        """How many of them are the fraction."""
        return round(-math.log2(torch.finfo(self.dtype).eps))

    @property
    def exponent(self) -> int:
        """How many of them are the exponent."""
        return self.size - 1 - self.fraction

    @cached_property
    def last_rank(self) -> int:
        """The rank of the largest finite value."""
        return self.pattern(torch.tensor([torch.finfo(self.dtype).max], dtype=torch.float64).to(self.dtype))

    def pattern(self, t: torch.Tensor) -> int:
        """The bits of the first element as a whole number without sign."""
        return int(t[:1].view(_INTS[self.size]).item()) % (1 << self.size)

    def value(self, pattern: int) -> float:
        """The value with these bits."""
        kind = _INTS[self.size]
        signed = pattern - 2**self.size if kind.is_signed and pattern >= 2 ** (self.size - 1) else pattern
        return float(torch.tensor([signed], dtype=kind, device="cpu").view(self.dtype).double().item())

    def at(self, rank: int) -> float:
        """The finite value of that rank."""
        return self.value(rank if rank >= 0 else -rank + 2 ** (self.size - 1))

    def between(self, first: int, last: int) -> list[float]:
        """The finite values from one rank to another, in order."""
        return [self.at(rank) for rank in range(first, last + 1)]

    def rank_below(self, x: Fraction) -> int:
        """The rank of the largest finite value that is at most `x`; one below all of them if there is none."""
        if x < Fraction(self.at(-self.last_rank)):
            return -self.last_rank - 1
        if x >= Fraction(self.at(self.last_rank)):
            return self.last_rank
        cast = torch.tensor([float(x)], dtype=torch.float64, device="cpu").to(self.dtype)
        pattern = self.pattern(cast)
        rank = pattern if pattern < 2 ** (self.size - 1) else 2 ** (self.size - 1) - pattern
        rank = max(-self.last_rank, min(self.last_rank, rank))
        while Fraction(self.at(rank)) > x:
            rank -= 1
        while rank < self.last_rank and Fraction(self.at(rank + 1)) <= x:
            rank += 1
        return rank


FORMATS = {name: Format(name) for name in FLOATS}


def cast(number: Number, name: str) -> FloatCast:
    """What `number` becomes in one dtype."""
    form = FORMATS[name]
    made = number.tensor().to(form.dtype)
    value = float(made.double().item())
    below, above, step = _beside(form, number.exact) if number.exact is not None else (None, None, None)
    found = FloatCast(name, _bits(form, made), value, number, below, above, step)
    return found if found.is_nearest else _twice(found, number, form)


def _bits(form: Format, made: torch.Tensor) -> Bits:
    digits = f"{form.pattern(made):0{form.size}b}"
    return Bits(digits[0], digits[1 : 1 + form.exponent], digits[1 + form.exponent :])


def _beside(form: Format, x: Fraction) -> tuple[float | None, float | None, Fraction | None]:
    """The values between which `x` lies, and how far apart they are there.

    Beside a value of the dtype itself these are the one before and the one after, and the step is the one away from
    zero, as for ``numpy.spacing``.
    """
    last, rank = form.last_rank, form.rank_below(x)
    held = rank >= -last and Fraction(form.at(rank)) == x
    under, over = (rank - 1 if held else rank), rank + 1
    below = form.at(under) if under >= -last else None
    above = form.at(over) if over <= last else None
    start, end = (rank, over if x >= 0 else under) if held else (under, over)
    if abs(end) > last:
        start, end = rank, under if x >= 0 else over
    if not held and (below is None or above is None):
        return below, above, None
    return below, above, abs(Fraction(form.at(end)) - Fraction(form.at(start)))


def _twice(found: FloatCast, number: Number, form: Format) -> FloatCast:
    """The same, and whether a cast to float32 before it gives the same: then the cast rounds twice."""
    stepwise = float(number.tensor().to(torch.float32).to(form.dtype).double().item())
    return replace(found, by_way_of_float32=stepwise == found.value)
