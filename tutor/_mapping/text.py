"""The text twins: what a terminal shows of shared memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tutor._mapping.model import AliasGroups, Bar, MemoryMap, SharedMemory, Storage, Unseen
from tutor._mapping.words import (
    alive_text,
    answers,
    bar_note,
    names_text,
    offset_text,
    owner_text,
    seen_text,
    size_text,
    strides_text,
    unreached_text,
)

_WIDTH = 36  # characters of a lane that is too large for cells
_SIGNS = {True: "=", None: "?", False: " "}


def shared_text(met: SharedMemory) -> str:
    """The three answers, and who holds the bytes."""
    lines = [f"{question:<20} {answer}" for question, answer in answers(met)]
    return "\n".join([*lines, *_storage_lines(met.storages), *_unseen_lines(met.unseen)])


def groups_text(found: AliasGroups) -> str:
    """The groups, the names that are alone, and who holds the bytes."""
    lines = [f"= {names_text(group)} reach the same bytes" for group in found.groups]
    lines += [f"  {names_text(found.alone)}: alone on their bytes"] if len(found.alone) > 1 else []
    lines += [f"  {found.alone[0]}: alone on its bytes"] if len(found.alone) == 1 else []
    lines += [f"? {a} and {b}: not decided" for a, b in found.undecided]
    return "\n".join([*lines, *_storage_lines(found.storages), *_unseen_lines(found.unseen)])


def _storage_lines(storages: Sequence[Storage]) -> list[str]:
    return [
        f"{size_text(storage)} on {storage.device}, owner {owner_text(storage)}"
        + (f"\n  {alive}" if (alive := alive_text(storage)) else f"\n  seen by {names_text(storage.keepers)}")
        for storage in storages
    ]


def _unseen_lines(unseen: Sequence[Unseen]) -> list[str]:
    return [f"{one.name}: {one.why}" for one in unseen]


def map_text(drawn: MemoryMap) -> str:
    """All that the picture says, in signs and words."""
    names = max((len(bar.name) for storage in drawn.storages for bar in storage.bars), default=0)
    left = max(9, names + 2)
    lanes = [_lane(storage, left) for storage in drawn.storages]
    return "\n\n".join(["\n".join(lane) for lane in lanes] + _unseen_lines(drawn.unseen))


def _lane(storage: Storage, left: int) -> list[str]:
    ruler, place = _scale(storage)
    width = max(len(ruler), 1)
    head = f"{size_text(storage)} on {storage.device}, owner {owner_text(storage)}"
    columns = [("offset", "strides", "bytes seen"), *(_numbers(bar, storage) for bar in storage.bars)]
    wide = [max(len(row[i]) for row in columns) for i in range(3)]
    titles = "  ".join(f"{text:>{n}}" for text, n in zip(columns[0], wide, strict=True))
    label = "" if storage.unit is None else "element" if _is_element(storage) else "byte"
    lines = [head, f"  {label or 'bytes':<{left}} {ruler:<{width}}  {titles}"]
    for bar, row in zip(storage.bars, columns[1:], strict=True):
        numbers = "  ".join(f"{text:>{n}}" for text, n in zip(row, wide, strict=True))
        lines.append(f"{_SIGNS[bar.shares]} {bar.name:<{left}} {_strip(bar, place, width)}  {numbers}")
        lines += [f"  {'':<{left}} {note}"] if (note := bar_note(bar, storage)) else []
    notes = [text for text in (unreached_text(storage), alive_text(storage)) if text]
    return [*lines, *(f"  {note}" for note in notes)]


def _is_element(storage: Storage) -> bool:
    return all(bar.itemsize == storage.unit for bar in storage.bars if bar.spans)


def _numbers(bar: Bar, storage: Storage) -> tuple[str, str, str]:
    return offset_text(bar), strides_text(bar), seen_text(bar, storage)


def _scale(storage: Storage) -> tuple[str, Callable[[int], int]]:
    """The line above the bars, and where in it a byte lies."""
    if storage.unit:
        unit = storage.unit
        cells = storage.nbytes // unit
        return "".join(f"{i:>3}" for i in range(cells)), lambda byte: 3 * byte // unit
    line = ["."] * _WIDTH

    def place(byte: int) -> int:
        return round(byte * _WIDTH / max(1, storage.nbytes))

    for start, stop in [span for bar in storage.bars for span in bar.spans]:
        line[place(start) : place(stop)] = "-" * (place(stop) - place(start))
    return "".join(line), place


def _strip(bar: Bar, place: Callable[[int], int], width: int) -> str:
    line = [" "] * width
    for start, stop in bar.spans:
        first = min(place(start), width - 1)
        last = max(first, min(place(stop), width) - 1)
        line[first : last + 1] = _span(last - first + 1, bar.solid)
    return "".join(line)


def _span(n: int, solid: bool) -> str:
    if n <= 1:
        return "|"
    return f"[{('=' if solid else ':') * (n - 2)}]"
