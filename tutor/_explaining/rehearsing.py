"""Corrected lines, run on stand-ins. A line is believed if the learner's own fails there with the same error."""

from __future__ import annotations

import ast
import builtins
import copy
import re
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from types import MethodType
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812 - its usual name

from tutor._explaining.looking import MISSING, look, words_of
from tutor._explaining.model import Correction
from tutor._explaining.site import CHAIN, Site, _held_name
from tutor._explaining.standins import NoStandInError, StandIns, shapes_in, ways_to_shrink
from tutor._inspecting.names import dtype_text, shape_text

_BUILTINS = words_of("float int bool len max min sum abs list tuple range sorted complex str round all any iter next")
_NUMPY = words_of(
    "array asarray ascontiguousarray stack vstack hstack concatenate zeros ones arange flip where mean sum std dot "
    "matmul transpose reshape expand_dims broadcast_to float16 float32 float64 int8 int16 int32 int64 uint8 bool_ "
    "asfortranarray squeeze moveaxis tile repeat max min argmax argmin clip"
)
_NOT_OF_TORCH = ("from_file", "manual_seed", "seed", "set_", "_", "get_")
_NOT_METHODS = words_of(
    "tofile dump dumps share_memory_ set_ register_hook register_post_accumulate_grad_hook storage untyped_storage "
    "pin_memory open write format exit"
)
_GROWS = words_of(
    "ones zeros empty full rand randn randint arange linspace logspace eye repeat tile expand repeat_interleave pad "
    "interpolate broadcast_to new_zeros new_ones new_empty new_full resize_ one_hot kron tri tril_indices "
    "triu_indices range unfold randperm cartesian_prod combinations meshgrid list"
)
_LARGEST = 2**22  # a number of elements that a line may name
_REFUSED = ast.Lambda | ast.Await | ast.Yield | ast.YieldFrom | ast.NamedExpr | ast.JoinedStr | ast.FunctionDef
_FACTORIES = frozenset(
    getattr(torch, name) for name in ("tensor", "as_tensor", "asarray", "from_numpy", "stack", "cat", "is_tensor")
)


@dataclass(frozen=True)
class Fix:
    """A line to show, what is run to see that it works, and what is run to see the error: by default the expression.

    ``helpers`` are functions of our own that this code calls.
    """

    shown: str
    tree: ast.AST
    wrong: ast.AST | None = None
    helpers: Mapping[str, Any] = field(default_factory=dict)


@dataclass
class _Outcome:
    error: str = ""
    text: str = ""
    gave: str = ""


def fixed(tree: ast.AST, shown: str = "") -> Fix:
    """A corrected expression, shown as it is written."""
    return Fix(shown or ast.unparse(ast.fix_missing_locations(tree)), tree)


def staged(shown: str, wrong: str, right: str) -> Fix:
    """A corrected line whose effect shows only together with the lines around it."""
    return Fix(shown, ast.parse(right), ast.parse(wrong))


def rehearse(found: Site, fixes: Sequence[Fix]) -> Correction | None:
    """The first correction that runs where the learner's line fails as it did."""
    for fix in fixes:
        for shrink in _ways(found):
            done = _rehearse(found, fix, StandIns(shrink), StandIns(shrink))
            if done is not None:
                return done
    return None


def _ways(found: Site) -> list[Callable[[Sequence[int]], tuple[int, ...]]]:
    values = [leaf.value for leaf in found.leaves]
    tensors = [value for value in values if isinstance(value, torch.Tensor | np.ndarray)]
    if tensors and all(isinstance(one, torch.Tensor) and one.is_meta for one in tensors):
        return [tuple]  # they take no memory
    try:
        return ways_to_shrink(shapes_in(values))
    except NoStandInError:
        return []


def _rehearse(found: Site, fix: Fix, first: StandIns, second: StandIns) -> Correction | None:
    wrong = fix.wrong if fix.wrong is not None else found.node
    if wrong is None:
        return None
    before = _run(found, wrong, first, fix.helpers)
    if before is None or not _is_the_same(found, before):
        return None
    after = _run(found, fix.tree, second, fix.helpers)
    return Correction(fix.shown, after.gave) if after is not None and not after.error else None


def raises_nothing(found: Site, fix: Fix) -> bool:
    """Whether the learner's own line runs on stand-ins of what the operands are now."""
    wrong = fix.wrong if fix.wrong is not None else found.node
    if wrong is None:
        return False
    outcomes = (_run(found, wrong, StandIns(shrink), fix.helpers) for shrink in _ways(found)[:1])
    return any(outcome is not None and not outcome.error for outcome in outcomes)


def _is_the_same(found: Site, seen: _Outcome) -> bool:
    return seen.error == type(found.error).__name__ and _digest(seen.text) == _digest(found.text)


def _digest(text: str) -> str:
    """What an error says, without its numbers and without where in torch's source it was."""
    head = text.split("(Triggered internally", maxsplit=1)[0].split("\n", maxsplit=1)[0]
    head = re.sub(r", which is output \d+ of \w+", "", head)
    return re.sub(r"\d+", "0", re.sub(r"\[[^]]*\]", "[]", head)).strip()


def _run(found: Site, tree: ast.AST, stand_ins: StandIns, helpers: Mapping[str, Any] | None = None) -> _Outcome | None:
    """Run code on stand-ins; None if it cannot be, or had better not be."""
    try:
        prepared = _Prepared(found, stand_ins, helpers or {})
        body = prepared.visit(copy.deepcopy(tree))
        _refuse_growth(tree, prepared)
        code = _compiled(body)
    except (NoStandInError, SyntaxError, ValueError, TypeError, RecursionError):
        return None
    except Exception:
        return None
    category = type(found.error) if isinstance(found.error, Warning) else None
    with _undisturbed(category):
        return _outcome(code, prepared.values)


def _outcome(code: Any, values: dict[str, Any]) -> _Outcome:
    names = {"__builtins__": {"__import__": builtins.__import__}, **values}  # torch imports where it first needs to
    try:
        exec(code, names)
        return _Outcome(gave=_gave(names.get("_result")))
    except Exception as error:
        return _Outcome(type(error).__name__, str(error))


def _compiled(body: ast.AST) -> Any:
    if isinstance(body, ast.expr):
        body = ast.Assign([ast.Name("_result", ast.Store())], body)
    module = body if isinstance(body, ast.Module) else ast.Module([body], [])  # type: ignore[list-item]
    return compile(ast.fix_missing_locations(module), "<stand-ins>", "exec")


@contextmanager
def _undisturbed(category: type[Warning] | None) -> Iterator[None]:
    """Leave the random numbers, the warnings and the modes of the learner as they are."""
    from torch.utils._python_dispatch import _disable_current_modes  # noqa: PLC0415

    state = torch.random.get_rng_state()
    devices = [device for device in ("cpu", "cuda") if torch.is_autocast_enabled(device)]
    try:
        with (
            ExitStack() as modes,
            _disable_current_modes(),
            torch.inference_mode(False),
            torch.enable_grad(),
            warnings.catch_warnings(),
        ):
            for device in devices:
                modes.enter_context(torch.autocast(device, enabled=False))
            if category is not None:
                warnings.simplefilter("error", category)
            with np.errstate(all="ignore"):
                yield
    finally:
        torch.random.set_rng_state(state)


class _Prepared(ast.NodeTransformer):
    """Puts stand-ins in the place of operands, and refuses all that is not known to be harmless."""

    def __init__(self, found: Site, stand_ins: StandIns, helpers: Mapping[str, Any]) -> None:
        self.found = found
        self.stand_ins = stand_ins
        self.values: dict[str, Any] = dict(helpers)
        self.own: set[str] = set(helpers)

    def visit(self, node: ast.AST) -> Any:
        if isinstance(node, _REFUSED):
            raise NoStandInError("the line holds code that is not run")
        if hasattr(node, "part") and (name := _held_name(node)) in self.found.names.held:
            return self._put(self.found.names.held[name], ast.Load())
        if isinstance(node, ast.Call):
            return self._call(node)
        if isinstance(node, CHAIN):
            return self._chain(node)
        if isinstance(node, ast.comprehension):
            self.own.update(one.id for one in ast.walk(node.target) if isinstance(one, ast.Name))
        if isinstance(node, ast.ListComp | ast.GeneratorExp):
            for one in node.generators:
                self.own.update(name.id for name in ast.walk(one.target) if isinstance(name, ast.Name))
        return self.generic_visit(node)

    def _chain(self, node: ast.Name | ast.Attribute | ast.Subscript) -> ast.AST:
        root = next(one for one in ast.walk(node) if isinstance(one, ast.Name) or not isinstance(one, CHAIN))
        if isinstance(root, ast.Name) and root.id in self.own:
            return self.generic_visit(node) if not isinstance(node, ast.Name) else node
        if not isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            return self.generic_visit(node)
        value = look(node, self.found.names)
        if value is not MISSING and not (value is None and isinstance(node, ast.Attribute)):
            return self._put(value, node.ctx)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            self.own.add(node.id)
            return node
        if isinstance(node, ast.Name):
            raise NoStandInError(f"{node.id} is not known")
        if isinstance(node, ast.Attribute):
            _refuse_attribute(node.attr)
        return self.generic_visit(node)

    def _call(self, node: ast.Call) -> ast.AST:
        function = look(node.func, self.found.names) if isinstance(node.func, CHAIN) else MISSING
        args = [self.visit(one) for one in node.args]
        keywords = [ast.keyword(one.arg, self.visit(one.value)) for one in node.keywords]
        if function is not MISSING:  # what cannot be called raises, as it did
            return ast.Call(self._put(function, ast.Load(), called=callable(function)), args, keywords)
        if not isinstance(node.func, ast.Attribute):
            if isinstance(node.func, ast.Call) or (isinstance(node.func, ast.Name) and node.func.id in self.own):
                return ast.Call(self.visit(node.func), args, keywords)
            raise NoStandInError("what is called is not known")
        _refuse_attribute(node.func.attr)
        return ast.Call(ast.Attribute(self.visit(node.func.value), node.func.attr, ast.Load()), args, keywords)

    def _put(self, value: Any, context: ast.expr_context, *, called: bool = False) -> ast.Name:
        name = f"_{len(self.values)}"
        if called and not isinstance(value, torch.nn.Module):
            _refuse_function(value)
            self.values[name] = value
        else:
            self.values[name] = self.stand_ins.of(value) if not _is_harmless(value) else value
        return ast.Name(name, context)


def _refuse_attribute(name: str) -> None:
    if name.startswith("_") or name in _NOT_METHODS:
        raise NoStandInError(f".{name} is not run")


def _refuse_function(function: Any) -> None:
    if not _is_harmless(function):
        raise NoStandInError("a function that is not known to be without effects")


def _is_harmless(value: Any) -> bool:
    """Whether it is a function of torch, NumPy or Python that gives a result and does nothing else."""
    if isinstance(value, type):
        return value in _TYPES or (issubclass(value, torch.nn.modules.loss._Loss) and value.__module__ == _LOSSES)
    if not callable(value) or isinstance(value, torch.nn.Module | MethodType):
        return False
    name = getattr(value, "__name__", "")
    if not isinstance(name, str):
        return False
    return (
        _is_of_torch(value, name)
        or _is_of_numpy(value, name)
        or (name in _BUILTINS and getattr(builtins, name) is value)
    )


_LOSSES = torch.nn.modules.loss.__name__
_TYPES = {
    torch.nn.Parameter,
    float,
    int,
    bool,
    complex,
    list,
    tuple,
    range,
    str,
    *(np.float16, np.float32, np.float64, np.int8, np.int16, np.int32, np.int64, np.uint8, np.bool_),
    torch.no_grad,
    torch.finfo,
    torch.iinfo,
}


_ROOMS = {torch.linalg: "linalg_", torch.special: "special_", torch.fft: "fft_"}


def _is_of_torch(value: Any, name: str) -> bool:
    if name.startswith(_NOT_OF_TORCH):
        return False
    if value is torch.cuda.is_available or value is torch.nn.utils.rnn.pad_sequence:
        return True
    if any(vars(room).get(name.removeprefix(prefix)) is value for room, prefix in _ROOMS.items()):
        return True
    known = any(vars(room).get(name) is value for room in (torch, F, torch.functional))
    of_torch = getattr(torch._C._VariableFunctions, name, None) is not None or vars(F).get(name) is value
    return known and (of_torch or value in _FACTORIES or value.__module__ == "torch.functional")


def _is_of_numpy(value: Any, name: str) -> bool:
    return isinstance(value, np.ufunc) or (name in _NUMPY and vars(np).get(name) is value)


def _refuse_growth(tree: ast.AST, prepared: _Prepared) -> None:
    """Numbers that a line hands to what makes large things of them."""
    grows = any(_called(node) in _GROWS for node in ast.walk(tree) if isinstance(node, ast.Call))
    numbers = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)]
    product = 1
    for number in (*numbers, *_whole_numbers(prepared.values.values())):
        if type(number) is int and abs(number) > 1:
            product *= abs(number) if grows else 1
    powers = any(isinstance(node, ast.Pow | ast.LShift) for node in ast.walk(tree)) and grows
    if product > _LARGEST or powers:
        raise NoStandInError("the line may make something large")


def _whole_numbers(values: Any) -> Iterator[int]:
    for value in values:
        if type(value) is int:
            yield value
        elif type(value) in (list, tuple, torch.Size):
            yield from _whole_numbers(value[:100])


def _called(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def _gave(result: Any) -> str:
    """What a line gave, in a few words."""
    if isinstance(result, torch.Tensor):
        return f"gave {dtype_text(result.dtype)} {shape_text(tuple(result.shape))} on {result.device}"
    if isinstance(result, np.ndarray):
        return f"gave a NumPy array, {dtype_text(result.dtype)} {shape_text(result.shape)}"
    if isinstance(result, tuple) and any(isinstance(one, torch.Tensor) for one in result):
        return "gave " + ", ".join(_gave(one).removeprefix("gave ") for one in result)
    return f"gave a {type(result).__name__}" if result is not None else "ran without an error"
