"""xray: what it sees of each kind, on which line, and that it leaves nothing behind."""

from __future__ import annotations

import inspect
from collections.abc import Callable

import numpy as np
import pytest
import torch

from tests.tracing_help import told
from tutor import xray
from tutor.tracing import Event


def events_of(code: Callable[[], object]) -> list[tuple[str, str, int]]:
    with xray() as seen:
        code()
    assert seen.notes == ()
    return told(seen)


X = torch.arange(6.0).reshape(2, 3)
ARRAY = np.zeros(4, np.float32)


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (lambda: X.view(6), [("view", "view", 24)]),
        (lambda: X[0], [("view", "select", 12)]),
        (lambda: X.expand(1000, 2, 3), [("view", "expand", 24)]),
        (X.unbind, [("view", "unbind", 24)]),
        (X.contiguous, [("view", "contiguous", 24)]),
        (lambda: X.to(torch.float32), [("view", "to", 24)]),
        (lambda: X.T.contiguous(), [("view", "permute", 24), ("copy", "clone", 24)]),  # noqa: PLW0108 - the view is part of it
        (lambda: X.T.reshape(6), [("view", "permute", 24), ("copy", "clone", 24), ("view", "_unsafe_view", 24)]),
        (lambda: X.reshape(6), [("view", "view", 24)]),
        (X.double, [("cast", "_to_copy", 48)]),
        (lambda: X.to("meta"), [("transfer", "_to_copy", 24)]),
        (lambda: X.to("meta", torch.float16), [("transfer", "_to_copy", 12)]),
        (lambda: torch.cat([X, X]), [("copy", "cat", 48)]),
        (lambda: X + 1, [("allocation", "add", 24)]),
        (lambda: torch.zeros(5), [("allocation", "zeros", 20)]),
    ],
)
def test_views_copies_casts_transfers_allocations(
    code: Callable[[], object], expected: list[tuple[str, str, int]]
) -> None:
    assert events_of(code) == expected


@pytest.mark.parametrize(
    ("code", "kind", "op", "size"),
    [
        (lambda: torch.tensor(ARRAY), "copy", "tensor", 16),
        (lambda: torch.tensor(ARRAY, dtype=torch.float64), "cast", "tensor", 32),
        (lambda: torch.tensor(ARRAY, device="meta"), "transfer", "tensor", 16),
        (lambda: torch.tensor([1.0, 2.0]), "copy", "tensor", 8),
        (lambda: torch.as_tensor(ARRAY), "view", "as_tensor", 16),
        (lambda: torch.as_tensor([1.0]), "copy", "as_tensor", 4),
        (lambda: torch.asarray(ARRAY, copy=True), "copy", "asarray", 16),
        (lambda: torch.asarray(bytearray(8), dtype=torch.uint8), "view", "asarray", 8),
        (lambda: torch.from_numpy(ARRAY), "view", "from_numpy", 16),
        (lambda: torch.from_numpy(ARRAY[:0]), "view", "from_numpy", 0),
        (lambda: torch.from_numpy(ARRAY[::2]), "view", "from_numpy", 8),
        (lambda: torch.frombuffer(bytearray(8), dtype=torch.int16), "view", "frombuffer", 8),
        (lambda: torch.from_dlpack(ARRAY), "view", "from_dlpack", 16),
        (lambda: torch.from_dlpack(X), "view", "from_dlpack", 24),
        (lambda: torch.utils.dlpack.from_dlpack(X), "view", "from_dlpack", 24),
        (lambda: torch.Tensor([1, 2]), "copy", "Tensor", 8),
        (lambda: torch.Tensor(ARRAY), "view", "Tensor", 16),
        (lambda: torch.FloatTensor(ARRAY), "view", "lift_fresh", 16),
        (lambda: torch.FloatTensor([1, 2]), "copy", "lift_fresh", 8),
        (lambda: torch.Tensor(2, 3), "allocation", "empty", 24),
        (lambda: X.new_tensor([1.0]), "copy", "new_tensor", 4),
        (X.numpy, "view", "numpy", 24),
        (lambda: np.asarray(X), "view", "numpy", 24),
        (lambda: np.asarray(X, dtype=np.float64), "cast", "numpy", 48),
        (lambda: np.from_dlpack(X), "view", "dlpack", 24),
        (lambda: setattr(torch.zeros(0), "data", X), "view", "data =", 24),
    ],
)
def test_data_from_elsewhere_and_to_elsewhere(code: Callable[[], object], kind: str, op: str, size: int) -> None:
    assert events_of(code)[-1] == (kind, op, size)


def test_a_view_is_what_writes_show_to_be_one() -> None:
    array = np.zeros(3, np.float32)
    with xray() as seen:
        alias, copied = torch.Tensor(array), torch.Tensor([0, 0, 0])
    array[0] = 7
    assert [event.kind for event in seen.events] == ["view", "copy"]
    assert (alias[0].item(), copied[0].item()) == (7, 0)


@pytest.mark.parametrize(
    ("code", "op", "size"),
    [
        (lambda: X.sum().item(), "item", 4),
        (lambda: bool(X[0, 0]), "bool", 4),
        (lambda: int(X[0, 0]), "int", 4),
        (lambda: float(X[0, 0]), "float", 4),
        (X.tolist, "tolist", 24),
        (lambda: str(X), "print", 24),
        (lambda: f"{X[0, 0]:.2f}", "print", 4),
        (X.cpu, "cpu", 24),
        (lambda: X.to("cpu"), "to", 24),
        (lambda: torch.equal(X, X), "equal", 1),
        (lambda: torch.allclose(X, X), "allclose", 1),
        (X.nonzero, "nonzero", 8),
        (lambda: X[X > 2], "index", 8),
        (lambda: torch.tensor([X[0, 0]]), "tensor of a tensor in a list", 4),
    ],
)
def test_waits_on_a_cpu_say_that_they_would(code: Callable[[], object], op: str, size: int) -> None:
    with xray() as seen:
        code()
    (wait,) = (event for event in seen.events if event.kind == "wait")
    assert (wait.op, wait.bytes, wait.hypothetical) == (op, size, True)
    assert "on a GPU it would wait" in repr(seen)


@pytest.mark.parametrize("mode", [torch.no_grad, torch.inference_mode])
@pytest.mark.parametrize(
    "code",
    [
        lambda: torch.where(X > 2),
        lambda: X.nonzero(as_tuple=True),
        lambda: X.repeat_interleave(torch.tensor([1, 2]), dim=0),
    ],
)
def test_waits_without_autograd(code: Callable[[], object], mode: type[torch.no_grad]) -> None:
    with mode():
        assert [kind for kind, _, _ in events_of(code)].count("wait") == 1


@pytest.mark.parametrize("code", [lambda: X[0], lambda: X[torch.tensor([0])], lambda: X.shape, lambda: X + X])
def test_what_needs_no_value_does_not_wait(code: Callable[[], object]) -> None:
    assert "wait" not in {kind for kind, _, _ in events_of(code)}


def test_writes_in_place() -> None:
    x, out = torch.zeros(2, 3), torch.empty(2, 3)
    with xray() as seen:
        x.add_(1)
        x[0] = 5.0
        torch.add(x, 1, out=out)
        x.T[0] = torch.ones(2)
        x.copy_(out)
        x.copy_(out.double())
        torch._foreach_add_([x, out], 1)
    writes = [(event.op, event.bytes, event.count) for event in seen.events if event.kind == "in-place"]
    assert writes == [
        ("add_", 24, 1),
        ("fill_", 12, 1),
        ("add", 24, 1),
        ("copy_", 8, 1),
        ("copy_", 24, 1),
        ("_foreach_add_", 48, 2),
    ]
    assert ("cast", "copy_", 24) in told(seen)


def test_python_functions_that_write_each_element_are_writes() -> None:
    x = torch.zeros(3)
    assert events_of(lambda: x.apply_(lambda a: a + 1)) == [("in-place", "apply_", 12)]
    assert events_of(lambda: x.map_(x, lambda a, b: a + b)) == [("in-place", "map_", 12)]
    assert x.tolist() == [2, 2, 2]


@pytest.mark.parametrize("mode", [torch.enable_grad, torch.inference_mode])
def test_running_statistics_are_written_in_training_only(mode: type[torch.inference_mode]) -> None:
    layer = torch.nn.BatchNorm1d(3)
    with xray() as seen, mode():
        layer(X)
    written = sum(event.bytes for event in seen.events if event.kind == "in-place")
    assert written == 8 + 12 + 12  # the count, the means, the variances
    layer.eval()
    with xray() as seen, mode():
        layer(X)
    assert seen.totals.counts["in-place"] == 0


def test_a_storage_that_grows_is_new() -> None:
    x = torch.empty(2)
    assert events_of(lambda: x.resize_(10)) == [("allocation", "resize_", 40)]
    assert events_of(lambda: x.resize_(5)) == [("view", "resize_", 20)]
    assert events_of(lambda: x.set_(X)) == [("view", "set_", 24)]


def test_an_out_that_is_too_small_is_new_memory() -> None:
    out = torch.empty(0)
    assert events_of(lambda: torch.add(X, 1, out=out)) == [("allocation", "add", 24)]
    assert events_of(lambda: torch.add(X, 1, out=out)) == [("in-place", "add", 24)]


def test_a_sparse_tensor_reaches_its_places_and_its_values() -> None:
    places, values = torch.tensor([[0], [1]]), torch.ones(1)
    with xray() as seen:
        x = torch.sparse_coo_tensor(places, values, (2, 3), check_invariants=False)
    (view,) = seen.events
    assert (view.kind, view.bytes) == ("view", 8 + 8 + 4)
    assert view.before is not None
    assert view.before.dtype == "float32"
    values[0] = 7
    assert x.to_dense()[0, 1] == 7


def test_before_and_after() -> None:
    with xray() as seen:
        torch.tensor(ARRAY).to("meta", torch.float16)
    copied, moved = seen.events
    assert (copied.before.what, copied.before.dtype, copied.before.shape) == ("numpy.ndarray", "float32", (4,))
    assert (moved.before.device, moved.after.device) == ("cpu", "meta")
    assert (moved.before.dtype, moved.after.dtype) == ("float32", "float16")


def helper(x: torch.Tensor) -> torch.Tensor:
    y = x.clone()
    return y + 1


def test_each_event_belongs_to_its_line() -> None:
    with xray() as seen:
        y = X.clone()
        y.add_(1)
        (
            y.view(6)
            .double()
        )  # fmt: skip
        helper(X)
    first = inspect.currentframe().f_lineno - 7  # type: ignore[union-attr]
    inside = helper.__code__.co_firstlineno
    lines = [(event.line, event.op) for event in seen.events]
    assert lines == [
        (first, "clone"),
        (first + 1, "add_"),
        (first + 3, "view"),
        (first + 4, "_to_copy"),
        (inside + 1, "clone"),
        (inside + 2, "add"),
    ]
    assert seen.events[0].source == "y = X.clone()"


def test_code_of_another_cell_belongs_to_the_line_that_calls_it() -> None:
    cell: dict[str, Callable[[torch.Tensor], torch.Tensor]] = {}
    exec(compile("def elsewhere(x):\n    return x.clone()", "<an earlier cell>", "exec"), cell)
    with xray() as seen:
        cell["elsewhere"](X)
    (event,) = seen.events
    assert event.called == "elsewhere"
    assert event.source == 'cell["elsewhere"](X)'
    assert "in elsewhere" in repr(seen)


def test_totals_and_the_table() -> None:
    with xray() as seen:
        y = X.T.contiguous()
        y.double()
    assert seen.totals.counts == {
        **dict.fromkeys(("transfer", "wait", "allocation", "in-place"), 0),
        **dict.fromkeys(("view", "copy", "cast"), 1),
    }
    assert seen.totals.written == 24 + 48
    table = repr(seen)
    for words in ("y.double()", "= view", "+ copied", "~ cast", "float32 to float64", "72 B written"):
        assert words in table


def test_readable_while_it_runs() -> None:
    with xray() as seen:
        assert seen.events == ()
        X.clone()
        assert told(seen) == [("copy", "clone", 24)]
        X.view(6)
        assert len(seen.events) == 2
    assert len(seen.events) == 2


def test_the_same_bytes_moved_twice() -> None:
    with xray() as seen:
        X.to("meta")
        X.to("meta")
    assert "moved to meta 2 times" in seen.worth_a_look
    assert seen.findings[0].bytes == 24


def test_bytes_that_changed_in_between_are_others() -> None:
    x = X.clone()
    with xray() as seen:
        x.to("meta")
        x.add_(1)
        x.to("meta")
        x.data.add_(1)
        x.to("meta")
        x[0].to("meta")
    assert seen.worth_a_look == ""


def test_an_unchanged_tensor_copied_in_a_loop() -> None:
    x = X.clone()
    with xray() as seen:
        for _ in range(5):
            x.clone()
    assert "copied 5 times on this line" in seen.worth_a_look
    assert seen.findings[0].bytes == 4 * 24
    with xray() as seen:
        for _ in range(5):
            x.clone()
            x.add_(1)
    assert seen.worth_a_look == ""


def test_a_cast_there_and_back() -> None:
    with xray() as seen:
        X.half().view(6).float()
        X.half().double()
    assert seen.worth_a_look.count("cast from float32 to float16 and back") == 1
    assert seen.findings[0].bytes == 12 + 24


def test_bad_input() -> None:
    with pytest.raises(TypeError, match="expected kernels to be True or False, but got 'yes'"):
        xray(kernels="yes")  # type: ignore[arg-type]


def test_events_are_plain_facts() -> None:
    with xray() as seen:
        X.clone()
    (event,) = seen.events
    assert isinstance(event, Event)
    assert hash(event) == hash(seen.events[0])
    assert (event.mark, event.writes) == ("+", True)
