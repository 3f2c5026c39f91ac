"""Progress: what was done, how well it was known, and how to take it elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from tutor import exercise, predict, progress, reveal
from tutor.course.grading import function_from
from tutor.course.journal import journal
from tutor.course.reporting import ChapterProgress
from tutor.course.weighing import Weighed

pytestmark = pytest.mark.usefixtures("practice")


def answer(key: str, label: str, sure: int, *, seen: str | None, looked: bool = False) -> None:
    journal().add("answer", key, label=label, sure=sure, looked=looked)
    if seen is not None:
        journal().add("observed", key, value=seen, label=seen)


def practised() -> ChapterProgress:
    return next(done for done in progress().chapters if done.name == "practice")


def test_at_first_there_is_nothing() -> None:
    assert practised() == ChapterProgress("practice", 0, 0, 3, {"double": "not started"})
    assert progress().calibration == ()


def test_what_is_done_is_counted() -> None:
    asked = predict("practice/shared-write").form()
    reveal("practice/shared-write", 9.0)
    asked.options.value = 1
    asked.commit.click()
    task = exercise("practice/double")
    task.check(function_from(task.data.solution, "double"))
    task.check(lambda x: x)
    assert practised() == ChapterProgress("practice", 1, 1, 3, {"double": "correct"})
    assert "practice" in repr(progress())
    assert "1 of 3, 1 right" in repr(progress())
    assert "1 of 3, 1 right" in progress()._repr_html_()


def test_an_open_exercise_shows_its_last_state() -> None:
    task = exercise("practice/double")
    task.check(lambda x: x.mul_(2) if x[0] > 0 else x)
    assert practised().exercises == {"double": "almost"}
    assert "0 of 1, 1 almost" in repr(progress())
    task.check(lambda x: x)
    assert practised().exercises == {"double": "keep working"}


def test_calibration_weighs_first_answers_by_certainty() -> None:
    answer("practice/shared-write", "still `0`", 80, seen="9 <now>")
    answer("practice/shared-write", "9 <now>", 80, seen=None)
    answer("practice/dtype", "float32", 80, seen="float32")
    answer("practice/error", "nothing", 30, seen="nothing")
    assert progress().calibration == (Weighed(80, 1, 2), Weighed(30, 1, 1))
    assert progress().sentences == [
        "Of your answers given as 80 % sure, 1 of 2 was right.",
        "Of your answers given as 30 % sure, 1 of 1 was right.",
    ]
    assert "Of your answers given as 80 % sure, 1 of 2 was right." in repr(progress())


def test_an_answer_after_a_look_weighs_nothing() -> None:
    answer("practice/dtype", "float32", 80, seen="float32", looked=True)
    answer("practice/error", "nothing", 80, seen=None)
    assert progress().calibration == ()


def test_progress_travels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answer("practice/dtype", "float32", 80, seen="float32")
    file = progress().export(tmp_path / "mine.jsonl")
    before = progress()
    monkeypatch.setenv("TUTOR_DATA", str(tmp_path / "elsewhere"))
    answer("practice/error", "nothing", 30, seen="nothing")
    both = progress().load(file)
    assert practised().answered == 2
    assert both.calibration == (Weighed(80, 1, 1), Weighed(30, 1, 1))
    assert progress().load(file) == both
    assert before != both


def test_a_missing_or_foreign_file_gets_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"^load\(path\): there is no file \".*nowhere\"\.$"):
        progress().load(tmp_path / "nowhere")
    (tmp_path / "letter").write_text("Dear all")
    with pytest.raises(
        ValueError, match=r"^load\(path\): \".*letter\" holds no progress; export\(\) writes files that do\.$"
    ):
        progress().load(tmp_path / "letter")


def test_an_empty_export_can_be_taken_in(tmp_path: Path) -> None:
    assert progress().load(progress().export(tmp_path / "empty")).calibration == ()


def test_trouble_is_told(data_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data_folder.write_text("in the way")
    answer("practice/dtype", "float32", 80, seen="float32")
    capsys.readouterr()
    assert practised().answered == 1
    assert "cannot be saved" in repr(progress())
    assert "cannot be saved" in progress()._repr_html_()


def test_a_state_of_another_version_is_shown_as_it_is() -> None:
    journal().add("exercise", "practice/double", state="brilliant", right=1, of=1, source="")
    assert "brilliant" in progress()._repr_html_()
