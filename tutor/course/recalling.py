"""Asks again what was answered wrong, too surely, or long ago: spaced retrieval from the learner's own record."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from tutor.course.journal import Event, journal
from tutor.course.model import Question
from tutor.course.shelf import question
from tutor.course.telling import Seen, as_note, option_labelled
from tutor.course.weighing import observed_labels
from tutor.drawing import course as draw
from tutor.drawing.svg import page, prose
from tutor.widgets.hosting import bundle

_REST = timedelta(days=1)
_TOO_SURE = 80
_WORDS = (
    "Review asks again what you answered wrong, too surely, or long ago. It needs a notebook and some answers of "
    "yours, and compares with what your own machine showed."
)


@dataclass(frozen=True)
class Due:
    """A question to ask again, and what this learner's machine showed for it."""

    key: str
    seen: Seen


def due(most: int = 5) -> tuple[Due, ...]:
    """What to ask again: first what was wrong and sure, then what was wrong, then what was answered longest ago.

    Parameters
    ----------
    most
        How many questions at most.
    """
    events = journal().events()
    labels = observed_labels(events)
    values = {event["key"]: event["value"] for event in events if event["kind"] == "observed"}
    last = {event["key"]: event for event in events if event["kind"] == "answer" and event["key"] in labels}
    waiting = sorted((_urgency(event, labels), key) for key, event in last.items() if _is_due(event, labels))
    found = (_due(key, labels[key], values[key]) for _, key in waiting)
    return tuple(item for item in found if item is not None)[:most]


def _is_due(answer: Event, labels: dict[str, str]) -> bool:
    rested = datetime.now(UTC) - datetime.fromisoformat(answer["at"]) >= _REST
    return rested or answer["label"] != labels[answer["key"]]


def _urgency(answer: Event, labels: dict[str, str]) -> tuple[int, str]:
    wrong = answer["label"] != labels[answer["key"]]
    return (0 if wrong and answer["sure"] >= _TOO_SURE else 1 if wrong else 2), answer["at"]


def _due(key: str, label: str, value: str) -> Due | None:
    try:
        asked: Question = question(key)
    except ValueError:  # a question that the course no longer has
        return None
    option = option_labelled(asked, label)
    return None if option is None else Due(key, Seen(asked, value, option))


class Review:
    """Some questions to answer again, one at a time; what `review` gives."""

    def __init__(self, items: tuple[Due, ...]) -> None:
        self.items = items
        self.place = 0
        self._deck: Any = None

    def deck(self) -> Any:
        """The controls, made on first use."""
        if self._deck is None:
            from tutor.widgets.forms import Deck  # noqa: PLC0415 - a terminal needs no controls

            self._deck = Deck(self._next)
            self._show()
        return self._deck

    def _show(self) -> None:
        if self.place >= len(self.items):
            done = "That was all for now." if self.items else "Nothing to review now. " + _WORDS
            self._deck.end(draw.paragraph(done))
            return
        asked = self.items[self.place].seen.question
        labels = [option.label for option in asked.options]
        count = f"{self.place + 1} of {len(self.items)}"
        self._deck.ask(draw.quiet(count) + draw.question_head(asked.prompt), labels, self._commit)

    def _commit(self, index: int, sure: int) -> None:
        item = self.items[self.place]
        label = item.seen.question.options[index].label
        answer = journal().add("answer", item.key, label=label, sure=sure, looked=False, review=True)
        self._deck.tell(draw.said(label, sure, ""), as_note(item.seen, answer))

    def _next(self) -> None:
        self.place += 1
        self._show()

    def __repr__(self) -> str:
        return _WORDS

    def _repr_html_(self) -> str:
        return page(f"<p>{prose(_WORDS)}</p>")

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        return bundle(repr(self), self._repr_html_(), lambda: self.deck().root)


def review(most: int = 5) -> Review:
    """Ask again what you answered wrong, too surely, or longest ago.

    Parameters
    ----------
    most
        How many questions at most.

    Returns
    -------
    Review
        In a notebook, the questions one at a time. What happened is taken from your own record: the value that your
        machine showed when you ran the chapter.

    Raises
    ------
    ValueError
        If `most` is not a positive whole number.
    """
    if not isinstance(most, int) or isinstance(most, bool) or most < 1:
        raise ValueError(f"review(most): a positive whole number is expected; it got {most!r}.")
    return Review(due(most))
