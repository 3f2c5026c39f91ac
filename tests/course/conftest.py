"""A learner's empty data folder for every test, and a chapter to practise with."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import tutor.chapters
from tutor.course import asking, exercising

HERE = Path(__file__).resolve().parent


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder the learner's data go to; what earlier tests said and saw is forgotten."""
    folder = tmp_path / "data"
    monkeypatch.setenv("TUTOR_DATA", str(folder))
    monkeypatch.setattr(asking, "_DIALOGUES", {})
    monkeypatch.setattr(asking, "_OBSERVATIONS", [])
    monkeypatch.setattr(exercising, "_HINTS_GIVEN", {})
    return folder


@pytest.fixture
def practice(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The name of a small chapter that only the tests have."""
    monkeypatch.setattr(tutor.chapters, "__path__", [*tutor.chapters.__path__, str(HERE / "chapters")])
    yield "practice"
    for name in [name for name in sys.modules if name.startswith("tutor.chapters.practice")]:
        del sys.modules[name]
