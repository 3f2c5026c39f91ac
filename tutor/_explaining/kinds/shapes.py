"""Errors of shapes that do not go together."""

from __future__ import annotations

import ast
from itertools import combinations

import numpy as np
import torch

from tutor._explaining.kinds.base import Finding, at, change, kind, met, shape_of, torchs, worked_on, wrap
from tutor._explaining.looking import look
from tutor._explaining.rehearsing import Fix
from tutor._explaining.site import Leaf, Site
from tutor._inspecting.names import shape_text

_BROADCAST = (
    r"The size of tensor a \(\d+\) must match the size of tensor b \(\d+\)",
    r"doesn't match the broadcast shape",
    r"operands could not be broadcast together",
    r"shape mismatch: value tensor of shape",
)
_BY_NUMPY = (  # which then asks for the tensor's own operator, and reports that there is none for arrays
    r"unsupported operand type\(s\) for \S+: 'numpy\.ndarray' and '(torch\.)?Tensor'",
    r"Concatenation operation is not implemented for NumPy arrays",
)


@kind
def broadcast(site: Site) -> Finding | None:
    """Shapes that do not broadcast."""
    by_numpy = isinstance(site.error, TypeError) and bool(site.says(*_BY_NUMPY))
    if not by_numpy and not (isinstance(site.error, RuntimeError | ValueError) and site.says(*_BROADCAST)):
        return None
    sized = [leaf for leaf in site.tensors() if len(leaf.value.shape)]
    leaves = next((list(two) for two in combinations(sized, 2) if not _fit(*map(shape_of, two))), sized[:2])
    fits = len(leaves) == 2 and _fit(*map(shape_of, leaves))
    if by_numpy and (fits or len(leaves) < 2):
        return None
    if fits and not site.gone and "doesn't match" not in site.text:
        return None
    if _is_product(site):
        return _stacks(site, leaves)
    in_place = "doesn't match the broadcast shape" in site.text
    meaning = "Shapes are lined up from the right, and two sizes go together if they are equal or one of them is 1."
    if in_place:
        meaning = "A write in place keeps the shape it writes to, and the other operand would make the result larger."
    return Finding(
        "shapes do not broadcast",
        meaning,
        met(site, leaves),
        "Add a dimension of size 1 where one is missing, transpose, or find out why a size is not what you expect.",
        _lined_up(site, leaves) if not in_place else (),
    )


def _is_product(site: Site) -> bool:
    by_sign = isinstance(site.node, ast.BinOp) and isinstance(site.node.op, ast.MatMult)
    return by_sign or site.method() == "matmul"


def _stacks(site: Site, leaves: list[Leaf]) -> Finding:
    """A product of stacks of matrices whose other dimensions do not go together."""
    turned = [part for part in ast.walk(site.node or ast.Constant(0)) if isinstance(part, ast.Attribute)]
    turned = [part for part in turned if part.attr == "T" and len(getattr(look(part, site.names), "shape", ())) > 2]
    return Finding(
        "stacks of matrices",
        "In a product the last two dimensions are multiplied, and those before them must be equal, or 1, in both.",
        met(site, leaves),
        "Turn the last two dimensions around with `.mT`, since `.T` reverses all of them."
        if turned
        else "Give both as many matrices, or one of them a single one, which is then used for all.",
        change(site, {turned[0]: f"{ast.unparse(turned[0].value)}.mT"}) if len(turned) == 1 else (),
    )


def _fit(a: tuple[int, ...], b: tuple[int, ...]) -> bool:
    return all(m == n or 1 in (m, n) for m, n in zip(reversed(a), reversed(b), strict=False))


def _lined_up(site: Site, leaves: list[Leaf]) -> tuple[Fix, ...]:
    """What makes them go together, if their sizes say it: a row for each, or one turned around."""
    if len(leaves) < 2 or any(leaf.node is None for leaf in leaves):
        return ()
    for one, other in (leaves, leaves[::-1]):
        large, small = shape_of(one), shape_of(other)
        if len(small) < len(large) and large[: len(small)] == small:
            ones = ", None" * (len(large) - len(small))
            return wrap(site, other.node, f"_[...{ones}]")
    first, second = shape_of(leaves[0]), shape_of(leaves[1])
    if len(first) == 2 and first == second[::-1]:
        return wrap(site, leaves[1].node, "_.T")
    return ()


_PRODUCT = (
    r"mat1 and mat2 shapes cannot be multiplied",
    r"size mismatch, got input \(\d+\), mat",
    r"inconsistent tensor size, expected tensor",
    r"Expected size for first two dimensions of batch2 tensor to be",
    r"matmul: Input operand 1 has a mismatch in its core dimension",
    r"batch1 must be a 3D tensor|batch2 must be a 3D tensor|self must be a matrix|mat2 must be a matrix",
    r"shapes \(.*\) and \(.*\) not aligned",
)


@kind
def product_shapes(site: Site) -> Finding | None:
    """A matrix product, or a Linear, whose inner sizes differ."""
    if not isinstance(site.error, RuntimeError | ValueError) or not site.says(*_PRODUCT):
        return None
    if isinstance(site.layer, torch.nn.Linear):
        return _linear_shapes(site, site.layer)
    added = worked_on(site) if site.method().lstrip("s").startswith(("add", "badd")) else None
    leaves = [leaf for leaf in site.tensors() if len(leaf.value.shape) and (added is None or leaf.node is not added)][
        :2
    ]
    if site.says(r"must be a (3D tensor|matrix)"):
        return _product_of_others(site, leaves)
    return Finding(
        "sizes of a matrix product",
        "In a matrix product the last size of the left must equal the last but one of the right, or its only one.",
        met(site, leaves),
        "Transpose one of them, if that is what you mean, or find out why a size is not what you expect.",
        _transposed(site, leaves) or _of_itself(site),
    )


def _product_of_others(site: Site, leaves: list[Leaf]) -> Finding:
    """`mm` or `bmm` of tensors with another number of dimensions."""
    call = site.node
    by_name = isinstance(call, ast.Call) and ast.unparse(call.func) in ("torch.mm", "torch.bmm")
    return Finding(
        "dimensions of a matrix product",
        "`mm` takes two matrices and `bmm` two stacks of them, with three dimensions; neither of them broadcasts.",
        met(site, leaves),
        "Use `@` or `torch.matmul`, which take vectors, matrices and stacks of them.",
        change(site, {call.func: "torch.matmul"}) if by_name and isinstance(call, ast.Call) else (),
    )


def _of_itself(site: Site) -> tuple[Fix, ...]:
    """One and the same matrix on both sides."""
    node = site.node
    same = isinstance(node, ast.BinOp) and ast.unparse(node.left) == ast.unparse(node.right)
    return wrap(site, node.right, "_.T") if same and isinstance(node, ast.BinOp) else ()


def _linear_shapes(site: Site, layer: torch.nn.Linear) -> Finding:
    wanted = int(layer.weight.shape[1])
    leaves = [leaf for leaf in torchs(site) if leaf.value is not layer.weight and leaf.value is not layer.bias][:1]
    fixes: tuple[Fix, ...] = ()
    if leaves and leaves[0].node is not None:
        shape = shape_of(leaves[0])
        if len(shape) > 2 and int(np.prod(shape[1:])) == wanted:
            fixes = wrap(site, leaves[0].node, "_.flatten(1)")
        elif len(shape) == 2 and shape[0] == wanted:
            fixes = wrap(site, leaves[0].node, "_.T")
    return Finding(
        "input size of Linear",
        "A Linear takes inputs whose last size is its `in_features`; the sizes before it are the batch.",
        f"{met(site, leaves)[:-1]}, and the Linear has in_features {wanted}.",
        "Make the layer with the size that comes in, or flatten what comes in, `.flatten(1)`, after a convolution.",
        fixes,
    )


def _transposed(site: Site, leaves: list[Leaf]) -> tuple[Fix, ...]:
    if len(leaves) < 2 or any(leaf.node is None or len(leaf.value.shape) < 2 for leaf in leaves):
        return ()
    left, right = shape_of(leaves[0]), shape_of(leaves[1])
    turned = "_.mT" if isinstance(leaves[0].value, torch.Tensor) else "_.swapaxes(-1, -2)"
    turned = "_.T" if len(left) == len(right) == 2 else turned
    if left[-1] == right[-1]:
        return wrap(site, leaves[1].node, turned)
    return wrap(site, leaves[0].node, turned) if left[-2] == right[-2] else ()


@kind
def einsum_sizes(site: Site) -> Finding | None:
    """A letter of einsum with two sizes."""
    found = site.says(r"einsum\(\): subscript (\w) has size (\d+) for operand (\d+) which does not broadcast .* (\d+)")
    if found is None:
        return None
    return Finding(
        "sizes in einsum",
        "In einsum each letter stands for one size in all operands, apart from 1, which is repeated.",
        f"{met(site, [leaf for leaf in torchs(site) if leaf.node is not None])[:-1]}, and `{found[1]}` has the size "
        f"{found[2]} in operand {found[3]} and {found[4]} in one before.",
        "Give the dimension another letter, transpose, or find out why a size is not what you expect.",
    )


_JOINED = (
    r"Sizes of tensors must match except in dimension",
    r"Tensors must have same number of dimensions",
    r"stack expects each tensor to be equal size",
    r"all input arrays must have the same shape",
    r"all the input array dimensions except for the concatenation axis must match exactly",
)


@kind
def joined(site: Site) -> Finding | None:
    """Cat or stack of shapes that differ."""
    if not isinstance(site.error, RuntimeError | ValueError) or not site.says(*_JOINED):
        return None
    is_stack = bool(site.says(r"stack expects", r"must have the same shape"))
    shapes = _shapes(site)
    cause = f"{at(site)} was given the shapes {_listed(shapes)}." if shapes else met(site, torchs(site)[:3])
    in_loader = site.says(r"stack expects") and "collate" in site.function
    if in_loader:
        cause = "The samples of one batch of a DataLoader differ in shape, and it stacks them."
    return Finding(
        "tensors to stack differ in shape" if is_stack else "tensors to join differ in shape",
        "`stack` needs equal shapes, since it puts them side by side along a new dimension."
        if is_stack
        else "`cat` joins along one dimension, and all other sizes must agree.",
        cause,
        "Bring the samples to one shape first, by padding or cropping, or use `cat` along a dimension they have."
        if is_stack
        else "Join along another dimension, or bring the other sizes to agreement first.",
        _joined(site, is_stack, shapes),
    )


def _shapes(site: Site) -> list[tuple[int, ...]]:
    given = site.given(0, "tensors")
    if isinstance(given, ast.List | ast.Tuple):
        values = [look(one, site.names) for one in given.elts]
    else:
        value = look(given, site.names) if given is not None else None
        values = list(value) if isinstance(value, list | tuple) and type(value) in (list, tuple) else []
    known = all(isinstance(one, torch.Tensor | np.ndarray) for one in values)
    return [tuple(one.shape) for one in values] if known else []


def _listed(shapes: list[tuple[int, ...]]) -> str:
    texts = [shape_text(shape) for shape in shapes[:4]]
    return ", ".join(texts) + (" and more" if len(shapes) > 4 else "")


def _joined(site: Site, is_stack: bool, shapes: list[tuple[int, ...]]) -> tuple[Fix, ...]:
    call = site.node
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute | ast.Name) or not shapes:
        return ()
    if is_stack and len({shape[1:] for shape in shapes}) == 1:
        return change(site, {call.func: f"{ast.unparse(call.func).replace('stack', 'cat')}"})
    if not is_stack and len({len(shape) for shape in shapes}) == 1 and len(call.args) == 1 and not call.keywords:
        changed = ast.unparse(call.args[0])
        return tuple(change(site, {call: f"{ast.unparse(call.func)}({changed}, {dim})"})[0] for dim in (1, 2))
    given = site.given(0)
    if not is_stack and isinstance(given, ast.List | ast.Tuple) and len(shapes) == len(given.elts):
        most = max(len(shape) for shape in shapes)
        short = [one for one, shape in zip(given.elts, shapes, strict=True) if len(shape) == most - 1]
        return change(site, dict.fromkeys(short, "_[None]")) if short else ()
    return ()


@kind
def nothing_to_join(site: Site) -> Finding | None:
    """Cat or stack of nothing."""
    if not site.says(r"expected a non-empty list of Tensors", r"stack expects a non-empty TensorList"):
        return None
    return Finding(
        "nothing to join",
        "An empty list has no tensor from which torch could take a dtype, a device and a shape.",
        f"{at(site)} was given no tensors.",
        "Find out why the list is empty: a loop that did not run, or a filter that kept nothing.",
    )


_CONV = (
    r"Given (groups|transposed)=\d+, (expected )?weight of size \[.*?\], expected input\[.*?\] to have \d+ channels",
    r"Expected \dD \(unbatched\) or \dD \(batched\) input to (conv|conv_transpose)\dd",
)


@kind
def conv_shapes(site: Site) -> Finding | None:
    """A convolution that gets other channels, or other dimensions, than it has weights for."""
    if not site.says(*_CONV):
        return None
    weight = getattr(site.layer, "weight", None)
    bias = getattr(site.layer, "bias", None)
    leaves = [leaf for leaf in torchs(site) if leaf.value is not weight and leaf.value is not bias][:1]
    sizes = len(weight.shape) - 2 if isinstance(weight, torch.Tensor) else 0
    channels = getattr(site.layer, "in_channels", None)
    has = f", and the layer takes {channels} channels" if isinstance(channels, int) else ""
    return Finding(
        "input of a convolution",
        f"A convolution reads its input as {_ORDERS.get(sizes, '(batch, channels, ...)')}, or without the batch, and "
        "channels must agree.",
        f"{met(site, leaves)[:-1]}{has}.",
        "Bring the channels to their place with `.permute(...)`, add a missing one with `.unsqueeze(...)`, or make the "
        "layer with the number that comes in.",
        _channels_first(site, leaves, channels) if isinstance(channels, int) else (),
    )


_ORDERS = {1: "(batch, channels, length)", 2: "(batch, channels, height, width)"}
_ORDERS[3] = "(batch, channels, depth, height, width)"


def _channels_first(site: Site, leaves: list[Leaf], channels: int) -> tuple[Fix, ...]:
    if not leaves or leaves[0].node is None:
        return ()
    shape = shape_of(leaves[0])
    if not isinstance(site.layer, torch.nn.Conv2d):
        last = isinstance(site.layer, torch.nn.Conv1d) and len(shape) == 3 and shape[-1] == channels != shape[1]
        return wrap(site, leaves[0].node, "_.permute(0, 2, 1)") if last else ()
    if len(shape) in (3, 4) and shape[-1] == channels and shape[-3] != channels:
        return wrap(site, leaves[0].node, "_.permute(0, 3, 1, 2)" if len(shape) == 4 else "_.permute(2, 0, 1)")
    if len(shape) == 4 and shape[1] == 1 and channels > 1:
        return wrap(site, leaves[0].node, f"_.expand(-1, {channels}, -1, -1)")
    added = {2: "_[None]", 3: "_[:, None]"}.get(len(shape), "") if channels == 1 else ""
    return wrap(site, leaves[0].node, added) if added else ()


_KERNEL = (
    r"Kernel size can't be greater than actual input size",
    r"Calculated output size: \(.*\)\. Output size is too small",
)


@kind
def kernel_too_large(site: Site) -> Finding | None:
    """A convolution or a pooling over less than its kernel."""
    if not site.says(*_KERNEL):
        return None
    weight = getattr(site.layer, "weight", None)
    leaves = [leaf for leaf in torchs(site) if leaf.value is not weight and len(leaf.value.shape) > 1][:1]
    return Finding(
        "kernel larger than its input",
        "A kernel slides over the last dimensions of its input, and must fit into them at least once.",
        met(site, leaves),
        "Use larger images, a smaller kernel, padding, or fewer steps that make the image smaller.",
    )


_STATE = r"Error\(s\) in loading state_dict for (\w+)"


@kind
def state_dict(site: Site) -> Finding | None:
    """Saved weights that are not those of the model."""
    found = site.says(_STATE)
    if found is None or site.function != "load_state_dict":
        return None
    wrong = site.says(r"size mismatch for ([\w.]+)")
    missing = site.says(r"Missing key\(s\) in state_dict: (\"[^\"]+\")")
    unknown = site.says(r"Unexpected key\(s\) in state_dict: (\"[^\"]+\")")
    parts = [
        f"`{wrong[1]}` has another shape" if wrong else "",
        f"{missing[1]} is missing" if missing else "",
        f"{unknown[1]} is in no place of the model" if unknown else "",
    ]
    return Finding(
        "state_dict of another model",
        "A state_dict gives each parameter by its name, and names and shapes must be those of the model "
        "it is loaded into.",
        f"{at(site)} found that {', and '.join(filter(None, parts))}.",
        "Build the model with the settings it was saved with; a prefix such as `module.` comes from a "
        "wrapper around it.",
    )


_NORM = (
    r"Given normalized_shape=\[.*\], expected input with shape",
    r"running_mean should contain \d+ elements not \d+",
    r"Expected more than 1 value per channel when training",
    r"expected \dD( or \dD)? input \(got \dD input\)",
    r"input.size\(-1\) must be equal to input_size",
)


@kind
def norm_shapes(site: Site) -> Finding | None:
    """A norm or a recurrent layer gets another size than it was made for."""
    if site.layer is None and site.function not in ("batch_norm", "layer_norm"):
        return None
    if not site.says(*_NORM):
        return None
    name = type(site.layer).__name__ if site.layer is not None else "normalisation"
    leaves = [leaf for leaf in torchs(site) if not isinstance(leaf.value, torch.nn.Parameter)][:1]
    one = "more than 1 value" in site.text
    return Finding(
        f"input of {name}",
        "In training mode a batch norm takes mean and spread over the batch, and a single value has no spread."
        if one
        else f"torch's {name} is made for inputs of one size, and for a certain number of dimensions.",
        met(site, leaves),
        "Use batches of at least two, `drop_last=True` in the DataLoader, or `.eval()` for single samples."
        if one
        else "Make the layer with the size that comes in, or bring the input into the shape that the error names.",
    )
