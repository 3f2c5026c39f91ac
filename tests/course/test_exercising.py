"""Exercises: every submission is judged, none is raised."""

from __future__ import annotations

import gc
import time
from typing import Any

import pytest
import torch

from tutor import exercise
from tutor.course import grading
from tutor.course.exercising import Task
from tutor.course.grading import Outcome, function_from
from tutor.course.journal import journal

KEY = "practice/double"


@pytest.fixture
def task(practice: str) -> Task:
    return exercise(f"{practice}/double")


def submit(task: Task, source: str) -> Outcome:
    return task.check(function_from(source, "double"))


def by_body(task: Task, body: str) -> Outcome:
    return submit(task, f"def double(x):\n    {body}\n")


# States


def test_the_starter_is_not_started(task: Task) -> None:
    outcome = submit(task, task.data.starter)
    assert outcome.state == "not started"
    assert repr(outcome) == (
        "Not started. `double` is still as it was given.\nDouble every number of `x` in place, and return `x`."
    )


@pytest.mark.parametrize("body", ["...", "pass", '"""Mine."""', "return ..."])
def test_so_is_an_empty_body(task: Task, body: str) -> None:
    assert by_body(task, body).state == "not started"


def test_the_solution_is_correct(task: Task) -> None:
    outcome = submit(task, task.data.solution)
    assert (outcome.state, outcome.right, outcome.of, outcome.wrong) == ("correct", 8, 8, ())
    assert repr(outcome) == "Correct. right on all 8 inputs\nNext: `add_`. Compare with `.solution()` if you like."


def test_three_quarters_are_almost(task: Task) -> None:
    outcome = by_body(task, "return x.mul_(2) if x[0] > 0 else x")
    assert (outcome.state, outcome.right) == ("almost", 7)
    assert [(g.label, g.wanted, g.came) for g in outcome.wrong] == [
        ("[-1.0]", "((-2.0,), 'in place')", "((-1.0,), 'in place')")
    ]
    assert outcome.next_step == "Write `.hint()` in place of `.check(double)` for the first of 2 hints."


def test_one_error_is_not_shown_over_and_over(task: Task) -> None:
    outcome = by_body(task, "return x.nothing()")
    assert (len(outcome.wrong), len(outcome.shown), outcome.more) == (8, 2, 6)


def test_values_may_be_right_and_memory_wrong(task: Task) -> None:
    outcome = by_body(task, "return x * 2")
    assert (outcome.state, outcome.right) == ("keep working", 0)
    assert outcome.wrong[0].came == "((2.0,), 'new bytes')"


# Beliefs


@pytest.mark.parametrize("index", [0, 1, 3])
def test_each_usual_wrong_answer_gets_its_own_feedback(task: Task, index: int) -> None:
    wrong = task.data.wrong[index]
    outcome = submit(task, wrong.source)
    assert (outcome.feedback, outcome.belief) == (wrong.feedback, wrong.belief)


def test_a_belief_is_recognised_by_what_it_does(task: Task) -> None:
    outcome = by_body(task, "y = torch.add(x, x); return y")
    assert outcome.belief == "`*` writes in place", "of two with the same pattern the first"


def test_an_unusual_wrong_answer_is_shown_without_a_belief(task: Task) -> None:
    outcome = by_body(task, "return x.fill_(7)")
    assert (outcome.feedback, outcome.belief) == ("", None)


# What goes wrong


def test_an_error_is_reported(task: Task) -> None:
    outcome = by_body(task, "return x.no_such_method()")
    assert outcome.state == "keep working"
    assert outcome.wrong[0].came == "raises AttributeError: 'Tensor' object has no attribute 'no_such_method'"


def test_a_result_of_the_wrong_type_is_reported(task: Task) -> None:
    assert by_body(task, "return 'twice'").wrong[0].came == "returns twice (str)"
    outcome = by_body(task, "x.mul_(2)")
    assert outcome.wrong[0].came == "returns None"


def test_nothing_returned_is_said(practice: str) -> None:
    task = exercise(f"{practice}/double")
    outcome = by_body(task, "x.mul_(3)")
    assert outcome.belief == "printing is returning", "here the same pattern"
    bare = Task(task.key, _without_wrong(task))
    assert by_body(bare, "x.mul_(3)").feedback == "Your function gives back `None`. Is there a `return`?"


def _without_wrong(task: Task) -> Any:
    return task.data.__class__(**{**task.data.__dict__, "wrong": ()})


@pytest.mark.parametrize(
    "body", ["raise SystemExit", "raise KeyboardInterrupt", "return double(x)", "raise BaseException"]
)
def test_nothing_gets_out(task: Task, body: str) -> None:
    outcome = by_body(task, body)
    assert outcome.state == "keep working"
    assert outcome.wrong[0].came.startswith("raises ")


def test_a_loop_is_stopped_for_all_inputs_together(task: Task, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grading, "SECONDS", 0.3)
    began = time.monotonic()
    outcome = submit(task, "def double(x):\n    while True:\n        try: pass\n        except: pass\n")
    assert time.monotonic() - began < 0.3 * outcome.of, "not once per input"
    assert outcome.state == "keep working"
    assert outcome.wrong[0].came == "stopped after 5 s"
    assert outcome.feedback == "Your code ran for five seconds and was stopped. Does a loop in it ever end?"


def test_a_loop_in_what_is_returned_is_stopped_too(task: Task, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grading, "SECONDS", 0.3)

    class Endless:
        def tolist(self) -> None:
            while True:
                pass

    assert task.check(lambda x: Endless()).wrong[0].came == "stopped after 5 s"


def test_five_seconds_are_given() -> None:
    assert grading.SECONDS == 5.0


def test_what_is_printed_is_kept_out_of_the_cell_and_shown(task: Task, capsys: pytest.CaptureFixture[str]) -> None:
    outcome = by_body(task, "print('at', x); return x.mul_(2)")
    assert capsys.readouterr() == ("", "")
    assert outcome.printed.splitlines() == [
        "at tensor([1.])",
        "at tensor([2., 3.])",
        "at tensor([0.5000])",
        *outcome.printed.splitlines()[3:5],
        "…",
    ]
    assert "It printed:" in outcome._repr_html_()


@pytest.mark.parametrize(
    ("fn", "summary", "advice"),
    [
        (
            None,
            "`check` takes your function itself; it got None.",
            "Write `.check(double)`, without parentheses after `double`.",
        ),
        (
            5,
            "`check` takes your function itself; it got 5 (int).",
            "Write `.check(double)`, without parentheses after `double`.",
        ),
        (lambda: 1, "`double` is called with 1 argument; yours takes none.", "The first input is `[1.0]`."),
        (lambda a, b: 1, "`double` is called with 1 argument; yours takes 2 (a, b).", "The first input is `[1.0]`."),
        (
            lambda a, *, b, c=1: 1,
            "`double` is called with 1 argument; yours takes 1 (a) by position and wants b by name.",
            "The first input is `[1.0]`.",
        ),
        (
            lambda *, x: 1,
            "`double` is called with 1 argument; yours takes none by position and wants x by name.",
            "The first input is `[1.0]`.",
        ),
    ],
)
def test_what_cannot_be_called_gets_a_sentence(task: Task, fn: Any, summary: str, advice: str) -> None:
    outcome = task.check(fn)
    assert (outcome.state, outcome.summary, outcome.next_step) == ("keep working", summary, advice)


def test_a_builtin_may_be_submitted(task: Task) -> None:
    assert task.check(torch.Tensor.mul_).state == "keep working"
    assert task.check(lambda x, *more: x.mul_(2)).state == "correct"


def test_inputs_are_fresh_for_every_case_and_every_check(task: Task) -> None:
    for _ in range(2):
        assert submit(task, task.data.solution).state == "correct"


def test_settings_do_not_leak_into_the_next_input_or_out(task: Task) -> None:
    outcome = by_body(
        task, "torch.set_default_device('meta'); torch.set_default_dtype(torch.float64); return x.mul_(2)"
    )
    assert outcome.state == "correct"
    assert torch.get_default_dtype() is torch.float32
    assert torch.empty(1).device.type == "cpu"


def test_output_may_be_closed(task: Task) -> None:
    outcome = by_body(task, "import sys; print(1); sys.stdout.close(); print(2); return x.mul_(2)")
    assert outcome.state == "correct"
    assert outcome.printed.startswith("1\n2\n")


def test_a_very_large_number_is_wrong_and_no_more(practice: str) -> None:
    outcome = exercise("start_here/bytes-needed").check(lambda shape, dtype: 10**400)
    assert outcome.state == "keep working"
    assert outcome.wrong[0].came == "1" + "0" * 78 + "…"


@pytest.mark.parametrize(
    ("source", "came", "feedback"),
    [
        (
            "def double(x):\n    yield x",
            "returns a generator",
            "`double` contains `yield`, so calling it gives a generator, and none of its lines has run. "
            "A plain function is wanted.",
        ),
        (
            "async def double(x):\n    return x",
            "returns a coroutine",
            "`double` is `async`, so calling it gives a coroutine, and none of its lines has run. "
            "A plain function is wanted.",
        ),
        (
            "async def double(x):\n    yield x",
            "returns an async generator",
            "`double` is `async` and contains `yield`, so calling it gives an async generator, "
            "and none of its lines has run. A plain function is wanted.",
        ),
        (
            "def double(x):\n    return (n * 2 for n in x)",
            "returns a generator",
            "What comes back is a generator, and not yet the value that it would give.",
        ),
    ],
)
def test_what_has_run_nothing_yet_is_said(
    task: Task, source: str, came: str, feedback: str, recwarn: pytest.WarningsRecorder
) -> None:
    outcome = submit(task, source)
    assert outcome.wrong[0].came == came
    assert outcome.feedback == feedback
    gc.collect()
    assert [str(warning.message) for warning in recwarn] == [], "no coroutine was never awaited"


def test_what_a_learner_writes_is_escaped(task: Task) -> None:
    html = by_body(task, "print('<script>'); raise ValueError('<b>bold</b>')")._repr_html_()
    assert "<script>" not in html
    assert "<b>bold</b>" not in html
    assert "&lt;b&gt;bold&lt;/b&gt;" in html


def test_a_learners_object_with_a_hostile_repr(task: Task) -> None:
    class Hostile:
        def __repr__(self) -> str:
            raise SystemExit

    assert task.check(lambda x: Hostile()).state == "keep working"


# Hints, solution, what is kept


def test_hints_come_one_by_one_whichever_object_is_asked(task: Task) -> None:
    said = [repr(exercise(task.key).hint()) for _ in range(3)]
    assert said == [
        "Hint 1 of 2. An underscore matters.",
        "Hint 2 of 2. Look at `mul_`. It is the last one; `.solution()` shows a way.",
        "Hint 2 of 2. Look at `mul_`. It is the last one; `.solution()` shows a way.",
    ]


def test_the_solution_is_shown(task: Task) -> None:
    assert repr(task.solution()) == "One solution:\n    def double(x):\n        return x.mul_(2)"
    assert [event["key"] for event in journal().events("solution")] == [KEY]


def test_a_submission_is_kept_with_its_source(task: Task) -> None:
    def double(x: torch.Tensor) -> torch.Tensor:
        return x * 2

    task.check(double)
    task.check(function_from("def double(x):\n    return x.mul_(2)\n", "double"))
    first, second = journal().events("exercise")
    assert (first["state"], first["right"], first["of"]) == ("keep working", 0, 8)
    assert first["source"].strip().startswith("def double(x: torch.Tensor)")
    assert second["source"] == "(source not available)"


def test_a_starter_is_not_kept(task: Task) -> None:
    submit(task, task.data.starter)
    assert journal().events() == []


def test_the_task_shows_what_to_write(task: Task) -> None:
    assert repr(task) == (
        "Double every number of `x` in place, and return `x`.\n\n"
        '    def double(x):\n        """Double it."""\n        ...\n\n'
        "`.check(double)` tries it on 8 inputs, `.hint()` gives the first of 2 hints."
    )


def test_the_task_remembers_how_far_you_came_but_its_text_does_not(task: Task) -> None:
    text = task._repr_html_()
    assert task._where_you_are() == ""
    submit(task, task.data.solution)
    by_body(task, "return x")
    assert "Correct." in task._where_you_are()
    assert "after 2 checks" in task._where_you_are()
    assert task._repr_html_() == text


def test_an_unknown_exercise_gets_the_nearest(practice: str) -> None:
    with pytest.raises(
        ValueError, match=r'^There is no exercise "practice/duble"; the nearest is "practice/double"\.$'
    ):
        exercise(f"{practice}/duble")


def test_the_page_of_an_outcome_says_all_that_its_text_says(task: Task) -> None:
    outcome = by_body(task, "return x * 2")
    html = outcome._repr_html_()
    for text in ("Keep working.", "right on 0 of 8 inputs", "values and bytes", "… and 4 more.", "makes a new tensor."):
        assert text in html
        assert text in repr(outcome)
