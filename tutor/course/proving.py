"""Proves a chapter: every exercise, question and claim does what a chapter must do.

For authors: ``python -m tutor.course.proving creation_from_data`` prints the problems found, or that there are none.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import combinations

import numpy as np
import torch

from tutor.course.deciding import Row, decide
from tutor.course.grading import function_from, graded, run_cases, wrong_patterns
from tutor.course.matching import same
from tutor.course.model import Claim, Exercise, Question
from tutor.course.running import settings_restored
from tutor.course.shelf import chapter, chapter_names

_LEAST_CASES = 6


def check_chapter(name: str, *, timed: bool = True) -> list[str]:
    """The problems of a chapter, each a sentence that says where.

    Parameters
    ----------
    name
        The chapter's name, such as ``"creation_from_data"``.
    timed
        Whether claims that measure times are decided too.

    Returns
    -------
    list of str
        Empty if the chapter is sound.
    """
    found = chapter(name)
    problems = [f"{name}/{q.key}: {p}" for q in found.questions.values() for p in question_problems(q)]
    problems += [f"{name}/{e.key}: {p}" for e in found.exercises.values() for p in exercise_problems(e)]
    claims = [c for c in found.claims if timed or not measures(c)]
    problems += [f"{name}, claim {c.ids or c.claim[:40]}: {p}" for c in claims for p in claim_problems(c)]
    return problems


def question_problems(asked: Question) -> Iterator[str]:
    """What is wrong with a question."""
    yield from _empty(asked, ("key", "prompt", "subject", "explanation"))
    if not 2 <= len(asked.options) <= 5:
        yield f"it has {len(asked.options)} options; two to five are wanted."
    for option in asked.options:
        yield from (f"option {option.label!r}: {p}" for p in _empty(option, ("label", "belief", "refutation")))
    for a, b in combinations(asked.options, 2):
        if same(a.value, b.value):
            yield f"options {a.label!r} and {b.label!r} have the same value {a.value!r}."
        if a.label == b.label:
            yield f"two options are labelled {a.label!r}."
    if "".join(asked.explanation.split("`")[::2]).count("**") not in (2, 4, 6):
        yield "the explanation must have the rule in bold."
    if asked.about is not None and asked.about not in chapter_names():
        yield f"it looks back to {asked.about!r}, which is no chapter."


def exercise_problems(exercise: Exercise) -> Iterator[str]:
    """What is wrong with an exercise."""
    yield from _empty(exercise, ("key", "task", "function", "observed"))
    if len(exercise.cases) < _LEAST_CASES:
        yield f"it has {len(exercise.cases)} cases; at least {_LEAST_CASES} are wanted."
    if not 2 <= len(exercise.hints) <= 4:
        yield f"it has {len(exercise.hints)} hints; two to four are wanted."
    yield from _repeated("case", (case.label for case in exercise.cases))
    yield from _state_problems(exercise)
    if not exercise.wrong:
        yield "it has no usual wrong answer."
        return
    yield from _wrong_problems(exercise)


def _state_problems(exercise: Exercise) -> Iterator[str]:
    starter, solution = (function_from(s, exercise.function) for s in (exercise.starter, exercise.solution))
    untouched = graded(exercise, starter)
    if untouched.state != "not started":
        yield f"the starter is {untouched.state!r} and not 'not started': {untouched.summary}"
    first, again = (run_cases(exercise.cases, solution)[0] for _ in range(2))
    yield from _misses(exercise, "solution", [s.value for s in first])
    if not same([s.value for s in first], [s.value for s in again]):
        yield "the solution gives other values when it is run again."
    if not list(_misses(exercise, "starter", [s.value for s in run_cases(exercise.cases, starter)[0]])):
        yield "the starter solves it."


def _misses(exercise: Exercise, which: str, values: list[object]) -> Iterator[str]:
    for case, value in zip(exercise.cases, values, strict=True):
        if not same(value, case.expected):
            yield f"the {which} gives {value!r} for {case.label!r} and not {case.expected!r}."


def _wrong_problems(exercise: Exercise) -> Iterator[str]:
    patterns = wrong_patterns(exercise)
    yield from _repeated("feedback", (wrong.feedback for wrong in exercise.wrong))
    for wrong in exercise.wrong:
        yield from (f"wrong answer {wrong.belief!r}: {p}" for p in _empty(wrong, ("belief", "feedback")))
        outcome = graded(exercise, function_from(wrong.source, exercise.function))
        if outcome.state in ("correct", "not started"):
            yield f"the wrong answer {wrong.belief!r} is judged {outcome.state!r}."
        elif outcome.feedback != wrong.feedback:
            yield f"the wrong answer {wrong.belief!r} is told {outcome.feedback!r}."
    for (a, p), (b, q) in combinations(zip(exercise.wrong, patterns, strict=True), 2):
        if same(p, q):
            yield f"the wrong answers {a.belief!r} and {b.belief!r} give the same values on every case."


def claim_problems(claim: Claim) -> Iterator[str]:
    """What is wrong with a claim here."""
    yield from _empty(claim, ("claim", "really", "why"))
    if not claim.checks and claim.taught != "not checkable":
        yield f"it is taught as {claim.taught!r} and has no check."
    row = decide(claim)
    for checked in row.checks:
        if checked.session.failure:
            yield f"part {checked.part!r} could not run: {checked.session.failure}"
    if not row.agrees:
        decided = ", ".join(f"{checked.part!r} {checked.session.decided}" for checked in row.checks)
        yield f"it is taught as {row.taught!r} and is {row.verdict!r} here ({decided})."
    if row.verdict == "not decided" and not row.timed:
        yield "it is not decided here, although nothing in it is timed."
    with settings_restored():
        _draw_numbers()
        if not row.timed and _lines(row) != _lines(decide(claim)):
            yield "its runs read otherwise when they are run again."


def _draw_numbers() -> None:
    """Leave the random states elsewhere, as another kernel would have them."""
    random.random()
    np.random.random()
    torch.rand(1)


def _lines(row: Row) -> list[tuple[str, ...]]:
    return [checked.session.lines for checked in row.checks]


def measures(claim: Claim) -> bool:
    """Whether a claim measures a time."""
    return any("times(" in check.code for check in claim.checks)


def _empty(thing: object, names: Iterable[str]) -> Iterator[str]:
    return (f"its {name} is empty." for name in names if not str(getattr(thing, name)).strip())


def _repeated(what: str, texts: Iterable[str]) -> Iterator[str]:
    return (f"the {what} {text!r} stands there {n} times." for text, n in Counter(texts).items() if n > 1)


def main(names: list[str], say: Callable[[str], None] = print) -> int:
    """Print the problems of the named chapters, of all if none is named; the number of problems."""
    problems = [problem for name in names or chapter_names() for problem in check_chapter(name)]
    for problem in problems:
        say(problem)
    say(f"{len(problems)} problems" if problems else "no problems")
    return len(problems)


if __name__ == "__main__":
    sys.exit(bool(main(sys.argv[1:])))
