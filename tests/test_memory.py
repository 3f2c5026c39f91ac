"""Who shares which bytes, who owns them, and who keeps them alive."""

from __future__ import annotations

import array
import gc
import math
import warnings
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
import torch

from tutor import alias_groups, memory_map, shared_memory
from tutor.memory import SharedMemory, Storage


def three(met: SharedMemory) -> tuple[bool | None, bool | None, bool | None]:
    return met.same_storage, met.ranges_overlap, met.elements_overlap


def only(storages: tuple[Storage, ...]) -> Storage:
    (storage,) = storages
    return storage


class Lender:
    """Lends a tensor through DLPack and through nothing else."""

    def __init__(self, x: torch.Tensor) -> None:
        self.x = x

    def __dlpack__(self, **how: Any) -> object:
        return self.x.__dlpack__(**how)

    def __dlpack_device__(self) -> object:
        return self.x.__dlpack_device__()


# The three answers


def test_even_and_odd_elements_share_a_storage_and_no_element() -> None:
    x = torch.arange(6)
    assert three(shared_memory(x[::2], x[1::2])) == (True, True, False)
    n = np.arange(6)
    assert three(shared_memory(n[::2], n[1::2])) == (True, True, False)


def test_two_halves_share_a_storage_and_nothing_else() -> None:
    x = torch.arange(6)
    assert three(shared_memory(x[:3], x[3:])) == (True, False, False)


def test_overlapping_slices_given_to_from_numpy_are_found() -> None:
    a = np.arange(8.0)
    met = shared_memory(torch.from_numpy(a[:5]), torch.from_numpy(a[3:]))
    assert three(met) == (False, True, True)
    assert len(met.storages) == 1


def test_empty_tensors_share_no_bytes() -> None:
    assert three(shared_memory(torch.empty(0), torch.empty(0))) == (False, False, False)
    x = torch.arange(6)
    met = shared_memory(x, x[:0])
    assert three(met) == (True, False, False)
    assert only(met.storages).nbytes == 48


def test_unrelated_meta_tensors_share_nothing_and_views_of_one_do() -> None:
    x, y = (torch.empty(4, 4, device="meta") for _ in range(2))
    assert three(shared_memory(x, y)) == (False, False, False)
    met = shared_memory(x[0], x[:, 0])
    assert three(met) == (True, True, True)
    assert met.owner == "none: a meta tensor has no memory"
    assert three(shared_memory(x[0], x[1])) == (True, False, False)


@pytest.mark.parametrize(
    "lend",
    [
        lambda b: memoryview(b)[4:],
        lambda b: np.frombuffer(b, np.float32)[1:],
        lambda b: torch.frombuffer(b, dtype=torch.float32)[1:],
        lambda b: Lender(torch.frombuffer(b, dtype=torch.float32)),
        lambda b: memoryview(np.frombuffer(b, np.uint8)[::-1]),
    ],
)
def test_whatever_lies_on_a_bytearray_is_found(lend: Callable[[bytearray], object]) -> None:
    b = bytearray(16)
    met = shared_memory(b, lend(b))
    assert met.elements_overlap is True
    assert met.owner == "bytearray"


def test_bytes_and_array_array_can_be_asked_about() -> None:
    text, numbers = b"tensor", array.array("f", [1, 2, 3])
    assert three(shared_memory(text, memoryview(text)[1:3])) == (True, True, True)
    assert shared_memory(numbers, np.frombuffer(numbers, np.float32)).elements_overlap is True
    assert three(shared_memory(text, numbers)) == (False, False, False)


def test_a_view_through_a_memoryview_has_the_same_owner() -> None:
    a = np.arange(6)
    met = shared_memory(memoryview(a[2:]), a)
    assert three(met) == (True, True, True)
    assert met.owner == "numpy"


def test_columns_of_pandas_lie_in_one_block() -> None:
    frame = pd.DataFrame(np.arange(6.0).reshape(3, 2), columns=["x", "y"])
    assert three(shared_memory(frame["x"], frame["y"]))[::2] == (True, False)
    assert shared_memory(frame["x"], frame["x"].to_numpy(copy=False)).elements_overlap is True
    assert shared_memory(frame["x"], frame["x"].to_numpy(copy=True)).elements_overlap is False


def test_the_storage_object_behind_dlpack_is_not_known() -> None:
    t = torch.arange(4)
    assert three(shared_memory(t, Lender(t))) == (None, True, True)
    assert three(shared_memory(t, np.from_dlpack(t))) == (None, True, True)
    lender = Lender(t)
    assert shared_memory(lender, lender).same_storage is True


def test_sparse_tensors_share_through_their_parts() -> None:
    s = torch.eye(3).to_sparse()
    assert shared_memory(s, s._values()).elements_overlap is True
    assert shared_memory(s, torch.eye(3).to_sparse()).elements_overlap is False


def test_too_much_work_is_not_decided() -> None:
    x = torch.empty(1, dtype=torch.int8, device="meta").expand(1)
    a = x.as_strided((40,) * 5, (3 * 10**8, 7 * 10**7, 9 * 10**6, 10**6 + 3, 10**5 + 1))
    b = x.as_strided((40,) * 5, (3 * 10**8 + 2, 7 * 10**7 + 5, 9 * 10**6, 10**6 + 9, 10**5 + 7), 50)
    met = shared_memory(a, b, max_work=1)
    assert (met.ranges_overlap, met.elements_overlap) == (True, None)
    assert "elements overlap     not decided" in repr(met)


def test_memory_out_of_sight_is_not_known() -> None:
    x = torch.ones(3).to_mkldnn()
    met = shared_memory(x, torch.ones(3))
    assert three(met) == (None, None, None)
    assert "a: torch does not say where the memory of a torch.Tensor is" in repr(met)


@pytest.mark.parametrize(
    ("bad", "text"),
    [
        ([1], "or an object with __dlpack__ or __array_interface__, but got a list"),
        (pd.DataFrame({"x": [1], "y": [2]}), "expected b to be one column, but got a pandas.*DataFrame"),
        (
            pd.Series([1, None], dtype="Int64"),
            "cannot see b, a pandas.*Series of Int64: its bytes are in no NumPy array that pandas",
        ),
        (np.float32(3), r"expected b to be an array, but got a numpy.float32: a scalar shows copies of its bytes"),
        (pd.Timestamp("2020"), "cannot see b, a pandas.*Timestamp: its bytes are in no NumPy array"),
        (pd.RangeIndex(3), "cannot see b: a pandas.*RangeIndex has no elements in memory, they are made when"),
    ],
)
def test_what_holds_no_bytes_is_refused(bad: object, text: str) -> None:
    with pytest.raises(TypeError, match=text):
        shared_memory(torch.ones(2), bad)


def test_a_released_memoryview_is_refused() -> None:
    view = memoryview(b"abc")
    view.release()
    with pytest.raises(TypeError, match="cannot see b, a memoryview, as an array: operation forbidden on released"):
        shared_memory(torch.ones(2), view)


def test_the_same_name_twice_is_refused() -> None:
    with pytest.raises(TypeError, match="alias_groups got two objects by the name a"):
        alias_groups({"a": torch.ones(1)}, a=torch.ones(1))
    with pytest.raises(TypeError, match="alias_groups expected names to be strings, but got 3"):
        alias_groups({3: torch.ones(1)})  # type: ignore[dict-item]


def test_bad_names_and_bad_work_are_refused() -> None:
    with pytest.raises(
        TypeError, match=r"memory_map expected objects by name, such as memory_map\(a=a, b=b\), but got"
    ):
        memory_map()
    with pytest.raises(TypeError, match="alias_groups expected named to be a dictionary, but got a list"):
        alias_groups([torch.ones(1)])  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="max_work to be a whole number above 0, but got 0"):
        shared_memory(torch.ones(1), torch.ones(1), max_work=0)


# Owners and holders


def test_an_array_that_owns_its_bytes_is_named() -> None:
    a = np.zeros((3, 4), np.float32)
    storage = only(memory_map(t=torch.from_numpy(a), a=a).storages)
    assert (storage.owner, storage.owner_names) == ("numpy", ("a",))
    assert storage.keepers == ("t", "a")
    assert "owner a (numpy.ndarray)" in repr(memory_map(t=torch.from_numpy(a), a=a))


def test_every_tensor_on_a_storage_is_counted() -> None:
    x = torch.arange(6)
    assert only(shared_memory(x, x[1:]).storages).others == 0
    more = [x[2:], x.detach()]
    storage = only(shared_memory(x, x[1:]).storages)
    assert (storage.others, storage.counted) == (len(more), "tensor")
    assert "by 2 other tensors that cannot be named" in repr(shared_memory(x, x[1:]))


def test_the_base_that_a_view_keeps_alive_is_told() -> None:
    head = torch.empty(1000)[:10]
    storage = only(memory_map(head=head).storages)
    assert storage.keepers == ("head", "the base of head")
    assert (storage.others, storage.nbytes, storage.reached) == (0, 4000, 40)
    assert "40 B keep 4,000 B alive" in repr(memory_map(head=head))


def test_references_to_an_array_are_counted() -> None:
    a = np.zeros(6)
    view = a[1:]
    assert only(shared_memory(a, view).storages).others == 0
    others = [a, a[2:], torch.from_numpy(a)]
    storage = only(shared_memory(a, view).storages)
    assert (storage.others, storage.counted) == (len(others), "reference")
    assert only(alias_groups(a=a, view=view).storages).others == len(others)
    assert only(memory_map(view=view).storages).others == len(others) + 1


def test_a_tensor_on_borrowed_memory_may_be_one_of_the_holders() -> None:
    a = np.zeros(6)
    t = torch.from_numpy(a)
    text = repr(shared_memory(a, t))
    assert "by 1 other reference, perhaps that of torch for b" in text


def test_an_object_that_never_dies_has_no_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tutor._mapping.seeing._IMMORTAL", 1)
    a = bytearray(3)
    found = alias_groups(a=a)
    assert only(found.storages).others is None
    assert "and perhaps others: that is not counted here" in repr(found)


def test_torch_alone_does_not_say_who_lends() -> None:
    t = torch.from_numpy(np.zeros(3))
    assert only(memory_map(t=t).storages).owner == "not known: torch shares it with another library"


def test_parts_of_sparse_and_masked_arrays_have_names() -> None:
    masked = np.ma.masked_array([1.0, 2], [True, False])
    drawn = memory_map(s=torch.eye(2).to_sparse(), m=masked, plain=np.ma.masked_array([1.0]))
    names = [bar.name for storage in drawn.storages for bar in storage.bars]
    assert names == ["s indices", "s values", "m data", "m mask", "plain data"]
    assert [storage.gaps for storage in drawn.storages] == [()] * 5


def test_a_tensor_larger_than_its_storage_is_told() -> None:
    x = torch.ones(4)
    x.untyped_storage().resize_(8)
    storage = only(memory_map(x=x).storages)
    assert (storage.nbytes, storage.bars[0].spans, storage.bars[0].past_end) == (8, ((0, 8),), 8)
    assert "claims 8 B past the end of its storage: to use them can end the process" in repr(memory_map(x=x))


@pytest.mark.filterwarnings("ignore")
def test_elements_smaller_than_a_byte_are_not_placed() -> None:
    q = torch.quantize_per_channel(torch.ones(2, 2), torch.ones(2), torch.zeros(2), 0, torch.quint4x2)
    drawn = memory_map(q=q)
    assert drawn.storages == ()
    assert repr(drawn) == "q: its elements are smaller than a byte"


def test_shared_memory_of_processes_is_told() -> None:
    assert only(memory_map(x=torch.ones(3).share_memory_()).storages).owner == "torch, in shared memory"


# Alias groups


def test_names_are_grouped_by_common_bytes() -> None:
    x = torch.arange(12)
    found = alias_groups(low=x[:6], middle=x[4:8], high=x[7:], apart=x.clone(), empty=x[:0])
    assert found.groups == (("low", "middle", "high"),)
    assert found.alone == ("apart", "empty")
    assert [storage.keepers[0] for storage in found.storages] == ["low", "apart"]
    assert "= low, middle and high reach the same bytes" in repr(found)


def test_groups_may_lie_in_one_storage() -> None:
    x = torch.arange(12)
    found = alias_groups({"even": x[::2], "odd": x[1::2]}, evens=x[::2][1:], first_odd=x[1:2])
    assert found.groups == (("even", "evens"), ("odd", "first_odd"))
    assert len(found.storages) == 1


def test_many_names_are_grouped() -> None:
    x = torch.zeros(4000)
    found = alias_groups({f"row{i}": x[4 * i : 4 * i + 4] for i in range(1000)}, all=x)
    assert len(found.groups) == 1
    assert len(found.groups[0]) == 1001
    assert "and 993 more reach the same bytes" in repr(found)


# The text twin


def test_the_text_of_a_map() -> None:
    a = np.zeros((3, 4), np.float32)
    t = torch.from_numpy(a)
    lines = repr(memory_map(a=a, t=t, col=t[:, 1], flipped=t.flip(0))).splitlines()
    assert lines[:5] == [
        "48 B on cpu, owner a (numpy.ndarray)",
        "  element     0  1  2  3  4  5  6  7  8  9 10 11  offset  strides  bytes seen",
        "= a         [==================================]       0   (4, 1)  48 of 48 B",
        "= t         [==================================]       0   (4, 1)  48 of 48 B",
        "= col          [=]         [=]         [=]             1     (4,)  12 of 48 B",
    ]
    assert "  flipped   [==================================]       0   (4, 1)  48 of 48 B" in lines


def test_the_text_of_repeated_and_of_skipped_bytes() -> None:
    text = repr(memory_map(one=torch.ones(1).expand(1000), big=torch.empty(10**6, 10**6, device="meta")[:, ::2]))
    assert "the same 4 B, 1,000 times; 4,000 B if it is copied" in text
    assert "3.6 TiB on meta, owner none: a meta tensor has no memory" in text
    assert "4 B of every 8 B" in text
    assert "1.8 TiB that no name reaches" in text


def test_offsets_in_bytes_where_elements_do_not_fit() -> None:
    a = np.zeros(13, np.uint8)[1:].view(np.float32)
    text = " ".join(repr(memory_map(a=a)).split())
    assert "1 B (4,) B 12 of 13 B" in text


# No trace


def test_nothing_is_kept_alive() -> None:
    a = np.zeros(6)
    t = torch.zeros(6)
    gone = [weakref.ref(a), weakref.ref(t)]
    facts = [shared_memory(a, t), alias_groups(a=a, t=t), memory_map(a=a, t=t)]
    del a, t
    gc.collect()
    assert [ref() for ref in gone] == [None, None]
    assert len(facts) == 3


def test_a_bytearray_can_grow_afterwards() -> None:
    b = bytearray(8)
    shared_memory(b, b)
    memory_map(b=b)
    b.append(1)
    assert len(b) == 9


def test_no_warning_is_used_up() -> None:
    a = np.zeros(3)
    a.flags.writeable = False
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        memory_map(a=a, s=pd.Series([1, 2]), b=b"abc", t=Lender(torch.ones(2)))
        assert heard == []


def test_a_lazy_copy_stays_uncopied() -> None:
    x = torch.arange(4.0)
    y = torch._lazy_clone(x)
    shared_memory(x, y)
    memory_map(y=y)
    # an older torch has no way to ask for an address that leaves it lazy
    assert torch._C._is_cow_tensor(y) is hasattr(torch.Tensor, "const_data_ptr")


def test_a_map_is_plain_data() -> None:
    drawn = memory_map(t=torch.zeros(2, 3))
    (bar,) = only(drawn.storages).bars
    assert (bar.name, bar.kind, bar.itemsize, bar.shape, bar.strides) == ("t", "torch.Tensor", 4, (2, 3), (3, 1))
    assert (bar.elements, bar.bytes_seen, bar.spans) == (math.prod(bar.shape), 24, ((0, 24),))
    assert drawn == memory_map(t=torch.zeros(2, 3))
