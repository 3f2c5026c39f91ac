"""Errors of read-only arrays, of copies and of saved files."""

from __future__ import annotations

import ast
import pickle

import numpy as np

from tutor._explaining.kinds.base import Finding, at, kind, met, told, torchs, worked_on, wrap
from tutor._explaining.rehearsing import Fix, staged
from tutor._explaining.site import Site


@kind
def read_only(site: Site) -> Finding | None:
    """The warning that an array is read-only."""
    if not site.says(r"The given NumPy array is not writable") or not isinstance(site.error, Warning):
        return None
    leaves = [leaf for leaf in site.tensors() if isinstance(leaf.value, np.ndarray)][:1]
    return Finding(
        "read-only array",
        "The tensor shares the bytes of an array that NumPy promises not to change, and torch has no "
        "read-only tensors.",
        f"{at(site)} shares the bytes of {told(leaves[0])}." if leaves else f"{at(site)} shares an array's bytes.",
        "Copy the array first if anything may write into the tensor; a write might change what others see, or crash.",
        wrap(site, leaves[0].node, "_.copy()") if leaves else (),
    )


@kind
def write_into_read_only(site: Site) -> Finding | None:
    """A write into an array that NumPy promises not to change."""
    if not site.says(r"(assignment|output array) (destination )?is read-only") or not isinstance(
        site.error, ValueError
    ):
        return None
    target = site.node.target if isinstance(site.node, ast.AugAssign) else worked_on(site)
    leaf = site.leaf_of(target.value if isinstance(target, ast.Subscript) else target)
    leaves = [leaf] if leaf is not None and isinstance(leaf.value, np.ndarray) else []
    return Finding(
        "write into a read-only array",
        "NumPy was told not to let anybody write here, since others rely on these bytes: a file, a broadcast, pandas.",
        met(site, leaves, "writes into"),
        "Copy the array first, and write into the copy.",
        _into_a_copy(site, leaf.name) if leaf is not None and leaves else (),
    )


def _into_a_copy(site: Site, name: str) -> tuple[Fix, ...]:
    statement = site.place.statement if site.place else None
    if not isinstance(statement, ast.Assign | ast.AugAssign) or not name.isidentifier():
        return ()
    line = ast.unparse(statement)
    target = statement.target if isinstance(statement, ast.AugAssign) else statement.targets[0]
    if not isinstance(target, ast.Subscript):
        return ()
    right = line.replace(f"{name}[", f"{name}.copy()[", 1)
    return (staged(f"{name} = {name}.copy()\n{line}", line, right),)


@kind
def deep_copy(site: Site) -> Finding | None:
    """A deep copy of a tensor that was calculated."""
    if not site.says(r"Only Tensors created explicitly by the user \(graph leaves\) support the deepcopy"):
        return None
    return Finding(
        "deep copy of a non-leaf",
        "A tensor that was calculated hangs on the graph it came from, and a deep copy would have to copy that too.",
        met(site, [leaf for leaf in torchs(site) if leaf.value.requires_grad and not leaf.value.is_leaf][:1], "copies"),
        "Copy its values alone, with `.detach().clone()`; an object that holds it must let go of it first.",
    )


@kind
def more_than_weights(site: Site) -> Finding | None:
    """A file that holds more than tensors."""
    if not isinstance(site.error, pickle.UnpicklingError) or not site.says(r"Weights only load failed"):
        return None
    if site.says(r"Unsupported (global|class): GLOBAL (\S+)") is None:
        return None
    found = site.says(r"Unsupported (?:global|class): GLOBAL (\S+)")
    return Finding(
        "file with more than weights",
        "`torch.load` makes tensors and plain containers only, since a pickled file can run any code when it is read.",
        f"{at(site)} met `{found[1] if found else ''}` in the file.",
        "Save and load a `state_dict()`; if you trust whoever made the file, `weights_only=False` reads all of it.",
    )
