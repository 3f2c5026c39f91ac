"""The ledger of all claims: what the command prints, writes, compares, and ends with."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import torch

from tutor import __main__ as command
from tutor.course.shelf import chapter, chapter_names

# The statements of two popular articles, numbered; every one of them is covered.
STATEMENTS = {f"A{i:02}" for i in range(1, 118)} | {f"B{i:02}" for i in range(1, 45)}


def run(*arguments: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    status = command.main(["claims", *arguments])
    said = capsys.readouterr()
    return status, said.out, said.err


def test_every_claim_is_told_with_its_verdict_and_surprises_with_their_run(
    practice: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, _ = run(practice, capsys=capsys)
    assert status == 1, "two claims of this chapter are not as taught"
    assert out.startswith(f"torch {torch.__version__}, numpy ")
    assert "\n  true: true. `true` & more.\n" in out
    assert (
        "\nx false, and is taught as true: otherwise. `otherwise` & more.\n    # part 0 of otherwise\n    >>> False"
        in out
    )
    assert "NameError: name 'undefined_name' is not defined" in out
    assert "1 + 1" not in out, "what is as taught stands in one line"
    assert "2 claims not as taught, marked x above." in out


def test_full_shows_the_run_of_every_claim(practice: str, capsys: pytest.CaptureFixture[str]) -> None:
    out = run(practice, "--full", capsys=capsys)[1]
    assert "    >>> 1 + 1\n    2\n    >>> 1 == 2\n    False\n" in out


def test_a_chapter_that_behaves_as_taught_ends_well(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run("start_here", capsys=capsys)
    assert (status, out.splitlines()[-1]) == (0, "Each behaves as taught.")


def test_json_goes_to_the_standard_output_alone_and_bears_all_of_a_claim(
    practice: str, capsys: pytest.CaptureFixture[str]
) -> None:
    _, out, err = run(practice, "--json", capsys=capsys)
    found = {one["ids"][0]: one for one in json.loads(out)}
    assert len(found) == len(chapter(practice).claims)
    partly = found["partly"]
    assert (partly["taught"], partly["verdict"], partly["agrees"]) == ("partly", "partly", True)
    assert partly["evidence"] == [
        {"part": f"part {i} of partly", "decided": value, "session": [f">>> {value}", f"{value}"]}
        for i, value in enumerate([True, False])
    ]
    assert partly["where"]["torch"] == torch.__version__
    assert found["module"]["needs"] == ["a_module_that_is_nowhere"]
    assert "11 claims with 11 ids" in err


def test_two_runs_are_compared(practice: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "before.json"
    run(practice, f"--json={file}", capsys=capsys)
    same = run(practice, f"--against={file}", capsys=capsys)[1]
    assert same.endswith(f"Against torch {torch.__version__}:\n  nothing differs\n")

    before = json.loads(file.read_text("utf-8"))
    by_id: dict[str, dict[str, Any]] = {one["ids"][0]: one for one in before}
    by_id["false"]["verdict"] = "partly"
    by_id["true"]["evidence"][0]["session"][1:2] = ["1"]
    by_id["timed"]["evidence"][0]["session"][-1] = "12.5 times (12 to 13)"
    before.remove(by_id["opinion"])
    file.write_text(json.dumps(before), "utf-8")
    told = run(practice, f"--against={file}", capsys=capsys)[1].partition("Against")[2].splitlines()[1:]
    assert told[0] == "  was partly, is false: false"
    assert told[1] == "  reads otherwise: true, where part 0 of true"
    assert "    - 1" in told
    assert told[-1] == "  1 claim not there before, 0 not asked now"
    assert not any("timed" in line for line in told), "a time always reads otherwise"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["no_such_chapter"], 'There is no chapter "no_such_chapter"'),
        (["--against=no_such.json"], "No such file"),
        (["--against=pyproject.toml"], "pyproject.toml is no list of claims as --json writes it"),
        (["start_here", "--json=no_such_folder/x.json"], "No such file"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        run(*arguments, capsys=capsys)
    assert end.value.code == 2
    assert sentence in capsys.readouterr().err


def test_all_statements_are_decided_in_a_fresh_process(tmp_path: Path) -> None:
    file = tmp_path / "all.json"
    child = subprocess.run(
        [sys.executable, "-m", "tutor", "claims", f"--json={file}"], capture_output=True, text=True, check=False
    )
    assert child.returncode == 0, child.stdout + child.stderr
    found = json.loads(file.read_text("utf-8"))
    assert {name for one in found for name in one["ids"]} == STATEMENTS
    assert {one["chapter"] for one in found} == set(chapter_names())
    undecided = {one["verdict"] for one in found} - {"true", "false", "partly", "not decided", "not checkable"}
    assert all(verdict.startswith("needs ") for verdict in undecided)
    assert all(one["needs"] for one in found if one["verdict"].startswith("needs "))
    assert all(one["timed"] for one in found if one["verdict"] == "not decided")
