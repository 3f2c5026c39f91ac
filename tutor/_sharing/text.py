"""What is said of a write and of a table, the same in text and in pictures."""

from __future__ import annotations

from collections.abc import Sequence

from tutor._mapping.text import map_text
from tutor._sharing.model import Change, Sharing, SharingTable, Write

SIGNS = {"share": "=", "copy": "+", "cast": "~", "raise": "x"}
WORDS = {"share": "shares", "copy": "copies", "cast": "casts", "raise": "raises"}
LEGEND = {
    "share": "shares: a write on one side is seen on the other",
    "copy": "copies: separate bytes, the same values",
    "cast": "casts: separate bytes, another dtype",
    "raise": "raises: there is no result",
}
IN_A_NOTEBOOK = "In a notebook, choose one of these and press a button to write on either side."
_MOST = 8  # changes that are listed

# What speaks in an error message, and the sentence that goes with it.
_REASONS = (
    ("expected np.ndarray", "`torch.from_numpy` takes NumPy arrays and nothing else."),
    ("buffer protocol", "`torch.frombuffer` needs an object that lends its memory through Python's buffer protocol."),
    ("invalid capsule", "`torch.from_dlpack` needs an object with `__dlpack__`."),
    (
        "require gradient",
        "The other side records no gradients. Detach first: `torch.from_dlpack(source.detach())`.",
    ),
    ("Can't call numpy()", "NumPy records no gradients. Detach first: `source.detach().numpy()`."),
    (
        "leaf Variable that requires grad",
        "Autograd allows no write in place on a leaf that requires grad, nor on a view of it. Inside "
        "`with torch.no_grad():` it does.",
    ),
    ("read-only", "NumPy looks at the array's `writeable` flag before a write. A tensor has no such flag."),
)


def reason(sharing: Sharing, error: str) -> str:
    """One sentence about an error; empty where there is nothing to add."""
    if error.startswith("AttributeError"):
        return f"A {sharing.kinds[0]} has no such method: tensors have it. Torch was not asked."
    return next((text for words, text in _REASONS if words in error), "")


def verdict(sharing: Sharing) -> tuple[str, str, str]:
    """What was seen: the kind of mark, a few words, and a sentence as prose."""
    write = sharing.write
    if write is None:
        return _before_a_write(sharing)
    if write.error is not None:
        changed = write.source or write.result
        return "raise", "The write raised.", "" if changed else "Nothing changed on either side."
    return _unseen(sharing, write) if not write.seen else _seen(sharing, write)


def _seen(sharing: Sharing, write: Write) -> tuple[str, str, str]:
    side, other = _sides(write)
    tried = sharing.source_seen and sharing.result_seen
    more = "A write on either side is seen on both: you have tried both." if tried else f"Now write on the {other}."
    if sharing.same_object:
        return "share", "One object with two names.", "`result is source` is true: every write is seen by both names."
    return "share", f"The same {_memory(sharing)}.", f"The write on `{side}` is seen in `{other}`. {more}"


def _unseen(sharing: Sharing, write: Write) -> tuple[str, str, str]:
    side, other = _sides(write)
    if not sharing.kinds[1]:
        return "none", "Written.", "There is no result that could see it."
    if sharing.overlap or sharing.source_seen or sharing.result_seen:
        words = f"`{other}` reaches a part of the same {_memory(sharing)}, and this element is not in it."
        return "share", f"Shared {_memory(sharing)}, but not this element.", words
    return "copy", f"Separate {_memory(sharing)}.", f"The write on `{side}` changed nothing in `{other}`."


def _memory(sharing: Sharing) -> str:
    """What the two share or not: a list holds references, not the bytes of its numbers."""
    return "memory" if "list" in sharing.kinds else "bytes"


def _before_a_write(sharing: Sharing) -> tuple[str, str, str]:
    if sharing.error is not None:
        return "raise", "No result.", ""
    return "none", "Not written yet.", "Press a button. All elements of both sides are compared before and after."


def _sides(write: Write) -> tuple[str, str]:
    return (write.side, "result" if write.side == "source" else "source")


def element_text(name: str, change: Change, kind: str) -> str:
    """An element as it is indexed."""
    if kind == "list":
        return name + "".join(f"[{i}]" for i in change.index)
    return f"{name}[{', '.join(map(str, change.index)) or '()'}]"


def bytes_changed(change: Change) -> str:
    """Which of an element's bytes changed."""
    if change.place is None:
        return "a reference to another number"
    runs = _runs(change.differing)
    start, stop = change.place
    return runs if stop - start == 1 else f"{runs} of {start:,} to {stop - 1:,}"


def _runs(numbers: Sequence[int]) -> str:
    runs: list[list[int]] = []
    for n in numbers:
        if runs and runs[-1][1] == n - 1:
            runs[-1][1] = n
        else:
            runs.append([n, n])
    return ", ".join(f"{a:,}" if a == b else f"{a:,} to {b:,}" for a, b in runs)


def changes_listed(sharing: Sharing) -> tuple[list[tuple[str, str, str, str]], int]:
    """Each element that changed, with its values and bytes; and how many more there are."""
    if sharing.write is None:
        return [], 0
    rows, left = [], 0
    for name, kind, found in zip(
        ("source", "result"), sharing.kinds, (sharing.write.source, sharing.write.result), strict=True
    ):
        rows += [(element_text(name, one, kind), one.before, one.after, bytes_changed(one)) for one in found[:_MOST]]
        left += max(0, len(found) - _MOST)
    return rows, left


def quiet_sides(sharing: Sharing) -> list[str]:
    """The sides of a write in which no element changed."""
    write = sharing.write
    if write is None or write.error is not None:
        return []
    sides = [("source", write.source), ("result", write.result)][: 2 if sharing.kinds[1] else 1]
    return [name for name, found in sides if not found]


def sharing_text(sharing: Sharing) -> str:
    """All that the picture says."""
    _, head, sentence = verdict(sharing)
    lines = [*sharing.lines, *([f"* {sharing.write.code}"] if sharing.write else [])]
    for error in filter(None, (sharing.error, sharing.write.error if sharing.write else None)):
        lines += [f"x {error}", *filter(None, [reason(sharing, error).replace("`", "")])]
    lines += [f"! {said}" for said in sharing.warnings]
    lines += ["", f"{head} {sentence}".replace("`", "").strip()]
    rows, left = changes_listed(sharing)
    lines += [f"* {name}  {before} -> {after}  bytes {where}" for name, before, after, where in rows]
    lines += [f"  and {left:,} more"] if left else []
    lines += [f"  {name}: no element changed" for name in quiet_sides(sharing)]
    return "\n".join([*lines, *(["", map_text(sharing.map)] if sharing.map.storages else [])])


def how_found(table: SharingTable) -> str:
    """How the cells of a table were decided."""
    addressed = [cell for cell in table.cells if cell.by == "addresses" and cell.outcome != "raise"]
    if len(table.sources) == 1:
        return "Nothing was written: addresses say who shares."
    words = "Each was made afresh and written on, on both sides."
    if not addressed:
        return words
    return f"{words} Where neither side may be written, addresses decide."


def table_text(table: SharingTable) -> str:
    """A row for each conversion, a column for each source."""
    wide = max(len(name) for name in table.conversions) + 2
    lines = [" " * wide + "| " * i + name for i, name in enumerate(table.sources)]
    for conversion in table.conversions:
        signs = [SIGNS[table[source, conversion].outcome] for source in table.sources]
        lines.append(f"{conversion:<{wide}}{' '.join(signs)}")
    kinds = {cell.outcome for cell in table.cells}
    lines += ["", *(f"{SIGNS[kind]} {text}" for kind, text in LEGEND.items() if kind in kinds), how_found(table)]
    return "\n".join(lines)
