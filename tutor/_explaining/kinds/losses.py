"""Errors of losses: their targets' dtypes and shapes."""

from __future__ import annotations

import torch

from tutor._explaining.kinds.base import Finding, at, kind, met, shape_of, torchs, wrap
from tutor._explaining.looking import MISSING
from tutor._explaining.rehearsing import Fix
from tutor._explaining.site import Leaf, Site

_CLASSES = ("cross_entropy", "nll_loss")
BCE = ("binary_cross_entropy", "binary_cross_entropy_with_logits")


def _pair(site: Site) -> tuple[Leaf | None, Leaf | None]:
    """The input and the target of a loss, as the learner's line or torch's own code holds them."""
    return _argument(site, 0, "input"), _argument(site, 1, "target")


def _argument(site: Site, position: int, name: str) -> Leaf | None:
    leaf = site.leaf_of(site.given(position, name))
    if leaf is not None and isinstance(leaf.value, torch.Tensor):
        return leaf
    value = site.held(name)
    return Leaf(name, value) if value is not MISSING and isinstance(value, torch.Tensor) else None


def _both(site: Site) -> list[Leaf]:
    return [leaf for leaf in _pair(site) if leaf is not None]


@kind
def class_numbers(site: Site) -> Finding | None:
    """Targets of a cross entropy that are neither class numbers nor probabilities."""
    if site.function not in _CLASSES:
        return None
    if not site.says(r"expected target dtype to be Long", r"expected scalar type Long but found \w+"):
        return None
    target = _pair(site)[1]
    return Finding(
        "dtype of class targets",
        "Cross entropy reads a target with one dimension less than its input as class numbers, and wants int64.",
        met(site, _both(site)),
        "Hand class numbers over as int64, `.long()`; if it holds probabilities, give it the shape of the input.",
        wrap(site, target.node, "_.long()") if target else (),
    )


@kind
def whole_probabilities(site: Site) -> Finding | None:
    """A one-hot target of whole numbers."""
    if not site.says(r"Expected floating point type for target with class probabilities"):
        return None
    given, target = _pair(site)
    return Finding(
        "one-hot targets of whole numbers",
        "A target in the shape of the input is read as probabilities, so it must have a floating dtype.",
        met(site, _both(site)),
        "Convert it to the input's dtype, or hand over the class numbers themselves, `target.argmax(1)`.",
        wrap(site, target.node, f"_.to({given.name}.dtype)") if target and given and given.node is not None else (),
    )


@kind
def float_targets(site: Site) -> Finding | None:
    """Targets of a binary cross entropy in another dtype."""
    patterns = (r"Found dtype \w+ but expected \w+", r"result type \w+ can't be cast to the desired", r"with two bool")
    if site.function not in BCE or not site.says(*patterns):
        return None
    given, target = _pair(site)
    if given is not None and target is not None and given.value.dtype == target.value.dtype:
        return None
    return Finding(
        "dtype of targets between 0 and 1",
        "Binary cross entropy calculates with its targets, so it wants them in the floating dtype of its input.",
        met(site, _both(site)),
        "Convert the target to the input's dtype.",
        wrap(site, target.node, f"_.to({given.name}.dtype)") if target and given and given.node is not None else (),
    )


@kind
def backward_dtypes(site: Site) -> Finding | None:
    """A loss of two dtypes, which only its backward refuses."""
    if site.function not in ("backward", "_engine_run_backward", "grad"):
        return None
    found = site.says(r"Found dtype (\w+) but expected (\w+)")
    if found is None:
        return None
    maker = next((type(leaf.value.grad_fn).__name__ for leaf in torchs(site) if leaf.value.grad_fn is not None), "")
    name = maker.removesuffix("0").removesuffix("Backward")
    which = f" of {name}" if name else ""
    return Finding(
        "dtypes of a loss, found by backward",
        "Some losses take an input and a target of different dtypes forward, and refuse only when gradients are made.",
        f"{at(site)} found {found[1]} where {found[2]} is needed; the operands{which} are in the line that "
        "made the loss.",
        "Convert the target in that line: `target.to(input.dtype)`.",
    )


_SHAPES = (
    r"Target size \(.+\) must be the same as input size",
    r"Using a target size \(.+\) that is different to the input size",
    r"multi-target not supported",
    r"Expected input batch_size \(\d+\) to match target batch_size",
)


@kind
def target_shapes(site: Site) -> Finding | None:
    """A target whose shape does not go with the input's."""
    if not site.says(*_SHAPES):
        return None
    given, target = _pair(site)
    return Finding(
        "shape of the target",
        "A loss compares each prediction with its own target and does not broadcast here, so the shapes "
        "must go together.",
        met(site, _both(site)),
        "Give the target the shape that is asked for: the input's own, or for class numbers one number for each row.",
        _reshaped(site, given, target) if given and target else (),
    )


def _reshaped(site: Site, given: Leaf, target: Leaf) -> tuple[Fix, ...]:
    inputs, targets = shape_of(given), shape_of(target)
    if given.value.numel() == target.value.numel() and inputs != targets:
        return wrap(site, target.node, f"_.view_as({given.name})") if given.node is not None else ()
    if len(targets) > 1 and targets[-1] == 1:
        return wrap(site, target.node, "_.squeeze(-1)")
    return ()


@kind
def outside_unit(site: Site) -> Finding | None:
    """Probabilities below 0 or above 1."""
    if not site.says(r"all elements of (input|target) should be between 0 and 1"):
        return None
    fixes: tuple[Fix, ...] = ()
    given = _pair(site)[0]
    if given is not None and "of input" in site.text:
        fixes = wrap(site, given.node, "_.sigmoid()")
    return Finding(
        "probabilities outside 0 to 1",
        "Binary cross entropy takes the logarithm of probabilities, and there is none below 0 or of 1 "
        "minus more than 1.",
        met(site, _both(site)),
        "Apply a sigmoid first, or use `binary_cross_entropy_with_logits`, which takes raw scores and is more exact.",
        fixes,
    )
