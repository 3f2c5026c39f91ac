"""The facts about a NumPy array, each found on its own."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from tutor._inspecting.model import Inspection, Unavailable
from tutor._inspecting.names import dtype_text, shape_text
from tutor._inspecting.quiet import attempt
from tutor._inspecting.subject import Subject, full_name
from tutor._overlap import array_base, array_root, distinct_elements

Array = np.ndarray[Any, Any]
_NO_SIZE = Unavailable("its elements have no size")
_NOT_SAID = Unavailable("NumPy takes what comes through DLPack for read-only, also where the lender has not said so")
_TORCH_ONLY = Unavailable("NumPy knows nothing of autograd")


def array_facts(seen: Subject) -> Inspection:
    """All facts about an array that need no look at its data."""
    assert isinstance(seen.array, np.ndarray)
    x: Array = seen.array
    strides = attempt(lambda: _strides(x))
    return Inspection(
        kind=seen.kind,
        library="numpy",
        dtype=x.dtype,
        shape=x.shape,
        device=torch.device("cpu"),
        layout="strided",
        numel=x.size,
        itemsize=x.itemsize,
        strides=strides,
        storage_offset=attempt(lambda: _offset(x)),
        contiguous=x.flags.c_contiguous,
        memory_formats=_orders(x),
        requires_grad=_TORCH_ONLY,
        is_leaf=_TORCH_ONLY,
        grad_fn=_TORCH_ONLY,
        view_of=attempt(lambda: None if seen.through else _view_of(x)),
        address=x.ctypes.data,
        bytes_seen=attempt(lambda: _bytes_seen(x)),
        bytes_storage=attempt(lambda: _bytes_storage(x)),
        pinned=Unavailable("NumPy does not know which memory is pinned"),
        writeable=_writeable(seen),
        is_conj=False,
        is_neg=False,
        owner=attempt(lambda: _owner(seen)),
        parts=_parts(seen),
    )


def _strides(x: Array) -> tuple[int, ...] | Unavailable:
    if x.itemsize == 0:
        return _NO_SIZE
    if any(s % x.itemsize for s in x.strides):
        return Unavailable(f"the strides in bytes, {shape_text(x.strides)}, are no whole numbers of elements")
    return tuple(s // x.itemsize for s in x.strides)


def _orders(x: Array) -> tuple[str, ...]:
    return tuple(name for name, is_so in (("C", x.flags.c_contiguous), ("Fortran", x.flags.f_contiguous)) if is_so)


def _offset(x: Array) -> int | Unavailable:
    if x.itemsize == 0:
        return _NO_SIZE
    root = array_root(x)
    start, held = _root_address(root), _bytes_storage(x)
    if isinstance(start, Unavailable):
        return start
    bytes_in = x.ctypes.data - start
    if not isinstance(held, Unavailable) and not 0 <= bytes_in <= held:  # what it lends lies elsewhere
        return _unknown_start(root)
    if bytes_in % x.itemsize:
        return Unavailable(f"it begins {bytes_in:,} B into its memory, which is no whole number of elements")
    return bytes_in // x.itemsize


def _root_address(root: object) -> int | Unavailable:
    if isinstance(root, np.ndarray):
        return int(root.ctypes.data)
    if isinstance(root, torch.Tensor):
        return int(root.untyped_storage().data_ptr())
    start = attempt(lambda: int(np.frombuffer(root, np.uint8).ctypes.data))  # type: ignore[call-overload]
    return _unknown_start(root) if isinstance(start, Unavailable) else start


def _unknown_start(root: object) -> Unavailable:
    return Unavailable(f"where the memory of {full_name(type(root))} begins is not known")


def _view_of(x: Array) -> str | None:
    base = array_base(x)
    if base is None:
        return None
    if isinstance(base, np.ndarray | torch.Tensor):
        return f"{dtype_text(base.dtype)} {shape_text(tuple(base.shape))}"
    return full_name(type(base))


def _bytes_seen(x: Array) -> int | Unavailable:
    if x.itemsize == 0:
        return 0
    in_elements = not any(s % x.itemsize for s in x.strides)
    count = distinct_elements(x.shape, [s // x.itemsize for s in x.strides]) if in_elements else x.size
    return Unavailable("its elements overlap in a way that is not counted") if count is None else count * x.itemsize


def _bytes_storage(x: Array) -> int | Unavailable:
    root = array_root(x)
    if isinstance(root, np.ndarray):
        return root.nbytes
    if isinstance(root, torch.Tensor):
        return int(root.untyped_storage().nbytes())
    size = attempt(lambda: memoryview(root).nbytes)  # type: ignore[arg-type]
    unknown = Unavailable(f"how much memory {full_name(type(root))} holds is not known")
    return unknown if isinstance(size, Unavailable) else size


def _writeable(seen: Subject) -> bool | Unavailable:
    writeable: bool = seen.array.flags.writeable  # type: ignore[union-attr]
    return _NOT_SAID if seen.through == "__dlpack__" and not writeable else writeable


def _owner(seen: Subject) -> str:
    root = array_root(seen.array)
    if isinstance(root, np.ndarray) and root.flags.owndata:
        return "numpy"
    lent = seen.through and type(root).__name__ == "PyCapsule"
    return seen.kind if lent else full_name(type(root))


def _parts(seen: Subject) -> tuple[str, ...]:
    parts = (f"seen through {seen.through}",) if seen.through else ()
    mask = seen.array.mask if isinstance(seen.array, np.ma.MaskedArray) else np.ma.nomask
    return parts if mask is np.ma.nomask else (*parts, f"mask {dtype_text(mask.dtype)} {shape_text(mask.shape)}")
