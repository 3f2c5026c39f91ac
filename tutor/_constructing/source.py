"""What a source of the atlas brings along: its memory, its dtype, its values. Found by looking at the object itself."""

from __future__ import annotations

import array
from typing import Any

import numpy as np
import torch

from tutor._overlap import sharing


def shares(source: object, result: torch.Tensor) -> bool:
    """Whether an element of `result` lies on a byte of `source`.

    Decided by exact overlap of the two memories, without a read or a write, where the source tells its address.
    Otherwise by writing into the tensor, and looking whether the source is still what it was.
    """
    theirs = memory(source)
    if theirs is not None:
        return sharing(theirs, result).elements_overlap is True
    if result.device.type == "meta":
        return False
    before = _picture(source)
    _write(result)
    return _picture(source) != before


def memory(source: object) -> np.ndarray[Any, Any] | torch.Tensor | None:
    """An array or a tensor over the very bytes that `source` lies in; None if it does not show them.

    An ``__array__`` is not asked: what it gives may be a copy.
    """
    if isinstance(source, torch.Tensor | np.ndarray):
        return source
    try:
        return np.frombuffer(source, dtype=np.uint8)  # type: ignore[call-overload, no-any-return]
    except (TypeError, ValueError, BufferError, AttributeError):
        return None


def _picture(source: object) -> object:
    if hasattr(source, "tobytes"):
        return source.tobytes()
    return repr(source)


def _write(tensor: torch.Tensor) -> None:
    if tensor.numel() == 0:
        return
    with torch.no_grad():
        first = tensor.detach()[(0,) * tensor.dim()]
        first.fill_(1 if first.item() == 0 else 0)


def dtype_of(source: object) -> str | None:
    """The dtype that a source brings along, in NumPy's words or torch's; None for what is only Python objects."""
    dtype = getattr(source, "dtype", None)
    if isinstance(dtype, torch.dtype):
        return dtype_name(dtype)
    if dtype is not None:
        return str(getattr(dtype, "name", dtype))
    try:
        with memoryview(source) as view:  # type: ignore[arg-type]
            return np.dtype(view.format).name
    except TypeError:
        is_array = hasattr(source, "__array__") or hasattr(source, "__array_interface__")
        return np.asarray(source).dtype.name if is_array else None


def dtype_name(dtype: torch.dtype) -> str:
    """A dtype of torch, as people say it."""
    return str(dtype).removeprefix("torch.")


def values_of(source: object) -> list[Any] | None:
    """The values of a source, one after the other; None if it has none that can be listed."""
    if isinstance(source, torch.Tensor):
        return source.detach().flatten().tolist() if source.device.type != "meta" else None
    try:
        return list(_numpy(source).ravel().tolist())
    except (TypeError, ValueError, RuntimeError):
        return None


def _numpy(source: object) -> np.ndarray[Any, Any]:
    if isinstance(source, bytes | bytearray | memoryview | array.array):
        with memoryview(source) as view:
            return np.array(view)
    return np.asarray(source)


def bits_of(source: object) -> bytes | None:
    """The bytes of the values of a source or of a tensor, in the order in which they are counted."""
    if isinstance(source, torch.Tensor):
        return source.detach().cpu().contiguous().flatten().view(torch.uint8).numpy().tobytes()
    try:
        return _numpy(source).tobytes()
    except (TypeError, ValueError, RuntimeError):
        return None


def holds_addresses(source: object) -> bool:
    """Whether what lies in the memory of a source are the addresses of Python objects."""
    if not isinstance(source, np.ndarray) or source.dtype != object:
        return False
    addresses: list[int] = np.frombuffer(source.tobytes(), dtype=np.uintp).tolist()
    return addresses == [id(item) for item in source.ravel()]


def device_of(source: object) -> str:
    """The kind of device a source lies on."""
    if isinstance(source, torch.Tensor):
        return source.device.type
    if isinstance(source, list) and source and isinstance(source[0], torch.Tensor):
        return source[0].device.type
    return "cpu"


def is_read_only(source: object) -> bool:
    """Whether a source shows its memory and forbids to write there."""
    theirs = memory(source)
    return isinstance(theirs, np.ndarray) and not bool(theirs.flags.writeable)
