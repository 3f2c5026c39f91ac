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
_SMALLER_THAN_A_BYTE = ("torch.quint4x2", "torch.quint2x4")
_NO_ELEMENTS = ("RangeIndex", "MultiIndex")


@dataclass(frozen=True, eq=False)
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
    if str(getattr(array, "dtype", "")) in _SMALLER_THAN_A_BYTE:
        return Seen(name, x, kind, (), "its elements are smaller than a byte")
    pieces = _pieces(array)
    found = [region for piece in pieces.values() for region in (_region(piece),) if region is not None]
    if not found or len(found) < len(pieces):
        return Seen(name, x, kind, (), f"torch does not say where the memory of a {kind} is")
    parts = tuple(
        Part(f"{name} {label}".strip(), kind, region, *_block(piece, region), through=through)
        for (label, piece), region in zip(pieces.items(), found, strict=True)
    )
    return Seen(name, x, kind, parts)


Array = np.ndarray[Any, Any] | torch.Tensor


def _pieces(x: Array) -> dict[str, Array]:
    """The strided arrays that one of any layout is made of, by what they are called; none if that is out of sight."""
    if isinstance(x, np.ma.MaskedArray):
        data: dict[str, Array] = {"data": np.asarray(x.data)}
        return data if x.mask is np.ma.nomask else {**data, "mask": np.asarray(x.mask)}
    if isinstance(x, np.ndarray):
        return {"": x}
    try:
        found = components(x)
    except Exception:  # whatever a subclass, a wrapper or an exotic layout raises
        return {}
    return dict(zip(_labels(x, len(found)), found, strict=True))


def _labels(x: torch.Tensor, n: int) -> list[str]:
    if n == 1:
        return [""]
    if x.is_nested:
        return [f"part {i}" for i in range(1, n + 1)]
    return ["indices", "values"] if n == 2 else ["compressed indices", "plain indices", "values"]


def _region(x: Array) -> Region | None:
    found = regions(x)
    return None if found is None else replace(found[0], storage=_storage_of(found[0].storage))


def _storage_of(storage: object) -> object:
    root = root_of(storage)
    return root.untyped_storage() if isinstance(root, torch.Tensor) else root


def root_of(x: object) -> object:
    """What owns the memory of an array or a memoryview, through memoryviews of arrays too."""
    while (root := array_root(x)) is not x:
        x = root
    return x


def as_array(name: str, x: object, caller: str) -> tuple[Array, str, str | None]:
    """An array on the same bytes, the name of the object's class, and the protocol that was needed for a stranger."""
    kind = full_name(type(x))
    if isinstance(x, np.generic):
        raise TypeError(
            f"{caller} expected {name} to be an array, but got a {kind}: a scalar shows copies of its bytes"
        )
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
    if hasattr(x, "columns"):
        raise TypeError(f"{caller} expected {name} to be one column, but got a {kind} of several: give one of them")
    if type(x).__name__ in _NO_ELEMENTS:
        raise TypeError(f"{caller} cannot see {name}: a {kind} has no elements in memory, they are made when asked for")
    if not isinstance(dtype, np.dtype):
        what = f"a {kind}" if dtype is None else f"a {kind} of {dtype}"
        raise TypeError(f"{caller} cannot see {name}, {what}: its bytes are in no NumPy array that pandas would show")
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


def _block(x: Array, region: Region) -> Block:
    return _tensor_block(x, region) if isinstance(x, torch.Tensor) else _array_block(x)


def _tensor_block(x: torch.Tensor, region: Region) -> Block:
    storage = x.untyped_storage()
    start = region.address - int(x.storage_offset()) * region.itemsize
    device = f"{x.device}, fake" if is_fake(x) else str(x.device)
    if x.device.type == "meta" or is_fake(x):
        kind = "fake" if is_fake(x) else "meta"
        return device, start, int(storage.nbytes()), True, None, f"none: a {kind} tensor has no memory", False
    lent = not storage.resizable()
    own = "torch, in shared memory" if x.device.type == "cpu" and storage.is_shared() else "torch"
    return device, start, int(storage.nbytes()), True, None, LENT if lent else own, lent


def _array_block(x: np.ndarray[Any, Any]) -> Block:
    root = root_of(x)
    if isinstance(root, torch.Tensor):
        return _tensor_block(root, _first_region(root, x))
    here, around = _ends(array_region(x)), _extent_of(root)
    # a buffer may be lent from elsewhere than the array that is asked about: then it says nothing of this one
    known = around is not None and around[0] <= here[0] and here[1] <= around[1]
    low, high = around if known and around is not None else here
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
    return _ends(array_region(root))


def _ends(region: Region) -> tuple[int, int]:
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
        box = [_owner_or_none(named[name])]
        if box[0] is None or is_capsule(box[0]):
            continue
        ours = sum(x is box[0] for x in named.values())
        # the box holds one, and the call of getrefcount another
        count = sys.getrefcount(box[0]) - 2 - ours
        counts[id(box[0])] = count if count < _IMMORTAL else None
    return counts


def _owner_or_none(x: object) -> object:
    try:
        return _python_owner(x)
    except (TypeError, ValueError):  # such as a memoryview that was released: `see` says so
        return None


def _python_owner(x: object) -> object:
    """The object at the end of the chain of bases, found without building an array; None for a tensor's storage."""
    if isinstance(x, torch.Tensor):
        return None
    if _is_column(x):
        is_array = isinstance(getattr(x, "dtype", None), np.dtype) and type(x).__name__ not in _NO_ELEMENTS
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
