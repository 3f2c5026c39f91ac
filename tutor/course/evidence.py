"""What a claim's check has at hand, and the session it makes: code and values as an interpreter shows them."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
import textwrap
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import torch

from tutor._hearing import all_ears
from tutor._overlap import sharing
from tutor.course.matching import error_text, plain_value, without_addresses
from tutor.course.running import captured, set_as_at_the_start, settings_restored
from tutor.timing import race

_CHILD_SECONDS = 60


@dataclass(frozen=True)
class Session:
    """What a check showed and what it decided.

    Attributes
    ----------
    lines
        The session as an interpreter would show it.
    decided
        True, False, or None for not decided.
    timed
        Whether it rests on a measurement of time.
    failure
        Why it could not be run, in one line, or None.
    """

    lines: tuple[str, ...]
    decided: bool | None
    timed: bool = False
    failure: str | None = None

    @property
    def text(self) -> str:
        """The session as one text."""
        return "\n".join(self.lines)


class Times:
    """How many times as long one call takes as another; a comparison gives True, False, or None for not decided.

    It is True if the whole 99 % interval lies on that side, False if the whole interval lies on the other.
    """

    def __init__(self, value: float, low: float, high: float) -> None:
        self.value, self.low, self.high = value, low, high

    def __gt__(self, bound: float) -> bool | None:
        return _side(self.low > bound, self.high <= bound)

    def __ge__(self, bound: float) -> bool | None:
        return _side(self.low >= bound, self.high < bound)

    def __lt__(self, bound: float) -> bool | None:
        return _side(self.high < bound, self.low >= bound)

    def __le__(self, bound: float) -> bool | None:
        return _side(self.high <= bound, self.low > bound)

    def __repr__(self) -> str:
        return f"{self.value:.3g} times ({self.low:.3g} to {self.high:.3g})"


def _side(wholly: bool, not_at_all: bool) -> bool | None:
    return True if wholly else (False if not_at_all else None)


def raises(fn: Callable[[], object], error: type[BaseException], text: str = "") -> bool:
    """Whether a call raises this class of error with this text in its message."""
    try:
        fn()
    except error as caught:
        return text in str(caught)
    except Exception:
        return False
    return False


def warns(fn: Callable[[], object], text: str = "") -> bool:
    """Whether a call gives a warning with this text in it, said before or not."""
    with all_ears() as heard:
        fn()
    return any(text in str(warning.message) for warning in heard)


def shares(a: object, b: object) -> bool | None:
    """Whether any byte of one array or tensor is a byte of the other.

    Decided as https://numpy.org/doc/stable/reference/generated/numpy.shares_memory.html does, without reading any.
    """
    return sharing(a, b).elements_overlap


def ends(source: str) -> bool:
    """Whether a source, run in a process of its own with ``torch`` and ``np``, ends that process with a crash."""
    program = "import numpy as np, torch\n" + textwrap.dedent(source)
    child = _child(program)
    return child.returncode < 0 or child.returncode > 2  # 1 and 2: an error in Python


class _Bench:
    """The names a check has at hand, and whether it measured a time with them."""

    def __init__(self) -> None:
        self.timed = False
        self.names: dict[str, Any] = {
            "torch": torch,
            "np": np,
            "raises": raises,
            "warns": warns,
            "shares": shares,
            "ends": ends,
            "times": self.times,
            "__name__": "check",
        }

    def times(self, slow: Callable[[], object], fast: Callable[[], object], budget: float = 1.0) -> Times:
        """How many times as long `slow` takes as `fast`."""
        self.timed = True
        ratio = race(slow=slow, fast=fast, budget=budget).ratio("slow", "fast")
        return Times(ratio.value, ratio.low, ratio.high)


def session(code: str) -> Session:
    """Run a check here, in a fresh namespace and with the settings of a new process; it never raises."""
    bench = _Bench()
    lines: list[str] = []
    value: object = None
    source = textwrap.dedent(code).strip("\n")
    failure: str | None = None
    with captured(heard=False) as printed, settings_restored():
        set_as_at_the_start()
        try:
            statements = ast.parse(source).body
            for i, statement in enumerate(statements):
                value = _step(statement, source, bench, lines, last=i == len(statements) - 1)
                _take_printed(printed, lines)
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                raise
            failure = without_addresses(error_text(error))
    if failure is not None:
        return Session((*lines, failure), None, bench.timed, failure)
    return _concluded(value, lines, bench.timed)


def _concluded(value: object, lines: list[str], timed: bool) -> Session:
    decided = plain_value(value)
    if decided is None or isinstance(decided, bool):
        return Session(tuple(lines), decided, timed)
    return Session(tuple(lines), None, timed, f"the last value decides nothing: {type(value).__name__}")


def _step(statement: ast.stmt, source: str, bench: _Bench, lines: list[str], *, last: bool) -> object:
    lines += _prompted(ast.get_source_segment(source, statement) or "")
    if not isinstance(statement, ast.Expr):
        exec(compile(ast.Module([statement], []), "<check>", "exec"), bench.names)
        return _NOTHING
    try:
        value = eval(compile(ast.Expression(statement.value), "<check>", "eval"), bench.names)
    except Exception as error:
        if last:
            raise
        lines.append(_cut(error_text(error)))
        return _NOTHING
    if value is not None:
        lines.append(without_addresses(repr(value)))
    elif last:
        lines.append("None: not decided")
    return value


class _Nothing:
    """The value of a statement that is no expression."""


_NOTHING = _Nothing()


def _prompted(source: str) -> list[str]:
    first, *rest = source.splitlines() or [""]
    return [f">>> {first}", *(f"... {line}" for line in rest)]


def _take_printed(printed: Any, lines: list[str]) -> None:
    lines += [without_addresses(re.sub(r"\s+$", "", line)) for line in printed.getvalue().splitlines()]
    printed.seek(0)
    printed.truncate()


def _cut(text: str) -> str:
    first, *rest = text.splitlines()
    return without_addresses(first) + (" …" if rest else "")


def isolated_session(code: str) -> Session:
    """Run a check in a process of its own; a crash there is told, not shared."""
    program = "import sys; from tutor.course.evidence import _answer; _answer(sys.stdin.read())"
    try:
        child = _child(program, code)
    except (OSError, subprocess.TimeoutExpired) as error:
        return Session((), None, failure=f"its process could not be run: {type(error).__name__}")
    if child.returncode != 0:
        return Session(tuple(_prompted(code.strip())), None, failure="its process ended before it answered")
    found = json.loads(child.stdout.splitlines()[-1])
    return Session(**{**found, "lines": tuple(found["lines"])})


def _child(program: str, given: str = "") -> subprocess.CompletedProcess[str]:
    """Run a program in a process of its own, which finds the modules that this one finds."""
    return subprocess.run(
        [sys.executable, "-c", program],
        input=given,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        timeout=_CHILD_SECONDS,
        check=False,
    )


def _answer(code: str) -> None:
    sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    print(json.dumps(asdict(session(code))))
