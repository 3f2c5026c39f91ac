"""What else may be going on while `xray` watches, and that it leaves everything as it was."""

from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Callable

import numpy as np
import pytest
import torch
from torch.overrides import TorchFunctionMode, _get_current_function_mode_stack, _len_torch_function_stack

from tests.tracing_help import told
from tutor import xray

X = torch.arange(6.0).reshape(2, 3)
ARRAY = np.zeros(4, np.float32)


def test_backward_belongs_to_its_line() -> None:
    w = torch.ones(3, requires_grad=True)
    loss = (w * w).sum()
    with xray() as seen:
        loss.backward()
    assert seen.events
    assert {event.source for event in seen.events} == {"loss.backward()"}
    assert w.grad is not None
    assert w.grad.tolist() == [2, 2, 2]


def test_a_gradient_that_is_computed_in_another_way_is_said() -> None:
    with xray() as seen:
        X.clone().requires_grad_().prod()
    assert seen.notes
    assert "prod" in repr(seen)


def test_autocast_casts_are_seen() -> None:
    with xray() as seen, torch.autocast("cpu", dtype=torch.bfloat16):
        X @ X.T
    assert told(seen).count(("cast", "_to_copy", 12)) == 2


@pytest.mark.parametrize("mode", [torch.no_grad, torch.inference_mode])
def test_without_autograd(mode: type[torch.no_grad]) -> None:
    with xray() as seen, mode():
        X.contiguous()
        y = X.T.contiguous()
        y.double()
        bool(y[0, 0])
    kinds = [event.kind for event in seen.events if event.op not in ("select", "permute", "numpy_T")]
    assert kinds == ["view", "copy", "cast", "wait"]


def test_vmap_and_grad() -> None:
    def f(row: torch.Tensor) -> torch.Tensor:
        return (row.reshape(3, 1).clone() * 2).sum()

    bare = torch.vmap(torch.func.grad(f))(X)
    with xray() as seen:
        watched = torch.vmap(torch.func.grad(f))(X)
    assert torch.equal(bare, watched)
    assert ("copy", "clone", 24) in told(seen)
    assert seen.notes == ()


def test_nested() -> None:
    with xray() as outer:
        X.clone()
        with xray() as inner:
            torch.from_numpy(ARRAY)
            X.double()
            torch.Tensor(ARRAY)
        X.view(6)
    within = [("view", "from_numpy", 16), ("cast", "_to_copy", 48), ("view", "Tensor", 16)]
    assert told(inner) == within
    assert told(outer) == [("copy", "clone", 24), *within, ("view", "view", 24)]


def originals() -> tuple[object, ...]:
    return (
        *(torch.from_numpy, torch.frombuffer, torch.from_dlpack, torch.utils.dlpack.from_dlpack),
        *(torch.overrides.has_torch_function, torch.Tensor.__init__, "__init__" in vars(torch.Tensor)),
    )


def test_nothing_stays_on_after_an_error() -> None:
    before = originals()
    with pytest.raises(RuntimeError, match="shape"), xray() as seen:
        X.clone().view(5)
    assert told(seen) == [("copy", "clone", 24)]
    assert originals() == before
    assert torch._C._len_torch_dispatch_stack() == _len_torch_function_stack() == 0
    X.clone()
    assert len(seen.events) == 1


class LeftOn(TorchFunctionMode):
    def __torch_function__(self, func, types, args=(), kwargs=None):  # type: ignore[no-untyped-def]
        return func(*args, **(kwargs or {}))


def test_a_mode_that_the_block_leaves_on_stays_on_alone() -> None:
    mode = LeftOn()
    with xray() as seen:
        mode.__enter__()
        X.clone()
    left = _get_current_function_mode_stack()
    mode.__exit__(None, None, None)
    assert left == [mode]
    assert torch._C._len_torch_dispatch_stack() == _len_torch_function_stack() == 0
    assert told(seen) == [("copy", "clone", 24)]


def test_what_the_block_replaces_in_torch_stays_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch, "from_numpy", torch.from_numpy)  # to be put back after this test
    with xray():
        torch.from_numpy = torch.tensor
    assert torch.from_numpy is torch.tensor


def test_no_tensor_is_kept_alive() -> None:
    array = np.zeros(5, np.float32)
    with xray() as seen:
        x = torch.ones(1000)
        y = x.view(10, 100)
        z = torch.from_numpy(array)
        parts = [weakref.ref(one) for one in (x, y, z, array)]
        storage = torch.multiprocessing.reductions.StorageWeakRef(x.untyped_storage())
        del x, y, z, array
        gc.collect()
        assert all(part() is None for part in parts)
        assert storage.expired()
    assert len(seen.events) == 3


def test_other_threads_are_not_disturbed() -> None:
    found: list[object] = []

    def work() -> None:
        found.extend((torch.from_numpy(ARRAY), torch.Tensor([1, 2]), X.clone()))
        with xray() as own:
            X.double()
        found.append(told(own))

    with xray() as seen:
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    assert seen.events == ()
    assert torch.equal(found[2], X)
    assert found[3] == [("cast", "_to_copy", 48)]


def test_layers_keep_their_fast_way() -> None:
    layer = torch.nn.MultiheadAttention(8, 2, batch_first=True).eval()
    x = torch.rand(2, 5, 8)
    with torch.inference_mode():
        bare = layer(x, x, x)[0]
        with xray() as seen:
            watched = layer(x, x, x)[0]
    assert torch.equal(bare, watched)
    assert [event.op for event in seen.events] == ["_native_multi_head_attention"]


class Plain(torch.Tensor):
    pass


@pytest.mark.parametrize(
    "code",
    [
        lambda: torch.Tensor.__add__(X.as_subclass(Plain), 1),
        lambda: (X.to_sparse() + X.to_sparse()).coalesce().to_dense(),
        lambda: X.to_sparse_csr() @ X.T,
        lambda: torch.nested.to_padded_tensor(torch.nested.nested_tensor([X, X[:1]]), 0.0),
        lambda: torch.nested.nested_tensor([X, X[:1]], layout=torch.jagged).values(),
        lambda: torch.nested.to_padded_tensor(torch.nested.nested_tensor([X, X[:1]]).clone().double(), 0.0),
        lambda: X.to_mkldnn().to_dense(),
        lambda: torch.complex(X, X).conj().resolve_conj(),
        lambda: torch.nn.LazyLinear(2)(X),
        lambda: next(iter(torch.utils.data.DataLoader(X, batch_size=2))),
        lambda: torch.vmap(lambda row: row + torch.rand(3), randomness="different")(X),
        lambda: torch.func.functionalize(lambda x: x.clone().add_(1))(X),
    ],
)
@pytest.mark.filterwarnings("ignore")  # of prototypes: they are torch's to warn of
def test_other_kinds_of_tensors_and_transforms(code: Callable[[], torch.Tensor]) -> None:
    torch.manual_seed(0)
    bare = code()
    torch.manual_seed(0)
    with xray() as seen:
        watched = code()
    assert torch.equal(bare, watched)
    assert seen.notes == ()
    assert seen.events
