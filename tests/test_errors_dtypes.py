"""`explain` on errors of dtypes, each provoked for real."""

from __future__ import annotations

import numpy as np
import pytest
import torch
import torch.nn.functional as F  # noqa: N812 - its usual name
from torch import nn

from tests.errors_help import Case, known

CASES: list[Case] = []


class Net(nn.Module):
    """A model of the learner's own."""

    def __init__(self) -> None:
        super().__init__()
        self.head = nn.Linear(3, 2)

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        return self.head(images)


@known(
    CASES, "dtypes differ in Linear", "layer(x)", operands=["x", "layer.weight"], code="layer(x.to(layer.weight.dtype))"
)
def linear() -> object:
    layer, x = nn.Linear(3, 2), torch.ones(4, 3, dtype=torch.float64)
    layer(x)


@known(
    CASES,
    "dtypes differ in Linear",
    "model(batch)",
    operands=["batch", "model[0].weight"],
    code="model(batch.to(model[0].weight.dtype))",
)
def linear_in_a_model() -> object:
    model = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 1))
    batch = torch.from_numpy(np.ones((4, 3)))
    model(batch)


@known(
    CASES,
    "dtypes differ in Linear",
    "self.head(images)",
    operands=["images", "self.head.weight"],
    code="self.head(images.to(self.head.weight.dtype))",
)
def linear_in_a_class_of_the_learner() -> object:
    model, images = Net(), torch.ones(4, 3, dtype=torch.float16)
    model(images)


@known(
    CASES,
    "dtypes differ in Linear",
    "layer(ages)",
    operands=["ages", "layer.weight"],
    code="layer(ages.to(layer.weight.dtype))",
)
def linear_of_whole_numbers() -> object:
    layer, ages = nn.Linear(1, 1), torch.tensor([[31], [42]])
    layer(ages)


@known(
    CASES,
    "dtypes differ in Linear",
    "layer(torch.from_numpy(np.ones((4, 3))))",
    operands=["torch.from_numpy(np.ones((4, 3)))", "layer.weight"],
    code="layer(torch.from_numpy(np.ones((4, 3))).to(layer.weight.dtype))",
)
def input_that_is_gone() -> object:
    layer = nn.Linear(3, 2)
    layer(torch.from_numpy(np.ones((4, 3))))


@known(CASES, "dtypes differ in a product", "a @ b", operands=["a", "b"], code="a @ b.to(a.dtype)")
def matmul() -> object:
    a, b = torch.ones(2, 3), torch.ones(3, 2, dtype=torch.float64)
    return a @ b


@known(CASES, "dtypes differ in a product", "torch.mm(a, b)", operands=["a", "b"], code="torch.mm(a, b.to(a.dtype))")
def mm() -> object:
    a, b = torch.ones(2, 3), torch.ones(3, 2, dtype=torch.int64)
    return torch.mm(a, b)


@known(CASES, "dtypes differ in a product", "torch.bmm(a, b)", operands=["a", "b"], code="torch.bmm(a, b.to(a.dtype))")
def bmm() -> object:
    a, b = torch.ones(5, 2, 3), torch.ones(5, 3, 2, dtype=torch.bfloat16)
    return torch.bmm(a, b)


@known(
    CASES,
    "dtypes differ in a product",
    "torch.einsum('bid,bjd->bij', q, k)",
    operands=["q", "k"],
    code="torch.einsum('bid,bjd->bij', q, k.to(q.dtype))",
)
def einsum() -> object:
    q, k = torch.ones(2, 3, 4), torch.ones(2, 5, 4, dtype=torch.float64)
    return torch.einsum("bid,bjd->bij", q, k)


@known(CASES, "dtypes differ in a product", "torch.dot(a, b)", operands=["a", "b"], code="torch.dot(a, b.to(a.dtype))")
def dot() -> object:
    a, b = torch.ones(3), torch.ones(3, dtype=torch.float64)
    return torch.dot(a, b)


@known(
    CASES,
    "dtypes differ in Conv2d",
    "conv(image)",
    operands=["image", "conv.weight"],
    code="conv(image.to(conv.weight.dtype))",
)
def convolution() -> object:
    conv, image = nn.Conv2d(3, 4, 3), torch.ones(1, 3, 8, 8, dtype=torch.uint8)
    conv(image)


@known(
    CASES,
    "dtypes differ in LSTM",
    "rnn(steps)",
    operands=["steps", "rnn.weight_ih_l0"],
    code="rnn(steps.to(rnn.weight_ih_l0.dtype))",
)
def lstm() -> object:
    rnn, steps = nn.LSTM(3, 4), torch.ones(5, 2, 3, dtype=torch.float64)
    rnn(steps)


@known(
    CASES,
    "dtypes differ in GRU",
    "rnn(steps)",
    operands=["steps", "rnn.weight_ih_l0"],
    code="rnn(steps.to(rnn.weight_ih_l0.dtype))",
)
def gru() -> object:
    rnn, steps = nn.GRU(3, 4), torch.ones(5, 2, 3, dtype=torch.float64)
    rnn(steps)


@known(
    CASES,
    "dtypes differ in BatchNorm2d",
    "norm(images)",
    operands=["images", "norm.weight"],
    code="norm(images.to(norm.weight.dtype))",
)
def batch_norm() -> object:
    norm, images = nn.BatchNorm2d(3), torch.ones(2, 3, 4, 4, dtype=torch.float64)
    norm(images)


@known(
    CASES, "dtypes differ in LayerNorm", "norm(x)", operands=["x", "norm.weight"], code="norm(x.to(norm.weight.dtype))"
)
def layer_norm() -> object:
    norm, x = nn.LayerNorm(4), torch.ones(2, 4, dtype=torch.float64)
    norm(x)


@known(
    CASES,
    "dtypes differ in MultiheadAttention",
    "mix(x, x, x)",
    operands=["x", "mix.in_proj_weight"],
    code="mix(x.to(mix.in_proj_weight.dtype), x.to(mix.in_proj_weight.dtype), x.to(mix.in_proj_weight.dtype))",
)
def attention() -> object:
    mix, x = nn.MultiheadAttention(4, 2), torch.ones(3, 1, 4, dtype=torch.float64)
    mix(x, x, x)


@known(
    CASES,
    "dtypes differ in a product",
    "F.scaled_dot_product_attention(q, k, k)",
    operands=["q", "k"],
    code="F.scaled_dot_product_attention(q, k.to(q.dtype), k.to(q.dtype))",
)
def scaled_dot_product() -> object:
    q, k = torch.ones(1, 2, 3, 4), torch.ones(1, 2, 3, 4, dtype=torch.float64)
    return F.scaled_dot_product_attention(q, k, k)


@known(CASES, "dtypes differ in Bilinear", "layer(a, b)", operands=["a", "b"], code="layer(a, b.to(a.dtype))")
def bilinear() -> object:
    layer, a, b = nn.Bilinear(2, 2, 1), torch.ones(3, 2), torch.ones(3, 2, dtype=torch.float64)
    layer(a, b)


@known(CASES, "result does not fit in place", "counts /= 2", operands=["counts"], code="counts = counts / 2")
def in_place_division() -> object:
    counts = torch.tensor([1, 2])
    counts /= 2


@known(
    CASES, "result does not fit in place", "counts.mul_(rate)", operands=["counts"], code="counts = counts.mul(rate)"
)
def in_place_method() -> object:
    counts, rate = torch.tensor([1, 2]), torch.tensor([0.5])
    counts.mul_(rate)


@known(CASES, "not made for this dtype", "x + x", operands=["x"], code="x.to(torch.float32) + x.to(torch.float32)")
def not_for_float8() -> object:
    x = torch.ones(3).to(torch.float8_e4m3fn)
    return x + x


@known(
    CASES,
    "not made for this dtype",
    "torch.linalg.inv(x)",
    operands=["x"],
    code="torch.linalg.inv(x.to(torch.float32))",
)
def not_for_half() -> object:
    x = torch.eye(3, dtype=torch.float16)
    return torch.linalg.inv(x)


@known(
    CASES,
    "not made for this dtype",
    "pixels.softmax(0)",
    operands=["pixels"],
    code="pixels.to(torch.float32).softmax(0)",
)
def not_for_bytes() -> object:
    pixels = torch.ones(3, 3, dtype=torch.uint8)
    return pixels.softmax(0)


@known(CASES, "not made for this dtype", "x & 1", operands=["x"], code="x.long() & 1")
def not_for_floats() -> object:
    x = torch.tensor([1.0, 2.0])
    return x & 1


@known(CASES, "floating numbers needed", "pixels.mean()", operands=["pixels"], code="pixels.float().mean()")
def mean_of_whole_numbers() -> object:
    pixels = torch.ones(2, 3, dtype=torch.uint8)
    return pixels.mean()


@known(CASES, "floating numbers needed", "ages.std()", operands=["ages"], code="ages.float().std()")
def std_of_whole_numbers() -> object:
    ages = torch.tensor([1, 2, 3])
    return ages.std()


@known(
    CASES,
    "gradients of whole numbers",
    "torch.tensor([1, 2, 3], requires_grad=True)",
    code="torch.tensor([1, 2, 3], requires_grad=True, dtype=torch.float32)",
)
def integers_that_require_grad() -> object:
    return torch.tensor([1, 2, 3], requires_grad=True)


@known(CASES, "gradients of whole numbers", "x.requires_grad_()", operands=["x"], code="x.float().requires_grad_()")
def integers_that_are_asked_to() -> object:
    x = torch.tensor([1, 2, 3])
    x.requires_grad_()


@known(CASES, "minus of bool", "a - b", operands=["a", "b"], code="a ^ b")
def minus_of_masks() -> object:
    a, b = torch.tensor([True]), torch.tensor([False])
    return a - b


@known(CASES, "minus of bool", "-mask", operands=["mask"], code="~mask")
def minus_mask() -> object:
    mask = torch.tensor([True])
    return -mask


@known(CASES, "mask is not bool", "x.masked_fill(mask, 0.0)", operands=["mask"], code="x.masked_fill(mask.bool(), 0.0)")
def mask_of_numbers() -> object:
    x, mask = torch.ones(3), torch.tensor([0, 1, 0])
    return x.masked_fill(mask, 0.0)


@known(CASES, "unsigned dtypes do not promote", "a + b", operands=["a", "b"], code="a.long() + b")
def unsigned() -> object:
    a, b = torch.ones(2, dtype=torch.uint16), torch.ones(2, dtype=torch.int32)
    return a + b


@known(
    CASES,
    "number does not fit the dtype",
    "scores.masked_fill(mask, -1000000000.0)",
    operands=["scores"],
    code="scores.masked_fill(mask, torch.finfo(scores.dtype).min)",
)
def too_large_for_half() -> object:
    scores, mask = torch.zeros(2, dtype=torch.float16), torch.tensor([True, False])
    return scores.masked_fill(mask, -1e9)


@known(
    CASES,
    "number does not fit the dtype",
    "torch.full((2,), 300, dtype=torch.uint8)",
    code="torch.full((2,), 300, dtype=torch.int16)",
)
def too_large_for_bytes() -> object:
    return torch.full((2,), 300, dtype=torch.uint8)


@known(CASES, "integer beyond 64 bits", "torch.tensor([2 ** 70])", code="torch.tensor([2 ** 70], dtype=torch.float64)")
def beyond_64_bits() -> object:
    return torch.tensor([2**70])


@known(CASES, "no whole number for infinity or NaN", "int(loss)", operands=["loss"])
def nan_as_a_whole_number() -> object:
    loss = torch.tensor(float("nan"))
    return int(loss)


@known(
    CASES,
    "dtypes differ in a product",
    "torch.addmv(torch.ones(2), hidden, x)",
    operands=["hidden", "x", "torch.ones(2)"],
    code="torch.addmv(torch.ones(2), hidden, x.to(hidden.dtype))",
)
def float_expected() -> object:
    hidden = torch.ones(2, 3, requires_grad=True)
    x = torch.ones(3, dtype=torch.float64)
    return torch.addmv(torch.ones(2), hidden, x)


@known(
    CASES,
    "dtypes differ in a product",
    "a @ b.double()",
    operands=["a", "b.double()"],
    code="a @ b",
)
def other_side_is_gone() -> object:
    a, b = torch.ones(2, 3), torch.ones(3, 2)
    return a @ b.double()


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_error_is_told(case: Case) -> None:
    case.check()
