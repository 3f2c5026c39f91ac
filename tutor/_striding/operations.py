"""The operations of the stride explorer: what they take, what they take at first, and the code that does them.

The code is what is run, so that what is shown is what happened.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

import torch

from tutor._striding.model import Arguments


@dataclass(frozen=True)
class Parameter:
    """Something that an operation takes.

    ``kind`` is ``"dim"`` for a dimension, ``"number"``, or ``"numbers"`` for several, which are given as text.
    """

    name: str
    label: str
    kind: str


@dataclass(frozen=True)
class Operation:
    """One operation: its group, what it takes, what it takes at first for a given tensor, and its code."""

    name: str
    group: str
    parameters: tuple[Parameter, ...]
    first: Callable[[torch.Tensor], dict[str, int | str]]
    code: Callable[[Arguments], str]


def numbers(text: object) -> str:
    """Numbers as arguments of a call, or the empty tuple.

    >>> numbers("2,6"), numbers(" (3, -1) "), numbers("")
    ('2, 6', '3, -1', '()')

    Raises
    ------
    ValueError
        If there is anything but whole numbers with commas between.
    """
    inside = str(text).strip().removeprefix("(").removesuffix(")").removeprefix("[").removesuffix("]").strip(" ,")
    if not inside:
        return "()"
    pieces = [piece.strip() for piece in inside.split(",")]
    if not all(re.fullmatch(r"-?[0-9]{1,18}", piece) for piece in pieces):
        raise ValueError(f"Expected whole numbers with commas between, such as 2, 6, but got {str(text)!r}.")
    return ", ".join(str(int(piece)) for piece in pieces)


def _indexed(dim: object, inside: str) -> str:
    return f"[{':, ' * int(str(dim))}{inside}]"


def _last(t: torch.Tensor) -> int:
    return max(0, t.dim() - 1)


def _size(t: torch.Tensor, dim: int) -> int:
    return int(t.shape[dim]) if t.dim() else 1


def _turned(t: torch.Tensor) -> str:
    dims = [*range(t.dim())]
    keep = 1 if t.dim() == 4 else 0  # a batch of images stays a batch
    return ", ".join(map(str, [*dims[:keep], *dims[keep + 1 :], *dims[keep : keep + 1]]))


def _sizes(label: str) -> tuple[Parameter, ...]:
    return (Parameter("sizes", label, "numbers"),)


_DIM = Parameter("dim", "dim", "dim")
_FROM = Parameter("start", "from", "number")

OPERATIONS = {
    one.name: one
    for one in (
        Operation(
            "transpose",
            "turn",
            (_DIM, Parameter("other", "with dim", "dim")),
            lambda t: {"dim": max(0, t.dim() - 2), "other": max(1, t.dim() - 1)},
            lambda a: f".transpose({a['dim']}, {a['other']})",
        ),
        Operation(
            "permute",
            "turn",
            _sizes("order of dims"),
            lambda t: {"sizes": _turned(t)},
            lambda a: f".permute({numbers(a['sizes'])})",
        ),
        Operation("flip", "turn", (_DIM,), lambda t: {"dim": 0}, lambda a: f".flip({a['dim']})"),
        Operation(
            "slice",
            "pick",
            (_DIM, _FROM, Parameter("stop", "to", "number")),
            lambda t: {"dim": _last(t), "start": int(_size(t, -1) > 1), "stop": _size(t, -1)},
            lambda a: _indexed(a["dim"], f"{a['start'] or ''}:{a['stop']}"),
        ),
        Operation(
            "step",
            "pick",
            (_DIM, _FROM, Parameter("step", "step", "number")),
            lambda t: {"dim": _last(t), "start": 0, "step": 2},
            lambda a: _indexed(a["dim"], f"{a['start'] or ''}::{a['step']}"),
        ),
        Operation(
            "narrow",
            "pick",
            (_DIM, _FROM, Parameter("length", "length", "number")),
            lambda t: {"dim": 0, "start": int(_size(t, 0) > 1), "length": max(1, _size(t, 0) - 1)},
            lambda a: f".narrow({a['dim']}, {a['start']}, {a['length']})",
        ),
        Operation(
            "expand",
            "grow",
            _sizes("sizes"),
            lambda t: {"sizes": ", ".join(map(str, (2, *t.shape)))},
            lambda a: f".expand({numbers(a['sizes'])})",
        ),
        Operation(
            "unsqueeze",
            "grow",
            (Parameter("dim", "dim", "new dim"),),
            lambda t: {"dim": 0},
            lambda a: f".unsqueeze({a['dim']})",
        ),
        Operation(
            "view", "read as", _sizes("sizes"), lambda t: {"sizes": "-1"}, lambda a: f".view({numbers(a['sizes'])})"
        ),
        Operation(
            "reshape",
            "read as",
            _sizes("sizes"),
            lambda t: {"sizes": "-1"},
            lambda a: f".reshape({numbers(a['sizes'])})",
        ),
        Operation("contiguous", "read as", (), lambda t: {}, lambda a: ".contiguous()"),
        Operation(
            "channels_last", "read as", (), lambda t: {}, lambda a: ".contiguous(memory_format=torch.channels_last)"
        ),
    )
}
GROUPS = tuple(dict.fromkeys(one.group for one in OPERATIONS.values()))
MAY_COPY = ("flip", "reshape", "contiguous", "channels_last")


def run(t: torch.Tensor, code: str) -> torch.Tensor:
    """Do to `t` what `code` says behind its name; `code` comes from an `Operation`, never from a person."""
    with torch.no_grad():
        result = eval(f"t{code}", {"torch": torch, "t": t})
    if not isinstance(result, torch.Tensor):
        raise TypeError(f"t{code} gave a {type(result).__name__}, no tensor")
    return result
