"""The value of an expression, found without running any code: names, attributes and constant subscripts only."""

from __future__ import annotations

import ast
import builtins
import inspect
from collections import OrderedDict, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import FunctionType, MemberDescriptorType, ModuleType
from typing import Any

import numpy as np
import torch

MISSING = object()


def words_of(text: str) -> frozenset[str]:
    """The words of a text, to look others up in."""
    return frozenset(text.split())


_OURS = {"torch": torch}  # which corrected lines use
_PLAIN = (torch.Tensor, torch.nn.Parameter, torch.nn.parameter.Buffer)
_OF_TENSORS = words_of("shape dtype device T mT H mH data grad is_leaf requires_grad real imag ndim itemsize nbytes")
_OF_ARRAYS = words_of("shape dtype T ndim size real imag strides itemsize nbytes")
_TUPLE_FIELD = type(inspect.getattr_static(inspect.FullArgSpec, "args"))
_TABLES = (dict, OrderedDict, defaultdict)


@dataclass(frozen=True)
class Scope:
    """The names that a frame sees."""

    local: Mapping[str, Any]
    world: Mapping[str, Any]
    held: dict[str, Any] = field(default_factory=dict)

    def name(self, name: str) -> Any:
        """The value of a name, or `MISSING`."""
        for names in (self.held, self.local, self.world, vars(builtins), _OURS):
            if name in names:
                return names[name]
        return MISSING


def look(node: ast.AST, scope: Scope) -> Any:
    """The value of a chain of names, attributes and constant subscripts, or `MISSING`."""
    if isinstance(node, ast.Name):
        return scope.name(node.id)
    if isinstance(node, ast.Attribute):
        base = look(node.value, scope)
        return MISSING if base is MISSING else attribute(base, node.attr)
    if isinstance(node, ast.Subscript):
        base, key = look(node.value, scope), _key(node.slice, scope)
        return MISSING if MISSING in (_identity(base), _identity(key)) else _item(base, key)
    return MISSING


def _identity(x: Any) -> Any:
    return MISSING if x is MISSING else None


def attribute(base: Any, name: str) -> Any:
    """What an attribute holds, if no code needs to run to know it."""
    if isinstance(base, ModuleType):
        return vars(base).get(name, MISSING)
    if type(base) in _PLAIN and name in _OF_TENSORS:
        return _attempt(lambda: getattr(base, name))
    if type(base) is np.ndarray and name in _OF_ARRAYS:
        return _attempt(lambda: getattr(base, name))
    if isinstance(base, torch.nn.Module):
        return _of_layer(base, name)
    if isinstance(base, type) and base.__module__.partition(".")[0] in ("torch", "numpy"):
        return vars(base).get(name, MISSING)
    return _static(base, name)


def _of_layer(layer: torch.nn.Module, name: str) -> Any:
    own = layer.__dict__
    for table in (own, *(own.get(key) or {} for key in ("_parameters", "_buffers", "_modules"))):
        if name in table:
            return table[name]
    return MISSING


def _static(base: Any, name: str) -> Any:
    found = inspect.getattr_static(base, name, MISSING)
    if isinstance(found, MemberDescriptorType | _TUPLE_FIELD):
        return _attempt(lambda: found.__get__(base))
    return MISSING if isinstance(found, FunctionType | property) or hasattr(type(found), "__get__") else found


def _key(node: ast.AST, scope: Scope) -> Any:
    if isinstance(node, ast.Name):
        value = scope.name(node.id)
        return value if type(value) in (int, str, bool) or value is None else MISSING
    if isinstance(node, ast.Slice):
        ends = [_key(end, scope) if end is not None else None for end in (node.lower, node.upper, node.step)]
        return MISSING if MISSING in ends else slice(*ends)
    if isinstance(node, ast.Tuple):
        keys = [_key(one, scope) for one in node.elts]
        return MISSING if any(key is MISSING for key in keys) else tuple(keys)
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError):
        return MISSING


def _item(base: Any, key: Any) -> Any:
    if type(base) in _TABLES:
        return dict.get(base, key, MISSING) if isinstance(key, int | str | tuple) else MISSING
    if isinstance(base, list) and isinstance(key, int | slice):
        return _attempt(lambda: list.__getitem__(base, key))
    if isinstance(base, tuple) and isinstance(key, int | slice):
        return _attempt(lambda: tuple.__getitem__(base, key))
    if type(base) in (*_PLAIN, np.ndarray) and _is_basic(key):
        return _attempt(lambda: base[key])
    return _layer(base, key)


def _layer(base: Any, key: Any) -> Any:
    if type(base) in (torch.nn.Sequential, torch.nn.ModuleList) and isinstance(key, int):
        return _attempt(lambda: list(base._modules.values())[key])
    return base._modules.get(key, MISSING) if type(base) is torch.nn.ModuleDict and isinstance(key, str) else MISSING


def _is_basic(key: Any) -> bool:
    """Whether an index gives a view, and so reads nothing."""
    parts = key if isinstance(key, tuple) else (key,)
    return all(type(part) is int or part is None or part is ... or isinstance(part, slice) for part in parts)


def _attempt(question: Any) -> Any:
    try:
        return question()
    except Exception:  # a wrong index, a view that torch refuses: there is no such value
        return MISSING
