"""The facts of one operand, in the words that a row of the table has room for."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from tutor._explaining.model import Operand
from tutor._inspecting.model import Unavailable
from tutor._inspecting.names import dtype_text
from tutor._inspecting.quiet import attempt
from tutor._inspecting.subject import full_name
from tutor._words import count_text

_LONGEST = 40  # characters of a value


def operand(name: str, value: Any) -> Operand:
    """What an operand is, now. Nothing of the operand stays referred to."""
    if isinstance(value, torch.Tensor):
        return _tensor(name, value)
    if isinstance(value, np.ndarray):
        strides = tuple(n // value.itemsize for n in value.strides) if value.itemsize else None
        more = "" if value.flags.writeable else "read-only"
        return Operand(name, _kind(value), dtype_text(value.dtype), value.shape, "cpu", strides, more)
    if isinstance(value, np.generic):
        return Operand(name, _kind(value), dtype_text(value.dtype), (), "cpu")
    if isinstance(value, torch.nn.Module):
        return _layer(name, value)
    more = _value(value) if type(value) in (int, float, complex, bool, str) else ""
    return Operand(name, _kind(value), more=_entries(value) if isinstance(value, list | tuple | dict) else more)


def _kind(value: object) -> str:
    return full_name(type(value)) if value is not None else "None"


def _tensor(name: str, x: torch.Tensor) -> Operand:
    shape = attempt(lambda: tuple(int(n) for n in x.shape))
    strides = attempt(lambda: tuple(int(n) for n in x.stride()))
    return Operand(
        name,
        _kind(x),
        dtype_text(x.dtype),
        None if isinstance(shape, Unavailable) else shape,
        str(x.device),
        None if isinstance(strides, Unavailable) else strides,
        _of_autograd(x),
    )


def _of_autograd(x: torch.Tensor) -> str:
    if not x.requires_grad:
        return "made in inference mode" if x.is_inference() else ""
    return "leaf that requires grad" if x.is_leaf else "not a leaf, requires grad"


def _layer(name: str, layer: torch.nn.Module) -> Operand:
    found = islice_parameters(layer, 1_000)
    if not found:
        return Operand(name, _kind(layer), more="no parameters")
    dtypes, devices = (
        sorted(set(words)) for words in zip(*((dtype_text(p.dtype), str(p.device)) for p in found), strict=True)
    )
    return Operand(name, _kind(layer), "/".join(dtypes), device="/".join(devices), more="its parameters")


def islice_parameters(layer: torch.nn.Module, most: int) -> list[torch.Tensor]:
    """The first parameters of a layer and of those within it, found without calling any of its methods."""
    found: list[torch.Tensor] = []
    waiting, seen = [layer], set()
    while waiting and len(found) < most:
        one = waiting.pop(0)
        if id(one) in seen:
            continue
        seen.add(id(one))
        own = one.__dict__
        found += [p for p in (own.get("_parameters") or {}).values() if isinstance(p, torch.Tensor)]
        waiting += [part for part in (own.get("_modules") or {}).values() if isinstance(part, torch.nn.Module)]
    return found[:most]


def _value(value: object) -> str:
    if isinstance(value, int) and abs(value) > 10**_LONGEST:
        return "an integer of more than 40 digits"
    text = repr(value[:_LONGEST] if isinstance(value, str) else value)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def _entries(value: list[Any] | tuple[Any, ...] | dict[Any, Any]) -> str:
    """How many, and of a few the shape or the length of each."""
    size = len(value)
    text = f"{size:,} entries" if size != 1 else "1 entry"
    each = [_entry(one) for one in list.__iter__(value)] if type(value) is list and 0 < size <= 8 else []
    return f"{text}: {', '.join(each)}" if each else text


def _entry(one: object) -> str:
    if isinstance(one, torch.Tensor | np.ndarray):
        return f"{dtype_text(one.dtype)} {tuple(one.shape)}"
    if isinstance(one, list | tuple) and type(one) in (list, tuple):
        return count_text(len(one), "number") if all(type(x) in (int, float) for x in one) else f"{len(one)} entries"
    return type(one).__name__
