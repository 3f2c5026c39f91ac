"""Progress that two kernels and a crash cannot lose."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tutor.course import journal as journal_module
from tutor.course.journal import Journal, data_folder, journal

WRITER = """
import sys
from pathlib import Path
from tutor.course.journal import Journal
book = Journal(Path(sys.argv[1]))
print("ready", flush=True)
sys.stdin.readline()
for i in range(int(sys.argv[3])):
    book.add("note", sys.argv[2], number=i)
    print(i, flush=True)
"""


def writer(folder: Path, name: str, count: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", WRITER, str(folder), name, str(count)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def start(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None
    process.stdin.write("go\n")
    process.stdin.flush()


def line(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def test_two_processes_at_once_lose_nothing(tmp_path: Path) -> None:
    writers = [writer(tmp_path, name, 50) for name in ("first", "second")]
    assert [line(w) for w in writers] == ["ready", "ready"]
    for w in writers:
        start(w)
    for w in writers:
        w.communicate(timeout=60)
    events = Journal(tmp_path).events("note")
    for name in ("first", "second"):
        assert [e["number"] for e in events if e["key"] == name] == list(range(50))
    assert len(list(tmp_path.glob("*.jsonl"))) == 2


def test_a_killed_writer_loses_nothing_it_had_written(tmp_path: Path) -> None:
    process = writer(tmp_path, "killed", 100_000)
    assert line(process) == "ready"
    start(process)
    while line(process) != "20":
        assert process.poll() is None
    process.kill()
    process.wait(timeout=60)
    process.communicate()
    numbers = [e["number"] for e in Journal(tmp_path).events("note")]
    assert numbers[:21] == list(range(21))
    assert numbers == list(range(len(numbers)))


def test_a_torn_last_line_is_skipped(tmp_path: Path) -> None:
    first = Journal(tmp_path)
    first.add("note", "a/b", label="9")
    whole = json.dumps({"id": "1", "at": "2026-01-01T00:00:00+00:00", "kind": "note", "key": "a/c"})
    (tmp_path / "crashed.jsonl").write_bytes(whole.encode() + b"\n" + whole[:30].encode())
    (tmp_path / "strange.jsonl").write_bytes(b'\xff\xfe\n[1, 2]\n{"id": 3}\nnull\n\n')
    assert [e["key"] for e in Journal(tmp_path).events()] == ["a/c", "a/b"]


def test_what_another_kernel_adds_is_seen(tmp_path: Path) -> None:
    here, there = Journal(tmp_path), Journal(tmp_path)
    here.add("note", "a/1")
    assert len(there.events()) == 1
    here.add("note", "a/2")
    assert [e["key"] for e in there.events()] == ["a/1", "a/2"]


def test_a_file_is_never_shared_with_a_forked_child(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    book = Journal(tmp_path)
    book.add("note", "a/1")
    monkeypatch.setattr(os, "getpid", lambda: -1)
    book.add("note", "a/2")
    assert len(list(tmp_path.glob("*.jsonl"))) == 2


def test_taking_in_twice_changes_nothing(tmp_path: Path) -> None:
    there, here = Journal(tmp_path / "there"), Journal(tmp_path / "here")
    there.add("note", "a/1", label="ü \ud800 \n")
    assert here.take_in(there.events()) == 1
    assert here.take_in(there.events()) == 0
    assert Journal(tmp_path / "here").events() == there.events()


def test_an_unwritable_folder_is_said_once_and_the_course_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("in the way")
    book = Journal(tmp_path / "file" / "progress")
    book.add("note", "a/1", label="9")
    book.add("note", "a/2", label="8")
    said = capsys.readouterr().out
    assert said.count("\n") == 1
    assert said.startswith(f"Your progress cannot be saved in {tmp_path / 'file' / 'progress'} (")
    assert "remembers it until this kernel stops" in said
    assert [e["label"] for e in book.events("note")] == ["9", "8"]


def test_the_folder_follows_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TUTOR_DATA", str(tmp_path / "mine"))
    assert data_folder() == tmp_path / "mine"
    assert journal().folder == tmp_path / "mine" / "progress"


@pytest.mark.parametrize(
    ("system", "variable", "tail"),
    [
        ("linux", "XDG_DATA_HOME", ("tensor-tutor",)),
        ("win32", "LOCALAPPDATA", ("tensor-tutor",)),
        ("darwin", "HOME", ("Library", "Application Support", "tensor-tutor")),
    ],
)
def test_each_system_has_its_place(
    system: str, variable: str, tail: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TUTOR_DATA")
    monkeypatch.setattr(journal_module.sys, "platform", system)
    monkeypatch.setenv(variable, str(tmp_path))
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    assert data_folder() == tmp_path.joinpath(*tail)


def test_without_a_home_the_course_still_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    for variable in ("TUTOR_DATA", "XDG_DATA_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr(Path, "home", homeless)
    assert journal().events() == []


STRANGE = {
    "an answer without a label": {"kind": "answer", "sure": 50},
    "a certainty in words": {"kind": "answer", "label": "x", "sure": "very"},
    "an observation without a value": {"kind": "observed", "label": "x"},
    "an exercise without a state": {"kind": "exercise"},
    "no moment": {"kind": "answer", "label": "x", "sure": 50, "at": "yesterday"},
    "a moment without its zone": {"kind": "answer", "label": "x", "sure": 50, "at": "2026-01-01T00:00:00"},
}


@pytest.mark.parametrize("strange", STRANGE.values(), ids=STRANGE)
def test_a_line_that_lacks_something_is_no_event(tmp_path: Path, strange: dict[str, object]) -> None:
    event = {"id": "1", "at": "2026-01-01T00:00:00+00:00", "key": "a/b", **strange}
    (tmp_path / "elsewhere.jsonl").write_text(json.dumps(event) + "\n", encoding="utf-8")
    assert Journal(tmp_path).events() == []
