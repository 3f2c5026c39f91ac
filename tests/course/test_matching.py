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
    (10**400, 10**400),
    (complex(NAN, 1), complex(2, NAN)),
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
    (10**400, 1.0),
    (10**400, NAN),
    (10**400, 1j),
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


def test_a_list_with_too_much_in_it_is_left_alone() -> None:
    itself: list[object] = [1]
    itself.append(itself)
    for large in ([0] * 1001, [[0] * 100] * 10, itself):
        assert plain_value(large) is large
        assert not same(large, 0)
    assert plain_value([0] * 1000) == (0,) * 1000


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


@pytest.mark.parametrize(
    "value",
    [
        [1, (2,), (), [], {}, {"b": 1, "a": [2]}, set(), {3}, frozenset(), frozenset({4}), "it's", b"a\n", None, True],
        -(10**50),
        np.arange(3),
        torch.zeros(2).shape,
        range(3),
        {2: "two", 1: "one"},
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_small_value_is_written_as_python_does(value: object) -> None:
    assert value_text(value) == repr(value)


class Counted:
    """An object that counts how often it is written."""

    written = 0

    def __repr__(self) -> str:
        Counted.written += 1
        return "x"


def test_of_a_large_value_only_the_beginning_is_written() -> None:
    Counted.written = 0
    x = Counted()
    deep = [[[x] * 100] * 100] * 100
    for value in ([x] * 1_000_000, (x,) * 1_000_000, deep, dict.fromkeys(range(100_000), x), [{0: deep}]):
        assert value_text(value, 40).endswith("…")
    assert Counted.written <= 5 * 80, "as many as there are characters, and not as there are items"


def test_large_texts_and_numbers_are_cut() -> None:
    assert value_text("a" * 10**6, 10) == "aaaaaaaaa…"
    assert value_text(["a" * 10**6], 10) == "['aaaaaaa…"
    assert value_text(b"a" * 10**6, 10) == "b'aaaaaaa…"
    assert value_text(ValueError("a" * 10**6), 20) == "ValueError: aaaaaaa…"
    assert value_text(set(range(1000))) == "a set of 1,000 items"
    assert value_text(10**400, 10) == "100000000…"
    assert value_text(2**20_000) == "an int of 20,001 bits"


def test_a_repr_that_raises_is_told() -> None:
    class Broken:
        def __repr__(self) -> str:
            raise RuntimeError

    assert value_text(Broken()) == "<Broken whose repr raises RuntimeError>"
