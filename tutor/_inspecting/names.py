"""How dtypes, shapes and devices are written, for both libraries alike."""

from __future__ import annotations

import re
import sys
from typing import Any

import numpy as np

from tutor._inspecting.model import Unavailable
from tutor._words import count_text

_TEXTS = {"U": ("str", 4), "S": ("bytes", 1)}  # the kind of a dtype -> its name, bytes of a character


def dtype_text(dtype: Any) -> str:
    """The bare name of a dtype.

    >>> import torch
    >>> dtype_text(torch.float32), dtype_text(np.dtype("U5")), dtype_text(np.dtype(bool))
    ('float32', 'str, 5 characters', 'bool')
    >>> dtype_text(np.dtype([("id", "S1"), ("at", "f4", (2, 3))]))
    'structured (id: bytes, 1 character, at: float32 (2, 3))'
    """
    if not isinstance(dtype, np.dtype):
        return str(dtype).removeprefix("torch.")
    if dtype.subdtype is not None:
        base, shape = dtype.subdtype
        return f"{dtype_text(base)} {shape_text(shape)}"
    if dtype.names is not None:
        return "structured (" + ", ".join(f"{name}: {dtype_text(dtype[name])}" for name in dtype.names) + ")"
    if dtype.kind in _TEXTS:
        name, width = _TEXTS[dtype.kind]
        return f"{name}, {count_text(dtype.itemsize // width, 'character')}"
    if dtype.kind == "T":
        return "str, any length"
    return dtype.name if is_native(dtype) else f"{dtype.name}, {foreign_order()}"


def is_native(dtype: np.dtype[Any]) -> bool:
    """Whether this machine reads the bytes in the order in which they lie."""
    return bool(dtype.isnative)


def foreign_order() -> str:
    """The byte order that this machine does not use."""
    return "big-endian" if sys.byteorder == "little" else "little-endian"


def shape_text(shape: tuple[int | str, ...] | Unavailable) -> str:
    """A shape or strides as Python prints them, with symbols unquoted.

    >>> shape_text((4, 10000)), shape_text((3,)), shape_text(()), shape_text((2, "*"))
    ('(4, 10000)', '(3,)', '()', '(2, *)')
    """
    if isinstance(shape, Unavailable):
        return "(?)"
    inside = ", ".join(str(n) for n in shape)
    return f"({inside},)" if len(shape) == 1 else f"({inside})"


def number_text(x: float | complex) -> str:
    """A value with four significant figures, a true minus, and thousands separated.

    >>> number_text(-4.33984), number_text(1234567), number_text(0.0), number_text(True), number_text(1.5e-7)
    ('−4.34', '1,234,567', '0', 'True', '1.5e−7')
    """
    if isinstance(x, bool):
        return str(x)
    if isinstance(x, complex):
        sign = "+" if x.imag >= 0 else "−"
        return f"{number_text(x.real)} {sign} {number_text(abs(x.imag))}i"
    in_full = abs(x) < 10**15 if isinstance(x, int) else 10**4 <= abs(x) < 10**9
    text = f"{x:,.0f}" if in_full else f"{x:.4g}"
    return re.sub(r"e([-+]?)0*", _exponent, text).replace("-", "−")


def _exponent(found: re.Match[str]) -> str:
    return f"e{found[1].removeprefix('+')}"
