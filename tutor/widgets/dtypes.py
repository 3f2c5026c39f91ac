"""The dtype explorer: a field to write a number in, and what every dtype makes of it."""

from __future__ import annotations

from typing import Any

import ipywidgets as w

from tutor._dtypes.floats import FLOATS
from tutor.drawing.dtypes import PARTS, floats_body, rest_body
from tutor.drawing.svg import escape, mark, note, page, style
from tutor.dtypes import Casts, casts
from tutor.widgets.hosting import bundle

__all__ = ["DtypeExplorer", "dtype_explorer"]

_IN_A_NOTEBOOK = "In a notebook, write another number in the field."
_TRY = ("0.1", "2049", "2**24 + 1", "1e-8", "70000", "300", "-1", "nan")


def dtype_explorer(x: object = 0.1) -> DtypeExplorer:
    """Write any number, and see what each dtype makes of it.

    For the float dtypes: the bits, the value that they hold, how far that is off, and the values beside it on a number
    line. For the integer dtypes: what a cast gives, and what the constructor gives. Every value comes from a cast that
    torch has just done.

    Parameters
    ----------
    x
        A number, a tensor or an array with one element, or text: ``"1e-8"``, ``"2**24 + 1"``, ``"0xff"``, ``"nan"``.
        Text is read as Python reads it: ``"0.1"`` is the float64 nearest to 0.1.

    Returns
    -------
    DtypeExplorer
        A field and a picture in a notebook; elsewhere the same as text.

    Raises
    ------
    TypeError
        If `x` is no number.
    ValueError
        If `x` is text that says no number, or is larger than any float64.

    Notes
    -----
    What the dtypes are: https://docs.pytorch.org/docs/stable/tensor_attributes.html. Casts of floats that an integer
    cannot hold are not defined in C++: https://en.cppreference.com/w/cpp/language/implicit_conversion.

    Examples
    --------
    >>> explorer = dtype_explorer(0.1)
    >>> explorer.casts["float16"].value
    0.0999755859375
    >>> explorer.write("2**24 + 1")
    >>> explorer.casts["float32"].value
    16777216.0
    """
    return DtypeExplorer(casts(x))


class DtypeExplorer:
    """A number in every dtype, with a field for another one; see `dtype_explorer`.

    Attributes
    ----------
    casts
        What the dtypes made of the number.
    """

    def __init__(self, seen: Casts) -> None:
        self.casts = seen
        self._controls: _Controls | None = None

    @property
    def controls(self) -> _Controls:
        """The controls, made when they are first asked for."""
        if self._controls is None:
            self._controls = _Controls(self)
        return self._controls

    def write(self, x: object, scale: str | None = None) -> None:
        """Look at another number, as the field does.

        Parameters
        ----------
        x
            A number, or text that says one.
        scale
            The dtype whose steps set the scale of the number line, as for `tutor.number_line`.

        Raises
        ------
        TypeError, ValueError
            As `dtype_explorer` does; what was there before stays.
        """
        self.casts = casts(x, scale=scale)
        if self._controls is not None:
            self._controls.show()

    def __repr__(self) -> str:
        return f"{self.casts!r}\n\n{_IN_A_NOTEBOOK}"

    def _repr_html_(self) -> str:
        return self.casts._repr_html_() + page(f'<p class="tt-wide">{_IN_A_NOTEBOOK}</p>')

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        return bundle(repr(self), self._repr_html_(), lambda: self.controls.root)


class _Controls:
    """A field, numbers to try, a choice of scale, and the picture."""

    def __init__(self, explorer: DtypeExplorer) -> None:
        self._explorer = explorer
        self._setting = False
        self._plain: Any = w.Layout()  # one for all, since each is a model of its own in the page
        self.field = w.Text(description="x =", continuous_update=False, layout=self._plain)
        self.tries = [self._try(text) for text in _TRY]
        self.scales = {name: self._scale(name) for name in FLOATS}
        self.said = w.HTML(layout=self._plain)
        self.floats, self.rest = w.HTML(layout=self._plain), w.HTML(layout=self._plain)
        field = self._row(self.field, self._label("press Enter"))
        tries = self._row(self._label("or try"), *self.tries)
        self._scale_row = self._row(self._label("number line in steps of"), *self.scales.values())
        sheet = w.HTML(style(*PARTS), layout={"display": "none"})
        shown = [self.said, self.floats, self._scale_row, self.rest]
        self.root = w.VBox([sheet, field, tries, *shown], layout=self._plain)
        for name in ("tt", "tt-dtypes"):
            self.root.add_class(name)
        self.field.observe(self._written, "value")
        self.show()

    def show(self) -> None:
        """Show the explorer's number."""
        seen = self._explorer.casts
        self._setting = True
        try:
            self.field.value = seen.number.text
        finally:
            self._setting = False
        self.said.value = ""
        self.floats.value = f'<div class="tt">{floats_body(seen)}</div>'
        self.rest.value = f'<div class="tt">{rest_body(seen)}</div>'
        self._scale_row.layout.display = "" if seen.line else "none"
        for name, button in self.scales.items():
            active = seen.line is not None and name == seen.line.scale
            if active != ("mod-active" in button._dom_classes):
                (button.add_class if active else button.remove_class)("mod-active")

    def _row(self, *controls: Any) -> Any:
        row = w.HBox(list(controls))
        row.add_class("tt-row")
        return row

    def _label(self, text: str) -> Any:
        return w.HTML(f'<span class="tt-quiet tt-fine">{text}</span>', layout=self._plain)

    def _try(self, text: str) -> Any:
        button = w.Button(description=text, layout=self._plain)
        button.on_click(lambda _: self._look(text))
        return button

    def _scale(self, name: str) -> Any:
        button = w.Button(description=name, layout=self._plain)
        button.on_click(lambda _: self._look(self._explorer.casts.number, name))
        return button

    def _written(self, _: object) -> None:
        if not self._setting:
            self._look(self.field.value)

    def _look(self, x: object, scale: str | None = None) -> None:
        try:
            self._explorer.write(x, scale)
        except ValueError as error:
            sentence = str(error).removeprefix("x: ")
            body = f'<p role="alert">{mark("raise")} {escape(sentence)}.</p>'
            self.said.value = f'<div class="tt">{note(body, settled=False)}</div>'
