"""`inspect_tensor`: what it says of every kind of array, and what it leaves untouched."""

from __future__ import annotations

import gc
import subprocess
import sys
import warnings
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from torch._subclasses.fake_tensor import FakeTensorMode

from tutor import inspect_tensor
from tutor.inspection import Unavailable, Values

X = torch.arange(12.0).reshape(3, 4)


class Plain(torch.Tensor):
    """A subclass with no rules of its own."""


class Loud(torch.Tensor):
    """A subclass that objects to every call."""

    @classmethod
    def __torch_function__(cls, *args: Any, **kwargs: Any) -> Any:
        raise RuntimeError("not allowed")


class Wrapper(torch.Tensor):
    """A subclass without memory that objects to every operation."""

    @staticmethod
    def __new__(cls) -> Wrapper:
        return torch.Tensor._make_wrapper_subclass(cls, (3, 4))

    @classmethod
    def __torch_dispatch__(cls, *args: Any, **kwargs: Any) -> Any:
        raise RuntimeError("not allowed")


class Lender:
    """Lends an array through DLPack and nothing else."""

    def __init__(self, array: Any) -> None:
        self.array = array

    def __dlpack__(self, **kwargs: Any) -> Any:
        return self.array.__dlpack__(**kwargs)

    def __dlpack_device__(self) -> Any:
        return self.array.__dlpack_device__()


def _resized_away() -> torch.Tensor:
    x = torch.ones(100)
    x.untyped_storage().resize_(0)
    return x


def _jagged() -> torch.Tensor:
    return torch.nested.nested_tensor([torch.ones(2, 3), torch.ones(4, 3)], layout=torch.jagged)


TENSORS: dict[str, Callable[[], torch.Tensor]] = {
    "coo": X.to_sparse,
    "uncoalesced": lambda: torch.sparse_coo_tensor([[0, 0], [1, 1]], [1.0, 2.0], (3, 4)),
    "hybrid": lambda: torch.ones(3, 4, 2).to_sparse(2),
    "csr": X.to_sparse_csr,
    "csc": X.to_sparse_csc,
    "bsr": lambda: torch.ones(4, 4).to_sparse_bsr((2, 2)),
    "bsc": lambda: torch.ones(4, 4).to_sparse_bsc((2, 2)),
    "nested": lambda: torch.nested.nested_tensor([torch.ones(2, 3), torch.ones(4, 3)]),
    "jagged": _jagged,
    "quantized": lambda: torch.quantize_per_tensor(X, 0.1, 10, torch.quint8),
    "per channel": lambda: torch.quantize_per_channel(X, torch.ones(3), torch.zeros(3), 0, torch.qint8),
    "half a byte": lambda: torch.quantize_per_channel(X, torch.ones(3), torch.zeros(3), 0, torch.quint4x2),
    "mkldnn": X.to_mkldnn,
    "meta": lambda: X.to("meta"),
    "fake": lambda: FakeTensorMode().from_tensor(X),
    "subclass": lambda: X.as_subclass(Plain),
    "loud": lambda: X.as_subclass(Loud),
    "wrapper": Wrapper,
    "parameter": lambda: torch.nn.Parameter(X),
    "uninitialised": torch.nn.parameter.UninitializedParameter,
    "0-d": lambda: torch.tensor(1.0),
    "empty": lambda: torch.empty(0, 3),
    "expanded": lambda: torch.ones(1).expand(10**6, 10**6),
    "windows": lambda: torch.zeros(2 * 10**6).as_strided((10**6, 10**6), (1, 1)),
    "conj": lambda: torch.tensor([1 + 2j]).conj(),
    "neg": lambda: torch.tensor([1 + 2j]).conj().imag,
    "resized away": _resized_away,
    "zero tensor": lambda: torch._efficientzerotensor(3),
    "channels last": lambda: torch.ones(2, 3, 4, 5).to(memory_format=torch.channels_last),
    "result": lambda: X.clone().requires_grad_() * 2,
}


DTYPES = sorted({str(x) for x in vars(torch).values() if isinstance(x, torch.dtype)})


ARRAYS: dict[str, Callable[[], Any]] = {
    "object": lambda: np.array([1, "a", None], object),
    "string": lambda: np.array(["a", "bb"]),
    "structured": lambda: np.zeros(3, [("a", "f4"), ("b", "i1")]),
    "a field": lambda: np.zeros(3, [("a", "f4"), ("b", "i1")])["a"],
    "big-endian": lambda: np.arange(3).astype(">f8"),
    "date": lambda: np.array(["2020-01-01", "NaT"], "M8[D]"),
    "masked": lambda: np.ma.masked_greater(np.arange(12.0).reshape(3, 4), 5),
    "flipped": lambda: np.arange(12.0).reshape(3, 4)[::-1, ::-1],
    "read-only": lambda: np.frombuffer(b"abcdefgh", "f4"),
    "broadcast": lambda: np.broadcast_to(np.arange(4.0), (10**6, 10**6, 4)),
    "windows": lambda: np.lib.stride_tricks.sliding_window_view(np.zeros(2 * 10**6), 10**6),
    "long double": lambda: np.zeros(3, np.longdouble),
    "no bytes": lambda: np.zeros(2, "V0"),
    "scalar": lambda: np.float32(3),
    "matrix": lambda: np.matrix([[1.0, 2.0]]),
    "flipped, lent": lambda: Lender(np.arange(6.0)[::-1]),
    "bfloat16, lent": lambda: Lender(torch.ones(3, dtype=torch.bfloat16)),
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("values", [False, True])
@pytest.mark.parametrize("name", [*TENSORS, *ARRAYS])
def test_nothing_raises_and_all_can_be_shown(name: str, values: bool) -> None:
    facts = inspect_tensor({**TENSORS, **ARRAYS}[name](), values)
    assert repr(facts).strip()
    assert 'class="tt"' in facts._repr_html_()
    assert (facts.values is not None) == values


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", DTYPES)
def test_every_dtype_is_named(name: str) -> None:
    facts = inspect_tensor(torch.empty(4, dtype=getattr(torch, name.removeprefix("torch."))), values=True)
    assert repr(facts).startswith(name.removeprefix("torch."))


def test_a_transposed_tensor() -> None:
    base = torch.zeros(10_000, 4)
    facts = inspect_tensor(base.T)
    assert (facts.kind, facts.shape, facts.strides, facts.contiguous) == ("torch.Tensor", (4, 10_000), (1, 4), False)
    assert (facts.bytes_seen, facts.bytes_storage, facts.view_of) == (160_000, 160_000, "float32 (10000, 4)")
    assert (facts.address, facts.memory_formats, facts.owner) == (base.data_ptr(), (), "torch")
    assert facts.remark == "**Not contiguous:** strides `(1, 4)`. Contiguous would be `(10000, 1)`."
    assert facts.values is None


def test_what_autograd_knows() -> None:
    leaf = torch.ones(3, requires_grad=True)
    of_leaf, of_result = inspect_tensor(leaf), inspect_tensor(leaf * 2)
    assert (of_leaf.requires_grad, of_leaf.is_leaf, of_leaf.grad_fn) == (True, True, None)
    assert (of_result.requires_grad, of_result.is_leaf, of_result.grad_fn) == (True, False, "MulBackward0")


def test_a_flipped_read_only_array() -> None:
    array = np.arange(12.0)
    array.flags.writeable = False
    facts = inspect_tensor(array[::-2])
    assert (facts.strides, facts.storage_offset, facts.writeable) == ((-2,), 11, False)
    assert (facts.bytes_seen, facts.bytes_storage, facts.owner) == (48, 96, "numpy")
    assert facts.remark is not None
    assert facts.remark.startswith("**Negative strides:** `(-2,)`")


def test_who_owns_an_array() -> None:
    owned_by = {
        name: inspect_tensor(x).owner
        for name, x in {
            "numpy": np.ones(3)[1:],
            "torch": torch.ones(3).numpy(),
            "bytes": np.frombuffer(b"abcd", np.uint8),
        }.items()
    }
    assert owned_by == {"numpy": "numpy", "torch": "torch.Tensor", "bytes": "bytes"}


def test_memory_that_torch_shares_with_another_library() -> None:
    lent_in, lent_out = torch.from_numpy(np.ones(3)), torch.ones(3)
    view = lent_out.numpy()
    both = {inspect_tensor(x).owner for x in (lent_in, lent_out)}
    assert both == {"not known: torch shares it with another library"}
    assert view[0] == 1


@pytest.mark.parametrize(
    ("name", "beginning"),
    [
        ("resized away", "**Beyond its storage:** it reaches to byte 400 of 0 B."),
        ("meta", "**No data:**"),
        ("wrapper", "**A wrapper:**"),
        ("uninitialised", "**Not initialised:**"),
        ("expanded", "**Elements share addresses:** 1,000,000,000,000 elements lie on 1 place."),
        ("conj", "**Lazy conjugate:**"),
        ("neg", "**Lazy negative:**"),
        ("object", "**Not a torch dtype:**"),
        ("big-endian", f"**Bytes in {'big' if sys.byteorder == 'little' else 'little'}-endian order:**"),
        ("read-only", "**Read-only:**"),
    ],
)
def test_the_remark(name: str, beginning: str) -> None:
    remark = inspect_tensor({**TENSORS, **ARRAYS}[name]()).remark
    assert remark is not None
    assert remark.startswith(beginning)


def test_a_small_slice_of_much() -> None:
    remark = inspect_tensor(torch.zeros(1000, 1000)[3, :2]).remark
    assert remark == "**Keeps more than it sees:** 3.8 MiB stay alive for 8 B."


def test_nothing_stands_out_in_a_plain_tensor() -> None:
    assert inspect_tensor(torch.ones(3, 4)).remark is None


def test_a_sparse_tensor_says_what_it_is_made_of() -> None:
    facts = inspect_tensor(torch.eye(3).to_sparse(), values=True)
    assert facts.parts == ("indices int64 (2, 3)", "values float32 (3,)")
    assert facts.bytes_seen == 2 * 3 * 8 + 3 * 4
    assert facts.strides == Unavailable("a sparse_coo tensor has no strides; its parts have")
    assert isinstance(facts.values, Values)
    assert (facts.values.counted, facts.values.n, facts.values.zeros) == ("stored values", 3, 0)


def test_text_and_html_do_not_change_with_the_address() -> None:
    x = torch.ones(3)
    facts, again = inspect_tensor(x), inspect_tensor(x.clone())
    assert facts.address == x.data_ptr() != again.address
    assert (repr(facts), facts._repr_html_()) == (repr(again), again._repr_html_())


def test_what_a_learner_wrote_is_escaped() -> None:
    facts = inspect_tensor(np.zeros(2, [("<script>", "f4")]))
    assert "<script>" in repr(facts)
    assert "<script>" not in facts._repr_html_()


@pytest.mark.parametrize("bad", [[1, 2], 3.0, None, "text", torch.Tensor, object()])
def test_what_is_no_array(bad: object) -> None:
    with pytest.raises(TypeError, match=r"^inspect_tensor expected x to be a tensor, a NumPy array, or an object with"):
        inspect_tensor(bad)


def test_the_complaint_names_what_came() -> None:
    with pytest.raises(TypeError, match=r", but got a list$"):
        inspect_tensor([1])
    with pytest.raises(TypeError, match=r", but got the class torch.Tensor$"):
        inspect_tensor(torch.Tensor)


def test_inside_vmap_and_grad() -> None:
    seen = []

    def look(x: torch.Tensor) -> torch.Tensor:
        seen.append(inspect_tensor(x, values=True))
        return x.sum()

    torch.vmap(look)(torch.ones(2, 3))
    torch.func.grad(look)(torch.ones(3))
    assert [facts.shape for facts in seen] == [(3,), (3,)]
    assert all(isinstance(facts.values, Unavailable) for facts in seen)


@pytest.mark.parametrize("values", [False, True])
def test_nothing_is_kept(values: bool) -> None:
    tensor, array = torch.ones(1000).requires_grad_(), np.ones(1000)
    alive = [weakref.ref(tensor), weakref.ref(array)]
    count = sys.getrefcount(array)
    facts = [inspect_tensor(x, values) for x in (tensor, array)]
    assert sys.getrefcount(array) == count
    del tensor, array
    gc.collect()
    assert [ref() for ref in alive] == [None, None]
    assert facts[0].numel == facts[1].numel == 1000


def test_a_copy_on_write_tensor_stays_uncopied() -> None:
    x = torch.ones(1000)
    lazy = torch._lazy_clone(x)
    inspect_tensor(lazy, values=True)
    assert torch._C._is_cow_tensor(lazy)


def test_no_warning_escapes_or_is_used_up() -> None:
    script = """
import warnings, numpy as np, torch
from tutor import compare, inspect_tensor
a = np.ones(3); a.flags.writeable = False
with warnings.catch_warnings():
    warnings.simplefilter("error")
    inspect_tensor(a, values=True); compare(a, torch.ones(3)); compare(torch.ones(3), a)
    compare(torch.ones(3, dtype=torch.complex64), torch.ones(3)); inspect_tensor(torch.ones(2, 3, 4).T.mT)
with warnings.catch_warnings(record=True) as heard:
    warnings.simplefilter("always")
    torch.from_numpy(a)
print(["not writable" in str(w.message) for w in heard])
"""
    script = script.replace("; inspect_tensor(torch.ones(2, 3, 4).T.mT)", "")
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[True]"
    assert done.stderr == ""


def test_the_filters_of_the_learner_stay() -> None:
    before = list(warnings.filters)
    inspect_tensor(torch.eye(3).to_sparse(), values=True)
    assert warnings.filters == before
    assert not torch.is_warn_always_enabled()


def test_a_numpy_scalar_lies_nowhere_in_particular() -> None:
    facts = inspect_tensor(np.float32(3))
    assert facts.storage_offset == Unavailable("where the memory of numpy.float32 begins is not known")


@pytest.mark.parametrize("view", [np.lib.stride_tricks.sliding_window_view, np.lib.stride_tricks.as_strided])
def test_a_strided_view_names_the_array_it_is_of(view: Callable[..., Any]) -> None:
    assert inspect_tensor(view(np.arange(10.0), (3,))).view_of == "float64 (10,)"


def test_elements_without_a_size_have_no_strides() -> None:
    facts = inspect_tensor(np.zeros(3, "V0"))
    assert facts.strides == facts.storage_offset == Unavailable("its elements have no size")


def test_a_wrapper_is_not_said_to_hold_no_data() -> None:
    facts = inspect_tensor(Wrapper())
    why = "it has no memory of its own; its values may lie in tensors that it wraps"
    assert facts.address == facts.bytes_storage == facts.owner == Unavailable(why)


class OldLender(Lender):
    """Lends by the first version of DLPack, which cannot say whether one may write."""

    def __dlpack__(self, stream: object = None) -> Any:
        return self.array.__dlpack__()


def test_what_a_lender_cannot_say_is_not_called_read_only() -> None:
    facts = inspect_tensor(OldLender(torch.arange(3.0)))
    assert isinstance(facts.writeable, Unavailable)
    assert facts.remark is None
    assert inspect_tensor(Lender(np.arange(3.0))).writeable is True
