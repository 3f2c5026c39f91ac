"""What is asked of tensors while code runs: where their bytes lie, and what they are. Nothing of them is kept."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from math import prod
from typing import Any

import numpy as np
import torch
from torch.multiprocessing.reductions import StorageWeakRef

from tutor._overlap import components, distinct_elements, regions, sharing
from tutor._tracing.model import Side

# As they were found, to be put into words later: type, dtype, device, shape.
Seen = tuple[str, Any, Any, Any]

_PLAIN = (torch.Tensor, torch.nn.Parameter)


class Storages:
    """Numbers for the storages met so far. A weak reference to each keeps its address from being given away again."""

    def __init__(self) -> None:
        self._numbers: dict[int, int] = {}
        self._held: list[StorageWeakRef] = []
        self.writes: dict[int, int] = {}

    def forget(self) -> None:
        """Let go of the weak references."""
        self._numbers.clear()
        self._held.clear()

    def of(self, x: torch.Tensor) -> tuple[int, ...]:
        """The numbers of the storages of a tensor: one, or several of a sparse one, or none where they are hidden."""
        try:
            if type(x) in _PLAIN or not hasattr(x, "__tensor_flatten__"):
                return (self.number(x.untyped_storage()),)
            return tuple(number for part in hidden_parts(x) for number in self.of(part))
        except (RuntimeError, NotImplementedError, TypeError, AttributeError):
            return tuple(self.number(part.untyped_storage()) for part in hidden_parts(x))

    def number(self, storage: torch.UntypedStorage) -> int:
        """The number of one storage."""
        address = storage._cdata
        number = self._numbers.get(address)
        if number is None:
            number = self._numbers[address] = len(self._held)
            self._held.append(StorageWeakRef(storage))  # type: ignore[no-untyped-call]
        return number

    def wrote(self, numbers: Iterable[int]) -> None:
        """Something was written to them."""
        for number in numbers:
            self.writes[number] = self.writes.get(number, 0) + 1


def hidden_parts(x: torch.Tensor) -> tuple[torch.Tensor, ...]:
    """The tensors that a sparse, a nested or a wrapping tensor is made of; none where they cannot be told."""
    with contextlib.suppress(Exception), torch._C._DisableTorchDispatch():
        if hasattr(x, "__tensor_flatten__"):
            return tuple(getattr(x, name) for name in x.__tensor_flatten__()[0])
        parts = components(x)
        return () if any(part is x for part in parts) else parts
    return ()


def tensors(value: object) -> Iterator[torch.Tensor]:
    """The tensors among arguments or results, in lists as well."""
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, list | tuple):
        for one in value:
            yield from tensors(one)
    elif isinstance(value, dict):
        for one in value.values():
            yield from tensors(one)


def seen(x: torch.Tensor) -> Seen:
    """What a tensor is, unformatted."""
    try:
        shape: Any = x.shape
    except RuntimeError:  # a nested tensor has none
        shape = None
    return "Tensor" if type(x) in _PLAIN else type(x).__name__, x.dtype, x.device, shape


def source_seen(source: object) -> Seen:
    """What Python or NumPy data is, unformatted."""
    if isinstance(source, torch.Tensor):
        return seen(source)
    if isinstance(source, np.ndarray):
        return "numpy.ndarray", source.dtype.name, "cpu", source.shape
    kind = type(source)
    name = kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__.partition('.')[0]}.{kind.__name__}"
    return name, "", "", None


def side(what: Seen | None) -> Side | None:
    """In words."""
    if what is None:
        return None
    name, dtype, device, shape = what
    return Side(name, str(dtype).removeprefix("torch."), str(device), None if shape is None else _ints(shape))


def _ints(shape: Iterable[Any]) -> tuple[int, ...]:
    found = []
    for n in shape:
        try:
            found.append(int(n))
        except Exception:  # a size that is a symbol and has no value
            found.append(-1)
    return tuple(found)


def reach(x: torch.Tensor) -> int:
    """How many different bytes a tensor reaches."""
    if x.is_sparse:  # it answers as if it had one element
        return sum(reach(part) for part in hidden_parts(x))
    try:
        size, shape = x.element_size(), x.shape
        if x.is_contiguous():
            return int(x.numel()) * size
        count = distinct_elements(shape, x.stride())
        return size * (int(x.numel()) if count is None else count)
    except Exception:  # sparse, nested, of another kind: what its parts reach
        return sum(reach(part) for part in hidden_parts(x))


def storage_bytes(x: torch.Tensor) -> int:
    """How many bytes the storages of a tensor have; what it reaches where they are hidden."""
    try:
        return int(x.untyped_storage().nbytes())
    except Exception:
        parts = hidden_parts(x)
        return sum(storage_bytes(part) for part in parts) if parts else _nominal(x)


def _nominal(x: torch.Tensor) -> int:
    try:
        return int(prod(x.shape)) * x.element_size()
    except Exception:
        return 0


def aliases(source: object, x: torch.Tensor) -> bool:
    """Whether a tensor reaches the bytes of the data it was made from."""
    if regions(source) is not None and x.numel():
        return bool(sharing(source, x).ranges_overlap)
    try:
        # torch may grow what it has allocated, and nothing else
        return not x.untyped_storage().resizable()
    except (RuntimeError, NotImplementedError):
        return False
