"""An expected error is shown; anything else fails loudly."""

from __future__ import annotations

import gc
import weakref

import numpy as np
import pytest
import torch

from tutor import expect
from tutor.course.expecting import Raised


def test_the_expected_error_is_shown_and_kept(capsys: pytest.CaptureFixture[str]) -> None:
    with expect(ValueError, match="expected sequence") as caught:
        torch.tensor([[1, 2], [3]])
    assert capsys.readouterr().out == "ValueError: expected sequence of length 2 at dim 1 (got 1)\n"
    assert type(caught.error) is ValueError
    assert caught.text == "expected sequence of length 2 at dim 1 (got 1)"


def test_any_of_several_classes_may_come() -> None:
    with expect((TypeError, ZeroDivisionError)) as caught:
        1 // 0  # noqa: B018
    assert isinstance(caught.error, ZeroDivisionError)


def test_nothing_raised_fails() -> None:
    with (
        pytest.raises(AssertionError, match=r"^ValueError was expected, and nothing was raised\.$"),
        expect(ValueError),
    ):
        pass


def test_another_error_fails() -> None:
    sentence = "^TypeError or ValueError was expected, and KeyError was raised: 'x'$"
    with pytest.raises(AssertionError, match=sentence) as failed, expect((TypeError, ValueError)):
        {}["x"]
    assert isinstance(failed.value.__cause__, KeyError)


def test_another_text_fails() -> None:
    sentence = r"^ValueError was raised as expected, but its text does not match 'sevn': seven$"
    with pytest.raises(AssertionError, match=sentence), expect(ValueError, match="sevn"):
        raise ValueError("seven")


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit])
def test_an_interruption_is_never_held_back(error: type[BaseException]) -> None:
    with pytest.raises(error), expect(ValueError):
        raise error


def test_the_objects_of_the_block_are_not_kept_alive(capsys: pytest.CaptureFixture[str]) -> None:
    def block() -> weakref.ref[np.ndarray]:
        array = np.zeros(3)[::-1]
        with expect(ValueError) as caught:
            torch.from_numpy(array)
        kept.append(caught)
        return weakref.ref(array)

    kept: list[expect] = []
    gone = block()
    gc.collect()
    assert gone() is None
    assert "negative" in kept[0].text


def test_the_shown_text_has_no_address_and_an_end() -> None:
    assert repr(Raised("ValueError", "a thing at 0x7f0012345678")) == "ValueError: a thing"
    assert len(repr(Raised("ValueError", "\n".join("abcdefghijkl"))).splitlines()) == 9
    assert repr(Raised("StopIteration", "")) == "StopIteration"


def test_what_is_shown_is_escaped() -> None:
    assert "<b>x" not in Raised("ValueError", "<b>x")._repr_html_()


@pytest.mark.parametrize("wrong", [3, int, "ValueError", ()])
def test_only_errors_can_be_expected(wrong: object) -> None:
    with pytest.raises(TypeError, match=r"expect\(error\): a class of errors, such as ValueError, is expected; it got"):
        expect(wrong)  # type: ignore[arg-type]


def test_a_match_that_is_no_expression_is_told_before_the_block_runs() -> None:
    with pytest.raises(ValueError, match=r"expect\(match\): a regular expression is expected; '\(' is none: missing"):
        expect(ValueError, match="(")
