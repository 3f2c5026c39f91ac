"""`explain` on errors of habits from NumPy and Python, and of layers as they are written, each provoked for real."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

from tests.errors_help import Case, explained, known
from tutor import explain

CASES: list[Case] = []
X: Any = torch.ones(2, 3)
A: Any = np.ones((2, 3))
W: Any = torch.ones(2)


@known(CASES, "shape called, or size indexed", "X.shape(0)", operands=["X"], code="X.shape[0]")
def a_shape_that_is_called() -> object:
    return X.shape(0)


@known(CASES, "shape called, or size indexed", "X.shape()", operands=["X"], code="X.shape")
def a_shape_that_is_called_with_nothing() -> object:
    return X.shape()


@known(CASES, "shape called, or size indexed", "X.size[1]", operands=["X"], code="X.shape[1]")
def a_size_that_is_indexed() -> object:
    return X.size[1]


@known(CASES, "unpacking", "(rows, columns, channels)", operands=[])
def a_shape_with_fewer_sizes() -> object:
    rows, columns, channels = X.shape
    return rows, columns, channels


@known(CASES, "unpacking", "(first, second, third)", operands=[])
def a_tensor_with_fewer_rows() -> object:
    first, second, third = X
    return first, second, third


def test_unpacking_counts_what_there_is() -> None:
    def fail() -> object:
        (rows,) = X.shape
        return rows

    assert explained(fail).cause == "`X.shape` has 2 sizes, (2, 3), for 1 name on the left."
    assert "each name gets one of its rows" in explained(a_tensor_with_fewer_rows).meaning
    assert explained(a_tensor_with_fewer_rows).cause.startswith("`X` (float32 (2, 3)) has 2 of them")


METHOD = "method of the other library"


@known(CASES, METHOD, "X.astype", operands=["X"], code="X.to(torch.float64)")
def a_cast_of_numpys() -> object:
    return X.astype(np.float64)


@known(CASES, METHOD, "X.astype", operands=["X"], code="X.to(torch.uint8)")
def a_cast_of_numpys_by_name() -> object:
    return X.astype("uint8") + 1


@known(CASES, METHOD, "X.copy", operands=["X"], code="X.clone()")
def a_copy_of_numpys() -> object:
    return X.copy()


@known(CASES, METHOD, "A.clone", operands=["A"], code="A.copy()")
def a_copy_of_torchs() -> object:
    return A.clone()


@known(CASES, METHOD, "A.permute", operands=["A"], code="A.transpose(1, 0)")
def an_order_of_torchs() -> object:
    return A.permute(1, 0)


@known(CASES, METHOD, "A.float", operands=["A"], code="A.astype(np.float32)")
def a_cast_of_torchs() -> object:
    return A.float()


@known(CASES, METHOD, "A.numpy", operands=["A"], code="A")
def an_array_out_of_an_array() -> object:
    return A.numpy()


@known(CASES, METHOD, "A.to", operands=["A"])
def a_device_for_an_array() -> object:
    return A.to("cpu")


@known(CASES, METHOD, "A.unsqueeze", operands=["A"])
def a_dimension_for_an_array() -> object:
    return A.unsqueeze(0)


@known(CASES, "tuple in place of a tensor", "out.shape", operands=["out[0]"], code="out[0].shape")
def the_results_of_a_layer() -> object:
    out = nn.LSTM(3, 4)(torch.ones(2, 1, 3))
    return out.shape


@known(CASES, "several results in place of a tensor", "X.max(1).mean", operands=[], code="X.max(1).values.mean()")
def the_results_of_a_maximum() -> object:
    return X.max(1).mean()


@known(
    CASES,
    "dtype that is none of torch's",
    "torch.ones(2, dtype=np.float32)",
    operands=["np.float32"],
    code="torch.ones(2, dtype=torch.float32)",
)
def a_dtype_of_numpys() -> object:
    return torch.ones(2, dtype=np.float32)  # type: ignore[call-overload]


@known(
    CASES,
    "dtype that is none of torch's",
    "X.sum(dtype='int64')",
    operands=["'int64'"],
    code="X.sum(dtype=torch.int64)",
)
def a_dtype_by_name() -> object:
    return X.sum(dtype="int64")


@known(CASES, "dtype that is none of torch's", "X.to(np.float16)", operands=["np.float16"], code="X.to(torch.float16)")
def a_conversion_to_a_dtype_of_numpys() -> object:
    return X.to(np.float16)


@known(CASES, "meta tensor", "torch.ones(2, device='meta').numpy()", operands=["torch.ones(2, device='meta')"])
def an_array_of_a_meta_tensor() -> object:
    return torch.ones(2, device="meta").numpy()


@known(CASES, "None in place of a tensor", "y.shape", operands=["y"])
def the_result_of_a_function_without_return() -> object:
    def forward(x: Any) -> Any:
        x + 1

    y = forward(X)
    return y.shape


@known(CASES, "no layer", "nn.Sequential(nn.Linear(2, 2), torch.relu)", operands=["relu"])
def a_function_among_layers() -> object:
    return nn.Sequential(nn.Linear(2, 2), torch.relu)  # type: ignore[arg-type]


@known(CASES, "several tensors for one", "nn.Linear(4, 2)(nn.LSTM(3, 4)(torch.ones(2, 1, 3)))")
def the_results_of_a_layer_for_the_next() -> object:
    return nn.Linear(4, 2)(nn.LSTM(3, 4)(torch.ones(2, 1, 3)))


@known(CASES, "method that is not called", "X.cpu.numpy", operands=[".cpu", "X"], code="X.cpu().numpy()")
def a_method_without_brackets() -> object:
    return X.cpu.numpy()


@known(CASES, "list in place of a tensor", "rows.mean", operands=["rows[0]"])
def a_list_of_tensors() -> object:
    rows: Any = [torch.ones(3), torch.ones(3)]
    return rows.mean()


@known(CASES, "tensors that stand alone", "torch.cat(X, X)", operands=["X", "X"], code="torch.cat([X, X])")
def tensors_to_join() -> object:
    return torch.cat(X, X)


@known(
    CASES,
    "tensors that stand alone",
    "torch.stack(X, X, X)",
    operands=["X", "X", "X"],
    code="torch.stack([X, X, X])",
)
def tensors_to_stack() -> object:
    return torch.stack(X, X, X)  # type: ignore[call-arg]


@known(CASES, "lists of indices", "m[[0, 1], [0, 1, 2]]", operands=["m"], code="m[[0, 1]][:, [0, 1, 2]]")
def rows_and_columns() -> object:
    m = torch.ones(3, 4)
    return m[[0, 1], [0, 1, 2]]


@known(CASES, "lists of indices", "m[rows, columns]", operands=["m", "rows", "columns"], code="m[rows][:, columns]")
def rows_and_columns_of_an_array() -> object:
    m, rows, columns = np.ones((3, 4)), np.array([0, 1]), np.array([0, 1, 2])
    return m[rows, columns]


SUPER = "`super().__init__()` is missing"


@known(CASES, SUPER, "self.layer = nn.Linear(2, 2)", operands=["__init__", "Bare"])
def a_layer_in_a_bare_module() -> object:
    class Bare(nn.Module):
        def __init__(self) -> None:
            self.layer = nn.Linear(2, 2)

    return Bare()


@known(CASES, SUPER, "self.weight = nn.Parameter(torch.ones(2))", operands=["__init__", "Bare"])
def a_parameter_in_a_bare_module() -> object:
    class Bare(nn.Module):
        def __init__(self) -> None:
            self.weight = nn.Parameter(torch.ones(2))

    return Bare()


@known(CASES, "layer without a forward", "model(X)", operands=["Model", "foward"])
def a_forward_that_is_misspelt() -> object:
    class Model(nn.Module):
        def foward(self, x: torch.Tensor) -> torch.Tensor:
            return x

    model = Model()
    return model(X)


@known(CASES, "tensor in place of a parameter", "m.weight = W", operands=["W"], code="m.weight = torch.nn.Parameter(W)")
def a_tensor_for_a_parameter() -> None:
    m = nn.LayerNorm(2)
    m.weight = W


@known(CASES, "items that make no batch", "list(loader)", operands=["NoneType"])
def a_dataset_that_returns_nothing() -> object:
    class Rows(Dataset[Any]):
        def __len__(self) -> int:
            return 4

        def __getitem__(self, i: int) -> Any:
            if i > 10:
                return torch.ones(2)

    loader = DataLoader(Rows(), batch_size=2)
    return list(loader)


@known(CASES, "optimizer without parameters", "torch.optim.SGD(weights, lr=0.1)", operands=["weights"])
def a_generator_that_was_read() -> object:
    weights = nn.Linear(2, 2).parameters()
    len(list(weights))
    return torch.optim.SGD(weights, lr=0.1)


@known(CASES, "optimizer of one tensor", "torch.optim.SGD(W, lr=0.1)", operands=["W"])
def a_weight_that_stands_alone() -> object:
    return torch.optim.SGD(W, lr=0.1)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_error_is_known(case: Case) -> None:
    case.check()


def test_a_used_up_generator_is_told_from_an_empty_list() -> None:
    assert "gives its items once" in explained(a_generator_that_was_read).cause
    assert "ModuleList" in explained(lambda: torch.optim.SGD([], lr=0.1)).cure


class Shaped:
    """Has a shape, and says what torch says."""

    shape = (2, 3)

    def cat(self, tensors: object) -> None:
        raise TypeError("cat(): argument 'tensors' (position 1) must be tuple of Tensors, not Tensor")


def pure_python() -> Iterator[Any]:
    shaped: Any = Shaped()
    numbers: Any = (1, 2)
    yield lambda: shaped.shape(0)
    yield lambda: numbers.shape
    yield lambda: shaped.cat(X)
    yield lambda: [].copy.clone  # type: ignore[attr-defined]
    yield lambda: X.no_such_thing
    yield lambda: numbers.count.group
    yield lambda: {}.get(1).split()  # type: ignore[call-overload]
    yield lambda: A.no_such_thing


@pytest.mark.parametrize("fail", list(pure_python()))
def test_what_only_looks_like_it_is_not_known(fail: Any) -> None:
    told = explained(fail)
    assert told.kind is None, told


def test_plain_python_is_unpacked_without_a_word() -> None:
    def fail() -> object:
        numbers: Any = [1, 2]
        a, b, c = numbers
        return a, b, c

    assert explained(fail).kind is None


def test_an_error_of_a_worker_speaks_of_no_operand_here() -> None:
    class Rows(Dataset[Any]):
        def __len__(self) -> int:
            return 4

        def __getitem__(self, i: int) -> Any:
            return torch.ones(2).astype(float)  # type: ignore[attr-defined]

    with pytest.raises(AttributeError, match="in DataLoader worker process") as failed:
        list(DataLoader(Rows(), batch_size=2, num_workers=1))
    told = explain(failed.value)
    assert told.kind is None
    assert told.correction is None
