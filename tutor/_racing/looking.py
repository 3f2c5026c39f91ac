"""What a callable reads by name, what has become of it after a call, and whether its result is work or a promise."""

from __future__ import annotations

import array
import functools
import gc
import inspect
import types
from collections import deque
from collections.abc import AsyncGenerator, Callable, Coroutine, Generator, ItemsView, Iterator, KeysView, ValuesView
from dataclasses import dataclass
from operator import length_hint
from typing import Any

import numpy as np
import torch

from tutor._words import count_text

_SIZED = (list, dict, set, bytearray, deque, array.array)
_WRAPPERS = (map, filter, zip, enumerate, reversed)
_ON_DEMAND = (*_WRAPPERS, range, KeysView, ItemsView, ValuesView)
_SAMPLE = 256  # elements that are compared


@dataclass(frozen=True)
class _State:
    """How one object stands: its size, a sample of its content, and for an iterator whether anything is left."""

    size: tuple[int, ...] | int | None
    content: object
    used_up: bool = False


class Inputs:
    """The containers, arrays, tensors and iterators that a callable names, looked at around its first two calls.

    What the functions that it calls read in turn is not seen. Of a long list or array a sample is compared; of a
    tensor its version, which torch counts up at every write in place.
    """

    def __init__(self, fn: Callable[..., object]) -> None:
        self._objects = {name: x for name, x in _named(fn).items() if isinstance(x, _KINDS)}
        self._calls: list[tuple[dict[str, _State], dict[str, _State]]] = []
        self._before: dict[str, _State] = {}

    def before(self) -> None:
        """Look, right before a call."""
        self._before = self._look()

    def after(self) -> None:
        """Look, right after it."""
        self._calls.append((self._before, self._look()))

    def trouble(self) -> str:
        """Why the time of a call cannot be found by calling again, or nothing."""
        for name, x in self._objects.items():
            seen = [(before[name], after[name]) for before, after in self._calls]
            if any(after.used_up and not before.used_up for before, after in seen):
                return (
                    f"reads {name} to its end, and an iterator ({type(x).__name__}) can be read once: "
                    f"later calls would find nothing; make it anew in each call"
                )
            if len(seen) == 2 and all(before.size != after.size for before, after in seen):
                sizes = ", then ".join(_size_text(one.size) for one in (*seen[0], seen[1][1]))
                return (
                    f"changes the size of {name} with every call ({sizes}), "
                    f"so that no call repeats the one before; change a copy in each call"
                )
        return ""

    def note(self) -> str:
        """What two calls did to what they read, in one sentence for each, or nothing."""
        notes = [self._note(name) for name in self._objects] if len(self._calls) == 2 else []
        return " ".join(note for note in notes if note)

    def _note(self, name: str) -> str:
        first, second = (before[name] != after[name] for before, after in self._calls)
        if first and second:
            return f"Each call writes on {name}, and so finds what the call before left there."
        if first:
            return f"The first call changed {name}, the next did not: what was timed found that work done."
        return ""

    def _look(self) -> dict[str, _State]:
        return {name: _state(x) for name, x in self._objects.items()}


_KINDS = (*_SIZED, np.ndarray, torch.Tensor, Iterator)


def _named(fn: Callable[..., Any]) -> dict[str, object]:
    """What a callable has by name: variables around it, defaults, what is bound to it."""
    if isinstance(fn, functools.partial):
        bound = {f"argument {i}": x for i, x in enumerate(fn.args)} | dict(fn.keywords)
        return bound | _named(fn.func)
    owner = getattr(fn, "__self__", None)
    named: dict[str, object] = {f"the {type(owner).__name__} it belongs to": owner}
    function = getattr(fn, "__func__", fn)
    if not isinstance(function, types.FunctionType):
        return named
    try:
        around = inspect.getclosurevars(function)
    except ValueError:  # a variable around it has no value yet
        return named
    takes = function.__code__.co_varnames[: function.__code__.co_argcount]
    defaults = function.__defaults__ or ()
    named |= dict(zip(takes[len(takes) - len(defaults) :], defaults, strict=True))
    return named | dict(around.globals) | dict(around.nonlocals)


def _state(x: object) -> _State:
    if isinstance(x, torch.Tensor):
        return _State(tuple(x.shape), _version(x))
    if isinstance(x, np.ndarray):
        return _State(x.shape, _sampled(x))
    if isinstance(x, Iterator):
        return _State(None, None, _nothing_left(x))
    if isinstance(x, list):
        return _State(len(x), [id(item) for item in x[:: max(1, len(x) // _SAMPLE)]])
    return _State(len(x), None)  # type: ignore[arg-type]


def _version(x: torch.Tensor) -> int | None:
    try:
        return x._version
    except RuntimeError:  # inference tensors count no versions
        return None


def _sampled(x: np.ndarray[Any, Any]) -> bytes:
    """Some elements, spread over the array, without a copy of the rest."""
    if not x.size or x.dtype.hasobject:
        return b""
    places = np.unravel_index(np.arange(0, x.size, max(1, x.size // _SAMPLE)), x.shape)
    return np.asarray(x[places]).tobytes()


def _nothing_left(x: object) -> bool:
    """Whether an iterator is known to be at its end."""
    if isinstance(x, Generator):
        return inspect.getgeneratorstate(x) == inspect.GEN_CLOSED
    if isinstance(x, _WRAPPERS):
        return any(_nothing_left(y) for y in _within(x))
    if not hasattr(x, "__length_hint__"):
        return False
    return length_hint(x) == 0


def _within(x: object) -> list[object]:
    """The iterators that an iterator reads from."""
    referents = gc.get_referents(x)
    held = [y for one in referents for y in (one if isinstance(one, tuple) else (one,))]
    return [y for y in held if isinstance(y, Iterator)]


def _size_text(size: tuple[int, ...] | int | None) -> str:
    return str(size) if isinstance(size, tuple) else count_text(size or 0, "element")


def laziness(result: object) -> str:
    """Why a result shows that the work is still to be done, or nothing.

    >>> laziness(range(3))
    'returned a range, which makes its items only when they are asked for; write list(…) around it to time that'
    >>> laziness([1, 2])
    ''
    """
    kind = type(result).__name__
    if isinstance(result, Coroutine):
        result.close()  # else Python warns that it was never awaited
        return "returned a coroutine, which has not begun; time a function that runs it to its end"
    if isinstance(result, Generator | AsyncGenerator):
        return f"returned a {kind}, which has not begun; write list(…) around it to time its work"
    if isinstance(result, _ON_DEMAND):
        return (
            f"returned a {kind}, which makes its items only when they are asked for; "
            f"write list(…) around it to time that"
        )
    if isinstance(result, types.FunctionType | types.MethodType):
        return "returned a function and did not call it; call it within"
    if any(base.__name__ == "Future" for base in type(result).__mro__):
        return f"returned a {kind}, whose work may still be running; wait for it within, as with .result()"
    return ""
