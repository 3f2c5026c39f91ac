"""The facts about a tensor, each found on its own."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, TypeVar

import torch

from tutor._inspecting.model import Inspection, Unavailable
from tutor._inspecting.names import shape_text
from tutor._inspecting.quiet import ask, attempt, bare
from tutor._inspecting.subject import Subject
from tutor._overlap import address_of, components, distinct_elements

_SPARSE = (torch.sparse_coo, torch.sparse_csr, torch.sparse_csc, torch.sparse_bsr, torch.sparse_bsc)
_HIDDEN = Unavailable("it has no memory of its own; its values may lie in tensors that it wraps")
NO_MEMORY = Unavailable("nothing is allocated: it has a shape and no data")
_NO_FLAG = Unavailable("a tensor has no such flag: torch writes even where NumPy may not")
LENT = "not known: torch shares it with another library"  # torch notes that, and not which of them lends
_SMALLER_THAN_A_BYTE = ("torch.quint4x2", "torch.quint2x4")
Storages = list[torch.UntypedStorage]
T = TypeVar("T")
PLAIN = (torch.Tensor, torch.nn.Parameter)
_PART_NAMES = {
    torch.sparse_coo: ("indices", "values"),
    torch.sparse_csr: ("crow_indices", "col_indices", "values"),
    torch.sparse_bsr: ("crow_indices", "col_indices", "values"),
    torch.sparse_csc: ("ccol_indices", "row_indices", "values"),
    torch.sparse_bsc: ("ccol_indices", "row_indices", "values"),
}
_FORMATS = {4: ("channels_last", torch.channels_last), 5: ("channels_last_3d", torch.channels_last_3d)}


def tensor_facts(seen: Subject) -> Inspection:
    """All facts about a tensor that need no look at its data."""
    x = seen.array
    assert isinstance(x, torch.Tensor)
    with bare():
        return _facts(x, seen)


def _facts(x: torch.Tensor, seen: Subject) -> Inspection:
    lazy = _lazy(x)
    strides = ask(lazy, lambda: _strides(x))
    gap = strides if isinstance(strides, Unavailable) else None
    address = ask(lazy, lambda: _address(x))
    bodiless = next((reason for reason in (NO_MEMORY, _HIDDEN) if address is reason), lazy)
    storages = ask(bodiless, lambda: _storages(x))
    return Inspection(
        kind=seen.kind,
        library="torch",
        dtype=attempt(lambda: x.dtype),
        shape=ask(lazy, lambda: _shape(x)),
        device=attempt(lambda: x.device),
        layout=attempt(lambda: "nested" if x.is_nested and x.layout == torch.strided else layout_name(x.layout)),
        numel=ask(lazy, lambda: int(x.numel())),
        itemsize=attempt(lambda: int(x.dtype.itemsize)),
        strides=strides,
        storage_offset=ask(gap, lambda: int(x.storage_offset())),
        contiguous=ask(gap, lambda: bool(x.is_contiguous())),
        memory_formats=ask(gap, lambda: _formats(x)),
        requires_grad=attempt(lambda: bool(x.requires_grad)),
        is_leaf=attempt(lambda: bool(x.is_leaf)),
        grad_fn=attempt(lambda: None if x.grad_fn is None else type(x.grad_fn).__name__),
        view_of=attempt(lambda: _view_of(x)),
        address=address,
        bytes_seen=ask(lazy, lambda: _bytes_seen(x)),
        bytes_storage=_of(storages, _total_bytes),
        pinned=ask(lazy, lambda: bool(x.is_pinned())),
        writeable=_NO_FLAG,
        is_conj=ask(lazy, lambda: bool(x.is_conj())),
        is_neg=ask(lazy, lambda: bool(x.is_neg())),
        owner=_of(storages, _owner),
        parts=(*_through(seen), *_parts(x)),
    )


def layout_name(layout: torch.layout) -> str:
    """The bare name of a layout.

    >>> layout_name(torch.strided)
    'strided'
    """
    return str(layout).removeprefix("torch.").removeprefix("_")


def _lazy(x: torch.Tensor) -> Unavailable | None:
    if type(x) not in PLAIN and torch.nn.parameter.is_lazy(x):
        return Unavailable("the parameter is not initialised yet: the first forward call gives it a shape")
    return None


def is_fake(x: torch.Tensor) -> bool:
    """Whether it is a tensor of torch's FakeTensorMode, which has a device and no data."""
    if type(x) in PLAIN:
        return False
    module = sys.modules.get("torch._subclasses.fake_tensor")
    fake = getattr(module, "FakeTensor", None)
    return fake is not None and isinstance(x, fake)


def has_no_memory(x: torch.Tensor) -> bool:
    """Whether it has a shape and no data."""
    return x.device.type == "meta" or is_fake(x)


def has_gaps(x: torch.Tensor) -> bool:
    """Whether it is a jagged tensor that leaves out some of the values behind it."""
    return x.layout == torch.jagged and x.lengths() is not None  # type: ignore[attr-defined]


def plain_numbers(sizes: Iterable[Any]) -> tuple[int | str, ...]:
    """Sizes as plain ints, and as their names where they are symbols, which would keep their tensor alive."""
    return tuple(size if type(size) is int else str(size) for size in sizes)


def _shape(x: torch.Tensor) -> tuple[int | str, ...]:
    if x.is_nested and x.layout == torch.strided:
        sizes = [part.shape for part in x.unbind()]
        same = [{size[i] for size in sizes} for i in range(x.dim() - 1)]
        return len(sizes), *(int(min(s)) if len(s) == 1 else "*" for s in same)
    return plain_numbers(x.shape)


def _strides(x: torch.Tensor) -> tuple[int | str, ...] | Unavailable:
    if x.layout in _SPARSE:
        return Unavailable(f"a {layout_name(x.layout)} tensor has no strides; its parts have")
    if x.layout == torch._mkldnn:  # type: ignore[attr-defined]
        return Unavailable("the mkldnn layout is opaque")
    if x.is_nested and x.layout == torch.strided:
        return Unavailable("each tensor inside a nested tensor has strides of its own")
    return plain_numbers(x.stride())


def _formats(x: torch.Tensor) -> tuple[str, ...]:
    names = ["contiguous_format"] if x.is_contiguous() else []
    if x.dim() in _FORMATS:
        name, memory_format = _FORMATS[x.dim()]
        names += [name] if x.is_contiguous(memory_format=memory_format) else []
    return tuple(names)


def _view_of(x: torch.Tensor) -> str | None:
    base = x._base
    return None if base is None else f"{str(base.dtype).removeprefix('torch.')} {shape_text(plain_numbers(base.shape))}"


def _address(x: torch.Tensor) -> int | Unavailable:
    if has_no_memory(x):
        return NO_MEMORY
    if x.layout != torch.strided:
        return Unavailable(f"a {layout_name(x.layout)} tensor has no address of its own")
    if x.numel() and not x.untyped_storage().nbytes():
        return Unavailable("the storage is empty")
    return address_of(x) or (_HIDDEN if x.numel() else 0)


def _bytes_seen(x: torch.Tensor) -> int | Unavailable:
    if has_gaps(x):
        return Unavailable("which of its rows it sees stands in its lengths, and they are not read")
    if str(x.dtype) in _SMALLER_THAN_A_BYTE:
        return Unavailable("its elements are smaller than a byte")
    counts = [_distinct_bytes(part) for part in components(x)]
    known = [count for count in counts if count is not None]
    if len(known) < len(counts):
        return Unavailable("its elements overlap in a way that is not counted")
    return sum(known)


def _distinct_bytes(x: torch.Tensor) -> int | None:
    if x.layout != torch.strided:
        return int(x.nbytes)
    count = distinct_elements([int(n) for n in x.shape], [int(s) for s in x.stride()])
    return None if count is None else count * x.element_size()


def _storages(x: torch.Tensor) -> Storages:
    every = [part.untyped_storage() for part in components(x)]
    return list({id(storage): storage for storage in every}.values())


def _of(storages: Storages | Unavailable, question: Callable[[Storages], T]) -> T | Unavailable:
    return storages if isinstance(storages, Unavailable) else attempt(lambda: question(storages))


def _total_bytes(storages: Storages) -> int:
    return sum(int(storage.nbytes()) for storage in storages)


def _owner(storages: Storages) -> str:
    if not all(s.resizable() for s in storages):
        return LENT
    return "torch, in shared memory" if any(s.is_shared() for s in storages if s.device.type == "cpu") else "torch"


def _through(seen: Subject) -> tuple[str, ...]:
    return (f"seen through {seen.through}",) if seen.through else ()


def is_dense(x: torch.Tensor) -> bool:
    """Whether it is one block of elements with strides, and nothing more."""
    return type(x) in PLAIN and x.layout == torch.strided and not x.is_nested and not x.is_quantized


def _parts(x: torch.Tensor) -> tuple[str, ...]:
    if is_dense(x):
        return ()
    for find in (_sparse_parts, _nested_parts, _quantized_parts):
        found: tuple[str, ...] | Unavailable = attempt(partial(find, x))
        if found and not isinstance(found, Unavailable):
            return found
    return ()


def _sparse_parts(x: torch.Tensor) -> tuple[str, ...]:
    if x.layout not in _SPARSE:
        return ()
    named = zip(_PART_NAMES[x.layout], components(x), strict=True)
    parts = tuple(f"{name} {_brief(part)}" for name, part in named)
    return parts if x.layout != torch.sparse_coo or x.is_coalesced() else (*parts, "not coalesced")


def _nested_parts(x: torch.Tensor) -> tuple[str, ...]:
    if not x.is_nested:
        return ()
    if x.layout == torch.jagged:
        parts = {"values": x.values(), "offsets": x.offsets(), "lengths": x.lengths()}  # type: ignore[attr-defined]
        return tuple(f"{name} {_brief(part)}" for name, part in parts.items() if part is not None)
    return (f"{x.size(0):,} tensors",)


def _quantized_parts(x: torch.Tensor) -> tuple[str, ...]:
    if not x.is_quantized:
        return ()
    if "channel" in str(x.qscheme()):
        return (f"a scale and a zero point for each index of dimension {x.q_per_channel_axis()}",)
    return (f"scale {x.q_scale():.4g}, zero point {x.q_zero_point()}",)


def _brief(x: torch.Tensor) -> str:
    return f"{str(x.dtype).removeprefix('torch.')} {shape_text(plain_numbers(x.shape))}"
