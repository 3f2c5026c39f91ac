"""The facts about a source, what was made of it, and a write on one of the two."""

from __future__ import annotations

from dataclasses import dataclass

from tutor._fact import Fact
from tutor._mapping.model import MemoryMap


@dataclass(frozen=True)
class Change:
    """One element that was not the same after a write.

    Attributes
    ----------
    index
        Where it is, as it is indexed.
    before, after
        Its value, as text.
    place
        The bytes of the storage that it lies in, from and to; None in a list, which holds references.
    differing
        Those of its bytes that changed.
    """

    index: tuple[int, ...]
    before: str
    after: str
    place: tuple[int, int] | None
    differing: tuple[int, ...]


@dataclass(frozen=True)
class Write:
    """One write in place, and what was different after it.

    Attributes
    ----------
    side
        ``"source"`` or ``"result"``: what the line of code writes on.
    code
        The line that was run.
    error, warnings
        What it raised, if it did, and the warnings that came.
    source, result
        The elements that changed, found by comparing every byte before with every byte after.
    """

    side: str
    code: str
    error: str | None
    warnings: tuple[str, ...]
    source: tuple[Change, ...]
    result: tuple[Change, ...]

    @property
    def seen(self) -> bool:
        """Whether both sides changed."""
        return bool(self.source and self.result)


@dataclass(frozen=True, repr=False)
class Sharing(Fact):
    """A source and what a line of code made of it, as they are after the last write.

    Attributes
    ----------
    lines
        The code that was run: how the source was made, and the conversion.
    kinds
        The classes of source and result; the second is empty where there is no result.
    error, warnings
        What the conversion raised, if it did, and the warnings that came.
    same_object
        Whether the result is the source itself.
    overlap
        Whether an element of one is an element of the other, from addresses; None where that is not known.
    map
        The bytes of both, with no storage where neither is an array.
    write
        The last write.
    source_seen, result_seen
        Whether a write on the source was seen in the result, and the other way round; None before there was one.
    """

    lines: tuple[str, ...]
    kinds: tuple[str, str]
    error: str | None
    warnings: tuple[str, ...]
    same_object: bool
    overlap: bool | None
    map: MemoryMap
    write: Write | None
    source_seen: bool | None
    result_seen: bool | None

    def __repr__(self) -> str:
        from tutor._sharing.text import sharing_text  # noqa: PLC0415 - the text is written from the facts

        return sharing_text(self)


@dataclass(frozen=True)
class Cell:
    """What one conversion did with one source.

    Attributes
    ----------
    source, conversion
        Their names.
    outcome
        ``"share"``, ``"copy"``, ``"cast"`` or ``"raise"``.
    by
        How it was found: ``"writes"``, or ``"addresses"`` where no write was made.
    """

    source: str
    conversion: str
    outcome: str
    by: str


@dataclass(frozen=True, repr=False)
class SharingTable(Fact):
    """Every conversion of every source, as observed in this process."""

    sources: tuple[str, ...]
    conversions: tuple[str, ...]
    cells: tuple[Cell, ...]

    def __getitem__(self, key: tuple[str, str]) -> Cell:
        """The cell of a source and a conversion."""
        return next(cell for cell in self.cells if (cell.source, cell.conversion) == key)

    def __repr__(self) -> str:
        from tutor._sharing.text import table_text  # noqa: PLC0415

        return table_text(self)
