"""What is said about an answer: what happened, the belief behind what was chosen, and what speaks against it."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass

from tutor.course.journal import Event
from tutor.course.model import Option, Question
from tutor.course.weighing import calibration, calibration_text
from tutor.drawing import course as draw
from tutor.drawing.svg import note, plain, prose

_UNLISTED = "Your machine shows something this course does not list."


@dataclass(frozen=True)
class Seen:
    """What happened: the question, the value as text, its option or None, and an object to draw beside it."""

    question: Question
    text: str
    option: Option | None
    show: object = None

    @property
    def others(self) -> list[Option]:
        """The options that are not what happened; none if what happened is none of them."""
        return [] if self.option is None else [o for o in self.question.options if o is not self.option]


def option_labelled(asked: Question, label: object) -> Option | None:
    """The option with this label, or None."""
    return next((option for option in asked.options if option.label == label), None)


def as_note(seen: Seen, answer: Event | None) -> str:
    """What to say to a learner who has committed, or, without an answer, to one who asked to see; HTML."""
    chosen = None if answer is None else option_labelled(seen.question, answer["label"])
    if answer is None or chosen is None or seen.option is None:
        return _settled(seen, "", _beliefs(seen))
    if chosen is seen.option:
        return _settled(seen, "As you predicted.", "", _trust(answer["sure"]))
    return _settled(seen, "Not what happened.", _refuted(chosen, answer["sure"]), _so_far(answer["sure"]))


def as_page(seen: Seen) -> str:
    """The same for a reader whose answer is not known, folded; HTML."""
    return draw.folded(_headline(seen, "") + _beliefs(seen) + _explained(seen) + draw.shown(seen.show))


def as_text(seen: Seen) -> str:
    """The same as plain text."""
    lines = [] if seen.option is not None else [_UNLISTED]
    end = "" if seen.text.endswith(".") else "."  # an error's text brings its own
    lines += [f"What happened: {plain(seen.question.subject)} is {seen.text}{end}"]
    lines += [hang(_refuted_text(option), 2) for option in seen.others]
    lines += [hang(plain(seen.question.explanation), 0)]
    return "\n".join(lines + _shown_text(seen.show))


def _shown_text(show: object) -> list[str]:
    if isinstance(show, dict):
        return [f"{name}: {value if isinstance(value, str) else repr(value)}" for name, value in show.items()]
    return [] if show is None else [repr(show)]


def _refuted_text(option: Option) -> str:
    return f'If you said "{plain(option.label)}": "{plain(option.belief)}" But: {plain(option.refutation)}'


def hang(text: str, indent: int) -> str:
    """A paragraph whose further lines stand two columns in."""
    pad = " " * indent
    return textwrap.fill(text, 100, initial_indent=pad, subsequent_indent=pad + "  ", break_long_words=False)


def _settled(seen: Seen, head: str, beliefs: str, after: str = "") -> str:
    said = _headline(seen, head) + beliefs + _explained(seen)
    return note(said, settled=True) + draw.shown(seen.show) + (draw.quiet(after) if after else "")


def _headline(seen: Seen, head: str) -> str:
    line = draw.happened(head, seen.question.subject, seen.text)
    return line if seen.option is not None else draw.paragraph(_UNLISTED) + line


def _explained(seen: Seen) -> str:
    return draw.paragraph(seen.question.explanation)


def _beliefs(seen: Seen) -> str:
    return draw.beliefs([(o.label, o.belief, o.refutation) for o in seen.others])


def _refuted(chosen: Option, sure: int) -> str:
    said = f'{prose(chosen.label)} <span class="tt-quiet">({sure} % sure)</span>'
    belief = f"“{prose(chosen.belief)}”"
    return draw.pairs([("you said", said), ("the belief", belief), ("but", prose(chosen.refutation))])


def _trust(sure: int) -> str:
    return f"You were {sure} % sure" + ("; you may trust this one more." if sure <= 60 else ".")


def _so_far(sure: int) -> str:
    line = calibration_text(calibration(), sure)
    return f"{line.removesuffix('.')} so far." if line else ""
