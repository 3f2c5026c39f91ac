"""The learner's working copy: what they made is never lost, what they left alone is kept up to date."""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
from datetime import date
from pathlib import Path

import nbformat
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule
from nbformat.sign import NotebookNotary

from tutor import __main__ as command
from tutor import workspace

NAME = "00_start_here.ipynb"
OTHER = "01_creation_from_data.ipynb"


def notebook(*sources: str, outputs: bool = False) -> dict[str, object]:
    ran = {"output_type": "stream", "name": "stdout", "text": "ran"}
    cells = [
        {
            "cell_type": "code",
            "id": f"c{i}",
            "metadata": {},
            "source": source,
            "execution_count": 1 if outputs else None,
            "outputs": [ran] if outputs else [],
        }
        for i, source in enumerate(sources)
    ]
    return {"cells": cells, "metadata": {"widgets": {}}, "nbformat": 4, "nbformat_minor": 5}


def write(path: Path, *sources: str, outputs: bool = False) -> None:
    path.write_text(json.dumps(notebook(*sources, outputs=outputs)), "utf-8")


def sources(path: Path) -> list[str]:
    return [cell["source"] for cell in json.loads(path.read_text("utf-8"))["cells"]]


@pytest.fixture(autouse=True)
def own_signatures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "jupyter"))


@pytest.fixture
def source(tmp_path: Path) -> Path:
    folder = tmp_path / "originals"
    folder.mkdir()
    write(folder / NAME, "a = 1", outputs=True)
    write(folder / OTHER, "b = 1", outputs=True)
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "copy"


def test_a_first_laying_brings_every_notebook_without_outputs(source: Path, folder: Path) -> None:
    done = workspace.lay(folder, source)
    assert done.new == [NAME, OTHER]
    cell = json.loads((folder / NAME).read_text("utf-8"))["cells"][0]
    assert (cell["source"], cell["outputs"], cell["execution_count"]) == ("a = 1", [], None)
    assert "widgets" not in json.loads((folder / NAME).read_text("utf-8"))["metadata"]
    assert json.loads((source / NAME).read_text("utf-8"))["cells"][0]["outputs"], "the originals stay as they are"


def test_files_beside_the_notebooks_come_along(source: Path, folder: Path) -> None:
    (source / "recordings").mkdir()
    (source / "recordings" / "gpu.json").write_text('{"outputs": []}')
    (source / ".hidden").write_text("")
    assert workspace.lay(folder, source).new == [NAME, OTHER, "recordings/gpu.json"]
    assert (folder / "recordings" / "gpu.json").read_text() == '{"outputs": []}'


def test_running_a_notebook_is_no_change(source: Path, folder: Path) -> None:
    workspace.lay(folder, source)
    write(folder / NAME, "a = 1", "", outputs=True)  # Shift+Enter in the last cell appends an empty one
    before = (folder / NAME).read_bytes()
    done = workspace.lay(folder, source)
    assert (done.written, done.kept) == ([], [])
    assert (folder / NAME).read_bytes() == before, "the outputs of an up-to-date notebook stay"
    write(source / NAME, "a = 2")
    assert workspace.lay(folder, source).refreshed == [NAME]
    assert sources(folder / NAME) == ["a = 2"]


def test_a_changed_notebook_is_kept_and_a_newer_one_laid_beside_it_once(source: Path, folder: Path) -> None:
    workspace.lay(folder, source)
    write(folder / NAME, "mine")
    assert workspace.lay(folder, source, "0.2.0").kept == [NAME]
    assert not list(folder.glob("*0.2.0*")), "nothing newer to offer"
    write(source / NAME, "a = 2")
    done = workspace.lay(folder, source, "0.2.0")
    assert done.beside == {NAME: "00_start_here-0.2.0.ipynb"}
    assert sources(folder / NAME) == ["mine"]
    assert sources(folder / "00_start_here-0.2.0.ipynb") == ["a = 2"]
    (folder / "00_start_here-0.2.0.ipynb").unlink()
    assert workspace.lay(folder, source, "0.2.0").beside == {}, "a learner who removed it has seen it"


def test_a_newer_notebook_never_lands_on_a_file_of_the_learners(source: Path, folder: Path) -> None:
    workspace.lay(folder, source)
    write(folder / NAME, "mine")
    write(folder / "00_start_here-0.2.0.ipynb", "mine too")
    write(source / NAME, "a = 2")
    assert workspace.lay(folder, source, "0.2.0").beside == {NAME: "00_start_here-0.2.0-2.ipynb"}
    assert sources(folder / "00_start_here-0.2.0.ipynb") == ["mine too"]
    write(source / NAME, "a = 3")
    assert workspace.lay(folder, source, "0.2.0").beside == {NAME: "00_start_here-0.2.0-2.ipynb"}
    assert sources(folder / "00_start_here-0.2.0-2.ipynb") == ["a = 3"], "an offer left alone is brought up to date"


def test_a_change_taken_back_makes_the_notebook_the_courses_again(source: Path, folder: Path) -> None:
    workspace.lay(folder, source)
    write(folder / NAME, "mine")
    write(source / NAME, "a = 2")
    workspace.lay(folder, source, "0.2.0")
    write(folder / NAME, "a = 1")
    assert workspace.lay(folder, source, "0.2.0").refreshed == [NAME]


def test_a_removed_notebook_is_laid_again_and_a_renamed_one_left_alone(source: Path, folder: Path) -> None:
    workspace.lay(folder, source)
    write(folder / NAME, "mine")
    (folder / NAME).rename(folder / "my own.ipynb")
    (folder / OTHER).unlink()
    assert workspace.lay(folder, source).new == [NAME, OTHER]
    assert sources(folder / "my own.ipynb") == ["mine"]


@pytest.mark.parametrize(
    "manifest", ["", "{", "[]", '{"files": 3}', '{"files": {"x": []}}', '{"files": {"../../x": {}}}', "\udcff"]
)
def test_without_a_readable_manifest_every_changed_file_counts_as_the_learners(
    source: Path, folder: Path, manifest: str
) -> None:
    workspace.lay(folder, source)
    write(source / NAME, "a = 2")
    (folder / workspace.MANIFEST).write_bytes(manifest.encode(errors="surrogateescape"))
    done = workspace.lay(folder, source, "0.2.0")
    assert done.kept == [NAME]
    assert done.beside == {NAME: "00_start_here-0.2.0.ipynb"}
    assert sources(folder / NAME) == ["a = 1"]
    assert workspace.lay(folder, source, "0.2.0").written == []


@pytest.mark.parametrize("damaged", [b"", b"{", b"\xff\xfe", b"[]", b'{"cells": [3]}', b'{"cells": [{}]}'])
def test_a_damaged_notebook_is_left_to_the_learner(source: Path, folder: Path, damaged: bytes) -> None:
    workspace.lay(folder, source)
    (folder / NAME).write_bytes(damaged)
    assert workspace.lay(folder, source).kept == [NAME]
    assert (folder / NAME).read_bytes() == damaged


def test_a_notebook_saved_in_the_moment_of_its_refresh_is_kept(
    source: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace.lay(folder, source)
    write(source / NAME, "a = 2")
    chmod = os.chmod

    def chmod_while_learner_saves(path: str, mode: int) -> None:
        chmod(path, mode)
        write(folder / NAME, "saved just now")

    monkeypatch.setattr(os, "chmod", chmod_while_learner_saves)
    done = workspace.lay(folder, source, "0.2.0")
    assert sources(folder / NAME) == ["saved just now"]
    assert done.refreshed == []
    assert done.beside == {NAME: "00_start_here-0.2.0.ipynb"}


def test_a_write_that_fails_leaves_the_old_notebook_and_no_rubbish(
    source: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace.lay(folder, source)
    write(source / NAME, "a = 2")
    before = sorted(p.name for p in folder.iterdir())

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OSError, match="No space left"):
        workspace.lay(folder, source)
    assert sources(folder / NAME) == ["a = 1"]
    assert sorted(p.name for p in folder.iterdir()) == before


def test_reset_gives_fresh_notebooks_and_keeps_the_old_ones(source: Path, folder: Path) -> None:
    workspace.lay(folder, source)
    write(folder / NAME, "mine")
    write(folder / "my own.ipynb", "notes")
    day = date(2026, 3, 1)
    kept = workspace.reset(folder, source, today=day)
    assert kept == folder / "kept-2026-03-01"
    assert sources(kept / NAME) == ["mine"]
    assert sources(folder / NAME) == ["a = 1"]
    assert sources(folder / "my own.ipynb") == ["notes"]
    assert workspace.reset(folder, source, today=day) == folder / "kept-2026-03-01-2"
    assert workspace.lay(folder, source).written == []


def test_reset_of_nothing_lays_the_course(source: Path, folder: Path) -> None:
    assert workspace.reset(folder, source) is None
    assert sources(folder / NAME) == ["a = 1"]


class Learner(RuleBasedStateMachine):
    """A learner and the course's authors, in any order: no source that the learner wrote is ever lost."""

    def __init__(self) -> None:
        super().__init__()
        self.root = Path(tempfile.mkdtemp(prefix="learner-"))
        self.source, self.folder = self.root / "originals", self.root / "copy"
        self.source.mkdir()
        write(self.source / NAME, "course 0")
        workspace.lay(self.folder, self.source, "1")
        self.mine: set[str] = set()
        self.lost = False
        self.count = 0

    def teardown(self) -> None:
        shutil.rmtree(self.root)

    def files(self) -> list[Path]:
        return sorted(self.folder.rglob("*.ipynb"))

    @rule(pick=st.integers(0, 9))
    def learner_writes(self, pick: int) -> None:
        path = self.files()[pick % len(self.files())]
        self.mine -= set(sources(path))
        self.count += 1
        self.mine.add(f"mine {self.count}")
        write(path, f"mine {self.count}", outputs=True)

    @rule(pick=st.integers(0, 9))
    def learner_runs(self, pick: int) -> None:
        path = self.files()[pick % len(self.files())]
        write(path, *sources(path), outputs=True)

    @rule()
    def authors_write(self) -> None:
        self.count += 1
        write(self.source / NAME, f"course {self.count}")

    @rule(version=st.sampled_from("12"))
    def start(self, version: str) -> None:
        workspace.lay(self.folder, self.source, version)
        current = sources(self.source / NAME)
        found = sources(self.folder / NAME)
        assert found == current or found[0] in self.mine or self.lost, "what the learner left alone is up to date"
        again = workspace.lay(self.folder, self.source, version)
        assert again.written == [], "a second start finds all in place"

    @rule()
    def reset(self) -> None:
        workspace.reset(self.folder, self.source, "1", date(2026, 3, 1))
        self.lost = False
        assert sources(self.folder / NAME) == sources(self.source / NAME)

    @rule()
    def manifest_is_lost(self) -> None:
        (self.folder / workspace.MANIFEST).write_text("?")
        self.lost = True

    @invariant()
    def nothing_is_lost(self) -> None:
        there = {source for path in self.files() for source in sources(path)}
        assert self.mine <= there


TestLearner = Learner.TestCase
TestLearner.settings = settings(max_examples=30, stateful_step_count=15, deadline=None)


def run(*arguments: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    status = command.main(arguments)
    said = capsys.readouterr()
    return status, said.out, said.err


def test_the_command_lays_the_course_under_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    status, out, _ = run("--lay-only", capsys=capsys)
    folder = tmp_path / workspace.COURSE_FOLDER
    assert (status, out) == (0, f"The course is in {folder}\n")
    assert {p.name for p in folder.glob("*.ipynb")} == {p.name for p in workspace.course_source().glob("*.ipynb")}
    monkeypatch.chdir(folder)
    assert run("--lay-only", capsys=capsys)[1] == f"The course is in {folder}\n", "from inside it is found again"


def test_the_command_says_what_it_kept_and_what_it_laid_beside(
    tmp_path: Path, source: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(workspace, "course_source", lambda: source)
    monkeypatch.setattr("tutor.__version__", "0.2.0")
    run("--lay-only", f"--folder={tmp_path}", capsys=capsys)
    folder = tmp_path / workspace.COURSE_FOLDER
    write(folder / NAME, "mine")
    write(source / NAME, "a = 2")
    write(source / OTHER, "b = 2")
    out = run("--lay-only", f"--folder={tmp_path}", capsys=capsys)[1].splitlines()
    assert out[1:] == [
        f"Brought up to date: {OTHER}",
        f"{NAME} stays as you changed it; the course's newer version is 00_start_here-0.2.0.ipynb",
    ]
    status, out_reset, _ = run("reset", f"--folder={tmp_path}", capsys=capsys)
    assert status == 0
    kept = folder / f"kept-{date.today().isoformat()}"
    assert out_reset == f"Fresh notebooks are in {folder}\nYours are in {kept}\n"
    assert sources(kept / NAME) == ["mine"]


def test_what_was_laid_is_trusted(tmp_path: Path) -> None:
    assert command.main(["--lay-only", f"--folder={tmp_path}"]) == 0
    laid = sorted((tmp_path / workspace.COURSE_FOLDER).glob("*.ipynb"))
    assert laid
    notary = NotebookNotary()
    assert all(notary.check_signature(nbformat.read(path, as_version=4)) for path in laid)
    notary.store.close()


def test_jupyterlab_opens_the_first_chapter_and_gets_what_follows_the_dashes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[list[str]] = []
    monkeypatch.setattr("jupyterlab.labapp.main", started.append)
    monkeypatch.setenv("JUPYTER_CONFIG_PATH", "/the/users/own")
    monkeypatch.chdir(tmp_path)
    assert command.main(["--no-browser", "--", "--port=9999"]) == 0
    folder = tmp_path / workspace.COURSE_FOLDER
    assert started == [
        [
            f"--ServerApp.root_dir={folder}",
            "--LabApp.default_url=/lab/workspaces/tensor-tutor/tree/00_start_here.ipynb",
            "--no-browser",
            "--port=9999",
        ]
    ]
    assert Path.cwd() == folder
    ours, theirs = os.environ["JUPYTER_CONFIG_PATH"].split(os.pathsep)
    assert (Path(ours) / "labconfig" / "default_setting_overrides.json").exists()
    assert theirs == "/the/users/own"


def test_without_jupyterlab_one_sentence_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "jupyterlab.labapp", None)
    status, _, err = run(f"--folder={tmp_path}", capsys=capsys)
    assert status == 1
    assert "JupyterLab is not installed for this Python. Install it with" in err
    assert "-m pip install jupyterlab" in err


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / workspace.COURSE_FOLDER).write_text("a file in the way")
    status, _, err = run("--lay-only", f"--folder={tmp_path}", capsys=capsys)
    assert status == 1
    assert f"cannot lay the course in {tmp_path / workspace.COURSE_FOLDER}" in err
    assert "name one with --folder" in err


def test_a_package_without_notebooks_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(workspace, "__file__", str(tmp_path / "tutor" / "workspace.py"))
    status, _, err = run("--lay-only", f"--folder={tmp_path}", capsys=capsys)
    assert (status, "install tensor-tutor again" in err) == (1, True)


@pytest.mark.parametrize("arguments", [["clams"], ["--port=9999"]])
def test_words_and_options_that_do_not_exist_are_refused(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        command.main(arguments)
    assert arguments[0] in capsys.readouterr().err
