"""The sharing demo: a source, a conversion, and buttons that write on the real objects."""

from __future__ import annotations

from typing import Any

import ipywidgets as w

from tutor._sharing.model import Sharing, SharingTable
from tutor._sharing.pair import OWN, SIDES, Pair, check_source, observe_own, observe_table
from tutor._sharing.table import CONVERSIONS, SOURCES
from tutor._sharing.text import IN_A_NOTEBOOK
from tutor.drawing.sharing import PARTS, sharing_body
from tutor.drawing.svg import style
from tutor.widgets.hosting import bundle

__all__ = ["SharingDemo", "sharing_demo"]

_NOTHING = object()


def sharing_demo(source: object = _NOTHING) -> SharingDemo:
    """Choose a source and a conversion, write on either side, and see what changed.

    The objects are real and are written in place. Every element of both is compared before and after, so that what
    is shown was seen. The map shows the bytes of both. What torch or NumPy refuses is shown in their words.

    Parameters
    ----------
    source
        Your own object, besides those there are to choose from: a writable NumPy array of numbers, a tensor with
        memory, a list of numbers, a bytearray or an array.array, of 1 to 100,000 elements. **It is written on when you
        press a button**; another choice, and "Start over", put its values back.

    Returns
    -------
    SharingDemo
        Controls in a notebook; elsewhere a table of what each conversion does with each source.

    Raises
    ------
    TypeError
        If `source` is of another kind, is read-only, or has no values.
    ValueError
        If it has no elements, or more than 100,000.

    Notes
    -----
    What shares by design: https://docs.pytorch.org/docs/stable/generated/torch.from_numpy.html,
    https://docs.pytorch.org/docs/stable/generated/torch.asarray.html,
    https://docs.pytorch.org/docs/stable/tensor_view.html.

    Examples
    --------
    >>> demo = sharing_demo()
    >>> demo.choose("NumPy float32", "from_numpy")
    >>> seen = demo.write("result")
    >>> seen.write.code, seen.write.seen
    ('result[1, 1] = 1.0', True)
    >>> demo.table["NumPy float32", "tensor"].outcome
    'copy'
    """
    if source is not _NOTHING:
        check_source(source)
    return SharingDemo(source)


class SharingDemo:
    """A source and what a conversion made of it; see `sharing_demo`.

    Attributes
    ----------
    table
        What each conversion does with each source, as observed in this process.
    """

    def __init__(self, source: object = _NOTHING) -> None:
        self._own = source
        self._sources = [*([OWN] if source is not _NOTHING else []), *SOURCES]
        self.table: SharingTable = observe_table() if source is _NOTHING else observe_own(source)
        self._chosen = self._sources[0], next(iter(CONVERSIONS))
        self._pair = Pair(*self._chosen, source)
        self._controls: _Controls | None = None

    @property
    def controls(self) -> _Controls:
        """The controls, made when they are first asked for."""
        if self._controls is None:
            self._controls = _Controls(self, self._sources)
        return self._controls

    @property
    def sharing(self) -> Sharing:
        """What there is to see now."""
        return self._pair.sharing()

    def choose(self, source: str, conversion: str) -> None:
        """Make a source afresh and convert it.

        Parameters
        ----------
        source, conversion
            Names of the table; ``"your source"`` for your own.

        Raises
        ------
        ValueError
            If there is no such source or conversion.
        """
        for argument, name, known in (("source", source, self._sources), ("conversion", conversion, [*CONVERSIONS])):
            if name not in known:
                raise ValueError(f"{argument}: there is no {name!r}; there are {', '.join(map(repr, known))}")
        self._pair.restore()
        self._chosen = source, conversion
        self._pair = Pair(source, conversion, self._own)

    def write(self, side: str) -> Sharing:
        """Write on the next element of one side.

        Parameters
        ----------
        side
            ``"source"`` or ``"result"``.

        Raises
        ------
        ValueError
            If there is no such side, or no element on it.
        """
        self._pair.write(side)
        return self.sharing

    def start_over(self) -> None:
        """Make source and result afresh; your own source gets its values back."""
        self.choose(*self._chosen)

    def can_write(self, side: str) -> bool:
        """Whether there is an element on that side."""
        return self._pair.can_write(side)

    def __repr__(self) -> str:
        return f"{self.table!r}\n{IN_A_NOTEBOOK}"

    def _repr_html_(self) -> str:
        return self.table._repr_html_()

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        return bundle(repr(self), self._repr_html_(), lambda: self.controls.root)


class _Controls:
    """Two choices, three buttons, and the picture."""

    def __init__(self, demo: SharingDemo, sources: list[str]) -> None:
        self._demo = demo
        self._plain: Any = w.Layout()  # one for all, since each is a model of its own in the page
        self.source = self._dropdown("from", sources)
        self.conversion = self._dropdown("by", list(CONVERSIONS))
        self.buttons = {side: self._button(f"Write on the {side}") for side in SIDES}
        self.over = self._button("Start over")
        self.shown = w.HTML(layout=self._plain)
        row = w.HBox([self.source, self.conversion, *self.buttons.values(), self.over], layout=self._plain)
        row.add_class("tt-row")
        self.root = w.VBox([w.HTML(style(*PARTS), layout=self._plain), row, self.shown], layout=self._plain)
        for name in ("tt", "tt-sharing"):
            self.root.add_class(name)
        for choice in (self.source, self.conversion):
            choice.observe(self._choose, "value")
        for side, button in self.buttons.items():
            button.on_click(lambda _, side=side: self._write(side))
        self.over.on_click(self._choose)
        self._show()

    def _dropdown(self, label: str, options: list[str]) -> Any:
        return w.Dropdown(options=options, description=label, layout=self._plain)

    def _button(self, label: str) -> Any:
        return w.Button(description=label, layout=self._plain)

    def _choose(self, _: object) -> None:
        self._demo.choose(self.source.value, self.conversion.value)
        self._show()

    def _write(self, side: str) -> None:
        self._demo.write(side)
        self._show()

    def _show(self) -> None:
        self.shown.value = f'<div class="tt">{sharing_body(self._demo.sharing)}</div>'
        for side, button in self.buttons.items():
            button.disabled = not self._demo.can_write(side)
