"""Errors of single numbers that a dtype, or Python, cannot hold."""

from __future__ import annotations

import ast

from tutor._explaining.kinds.base import Finding, at, kind, met, option, torchs, wrap
from tutor._explaining.looking import MISSING, look
from tutor._explaining.rehearsing import Fix
from tutor._explaining.site import Site


@kind
def value_overflow(site: Site) -> Finding | None:
    """A number that the dtype cannot hold."""
    found = site.says(r"value cannot be converted to type (?:c10::|at::)?(\w+) without overflow")
    if found is None:
        return None
    name = found[1].removesuffix("_t").lower()
    leaves = torchs(site)[:1]
    if leaves and leaves[0].value.is_complex():
        return Finding(
            "real number of a complex one",
            "A complex number has two parts, and to keep one of them only would lose the other.",
            met(site, leaves, "asks for a real number of"),
            "Say which you mean: `.real`, `.imag`, or `.abs()` for the magnitude.",
        )
    fixes: tuple[Fix, ...] = ()
    if site.method().startswith("masked_fill") and leaves and leaves[0].value.is_floating_point():
        fixes = wrap(site, site.given(1, "value"), f"torch.finfo({leaves[0].name}.dtype).min")
        cure = "Use the least number that the dtype has, `torch.finfo(dtype).min`, or minus infinity."
    else:
        fixes = _wider(site, name)
        cure = "Choose a dtype whose range holds the number, or clamp the number first."
    return Finding(
        "number does not fit the dtype",
        f"A number from Python is checked before it is stored, and this one lies outside what {name} can hold.",
        met(site, leaves, "was to put it into") if leaves else f"{at(site)} was to put it into the dtype {name}.",
        cure,
        fixes,
    )


def _wider(site: Site, name: str) -> tuple[Fix, ...]:
    if not isinstance(site.node, ast.Call) or not any(one.arg == "dtype" for one in site.node.keywords):
        return ()
    wider = {"half": ("float32",)}.get(name, ("int16", "int32", "int64"))
    return tuple(fix for dtype in wider for fix in option(site, "dtype", f"torch.{dtype}"))


@kind
def infinite_to_whole(site: Site) -> Finding | None:
    """int() of infinity or NaN."""
    if not site.says(r"cannot convert float (infinity|NaN) to integer"):
        return None
    if not isinstance(site.error, OverflowError | ValueError) or not torchs(site):
        return None
    return Finding(
        "no whole number for infinity or NaN",
        "No integer stands for infinity or for NaN, and Python says so, where a cast of a whole tensor would not.",
        met(site, torchs(site)[:1], "asks for a whole number of"),
        "Find out where the value comes from; `torch.isfinite` finds such elements.",
    )


@kind
def too_big(site: Site) -> Finding | None:
    """An integer beyond 64 bits."""
    if not site.says(
        r"Overflow when unpacking long", r"int too big to convert", r"Python int too large to convert to C"
    ):
        return None
    if not isinstance(site.error, RuntimeError | ValueError | OverflowError) or site.node is None:
        return None
    if not torchs(site) and look(getattr(site.node, "func", ast.Constant(0)), site.names) is MISSING:
        return None
    fixes = option(site, "dtype", "torch.float64") if isinstance(site.node, ast.Call) else ()
    return Finding(
        "integer beyond 64 bits",
        "Python's integers have no end, and those of a tensor have at most 64 bits.",
        f"{at(site)} was given an integer outside −2**63 to 2**63 − 1.",
        "Use float64, which holds such a number without its last digits, or keep it as a Python integer.",
        fixes,
    )
