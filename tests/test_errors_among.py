"""`explain` names the operand to blame among others that are innocent, and corrects no other."""

from __future__ import annotations

import numpy as np
import pytest
import torch
import torch.nn.functional as F  # noqa: N812 - its usual name
from torch import nn

from tests.errors_help import Case, known

CASES: list[Case] = []


@known(CASES, "dtype of an index", "torch.gather(s, 1, i)", operands=["i"], code="torch.gather(s, 1, i.long())")
def gather_as_a_function() -> object:
    s, i = torch.ones(2, 3), torch.zeros(2, 1, dtype=torch.int16)
    return torch.gather(s, 1, i)


@known(CASES, "dtype of an index", "x[rows, cols]", operands=["cols"], code="x[rows, cols.long()]")
def one_of_two_indices() -> object:
    x, rows, cols = torch.ones(3, 3), torch.tensor([0, 1]), torch.tensor([0.0, 1.0])
    return x[rows, cols]


@known(CASES, "dtype of an index", "x[rows] = new", operands=["rows"], code="x[rows.long()] = new")
def index_of_a_write() -> object:
    x, rows, new = torch.ones(3), torch.tensor([0.0, 1.0]), torch.zeros(2)
    x[rows] = new


@known(CASES, "index out of range", "x[rows, cols]", operands=["cols"])
def second_index_out_of_range() -> object:
    x, rows, cols = torch.ones(3, 3), torch.tensor([0, 1]), torch.tensor([0, 7])
    return x[rows, cols]


@known(CASES, "index out of range", "torch.index_select(x, 0, rows)", operands=["rows"])
def index_select_of_integers() -> object:
    x, rows = torch.arange(9), torch.tensor([9])
    return torch.index_select(x, 0, rows)


@known(CASES, "index out of range", "F.embedding(words, table)", operands=["words"])
def embedding_as_a_function() -> object:
    words, table = torch.tensor([4]), torch.ones(4, 2)
    return F.embedding(words, table)


@known(
    CASES,
    "mask is not bool",
    "torch.masked_fill(x, mask, 0)",
    operands=["mask"],
    code="torch.masked_fill(x, mask.bool(), 0)",
)
def mask_as_an_argument() -> object:
    x, mask = torch.ones(3), torch.tensor([1, 0, 1])
    return torch.masked_fill(x, mask, 0)


@known(
    CASES, "sizes of a matrix product", "torch.addmm(bias, a, b)", operands=["a", "b"], code="torch.addmm(bias, a, b.T)"
)
def product_with_a_bias() -> object:
    bias, a, b = torch.ones(2), torch.ones(2, 3), torch.ones(2, 3)
    return torch.addmm(bias, a, b)


@known(CASES, "shapes do not broadcast", "torch.where(mask, a, b)", operands=["mask", "b"])
def third_shape() -> object:
    mask, a, b = torch.ones(4, 3, dtype=torch.bool), torch.ones(4, 3), torch.ones(2)
    return torch.where(mask, a, b)


@known(
    CASES,
    "dtypes differ in MultiheadAttention",
    "mix(x, x, x, key_padding_mask=mask)",
    operands=["x", "mix.in_proj_weight"],
    code="mix(x.to(mix.in_proj_weight.dtype), x.to(mix.in_proj_weight.dtype), x.to(mix.in_proj_weight.dtype), "
    "key_padding_mask=mask)",
)
def a_mask_beside_it() -> object:
    mix, x = nn.MultiheadAttention(4, 2), torch.ones(3, 1, 4, dtype=torch.float64)
    mask = torch.zeros(1, 3, dtype=torch.bool)
    return mix(x, x, x, key_padding_mask=mask)


@known(CASES, "dtype that NumPy has not", "np.stack([a, b])", operands=["b"], code="np.stack([a, b.float()])")
def second_of_a_list() -> object:
    a, b = torch.ones(2), torch.ones(2, dtype=torch.bfloat16)
    return np.stack([a, b])


@known(
    CASES,
    "NumPy and a tensor that requires grad",
    "np.concatenate([a, w])",
    operands=["w"],
    code="np.concatenate([a, w.detach()])",
)
def one_that_requires_grad() -> object:
    a, w = torch.ones(2), torch.ones(2, requires_grad=True)
    return np.concatenate([a, w])


@known(CASES, "result does not fit in place", "torch.add(a, b, out=c)", operands=["c"])
def result_for_out() -> object:
    a, b, c = torch.ones(2), torch.ones(2), torch.ones(2, dtype=torch.int64)
    return torch.add(a, b, out=c)


@known(CASES, "write into a leaf", "w.add_(y)", operands=["w"], code="w = w.add(y)")
def leaf_and_another() -> object:
    w = torch.ones(2, requires_grad=True)
    y = w * 2
    w.add_(y)


@known(CASES, "truth of several elements", "max(a, b)", operands=["a", "b"])
def maximum_of_python() -> object:
    a, b = torch.ones(2), torch.zeros(2)
    return max(a, b)


@known(CASES, "tensor from inference mode", "w * y * x", operands=["x"], code="w * y * x.clone()")
def third_of_a_product() -> object:
    w, y = torch.ones(3, requires_grad=True), torch.ones(3)
    with torch.inference_mode():
        x = torch.ones(3)
    return w * y * x


@known(
    CASES,
    "operands on different devices",
    "torch.cat([a, b])",
    operands=["a", "b"],
)
def devices_in_a_list() -> object:
    a, b = torch.ones(2), torch.ones(2, device="meta")
    return torch.cat([a, b])


@known(
    CASES,
    "dtypes differ in a product",
    "a @ b.double()",
    operands=["a", "b.double()"],
    code="a @ b",
)
def the_one_that_is_gone() -> object:
    a, b = torch.ones(2, 3), torch.ones(3, 2)
    return a @ b.double()


@known(
    CASES,
    "dtypes differ in Linear",
    "second(first(x))",
    operands=["first(x)", "second.weight"],
    code="second(first(x).to(second.weight.dtype))",
)
def what_came_from_another_layer() -> object:
    first, second, x = nn.Linear(3, 4), nn.Linear(4, 2).double(), torch.ones(5, 3)
    return second(first(x))


@known(CASES, "shapes do not broadcast", "a + b + c", operands=["c", "a + b"])
def sum_of_three() -> object:
    a, b, c = torch.ones(4, 3), torch.ones(3), torch.ones(2)
    return a + b + c


@known(
    CASES,
    "dtypes differ in MultiheadAttention",
    "mix(x.flip(0), x, x)",
    operands=["x", "w_q (inside _in_projection_packed)"],
    code="mix(x.to(torch.float32).flip(0), x.to(torch.float32), x.to(torch.float32))",
)
def one_that_torch_has_turned_since() -> object:
    mix, x = nn.MultiheadAttention(4, 2, batch_first=True), torch.ones(3, 5, 4, dtype=torch.float64)
    return mix(x.flip(0), x, x)


@known(CASES, "write where elements overlap", "torch.add(a, b, out=c)", operands=["c"])
def out_that_overlaps() -> object:
    a, b, c = torch.ones(3), torch.ones(3), torch.ones(1).expand(3)
    return torch.add(a, b, out=c)


@known(CASES, "write where elements overlap", "torch.add(a, b, **options)")
def out_among_options() -> object:
    a, b, options = torch.ones(3), torch.ones(3), {"out": torch.ones(1).expand(3)}
    return torch.add(a, b, **options)


@known(
    CASES,
    "shapes do not broadcast",
    "F.triplet_margin_loss(*pair, c)",
    operands=["c", "anchor (inside triplet_margin_loss)"],
)
def arguments_that_are_unpacked() -> object:
    pair, c = [torch.ones(3, 5), torch.ones(3, 5)], torch.ones(3, 4)
    return F.triplet_margin_loss(*pair, c)


@known(CASES, "sizes of a matrix product", "x @ x", operands=["x"], code="x @ x.T")
def one_on_both_sides() -> object:
    x = torch.ones(2, 3)
    return x @ x


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_right_one_is_named(case: Case) -> None:
    case.check()
