"""What the kinds of errors have in common: how one is told, and words for operands."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from tutor._explaining.rehearsing import Fix, fixed
from tutor._explaining.site import CHAIN, Leaf, Site, rewritten
from tutor._inspecting.names import dtype_text, shape_text

_LONGEST = 72


@dataclass(frozen=True)
class Finding:
    """A kind of error that was recognised, in three sentences, with lines that may correct it."""

    kind: str
    meaning: str
    cause: str
    cure: str
    fixes: tuple[Fix, ...] = ()


Kind = Callable[[Site], Finding | None]
KINDS: list[Kind] = []


def kind(function: Kind) -> Kind:
    """Enter a kind in the list; the first that recognises an error tells it."""
    KINDS.append(function)
    return function


def at(site: Site) -> str:
    """The expression, to begin a sentence with."""
    if site.node is None:
        return "The line that failed, whose source is not at hand,"
    return f"`{shortened(site.node)}`"


def told(leaf: Leaf) -> str:
    """An operand with its dtype and its shape."""
    return f"`{leaf.name}` ({dtype_of(leaf)} {shape_text(shape_of(leaf))})"


def dtype_of(leaf: Leaf) -> str:
    """The name of its dtype."""
    return dtype_text(leaf.value.dtype)


def shape_of(leaf: Leaf) -> tuple[int, ...]:
    """Its shape in plain numbers."""
    return tuple(int(n) for n in leaf.value.shape)


def shortened(part: ast.AST) -> str:
    """A part of the expression as text that a sentence has room for."""
    text = ast.unparse(part)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def _listed(texts: list[str]) -> str:
    return texts[0] if len(texts) == 1 else ", ".join(texts[:-1]) + f" and {texts[-1]}"


def met(site: Site, leaves: list[Leaf], verb: str = "met") -> str:
    """What the expression worked on, as a sentence; or that nothing holds it any more."""
    if site.node is None:
        return f"{at(site)} raised it; without the source it cannot be told on what."
    texts = [told(leaf) for leaf in leaves]
    inside = any(leaf.node is None for leaf in leaves)  # where torch holds them itself
    if not leaves or (verb == "met" and not inside):
        texts += [f"`{shortened(part)}` (no frame holds it any more)" for part in site.gone]
    if not texts:
        return f"{at(site)} raised it."
    return f"{at(site)} {verb} {_listed(texts)}."


def arrays(site: Site) -> list[Leaf]:
    """The NumPy arrays that what failed was given."""
    return [leaf for leaf in site.tensors() if isinstance(leaf.value, np.ndarray)]


def worked_on(site: Site) -> ast.AST | None:
    """What is indexed, filled or added to: what a method was called on, or a function's first argument."""
    if isinstance(site.node, ast.Subscript):
        return site.node.value
    if isinstance(site.node, ast.Assign) and isinstance(site.node.targets[0], ast.Subscript):
        return site.node.targets[0].value
    return site.receiver() or site.given(0, "input")


def torchs(site: Site) -> list[Leaf]:
    """The tensors of the expression, and those that torch met inside."""
    return [leaf for leaf in site.tensors() if isinstance(leaf.value, torch.Tensor)]


def wrap(site: Site, node: ast.AST | None, template: str) -> tuple[Fix, ...]:
    """The expression with one part of it put into a template, in which `_` is the part."""
    return change(site, {node: template}) if node is not None else ()


def change(site: Site, changes: dict[ast.AST, str]) -> tuple[Fix, ...]:
    """The expression with some of its parts put into templates."""
    if site.node is None or not all(hasattr(part, "part") for part in changes):
        return ()
    texts = [{**changes, **shorter} for shorter in _without_casts(changes)]
    trees = [rewritten(site, one) for one in (*texts, changes)]
    return tuple(fixed(tree, _statement(site, tree)) for tree in trees)


_CAST = re.compile(r"_\.(long|float|double|half|bfloat16|bool|to)\((torch\.\w+|[\w.\[\]]+\.dtype)?\)")


def _without_casts(changes: dict[ast.AST, str]) -> list[dict[ast.AST, str]]:
    """A cast that comes after `.float()` or `.double()`: without that one where it suffices, or in its place."""
    left_out, replaced = {}, {}
    for part, template in changes.items():
        func = part.func if isinstance(part, ast.Call) and not part.args and not part.keywords else None
        if isinstance(func, ast.Attribute) and func.attr in ("float", "double") and _CAST.fullmatch(template):
            left_out[part] = ast.unparse(func.value)
            replaced[part] = left_out[part] + template[1:]
    return [left_out, replaced] if left_out else []


def _statement(site: Site, tree: ast.AST) -> str:
    """The whole statement, where it gives the corrected expression a name and does nothing else."""
    place = site.place
    statement = place.statement if place else None
    if isinstance(statement, ast.Assign) and place is not None and statement.value is place.node:
        targets = "".join(f"{ast.unparse(target)} = " for target in statement.targets)
        return targets + ast.unparse(ast.fix_missing_locations(tree))
    return ""


def new_name(site: Site, call: str) -> tuple[Fix, ...]:
    """The call with another method in place of the one that failed."""
    node = site.node
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return ()
    tree: Any = rewritten(site, {})
    tree.func.attr = call
    return (fixed(tree, _statement(site, tree)),)


def option(site: Site, name: str, value: str) -> tuple[Fix, ...]:
    """The call with a keyword argument set."""
    tree: Any = rewritten(site, {}) if isinstance(site.node, ast.Call) else None
    if tree is None:
        return ()
    tree.keywords = [one for one in tree.keywords if one.arg != name]
    tree.keywords.append(ast.keyword(name, ast.parse(value, mode="eval").body))
    return (fixed(tree, _statement(site, tree)),)


def out_of_place(site: Site) -> tuple[Fix, ...]:
    """The same operation with a new tensor for its result."""
    node = site.node
    if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
        tree = rewritten(site, {})
        assert isinstance(tree, ast.AugAssign)
        target = ast.parse(ast.unparse(tree.target), mode="eval").body
        value = ast.BinOp(target, tree.op, tree.value)
        return (Fix(f"{ast.unparse(tree.target)} = {ast.unparse(ast.fix_missing_locations(value))}", value),)
    name = site.method()
    if name.endswith("_") and not name.startswith("_") and isinstance(node, ast.Call):
        if isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name):
            tree = rewritten(site, {})
            assert isinstance(tree, ast.Call)
            assert isinstance(tree.func, ast.Attribute)
            tree.func.attr = name[:-1]
            return (fixed(tree, f"{node.func.value.id} = {ast.unparse(ast.fix_missing_locations(tree))}"),)
        alone = site.place is not None and isinstance(site.place.statement, ast.Expr)
        return new_name(site, name[:-1]) if not alone else ()  # a result that nobody keeps would change nothing
    return ()


def everywhere(site: Site, leaf: Leaf) -> list[ast.AST]:
    """All parts of the expression that are this operand."""
    parts = ast.walk(site.node) if site.node is not None and leaf.node is not None else ()
    return [part for part in parts if isinstance(part, CHAIN) and ast.unparse(part) == leaf.name]
