"""One cell of the atlas, found by running it: the source is made, handed over, and what came out is looked at.

Nothing here knows which constructor does what. Whether bytes are shared is decided by where the bytes lie, or, for a
source that hides them, by writing into the tensor and looking at the source.
"""

from __future__ import annotations

import array
import re
import warnings
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import torch

from tutor._constructing.cell import Cell, blank
from tutor._constructing.source import (
    bits_of,
    device_of,
    dtype_name,
    dtype_of,
    holds_addresses,
    is_read_only,
    shares,
    values_of,
)
from tutor._constructing.table import CONSTRUCTORS, SOURCES, Key
from tutor._hearing import all_ears
from tutor._words import count_text

_Heard = list[warnings.WarningMessage]


def observe(keys: Iterable[Key], *, alone: bool = False) -> Iterator[Cell]:
    """Run cells, one after the other, each on a source made afresh.

    The warnings of each are heard, also those that torch gives once per process; and none is used up.
    """
    with all_ears() as heard, torch.inference_mode(False), torch.enable_grad():
        for key in keys:
            heard.clear()
            yield _run(key, heard, alone)


def _run(key: Key, heard: _Heard, alone: bool) -> Cell:
    constructor, name = key
    names: dict[str, Any] = {"torch": torch, "np": np, "array": array}
    try:
        exec(SOURCES[name].where, names)
        source = eval(SOURCES[name].expression, names)
    except Exception as error:
        return blank(key, "pending", remark=f"The source could not be made: {_said(error)}.", alone=alone)
    heard.clear()
    try:
        result = eval(CONSTRUCTORS[constructor].format(x="source"), names | {"source": source})
    except Exception as error:
        return _described(blank(key, "raise", error=_said(error), alone=alone), heard)
    return _described(blank(key, "pending", alone=alone), heard, source, result)


def _described(cell: Cell, heard: _Heard, source: object = None, result: torch.Tensor | None = None) -> Cell:
    facts: dict[str, object] = {"warnings": tuple(dict.fromkeys(_warned(message) for message in heard))}
    if result is not None:
        facts |= _looks(result) | _comparison(source, result, warned=bool(heard))
        if "copy=False" in cell.code and facts["outcome"] != "share":
            facts["remark"] = f"copy=False was asked for. {facts['remark']}".rstrip()
    return Cell(**(vars(cell) | facts))


def _looks(result: torch.Tensor) -> dict[str, object]:
    return {
        "dtype": dtype_name(result.dtype),
        "shape": tuple(result.shape),
        "strides": tuple(result.stride()),
        "device": str(result.device),
        "requires_grad": result.requires_grad,
    }


def _comparison(source: object, result: torch.Tensor, *, warned: bool) -> dict[str, object]:
    """What became of the source: the outcome, and what may surprise about it."""
    seen = _Seen(source, result, warned)
    return {"outcome": seen.outcome(), "source_dtype": seen.source_dtype, "remark": " ".join(seen.remarks())}


class _Seen:
    """A source and the tensor made from it, side by side."""

    def __init__(self, source: object, result: torch.Tensor, warned: bool) -> None:
        self.source, self.result, self.warned = source, result, warned
        self.source_dtype = dtype_of(source)
        self.dtype = dtype_name(result.dtype)
        self.before = values_of(source)
        self.readable = result.device.type != "meta"
        self.after = result.detach().flatten().tolist() if self.readable else None
        same_bits = self.readable and bits_of(source) == bits_of(result)
        self.shares = shares(source, result)  # last, since it may have to write
        self.same_bits = self.shares or same_bits

    def outcome(self) -> str:
        if device_of(self.source) != self.result.device.type:
            return "move"
        if self.shares:
            return "share"
        if self.is_read_as_shape():
            return "make"
        converted = self.source_dtype not in (None, self.dtype) and not self.same_bits
        return "cast" if converted else "copy"

    def is_read_as_shape(self) -> bool:
        return isinstance(self.source, int) and tuple(self.result.shape) == (self.source,)

    def remarks(self) -> Iterator[str]:
        if self.is_read_as_shape():
            yield f"{self.source} was read as a shape, not as a value."
        elif self.before is not None and self.after is not None:
            yield from self._about_values(self.before, self.after)
        yield from self._about_layout()
        yield from self._about_the_graph()
        if self.result is self.source:
            yield "What comes back is the very object that was handed over."

    def _about_values(self, before: list[Any], after: list[Any]) -> Iterator[str]:
        changed = [(old, new) for old, new in zip(before, after, strict=False) if not _same(old, new)]
        if self.same_bits and holds_addresses(self.source):
            yield f"{count_text(len(before), 'object')} became {len(after)} numbers: their addresses, read as floats."
        elif self.same_bits and (changed or len(before) != len(after)):
            yield f"The same bits are read as another dtype: {_short(before)} became {_short(after)}."
        elif changed:
            old, new = changed[0]
            yield f"Not every value survives: {old!r} became {new!r}."
        elif self.source_dtype is None and _kind(before[0]) != _kind(after[0]):
            yield f"Every Python {_kind(before[0])} became a {_kind(after[0])}."

    def _about_layout(self) -> Iterator[str]:
        shape = getattr(self.source, "shape", None)
        same_number = self.before is not None and len(self.before) == self.result.numel()
        if shape is not None and same_number and tuple(shape) != tuple(self.result.shape):
            yield f"The shape {tuple(shape)} became {tuple(self.result.shape)}."
        if not self.shares and not self.result.is_contiguous():
            yield "The copy is not contiguous: it keeps the order in which the source lies in memory."
        if self.shares and is_read_only(self.source):
            yield "The source is read-only, the tensor is not" + ("." if self.warned else ", and no warning says so.")

    def _about_the_graph(self) -> Iterator[str]:
        if self.result.grad_fn is not None:
            yield f"It is part of the graph: its grad_fn is {type(self.result.grad_fn).__name__}."
        elif getattr(self.source, "requires_grad", False) and not self.result.requires_grad:
            yield "It does not require grad, though the source does."


def _same(old: object, new: object) -> bool:
    return old == new or (old != old and new != new)  # noqa: PLR0124 a NaN is like another NaN


def _kind(value: object) -> str:
    return type(value).__name__


def _short(values: list[Any]) -> str:
    shown = [f"{value:.3g}" if isinstance(value, float) else repr(value) for value in values[:4]]
    return ", ".join(shown + ["…"] * (len(values) > 4))


def _warned(message: warnings.WarningMessage) -> str:
    return f"{message.category.__name__}: {_clean(str(message.message))}"


def _said(error: BaseException) -> str:
    return f"{type(error).__name__}: {_clean(str(error))}"


def _clean(text: str) -> str:
    """A message without addresses and without the place in torch's source where it was written."""
    text = re.sub(r"\s*\(Triggered internally at [^)]*\)", "", text)
    text = re.sub(r"\bException raised from .*", "", text, flags=re.S)
    text = re.sub(r"0x[0-9a-fA-F]+", "0x…", text)
    return " ".join(text.split())
