"""`explain` on errors that it does not know: facts, no guess, and never an error of its own."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable
from types import TracebackType

import numpy as np
import pytest
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

import tutor
from tests.errors_help import caught, explained
from tutor import explain

MATMUL = "mat1 and mat2 shapes cannot be multiplied (2x3 and 2x3)"
OTHERS: list[Callable[[], object]] = []


def other(provoke: Callable[[], object]) -> Callable[[], object]:
    """Enter an error that is not among those that are known."""
    OTHERS.append(provoke)
    return provoke


class ShapeError(RuntimeError):
    """An error of the learner's own."""


class ImitationError(Exception):
    """One that says what torch says."""


def check_shapes(a: torch.Tensor, b: torch.Tensor) -> None:
    if a.shape[-1] != b.shape[0]:
        raise RuntimeError(MATMUL)


class Ours(nn.Module):
    """A layer that refuses its input itself."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if x.dtype != torch.float32:
            raise RuntimeError("mat1 and mat2 must have the same dtype, but got Double and Float")
        return x


class Samples(Dataset[torch.Tensor]):
    """Samples that a worker fails to make."""

    def __len__(self) -> int:
        return 4

    def __getitem__(self, i: int) -> torch.Tensor:
        return torch.ones(2, 3) @ torch.ones(2, 3)


class Double(torch.autograd.Function):
    """A function whose backward fails in the learner's own code."""

    @staticmethod
    def forward(ctx: object, x: torch.Tensor) -> torch.Tensor:
        return x * 2

    @staticmethod
    def backward(ctx: object, grad: torch.Tensor) -> torch.Tensor:
        raise IndexError("index out of range in self")


@other
def division() -> object:
    total, count = 3, 0
    return total / count


@other
def key_of_a_dict() -> object:
    weights = {"a": torch.ones(2)}
    return weights["b"]


@other
def name_that_is_not_there() -> object:
    x = torch.ones(2)
    return x + y  # noqa: F821 - that is the error


@other
def attribute_of_a_tensor() -> object:
    x = torch.ones(2)
    return x.no_such_method()


@other
def attribute_of_none() -> object:
    model = None
    return model.config


@other
def index_of_a_list() -> object:
    rows = [torch.ones(2)]
    return rows[3]


@other
def number_from_text() -> object:
    return int("three")


@other
def import_of_nothing() -> object:
    import no_such_module  # noqa: PLC0415

    return no_such_module


@other
def assertion() -> object:
    x = torch.ones(2, 3)
    assert x.shape == (3, 2), "The size of tensor a (2) must match the size of tensor b (3)"


@other
def too_many_values() -> object:
    a, b = torch.ones(3)
    return a, b


@other
def wrong_number_of_arguments() -> object:
    x = torch.ones(2)
    return torch.relu(x, x, x)


@other
def raised_by_a_helper_of_the_learner() -> object:
    a, b = torch.ones(2, 3), torch.ones(2, 3)
    check_shapes(a, b)


@other
def raised_by_a_layer_of_the_learner() -> object:
    model, x = nn.Sequential(Ours()), torch.ones(2, dtype=torch.float64)
    return model(x)


@other
def imitation() -> object:
    x = torch.ones(2, 3)
    raise ImitationError(f"view size is not compatible with input tensor's size and stride: {x.shape}")


@other
def subclass_of_the_learner() -> object:
    raise ShapeError("Boolean value of Tensor with more than one value is ambiguous")


@other
def imitation_in_a_lambda() -> object:
    fail = lambda x: (_ for _ in ()).throw(RuntimeError(MATMUL))  # noqa: E731 - a lambda is meant
    return fail(torch.ones(2))


@other
def backward_of_the_learner() -> object:
    x = torch.ones(2, requires_grad=True)
    Double.apply(x).sum().backward()


@other
def worker_of_a_loader() -> object:
    loader = DataLoader(Samples(), batch_size=2, num_workers=1)
    return next(iter(loader))


@other
def group() -> object:
    raise ExceptionGroup("two", [RuntimeError(MATMUL), ValueError("step must be greater than zero")])


@other
def from_another() -> object:
    try:
        torch.ones(2, 3) @ torch.ones(2, 3)
    except RuntimeError as error:
        raise ValueError("the batch is wrong") from error


@other
def while_another_is_handled() -> object:
    try:
        torch.ones(2, 3) @ torch.ones(2, 3)
    except RuntimeError:
        return {}["missing"]


@other
def stop() -> object:
    return next(iter([]))


@other
def interruption() -> object:
    raise KeyboardInterrupt


@other
def end() -> object:
    sys.exit("Found dtype Long but expected Float")


@other
def syntax() -> object:
    return compile("x = = 1", "<cell>", "exec")


@other
def encoding() -> object:
    return b"\xff".decode()


@other
def a_file_that_is_not_there() -> object:
    return torch.load("/no/such/file.pt")


@other
def json_of_a_tensor() -> object:
    x = torch.ones(2)
    return json.dumps({"x": x})


@other
def deep_recursion() -> object:
    def deeper(x: torch.Tensor) -> torch.Tensor:
        return deeper(x + 1)

    return deeper(torch.ones(2))


@other
def in_a_generator() -> object:
    def batches() -> object:
        yield torch.ones(2)
        raise RuntimeError("Expected all tensors to be on the same device")

    return list(batches())


@other
def in_a_coroutine() -> object:
    async def load() -> None:
        raise RuntimeError("stack expects each tensor to be equal size")

    return asyncio.run(load())


@other
def memory_error_of_the_learner() -> object:
    raise MemoryError("Unable to allocate 2.00 PiB for an array")


@other
def solving() -> object:
    return np.linalg.inv(np.zeros((2, 2)))


@pytest.mark.parametrize("provoke", OTHERS, ids=lambda provoke: provoke.__name__)
def test_an_error_that_is_not_known_is_told_without_a_guess(provoke: Callable[[], object]) -> None:
    told = explained(provoke)
    assert told.kind is None, told
    assert (told.meaning, told.cause, told.cure, told.correction) == ("", "", "", None)
    assert "no guess" in repr(told)
    assert told.error in repr(told)


def test_there_are_many_of_them() -> None:
    assert len(OTHERS) >= 30


def test_facts_of_its_operands_are_told() -> None:
    told = explained(name_that_is_not_there)
    assert told.expression == "y"
    told = explained(wrong_number_of_arguments)
    assert told.expression == "torch.relu(x, x, x)"
    assert [(one.name, one.dtype, one.shape, one.strides) for one in told.operands] == [("x", "float32", (2,), (1,))]


def test_a_helper_of_the_learner_that_torch_refuses_is_where_it_happened() -> None:
    def project(rows: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
        return rows @ weights

    def step() -> object:
        batch = torch.ones(2, 3)
        return project(batch, batch)

    told = explained(step)
    assert told.kind == "sizes of a matrix product"
    assert told.expression == "rows @ weights"


def test_lambdas_comprehensions_and_async_are_looked_into() -> None:
    mean = torch.ones(4)
    rows = [torch.ones(4), torch.ones(3)]

    async def later() -> object:
        return rows[1] - mean

    centred = lambda x: x - mean  # noqa: E731 - a lambda is meant
    ways = [lambda: centred(rows[1]), lambda: [row - mean for row in rows], lambda: asyncio.run(later())]
    told = [explained(way) for way in ways]
    assert [one.expression for one in told] == ["x - mean", "row - mean", "rows[1] - mean"]
    assert {one.kind for one in told} == {"shapes do not broadcast"}


def test_the_part_of_a_line_is_found() -> None:
    def step() -> object:
        a, b, c = torch.ones(3), torch.ones(3), torch.ones(4)
        return (a + b).sum(), (
            a
            * c
        ).sum(), (b + a).sum()  # fmt: skip

    told = explained(step)
    assert told.expression == "a * c"
    assert told.cause == "`a * c` met `a` (float32 (3,)) and `c` (float32 (4,))."


def test_the_test_of_a_conditional_expression_is_named() -> None:
    def fail() -> object:
        mask, other = torch.ones(3), torch.zeros(3)
        return mask if mask else other

    told = explained(fail)
    assert told.kind == "truth of several elements"
    assert told.cause == "`mask if mask else other` asks it of `mask` (float32 (3,))."


def test_of_several_statements_on_a_line_the_right_one_is_found(tmp_path: object) -> None:
    path = f"{tmp_path}/one_line.py"
    source = "def fail(a, b):\n    c = a @ b; d = a + 1; return d\n\ndef loop(a):\n    for i in range(a): pass\n"
    with open(path, "w") as file:
        file.write(source)
    names: dict[str, Callable[..., object]] = {}
    exec(compile(source, path, "exec"), names)
    assert explained(lambda: names["fail"](torch.ones(2, 3), torch.ones(2, 3))).expression == "a @ b"
    told = explained(lambda: names["loop"](torch.ones(2)))
    assert (told.kind, told.expression) == ("no index", "range(a)")
    assert told.cause == "`range(a)` was given `a` (float32 (2,)) where an index is wanted."


def test_what_a_gradient_is_asked_of_is_named_and_nothing_else() -> None:
    def fail() -> object:
        x, other = torch.ones(3, requires_grad=True), torch.ones(3)
        return torch.autograd.grad(x * 2, other)

    told = explained(fail)
    assert told.kind == "backward of several elements"
    assert told.cause == "`torch.autograd.grad(x * 2, other)` starts from `x * 2` (no frame holds it any more)."


def test_an_array_and_a_tensor_whose_shapes_do_not_fit() -> None:
    a, b, whole = np.ones(3), torch.ones(2), np.ones((2, 3))
    for fail in (lambda: a + b, lambda: a * b, lambda: whole * b):
        told = explained(fail)
        assert told.kind == "shapes do not broadcast"
        assert told.operands[0].shape != told.operands[1].shape


def test_without_source_nothing_is_made_up() -> None:
    def run() -> object:
        exec("a = torch.ones(2, 3)\na @ a", {"torch": torch})

    told = explained(run)
    assert told.expression is None
    assert told.correction is None
    assert "whose source is not at hand" in told.cause
    assert "no frame" not in told.cause


def test_a_source_that_has_changed_is_not_believed(tmp_path: object) -> None:
    path = f"{tmp_path}/changed.py"
    with open(path, "w") as file:
        file.write("def fail(a, b):\n    return a @ b\n")
    names: dict[str, Callable[..., object]] = {}
    with open(path) as file:
        exec(compile(file.read(), path, "exec"), names)
    error = caught(lambda: names["fail"](torch.ones(2, 3), torch.ones(2, 3)))
    with open(path, "w") as file:
        file.write("def fail(other, thing):\n    return other - thing\n")
    told = explain(error)
    assert told.expression is None
    assert told.operands == ()


def test_operands_that_have_changed_since_are_told_as_they_are_now() -> None:
    x = torch.ones(4, 3)

    def step() -> object:
        return x.T.view(12) if x.dim() == 2 else x

    def fail() -> object:
        y = x.t()
        return y.view(12)

    error = caught(fail)
    trace = error.__traceback__
    assert trace is not None
    while trace.tb_next is not None:
        trace = trace.tb_next
    trace.tb_frame.f_locals["y"].resize_(12)
    told = explain(error)
    assert told.correction is None
    assert "raises nothing" in told.notes[0]
    assert step is not None


def test_it_refuses_what_is_no_exception() -> None:
    with pytest.raises(TypeError, match="expected error to be an exception, but got a value of type str"):
        explain("mat1 and mat2 shapes cannot be multiplied")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="got the class RuntimeError itself"):
        explain(RuntimeError)  # type: ignore[arg-type]


def test_the_error_that_is_handled_is_the_last_one(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("last_exc", "last_value"):
        monkeypatch.delattr(sys, name, raising=False)
    with pytest.raises(ValueError, match="there has been no exception yet"):
        explain()
    try:
        division()
    except ZeroDivisionError:
        assert explain().error == "ZeroDivisionError"
    monkeypatch.setattr(sys, "last_value", caught(number_from_text), raising=False)
    assert explain().error == "ValueError"


def test_an_error_without_a_traceback_is_told() -> None:
    told = tutor.explain(RuntimeError(MATMUL))
    assert told.expression is None
    assert told.kind is None


def test_an_error_that_cannot_say_what_it_is() -> None:
    class MuteError(Exception):
        def __str__(self) -> str:
            raise ValueError

    def fail() -> None:
        raise MuteError

    told = explained(fail)
    assert (told.error, told.message) == ("MuteError", "")


def test_a_traceback_is_left_as_it_is() -> None:
    error = caught(division)
    before: TracebackType | None = error.__traceback__
    explain(error)
    assert error.__traceback__ is before
    assert error.__notes__ == [] if hasattr(error, "__notes__") else True
