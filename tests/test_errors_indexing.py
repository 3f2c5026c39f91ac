"""`explain` on errors of indices and masks, each provoked for real."""

from __future__ import annotations

import numpy as np
import pytest
import torch
import torch.nn.functional as F  # noqa: N812 - its usual name
from torch import nn

from tests.errors_help import Case, known

CASES: list[Case] = []


@known(CASES, "index out of range", "x[3]", operands=["x"], code="x[-1]")
def index_out_of_range() -> object:
    x = torch.arange(3)
    return x[3]


@known(CASES, "index out of range", "table(words)", operands=["words"])
def embedding_out_of_range() -> object:
    table, words = nn.Embedding(10, 3), torch.tensor([1, 10])
    return table(words)


@known(CASES, "index out of range", "scores.gather(1, wanted)", operands=["wanted"])
def gather_out_of_range() -> object:
    scores, wanted = torch.ones(2, 3), torch.tensor([[3], [0]])
    return scores.gather(1, wanted)


@known(CASES, "more indices than dimensions", "x[0, 0]", operands=["x"])
def too_many_indices() -> object:
    x = torch.arange(3)
    return x[0, 0]


@known(CASES, "more indices than dimensions", "loss[0]", operands=["loss"], code="loss.item()")
def index_of_a_scalar() -> object:
    loss = torch.tensor(1.0)
    return loss[0]


@known(CASES, "shape of a mask", "x[mask]", operands=["x", "mask"], code="x[:, mask]")
def mask_of_another_shape() -> object:
    x, mask = torch.ones(2, 3), torch.tensor([True, False, True])
    return x[mask]


@known(CASES, "shape of a mask", "x[mask]", operands=["x", "mask"], code="x[:, mask]")
def mask_of_an_array() -> object:
    x, mask = np.ones((2, 3)), np.array([True, False, True])
    return x[mask]


@known(CASES, "shape of a mask", "x[mask]", operands=["x", "mask"], code="x[:, mask]")
def byte_mask() -> object:
    x, mask = torch.ones(2, 3), torch.tensor([1, 0, 1], dtype=torch.uint8)
    return x[mask]


@known(CASES, "no index", "x[middle]", operands=["middle"])
def float_as_an_index() -> object:
    x, middle = torch.arange(6), 6 / 2
    return x[middle]


@known(CASES, "no index", "names[best]", operands=["best"])
def list_by_a_tensor() -> object:
    names, best = ["a", "b"], torch.tensor([0, 1])
    return names[best]


@known(CASES, "indices of an embedding", "table(words)", operands=["words"], code="table(words.long())")
def embedding_of_floats() -> object:
    table, words = nn.Embedding(10, 3), torch.tensor([1.0, 2.0])
    table(words)


@known(CASES, "indices of an embedding", "table(words)", operands=["words"], code="table(words.long())")
def embedding_of_int8() -> object:
    table, words = nn.Embedding(10, 3), torch.tensor([1, 2], dtype=torch.int8)
    table(words)


@known(CASES, "dtype of an index", "x[rows]", operands=["rows"], code="x[rows.long()]")
def index_of_floats() -> object:
    x, rows = torch.arange(6), torch.tensor([0.0, 2.0])
    return x[rows]


@known(
    CASES, "dtype of an index", "scores.gather(1, wanted)", operands=["wanted"], code="scores.gather(1, wanted.long())"
)
def gather() -> object:
    scores, wanted = torch.ones(2, 3), torch.zeros(2, 1, dtype=torch.int16)
    return scores.gather(1, wanted)


@known(CASES, "dtype of an index", "F.one_hot(labels)", operands=["labels"], code="F.one_hot(labels.long())")
def one_hot() -> object:
    labels = torch.tensor([0.0, 1.0])
    return F.one_hot(labels)


@known(
    CASES,
    "dtype of what is written",
    "table.scatter_(0, rows, new)",
    operands=["table", "new"],
    code="table.scatter_(0, rows, new.to(table.dtype))",
)
def scatter() -> object:
    table, rows, new = torch.zeros(3), torch.tensor([0, 1]), torch.ones(2, dtype=torch.float64)
    table.scatter_(0, rows, new)


@known(
    CASES,
    "dtype of what is written",
    "table[rows] = new",
    operands=["table", "new"],
    code="table[rows] = new.to(table.dtype)",
)
def index_put() -> object:
    table, rows, new = torch.zeros(3), torch.tensor([0, 1]), torch.ones(2, dtype=torch.float64)
    table[rows] = new


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_error_is_told(case: Case) -> None:
    case.check()
