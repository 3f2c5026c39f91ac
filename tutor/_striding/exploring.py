"""A chain of operations on a real tensor, each of which can be changed while it is the last, and undone."""

from __future__ import annotations

import torch

from tutor._inspecting.quiet import unheard
from tutor._layout.model import LayoutDiagram
from tutor._layout.observing import check_name, observe
from tutor._striding.goals import GOALS, Attempt
from tutor._striding.model import Arguments, Goal, Refusal, Step
from tutor._striding.operations import MAY_COPY, OPERATIONS, run
from tutor._striding.why import why
from tutor._words import bytes_text
from tutor.memory import shared_memory

_MOST_BYTES = 2**24  # so much may be written at a click
_REMEMBERED = 40
_LONGEST = 22  # characters of code that have room as a name


class Exploration:
    """A tensor and what was done to it.

    Parameters
    ----------
    t
        A strided tensor. It is never written to.
    name
        What it is called in the code.

    Attributes
    ----------
    steps
        The operations that led from ``t`` to ``now``.
    refusal
        Why the last one that was tried gave nothing; None if it did.
    operation, arguments
        The last operation that was tried, with what it was given; None at the beginning and after an undo.
    """

    def __init__(self, t: torch.Tensor, name: str = "t") -> None:
        check_name(name, "stride_explorer")
        if not isinstance(t, torch.Tensor):
            hint = ": torch.from_numpy makes one on the same bytes" if hasattr(t, "__array_interface__") else ""
            raise TypeError(f"stride_explorer expected t to be a tensor, but got a {type(t).__name__}{hint}")
        observe(t, name, "stride_explorer")
        self.name = name
        self.steps: list[Step] = []
        self.refusal: Refusal | None = None
        self.operation: str | None = None
        self.arguments: Arguments = {}
        self._tensors = [t]
        self._made: list[tuple[str, torch.Tensor]] = [(name, t)]
        self._met = dict.fromkeys(GOALS, "")

    @property
    def now(self) -> torch.Tensor:
        """The tensor as it is after the last step."""
        return self._tensors[-1]

    @property
    def dims_before(self) -> int:
        """How many dimensions the tensor had that the last operation was given."""
        return self._tensors[-1 if self.refusal or not self.steps else -2].dim()

    @property
    def code(self) -> str:
        """The line that makes it."""
        return self.name + "".join(step.code for step in self.steps)

    @property
    def goals(self) -> tuple[Goal, ...]:
        """What is asked for, and what of it was brought about."""
        return tuple(Goal(key, words, self._met[key]) for key, (words, _) in GOALS.items())

    def layout(self) -> LayoutDiagram:
        """The layout of the tensor as it is now."""
        return self._layout(-1, self.code if len(self.code) <= _LONGEST else "now")

    def before(self) -> LayoutDiagram | None:
        """The layout before the last step; None if there was none."""
        return self._layout(-2, "before") if self.steps else None

    def _layout(self, i: int, name: str) -> LayoutDiagram:
        return observe(self._tensors[i], name, "stride_explorer")

    def do(self, operation: str) -> None:
        """Do an operation with what it takes at first."""
        self._attempt(operation, OPERATIONS[operation].first(self.now))

    def again(self, arguments: Arguments) -> None:
        """Do the last operation with other arguments, in place of what it did."""
        if self.operation is None:
            return
        operation = self.operation
        if self.refusal is None:
            self._drop()
        self._attempt(operation, arguments)

    def undo(self) -> None:
        """Go back to before the last step; a refusal is forgotten first."""
        if self.refusal is None and self.steps:
            self._drop()
        self.operation, self.arguments, self.refusal = None, {}, None

    def _drop(self) -> None:
        self.steps.pop()
        self._tensors.pop()

    def _attempt(self, operation: str, arguments: Arguments) -> None:
        self.operation, self.arguments, self.refusal = operation, dict(arguments), None
        before = self.now
        try:
            code = OPERATIONS[operation].code(arguments)
        except ValueError as error:
            self.refusal = Refusal("", "", str(error))
            return
        if (nbytes := _too_much(before, operation)) is not None:
            self.refusal = Refusal(self.code + code, "", f"It may write {bytes_text(nbytes)}, and that is a lot here.")
            return
        try:
            with unheard():
                after = run(before, code)
        except Exception as error:  # whatever torch raises is what is shown
            said = f"{type(error).__name__}: {str(error).strip().splitlines()[0]}"
            self.refusal = Refusal(self.code + code, said, why(before, operation, arguments))
            return
        self._made_one(operation, code, before, after)

    def _made_one(self, operation: str, code: str, before: torch.Tensor, after: torch.Tensor) -> None:
        step = _step(operation, code, before, after)
        self.steps.append(step)
        self._tensors.append(after)
        attempt = Attempt(step, before, after, self.code, tuple(self._made))
        for key, (_, is_met) in GOALS.items():
            self._met[key] = self._met[key] or is_met(attempt)
        # views of the first tensor keep nothing alive that is not alive already
        if after.untyped_storage()._cdata == self._tensors[0].untyped_storage()._cdata:
            self._made = [*self._made, (self.code, after)][-_REMEMBERED:]


def _step(operation: str, code: str, before: torch.Tensor, after: torch.Tensor) -> Step:
    if after is before:
        return Step(operation, code, "same", 0)
    if shared_memory(before, after).same_storage:
        return Step(operation, code, "view", 0)
    return Step(operation, code, "copy", after.numel() * after.element_size())


def _too_much(t: torch.Tensor, operation: str) -> int | None:
    nbytes = t.numel() * t.element_size()
    return nbytes if operation in MAY_COPY and t.device.type != "meta" and nbytes > _MOST_BYTES else None
