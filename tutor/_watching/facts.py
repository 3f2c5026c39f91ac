"""What was read of memory over a while, and what each piece of code did to it."""

from __future__ import annotations

from dataclasses import dataclass

from tutor._fact import Fact
from tutor._words import bytes_text


@dataclass(frozen=True)
class Reading:
    """Bytes at one moment.

    Attributes
    ----------
    at
        Seconds since the watch began.
    process
        Bytes of main memory that this process has pages for (its resident set).
    allocated
        Bytes of the device that tensors occupy; None if there is no device, or nothing has used it yet.
    reserved
        Bytes of the device that torch's allocator keeps, those of tensors among them.
    device
        Bytes of the device in use by all programs, as the driver counts them.
    """

    at: float
    process: int
    allocated: int | None = None
    reserved: int | None = None
    device: int | None = None


KINDS = {
    "process": "process",
    "allocated": "allocated to tensors",
    "reserved": "reserved by torch",
    "device": "in use on the device",
}


@dataclass(frozen=True)
class Step:
    """A piece of code, and the memory before and after it.

    Attributes
    ----------
    name
        Its number as the notebook counts, such as ``"[12]"``, ``"[*]"`` while it runs, or ``"button"``.
    code
        Its first line.
    before, after
        Readings right before and right after it; `after` is None while it runs.
    highest
        The most that the process was seen to hold while it ran. Between two readings it may have been more.
    """

    name: str
    code: str
    before: Reading
    after: Reading | None
    highest: int

    def change(self, kind: str) -> int | None:
        """How many bytes more there are afterwards, of one of `KINDS`; None if it is not known."""
        old, new = getattr(self.before, kind), getattr(self.after, kind, None)
        if old is None and kind != "device":
            old = 0  # nobody had used the device; of other programs, which the driver counts too, nothing was known
        return new - old if new is not None and old is not None else None


@dataclass(frozen=True, repr=False)
class MemoryTrace(Fact):
    """Memory over a while.

    Attributes
    ----------
    device
        The device's name, such as ``"cuda:0"``, or None.
    readings
        The oldest first.
    steps
        The pieces of code that ran meanwhile, the oldest first.
    """

    device: str | None
    readings: tuple[Reading, ...]
    steps: tuple[Step, ...] = ()

    def seen(self, kind: str) -> bool:
        """Whether there is anything to show of one of `KINDS`."""
        return any(getattr(reading, kind) is not None for reading in self.readings)

    def __repr__(self) -> str:
        return "\n".join([now_text(self), *_table(self)])


def now_text(trace: MemoryTrace) -> str:
    """What is held now, as a sentence."""
    last = trace.readings[-1]
    highest = max(reading.process for reading in trace.readings)
    told = f"process {bytes_text(last.process)}, at most {bytes_text(highest)}"
    if not trace.seen("allocated"):
        return told
    held = [(words, getattr(last, kind)) for kind, words in _of_device(trace)]
    parts = [f"{words} {'not known' if nbytes is None else bytes_text(nbytes)}" for words, nbytes in held]
    return f"{told}; {trace.device}: {', '.join(parts)}"


def step_text(trace: MemoryTrace, step: Step) -> str:
    """What a step did, as a sentence without its subject."""
    size = size_text(abs(step.change("process") or 0))
    more = "more" if (step.change("process") or 0) > 0 else "less"
    told = f"the process holds {'as much as before' if size == '0' else f'{size} {more}'}"
    parts = [f"{words} {change}" for kind, words in _of_device(trace) if (change := change_text(step, kind))]
    return f"{told}; {trace.device}: {', '.join(parts)}." if parts else f"{told}."


def _of_device(trace: MemoryTrace) -> list[tuple[str, str]]:
    return [(kind, words) for kind, words in KINDS.items() if kind != "process" and trace.seen(kind)]


def columns(trace: MemoryTrace) -> list[tuple[str, str]]:
    """The kinds of bytes that are shown, each with its words."""
    return [("process", KINDS["process"]), *_of_device(trace)]


def change_text(step: Step, kind: str) -> str:
    """A change in bytes with its sign, or that it is still running."""
    if step.after is None:
        return "runs"
    change = step.change(kind)
    if change is None:
        return ""
    size = size_text(abs(change))
    return size if size == "0" else f"{'+' if change > 0 else '−'}{size}"


def size_text(nbytes: int) -> str:
    """A size in MiB or more, since a process takes and gives a few pages all the time.

    >>> size_text(8_192), size_text(400_000), size_text(3 * 2**29)
    ('0', '0.4 MiB', '1.5 GiB')
    """
    if nbytes >= 2**20:
        return bytes_text(nbytes)
    tenths = round(10 * nbytes / 2**20)
    return f"{tenths / 10} MiB" if tenths else "0"


def _table(trace: MemoryTrace) -> list[str]:
    if not trace.steps:
        return []
    shown = columns(trace)
    head = ["", "code", *(words for _, words in shown), "highest seen"]
    body = [[s.name, s.code, *(change_text(s, kind) for kind, _ in shown), bytes_text(s.highest)] for s in trace.steps]
    wide = [max(len(row[i]) for row in [head, *body]) for i in range(len(head))]
    return [
        "  ".join(f"{cell:{'<' if i < 2 else '>'}{wide[i]}}" for i, cell in enumerate(row)).rstrip()
        for row in [head, *body]
    ]
