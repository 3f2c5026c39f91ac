"""Every chapter does what a chapter must do."""

from __future__ import annotations

import pytest

from tutor.course.model import Claim, Exercise, Question
from tutor.course.proving import claim_problems, exercise_problems, question_problems
from tutor.course.shelf import chapter, chapter_names

CHAPTERS = [chapter(name) for name in chapter_names()]


@pytest.mark.parametrize(
    "question", [pytest.param(q, id=f"{c.name}/{q.key}") for c in CHAPTERS for q in c.questions.values()]
)
def test_every_question_is_sound(question: Question) -> None:
    assert list(question_problems(question)) == []


@pytest.mark.parametrize(
    "exercise", [pytest.param(e, id=f"{c.name}/{e.key}") for c in CHAPTERS for e in c.exercises.values()]
)
def test_every_exercise_is_sound(exercise: Exercise) -> None:
    assert list(exercise_problems(exercise)) == []


@pytest.mark.parametrize(
    "claim",
    [
        pytest.param(claim, id=f"{c.name}/{i}-{'-'.join(claim.ids)}")
        for c in CHAPTERS
        for i, claim in enumerate(c.claims)
    ],
)
def test_every_claim_is_decided_and_as_taught(claim: Claim) -> None:
    assert list(claim_problems(claim)) == []
