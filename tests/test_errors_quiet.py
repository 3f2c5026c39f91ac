"""`explain` looks, and leaves no trace: nothing of the learner's runs, changes, stays alive or is printed."""

from __future__ import annotations

import gc
import random
import sys
import threading
import tracemalloc
import warnings
import weakref
from collections.abc import Callable

import numpy as np
import pytest
import torch
from torch import nn

from tests.errors_help import caught, explained
from tutor import explain

CALLED: list[str] = []


class Loud:
    """Everything that can be asked of it is noted."""

    weights = torch.ones(2, 3)

    @property
    def batch(self) -> torch.Tensor:
        CALLED.append("property")
        return torch.ones(2, 3)

    def __getattr__(self, name: str) -> object:
        CALLED.append(f"getattr {name}")
        raise AttributeError(name)

    def __getitem__(self, key: object) -> torch.Tensor:
        CALLED.append("getitem")
        return torch.ones(2, 3)

    def __repr__(self) -> str:
        CALLED.append("repr")
        return "loud"

    def __len__(self) -> int:
        CALLED.append("len")
        return 2

    def __eq__(self, other: object) -> bool:
        CALLED.append("eq")
        return False

    def __hash__(self) -> int:
        CALLED.append("hash")
        return 1

    def rows(self) -> torch.Tensor:
        CALLED.append("method")
        return torch.ones(2, 3)


class LoudList(list):  # type: ignore[type-arg]
    """A list with a reading of its own."""

    def __getitem__(self, key: object) -> object:
        CALLED.append("getitem of a list")
        return list.__getitem__(self, key)  # type: ignore[index]

    def __iter__(self) -> object:  # type: ignore[override]
        CALLED.append("iter of a list")
        return list.__iter__(self)

    def __len__(self) -> int:
        CALLED.append("len of a list")
        return list.__len__(self)


class LoudTensor(torch.Tensor):
    """A subclass that notes what torch does with it."""

    @classmethod
    def __torch_function__(cls, func: object, types: object, args: object = (), kwargs: object = None) -> object:
        CALLED.append(f"torch function {func}")
        return super().__torch_function__(func, types, args, kwargs or {})  # type: ignore[arg-type]

    def __repr__(self) -> str:  # type: ignore[override]
        CALLED.append("repr of a tensor")
        raise RuntimeError


class OwnTensor(torch.Tensor):
    """A subclass without code of its own."""


class LoudLayer(nn.Module):
    """A layer that notes what is asked of it."""

    def __init__(self) -> None:
        super().__init__()
        self.inner = nn.Linear(3, 2)

    def __getattr__(self, name: str) -> object:
        CALLED.append(f"getattr of a layer {name}")
        return super().__getattr__(name)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        CALLED.append("forward")
        return self.inner(x)

    def parameters(self, recurse: bool = True) -> object:  # type: ignore[override]
        CALLED.append("parameters")
        return super().parameters(recurse)


def own_property() -> object:
    loud = Loud()
    return loud.batch @ loud.weights


def own_getitem() -> object:
    loud = Loud()
    return loud[0] @ loud[1]


def own_method() -> object:
    loud = Loud()
    return loud.rows() @ loud.rows()


def own_list() -> object:
    rows = LoudList([torch.ones(2, 3), torch.ones(2, 3)])
    return rows[0] @ rows[1]


def own_tensor() -> object:
    x = torch.ones(2, 3).as_subclass(LoudTensor)
    return x @ x


def own_layer() -> object:
    layer, x = LoudLayer(), torch.ones(4, 5)
    return layer(x)


def own_hook() -> object:
    layer, x = nn.Linear(3, 2), torch.ones(4, 5)
    layer.register_forward_pre_hook(lambda *_: CALLED.append("hook"))
    return layer(x)


def own_operand() -> object:
    loud = Loud()
    return torch.ones(2) + loud


def own_function() -> object:
    def noted(x: torch.Tensor) -> torch.Tensor:
        CALLED.append("function")
        return x

    x = torch.ones(2, 3)
    return noted(x) @ noted(x)


@pytest.mark.parametrize(
    "provoke",
    [own_property, own_getitem, own_method, own_list, own_tensor, own_layer, own_hook, own_operand, own_function],
)
def test_no_code_of_the_learner_is_run(provoke: Callable[[], object]) -> None:
    error = caught(provoke)
    CALLED.clear()
    told = explain(error)
    repr(told)
    told._repr_html_()
    assert CALLED == []
    assert told.expression


def broken_by_dtype() -> object:
    layer, x = nn.Linear(3, 2), torch.ones(4, 3, dtype=torch.float64)
    return layer(x)


def dropped_out() -> object:
    x = torch.ones(4, 3)
    return torch.nn.functional.dropout(x) @ torch.rand(4, 3)


def byte_mask() -> object:
    x, mask = torch.ones(2, 3), torch.tensor([1, 0, 1], dtype=torch.uint8)
    return x[mask]


def turned() -> object:
    x = torch.ones(2, 3, 4)
    return x.T @ torch.ones(5)


@pytest.mark.parametrize("provoke", [broken_by_dtype, dropped_out, byte_mask, turned])
def test_random_numbers_and_warnings_stay_as_they_are(
    provoke: Callable[[], object], capfd: pytest.CaptureFixture[str]
) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        error: BaseException | None = None
        try:
            provoke()
        except RuntimeError as failed:
            error = failed
        except IndexError as failed:
            error = failed
    assert error is not None
    capfd.readouterr()
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        filters, always = list(warnings.filters), torch.is_warn_always_enabled()
        before = torch.get_rng_state().clone(), random.getstate(), np.random.get_state()[1].copy()
        grad, threads = torch.is_grad_enabled(), torch.get_num_threads()
        repr(explain(error))
        assert torch.equal(torch.get_rng_state(), before[0])
        assert random.getstate() == before[1]
        assert (np.random.get_state()[1] == before[2]).all()
        assert (warnings.filters, torch.is_warn_always_enabled()) == (filters, always)
        assert (torch.is_grad_enabled(), torch.get_num_threads()) == (grad, threads)
    assert heard == []
    assert capfd.readouterr() == ("", "")


def test_nothing_is_kept_alive() -> None:
    class Kept:
        pass

    def fail() -> object:
        kept = Kept()
        layer, x = nn.Linear(3, 2), torch.ones(4, 3, dtype=torch.float64)
        watched.extend([weakref.ref(kept), weakref.ref(layer), weakref.ref(x)])
        return layer(x.t().t())

    watched: list[weakref.ref[object]] = []
    error = caught(fail)
    told = explain(error)
    assert told.correction is not None
    del error
    gc.collect()
    assert [one() for one in watched] == [None] * 3
    assert "x" in repr(told)


def test_a_function_that_goes_on_can_still_delete() -> None:
    watched: list[weakref.ref[object]] = []

    def run() -> None:
        x = torch.ones(2, 3)
        watched.append(weakref.ref(x))
        try:
            x @ x
        except RuntimeError as error:
            explain(error)
        del x
        gc.collect()
        assert watched[0]() is None

    run()


def test_operands_stay_as_they_are() -> None:
    w = torch.ones(3, requires_grad=True)
    counts, a = torch.tensor([1, 2]), np.arange(3.0)
    a.flags.writeable = False
    loss = (w * w).sum()
    loss.backward()

    def step() -> None:
        nonlocal counts
        counts /= 2

    versions = w._version, counts._version
    grad = w.grad

    def again() -> None:
        loss.backward()

    for fail in (again, lambda: w.add_(1), step, lambda: torch.from_numpy(a)):
        explained(fail)
    assert (w._version, counts._version) == versions
    assert w.grad is grad
    assert grad is not None
    assert grad.tolist() == [2.0, 2.0, 2.0]
    assert counts.tolist() == [1, 2]
    assert a.tolist() == [0.0, 1.0, 2.0]
    assert not a.flags.writeable


def odd_operands() -> list[object]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return [
            torch.empty(2**20, 2**20, device="meta"),
            torch.empty(1).expand(2**30, 2**9),
            torch.eye(3).to_sparse(),
            torch.eye(4).to_sparse_csr(),
            torch.quantize_per_tensor(torch.ones(2, 3), 0.1, 0, torch.quint8),
            torch.nested.nested_tensor([torch.ones(2), torch.ones(3)]),
            torch.ones(2, 3).as_subclass(OwnTensor),
            np.zeros((2, 3), dtype=[("a", "f4"), ("b", "i8")]),
            np.ma.masked_array([1.0, 2.0], [True, False]),
            np.zeros((0, 3)),
            nn.parameter.UninitializedParameter(),
            torch.ones(2, 3).to(torch.float8_e4m3fn),
            torch.nn.utils.rnn.pack_sequence([torch.ones(2)]),
            list(range(10**6)),
            "x" * 10**6,
            10**5000,
            Loud(),
        ]


@pytest.mark.parametrize("number", range(17))
def test_odd_operands_are_told_cheaply(number: int) -> None:
    odd = odd_operands()[number]
    right = torch.ones(5, 7, dtype=torch.float64)

    def fail() -> object:
        return torch.matmul(right, odd)  # type: ignore[arg-type]

    error = caught(fail)
    tracemalloc.start()
    told = explain(error)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 8_000_000
    assert told.expression == "torch.matmul(right, odd)"
    assert "right" in [one.name for one in told.operands]
    assert len(repr(told)) < 4_000
    assert "<div" in told._repr_html_()


def test_a_meta_tensor_of_4_terabytes_is_explained_and_corrected() -> None:
    def fail() -> object:
        x = torch.empty(2**20, 2**20, device="meta")
        return x.t().view(2**40)

    told = explained(fail)
    assert told.kind == "view and strides"
    assert told.correction is not None
    assert told.correction.code == "x.t().reshape(2 ** 40)"


def test_what_a_line_would_do_elsewhere_is_not_done(tmp_path: object) -> None:
    path = f"{tmp_path}/saved"

    def fail() -> object:
        x = torch.ones(2, 3)
        return x @ (x, torch.save(x, path), x.numpy().tofile(path))[0]

    error = caught(fail)
    with open(path, "wb") as file:
        file.truncate(0)
    told = explain(error)
    with open(path, "rb") as file:
        assert file.read() == b""
    assert told.kind == "sizes of a matrix product"
    assert told.correction is None


def test_a_line_that_would_make_something_large_is_not_run() -> None:
    def fail() -> object:
        x = torch.ones(2, 3)
        return x @ torch.zeros(2**16, 2**16, device="meta").to_dense()[:2, :3].new_zeros(2**8, 2**9)

    told = explained(fail)
    assert told.correction is None


def test_from_another_thread() -> None:
    told: list[object] = []
    error = caught(broken_by_dtype)
    thread = threading.Thread(target=lambda: told.append(explain(error)))
    thread.start()
    thread.join()
    assert told == [explain(error)]


def test_the_modes_that_are_on_do_not_change_it() -> None:
    error = caught(broken_by_dtype)
    plain = explain(error)
    with torch.inference_mode():
        assert explain(error) == plain
    with torch.no_grad(), torch.autocast("cpu"):
        assert explain(error) == plain
    with torch.device("meta"):
        assert explain(error) == plain
    assert sys.exception() is None
