"""A storage as it is drawn: in one line with an arc for each hop where it is small, else in several lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tutor._layout.model import LayoutDiagram, Place, Slot
from tutor._layout.text import distance_text
from tutor.drawing import svg

CODE = 7.3  # the widest face to allow for, per character
BOX = 30
_SLOT = 42
_CUT = 22
_ARCS = 16  # places of storage, at most, between which arcs are drawn


@dataclass(frozen=True)
class Spot:
    """Where one place of the storage is drawn."""

    slot: Slot
    x: float
    y: float
    width: float


@dataclass(frozen=True)
class Strip:
    """The storage: where its places are drawn, and how far it reaches."""

    x: float
    top: float
    spots: tuple[Spot, ...]
    arcs: str
    hops: dict[int, str]
    bottom: float


def strip_of(layout: LayoutDiagram, x: float, top: float) -> Strip:
    """The storage: in one line with arcs where it is small, else in several lines."""
    slots = layout.slots
    digits = max((len(str(slot.position)) for slot in slots if slot.state != "cut"), default=1)
    room = svg.PICTURE_WIDTH - x
    least = max(26.0, digits * CODE + 10)
    one_line = len(slots) <= _ARCS and least * len(slots) <= room and all(slot.state != "cut" for slot in slots)
    arcs = one_line and layout.whole and not layout.bar.in_bytes and len(layout.places) > 1
    pitch = min(_SLOT, room / len(slots)) if one_line and slots else max(least, 34)
    up, down = _heights(layout) if arcs else (0, 0)
    y = top + 26 + (up + 20 if up else 0)
    if not one_line and all(slot.state != "cut" for slot in slots):
        lines = -(-len(slots) // int(room // pitch))
        room = pitch * -(-len(slots) // lines) if lines else room
    spots = _flow(slots, (x, y), pitch, room)
    bottom = (spots[-1].y if spots else y - BOX) + BOX + (down + 20 if down else 0)
    drawn, hops = _arcs(layout, spots) if arcs else ("", {})
    return Strip(x, top, spots, drawn, hops, bottom)


def _flow(slots: Sequence[Slot], at: tuple[float, float], pitch: float, room: float) -> tuple[Spot, ...]:
    spots: list[Spot] = []
    (left, y), x = at, 0.0
    for slot in slots:
        width = _CUT if slot.state == "cut" else pitch
        if x and x + width > room + 0.5:
            x, y = 0.0, y + BOX + 8
        spots.append(Spot(slot, left + x, y, width))
        x += width
    return tuple(spots)


def _bend(distance: int) -> float:
    return min(58, 12 + 6 * abs(distance))


def _steps(layout: LayoutDiagram) -> list[tuple[Place, Place]]:
    return list(zip(layout.places, layout.places[1:], strict=False))


def _heights(layout: LayoutDiagram) -> tuple[float, float]:
    """How high the arcs are that lead forward, and those that lead back."""
    distances = [b.position - a.position for a, b in _steps(layout)]
    up = max((_bend(d) for d in distances if d >= 0), default=0)
    return up, max((_bend(d) for d in distances if d < 0), default=0)


def _arcs(layout: LayoutDiagram, spots: Sequence[Spot]) -> tuple[str, dict[int, str]]:
    """All arcs, each once, with a number for each length; and the path of the one that leaves each visit."""
    at = {spot.slot.position: spot for spot in spots}
    hops = {a.visit: (_arc(at[a.position], at[b.position]), b.position - a.position) for a, b in _steps(layout)}
    body = ""
    for path, head in dict.fromkeys(path for path, _ in hops.values()):
        body += (
            f'<path d="{path}" class="ink" stroke-opacity=".5"/><path d="{head}" class="solid-ink" fill-opacity=".7"/>'
        )
    labels = _labels([(at[a.position], b.position - a.position, at[b.position]) for a, b in _steps(layout)])
    return f'<g aria-hidden="true">{body}{labels}</g>', {visit: path for visit, ((path, _), _) in hops.items()}


def _arc(a: Spot, b: Spot) -> tuple[str, str]:
    """The path of one hop, and of its head: up if it leads forward, down if it leads back."""
    start, end = a.x + a.width / 2, b.x + b.width / 2
    distance = b.slot.position - a.slot.position
    if distance == 0:
        y = a.y - 3
        return f"M{px(start - 5)} {px(y)}a7 9 0 1 1 10 -5", f"M{px(start + 2)} {px(y - 6)}h6l-3 6z"
    rx, ry = abs(end - start) / 2, _bend(distance)
    if distance > 0:
        y = a.y - 3
        path = f"M{px(start)} {px(y)}A{px(rx)} {px(ry)} 0 0 1 {px(end)} {px(y - 5)}"
        return path, f"M{px(end - 3)} {px(y - 6)}h6l-3 6z"
    y = a.y + BOX + 3
    path = f"M{px(start)} {px(y)}A{px(rx)} {px(ry)} 0 0 1 {px(end)} {px(y + 5)}"
    return path, f"M{px(end - 3)} {px(y + 6)}h6l-3 -6z"


def _labels(steps: Sequence[tuple[Spot, int, Spot]]) -> str:
    """The length of one arc of each length, where it does not stand on another number."""
    body, taken = "", list[tuple[float, float]]()
    for distance in dict.fromkeys(distance for _, distance, _ in steps):
        for a, _, b in (step for step in steps if step[1] == distance):
            x = (a.x + b.x + a.width) / 2
            bend = _bend(distance) + 6 if distance else 20
            y = a.y - 3 - bend if distance >= 0 else a.y + BOX + 14 + bend
            if all(abs(x - other) > 30 or abs(y - high) > 12 for other, high in taken):
                taken.append((x, y))
                body += written(x, y, "quiet code middle", distance_text(distance))
                break
    return body


def px(x: float) -> str:
    """A coordinate, with no more digits than are seen."""
    return f"{x:.1f}".removesuffix(".0")


def written(x: float, y: float, classes: str, words: str) -> str:
    """A piece of text, escaped."""
    return f'<text x="{px(x)}" y="{px(y)}" class="{classes}">{svg.escape(words)}</text>'
