"""Errors of asking for one yes or no where there are several elements."""

from __future__ import annotations

import ast

import numpy as np

from tutor._explaining.kinds.base import Finding, at, change, kind, met, shape_of, wrap
from tutor._explaining.rehearsing import Fix
from tutor._explaining.site import CHAIN, Leaf, Site

_BOOL = (
    r"Boolean value of Tensor with (more than one value|no values) is ambiguous",
    r"The truth value of an (array with more than one element|empty array) is ambiguous",
)


@kind
def truth(site: Site) -> Finding | None:
    """The truth of several elements."""
    if not isinstance(site.error, RuntimeError | ValueError) or not site.says(*_BOOL):
        return None
    if site.function == "legacy_get_string":
        return _loss_not_made(site)
    leaves = [leaf for leaf in site.tensors() if int(np.prod(shape_of(leaf))) != 1][:2]
    return Finding(
        "truth of several elements",
        "`max`, `sorted`, `.index()` and their like compare, and ask for one yes or no, where a tensor has one for "
        "each element."
        if _asks_in_a_list(site)
        else "`if`, `and`, `or`, `not` and `in` ask for one yes or no, and a tensor has one for each element.",
        met(site, leaves, "asks it of"),
        _cure_of_truth(site),
        _all(site, leaves),
    )


def _asks_in_a_list(site: Site) -> bool:
    return site.method() in ("max", "min", "sorted", "sort", "index", "remove", "count")


def _cure_of_truth(site: Site) -> str:
    if site.method() in ("max", "min"):
        return f"Use `torch.{site.method()}imum(a, b)` for two tensors, or `key=` to say what is compared."
    if _asks_in_a_list(site):
        return "Compare whole tensors with `torch.equal(a, b)`, or say with `key=` by which number to sort."
    return "Say what you mean: `.all()`, `.any()`, `torch.equal(a, b)`, or `&`, `|` and `~` element by element."


def _loss_not_made(site: Site) -> Finding:
    """The class of a loss, called with what its object should be called with."""
    call = site.node
    fixes: tuple[Fix, ...] = ()
    if isinstance(call, ast.Call):
        made = ast.unparse(call.func)
        fixes = change(site, {call.func: f"{made}()"})
    return Finding(
        "loss that was not made yet",
        "A loss in `torch.nn` is a layer: it is made first, with its settings, and then called with input and target.",
        f"{at(site)} hands tensors over as settings.",
        "Make the loss once, as in `loss = nn.MSELoss()`, and call that, `loss(input, target)`.",
        fixes,
    )


def _all(site: Site, leaves: list[Leaf]) -> tuple[Fix, ...]:
    """What the learner may have meant: a choice or a mask element by element, or one answer for all elements."""
    if not isinstance(site.node, ast.expr):
        return ()
    statement = site.place.statement if site.place is not None else None
    parts = list(ast.walk(statement)) if statement is not None else []
    text = _answered(site.node, parts, getattr(statement, "test", None))
    if text is not None:
        asked = ast.Call(ast.Name("bool", ast.Load()), [site.node], [])
        return (Fix(text, ast.parse(text, mode="eval").body, asked),) if text else ()
    return _within(site, site.node, leaves, parts)


def _answered(node: ast.expr, parts: list[ast.AST], test: ast.AST | None) -> str | None:
    """A line for an expression of whose value the statement asks a yes or no; None if it does not."""
    for one in parts:
        if isinstance(one, ast.IfExp) and one.test is node:
            return f"torch.where({', '.join(map(ast.unparse, (node, one.body, one.orelse)))})"
        if isinstance(one, ast.BoolOp) and node in one.values:  # of which Python asks one after the other
            each = _for_each(one)
            return f"({each}).all()" if each and one is test else each
        if isinstance(one, ast.UnaryOp) and isinstance(one.op, ast.Not) and one.operand is node:
            return f"not ({ast.unparse(node)}).all()"
    if node is test or any(isinstance(one, ast.comprehension) and node in one.ifs for one in parts):
        simple = isinstance(node, ast.Name | ast.Attribute | ast.Subscript | ast.Call)
        return f"{ast.unparse(node)}.all()" if simple else f"({_for_each(node) or ast.unparse(node)}).all()"
    return None


def _within(site: Site, node: ast.expr, leaves: list[Leaf], parts: list[ast.AST]) -> tuple[Fix, ...]:
    """A line for an expression that itself asks for a yes or no."""
    each = _for_each(node)
    if isinstance(node, ast.UnaryOp) and any(isinstance(one, ast.Subscript) and one.slice is node for one in parts):
        each = f"~{ast.unparse(node.operand)}" if isinstance(node.operand, CHAIN) else f"~({ast.unparse(node.operand)})"
    if not each and isinstance(node, ast.Compare) and not isinstance(node.ops[0], ast.In | ast.NotIn):
        each = f"({ast.unparse(node)}).all()" if len(node.ops) == 1 else ""
    if each:
        return change(site, {node: each})
    asked = node.operand if isinstance(node, ast.UnaryOp) else site.given(0) if site.method() == "bool" else None
    return wrap(site, asked or (node if leaves and node is leaves[0].node else None), "_.all()")


def _for_each(node: ast.AST | None) -> str:
    """Two comparisons at once, or joined by `and` or `or`, element by element."""
    if isinstance(node, ast.Compare) and len(node.ops) == 2:
        return " & ".join(f"({_compared(node, i)})" for i in (0, 1))
    if isinstance(node, ast.BoolOp) and all(isinstance(one, ast.Compare) for one in node.values):
        return f" {'&' if isinstance(node.op, ast.And) else '|'} ".join(f"({ast.unparse(one)})" for one in node.values)
    return ""


def _compared(node: ast.Compare, i: int) -> str:
    left = [node.left, *node.comparators][i]
    return ast.unparse(ast.Compare(left, [node.ops[i]], [node.comparators[i]]))
