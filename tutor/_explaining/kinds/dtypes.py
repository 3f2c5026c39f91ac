"""Errors of dtypes that do not go together, or that an operation is not made for."""

from __future__ import annotations

import ast

import torch

from tutor._explaining.kinds.base import (
    Finding,
    at,
    change,
    everywhere,
    kind,
    met,
    option,
    out_of_place,
    torchs,
    worked_on,
    wrap,
)
from tutor._explaining.rehearsing import Fix
from tutor._explaining.site import Leaf, Site

_UNLIKE = (
    r"must have the same dtype, but got",
    r"expected m1 and m2 to have the same dtype",
    r"addmv input tensors must have the same dtype",
    r"expected both vectors to have same dtype",
    r"expected scalar type \w+ but found \w+",
    r"Input type \(.+\) and (bias|weight) type \(.+\) should be the same",
    r"mixed dtype \(CPU\)",
    r"prelu: Type promoting not supported",
    r"RNN input dtype|input must have the type torch",
    r"All tensors must have the same dtype, got",
    r"to have the same dtype, but (got|found)",
    r"expected dtype \w+ for `\w+` but got dtype",
)
_TARGETS = ("cross_entropy", "nll_loss", "binary_cross_entropy", "binary_cross_entropy_with_logits", "backward")
_FLOATS = (torch.float32, torch.float16, torch.bfloat16, torch.float64)


@kind
def unlike_dtypes(site: Site) -> Finding | None:
    """A product or a layer met two dtypes."""
    if not isinstance(site.error, RuntimeError | ValueError) or not site.says(*_UNLIKE):
        return None
    if site.function in _TARGETS:
        return None
    leaves = _two_dtypes([*torchs(site), *_weight(site)])
    if torchs(site) and not leaves and not site.gone:
        return None
    who = f"torch's {type(site.layer).__name__} does" if site.layer is not None else "Products of tensors do"
    return Finding(
        _layer_kind(site),
        f"{who} not convert dtypes as `+` does: all that goes in must have one and the same dtype.",
        met(site, leaves or torchs(site)[:2]),
        _which_to_convert(site, leaves),
        _one_dtype(site, leaves),
    )


def _weight(site: Site) -> list[Leaf]:
    """A parameter of the layer, where it compares dtypes before it touches its parameters."""
    if site.layer is None:
        return []
    outer = next((leaf for leaf in site.leaves if leaf.value is site.layer), None)
    named = (site.layer.__dict__.get("_parameters") or {}).items()
    inside = f" (inside {type(site.layer).__name__})"
    found = [
        Leaf(f"{outer.name}.{name}" if outer else name + inside, value)
        for name, value in named
        if isinstance(value, torch.Tensor)
    ]
    return found[:1]


def _layer_kind(site: Site) -> str:
    if site.layer is None:
        return "dtypes differ in a product"
    return f"dtypes differ in {type(site.layer).__name__}"


def _two_dtypes(leaves: list[Leaf]) -> list[Leaf]:
    """One operand of each dtype; of each floating one, if these differ, since masks and indices go with all."""
    floats = [leaf for leaf in leaves if leaf.value.is_floating_point()]
    leaves = floats if len({leaf.value.dtype for leaf in floats}) > 1 else leaves
    first: dict[torch.dtype, Leaf] = {}
    for leaf in leaves:
        first.setdefault(leaf.value.dtype, leaf)
    return list(first.values())[:3] if len(first) > 1 else []


def _which_to_convert(site: Site, leaves: list[Leaf]) -> str:
    which = "Convert the input to the dtype of the weights"
    if site.layer is None:
        which = "Convert one of them to the dtype of the other"
    if any(leaf.value.dtype == torch.float64 for leaf in leaves):
        which += "; a float64 most often comes from NumPy, whose default it is, and is best converted there, once"
    return f"{which}."


def _one_dtype(site: Site, leaves: list[Leaf]) -> tuple[Fix, ...]:
    if len(leaves) < 2:
        return _made_to_fit(site)
    target = max(leaves, key=_worth)
    wrong = {leaf.value.dtype for leaf in leaves if leaf is not target}
    others = [leaf for leaf in torchs(site) if leaf.value.dtype in wrong and leaf.node is not None]
    inside = "(inside" in target.name
    dtype = str(target.value.dtype) if inside else f"{target.name}.dtype"
    parts = [part for leaf in others for part in (*everywhere(site, leaf), leaf.node) if part is not None]
    return change(site, dict.fromkeys(parts, f"_.to({dtype})")) if parts else ()


def _made_to_fit(site: Site) -> tuple[Fix, ...]:
    """What was made for the expression, in the dtype of what is still there."""
    known = [leaf for leaf in torchs(site) if leaf.node is not None]
    return wrap(site, site.gone[0], f"_.to({known[0].name}.dtype)") if known and len(site.gone) == 1 else ()


def _worth(leaf: Leaf) -> tuple[bool, bool, bool, bool]:
    """Parameters keep their dtype; whole numbers become floating ones, and float64 what the other is."""
    x = leaf.value
    return (isinstance(x, torch.nn.Parameter), x.requires_grad, x.is_floating_point(), x.dtype != torch.float64)


@kind
def embedding_indices(site: Site) -> Finding | None:
    """Indices of an embedding are no whole numbers, or too small ones."""
    if not site.says(r"argument #1 'indices' to have one of the following scalar types"):
        return None
    leaves = [leaf for leaf in torchs(site) if leaf.value.dtype not in (torch.int64, torch.int32)]
    leaves = [leaf for leaf in leaves if not isinstance(leaf.value, torch.nn.Parameter)]
    return Finding(
        "indices of an embedding",
        "An Embedding looks rows up by their numbers, so its indices must be int64 or int32.",
        met(site, leaves[:1]),
        "Convert the indices with `.long()`, after you have seen that they are whole numbers.",
        wrap(site, leaves[0].node, "_.long()") if leaves else (),
    )


_INDEX = (
    r"tensors used as indices must be long",
    r"Expected dtype int(32/int)?(32 or int)?64 for index",
    r"one_hot is only applicable to index tensor",
)


@kind
def index_dtypes(site: Site) -> Finding | None:
    """A tensor of numbers that are no indices."""
    if not isinstance(site.error, IndexError | RuntimeError) or not site.says(*_INDEX):
        return None
    fit = (torch.int64, torch.bool, torch.uint8) + (() if "int64 for index" in site.text else (torch.int32,))
    leaves = [leaf for leaf in torchs(site) if leaf.value.dtype not in fit]
    if site.method() != "one_hot":
        leaves = [leaf for leaf in leaves if leaf.node is None or leaf.node is not worked_on(site)]
    if isinstance(site.node, ast.Assign):
        leaves = [leaf for leaf in leaves if leaf.node is not site.node.value]
    return Finding(
        "dtype of an index",
        "An index says which element, so torch wants whole numbers in int64, and some operations take no others.",
        met(site, leaves[:1]),
        "Convert the index with `.long()`; a mask of True and False is converted with `.bool()` instead.",
        wrap(site, leaves[0].node, "_.long()") if leaves else (),
    )


@kind
def source_dtype(site: Site) -> Finding | None:
    """What is written at indices has another dtype."""
    patterns = (
        r"scatter\(\): Expected self.dtype to be equal to src.dtype",
        r"index_add_\(\): self \(\w+\) and source \(\w+\) must have the same",
        r"index_copy_\(\): self and source expected to have the same dtype",
        r"Index put requires the source and destination dtypes match",
    )
    if not site.says(*patterns):
        return None
    leaves = [leaf for leaf in torchs(site) if leaf.value.dtype not in (torch.int64, torch.bool)]
    leaves = _two_dtypes(leaves)
    if not leaves:
        return None
    return Finding(
        "dtype of what is written",
        "Writing at indices does not convert: what is written must have the dtype of the tensor written to.",
        met(site, leaves),
        "Convert what is written to that dtype.",
        wrap(site, leaves[1].node, f"_.to({leaves[0].name}.dtype)") if leaves[0].node is not None else (),
    )


@kind
def result_type(site: Site) -> Finding | None:
    """A result in place that does not fit the dtype of what it is written to."""
    found = site.says(
        r"result type (\w+) can't be cast to the desired output type (\w+)",
        r"Cannot cast ufunc '\w+' output from dtype\('(\w+)'\) to dtype\('(\w+)'\)",
    )
    if found is None or site.function in _TARGETS:
        return None
    out = site.given(99, "out")
    if not isinstance(site.node, ast.AugAssign) and not site.method().endswith("_") and out is None:
        return _fractions(site, found[1])
    leaves = [leaf for leaf in site.tensors() if out is None or leaf.node is out][:1]
    return Finding(
        "result does not fit in place",
        f"An operation in place keeps its tensor's dtype, and a {found[1]} result cannot be written into {found[2]}.",
        met(site, leaves, "writes into"),
        "Use the operation that makes a new result, or convert what is written to first.",
        out_of_place(site),
    )


def _fractions(site: Site, result: str) -> Finding:
    """An operation that calculates with fractions inside, and is given whole numbers."""
    leaves = [leaf for leaf in torchs(site) if not leaf.value.is_floating_point()][:1]
    return Finding(
        "floating numbers needed",
        f"The result is of the kind {result}, and this operation has no room for it in the dtype that it was given.",
        met(site, leaves, "was asked of"),
        "Convert first, with `.float()`.",
        wrap(site, leaves[0].node, "_.float()") if leaves else (),
    )


_CONVERTED = {
    "UInt16": "int32",
    "UInt32": "int64",
    "UInt64": "int64",
    "Bool": "float32",
    "Half": "float32",
    "BFloat16": "float32",
}
_WHOLE = ("Byte", "Char", "Short", "Int", "Long")
_OF_WHOLE = r"bitwise|shift|bincount|gcd|lcm"


@kind
def not_implemented(site: Site) -> Finding | None:
    """An operation that torch has not for this dtype."""
    found = site.says(
        r"\"(\w+)\" not implemented for '(\w+)'", r"linalg\.(\w+): Low precision dtypes not supported. Got (\w+)"
    )
    if found is None or not isinstance(site.error, NotImplementedError | RuntimeError):
        return None
    if site.says(r"\"bitwise_(and|or|xor)"):
        return None  # told with the masks
    name = found[2]
    wanted = "int64" if site.says(_OF_WHOLE) else _CONVERTED.get(name, "float32" if name in _WHOLE else "")
    wanted = "float32" if name.startswith("Float8") else wanted
    leaves = [leaf for leaf in torchs(site) if _names(leaf.value.dtype, name)]
    fixes: tuple[Fix, ...] = ()
    if wanted:
        fills = site.method().endswith("_")  # a converted copy would be filled, and thrown away
        nodes = {part: f"_.to(torch.{wanted})" for leaf in leaves for part in everywhere(site, leaf) if not fills}
        fixes = change(site, nodes) if nodes else option(site, "dtype", f"torch.{wanted}")
    return Finding(
        "not made for this dtype",
        f"Torch has this operation, but no code for it that works on the dtype {name}, on this device.",
        met(site, leaves[:2]),
        f"Convert to a dtype that it has, here `torch.{wanted}`."
        if wanted
        else "Complex numbers have no order and no remainder: choose `.real`, `.imag` or `.abs()`."
        if name.startswith("Complex")
        else "Convert to a dtype that it has.",
        fixes,
    )


def _names(dtype: torch.dtype, name: str) -> bool:
    """Whether this is how torch's C++ calls a dtype."""
    usual = {torch.float32: "Float", torch.float64: "Double", torch.float16: "Half", torch.int64: "Long"}
    more = {torch.int32: "Int", torch.int16: "Short", torch.int8: "Char", torch.uint8: "Byte", torch.bool: "Bool"}
    complexes = {torch.complex64: "ComplexFloat", torch.complex128: "ComplexDouble", torch.bfloat16: "BFloat16"}
    spelled = (usual | more | complexes).get(dtype)
    return name == spelled if spelled else str(dtype).removeprefix("torch.").lower() == name.lower()


_NEEDS_FLOATS = (
    r"could not infer output dtype\. Input dtype must be either a floating point",
    r"std and var only support floating point",
    r"Expected a floating point or complex tensor as input",
    r"only supports floating-point dtypes for input",
)


@kind
def needs_floats(site: Site) -> Finding | None:
    """A mean and its like of whole numbers."""
    if not site.says(*_NEEDS_FLOATS):
        return None
    leaves = [leaf for leaf in torchs(site) if not leaf.value.is_floating_point() and not leaf.value.is_complex()]
    return Finding(
        "floating numbers needed",
        "This result is hardly ever a whole number, so torch asks for a floating dtype and does not choose one itself.",
        met(site, leaves[:1], "was asked of"),
        "Convert first, with `.float()`.",
        wrap(site, leaves[0].node, "_.float()") if leaves else (),
    )


@kind
def needs_floats_for_grad(site: Site) -> Finding | None:
    """Whole numbers that should require grad."""
    if not site.says(r"[Oo]nly Tensors of floating point( and complex)? dtype can require gradients"):
        return None
    leaves = [leaf for leaf in torchs(site) if not leaf.value.is_floating_point()]
    if leaves and leaves[0].node is not None:
        fixes = wrap(site, leaves[0].node, "_.float()")
    else:
        fixes = option(site, "dtype", "torch.float32")
    return Finding(
        "gradients of whole numbers",
        "A gradient says how a result changes with a small change of the input, and whole numbers have no "
        "small change.",
        met(site, leaves[:1], "asks for gradients of")
        if leaves
        else f"{at(site)} asks for gradients of whole numbers.",
        "Make the tensor with a floating dtype, or with numbers that have a decimal point.",
        fixes,
    )


@kind
def unsigned_promotion(site: Site) -> Finding | None:
    """uint16, uint32 or uint64 with another dtype."""
    if not site.says(r"Promotion for uint16, uint32, uint64 types is not supported"):
        return None
    unsigned = (torch.uint16, torch.uint32, torch.uint64)
    leaves = _two_dtypes(torchs(site)) or torchs(site)[:2]
    few = [leaf for leaf in leaves if leaf.value.dtype in unsigned]
    nodes = {part: "_.long()" for leaf in few for part in everywhere(site, leaf)}
    return Finding(
        "unsigned dtypes do not promote",
        "Torch keeps uint16, uint32 and uint64 mainly for exchange, and has no rule for which dtype they "
        "give with others.",
        met(site, leaves),
        "Convert to a signed dtype first, such as int64.",
        change(site, nodes) if nodes else (),
    )
