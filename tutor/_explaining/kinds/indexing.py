"""Errors of indices and masks."""

from __future__ import annotations

import ast

import numpy as np
import torch

from tutor._explaining.kinds.base import Finding, at, change, kind, met, shape_of, told, torchs, worked_on, wrap
from tutor._explaining.looking import look
from tutor._explaining.rehearsing import Fix
from tutor._explaining.site import Leaf, Site

_MOST_READ = 2**20  # elements of an index that are looked through
_OUTSIDE = (
    r"index -?\d+ is out of bounds for (dimension|axis) \d+ with size \d+",
    r"index out of range in self",
    r"Target -?\d+ is out of bounds",
    r"out of range: tried to access index -?\d+",
    r"index -?\d+ out of range for tensor of size",
    r"Class values must be smaller than num_classes",
)


@kind
def out_of_range(site: Site) -> Finding | None:
    """An index beyond the last element."""
    if not isinstance(site.error, IndexError | RuntimeError) or not site.says(*_OUTSIDE):
        return None
    indices = [leaf for leaf in torchs(site) if leaf.value.dtype in (torch.int64, torch.int32)]
    if site.method() not in ("embedding", "one_hot"):
        indices = [leaf for leaf in indices if leaf.node is None or leaf.node is not worked_on(site)]
    if site.says(r"Target (-?\d+) is out of bounds"):
        return _class_out_of_range(site)
    if len(indices) > 1:
        number = site.says(r"index (-?\d+) is out of bounds")
        indices = [leaf for leaf in indices if number and _holds(leaf.value, int(number[1]))] or indices
    span = _span(indices) if len(indices) == 1 else ""
    rows = _rows(site)
    return Finding(
        "index out of range",
        "Indices are counted from 0, so the largest is one less than the size, and some operations take "
        "no negative ones.",
        f"{met(site, indices or site.tensors()[:1])[:-1]}{span}{rows}.",
        "Compare the largest index with the size; a table of n rows takes indices 0 to n − 1.",
        _last_element(site),
    )


def _class_out_of_range(site: Site) -> Finding:
    found = site.says(r"Target (-?\d+) is out of bounds")
    assert found is not None
    scores = next((leaf for leaf in torchs(site) if leaf.value.is_floating_point()), None)
    classes = (
        f", where {told(scores)} has classes 0 to {shape_of(scores)[-1] - 1}" if scores and shape_of(scores) else ""
    )
    if scores and len(shape_of(scores)) > 2:
        classes = f", where {told(scores)} has classes 0 to {shape_of(scores)[1] - 1}"
    return Finding(
        "class out of range",
        "Class numbers are counted from 0, so with n scores for each sample the largest is n − 1.",
        f"{at(site)} met the class {found[1]}{classes}.",
        "Count classes from 0, or give the last layer as many outputs as there are classes.",
    )


def _holds(index: torch.Tensor, number: int) -> bool:
    """Whether an index has this number; only where looking waits for no device."""
    return index.device.type == "cpu" and index.numel() <= _MOST_READ and bool((index.detach() == number).any())


def _span(leaves: list[Leaf]) -> str:
    """The least and the greatest index; only where looking waits for no device."""
    if not leaves:
        return ""
    x = leaves[0].value
    if x.device.type != "cpu" or not 0 < x.numel() <= _MOST_READ:
        return ""
    low, high = (int(n) for n in x.detach().aminmax())
    return f", which goes from {low} to {high}"


def _rows(site: Site) -> str:
    layer = site.layer
    if isinstance(layer, torch.nn.Embedding):
        return f", and the Embedding has {layer.num_embeddings} rows"
    found = site.says(r"with size (\d+)")
    return f", and the size is {found[1]}" if found else ""


def _last_element(site: Site) -> tuple[Fix, ...]:
    """The last element, where the index is just the size."""
    node = site.node
    found = site.says(r"index (\d+) is out of bounds for (?:dimension|axis) \d+ with size (\d+)")
    if not isinstance(node, ast.Subscript) or found is None or found[1] != found[2]:
        return ()
    wanted = [one for one in ast.walk(node.slice) if isinstance(one, ast.Constant) and str(one.value) == found[1]]
    return change(site, {wanted[0]: "-1"}) if len(wanted) == 1 else ()


@kind
def too_many_indices(site: Site) -> Finding | None:
    """More indices than dimensions."""
    found = site.says(r"too many indices for (tensor of dimension|array)", r"invalid index of a 0-dim tensor")
    if found is None or not isinstance(site.error, IndexError):
        return None
    base = site.node.value if isinstance(site.node, ast.Subscript) else None
    leaf = site.leaf_of(base)
    leaves = [leaf] if leaf is not None and isinstance(leaf.value, torch.Tensor | np.ndarray) else torchs(site)[:1]
    scalar = bool(leaves) and shape_of(leaves[0]) == ()
    fixes: tuple[Fix, ...] = ()
    if scalar and base is not None and isinstance(site.node, ast.Subscript):
        fixes = change(site, {site.node: f"{ast.unparse(base)}.item()"})
    return Finding(
        "more indices than dimensions",
        "Each index takes away one dimension, so there can be at most as many as there are dimensions.",
        met(site, leaves, "indexes"),
        "A tensor without dimensions holds one number: read it with `.item()`." if scalar else "Leave some out.",
        fixes,
    )


@kind
def mask_shape(site: Site) -> Finding | None:
    """A mask whose sizes are not those of the tensor."""
    found = site.says(
        r"The shape of the mask \[.*?\] at index \d+ does not match the shape of the indexed tensor",
        r"boolean index did not match indexed array",
    )
    if found is None or not isinstance(site.error, IndexError):
        return None
    leaves = site.tensors()[:2]
    return Finding(
        "shape of a mask",
        "A mask picks along the dimensions it stands for, from the first one on, so its sizes must be theirs.",
        met(site, leaves),
        "Give the mask one entry for each position along its dimension; a mask of columns is written `x[:, mask]`.",
        _in_second_place(site, leaves),
    )


def _in_second_place(site: Site, leaves: list[Leaf]) -> tuple[Fix, ...]:
    node = site.node
    if len(leaves) < 2 or not isinstance(node, ast.Subscript) or node.slice is not leaves[1].node:
        return ()
    whole, mask = shape_of(leaves[0]), shape_of(leaves[1])
    if len(mask) == 1 and len(whole) > 1 and whole[1] == mask[0]:
        return change(site, {node: f"{ast.unparse(node.value)}[:, {ast.unparse(node.slice)}]"})
    return ()


_NO_INDEX = (
    r"only integers, slices .* are valid indices",
    r"only integer tensors of a single element can be converted to an index",
)


@kind
def no_index(site: Site) -> Finding | None:
    """Something that cannot serve as an index."""
    if not isinstance(site.error, IndexError | TypeError) or not site.says(*_NO_INDEX):
        return None
    node = site.node
    base = look(node.value, site.names) if isinstance(node, ast.Subscript) else None
    index = node.slice if isinstance(node, ast.Subscript) else site.given(0)
    leaf = site.leaf_of(index)
    fixes: tuple[Fix, ...] = ()
    if leaf is not None and isinstance(leaf.value, torch.Tensor | np.ndarray):
        one = int(np.prod(shape_of(leaf))) == 1
        if isinstance(base, list | tuple) or not isinstance(node, ast.Subscript):
            fixes = wrap(site, index, "int(_)") if one else ()
        else:
            fixes = wrap(site, index, "_.long()" if isinstance(leaf.value, torch.Tensor) else "_.astype('int64')")
    elif isinstance(index, ast.Constant) and isinstance(index.value, float) and index.value == int(index.value):
        fixes = change(site, {index: str(int(index.value))})
    known = leaf is not None and hasattr(leaf.value, "dtype")
    what = (
        f"was given {told(leaf)}"
        if leaf is not None and known
        else f"was given `{ast.unparse(index)}`"
        if index
        else ""
    )
    return Finding(
        "no index",
        "Elements are chosen by whole numbers, slices, or tensors of whole numbers or of True and False.",
        f"{at(site)} {what} where an index is wanted." if what else met(site, torchs(site)[:2]),
        "Make it a whole number first, with `int()` for one number or `.long()` for a tensor of them."
        if isinstance(base, torch.Tensor | np.ndarray)
        else "Python takes one whole number here: `int()` of one element, or a loop over `.tolist()` for several.",
        fixes,
    )


@kind
def without_dimensions(site: Site) -> Finding | None:
    """len() or a loop over a tensor without dimensions."""
    if not isinstance(site.error, TypeError) or not site.says(r"(iteration over|len\(\) of) a 0-d tensor"):
        return None
    leaves = [leaf for leaf in torchs(site) if shape_of(leaf) == ()][:1]
    node = leaves[0].node if leaves else None
    loop = site.place.statement if site.place else None
    fixes = wrap(site, node, "_.reshape(1)")
    if isinstance(loop, ast.For) and loop.iter is node and fixes:
        asked = ast.Call(ast.Name("list", ast.Load()), [loop.iter], [])
        line = f"for {ast.unparse(loop.target)} in {fixes[0].shown}:"
        fixes = (Fix(line, fixes[0].tree, asked),)
    return Finding(
        "no dimension to go along",
        "A tensor of shape () holds one number and has no dimension along which it could be counted or run through.",
        met(site, leaves, "was given"),
        "Read the number with `.item()`, or give it a dimension with `.reshape(1)`.",
        fixes,
    )
