"""The proof of a chapter finds what is wrong with it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tutor.course.model import Case, Check, Claim, Exercise, Option, Question
from tutor.course.proving import claim_problems, exercise_problems, main, question_problems
from tutor.course.shelf import chapter


@pytest.fixture
def question(practice: str) -> Question:
    return chapter(practice).questions["dtype"]


@pytest.fixture
def exercise(practice: str) -> Exercise:
    sound = chapter(practice).exercises["double"]
    return replace(sound, wrong=tuple(w for w in sound.wrong if w.belief != "the same again"))


def test_a_sound_question_and_exercise(question: Question, exercise: Exercise) -> None:
    assert list(question_problems(question)) == []
    assert list(exercise_problems(exercise)) == []


def test_options_must_differ_and_say_something(question: Question) -> None:
    options = (Option("a", 1, "b", "r"), Option("a", 1.0, "b", " "))
    problems = list(question_problems(replace(question, options=options)))
    assert problems == [
        "option 'a': its refutation is empty.",
        "options 'a' and 'a' have the same value 1.",
        "two options are labelled 'a'.",
    ]


def test_a_question_needs_a_rule_and_options(question: Question) -> None:
    poor = replace(question, explanation="No rule.", options=question.options[:1], about="nowhere")
    assert list(question_problems(poor)) == [
        "it has 1 options; two to five are wanted.",
        "the explanation must have the rule in bold.",
        "it looks back to 'nowhere', which is no chapter.",
    ]


def test_a_starter_that_solves_and_a_solution_that_fails(exercise: Exercise) -> None:
    problems = list(exercise_problems(replace(exercise, starter=exercise.solution, solution=exercise.wrong[0].source)))
    assert problems[0] == "the solution gives ((2.0,), 'new bytes') for '[1.0]' and not ((2.0,), 'in place')."
    assert "the starter solves it." in problems


def test_wrong_answers_must_be_wrong_and_distinct(practice: str, exercise: Exercise) -> None:
    twice = chapter(practice).exercises["double"]
    problems = list(exercise_problems(twice))
    assert problems[0] == "the wrong answer 'the same again' is told '`x * 2` makes a new tensor.'."
    assert (
        problems[1]
        == "the wrong answers '`*` writes in place' and 'the same again' give the same values on every case."
    )
    right = replace(exercise, wrong=(replace(exercise.wrong[0], source=exercise.solution),))
    assert list(exercise_problems(right)) == ["the wrong answer '`*` writes in place' is judged 'correct'."]


def test_a_solution_that_wavers(exercise: Exercise) -> None:
    ticks = iter(range(1000))
    wavering = Case("once", lambda: (), lambda result: next(ticks), 0)
    problems = list(
        exercise_problems(replace(exercise, cases=(*exercise.cases, wavering), solution="def double(*x): ..."))
    )
    assert "the solution gives other values when it is run again." in problems


def test_too_few_cases_and_hints(exercise: Exercise) -> None:
    problems = list(exercise_problems(replace(exercise, cases=exercise.cases[:3] * 1, hints=("one",), wrong=())))
    assert problems == [
        "it has 3 cases; at least 6 are wanted.",
        "it has 1 hints; two to four are wanted.",
        "it has no usual wrong answer.",
    ]


def claim(taught: str, code: str) -> Claim:
    return Claim(("x",), "c", taught, "r", "w", (Check("part", code),))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("found", "problem"),
    [
        (claim("true", "False"), "it is taught as 'true' and is 'false' here ('part' False)."),
        (claim("true", "None"), "it is not decided here, although nothing in it is timed."),
        (claim("true", "1 // 0"), "part 'part' could not run: ZeroDivisionError: integer division or modulo by zero"),
        (claim("true", "import random\nrandom.random()\nTrue"), "its runs read otherwise when they are run again."),
        (Claim((), "c", "true", "r", "w"), "it is taught as 'true' and has no check."),
        (Claim((), "c", "not checkable", "r", ""), "its why is empty."),
    ],
)
def test_a_claim_must_be_decided_as_taught(found: Claim, problem: str) -> None:
    assert problem in list(claim_problems(found))


def test_a_sound_claim() -> None:
    assert list(claim_problems(claim("false", "torch.ones(2).numel() == 3"))) == []


def test_the_command_says_each_problem_and_their_number(practice: str) -> None:
    said: list[str] = []
    count = main([practice], said.append)
    assert said[-1] == f"{count} problems"
    assert any(line.startswith("practice/double: the wrong answer") for line in said)
    assert any(line.startswith("practice, claim ('otherwise',): it is taught as 'true'") for line in said)
