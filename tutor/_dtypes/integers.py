"""What integer dtypes make of a number: the cast that torch does, on one element and in a longer tensor."""

from __future__ import annotations

import math

import torch

from tutor._dtypes.model import IntegerCast
from tutor._dtypes.number import Number
from tutor._inspecting.quiet import first_sentence

INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
# A cast of many elements is done in blocks, by other instructions than that of one, and what is left over one by one.
_LONGER = 67


def cast(number: Number, name: str) -> IntegerCast:
    """What `number` becomes in one dtype."""
    dtype: torch.dtype = getattr(torch, name)
    ends = torch.iinfo(dtype)
    value = int(number.tensor().to(dtype).item())
    longer = set(number.tensor(_LONGER).to(dtype).tolist())
    direct, error = _direct(number, dtype)
    outcome = _outcome(number, ends, value)
    return IntegerCast(name, ends.min, ends.max, value, tuple(sorted(longer - {value})), outcome, direct, error)


def _outcome(number: Number, ends: torch.iinfo, value: int) -> str:
    made = number.tensor().item()  # an int beyond int64 has become a float here, and may have been rounded
    if math.isfinite(made) and ends.min <= math.trunc(made) <= ends.max:
        if value == number.exact:
            return "exact"
        return "rounded" if isinstance(number.value, int) else "cut"
    return "wrapped" if number.fits_int64 else "undefined"


def _direct(number: Number, dtype: torch.dtype) -> tuple[int | None, str | None]:
    try:
        return int(torch.tensor(number.value, dtype=dtype, device="cpu").item()), None
    except (RuntimeError, ValueError, TypeError, OverflowError) as error:
        return None, f"{type(error).__name__}: {first_sentence(error)}"
