"""What is said of storages and names, the same in text and in pictures."""

from __future__ import annotations

from collections.abc import Sequence

from tutor._inspecting.names import shape_text
from tutor._mapping.model import Bar, SharedMemory, Storage
from tutor._words import bytes_text, count_text

_ANSWERS = {True: "yes", False: "no"}
_MOST_NAMES = 8


def answer_text(answer: bool | None, unknown: str = "not decided") -> str:
    """One of three answers.

    >>> answer_text(True), answer_text(None)
    ('yes', 'not decided')
    """
    return unknown if answer is None else _ANSWERS[answer]


def answers(met: SharedMemory) -> list[tuple[str, str]]:
    """The three questions of sharing, with their answers."""
    unknown = "not known" if met.unseen else "not decided"
    return [
        ("same storage object", answer_text(met.same_storage, "not known")),
        ("byte ranges overlap", answer_text(met.ranges_overlap, unknown)),
        ("elements overlap", answer_text(met.elements_overlap, unknown)),
    ]


def names_text(names: Sequence[str]) -> str:
    """Names in a sentence.

    >>> names_text(["a"]), names_text(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    if len(names) > _MOST_NAMES:
        return f"{', '.join(names[:_MOST_NAMES])} and {len(names) - _MOST_NAMES} more"
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def size_text(storage: Storage) -> str:
    """How large it is, as far as that is known."""
    return bytes_text(storage.nbytes) if storage.whole else f"at least {bytes_text(storage.nbytes)}"


def owner_text(storage: Storage) -> str:
    """What owns the bytes, with the name that is the owner itself."""
    kind = "numpy.ndarray" if storage.owner == "numpy" else storage.owner
    if storage.owner_names:
        return f"{storage.owner_names[0]} ({kind})"
    return f"a {kind}, none of the names" if storage.owner == "numpy" else storage.owner


def alive_text(storage: Storage) -> str:
    """Who keeps the bytes alive, and how many holders have no name."""
    if not storage.has_memory:
        return ""
    kept = f"kept alive by {names_text(storage.keepers)}"
    return f"{kept}{_others_text(storage)}"


def _others_text(storage: Storage) -> str:
    if storage.others is None:
        return ", and perhaps others: that is not counted here"
    if not storage.others:
        return "" if storage.counted == "reference" else ", and by no other tensor"
    count = count_text(storage.others, f"other {storage.counted}")
    if storage.counted == "reference" and storage.borrowers:
        whose = "perhaps that" if storage.others == 1 else "one of them perhaps that"
        return f", and by {count}, {whose} of torch for {names_text(storage.borrowers)}"
    return f", and by {count} that cannot be named"


def offset_text(bar: Bar) -> str:
    """Where it begins, in elements or in bytes."""
    return f"{bar.offset:,} B" if bar.in_bytes else f"{bar.offset:,}"


def strides_text(bar: Bar) -> str:
    """Its strides, in elements or in bytes."""
    return f"{shape_text(bar.strides)} B" if bar.in_bytes and bar.strides else shape_text(bar.strides)


def seen_text(bar: Bar, storage: Storage) -> str:
    """How many bytes it sees, of how many.

    The unit is said once where it is the same.
    """
    whole = bytes_text(storage.nbytes)
    if bar.bytes_seen is None:
        return f"not counted, of {whole}"
    seen = bytes_text(bar.bytes_seen)
    (number, unit), (_, other) = seen.rsplit(" ", 1), whole.rsplit(" ", 1)
    return f"{number} of {whole}" if unit == other else f"{seen} of {whole}"


def bar_note(bar: Bar, storage: Storage) -> str:
    """What is worth saying of one name: that it repeats bytes, leaves gaps, or keeps far more alive than it sees."""
    if bar.past_end:
        return f"claims {bytes_text(bar.past_end)} past the end of its storage: to use them can end the process"
    if not bar.spans:
        return "no elements, no bytes"
    size = bar.elements * bar.itemsize
    notes = []
    if bar.bytes_seen and size % bar.bytes_seen == 0 and size > bar.bytes_seen:
        times = f"{size // bar.bytes_seen:,}"
        notes.append(f"the same {bytes_text(bar.bytes_seen)}, {times} times; {bytes_text(size)} if it is copied")
    elif bar.bytes_seen and size > bar.bytes_seen:
        notes.append(f"elements overlap: {bytes_text(size)} if it is copied")
    if not bar.solid:
        notes.append(f"{bytes_text(bar.run)} of every {bytes_text(bar.pitch)}")
    if storage.has_memory and bar.bytes_seen and len(storage.bars) == 1 and storage.nbytes >= 4 * bar.bytes_seen:
        verb = "keep" if bar.bytes_seen != 1 else "keeps"
        notes.append(f"{bytes_text(bar.bytes_seen)} {verb} {bytes_text(storage.nbytes)} alive")
    return "; ".join(notes)


def unreached_text(storage: Storage) -> str:
    """How many bytes no name reaches; empty if every byte is reached."""
    if storage.reached == storage.nbytes:
        return ""
    gaps = sum(stop - start for start, stop in storage.gaps)
    if storage.reached is None:
        least = f"at least {bytes_text(gaps)}" if gaps else "perhaps some bytes"
        return f"{least} that no name reaches"
    rest = storage.nbytes - storage.reached
    alike = bytes_text(rest) == bytes_text(storage.nbytes)  # rounded, it would read as if nothing were reached
    return f"{f'{rest:,} B' if alike and storage.reached else bytes_text(rest)} that no name reaches"


def reach_text(bar: Bar, storage: Storage) -> str:
    """Which bytes it reaches, in words."""
    if not bar.spans:
        return "no byte"
    stretches = [f"{start:,} to {stop - 1:,}" for start, stop in bar.spans[:_MOST_NAMES]]
    more = f" and {len(bar.spans) - _MOST_NAMES} more stretches" if len(bar.spans) > _MOST_NAMES else ""
    some = "" if bar.solid else f"{bytes_text(bar.run)} of every {bytes_text(bar.pitch)} in "
    return f"{some}bytes {', '.join(stretches)}{more}"
