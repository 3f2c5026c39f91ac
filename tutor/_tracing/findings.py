"""What is worth a look in what was seen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from tutor._tracing.model import Finding
from tutor._words import bytes_text

if TYPE_CHECKING:
    from tutor._tracing.recorder import Raw


def findings(raws: Sequence[Raw]) -> list[Finding]:
    """What is worth a look, the most bytes first."""
    found = [*_moved_again(raws), *_made_again(raws), *_there_and_back(raws)]
    return sorted(found, key=lambda finding: -finding.bytes)


def _groups(raws: Sequence[Raw], key: Any) -> Iterator[list[Raw]]:
    groups: dict[Any, list[Raw]] = {}
    for raw in raws:
        if raw.made_from is not None:
            groups.setdefault(key(raw), []).append(raw)
    yield from (group for group in groups.values() if len(group) > 1)


def _moved_again(raws: Sequence[Raw]) -> Iterator[Finding]:
    transfers = [raw for raw in raws if raw.kind == "transfer"]
    for group in _groups(transfers, lambda raw: (raw.made_from, str(raw.after[2]))):
        device = group[0].after[2]  # type: ignore[index]
        why = f"the same bytes were moved to {device} {len(group)} times, unchanged as far as torch can see"
        yield _finding(why, group)


def _made_again(raws: Sequence[Raw]) -> Iterator[Finding]:
    copies = [raw for raw in raws if raw.kind in ("copy", "cast")]
    by_line: dict[tuple[str, int], list[list[Raw]]] = {}
    for group in _groups(copies, lambda raw: (raw.kind, raw.made_from, raw.after[1], raw.place)):
        by_line.setdefault((group[0].kind, group[0].place[0]), []).append(group)
    for (kind, line), groups in by_line.items():
        again = sum(raw.bytes for group in groups for raw in group[1:])
        what = "a tensor was" if len(groups) == 1 else f"{len(groups)} tensors were"
        times = f"{len(groups[0])} times" if len(groups) == 1 else "several times"
        done = "copied" if kind == "copy" else "cast"
        yield Finding(
            f"{what} {done} {times} on this line, unchanged as far as torch can see: "
            f"{bytes_text(again)} after the first time",
            again,
            (line,),
        )


def _finding(why: str, group: Sequence[Raw]) -> Finding:
    lines = tuple(dict.fromkeys(raw.place[0] for raw in group))
    where = f" (lines {', '.join(map(str, lines))})" if len(lines) > 1 else ""
    again = sum(raw.bytes for raw in group[1:])
    return Finding(f"{why}{where}: {bytes_text(again)} after the first time", again, lines)


def _there_and_back(raws: Sequence[Raw]) -> Iterator[Finding]:
    casts: dict[int, Raw] = {}  # by the storage they made
    found: dict[tuple[Any, ...], list[Raw]] = {}
    for raw in raws:
        if raw.kind != "cast" or raw.before is None or raw.after is None:
            continue
        first = next((casts[number] for number in raw.origin if number in casts), None)
        if first is not None and first.before is not None and first.before[1] == raw.after[1]:
            found.setdefault((first.place[0], raw.place[0], first.before[1], raw.before[1]), []).extend((first, raw))
        casts.update((number, raw) for number in raw.storages)
    for (there, back, dtype, other), pairs in found.items():
        here, between = (str(d).removeprefix("torch.") for d in (dtype, other))
        size = sum(raw.bytes for raw in pairs)
        lines = tuple(dict.fromkeys((there, back)))
        where = f" on line {there} and back on line {back}" if there != back else " and back"
        yield Finding(f"cast from {here} to {between}{where}: {bytes_text(size)} written", size, lines)
