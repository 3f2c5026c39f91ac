"""How shared memory is drawn: a lane for each storage, a bar for each name.

The number of marks depends on the number of names, never on the number of elements.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from tutor._fact import to_html
from tutor._mapping.model import AliasGroups, Bar, MemoryMap, SharedMemory, Storage, Unseen
from tutor._mapping.words import (
    alive_text,
    answers,
    bar_note,
    names_text,
    offset_text,
    owner_text,
    reach_text,
    seen_text,
    size_text,
    strides_text,
    unreached_text,
)
from tutor.drawing import svg
from tutor.drawing.lanes import (
    BETWEEN,
    NAME_X,
    NOTE,
    Columns,
    Scale,
    columns_for,
    draw_heading,
    draw_row,
    draw_ruler,
    draw_titles,
    room_for_gap,
    scale_for,
    text_at,
)

_LINE = 116  # characters of fine text across the picture


@to_html.register
def memory_map_html(drawn: MemoryMap) -> str:
    """The picture, and a table that says the same where pictures are not shown."""
    columns = columns_for(drawn.storages)
    body, y = draw_titles(columns), 0.0
    for storage in drawn.storages:
        lane, y = _lane(storage, columns, y)
        body += lane
    names = list(dict.fromkeys(bar.name for storage in drawn.storages for bar in storage.bars))
    picture = ""
    if names:
        description = " ".join(map(_description, drawn.storages))
        picture = svg.picture(f"Memory map of {names_text(names)}", description, body, y - BETWEEN + 4)
    return svg.page(picture + _table(drawn.storages) + _unseen(drawn.unseen), "picture")


def _lane(storage: Storage, at: Columns, y: float) -> tuple[str, float]:
    """One storage with its names, and where the next one begins."""
    scale = scale_for(storage, at)
    pieces = [draw_heading(storage, at, y)]
    ruler, y = draw_ruler(storage, scale, y + 21)
    pieces.append(ruler)
    for bar in storage.bars:
        row, y = draw_row(bar, storage, scale, at, y)
        pieces.append(row)
    for line in textwrap.wrap(_footnote(storage, scale), _LINE):
        pieces.append(text_at(NAME_X, y + 11, "quiet", line))
        y += NOTE
    return "".join(pieces), y + BETWEEN


def _footnote(storage: Storage, scale: Scale) -> str:
    unreached = unreached_text(storage)
    written = storage.unit is None and room_for_gap(storage, scale) is not None
    said = [text for text in ("" if written else unreached, alive_text(storage)) if text]
    return "; ".join(said)


def _description(storage: Storage) -> str:
    head = f"{size_text(storage)} on {storage.device}, owner {owner_text(storage)}."
    names = " ".join(f"{bar.name} reaches {reach_text(bar, storage)}{_shared(bar)}." for bar in storage.bars)
    more = [text for text in (unreached_text(storage), alive_text(storage)) if text]
    return " ".join([head, names, *(f"{text[0].upper()}{text[1:]}." for text in more)])


def _shared(bar: Bar) -> str:
    return {True: ", shared", None: ", perhaps shared", False: ""}[bar.shares]


def _table(storages: Sequence[Storage]) -> str:
    """All that the picture says, for readers of text; it is seen only where styles and pictures are not."""
    return f'<div class="tt-hidden">{"".join(map(_table_of, storages))}</div>' if storages else ""


def _table_of(storage: Storage) -> str:
    head = "".join(
        f'<th scope="col">{text}</th>' for text in ("name", "offset", "strides", "bytes seen", "reaches", "")
    )
    rows = "".join(_table_row(bar, storage) for bar in storage.bars)
    foot = "; ".join(text for text in (unreached_text(storage), alive_text(storage)) if text)
    caption = svg.escape(f"{size_text(storage)} on {storage.device}, owner {owner_text(storage)}")
    return (
        f"<table><caption>{caption}</caption><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
        f"<p>{svg.escape(foot)}</p>"
    )


def _table_row(bar: Bar, storage: Storage) -> str:
    cells = (
        offset_text(bar),
        strides_text(bar),
        seen_text(bar, storage),
        f"{reach_text(bar, storage)}{_shared(bar)}",
        bar_note(bar, storage),
    )
    return (
        f'<tr><th scope="row"><code>{svg.escape(bar.name)}</code></th>'
        f"{''.join(f'<td>{svg.escape(cell)}</td>' for cell in cells)}</tr>"
    )


def _unseen(unseen: Sequence[Unseen]) -> str:
    return "".join(f"<p>{svg.code(one.name)}: {svg.escape(one.why)}.</p>" for one in unseen)


@to_html.register
def shared_memory_html(met: SharedMemory) -> str:
    """The three answers, one beneath the other, and who holds the bytes."""
    rows = "".join(_answer(question, answer) for question, answer in answers(met))
    return svg.page(f"<table><tbody>{rows}</tbody></table>{_holders(met.storages)}{_unseen(met.unseen)}")


def _answer(question: str, answer: str) -> str:
    shares = "share" if (question, answer) == ("elements overlap", "yes") else "none"  # the only one that says so
    words = f"<b>{answer}</b>" if answer == "yes" else svg.escape(answer)
    return (
        f'<tr class="{svg.MARKS[shares].role}"><th scope="row">{svg.escape(question)}</th>'
        f"<td>{svg.mark(shares)} {words}</td></tr>"
    )


def _holders(storages: Sequence[Storage]) -> str:
    return "".join(
        f'<p class="tt-fine tt-wide"><b>{svg.escape(size_text(storage))}</b> on {svg.escape(storage.device)}, '
        f"owner {svg.code(owner_text(storage))}. "
        f'<span class="tt-quiet">{svg.escape(_held(storage))}.</span></p>'
        for storage in storages
    )


def _held(storage: Storage) -> str:
    text = alive_text(storage) or f"seen by {names_text(storage.keepers)}"
    return f"{text[0].upper()}{text[1:]}"


@to_html.register
def alias_groups_html(found: AliasGroups) -> str:
    """The groups, the names that are alone, and who holds the bytes."""
    share = svg.MARKS["share"].role
    lines = [
        f'<p class="tt-wide"><span class="{share}">{svg.mark("share")}</span> {_codes(group)} reach the same bytes.</p>'
        for group in found.groups
    ]
    if found.alone:
        whose = "alone on their bytes" if len(found.alone) > 1 else "alone on its bytes"
        lines.append(f'<p class="tt-wide">{svg.mark("none")} {_codes(found.alone)}: {whose}.</p>')
    lines += [f"<p>? {svg.code(a)} and {svg.code(b)}: not decided.</p>" for a, b in found.undecided]
    return svg.page("".join(lines) + _holders(found.storages) + _unseen(found.unseen))


def _codes(names: Sequence[str]) -> str:
    return ", ".join(map(svg.code, names[:40])) + (f" and {len(names) - 40:,} more" if len(names) > 40 else "")
