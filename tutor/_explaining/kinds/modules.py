"""Errors of layers as they are written, and of what a loader and an optimizer are handed."""

from __future__ import annotations

import ast
import difflib
from types import GeneratorType

import torch

from tutor._explaining.kinds.base import Finding, at, kind, met
from tutor._explaining.looking import MISSING, look
from tutor._explaining.rehearsing import Fix
from tutor._explaining.site import Site

_BEFORE = r"cannot assign (module|parameter|buffer)s? before (Module\.)?__init__\(\) call"
_TABLES = r"object has no attribute '_(parameters|buffers|modules|backward_hooks|backward_pre_hooks|forward_hooks)'"


@kind
def no_super_init(site: Site) -> Finding | None:
    """A layer whose class never called the `__init__` of `nn.Module`."""
    if not site.says(_BEFORE) and not (isinstance(site.error, AttributeError) and site.says(_TABLES)):
        return None
    layers = [value for value in site.names.local.values() if isinstance(value, torch.nn.Module)]
    bare = [type(one).__name__ for one in layers if "_modules" not in one.__dict__]
    whose = f" of `{bare[0]}`" if bare else ""
    return Finding(
        "`super().__init__()` is missing",
        "`nn.Module` makes the tables for layers and parameters in its own `__init__`; before that it can hold none.",
        f"{at(site)} came before it: the `__init__`{whose} has not called it.",
        "Write `super().__init__()` as the first line of your `__init__`.",
    )


@kind
def no_forward(site: Site) -> Finding | None:
    """A layer without a `forward`."""
    found = site.says(r'^Module \[(\w+)\] is missing the required "forward" function')
    if found is None or not isinstance(site.error, NotImplementedError):
        return None
    layer = look(site.node.func, site.names) if isinstance(site.node, ast.Call) else MISSING
    layer = layer if isinstance(layer, torch.nn.Module) else site.layer
    own = [name for name in vars(type(layer)) if not name.startswith("__")] if layer is not None else []
    alike = difflib.get_close_matches("forward", own, 1, 0.7)
    return Finding(
        "layer without a forward",
        "Calling a layer runs its `forward`, and this class defines none.",
        f"{at(site)} calls a layer of the class `{found[1]}`"
        + (f", which has a method `{alike[0]}`." if alike else "."),
        f"Rename `{alike[0]}` to `forward`."
        if alike
        else "Define `forward(self, x)` in the class: look at how it is spelt, and that it is not inside `__init__`.",
    )


@kind
def function_as_layer(site: Site) -> Finding | None:
    """`nn.Sequential(nn.Linear(2, 2), F.relu)`."""
    found = site.says(r"^([\w.]+) is not a Module subclass")
    if found is None:
        return None
    name = found[1].rpartition(".")[2]
    layers = [one for one in dir(torch.nn) if one.lower() == name.replace("_", "") and one != name]
    return Finding(
        "no layer",
        "A container such as `nn.Sequential` holds layers, objects of `nn.Module`, and no functions or classes.",
        f"{at(site)} was given `{name}`.",
        f"Use the layer, `nn.{layers[0]}()`." if layers else "Make a layer of it, or call it in your own `forward`.",
    )


@kind
def tensor_as_parameter(site: Site) -> Finding | None:
    """A plain tensor is assigned where a layer has a parameter."""
    found = site.says(r"^cannot assign '(torch\.\w*Tensor)' (?:object )?(?:as|to) parameter '(\w+)'")
    if found is None:
        return None
    node = site.node
    leaves = [leaf for leaf in site.tensors() if isinstance(node, ast.Assign) and leaf.node is node.value]
    fixes: tuple[Fix, ...] = ()
    if isinstance(node, ast.Assign) and len(node.targets) == 1:
        text = f"{ast.unparse(node.targets[0])} = torch.nn.Parameter({ast.unparse(node.value)})"
        fixes = (Fix(text, ast.parse(text).body[0]),)
    return Finding(
        "tensor in place of a parameter",
        "A layer lists its parameters for the optimizer, so only a `torch.nn.Parameter` may take the place of one.",
        met(site, leaves, "assigns"),
        f"Wrap the tensor in `torch.nn.Parameter`; to keep the parameter and change its numbers, write "
        f"`.{found[2]}.copy_(tensor)` under `torch.no_grad()`.",
        fixes,
    )


@kind
def nothing_to_collate(site: Site) -> Finding | None:
    """Items of a dataset that a loader cannot make a batch of."""
    found = site.says(r"^default_collate: batch must contain .* found <class '([\w.]+)'>")
    if found is None:
        return None
    kinds = {
        "NoneType": "An item is None: look for a way through `__getitem__` that ends without `return`.",
        "PIL.Image.Image": "Convert the image in `__getitem__`, as with `torch.from_numpy(np.array(image))`.",
    }
    other = "Convert it in `__getitem__`, or hand the loader a `collate_fn` of your own."
    return Finding(
        "items that make no batch",
        "A loader makes batches of items, and knows how for tensors, arrays, numbers, texts, dicts and lists.",
        f"{at(site)} met items, or parts of items, of the class `{found[1]}`.",
        kinds.get(found[1], other),
    )


@kind
def optimizer_of_nothing(site: Site) -> Finding | None:
    """An optimizer is given no parameters."""
    if not site.says(r"^optimizer got an empty parameter list"):
        return None
    part = site.given(0, "params")
    value = look(part, site.names) if part is not None else MISSING
    was = f"`{ast.unparse(part)}`" if part is not None else "what it was given"
    used = isinstance(value, GeneratorType)
    return Finding(
        "optimizer without parameters",
        "An optimizer changes the parameters that it is given when it is made, and it was given none.",
        f"{at(site)} found nothing in {was}" + (", a generator, which gives its items once." if used else "."),
        "Call `model.parameters()` anew, or keep `list(model.parameters())`."
        if used
        else "Layers in a plain list or dict are not seen: use `nn.ModuleList` or `nn.ModuleDict`, and look at "
        "`list(model.parameters())`.",
    )


@kind
def optimizer_of_one_tensor(site: Site) -> Finding | None:
    """An optimizer is given a tensor that stands alone."""
    if not site.says(
        r"^params argument given to the optimizer should be an iterable of Tensors or dicts, but got torch\."
    ):
        return None
    return Finding(
        "optimizer of one tensor",
        "An optimizer takes several parameters, in a list or as `model.parameters()`.",
        met(site, [leaf for leaf in site.tensors() if isinstance(leaf.value, torch.Tensor)][:1], "was given"),
        "Put square brackets around it: `[w]`.",
    )
