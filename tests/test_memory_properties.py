"""What is said of shared memory agrees with the sets of bytes that are reached."""

from __future__ import annotations

import itertools
import random
from typing import Any

import numpy as np
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tutor import alias_groups, memory_map, shared_memory
from tutor._mapping.lanes import spans_of, union
from tutor._overlap import Region

calm = settings(deadline=None, max_examples=300, suppress_health_check=[HealthCheck.too_slow])


# Brute force


def reached(address: int, shape: tuple[int, ...], strides: tuple[int, ...], size: int) -> set[int]:
    """Every byte that an array reaches, found by visiting every element."""
    found: set[int] = set()
    for index in itertools.product(*map(range, shape)):
        first = address + sum(i * s for i, s in zip(index, strides, strict=True))
        found.update(range(first, first + size))
    return found


def bytes_of(x: torch.Tensor | np.ndarray[Any, Any]) -> set[int]:
    if isinstance(x, torch.Tensor):
        size = x.element_size()
        return reached(x.data_ptr(), tuple(x.shape), tuple(s * size for s in x.stride()), size)
    return reached(x.ctypes.data, x.shape, x.strides, x.itemsize)


@st.composite
def views(draw: st.DrawFn, base: np.ndarray[Any, Any]) -> torch.Tensor | np.ndarray[Any, Any]:
    """A small view of some bytes: any dtype, slices, steps, expands and overlaps, of either library."""
    dtype = draw(st.sampled_from(("u1", "i2", "f4", "f8")))
    size = np.dtype(dtype).itemsize
    first = draw(st.integers(0, 3)) * 8
    x = base[first:].view(dtype)
    shape = draw(st.lists(st.integers(0, 4), max_size=3))
    room = len(x) - 1
    strides = []
    for n in shape:
        stride = draw(st.integers(0, min(6, room // max(1, n - 1))))
        room -= max(0, n - 1) * stride
        strides.append(stride)
    x = np.lib.stride_tricks.as_strided(x, shape, [s * size for s in strides])
    if draw(st.booleans()):
        return torch.from_numpy(x)
    flips = tuple(slice(None, None, -1 if draw(st.booleans()) else 1) for _ in shape)
    return x[(..., *flips)]


@st.composite
def pairs(draw: st.DrawFn) -> tuple[torch.Tensor | np.ndarray[Any, Any], torch.Tensor | np.ndarray[Any, Any]]:
    base = np.zeros(8 * 12, np.uint8)
    other = base if draw(st.integers(0, 4)) else np.zeros(8 * 12, np.uint8)
    return draw(views(base)), draw(views(other))


@calm
@given(pairs())
def test_sharing_agrees_with_the_sets_of_bytes(
    pair: tuple[torch.Tensor | np.ndarray[Any, Any], torch.Tensor | np.ndarray[Any, Any]],
) -> None:
    a, b = pair
    of_a, of_b = bytes_of(a), bytes_of(b)
    met = shared_memory(a, b)
    assert met.elements_overlap is bool(of_a & of_b)
    ranges = bool(of_a and of_b) and min(of_a) <= max(of_b) and min(of_b) <= max(of_a)
    assert met.ranges_overlap is ranges


def random_view(base: np.ndarray[Any, Any], chance: random.Random) -> torch.Tensor | np.ndarray[Any, Any]:
    """A small view of some bytes, as `views` draws them, in a hundredth of the time."""
    dtype = np.dtype(chance.choice(("u1", "i2", "f4", "f8")))
    x = base[8 * chance.randint(0, 3) :].view(dtype)
    shape = [chance.randint(0 if chance.random() < 0.1 else 1, 4) for _ in range(chance.randint(0, 3))]
    room, strides = len(x) - 1, []
    for n in shape:
        strides.append(chance.randint(0, min(6, room // max(1, n - 1))))
        room -= max(0, n - 1) * strides[-1]
    x = np.lib.stride_tricks.as_strided(x, shape, [s * dtype.itemsize for s in strides])
    if chance.random() < 0.5:
        return torch.from_numpy(x)
    return x[(..., *(slice(None, None, chance.choice((1, -1))) for _ in shape))]


def test_twenty_thousand_random_pairs_agree_with_the_sets_of_bytes() -> None:
    chance = random.Random(2718)
    tally = {True: 0, False: 0}
    for _ in range(20_000):
        base = np.zeros(96, np.uint8)
        a, b = random_view(base, chance), random_view(base, chance)
        truth = bool(bytes_of(a) & bytes_of(b))
        assert shared_memory(a, b).elements_overlap is truth
        tally[truth] += 1
    assert min(tally.values()) > 5_000, "both answers are tried often"


@calm
@given(pairs())
def test_the_map_says_which_bytes_are_reached(
    pair: tuple[torch.Tensor | np.ndarray[Any, Any], torch.Tensor | np.ndarray[Any, Any]],
) -> None:
    sets = dict(zip("ab", map(bytes_of, pair), strict=True))
    for storage in memory_map(a=pair[0], b=pair[1]).storages:
        together: set[int] = set()
        for bar in storage.bars:
            assert bar.bytes_seen in (None, len(sets[bar.name]))
            assert bar.solid
            assert sum(stop - start for start, stop in bar.spans) == len(sets[bar.name])
            assert bar.shares is (bool(sets["a"] & sets["b"]))
            together |= sets[bar.name]
        assert storage.reached == len(together)
        assert sum(stop - start for start, stop in storage.gaps) == storage.nbytes - len(together)


@calm
@given(
    st.lists(st.tuples(st.integers(1, 30), st.integers(-40, 40)), max_size=3),
    st.integers(1, 8),
)
def test_spans_hold_every_byte_that_is_reached(steps: list[tuple[int, int]], size: int) -> None:
    shape, strides = tuple(n for n, _ in steps), tuple(s for _, s in steps)
    region = Region("cpu", 10_000, shape, strides, size, None)
    spans, solid, _, _ = spans_of(region, 0)
    true = reached(10_000, shape, strides, size)
    drawn = {byte for start, stop in spans for byte in range(start, stop)}
    assert true <= drawn
    assert not solid or true == drawn
    assert len(spans) <= 40
    assert union(spans) == spans
    assert {start for start, _ in spans} <= true
    assert {stop - 1 for _, stop in spans} <= true


def test_a_view_of_a_view_of_many_elements_costs_no_more() -> None:
    x = torch.empty(10**6, 10**6, device="meta")
    small = torch.empty(10, 10, device="meta")
    for view in (lambda t: t, lambda t: t.T, lambda t: t[:, ::2], lambda t: t[::3, 1:-1]):
        (big_bar,), (small_bar,) = (
            memory_map(t=view(x)).storages[0].bars,
            memory_map(t=view(small)).storages[0].bars,
        )
        assert len(big_bar.spans) <= max(40, len(small_bar.spans))
    assert memory_map(t=x[:, ::2]).storages[0].bars[0].bytes_seen == 2 * 10**12


@calm
@given(st.lists(st.tuples(st.integers(0, 20), st.integers(0, 5), st.integers(1, 3)), min_size=1, max_size=8))
def test_groups_agree_with_linked_sets(slices: list[tuple[int, int, int]]) -> None:
    x = np.zeros(40, np.int16)
    named = {f"x{i}": x[start : start + n * step : step] for i, (start, n, step) in enumerate(slices)}
    linked: list[set[str]] = []
    for name, view in named.items():
        meets = [group for group in linked if any(bytes_of(named[other]) & bytes_of(view) for other in group)]
        linked = [group for group in linked if group not in meets] + [{name}.union(*meets)]
    found = alias_groups(named)
    assert sorted(map(sorted, found.groups)) == sorted(sorted(group) for group in linked if len(group) > 1)
    assert found.undecided == ()
