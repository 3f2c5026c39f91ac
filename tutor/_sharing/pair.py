"""A source and what a conversion made of it: the real objects, written in place."""

from __future__ import annotations

import re
from array import array
from typing import Any

import numpy as np
import torch

from tutor._constructing.source import dtype_name, dtype_of
from tutor._hearing import all_ears
from tutor._inspecting.subject import full_name
from tutor._inspecting.tensors import is_fake
from tutor._mapping.model import MemoryMap
from tutor._sharing.model import Cell, Sharing, SharingTable, Write
from tutor._sharing.snapshot import Index, Snapshot, bar_of, changes, snapshot
from tutor._sharing.table import CONVERSIONS, FROM_FLOAT64, OTHER_DTYPE, SOURCES
from tutor.memory import memory_map, shared_memory

OWN = "your source"
SIDES = ("source", "result")
_MOST = 100_000  # elements: all of them are compared before and after each write
_SEEN = (np.ndarray, torch.Tensor, bytearray, array)  # what has bytes to show, besides the references of a list
_ENDS = "not run: torch ends the process when it is handed negative strides through DLPack"


class Pair:
    """One source, one conversion, and the two objects.

    Parameters
    ----------
    source, conversion
        Names of `SOURCES` and `CONVERSIONS`; `OWN` for the learner's own.
    own
        The learner's own source. It is written in place; `restore` puts its values back.
    """

    def __init__(self, source: str, conversion: str, own: object = None) -> None:
        lines = () if source == OWN else SOURCES[source]
        self._own = source == OWN
        self._objects: dict[str, Any] = {"np": np, "torch": torch}
        if source == OWN:
            self._objects["source"] = own
        for line in lines:
            exec(line, self._objects)
        call = CONVERSIONS[conversion]
        if conversion == OTHER_DTYPE and getattr(self._objects["source"], "dtype", None) == torch.float64:
            call = FROM_FLOAT64
        self._first = snapshot(self._objects["source"])
        self._presses = {"source": 0, "result": 0}
        self._seen: dict[str, bool | None] = {"source": None, "result": None}
        self._write: Write | None = None
        self._lines = (*lines, f"result = {call}")
        self._error, self._warnings = self._run(self._lines[-1])
        self._overlap = self._overlapping()

    def _run(self, line: str) -> tuple[str | None, tuple[str, ...]]:
        """Run a line of code: what it raised, and the warnings."""
        source, error = self._objects["source"], None
        if "from_dlpack" in line and isinstance(source, np.ndarray) and any(step < 0 for step in source.strides):
            return _ENDS, ()
        with all_ears() as messages, torch.inference_mode(False), torch.enable_grad():
            try:
                exec(line, self._objects)
            except Exception as raised:  # whatever torch or NumPy raises is what there is to show
                error = _said(type(raised), raised)
        return error, tuple(dict.fromkeys(_said(m.category, m.message) for m in messages))

    def _named(self) -> dict[str, Any]:
        return {side: self._objects[side] for side in SIDES if isinstance(self._objects.get(side), _SEEN)}

    def _overlapping(self) -> bool | None:
        named = self._named()
        return shared_memory(*named.values()).elements_overlap if len(named) == len(SIDES) else None

    def _map(self) -> MemoryMap:
        named = self._named()
        return memory_map(**named) if named else MemoryMap((), ())

    def can_write(self, side: str) -> bool:
        """Whether there is an object on that side with an element to write on."""
        return side in self._objects and bool(snapshot(self._objects[side]).values)

    def write(self, side: str) -> Write:
        """Write on one element of one side, the next one at each call, and compare both sides before and after.

        Raises
        ------
        ValueError
            If there is no element on that side.
        """
        if not self.can_write(side):
            raise ValueError(f"side: there is no element to write on in {side!r}")
        before = {name: snapshot(self._objects[name]) for name in SIDES if name in self._objects}
        line = self._next_line(side, before[side])
        error, said = self._run(line)
        drawn = self._map()
        changed = {
            name: changes(old, snapshot(self._objects[name]), bar_of(drawn, name)) for name, old in before.items()
        }
        self._write = Write(side, line, error, said, changed["source"], changed.get("result", ()))
        if error is None and "result" in before:
            # one write that is seen shows it; one that is not may have met an element that the other does not reach
            self._seen[side] = bool(self._seen[side]) or self._write.seen
        return self._write

    def _next_line(self, side: str, held: Snapshot) -> str:
        places = list(held.values)
        start = places.index(_second(places))
        index = places[(start + self._presses[side]) % len(places)]
        self._presses[side] += 1
        x, new = self._objects[side], _new_value(held.values[index], self._presses[side])
        where = "".join(f"[{i}]" for i in index) if isinstance(x, list) else f"[{', '.join(map(str, index)) or '()'}]"
        return f"{side}{where} = {new!r}"

    def restore(self) -> None:
        """Put back the values that the learner's own source had, one by one where they changed."""
        if not self._own:
            return
        source = self._objects["source"]
        with all_ears(), torch.no_grad():
            for index, value in self._first.values.items():
                now = snapshot(source).values[index] if isinstance(source, list) else _item(source, index)
                if now is not value and now != value:
                    _put(source, index, value)

    def sharing(self) -> Sharing:
        """What there is to say and to draw, as it is now."""
        there = "result" in self._objects
        return Sharing(
            self._lines,
            (full_name(type(self._objects["source"])), full_name(type(self._objects["result"])) if there else ""),
            self._error,
            self._warnings,
            there and self._objects["result"] is self._objects["source"],
            self._overlap,
            self._map(),
            self._write,
            self._seen["source"],
            self._seen["result"],
        )

    def nested(self) -> bool:
        """Whether both are lists, and a list within one is within the other too."""
        inner = [[id(x) for x in self._objects[side] if isinstance(x, list)] for side in SIDES if self._is_list(side)]
        return len(inner) == len(SIDES) and bool({*inner[0]} & {*inner[1]})

    def _is_list(self, side: str) -> bool:
        return isinstance(self._objects.get(side), list)

    def casts(self) -> bool:
        """Whether the result has another dtype than the source brought along."""
        dtypes = [_dtype(self._objects[side]) for side in SIDES]
        return None not in dtypes and dtypes[0] != dtypes[1]


def _said(kind: type, said: object) -> str:
    """The words of an error or a warning, without the place in torch's own sources."""
    text = re.sub(r"\s*\(Triggered internally at [^)]*\)", "", str(said))
    return f"{kind.__name__}: {' '.join(text.split())}"


def _second(places: list[Index]) -> Index:
    """The place that is one step in along every dimension, where there is one."""
    last = places[-1]
    wanted = tuple(min(1, n) for n in last)
    return wanted if wanted in places else places[0]


def _new_value(old: object, press: int) -> object:
    if isinstance(old, bool):
        return not old
    kind = type(old) if isinstance(old, int | float | complex) else float
    new = kind(press % 100)
    return kind(0) if new == old else new


def _item(x: Any, index: Index) -> object:
    found = x[index] if isinstance(x, np.ndarray | torch.Tensor) else x[index[0]]
    return found.item() if hasattr(found, "item") else found


def _put(x: Any, index: Index, value: object) -> None:
    if isinstance(x, list):
        for i in index[:-1]:
            x = x[i]
    x[index if isinstance(x, np.ndarray | torch.Tensor) else index[-1]] = value


def _dtype(x: object) -> str | None:
    if isinstance(x, torch.Tensor):
        return dtype_name(x.dtype)
    return None if isinstance(x, list) else dtype_of(x)


def check_source(x: object) -> None:
    """See to it that a learner's own source can be written on and compared.

    Raises
    ------
    TypeError
        If it is of another kind, or has no memory that may be written.
    ValueError
        If it has no elements, or too many.
    """
    kinds = "a writable NumPy array of numbers, a tensor with memory, a list of numbers, a bytearray or an array.array"
    if not isinstance(x, (list, *_SEEN)) or (why := _unfit(x)) is not None:
        got = full_name(type(x)) if not isinstance(x, (list, *_SEEN)) else why
        raise TypeError(f"sharing_demo expected source to be {kinds}, but got {got}")
    n = x.numel() if isinstance(x, torch.Tensor) else x.size if isinstance(x, np.ndarray) else len(x)
    n = len(snapshot(x).values) if isinstance(x, list) and n <= _MOST else n
    if not 0 < n <= _MOST:
        few = f"1 to {_MOST:,} elements, since all are compared before and after a write"
        raise ValueError(f"sharing_demo expected source to have {few}, but got {n:,}")


def _unfit(x: object) -> str | None:
    if isinstance(x, np.ndarray):
        if x.dtype.kind not in "biufc":
            return f"an array of {x.dtype}"
        return None if x.flags.writeable else "a read-only array"
    if isinstance(x, torch.Tensor):
        if x.layout != torch.strided or x.is_nested or x.is_quantized:
            return f"a tensor of layout {x.layout}"
        return f"a tensor on {x.device}, without values" if x.device.type == "meta" or is_fake(x) else None
    if isinstance(x, list) and not all(isinstance(value, bool | int | float) for value in snapshot(x).values.values()):
        return "a list with other items"
    return "an array.array of characters" if isinstance(x, array) and x.typecode in "uw" else None


def observe_table() -> SharingTable:
    """Make every source afresh for every conversion, write on both sides, and see what is seen."""
    cells = tuple(_cell(source, conversion) for source in SOURCES for conversion in CONVERSIONS)
    return SharingTable(tuple(SOURCES), tuple(CONVERSIONS), cells)


def observe_own(source: object) -> SharingTable:
    """Convert a learner's own source in every way, without a write on it: addresses say what is shared."""
    cells = tuple(_own_cell(Pair(OWN, conversion, source), conversion) for conversion in CONVERSIONS)
    return SharingTable((OWN,), tuple(CONVERSIONS), cells)


def _cell(source: str, conversion: str) -> Cell:
    pair = Pair(source, conversion)
    if pair.sharing().error is not None:
        return Cell(source, conversion, "raise", "writes")
    for side in ("result", "source"):
        pair.write(side)
    seen = pair.sharing()
    tried = [one for one in (seen.source_seen, seen.result_seen) if one is not None]
    return _decided(pair, source, conversion, any(tried) if tried else seen.overlap, "writes" if tried else "addresses")


def _own_cell(pair: Pair, conversion: str) -> Cell:
    seen = pair.sharing()
    if seen.error is not None:
        return Cell(OWN, conversion, "raise", "addresses")
    return _decided(pair, OWN, conversion, bool(seen.same_object or seen.overlap or pair.nested()), "addresses")


def _decided(pair: Pair, source: str, conversion: str, shares: bool | None, by: str) -> Cell:
    return Cell(source, conversion, "share" if shares else "cast" if pair.casts() else "copy", by)
