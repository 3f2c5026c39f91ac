"""`explain` on errors of autograd, each provoked for real."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import nn

from tests.errors_help import Case, known

CASES: list[Case] = []


@known(CASES, "write into a leaf", "w += 1", operands=["w"], code="with torch.no_grad():\n    w += 1")
def write_into_a_leaf() -> object:
    w = torch.ones(3, requires_grad=True)
    w += 1


@known(CASES, "write into a leaf", "w[0] = 2.0", operands=["w"], code="with torch.no_grad():\n    w[0] = 2.0")
def write_into_a_view_of_a_leaf() -> object:
    w = torch.ones(3, requires_grad=True)
    w[0] = 2.0


@known(CASES, "write into a leaf", "w.mul_(0.9)", operands=["w"], code="with torch.no_grad():\n    w.mul_(0.9)")
def write_by_a_method() -> object:
    w = nn.Parameter(torch.ones(3))
    w.mul_(0.9)


@known(CASES, "write broke backward", "y.sum().backward()", operands=["y"], code="y = y + 1")
def write_broke_backward() -> object:
    x = torch.ones(3, requires_grad=True)
    y = x.exp()
    y += 1
    y.sum().backward()


@known(CASES, "write broke backward", "loss.backward()", operands=["y"], code="y = y.mul(2)")
def write_broke_backward_by_a_method() -> object:
    x = torch.ones(3, requires_grad=True)
    y = x.sigmoid()
    loss = y.sum()
    y.mul_(2)
    loss.backward()


@known(CASES, "backward twice", "loss.backward()", code="loss.backward(retain_graph=True)  # the first time")
def backward_twice() -> object:
    x = torch.ones(3, requires_grad=True)
    loss = (x * x).sum()
    loss.backward()
    loss.backward()


@known(CASES, "NumPy and a tensor that requires grad", "w.numpy()", operands=["w"], code="w.detach().numpy()")
def numpy_of_grad() -> object:
    w = torch.ones(3, requires_grad=True)
    return w.numpy()


@known(CASES, "NumPy and a tensor that requires grad", "np.asarray(w)", operands=["w"], code="np.asarray(w.detach())")
def asarray_of_grad() -> object:
    w = torch.ones(3, requires_grad=True)
    return np.asarray(w)


@known(
    CASES,
    "NumPy and a tensor that requires grad",
    "(w * 2).numpy()",
    operands=["w * 2"],
    code="(w * 2).detach().numpy()",
)
def numpy_of_a_calculation() -> object:
    w = torch.ones(3, requires_grad=True)
    return (w * 2).numpy()


@known(CASES, "gradient of a non-leaf", "y.grad", operands=["y"], code="y.retain_grad()  # before backward")
def gradient_of_a_non_leaf() -> object:
    w = torch.ones(3, requires_grad=True)
    y = w * 2
    y.sum().backward()
    return y.grad


@known(CASES, "the gradient is None", "0.1 * w.grad", operands=["w.grad"])
def gradient_is_none() -> object:
    w = torch.ones(3, requires_grad=True)
    w -= 0.1 * w.grad


@known(CASES, "the gradient is None", "w.grad.zero_", operands=["w.grad"])
def gradient_zero_of_none() -> object:
    w = torch.ones(3, requires_grad=True)
    w.grad.zero_()


@known(CASES, "requires_grad of a non-leaf", "y.requires_grad_(False)", operands=["y"], code="y = y.detach()")
def flag_of_a_non_leaf() -> object:
    w = torch.ones(3, requires_grad=True)
    y = w * 2
    y.requires_grad_(False)


@known(CASES, "requires_grad of a non-leaf", "y.requires_grad = False", operands=["y"], code="y = y.detach()")
def flag_assigned() -> object:
    w = torch.ones(3, requires_grad=True)
    y = w * 2
    y.requires_grad = False


@known(CASES, "nothing to differentiate", "loss.backward()", operands=["loss"])
def nothing_requires_grad() -> object:
    loss = torch.ones(3).sum()
    loss.backward()


@known(CASES, "backward of several elements", "y.backward()", operands=["y"], code="y.sum().backward()")
def backward_of_several() -> object:
    w = torch.ones(3, requires_grad=True)
    y = w * 2
    y.backward()


@known(CASES, "tensor from inference mode", "w * x", operands=["x"], code="w * x.clone()")
def inference() -> object:
    w = torch.ones(3, requires_grad=True)
    with torch.inference_mode():
        x = torch.ones(3)
    return w * x


@known(CASES, "optimizer of a non-leaf", "torch.optim.SGD([w], lr=0.1)", operands=["w"])
def optimizer_of_a_non_leaf() -> object:
    w = torch.ones(3, requires_grad=True) * 2
    return torch.optim.SGD([w], lr=0.1)


@known(CASES, "gradient that does not fit", "w.grad = torch.ones(2)", operands=["w", "torch.ones(2)"])
def gradient_of_another_shape() -> object:
    w = torch.ones(3, requires_grad=True)
    w.grad = torch.ones(2)


@known(
    CASES,
    "gradient that does not fit",
    "w.grad = torch.ones(3, dtype=torch.float64)",
    operands=["w", "torch.ones(3, dtype=torch.float64)"],
)
def gradient_of_another_dtype() -> object:
    w = torch.ones(3, requires_grad=True)
    w.grad = torch.ones(3, dtype=torch.float64)


@known(CASES, "scaler and float16 weights", "scaler.step(optimizer)", operands=["model"], code="model = model.float()")
def unscale() -> object:
    model = nn.Linear(2, 1).half()
    scaler = torch.amp.GradScaler("cpu")
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    scaler.scale(model(torch.ones(1, 2).half()).sum()).backward()
    scaler.step(optimizer)


@known(CASES, "read-only array", "torch.from_numpy(a)", operands=["a"], code="torch.from_numpy(a.copy())")
def read_only() -> object:
    a = np.arange(3)
    a.flags.writeable = False
    return torch.from_numpy(a)


@known(CASES, "not in the graph", "torch.autograd.grad(loss, unused)", operands=["loss", "unused"])
def grad_of_unused() -> object:
    w, unused = torch.ones(3, requires_grad=True), torch.ones(3, requires_grad=True)
    loss = w.sum()
    return torch.autograd.grad(loss, unused)


@known(CASES, "backward of several elements", "(w * 2).backward()", operands=["w * 2"], code="(w * 2).sum().backward()")
def backward_of_what_is_gone() -> object:
    w = torch.ones(3, requires_grad=True)
    (w * 2).backward()


@known(CASES, "write broke backward", "y.sum().backward()", operands=["y"])
def write_broke_backward_by_an_index() -> object:
    x = torch.ones(3, requires_grad=True)
    y = x.exp()
    y[0] = 0
    y.sum().backward()


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_error_is_told(case: Case) -> None:
    case.check()
