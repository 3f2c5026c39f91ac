"""The stride explorer: buttons that do real operations on a real tensor, and what each does to its layout."""

from __future__ import annotations

from typing import Any

import ipywidgets as w
import torch

from tutor._striding.exploring import Exploration
from tutor._striding.operations import GROUPS, OPERATIONS, Parameter
from tutor.drawing.strides import PARTS, exploration_html
from tutor.drawing.svg import code, page, style
from tutor.widgets.hosting import bundle

__all__ = ["StrideExplorer", "stride_explorer"]

_FARTHEST = 2**53 - 1  # what a number may be set to, up and down: the last whole number that a page knows exactly


def stride_explorer(t: torch.Tensor | None = None, *, name: str = "t") -> StrideExplorer:
    """Turn, pick, grow and read a tensor with buttons, and see what each step does to strides and memory.

    Each button does the real operation. Beneath the line of code stands whether the step gave a view or a copy; the
    picture shows the elements in memory; a table compares strides, offset, contiguity and bytes written with those
    before. Where torch raises, its words are shown and the reason. What an operation takes can be changed beneath the
    buttons, and the step is then done anew. The tensor itself is never written to.

    Parameters
    ----------
    t
        A strided tensor of any shape; twelve numbers in three rows if none is given.
    name
        What the tensor is called in the code.

    Returns
    -------
    StrideExplorer
        Controls in a notebook; elsewhere the layout of `t`, and the line of code so far.

    Raises
    ------
    TypeError
        If `t` is no tensor, or has a layout without strides.

    Notes
    -----
    Which operations give views: https://docs.pytorch.org/docs/stable/tensor_view.html. When a view is possible:
    https://docs.pytorch.org/docs/stable/generated/torch.Tensor.view.html.

    Examples
    --------
    >>> import torch
    >>> explorer = stride_explorer(torch.arange(6.0).reshape(2, 3))
    >>> explorer.press("transpose")
    >>> explorer.exploration.code, explorer.exploration.now.stride()
    ('t.transpose(0, 1)', (1, 3))
    """
    return StrideExplorer(Exploration(torch.arange(12.0).reshape(3, 4) if t is None else t, name))


class StrideExplorer:
    """A tensor with buttons; see `stride_explorer`.

    Attributes
    ----------
    exploration
        The tensor and what was done to it.
    """

    def __init__(self, exploration: Exploration) -> None:
        self.exploration = exploration
        self._twins = repr(exploration.layout()), exploration.layout()._repr_html_()
        self._controls: _Controls | None = None

    @property
    def controls(self) -> _Controls:
        """The controls, made when they are first asked for."""
        if self._controls is None:
            self._controls = _Controls(self.exploration)
        return self._controls

    def press(self, operation: str) -> None:
        """Do what the button of that name does.

        Parameters
        ----------
        operation
            ``"transpose"``, ``"view"``, or another of the names on the buttons; ``"undo"``.

        Raises
        ------
        ValueError
            If there is no such button.
        """
        if operation != "undo" and operation not in OPERATIONS:
            known = ", ".join(map(repr, (*OPERATIONS, "undo")))
            raise ValueError(f"operation: there is no {operation!r}; there are {known}")
        self.controls.press(operation)

    def __repr__(self) -> str:
        buttons = ", ".join(OPERATIONS)
        return f"{self._twins[0]}\nIn a notebook, buttons do to {self.exploration.name}: {buttons}."

    def _repr_html_(self) -> str:
        buttons = ", ".join(OPERATIONS)
        name = code(self.exploration.name)
        return self._twins[1] + page(f'<p class="tt-wide">In a notebook, buttons do to {name}: {buttons}.</p>')

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        return bundle(repr(self), self._repr_html_(), lambda: self.controls.root)


class _Controls:
    """Buttons, what the last operation takes, and the picture."""

    def __init__(self, exploration: Exploration) -> None:
        self._exploration = exploration
        self._setting = False
        self._plain: Any = w.Layout()  # one for all, since each is a model of its own in the page
        self.buttons = self._buttons()
        self.given = w.HBox([])
        self.given.add_class("tt-given")
        self.fields = self._fields()
        self.shown = w.HTML(layout=self._plain)
        self.root = w.VBox([w.HTML(style(*PARTS), layout={"display": "none"}), self._sets(), self.given, self.shown])
        for name in ("tt", "tt-explorer"):
            self.root.add_class(name)
        self._show()

    def press(self, operation: str) -> None:
        """Do an operation, or undo the last."""
        if operation == "undo":
            self._exploration.undo()
        else:
            self._exploration.do(operation)
        self._show()
        self._ask()

    def _buttons(self) -> dict[str, Any]:
        look = w.ButtonStyle()
        buttons = {}
        for name in (*OPERATIONS, "undo"):
            button = w.Button(description=name, layout=self._plain, style=look)
            button.on_click(lambda _, name=name: self.press(name))
            buttons[name] = button
        return buttons

    def _sets(self) -> Any:
        sets = []
        for group in (*GROUPS, ""):
            mine = [self.buttons[name] for name, one in OPERATIONS.items() if one.group == group]
            label = w.HTML(f'<span class="tt-quiet tt-fine">{group}</span>', layout=self._plain)
            box = w.HBox([label, *mine] if mine else [self.buttons["undo"]], layout=self._plain)
            box.add_class("tt-set")
            sets.append(box)
        row = w.HBox(sets, layout=self._plain)
        row.add_class("tt-sets")
        return row

    def _fields(self) -> dict[str, list[Any]]:
        """The controls for what operations take, by kind; the same ones serve all operations.

        Fields to write in, since JupyterLab takes the arrow keys of others, a drop-down list among them.
        """
        both: dict[str, Any] = {"layout": self._plain, "style": {"description_width": "initial"}}
        fields: dict[str, list[Any]] = {
            "dim": [w.BoundedIntText(min=0, max=1, **both) for _ in range(2)],
            "number": [w.BoundedIntText(min=-_FARTHEST, max=_FARTHEST, **both) for _ in range(2)],
            "numbers": [w.Text(continuous_update=False, **both)],
        }
        fields["numbers"][0].add_class("tt-sizes")
        for field in (field for kind in fields.values() for field in kind):
            field.observe(self._changed, "value")
        return fields

    def _placed(self) -> list[tuple[Parameter, Any]]:
        """The last operation's parameters, each with its control."""
        if self._exploration.operation is None:
            return []
        free = {kind: iter(fields) for kind, fields in self.fields.items()}
        parameters = OPERATIONS[self._exploration.operation].parameters
        return [(one, next(free["dim" if one.kind == "new dim" else one.kind])) for one in parameters]

    def _changed(self, _: object) -> None:
        if not self._setting:
            self._exploration.again({one.name: field.value for one, field in self._placed()})
            self._show()

    def _ask(self) -> None:
        """Show the controls for what the last operation takes, with what it was given."""
        exploration, placed = self._exploration, self._placed()
        self._setting = True
        try:
            for one, field in placed:
                if one.kind.endswith("dim"):
                    field.max = self._last_dim(new=one.kind == "new dim")
                field.description = one.label
                field.value = exploration.arguments[one.name]
        finally:
            self._setting = False
        fields = [field for _, field in placed]
        if list(self.given.children) != fields:
            self.given.children = fields

    def _last_dim(self, *, new: bool) -> int:
        """The last dimension that the last operation can name; dim 1 always, to see what its lack does."""
        dims = self._exploration.dims_before
        return dims if new else max(1, dims - 1)

    def _show(self) -> None:
        self.shown.value = f'<div class="tt">{exploration_html(self._exploration)}</div>'
        for name, button in self.buttons.items():
            active = name == self._exploration.operation
            if active != ("mod-active" in button._dom_classes):
                (button.add_class if active else button.remove_class)("mod-active")
