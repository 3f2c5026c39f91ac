"""Where the chapters stand: finds a chapter, a question or an exercise by its key."""

from __future__ import annotations

import difflib
import importlib
import pkgutil
import re
from collections.abc import Iterable
from typing import Any, TypeVar

from tutor.course.model import Chapter, Exercise, Question

Found = TypeVar("Found")
_LAST = 1000


def chapter_names() -> tuple[str, ...]:
    """The names of all chapters, in the order of the course."""
    chapters = importlib.import_module("tutor.chapters")
    names = (m.name for m in pkgutil.iter_modules(chapters.__path__) if m.ispkg)
    return tuple(sorted(names, key=_place))


def _place(name: str) -> tuple[int, str]:
    """A chapter's number, which its package's docstring names, then its name."""
    said = importlib.import_module(f"tutor.chapters.{name}").__doc__ or ""
    number = re.search(r"[Cc]hapter (\d+)", said)
    return int(number[1]) if number else _LAST, name


def chapter(name: str) -> Chapter:
    """All that a chapter asks.

    Raises
    ------
    ValueError
        If there is no such chapter; the sentence names the nearest one.
    """
    _must_be_text("chapter", name)
    known = chapter_names()
    if name not in known:
        raise ValueError(f'There is no chapter "{name}"{_nearest(name, known)}.')
    return Chapter(
        name=name,
        questions={q.key: q for q in _tuple_of(name, "questions")},
        exercises={e.key: e for e in _tuple_of(name, "exercises")},
        claims=_tuple_of(name, "claims"),
    )


def question(key: str) -> Question:
    """The question with a key such as ``"creation_from_data/list-copy"``."""
    home, local = _split(key, "question")
    return _pick(chapter(home).questions, home, local, "question")


def exercise_data(key: str) -> Exercise:
    """The exercise with a key such as ``"creation_from_data/batch"``."""
    home, local = _split(key, "exercise")
    return _pick(chapter(home).exercises, home, local, "exercise")


def _tuple_of(name: str, kind: str) -> tuple[Any, ...]:
    where = f"tutor.chapters.{name}.{kind}"
    try:
        module = importlib.import_module(where)
    except ModuleNotFoundError as missing:
        if missing.name == where:
            return ()
        raise
    return tuple(getattr(module, kind.upper()))


def _split(key: str, noun: str) -> tuple[str, str]:
    _must_be_text(noun, key)
    home, slash, local = key.partition("/")
    if not slash:
        raise ValueError(f'The key of {_a(noun)} reads "chapter/name"; "{key}" has no slash.')
    return home, local


def _pick(found: dict[str, Found], home: str, local: str, noun: str) -> Found:
    if local not in found:
        keys = [f"{home}/{name}" for name in found]
        raise ValueError(f'There is no {noun} "{home}/{local}"{_nearest(f"{home}/{local}", keys)}.')
    return found[local]


def _nearest(name: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(name, list(known), n=1, cutoff=0.4)
    return f'; the nearest is "{near[0]}"' if near else ""


def _must_be_text(what: str, value: object) -> None:
    if not isinstance(value, str):
        raise TypeError(f"The {what} is named by a string; it came as {type(value).__name__}.")


def _a(noun: str) -> str:
    return f"an {noun}" if noun[0] in "aeiou" else f"a {noun}"
