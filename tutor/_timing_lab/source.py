"""From source text to what can be timed, and from errors in it to sentences."""

from __future__ import annotations

import ast
import symtable
import textwrap
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import torch

_OF_THE_LAB = {"torch", "np", "n", "device", "dtype"}


class CodeError(Exception):
    """Code of an experiment that does not run; the message is a sentence for the learner."""


def namespace(names: Mapping[str, Any], n: int, dtype: str, device: str) -> dict[str, Any]:
    """What the code of an experiment can read: the learner's names, and on top of them what the lab gives."""
    given = {"torch": torch, "np": np, "n": n, "device": device, "dtype": getattr(torch, dtype) if dtype else None}
    return {**names, **given}


def prepare(setup: str, names: dict[str, Any]) -> None:
    """Run a set-up in a namespace.

    Raises
    ------
    CodeError
        If it cannot be read, or raises.
    """
    try:
        exec(compile(setup, "<set-up>", "exec"), names)
    except SyntaxError as error:
        raise CodeError(f"The set-up cannot be read: {_syntax(error)}.") from error
    except Exception as error:
        raise CodeError(f"The set-up raised {type(error).__name__}: {error}") from error


def function(code: str, names: dict[str, Any]) -> Callable[[], object]:
    """A function of no arguments that runs an expression, or statements, in a namespace.

    Raises
    ------
    CodeError
        If it cannot be read.

    Examples
    --------
    >>> function("n + 1", {"n": 2})()
    3
    """
    code = code.strip()
    if _says_nothing(code):
        raise CodeError("There is no line to time: write one.")
    try:
        compile(code, "<line>", "eval")
    except SyntaxError:
        return _statements(code, names)
    made: Callable[[], object] = eval(compile(f"lambda: (\n{code}\n)", "<line>", "eval"), names)
    return made


def _says_nothing(code: str) -> bool:
    try:
        return not ast.parse(code).body
    except (SyntaxError, ValueError):
        return False


def _statements(code: str, names: dict[str, Any]) -> Callable[[], object]:
    try:
        compile(code, "<line>", "exec")
        local: dict[str, Any] = {}
        exec(compile(definition("call", code), "<line>", "exec"), names, local)
        # What the set-up has made and the line assigns, as in x += 1, is the set-up's.
        outer = [name for name in local["call"].__code__.co_varnames if name in names]
        if outer:
            exec(compile(definition("call", code, outer), "<line>", "exec"), names, local)
    except SyntaxError as error:
        raise CodeError(f"The line cannot be read: {_syntax(error)}.") from error
    made: Callable[[], object] = local["call"]
    return made


def definition(name: str, code: str, outer: Sequence[str] = ()) -> str:
    """Statements as a function without arguments; `outer` are names that it assigns and that are not its own."""
    first = f"    global {', '.join(outer)}\n" if outer else ""
    return f"def {name}():\n{first}{textwrap.indent(code.strip(), '    ')}\n"


def outer_names(code: str, setup: str) -> list[str]:
    r"""The names that statements assign though they stand for something already: of the set-up, or as in ``x += 1``.

    >>> outer_names("y = x\nx = y + 1\ntotal += 1", "x = torch.ones(n)")
    ['total', 'x']
    """
    inside = symtable.symtable(definition("call", code), "<line>", "exec").get_children()[0]
    made = symtable.symtable(setup, "<set-up>", "exec").get_symbols()
    given = {one.get_name() for one in made if one.is_assigned() or one.is_imported()}
    added = {
        node.target.id
        for node in ast.walk(ast.parse(code))
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name)
    }
    return sorted({one.get_name() for one in inside.get_symbols() if one.is_local()} & (given | added | _OF_THE_LAB))


def is_expression(code: str) -> bool:
    """Whether some code has a value."""
    try:
        compile(code.strip(), "<line>", "eval")
    except SyntaxError:
        return False
    return True


def _syntax(error: SyntaxError) -> str:
    where = f" at {error.text.strip()!r}" if error.text and error.text.strip() else ""
    return f"{error.msg}{where}"
