"""Errors of devices: which are there, what is on which, and how much fits."""

from __future__ import annotations

import ast

import torch

from tutor._explaining.kinds.base import Finding, at, change, kind, met, torchs
from tutor._explaining.rehearsing import Fix, fixed
from tutor._explaining.site import Leaf, Site, rewritten
from tutor._words import bytes_text

_MISMATCH = (
    r"Expected all tensors to be on the same device",
    r"Tensor on device \S+ is not on the expected device \S+",
    r"indices should be either on \S+ or on the same device",
    r"Input type \(torch\.cuda\.\w+\) and weight type \(torch\.\w+\) should be the same",
    r"Input type \(torch\.\w+\) and weight type \(torch\.cuda\.\w+\) should be the same",
)


@kind
def device_mismatch(site: Site) -> Finding | None:
    """Operands on two devices."""
    if not isinstance(site.error, RuntimeError) or not site.says(*_MISMATCH):
        return None
    leaves = _two_devices(torchs(site))
    cause = met(site, [])
    if leaves:
        each = " and ".join(f"`{leaf.name}` on {leaf.value.device}" for leaf in leaves)
        cause = f"{at(site)} met {each}."
    empty = any(_has_no_values(leaf.value) for leaf in leaves)
    return Finding(
        "operands on different devices",
        "A device calculates with what lies in its own memory, and torch never moves a tensor unasked.",
        cause,
        "A tensor on meta has no values to calculate with: make it on a real device, with `.to_empty(device=...)` for "
        "a module, and give it values."
        if empty
        else "Move the data once, before the loop or when the batch arrives, to the device of the weights.",
        _moved(site, leaves) if not empty else (),
    )


def _has_no_values(x: torch.Tensor) -> bool:
    return x.is_meta


def _two_devices(leaves: list[Leaf]) -> list[Leaf]:
    first: dict[torch.device, Leaf] = {}
    for leaf in leaves:
        first.setdefault(leaf.value.device, leaf)
    return list(first.values())[:2] if len(first) > 1 else []


def _moved(site: Site, leaves: list[Leaf]) -> tuple[Fix, ...]:
    """Data goes to the weights; where there are none, it is tried one way and then the other."""
    if len(leaves) < 2:
        return ()
    weights = [leaf for leaf in leaves if isinstance(leaf.value, torch.nn.Parameter)]
    ways = [(weights[0], next(leaf for leaf in leaves if leaf is not weights[0]))] if weights else []
    ways = ways or [(leaves[0], leaves[1]), (leaves[1], leaves[0])]
    ways.sort(key=lambda way: way[0].value.device.type == "cpu")
    return tuple(
        fix
        for to, moved in ways
        if moved.node is not None
        for fix in change(site, {moved.node: f"_.to({_device(to)})"})
    )


def _device(leaf: Leaf) -> str:
    return f"{leaf.name}.device" if "(inside" not in leaf.name else f"'{leaf.value.device}'"


_NO_DEVICE = (
    r"Torch not compiled with (\w+) enabled",
    r"Found no (NVIDIA) driver on your system",
    r"not linked with support for (\w+) devices",
    r"(No CUDA GPUs) are available",
    r"torch\.cuda\.\w+ requires (CUDA) support",
    r"Attempting to deserialize object on a (CUDA) device",
    r"Cannot access (accelerator) device when none is available",
)
_CHOSEN = "'cuda' if torch.cuda.is_available() else 'cpu'"


@kind
def no_such_device(site: Site) -> Finding | None:
    """A device that this machine, or this build of torch, has not."""
    found = site.says(*_NO_DEVICE)
    if found is None or not isinstance(site.error, AssertionError | RuntimeError | TypeError):
        return None
    built = "Torch not compiled" in site.text or "not linked" in site.text or "requires" in site.text
    why = "this build of torch has no code for it" if built else "none was found on this machine"
    return Finding(
        "device that is not there",
        "Asking for a device does not make one: both the machine and the build of torch must have it.",
        f"{at(site)} asks for a device ({found[1]}), and {why}.",
        "Ask once what there is, and write the rest of the code for that device.",
        _chosen(site),
    )


def _chosen(site: Site) -> tuple[Fix, ...]:
    node = site.node
    if not isinstance(node, ast.Call):
        return ()
    if site.method() in ("cuda", "mps", "xpu") and isinstance(node.func, ast.Attribute) and not node.args:
        tree = rewritten(site, {})
        assert isinstance(tree, ast.Call)
        assert isinstance(tree.func, ast.Attribute)
        tree.func.attr = "to"
        tree.args = [ast.parse(_CHOSEN, mode="eval").body]
        return (fixed(tree),)
    if site.method() == "pin_memory" and isinstance(node.func, ast.Attribute):
        base = ast.unparse(node.func.value)
        return (fixed(ast.parse(f"{base}.pin_memory() if torch.cuda.is_available() else {base}", mode="eval").body),)
    parts = [*node.args, *(one.value for one in node.keywords)]
    named = [one for one in parts if isinstance(one, ast.Constant) and _names_device(one.value)]
    return change(site, {named[0]: _CHOSEN}) if len(named) == 1 else ()


def _names_device(value: object) -> bool:
    return isinstance(value, str) and value.partition(":")[0] in ("cuda", "mps", "xpu", "hip", "gpu")


@kind
def unknown_device(site: Site) -> Finding | None:
    """A word that is no device."""
    found = site.says(r"device type at start of device string: (\w+)", r"Invalid device string: '(\w+)'")
    if found is None or not isinstance(site.error, RuntimeError):
        return None
    is_dtype = isinstance(getattr(torch, found[1], None), torch.dtype)
    node = site.node
    named = [one for one in ast.walk(node) if isinstance(one, ast.Constant) and one.value == found[1]] if node else []
    template = f"torch.{found[1]}" if is_dtype else _CHOSEN
    return Finding(
        "no name of a device",
        "A text given to `.to()` or as `device=` is the name of a device, such as 'cpu', 'cuda' or 'cuda:0'.",
        f"{at(site)} gives the text '{found[1]}'" + (", which is the name of a dtype." if is_dtype else "."),
        f"Write the dtype as `torch.{found[1]}`."
        if is_dtype
        else "Use 'cuda' for a GPU, and 'cpu' where there is none.",
        change(site, {named[0]: template}) if len(named) == 1 else (),
    )


_NO_DATA = (
    r"Cannot copy out of meta tensor",
    r"Tensor\.item\(\) cannot be called on meta tensors",
    r"can't convert meta device type tensor to numpy",
)


@kind
def no_data(site: Site) -> Finding | None:
    """Values of a meta tensor."""
    if not site.says(*_NO_DATA):
        return None
    return Finding(
        "meta tensor",
        "A tensor on the device meta has a shape and a dtype, and no bytes, so there are no values to read or copy.",
        met(site, [leaf for leaf in torchs(site) if leaf.value.is_meta][:1], "needs values of"),
        "Make it on a real device: `.to_empty(device=...)` for a module, `torch.empty_like(x, "
        "device=...)` for a tensor.",
    )


_MEMORY = (
    r"can't allocate memory: you tried to allocate (\d+) bytes",
    r"Tried to allocate ([\d.]+ \w+)",
    r"Unable to allocate ([\d.]+ \w+) for an array",
    r"(Storage size calculation overflowed) with sizes",
)


@kind
def out_of_memory(site: Site) -> Finding | None:
    """More bytes than there are."""
    found = site.says(*_MEMORY)
    if found is None or not isinstance(site.error, RuntimeError | MemoryError):
        return None
    asked = bytes_text(int(found[1])) if found[1].isdigit() else found[1]
    asked = "more bytes than can be counted" if "overflowed" in found[1] else asked
    leaves = torchs(site)[:3]
    with_what = f", with {met(site, leaves).partition(' met ')[2].removesuffix('.')}" if leaves else ""
    return Finding(
        "out of memory",
        "A tensor needs its elements times their bytes in one piece, and the device has no such piece left.",
        f"{at(site)} asked for {asked}{with_what}.",
        "Check the sizes first: a broadcast of a column and a row makes a matrix; else take smaller "
        "batches or a smaller "
        "dtype, and let go of what you no longer need.",
    )
