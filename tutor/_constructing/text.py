"""The atlas as text for a terminal: a table of marks, what they mean, and what is worth knowing beyond them."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from typing import Protocol

from tutor._constructing.cell import SIGNS, Cell, noted, notes

_WIDTH = 100


class _Table(Protocol):
    @property
    def constructors(self) -> tuple[str, ...]: ...
    @property
    def sources(self) -> tuple[str, ...]: ...
    @property
    def cells(self) -> tuple[Cell, ...]: ...
    @property
    def missing(self) -> tuple[tuple[str, str], ...]: ...
    @property
    def counts(self) -> dict[str, int]: ...


def text(atlas: _Table) -> str:
    """The whole atlas as text."""
    parts = ["\n".join(_table(atlas)), legend(atlas.counts)]
    parts += ["\n".join(_noted(atlas.cells))] if any(map(noted, atlas.cells)) else []
    parts += [absent(atlas.missing)] if atlas.missing else []
    return "\n\n".join(filter(None, parts))


def legend(counts: dict[str, int]) -> str:
    """The marks that occur, their meaning, and how often.

    >>> legend({"share": 2, "raise": 1})
    '= shares bytes 2   x raises 1'
    """
    return "   ".join(f"{SIGNS[outcome][0]} {SIGNS[outcome][1]} {count}" for outcome, count in counts.items())


def absent(missing: Iterable[tuple[str, str]]) -> str:
    """One line about the sources that were left out.

    >>> absent([("JAX array", "jax")])
    'Not installed here, so not shown: jax (JAX array).'
    """
    libraries: dict[str, list[str]] = {}
    for source, library in missing:
        libraries.setdefault(library, []).append(source)
    shown = [f"{library} ({', '.join(sources)})" for library, sources in libraries.items()]
    return f"Not installed here, so not shown: {', '.join(shown)}."


def remarks(cells: Iterable[Cell]) -> dict[str, list[Cell]]:
    """Each thing there is to say, with the cells of which it is said."""
    said: dict[str, list[Cell]] = {}
    for cell in cells:
        for note in notes(cell):
            said.setdefault(note, []).append(cell)
    return said


def _table(atlas: _Table) -> Iterator[str]:
    width = max((len(name) for name in atlas.sources), default=0) + 2
    for i, name in enumerate(atlas.constructors):
        yield " " * width + "| " * i + name
    columns = len(atlas.constructors)
    for i, source in enumerate(atlas.sources):
        row = atlas.cells[i * columns : (i + 1) * columns]
        yield f"{source:{width}}" + " ".join(SIGNS[cell.outcome][0] for cell in row)


def _noted(cells: Iterable[Cell]) -> Iterator[str]:
    yield "Remarks"
    for note, about in remarks(cells).items():
        yield _filled(f"{where(about)}: {note}")


def where(cells: Iterable[Cell]) -> str:
    """Cells by name, those of like constructors together.

    >>> from tutor import atlas
    >>> where(atlas(["Tensor", "FloatTensor"], ["3", "range(3)"]).cells)
    'Tensor, FloatTensor of 3, range(3)'
    """
    rows: dict[str, list[str]] = {}
    for cell in cells:
        rows.setdefault(cell.source, []).append(cell.constructor)
    columns: dict[str, list[str]] = {}
    for source, constructors in rows.items():
        columns.setdefault(", ".join(constructors), []).append(source)
    return "; ".join(f"{constructors} of {', '.join(sources)}" for constructors, sources in columns.items())


def _filled(line: str) -> str:
    return textwrap.fill(line, _WIDTH, initial_indent="- ", subsequent_indent="  ", break_on_hyphens=False)
