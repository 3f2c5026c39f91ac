"""`explain` on errors of read-only arrays, copies and files, each provoked for real."""

from __future__ import annotations

import copy
import io

import numpy as np
import pytest
import torch
import torch.nn.functional as F  # noqa: N812 - its usual name
from torch import nn

from tests.errors_help import Case, explained, known

CASES: list[Case] = []


class Net(nn.Linear):
    """A model of the learner's own."""


@known(CASES, "write into a read-only array", "a[0] = 1", operands=["a"], code="a = a.copy()\na[0] = 1")
def write_into_a_read_only_array() -> object:
    a = np.arange(3)
    a.flags.writeable = False
    a[0] = 1


@known(CASES, "write into a read-only array", "a[0] += 1", operands=["a"], code="a = a.copy()\na[0] += 1")
def write_into_a_broadcast() -> object:
    a = np.broadcast_to(np.arange(3), (2, 3))
    a[0] += 1


@known(CASES, "deep copy of a non-leaf", "copy.deepcopy(y)", operands=["y"])
def deep_copy_of_a_calculation() -> object:
    w = torch.ones(3, requires_grad=True)
    y = w * 2
    return copy.deepcopy(y)


@known(CASES, "file with more than weights", "torch.load(file)", operands=[f"{__name__}.Net"])
def file_with_a_whole_model() -> object:
    file = io.BytesIO()
    torch.save(Net(2, 1), file)
    file.seek(0)
    return torch.load(file)


@known(CASES, "result does not fit in place", "counts /= 2", operands=["counts"], code="counts = counts / 2")
def division_in_place_of_an_array() -> object:
    counts = np.array([1, 2])
    counts /= 2


@known(CASES, "sizes in einsum", "torch.einsum('ij,jk->ik', a, b)", operands=["a", "b", "j"])
def einsum() -> object:
    a, b = torch.ones(2, 3), torch.ones(2, 3)
    return torch.einsum("ij,jk->ik", a, b)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_error_is_told(case: Case) -> None:
    case.check()


def test_a_loss_of_two_dtypes_is_told_where_this_torch_refuses_it() -> None:
    def step() -> object:
        w, target = torch.ones(3, requires_grad=True), torch.ones(3, dtype=torch.float64)
        loss = F.mse_loss(w, target)
        loss.backward()
        raise NotImplementedError(str(w.grad))

    told = explained(step)
    if told.error == "NotImplementedError":  # a release that casts in backward
        assert told.message == "tensor([0., 0., 0.])"
        assert told.kind is None
    else:
        assert told.kind == "dtypes of a loss, found by backward"
        assert told.expression == "loss.backward()"
