"""Loss curves that are drawn while the training runs."""

from __future__ import annotations

import inspect
import time
from collections.abc import Iterable
from typing import Any

from tutor._words import count_text
from tutor.drawing import svg
from tutor.drawing.training import draw as curves_html
from tutor.training import LossCurves, Watch
from tutor.widgets.hosting import bundle, in_kernel

__all__ = ["loss_curves"]

_EVERY = 0.2  # seconds between two pictures


def loss_curves(*unnamed: object, steps: int | None = None, draw: bool = True, **runs: Iterable[object]) -> LossCurves:
    """Run training loops one after another, and show how their losses fall.

    Parameters
    ----------
    **runs
        Training loops under the names they shall have, each a generator that yields the loss after every step.
    steps
        The most steps that a loop may take; if none is given, each runs to its end.
    draw
        Whether a notebook draws the losses while they come; else it shows the progress alone.

    Returns
    -------
    LossCurves
        A picture in a notebook. ``curves["name"]`` has ``.losses``, ``.last`` (the mean of the last tenth), the
        ``.seconds`` of each step, and ``.kept``, the bytes that autograd kept for the first backward pass.

    Raises
    ------
    TypeError
        If a loop has no name, cannot be iterated over, or yields something other than a number.
    ValueError
        If there is no loop, or `steps` is not positive.

    Notes
    -----
    What autograd keeps: https://docs.pytorch.org/docs/stable/autograd.html#saved-tensors-hooks-doc.

    Examples
    --------
    >>> def train(rate):
    ...     w = torch.tensor(4.0, requires_grad=True)
    ...     for _ in range(5):
    ...         loss = w**2
    ...         (gradient,) = torch.autograd.grad(loss, w)
    ...         with torch.no_grad():
    ...             w -= rate * gradient
    ...         yield loss
    >>> import torch
    >>> curves = loss_curves(slow=train(0.01), fast=train(0.25))
    >>> curves["fast"].losses
    (16.0, 4.0, 1.0, 0.25, 0.0625)
    >>> curves.learned()
    ('fast',)
    """
    _check(unnamed, steps, runs)
    board = _Board(tuple(runs), draw=draw)
    watch = Watch(runs, steps)
    try:
        while not watch.finished:
            watch.step()
            board.show(watch.curves)
    finally:
        watch.close()
        board.end(watch.curves(), finished=watch.finished)
    return watch.curves()


def _check(unnamed: tuple[object, ...], steps: int | None, runs: dict[str, Iterable[object]]) -> None:
    if unnamed:
        raise TypeError(
            f"loss_curves: every loop needs a name, as in loss_curves(mine=train()); "
            f"got {count_text(len(unnamed), 'loop')} without one"
        )
    if not runs:
        raise ValueError("loss_curves: at least one training loop is wanted, as in loss_curves(mine=train())")
    if steps is not None and not (isinstance(steps, int) and steps > 0):
        raise ValueError(f"loss_curves: steps must be a positive whole number or None; got {steps!r}")
    for name, loop in runs.items():
        if inspect.isgeneratorfunction(loop):
            raise TypeError(f"loss_curves: {name} is a generator function; call it, as in {name}={loop.__name__}()")
        if not isinstance(loop, Iterable):
            raise TypeError(f"loss_curves: {name} must be a generator that yields losses; got {type(loop).__name__}")


class _Board:
    """The place in a notebook where the runs are shown while they last; afterwards one line remains."""

    def __init__(self, names: tuple[str, ...], *, draw: bool) -> None:
        self.names = names
        self.draw = draw
        self._html: Any = None
        self._next = 0.0
        if in_kernel():
            from IPython.display import display  # noqa: PLC0415 - only where a notebook has loaded it

            display(self)  # type: ignore[no-untyped-call]

    def show(self, curves: Any) -> None:
        """Show where the runs are, unless that was done a moment ago; `curves` is asked only then."""
        if self._html is None or time.monotonic() < self._next:
            return
        seen = curves()
        line = self._progress(seen)
        self._html.value = _line(line) + (curves_html(seen) if self.draw else "")
        self._next = time.monotonic() + _EVERY

    def end(self, seen: LossCurves, *, finished: bool) -> None:
        """Leave one line; after an interruption or an error the curves so far too, for nobody gets them otherwise."""
        if self._html is None:
            return
        if finished:
            self._html.value = _line(f"Trained: {', '.join(f'`{run.name}`' for run in seen.runs)}.")
        elif seen.runs:
            self._html.value = _line(f"Stopped. {self._progress(seen)}.") + (curves_html(seen) if self.draw else "")

    def _progress(self, seen: LossCurves) -> str:
        run = seen.runs[-1]
        of = max(map(len, (one.losses for one in seen.runs[:-1])), default=0)
        place = f"step {len(run.losses):,}" + (f" of {of:,}" if of else "")
        return f"`{run.name}` ({len(seen.runs)} of {len(self.names)}), {place}"

    def __repr__(self) -> str:
        return f"Training runs: {', '.join(self.names)}."

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        return bundle(repr(self), _line(repr(self)), self._made)

    def _made(self) -> Any:
        from ipywidgets import HTML  # noqa: PLC0415 - a terminal needs no controls

        self._html = HTML(layout={"margin": "0"})
        return self._html


def _line(text: str) -> str:
    return svg.page(f'<p class="tt-quiet">{svg.prose(text)}</p>')
