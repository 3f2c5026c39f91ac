"""What `python -m tutor record` keeps, and what it says where there is nothing to record."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from tutor import __main__ as command
from tutor._timing_lab import running
from tutor._timing_lab.model import Candidate, Experiment, Point
from tutor._timing_lab.recordings import read_recording, recorded
from tutor._timing_lab.running import Run
from tutor.course import needing, recording

SMALL = Experiment(
    "small",
    "a small one",
    "Does it run?",
    "x = torch.ones(n, dtype=dtype)",
    (Candidate("sum", "x.sum()", "x.sum()"),),
    (10, 100),
    dtypes=("float32", "float64"),
)
BROKEN = Experiment("broken", "a broken one", "Does it?", "x = no_such_name", (Candidate("a", "a", "x.sum()"),), (10,))
HALF = Experiment(
    "half", "a half", "Do both?", "", (Candidate("a", "a", "no_such + 1"), Candidate("b", "b", "n + 1")), (10,)
)


@pytest.fixture
def out(tmp_path: Path, practice: str, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two small experiments, and the practice chapter alone."""
    known = {one.name: one for one in (SMALL, BROKEN, HALF)}
    monkeypatch.setattr(recording, "EXPERIMENTS", known)
    monkeypatch.setattr(running, "EXPERIMENTS", known)
    monkeypatch.setattr(recording, "chapter_names", lambda: (practice,))
    return tmp_path / "new folder" / "recorded.json"


def record(*arguments: str) -> int:
    return command.main(["record", "--budget=0.01", *arguments])


def test_what_was_measured_can_be_laid_under_a_chart(out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert record("small", "--device=cpu", f"--out={out}") == 0
    assert f"2 lines and 0 claims in {out}" in capsys.readouterr().out
    found = read_recording(out)
    assert [(one.dtype, [point.n for point in one.points]) for one in found] == [
        ("float32", [10, 100]),
        ("float64", [10, 100]),
    ]
    assert all(point.median > 0 for one in found for point in one.points if point.median is not None)
    assert recorded("small", out.parent) == found
    origin = found[0].origin
    assert origin is not None
    assert dict(origin.versions)["torch"] == torch.__version__


def test_without_a_gpu_nothing_is_recorded(out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    if torch.accelerator.is_available():
        pytest.fail("this test is for machines without an accelerator")
    assert record(f"--out={out}") == 1
    assert "this machine has no GPU that torch can use" in capsys.readouterr().out
    assert not out.exists()


def test_an_experiment_without_a_choice_of_dtypes_is_recorded_too(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(recording.EXPERIMENTS, "small", replace(SMALL, setup="x = torch.ones(n)", dtypes=()))
    assert record("small", "--device=cpu", f"--out={out}") == 0
    (found,) = read_recording(out)
    assert (found.dtype, [point.n for point in found.points]) == ("", [10, 100])


def test_a_recording_of_some_does_not_take_the_place_of_one_of_all(
    out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record("--device=cpu", f"--out={out}")
    before = out.read_bytes()
    with pytest.raises(SystemExit):
        record("half", "--device=cpu", f"--out={out}")
    assert "is there already; name another file with --out, or remove it" in capsys.readouterr().err
    assert out.read_bytes() == before


def test_stopped_at_once_it_does_not_name_a_file_that_is_not_there(
    out: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stopped(self: Run) -> Iterator[Point]:
        raise KeyboardInterrupt

    monkeypatch.setattr(Run, "points", stopped)
    assert record("small", "--device=cpu", f"--out={out}") == 1
    assert "stopped; nothing was recorded" in capsys.readouterr().out
    assert not out.exists()


def test_claims_that_need_a_gpu_are_kept_where_there_is_one(
    out: Path, practice: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(needing._GPUS, "cuda", (0, "a GPU"))  # as if there were one
    assert record("small", "--device=cpu", f"--out={out}") == 0
    kept = json.loads(out.read_text("utf-8"))["claims"]
    assert [(one["ids"], one["chapter"], one["verdict"]) for one in kept] == [(["gpu"], practice, "true")]


def test_stopped_it_keeps_what_it_has(
    out: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = Run.points

    def stopped(self: Run) -> Iterator[Point]:
        if self.series[0].dtype == "float64":
            raise KeyboardInterrupt
        return whole(self)

    monkeypatch.setattr(Run, "points", stopped)
    assert record("small", "--device=cpu", f"--out={out}") == 1
    assert f"stopped; what was recorded so far is in {out}" in capsys.readouterr().out
    assert [one.dtype for one in read_recording(out)] == ["float32"]


def test_an_experiment_that_does_not_run_is_told_and_the_others_run(
    out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert record("broken", "small", "--device=cpu", f"--out={out}") == 1
    assert "broken, float32: The set-up raised NameError: name 'no_such_name' is not defined" in capsys.readouterr().out
    assert {one.experiment for one in read_recording(out)} == {"small"}


def test_a_line_that_does_not_run_is_told_and_the_others_are_kept(
    out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert record("half", "--device=cpu", f"--out={out}") == 0
    assert "    a: raised NameError: name 'no_such' is not defined" in capsys.readouterr().out
    assert [one.candidate.name for one in read_recording(out)] == ["b"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["no_such", "--device=cpu"], "experiment: there is no 'no_such'; there are 'small', 'broken', 'half'"),
        (["small", "--device=cpu", "--budget=soon"], "invalid number of seconds value: 'soon'"),
        (["small", "--device=cpu", "--budget=0"], "expected a positive number of seconds, got '0'"),
        (["small", "--device=cpu", "--budget=nan"], "expected a positive number of seconds, got 'nan'"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence(
    out: Path, arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        record(*arguments, f"--out={out}")
    assert end.value.code == 2
    assert sentence in capsys.readouterr().err
