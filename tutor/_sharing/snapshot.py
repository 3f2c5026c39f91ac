"""All that an object holds, at one moment: every value, and every byte where it has bytes of its own."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from tutor._mapping.model import Bar, MemoryMap
from tutor._sharing.model import Change

Index = tuple[int, ...]


@dataclass(frozen=True)
class Snapshot:
    """The values by index, the bytes of all of them one after the other, and how many each has."""

    values: dict[Index, Any]
    bits: bytes
    itemsize: int


def snapshot(x: object) -> Snapshot:
    """Copy all that an array, a tensor, a buffer or a list holds."""
    if isinstance(x, list):
        return Snapshot(dict(_items(x)), b"", 0)
    if isinstance(x, torch.Tensor):
        held = x.detach().cpu().resolve_conj().resolve_neg().clone(memory_format=torch.contiguous_format).reshape(-1)
        return Snapshot(_by_index(x.shape, held.tolist()), bytes(held.view(torch.uint8).tolist()), x.element_size())
    a = np.array(memoryview(x)) if isinstance(x, bytearray | array) else np.array(x)
    return Snapshot(_by_index(a.shape, a.ravel().tolist()), a.tobytes(), a.itemsize)


def _by_index(shape: tuple[int, ...], values: list[Any]) -> dict[Index, Any]:
    return dict(zip(np.ndindex(*shape), values, strict=True))


def _items(x: list[Any], index: Index = ()) -> Iterator[tuple[Index, Any]]:
    for i, value in enumerate(x):
        if isinstance(value, list):
            yield from _items(value, (*index, i))
        else:
            yield (*index, i), value


def changes(before: Snapshot, after: Snapshot, bar: Bar | None) -> tuple[Change, ...]:
    """The elements that differ; `bar` says where the object's elements lie, where it has bytes."""
    found = []
    for i, (index, value) in enumerate(after.values.items()):
        differing = _differing(before, after, i)
        old = before.values[index]
        if differing or (not after.itemsize and old is not value and old != value):
            place = _place(index, bar)
            at = place[0] if place else 0
            found.append(Change(index, value_text(old), value_text(value), place, tuple(at + n for n in differing)))
    return tuple(found)


def _differing(before: Snapshot, after: Snapshot, i: int) -> list[int]:
    part = slice(i * after.itemsize, (i + 1) * after.itemsize)
    pairs = zip(before.bits[part], after.bits[part], strict=True)
    return [n for n, (old, new) in enumerate(pairs) if old != new]


def _place(index: Index, bar: Bar | None) -> tuple[int, int] | None:
    if bar is None:
        return None
    steps = bar.offset + sum(i * stride for i, stride in zip(index, bar.strides, strict=True))
    start = steps if bar.in_bytes else steps * bar.itemsize
    return start, start + bar.itemsize


def bar_of(drawn: MemoryMap, name: str) -> Bar | None:
    """The bar of a name in a map, if it is drawn."""
    return next((bar for storage in drawn.storages for bar in storage.bars if bar.name == name), None)


def value_text(value: object) -> str:
    """A value with at most seven figures, as Python writes it.

    >>> value_text(0.1), value_text(3.587324068671532e-43), value_text(7)
    ('0.1', '3.587324e-43', '7')
    """
    return repr(float(f"{value:.7g}")) if isinstance(value, float) else repr(value)
