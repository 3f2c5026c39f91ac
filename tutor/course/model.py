"""What a chapter is made of, as data: questions, exercises and claims.

A chapter's package defines three tuples: ``QUESTIONS`` in ``questions.py``, ``EXERCISES`` in ``exercises.py`` and
``CLAIMS`` in ``claims.py``. Prose in them is plain text in which `` `x` `` is code and ``**x**`` is bold.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

Taught = Literal["true", "false", "partly", "depends on version", "not checkable"]


@dataclass(frozen=True)
class Option:
    """One answer a learner may choose.

    Attributes
    ----------
    label
        The answer, in a few words.
    value
        What the notebook's code would observe if this answer were right: a plain Python value (bool, int, float,
        str, None, tuple of these), a `torch.dtype`, or an exception class.
    belief
        The mental model that leads to this answer, in the words of someone who holds it.
    refutation
        What speaks against that belief, said to a learner who chose it and saw something else happen.
    """

    label: str
    value: object
    belief: str
    refutation: str


@dataclass(frozen=True)
class Question:
    """A prediction: what will this code do?

    The right answer is not written down. It is the option whose value the notebook then observes.

    Attributes
    ----------
    key
        Its name within the chapter, such as ``"write-through"``.
    prompt
        The question, with the code it is about.
    subject
        What is observed, as code or words that fit before "is": ``"`t[0]`"``.
    options
        Two to five answers with distinct values.
    explanation
        Two to four sentences shown inside the fold, the rule among them once in bold.
    about
        The earlier chapter it looks back to, or None.
    """

    key: str
    prompt: str
    subject: str
    options: tuple[Option, ...]
    explanation: str
    about: str | None = None


@dataclass(frozen=True)
class Case:
    """One input of an exercise, and what is looked at afterwards.

    Attributes
    ----------
    label
        The input as a learner would write it, such as ``"x[0:4], x[2:6]"``.
    arguments
        Makes fresh arguments for each run.
    observe
        Called as ``observe(result, *arguments)`` after the learner's function returned; gives the plain value that is
        compared and shown (a value, a dtype, "shares" or "copies", a tuple of such). It may raise on a result of the
        wrong type: that is reported as such.
    expected
        The plain value wanted.
    """

    label: str
    arguments: Callable[[], tuple[object, ...]]
    observe: Callable[..., object]
    expected: object


@dataclass(frozen=True)
class Wrong:
    """A usual wrong answer: the code of someone who holds a wrong belief, and what to say to them.

    It is recognised by what it does: a submission that gives the same values as this code on every case is told
    this feedback.
    """

    belief: str
    source: str
    feedback: str


@dataclass(frozen=True)
class Exercise:
    """A function for the learner to write.

    Attributes
    ----------
    key
        Its name within the chapter.
    task
        What the function must do, in one or two sentences.
    function
        The function's name in `starter`, `solution` and every wrong answer's source.
    starter
        The source given in the notebook; its body is ``...``.
    solution
        The source shown by ``.solution()``.
    hints
        Two to four, each saying more than the one before.
    cases
        At least six, so that chance does not pass them.
    observed
        The heading over what is compared, such as ``"a write reaches"``.
    wrong
        The usual wrong answers, each with a pattern of values of its own.
    after
        One sentence shown when it is correct.
    """

    key: str
    task: str
    function: str
    starter: str
    solution: str
    hints: tuple[str, ...]
    cases: tuple[Case, ...]
    observed: str
    wrong: tuple[Wrong, ...]
    after: str = ""


@dataclass(frozen=True)
class Check:
    """One part of a claim, run here.

    Attributes
    ----------
    part
        The part of the claim that this decides, in words, stated as the claim states it.
    code
        Python source. It runs in a fresh namespace with ``torch``, ``np``, ``raises``, ``warns``, ``shares``, ``ends``
        and ``times`` at hand. Each expression statement is shown with its value as in an interpreter; the last one
        decides: true if this part of the claim holds here, false if not, None if it could not be decided.
    isolated
        Run it in a child process, because it might end the process.
    needs
        What must be there to run this part, in the words of `Claim.needs`; the other parts run without it.
    """

    part: str
    code: str
    isolated: bool = False
    needs: tuple[str, ...] = ()


@dataclass(frozen=True)
class Claim:
    """Something people say about tensors, and the checks that decide it.

    Attributes
    ----------
    ids
        Identifiers of the statements it covers, such as ``("A05", "B04")``.
    claim
        What is said, readable by someone who has not read where.
    taught
        What the course teaches about it.
    really
        What really happens, in one to three sentences.
    why
        Why people believe it, in one sentence.
    checks
        The verdict here is computed from these: all hold, "true"; none, "false"; some, "partly". Empty only if
        `taught` is "not checkable".
    needs
        What must be there to decide any of it: ``"cuda"``, ``"cuda:1"`` (a second GPU), ``"tensorflow"``, ``"pandas"``…
    """

    ids: tuple[str, ...]
    claim: str
    taught: Taught
    really: str
    why: str
    checks: tuple[Check, ...] = ()
    needs: tuple[str, ...] = ()

    @property
    def all_needs(self) -> frozenset[str]:
        """What it needs, and what any part of it needs."""
        return frozenset((*self.needs, *(need for check in self.checks for need in check.needs)))


@dataclass(frozen=True)
class Chapter:
    """All that a chapter asks."""

    name: str
    questions: dict[str, Question] = field(default_factory=dict)
    exercises: dict[str, Exercise] = field(default_factory=dict)
    claims: tuple[Claim, ...] = ()
