"""Chapters, questions and exercises are found by name."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import tutor.chapters
from tutor.course.shelf import chapter, chapter_names, exercise_data, question
from tutor.workspace import course_source

CHAPTERS = (
    "start_here",
    "creation_from_data",
    "creation_from_nothing",
    "sharing_memory",
    "contiguity",
    "dtype_traps",
    "devices",
    "amp",
    "interop",
    "profiling_and_leaks",
    "capstone_pipeline",
)


def test_chapters_come_in_the_order_of_the_course(practice: str) -> None:
    names = chapter_names()
    notebooks = [path.stem.partition("_")[2] for path in sorted(course_source().glob("*.ipynb"))]
    assert list(names[: len(notebooks)]) == notebooks
    assert names[len(notebooks) : -1] == CHAPTERS[len(notebooks) :], "no notebook yet"
    assert names[-1] == practice


def test_what_a_chapter_asks(practice: str) -> None:
    found = chapter(practice)
    assert list(found.questions) == ["shared-write", "dtype", "error"]
    assert question(f"{practice}/dtype") is found.questions["dtype"]
    assert exercise_data(f"{practice}/double") is found.exercises["double"]
    assert len(found.claims) == 11


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A chapter that asks nothing."""
    package = tmp_path / "bare"
    package.mkdir()
    (package / "__init__.py").touch()
    monkeypatch.setattr(tutor.chapters, "__path__", [*tutor.chapters.__path__, str(tmp_path)])
    for name in [name for name in sys.modules if name.startswith("tutor.chapters.bare")]:
        monkeypatch.delitem(sys.modules, name)
    return package


def test_a_kind_that_is_missing_is_empty(bare: Path) -> None:
    found = chapter("bare")
    assert (found.questions, found.exercises, found.claims) == ({}, {}, ())


def test_a_mistake_inside_a_chapter_is_not_hidden(bare: Path) -> None:
    (bare / "claims.py").write_text("import a_module_that_is_nowhere")
    with pytest.raises(ModuleNotFoundError, match="a_module_that_is_nowhere"):
        chapter("bare")
