"""How a submitted function is judged: what came out of every case, and which belief would explain it."""

from __future__ import annotations

import inspect
import textwrap
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from inspect import isasyncgenfunction, iscoroutinefunction, isgeneratorfunction
from types import AsyncGeneratorType, CodeType, CoroutineType, FunctionType, GeneratorType
from typing import Any, Literal

import numpy as np
import torch

from tutor._fact import Fact
from tutor._words import count_text
from tutor.course.matching import error_text, plain_value, same, shortened, value_text, without_addresses
from tutor.course.model import Case, Exercise, Wrong
from tutor.course.running import Run, TimeLimit, captured, settings_restored
from tutor.drawing.svg import plain

SECONDS = 5.0
_MOST_SHOWN = 4  # cases
_MOST_ALIKE = 2  # of one error
# What a call gives that has run nothing yet, how it is called, and why it comes.
_LAZY = {
    GeneratorType: ("a generator", "contains `yield`"),
    CoroutineType: ("a coroutine", "is `async`"),
    AsyncGeneratorType: ("an async generator", "is `async` and contains `yield`"),
}
State = Literal["not started", "keep working", "almost", "correct"]


@dataclass(frozen=True)
class Graded:
    """One case: its input, the value wanted and the value that came, both as text."""

    label: str
    wanted: str
    came: str
    right: bool


@dataclass(frozen=True)
class Outcome(Fact):
    """What came of a submission.

    Attributes
    ----------
    state
        "not started", "keep working", "almost" or "correct".
    right, of
        On how many of the inputs the function gave what was wanted.
    observed
        What is compared, as a heading.
    wrong
        The cases that came out otherwise.
    summary
        The state in one sentence.
    feedback
        What to say to the belief that the submission shows, or why it could not be judged; may be empty.
    belief
        That belief, or None if it is not one of the usual ones.
    printed
        The beginning of what the function printed.
    next_step
        What the learner may do now.
    """

    state: State
    right: int
    of: int
    observed: str
    wrong: tuple[Graded, ...]
    summary: str
    feedback: str = ""
    belief: str | None = None
    printed: str = ""
    next_step: str = ""

    @property
    def shown(self) -> tuple[Graded, ...]:
        """The wrong cases that are shown: the first few, and not one error over and over."""
        told: Counter[str] = Counter()
        new = []
        for case in self.wrong:
            told[case.came] += 1
            if told[case.came] <= _MOST_ALIKE or not case.came.startswith("raises "):
                new.append(case)
        return tuple(new[:_MOST_SHOWN])

    @property
    def more(self) -> int:
        """How many wrong cases are not shown."""
        return len(self.wrong) - len(self.shown)

    def __repr__(self) -> str:
        return "\n".join(_text_lines(self))


@dataclass(frozen=True)
class _Seen:
    """What one run of one case gave: a plain value to compare, and the text of it."""

    value: object
    text: str


def graded(exercise: Exercise, fn: Any) -> Outcome:
    """Judge a submission for an exercise."""
    if obstacle := _obstacle(exercise, fn):
        return _unjudged(exercise, "keep working", *obstacle)
    if _is_starter(exercise, fn):
        return _unjudged(exercise, "not started", f"`{exercise.function}` is still as it was given.", exercise.task)
    seen, printed = run_cases(exercise.cases, fn)
    if seen and all(s.value is ... for s in seen):
        return _unjudged(exercise, "not started", f"`{exercise.function}` still returns `...`", exercise.task)
    return _judged(exercise, fn, seen, printed)


def run_cases(cases: Sequence[Case], fn: Callable[..., object]) -> tuple[list[_Seen], str]:
    """Run a function on fresh arguments of every case, and keep what it printed."""
    with TimeLimit(SECONDS) as limit, captured() as printed:
        seen = [_seen(case, fn, limit) for case in cases]
    return seen, printed.getvalue()


def _seen(case: Case, fn: Callable[..., object], limit: TimeLimit) -> _Seen:
    with settings_restored():
        arguments = case.arguments()
        returned = limit.call(fn, *arguments)
        if returned.stopped or returned.error is not None:
            return _failed(returned)
        observed = limit.call(case.observe, returned.value, *arguments)
        if inspect.iscoroutine(returned.value):
            returned.value.close()  # else Python complains that it was never awaited
        if observed.error is not None or type(observed.value) in _LAZY:
            return _unobservable(returned.value, limit)
        return _failed(observed) if observed.stopped else _written(observed.value, limit)


def _unobservable(value: object, limit: TimeLimit) -> _Seen:
    if value is ...:
        return _Seen(..., "...")
    name = type(value).__name__
    if lazy := _LAZY.get(type(value)):
        return _Seen(("returned", lazy[0]), f"returns {lazy[0]}")
    text = limit.call(_kind_text, value)  # its repr is the learner's code too
    return _Seen(("returned", name), f"returns {text.value or name}")


def _written(value: object, limit: TimeLimit) -> _Seen:
    plain_form, text = limit.call(plain_value, value), limit.call(value_text, value, 80)
    failed = next((run for run in (plain_form, text) if run.stopped or run.error), None)
    return _Seen(plain_form.value, str(text.value)) if failed is None else _failed(failed)


def _failed(run: Run) -> _Seen:
    if run.error is None:
        return _Seen(("stopped",), "stopped after 5 s")
    return _Seen(("raised", type(run.error)), shortened(f"raises {error_text(run.error)}", 100))


def _kind_text(value: object) -> str:
    return "None" if value is None else f"{value_text(value, 40)} ({type(value).__name__})"


# What cannot be judged


def _obstacle(exercise: Exercise, fn: Any) -> tuple[str, str] | None:
    name = exercise.function
    if not callable(fn):
        advice = f"Write `.check({name})`, without parentheses after `{name}`."
        return f"`check` takes your function itself; it got {_kind_text(fn)}.", advice
    with settings_restored():
        arguments = exercise.cases[0].arguments()
    try:
        signature = inspect.signature(fn)
    except Exception:  # a builtin without a signature, or an object that lies about it
        return None
    try:
        signature.bind(*arguments)
    except TypeError:
        wanted = count_text(len(arguments), "argument")
        return (
            f"`{name}` is called with {wanted}; yours takes {_parameters(signature)}.",
            f"The first input is `{exercise.cases[0].label}`.",
        )
    return None


def _parameters(signature: inspect.Signature) -> str:
    parameters = signature.parameters.values()
    by_place = [p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    by_name = [p.name for p in parameters if p.kind is p.KEYWORD_ONLY and p.default is p.empty]
    taken = f"{len(by_place)} ({', '.join(by_place)})" if by_place else "none"
    return f"{taken} by position and wants {', '.join(by_name)} by name" if by_name else taken


def _is_starter(exercise: Exercise, fn: Any) -> bool:
    if not isinstance(fn, FunctionType):
        return False
    starter = function_from(exercise.starter, exercise.function)
    nothing = function_from("def nothing(): ...", "nothing")
    return _does(fn.__code__, fn.__doc__) in [_does(f.__code__, f.__doc__) for f in (starter, nothing)]


def _does(code: CodeType, doc: str | None = None) -> tuple[object, ...]:
    """What a function's code does, whatever file and line it stands in, and whatever its docstring says."""
    inner = [_does(c) if isinstance(c, CodeType) else repr(c) for c in code.co_consts if c != doc]
    return code.co_code, code.co_names, tuple(inner)


def function_from(source: str, name: str) -> FunctionType:
    """The function that a source defines, with ``torch`` and ``np`` at hand."""
    namespace: dict[str, Any] = {"torch": torch, "np": np, "__name__": "exercise"}
    exec(compile(textwrap.dedent(source), f"<{name}>", "exec"), namespace)
    found: FunctionType = namespace[name]
    return found


def _unjudged(exercise: Exercise, state: State, summary: str, feedback: str) -> Outcome:
    return Outcome(state, 0, 0, exercise.observed, (), summary, next_step=feedback)


# What can


def _judged(exercise: Exercise, fn: Any, seen: list[_Seen], printed: str) -> Outcome:
    pairs = list(zip(exercise.cases, seen, strict=True))
    results = [Graded(c.label, value_text(c.expected, 80), s.text, same(s.value, c.expected)) for c, s in pairs]
    right, of = sum(g.right for g in results), len(results)
    belief = None if right == of else recognised(exercise, [s.value for s in seen])
    state = _state(right, of)
    return Outcome(
        state=state,
        right=right,
        of=of,
        observed=exercise.observed,
        wrong=tuple(g for g in results if not g.right),
        summary=f"right on all {of} inputs" if right == of else f"right on {right} of {of} inputs",
        feedback=belief.feedback if belief else _remark(exercise.function, fn, seen),
        belief=belief.belief if belief else None,
        printed=_brief(printed),
        next_step=_next_step(exercise, state),
    )


def _state(right: int, of: int) -> State:
    if right == of:
        return "correct"
    return "almost" if right >= 0.75 * of else "keep working"


def recognised(exercise: Exercise, values: list[object]) -> Wrong | None:
    """The first of the usual wrong answers that gives these values on the exercise's cases."""
    patterns = zip(exercise.wrong, wrong_patterns(exercise), strict=True)
    return next((wrong for wrong, pattern in patterns if same(list(pattern), values)), None)


def wrong_patterns(exercise: Exercise) -> tuple[tuple[object, ...], ...]:
    """What each usual wrong answer gives on every case."""
    known = _PATTERNS.get(exercise.function)
    if known is None or known[0] is not exercise:
        sources = [function_from(wrong.source, exercise.function) for wrong in exercise.wrong]
        runs = [run_cases(exercise.cases, fn)[0] for fn in sources]
        known = _PATTERNS[exercise.function] = (exercise, tuple(tuple(s.value for s in seen) for seen in runs))
    return known[1]


_PATTERNS: dict[str, tuple[Exercise, tuple[tuple[object, ...], ...]]] = {}


def _remark(name: str, fn: Any, seen: list[_Seen]) -> str:
    values = [s.value for s in seen]
    if ("stopped",) in values:
        return "Your code ran for five seconds and was stopped. Does a loop in it ever end?"
    if all(v is None or v == ("returned", "NoneType") for v in values):
        return "Your function gives back `None`. Is there a `return`?"
    return next((_about_lazy(name, fn, *lazy) for lazy in _LAZY.values() if ("returned", lazy[0]) in values), "")


def _about_lazy(name: str, fn: Any, what: str, why: str) -> str:
    if any(is_lazy(fn) for is_lazy in (isgeneratorfunction, iscoroutinefunction, isasyncgenfunction)):
        return f"`{name}` {why}, so calling it gives {what}, and none of its lines has run. A plain function is wanted."
    return f"What comes back is {what}, and not yet the value that it would give."


def _brief(printed: str) -> str:
    lines = printed.strip().splitlines()
    brief = lines[:5] + (["…"] if len(lines) > 5 else [])
    return without_addresses("\n".join(brief))


def _next_step(exercise: Exercise, state: State) -> str:
    if state == "correct":
        return f"{exercise.after} Compare with `.solution()` if you like.".strip()
    hints = count_text(len(exercise.hints), "hint")
    return f"Write `.hint()` in place of `.check({exercise.function})` for the first of {hints}."


def _text_lines(outcome: Outcome) -> Iterator[str]:
    yield f"{outcome.state.capitalize()}. {plain(outcome.summary)}"
    if outcome.wrong:
        yield from _case_lines(outcome)
    for text in (outcome.feedback, outcome.next_step):
        if text:
            yield textwrap.fill(plain(text), 100)
    if outcome.printed:
        yield "It printed:\n" + textwrap.indent(outcome.printed, "    ")


def _case_lines(outcome: Outcome) -> Iterator[str]:
    rows = [("input", plain(outcome.observed), "yours"), *((g.label, g.wanted, g.came) for g in outcome.shown)]
    widths = [max(len(row[i]) for row in rows) for i in range(2)]
    for label, wanted, came in rows:
        yield f"  {label:<{widths[0]}}  {wanted:<{widths[1]}}  {came}"
    if outcome.more:
        yield f"  … and {outcome.more} more."
