"""Where an error was raised: the frames that are the learner's, and the expression in the source."""

from __future__ import annotations

import ast
import dis
import linecache
import sys
import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from inspect import CO_OPTIMIZED
from itertools import islice
from pathlib import Path
from types import CodeType, FrameType, TracebackType

import numpy as np
import torch

from tutor._explaining.looking import Scope

TORCH, NUMPY = (str(Path(str(lib.__file__)).parent) for lib in (torch, np))
_OURS = str(Path(__file__).parent.parent)
_LIBRARIES = tuple(
    {*(path for key, path in sysconfig.get_paths().items() if key in ("stdlib", "platstdlib", "purelib", "platlib"))}
    | {TORCH, NUMPY, _OURS, "<frozen ", "<__array_function__"}
)
_Positions = tuple[int | None, int | None, int | None, int | None]
_RAISING = ("RAISE_VARARGS", "RERAISE", "RETURN_GENERATOR", "YIELD_VALUE", "RESUME", "POP_TOP")
_LONGEST = 2_000_000  # characters of a source that is read


@dataclass(frozen=True)
class Step:
    """One frame of a traceback, and the instruction in it that failed."""

    frame: FrameType
    line: int
    lasti: int

    @property
    def code(self) -> CodeType:
        """The code of the frame."""
        return self.frame.f_code

    @property
    def file(self) -> str:
        """The file of the code."""
        return self.code.co_filename

    @property
    def in_library(self) -> bool:
        """Whether it is not the learner's own code."""
        return self.file.startswith(_LIBRARIES) or "site-packages" in self.file or "dist-packages" in self.file

    def rebinds(self, name: str) -> bool:
        """Whether the code gives a name another value somewhere, so that it may not hold what it was given."""
        stores = (one.argval for one in dis.get_instructions(self.code) if one.opname.startswith("STORE_"))
        return any(stored == name or (isinstance(stored, tuple) and name in stored) for stored in stores)

    @property
    def raised_itself(self) -> bool:
        """Whether a `raise` stands there, or the error was thrown into a generator; then no call failed."""
        found = next((one for one in dis.get_instructions(self.code) if one.offset == self.lasti), None)
        return found is not None and found.opname in _RAISING


def steps(trace: TracebackType | None) -> list[Step]:
    """The frames of a traceback, outermost first."""
    found = []
    while trace is not None:
        found.append(Step(trace.tb_frame, trace.tb_lineno, trace.tb_lasti))
        trace = trace.tb_next
    return found


@contextmanager
def scope(step: Step) -> Iterator[Scope]:
    """The names of a frame. Afterwards they are as alive as they were before.

    Python up to 3.12 keeps a dict of them with the frame, which would go on holding what a running function deletes.
    """
    local = step.frame.f_locals
    try:
        yield Scope(local, step.frame.f_globals)
    finally:
        if step.code.co_flags & CO_OPTIMIZED and type(local) is dict and sys.getrefcount(local) <= _OWN_REFERENCES:
            local.clear()


def _count_own_references() -> int:
    """How often a fresh dict of names is referred to in `scope`, while nobody else has it."""
    frame = sys._getframe()
    local = frame.f_locals
    held = Scope(local, {})
    count = sys.getrefcount(local)
    del held
    return count


_OWN_REFERENCES = _count_own_references()


@dataclass(frozen=True)
class Place:
    """The expression that failed, and the statement it stands in."""

    node: ast.AST
    statement: ast.stmt
    around: ast.AST  # the function, or the whole source


def place(step: Step) -> Place | None:
    """Find the expression in the source; None if there is none, or if it is not the one that was run."""
    lines = linecache.getlines(step.file, step.frame.f_globals)
    source = "".join(lines)
    if not source or len(source) > _LONGEST:
        return None
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return None
    statement = _statement(tree, step.line, _positions(step))
    if statement is None:
        return None
    node = _expression(statement, _positions(step)) or statement
    if isinstance(node, ast.For | ast.AsyncFor):
        node = node.iter
    if isinstance(node, ast.If | ast.While):
        node = node.test
    if isinstance(node, ast.Subscript | ast.Attribute | ast.Name) and isinstance(node.ctx, ast.Store):
        node = statement
    if isinstance(node, ast.Expr):
        node = node.value
    return Place(node, statement, _around(tree, step.line)) if _is_of(node, step.code) else None


def _positions(step: Step) -> _Positions:
    found = next(islice(step.code.co_positions(), step.lasti // 2, None), None)
    return found if found is not None else (None, None, None, None)


def _statement(tree: ast.AST, line: int, at: _Positions) -> ast.stmt | None:
    """The innermost statement on a line; of several on one line, the one that the instruction belongs to."""
    around = [node for node in ast.walk(tree) if isinstance(node, ast.stmt) and _spans(node, line)]
    exact = [node for node in around if _holds(node, at)]
    return max(exact or around, key=lambda node: (node.lineno, node.col_offset), default=None)


def _holds(node: ast.stmt, at: _Positions) -> bool:
    line, end_line, column, end_column = at
    if line is None or end_line is None or column is None or end_column is None:
        return False
    start, end = (node.lineno, node.col_offset), (node.end_lineno or node.lineno, node.end_col_offset or 0)
    return start <= (line, column) and (end_line, end_column) <= end


def _around(tree: ast.Module, line: int) -> ast.AST:
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and _spans(node, line)]
    return max(functions, key=lambda node: node.lineno, default=tree)


def _spans(node: ast.stmt, line: int) -> bool:
    return node.lineno <= line <= (node.end_lineno or node.lineno)


def _expression(statement: ast.stmt, at: _Positions) -> ast.AST | None:
    line, end_line, column, end_column = at
    ends = [
        node
        for node in ast.walk(statement)
        if isinstance(node, ast.expr | ast.stmt) and (node.end_lineno, node.end_col_offset) == (end_line, end_column)
    ]
    exact = [node for node in ends if (node.lineno, node.col_offset) == (line, column)]
    if exact:
        return next((node for node in exact if isinstance(node, ast.expr)), exact[0])
    # a method call over several lines begins, for Python, where the method's name stands
    return next((node for node in ends if isinstance(node, ast.Call)), None)


def _is_of(node: ast.AST, code: CodeType) -> bool:
    """Whether the code knows the names, so that the source has not been changed since."""
    known = {*code.co_names, *code.co_varnames, *code.co_cellvars, *code.co_freevars}
    inner = [const for const in code.co_consts if isinstance(const, CodeType)]
    known.update(*(set(one.co_names) | set(one.co_varnames) for one in inner))
    return all(one.id in known for one in ast.walk(node) if isinstance(one, ast.Name))
