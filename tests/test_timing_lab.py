"""The experiments, and the runner that needs no widget: what is measured, refused, said, recorded and taken home."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from tutor import timing_lab
from tutor._timing_lab import memory, running
from tutor._timing_lab.experiments import EXPERIMENTS, own_experiment
from tutor._timing_lab.export import code_text, csv_text, save_csv
from tutor._timing_lab.model import Candidate, Experiment, Origin, Point, Results, Series, series_from_json
from tutor._timing_lab.recordings import read_recording, recorded, recording
from tutor._timing_lab.running import Run, Settings, run_experiment
from tutor._timing_lab.source import CodeError, function
from tutor.memory import shared_memory

HERE = [one for one in EXPERIMENTS.values() if one.where != "accelerator"]


def run(experiment: str | Experiment, **options: object) -> Run:
    """A short run to its end."""
    settings = Settings(**{"budget": 0.005, **options})  # type: ignore[arg-type]
    finished = Run(experiment, settings)
    for _ in finished.points():
        pass
    return finished


def own(line: str, setup: str = "x = torch.ones(n)", **options: object) -> Run:
    return run(own_experiment(line, setup), **{"sizes": [10, 1000], **options})


# ── the experiments ─────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("experiment", HERE, ids=lambda one: one.name)
def test_every_candidate_has_a_time_at_every_dtype(experiment: Experiment) -> None:
    for dtype in experiment.dtypes or (None,):
        done = run(experiment, dtype=dtype, sizes=experiment.sizes[:2], budget=0.002)
        assert [len(one.measured) for one in done.series] == [2] * len(done.series), dtype
        assert all(p.low <= p.median <= p.high for one in done.series for p in one.measured)  # type: ignore[operator]
        assert done.done == done.total


@pytest.mark.parametrize("experiment", EXPERIMENTS.values(), ids=lambda one: one.name)
def test_an_experiment_asks_a_question_and_fits_on_the_page(experiment: Experiment) -> None:
    assert experiment.question.endswith("?")
    assert len(experiment.title) <= 25
    assert list(experiment.sizes) == sorted(set(experiment.sizes))
    assert all(len(one.label) <= 27 for one in experiment.candidates)
    assert len({one.name for one in experiment.candidates}) == len(experiment.candidates)
    assert all(one.name.isidentifier() for one in experiment.candidates)


@pytest.mark.parametrize("experiment", HERE, ids=lambda one: one.name)
def test_a_mark_says_what_happens_to_bytes(experiment: Experiment) -> None:
    """Seen in the result: what shares does, and what copies or makes has bytes of its own."""
    names: dict[str, object] = {"torch": torch, "np": np, "n": 64, "dtype": torch.float32, "device": "cpu"}
    exec(experiment.setup, names)
    inputs = [x for x in names.values() if isinstance(x, torch.Tensor | np.ndarray)]
    for lane in experiment.lanes(*(experiment.dtypes[:1] or ("",)), "cpu"):
        result = function(lane.code, names)()
        if lane.mark in ("copy", "make", "share") and isinstance(result, torch.Tensor):
            shares = any(shared_memory(result, x).elements_overlap for x in inputs)
            assert shares == (lane.mark == "share"), lane.label


def test_an_accelerators_experiment_says_that_there_is_none() -> None:
    if torch.accelerator.is_available():
        assert run("transfers", sizes=[100]).series
        return
    with pytest.raises(ValueError, match=r"^pinned, non_blocking needs an accelerator, and this machine has none that"):
        Run("transfers")


def test_transfers_run_where_an_accelerator_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without one at hand: the code of the experiment with the meta device in the accelerator's place."""
    monkeypatch.setattr(running, "devices", lambda: ("cpu", "meta"))
    monkeypatch.setattr(torch.Tensor, "pin_memory", torch.Tensor.clone)
    done = run("transfers", sizes=[100])
    assert {one.device for one in done.series} == {"meta"}
    assert all(one.measured for one in done.series)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"experiment": "speed"}, "experiment: there is no 'speed'; there are 'sources', 'first_write'"),
        (
            {"experiment": "sources", "dtype": "int8"},
            "dtype: 'list, array, from_numpy' has no 'int8'; there are: float32",
        ),
        (
            {"experiment": "sources", "device": "tpu"},
            "device: 'list, array, from_numpy' can run on cpu here, not on 'tpu'",
        ),
    ],
)
def test_bad_input_gets_one_clear_sentence(options: dict[str, str], message: str) -> None:
    with pytest.raises(ValueError, match="^" + re.escape(message)):
        run(options.pop("experiment"), **options)


# ── running ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_points_come_one_by_one_in_the_order_of_sizes() -> None:
    points = list(run_experiment("first_write", sizes=[1000, 100], budget=0.005))
    assert [p.n for p in points] == [100] * 6 + [1000] * 6
    assert all(p.blocks >= 5 and p.calls >= 1 for p in points)


def test_naive_is_taken_once_and_before_the_honest_ones() -> None:
    calls: list[str] = []
    watched = Experiment(
        "watched",
        "watched",
        "?",
        "",
        (Candidate("plain", "plain", "note('p')"), Candidate("naive", "naive", "note('n')", way="naive")),
        (10,),
        dtypes=(),
    )
    growing = Run(watched, Settings(budget=0.005, names={"note": calls.append}))
    naive, honest = growing.points()
    assert (naive.name, naive.blocks, naive.low) == ("naive", 1, naive.high)
    assert honest.blocks >= 5
    body = "".join(calls)
    assert re.fullmatch("(pn)+np+", body), "the naive run is the first of those that are timed"


def test_a_step_of_the_run_is_short() -> None:
    done = Run("launch", Settings(sizes=[100], budget=0.05))
    assert sum(piece is None for piece in done.pieces()) > 20


def test_what_would_take_too_long_is_left_out_and_said() -> None:
    line = own("time.sleep(n * 1e-6)", "import time", sizes=[1000, 2000, 1_000_000, 2_000_000])
    (series,) = line.series
    assert [p.n for p in series.measured] == [1000, 2000]
    assert re.fullmatch(r"one call would take about 1\.\d\d s or longer\.", series.points[-2].why)
    found = Results(line.experiment, line.series)
    assert found.skipped == (f"time.sleep(n * 1e-6) from n = 1,000,000 on: {series.points[-1].why}",)
    assert found.skipped[0] in repr(found)


@pytest.mark.parametrize(
    ("line", "setup"),
    [("time.sleep(0.03)", "import time"), ("x", "import time\nx = torch.ones(n)\ntime.sleep(0.03)")],
    ids=["line", "set-up"],
)
def test_what_is_slow_at_every_size_alike_is_not_said_to_grow(line: str, setup: str) -> None:
    done = Run(own_experiment(line, setup), Settings(sizes=[1, 1000, 100_000], budget=0.005))
    assert all(point.why == "" for point in done.points())


def test_a_size_that_needs_too_much_memory_is_refused_before_it_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "free_bytes", lambda device: 3 * 2**20)
    sizes: list[int] = []
    line = own("x + 1", "seen(n)\nx = torch.ones(n)", sizes=[1000, 10_000, 1_000_000], names={"seen": sizes.append})
    (series,) = line.series
    assert [p.n for p in series.measured] == [1000, 10_000]
    told = r"it would need about [\d.]+ MiB, more than a third of the 3 MiB that are free\."
    assert re.fullmatch(told, series.points[-1].why)
    assert 1_000_000 not in sizes


@pytest.mark.parametrize(
    ("line", "setup", "n", "least"),
    [
        ("x + 1", "x = torch.ones(n)", 10**8, 8 * 10**8),
        ("a + 1", "a = np.ones(n)", 10**8, 16 * 10**8),
        ("x @ x", "x = torch.ones(n, n)", 10**4, 8 * 10**8),
        ("sum(rows)", "rows = [float(i) for i in range(n)]", 10**7, 3 * 10**8),
        ("x.sum()", "x = torch.ones(5)", 10**8, 0),
    ],
)
def test_how_memory_grows_is_seen_at_small_sizes(line: str, setup: str, n: int, least: float) -> None:
    growth = seen_growth(Run(own_experiment(line, setup), Settings(sizes=[10, 100_000])))
    assert least <= growth.at(n) <= max(4 * least, 10**6)


def seen_growth(asked: Run) -> memory.Growth:
    ended: list[memory.Growth | None] = []

    def to_the_end() -> Iterator[None]:
        ended.append((yield from asked._growth()))

    assert len(list(to_the_end())) > 2, "one size at a time"
    (growth,) = ended
    assert growth is not None
    return growth


def test_free_memory_is_known_and_a_container_may_leave_less(tmp_path: Path) -> None:
    assert (memory.free_bytes("cpu") or 0) > 2**20
    (tmp_path / "memory.max").write_text("1000\n")
    (tmp_path / "memory.current").write_text("400\n")
    assert memory._free_in_group(tmp_path) == 600
    (tmp_path / "memory.stat").write_text("anon 100\nfile 300\nactive_file 50\ninactive_file 250\n")
    assert memory._free_in_group(tmp_path) == 850, "files that were read make room when it is needed"
    (tmp_path / "memory.max").write_text("max\n")
    assert memory._free_in_group(tmp_path) is None
    assert memory._free_on("meta") is None


# ── a learner's own line ────────────────────────────────────────────────────────────────────────────────────────────


def test_a_line_reads_the_learners_names_and_leaves_them_alone() -> None:
    names = {"scale": 3, "x": "mine"}
    (series,) = own("x * scale", names=names).series
    assert len(series.measured) == 2
    assert names == {"scale": 3, "x": "mine"}


@pytest.mark.parametrize("line", ["y = x + 1", "for i in range(3):\n    x.add(i)", "x += 1", "x.add_(1)"])
def test_statements_are_lines_too(line: str) -> None:
    (series,) = own(line).series
    assert len(series.measured) == 2


@pytest.mark.parametrize(
    ("line", "setup", "message"),
    [
        (" # nothing yet", "x = 1", "There is no line to time: write one."),
        ("x +", "x = 1", "The line cannot be read: invalid syntax at 'x +'."),
        ("x", "x = = 1", "The set-up cannot be read: invalid syntax at 'x = = 1'."),
        ("x", "x = unknown", "The set-up raised NameError: name 'unknown' is not defined"),
    ],
)
def test_code_that_cannot_run_is_answered_in_a_sentence(line: str, setup: str, message: str) -> None:
    with pytest.raises(CodeError, match="^" + re.escape(message)):
        own(line, setup)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("y + 1", "raised NameError: name 'y' is not defined"),
        ("range(n)", "returned a range, which makes its items only when they are asked for; write list(…) around it"),
        ("rows.append(1)", "changes the size of rows with every call"),
    ],
)
def test_a_line_that_cannot_be_timed_says_why(line: str, why: str) -> None:
    (series,) = own(line, "rows = [1, 2]").series
    assert not series.measured
    assert series.points[0].why.startswith(why)


# ── facts, files and code ───────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def found() -> Results:
    done = run("sources", sizes=[100, 1000])
    return Results(done.experiment, done.series, (100, 1000))


def test_a_series_is_json_and_back(found: Results) -> None:
    for series in found.series:
        again = series_from_json(json.loads(json.dumps(series.as_json())))
        assert again == series


def test_the_text_says_all_numbers(found: Results) -> None:
    text = repr(found)
    assert text.splitlines()[0] == "What does the source cost, and what the constructor?"
    for series in found.series:
        assert text.count(f"{series.candidate.label}  ") == 2
    assert text.splitlines()[-1].startswith("Measured here: float32, cpu, ")
    assert repr(Results(found.experiment)).endswith("Nothing measured yet.")


def test_what_differs_is_told_beside_the_name(found: Results) -> None:
    one = found.series[0]
    again = Series(one.experiment, one.candidate, one.setup, "float64", "cpu", one.axis, 2, 2, one.points)
    third = Series(one.experiment, one.candidate, one.setup, "float32", "cpu", one.axis, 2, 2, one.points)
    assert Results(found.experiment, (one,)).detail(one) == ""
    assert Results(found.experiment, (one, again)).detail(again) == "float64"
    assert Results(found.experiment, (one, third)).detail(third) == "run 2"
    running_now = Results(found.experiment, (one,), (100, 1000, 10_000), running=1)
    assert running_now.detail(one) == "measuring, 2 of 3"


def test_the_file_has_a_row_for_each_point(found: Results, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = list(csv.DictReader(csv_text(found).splitlines()))
    assert len(rows) == sum(len(one.points) for one in found.series)
    assert float(rows[0]["median_s"]) == found.series[0].points[0].median
    assert (rows[0]["code"], rows[0]["n"], rows[0]["dtype"]) == ("torch.tensor(rows)", "100", "float32")
    monkeypatch.chdir(tmp_path)
    assert [save_csv(found).name for _ in range(2)] == ["timing_sources.csv", "timing_sources_2.csv"]
    assert Path("timing_sources.csv").read_text("utf-8") == csv_text(found)


@pytest.mark.parametrize("experiment", HERE, ids=lambda one: one.name)
def test_the_code_that_is_copied_runs_and_times_the_same_lines(
    experiment: Experiment, capsys: pytest.CaptureFixture[str]
) -> None:
    dtype = experiment.dtypes[0] if experiment.dtypes else ""
    code = code_text(experiment, experiment.sizes[:1], dtype, "cpu")
    exec(re.sub(r"budget=[\d.]+", "budget=0.005", code), {})
    shown = capsys.readouterr().out
    assert shown.startswith(f"n = {experiment.sizes[0]:,}\n")
    honest = [lane for lane in experiment.lanes(dtype, "cpu") if lane.way == "honest"]
    if len(honest) > 1:
        assert all(re.search(rf"^{lane.name} ", shown, re.M) for lane in honest)
    assert code.count("race(") == (len(honest) > 1)


def test_own_lines_are_copied_as_measure() -> None:
    code = code_text(own_experiment("x.sum()", "x = torch.ones(n)"), [1, 1000], "float32", "cpu")
    assert "from tutor import measure" in code
    assert "for n in (1, 1_000):" in code
    assert "    print(measure(lambda: x.sum(), budget=0.15))" in code


@pytest.mark.parametrize(
    "line",
    [
        "x.sum()  # all of it",
        "x, n",
        "(x\n + 1)",
        "x += 1",
        "y = x * 2\nx = y",
        "if n:\n    n = n + 1",
        "total += 1",
        "for i in range(3):\n    y = x + i",
    ],
)
def test_a_line_that_runs_in_the_lab_runs_when_it_is_copied(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    (series,) = own(line, names={"total": 0}).series
    assert len(series.measured) == 2
    code = code_text(own_experiment(line, "x = torch.ones(n)"), [10, 100], "float32", "cpu")
    exec(re.sub(r"budget=[\d.]+", "budget=0.005", code), {"total": 0})
    assert "a call" in capsys.readouterr().out


def test_a_line_that_is_not_finished_is_copied_as_it_stands() -> None:
    assert "x +" in code_text(own_experiment("x +", "x = torch.ones(n)"), [10], "float32", "cpu")


def test_what_a_line_does_to_what_it_reads_is_said() -> None:
    done = own("x.add_(1)")
    told = Results(done.experiment, done.series, (10, 100))
    said = "x.add_(1): Each call writes on x, and so finds what the call before left there."
    assert told.notes == (said,)
    assert said in repr(told)
    assert said in told._repr_html_()


@pytest.mark.parametrize("sizes", [[], [0], [-5, 10], [2.5], ["a"], [True], 7, "12"])
def test_sizes_that_cannot_be_run_are_answered_in_a_sentence(sizes: Any) -> None:
    with pytest.raises(
        ValueError, match=re.escape("sizes: expected whole numbers of 1 or more, as in [100, 1000], got")
    ):
        run("sources", sizes=sizes)


# ── recordings: the file is made here, and says so ──────────────────────────────────────────────────────────────────

ORIGIN = Origin("MADE UP FOR A TEST", "2000-01-01", (("torch", "0.0"), ("driver", "0")))


def made_up() -> Series:
    lane = EXPERIMENTS["sources"].candidates[2]
    points = tuple(Point(lane.name, n, n * 1e-9, n * 0.9e-9, n * 1.2e-9, 10, 1) for n in (100, 1000))
    return Series("sources", lane, "a = …", "float32", "cuda", "elements", 1, 1, points)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    data = recording(ORIGIN, "made up for a test", [made_up()])
    (tmp_path / "made_up.json").write_text(json.dumps({**data, "claims": []}), "utf-8")
    return tmp_path


def test_a_recording_is_read_with_its_device_versions_and_date(folder: Path, found: Results) -> None:
    (series,) = recorded("sources", folder)
    assert series.origin == ORIGIN
    assert series.points == made_up().points
    assert recorded("matmul", folder) == ()
    together = Results(found.experiment, (*found.series, series), (100, 1000))
    assert together.detail(series) == "recorded: MADE UP FOR A TEST"
    for shown in (repr(together), together._repr_html_()):
        assert "MADE UP FOR A TEST, torch 0.0, driver 0, 2000-01-01" in shown
    assert "Dashed, with open markers: recorded elsewhere." in together._repr_html_()
    rows = list(csv.DictReader(csv_text(together).splitlines()))
    assert rows[-1]["recorded_on"] == "MADE UP FOR A TEST"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda data: data.update(format=2), "ValueError: expected format 1, got 2"),
        (lambda data: data.pop("device"), "KeyError: 'device'"),
        (lambda data: data["series"][0].pop("points"), "KeyError: 'points'"),
        (lambda data: data["series"][0].update(colour="red"), "TypeError"),
        (
            lambda data: data["series"][0].update(device=None),
            "ValueError: the line 'tensor.a.' is not described as one",
        ),
        (lambda data: data["series"][0]["candidate"].update(mark="red"), "ValueError: the line"),
        (lambda data: data["series"][0].update(run=0), "ValueError: the counts of the line"),
        (lambda data: data["series"][0]["points"][0].update(n="100"), "ValueError: the counts of the line"),
        (lambda data: data["series"][0]["points"][0].update(median=0), "ValueError: the times of the line"),
        (
            lambda data: data["series"][0]["points"][1].pop("low"),
            "ValueError: the times of the line 'tensor.a.' at 1000",
        ),
        (lambda data: data["series"][0]["points"][1].update(high=float("nan")), "ValueError: the times of the line"),
    ],
)
def test_a_file_that_is_no_recording_is_passed_over(
    folder: Path, change: Callable[[dict[str, Any]], object], message: str
) -> None:
    path = folder / "made_up.json"
    data = json.loads(path.read_text("utf-8"))
    change(data)
    path.write_text(json.dumps(data), "utf-8")
    with pytest.raises(ValueError, match=f"^made_up.json is no recording of this format: {message}"):
        read_recording(path)
    assert recorded("sources", folder) == ()


def test_where_there_is_no_recording_nothing_is_shown(tmp_path: Path) -> None:
    assert recorded("sources", tmp_path) == ()
    assert recorded("sources", tmp_path / "nowhere") == ()


def test_the_lab_is_a_table_of_questions_without_a_notebook() -> None:
    lab = timing_lab()
    for one in EXPERIMENTS.values():
        assert one.question in repr(lab)
        assert one.question in lab._repr_html_()
