"""Errors of habits: what is called, unpacked or asked of a tensor as if it were something else."""

from __future__ import annotations

import ast
from typing import Any

import numpy as np
import torch

from tutor._explaining.kinds.base import Finding, at, change, kind, met, told
from tutor._explaining.looking import MISSING, look
from tutor._explaining.rehearsing import Fix, fixed
from tutor._explaining.site import Leaf, Site, rewritten
from tutor._inspecting.names import dtype_text, shape_text

_OF_NUMPY = {  # methods of arrays that tensors lack, and what a tensor has in their place
    "astype": "`.to(dtype)`, with a dtype of torch",
    "copy": "`.clone()`",
    "fill": "`.fill_(value)`",
    "tobytes": "`.numpy().tobytes()`",
    "concatenate": "`torch.cat([…])`",
    "append": "`torch.cat([…])`, or collect in a list and `torch.stack` once",
}
_OF_TORCH = {  # methods of tensors that arrays lack, and what an array has in their place
    "clone": "`.copy()`",
    "permute": "`.transpose(…)`",
    "numel": "`.size`",
    "dim": "`.ndim`",
    "unsqueeze": "`np.expand_dims(array, axis)`",
    "contiguous": "`np.ascontiguousarray(array)`",
    "float": "`.astype(np.float32)`",
    "double": "`.astype(np.float64)`",
    "half": "`.astype(np.float16)`",
    "long": "`.astype(np.int64)`",
    "int": "`.astype(np.int32)`",
    "bool": "`.astype(bool)`",
}
_ONLY_OF_TORCH = ("to", "cuda", "backward", "requires_grad", "requires_grad_", "grad")
_TO_AN_ARRAY = ("detach", "cpu", "numpy")
_RENAMED = {"copy": "clone", "fill": "fill_", "clone": "copy", "permute": "transpose"}


@kind
def sizes_called(site: Site) -> Finding | None:
    """`x.shape(0)`, and `x.size[0]`."""
    node = site.node
    if isinstance(node, ast.Call) and site.says(r"^'torch\.Size' object is not callable"):
        asked: ast.AST = node.func
    elif isinstance(node, ast.Subscript) and site.says(r"^'builtin_function_or_method' object is not subscriptable"):
        asked = node.value
    else:
        return None
    if not isinstance(asked, ast.Attribute) or asked.attr not in ("shape", "size"):
        return None
    base = look(asked.value, site.names)
    if base is not MISSING and not isinstance(base, torch.Tensor):
        return None
    owner = ast.unparse(asked.value)
    asks = f" asks {told(Leaf(owner, base))}" if isinstance(base, torch.Tensor) else " raised it"
    return Finding(
        "shape called, or size indexed",
        "`.shape` is a tuple, which is indexed; `.size` is a method, which is called.",
        f"{at(site)}{asks}.",
        f"Write `{owner}.shape[0]` or `{owner}.size(0)`; both give the same number.",
        _other_brackets(site),
    )


def _other_brackets(site: Site) -> tuple[Fix, ...]:
    tree: Any = rewritten(site, {})
    if isinstance(site.node, ast.Subscript):
        tree.value.attr = "shape"
        return (fixed(tree),)
    if len(tree.args) == 1 and not tree.keywords:
        return (fixed(ast.Subscript(tree.func, tree.args[0], ast.Load())),)
    return () if tree.args or tree.keywords else (fixed(tree.func),)


@kind
def unpacked(site: Site) -> Finding | None:
    """More or fewer names than a shape has sizes, or a tensor rows."""
    if not site.says(r"^(too many|not enough) values to unpack \(expected \d+"):
        return None
    statement = site.place.statement if site.place else None
    if not isinstance(statement, ast.Assign) or not isinstance(statement.targets[0], ast.Tuple | ast.List):
        return None
    names, value = statement.targets[0].elts, look(statement.value, site.names)
    if site.node is not statement.targets[0] or any(isinstance(name, ast.Starred) for name in names):
        return None
    text = f"`{ast.unparse(statement.value)}`"
    if isinstance(value, torch.Size):
        what, many = f"{text} has {len(value)} sizes, {shape_text(tuple(value))}", len(value)
        meaning = "A shape unpacks into its sizes, one for each dimension, and each wants a name."
        cure = "Look for a dimension that was added, lost or forgotten; the last two alone are `x.shape[-2:]`."
    elif isinstance(value, torch.Tensor | np.ndarray) and value.ndim > 0:
        what, many = f"{told(Leaf(ast.unparse(statement.value), value))} has {len(value)} of them", len(value)
        meaning = "A tensor unpacks along its first dimension: each name gets one of its rows."
        cure = "To split along another dimension, use `x.unbind(dim)`."
    else:
        return None
    if many == len(names):
        return None
    left = f"{len(names)} name{'s' if len(names) != 1 else ''}"
    return Finding("unpacking", meaning, f"{what}, for {left} on the left.", cure)


@kind
def habit_of_the_other_library(site: Site) -> Finding | None:
    """A method of NumPy's asked of a tensor, or one of torch's asked of an array."""
    found = site.says(r"^'(Tensor|Parameter|numpy\.ndarray)' object has no attribute '(\w+)'")
    node = site.node
    if found is None or not isinstance(node, ast.Attribute) or node.attr != found[2]:
        return None
    of_array, name = found[1] == "numpy.ndarray", found[2]
    value = look(node.value, site.names)
    if value is not MISSING and not isinstance(value, np.ndarray if of_array else torch.Tensor):
        return None
    known = _OF_TORCH if of_array else _OF_NUMPY
    if name in known:
        cure = f"Here it is {known[name]}."
    elif of_array and name in _TO_AN_ARRAY:
        cure = "It is an array already, so leave it out."
    elif of_array and name in _ONLY_OF_TORCH:
        cure = "Make a tensor of the array first: `torch.from_numpy(array)`."
    else:
        return None
    leaf = site.leaf_of(node.value)
    here, there = ("an array of NumPy", "torch's tensors") if of_array else ("a tensor", "NumPy's arrays")
    return Finding(
        "method of the other library",
        f"`.{name}` belongs to {there}; {here} has none.",
        met(site, [leaf] if leaf else [], "asks it of"),
        cure,
        _translated(site, name),
    )


def _translated(site: Site, name: str) -> tuple[Fix, ...]:
    call = _call_of(site)
    if call is None:
        return ()
    assert isinstance(call.func, ast.Attribute)
    owner, arguments = ast.unparse(call.func.value), ", ".join(map(ast.unparse, (*call.args, *call.keywords)))
    if name == "astype" and len(call.args) == 1 and not call.keywords:
        wanted = look(call.args[0], site.names)
        dtype = _dtype_named(call.args[0] if wanted is MISSING else wanted)
        text = f"{owner}.to(torch.{dtype})" if dtype else ""
    elif name in _TO_AN_ARRAY and not arguments:
        text = owner
    elif name in _RENAMED:
        text = f"{owner}.{_RENAMED[name]}({arguments})"
    elif name in ("float", "double", "half", "long", "int", "bool") and not arguments:
        text = f"{owner}{_OF_TORCH[name].strip('`')}"
    else:
        text = ""
    return (Fix(text, ast.parse(text, mode="eval").body),) if text else ()


def _call_of(site: Site) -> ast.Call | None:
    """The call whose method was asked for."""
    statement = site.place.statement if site.place else None
    calls = (part for part in ast.walk(statement) if isinstance(part, ast.Call)) if statement else ()
    return next((call for call in calls if call.func is site.node), None)


def _asked_of(site: Site, added: str) -> tuple[Fix, ...]:
    """The attribute, asked of what stands before it with something added; with its call, if it is called."""
    assert isinstance(site.node, ast.Attribute)
    text, call = f"{ast.unparse(site.node.value)}{added}.{site.node.attr}", _call_of(site)
    if call is not None:
        text += f"({', '.join(map(ast.unparse, (*call.args, *call.keywords)))})"
    return (Fix(text, ast.parse(text, mode="eval").body),)


def _dtype_named(wanted: Any) -> str:
    """The dtype of torch that NumPy's stands for; empty if there is none."""
    given: Any
    try:
        given = wanted.value if isinstance(wanted, ast.Constant) else wanted
        dtype = dtype_text(given) if isinstance(given, torch.dtype) else np.dtype(given).name
    except TypeError:
        return ""
    return dtype if isinstance(getattr(torch, dtype, None), torch.dtype) else ""


@kind
def tuple_as_tensor(site: Site) -> Finding | None:
    """An attribute of a tensor, asked of a tuple or a list of tensors."""
    found = site.says(r"^'(tuple|list)' object has no attribute '(\w+)'")
    node = site.node
    if found is None or not isinstance(node, ast.Attribute) or not hasattr(torch.Tensor, found[2]):
        return None
    value = look(node.value, site.names)
    if type(value) not in (tuple, list) or not value or not isinstance(value[0], torch.Tensor):
        return None
    text = ast.unparse(node.value)
    first = told(Leaf(f"{text}[0]", value[0]))
    if isinstance(value, list):
        cure = f"Make one tensor of them, `torch.stack({text})` or `torch.cat({text})`, or take one out."
        return Finding(
            f"{found[1]} in place of a tensor",
            "A list of tensors is no tensor, and has none of its attributes.",
            f"{at(site)} asks a list of {len(value)}, which begins with {first}.",
            cure,
        )
    return Finding(
        f"{found[1]} in place of a tensor",
        "Some layers and functions give more than one result, as a tuple: an LSTM its output and its state, `max` with "
        "a `dim` the values and where they stand.",
        f"{at(site)} asks a tuple of {len(value)}, which begins with {first}.",
        "Unpack it where it is made, one name for each result, or take the one that you want.",
        _asked_of(site, "[0]"),
    )


_NOT_A_DTYPE = (
    r"argument 'dtype' must be torch\.dtype, not ([\w.]+)",
    r"received an invalid combination of arguments - got \(.*\bdtype=(type|str|numpy[\w.]*)[,)]",
    r"^to\(\) received an invalid combination of arguments - got \((type|numpy[\w.]*)[,)]",
)


@kind
def dtype_of_another_kind(site: Site) -> Finding | None:
    """`dtype=np.float32`, `dtype="float32"`, `x.to(np.float32)`."""
    found, call = site.says(*_NOT_A_DTYPE), site.node
    if found is None or not isinstance(call, ast.Call):
        return None
    part = site.given(0 if site.method() == "to" else len(call.args), "dtype")
    if part is None:
        return None
    wanted = look(part, site.names)
    dtype = _dtype_named(part if wanted is MISSING else wanted)
    return Finding(
        "dtype that is none of torch's",
        "torch has dtypes of its own, `torch.float32` and so on, and takes no names and none of NumPy's.",
        f"{at(site)} was given `{ast.unparse(part)}` as dtype.",
        f"Write `torch.{dtype}`." if dtype else "Name the dtype of torch.",
        change(site, {part: f"torch.{dtype}"}) if dtype else (),
    )


@kind
def none_as_tensor(site: Site) -> Finding | None:
    """An attribute of a tensor, asked of None."""
    found = site.says(r"^'NoneType' object has no attribute '(\w+)'")
    node = site.node
    if found is None or not isinstance(node, ast.Attribute) or node.attr != found[1]:
        return None
    others = (str, list, dict, bytes, int)
    if not hasattr(torch.Tensor, found[1]) or any(hasattr(one, found[1]) for one in others):
        return None
    if isinstance(node.value, ast.Attribute) and node.value.attr == "grad":
        return None
    return Finding(
        "None in place of a tensor",
        "None is what a function gives that ends without `return`, and what many options are that nobody set.",
        f"{at(site)} asks `{ast.unparse(node.value)}`, which is None.",
        "Look at where it comes from: a `forward` without `return`, a method that works in place, an option left out.",
    )


@kind
def several_results(site: Site) -> Finding | None:
    """An attribute of a tensor, asked of all results of `max(dim)`, `sort` and their like at once."""
    found = site.says(r"^'torch\.return_types\.(\w+)' object has no attribute '(\w+)'")
    node = site.node
    if found is None or not isinstance(node, ast.Attribute) or not hasattr(torch.Tensor, found[2]):
        return None
    results = getattr(torch.return_types, found[1])
    names = [f"`.{name}`" for name in results.__match_args__]
    return Finding(
        "several results in place of a tensor",
        f"`{found[1]}` gives more than one result here, as a tuple with names: {', '.join(names)}.",
        f"{at(site)} asks all of them at once.",
        f"Take the one that you want, such as {names[0]}, or unpack them, one name for each.",
        _asked_of(site, ".values") if "`.values`" in names else (),
    )


@kind
def method_not_called(site: Site) -> Finding | None:
    """`x.cpu.numpy()`."""
    found = site.says(r"^'(builtin_function_or_method|method)' object has no attribute '(\w+)'")
    node = site.node
    asked = node.value if isinstance(node, ast.Attribute) else None
    if found is None or not isinstance(asked, ast.Attribute) or not hasattr(torch.Tensor, found[2]):
        return None
    owner = look(asked.value, site.names)
    if not isinstance(owner, torch.Tensor):
        return None
    leaf = Leaf(ast.unparse(asked.value), owner)
    return Finding(
        "method that is not called",
        "Without its brackets a method is not called, and what you go on with is the method itself.",
        f"{at(site)} asks the method `.{asked.attr}` of {told(leaf)}.",
        f"Write `.{asked.attr}()`.",
        _asked_of(site, "()"),
    )


_JOINING = (torch.cat, torch.concat, torch.concatenate, torch.stack, torch.hstack, torch.vstack, torch.dstack)
_ALONE = (
    r"argument 'tensors' \(position 1\) must be tuple of Tensors, not (Tensor|Parameter)",
    r"\(\) received an invalid combination of arguments - got \((Tensor|Parameter), ",  # torch 2.6
    r"\(\) takes (1|from 1 to 2) positional arguments? but \d+ were given",
)


@kind
def tensors_outside_a_list(site: Site) -> Finding | None:
    """`torch.cat(a, b)`."""
    call = site.node
    if not site.says(*_ALONE) or not isinstance(call, ast.Call) or look(call.func, site.names) not in _JOINING:
        return None
    given = [part for part in call.args if (leaf := site.leaf_of(part)) and isinstance(leaf.value, torch.Tensor)]
    leaves = [leaf for part in given if (leaf := site.leaf_of(part))]
    fixes: tuple[Fix, ...] = ()
    if len(given) > 1 and given == call.args[: len(given)]:
        inside = ", ".join(map(ast.unparse, given))
        others = [*call.args[len(given) :], *call.keywords]
        text = f"{ast.unparse(call.func)}({', '.join([f'[{inside}]', *map(ast.unparse, others)])})"
        fixes = (Fix(text, _with_a_list(site, len(given))),)
    return Finding(
        "tensors that stand alone",
        f"`{site.method()}` takes all its tensors in one list or tuple, as its first argument.",
        met(site, leaves, "was given"),
        f"Put square brackets around them: `{site.method()}([a, b])`.",
        fixes,
    )


def _with_a_list(site: Site, count: int) -> ast.AST:
    tree: Any = rewritten(site, {})
    tree.args = [ast.List(tree.args[:count], ast.Load()), *tree.args[count:]]
    return tree  # type: ignore[no-any-return]


@kind
def lists_of_indices(site: Site) -> Finding | None:
    """Two lists of indices of different lengths."""
    if not site.says(r"^shape mismatch: indexing (tensors|arrays) could not be broadcast together with shapes"):
        return None
    node = site.node
    index = node.slice if isinstance(node, ast.Subscript) else None
    fixes: tuple[Fix, ...] = ()
    if isinstance(index, ast.Tuple) and len(index.elts) == 2 and isinstance(getattr(node, "ctx", None), ast.Load):
        base, rows, columns = (ast.unparse(part) for part in (node.value, *index.elts))  # type: ignore[union-attr]
        text = f"{base}[{rows}][:, {columns}]"
        fixes = (Fix(text, ast.parse(text, mode="eval").body),)
    return Finding(
        "lists of indices",
        "Lists of indices are read in pairs: `x[[0, 1], [4, 5]]` is the two elements `x[0, 4]` and `x[1, 5]`.",
        met(site, [leaf for leaf in site.tensors() if leaf.node is not index], "indexes"),
        "For pairs, give lists of one length; for all these rows at all these columns, index one after the other.",
        fixes,
    )
