"""`explain` on errors of shapes and strides, each provoked for real."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import nn

from tests.errors_help import Case, known

CASES: list[Case] = []


@known(CASES, "view and strides", "x.view(12)", operands=["x"], code="x.reshape(12)")
def view_of_a_transpose() -> object:
    x = torch.ones(3, 4).t()
    return x.view(12)


@known(
    CASES,
    "view and strides",
    "images.view(number_of_images_in_the_batch, number_of_pixels_with_all_channels)",
    operands=["images"],
    code="images.reshape(number_of_images_in_the_batch, number_of_pixels_with_all_channels)",
)
def view_over_lines() -> object:
    images = torch.ones(2, 3, 4, 5).permute(0, 2, 3, 1)
    number_of_images_in_the_batch, number_of_pixels_with_all_channels = 2, 60
    return images.view(
        number_of_images_in_the_batch,
        number_of_pixels_with_all_channels,
    ).sum()


@known(CASES, "view and strides", "x.t().view(-1)", operands=["x.t()"], code="x.t().reshape(-1)")
def view_of_a_calculation() -> object:
    x = torch.ones(3, 4)
    return x.t().view(-1)


@known(CASES, "shape of another size", "x.view(5, 4)", operands=["x"], code="x.view(-1, 4)")
def view_of_another_size() -> object:
    x = torch.ones(3, 4)
    return x.view(5, 4)


@known(CASES, "shape of another size", "a.reshape(5, 4)", operands=["a"], code="a.reshape(-1, 4)")
def reshape_of_another_size() -> object:
    a = np.ones((3, 4))
    return a.reshape(5, 4)


@known(CASES, "two sizes left open", "x.view(-1, -1)", operands=["x"])
def two_minus_ones() -> object:
    x = torch.ones(3, 4)
    return x.view(-1, -1)


@known(CASES, "expand of a size that is not 1", "x.expand(3, 4)", operands=["x"], code="x.unsqueeze(-1).expand(3, 4)")
def expand() -> object:
    x = torch.ones(3)
    return x.expand(3, 4)


@known(CASES, "write where elements overlap", "x += torch.arange(3)", operands=["x"], code="x = x + torch.arange(3)")
def write_into_an_expanded() -> object:
    x = torch.zeros(1).expand(3)
    x += torch.arange(3)


@known(CASES, "write where elements overlap", "x[1:].copy_(x[:-1])", operands=["x[1:]"])
def copy_between_overlaps() -> object:
    x = torch.arange(6.0)
    x[1:].copy_(x[:-1])


@known(CASES, "slice backwards", "x[::-1]", operands=["x"], code="x.flip(0)")
def slice_backwards() -> object:
    x = torch.arange(6)
    return x[::-1]


@known(CASES, "dimension out of range", "x.sum(dim=1)", operands=["x"], code="x.sum(dim=-1)")
def dimension_out_of_range() -> object:
    x = torch.ones(3)
    return x.sum(dim=1)


@known(CASES, "order of dimensions", "image.permute(1, 2, 0)", operands=["image"])
def permute() -> object:
    image = torch.ones(2, 3, 8, 8)
    return image.permute(1, 2, 0)


@known(CASES, "shapes do not broadcast", "x - mean", operands=["x", "mean"], code="x - mean[..., None]")
def broadcast() -> object:
    x, mean = torch.ones(4, 3), torch.ones(4)
    return x - mean


@known(CASES, "shapes do not broadcast", "x - mean", operands=["x", "mean"], code="x - mean[..., None]")
def broadcast_of_arrays() -> object:
    x, mean = np.ones((4, 3)), np.ones(4)
    return x - mean


@known(CASES, "shapes do not broadcast", "total += x", operands=["total", "x"])
def broadcast_in_place() -> object:
    total, x = torch.zeros(3), torch.ones(4, 3)
    total += x


@known(CASES, "expand of a size that is not 1", "x[0] = row", operands=["x", "row"])
def write_of_another_shape() -> object:
    x, row = torch.ones(4, 3), torch.ones(4)
    x[0] = row


@known(CASES, "sizes of a matrix product", "a @ b", operands=["a", "b"], code="a @ b.T")
def matmul_shapes() -> object:
    a, b = torch.ones(2, 3), torch.ones(2, 3)
    return a @ b


@known(CASES, "sizes of a matrix product", "a @ b", operands=["a", "b"], code="a @ b.T")
def matmul_of_arrays() -> object:
    a, b = np.ones((2, 3)), np.ones((2, 3))
    return a @ b


@known(CASES, "sizes of a matrix product", "torch.bmm(a, b)", operands=["a", "b"], code="torch.bmm(a, b.mT)")
def bmm_shapes() -> object:
    a, b = torch.ones(4, 2, 3), torch.ones(4, 2, 3)
    return torch.bmm(a, b)


@known(CASES, "sizes of a matrix product", "matrix @ vector", operands=["matrix", "vector"])
def vector_product() -> object:
    matrix, vector = torch.ones(2, 3), torch.ones(2)
    return matrix @ vector


@known(CASES, "input size of Linear", "layer(images)", operands=["images"], code="layer(images.flatten(1))")
def linear_input() -> object:
    layer, images = nn.Linear(784, 10), torch.ones(4, 1, 28, 28)
    return layer(images)


@known(CASES, "input size of Linear", "model(x)", operands=["x"])
def linear_in_a_model() -> object:
    model = nn.Sequential(nn.Linear(4, 8), nn.Linear(6, 1))
    x = torch.ones(2, 4)
    return model(x)


@known(CASES, "tensors to join differ in shape", "torch.cat([a, b])", code="torch.cat([a, b], 1)")
def cat() -> object:
    a, b = torch.ones(2, 3), torch.ones(2, 4)
    return torch.cat([a, b])


@known(CASES, "tensors to join differ in shape", "torch.cat([rows, row])", code="torch.cat([rows, row[None]])")
def cat_of_a_row() -> object:
    rows, row = torch.ones(2, 3), torch.ones(3)
    return torch.cat([rows, row])


@known(CASES, "tensors to stack differ in shape", "torch.stack(sentences)", code="torch.cat(sentences)")
def stack() -> object:
    sentences = [torch.ones(3), torch.ones(4)]
    return torch.stack(sentences)


@known(CASES, "nothing to join", "torch.stack([])")
def stack_of_nothing() -> object:
    return torch.stack([])


@known(CASES, "tensors to stack differ in shape", "loader")
def loader_of_unequal_samples() -> object:
    data = [torch.ones(3), torch.ones(4)]
    loader = torch.utils.data.DataLoader(data, batch_size=2)
    for batch in loader:
        print(batch)


@known(CASES, "input of a convolution", "conv(image)", operands=["image"], code="conv(image.permute(0, 3, 1, 2))")
def channels_last() -> object:
    conv, image = nn.Conv2d(3, 4, 3), torch.ones(1, 8, 8, 3)
    return conv(image)


@known(CASES, "input of a convolution", "conv(image)", operands=["image"], code="conv(image.expand(-1, 3, -1, -1))")
def grey_for_colour() -> object:
    conv, image = nn.Conv2d(3, 4, 3), torch.ones(1, 1, 8, 8)
    return conv(image)


@known(CASES, "kernel larger than its input", "conv(image)", operands=["image"])
def kernel_too_large() -> object:
    conv, image = nn.Conv2d(1, 1, 5), torch.ones(1, 1, 3, 3)
    return conv(image)


@known(CASES, "input of BatchNorm1d", "norm(x)", operands=["x"])
def batch_norm_channels() -> object:
    norm, x = nn.BatchNorm1d(3), torch.ones(2, 4)
    return norm(x)


@known(CASES, "input of BatchNorm1d", "norm(x)", operands=["x"])
def batch_of_one() -> object:
    norm, x = nn.BatchNorm1d(3), torch.ones(1, 3)
    return norm(x)


@known(CASES, "input of LayerNorm", "norm(x)", operands=["x"])
def layer_norm_size() -> object:
    norm, x = nn.LayerNorm(3), torch.ones(2, 4)
    return norm(x)


@known(CASES, "input of LSTM", "rnn(x)", operands=["x"])
def lstm_size() -> object:
    rnn, x = nn.LSTM(3, 4), torch.ones(5, 2, 4)
    return rnn(x)


@known(CASES, "no dimension to go along", "loss", operands=["loss"], code="for part in loss.reshape(1):")
def loop_over_a_scalar() -> object:
    loss = torch.tensor(1.0)
    for part in loss:
        print(part)


@known(CASES, "no dimension to go along", "len(loss)", operands=["loss"], code="len(loss.reshape(1))")
def length_of_a_scalar() -> object:
    loss = torch.tensor(1.0)
    return len(loss)


@known(CASES, "state_dict of another model", "model.load_state_dict(saved)", operands=["weight"])
def state_of_another_size() -> object:
    model, saved = nn.Linear(3, 2), nn.Linear(4, 2).state_dict()
    model.load_state_dict(saved)


@known(CASES, "state_dict of another model", "model.load_state_dict(saved)")
def state_with_missing_keys() -> object:
    model, saved = nn.Sequential(nn.Linear(3, 2)), nn.Linear(3, 2).state_dict()
    model.load_state_dict(saved)


@known(CASES, "shapes do not broadcast", "x + a * b", operands=["x", "a * b"])
def broadcast_of_what_is_gone() -> object:
    x, a, b = torch.ones(4, 3), torch.ones(4), torch.ones(4, 4)
    return x + a * b


@known(CASES, "shapes do not broadcast", "a + b + c", operands=["c", "a + b"])
def sum_of_three() -> object:
    a, b, c = torch.ones(4, 3), torch.ones(3), torch.ones(2)
    return a + b + c


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_error_is_told(case: Case) -> None:
    case.check()
