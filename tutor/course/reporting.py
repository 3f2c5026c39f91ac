"""The learner's progress: what was answered, what was solved, and how well they know what they know."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from tutor._fact import Fact, to_html
from tutor.course.journal import Event, journal, lines_of, read_file
from tutor.course.model import Chapter
from tutor.course.shelf import chapter, chapter_names
from tutor.course.weighing import Weighed, calibration, calibration_text, first_answers, observed_labels
from tutor.drawing import course as draw

_HOW = '`progress().export("file")` writes it to a file, `progress().load("file")` takes such a file in.'


@dataclass(frozen=True)
class ChapterProgress:
    """What was done in one chapter.

    Attributes
    ----------
    name
        The chapter's name.
    answered, right, questions
        Predictions committed, how many of the first answers were right, and how many predictions there are.
    exercises
        The state of each exercise by its key; "not started" where nothing was submitted.
    """

    name: str
    answered: int
    right: int
    questions: int
    exercises: dict[str, str]

    @property
    def solved(self) -> int:
        """How many exercises are correct."""
        return Counter(self.exercises.values())["correct"]


@dataclass(frozen=True)
class Progress(Fact):
    """What a learner has done so far.

    Attributes
    ----------
    chapters
        One for each chapter that asks something.
    calibration
        For each certainty, how many of the answers given with it were right.
    trouble
        Why nothing can be saved, or None.
    """

    chapters: tuple[ChapterProgress, ...]
    calibration: tuple[Weighed, ...]
    trouble: str | None = None

    @property
    def sentences(self) -> list[str]:
        """The calibration in words, surest first."""
        return [calibration_text(self.calibration, w.sure) for w in self.calibration]

    def export(self, path: str | Path) -> Path:
        """Write all progress to one file, to be taken in elsewhere.

        Parameters
        ----------
        path
            The file to write; it is replaced.

        Raises
        ------
        OSError
            If it cannot be written.
        """
        target = Path(path).expanduser()
        target.write_text(lines_of(journal().events()), encoding="utf-8")
        return target

    def load(self, path: str | Path) -> Progress:
        """Take in a file that `export` wrote; what is here already is kept, and nothing is counted twice.

        Parameters
        ----------
        path
            The file.

        Raises
        ------
        FileNotFoundError
            If there is no such file.
        ValueError
            If it holds no progress.
        """
        source = Path(path).expanduser()
        if not source.is_file():
            raise FileNotFoundError(f'load(path): there is no file "{source}".')
        events = read_file(source)
        if not events and source.read_bytes().strip():
            raise ValueError(f'load(path): "{source}" holds no progress; export() writes files that do.')
        journal().take_in(events)
        return progress()

    def __repr__(self) -> str:
        rows = [("chapter", "predictions", "exercises"), *(_row(c) for c in self.chapters)]
        widths = [max(len(row[i]) for row in rows) for i in range(3)]
        table = ["  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)).rstrip() for row in rows]
        return "\n".join([*table, *self.sentences, *filter(None, [self.trouble])])


def _row(done: ChapterProgress) -> tuple[str, str, str]:
    return (
        done.name,
        f"{done.answered} of {done.questions}{_right(done)}",
        f"{done.solved} of {len(done.exercises)}{_open(done)}",
    )


def _right(done: ChapterProgress) -> str:
    return f", {done.right} right" if done.answered else ""


def _open(done: ChapterProgress) -> str:
    counts = Counter(done.exercises.values())
    return "".join(f", {counts[state]} {state}" for state in ("almost", "keep working") if counts[state])


def progress() -> Progress:
    """What you have done so far: predictions, exercises, and how well you know what you know.

    Returns
    -------
    Progress
        With ``.chapters``, ``.calibration``, ``.export(path)`` and ``.load(path)``.
    """
    events = journal().events()
    chapters = (chapter(name) for name in chapter_names())
    asked = tuple(_done(c, events) for c in chapters if c.questions or c.exercises)
    return Progress(asked, calibration(), journal().trouble)


def _done(found: Chapter, events: list[Event]) -> ChapterProgress:
    seen = observed_labels(events)
    keys = [f"{found.name}/{local}" for local in found.questions]
    answers = {key: event for key, event in first_answers(events).items() if key in keys}
    right = sum(event["label"] == seen.get(key) for key, event in answers.items())
    states = exercise_states(events)
    exercises = {local: states.get(f"{found.name}/{local}", "not started") for local in found.exercises}
    return ChapterProgress(found.name, len(answers), right, len(keys), exercises)


def exercise_states(events: Iterable[Event]) -> dict[str, str]:
    """The state of every exercise submitted: correct if it ever was, else the last."""
    states: dict[str, str] = {}
    for event in events:
        if event["kind"] == "exercise" and states.get(event["key"]) != "correct":
            states[event["key"]] = event["state"]
    return states


@to_html.register
def _progress_html(done: Progress) -> str:
    rows = [(c.name, _row(c)[1], list(c.exercises.items())) for c in done.chapters]
    return draw.progress(rows, [*done.sentences, *filter(None, [done.trouble])], _HOW)
