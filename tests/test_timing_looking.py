"""What cannot be timed by calling it again is caught and said in a sentence; what is only worth knowing is told."""

from __future__ import annotations

import asyncio
import functools
import re
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future

import numpy as np
import pytest
import torch

from tutor.timing import measure, race


def lazy_coroutine() -> object:
    return asyncio.sleep(0)


@pytest.mark.parametrize(
    ("fn", "message"),
    [
        (lambda: (i for i in range(3)), "fn returned a generator, which has not begun; write list(…) around it"),
        (lazy_coroutine, "lazy_coroutine returned a coroutine, which has not begun"),
        (lambda: range(10), "fn returned a range, which makes its items only when they are asked for; write list(…)"),
        (lambda: map(abs, [1]), "fn returned a map, which makes its items"),
        (lambda: zip([1], [2], strict=True), "fn returned a zip, which makes its items"),
        ({1: 2}.items, "items returned a dict_items, which makes its items"),
        (lambda: print, None),
        (lambda: lambda: 1, "fn returned a function and did not call it; call it within"),
        (Future, "Future returned a Future, whose work may still be running; wait for it within, as with .result()"),
        (torch.futures.Future, "Future returned a Future, whose work may still be running"),
    ],
)
def test_a_promise_of_work_is_no_work(fn: Callable[[], object], message: str | None) -> None:
    if message is None:
        assert measure(fn, budget=0.01).median > 0
        return
    with pytest.raises(TypeError, match="^" + re.escape(message)):
        measure(fn, budget=0.01)


def test_the_candidate_that_is_lazy_is_named() -> None:
    with pytest.raises(TypeError, match=r"^candidate 'lazy' returned a range, which makes its items"):
        race(whole=lambda: [*range(10)], lazy=lambda: range(10), budget=0.01)


ITERATORS: dict[str, Callable[[], object]] = {
    "generator": lambda: (i for i in [1, 2]),
    "list_iterator": lambda: iter([1, 2]),
    "map": lambda: map(abs, [1, 2]),
    "zip": lambda: zip([1, 2], [3, 4], strict=True),
    "enumerate": lambda: enumerate([1, 2]),
}


@pytest.mark.parametrize("kind", ITERATORS)
def test_an_iterator_is_read_only_once(kind: str) -> None:
    numbers = ITERATORS[kind]()
    with pytest.raises(ValueError, match=rf"^fn reads numbers to its end, and an iterator \({kind}\) can be read once"):
        measure(lambda: list(numbers), budget=0.01)  # type: ignore[call-overload]


def test_a_list_that_grows_is_another_list_in_each_call() -> None:
    rows = [1, 2, 3]
    message = (
        "fn changes the size of rows with every call (3 elements, then 4 elements, then 5 elements), "
        "so that no call repeats the one before; change a copy in each call"
    )
    with pytest.raises(ValueError, match="^" + re.escape(message) + "$"):
        measure(lambda: rows.append(0))
    with pytest.raises(ValueError, match=r"^pop changes the size of the list it belongs to with every call"):
        measure([1, 2, 3].pop)
    with pytest.raises(ValueError, match=r"changes the size of argument 0 with every call"):
        race(a=functools.partial(list.append, rows, 0), b=list)
    assert measure(lambda: rows.copy().append(0), budget=0.01).note == ""


def test_a_default_is_looked_at_too() -> None:
    with pytest.raises(ValueError, match=r"changes the size of q with every call"):
        measure(lambda q=deque(): q.append(1))


def test_sorting_in_place_is_done_once_and_told() -> None:
    rows = [*range(1000, 0, -1)]
    found = measure(lambda: rows.sort(key=None), budget=0.01)
    assert found.note == "The first call changed rows, the next did not: what was timed found that work done."
    assert repr(found).endswith(found.note)
    assert found.note in found._repr_html_()
    array = np.arange(10_000)[::-1].copy()
    again = race(sorts=lambda: array.sort(axis=0), copies=lambda: np.sort(array), budget=0.02)
    assert "`sorts`: The first call changed array, the next did not" in again.remark
    assert again["copies"].note == ""


def test_writes_in_place_are_told() -> None:
    x, a, quiet = torch.ones(8), np.ones(8), torch.ones(8)
    assert measure(lambda: x.add_(1), budget=0.01).note == (
        "Each call writes on x, and so finds what the call before left there."
    )
    assert measure(lambda: np.add(a, 1, out=a), budget=0.01).note.startswith("Each call writes on a, and so finds")
    assert measure(lambda: quiet.add(1), budget=0.01).note == ""


def test_tensors_without_versions_and_arrays_of_objects_are_no_trouble() -> None:
    with torch.inference_mode():
        x = torch.ones(3)
        assert measure(lambda: x.add_(1), budget=0.01).note == ""
    objects, empty = np.array([None, "a"], dtype=object), np.ones((0, 3))
    assert measure(lambda: (objects, empty), budget=0.01).note == ""


def test_a_coroutine_is_closed_without_a_warning() -> None:
    async def work() -> None: ...

    with pytest.raises(TypeError, match="coroutine function"):
        measure(work, budget=0.01)
