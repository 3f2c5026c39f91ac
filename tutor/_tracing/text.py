"""What was done to memory, in words and signs; pictures say the same."""

from __future__ import annotations

from tutor._tracing.model import KINDS, WORDS, Event, Line, Row, Side, Totals, XRay
from tutor._words import bytes_text, count_text

_BAR = 20  # signs of the longest bar


def xray_text(seen: XRay) -> str:
    """The table: each line of the code, what it did, how many bytes, a bar; totals and what is worth a look."""
    lines, totals = seen.lines, seen.totals
    if not seen.events:
        return "\n".join(["nothing happened to memory", *seen.notes])
    most = max((row.bytes for line in lines for row in line.rows if row.event.kind != "wait"), default=0)
    left = max(len(_left(row)) for line in lines for row in line.rows)
    body = [text for line in lines for text in _line(line, left, most)]
    return "\n".join([*body, totals_text(totals), *seen.notes])


def _line(line: Line, left: int, most: int) -> list[str]:
    head = f"{line.number or '?':>3}  {line.source}".rstrip()
    found = [f"       worth a look: {f.why}" for f in line.findings]
    return [head, *(_row(row, left, most) for row in line.rows), *found]


def _left(row: Row) -> str:
    event = row.event
    said = ", ".join(part for part in (detail_text(event), times_text(row)) if part)
    return f"{event.mark} {WORDS[event.kind]:<8}{said}"


def _row(row: Row, left: int, most: int) -> str:
    return f"     {_left(row):<{left}}  {bytes_text(row.bytes):>11}  {_bar(row, most)}".rstrip()


def _bar(row: Row, most: int) -> str:
    """As many signs as there are bytes, on one scale, and at least one; a wait writes none and has one sign."""
    if row.event.kind == "wait":
        return row.event.mark
    return row.event.mark * max(1, round(_BAR * row.bytes / most)) if row.bytes else ""


def times_text(row: Row) -> str:
    """How often it happened, unless once, and what its bytes are then."""
    each = ", each up to" if row.event.kind == "view" else ""
    return f"{row.times:,} times{each}" if row.times > 1 else ""


def detail_text(event: Event) -> str:
    """All about an event but its kind, its bytes and its line.

    >>> detail_text(Event("cast", "_to_copy", 12, 1, "", Side("Tensor", "uint8"), Side("Tensor", "float32")))
    'uint8 to float32, _to_copy'
    """
    parts = [
        _ends(event),
        event.op + (" gives " + count_text(event.count, "tensor") if event.count > 1 else ""),
        "no new tensor" if event.itself else "",
        "inside the kernel, found by the profiler" if event.inside_kernel else "",
        f"in {event.called}" if event.called not in ("", "<module>") else "",
        "on a GPU it would wait" if event.hypothetical else "",
    ]
    return ", ".join(part for part in parts if part)


def _ends(event: Event) -> str:
    before, after = event.before, event.after
    if event.kind == "wait":
        return f"for {before.device}" if before and not event.hypothetical else ""
    if before is None or after is None:
        return f"on {after.device}" if after and after.device not in ("", "cpu") else ""
    if before.what != after.what:
        return _other_types(before, after)
    if event.kind == "transfer":
        casts = before.dtype != after.dtype
        return " to ".join(f"{side.device} {side.dtype}" if casts else side.device for side in (before, after))
    return f"{before.dtype} to {after.dtype}" if before.dtype != after.dtype else ""


def _other_types(before: Side, after: Side) -> str:
    start = " ".join(part for part in (before.what, before.dtype) if part)
    if after.what != "Tensor":
        return f"as {after.what}"
    ends = [after.dtype] if after.dtype != before.dtype else []
    ends += [f"on {after.device}"] if after.device not in ("", "cpu", before.device) else []
    return f"from {start}" + (" to " + " ".join(ends) if ends else "")


def totals_text(totals: Totals) -> str:
    """One line: the bytes written, and how often each kind happened."""
    parts = [
        f"{WORDS[kind]} {bytes_text(totals.bytes[kind])}"
        for kind in KINDS
        if kind not in ("view", "wait") and totals.counts[kind]
    ]
    parts += [count_text(totals.counts[kind], kind) for kind in ("view", "wait") if totals.counts[kind]]
    return f"{bytes_text(totals.written)} written" + (": " + ", ".join(parts) if parts else "")


def side_text(side: Side) -> str:
    """One end of an event.

    >>> side_text(Side("Tensor", "float32", "cpu", (2, 3)))
    'Tensor float32 (2, 3) on cpu'
    """
    shape = "" if side.shape is None else str(side.shape)
    device = f"on {side.device}" if side.device else ""
    return " ".join(part for part in (side.what, side.dtype, shape, device) if part)
