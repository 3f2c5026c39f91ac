"""One cell of the atlas: what a constructor does with a source, and how that is said."""

from __future__ import annotations

from dataclasses import dataclass

import torch

from tutor._constructing.table import SOURCES, Key, code_line
from tutor._fact import Fact

# Sign and words of each outcome; the same as in pictures, which have their own table of colours to go with them.
SIGNS = {
    "share": ("=", "shares bytes"),
    "copy": ("+", "copied"),
    "cast": ("~", "copied and cast"),
    "make": ("#", "new bytes, no source"),
    "move": (">", "moved to another device"),
    "raise": ("x", "raises"),
    "end": ("X", "ends the process"),
    "pending": ("?", "not decided yet"),
}


@dataclass(frozen=True, repr=False)
class Cell(Fact):
    """What one constructor does with one source.

    Attributes
    ----------
    constructor, source
        The names that lead to it in the atlas.
    code
        The call, as it was run.
    where
        The lines that made the source, or nothing.
    outcome
        ``"share"``, ``"copy"``, ``"cast"`` (copied, the values converted to another dtype), ``"make"`` (new bytes that
        no value of the source went into), ``"move"`` (copied to another device), ``"raise"``, ``"end"`` (ends the
        process) or ``"pending"`` (not decided yet).
    dtype, shape, strides, device, requires_grad
        Of the tensor that came out, strides in elements; None if none came out.
    source_dtype
        The dtype of the source, or None if it has none (a list, a number).
    warnings
        The warnings that torch or a library gave, each as ``"Category: text"``.
    error
        The error that was raised, as ``"Type: text"``, or the last words of a process that ended.
    remark
        What else was seen and may surprise, in a sentence or two.
    alone
        Whether it ran in a process of its own.
    """

    constructor: str
    source: str
    code: str
    where: str
    outcome: str
    dtype: str | None = None
    shape: tuple[int, ...] | None = None
    strides: tuple[int, ...] | None = None
    device: str | None = None
    requires_grad: bool | None = None
    source_dtype: str | None = None
    warnings: tuple[str, ...] = ()
    error: str | None = None
    remark: str = ""
    alone: bool = False

    @property
    def contiguous(self) -> bool | None:
        """Whether the elements lie in memory in the order in which they are counted; None if no tensor came out."""
        if self.shape is None or self.strides is None:
            return None
        return torch.empty_strided(self.shape, self.strides, device="meta").is_contiguous()

    def __repr__(self) -> str:
        seen = (self.remark, self.error, *self.warnings)
        return "\n".join(filter(None, (self.where, self.code, self._outcome(), self._looks(), *seen)))

    def _outcome(self) -> str:
        sign, words = SIGNS[self.outcome]
        return f"{sign} {words}" + (f" from {self.source_dtype} to {self.dtype}" if self.outcome == "cast" else "")

    def _looks(self) -> str:
        if self.dtype is None:
            return ""
        layout = "" if self.contiguous else " (not contiguous)"
        place = f"device {self.device}, requires_grad {self.requires_grad}"
        return f"gives {self.dtype} {self.shape}, strides {self.strides}{layout}, {place}"


def blank(key: Key, outcome: str, *, error: str | None = None, remark: str = "", alone: bool = False) -> Cell:
    """A cell of which no tensor is known."""
    constructor, source = key
    where = SOURCES[source].where
    return Cell(constructor, source, code_line(key), where, outcome, error=error, remark=remark, alone=alone)


def noted(cell: Cell) -> bool:
    """Whether there is more to say of a cell than its mark and its error."""
    return bool(cell.remark or cell.warnings or cell.outcome == "end")


def notes(cell: Cell) -> tuple[str, ...]:
    """What there is to say of a cell, a sentence each: the remark, the last words of a process, the warnings."""
    last_words = (f"Its last words: {cell.error}",) if cell.outcome == "end" and cell.error else ()
    return (*((cell.remark,) if cell.remark else ()), *last_words, *cell.warnings)
