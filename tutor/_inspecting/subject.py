"""What was given, as something whose facts can be found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch.utils.dlpack import from_dlpack

_CPU = 1  # kDLCPU, the number of the CPU in the DLPack protocol


@dataclass(frozen=True)
class Subject:
    """What was given, seen as an array or a tensor; the name of its class; the protocol that was needed, if any."""

    given: object
    array: np.ndarray[Any, Any] | torch.Tensor
    kind: str
    through: str | None = None


def subject(x: object, caller: str, name: str) -> Subject:
    """See an object as an array, without copying it.

    Raises
    ------
    TypeError
        If it is no array and cannot be seen as one.
    """
    kind = full_name(type(x))
    if isinstance(x, torch.Tensor | np.ndarray):
        return Subject(x, x, kind)
    if isinstance(x, type) or not (hasattr(x, "__array_interface__") or hasattr(x, "__dlpack__")):
        raise TypeError(_complaint(x, caller, name))
    try:
        if hasattr(x, "__array_interface__"):
            return Subject(x, np.asarray(_Interface(x)), kind, "__array_interface__")
        return Subject(x, _from_dlpack(x), kind, "__dlpack__")
    except Exception as error:
        raise TypeError(f"{_complaint(x, caller, name)}, which could not be read as one: {error}") from error


class _Interface:
    """Only the array interface of an object, so that no other conversion of it is tried."""

    def __init__(self, x: Any) -> None:
        self.lender = x
        self.__array_interface__ = x.__array_interface__


def _from_dlpack(x: Any) -> np.ndarray[Any, Any] | torch.Tensor:
    # NumPy first: torch ends the process when it is given negative strides. It knows fewer dtypes.
    if int(x.__dlpack_device__()[0]) != _CPU:
        return from_dlpack(x)
    try:
        return np.from_dlpack(x)
    except (BufferError, RuntimeError, TypeError, ValueError):
        return from_dlpack(x)


def _complaint(x: object, caller: str, name: str) -> str:
    got = f"the class {full_name(x)}" if isinstance(x, type) else f"{_article(full_name(type(x)))}"
    expected = "a tensor, a NumPy array, or an object with __dlpack__ or __array_interface__"
    return f"{caller} expected {name} to be {expected}, but got {got}"


def _article(noun: str) -> str:
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


def full_name(cls: type) -> str:
    """The name of a class with its module, as people import it.

    >>> full_name(torch.Tensor), full_name(np.ndarray), full_name(list), full_name(torch.nn.Parameter)
    ('torch.Tensor', 'numpy.ndarray', 'list', 'torch.nn.Parameter')
    """
    if cls is torch.nn.Parameter:
        return "torch.nn.Parameter"
    if cls.__module__ in ("builtins", "__main__"):
        return cls.__qualname__
    return f"{cls.__module__}.{cls.__qualname__}"
