"""Errors of views, strides, expanded tensors and read orders."""

from __future__ import annotations

import ast
import math
from collections.abc import Sequence

import numpy as np
import torch

from tutor._explaining.kinds.base import (
    Finding,
    arrays,
    at,
    change,
    kind,
    met,
    new_name,
    out_of_place,
    shape_of,
    told,
    torchs,
    wrap,
)
from tutor._explaining.looking import look
from tutor._explaining.rehearsing import Fix
from tutor._explaining.site import Leaf, Site
from tutor._inspecting.names import shape_text
from tutor._words import count_text


def _viewed(site: Site) -> list[Leaf]:
    """What a method was called on, if a frame still holds it."""
    leaf = site.leaf_of(site.receiver())
    return [leaf] if leaf is not None and isinstance(leaf.value, torch.Tensor | np.ndarray) else []


@kind
def view_and_stride(site: Site) -> Finding | None:
    """view() of a tensor whose strides do not allow it."""
    if not site.says(r"view size is not compatible with input tensor's size and stride"):
        return None
    leaves = _viewed(site)
    cause = met(site, [])
    if leaves:
        cause = f"{at(site)} asks for a view of {told(leaves[0])}, whose strides {shape_text(leaves[0].value.stride())}"
        cause += " leave no single step between neighbours of the new shape."
    return Finding(
        "view and strides",
        "A view only gives the same bytes other sizes and strides, and here no strides reach the elements "
        "in that order.",
        cause,
        "Use `.reshape()`, which copies where it must, or `.contiguous().view()` to say that a copy is meant.",
        new_name(site, "reshape"),
    )


@kind
def view_of_wrong_size(site: Site) -> Finding | None:
    """A shape with another number of elements."""
    if not site.says(r"shape '\[.*\]' is invalid for input of size", r"cannot reshape array of size"):
        return None
    leaves = _viewed(site) or torchs(site)[:1] or arrays(site)[:1]
    held = math.prod(shape_of(leaves[0])) if leaves else None
    has = f", which has {count_text(held, 'element')}" if held is not None else ""
    return Finding(
        "shape of another size",
        "A new shape must have exactly as many elements as there are.",
        f"{at(site)} asks for it of {told(leaves[0])}{has}." if leaves else met(site, []),
        "Check the sizes; one of them may be -1, and torch then calculates it.",
        _with_minus_one(site, shape_of(leaves[0])) if leaves else (),
    )


def _with_minus_one(site: Site, shape: tuple[int, ...]) -> tuple[Fix, ...]:
    """The same call with one of its sizes left to be calculated, so that the rows of a batch stay rows."""
    call = site.node
    if not isinstance(call, ast.Call):
        return ()
    args = call.args[0].elts if len(call.args) == 1 and isinstance(call.args[0], ast.Tuple | ast.List) else call.args
    numbers = [one for one in args if isinstance(one, ast.Constant) and type(one.value) is int]
    if any(isinstance(one, ast.UnaryOp) for one in args):
        return ()
    if len(args) > 1 and len(shape) > 1:
        first = [one for one in numbers if one is args[0]]
        kept = isinstance(args[0], ast.Constant) and args[0].value == shape[0]
        numbers = [one for one in numbers if one is not args[0]] if kept else first if _keeps_rows(args, shape) else []
    return tuple(fix for one in reversed(numbers) for fix in change(site, {one: "-1"}))


def _keeps_rows(args: Sequence[ast.expr], shape: tuple[int, ...]) -> bool:
    """Whether the sizes after the first one are those of a row."""
    sizes = [one.value for one in args[1:] if isinstance(one, ast.Constant) and type(one.value) is int]
    return len(sizes) == len(args) - 1 and math.prod(sizes) == math.prod(shape[1:])


@kind
def one_minus_one(site: Site) -> Finding | None:
    """Two sizes that torch should calculate."""
    if not site.says(r"only one dimension can be inferred", r"can only specify one unknown dimension"):
        return None
    return Finding(
        "two sizes left open",
        "Of the sizes of a new shape only one may be -1, since two could be chosen in several ways.",
        met(site, _viewed(site)),
        "Write one of the two as a number.",
    )


@kind
def expand(site: Site) -> Finding | None:
    """A dimension that cannot be repeated."""
    if not site.says(
        r"The expanded size of the tensor \(", r"number of sizes provided \(\d+\) must be greater or equal"
    ):
        return None
    leaves = torchs(site)[:2]
    return Finding(
        "expand of a size that is not 1",
        "Only a dimension of size 1 can be repeated without a copy, and new dimensions are added at the left.",
        met(site, leaves),
        "Line the shapes up from the right, and add a dimension of size 1 where one is missing.",
        _with_a_dimension(site),
    )


def _with_a_dimension(site: Site) -> tuple[Fix, ...]:
    node = site.node
    if isinstance(node, ast.Call):
        leaf = site.leaf_of(site.receiver() or site.given(0))
        return wrap(site, leaf.node, "_.unsqueeze(-1)") if leaf else ()
    return ()


def _written(site: Site) -> list[Leaf]:
    """What the expression writes into, where its form says so."""
    node = site.node
    target = (
        node.target if isinstance(node, ast.AugAssign) else node.targets[0] if isinstance(node, ast.Assign) else None
    )
    into = target.value if isinstance(target, ast.Subscript) else target
    leaf = site.leaf_of(into or site.given(99, "out") or site.receiver())
    return [leaf] if leaf is not None and isinstance(leaf.value, torch.Tensor) else []


@kind
def written_twice(site: Site) -> Finding | None:
    """A write where several elements share a place."""
    patterns = (
        r"more than one element of the written-to tensor refers to a single memory location",
        r"some elements of the input tensor and the written-to tensor refer to a single memory location",
    )
    found = site.says(*patterns)
    if found is None:
        return None
    leaves = _written(site)
    return Finding(
        "write where elements overlap",
        "Several elements share one place in memory, so the result of a write would depend on the order of writing.",
        met(site, leaves, "writes into"),
        "Clone first, so that each element has a place of its own.",
        out_of_place(site) if "some elements" not in found[0] else (),  # stand-ins share no bytes with one another
    )


@kind
def negative_strides(site: Site) -> Finding | None:
    """An array that is read backwards."""
    if not site.says(r"strides? (in the given numpy array|.*) (is|are) negative|negative strides"):
        return None
    leaves = [leaf for leaf in arrays(site) if any(stride < 0 for stride in leaf.value.strides)][:1]
    node = leaves[0].node if leaves else site.given(0)
    return Finding(
        "negative strides",
        "The array is read backwards through its bytes, as after `[::-1]` or a flip, and torch has no such tensors.",
        met(site, leaves, "was given"),
        "Copy the array, so that its elements lie in the order in which they are read.",
        wrap(site, node, "_.copy()"),
    )


@kind
def negative_step(site: Site) -> Finding | None:
    """A slice backwards of a tensor."""
    if not isinstance(site.error, ValueError) or not site.says(r"step must be greater than zero"):
        return None
    node = site.node
    if not isinstance(node, ast.Subscript) or not isinstance(look(node.value, site.names), torch.Tensor):
        return None
    fixes: tuple[Fix, ...] = ()
    if ast.unparse(node.slice) == "::-1":
        fixes = change(site, {node: f"{ast.unparse(node.value)}.flip(0)"})
    return Finding(
        "slice backwards",
        "A tensor cannot be read backwards through its bytes, as NumPy's arrays can.",
        met(site, torchs(site)[:1], "slices"),
        "Use `.flip(dim)`, which copies.",
        fixes,
    )


@kind
def byte_order(site: Site) -> Finding | None:
    """An array in the other byte order."""
    if not site.says(r"byte order different from the native byte order"):
        return None
    leaves = [leaf for leaf in arrays(site) if not leaf.value.dtype.isnative][:1]
    template = "_.astype(_.dtype.newbyteorder('='))"
    return Finding(
        "byte order",
        "The array keeps the bytes of each number in the order that this machine does not use, and torch "
        "reads no other.",
        met(site, leaves, "was given"),
        "Convert the array to the machine's own byte order first.",
        wrap(site, leaves[0].node, template) if leaves else (),
    )


@kind
def dimension_out_of_range(site: Site) -> Finding | None:
    """A dimension that the tensor has not."""
    found = site.says(r"Dimension out of range \(expected to be in range of \[(-?\d+), (-?\d+)\], but got (-?\d+)\)")
    if found is None or not isinstance(site.error, IndexError):
        return None
    given = found[3]
    call = site.node if isinstance(site.node, ast.Call) else None
    numbers = [one for one in (call.args if call else ()) if ast.unparse(one) == given]
    numbers += [one.value for one in (call.keywords if call else ()) if ast.unparse(one.value) == given]
    return Finding(
        "dimension out of range",
        "Dimensions are counted from 0, or from -1 backwards.",
        f"{met(site, torchs(site)[:1])[:-1]}, where dimensions go from {found[1]} to {found[2]}, and "
        f"{given} was asked.",
        f"Choose one from {found[1]} to {found[2]}; the last one is always -1.",
        change(site, {numbers[0]: "-1"}) if len(numbers) == 1 and int(given) > 0 else (),
    )


@kind
def permute_dims(site: Site) -> Finding | None:
    """An order that does not name each dimension once."""
    if not site.says(r"number of dimensions in the tensor input does not match the length of the desired ordering"):
        return None
    leaves = torchs(site)[:1]
    has = f", which has {count_text(leaves[0].value.dim(), 'dimension')}" if leaves else ""
    return Finding(
        "order of dimensions",
        "`permute` takes a new order of all dimensions, each of them once.",
        f"{met(site, leaves)[:-1]}{has}.",
        "Name each of its dimensions once.",
    )
