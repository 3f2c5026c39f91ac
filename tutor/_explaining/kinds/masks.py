"""Errors of masks: what is none, what stands for one, and what cannot be done with one."""

from __future__ import annotations

import ast

import torch

from tutor._explaining.kinds.base import Finding, at, change, everywhere, kind, met, told, torchs, wrap
from tutor._explaining.kinds.losses import BCE
from tutor._explaining.rehearsing import Fix, fixed
from tutor._explaining.site import Site, rewritten


@kind
def masks_of_floats(site: Site) -> Finding | None:
    """`&`, `|` and `^` of floating numbers, which may stand for masks or, beside a whole number, for bits."""
    if not site.says(r"\"bitwise_(and|or|xor)\w*\" not implemented for"):
        return None
    leaves = [leaf for leaf in torchs(site) if leaf.value.is_floating_point() or leaf.value.is_complex()]
    wanted = {leaf.value.dtype for leaf in torchs(site)} - {leaf.value.dtype for leaf in leaves}
    beside_a_mask = wanted == {torch.bool} or any(isinstance(part, ast.Compare) for part in site.gone)
    to = "_.bool()" if beside_a_mask else "_.long()" if not wanted and _has_whole_number(site) else ""
    nodes = {part: to for leaf in leaves for part in everywhere(site, leaf)} if to else {}
    return Finding(
        "not made for this dtype",
        "`&`, `|` and `^` work on masks of True and False, or on the bits of whole numbers, not on floating ones.",
        met(site, leaves[:2]),
        "Convert masks with `.bool()`, and whole numbers with `.long()`.",
        change(site, nodes) if nodes else (),
    )


def _has_whole_number(site: Site) -> bool:
    parts = ast.iter_child_nodes(site.node) if site.node is not None else ()
    return any(isinstance(part, ast.Constant) and type(part.value) is int for part in parts)


@kind
def minus_of_bools(site: Site) -> Finding | None:
    """A minus between masks."""
    found = site.says(r"(Subtraction|Negation), the `-` operator,(?: with| on)")
    if found is None or site.function in BCE:
        return None
    leaves = [leaf for leaf in torchs(site) if leaf.value.dtype == torch.bool]
    return Finding(
        "minus of bool",
        "True and False are no numbers for `-`, which torch refuses because two answers would be possible.",
        met(site, leaves[:2]),
        "Use `~` to turn a mask around, `^` for where two masks differ, or convert to int to calculate.",
        _of_masks(site),
    )


def _of_masks(site: Site) -> tuple[Fix, ...]:
    tree = rewritten(site, {})
    if isinstance(tree, ast.BinOp):
        tree.op = ast.BitXor()
    elif isinstance(tree, ast.UnaryOp):
        tree.op = ast.Invert()
    else:
        return ()
    return (fixed(tree),)


@kind
def mask_dtype(site: Site) -> Finding | None:
    """A mask that is not bool."""
    patterns = (
        r"masked_fill_? only supports boolean masks",
        r"expected BoolTensor for mask",
        r"condition to be a bool",
    )
    if not site.says(*patterns):
        return None
    filled = site.method().startswith("masked_")
    node = site.given(0 if site.receiver() is not None or not filled else 1, "mask" if filled else "condition")
    leaf = site.leaf_of(node)
    leaf = leaf if leaf is not None and isinstance(leaf.value, torch.Tensor) else None
    return Finding(
        "mask is not bool",
        "A mask says yes or no for each element, so torch wants it in the dtype bool.",
        f"{at(site)} was given {told(leaf)} for a mask." if leaf else f"{at(site)} was given a mask of another dtype.",
        "Compare to make a mask, as in `x > 0`, or convert with `.bool()`, for which all but zero is True.",
        wrap(site, node, "_.bool()") if node is not None and node is not site.receiver() else (),
    )
