"""Predictions: a question before the code runs, and what happened after."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tutor.course.journal import Event, journal
from tutor.course.matching import plain_value, same, value_text
from tutor.course.model import Option, Question
from tutor.course.shelf import question
from tutor.course.telling import Seen, as_note, as_page, as_text, hang
from tutor.drawing import course as draw
from tutor.drawing.svg import plain
from tutor.widgets.hosting import bundle

_FOLDED = "What happened is folded until you commit above."


@dataclass(frozen=True)
class Observation:
    """What a notebook's code observed for a question: the value, and the option it belongs to, or None."""

    key: str
    value: object
    option: Option | None


_OBSERVATIONS: list[Observation] = []


def observations() -> tuple[Observation, ...]:
    """All that `reveal` was given in this process, in order."""
    return tuple(_OBSERVATIONS)


class Dialogue:
    """What passes between the course and the learner about one question, in this process.

    The question's cells and the answer's cells all listen: when one moves, the others follow.
    """

    def __init__(self, key: str, asked: Question) -> None:
        self.key = key
        self.question = asked
        self.answer: Event | None = None
        self.looked = False
        self.showing = False
        self.reopened = False
        self._listeners: list[Callable[[], None]] = []

    @property
    def open(self) -> bool:
        """Whether the learner has neither committed nor is looking without having committed."""
        return self.answer is None and not self.showing

    def remember(self) -> None:
        """Take up the answer last committed, in whatever kernel that was."""
        given = [event for event in journal().events("answer") if event["key"] == self.key]
        self.answer = given[-1] if given else None
        self.reopened = False

    def commit(self, index: int, sure: int) -> None:
        """The learner has decided."""
        label = self.question.options[index].label
        self.answer = journal().add("answer", self.key, label=label, sure=sure, looked=self.looked)
        self._tell()

    def look(self) -> None:
        """The learner wants to see without deciding; what they say later weighs nothing."""
        self.looked = self.showing = True
        journal().add("looked", self.key)
        self._tell()

    def look_away(self) -> None:
        """The learner has seen enough, and may still decide."""
        self.showing = False
        self._tell()

    def reopen(self) -> None:
        """The learner wants to answer afresh."""
        self.answer = None
        self.showing = False
        self.reopened = True
        self._tell()

    def listen(self, callback: Callable[[], None]) -> None:
        """Call `callback` after every change."""
        self._listeners.append(callback)

    def _tell(self) -> None:
        for callback in self._listeners:
            callback()


_DIALOGUES: dict[str, Dialogue] = {}


def dialogue(key: str) -> Dialogue:
    """The dialogue about one question; all cells of this process share it."""
    asked = question(key)
    if key not in _DIALOGUES or _DIALOGUES[key].question != asked:
        _DIALOGUES[key] = Dialogue(key, asked)
    return _DIALOGUES[key]


class Prediction:
    """A question to answer before the next cell runs; what `predict` gives."""

    def __init__(self, talk: Dialogue) -> None:
        self._talk = talk
        self._form: Any = None

    @property
    def question(self) -> Question:
        """The question asked."""
        return self._talk.question

    def form(self) -> Any:
        """The controls, made on first use."""
        if self._form is None:
            self._form = self._made()
            self._update()
            self._talk.listen(self._update)
        return self._form

    def _made(self) -> Any:
        from tutor.widgets.forms import QuestionForm  # noqa: PLC0415 - a terminal needs no controls

        labels = [option.label for option in self.question.options]
        return QuestionForm(draw.question_head(self.question.prompt), labels, self._commit, self._talk.reopen)

    def _commit(self, index: int, sure: int) -> None:
        self._talk.commit(index, sure)
        self._form.again.focus()  # where the keyboard was is gone

    def _update(self) -> None:
        answer = self._talk.answer
        if answer is None:
            self._form.open()  # what is chosen already stays chosen
        else:
            self._form.settle(draw.said(answer["label"], answer["sure"], _after_commit()))

    def __repr__(self) -> str:
        asked = self.question
        options = "\n".join(hang(f"- {plain(option.label)}", 4) for option in asked.options)
        after = "Decide, and say to yourself how sure you are. Then run the next cell."
        return f"{hang('? ' + plain(asked.prompt), 0)}\n{options}\n  {after}"

    def _repr_html_(self) -> str:
        return draw.question(self.question.prompt, [option.label for option in self.question.options])

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        return bundle(repr(self), self._repr_html_(), lambda: self.form().root)


class Answer:
    """What happened, folded until the learner has committed; what `reveal` gives."""

    def __init__(self, talk: Dialogue, observation: Observation, seen: Seen) -> None:
        self._talk = talk
        self._seen = seen
        self.observation = observation
        self._note: Any = None

    def note(self) -> Any:
        """The note, made on first use."""
        if self._note is None:
            from tutor.widgets.forms import FoldedNote  # noqa: PLC0415 - a terminal needs no controls

            self._note = FoldedNote(self._look, self._look_away)
            self._update()
            self._talk.listen(self._update)
        return self._note

    def _look(self) -> None:
        self._talk.look()
        self._note.hide.focus()

    def _look_away(self) -> None:
        self._talk.look_away()
        self._note.show.focus()

    def _update(self) -> None:
        answer = self._talk.answer
        if self._talk.open:
            self._note.fold(draw.paragraph(_FOLDED))
        else:
            self._note.unfold(as_note(self._seen, answer), may_fold=answer is None)

    def __repr__(self) -> str:
        return as_text(self._seen)

    def _repr_html_(self) -> str:
        return as_page(self._seen)

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        return bundle(repr(self), self._repr_html_(), lambda: self.note().root)


def predict(key: str) -> Prediction:
    """Ask a question of the course before the code runs.

    Parameters
    ----------
    key
        The chapter and the question's name, such as ``"creation_from_data/list-copy"``.

    Returns
    -------
    Prediction
        Displays as a question with its options and "Commit" in a notebook, and as text elsewhere. What was committed
        is kept in the learner's progress.

    Raises
    ------
    ValueError
        If there is no such question; the sentence names the nearest one.
    """
    talk = dialogue(key)
    talk.remember()
    return Prediction(talk)


def reveal(key: str, observed: object, show: object = None) -> Answer:
    """Show what happened, once the learner has committed to a prediction.

    Parameters
    ----------
    key
        The same as in `predict`.
    observed
        The value that the code has just produced. The right answer is the option with the same value: numbers by
        ``==``, a bool only with a bool, an error by its class, a tensor or NumPy scalar by the number in it.
    show
        Any object to draw beside the explanation, such as what `inspect_tensor` gives; a dictionary as named lines.

    Returns
    -------
    Answer
        Displays folded until the question above is answered.

    Raises
    ------
    ValueError
        If there is no such question; the sentence names the nearest one.
    """
    talk = dialogue(key)
    if talk.open and not talk.reopened:
        talk.remember()
    option = _matched(talk.question, observed)
    observation = Observation(key, plain_value(observed), option)
    _record(observation)
    return Answer(talk, observation, Seen(talk.question, value_text(observed), option, show))


def _matched(asked: Question, observed: object) -> Option | None:
    exact = [option for option in asked.options if same(option.value, observed)]
    value = plain_value(observed)
    if exact or not (isinstance(value, type) and issubclass(value, BaseException)):
        return exact[0] if exact else None
    broader = [o for o in asked.options if isinstance(o.value, type) and issubclass(value, o.value)]
    return broader[0] if len(broader) == 1 else None


def _record(seen: Observation) -> None:
    label = None if seen.option is None else seen.option.label
    earlier = [o for o in _OBSERVATIONS if o.key == seen.key]
    _OBSERVATIONS.append(seen)
    if not earlier or not same(earlier[-1].value, seen.value):
        journal().add("observed", seen.key, value=value_text(seen.value), label=label)


def _after_commit() -> str:
    kept = "Committed." if journal().trouble is None else "Committed, until this kernel stops."
    return f"{kept} Run the next cell."
