"""The facts in the words in which they are shown, the same for a terminal and for a notebook.

A value in backticks is code. A fact that a whole library does not have is left out; one that this array does not have
is listed with its reason.
"""

from __future__ import annotations

from collections.abc import Iterator

from tutor._inspecting.model import Comparison, Inspection, Outcome, Unavailable, Values
from tutor._inspecting.names import dtype_text, number_text, shape_text
from tutor._words import bytes_text

Row = tuple[str, str]
_HUGE = 2**30  # bytes; a result beyond this is worth its size
_SHOWN_PARTS = 4


def headline(facts: Inspection) -> tuple[str, str]:
    """Dtype and shape, and the device."""
    dtype = "?" if isinstance(facts.dtype, Unavailable) else dtype_text(facts.dtype)
    device = "?" if isinstance(facts.device, Unavailable) else str(facts.device)
    return f"{dtype} {shape_text(facts.shape)}", device


def groups(facts: Inspection) -> list[tuple[str, list[Row]]]:
    """Named groups of rows; a group without rows is left out."""
    found = (
        ("What it is", list(_what(facts))),
        ("Where its bytes are", list(_where(facts))),
        ("Autograd", list(_autograd(facts))),
    )
    return [(name, rows) for name, rows in found if rows]


def _what(facts: Inspection) -> Iterator[Row]:
    layout = "" if isinstance(facts.layout, Unavailable) or facts.library == "numpy" else f", {facts.layout}"
    yield "kind", facts.kind + layout
    if not isinstance(facts.numel, Unavailable) and not isinstance(facts.itemsize, Unavailable):
        yield "elements", f"{facts.numel:,} × {bytes_text(facts.itemsize)}"
    if not isinstance(facts.contiguous, Unavailable):
        yield "contiguous", _contiguity(facts)
    if facts.is_conj or facts.is_neg:
        yield "lazy", " and ".join(name for name, on in (("conj", facts.is_conj), ("neg", facts.is_neg)) if on)
    for i, part in enumerate(facts.parts[:_SHOWN_PARTS]):
        yield ("" if i else "made of"), part


def _contiguity(facts: Inspection) -> str:
    formats = () if isinstance(facts.memory_formats, Unavailable) else facts.memory_formats
    if facts.library == "numpy":
        return f"in {' and '.join(formats)} order" if formats else "in no order"
    others = [name for name in formats if name != "contiguous_format"]
    if facts.contiguous:
        return "yes" + "".join(f", also `{name}`" for name in others)
    return f"only as `{others[0]}`" if others else "in no memory format"


def _where(facts: Inspection) -> Iterator[Row]:
    if not isinstance(facts.bytes_seen, Unavailable):
        yield "sees", _sees(facts.bytes_seen, facts.bytes_storage)
    if not isinstance(facts.strides, Unavailable):
        yield "strides", f"`{shape_text(facts.strides)}`"
    if not isinstance(facts.storage_offset, Unavailable):
        yield "offset", f"{facts.storage_offset:,}"
    if facts.view_of and not isinstance(facts.view_of, Unavailable):
        yield "view of", f"`{facts.view_of}`"
    if not isinstance(facts.owner, Unavailable):
        yield "owner", facts.owner + _pinned(facts)
    if facts.writeable is False:
        yield "writeable", "no"


def _sees(seen: int, held: int | Unavailable) -> str:
    if isinstance(held, Unavailable):
        return bytes_text(seen)
    return f"all of {bytes_text(held)}" if seen == held else f"{bytes_text(seen)} of {bytes_text(held)}"


def _pinned(facts: Inspection) -> str:
    if isinstance(facts.pinned, Unavailable) or str(facts.device) != "cpu":
        return ""
    return ", pinned" if facts.pinned else ", not pinned"


def _autograd(facts: Inspection) -> Iterator[Row]:
    if facts.library == "numpy":
        return
    for name, value in (("requires_grad", facts.requires_grad), ("leaf", facts.is_leaf), ("grad_fn", facts.grad_fn)):
        if not isinstance(value, Unavailable):
            yield name, str(value)


_NAMED = (
    ("shape", "shape"),
    ("strides", "strides"),
    ("offset", "storage_offset"),
    ("contiguous", "contiguous"),
    ("bytes seen", "bytes_seen"),
    ("storage", "bytes_storage"),
    ("view of", "view_of"),
    ("owner", "owner"),
    ("values", "values"),
)


def missing(facts: Inspection) -> list[Row]:
    """Which facts cannot be had, and why: one row per reason."""
    reasons: dict[str, list[str]] = {}
    for name, field in _NAMED:
        value = getattr(facts, field)
        if isinstance(value, Unavailable):
            reasons.setdefault(value.why, []).append(name)
    return [(", ".join(names), why) for why, names in reasons.items()]


def value_counts(values: Values) -> list[Row]:
    """What is counted, as label and number, after min and max."""
    rows = [] if isinstance(values.mean, Unavailable) else [("mean", number_text(values.mean))]
    rows += [("NaN", f"{values.nan:,}")]
    if values.posinf or values.neginf:
        rows += [("+inf", f"{values.posinf:,}"), ("−inf", f"{values.neginf:,}")]
    else:
        rows += [("inf", "0")]
    rows += [("zero", f"{values.zeros:,}")]
    return rows if values.counted == "elements" else [*rows, ("of", f"{values.n:,} {values.counted}")]


def value_gap(values: Values) -> str | None:
    """Why there is no mean or no order, if so."""
    for value in (values.mean, values.min):
        if isinstance(value, Unavailable):
            return value.why
    return None


def strip_caption(values: Values) -> str:
    """What the strip is made from."""
    if not values.histogram:
        return ""
    whole = values.sampled >= values.n - values.nan - values.posinf - values.neginf
    return "" if whole else f"The strip is drawn from {values.sampled:,} values, evenly spaced."


def sharing_sentence(met: Comparison) -> str:
    """The three answers about shared memory, as one sentence."""
    shared = met.sharing
    if shared.elements_overlap:
        return "They share bytes: a write to one can show in the other."
    if shared.elements_overlap is None:
        return "Whether they share bytes is not decided."
    if shared.same_storage:
        return "They see one storage, and share no element of it."
    if shared.ranges_overlap:
        return "Their ranges of addresses overlap, and they share no element."
    return "They share no bytes."


def outcome_role(outcome: Outcome) -> str:
    """Which mark belongs to it."""
    if outcome.undecided:
        return "none"
    return "raise" if outcome.error else "cast" if outcome.casts else "make"


def outcome_text(outcome: Outcome) -> tuple[str, str]:
    """What an operation would give: the code of it, and the words after that."""
    if outcome.undecided:
        return "", f"not decided: {outcome.undecided}"
    if outcome.error:
        return f"{outcome.error}: {short_message(outcome.message)}", ""
    shape = outcome.shape or ()
    words = [f" on {outcome.device}"]
    if outcome.kind != "torch.Tensor":
        words.append(f", {outcome.kind}")
    words += [f"; `{name}` is cast from {dtype}" for name, dtype in outcome.casts]
    if outcome.requires_grad:
        words.append("; it requires grad")
    size = _result_bytes(outcome)
    if size >= _HUGE:
        words.append(f"; it would take {bytes_text(size)}")
    return f"{dtype_text(outcome.dtype)} {shape_text(shape)}", "".join(words)


def _result_bytes(outcome: Outcome) -> int:
    size = int(getattr(outcome.dtype, "itemsize", 0))
    for n in outcome.shape or ():
        size *= n
    return size


def short_message(message: str) -> str:
    """The first sentence of a long message, or all of a short one."""
    text = " ".join(message.split())
    if len(text) <= 240:
        return text
    head = text.split(". ", 1)[0]
    return f"{head[:240]} …"
