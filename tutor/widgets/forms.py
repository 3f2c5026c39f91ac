"""The controls of a question: its options, how sure the learner is, and the note that unfolds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import ipywidgets as w

from tutor.drawing.svg import escape, plain, style

_PARTS = ("ask", "exercise", "picture", "controls", "row")


def _html(body: str = "") -> w.HTML:
    return w.HTML(_inner(body))


def _inner(body: str) -> str:
    return f'<div class="tt">{body}</div>' if body else ""


def _classed(box: Any, *names: str) -> Any:
    for name in names:
        box.add_class(name)
    return box


class QuestionForm:
    """A question to answer: choose, say how sure, commit.

    Parameters
    ----------
    head
        The question as HTML.
    labels
        What may be chosen, as prose; a button shows it without its marks.
    on_commit
        Called with the index of the chosen option and the certainty in per cent.
    on_again
        Called when the learner wants to answer afresh.
    """

    def __init__(
        self, head: str, labels: Sequence[str], on_commit: Callable[[int, int], None], on_again: Callable[[], None]
    ) -> None:
        self._on_commit = on_commit
        self._on_again = on_again
        options = [(plain(label).replace("`", ""), i) for i, label in enumerate(labels)]
        self.options = _classed(w.ToggleButtons(options=options, value=None), "tt-choice")
        self.sure = w.IntSlider(value=50, min=0, max=100, step=10, description="How sure?", continuous_update=False)
        self.commit = w.Button(description="Commit", disabled=True, button_style="primary")
        self.again = w.Button(description="Answer again")
        self.status = _html()
        self.said = _html()
        self._body = _classed(w.VBox([]), "tt-indent")
        self.root = _classed(w.VBox([_html(style(*_PARTS) + head), self._body]), "tt", "tt-form")
        self._scale = _html('<span class="tt-quiet tt-fine">0 is a guess, 100 is certain</span>')
        self.options.observe(self._chosen, "value")
        self.commit.on_click(self._committed)
        self.again.on_click(lambda _: self._on_again())

    def open(self) -> None:
        """Show the options, with none chosen, unless they are shown already."""
        if self.options in self._body.children:
            return
        self.options.value = None
        self._chosen()
        sure = _classed(w.HBox([self.sure, self._scale]), "tt-row", "tt-sure")
        foot = _classed(w.HBox([self.commit, self.status]), "tt-row")
        self._body.children = [self.options, sure, foot]

    def settle(self, said: str, *, again: bool = True) -> None:
        """Show what was said in place of the options; `again` offers to answer afresh."""
        self.said.value = _inner(said)
        self._body.children = [self.said, *([_classed(w.HBox([self.again]), "tt-row")] if again else [])]

    def _chosen(self, _: object = None) -> None:
        open_yet = self.options.value is None
        self.commit.disabled = open_yet
        words = "Choose an answer first." if open_yet else f"You chose: {self.options.label}."
        self.status.value = _inner(f'<span class="tt-quiet tt-fine" role="status">{escape(words)}</span>')

    def _committed(self, _: object) -> None:
        if self.options.value is not None:
            self._on_commit(self.options.value, self.sure.value)


class FoldedNote:
    """A note that keeps to itself until it is unfolded.

    Parameters
    ----------
    on_show
        Called when the learner asks to see it without having committed.
    on_fold
        Called when they have seen enough.
    """

    def __init__(self, on_show: Callable[[], None], on_fold: Callable[[], None]) -> None:
        self.show = w.Button(description="Show me anyway")
        self.show.on_click(lambda _: on_show())
        self.hide = w.Button(description="Fold again")
        self.hide.on_click(lambda _: on_fold())
        self.text = _html()
        self._style = _html(style(*_PARTS))
        self._row = _classed(w.HBox([self.text, self.show]), "tt-row", "tt-note", "tt-open")
        self._hide_row = _classed(w.HBox([self.hide]), "tt-row")
        self.root = _classed(w.VBox([]), "tt", "tt-reveal")

    def fold(self, body: str) -> None:
        """Show only that there is something to see."""
        self.text.value = _inner(body)
        self.root.children = [self._style, self._row]

    def unfold(self, body: str, *, may_fold: bool) -> None:
        """Show all of it; `may_fold` offers to fold it again."""
        self.text.value = _inner(body)
        self.root.children = [self._style, self.text, *([self._hide_row] if may_fold else [])]


class Deck:
    """Questions one after another: each is answered, told, and left behind.

    Parameters
    ----------
    on_next
        Called when the learner wants the next one.
    """

    def __init__(self, on_next: Callable[[], None]) -> None:
        self.form: QuestionForm | None = None
        self.next = w.Button(description="Next")
        self.next.on_click(lambda _: on_next())
        self.root = _classed(w.VBox([]), "tt", "tt-reveal")

    def ask(self, head: str, labels: Sequence[str], on_commit: Callable[[int, int], None]) -> None:
        """Show one question."""
        self.form = QuestionForm(head, labels, on_commit, lambda: None)
        self.form.open()
        self.root.children = [self.form.root]

    def tell(self, said: str, body: str) -> None:
        """Show what was said and what happened."""
        if self.form is not None:
            self.form.settle(said, again=False)
            row = _classed(w.HBox([self.next]), "tt-row")
            self.root.children = [self.form.root, _html(body), row]
            self.next.focus()

    def end(self, body: str) -> None:
        """Show that there are no more."""
        self.root.children = [_html(style(*_PARTS) + body)]
