"""When two observed values are the same, and how a value is written."""

from __future__ import annotations

import cmath
import itertools
import re
import reprlib
from typing import Any

import numpy as np
import torch

_MOST_ELEMENTS = 1000
_MOST_TEXT = 10_000  # characters of an error or of a string that are looked at
_MOST_BITS = 10_000  # Python refuses to write much longer ints
_NUMBERS = (int, float, complex)


def plain_value(value: object) -> Any:
    """A value without its wrapping.

    A 0-d tensor or NumPy scalar becomes the Python number in it; a list, tuple, array or tensor of no more than 1,000
    elements becomes a tuple; a `torch.device` its name; an exception its class. Anything else stays what it is.

    >>> plain_value(torch.tensor(9.0)), plain_value(torch.zeros(2, 3).shape), plain_value(np.float32(0.5))
    (9.0, (2, 3), 0.5)
    """
    if isinstance(value, torch.Tensor):
        return _plain_tensor(value)
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray):
        return _tupled(value.tolist()) if value.size <= _MOST_ELEMENTS else value
    if isinstance(value, list | tuple):
        return tuple(plain_value(item) for item in value) if _is_small(value) else value
    if isinstance(value, torch.device):
        return str(value)
    return type(value) if isinstance(value, BaseException) else value


def _plain_tensor(t: torch.Tensor) -> Any:
    try:
        t = t.detach()
        return _tupled(t.tolist()) if t.numel() <= _MOST_ELEMENTS else t
    except Exception:  # meta, fake and nested tensors hold no values to give
        return t


def _is_small(value: list[object] | tuple[object, ...]) -> bool:
    """Whether there are few enough items in it and in what it holds; a list that holds itself has too many."""
    room, waiting = _MOST_ELEMENTS, [value]
    while waiting and room >= 0:
        items = waiting.pop()
        room -= len(items)
        waiting += [item for item in items if isinstance(item, list | tuple)] if room >= 0 else []
    return room >= 0


def _tupled(value: object) -> Any:
    return tuple(_tupled(item) for item in value) if isinstance(value, list) else value


def same(a: object, b: object) -> bool:
    """Whether two observed values are the same answer.

    Numbers are the same if they are equal, whatever their type; NaN is the same as NaN. A bool is never a number.
    Sequences are compared item by item, a list with a tuple too. Dtypes are compared by identity, exceptions by class.

    >>> same(True, 1), same(1, 1.0), same(float("nan"), float("nan")), same([1, 2], (1, 2))
    (False, True, True, True)
    """
    a, b = plain_value(a), plain_value(b)
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b, strict=True))
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, _NUMBERS) and isinstance(b, _NUMBERS):
        return bool(a == b) or (_is_nan(a) and _is_nan(b))
    return a is b or (type(a) is type(b) and _equal(a, b))


def _is_nan(number: complex) -> bool:
    return not isinstance(number, int) and cmath.isnan(number)  # an int never is, and may be too large to ask


def _equal(a: Any, b: Any) -> bool:
    try:
        return bool(a == b)
    except Exception:
        return False


def value_text(value: object, width: int = 200) -> str:
    """A value on one line, without addresses: as Python prints it; a string bare, an error as type and text.

    However large the value is, no more of it is looked at than `width` can show.

    >>> value_text(torch.tensor(9.0)), value_text("copies"), value_text(ValueError("too short"))
    ('tensor(9.)', 'copies', 'ValueError: too short')
    """
    if isinstance(value, BaseException):
        return shortened(error_text(value), width)
    if isinstance(value, type):
        return value.__name__
    if isinstance(value, str):
        return shortened(value, width)
    try:
        text = _Brief(width).repr(value)
    except (Exception, SystemExit) as error:
        text = f"<{type(value).__name__} whose repr raises {type(error).__name__}>"
    return shortened(text, width)


class _Brief(reprlib.Repr):
    """Writes containers and texts as Python does, but only as many items and characters as there is room for."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.maxtuple = self.maxlist = self.maxdeque = self.maxarray = width
        self.maxset = self.maxfrozenset = self.maxdict = self.maxstring = width
        self._room = 2 * width  # even an item without a text takes a comma and a space

    def repr1(self, x: Any, level: int) -> str:
        self._room -= 1
        return str(super().repr1(x, level)) if self._room > 0 else self.fillvalue

    def repr_dict(self, x: dict[Any, Any], level: int) -> str:
        if level <= 0:
            return "{...}"
        items = itertools.islice(x.items(), self.maxdict)  # in their order: the library would sort them
        return "{" + ", ".join(f"{self.repr1(k, level - 1)}: {self.repr1(v, level - 1)}" for k, v in items) + "}"

    def repr_set(self, x: set[Any], _: int) -> str:
        return repr(x) if len(x) <= self.maxset else f"a set of {len(x):,} items"

    def repr_bytes(self, x: bytes, _: int) -> str:
        return repr(x[: self.maxstring])

    def repr_str(self, x: str, _: int) -> str:
        return repr(x[: self.maxstring])

    def repr_int(self, x: int, _: int) -> str:
        return repr(x) if x.bit_length() < _MOST_BITS else f"an int of {x.bit_length():,} bits"

    def repr_instance(self, x: Any, _: int) -> str:
        return repr(x)


def error_text(error: BaseException) -> str:
    """An error as the last line of a traceback has it, without addresses."""
    try:
        text = str(error)[:_MOST_TEXT].strip()
    except Exception:
        text = ""
    name = type(error).__name__
    return without_addresses(f"{name}: {text}" if text else name)


def without_addresses(text: str) -> str:
    """The text with what changes from run to run taken out."""
    return re.sub(r"0x[0-9a-fA-F]{4,}", "0x…", re.sub(r" at 0x[0-9a-fA-F]+", "", text))


def shortened(text: str, width: int) -> str:
    """The text on one line of at most `width` characters."""
    text = without_addresses(" ".join(text[:_MOST_TEXT].split()))
    return text if len(text) <= width else text[: width - 1].rstrip() + "…"
