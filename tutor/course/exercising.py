"""Exercises: a function for the learner to write, checked on many inputs, answered with the belief it shows."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tutor._fact import Fact, to_html
from tutor._words import count_text
from tutor.course.grading import Outcome, graded
from tutor.course.journal import journal
from tutor.course.model import Exercise
from tutor.course.shelf import exercise_data
from tutor.drawing import course as draw
from tutor.drawing.svg import plain, prose
from tutor.widgets.hosting import bundle, live_html


@dataclass(frozen=True)
class Hint(Fact):
    """One of several hints, each saying more than the one before."""

    number: int
    of: int
    text: str

    def __repr__(self) -> str:
        return textwrap.fill(" ".join([self.head, plain(self.text), plain(self.after)]).strip(), 100)

    @property
    def head(self) -> str:
        """Which of the hints it is."""
        return f"Hint {self.number} of {self.of}."

    @property
    def after(self) -> str:
        """What to ask next, once there are no more hints."""
        return "It is the last one; `.solution()` shows a way." if self.number == self.of else ""


@dataclass(frozen=True)
class Solution(Fact):
    """One way to write the function."""

    source: str

    def __repr__(self) -> str:
        return f"One solution:\n{textwrap.indent(self.source.strip(), '    ')}"


class Task:
    """An exercise as the learner meets it; what `exercise` gives. Displayed, it shows what to write.

    The three methods never raise whatever the learner's code does.
    """

    def __init__(self, key: str, data: Exercise) -> None:
        self.key = key
        self.data = data

    def check(self, fn: Callable[..., object]) -> Outcome:
        """Run the learner's function on all inputs and say what came out.

        Parameters
        ----------
        fn
            The function itself, not the result of a call.

        Returns
        -------
        Outcome
            With `.state` ("not started", "keep working", "almost", "correct"), `.right`, `.of`, `.wrong` (the cases
            that came out otherwise) and `.feedback`. Python code that runs for more than five seconds in all is
            stopped; one call into native code finishes first. Defaults of torch (device, dtype, gradients, threads,
            determinism), NumPy's treatment of errors and all random states are put back after each input.
        """
        outcome = graded(self.data, fn)
        if outcome.state != "not started":
            self._keep(outcome, fn)
        return outcome

    def hint(self) -> Hint:
        """Give the next hint; after the last one, the last again."""
        hints = self.data.hints
        number = _HINTS_GIVEN[self.key] = min(_HINTS_GIVEN.get(self.key, 0) + 1, len(hints))
        return Hint(number, len(hints), hints[number - 1])

    def solution(self) -> Solution:
        """Show one solution."""
        journal().add("solution", self.key)
        return Solution(self.data.solution.strip("\n"))

    def _keep(self, outcome: Outcome, fn: object) -> None:
        counts = {"state": outcome.state, "right": outcome.right, "of": outcome.of}
        journal().add("exercise", self.key, **counts, source=source_of(fn))

    def __repr__(self) -> str:
        starter = textwrap.indent(self.data.starter.strip("\n"), "    ")
        return f"{textwrap.fill(plain(self.data.task), 100)}\n\n{starter}\n\n{plain(self._foot())}"

    def _foot(self) -> str:
        inputs, hints = count_text(len(self.data.cases), "input"), count_text(len(self.data.hints), "hint")
        return f"`.check({self.data.function})` tries it on {inputs}, `.hint()` gives the first of {hints}."

    def _repr_html_(self) -> str:
        return draw.task(self.data.task, self.data.starter.strip("\n"), self._foot())

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        html = self._repr_html_()
        return bundle(repr(self), html, lambda: live_html(html + self._where_you_are()))

    def _where_you_are(self) -> str:
        states = [event["state"] for event in journal().events("exercise") if event["key"] == self.key]
        if not states:
            return ""
        state = "correct" if "correct" in states else states[-1]
        line = draw.state_line(state, f"Yours so far, after {count_text(len(states), 'check')}.")
        return draw.outcome(line, settled=state == "correct")


_HINTS_GIVEN: dict[str, int] = {}


def exercise(key: str) -> Task:
    """An exercise of the course.

    Parameters
    ----------
    key
        The chapter and the exercise's name, such as ``"creation_from_data/batch"``.

    Returns
    -------
    Task
        Displayed, it shows what to write; ``.check(fn)`` tries the function, ``.hint()`` gives one more hint each time,
        ``.solution()`` shows one.

    Raises
    ------
    ValueError
        If there is no such exercise; the sentence names the nearest one.
    """
    return Task(key, exercise_data(key))


def source_of(fn: object) -> str:
    """The source of a function, or a note why there is none."""
    try:
        return inspect.getsource(fn)  # type: ignore[arg-type]
    except Exception:
        return "(source not available)"


@to_html.register
def _outcome_html(outcome: Outcome) -> str:
    body = [draw.state_line(outcome.state, prose(outcome.summary), right=outcome.right, of=outcome.of)]
    body += [draw.cases(outcome.observed, [(g.label, g.wanted, g.came) for g in outcome.shown], outcome.more)]
    body += [draw.paragraph(outcome.feedback)] if outcome.feedback else []
    body += [draw.printed(outcome.printed)]
    body += [draw.quiet(outcome.next_step)] if outcome.next_step else []
    return draw.outcome("".join(body), settled=outcome.state == "correct")


@to_html.register
def _hint_html(hint: Hint) -> str:
    return draw.numbered(hint.head, hint.text, hint.after)


@to_html.register
def _solution_html(solution: Solution) -> str:
    return draw.listing("One solution.", solution.source)
