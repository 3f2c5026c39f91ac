"""Errors of a training step: what an optimizer, a gradient and a scaler are given."""

from __future__ import annotations

import ast

import torch

from tutor._explaining.kinds.base import Finding, at, kind, met, torchs
from tutor._explaining.operands import islice_parameters
from tutor._explaining.rehearsing import Fix
from tutor._explaining.site import Site


@kind
def optimizer_of_non_leaf(site: Site) -> Finding | None:
    """An optimizer is given a tensor that was calculated."""
    if not site.says(r"can't optimize a non-leaf Tensor"):
        return None
    leaves = [leaf for leaf in torchs(site) if not leaf.value.is_leaf][:1]
    return Finding(
        "optimizer of a non-leaf",
        "An optimizer changes leaves, whose `.grad` backward fills; a tensor that was calculated has neither.",
        met(site, leaves, "was given"),
        "Give it the parameters themselves; after `.to(device)` or a multiplication make the result a leaf again.",
    )


@kind
def assigned_gradient(site: Site) -> Finding | None:
    """A .grad of another shape, dtype or device is assigned."""
    found = site.says(r"attempting to assign a gradient (of size|with dtype|with device|of device)")
    if found is None:
        return None
    return Finding(
        "gradient that does not fit",
        "A gradient has one number for each element of its tensor, in the same dtype and on the same device.",
        met(site, torchs(site)[:2]),
        "Make it with `torch.zeros_like(tensor)`, or convert it.",
    )


@kind
def unscale_fp16(site: Site) -> Finding | None:
    """A GradScaler meets gradients in float16."""
    if not site.says(r"Attempting to unscale FP16 gradients"):
        return None
    return Finding(
        "scaler and float16 weights",
        "A GradScaler expects weights in float32, of which autocast makes float16 copies by itself where it may.",
        f"{at(site)} met gradients in float16{_whose(site)}, so the weights themselves were made or cast to float16.",
        "Keep the model in float32: leave out `.half()`, and run the forward pass under `torch.autocast`.",
        _in_float32(site),
    )


def _halves(site: Site) -> list[str]:
    """The learner's modules with float16 parameters."""
    named = [(name, value) for name, value in site.names.local.items() if not name.startswith("_")]
    modules = [(name, value) for name, value in named if isinstance(value, torch.nn.Module)]
    return [name for name, one in modules if any(p.dtype == torch.float16 for p in islice_parameters(one, 1_000))][:2]


def _whose(site: Site) -> str:
    names = _halves(site)
    return " of " + " and ".join(f"`{name}`" for name in names) if names else ""


def _in_float32(site: Site) -> tuple[Fix, ...]:
    """A training step with a stand-in of the model, as it is and in float32."""
    names = _halves(site)
    if len(names) != 1:
        return ()
    wrong, right = (ast.parse(f"_step({name})") for name in (names[0], f"{names[0]}.float()"))
    return (Fix(f"{names[0]} = {names[0]}.float()", right, wrong, {"_step": _step}),)


def _step(model: torch.nn.Module) -> None:
    """A training step with a scaler."""
    weights = list(model.parameters())
    scaler = torch.amp.GradScaler(weights[0].device.type)
    optimizer = torch.optim.SGD(weights, 0.0)
    torch.autograd.backward(scaler.scale(torch.stack([weight.sum() for weight in weights]).sum()))
    scaler.step(optimizer)
