"""Review asks again what was wrong, too sure, or long ago."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from tutor import review
from tutor.course.journal import journal
from tutor.course.recalling import Review, due

pytestmark = pytest.mark.usefixtures("practice")


def answered(key: str, label: str, seen: str, *, sure: int = 50, days: int = 0) -> None:
    at = (datetime.now(UTC) - timedelta(days=days)).isoformat(timespec="microseconds")
    common = {"at": at, "key": f"practice/{key}"}
    journal().take_in(
        [
            {"id": f"{key}{at}a", "kind": "answer", "label": label, "sure": sure, "looked": False, **common},
            {"id": f"{key}{at}o", "kind": "observed", "label": seen, "value": f"value of {seen}", **common},
        ]
    )


def keys(asked: Review) -> list[str]:
    return [item.key.removeprefix("practice/") for item in asked.items]


def test_what_was_right_just_now_rests() -> None:
    answered("dtype", "float32", "float32")
    assert keys(review()) == []
    form = review().deck()
    assert "Nothing to review now." in form.root.children[0].value


def test_the_order_is_wrong_and_sure_then_wrong_then_long_ago() -> None:
    answered("dtype", "float32", "float32", days=9)
    answered("error", "nothing", "ValueError", sure=50, days=2)
    answered("shared-write", "still `0`", "9 <now>", sure=90)
    assert keys(review()) == ["shared-write", "error", "dtype"]
    assert keys(review(most=1)) == ["shared-write"]


def test_the_last_answer_counts() -> None:
    answered("dtype", "float64", "float32", sure=90, days=1)
    answered("dtype", "float32", "float32")
    assert due() == ()


def test_what_the_course_no_longer_asks_is_left_out() -> None:
    answered("gone", "a", "b")
    answered("dtype", "float64", "an old label")
    assert due() == ()


def test_a_question_is_asked_answered_told_and_left_behind() -> None:
    answered("dtype", "float64", "float32", sure=90)
    asked = review()
    deck = asked.deck()
    assert "1 of 1" in deck.form.root.children[0].value
    deck.form.options.value = 0
    deck.form.sure.value = 70
    deck.form.commit.click()
    told = deck.root.children[1].value
    assert "As you predicted." in told
    assert "value of float32" in told
    deck.next.click()
    assert "That was all for now." in deck.root.children[0].value
    last = journal().events("answer")[-1]
    assert (last["label"], last["sure"], last["review"]) == ("float32", 70, True)
    assert keys(review()) == []


def test_its_text_does_not_depend_on_progress() -> None:
    before = repr(review()), review()._repr_html_()
    answered("dtype", "float64", "float32", sure=90)
    assert (repr(review()), review()._repr_html_()) == before


@pytest.mark.parametrize("most", [0, -1, 2.5, True, "all"])
def test_most_is_a_positive_whole_number(most: object) -> None:
    with pytest.raises(ValueError, match=r"review\(most\): a positive whole number is expected; it got"):
        review(most)  # type: ignore[arg-type]
