"""In what two arrays differ and agree, in the words that are shown."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tutor._inspecting.model import Difference, Inspection, Unavailable
from tutor._inspecting.names import dtype_text, shape_text
from tutor._words import bytes_text


def _yes_no(x: bool) -> str:
    return "yes" if x else "no"


_SHOWN: tuple[tuple[str, str, Callable[[Any], str]], ...] = (
    ("kind", "kind", str),
    ("dtype", "dtype", dtype_text),
    ("shape", "shape", shape_text),
    ("device", "device", str),
    ("layout", "layout", str),
    ("strides", "strides", shape_text),
    ("offset", "storage_offset", str),
    ("contiguous", "contiguous", _yes_no),
    ("bytes", "bytes_seen", bytes_text),
    ("requires_grad", "requires_grad", str),
    ("conj", "is_conj", _yes_no),
    ("neg", "is_neg", _yes_no),
    ("writeable", "writeable", _yes_no),
    ("owner", "owner", str),
)
_ALIKE = {"dtype": "{}", "shape": "shape {}", "device": "{}", "layout": "{}", "requires_grad": "requires_grad {}"}


def differences(a: Inspection, b: Inspection) -> tuple[Difference, ...]:
    """The fields that both have and in which they differ."""
    rows = (Difference(name, *texts) for name, texts in _both(a, b))
    return tuple(row for row in rows if row.a != row.b)


def alike(a: Inspection, b: Inspection) -> tuple[str, ...]:
    """What they agree in."""
    return tuple(
        _ALIKE[name].format(texts[0]) for name, texts in _both(a, b) if name in _ALIKE and texts[0] == texts[1]
    )


def _both(a: Inspection, b: Inspection) -> list[tuple[str, tuple[str, str]]]:
    found = []
    for name, field, text in _SHOWN:
        of_a, of_b = getattr(a, field), getattr(b, field)
        if not isinstance(of_a, Unavailable) and not isinstance(of_b, Unavailable):
            found.append((name, (text(of_a), text(of_b))))
    return found
