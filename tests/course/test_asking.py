"""Predict, commit, observe: the question and what happened, in step."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import torch
from ipywidgets import Button

from tutor import predict, reveal
from tutor.course import asking
from tutor.course.asking import Answer, Prediction, observations
from tutor.course.journal import Journal, journal
from tutor.course.weighing import calibration
from tutor.drawing.course import shown
from tutor.widgets import hosting

pytestmark = pytest.mark.usefixtures("practice")
KEY = "practice/shared-write"


def choose(asked: Prediction, index: int, sure: int = 50) -> None:
    form = asked.form()
    form.options.value = index
    form.sure.value = sure
    form.commit.click()


def words(note: Any) -> str:
    return str(note.text.value)


def is_folded(answer: Answer) -> bool:
    last = answer.note().root.children[-1]
    return answer.note().show in getattr(last, "children", ())


# As text


def test_the_question_as_text() -> None:
    assert repr(predict(KEY)) == (
        "? `a` is an array of zeros and `t = torch.from_numpy(a)`. After `a[0] = 9`, what is `t[0]`?\n"
        "    - still `0`\n"
        "    - 9 <now>\n"
        "    - the write raises\n"
        "  Decide, and say to yourself how sure you are. Then run the next cell."
    )


def test_the_answer_as_text() -> None:
    assert repr(reveal(KEY, torch.tensor(9.0))) == (
        "What happened: `t[0]` is tensor(9.).\n"
        '  If you said "still `0`": "I believe in still `0`." But: Nothing speaks for still `0`.\n'
        '  If you said "the write raises": "I believe in the write raises." But: Nothing speaks for the write\n'
        "    raises.\n"
        "Both names are the same bytes. `from_numpy` shares, always."
    )


def test_the_page_folds_the_answer_and_escapes_what_it_shows() -> None:
    html = reveal(KEY, 9.0, show="<script>")._repr_html_()
    assert "<details" in html
    assert "<details open" not in html
    assert "&lt;script&gt;" in html
    assert "<b><code>from_numpy</code> shares, always.</b>" in html
    assert "<li>9 &lt;now&gt;</li>" in predict(KEY)._repr_html_()


def test_text_and_page_do_not_change_with_progress() -> None:
    asked, answer = predict(KEY), reveal(KEY, 9.0)
    before = repr(asked), asked._repr_html_(), repr(answer), answer._repr_html_()
    choose(asked, 0, 80)
    asked, answer = predict(KEY), reveal(KEY, 9.0)
    assert (repr(asked), asked._repr_html_(), repr(answer), answer._repr_html_()) == before


def test_widgets_are_shown_only_in_a_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    assert set(predict(KEY)._repr_mimebundle_()) == {"text/plain", "text/html"}
    monkeypatch.setattr(hosting, "in_kernel", lambda: True)
    for view in (predict(KEY), reveal(KEY, 9.0)):
        assert set(view._repr_mimebundle_()) == {"text/plain", "text/html", hosting.WIDGET_VIEW}


def test_what_is_shown_is_drawn_if_it_can_be() -> None:
    class Drawn:
        def _repr_html_(self) -> str:
            return "<i>drawn</i>"

    assert "<i>drawn</i>" in reveal(KEY, 9.0, show=Drawn())._repr_html_()
    assert shown(None) == ""


def test_a_dictionary_is_shown_as_named_lines() -> None:
    shown = reveal(KEY, 9.0, show={"strides": (4, 1), "it": "copies <all>"})
    assert repr(shown).endswith("strides: (4, 1)\nit: copies <all>")
    text = re.sub(r"<[^>]+>", " ", shown._repr_html_()).split()
    assert " ".join(text).endswith("strides (4, 1) it copies &lt;all&gt;")


# Controls


def test_nothing_can_be_committed_before_a_choice() -> None:
    form = predict(KEY).form()
    assert form.commit.disabled
    assert "Choose an answer first." in form.status.value
    form.options.value = 1
    assert not form.commit.disabled
    assert "You chose: 9 &lt;now&gt;." in form.status.value


def test_options_are_plain_words() -> None:
    assert [label for label, _ in predict(KEY).form().options.options] == ["still 0", "9 <now>", "the write raises"]


def test_a_run_of_all_cells_spoils_nothing() -> None:
    predict(KEY).form()
    answer = reveal(KEY, 9.0)
    assert is_folded(answer)
    assert "folded until you commit" in words(answer.note())
    assert "same bytes" not in words(answer.note())
    assert "believe" not in words(answer.note())


def test_a_wrong_answer_unfolds_with_the_belief_and_what_refutes_it() -> None:
    asked, answer = predict(KEY), reveal(KEY, torch.tensor(9.0))
    assert is_folded(answer)
    choose(asked, 0, 80)
    said = words(answer.note())
    assert "Not what happened." in said
    assert "tensor(9.)" in said
    assert "(80 % sure)" in said
    assert "“I believe in still <code>0</code>.”" in said
    assert "Nothing speaks for still <code>0</code>." in said
    assert "the write raises" not in said
    assert "Both names are the same bytes." in said
    assert "Of your answers given as 80 % sure, 0 of 1 were right so far." in said


def test_a_right_answer_unfolds_with_the_explanation() -> None:
    asked, answer = predict(KEY), reveal(KEY, 9.0)
    choose(asked, 1, 60)
    answer.note()
    said = words(answer.note())
    assert "As you predicted." in said
    assert "You were 60 % sure; you may trust this one more." in said
    assert "I believe" not in said


def test_committing_before_the_next_cell_runs_works_too() -> None:
    choose(predict(KEY), 1)
    answer = reveal(KEY, 9.0)
    answer.note()
    assert "As you predicted." in words(answer.note())


def test_one_may_look_without_committing() -> None:
    predict(KEY).form()
    answer = reveal(KEY, 9.0)
    answer.note().show.click()
    assert "As you predicted." not in words(answer.note())
    assert "I believe in the write raises." in words(answer.note())
    assert [event["key"] for event in journal().events("looked")] == [KEY]


def test_after_a_look_one_may_still_decide_but_it_weighs_nothing() -> None:
    asked, answer = predict(KEY), reveal(KEY, 9.0)
    asked.form().options.value = 1
    answer.note().show.click()
    assert asked.form().options.value == 1, "what was chosen stays chosen"
    answer.note().hide.click()
    assert is_folded(answer)
    asked.form().commit.click()
    assert "As you predicted." in words(answer.note())
    assert [event["looked"] for event in journal().events("answer")] == [True]
    assert calibration() == ()


def test_an_answer_is_remembered_in_the_next_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    choose(predict(KEY), 0, 80)
    monkeypatch.setattr(asking, "_DIALOGUES", {})
    form = predict(KEY).form()
    assert "You said <b>still <code>0</code></b>, 80 % sure." in form.said.value
    assert "Committed." in form.said.value
    assert "Not what happened." in words(reveal(KEY, 9.0).note())


def test_answering_again_folds_and_keeps_both_answers() -> None:
    asked, answer = predict(KEY), reveal(KEY, 9.0)
    choose(asked, 0, 80)
    assert not is_folded(answer)
    asked.form().again.click()
    assert is_folded(answer)
    assert asked.form().options.value is None
    assert is_folded(reveal(KEY, 9.0)), "running the cell again must not bring the old answer back"
    choose(asked, 1, 70)
    assert [(e["label"], e["sure"]) for e in journal().events("answer")] == [("still `0`", 80), ("9 <now>", 70)]


def test_all_cells_of_a_question_keep_in_step() -> None:
    questions, answers = [predict(KEY), predict(KEY)], [reveal(KEY, 9.0), reveal(KEY, 9.0)]
    for cell in questions:
        cell.form()
    assert all(is_folded(answer) for answer in answers)
    choose(questions[0], 1)
    assert all("You said" in cell.form().said.value for cell in questions)
    assert all("As you predicted." in words(answer.note()) for answer in answers)
    questions[1].form().again.click()
    assert all(cell.form().options.value is None for cell in questions)
    assert all(is_folded(answer) for answer in answers)


def test_the_keyboard_stays_in_the_cell_that_was_used(monkeypatch: pytest.MonkeyPatch) -> None:
    focused: list[Any] = []

    def focus(button: Button) -> None:
        focused.append(button)

    monkeypatch.setattr(Button, "focus", focus)
    questions, answers = [predict(KEY), predict(KEY)], [reveal(KEY, 9.0), reveal(KEY, 9.0)]
    forms, notes = [cell.form() for cell in questions], [answer.note() for answer in answers]
    notes[0].show.click()
    notes[0].hide.click()
    choose(questions[0], 1)
    forms[0].again.click()
    assert focused == [notes[0].hide, notes[0].show, forms[0].again]


def test_controls_have_a_fixed_text() -> None:
    assert "0x" not in repr(predict(KEY)) + repr(reveal(KEY, object()))


def test_with_no_place_to_save_it_says_so(data_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data_folder.write_text("a file in the way")
    reveal(KEY, 9.0)
    assert "cannot be saved" in capsys.readouterr().out
    asked = predict(KEY)
    choose(asked, 1)
    assert "Committed, until this kernel stops." in asked.form().said.value
    assert "As you predicted." in words(reveal(KEY, 9.0).note())


# What is observed


def test_a_value_that_is_no_option_is_shown_calmly_and_recorded() -> None:
    answer = reveal(KEY, 7.0)
    choose(predict(KEY), 0)
    assert "Your machine shows something this course does not list." in words(answer.note())
    assert "7.0" in words(answer.note())
    assert repr(answer).startswith(
        "Your machine shows something this course does not list.\nWhat happened: `t[0]` is 7.0"
    )
    assert [o.option for o in observations()] == [None]
    assert [(e["value"], e["label"]) for e in journal().events("observed")] == [("7.0", None)]


def test_observations_are_kept_for_whoever_asks(data_folder: Path) -> None:
    reveal(KEY, 9.0)
    reveal(KEY, 9.0)
    reveal("practice/dtype", torch.float64)
    found = [(o.key, o.value, o.option.label if o.option else None) for o in observations()]
    assert found[0] == (KEY, 9.0, "9 <now>")
    assert found[2] == ("practice/dtype", torch.float64, "float64")
    kept = Journal(data_folder / "progress").events("observed")
    assert [(e["key"], e["label"]) for e in kept] == [(KEY, "9 <now>"), ("practice/dtype", "float64")]


def test_errors_match_by_class_and_a_broader_class_if_no_other() -> None:
    assert reveal("practice/error", ValueError("x")).observation.option.label == "ValueError"
    assert reveal("practice/error", KeyError).observation.option.label == "any lookup error"
    assert reveal("practice/error", None).observation.option.label == "nothing"
    assert reveal("practice/error", TypeError("x")).observation.option is None


@pytest.mark.parametrize(
    ("key", "sentence"),
    [
        (
            "practice/shared-wite",
            'There is no question "practice/shared-wite"; the nearest is "practice/shared-write".',
        ),
        ("practise/dtype", 'There is no chapter "practise"; the nearest is "practice".'),
        ("dtype", 'The key of a question reads "chapter/name"; "dtype" has no slash.'),
    ],
)
def test_an_unknown_key_gets_the_nearest(key: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=f"^{sentence}$"):
        predict(key)
    with pytest.raises(ValueError, match=f"^{sentence}$"):
        reveal(key, 1)


def test_a_key_is_a_string() -> None:
    with pytest.raises(TypeError, match="The question is named by a string; it came as int"):
        predict(3)  # type: ignore[arg-type]
