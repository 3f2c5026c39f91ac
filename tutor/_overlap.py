"""Which bytes an array reaches, and whether two arrays reach the same ones. Nothing is read.

Sharing has three different answers: the storage object is the same, the ranges of addresses overlap, elements
overlap. Only the last says that a write to one may be seen in the other.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
import torch

MAX_WORK = 100_000  # candidates NumPy's solver may try before the answer is "not decided"


@dataclass(frozen=True)
class Sharing:
    """Whether two arrays share memory: three answers, each True, False, or None for not decided."""

    same_storage: bool | None
    ranges_overlap: bool | None
    elements_overlap: bool | None


@dataclass(frozen=True)
class Region:
    """The addresses one strided array reaches.

    ``space`` tells address spaces apart (a device, or one storage of the meta device); strides are in bytes and may
    be negative; ``storage`` is the object that holds the bytes, kept only as long as the region is.
    """

    space: object
    address: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    itemsize: int
    storage: object

    @property
    def extent(self) -> tuple[int, int]:
        """The lowest address, and the one after the highest."""
        reach = [(n - 1) * s for n, s in zip(self.shape, self.strides, strict=True)]
        low = self.address + sum(r for r in reach if r < 0)
        return low, self.address + sum(r for r in reach if r > 0) + self.itemsize

    @property
    def empty(self) -> bool:
        """Whether it reaches no byte at all."""
        return 0 in self.shape or self.itemsize == 0


def array_root(array: object) -> object:
    """What owns an array's memory: the end of its chain of bases."""
    owner = array
    while (base := array_base(owner)) is not None:
        owner = base
    if isinstance(owner, memoryview):
        return owner.obj
    return getattr(owner, "lender", owner) if type(owner).__module__.startswith("tutor.") else owner


def array_base(array: object) -> object:
    """What an array is a view of, or None; past the dummy that NumPy's as_strided puts between two arrays."""
    base = array.base if isinstance(array, np.ndarray) else None
    return getattr(base, "base", base) if type(base).__name__ == "DummyArray" else base


def array_region(array: np.ndarray[Any, Any]) -> Region:
    """The region of a NumPy array."""
    root = array_root(array)
    storage = root.untyped_storage() if isinstance(root, torch.Tensor) else root
    return Region("cpu", array.ctypes.data, array.shape, array.strides, array.itemsize, storage)


def address_of(x: torch.Tensor) -> int:
    """The address of the first element, asked in the way that leaves a copy-on-write tensor uncopied."""
    ask = getattr(x, "const_data_ptr", x.data_ptr)
    return int(ask())


def tensor_region(x: torch.Tensor) -> Region:
    """The region of a strided tensor; raises whatever torch raises when it has no storage."""
    storage, size = x.untyped_storage(), x.element_size()
    strides = tuple(int(s) * size for s in x.stride())
    shape = tuple(int(n) for n in x.shape)
    where = 0 if x.device.type == "meta" or type(x).__name__ == "FakeTensor" else address_of(x)
    if where:
        return Region(str(x.device), where, shape, strides, size, storage)
    # no memory: only views of one storage can meet
    return Region(id(storage), int(x.storage_offset()) * size, shape, strides, size, storage)


def components(x: torch.Tensor) -> tuple[torch.Tensor, ...]:
    """The strided tensors that a tensor of any layout is made of; raises whatever torch raises when it cannot tell."""
    if x.is_nested:
        return (x.values(),) if x.layout == torch.jagged else x.unbind()
    if x.layout == torch.sparse_coo:
        return x._indices(), x._values()
    if x.layout in (torch.sparse_csr, torch.sparse_bsr):
        return x.crow_indices(), x.col_indices(), x.values()
    if x.layout in (torch.sparse_csc, torch.sparse_bsc):
        return x.ccol_indices(), x.row_indices(), x.values()
    return (x,)


def regions(x: object) -> tuple[Region, ...] | None:
    """The regions of an array or a tensor of any layout; None where its memory cannot be found."""
    try:
        if isinstance(x, np.ma.MaskedArray):
            return tuple(array_region(np.asarray(part)) for part in (x.data, x.mask))
        if isinstance(x, np.ndarray):
            return (array_region(x),)
        if isinstance(x, torch.Tensor):
            return tuple(tensor_region(part) for part in components(x))
        return None
    except Exception:  # whatever a subclass, a wrapper or an exotic layout raises: its memory is out of sight
        return None


def sharing(a: object, b: object, max_work: int = MAX_WORK) -> Sharing:
    """Whether two arrays or tensors share memory."""
    of_a, of_b = regions(a), regions(b)
    if of_a is None or of_b is None:
        return Sharing(None, None, None)
    pairs = list(product(of_a, of_b))
    return Sharing(
        any(p.storage is q.storage for p, q in pairs),
        any(ranges_overlap(p, q) for p, q in pairs),
        _any(elements_overlap(p, q, max_work) for p, q in pairs),
    )


def _any(answers: Any) -> bool | None:
    seen = set(answers)
    return True if True in seen else None if None in seen else False


def ranges_overlap(p: Region, q: Region) -> bool:
    """Whether the two stretches from the lowest to the highest address meet."""
    if p.space != q.space or p.empty or q.empty:
        return False
    (p_low, p_high), (q_low, q_high) = p.extent, q.extent
    return p_low < q_high and q_low < p_high


def elements_overlap(p: Region, q: Region, max_work: int = MAX_WORK) -> bool | None:
    """Whether any byte of an element of one is a byte of an element of the other; None for not decided.

    Rests on NumPy's exact solver, https://numpy.org/doc/stable/reference/generated/numpy.shares_memory.html, which
    is given arrays made of address, shape and strides alone.
    """
    if not ranges_overlap(p, q):
        return False
    base = min(p.extent[0], q.extent[0])
    try:
        return bool(np.shares_memory(_phantom(p, base), _phantom(q, base), max_work))  # type: ignore[arg-type]
    except (np.exceptions.TooHardError, OverflowError):
        return None


class _Phantom:
    """Has an address and no memory: good for questions about addresses, and for nothing else."""

    def __init__(self, interface: dict[str, object]) -> None:
        self.__array_interface__ = interface


def _phantom(region: Region, base: int) -> np.ndarray[Any, Any]:
    dims = [(n, s) for n, s in zip(region.shape, region.strides, strict=True) if n != 1 and s != 0]
    interface: dict[str, object] = {
        "version": 3,
        "typestr": f"|V{region.itemsize}",
        "data": (region.address - base + 2**20, True),  # moved, so that addresses of any size fit
        "shape": tuple(n for n, _ in dims),
        "strides": tuple(s for _, s in dims),
    }
    return np.asarray(_Phantom(interface))


def distinct_elements(shape: Sequence[int], strides: Sequence[int]) -> int | None:
    """How many different places an array's elements lie on, or None if that is not easily counted.

    >>> distinct_elements((1000, 1000), (0, 0)), distinct_elements((3, 4), (4, 1)), distinct_elements((98, 3), (1, 1))
    (1, 12, 100)
    """
    if 0 in shape:
        return 0
    dims = sorted((abs(s), n) for n, s in zip(shape, strides, strict=True) if n > 1 and s != 0)
    count = span = 1
    for stride, n in dims:
        if stride >= span:
            count *= n
        elif count == span:  # no gaps so far: shifted copies of one run overlap into a longer run
            count = span + stride * (n - 1)
        else:
            return None
        span += stride * (n - 1)
    return count


def element_span(shape: Sequence[int], strides: Sequence[int]) -> int:
    """From the lowest to the highest place that is reached, in elements.

    >>> element_span((3, 4), (4, 1)), element_span((0, 4), (4, 1))
    (12, 0)
    """
    return 0 if math.prod(shape) == 0 else 1 + sum((n - 1) * abs(s) for n, s in zip(shape, strides, strict=True))
