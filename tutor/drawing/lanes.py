"""The lanes of a memory map: a storage with its cells and gaps, and a bar for each name.

The number of marks depends on the number of names, never on the number of elements.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tutor._mapping.model import Bar, Storage
from tutor._mapping.words import bar_note, offset_text, owner_text, seen_text, size_text, strides_text, unreached_text
from tutor.drawing import svg

NAME_X = 15
_ROW, NOTE, BETWEEN = 22, 15, 18  # heights: of a bar, of a line of words, between lanes
_CODE, _SANS, _FINE = 7.3, 6.8, 6.2  # the widest face to allow for, per character
_LONGEST_NAME, _LONGEST_STRIDES = 20, 24
_CELL = 34
_LEAST = 4  # a sliver is never thinner
_TEETH = 9, 18  # where there are too many runs to draw: the width of a few, and their distance


@dataclass(frozen=True)
class Columns:
    """Where the bars begin and end, and the right edges of the numbers."""

    left: float
    right: float
    offset: float
    strides: float
    seen: float

    @property
    def width(self) -> float:
        """How long a bar may be."""
        return self.right - self.left


@dataclass(frozen=True)
class Scale:
    """From bytes of one storage to pixels."""

    left: float
    width: float
    nbytes: int

    def x(self, byte: int) -> float:
        """Where a byte begins."""
        return self.left + self.width * byte / max(1, self.nbytes)


def columns_for(storages: Sequence[Storage]) -> Columns:
    """Room for the longest name and the widest numbers."""
    bars = [(bar, storage) for storage in storages for bar in storage.bars]
    name = max((len(_short(bar.name, _LONGEST_NAME)) for bar, _ in bars), default=0)
    seen = max((len(seen_text(bar, storage)) for bar, storage in bars), default=0)
    strides = max((len(_strides(bar)) for bar, _ in bars), default=0)
    offset = max((len(offset_text(bar)) for bar, _ in bars), default=0)
    at_seen = float(svg.PICTURE_WIDTH)
    at_strides = at_seen - max(92, seen * _SANS + 16)
    at_offset = at_strides - max(92, strides * _CODE + 16)
    right = at_offset - max(54, offset * _CODE + 16)
    return Columns(max(98, NAME_X + name * _CODE + 12), right, at_offset, at_strides, at_seen)


def _strides(bar: Bar) -> str:
    return _short(strides_text(bar), _LONGEST_STRIDES)


def _short(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def draw_titles(at: Columns) -> str:
    """The titles of the columns of numbers."""
    return "".join(
        text_at(x, 12, "quiet end", label)
        for x, label in ((at.offset, "offset"), (at.strides, "strides"), (at.seen, "bytes seen"))
    )


def scale_for(storage: Storage, at: Columns) -> Scale:
    """A scale on which a whole storage fits between the columns; cells are all alike."""
    if storage.unit is None:
        return Scale(at.left, at.width, storage.nbytes)
    cells = storage.nbytes // storage.unit
    return Scale(at.left, min(_CELL, at.width // cells) * cells, storage.nbytes)


def draw_heading(storage: Storage, at: Columns, y: float) -> str:
    """How many bytes, where, and whose."""
    size = svg.escape(size_text(storage))
    where = svg.escape(f" on {storage.device}")
    room = int((at.right - 120) / _CODE)
    owner = svg.escape(_short(owner_text(storage), max(room, 44)))
    face = ' class="code"' if storage.has_memory and not storage.owner.startswith("not known") else ""
    return (
        f'<text x="0" y="{_n(y + 12)}"><tspan class="strong">{size}</tspan>{where}'
        f'<tspan class="quiet" dx="10">owner</tspan><tspan{face} dx="6">{owner}</tspan></text>'
    )


def draw_ruler(storage: Storage, scale: Scale, y: float) -> tuple[str, float]:
    """The storage itself: its cells, or its whole, and what no name reaches."""
    if not storage.nbytes:
        return text_at(NAME_X, y + 13, "quiet", "bytes") + text_at(scale.left, y + 13, "quiet", "none"), y + _ROW + 2
    ticks, top = _ticks(storage, scale, y)
    outline = _outline(storage, scale, top)
    label = "bytes" if storage.unit is None else "element" if _by_element(storage) else "byte"
    body = ticks + text_at(NAME_X, top + 14, "quiet", label) + _gaps(storage, scale, top) + outline
    return body + _cells(storage, scale, top), top + 26


def _outline(storage: Storage, scale: Scale, top: float) -> str:
    """Frames around the stretches that are reached; the gaps between them have a dotted one."""
    classes = "axis" if storage.has_memory else "axis dashed"
    edges = [0, *(edge for gap in storage.gaps for edge in gap), storage.nbytes]
    frames = [(scale.x(a), scale.x(b) - scale.x(a)) for a, b in zip(edges[::2], edges[1::2], strict=True)]
    return "".join(_rect(x, top, width, 20, classes) for x, width in frames if width >= 1)


def _by_element(storage: Storage) -> bool:
    return all(bar.itemsize == storage.unit for bar in storage.bars if bar.spans)


def _ticks(storage: Storage, scale: Scale, y: float) -> tuple[str, float]:
    unit = storage.unit
    if unit is None or unit == 1 or storage.nbytes < 4 * unit:
        return "", y
    cells = storage.nbytes // unit
    step = next(step for step in (1, 2, 4, 8) if cells <= 4 * step)
    marks = [*(i * unit for i in range(0, cells, step) if cells - i > 1 or i == 0), storage.nbytes]
    body = text_at(NAME_X, y + 12, "quiet", "byte")
    for byte in marks:
        label = f"{byte} B" if byte == storage.nbytes else str(byte)
        body += _line(scale.x(byte), y + 15, y + 20, "axis") + text_at(scale.x(byte), y + 12, "quiet middle", label)
    return body, y + 20


def _gaps(storage: Storage, scale: Scale, top: float) -> str:
    body = ""
    for start, stop in storage.gaps:
        width = scale.x(stop) - scale.x(start)
        if width >= 1:
            body += _rect(scale.x(start), top, width, 20, "unreached")
    if storage.unit is None and (place := room_for_gap(storage, scale)) is not None:
        body += text_at(place, top + 14, "quiet middle", unreached_text(storage))
    return body


def room_for_gap(storage: Storage, scale: Scale) -> float | None:
    """The middle of the widest gap, or of a storage that is all gaps, if the words on it fit in."""
    text = unreached_text(storage)
    everywhere = not any(bar.solid for bar in storage.bars)
    gaps = [(0, storage.nbytes)] if everywhere else storage.gaps
    if not text or not gaps:
        return None
    start, stop = max(gaps, key=lambda gap: gap[1] - gap[0])
    fits = scale.x(stop) - scale.x(start) >= len(text) * _FINE
    return (scale.x(start) + scale.x(stop)) / 2 if fits else None


def _cells(storage: Storage, scale: Scale, top: float) -> str:
    if storage.unit is None:
        return ""
    cells, unit = storage.nbytes // storage.unit, storage.unit
    lines = "".join(_line(scale.x(i * unit), top, top + 20, "grid") for i in range(1, cells))
    half = scale.width / cells / 2
    numbers = (text_at(scale.x(i * unit) + half, top + 14, "quiet code middle", str(i)) for i in range(cells))
    return lines + "".join(numbers)


def draw_row(bar: Bar, storage: Storage, scale: Scale, at: Columns, y: float) -> tuple[str, float]:
    """One name: its mark, what it reaches, its numbers, and a remark beside it or beneath."""
    sign = {True: svg.MARKS["share"].sign, None: "?", False: ""}[bar.shares]
    mark = text_at(0, y + 11, "code mark", sign) if sign else ""
    name = text_at(NAME_X, y + 11, "code strong", _short(bar.name, _LONGEST_NAME))
    drawn, end = _spans(bar, storage, scale, y)
    role = svg.MARKS["share" if bar.shares else "none"].role
    body = f'<g class="{role}">{mark}{name}{drawn}</g>'
    body += text_at(at.offset, y + 11, "code end", offset_text(bar)) + text_at(
        at.strides, y + 11, "code end", _strides(bar)
    )
    body += text_at(at.seen, y + 11, "end", seen_text(bar, storage))
    note = bar_note(bar, storage)
    if not note:
        return body, y + _ROW
    if end + 8 + len(note) * _FINE <= at.offset - len(offset_text(bar)) * _CODE - 8:
        return body + text_at(end + 8, y + 11, "quiet", note), y + _ROW
    return body + text_at(scale.left, y + _ROW + 5, "quiet", note), y + _ROW + NOTE


def _spans(bar: Bar, storage: Storage, scale: Scale, y: float) -> tuple[str, float]:
    """The stretches that a name reaches, and where the last of them ends."""
    body, end = "", scale.left
    for start, stop in bar.spans:
        left = min(scale.x(start), scale.left + scale.width - _LEAST)
        right = max(scale.x(stop), left + _LEAST)
        body += _solid(left, right, y) if bar.solid else _comb(left, right, bar, y)
        end = right
    body += _grid(bar, storage, scale, y)
    if bar.bytes_seen and bar.elements * bar.itemsize > bar.bytes_seen:
        for i in (1, 2, 3):  # seen again and again
            body += _line(end + 3 * i - 1, y + 1, y + 13, "stroke")
        end += 10
    return body, end


def _solid(left: float, right: float, y: float) -> str:
    if right - left < 6:
        return _rect(left, y, max(_LEAST, right - left), 14, "solid")
    return _rect(left + 1.5, y, right - left - 3, 14, "hollow")


def _comb(left: float, right: float, bar: Bar, y: float) -> str:
    """A few teeth for many: not to scale, and cut where there is room to say so."""
    if right - left < 6 * _LEAST:
        return _solid(left, right, y)
    pitch = _TEETH[1]
    tooth = min(pitch - 5, max(3, pitch * bar.run / max(1, bar.pitch)))
    n = int((right - left - 3) // pitch)
    cut = n * 5 // 8 if n >= 8 else -1
    teeth = "".join(_rect(left + 1.5 + i * pitch, y, tooth, 14, "hollow") for i in range(n) if i != cut)
    if cut < 0:
        return teeth
    x = left + 1.5 + cut * pitch + tooth / 2
    return f'{teeth}<path d="M{_n(x)} {_n(y - 3)}l-4 20M{_n(x + 7)} {_n(y - 3)}l-4 20" class="axis"/>'


def _grid(bar: Bar, storage: Storage, scale: Scale, y: float) -> str:
    """Fine lines between the elements, where the storage is drawn cell by cell."""
    if storage.unit is None:
        return ""
    inner = [edge for start, stop in bar.spans for edge in range(start + storage.unit, stop, storage.unit)]
    return "".join(
        f'<line x1="{_n(scale.x(edge))}" y1="{_n(y + 2)}" x2="{_n(scale.x(edge))}" y2="{_n(y + 12)}" '
        'class="stroke" stroke-opacity=".3"/>'
        for edge in inner
    )


def _n(x: float) -> str:
    return f"{x:.1f}".removesuffix(".0")


def text_at(x: float, y: float, classes: str, text: str) -> str:
    """A piece of text, escaped."""
    return f'<text x="{_n(x)}" y="{_n(y)}" class="{classes}">{svg.escape(text)}</text>'


def _rect(x: float, y: float, width: float, height: float, classes: str) -> str:
    return f'<rect x="{_n(x)}" y="{_n(y)}" width="{_n(width)}" height="{_n(height)}" class="{classes}"/>'


def _line(x: float, top: float, bottom: float, classes: str) -> str:
    return f'<line x1="{_n(x)}" y1="{_n(top)}" x2="{_n(x)}" y2="{_n(bottom)}" class="{classes}"/>'
