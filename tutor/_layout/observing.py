"""From a tensor to the facts of its layout. The work is bounded, whatever the number of elements."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np
import torch

from tutor._inspecting.names import shape_text
from tutor._inspecting.quiet import bare, unheard
from tutor._layout.model import Hop, LayoutDiagram, Place, Slot
from tutor._mapping.lanes import Links, storages
from tutor._mapping.model import Bar, Storage
from tutor._mapping.seeing import Array, as_array, see
from tutor._overlap import Region, elements_overlap

_WHOLE = 32  # so many elements are all drawn, and so many places of a storage
_MOST = (12, 16)  # rows and columns
_MOST_SHEETS = 8
_CORNER = 4  # rows and columns of a corner, 16 elements; more in one direction if there are fewer in the other
_GAP = 2  # places that no drawn element reaches, between two that are drawn, before the storage is cut
_FORMATS = {4: ("channels_last", torch.channels_last), 5: ("channels_last_3d", torch.channels_last_3d)}
_CALLER = "layout_diagram"


def observe(t: object, name: str, caller: str = _CALLER) -> LayoutDiagram:
    """The layout of `t`.

    Raises
    ------
    TypeError
        If it is no array, or one without strides.
    """
    with unheard():
        array, bar, storage = _seen(t, name, caller)
        drawn = corner(bar.shape)
        places = _places(bar, drawn)
        return LayoutDiagram(
            name, bar, storage, _formats(array), hops(bar), drawn, places, _slots(bar, storage, drawn, places)
        )


def _seen(t: object, name: str, caller: str) -> tuple[Array, Bar, Storage]:
    array, kind, _ = as_array("t", t, caller)
    if isinstance(array, torch.Tensor) and (array.is_nested or array.layout != torch.strided):
        layout = "nested" if array.is_nested else str(array.layout).removeprefix("torch.")
        raise TypeError(
            f"{caller} expected t to be a tensor with strides, but got one whose layout is {layout}: its elements lie "
            "in several pieces, or in a way that no strides describe"
        )
    (seen,) = see({name: t}, caller)
    if seen.why or len(seen.parts) != 1:
        why = seen.why or f"a {kind} lies in several pieces: give one of them, such as t.data"
        raise TypeError(f"{caller} cannot see how t lies in memory: {why}")
    (storage,) = storages((seen,), Links(1), (), {})
    return array, storage.bars[0], storage


def _formats(array: Array) -> tuple[str, ...]:
    if isinstance(array, np.ndarray):
        flags = array.flags
        return tuple(order for order, is_so in (("C", flags.c_contiguous), ("Fortran", flags.f_contiguous)) if is_so)
    with bare():
        names = ["contiguous_format"] if array.is_contiguous() else []
        name, memory_format = _FORMATS.get(array.dim(), ("", torch.contiguous_format))
        return (*names, name) if name and array.is_contiguous(memory_format=memory_format) else tuple(names)


def corner(shape: Sequence[int]) -> tuple[int, ...]:
    """How many indices of each dimension are drawn.

    >>> corner((2, 3, 4)), corner((10**6, 10**6)), corner((10**9,)), corner((7, 1000, 3)), corner(())
    ((2, 3, 4), (4, 4), (16,), (2, 4, 3), ())
    """
    rows, columns = (shape[-2] if len(shape) > 1 else 1), (shape[-1] if shape else 1)
    sheets = math.prod(shape[:-2])
    if sheets * rows * columns <= _WHOLE and rows <= _MOST[0] and columns <= _MOST[1] and sheets <= _MOST_SHEETS:
        return tuple(shape)
    if len(shape) == 1:
        return (min(columns, _CORNER**2),)
    room = _CORNER**2 if len(shape) == 2 else _CORNER
    least = max(_CORNER, room // max(1, min(rows, _CORNER)))
    columns = min(columns, least, 2 * _CORNER)
    rows = min(rows, max(_CORNER, room // max(1, columns)), 2 * _CORNER)
    leading, left = [], 2
    for n in reversed(shape[:-2]):
        leading.append(min(n, left))
        left = max(1, left // max(1, min(n, left)))
    return (*reversed(leading), rows, columns)


def hops(bar: Bar) -> tuple[Hop, ...]:
    """From each element to the next, from the last dimension to the first."""
    if not bar.elements:
        return ()
    found, back = [], 0
    for dim in reversed(range(len(bar.shape))):
        n, stride = bar.shape[dim], bar.strides[dim]
        if n > 1:
            found.append(Hop(dim, stride - back))
        back += (n - 1) * stride
    return tuple(found)


def _places(bar: Bar, drawn: Sequence[int]) -> tuple[Place, ...]:
    steps = [math.prod(bar.shape[dim + 1 :]) for dim in range(len(bar.shape))]
    return tuple(
        Place(index, bar.offset + _dot(index, bar.strides), 1 + _dot(index, steps))
        for index in product(*map(range, drawn))
    )


def _dot(index: Sequence[int], by: Sequence[int]) -> int:
    return sum(i * s for i, s in zip(index, by, strict=True))


def _slots(bar: Bar, storage: Storage, drawn: Sequence[int], places: Sequence[Place]) -> tuple[Slot, ...]:
    unit = 1 if bar.in_bytes else bar.itemsize
    held = storage.nbytes // unit if unit else 0
    mine = sorted({place.position for place in places})
    end = max(held, mine[-1] + 1) if mine else held
    all_drawn = tuple(drawn) == bar.shape
    if bar.in_bytes:
        return tuple(_stretches(mine, end, lambda _: None, held))
    if end <= _WHOLE:
        here = set(mine)
        reached = here if all_drawn else _reached(bar, end)
        return tuple(
            Slot(i, 1, "drawn" if i in here else "past" if i >= held else "more" if i in reached else "free")
            for i in range(end)
        )
    if all_drawn:
        return tuple(_stretches(mine, end, lambda _: False, held))
    return tuple(_stretches(mine, end, lambda i: _is_reached(bar, i), held))


def _reached(bar: Bar, end: int) -> set[int]:
    """All places that are reached, which lie before `end`."""
    found = {bar.offset}
    for n, stride in zip(bar.shape, bar.strides, strict=True):
        steps = range(min(n, end + 1)) if stride else range(1)
        found = {start + i * stride for start in found for i in steps}
    return {i for i in found if i < end}


def _is_reached(bar: Bar, position: int) -> bool | None:
    size = bar.itemsize
    whole = Region("", bar.offset * size, bar.shape, tuple(s * size for s in bar.strides), size, None)
    return elements_overlap(whole, Region("", position * size, (), (), size, None))


def _stretches(mine: Sequence[int], end: int, reached: Any, held: int) -> list[Slot]:
    """The drawn places; between two that lie close together what lies there, and else cuts."""
    slots: list[Slot] = []
    for i, place in enumerate(mine):
        before = mine[i - 1] + 1 if i else 0
        slots += _between(before, place, reached, close=bool(i))
        slots.append(Slot(place, 1, "drawn"))
    last = mine[-1] + 1 if mine else 0
    slots += _between(last, end, reached, close=False)
    return [slot if slot.state != "free" or slot.position < held else Slot(slot.position, 1, "past") for slot in slots]


def _between(start: int, stop: int, reached: Any, *, close: bool) -> list[Slot]:
    if start == stop:
        return []
    found = [reached(i) for i in range(start, stop)] if close and stop - start <= _GAP else [None]
    if None in found:
        return [Slot(start, stop - start, "cut")]
    return [Slot(start + i, 1, "more" if is_so else "free") for i, is_so in enumerate(found)]


def check_name(name: object, caller: str = _CALLER) -> None:
    """See to it that `name` can stand in a picture.

    Raises
    ------
    TypeError
        If it is no string.
    """
    if not isinstance(name, str):
        raise TypeError(f"{caller} expected name to be a string, but got {name!r}")


def corner_text(layout: LayoutDiagram) -> str:
    """The part that is drawn, as code: ``t[:4, :4]``; empty if that is all of it.

    >>> import torch
    >>> corner_text(observe(torch.empty(10**6, 3, device="meta"), "t"))
    't[:5]'
    """
    if layout.whole:
        return ""
    cuts = [":" if n == of else f":{n}" for n, of in zip(layout.drawn, layout.bar.shape, strict=True)]
    while cuts[-1] == ":":
        cuts.pop()
    return f"{layout.name}[{', '.join(cuts)}]"


def shape_and_strides(layout: LayoutDiagram) -> str:
    """Shape and strides as Python prints them."""
    strides = shape_text(layout.bar.strides) + (" B" if layout.bar.in_bytes and layout.bar.strides else "")
    return f"shape {shape_text(layout.bar.shape)}, strides {strides}"
