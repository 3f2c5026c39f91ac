"""Cells of the atlas that are observed in processes of their own."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

import tutor._constructing.run as running
from tests.atlas_help import outcomes
from tutor import atlas
from tutor._constructing.run import Run
from tutor._constructing.table import SOURCES
from tutor.constructors import Cell

# Processes of their own


@pytest.fixture
def elsewhere(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """Processes in which constructors do what a test wants."""

    def become(**templates: str) -> None:
        change = f"import tutor._constructing.table as t; t.CONSTRUCTORS |= {templates!r}; main(request)"
        monkeypatch.setattr(running, "_BOOT", boot.replace("main(request)", change))

    boot = running._BOOT
    return SimpleNamespace(become=become)


def ran(*constructors: str) -> dict[str, Cell]:
    run = Run((constructor, "3") for constructor in constructors)
    run.wait()
    assert run.done
    return {constructor: run.cells[constructor, "3"] for constructor in constructors}


def test_one_that_ends_its_process_takes_no_other_with_it(elsewhere: SimpleNamespace) -> None:
    elsewhere.become(asarray="__import__('os').abort()", stack="__import__('os')._exit(3)")
    cells = ran("tensor", "asarray", "as_tensor", "stack", "new_tensor")
    assert [cell.outcome for cell in cells.values()] == ["copy", "end", "copy", "end", "copy"]
    assert cells["stack"].remark.endswith("which ended with code 3.")
    if os.name == "posix":
        assert cells["asarray"].remark.endswith(f"which ended by signal {signal.SIGABRT:d} (SIGABRT).")


def test_what_an_earlier_cell_broke_is_not_held_against_a_later_one(elsewhere: SimpleNamespace) -> None:
    breaks = "(setattr(__import__('os'), 'broken', 1), torch.tensor({x}))[1]"
    falls = "__import__('os').abort() if hasattr(__import__('os'), 'broken') else torch.tensor({x})"
    elsewhere.become(tensor=breaks, as_tensor=falls)
    assert [cell.outcome for cell in ran("tensor", "as_tensor").values()] == ["copy", "copy"]


def test_one_that_never_answers_is_stopped(elsewhere: SimpleNamespace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "PATIENCE_S", 4.0)
    elsewhere.become(tensor="__import__('time').sleep(1000)")
    cells = ran("tensor", "as_tensor")
    assert (cells["tensor"].outcome, cells["as_tensor"].outcome) == ("pending", "copy")
    assert cells["tensor"].remark == "It gave no answer within 4 s and was stopped."


def test_what_a_library_prints_is_no_answer(elsewhere: SimpleNamespace) -> None:
    elsewhere.become(tensor="print('{{') or __import__('os').write(1, b'noise') and torch.tensor({x})")
    assert ran("tensor")["tensor"].outcome == "copy"


def test_a_source_that_cannot_be_made_is_told(monkeypatch: pytest.MonkeyPatch, elsewhere: SimpleNamespace) -> None:
    monkeypatch.setitem(SOURCES, "3", SOURCES["pandas Series"])
    monkeypatch.setattr(
        running, "_BOOT", running._BOOT.replace("from tutor", "sys.modules['pandas'] = None; from tutor")
    )
    run = Run([("tensor", "pandas Series")])
    run.wait()
    cell = run.cells["tensor", "pandas Series"]
    assert cell.outcome == "pending"
    assert cell.remark.startswith("The source could not be made: ModuleNotFoundError: import of pandas halted")


@pytest.mark.parametrize(
    ("executable", "reason"),
    [
        ("", "No process could be started for it: Python does not know where it lies, sys.executable is empty."),
        (None, "No process could be started for it: Python does not know where it lies, sys.executable is empty."),
        (str(Path("no", "such", "python")), "No process could be started for it: "),
    ],
)
def test_without_an_executable_the_rest_is_still_there(
    monkeypatch: pytest.MonkeyPatch, executable: str | None, reason: str
) -> None:
    monkeypatch.setattr(sys, "executable", executable)
    part = atlas(["tensor", "from_dlpack"], ["array.T"]).wait()
    assert outcomes(part, "array.T") == {"tensor": "copy", "from_dlpack": "pending"}
    assert part["from_dlpack", "array.T"].remark.startswith(reason)
    assert part.complete


def test_a_process_that_cannot_begin_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "_BOOT", "raise SystemExit('no luck')")
    cell = atlas(["from_dlpack"], ["array.T"]).wait().cells[0]
    assert (cell.outcome, cell.remark) == (
        "pending",
        "The process for it ended with code 1 before it began: no luck.",
    )


def test_an_interrupted_wait_leaves_no_process_and_can_be_taken_up_again(monkeypatch: pytest.MonkeyPatch) -> None:
    part = atlas(["from_dlpack"], ["array.T", "array[::-1]"])
    assert part._run is not None
    processes = [child._process for child in part._run._children]

    def interrupted(seconds: float) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(running.time, "sleep", interrupted)
        with pytest.raises(KeyboardInterrupt):
            part.wait()
    assert len(processes) == 2
    assert all(process.returncode is not None for process in processes)
    assert part.wait()["from_dlpack", "array.T"].outcome == "share"


def test_an_atlas_that_nobody_keeps_leaves_no_process() -> None:
    part = atlas(["from_dlpack"], ["array.T"])
    assert part._run is not None
    (process,) = [child._process for child in part._run._children]
    del part
    gc.collect()
    assert process.returncode is not None


GONE = """
import tutor._constructing.run as running
from tutor import atlas
beat = "[(open({path!r}, 'a').write('.'), __import__('time').sleep(0.02)) for _ in range(10**9)]"
change = f"import tutor._constructing.table as t; t.CONSTRUCTORS['from_dlpack'] = {beat!r}; main(request)"
running._BOOT = running._BOOT.replace("main(request)", change)
atlas(["from_dlpack"], ["array.T"]).wait()
"""


def test_a_process_does_not_outlive_a_kernel_that_is_killed(tmp_path: Path) -> None:
    beats = tmp_path / "beats"
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    code, environment = GONE.replace("{path!r}", repr(str(beats))), os.environ | {"TMPDIR": str(temporary)}
    with subprocess.Popen([sys.executable, "-c", code], env=environment) as parent:
        try:
            wait_until(lambda: beats.exists() and beats.stat().st_size > 3)
            assert list(temporary.iterdir()) != []
        finally:
            parent.kill()
    wait_until(lambda: size_after(beats, 0.3) == beats.stat().st_size)
    assert os.name == "nt" or list(temporary.iterdir()) == []  # Windows keeps a file that is still open


def size_after(path: Path, seconds: float) -> int:
    before = path.stat().st_size
    time.sleep(seconds)
    return before


def wait_until(true: object, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not true():  # type: ignore[operator]
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.05)
