"""Why an operation raises, in one sentence, from the sizes and strides that are there."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from itertools import pairwise

import torch

from tutor._inspecting.names import shape_text
from tutor._striding.model import Arguments
from tutor._striding.operations import numbers
from tutor._words import count_text


def why(t: torch.Tensor, operation: str, given: Arguments) -> str:
    """The reason why `operation` raises for `t`; empty if none is known."""
    if not t.dim() and operation in ("transpose", "flip", "slice", "step", "narrow"):
        return "It has no dimensions, so there is none to name."
    reason = _REASONS.get(operation)
    return reason(t, given) if reason else ""


def _listed(given: Arguments) -> list[int]:
    return [int(n) for n in re.findall(r"-?\d+", numbers(given["sizes"]))]


def _dims_text(t: torch.Tensor) -> str:
    return f"It has {count_text(t.dim(), 'dimension')}"


def _no_such_dim(t: torch.Tensor, given: Arguments) -> str:
    missing = [int(given[name]) for name in ("dim", "other") if int(given.get(name, -1)) >= t.dim()]
    return f"{_dims_text(t)}, numbered from 0, so there is no dim {missing[0]}." if missing else ""


def _permute(t: torch.Tensor, given: Arguments) -> str:
    named = ", ".join(map(str, _listed(given))) or "none"
    return f"{_dims_text(t)}: each of the numbers {_up_to(t.dim())} must stand there once, and there are {named}."


def _up_to(n: int) -> str:
    return ", ".join(map(str, range(n))) or "of no dimension"


def _step(t: torch.Tensor, given: Arguments) -> str:
    if int(given["step"]) > 0:
        return _no_such_dim(t, given)
    if int(given["step"]) == 0:
        return "With a step of 0 it would never come to the end."
    return "A step back needs a negative stride, and torch has none; flip copies instead."


def _narrow(t: torch.Tensor, given: Arguments) -> str:
    dim, start, length = (int(given[name]) for name in ("dim", "start", "length"))
    if dim >= t.dim():
        return _no_such_dim(t, given)
    size = int(t.shape[dim])
    if length < 0:
        return f"{length} is no length."
    if not -size <= start <= size:
        return f"Dim {dim} has size {size}, and {start} lies outside."
    first = start + size if start < 0 else start
    return f"It would end at {first} + {length} = {first + length}, and dim {dim} has size {size}."


def _expand(t: torch.Tensor, given: Arguments) -> str:
    sizes, shape = _listed(given), [int(n) for n in t.shape]
    if len(sizes) < len(shape):
        asked = count_text(len(sizes), "size")
        return f"Expanding keeps every dimension: there are {len(shape)}, and {asked} given."
    new = len(sizes) - len(shape)
    if any(n == -1 for n in sizes[:new]):
        return "-1 keeps the size that is there, and a new dimension has none."
    if any(n < -1 for n in sizes):
        return f"{min(sizes)} is no size."
    for dim, (n, wanted) in enumerate(zip(shape, sizes[new:], strict=True)):
        if wanted not in (-1, n) and n != 1:
            return f"Only a dimension of size 1 can be expanded: dim {dim} has size {n}, and {wanted} was asked for."
    return ""


def _view(t: torch.Tensor, given: Arguments) -> str:
    return _number_of_elements(t, _listed(given)) or _not_merged(t, _listed(given))


def _number_of_elements(t: torch.Tensor, sizes: Sequence[int]) -> str:
    """Why the sizes do not fit the number of elements; empty if they do."""
    open_ones = sizes.count(-1)
    if any(n < -1 for n in sizes):
        return f"{min(sizes)} is no size; -1 stands for the one that fits."
    if open_ones > 1:
        return "-1 stands for the one size that follows from the others, so it can stand there once."
    known, n = math.prod(s for s in sizes if s != -1), t.numel()
    if open_ones and known == 0:
        return "With a size of 0 every number fits in place of -1, so none follows."
    if open_ones and n % known:
        return f"The other sizes multiply to {known:,}, and {n:,} elements are no multiple of that."
    if not open_ones and known != n:
        return f"The sizes multiply to {known:,}, and there are {count_text(n, 'element')}."
    return ""


def _not_merged(t: torch.Tensor, sizes: Sequence[int]) -> str:
    """Which two dimensions a view would have to read as one, though they do not follow one another evenly.

    Two neighbours can be read as one if a step of the outer is as long as all of the inner. Where that is not so, the
    sizes asked for must keep a border: the sizes behind it must multiply to as much as before.
    """
    known = math.prod(s for s in sizes if s != -1)
    asked = [t.numel() // known if s == -1 else s for s in sizes]
    kept = {math.prod(asked[i:]) for i in range(len(asked) + 1)}
    dims = [dim for dim, n in enumerate(t.shape) if n > 1]
    for outer, inner in pairwise(dims):
        one, step = t.stride(inner) * int(t.shape[inner]), t.stride(outer)
        if step != one and math.prod(t.shape[inner:]) not in kept:
            return (
                f"Dims {outer} and {inner} cannot be read as one: that needs stride({outer}) = "
                f"stride({inner})·size({inner}) = {t.stride(inner)}·{int(t.shape[inner])} = {one}, "
                f"and stride({outer}) is {step}."
            )
    return ""


def _channels_last(t: torch.Tensor, given: Arguments) -> str:
    return f"channels_last is an order of four dimensions, and the shape is {shape_text(tuple(t.shape))}."


_REASONS: dict[str, Callable[[torch.Tensor, Arguments], str]] = {
    "transpose": _no_such_dim,
    "flip": _no_such_dim,
    "slice": _no_such_dim,
    "permute": _permute,
    "step": _step,
    "narrow": _narrow,
    "expand": _expand,
    "view": _view,
    "reshape": lambda t, given: _number_of_elements(t, _listed(given)),
    "channels_last": _channels_last,
}
