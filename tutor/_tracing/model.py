"""What a piece of code did to memory, as facts."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Literal, get_args

from tutor._fact import Fact

Kind = Literal["view", "copy", "cast", "transfer", "wait", "allocation", "in-place"]
KINDS: tuple[Kind, ...] = get_args(Kind)

# The mark that stands for a kind, beside its colour or without it, and the word.
MARKS: dict[Kind, str] = {
    "view": "=",
    "copy": "+",
    "cast": "~",
    "transfer": ">",
    "wait": "!",
    "allocation": "#",
    "in-place": "*",
}
WORDS: dict[Kind, str] = {
    "view": "view",
    "copy": "copied",
    "cast": "cast",
    "transfer": "moved",
    "wait": "waits",
    "allocation": "new",
    "in-place": "written",
}

_MOST_ROWS = 8  # of one line, before events of different sizes share one


@dataclass(frozen=True)
class Side:
    """What stood at one end of an event.

    Attributes
    ----------
    what
        The type of the object: "Tensor", "numpy.ndarray", "list", "float".
    dtype, device
        Without "torch.", such as "float32" and "cuda:0"; empty where the object has none.
    shape
        None where the object has none.
    """

    what: str
    dtype: str = ""
    device: str = ""
    shape: tuple[int, ...] | None = None


@dataclass(frozen=True)
class Event:
    """One thing that happened to memory.

    Attributes
    ----------
    kind
        "view": the result reaches bytes that existed before. "copy", "cast" (into another dtype), "transfer" (onto
        another device): values that existed before were written elsewhere. "allocation": new bytes with no such
        source. "in-place": bytes that existed before were written. "wait": the program needs a value that a device
        has computed.
    op
        The operator, or the function where no operator ran, such as "permute" or "numpy".
    bytes
        How many bytes were written; for a view how many it reaches, for a wait how many the program asks for.
    line
        The line in the cell or file that entered xray, from 1; 0 where it could not be told.
    source
        The text of that line, without indentation; empty where it cannot be found.
    before, after
        What it was made of and what it was made into; None where there is no such side.
    count
        How many tensors came out, such as 3 for a tensor that was unbound into three views.
    called
        The function in which it happened, where that is in another cell or file; otherwise empty.
    inside_kernel
        Whether the profiler saw it inside the operator `op`; no other level can.
    hypothetical
        For a wait: the device is a CPU, which has nothing to wait for; on a GPU it would wait.
    itself
        For a view: no new tensor was made, the function returned the one it was given.
    storages
        A number for the memory of each tensor that came out; the same number means the same memory.
    """

    kind: Kind
    op: str
    bytes: int
    line: int
    source: str
    before: Side | None = None
    after: Side | None = None
    count: int = 1
    called: str = ""
    inside_kernel: bool = False
    hypothetical: bool = False
    itself: bool = False
    storages: tuple[int, ...] = field(default=(), repr=False, compare=False)

    @property
    def mark(self) -> str:
        """The sign of its kind."""
        return MARKS[self.kind]

    @property
    def writes(self) -> bool:
        """Whether its bytes were written: all but views and waits."""
        return self.kind not in ("view", "wait")


@dataclass(frozen=True)
class Finding:
    """Something worth a look; whether it is needless cannot be decided.

    Attributes
    ----------
    why
        One sentence.
    bytes
        How many bytes it concerns.
    lines
        The lines it happened on, in order of time, each once.
    """

    why: str
    bytes: int
    lines: tuple[int, ...]


@dataclass(frozen=True)
class Totals:
    """How often each kind happened, and to how many bytes."""

    counts: dict[Kind, int]
    bytes: dict[Kind, int]

    @property
    def written(self) -> int:
        """All bytes that were written: of every kind but views and waits."""
        return sum(n for kind, n in self.bytes.items() if kind not in ("view", "wait"))


@dataclass(frozen=True)
class Row:
    """Events that are told in one row of the table.

    Attributes
    ----------
    event
        The first of them.
    times
        How many there are.
    bytes
        The bytes of all of them; of views, which may all reach the same bytes, those of the largest.
    """

    event: Event
    times: int
    bytes: int


@dataclass(frozen=True)
class Line:
    """One line of the code, with what it did in order, and what about it is worth a look."""

    number: int
    source: str
    rows: tuple[Row, ...]
    findings: tuple[Finding, ...]


@dataclass(frozen=True)
class Record:
    """All that was seen up to one moment.

    Attributes
    ----------
    events
        In order of time.
    findings
        What is worth a look, the most bytes first.
    notes
        What could not be seen, in sentences.
    code
        The lines of the cell, where all of it is watched; then lines that did nothing are shown too.
    """

    events: tuple[Event, ...] = ()
    findings: tuple[Finding, ...] = ()
    notes: tuple[str, ...] = ()
    code: tuple[str, ...] = ()


class XRay(Fact):
    """What a piece of code did to memory, readable while it runs and afterwards. Holds no tensor.

    Parameters
    ----------
    ask
        Gives all that was seen so far.
    """

    def __init__(self, ask: Callable[[], Record]) -> None:
        self._ask = ask

    @property
    def events(self) -> tuple[Event, ...]:
        """Everything that was seen so far, in order of time."""
        return self._ask().events

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What is worth a look, the most bytes first."""
        return self._ask().findings

    @property
    def worth_a_look(self) -> str:
        """The findings in words, one a line; empty if there are none."""
        return "\n".join(finding.why for finding in self.findings)

    @property
    def notes(self) -> tuple[str, ...]:
        """What could not be seen, in sentences."""
        return self._ask().notes

    @property
    def totals(self) -> Totals:
        """How often each kind happened, and to how many bytes."""
        events = self.events
        of = {kind: [event.bytes for event in events if event.kind == kind] for kind in KINDS}
        return Totals({k: len(n) for k, n in of.items()}, {k: sum(n) for k, n in of.items()})

    @property
    def lines(self) -> tuple[Line, ...]:
        """The lines that did something, in the order of the code; findings stand under the last of their lines.

        Where the code is known, its other lines stand between them, without rows.
        """
        record = self._ask()
        code = {number: text for number, text in enumerate(record.code, 1) if text.strip()}
        by_line: dict[int, list[Event]] = {number: [] for number in code}
        for event in record.events:
            by_line.setdefault(event.line, []).append(event)
        return tuple(
            Line(
                number,
                code.get(number) or next(event.source for event in events),
                _rows(events),
                tuple(finding for finding in record.findings if finding.lines[-1:] == (number,)),
            )
            for number, events in sorted(by_line.items())
        )

    def __repr__(self) -> str:
        from tutor._tracing.text import xray_text  # noqa: PLC0415 - the text is written from the facts

        return xray_text(self)


def _rows(events: list[Event]) -> tuple[Row, ...]:
    """Equal events share a row; if that leaves too many, so do events that differ in size alone, as in a loop."""
    equal = _grouped(events, lambda event: event)
    return equal if len(equal) <= _MOST_ROWS else _grouped(events, _without_size)


def _grouped(events: list[Event], key: Callable[[Event], Hashable]) -> tuple[Row, ...]:
    groups: dict[Hashable, list[Event]] = {}
    for event in events:
        groups.setdefault(key(event), []).append(event)
    return tuple(Row(group[0], len(group), _bytes(group)) for group in groups.values())


def _bytes(group: list[Event]) -> int:
    sizes = [event.bytes for event in group]
    return max(sizes) if group[0].kind == "view" else sum(sizes)


def _without_size(event: Event) -> Hashable:
    ends = [side and (side.what, side.dtype, side.device) for side in (event.before, event.after)]
    return (event.kind, event.op, *ends, event.called, event.inside_kernel, event.hypothetical, event.itself)
