"""Small arrays that behave as large ones would: same dtype, device, layout and number of dimensions."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from contextlib import nullcontext
from typing import Any

import numpy as np
import torch

from tutor._inspecting.names import dtype_text
from tutor._inspecting.quiet import attempt
from tutor._inspecting.subject import Subject
from tutor._inspecting.tensors import has_no_memory, is_dense, is_fake
from tutor._overlap import element_span

_SPARSE = (torch.sparse_coo, torch.sparse_csr, torch.sparse_csc)
MOST = 2**22  # elements that trying an operation out may take


class NoStandInError(Exception):
    """There is nothing small that would behave in the same way."""


class Sizes:
    """A small size for each size: 0 and 1 stay, equal sizes stay equal, different ones stay different."""

    def __init__(self, shapes: Sequence[Sequence[int]], first: int, step: int) -> None:
        large = sorted({n for shape in shapes for n in shape if n > 1})
        self._small = {n: first + step * i for i, n in enumerate(large)} | {0: 0, 1: 1}
        self._large = {small: n for n, small in self._small.items()}

    def shrink(self, shape: Sequence[int]) -> tuple[int, ...]:
        """The small shape for a shape."""
        small = tuple(self._small[n] for n in shape)
        if math.prod(small) > MOST:
            raise NoStandInError("there are too many dimensions to try it out")
        return small

    def grow(self, shape: Sequence[int]) -> tuple[int, ...]:
        """The shape for a small shape."""
        return tuple(self._large[n] for n in shape)


def shape_of(seen: Subject) -> tuple[int, ...]:
    """The shape in plain numbers.

    Raises
    ------
    NoStandInError
        If it has no such shape, or rules of its own for what happens to it.
    """
    x = seen.given
    if isinstance(x, np.ndarray):
        _require_numpys_own(x)
    elif isinstance(x, torch.Tensor):
        _require_torchs_own(x)
    elif not isinstance(x, np.generic):
        raise NoStandInError(f"{seen.kind} has rules of its own")
    return tuple(int(n) for n in seen.array.shape)


def _require_numpys_own(x: np.ndarray[Any, Any]) -> None:
    if not type(x).__module__.startswith("numpy"):
        raise NoStandInError(f"{type(x).__qualname__} may have rules of its own")


def _require_torchs_own(x: torch.Tensor) -> None:
    if is_fake(x):
        raise NoStandInError("a fake tensor takes part in no real operation")
    if torch.nn.parameter.is_lazy(x):
        raise NoStandInError("the parameter is not initialised yet")
    if not type(x).__module__.startswith("torch.nn.") and _has_own_rules(type(x)):
        raise NoStandInError(f"{type(x).__qualname__} has rules of its own")
    if x.is_nested:
        raise NoStandInError("for a nested tensor it depends on every size inside")
    if is_dense(x) and not has_no_memory(x) and _reaches_too_far(x):
        raise NoStandInError("its elements reach beyond its storage: reading them may end the process")


def _reaches_too_far(x: torch.Tensor) -> bool:
    held = attempt(lambda: x.untyped_storage().nbytes())  # under vmap and its like there is none to ask
    span = element_span(x.shape, x.stride())
    return isinstance(held, int) and span > 0 and bool((x.storage_offset() + span) * x.itemsize > held)


def _has_own_rules(cls: type[torch.Tensor]) -> bool:
    function, plain = (getattr(c.__torch_function__, "__func__", c) for c in (cls, torch.Tensor))
    dispatch, no_dispatch = (getattr(c, "__torch_dispatch__", None) for c in (cls, torch.Tensor))
    return function is not plain or dispatch is not no_dispatch


def stand_in(seen: Subject, shape: tuple[int, ...]) -> Any:
    """An array or tensor of this small shape that behaves as the one given.

    Raises
    ------
    NoStandInError
        If there can be none.
    """
    x = seen.given
    if isinstance(x, np.generic):
        return np.zeros((), x.dtype)[()]
    if isinstance(x, np.ndarray):
        return _small_array(x, shape)
    assert isinstance(x, torch.Tensor)
    with torch.inference_mode() if x.is_inference() else nullcontext():
        small = _small_tensor(x, shape)
    if x.is_conj():
        small = small.conj()
    if x.is_neg():
        small = torch._neg_view(small)
    if type(x) is torch.nn.Parameter:
        return torch.nn.Parameter(small, x.requires_grad)
    if x.requires_grad:
        small.requires_grad_()
    return small.as_subclass(type(x)) if type(x).__module__.partition(".")[0] != "torch" else small


def _small_array(x: np.ndarray[Any, Any], shape: tuple[int, ...]) -> np.ndarray[Any, Any]:
    index: tuple[Any, ...] = (*(slice(None, None, -1 if s < 0 else 1) for s in x.strides), ...)
    small: np.ndarray[Any, Any] = np.zeros(shape, x.dtype)[index]
    return small if type(x) in (np.ndarray, np.memmap) else small.view(type(x))


def _small_tensor(x: torch.Tensor, shape: tuple[int, ...]) -> torch.Tensor:
    if x.is_quantized:
        if "channel" in str(x.qscheme()):
            raise NoStandInError("it is quantized per channel")
        return torch.quantize_per_tensor(torch.zeros(shape, device=x.device), x.q_scale(), x.q_zero_point(), x.dtype)
    if x.layout == torch.strided:
        small = torch.empty_strided(shape, small_strides(x, shape), dtype=x.dtype, device=x.device)
        return small.zero_()
    # Where nothing is stored, torch multiplies without looking at the other's dtype.
    dense = torch.full(shape, float(_stores_values(x)), dtype=x.dtype, device=x.device)
    if x.layout == torch.sparse_coo:
        return dense.to_sparse(x.sparse_dim())
    if x.layout in (torch.sparse_csr, torch.sparse_csc):
        return dense.to_sparse(layout=x.layout, dense_dim=x.dense_dim())
    if x.layout == torch._mkldnn:  # type: ignore[attr-defined]
        return dense.to_mkldnn()
    raise NoStandInError(f"no small tensor of layout {dtype_text(x.layout)} is made for it")


def _stores_values(x: torch.Tensor) -> bool:
    return x.layout in _SPARSE and bool(x._nnz())


def small_strides(x: torch.Tensor, shape: tuple[int, ...]) -> tuple[int, ...]:
    """Strides for a small shape that let two dimensions merge where those of ``x`` do.

    Torch chooses by it between ways of multiplying that do not raise the same errors.
    """
    wanted = _merges(tuple(x.shape), x.stride())
    by_place = range(x.dim() - 1, -1, -1)
    by_stride = sorted(by_place, key=x.stride)
    candidates = [_strides_in_order(x, shape, order) for order in (by_stride, by_place)]
    return min(candidates, key=lambda strides: len(wanted ^ _merges(shape, strides)))


def _merges(shape: tuple[int, ...], strides: tuple[int, ...]) -> set[tuple[int, int]]:
    dims = range(len(shape))
    return {(i, j) for i in dims for j in dims if i != j and strides[i] == strides[j] * shape[j]}


def _strides_in_order(x: torch.Tensor, shape: tuple[int, ...], order: Iterable[int]) -> tuple[int, ...]:
    large, strides, last = x.stride(), [0] * x.dim(), None
    for i in order:
        if large[i] == 0:
            continue
        if last is None:
            strides[i] = 1
        else:
            merged = strides[last] * max(1, shape[last])
            strides[i] = merged if large[i] == large[last] * x.shape[last] else merged + 1
        last = i
    return tuple(strides)
