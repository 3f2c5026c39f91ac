"""What would happen if two arrays met in an operation, found by trying it on small ones."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import torch

from tutor._inspecting.model import Outcome
from tutor._inspecting.names import dtype_text
from tutor._inspecting.standin import MOST, NoStandInError, Sizes, shape_of, stand_in
from tutor._inspecting.subject import Subject, full_name

_OPERATIONS: dict[str, Callable[[Any, Any], Any]] = {"a + b": operator.add, "a @ b": operator.matmul}


def meet(expression: str, a: Subject, b: Subject) -> Outcome:
    """What an operation on both would give.

    It is tried twice on small stand-ins, with different sizes. If both raise the same text, that is the answer.
    If the texts differ they name sizes: then the operands themselves are handed over, and raise before anything
    is computed.
    """
    operate = _OPERATIONS[expression]
    try:
        shapes = [shape_of(a), shape_of(b)]
        _refuse_objects(a, b)
        first = _tried(expression, operate, a, b, Sizes(shapes, 2, 1))
        if first.error is None:
            return first
        second = _tried(expression, operate, a, b, Sizes(shapes, 3, 2))
    except NoStandInError as reason:
        return Outcome(expression, undecided=str(reason))
    except Exception as error:  # making a stand-in failed, in whatever way torch fails for an exotic dtype
        return Outcome(expression, undecided=f"no small one like it could be made: {error}")
    if (first.error, first.message) == (second.error, second.message):
        return first
    return _observed(expression, operate, _handed_over(a), _handed_over(b))


def _refuse_objects(a: Subject, b: Subject) -> None:
    for seen, name in ((a, "a"), (b, "b")):
        if isinstance(seen.array, np.ndarray) and _holds_objects(seen.array.dtype):
            raise NoStandInError(f"the elements of {name} are Python objects, and each decides for itself")


def _holds_objects(dtype: np.dtype[Any]) -> bool:
    return dtype.kind == "O" or (dtype.names is not None and dtype.hasobject)


def _tried(expression: str, operate: Callable[[Any, Any], Any], a: Subject, b: Subject, sizes: Sizes) -> Outcome:
    small_a = stand_in(a, sizes.shrink(shape_of(a)))
    # torch adds some tensors to themselves that it does not add to one just like them
    small_b = small_a if a.given is b.given else stand_in(b, sizes.shrink(shape_of(b)))
    _refuse_large(small_a.shape, small_b.shape)
    outcome = _observed(expression, operate, small_a, small_b)
    if outcome.shape is None:
        return outcome
    return replace(outcome, shape=sizes.grow(outcome.shape), casts=_casts(outcome.dtype, a, b))


def _refuse_large(a: tuple[int, ...], b: tuple[int, ...]) -> None:
    try:
        result = np.broadcast_shapes(a, b)
    except ValueError:
        return
    if math.prod(result) > MOST:
        raise NoStandInError("there are too many dimensions to try it out")


def _observed(expression: str, operate: Callable[[Any, Any], Any], a: Any, b: Any) -> Outcome:
    try:
        with np.errstate(all="ignore"):
            result = operate(a, b)
    except Exception as error:  # that it raises is the answer
        return Outcome(expression, error=type(error).__name__, message=str(error))
    if isinstance(result, torch.Tensor):
        where, grad = result.device, result.requires_grad
    else:
        where, grad = torch.device("cpu"), None
    return Outcome(expression, full_name(type(result)), result.dtype, tuple(result.shape), where, grad)


def _casts(dtype: Any, a: Subject, b: Subject) -> tuple[tuple[str, str], ...]:
    if isinstance(dtype, np.dtype) and dtype.kind not in "biufc":
        return ()  # a date plus a time is a date, a text plus a text a longer one: nothing was cast
    texts = ((name, dtype_text(seen.array.dtype)) for name, seen in (("a", a), ("b", b)))
    return tuple((name, text) for name, text in texts if text != dtype_text(dtype))


def _handed_over(seen: Subject) -> Any:
    x = seen.given
    if not isinstance(x, torch.Tensor) or not x.requires_grad:
        return x
    with torch.no_grad():
        alias = x.detach()
    return alias.requires_grad_()
