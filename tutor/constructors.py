"""Every way to make a tensor, crossed with everything to make one from, as it happens here."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from tutor._constructing.cell import Cell, blank
from tutor._constructing.observe import observe
from tutor._constructing.run import Run
from tutor._constructing.table import CONSTRUCTORS, SOURCES, distribution, installed, isolated
from tutor._constructing.text import text
from tutor._fact import Fact

__all__ = ["Atlas", "Cell", "atlas"]

OUTCOMES = ("share", "copy", "cast", "make", "move", "raise", "end", "pending")

# The longest an output waits for cells that run elsewhere before it is shown without them.
_SOON_S = 2.0


@dataclass(frozen=True, repr=False)
class Atlas(Fact):
    """What each constructor does with each source.

    Attributes
    ----------
    constructors, sources
        The names of the columns and of the rows.
    cells
        A `Cell` for each pair, row by row. Those that run in a process of their own may still be ``"pending"``.
    missing
        Sources that were left out, each with the name of the library that is not installed.
    """

    constructors: tuple[str, ...]
    sources: tuple[str, ...]
    cells: tuple[Cell, ...]
    missing: tuple[tuple[str, str], ...] = ()
    _run: Run | None = field(default=None, compare=False)

    def wait(self) -> Atlas:
        """The atlas with every cell decided. Returns as soon as the processes have answered."""
        if self._run is not None:
            self._run.wait()
        return self.now()

    def soon(self) -> Atlas:
        """The atlas as it stands two seconds after it was asked for, or when it is complete."""
        if self._run is not None:
            self._run.wait(until=self._run.started + _SOON_S)
        return self.now()

    def now(self) -> Atlas:
        """The atlas with what is known by now. Does not wait."""
        if self._run is None:
            return self
        self._run.step()
        known = self._run.cells
        cells = tuple(known.get((cell.constructor, cell.source), cell) for cell in self.cells)
        return replace(self, cells=cells, _run=None if self._run.done else self._run)

    @property
    def complete(self) -> bool:
        """Whether no cell is being run any more."""
        return self._run is None or self._run.done

    @property
    def counts(self) -> dict[str, int]:
        """How many cells have each outcome, for the outcomes there are."""
        found = [cell.outcome for cell in self.cells]
        return {outcome: found.count(outcome) for outcome in OUTCOMES if outcome in found}

    def filter(self, outcome: str) -> tuple[Cell, ...]:
        """The cells with one outcome. Waits for cells that are still being run.

        Parameters
        ----------
        outcome
            ``"share"``, ``"copy"``, ``"cast"``, ``"make"``, ``"move"``, ``"raise"``, ``"end"`` or ``"pending"``.

        Raises
        ------
        ValueError
            If there is no such outcome.
        """
        _check_known("outcome", [outcome], OUTCOMES)
        return tuple(cell for cell in self.wait().cells if cell.outcome == outcome)

    def __getitem__(self, key: tuple[str, str]) -> Cell:
        """The cell of a constructor and a source. Waits if it is still being run."""
        if not (isinstance(key, tuple) and len(key) == 2):
            raise TypeError(f"an atlas is asked for a pair, atlas()[constructor, source]; got {key!r}")
        constructor, source = key
        _check_known("constructor", [constructor], self.constructors)
        _check_known("source", [source], self.sources)
        place = self.sources.index(source) * len(self.constructors) + self.constructors.index(constructor)
        cell = self.cells[place]
        return self.wait().cells[place] if cell.outcome == "pending" and self._run is not None else cell

    def __repr__(self) -> str:
        return text(self.wait())

    def _repr_html_(self) -> str:
        return Fact._repr_html_(self.wait())

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Mapping[str, Any]:
        bundle: Mapping[str, Any] = importlib.import_module("tutor.widgets.atlas").bundle(self)
        return bundle


def atlas(constructors: Iterable[str] | None = None, sources: Iterable[str] | None = None) -> Atlas:
    """Run every way to make a tensor on every kind of source, and see what each does.

    Each cell is found by running it: whether the tensor shares the bytes of its source, copies or casts them, or what
    is raised; which dtype, shape, strides and device come out; whether it requires grad; and what torch warns about.
    What might end the process, and what needs a further library, runs in processes of its own. They are started at
    once; the rest is there already when the call returns. Your own settings hold: default dtype and default device.

    Nothing of yours is touched, no warning that torch gives once per process is used up.

    Parameters
    ----------
    constructors
        Names of the constructors to show, in this order; all of them if not given.
    sources
        Names of the sources to show, in this order; all of them if not given. Sources of a library that is not
        installed are left out.

    Returns
    -------
    Atlas
        In a notebook it shows itself as a table to walk through, and fills in what is still being run; in a terminal as
        text.

    Raises
    ------
    ValueError
        If there is no constructor or source of that name.
    TypeError
        If names are given as one string, or are no strings.

    Notes
    -----
    The constructors are described at https://docs.pytorch.org/docs/stable/torch.html#creation-ops and in
    https://docs.pytorch.org/docs/stable/tensors.html.

    Examples
    --------
    >>> from tutor import atlas
    >>> small = atlas(["tensor", "from_numpy"], ["[1, 2, 3]", "float32 array", "float64 array"])
    >>> small["from_numpy", "float32 array"].outcome
    'share'
    >>> [cell.code for cell in small.filter("raise")]
    ['torch.from_numpy([1, 2, 3])']
    """
    columns = _chosen("constructors", constructors, CONSTRUCTORS)
    asked = _chosen("sources", sources, SOURCES)
    rows = tuple(name for name in asked if installed(SOURCES[name]))
    missing = tuple((name, distribution(SOURCES[name])) for name in asked if name not in rows)
    keys = [(constructor, source) for source in rows for constructor in columns]
    elsewhere = [key for key in keys if isolated(key)]
    run = Run(elsewhere) if elsewhere else None
    here = {(cell.constructor, cell.source): cell for cell in observe(key for key in keys if not isolated(key))}
    cells = tuple(here.get(key) or blank(key, "pending", alone=True) for key in keys)
    return Atlas(columns, rows, cells, missing, run)


def _chosen(argument: str, names: Iterable[str] | None, known: Mapping[str, object]) -> tuple[str, ...]:
    if names is None:
        return tuple(known)
    if isinstance(names, str):
        raise TypeError(f"{argument}: expected several names, such as [{names!r}], got the one string {names!r}")
    if not isinstance(names, Iterable):
        raise TypeError(f"{argument}: expected several names, got {names!r} of type {type(names).__name__}")
    chosen = tuple(dict.fromkeys(names))
    _check_known(argument, chosen, tuple(known))
    return chosen


def _check_known(argument: str, names: Iterable[object], known: tuple[str, ...]) -> None:
    for name in names:
        if not isinstance(name, str):
            raise TypeError(f"{argument}: expected names, got {name!r} of type {type(name).__name__}")
        if name not in known:
            raise ValueError(f"{argument}: there is no {name!r}; there are {', '.join(map(repr, known))}")
