"""The site of an error: its expression, the operands that frames still hold, and what else torch met inside."""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any

import numpy as np
import torch

from tutor._explaining.looking import MISSING, Scope, look
from tutor._explaining.places import NUMPY, TORCH, Place, Step, place, scope, steps

_HOLDS = ("nn", "functional.py", "_tensor.py", "optim", "amp", "utils")  # where torch's frames hold what was given
_PASSES_ON = ("_call_impl", "_wrapped_call_impl")
_MOST_LEAVES = 12
CHAIN = ast.Name | ast.Attribute | ast.Subscript


@dataclass(frozen=True)
class Leaf:
    """An operand with its name, and where it stands in the expression; inside torch it stands nowhere."""

    name: str
    value: Any
    node: ast.AST | None = None


@dataclass
class Site:
    """All that the kinds of errors look at. It lives no longer than the explanation takes."""

    error: BaseException
    text: str
    place: Place | None = None
    line: int | None = None
    names: Scope = field(default_factory=lambda: Scope({}, {}))
    leaves: list[Leaf] = field(default_factory=list)
    inner: list[Leaf] = field(default_factory=list)
    gone: list[ast.AST] = field(default_factory=list)
    layer: torch.nn.Module | None = None
    function: str = ""  # of torch's, in which it was raised
    learners_raise: bool = True  # raised by a line of the learner's or of another library, or by none

    @property
    def node(self) -> ast.AST | None:
        """The expression that failed."""
        return self.place.node if self.place else None

    @property
    def expression(self) -> str:
        """The expression as text, on one line."""
        return ast.unparse(self.node) if self.node is not None else ""

    def says(self, *patterns: str) -> re.Match[str] | None:
        """Whether the error's text holds one of these."""
        return next((found for p in patterns if (found := re.search(p, self.text, re.S))), None)

    def tensors(self) -> list[Leaf]:
        """The tensors and arrays that what failed was given itself, then those that torch met inside."""
        given = (self.leaf_of(part) for part in _direct(self.node))
        found = {leaf.name: leaf for leaf in given if leaf is not None}
        return [leaf for leaf in (*found.values(), *self.inner) if isinstance(leaf.value, torch.Tensor | np.ndarray)]

    def leaf_of(self, node: ast.AST | None) -> Leaf | None:
        """The operand that a part of the expression is."""
        if not isinstance(node, CHAIN):
            return next((leaf for leaf in self.leaves if leaf.node is node and node is not None), None)
        name = ast.unparse(node)  # which may stand in the expression more than once
        return next((Leaf(name, leaf.value, node) for leaf in self.leaves if leaf.name == name), None)

    def given(self, position: int, keyword: str = "") -> ast.AST | None:
        """An argument of the call that failed."""
        call = self.node
        if not isinstance(call, ast.Call):
            return None
        named = next((one.value for one in call.keywords if one.arg == keyword), None)
        return call.args[position] if position < len(call.args) else named

    def receiver(self) -> ast.AST | None:
        """What the method was called on, or whose attribute was asked."""
        node = self.node.func if isinstance(self.node, ast.Call) else self.node
        if not isinstance(node, ast.Attribute):
            return None
        base = look(node.value, self.names)
        return None if isinstance(base, type(ast)) else node.value

    def method(self) -> str:
        """The name of what was called."""
        func = self.node.func if isinstance(self.node, ast.Call) else None
        return func.attr if isinstance(func, ast.Attribute) else func.id if isinstance(func, ast.Name) else ""

    def writes(self, name: str) -> list[ast.stmt]:
        """The statements around the expression that write into the tensor of a name, in place."""
        parts = ast.walk(self.place.around) if self.place else ()
        return [part for part in parts if isinstance(part, ast.stmt) and _writes_into(part, name)]

    def held(self, name: str) -> Any:
        """What a name in torch's own frame holds."""
        return next((leaf.value for leaf in self.inner if leaf.name == name), MISSING)


def _writes_into(line: ast.stmt, name: str) -> bool:
    if isinstance(line, ast.AugAssign):
        return _is_name(line.target, name)
    if isinstance(line, ast.Assign):
        return any(isinstance(target, ast.Subscript) and _is_name(target.value, name) for target in line.targets)
    func = line.value.func if isinstance(line, ast.Expr) and isinstance(line.value, ast.Call) else None
    return isinstance(func, ast.Attribute) and _is_name(func.value, name) and bool(re.fullmatch(r"[^_].*_", func.attr))


def _is_name(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


@contextmanager
def site(error: BaseException, text: str) -> Iterator[Site]:
    """Look at where an error was raised; afterwards nothing is held any more."""
    with ExitStack() as open_frames:
        yield _site(error, text, open_frames)


def _site(error: BaseException, text: str, open_frames: ExitStack) -> Site:
    path = steps(error.__traceback__)
    found = Site(error, text)
    own = next((i for i in reversed(range(len(path))) if not path[i].in_library), None)
    if path:
        last = path[-1]
        found.learners_raise = last.raised_itself and not last.file.startswith((TORCH, NUMPY))
    if own is None:
        return found
    step, inside = path[own], path[own + 1 :]
    found.names, found.line = open_frames.enter_context(scope(step)), step.line
    found.place = place(step)
    if found.node is not None:
        _number(found.node)
        found.leaves = list(_unique(_leaves(found.node, found.names)))[:_MOST_LEAVES]
        _hold_arguments(found, inside, open_frames)
    _look_inside(found, inside, open_frames)
    found.gone = _gone(found) if found.node is not None else []
    return found


def _number(node: ast.AST) -> None:
    """Give each part a number of its own, by which a copy of it is known again."""
    for i, part in enumerate(one for one in ast.walk(node) if isinstance(one, ast.expr | ast.stmt)):
        vars(part)["part"] = i


def _leaves(node: ast.AST, names: Scope) -> Iterator[Leaf]:
    if isinstance(node, CHAIN) and not _is_written(node):
        value = look(node, names)
        if value is not MISSING:
            if value is None and isinstance(node, ast.Attribute):  # a gradient that is not there
                yield from _leaves(node.value, names)
            if _is_data(value):
                yield Leaf(ast.unparse(node), value, node)
            if not isinstance(node, ast.Subscript) or _is_data(value):
                return
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.expr_context | ast.operator):
            yield from _leaves(child, names)


def _is_written(node: CHAIN) -> bool:
    return isinstance(node, ast.Attribute | ast.Subscript) and not isinstance(node.ctx, ast.Load)


def _unique(leaves: Iterator[Leaf]) -> Iterator[Leaf]:
    """Each name once."""
    seen = set()
    for leaf in leaves:
        if leaf.name not in seen:
            seen.add(leaf.name)
            yield leaf


def _is_data(value: Any) -> bool:
    """Whether it is an operand, and no function, class, module or option."""
    if isinstance(value, torch.Tensor | np.ndarray | np.generic | torch.nn.Module | list | tuple | dict | str):
        return True
    if value is None or type(value) in (int, float, complex, bool):
        return True
    options = torch.dtype | torch.device | torch.layout | torch.memory_format | type
    return not callable(value) and not isinstance(value, options) and type(value).__name__ != "module"


def _hold_arguments(found: Site, inside: list[Step], open_frames: ExitStack) -> None:
    """What was made for the call and is held by the frame that was called."""
    call = found.node
    callee = next((step for step in inside if step.code.co_name not in _PASSES_ON), None)
    if not isinstance(call, ast.Call) or callee is None or not callee.in_library:
        return
    if isinstance(call.func, ast.Attribute) and look(call.func.value, found.names) is MISSING:
        _hold_receiver(found, call.func, callee, open_frames)
        return
    function = look(call.func, found.names)
    is_layer = isinstance(function, torch.nn.Module) and callee.code.co_name == "forward"
    if not is_layer and getattr(function, "__code__", None) is not callee.code:
        return
    inner = open_frames.enter_context(scope(callee))
    if is_layer and inner.local.get("self") is not function:
        return
    arguments = callee.code.co_varnames[int(is_layer) : callee.code.co_argcount]
    counted = takewhile(lambda part: not isinstance(part, ast.Starred), call.args)
    for node, name in zip(counted, arguments, strict=False):
        made = not isinstance(node, CHAIN | ast.Constant) or look(node, found.names) is MISSING
        if made and isinstance(inner.local.get(name), torch.Tensor) and not callee.rebinds(name):
            _hold(found, node, inner.local[name])


def _hold_receiver(found: Site, asked: ast.Attribute, callee: Step, open_frames: ExitStack) -> None:
    """The tensor that was made for a method of torch's own."""
    if not callee.file.startswith(TORCH) or callee.code.co_name != asked.attr:
        return
    value = open_frames.enter_context(scope(callee)).local.get("self")
    if isinstance(value, torch.Tensor):
        _hold(found, asked.value, value)


def _hold(found: Site, node: ast.AST, value: torch.Tensor) -> None:
    """Take a part of the expression for an operand."""
    found.leaves.append(Leaf(ast.unparse(node), value, node))
    found.names.held[_held_name(node)] = value


def _held_name(node: ast.AST) -> str:
    return f"_held_{node.part}"  # type: ignore[attr-defined]


def _look_inside(found: Site, inside: list[Step], open_frames: ExitStack) -> None:
    """The layer and the function of torch that were at work, and what the innermost of its lines met."""
    names, last = Scope({}, {}), None
    for last in filter(_holds_what_was_given, inside):
        names = open_frames.enter_context(scope(last))
        owner = names.local.get("self")
        found.layer = owner if isinstance(owner, torch.nn.Module) else found.layer
        found.function = last.code.co_name
    here = place(last) if last is not None else None
    if last is None or here is None:
        return
    met = [leaf for leaf in _leaves(here.node, names) if _may_be_given(leaf.value)]
    known = {id(leaf.value) for leaf in found.leaves}
    found.inner = [
        Leaf(_name_inside(found, leaf, names.local.get("self"), last), leaf.value)
        for leaf in _unique(iter(met))
        if id(leaf.value) not in known
    ]


def _may_be_given(value: Any) -> bool:
    """Whether it is a tensor or a list, and not one of torch's own lists of texts."""
    texts = isinstance(value, list) and bool(value) and all(isinstance(one, str) for one in value)
    return isinstance(value, torch.Tensor | list) and not texts


def _holds_what_was_given(step: Step) -> bool:
    room = step.file.removeprefix(TORCH).lstrip("/\\").replace("\\", "/")
    return step.file.startswith(TORCH) and room.startswith(_HOLDS) and step.code.co_name not in _PASSES_ON


def _name_inside(found: Site, leaf: Leaf, owner: Any, step: Step) -> str:
    """A name that the learner's frame knows it by, if there is one."""
    for outer in found.leaves:
        if isinstance(outer.value, torch.nn.Module) and (path := path_to(leaf.value, outer.value)) is not None:
            return outer.name + path
    where = type(owner).__name__ if isinstance(owner, torch.nn.Module) else step.code.co_name
    return f"{leaf.name.removeprefix('self.')} (inside {where})"


def path_to(wanted: object, layer: torch.nn.Module, depth: int = 6) -> str | None:
    """How to reach a parameter or a layer from a layer that holds it: `.weight`, `[0].bias`."""
    if wanted is layer:
        return ""
    for table in ("_parameters", "_buffers"):
        for name, value in (layer.__dict__.get(table) or {}).items():
            if value is wanted:
                return f".{name}"
    parts = (layer.__dict__.get("_modules") or {}).items() if depth else ()
    counted = type(layer) in (torch.nn.Sequential, torch.nn.ModuleList)
    for name, part in parts:
        if part is not None and (path := path_to(wanted, part, depth - 1)) is not None:
            return (f"[{name}]" if counted and name.isdigit() else f".{name}") + path
    return None


def _gone(found: Site) -> list[ast.AST]:
    """The operands that were made for the expression alone."""
    known = [part for part in _direct(found.node) if found.leaf_of(part) is not None]
    parts = [part for part in _direct(found.node) if part not in known and part is not found.node]
    return [part for part in parts if _was_made(part, found.names)]


def _direct(node: ast.AST | None) -> list[ast.AST]:
    """What the operation that failed was given itself, and not what that was calculated from."""
    if isinstance(node, ast.Call):
        base = [node.func.value] if isinstance(node.func, ast.Attribute) else []
        return [*base, *(part for one in (*node.args, *(key.value for key in node.keywords)) for part in _each(one))]
    if isinstance(node, ast.Assign):
        return [*(part for target in node.targets for part in _direct(target)), node.value]
    return _parts(node)


def _parts(node: ast.AST | None) -> list[ast.AST]:
    if isinstance(node, ast.Subscript):
        return [node, node.value, *_each(node.slice)]
    if isinstance(node, ast.IfExp):
        return [node.test]
    if isinstance(node, ast.BinOp | ast.AugAssign | ast.Compare | ast.BoolOp | ast.UnaryOp | ast.Attribute):
        parts: list[ast.AST] = [part for part in ast.iter_child_nodes(node) if isinstance(part, ast.expr)]
        return [*parts, node] if isinstance(node, ast.Attribute) else parts
    return [node] if node is not None else []


def _each(node: ast.AST) -> list[ast.AST]:
    """The entries of a list or a tuple that is written out, or the one thing that there is."""
    return list(node.elts) if isinstance(node, ast.List | ast.Tuple) else [node]


def _was_made(part: ast.AST, names: Scope) -> bool:
    if isinstance(part, ast.Call | ast.BinOp | ast.UnaryOp | ast.Compare):
        return not isinstance(getattr(part, "operand", None), ast.Constant)
    return isinstance(part, CHAIN) and not _is_written(part) and look(part, names) is MISSING and _holds_call(part)


def _holds_call(part: ast.AST) -> bool:
    return any(isinstance(one, ast.Call | ast.BinOp | ast.Subscript) for one in ast.walk(part))


def rewritten(found: Site, changes: dict[ast.AST, str]) -> ast.AST:
    """The expression with some of its parts put into templates, in which `_` is the part itself."""
    wanted = {part.part: text for part, text in changes.items()}  # type: ignore[attr-defined]
    return _Rewriter(wanted).visit(copy.deepcopy(found.node or ast.Constant(None)))


class _Rewriter(ast.NodeTransformer):
    def __init__(self, wanted: dict[int, str]) -> None:
        self.wanted = wanted

    def visit(self, node: ast.AST) -> ast.AST:
        text = self.wanted.get(getattr(node, "part", -1))
        inside = self.generic_visit(node)
        if text is None:
            return inside
        template = ast.parse(text, mode="eval").body
        return _Fill(inside).visit(template)  # type: ignore[no-any-return]


class _Fill(ast.NodeTransformer):
    def __init__(self, part: ast.AST) -> None:
        self.part = part

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return self.part if node.id == "_" else node
