"""Errors on the way between tensors and NumPy, Python's lists and Python's numbers."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from tutor._explaining.kinds.base import Finding, arrays, at, change, kind, met, shape_of, told, torchs, wrap
from tutor._explaining.looking import MISSING, look
from tutor._explaining.rehearsing import Fix
from tutor._explaining.site import Site
from tutor._words import count_text

_ONE = (
    r"a Tensor with \d+ elements cannot be converted to Scalar",
    r"only one element tensors can be converted to Python scalars",
    r"only (length-1|0-dimensional) arrays can be converted to Python scalars",
    r"can only convert an array of size 1 to a Python scalar",
)


@kind
def one_number(site: Site) -> Finding | None:
    """item(), int() or float() of several elements; or a list of tensors for torch.tensor."""
    if not site.says(*_ONE):
        return None
    if site.method() in ("tensor", "as_tensor", "asarray"):
        return _list_of_tensors(site)
    given = site.node.targets if isinstance(site.node, ast.Assign) else []  # a write, into what is not asked
    into = {ast.unparse(part) for target in given for part in ast.walk(target)}
    leaves = [leaf for leaf in site.tensors() if shape_of(leaf) and int(np.prod(shape_of(leaf))) != 1]
    leaves = [leaf for leaf in leaves if leaf.name not in into][:1]
    many = f", which has {count_text(int(np.prod(shape_of(leaves[0]))), 'element')}" if leaves else ""
    fixes: tuple[Fix, ...] = ()
    if leaves and site.method() == "item" and isinstance(site.node, ast.Call):
        fixes = change(site, {site.node: f"{ast.unparse(site.receiver() or ast.Constant(0))}.tolist()"})
    return Finding(
        "one number of several elements",
        "A Python number is one number, so a tensor must have exactly one element to become one.",
        f"{met(site, leaves, 'asks for one number of')[:-1]}{many}.",
        "Use `.tolist()` for all of them, or reduce to one first, with `.sum()` or `.mean()`.",
        fixes,
    )


def _list_of_tensors(site: Site) -> Finding:
    node = site.given(0, "data")
    fixes: tuple[Fix, ...] = ()
    if node is not None and isinstance(site.node, ast.Call):
        func = ast.unparse(site.node.func)
        fixes = change(site, {site.node: f"{func.rpartition('.')[0]}.stack({ast.unparse(node)})"})
    return Finding(
        "list of tensors",
        "`torch.tensor` reads a list number by number, so a list of tensors works only if each holds one number.",
        f"{at(site)} was given a list in which tensors hold several.",
        "Join the tensors with `torch.stack`, along a new first dimension, or with `torch.cat`.",
        fixes,
    )


_NO_NUMPY = {
    r"Got unsupported ScalarType (\w+)": (
        "dtype that NumPy has not",
        "NumPy has no such dtype, so an array cannot share the tensor's bytes.",
        "Convert first: every bfloat16 and float8 number is a float32 number too.",
        "_.float()",
    ),
    r"can't convert (\S+) device type tensor to numpy": (
        "tensor on another device to NumPy",
        "NumPy's arrays live in the memory of the CPU, and torch does not copy a tensor there unasked.",
        "Copy it with `.cpu()` first, which waits for the device.",
        "_.cpu()",
    ),
    r"can't convert Sparse layout tensor to numpy": (
        "sparse tensor to NumPy",
        "A sparse tensor stores only its values and where they stand, which no NumPy array can share.",
        "Make it dense first, with `.to_dense()`, if it is small enough.",
        "_.to_dense()",
    ),
    r"numpy\(\) on Tensor that has conjugate bit set": (
        "conjugate that is not written yet",
        "`.conj()` only marks a tensor as conjugate, and NumPy would not see the mark.",
        "Let torch write the values, with `.resolve_conj()`.",
        "_.resolve_conj()",
    ),
    r"numpy\(\) on Tensor that has negative bit set": (
        "negative that is not written yet",
        "The tensor is only marked as negative, and NumPy would not see the mark.",
        "Let torch write the values, with `.resolve_neg()`.",
        "_.resolve_neg()",
    ),
}


_REFUSED_BY_NUMPY: dict[str, Callable[[torch.Tensor], bool]] = {
    "dtype that NumPy has not": lambda x: str(x.dtype).removeprefix("torch.") not in np.sctypeDict,
    "tensor on another device to NumPy": lambda x: x.device.type != "cpu",
    "sparse tensor to NumPy": lambda x: x.layout != torch.strided,
    "conjugate that is not written yet": lambda x: x.is_conj(),
    "negative that is not written yet": lambda x: x.is_neg(),
}


@kind
def to_numpy(site: Site) -> Finding | None:
    """Tensors that NumPy cannot hold."""
    for pattern, (name, meaning, cure, template) in _NO_NUMPY.items():
        if site.says(pattern):
            leaves = [leaf for leaf in torchs(site) if _REFUSED_BY_NUMPY[name](leaf.value)][:1]
            if (leaves and leaves[0].value.is_meta) or site.says(r"can't convert meta device"):
                return None
            node = site.receiver() if site.method() == "numpy" else leaves[0].node if leaves else None
            return Finding(name, meaning, met(site, leaves, "asks for an array of"), cure, wrap(site, node, template))
    return None


@kind
def foreign_array(site: Site) -> Finding | None:
    """An array of objects, of strings, of dates."""
    found = site.says(r"can't convert np\.ndarray of type numpy\.(\w+)\. The only supported types are")
    if found is None or not isinstance(site.error, TypeError):
        return None
    leaves = [leaf for leaf in arrays(site) if leaf.value.dtype.kind not in "biufc"][:1]
    objects = found[1] == "object_"
    meaning = f"Torch has no dtype for {found[1].removesuffix('_')}, since its tensors hold numbers only."
    if objects:
        meaning = "The array holds references to Python objects and no numbers side by side, and torch does not guess."
    return Finding(
        "array of objects" if objects else "array of another kind",
        meaning,
        met(site, leaves, "was given"),
        "Convert it first, for instance with `.astype('float32')`, and see what stands in the way; from pandas, column "
        "by column."
        if objects
        else "Convert it to numbers first.",
        wrap(site, leaves[0].node, "_.astype('float32')") if leaves else (),
    )


@kind
def ragged(site: Site) -> Finding | None:
    """Rows of different lengths."""
    found = site.says(r"expected sequence of length \d+ at dim \d+", r"inhomogeneous (shape|part)")
    if found is None or not isinstance(site.error, ValueError):
        return None
    node = site.given(0, "data")
    value = look(node, site.names) if node is not None else MISSING
    rows_given = value if isinstance(value, list | tuple) and type(value) in (list, tuple) else ()
    lengths = [len(one) for one in rows_given if isinstance(one, list | tuple)]
    rows = (
        f" with rows of lengths {', '.join(map(str, lengths[:6]))}" if len(set(lengths)) > 1 else " with unequal rows"
    )
    fixes: tuple[Fix, ...] = ()
    by_numpy = (
        isinstance(site.node, ast.Call) and getattr(look(site.node.func, site.names), "__module__", "") == "numpy"
    )
    if node is not None and isinstance(site.node, ast.Call) and isinstance(value, list) and not by_numpy:
        text = f"torch.nn.utils.rnn.pad_sequence([torch.tensor(row) for row in {ast.unparse(node)}], batch_first=True)"
        fixes = change(site, {site.node: text})
    return Finding(
        "ragged list",
        "A tensor is a full block of numbers, so all rows must be equally long, in every dimension.",
        f"{at(site)} was given a list{rows}.",
        "Pad the rows to one length, and keep their lengths, or cut them.",
        fixes,
    )


@kind
def no_numbers(site: Site) -> Finding | None:
    """None, strings or dicts in a list for a tensor."""
    found = site.says(r"Could not infer dtype of (.+)", r"too many dimensions '(\w+)'")
    if found is None or site.method() not in ("tensor", "as_tensor", "asarray", "new_tensor"):
        return None
    return Finding(
        "no numbers",
        "A tensor holds numbers, so what it is made from must be numbers, or lists and arrays of them.",
        f"{at(site)} met a value of type {found[1]}.",
        "Replace missing values by a number, and encode words as numbers, before the tensor is made."
        if found[1] in ("NoneType", "str", "dict", "set")
        else "See whether NumPy can make an array of it, with `np.asarray`, and give that to torch.",
    )


@kind
def array_expected(site: Site) -> Finding | None:
    """from_numpy of what is no array."""
    found = site.says(r"expected np\.ndarray \(got (\S+)\)")
    if found is None or not isinstance(site.error, TypeError):
        return None
    node = site.given(0)
    fixes: tuple[Fix, ...] = ()
    if isinstance(site.node, ast.Call) and isinstance(site.node.func, ast.Attribute) and node is not None:
        base = ast.unparse(site.node.func.value)
        fixes = change(site, {site.node: f"{base}.as_tensor({ast.unparse(node)})"})
    return Finding(
        "no array",
        "`from_numpy` shares the bytes of a NumPy array, and takes nothing else, since nothing else has such bytes.",
        f"{at(site)} was given a value of type {found[1]}.",
        "Use `torch.as_tensor` for lists and numbers, and for other objects, such as images, `np.asarray` first.",
        fixes,
    )


_TENSOR = (
    r"argument '(?:\w+)' \(position \d+\) must be Tensor, not ([\w.]+)",
    r"expected Tensor as element \d+ in argument \d+, but got ([\w.]+)",
)


@kind
def tensor_expected(site: Site) -> Finding | None:
    """A list, a number or an array where a tensor is wanted."""
    found = site.says(*_TENSOR)
    if found is None or not isinstance(site.error, TypeError):
        return None
    wrong = [leaf for leaf in site.leaves if _is_called(leaf.value, found[1])]
    node = wrong[0].node if wrong else _literal(site, found[1])
    what = f"`{wrong[0].name}`, " if wrong else ""
    if found[1] == "NoneType":
        return _none_given(site, what)
    value = wrong[0].value if wrong else None
    given = site.given(0)
    written = [look(one, site.names) for one in given.elts] if isinstance(given, ast.List | ast.Tuple) else []
    if found[1] == "tuple" and ("as element" in site.text or not (wrong or written)):
        where = "a list in which a tuple stands" if "as element" in site.text else "a tuple"
        return _several_given(f"{at(site)} was given {where}.")
    several = "as element" not in site.text and (found[1] in ("list", "tuple") or isinstance(value, tuple))
    if several and any(isinstance(one, torch.Tensor) for one in value or written):
        many = value or written
        kind_of = "list" if type(many) is list else "tuple"
        cause = f"{at(site)} was given {what}a {kind_of} of {count_text(len(many), 'value')}."
        return _several_given(cause, _one_of(site, many, node))
    if found[1] not in _CONVERTIBLE:
        return Finding(
            "no tensor",
            "Functions and layers of torch take tensors, and do not convert other objects themselves.",
            f"{at(site)} was given {what}a value of type {found[1]}.",
            "Find out where it comes from, and make numbers and then a tensor of it before this line.",
        )
    return Finding(
        "no tensor",
        "Functions and layers of torch take tensors, and do not convert arrays, lists or numbers themselves.",
        f"{at(site)} was given {what}a value of type {found[1]}.",
        "Make a tensor of it first, with `torch.as_tensor`, in the dtype that the function needs.",
        (*wrap(site, node, "torch.as_tensor(_)"), *wrap(site, node, "torch.as_tensor(_, dtype=torch.float32)")),
    )


_CONVERTIBLE = ("list", "tuple", "int", "float", "bool", "complex", "numpy.ndarray", "ndarray")


def _none_given(site: Site, what: str) -> Finding:
    return Finding(
        "None for a tensor",
        "Functions and layers of torch take tensors, and None is what a function gives that has no `return`.",
        f"{at(site)} was given {what or 'None, '}{'which is None' if what else 'where a tensor is wanted'}.",
        "Find out where the None comes from: a function without `return`, a `.grad` before backward, "
        "an option left out.",
    )


def _several_given(cause: str, fixes: tuple[Fix, ...] = ()) -> Finding:
    """A tuple of results, or a list of tensors, where one tensor is wanted."""
    return Finding(
        "several tensors for one",
        "One tensor is wanted here, and some layers, such as an LSTM, give several results, as do batches of a "
        "DataLoader.",
        cause,
        "Take the one that you mean, as in `out[0]` or `out, state = lstm(x)`, or join a list with `torch.stack`.",
        fixes,
    )


def _one_of(site: Site, several: Any, node: ast.AST | None) -> tuple[Fix, ...]:
    """The first of a tuple, or a list of equal shapes as one tensor."""
    if type(several) is not list:
        return wrap(site, node, "_[0]") if isinstance(several[0], torch.Tensor) else ()
    tensors = all(isinstance(one, torch.Tensor) for one in several)
    return wrap(site, node, "torch.stack(_)") if tensors and len({tuple(one.shape) for one in several}) == 1 else ()


def _is_called(value: object, name: str) -> bool:
    own = type(value)
    return name in (own.__name__, f"{own.__module__}.{own.__qualname__}") and not isinstance(value, torch.nn.Module)


def _literal(site: Site, name: str) -> ast.AST | None:
    given = site.given(0)
    literals = given is not None and isinstance(given, ast.List | ast.Tuple | ast.Constant)
    return given if literals and name in ("list", "tuple", "int", "float") and isinstance(site.node, ast.Call) else None


@kind
def operand_types(site: Site) -> Finding | None:
    """An operator between a tensor and what is none."""
    found = site.says(r"unsupported operand type\(s\) for (\S+): '([\w.]+)' and '([\w.]+)'")
    if found is None or not isinstance(site.error, TypeError) or not torchs(site):
        return None
    others = [leaf for leaf in site.leaves if not isinstance(leaf.value, torch.Tensor)]
    if any(isinstance(leaf.value, np.ndarray) for leaf in others):
        return None  # arrays and tensors go together where their shapes do
    if any(leaf.value is None for leaf in others) or len(others) > 1:
        others = []
    node = others[0].node if others else None
    if node is None and isinstance(site.node, ast.BinOp):
        node = next((one for one in (site.node.left, site.node.right) if isinstance(one, ast.List | ast.Tuple)), None)
    usable = node if (others and isinstance(others[0].value, list | tuple)) or not others else None
    tensor = torchs(site)[0]
    return Finding(
        "operator between a tensor and something else",
        "Operators of tensors take tensors, arrays and Python numbers, and no lists or other objects.",
        f"{at(site)} has {told(tensor)} on one side and `{ast.unparse(node)}` on the other."
        if node is not None
        else met(site, [tensor]),
        "Make a tensor of the other side first, with `torch.as_tensor`.",
        wrap(site, usable, "torch.as_tensor(_)") if isinstance(usable, ast.AST) else (),
    )
