"""Bounded walks through the elements of a tensor, in the order in which they lie in memory."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from tutor._overlap import element_span

PIECE = 2**21  # elements; with their scratch space they stay in a processor's cache, and far under 32 MiB
_MOST_OVERLAP = 2**28  # elements that may be walked where windows overlap


@dataclass(frozen=True)
class Walk:
    """The distinct elements of a tensor as one block, outer strides first, and how often each is seen."""

    block: torch.Tensor
    times: int


class UnwalkableError(Exception):
    """A walk that would not end in reasonable time, or would leave the storage."""


def plan(x: torch.Tensor) -> Walk:
    """See a strided tensor as its memory has it: repeated dimensions dropped, the rest sorted and merged."""
    _refuse_beyond_storage(x)
    sizes, strides = list(x.shape), list(x.stride())
    times = math.prod(n for n, s in zip(sizes, strides, strict=True) if s == 0)
    if x.numel() == 0:
        return Walk(x.reshape(-1), 1)
    dims = _merged(sorted(((s, n) for n, s in zip(sizes, strides, strict=True) if s and n > 1), reverse=True))
    _refuse_endless(math.prod(n for _, n in dims), element_span(sizes, strides))
    return Walk(x.as_strided([n for _, n in dims], [s for s, _ in dims], x.storage_offset()), times)


def _refuse_beyond_storage(x: torch.Tensor) -> None:
    reach = (x.storage_offset() + element_span(x.shape, x.stride())) * x.element_size()
    held = x.untyped_storage().nbytes()
    if x.numel() and reach > held:
        raise UnwalkableError(f"its elements reach to byte {reach:,} of a storage of {held:,} B")


def _refuse_endless(steps: int, places: int) -> None:
    if steps > max(_MOST_OVERLAP, 4 * places):
        raise UnwalkableError(f"its {steps:,} elements overlap on {places:,} places")


def _merged(dims: list[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for stride, n in dims:
        if merged and merged[-1][0] == stride * n:
            merged[-1] = (stride, merged[-1][1] * n)
        else:
            merged.append((stride, n))
    return merged


def pieces(block: torch.Tensor, limit: int = PIECE) -> Iterator[torch.Tensor]:
    """Parts of at most ``limit`` elements, in order; views of the block, of one or more dimensions."""
    if block.numel() <= limit:
        if block.numel():
            yield block
        return
    inner = block.numel() // block.shape[0]
    if inner > limit:
        for part in block:
            yield from pieces(part, limit)
    else:
        yield from block.split(limit // inner)  # type: ignore[no-untyped-call]


def plan_array(x: np.ndarray[Any, Any]) -> tuple[Iterator[torch.Tensor], int]:
    """Pieces of an array of numbers, in the order of memory and native bytes, and how often each is seen."""
    repeated = [n if s == 0 else 1 for n, s in zip(x.shape, x.strides, strict=True)]
    once = tuple(slice(0, 1) if n > 1 else slice(None) for n in repeated)
    mask = None
    if isinstance(x, np.ma.MaskedArray) and x.mask is not np.ma.nomask:
        mask, once, repeated = np.asarray(x.mask), (), [1]
    array = np.asarray(x)[once]
    _refuse_endless(array.size, element_span(array.shape, array.strides) // max(1, array.itemsize))
    return _array_pieces(array, mask), math.prod(repeated)


def _array_pieces(array: np.ndarray[Any, Any], mask: np.ndarray[Any, Any] | None) -> Iterator[torch.Tensor]:
    native = array.dtype.newbyteorder("=")
    operands = [array] if mask is None else [array, mask]
    dtypes = [native] if mask is None else [native, np.dtype(bool)]
    walk = np.nditer(
        operands,
        ["external_loop", "buffered", "zerosize_ok"],
        [["readonly"]] * len(operands),
        dtypes,
        buffersize=PIECE,
    )
    for run in walk:
        part = run if mask is None else run[0][~run[1]]
        yield torch.from_numpy(np.ascontiguousarray(part))
