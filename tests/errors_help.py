"""Errors that are provoked for real, and what `explain` must say of each."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch

from tutor import explain
from tutor.errors import Explanation


@dataclass(frozen=True)
class Case:
    """An error that is provoked, its kind, where it is raised, the operands to blame, and the line to write instead.

    ``code`` is empty where no corrected line can be run.
    """

    provoke: Callable[[], object]
    kind: str
    expression: str
    operands: Sequence[str] = ()
    code: str = ""

    def __str__(self) -> str:
        return self.provoke.__name__

    def check(self) -> None:
        """Provoke the error, and compare what is told of it."""
        told = explained(self.provoke)
        assert told.kind == self.kind, told
        assert told.expression == self.expression, told
        assert told.meaning, told
        assert told.cure, told
        named = re.findall(r"`([^`]+)`", told.cause)
        assert named[1:] == list(self.operands), told
        assert (told.correction.code if told.correction else "") == self.code, told


def known(
    cases: list[Case], kind: str, expression: str, *, operands: Sequence[str] = (), code: str = ""
) -> Callable[[Callable[[], object]], Callable[[], object]]:
    """Enter a function that raises an error in a list of cases."""

    def enter(provoke: Callable[[], object]) -> Callable[[], object]:
        cases.append(Case(provoke, kind, expression, operands, code))
        return provoke

    return enter


def caught(provoke: Callable[[], object]) -> BaseException:
    """The error or the warning that a function raises, also one that torch gives once only."""
    always = torch.is_warn_always_enabled()
    torch.set_warn_always(True)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", UserWarning)
            provoke()
    except BaseException as error:
        return error
    finally:
        torch.set_warn_always(always)
    raise AssertionError(f"{provoke.__name__} raised nothing")


def explained(provoke: Callable[[], object]) -> Explanation:
    """What is told of the error that a function raises."""
    return explain(caught(provoke))
