"""How a layout is drawn: the tensor as you index it, beside its storage as it lies.

The number of marks is bounded: of a large tensor a corner is drawn.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

from tutor._fact import to_html
from tutor._layout.model import LayoutDiagram, Place
from tutor._layout.text import (
    byte_text,
    described,
    element_text,
    facts,
    remarks,
    sheet_text,
    sheets,
    sum_text,
    text,
    whole_sum,
)
from tutor.drawing import svg
from tutor.drawing.strip import BOX, CODE, Spot, Strip, px, strip_of, written

_STOPS = ((195, 220, 196), (146, 194, 180), (98, 168, 165), (70, 132, 150), (42, 95, 134))  # first to last visited
_TO_WHITE = 0.79  # from this tone on white is read better than black
_SANS = 6.2  # the widest face to allow for, per character
_LEFT = 34  # of the first column: the row's index stands before it
_COLUMN, _ROW = 40, 30
_BESIDE = 236  # where the storage begins if there is room for it beside the grid
_APART = 20  # between sheets
_LINE_OF_SUM = 16


@to_html.register
def layout_html(layout: LayoutDiagram) -> str:
    """The picture, what is to be said of it, and the same in words where pictures are not shown."""
    said = "".join(f"<p>{svg.escape(_sentence(line))}</p>" for line in remarks(layout))
    beneath = svg.escape(" · ".join(facts(layout)))
    twin = f'<pre class="tt-hidden" aria-hidden="true">{svg.escape(text(layout))}</pre>'
    body = f'{drawing(layout)}{said}<p class="tt-quiet tt-fine tt-wide">{beneath}</p>{twin}'
    return svg.page(body, "picture", "layout")


def _sentence(line: str) -> str:
    return f"{line[0].upper()}{line[1:]}."


def drawing(layout: LayoutDiagram) -> str:
    """The picture alone; it needs the parts ``picture`` and ``layout``."""
    grid_width, grid = _grid(layout)
    beside = len(layout.drawn) < 3 and grid_width <= _BESIDE - 24
    strip = strip_of(layout, _BESIDE, 0) if beside else strip_of(layout, 0, grid.bottom + 14)
    scene = _Scene(layout, grid, strip, strip.bottom + 22, int((svg.PICTURE_WIDTH - strip.x) / CODE))
    lines = max((len(_sum_lines(scene, place)) for place in layout.places), default=0)
    height = max(grid.bottom if beside else 0.0, scene.say + lines * _LINE_OF_SUM - 8)
    body = grid.body + _strip_frame(layout, strip) + _cells(scene)
    picture = svg.picture(f"Layout of {layout.name}", described(layout), body, height, role="group")
    # A page that is not trusted takes away the tags of pictures and the style sheet, and leaves the words in a heap.
    return f'<div class="tt-drawn" style="display:none">{picture}</div>'


@dataclass(frozen=True)
class _Grid:
    """The tensor as it is indexed: what stands around the elements, and where each is drawn."""

    body: str
    boxes: tuple[tuple[float, float], ...]
    column: float
    bottom: float


@dataclass(frozen=True)
class _Scene:
    """All that one element needs to be drawn: where its sum stands, and how many characters have room there."""

    layout: LayoutDiagram
    grid: _Grid
    strip: Strip
    say: float
    room: int


def _grid(layout: LayoutDiagram) -> tuple[float, _Grid]:
    """The tensor as it is indexed, and how wide that is."""
    column = max(_COLUMN, max((len(str(p.position)) for p in layout.places), default=1) * CODE + 12)
    head = _heading(0, 12, _short(layout.name, 22), "as you index it")
    if not layout.places:
        return 0, _Grid(head + written(0, 40, "quiet", "no elements"), (), column, 52)
    found = sheets(layout)
    rows, columns = len(found[0]), len(found[0][0])
    named = len(layout.drawn) > 2
    width = _LEFT + max(columns * column + (18 if _goes_on(layout, -1) else 0), _arrow_at(layout, -1) + 28)
    height = 58 + rows * _ROW + (12 if _goes_on(layout, -2) else 0) + (22 if len(layout.drawn) > 1 else 4)
    across = max(1, int((svg.PICTURE_WIDTH + _APART) // (width + _APART)))
    top, step = (38, height + 18) if named else (0, height)
    boxes: list[tuple[float, float]] = []
    body = head + (written(0, 30, "quiet", _outer(layout)) if named else "")
    for i, sheet in enumerate(found):
        x, y = (i % across) * (width + _APART), top + (i // across) * step
        body += _sheet(layout, sheet, (x, y), column)
        boxes += [(x + _LEFT + c * column, y + 58 + r * _ROW) for r in range(rows) for c in range(columns)]
    lines = -(-len(found) // across)
    return min(len(found), across) * (width + _APART) - _APART, _Grid(body, tuple(boxes), column, top + lines * step)


def _arrow_at(layout: LayoutDiagram, dim: int) -> float:
    """Where the arrow begins behind the name of a dimension."""
    return max(86.0, len(_dim_text(layout, dim)) * _SANS + 4) if len(layout.drawn) >= -dim else 0.0


def _dim_text(layout: LayoutDiagram, dim: int) -> str:
    return f"dim {len(layout.drawn) + dim}, stride {layout.bar.strides[dim]}"


def _goes_on(layout: LayoutDiagram, dim: int) -> bool:
    return len(layout.drawn) >= -dim and layout.drawn[dim] < layout.bar.shape[dim]


def _outer(layout: LayoutDiagram) -> str:
    """The dimensions that lead from sheet to sheet."""
    said = [f"dim {d}, stride {s}" for d, s in enumerate(layout.bar.strides[:-2])]
    more = any(n < of for n, of in zip(layout.drawn[:-2], layout.bar.shape[:-2], strict=True))
    return f"from sheet to sheet: {'; '.join(said)}" + (", and so on" if more else "")


def _sheet(layout: LayoutDiagram, sheet: Sequence[Sequence[Place]], at: tuple[float, float], column: float) -> str:
    """What stands around one sheet: its dimensions with their strides, and the indices."""
    (x, y), dims = at, len(layout.drawn)
    rows, columns = len(sheet), len(sheet[0])
    first = not any(sheet[0][0].index)
    body = written(x, y + 16, "code", _short(sheet_text(layout, sheet[0][0]), 20)) if dims > 2 else ""
    if dims and first:
        arrow = f"M{px(x + _LEFT + _arrow_at(layout, -1))} {px(y + 30.5)}h24m-4 -3l4 3l-4 3"
        body += written(x + _LEFT, y + 34, "quiet", _dim_text(layout, -1)) + _path(arrow, "axis")
    if dims:
        for c in range(columns):
            body += written(x + _LEFT + (c + 0.5) * column, y + 52, "quiet code middle", str(c))
    if _goes_on(layout, -1):
        body += written(x + _LEFT + columns * column + 4, y + 77, "quiet", "…")
    return body + (_rows(layout, (x, y), rows, first=first) if dims > 1 else "")


def _rows(layout: LayoutDiagram, at: tuple[float, float], rows: int, *, first: bool) -> str:
    """The indices of the rows, and beneath them their dimension."""
    (x, y), body = at, ""
    for r in range(rows):
        body += written(x + 24, y + 77 + r * _ROW, "quiet code middle", str(r))
    foot = y + 76 + rows * _ROW
    if _goes_on(layout, -2):
        body += written(x + 24, y + 73 + rows * _ROW, "quiet middle", "⋮")
        foot += 12
    if first:
        arrow = f"M{px(x + _LEFT + _arrow_at(layout, -2) + 4)} {px(foot - 10)}v14m-3 -4l3 4l3 -4"
        body += written(x + _LEFT, foot, "quiet", _dim_text(layout, -2)) + _path(arrow, "axis")
    return body


def _strip_frame(layout: LayoutDiagram, strip: Strip) -> str:
    """What is drawn of the storage besides the places of drawn elements."""
    top = strip.top + 12
    order = "arcs and tone give the order of visiting" if strip.arcs else "tone gives the order of visiting"
    several = len({place.position for place in layout.places}) > 1
    head = _heading(strip.x, top, "storage", f"as it lies; {order}" if several else "as it lies")
    return head + (_key(top) if several else "") + "".join(map(_undrawn, strip.spots)) + strip.arcs


def _key(y: float) -> str:
    ramp = "".join(
        f'<rect x="{654 + 12 * i}" y="{px(y - 9)}" width="11" height="11" class="key" fill="{_tone(i / 4)}"/>'
        for i in range(5)
    )
    return ramp + written(720, y, "quiet", "last") + written(648, y, "quiet end", "first")


def _undrawn(spot: Spot) -> str:
    slot, middle = spot.slot, spot.x + spot.width / 2
    if slot.state == "drawn":
        return ""
    if slot.state == "cut":
        return _path(f"M{px(middle - 2)} {px(spot.y + 5)}l-4 20M{px(middle + 5)} {px(spot.y + 5)}l-4 20", "axis")
    classes = {"free": "unreached", "more": "axis", "past": "axis dashed"}[slot.state]
    box = (
        f'<rect x="{px(spot.x + 1)}" y="{px(spot.y + 1)}" width="{px(spot.width - 2)}" height="{BOX - 2}" '
        f'class="{classes}"/>'
    )
    return box + written(middle, spot.y + 19, "quiet code middle", str(slot.position))


def _cells(scene: _Scene) -> str:
    """The elements, those at one place together, in both places each."""
    groups: dict[int, list[tuple[Place, tuple[float, float]]]] = {}
    for place, box in zip(scene.layout.places, scene.grid.boxes, strict=True):
        groups.setdefault(place.position, []).append((place, box))
    at = {spot.slot.position: spot for spot in scene.strip.spots}
    last = max(1, len(groups) - 1)
    body = ""
    for i, (position, group) in enumerate(groups.items()):
        tone = _tone(i / last), "on-dark" if i / last >= _TO_WHITE else "on-light"
        ones = "".join(_one(scene, place, box, tone) for place, box in group)
        spot = at[position]
        number = written(spot.x + spot.width / 2, spot.y + 19, f"code middle {tone[1]}", str(position))
        past = " dashed" if spot.slot.state == "past" else ""
        body += f'<g class="cell">{ones}{_box(spot.x, spot.y, spot.width, tone[0], past)}{number}</g>'
    return body


def _one(scene: _Scene, place: Place, box: tuple[float, float], tone: tuple[str, str]) -> str:
    """One element in the grid, with the hop that leaves it and its sum, both in sight while it is chosen."""
    layout, (x, y) = scene.layout, box
    lit = " lit" if place == layout.shown else ""
    where = f"{element_text(layout, place)} is at {whole_sum(layout, place)}"
    label = f"{where}; visited {place.visit:,} of {layout.bar.elements:,}"
    hop = scene.strip.hops.get(place.visit)
    bold = f'<path d="{hop}" class="ink hop" stroke-width="2.2"/>' if hop else ""
    said = "".join(
        f'<text x="{px(scene.strip.x)}" y="{px(scene.say + i * _LINE_OF_SUM)}" class="say">{line}</text>'
        for i, line in enumerate(_sum_lines(scene, place))
    )
    number = written(x + scene.grid.column / 2, y + 19, f"code middle {tone[1]}", str(place.position))
    return (
        f'<g class="one{lit}" tabindex="0" role="img" aria-label="{svg.escape(label)}">{bold}'
        f"{_box(x, y, scene.grid.column, tone[0])}{number}{said}</g>"
    )


def _sum_lines(scene: _Scene, place: Place) -> list[str]:
    """The sum of one element as SVG, in as many lines as it needs."""
    layout, room = scene.layout, scene.room
    name, added = element_text(layout, place), sum_text(layout, place)
    end = (
        f'<tspan class="code strong">{place.position}</tspan><tspan class="quiet">, {byte_text(layout, place)}</tspan>'
    )
    head = (
        f'<tspan class="code strong">{svg.escape(_short(name, room - 8))}</tspan> <tspan class="quiet">is at</tspan> '
    )
    if len(name) + len(added) + 28 <= room:
        return [head + (f'<tspan class="code">{added} = </tspan>' if added else "") + end]
    lines = [f'<tspan class="code">{line}</tspan>' for line in textwrap.wrap(f"{added} =", room - 30)]
    lines[-1] += f" {end}"
    return [head, *lines]


def _tone(share: float) -> str:
    """The tone for a share of the way from the first visited to the last."""
    i = min(int(share * 4), 3)
    part = share * 4 - i
    return "#" + "".join(f"{round(a + (b - a) * part):02x}" for a, b in zip(_STOPS[i], _STOPS[i + 1], strict=True))


def _short(words: str, longest: int) -> str:
    return words if len(words) <= longest else f"{words[: longest - 1]}…"


def _heading(x: float, y: float, name: str, what: str) -> str:
    face = "strong" if name == "storage" else "code strong"
    return (
        f'<text x="{px(x)}" y="{px(y)}"><tspan class="{face}">{svg.escape(name)}</tspan>'
        f'<tspan class="quiet" dx="8">{what}</tspan></text>'
    )


def _path(d: str, classes: str) -> str:
    return f'<path d="{d}" class="{classes}"/>'


def _box(x: float, y: float, width: float, fill: str, more: str = "") -> str:
    """The box of one element, with a gap around it."""
    return (
        f'<rect x="{px(x + 1)}" y="{px(y + 1)}" width="{px(width - 2)}" height="{BOX - 2}" '
        f'class="box{more}" fill="{fill}"/>'
    )
