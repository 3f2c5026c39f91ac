"""`explain` on errors of losses and their targets, each provoked for real."""

from __future__ import annotations

import pytest
import torch
import torch.nn.functional as F  # noqa: N812 - its usual name
from torch import nn

from tests.errors_help import Case, known

CASES: list[Case] = []


@known(
    CASES,
    "dtype of class targets",
    "F.cross_entropy(scores, labels)",
    operands=["scores", "labels"],
    code="F.cross_entropy(scores, labels.long())",
)
def class_numbers_in_int32() -> object:
    scores, labels = torch.ones(2, 3), torch.tensor([0, 1], dtype=torch.int32)
    return F.cross_entropy(scores, labels)


@known(
    CASES,
    "dtype of class targets",
    "criterion(scores, labels)",
    operands=["scores", "labels"],
    code="criterion(scores, labels.long())",
)
def class_numbers_as_floats() -> object:
    criterion, scores, labels = nn.CrossEntropyLoss(), torch.ones(2, 3), torch.tensor([0.0, 1.0])
    return criterion(scores, labels)


@known(
    CASES,
    "one-hot targets of whole numbers",
    "F.cross_entropy(scores, target)",
    operands=["scores", "target"],
    code="F.cross_entropy(scores, target.to(scores.dtype))",
)
def one_hot_targets_of_integers() -> object:
    scores, target = torch.ones(2, 3), torch.tensor([[1, 0, 0], [0, 1, 0]])
    return F.cross_entropy(scores, target)


@known(CASES, "class out of range", "F.cross_entropy(scores, labels)", operands=["scores"])
def class_out_of_range() -> object:
    scores, labels = torch.ones(2, 3), torch.tensor([1, 3])
    return F.cross_entropy(scores, labels)


@known(
    CASES,
    "dtype of targets between 0 and 1",
    "F.binary_cross_entropy(scores, target)",
    operands=["scores", "target"],
    code="F.binary_cross_entropy(scores, target.to(scores.dtype))",
)
def targets_between_0_and_1_of_integers() -> object:
    scores, target = torch.full((2,), 0.5), torch.tensor([1, 0])
    return F.binary_cross_entropy(scores, target)


@known(
    CASES,
    "shape of the target",
    "criterion(scores, target)",
    operands=["scores", "target"],
    code="criterion(scores, target.view_as(scores))",
)
def targets_of_another_shape() -> object:
    criterion, scores, target = nn.BCEWithLogitsLoss(), torch.ones(4, 1), torch.ones(4)
    return criterion(scores, target)


@known(CASES, "shape of the target", "F.cross_entropy(scores, labels)", operands=["scores", "labels"])
def batches_of_two_sizes() -> object:
    scores, labels = torch.ones(4, 3), torch.tensor([0, 1])
    return F.cross_entropy(scores, labels)


@known(
    CASES,
    "probabilities outside 0 to 1",
    "F.binary_cross_entropy(scores, target)",
    operands=["scores", "target"],
    code="F.binary_cross_entropy(scores.sigmoid(), target)",
)
def probabilities_above_1() -> object:
    scores, target = torch.tensor([2.0, 0.5]), torch.tensor([1.0, 0.0])
    return F.binary_cross_entropy(scores, target)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_error_is_told(case: Case) -> None:
    case.check()
