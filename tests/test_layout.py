"""Where the elements of a tensor lie, against the tensor itself."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from itertools import pairwise, product

import numpy as np
import pytest
import torch

from tutor import layout_diagram, memory_map
from tutor.layouts import LayoutDiagram

SEED = 20240611
BASE = torch.arange(60)


def random_view(rng: random.Random) -> torch.Tensor:
    """A tensor that lies somehow in BASE, whose values are the numbers of their places."""
    shape = [rng.choice((1, 2, 3, 4, 5)) for _ in range(rng.randrange(5))]
    strides = [rng.choice((0, 1, 1, 2, 3, 4, 5, 12)) for _ in shape]
    reach = sum((n - 1) * s for n, s in zip(shape, strides, strict=True))
    size = rng.choice((reach + 1, reach + 3, 60))
    if reach >= size or size > 60:
        return random_view(rng)
    stored = torch.arange(size)
    return stored.as_strided(shape, strides, rng.randrange(size - reach))


def states(layout: LayoutDiagram) -> dict[int, str]:
    return {slot.position: slot.state for slot in layout.slots if slot.state != "cut"}


def test_every_drawn_element_lies_where_the_tensor_has_it() -> None:
    rng = random.Random(SEED)
    for _ in range(2000):
        t = random_view(rng)
        layout = layout_diagram(t)
        order = list(product(*map(range, t.shape)))
        for place in layout.places:
            assert int(t[place.index]) == place.position
            assert order[place.visit - 1] == place.index
        assert [place.visit for place in layout.places] == sorted(place.visit for place in layout.places)


def test_the_places_of_the_storage_are_told_apart_as_brute_force_does() -> None:
    rng = random.Random(SEED + 1)
    for _ in range(2000):
        t = random_view(rng)
        layout = layout_diagram(t)
        reached = set(t.flatten().tolist())
        drawn = {place.position for place in layout.places}
        for position, state in states(layout).items():
            assert state == ("drawn" if position in drawn else "more" if position in reached else "free")
        assert drawn <= states(layout).keys()
        total = sum(slot.count for slot in layout.slots)
        assert total == t.untyped_storage().nbytes() // t.element_size()


def test_the_hops_are_those_of_reading_in_order() -> None:
    rng = random.Random(SEED + 2)
    for _ in range(2000):
        t = random_view(rng)
        values = t.flatten().tolist()
        seen = {b - a for a, b in pairwise(values)}
        assert {hop.distance for hop in layout_diagram(t).hops} == seen


@pytest.mark.parametrize(
    ("shape", "drawn"),
    [
        ((), ()),
        ((16,), (16,)),
        ((17,), (16,)),
        ((4, 8), (4, 8)),
        ((3, 3, 3), (3, 3, 3)),
        ((2, 3, 2, 2), (2, 3, 2, 2)),
        ((1000, 1), (8, 1)),
        ((1000, 3), (5, 3)),
        ((2, 1000), (2, 8)),
        ((1000, 1000), (4, 4)),
        ((10, 10, 10), (2, 4, 4)),
        ((9,) * 8, (1, 1, 1, 1, 1, 2, 4, 4)),
    ],
)
def test_a_corner_is_drawn_of_what_is_large(shape: tuple[int, ...], drawn: tuple[int, ...]) -> None:
    layout = layout_diagram(torch.empty(shape, device="meta"))
    assert layout.drawn == drawn
    assert len(layout.places) == math.prod(drawn) <= 32
    assert layout.whole == (shape == drawn)
    assert ("drawn: t[" in repr(layout)) != layout.whole


def test_terabytes_need_no_more_places_than_a_thousand_elements() -> None:
    small, large = (layout_diagram(torch.empty(n, n, device="meta").T) for n in (32, 10**6))
    assert len(large.places) == len(small.places)
    assert len(large.slots) == len(small.slots)
    assert layout_diagram(torch.ones(1).expand(2**40)).slots[0].state == "drawn"


def test_an_offset_a_flip_and_an_expand() -> None:
    a = np.arange(12).reshape(3, 4)
    flipped = layout_diagram(a[::-1, ::2])
    assert (flipped.bar.offset, flipped.bar.strides) == (8, (-4, 2))
    assert [place.position for place in flipped.places] == [8, 10, 4, 6, 0, 2]
    assert "t[2, 1] is at 8 + 2·(−4) + 1·2 = 2, byte 16" in repr(flipped)
    expanded = layout_diagram(torch.arange(3).expand(4, 3))
    assert "12 elements lie in 3 places: several indices lead to the same one" in repr(expanded)
    assert "t[2, 1] is at 0 + 2·0 + 1·1 = 1, byte 8" in repr(expanded)


def test_the_text_has_the_numbers_of_both_sides() -> None:
    t = torch.arange(12.0).reshape(3, 4)
    lines = repr(layout_diagram(t.T[:, ::2], name="u")).splitlines()
    assert lines[0].endswith("storage  0  1  2  3  4  5  6  7  8  9 10 11")
    assert lines[1].endswith("visit    1  3  5  7  .  .  .  .  2  4  6  8")
    assert [line[:16].split() for line in lines[1:5]] == [["0", "8"], ["1", "9"], ["2", "10"], ["3", "11"]]
    assert "hops: +8 from one index of dim 1 to the next, −7 to the next of dim 0" in lines
    assert "u[2, 1] is at 0 + 2·1 + 1·8 = 10, byte 40" in lines


def test_scalars_and_empty_tensors() -> None:
    assert "t is at 0, byte 0" in repr(layout_diagram(torch.tensor(3.0)))
    empty = layout_diagram(torch.empty(0, 3))
    assert (empty.places, empty.hops, empty.shown) == ((), (), None)
    assert "no elements: nothing is visited" in repr(empty)
    inside = layout_diagram(torch.arange(6)[2:2])
    assert [slot.state for slot in inside.slots] == ["free"] * 6


def test_formats_are_those_that_torch_and_numpy_say() -> None:
    x = torch.zeros(2, 3, 4, 5)
    assert layout_diagram(x).formats == ("contiguous_format",)
    assert layout_diagram(x.to(memory_format=torch.channels_last)).formats == ("channels_last",)
    assert layout_diagram(x[:, :1].contiguous()).formats == ("contiguous_format", "channels_last")
    assert layout_diagram(np.zeros((2, 3)).T).formats == ("Fortran",)
    assert "contiguous: only in channels_last\n" in repr(layout_diagram(x.to(memory_format=torch.channels_last))) + "\n"


def test_strides_that_are_no_whole_elements_are_counted_in_bytes() -> None:
    packed = np.zeros(4, dtype=[("flag", "i1"), ("value", "i4")])
    layout = layout_diagram(packed["value"])
    assert layout.bar.in_bytes
    assert [place.position for place in layout.places] == [1, 6, 11, 16]
    assert "places are in bytes, and each element takes the 4 B from there on" in repr(layout)


def test_a_tensor_past_the_end_of_its_storage_is_said_to_be_so() -> None:
    t = torch.arange(6)
    t.untyped_storage().resize_(4 * 8)
    layout = layout_diagram(t)
    assert [slot.state for slot in layout.slots] == ["drawn"] * 6
    assert "t claims 16 B past its end" in repr(layout)


def test_buffers_and_objects_of_other_libraries_are_drawn_as_well() -> None:
    assert [place.position for place in layout_diagram(bytearray(3)).places] == [0, 1, 2]
    assert layout_diagram(memoryview(b"abcdef")[1::2]).bar.strides == (2,)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: [1, 2], "layout_diagram expected t to be a tensor, a NumPy array, .* but got a list"),
        (
            lambda: torch.eye(3).to_sparse(),
            "expected t to be a tensor with strides, but got one whose layout is sparse_coo",
        ),
        (lambda: torch.eye(3).to_sparse_csr(), "layout is sparse_csr"),
        (lambda: torch.eye(3).to_mkldnn(), "layout is _mkldnn"),
        (lambda: torch.nested.nested_tensor([torch.ones(2), torch.ones(3)]), "layout is nested"),
        (lambda: np.ma.masked_array([1, 2], [0, 1]), "lies in several pieces: give one of them, such as t.data"),
    ],
    ids=["list", "coo", "csr", "mkldnn", "nested", "masked"],
)
@pytest.mark.filterwarnings("ignore:Sparse CSR", "ignore:.*nested tensors:UserWarning")
def test_what_has_no_strides_is_told_why(make: Callable[[], object], words: str) -> None:
    with pytest.raises(TypeError, match=words):
        layout_diagram(make())


def test_a_name_is_a_string() -> None:
    with pytest.raises(TypeError, match="layout_diagram expected name to be a string, but got 3"):
        layout_diagram(torch.zeros(1), name=3)  # type: ignore[arg-type]


def test_nothing_of_the_tensor_is_kept_or_changed() -> None:
    t = torch.arange(6).reshape(2, 3)
    before = memory_map(t=t).storages[0].others
    layout = layout_diagram(t.T)
    repr(layout)
    layout._repr_html_()
    assert memory_map(t=t).storages[0].others == before
    assert torch.equal(t, torch.arange(6).reshape(2, 3))
