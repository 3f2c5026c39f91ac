"""What was given, seen as regions of memory, and who holds them. Nothing is read, copied or kept."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeGuard

import numpy as np
import torch

from tutor._inspecting.subject import full_name, subject
from tutor._inspecting.tensors import LENT, is_fake
from tutor._overlap import Region, array_region, array_root, components, regions

BUFFERS = "bytes, a bytearray, a memoryview, an array.array, a column of pandas"
_IMMORTAL = 2**28  # more references than this are no count: the object never dies
_UNKNOWN = "not known"


@dataclass(frozen=True)
class Part:
    """One region that a name reaches, and the block of memory it lies in; lives as long as one question."""

    name: str
    kind: str
    region: Region
    device: str
    start: int
    nbytes: int
    whole: bool
    root: object
    owner: str
    lent: bool
    through: str | None


@dataclass(frozen=True)
class Seen:
    """A given object with its parts; no parts, and the reason, where its memory is out of sight."""

    name: str
    given: object
    kind: str
    parts: tuple[Part, ...]
    why: str | None = None


def see(named: Mapping[str, object], caller: str) -> tuple[Seen, ...]:
    """All that was given, as parts.

    Raises
    ------
    TypeError
        If one of them holds no bytes that can be seen without a copy.
    """
    return tuple(_see(name, x, caller) for name, x in named.items())


def _see(name: str, x: object, caller: str) -> Seen:
    array, kind, through = as_array(name, x, caller)
    found = _regions(array)
    if found is None:
        return Seen(name, x, kind, (), f"torch does not say where the memory of a {kind} is")
    blocks = _blocks(array)
    names = [name] if len(found) == 1 else [f"{name} part {i}" for i in range(1, len(found) + 1)]
    return Seen(
        name,
        x,
        kind,
        tuple(
            Part(part, kind, region, *block, through=through)
            for part, region, block in zip(names, found, blocks, strict=True)
        ),
    )


def _regions(array: np.ndarray[Any, Any] | torch.Tensor) -> tuple[Region, ...] | None:
    found = regions(array)
    return found and tuple(replace(region, storage=_storage_of(region.storage)) for region in found)


def _storage_of(storage: object) -> object:
    root = root_of(storage)
    return root.untyped_storage() if isinstance(root, torch.Tensor) else root


def root_of(x: object) -> object:
    """What owns the memory of an array or a memoryview, through memoryviews of arrays too."""
    while (root := array_root(x)) is not x:
        x = root
    return x


def as_array(name: str, x: object, caller: str) -> tuple[np.ndarray[Any, Any] | torch.Tensor, str, str | None]:
    """An array on the same bytes, the name of the object's class, and the protocol that was needed for a stranger."""
    kind = full_name(type(x))
    if _is_column(x):
        return _column(name, x, caller), kind, None
    if _is_buffer(x):
        return _buffer(name, x, caller), kind, None
    try:
        seen = subject(x, caller, name)
    except TypeError as error:
        text = str(error).replace("a tensor, a NumPy array, or", f"a tensor, a NumPy array, {BUFFERS}, or", 1)
        raise TypeError(text) from error.__cause__
    return seen.array, seen.kind, seen.through


def _is_column(x: object) -> bool:
    return type(x).__module__.partition(".")[0] == "pandas" and hasattr(x, "to_numpy")


def _column(name: str, x: Any, caller: str) -> np.ndarray[Any, Any]:
    kind = full_name(type(x))
    dtype = getattr(x, "dtype", None)
    if dtype is None:
        raise TypeError(f"{caller} expected {name} to be one column, but got a {kind} of several: give one of them")
    if type(x).__name__ == "RangeIndex":
        raise TypeError(f"{caller} cannot see {name}: a RangeIndex holds a start, a stop and a step, and no elements")
    if not isinstance(dtype, np.dtype):
        raise TypeError(f"{caller} cannot see {name} without a copy: pandas keeps {dtype} in no NumPy array")
    return np.asarray(x.to_numpy(copy=False))


def _is_buffer(x: object) -> TypeGuard[Any]:
    if isinstance(x, np.ndarray | torch.Tensor | type) or hasattr(x, "__array_interface__"):
        return False
    if isinstance(x, bytes | bytearray | memoryview) or full_name(type(x)) == "array.array":
        return True
    if hasattr(x, "__dlpack__"):
        return False
    try:
        memoryview(x).release()  # type: ignore[arg-type]
    except (TypeError, BufferError):
        return False
    return True


def _buffer(name: str, x: Any, caller: str) -> np.ndarray[Any, Any]:
    try:
        return np.asarray(memoryview(x))
    except (TypeError, ValueError, BufferError) as error:
        raise TypeError(f"{caller} cannot see {name}, a {full_name(type(x))}, as an array: {error}") from error


Block = tuple[str, int, int, bool, object, str, bool]


def _blocks(x: np.ndarray[Any, Any] | torch.Tensor) -> list[Block]:
    if isinstance(x, np.ma.MaskedArray):
        return [_array_block(np.asarray(part)) for part in (x.data, x.mask)]
    if isinstance(x, np.ndarray):
        return [_array_block(x)]
    return [_tensor_block(part, region) for part, region in zip(components(x), regions(x) or (), strict=True)]


def _tensor_block(x: torch.Tensor, region: Region) -> Block:
    storage = x.untyped_storage()
    start = region.address - int(x.storage_offset()) * region.itemsize
    device = f"{x.device}, fake" if is_fake(x) else str(x.device)
    if x.device.type == "meta" or is_fake(x):
        kind = "fake" if is_fake(x) else "meta"
        return device, start, int(storage.nbytes()), True, None, f"none: a {kind} tensor has no memory", False
    lent = not storage.resizable()
    return device, start, int(storage.nbytes()), True, None, LENT if lent else "torch", lent


def _array_block(x: np.ndarray[Any, Any]) -> Block:
    root = root_of(x)
    if isinstance(root, torch.Tensor):
        return _tensor_block(root, _first_region(root, x))
    low, high = _extent_of(root) or array_region(x).extent
    known = _extent_of(root) is not None
    low, high = (low, high) if known or x.size else (low, low)
    return "cpu", low, high - low, known, root, _owner(root), False


def _first_region(root: torch.Tensor, x: np.ndarray[Any, Any]) -> Region:
    found = regions(root)
    return found[0] if found else array_region(x)


def _extent_of(root: object) -> tuple[int, int] | None:
    if not isinstance(root, np.ndarray):
        try:
            root = np.asarray(memoryview(root))  # type: ignore[arg-type]
        except (TypeError, ValueError, BufferError):
            return None
    region = array_region(root)
    return (region.address, region.address) if region.empty else region.extent


def _owner(root: object) -> str:
    if isinstance(root, np.ndarray):
        return "numpy" if type(root) is np.ndarray else full_name(type(root))
    if is_capsule(root):
        return f"{_UNKNOWN}: what lent them through DLPack"
    return full_name(type(root))


def is_capsule(root: object) -> bool:
    """Whether the end of the chain of bases is a DLPack capsule, which hides the owner behind it."""
    return type(root).__name__ == "PyCapsule"


def reference_counts(named: Mapping[str, object]) -> dict[int, int | None]:
    """How many references there are to each owner that is a Python object, besides those of this call.

    Call it before anything else is built: whatever sees the objects holds references of its own. None where the
    object never dies, so that its count says nothing.
    """
    counts: dict[int, int | None] = {}
    for name in named:
        box = [_python_owner(named[name])]
        if box[0] is None or is_capsule(box[0]):
            continue
        ours = sum(x is box[0] for x in named.values())
        # the box holds one, and the call of getrefcount another
        count = sys.getrefcount(box[0]) - 2 - ours
        counts[id(box[0])] = count if count < _IMMORTAL else None
    return counts


def _python_owner(x: object) -> object:
    """The object at the end of the chain of bases, found without building an array; None for a tensor's storage."""
    if isinstance(x, torch.Tensor):
        return None
    if _is_column(x):
        is_array = isinstance(getattr(x, "dtype", None), np.dtype) and type(x).__name__ != "RangeIndex"
        root = root_of(x.to_numpy(copy=False)) if is_array else None  # type: ignore[attr-defined]
    elif isinstance(x, np.ndarray | memoryview):
        root = root_of(x)
    else:
        root = x if _is_buffer(x) or hasattr(x, "__array_interface__") else None
    return None if isinstance(root, torch.Tensor) else root


def points_at(x: object, root: object) -> bool:
    """Whether an object other than the owner itself holds the owner directly, as far as Python shows it."""
    if x is root:
        return False
    if _is_column(x) or isinstance(x, memoryview):
        return _python_owner(x) is root
    base = getattr(x, "base", None) if isinstance(x, np.ndarray) else None
    return base is root or (isinstance(base, memoryview) and base.obj is root)


def tensors_on(storage: object) -> int | None:
    """How many tensors hold a storage, or None where this torch does not tell."""
    ask = getattr(torch._C, "_storage_Use_Count", None)
    if ask is None or not isinstance(storage, torch.UntypedStorage):
        return None
    return int(ask(storage._cdata)) - 1  # the storage's own Python object holds one
