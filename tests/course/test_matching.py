"""When an observed value is the value of an option."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import torch

from tutor.course.matching import plain_value, same, value_text

NAN = float("nan")

SAME = [
    (1, 1.0),
    (NAN, NAN),
    (NAN, torch.tensor(NAN)),
    (9.0, torch.tensor(9)),
    (9.0, np.float32(9)),
    (True, torch.tensor(True)),
    (True, np.bool_(True)),
    ((2, 3), torch.zeros(2, 3).shape),
    ((1, 2), [1, 2]),
    ((1.0, (2, NAN)), [1, [2, NAN]]),
    ((1, 2), torch.tensor([1, 2])),
    (((1.0, 2.0),), np.array([[1.0, 2.0]])),
    (torch.float32, torch.zeros(1).dtype),
    (torch.long, torch.int64),
    ("cpu", torch.device("cpu")),
    (ValueError, ValueError("text")),
    (ValueError, ValueError),
    (None, None),
    (1 + 2j, np.complex64(1 + 2j)),
    (0.5, torch.tensor(0.5, dtype=torch.bfloat16)),
    (2.0, torch.tensor(2.0, requires_grad=True)),
]

DIFFERENT = [
    (True, 1),
    (False, 0.0),
    (True, torch.tensor(1)),
    ((True,), (1,)),
    (torch.float32, torch.float64),
    ("1", 1),
    (None, 0),
    (None, False),
    (ValueError, TypeError("text")),
    (ValueError, Exception),
    ((1, 2), (1, 2, 3)),
    (9.0, torch.tensor([9.0])),
    (NAN, 0.0),
    (1.0, "nan"),
]


@pytest.mark.parametrize(("a", "b"), SAME, ids=repr)
def test_the_same(a: object, b: object) -> None:
    assert same(a, b)
    assert same(b, a)


@pytest.mark.parametrize(("a", "b"), DIFFERENT, ids=repr)
def test_different(a: object, b: object) -> None:
    assert not same(a, b)
    assert not same(b, a)


def test_unwrapping_says_nothing_and_keeps_the_graph() -> None:
    x = torch.tensor(2.0, requires_grad=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert plain_value(x * 3) == 6.0
    (x * 3).backward()
    assert same(x.grad, 3.0)


def test_what_cannot_be_unwrapped_is_no_option() -> None:
    for strange in (torch.empty(2, device="meta"), torch.zeros(10_000), object(), torch.empty((), device="meta")):
        assert not same(strange, 0.0)


def test_values_are_written_as_python_prints_them() -> None:
    assert value_text(torch.tensor(9.0)) == "tensor(9.)"
    assert value_text(torch.float32) == "torch.float32"
    assert value_text((1, "a")) == "(1, 'a')"
    assert value_text("copies") == "copies"
    assert value_text(ValueError) == "ValueError"
    assert value_text(ValueError("too\nlong")) == "ValueError: too long"


def test_a_written_value_has_no_address_and_an_end() -> None:
    assert value_text(object()) == "<object object>"
    assert "0x" not in value_text(lambda: None)
    long = value_text(list(range(1000)))
    assert long.endswith("…")
    assert len(long) <= 200


def test_a_repr_that_raises_is_told() -> None:
    class Broken:
        def __repr__(self) -> str:
            raise RuntimeError

    assert value_text(Broken()) == "<Broken whose repr raises RuntimeError>"
