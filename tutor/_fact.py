"""What all facts have in common: a text form of their own, and an HTML form that the drawing floor provides."""

from __future__ import annotations

import importlib
from functools import singledispatch


@singledispatch
def to_html(fact: object) -> str:
    """The HTML form of a fact. ``tutor.drawing`` registers one renderer for each kind of fact."""
    raise TypeError(f"no renderer is registered for {type(fact).__name__}")


class Fact:
    """A frozen dataclass of facts that notebooks can draw.

    Facts know nothing of display: the renderer is found in the registry above, which ``tutor.drawing``
    fills when the first fact is drawn.
    """

    def _repr_html_(self) -> str:
        importlib.import_module("tutor.drawing")
        return to_html(self)
