"""Errors of autograd: what may be written to, what is kept for backward, and where gradients go."""

from __future__ import annotations

import ast
import re

import torch

from tutor._explaining.kinds.base import Finding, at, kind, met, out_of_place, shortened, torchs, wrap
from tutor._explaining.looking import look
from tutor._explaining.rehearsing import Fix, fixed, staged
from tutor._explaining.site import Leaf, Site
from tutor._inspecting.names import shape_text


@kind
def leaf_in_place(site: Site) -> Finding | None:
    """A write into a leaf that requires grad, or into a view of one."""
    found = site.says(r"a (view of a )?leaf Variable that requires grad is being used in an in-place operation")
    if found is None:
        return None
    leaves = [leaf for leaf in torchs(site) if leaf.value.requires_grad][:1]
    if isinstance(site.node, ast.AugAssign):  # whose target is written and not read
        written = look(site.node.target, site.names)
        leaves = [Leaf(ast.unparse(site.node.target), written)] if isinstance(written, torch.Tensor) else leaves
    collects = any(_may_need_grad(leaf, leaves) for leaf in site.leaves)
    whose = "a view of a leaf, and through it into the leaf" if found[1] else "a leaf that requires grad"
    return Finding(
        "write into a leaf",
        f"The line writes into {whose}, and autograd would no longer know which value the gradient belongs to.",
        met(site, leaves, "writes into"),
        "Make a new tensor instead, as in `total = total + loss`, so that the gradient finds its way."
        if collects
        else "If the write is no part of what is differentiated, such as an update by hand, do it under "
        "`torch.no_grad()`.",
        out_of_place(site) if collects else _under_no_grad(site),
    )


def _may_need_grad(leaf: Leaf, written: list[Leaf]) -> bool:
    """Whether it brings a gradient with it, which a write that autograd does not see would lose."""
    if isinstance(leaf.value, torch.nn.Module):
        return bool(written) and not written[0].name.startswith(f"{leaf.name}.")
    known = [one.value for one in written]
    return _requires_grad(leaf.value) and not leaf.value.is_leaf and all(leaf.value is not one for one in known)


def _under_no_grad(site: Site) -> tuple[Fix, ...]:
    statement = site.place.statement if site.place else None
    if not isinstance(statement, ast.Expr | ast.Assign | ast.AugAssign):
        return ()
    line = ast.unparse(statement)
    shown = f"with torch.no_grad():\n    {line}"
    return (staged(shown, line, shown),)


@kind
def broken_backward(site: Site) -> Finding | None:
    """A tensor that backward needs was written to since."""
    if not site.says(r"needed for gradient computation has been modified by an inplace operation"):
        return None
    written = _written_since(site)
    where = f"; {_names(written)}, which the lines before write into, now has that version" if written else ""
    found = site.says(r"\[torch\.\w*?(\w+)Tensor \[([\d, ]*)\]\].*? is at version (\d+); expected version (\d+)")
    which = (
        f"a tensor of shape {shape_text(_shape(found[2]))} is at version {found[3]}" if found else "a tensor changed"
    )
    needed = f", and version {found[4]} is needed" if found else ""
    return Finding(
        "write broke backward",
        "Backward uses values that the forward pass has kept, and one of these tensors was written to in between.",
        f"{at(site)} found that {which}{needed}{where}.",
        "Let the line that writes make a new tensor instead; where an optimizer steps, do it after backward.",
        tuple(fix for name in written for fix in _not_in_place(site, name)),
    )


def _shape(text: str) -> tuple[int, ...]:
    return tuple(int(n) for n in re.findall(r"\d+", text))


def _names(names: list[str]) -> str:
    return " and ".join(f"`{name}`" for name in names)


def _written_since(site: Site) -> list[str]:
    """The learner's tensors that are what the error describes, version and all."""
    found = site.says(r"\[torch\.[\w.]*Tensor \[([\d, ]*)\]\].*? is at version (\d+)")
    if found is None:
        return []
    shape, version = _shape(found[1]), int(found[2])
    names = [name for name, value in site.names.local.items() if _is_such(value, shape, version)]
    names = [name for name in names if site.writes(name)]
    return names if len(names) == 1 else []  # of several, it may be any


def _is_such(value: object, shape: tuple[int, ...], version: int) -> bool:
    if not isinstance(value, torch.Tensor) or type(value) not in (torch.Tensor, torch.nn.Parameter):
        return False
    return not value.is_inference() and tuple(value.shape) == shape and value._version == version


def _not_in_place(site: Site, name: str) -> tuple[Fix, ...]:
    """The one line of the learner's function that writes into this tensor, with a new tensor in its place."""
    lines = site.writes(name)
    if len(lines) != 1:
        return ()
    line = lines[0]
    if isinstance(line, ast.AugAssign):
        new = ast.Assign([ast.Name(name, ast.Store())], ast.BinOp(ast.Name(name, ast.Load()), line.op, line.value))
    elif isinstance(line, ast.Expr) and isinstance(line.value, ast.Call) and isinstance(line.value.func, ast.Attribute):
        call = line.value
        func = ast.Attribute(call.func.value, call.func.attr.removesuffix("_"), ast.Load())  # type: ignore[attr-defined]
        new = ast.Assign([ast.Name(name, ast.Store())], ast.Call(func, call.args, call.keywords))
    else:
        return ()
    right = ast.unparse(ast.fix_missing_locations(new))
    stage = "_made = _start * 1\n_kept = _made * _made\n{}\n_kept.sum().backward()"
    return (Fix(right, *_staged(stage, name, right, ast.unparse(line))),)


def _staged(stage: str, name: str, right: str, wrong: str) -> tuple[ast.AST, ast.AST]:
    trees = [ast.parse(stage.format(line)) for line in (right, wrong)]
    for tree in trees:
        _Renamed(name).visit(tree)
    return trees[0], trees[1]


class _Renamed(ast.NodeTransformer):
    """The learner's tensor is the one that was made for the stage, and its stand-in what that was made from."""

    def __init__(self, name: str) -> None:
        self.name = name

    def visit_Name(self, node: ast.Name) -> ast.Name:
        if node.id == self.name:
            return ast.Name("_made", node.ctx)
        return ast.Name(self.name, node.ctx) if node.id == "_start" else node


@kind
def backward_twice(site: Site) -> Finding | None:
    """A second backward through a graph that has been freed."""
    if not site.says(r"backward through the graph a second time"):
        return None
    base = site.receiver()
    leaf = site.leaf_of(base)
    fixes: tuple[Fix, ...] = ()
    if leaf is not None and _asked_twice(site) and site.method() == "backward" and isinstance(site.node, ast.Call):
        again = f"{leaf.name}.sum().backward()"
        first = f"{leaf.name}.sum().backward(retain_graph=True)"
        shown = f"{leaf.name}.backward(retain_graph=True)  # the first time"
        fixes = (staged(shown, f"{again}\n{again}", f"{first}\n{again}"),)
    return Finding(
        "backward twice",
        "Backward frees the values that the graph has kept, so that one graph serves one backward.",
        f"{at(site)} needs values that an earlier backward has freed; in a loop, a tensor of the step "
        "before is in the graph.",
        "Run the forward pass again, `.detach()` what is carried over, or keep the graph on the earlier call.",
        fixes,
    )


def _asked_twice(site: Site) -> bool:
    """Whether two lines ask for the same backward, and no loop, whose weights would have changed in between."""
    parts = list(ast.walk(site.place.around)) if site.place else []
    loops = [part for part in parts if isinstance(part, ast.For | ast.While)]
    asked = [part for part in parts if isinstance(part, ast.Call) and ast.unparse(part.func).endswith(".backward")]
    same = [part for part in asked if site.node is not None and ast.unparse(part) == ast.unparse(site.node)]
    return len(same) > 1 and not any(part is site.node for loop in loops for part in ast.walk(loop))


@kind
def numpy_of_grad(site: Site) -> Finding | None:
    """NumPy asks for a tensor that requires grad."""
    if not site.says(r"Can't call numpy\(\) on Tensor that requires grad"):
        return None
    leaves = [leaf for leaf in torchs(site) if leaf.value.requires_grad][:1]
    node = site.receiver() if site.method() == "numpy" else leaves[0].node if leaves else None
    listed = _list_with_grad(site) if node is None else None
    if listed is not None:
        return _losses_in_a_list(site, listed)
    if node is None and site.method() != "numpy":
        leaves = []  # what NumPy asked is none of the learner's names
    return Finding(
        "NumPy and a tensor that requires grad",
        "NumPy's array would share the tensor's bytes, and autograd could not see what is written or calculated there.",
        met(site, leaves, "asks for an array of"),
        "Call `.detach()` first, and remember that the array then still shares the tensor's bytes.",
        wrap(site, node, "_.detach()"),
    )


def _list_with_grad(site: Site) -> Leaf | None:
    """A list of tensors of which some require grad."""
    lists = [leaf for leaf in site.leaves if type(leaf.value) in (list, tuple)]
    return next((leaf for leaf in lists if any(_requires_grad(one) for one in leaf.value)), None)


def _requires_grad(x: object) -> bool:
    return isinstance(x, torch.Tensor) and x.requires_grad


def _losses_in_a_list(site: Site, listed: Leaf) -> Finding:
    fixes: tuple[Fix, ...] = ()
    if all(isinstance(one, torch.Tensor) and one.dim() == 0 for one in listed.value):
        fixes = wrap(site, listed.node, "[one.item() for one in _]")
    return Finding(
        "NumPy and a tensor that requires grad",
        "NumPy's array would share the tensor's bytes, and autograd could not see what is written or calculated there.",
        f"{at(site)} asks for an array of what is in `{listed.name}`, where tensors require grad.",
        "Collect plain numbers, `losses.append(loss.item())`, which also lets go of the graph of each; of larger "
        "tensors keep `.detach()`.",
        fixes,
    )


@kind
def grad_of_non_leaf(site: Site) -> Finding | None:
    """The warning that a tensor which is not a leaf has no .grad."""
    if not site.says(r"The \.grad attribute of a Tensor that is not a leaf Tensor is being accessed"):
        return None
    leaf = site.leaf_of(site.receiver())
    base = _asked_for_grad(site)
    leaves = [leaf] if leaf is not None and isinstance(leaf.value, torch.Tensor) else [base] if base else []
    if leaves and _made_anew(site, leaves[0]):
        return _rebound(site, leaves[0])
    return Finding(
        "gradient of a non-leaf",
        "Backward fills `.grad` of leaves only, and a tensor that was calculated from others is no leaf.",
        met(site, leaves, "asks for the gradient of") if leaves else "It was asked of a tensor that was calculated.",
        "Ask the leaf, or call `.retain_grad()` on this tensor before backward.",
        _retained(leaves),
    )


@kind
def grad_is_none(site: Site) -> Finding | None:
    """Something is done with a .grad that is None."""
    if not isinstance(site.error, AttributeError | TypeError) or not site.says(r"NoneType"):
        return None
    base = _asked_for_grad(site)
    if base is None or base.value.grad is not None:
        return None
    if _made_anew(site, base):
        return _rebound(site, base)
    calculated = not base.value.is_leaf
    why = "it was calculated and is no leaf" if calculated else _why_none(base.value)
    return Finding(
        "the gradient is None",
        "`.grad` is None until a backward has filled it, which it does for leaves that require grad and were used.",
        f"{at(site)} works with `{base.name}.grad`, which is None because {why}.",
        "Call `.retain_grad()` on it before backward." if calculated else _before(base.value),
        _retained([base]) if calculated else (),
    )


def _why_none(x: torch.Tensor) -> str:
    if not x.requires_grad:
        return "it does not require grad"
    return "no backward has filled it since it was made, or since gradients were last cleared"


def _before(x: torch.Tensor) -> str:
    if not x.requires_grad:
        return "Make it with `requires_grad=True`, or call `.requires_grad_()`, before it is used."
    return "Call backward before this line, on a result that was calculated from it, and `zero_grad` after it."


def _made_anew(site: Site, base: Leaf) -> ast.Assign | None:
    """The line that gave the name of a leaf to what was calculated from it."""
    if site.place is None or base.value.is_leaf:
        return None
    lines = [line for line in ast.walk(site.place.around) if isinstance(line, ast.Assign)]
    lines = [line for line in lines if [ast.unparse(target) for target in line.targets] == [base.name]]
    named = (base.name, f"{base.name}.grad")
    return next((line for line in lines if {ast.unparse(one) for one in ast.walk(line.value)}.issuperset(named)), None)


def _rebound(site: Site, base: Leaf) -> Finding:
    line = _made_anew(site, base)
    assert line is not None
    return Finding(
        "gradient of a name that was given away",
        "Backward fills `.grad` of leaves only, and a tensor that was calculated from others is no leaf.",
        f"{at(site)} asks for `{base.name}.grad`, but the line `{shortened(line)}` has given the name to a new "
        "tensor, which is no leaf.",
        "Update the leaf itself, with `-=` or `.sub_()` under `torch.no_grad()`.",
    )


def _asked_for_grad(site: Site) -> Leaf | None:
    """The tensor whose gradient the expression asks for."""
    for part in ast.walk(site.node) if site.node is not None else ():
        if isinstance(part, ast.Attribute) and part.attr == "grad":
            value = look(part.value, site.names)
            if isinstance(value, torch.Tensor):
                return Leaf(ast.unparse(part.value), value, part.value)
    return None


def _retained(leaves: list[Leaf]) -> tuple[Fix, ...]:
    if not leaves:
        return ()
    name = leaves[0].name
    stage = f"{name}.sum().backward()\n_asked = {name}.grad * 1"
    shown = f"{name}.retain_grad()  # before backward"
    return (staged(shown, stage, f"{name}.retain_grad()\n{stage}"),)


@kind
def flags_of_leaves(site: Site) -> Finding | None:
    """requires_grad changed on a tensor that was calculated."""
    if not site.says(r"you can only change requires_grad flags of leaf variables"):
        return None
    leaves = torchs(site)[:1]
    base = site.receiver()
    if isinstance(site.node, ast.Assign) and isinstance(site.node.targets[0], ast.Attribute):
        base = site.node.targets[0].value
    tree = ast.parse(f"{ast.unparse(base)}.detach()", mode="eval").body if base is not None else None
    shown = f"{ast.unparse(base)} = {ast.unparse(tree)}" if base is not None and tree is not None else ""
    return Finding(
        "requires_grad of a non-leaf",
        "A tensor calculated from one that requires grad does so too, and only at leaves can that be switched.",
        met(site, leaves, "changes it on"),
        "Take a tensor out of the graph with `.detach()`, which shares its bytes.",
        (fixed(tree, shown),) if tree is not None else (),
    )


def _started_from(site: Site) -> list[Leaf]:
    """The tensor whose gradient is asked for."""
    start = site.receiver() if site.method() == "backward" and site.receiver() is not None else site.given(0, "outputs")
    leaf = site.leaf_of(start)
    if leaf is None and start is None:
        return torchs(site)[:1]
    return [leaf] if leaf is not None and isinstance(leaf.value, torch.Tensor) else []


@kind
def nothing_to_differentiate(site: Site) -> Finding | None:
    """Backward of something that requires no grad."""
    if not site.says(r"element 0 of tensors does not require grad and does not have a grad_fn"):
        return None
    leaves = _started_from(site)
    return Finding(
        "nothing to differentiate",
        "Backward follows the graph back from its tensor, and this one has none: nothing required grad, or it was cut.",
        met(site, leaves, "starts from"),
        "Make the leaves with `requires_grad=True`, and look on the way for `no_grad`, `.detach()`, `.item()`, "
        "`argmax` or a comparison, through which no gradient goes.",
    )


@kind
def not_in_the_graph(site: Site) -> Finding | None:
    """A gradient for a tensor that the result does not depend on."""
    if not site.says(r"differentiated Tensors? (at index \d+ )?appears? to not have been used in the graph"):
        return None
    return Finding(
        "not in the graph",
        "A gradient is asked for a tensor from which the result was not calculated, so there is no way back to it.",
        met(site, torchs(site)[:3]),
        "Ask for tensors that the result was calculated from, not for copies or views made later, or allow None with "
        "`allow_unused=True`.",
    )


@kind
def not_a_scalar(site: Site) -> Finding | None:
    """Backward of several elements."""
    if not site.says(r"grad can be implicitly created only for scalar outputs"):
        return None
    leaves = _started_from(site)
    return Finding(
        "backward of several elements",
        "Backward starts from one number; of several it would have to know how much each counts.",
        met(site, leaves, "starts from"),
        "Reduce to one number first with `.sum()` or `.mean()`, or hand the weights over as `gradient=`.",
        wrap(site, site.receiver(), "_.sum()"),
    )


@kind
def inference_tensor(site: Site) -> Finding | None:
    """A tensor made in inference mode is used outside it."""
    if not site.says(r"[Ii]nference tensors? (cannot be saved for backward|outside InferenceMode)"):
        return None
    leaves = [leaf for leaf in torchs(site) if leaf.value.is_inference()][:1]
    return Finding(
        "tensor from inference mode",
        "A tensor made in inference mode lacks what autograd needs to keep track of it, for good.",
        met(site, leaves, "uses"),
        "Clone it outside inference mode, or make it under `torch.no_grad()` instead.",
        wrap(site, leaves[0].node, "_.clone()") if leaves else (),
    )
