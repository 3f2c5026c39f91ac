"""Stand-ins for operands: as they are in all that torch asks about, small, and nobody's but ours."""

from __future__ import annotations

import math
import sys
import weakref
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch

from tutor._explaining.operands import islice_parameters
from tutor._inspecting.standin import NoStandInError, Sizes, small_strides, stand_in
from tutor._inspecting.subject import subject
from tutor._overlap import element_span

MOST = 2**20  # elements of all tensors together
_MOST_OF_LAYERS = 2**22
_MOST_COPIED = 2**16  # elements whose values are copied
_MOST_ENTRIES = 1_000
_LARGE_BATCH = 16
_PLAIN = (bool, int, float, complex, str, type(None), slice, type(...), torch.dtype, torch.device, torch.Size)
Shrink = Callable[[Sequence[int]], tuple[int, ...]]


def ways_to_shrink(shapes: Sequence[tuple[int, ...]]) -> list[Shrink]:
    """Ways to make shapes small, the most faithful first."""
    first = sorted({shape[0] for shape in shapes if shape and shape[0] > _LARGE_BATCH})
    small = {n: 2 + i for i, n in enumerate(first)}
    ways: list[Shrink] = [tuple]
    if first:
        ways.append(lambda shape: (small.get(shape[0], shape[0]), *shape[1:]) if shape else ())
    ways.append(Sizes(shapes, 2, 1).shrink)
    return [way for way in ways if _is_small([way(shape) for shape in shapes])]


def _is_small(shapes: Sequence[tuple[int, ...]]) -> bool:
    sizes = sorted(math.prod(shape) for shape in shapes)
    return sum(sizes) <= MOST and math.prod(sizes[-2:]) <= 2**24


class StandIns:
    """One stand-in for each operand, so that what was one object is one again."""

    def __init__(self, shrink: Shrink) -> None:
        self.shrink = shrink
        self._made: dict[int, Any] = {}

    def of(self, value: Any) -> Any:
        """The stand-in of an operand.

        Raises
        ------
        NoStandInError
            If there can be none.
        """
        if isinstance(value, np.generic | np.dtype) or type(value) in _PLAIN:
            return value
        if id(value) not in self._made:
            self._made[id(value)] = self._make(value)
        return self._made[id(value)]

    def _make(self, value: Any) -> Any:
        if isinstance(value, torch.Tensor):
            return self._tensor(value)
        if isinstance(value, np.ndarray):
            return self._array(value)
        if isinstance(value, torch.nn.Module):
            return self._layer(value)
        if type(value) in (list, tuple) and len(value) <= _MOST_ENTRIES:
            return type(value)(self.of(one) for one in value)
        if type(value) is dict and len(value) <= _MOST_ENTRIES and all(type(key) in (str, int) for key in value):
            return {key: self.of(one) for key, one in value.items()}
        raise NoStandInError(f"none is made for a {type(value).__name__}")

    def _tensor(self, x: torch.Tensor) -> torch.Tensor:
        shape = self.shrink(tuple(int(n) for n in x.shape))
        if type(x) is torch.nn.Parameter:
            return torch.nn.Parameter(_copied(x, shape), x.requires_grad)
        if type(x) is not torch.Tensor or x.layout != torch.strided or x.is_quantized or x.is_inference():
            return stand_in(subject(x, "explain", "error"), shape)  # type: ignore[no-any-return]
        with torch.enable_grad():
            return _as_in_the_graph(x, _copied(x, shape))

    def _array(self, x: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        if type(x) is not np.ndarray:
            raise NoStandInError(f"none is made for a {type(x).__name__}")
        shape = self.shrink(x.shape)
        small = _array_like(x, shape)
        small.flags.writeable = x.flags.writeable
        return small

    def _layer(self, layer: torch.nn.Module) -> torch.nn.Module:
        held = sum(p.numel() for p in islice_parameters(layer, _MOST_ENTRIES))
        if held > _MOST_OF_LAYERS:
            raise NoStandInError("the layer is too large")
        return _layer_like(layer, StandIns(tuple))


def _copied(x: torch.Tensor, shape: tuple[int, ...]) -> torch.Tensor:
    """A leaf with the same strides, and the same values where they may matter."""
    x = x.detach()
    strides = tuple(x.stride()) if tuple(x.shape) == shape else small_strides(x, shape)
    if x.device.type != "meta" and element_span(shape, strides) > _MOST_OF_LAYERS:
        raise NoStandInError("its elements lie too far apart")
    small = torch.empty_strided(shape, strides, dtype=x.dtype, device=x.device)
    if x.device.type == "meta":
        return small
    small.zero_()
    if x.device.type == "cpu" and tuple(x.shape) == shape and 0 < x.numel() <= _MOST_COPIED and 0 not in strides:
        small.copy_(x)
    small = small.conj() if x.is_conj() else small
    return torch._neg_view(small) if x.is_neg() else small


def _as_in_the_graph(x: torch.Tensor, small: torch.Tensor) -> torch.Tensor:
    if not x.requires_grad:
        return small
    small.requires_grad_()
    if x.is_leaf:
        return small
    if x._is_view() and x._base is not None and x._base.is_leaf:
        return small.as_strided(small.shape, small.stride())
    one = torch.ones((), dtype=x.dtype, device=x.device, requires_grad=True)
    made = small * one  # which keeps what it was made from, as most do, for one backward
    return made if made.stride() == small.stride() else made.as_strided(small.shape, small.stride())


def _array_like(x: np.ndarray[Any, Any], shape: tuple[int, ...]) -> np.ndarray[Any, Any]:
    if x.dtype.hasobject:
        return _objects_like(x, shape)
    turned = tuple(slice(None, None, -1 if stride < 0 else 1) for stride in x.strides)
    order = sorted(range(x.ndim), key=lambda i: -abs(x.strides[i]))
    base = np.zeros([shape[i] for i in order], x.dtype)
    small: np.ndarray[Any, Any] = base.transpose([order.index(i) for i in range(x.ndim)])[turned]
    if shape == x.shape and 0 < x.size <= _MOST_COPIED:
        small[...] = x
    return small


def _objects_like(x: np.ndarray[Any, Any], shape: tuple[int, ...]) -> np.ndarray[Any, Any]:
    if x.size > _MOST_COPIED or shape != x.shape or any(type(one) not in _PLAIN for one in x.flat):
        raise NoStandInError("the elements of the array are Python objects")
    return x.copy()


def _layer_like(layer: torch.nn.Module, stand_ins: StandIns) -> torch.nn.Module:
    """A layer of torch's own with parameters of its own, without anything that a learner has hooked to it."""
    own = layer.__dict__
    room = type(layer).__module__
    known = room.startswith("torch.nn.modules.") and vars(sys.modules[room]).get(type(layer).__name__) is type(layer)
    if not known or "forward" in own:
        raise NoStandInError(f"{type(layer).__name__} is no layer of torch's own")
    made: torch.nn.Module = object.__new__(type(layer))
    made.__dict__.update({key: OrderedDict() if "_hooks" in key else value for key, value in own.items()})
    for table in ("_parameters", "_buffers"):
        made.__dict__[table] = {key: stand_ins.of(value) for key, value in own[table].items()}
    made.__dict__["_modules"] = {
        key: _layer_like(part, stand_ins) if part is not None else None for key, part in own["_modules"].items()
    }
    if "_flat_weights_names" in own:
        flat = [made._parameters.get(name) for name in own["_flat_weights_names"]]
        made.__dict__["_flat_weights"] = flat
        made.__dict__["_flat_weight_refs"] = [weakref.ref(w) if w is not None else None for w in flat]
    return made


def shapes_in(values: Sequence[Any]) -> list[tuple[int, ...]]:
    """The shapes of all tensors and arrays among operands, those in lists too."""
    found: list[tuple[int, ...]] = []
    for value in values:
        if isinstance(value, torch.Tensor | np.ndarray):
            found.append(tuple(int(n) for n in value.shape))
        elif type(value) in (list, tuple):
            found += shapes_in(list(value[:_MOST_ENTRIES]))
        elif type(value) is dict:
            found += shapes_in(list(value.values())[:_MOST_ENTRIES])
    return found


__all__ = ["NoStandInError", "StandIns", "shapes_in", "ways_to_shrink"]
