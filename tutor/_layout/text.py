"""What is said of a layout, the same in pictures; and the text twin."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import zip_longest

from tutor._layout.model import LayoutDiagram, Place
from tutor._layout.observing import corner_text, shape_and_strides
from tutor._mapping.words import size_text
from tutor._words import bytes_text, count_text

_SIDE = 48  # characters of the left part, if the storage is to stand beside it
_LINE = 100
_SAME = 8  # hops that are written out


def sum_text(layout: LayoutDiagram, place: Place) -> str:
    """From an index to its place: offset plus each index times its stride.

    >>> import torch
    >>> from tutor._layout.observing import observe
    >>> layout = observe(torch.zeros(3, 4)[1:, 1:].T, "t")
    >>> sum_text(layout, layout.places[3])
    '5 + 1·1 + 1·4'
    """
    if not place.index:
        return ""
    terms = (f"{i}·{_signed(s)}" for i, s in zip(place.index, layout.bar.strides, strict=True))
    return " + ".join([str(layout.bar.offset), *terms])


def _signed(stride: int) -> str:
    return str(stride) if stride >= 0 else f"(−{-stride})"


def element_text(layout: LayoutDiagram, place: Place) -> str:
    """An element as code."""
    return f"{layout.name}[{', '.join(map(str, place.index))}]" if place.index else layout.name


def byte_text(layout: LayoutDiagram, place: Place) -> str:
    """Where in bytes it lies."""
    return f"byte {place.position * (1 if layout.bar.in_bytes else layout.bar.itemsize):,}"


def distance_text(n: int) -> str:
    """A hop with its sign.

    >>> distance_text(4), distance_text(-7), distance_text(0)
    ('+4', '−7', '+0')
    """
    return f"+{n}" if n >= 0 else f"−{-n}"


def hops_text(layout: LayoutDiagram) -> str:
    """How the order of visiting goes through memory."""
    if not layout.bar.elements:
        return "no elements: nothing is visited"
    if not layout.hops:
        return "one element, no hops"
    unit = " B" if layout.bar.in_bytes else ""
    if len({hop.distance for hop in layout.hops}) == 1:
        same = distance_text(layout.hops[0].distance)
        return f"every hop is {same}{unit}"
    first, *rest = layout.hops
    said = [f"{distance_text(first.distance)}{unit} from one index of dim {first.dim} to the next"]
    said += [f"{distance_text(hop.distance)}{unit} to the next of dim {hop.dim}" for hop in rest[: _SAME - 1]]
    more = len(rest) - (_SAME - 1)
    return "hops: " + ", ".join(said) + (f", and {more} more" if more > 0 else "")


def storage_text(layout: LayoutDiagram) -> str:
    """The storage: how large, where, and what of it is not as one would think."""
    storage, bar = layout.storage, layout.bar
    said = [f"{size_text(storage)} on {storage.device}"]
    if not storage.has_memory:
        said.append("no memory behind it")
    if bar.in_bytes:
        size = f"{bytes_text(bar.itemsize)} from there on"
        said.append(f"places are in bytes, and each element takes the {size}")
    if bar.past_end:
        said.append(f"{layout.name} claims {bytes_text(bar.past_end)} past its end: to use them can end the process")
    return "; ".join(said)


def repeats_text(layout: LayoutDiagram) -> str:
    """That several indices lead to one place, if they do."""
    bar = layout.bar
    size = bar.elements * bar.itemsize
    if bar.bytes_seen is None or size <= bar.bytes_seen:
        return ""
    places = bar.bytes_seen if bar.in_bytes else bar.bytes_seen // bar.itemsize
    where = count_text(places, "byte" if bar.in_bytes else "place")
    return f"{bar.elements:,} elements lie in {where}: several indices lead to the same one"


def contiguous_text(layout: LayoutDiagram) -> str:
    """In which formats it is contiguous.

    >>> import torch
    >>> from tutor._layout.observing import observe
    >>> x = torch.zeros(2, 3, 4, 4)
    >>> contiguous_text(observe(x, "x")), contiguous_text(observe(x.to(memory_format=torch.channels_last), "x"))
    ('yes', 'only in channels_last')
    """
    names = layout.formats
    plain = [name for name in names if name in ("contiguous_format", "C")]
    others = [name for name in names if name not in plain]
    if others and not plain:
        return f"only in {' and '.join(others)}{' order' if others == ['Fortran'] else ''}"
    return "no" if not plain else "yes" if not others else f"yes, and in {' and '.join(others)}"


def left_out_text(layout: LayoutDiagram) -> str:
    """What is drawn, if that is not all."""
    part = corner_text(layout)
    if not part:
        return ""
    return f"drawn: {part}, {len(layout.places):,} of {layout.bar.elements:,} elements"


def remarks(layout: LayoutDiagram) -> list[str]:
    """All that is said besides the places themselves."""
    said = [hops_text(layout), repeats_text(layout), left_out_text(layout)]
    return [text for text in said if text]


def facts(layout: LayoutDiagram) -> list[str]:
    """The storage and the formats."""
    return [f"storage: {storage_text(layout)}", f"contiguous: {contiguous_text(layout)}"]


def text(layout: LayoutDiagram) -> str:
    """The text twin: the numbers of the picture, and the words beneath it."""
    head = f"{layout.name}  {shape_and_strides(layout)}, offset {layout.bar.offset}"
    indent = " " * (len(layout.name) + 2)
    left = [head, *(f"{indent}{line}" if line else "" for line in _grid(layout))]
    right = _storage_lines(layout)
    wide = max(map(len, left))
    if wide <= _SIDE and wide + 4 + max(map(len, right), default=0) <= _LINE + 12:
        pairs = zip_longest(left, right, fillvalue="")
        body = [f"{a:<{wide}}    {b}".rstrip() for a, b in pairs]
    else:
        body = [*left, *right]
    shown = layout.shown
    said = [f"{element_text(layout, shown)} is at {whole_sum(layout, shown)}"] if shown else []
    first, *rest = remarks(layout)
    return "\n".join([*body, first, *said, *rest, *facts(layout)])


def whole_sum(layout: LayoutDiagram, place: Place) -> str:
    """The sum with what comes out."""
    added = sum_text(layout, place)
    return f"{f'{added} = ' if added else ''}{place.position}, {byte_text(layout, place)}"


def _grid(layout: LayoutDiagram) -> list[str]:
    """The places in storage, as the tensor is indexed; a sheet for each pair of the last two dimensions."""
    lines: list[str] = []
    digits = max((len(str(place.position)) for place in layout.places), default=1)
    for sheet in sheets(layout):
        if len(layout.drawn) > 2:
            lines.append(sheet_text(layout, sheet[0][0]))
        more = " ..." if layout.drawn and layout.drawn[-1] < layout.bar.shape[-1] else ""
        lines += ["  ".join(f"{place.position:>{digits}}" for place in row) + more for row in sheet]
        if len(layout.drawn) > 1 and layout.drawn[-2] < layout.bar.shape[-2]:
            lines.append("...")
    return lines


def sheets(layout: LayoutDiagram) -> list[list[list[Place]]]:
    """The drawn places by sheet and row."""
    if not layout.places:
        return []
    columns = layout.drawn[-1] if layout.drawn else 1
    rows = layout.drawn[-2] if len(layout.drawn) > 1 else 1
    lines = [list(layout.places[i : i + columns]) for i in range(0, len(layout.places), columns)]
    return [lines[i : i + rows] for i in range(0, len(lines), rows)]


def sheet_text(layout: LayoutDiagram, place: Place) -> str:
    """The sheet that a place stands on, as code."""
    return f"{layout.name}[{', '.join(map(str, place.index[:-2]))}]"


def _storage_lines(layout: LayoutDiagram) -> list[str]:
    """The storage line by line: each place, and when it is visited."""
    visits: dict[int, list[int]] = {}
    for place in layout.places:
        visits.setdefault(place.position, []).append(place.visit)
    columns: list[tuple[str, str]] = []
    for slot in layout.slots:
        if slot.state == "cut":
            columns.append(("//", ""))
            continue
        seen = visits.get(slot.position, [])
        again = f"{seen[0]}.." if len(seen) > 1 else "".join(map(str, seen))
        columns.append((str(slot.position), again or {"more": "?", "past": "none"}.get(slot.state, ".")))
    return _folded(columns, ("storage", "visit"))


def _folded(columns: Sequence[tuple[str, str]], labels: tuple[str, str]) -> list[str]:
    wide = max((max(map(len, column)) for column in columns), default=1)
    wide = max(wide, 2)
    each = max(1, (_LINE - 9) // (wide + 1))
    lines = []
    for i in range(0, len(columns), each):
        for row, label in enumerate(labels):
            cells = " ".join(f"{column[row]:>{wide}}" for column in columns[i : i + each])
            lines.append(f"{label:<7} {cells}")
    return lines


def described(layout: LayoutDiagram) -> str:
    """The picture in sentences."""
    positions = [place.position for place in layout.places]
    listed = ", ".join(map(str, positions)) or "none"
    free = Counter(slot.state for slot in layout.slots)["free"]
    said = [
        f"{layout.name} has {shape_and_strides(layout)} and offset {layout.bar.offset}.",
        f"Read in order it visits storage elements {listed}{'' if layout.whole else ' and further ones'}."
        if not layout.bar.in_bytes
        else f"Read in order its elements begin at bytes {listed}{'' if layout.whole else ' and further ones'}.",
        *(f"{text[0].upper()}{text[1:]}." for text in remarks(layout)),
    ]
    if free:
        said.append(f"{count_text(free, 'place')} of those drawn {'is' if free == 1 else 'are'} not reached.")
    return " ".join(said)
