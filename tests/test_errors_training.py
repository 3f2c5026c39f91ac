"""`explain` on errors of training code as people write it, each provoked for real."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
import torch
import torch.nn.functional as F  # noqa: N812 - its usual name
from torch import nn

from tests.errors_help import Case, explained, known
from tutor._explaining.kinds import devices

CASES: list[Case] = []


@known(CASES, "dtype of class targets", "F.cross_entropy(x, y.float())", operands=["x", "y.float()"])
def a_cast_too_many() -> object:
    x, y = torch.randn(4, 2), torch.tensor([0, 1, 0, 1])
    return F.cross_entropy(x, y.float())


@known(CASES, "dtype of class targets", "F.cross_entropy(x, y.float())", operands=["x", "y.float()"])
def a_cast_of_the_wrong_kind() -> object:
    x, y = torch.randn(4, 2), torch.tensor([0.0, 1, 0, 1], dtype=torch.float64)
    return F.cross_entropy(x, y.float())


def test_a_cast_is_left_out_or_replaced_and_not_undone_by_another() -> None:
    assert explained(a_cast_too_many).correction.code == "F.cross_entropy(x, y)"  # type: ignore[union-attr]
    assert explained(a_cast_of_the_wrong_kind).correction.code == "F.cross_entropy(x, y.long())"  # type: ignore[union-attr]


@known(CASES, "gradient of a name that was given away", "w.grad", operands=["w.grad", "w = w - 0.1 * w.grad"])
def an_update_that_makes_a_new_tensor() -> object:
    w = torch.ones(3, requires_grad=True)
    (w * 2).sum().backward()  # type: ignore[no-untyped-call]
    w = w - 0.1 * w.grad  # type: ignore[operator]
    return w.grad.zero_()  # type: ignore[union-attr]


def test_without_the_warning_the_same_is_said_of_the_none() -> None:
    def fail() -> object:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return an_update_that_makes_a_new_tensor()

    told = explained(fail)
    assert told.kind == "gradient of a name that was given away"
    assert told.expression == "w.grad.zero_"
    assert told.correction is None


def test_a_gradient_that_zero_grad_has_cleared_is_not_said_never_to_have_been_filled() -> None:
    def fail() -> object:
        model = nn.Linear(2, 1)
        optimizer = torch.optim.SGD(model.parameters(), 0.1)
        model(torch.ones(1, 2)).sum().backward()
        optimizer.zero_grad()
        return model.weight.grad.norm()  # type: ignore[union-attr]

    told = explained(fail)
    assert told.kind == "the gradient is None"
    assert "cleared" in told.cause


@known(CASES, "nothing to differentiate", "loss.backward()", operands=["loss"])
def a_loss_of_class_numbers() -> object:
    loss = F.mse_loss(nn.Linear(2, 3)(torch.ones(4, 2)).argmax(1).float(), torch.ones(4))
    return loss.backward()  # type: ignore[no-untyped-call]


def test_a_way_that_was_cut_is_not_called_a_lack_of_leaves() -> None:
    told = explained(a_loss_of_class_numbers)
    assert "or it was cut" in told.meaning
    assert "argmax" in told.cure


@known(
    CASES,
    "NumPy and a tensor that requires grad",
    "np.mean(losses)",
    operands=["losses"],
    code="np.mean([one.item() for one in losses])",
)
def losses_in_a_list() -> object:
    losses = [torch.ones((), requires_grad=True) * i for i in range(3)]
    return np.mean(losses)


@known(
    CASES,
    "loss that was not made yet",
    "nn.MSELoss(x, y)",
    code="nn.MSELoss()(x, y)",
)
def class_of_a_loss() -> object:
    x, y = torch.rand(4, 1), torch.ones(4, 1)
    return nn.MSELoss(x, y)


@known(CASES, "several tensors for one", "torch.relu(out)", operands=["out"], code="torch.relu(out[0])")
def results_of_an_lstm() -> object:
    out = nn.LSTM(5, 3, batch_first=True)(torch.randn(2, 4, 5))
    return torch.relu(out)


@known(CASES, "several tensors for one", "torch.sum(parts)", operands=["parts"], code="torch.sum(torch.stack(parts))")
def list_of_parts() -> object:
    parts = [torch.ones(2), torch.ones(2)]
    return torch.sum(parts)  # type: ignore[call-overload]


@known(CASES, "None for a tensor", "torch.relu(out)", operands=["out"])
def forward_without_return() -> object:
    def forward(x: torch.Tensor) -> None:
        x.relu_()

    out: Any = forward(torch.ones(3))  # type: ignore[func-returns-value]
    return torch.relu(out)


@known(CASES, "stacks of matrices", "q @ k.T", operands=["q", "k.T"], code="q @ k.mT")
def attention_with_all_dimensions_turned() -> object:
    q, k = torch.randn(2, 4, 8), torch.randn(2, 4, 8)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return q @ k.T


@known(CASES, "truth of several elements", "0 < a < 1", operands=["a"], code="((0 < a) & (a < 1)).all()")
def between_in_a_test() -> object:
    a = torch.tensor([0.5, 2.0])
    if 0 < a < 1:
        a += 1
    return a


@known(
    CASES,
    "truth of several elements",
    "a > 0 and a < 1",
    operands=["a > 0", "a < 1"],
    code="(a > 0) & (a < 1)",
)
def two_masks() -> object:
    a = torch.tensor([0.5, 2.0])
    return a[a > 0 and a < 1]


@known(CASES, "truth of several elements", "not mask", operands=["mask"], code="~mask")
def the_other_rows() -> object:
    mask = torch.tensor([True, False])
    return torch.ones(2)[not mask]


@known(CASES, "truth of several elements", "a > 0", operands=["a"], code="torch.where(a > 0, 1, 2)")
def a_choice() -> object:
    a = torch.tensor([0.5, -2.0])
    return 1 if a > 0 else 2


@known(CASES, "truth of several elements", "a and b", operands=["a"])
def a_test_that_python_folds() -> object:
    a, b = torch.tensor([0.5, -2.0]), True
    if a and b:
        a += 1
    return a


@known(CASES, "truth of several elements", "max(a, b)", operands=["a", "b"])
def the_larger_of_two() -> object:
    a, b = torch.tensor([0.5, -2.0]), torch.ones(2)
    return max(a, b)


@known(CASES, "not made for this dtype", "mask & (x > 0)", operands=["mask", "x > 0"], code="mask.bool() & (x > 0)")
def a_mask_of_floats() -> object:
    x, mask = torch.randn(3), torch.ones(3)
    return mask & (x > 0)


@known(CASES, "real number of a complex one", "float(z)", operands=["z"])
def real_part_wanted() -> object:
    z = torch.tensor(1 + 2j)
    return float(z)


@known(CASES, "input of a convolution", "conv(x)", operands=["x"], code="conv(x.permute(0, 2, 1))")
def signals_with_their_channels_last() -> object:
    conv, x = nn.Conv1d(4, 8, 3), torch.randn(2, 10, 4)
    return conv(x)


@known(CASES, "input of a convolution", "conv(image)", operands=["image"], code="conv(image[None])")
def image_without_channels() -> object:
    conv, image = nn.Conv2d(1, 8, 3), torch.randn(28, 28)
    return conv(image)


@known(CASES, "shape of another size", "x.view(16, 120)", operands=["x"], code="x.view(-1, 120)")
def rows_stay_rows() -> object:
    x = torch.randn(32, 120)
    return x.view(16, 120)


@known(CASES, "shape of another size", "x.view(5, 7)", operands=["x"])
def no_size_is_right() -> object:
    x = torch.randn(6, 4)
    return x.view(5, 7)


@known(CASES, "write where elements overlap", "x.add_(1)", operands=["x"], code="x = x.add(1)")
def write_into_an_expanded_tensor() -> object:
    x = torch.ones(3).expand(3, 3)
    return x.add_(1)


@known(CASES, "write where elements overlap", "x[1:] += x[:-1]", operands=["x"])
def write_into_a_neighbour() -> object:
    x = torch.arange(6)
    x[1:] += x[:-1]
    return x


@known(CASES, "one number of several elements", "a[0] = b", operands=["b"])
def several_into_one_place() -> object:
    a, b = np.ones(3), torch.ones(2)
    a[0] = b
    return a


@known(CASES, "write into a leaf", "total += loss", operands=["total"], code="total = total + loss")
def a_total_that_needs_gradients() -> object:
    total = torch.zeros(1, requires_grad=True)
    loss = torch.ones(1, requires_grad=True) * 2
    total += loss
    return total


@known(
    CASES,
    "write into a leaf",
    "model.weight += 1",
    operands=["model.weight"],
    code="with torch.no_grad():\n    model.weight += 1",
)
def an_update_of_a_weight() -> object:
    model = nn.Linear(2, 2)
    model.weight += 1
    return model


@known(CASES, "backward twice", "loss.backward()")
def a_state_that_is_carried_over() -> object:
    model, h = nn.Linear(4, 4), torch.zeros(1, 4)
    for _ in range(2):
        h = torch.tanh(model(torch.ones(1, 4)) + h)
        loss = h.square().mean()
        loss.backward()  # type: ignore[no-untyped-call]
    return h


@known(CASES, "floating numbers needed", "F.dropout(y)", operands=["y"], code="F.dropout(y.float())")
def dropout_of_whole_numbers() -> object:
    y = torch.ones(3, dtype=torch.int64)
    return F.dropout(y)


@known(CASES, "not made for this dtype", "y.normal_()", operands=["y"])
def whole_numbers_are_filled() -> object:
    y = torch.zeros(3, dtype=torch.int64)
    return y.normal_()


@known(CASES, "several tensors for one", "torch.relu(most)", operands=["most"])
def values_and_indices() -> object:
    most: Any = torch.ones(2, 3).max(1)
    return torch.relu(most)


@known(
    CASES,
    "dimensions of a matrix product",
    "torch.mm(a, b)",
    operands=["a", "b"],
    code="torch.matmul(a, b)",
)
def a_stack_for_mm() -> object:
    a, b = torch.ones(2, 3, 4), torch.ones(4, 2)
    return torch.mm(a, b)


@known(CASES, "several tensors for one", "torch.stack(states)")
def tuples_in_a_stack() -> object:
    gru = nn.GRU(3, 4)
    states = [gru(torch.ones(1, 1, 3)) for _ in range(2)]
    return torch.stack(states)


@known(CASES, "truth of several elements", "a > 0", operands=["a"], code="((a > 0) & (a < 2)).all()")
def two_comparisons_in_a_test() -> object:
    a = np.ones(3)
    if a > 0 and a < 2:
        a += 1
    return a


@known(CASES, "truth of several elements", "x > 0", operands=["x"], code="not (x > 0).all()")
def a_comparison_denied() -> object:
    x = torch.tensor([0.5, -2.0])
    if not (x > 0):
        x += 1
    return x


@known(CASES, "truth of several elements", "row > 0", operands=["row"], code="(row > 0).all()")
def rows_that_are_chosen() -> object:
    rows = torch.ones(3, 2)
    return [row for row in rows if row > 0]


@known(CASES, "result does not fit in place", "y.data.div_(2)", operands=["y.data"])
def a_part_is_written() -> object:
    y = torch.ones(2, dtype=torch.int64)
    y.data.div_(2)
    return y


@known(CASES, "ragged list", "np.array(rows)")
def ragged_for_numpy() -> object:
    rows = [[1, 2], [3]]
    return np.array(rows)


@pytest.mark.parametrize("case", [case for case in CASES if "a_cast" not in str(case)], ids=str)
def test_the_error_is_told(case: Case) -> None:
    case.check()


def test_torchs_own_lists_of_texts_are_no_operands() -> None:
    def fail() -> object:
        model = nn.Linear(3, 2)
        return model.load_state_dict(nn.Linear(4, 2).state_dict())

    told = explained(fail)
    assert told.kind == "state_dict of another model"
    assert not [one.name for one in told.operands if "error_msgs" in one.name]


def test_data_moves_to_the_weights_where_both_have_values(monkeypatch: pytest.MonkeyPatch) -> None:
    """Meta stands for a second device here, which CPUs have not."""
    monkeypatch.setattr(devices, "_has_no_values", lambda x: False)

    def in_a_layer() -> object:
        layer, x = nn.Linear(3, 2, device="meta"), torch.ones(4, 3)
        return layer(x)

    def in_a_list() -> object:
        a, b = torch.ones(2), torch.ones(2, device="meta")
        return torch.cat([a, b])

    assert explained(in_a_layer).correction.code == "layer(x.to(layer.weight.device))"  # type: ignore[union-attr]
    assert explained(in_a_list).correction.code == "torch.cat([a.to(b.device), b])"  # type: ignore[union-attr]
