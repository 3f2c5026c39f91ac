"""The number that is looked at: what Python makes of what a learner types or gives."""

from __future__ import annotations

import ast
import math
import operator
import re
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import torch

_LONGEST = 400  # characters
_MOST_BITS = 1024  # the largest float64 has as many
_HEX_FLOAT = re.compile(r"[+-]?0x[0-9a-f]*\.?[0-9a-f]*p[+-]?\d+", re.I)
_NAMES = {"nan": math.nan, "inf": math.inf, "infinity": math.inf}
_SIGNS: dict[type, Callable[[int | float], int | float]] = {ast.UAdd: operator.pos, ast.USub: operator.neg}
_OPERATORS: dict[type, Callable[[int | float, int | float], int | float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


@dataclass(frozen=True)
class Number:
    """A Python number and how it was written.

    Attributes
    ----------
    text
        As it was typed, or as Python prints it.
    value
        The Python int or float.
    """

    text: str
    value: int | float

    @property
    def exact(self) -> Fraction | None:
        """The number itself, with nothing rounded; None for NaN and the infinities."""
        return Fraction(self.value) if isinstance(self.value, int) or math.isfinite(self.value) else None

    @property
    def fits_int64(self) -> bool:
        """Whether it is a Python int that an int64 tensor can hold."""
        return isinstance(self.value, int) and -(2**63) <= self.value < 2**63

    @property
    def code(self) -> str:
        """The code of the tensor that is cast, with ``x`` for the number."""
        if self.fits_int64:
            return "torch.tensor(x)"
        x = "float(x)" if isinstance(self.value, int) else "x"
        return f"torch.tensor({x}, dtype=torch.float64)"

    def tensor(self, elements: int = 1) -> torch.Tensor:
        """The tensor that is cast: int64 for a Python int that fits, else float64."""
        value, dtype = (self.value, torch.int64) if self.fits_int64 else (float(self.value), torch.float64)
        return torch.tensor([value] * elements, dtype=dtype, device="cpu")


def number(x: object) -> Number:
    """A number from a number, or from text that says one."""
    if isinstance(x, Number):
        return x
    if isinstance(x, str):
        value = _checked(_read(x), x.strip())
        return Number(" ".join(x.split()), value)
    value = _checked(_plain(x), repr(x))
    return Number(repr(value), value)


def _plain(x: object) -> int | float:
    if isinstance(x, torch.Tensor | np.ndarray | np.generic) and _elements(x) == 1:
        x = x.item()
    if isinstance(x, bool) or not isinstance(x, int | float):
        raise TypeError(f"x: expected a real number, or text such as '2**24 + 1', but got {type(x).__name__}")
    return float(x) if isinstance(x, float) else int(x)


def _elements(x: torch.Tensor | np.ndarray | np.generic) -> int:
    return x.numel() if isinstance(x, torch.Tensor) else x.size


def _checked(value: int | float, said: str) -> int | float:
    """The value, unless it is an int that no float64 comes near to."""
    try:
        float(value)
    except OverflowError:
        raise ValueError(f"x: {_short(said)} is larger than any float64, which end at about 1.8e308") from None
    return value


def _read(text: str) -> int | float:
    """What Python makes of the text, if it is made of numbers and of signs for sums, products and powers alone."""
    short = _short(text)
    if not text.strip():
        raise ValueError("x: expected a number, but there is nothing")
    if len(text) > _LONGEST:
        raise ValueError(f"x: expected at most {_LONGEST} characters, but got {len(text)}")
    if _HEX_FLOAT.fullmatch(text.strip()):
        return _from_hex(text.strip(), short)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of Python's parser, about text that is no number anyway
            tree = ast.parse(text.strip(), mode="eval")
        return _value(tree.body)
    except ZeroDivisionError:
        raise ValueError(f"x: {short} divides by zero") from None
    except OverflowError:
        raise ValueError(f"x: {short} is larger than any float64, which end at about 1.8e308") from None
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise ValueError(
            f"x: {short} is no number; write one such as 0.1, 1e-8, 0xff, nan, -inf, or several with + - * / ** between"
        ) from None


def _from_hex(text: str, short: str) -> float:
    try:
        return float.fromhex(text)
    except (ValueError, OverflowError):
        raise ValueError(f"x: {short} is no hexadecimal float, or larger than any float64") from None


def _value(node: ast.expr) -> int | float:
    match node:
        case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
            return value
        case ast.Name(id=name) if name.lower() in _NAMES:
            return _NAMES[name.lower()]
        case ast.UnaryOp(op=op, operand=operand) if type(op) in _SIGNS:
            return _SIGNS[type(op)](_value(operand))
        case ast.BinOp(left=left, op=ast.Pow(), right=right):
            return _power(_value(left), _value(right))
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
            return _bounded(_OPERATORS[type(op)](_value(left), _value(right)))
    raise ValueError("neither a number nor a sign for one of the operations")


def _power(base: int | float, exponent: int | float) -> int | float:
    if isinstance(base, int) and abs(base) > 1 and base.bit_length() * exponent > 2 * _MOST_BITS:
        raise OverflowError  # not even tried: it may take hours
    power: int | float | complex = base**exponent
    if isinstance(power, complex):
        raise ValueError("complex")
    return _bounded(power)


def _bounded(value: int | float) -> int | float:
    """The value, unless it is an int that grows out of bounds."""
    if isinstance(value, int) and value.bit_length() > _MOST_BITS:
        raise OverflowError
    return value


def _short(text: str) -> str:
    text = " ".join(text.split())
    return repr(text if len(text) <= 40 else text[:39] + "…")
