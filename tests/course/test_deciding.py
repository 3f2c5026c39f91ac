"""Claims are decided by what this machine shows, and nothing a check does gets out."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

from tutor import myth_or_fact
from tutor.course import evidence, recorded
from tutor.course.deciding import Ledger, Row, decide, ledger_html
from tutor.course.evidence import Times, ends, isolated_session, raises, session, shares, warns
from tutor.course.model import Check, Claim, Taught
from tutor.course.running import settings_restored
from tutor.course.shelf import chapter


@pytest.fixture(scope="module")
def decided() -> dict[str, Ledger]:
    return {}


@pytest.fixture
def ledger(practice: str, decided: dict[str, Ledger]) -> Ledger:
    return decided.setdefault(practice, myth_or_fact(practice))


def row(ledger: Ledger, name: str) -> Row:
    return next(row for row in ledger.rows if row.claim.ids == (name,))


# Verdicts


@pytest.mark.parametrize(
    ("name", "verdict", "agrees"),
    [
        ("true", "true", True),
        ("false", "false", True),
        ("partly", "partly", True),
        ("depends", "false", True),
        ("undecided", "not decided", True),
        ("broken", "could not run", False),
        ("otherwise", "false", False),
        ("module", "needs a_module_that_is_nowhere", True),
        ("opinion", "not checkable", True),
    ],
)
def test_the_verdict_comes_from_the_checks(ledger: Ledger, name: str, verdict: str, agrees: bool) -> None:
    found = row(ledger, name)
    assert (found.verdict, found.agrees) == (verdict, agrees)


def test_what_needs_a_gpu_says_so(ledger: Ledger) -> None:
    assert row(ledger, "gpu").verdict == ("true" if torch.cuda.is_available() else "needs a GPU")


def test_a_part_undecided_leaves_the_claim_undecided() -> None:
    claim = Claim(("x",), "c", "partly", "r", "w", (Check("a", "True"), Check("b", "None")))
    assert decide(claim).verdict == "not decided"


# What a run shows


def test_a_run_reads_as_in_an_interpreter(ledger: Ledger) -> None:
    assert row(ledger, "true").checks[0].session.lines[:6] == (
        ">>> a = np.zeros(3)",
        ">>> t = torch.from_numpy(a)",
        ">>> a[0] = 9",
        ">>> t",
        "tensor([9., 0., 0.], dtype=torch.float64)",
        ">>> torch.from_numpy(a[::-1])",
    )
    assert row(ledger, "true").checks[0].session.lines[6].startswith("ValueError: At least one stride")
    assert row(ledger, "true").checks[0].session.lines[7:] == (">>> shares(t, a)", "True")


def test_blocks_prints_and_addresses() -> None:
    found = session("for i in range(2):\n    print(i, object())\n\nTrue")
    assert found.lines == (
        ">>> for i in range(2):",
        "...     print(i, object())",
        "0 <object object>",
        "1 <object object>",
        ">>> True",
        "True",
    )


def test_warnings_are_not_shown() -> None:
    found = session("import warnings\nwarnings.warn('careful')\nTrue")
    assert found.lines == (">>> import warnings", ">>> warnings.warn('careful')", ">>> True", "True")


def test_a_tensor_or_numpy_bool_decides() -> None:
    assert session("torch.tensor(1) == 1").decided is True
    assert session("np.float64(1) == 2").decided is False


@pytest.mark.parametrize(
    ("code", "failure"),
    [
        ("1 // 0", "ZeroDivisionError: integer division or modulo by zero"),
        ("x = 1 // 0\nTrue", "ZeroDivisionError: integer division or modulo by zero"),
        ("raise SystemExit", "SystemExit"),
        ("5", "the last value decides nothing: int"),
        ("x = 3", "the last value decides nothing: _Nothing"),
        ("True True", "SyntaxError: invalid syntax (<unknown>, line 1)"),
    ],
)
def test_what_cannot_run_says_why(code: str, failure: str) -> None:
    found = session(code)
    assert (found.decided, found.failure) == (None, failure)


def test_checks_share_no_names_and_leave_the_settings_alone() -> None:
    session("leaked = 1\ntorch.set_default_dtype(torch.float64)\nTrue")
    assert session("leaked").failure == "NameError: name 'leaked' is not defined"
    assert torch.get_default_dtype() is torch.float32


def test_a_check_finds_the_settings_of_a_new_process() -> None:
    code = """
x = torch.ones(1, requires_grad=True)
with np.errstate():
    np.float64(1) / np.float64(0)
x.dtype, x.device.type, (x * 2).requires_grad, torch.are_deterministic_algorithms_enabled()
(torch.ones(1, 1) @ torch.ones(1, 1)).dtype
True
"""
    expected = session(code)
    with settings_restored():
        torch.set_default_dtype(torch.float64)
        torch.set_default_device("meta")
        torch.set_grad_enabled(False)
        torch.use_deterministic_algorithms(True)
        np.seterr(all="raise")
        with torch.autocast("cpu", torch.bfloat16):
            assert session(code) == expected
        assert torch.get_default_dtype() is torch.float64
        assert torch.empty(0).device.type == "meta"
        assert not torch.is_grad_enabled()
        assert np.geterr()["divide"] == "raise"


def test_a_run_in_another_process_gives_the_same() -> None:
    code = "a = np.zeros(3)\nprint('ü')\nshares(torch.from_numpy(a), a)"
    assert isolated_session(code) == session(code)


def test_a_crash_in_another_process_is_told() -> None:
    found = isolated_session("import os\nos._exit(7)\nTrue")
    assert (found.decided, found.failure) == (None, "its process ended before it answered")
    assert found.lines[0] == ">>> import os"


def test_a_process_that_never_answers_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evidence, "_CHILD_SECONDS", 0.01)
    assert isolated_session("True").failure == "its process could not be run: TimeoutExpired"
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    assert isolated_session("True").failure == "its process could not be run: FileNotFoundError"


# What is at hand


def test_raises() -> None:
    assert raises(lambda: torch.tensor([[1], []]), ValueError, "expected sequence")
    assert not raises(lambda: torch.tensor([[1], []]), ValueError, "another text")
    assert not raises(lambda: torch.tensor([[1], []]), TypeError)
    assert not raises(lambda: None, ValueError)


def test_warns_however_often_it_is_asked() -> None:
    x = torch.ones(2)
    for _ in range(2):
        assert warns(lambda: torch.tensor(x), "To copy construct")
        assert not warns(lambda: torch.tensor(x), "another text")
    assert not warns(lambda: torch.ones(2))


def test_shares_looks_at_elements() -> None:
    x = torch.arange(12.0)
    assert shares(x[:6], x[4:]) is True
    assert shares(x[::2], x[1::2]) is False
    assert shares(x, x.numpy()[3:]) is True
    assert shares(x, x.clone()) is False
    assert shares(torch.empty(0), torch.empty(0)) is False


def test_ends_tells_a_crash_from_an_error() -> None:
    assert ends("import os; os.abort()")
    assert not ends("raise ValueError")
    assert not ends("torch.ones(2)")


@pytest.mark.parametrize(
    ("low", "high", "answers"),
    [(5.0, 6.0, (True, True, False, False)), (1.0, 3.0, (False, False, True, True)), (3.0, 5.0, (None,) * 4)],
)
def test_a_comparison_of_times_has_three_answers(low: float, high: float, answers: tuple[bool | None, ...]) -> None:
    t = Times((low + high) / 2, low, high)
    assert (t > 4, t >= 4, t < 4, t <= 4) == answers


def test_a_large_difference_is_decided(ledger: Ledger) -> None:
    found = row(ledger, "timed")
    assert found.timed
    assert found.verdict in ("true", "not decided")


# The table


def test_the_text_names_no_measurement(ledger: Ledger) -> None:
    text = repr(ledger)
    assert "- `timed` & more.\n  timed. What really happens. The time is measured when you run this; the course" in text
    assert "11 claims, decided here on torch" in text
    assert "1 true, 3 false, 1 partly; 1 not decided; 1 could not run; 1 timed; " in text


def test_the_page_does_not_depend_on_how_a_race_ended(ledger: Ledger) -> None:
    page = ledger._repr_html_()
    again = myth_or_fact(ledger.chapter)._repr_html_()
    assert page == again
    assert "(measured when you run it)" in page


def test_the_live_table_shows_the_run(ledger: Ledger) -> None:
    live = ledger_html(ledger, live=True)
    assert "&gt;&gt;&gt; times(" in live
    assert "(measured when you run it)" not in live


def test_what_is_not_as_taught_says_so(ledger: Ledger) -> None:
    sentence = "The course teaches: true. This machine shows something else."
    assert repr(ledger).count(sentence) == 2
    assert ledger._repr_html_().count(sentence) == 2


def test_what_was_not_run_is_not_asserted(ledger: Ledger) -> None:
    text = repr(ledger)
    assert "needs a_module_that_is_nowhere. Cannot be decided here. The course teaches: true." in text


def test_claims_are_escaped(ledger: Ledger) -> None:
    assert "<code>true</code> &amp; more." in ledger._repr_html_()


def test_an_unknown_chapter_gets_the_nearest(practice: str) -> None:
    with pytest.raises(ValueError, match=r'^There is no chapter "practise"; the nearest is "practice"\.$'):
        myth_or_fact("practise")


def test_a_part_that_needs_what_is_not_here_leaves_the_others_to_run() -> None:
    row = decide(
        Claim(
            ids=(),
            claim="both hold",
            taught="true",
            really="They do.",
            why="It is said.",
            checks=(Check("one", "True"), Check("other", "True", needs=("a_module_that_is_nowhere",))),
        )
    )
    assert row.verdict == "needs a_module_that_is_nowhere"
    assert [checked.part for checked in row.checks] == ["one"]
    assert row.agrees
    assert "Only a part can be shown here. The course teaches: true." in repr(Ledger("x", "2.13.0", "cpu", (row,)))


@pytest.mark.parametrize(("taught", "shown"), [("true", "False"), ("false", "True")])
def test_a_part_that_speaks_against_what_is_taught_is_told_although_another_cannot_run(
    taught: Taught, shown: str
) -> None:
    checks = (Check("one", shown), Check("other", "True", needs=("a_module_that_is_nowhere",)))
    assert not decide(Claim((), "it holds", taught, "It does.", "It is said.", checks)).agrees


def test_a_process_of_its_own_finds_what_this_one_finds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "only_here.py").write_text("found = True\n", "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert isolated_session("import only_here\nonly_here.found").decided is True
    assert ends("import os\nimport only_here\nos.abort()")


@pytest.fixture
def kept(tmp_path: Path, practice: str, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file that this test made up, in the form of a recording, of the claim that needs a GPU."""
    monkeypatch.setattr(recorded, "_beside_the_notebooks", lambda: tmp_path)
    (gpu,) = (claim for claim in chapter(practice).claims if claim.ids == ("gpu",))
    run = {"part": gpu.checks[0].part, "decided": True, "session": [">>> made_up()", "True"]}
    claim = {"claim": gpu.claim, "verdict": "true", "evidence": [run]}
    origin = {"device": "A made-up device", "date": "2020-02-02", "versions": {"torch": "9.9.9+x"}}
    whole = {"format": 1, **origin, "claims": [claim]}
    file = tmp_path / "made-up.json"
    file.write_text(json.dumps(whole), "utf-8")
    return file


def test_what_needs_a_gpu_shows_a_recorded_run_marked_as_such(kept: Path, practice: str) -> None:
    ledger = myth_or_fact(practice)
    assert row(ledger, "gpu").verdict == "needs a GPU", "a recording decides nothing here"
    told = " ".join(repr(ledger).split())
    assert "needs a GPU. Cannot be decided here. Recorded on A made-up device, torch 9.9.9, 2020-02-02: true." in told
    html = ledger_html(ledger, live=True)
    assert "# recorded on A made-up device, torch 9.9.9, 2020-02-02\n# part 0 of gpu\n" in html
    assert "made_up()" in html


@pytest.mark.parametrize("spoiled", ["claim", "evidence", "no JSON"])
def test_a_recording_of_another_claim_or_of_nothing_is_not_shown(kept: Path, practice: str, spoiled: str) -> None:
    whole = json.loads(kept.read_text("utf-8"))
    whole["claims"][0] |= {"claim": {"claim": "another"}, "evidence": {"evidence": []}}.get(spoiled, {})
    kept.write_text("{" if spoiled == "no JSON" else json.dumps(whole), "utf-8")
    assert "ecorded" not in repr(myth_or_fact(practice))


@pytest.mark.parametrize(
    "foreign",
    [
        {"format": 2},
        {"versions": {}},
        {"versions": ["9.9.9"]},
        {"claims": None},
        {"claims": {"gpu": True}},
        {"claims": [{}]},
        {"claims": [{"claim": "gpu", "evidence": [{"session": None}]}]},
    ],
    ids=str,
)
def test_a_foreign_file_stops_neither_a_chapter_nor_what_lies_beside_it(
    kept: Path, practice: str, foreign: dict[str, object]
) -> None:
    whole = json.loads(kept.read_text("utf-8"))
    kept.with_name("a.json").write_text(json.dumps(whole | foreign), "utf-8")
    kept.with_name("b.json").write_text("[1, 2]", "utf-8")
    kept.with_name("c.json").mkdir()
    assert "Recorded on A made-up device" in " ".join(repr(myth_or_fact(practice)).split())


def test_of_two_recordings_the_newer_is_shown(kept: Path, practice: str) -> None:
    older = json.loads(kept.read_text("utf-8")) | {"date": "2019-01-01", "device": "an older one"}
    kept.with_name("z.json").write_text(json.dumps(older), "utf-8")
    assert "an older one" not in repr(myth_or_fact(practice))


def test_parts_that_run_and_differ_make_it_partly_whatever_another_needs() -> None:
    checks = (Check("one", "True"), Check("two", "False"), Check("three", "True", needs=("a_module_that_is_nowhere",)))
    decided = decide(Claim((), "all three", "partly", "Some.", "It is said.", checks))
    assert (decided.verdict, decided.agrees) == ("partly", True)
