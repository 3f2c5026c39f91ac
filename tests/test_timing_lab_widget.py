"""The timing lab as a learner uses it: choose, run, stop, run again, clear; driven by a real event loop."""

from __future__ import annotations

import _thread
import asyncio
import csv
import json
import re
import signal
import threading
from collections.abc import Awaitable, Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
import torch

from tests.test_timing_lab import ORIGIN, made_up
from tutor import timing_lab
from tutor._timing_lab import recordings
from tutor._timing_lab.experiments import EXPERIMENTS
from tutor._timing_lab.model import Results
from tutor.drawing.timing_chart import chart, size_text
from tutor.widgets.timing import TimingLab
from tutor.widgets.timing_controls import Controls


def drive(work: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(asyncio.wait_for(work(), 60))  # type: ignore[arg-type]


async def until_done(lab: TimingLab) -> None:
    while lab.running:
        await asyncio.sleep(0.01)


def choose(controls: Controls, first: int, last: int) -> None:
    controls.first.index, controls.last.index = first, last


def small(experiment: str = "launch") -> tuple[TimingLab, Controls]:
    lab = timing_lab(experiment, budget=0.01)
    controls = lab.controls
    choose(controls, 0, 1)
    return lab, controls


def test_a_run_shows_its_points_and_can_be_run_again() -> None:
    lab, controls = small()

    async def work() -> None:
        assert controls.go.description == "Run"
        controls.go.click()
        await asyncio.sleep(0)
        assert lab.running
        assert controls.go.description == "Stop"
        assert "of 8 points" in controls.status.value
        assert controls.experiment.disabled
        await until_done(lab)
        assert controls.go.description == "Run again"
        assert "8 points measured" in controls.status.value
        assert not controls.experiment.disabled
        controls.go.click()
        await until_done(lab)

    drive(work)
    assert len(lab.results.series) == 8
    assert {lab.results.detail(one) for one in lab.results.series} == {"run 1", "run 2"}
    assert "16 points measured" in controls.status.value
    assert controls.chart.value.count("<path d=") > 8
    controls.empty.click()
    assert not lab.results.series
    assert controls.go.description == "Run"
    assert controls.chart.value == ""


def test_stop_keeps_what_has_been_found() -> None:
    lab, controls = small()
    choose(controls, 0, 6)

    async def work() -> None:
        controls.go.click()
        while lab.progress[0] < 4:
            await asyncio.sleep(0.01)
        controls.go.click()
        await asyncio.sleep(0.05)
        assert not lab.running

    drive(work)
    assert all(one.measured for one in lab.results.series)
    assert lab.results.rows < 28
    assert controls.go.description == "Run again"
    assert lab.message == ""


def test_other_work_gets_its_turn_during_a_run() -> None:
    lab, controls = small("sources")
    turns = 0

    async def work() -> None:
        nonlocal turns
        controls.go.click()
        await asyncio.sleep(0)
        while lab.running:
            await asyncio.sleep(0)
            turns += 1

    drive(work)
    assert turns > 10


def test_runs_leave_no_task_and_no_thread_behind() -> None:
    lab, controls = small()
    before = threading.active_count()

    async def work() -> None:
        own = len(asyncio.all_tasks())
        for _ in range(3):
            controls.go.click()
            await until_done(lab)
            controls.empty.click()
        await asyncio.sleep(0)
        assert len(asyncio.all_tasks()) == own

    drive(work)
    assert threading.active_count() == before


def test_stopped_before_it_has_begun_it_can_be_run_again() -> None:
    lab, _ = small()

    async def work() -> None:
        lab.start()
        lab.stop()
        assert not lab.running
        lab.start()
        await until_done(lab)

    drive(work)
    assert lab.results.rows == 8


def test_a_script_may_run_it_while_a_run_is_under_way() -> None:
    lab, controls = small()
    choose(controls, 0, 6)

    async def work() -> None:
        own = len(asyncio.all_tasks())
        lab.start()
        while lab.progress[0] < 4:
            await asyncio.sleep(0.01)
        lab.run([1])
        assert not lab.running
        await asyncio.sleep(0)
        assert len(asyncio.all_tasks()) == own

    drive(work)
    assert [one.run for one in lab.results.series] == [1] * 4 + [2] * 4


def test_cleared_in_the_middle_a_run_keeps_its_number() -> None:
    lab, _ = small()

    async def work() -> None:
        lab.start()
        await asyncio.sleep(0.01)
        lab.clear()
        assert lab.results.running == 1
        await until_done(lab)
        lab.start()
        await until_done(lab)

    drive(work)
    assert [one.run for one in lab.results.series] == [1] * 4 + [2] * 4


def test_the_kernels_interrupt_ends_a_line_that_never_ends() -> None:
    lab, controls = small("own")
    controls.line.value = "while True:\n    pass"
    over = threading.Event()

    def press() -> None:
        while not over.wait(0.05):
            _thread.interrupt_main()

    async def work() -> None:
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # as a kernel has it between cells
        presser.start()
        controls.go.click()
        await until_done(lab)
        over.set()
        presser.join()
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
        signal.signal(signal.SIGINT, before)

    presser = threading.Thread(target=press, daemon=True)
    drive(work)
    assert not lab.running


def test_another_labs_run_ends_the_first() -> None:
    (first, controls), (second, others) = small("sources"), small()
    choose(controls, 0, 10)

    async def work() -> None:
        controls.go.click()
        await asyncio.sleep(0.05)
        others.go.click()
        await until_done(first)
        assert second.running
        await until_done(second)

    drive(work)
    assert second.results.rows == 8


def test_a_line_that_would_end_the_kernel_ends_the_run() -> None:
    lab, controls = small("own")

    async def work() -> None:
        for line, said in (
            ("raise SystemExit(3)", "The run ended with SystemExit: 3"),
            ("raise KeyboardInterrupt", ""),
        ):
            controls.line.value = line
            controls.go.click()
            await until_done(lab)
            assert lab.message == said

    drive(work)


def test_a_line_of_ones_own_runs_and_its_error_is_a_sentence() -> None:
    lab, controls = small("own")
    controls.setup.value = "x = torch.ones(n)"

    async def run_line(line: str) -> None:
        controls.line.value = line
        controls.go.click()
        await until_done(lab)

    async def work() -> None:
        await run_line("x.sum()")
        assert [one.candidate.code for one in lab.results.series] == ["x.sum()"]
        await run_line("x.sum(")
        assert "The line cannot be read" in controls.said.value
        assert 'role="alert"' in controls.said.value
        await run_line("<b>x</b>")
        assert "&lt;b&gt;" in controls.said.value
        await run_line("x.mean()")
        assert controls.said.value == ""

    drive(work)
    assert [one.candidate.code for one in lab.results.series] == ["x.sum()", "x.mean()"]
    assert "<circle" in controls.chart.value
    assert "h6.4v6.4h-6.4z" in controls.chart.value, "each line has a marker of its own"
    assert "measure(lambda: x.mean()" in lab.code


def test_the_line_sees_the_callers_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(globals(), "mine", 7)
    lab = timing_lab("own", budget=0.005)
    lab.write("x * mine", "x = torch.ones(n)")
    assert lab.run(sizes=[10]).rows == 1
    lab.write("x * nobodys")
    lab.clear()
    assert lab.run(sizes=[10]).skipped == (
        "x * nobodys from n = 10 on: raised NameError: name 'nobodys' is not defined",
    )


def test_an_experiment_without_its_device_says_so() -> None:
    if torch.accelerator.is_available():
        return
    lab, controls = small("transfers")
    controls.go.click()
    assert not lab.running
    assert "needs an accelerator, and this machine has none that torch can use." in controls.said.value
    with pytest.raises(ValueError, match="needs an accelerator"):
        lab.run()


def test_choices_change_what_runs_and_what_is_copied() -> None:
    lab, controls = small("matmul")
    controls.dtype.value = "float64"
    choose(controls, 1, 2)
    assert (lab.dtype, tuple(lab.sizes)) == ("float64", (32, 64))
    assert "dtype = torch.float64\nfor n in (32, 64):" in lab.code
    assert "for n in (32, 64):" in controls.copy.value
    controls.dtype.value = "bfloat16"
    assert "NumPy" not in controls.runs.value
    controls.experiment.value = "autocast"
    assert lab.experiment.name == "autocast"
    assert controls.dtype.layout.display == "none", "no choice where there is none"
    assert (controls.first.label, controls.last.label) == ("16", "4,096")
    assert "side of the matrix" in controls.sizes_said.value


def test_the_first_size_is_never_above_the_last() -> None:
    lab, controls = small("matmul")
    choose(controls, 1, 3)
    controls.first.value = "1,024"
    assert (controls.first.label, controls.last.label, tuple(lab.sizes)) == ("1,024", "1,024", (1024,))
    controls.last.value = "64"
    assert (controls.first.label, controls.last.label, tuple(lab.sizes)) == ("64", "64", (64,))


def test_what_one_experiment_found_is_there_when_it_is_chosen_again() -> None:
    lab, controls = small()

    async def work() -> None:
        controls.go.click()
        await until_done(lab)

    drive(work)
    controls.experiment.value = "matmul"
    assert controls.go.description == "Run"
    assert controls.chart.value == ""
    controls.experiment.value = "launch"
    assert controls.go.description == "Run again"
    assert "ten times x + 1" in controls.chart.value


def test_saving_says_where(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    lab, controls = small()
    controls.file.click()
    assert "There is nothing to save yet." in controls.said.value
    lab.run()
    controls.file.click()
    assert "Saved 8 rows as timing_launch.csv, beside your notebook." in controls.said.value
    assert len(list(csv.reader(Path("timing_launch.csv").read_text("utf-8").splitlines(True)))) == 9


def test_as_many_rows_are_said_to_be_saved_as_the_file_has(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    lab, controls = small("own")
    lab.write("1 // (n - 10)", "")  # no time at one of the two sizes
    lab.run([10, 11])
    lab.write("n + 1", "")
    lab.run([10, 11])
    controls.file.click()
    rows = len(Path("timing_own.csv").read_text("utf-8").splitlines()) - 1
    assert f"Saved {rows} rows as timing_own.csv" in controls.said.value


def test_the_numbers_are_shown_when_asked_for() -> None:
    lab, controls = small()
    lab.run()
    controls.show()
    assert controls.numbers_fold.description == "show the numbers, 8 rows"
    assert controls.numbers.value == ""
    controls.numbers_fold.value = True
    assert controls.numbers_fold.description == "hide the numbers, 8 rows"
    assert controls.numbers.value.count("<tr>") == 9
    assert controls.numbers.layout.display != "none"


def test_without_an_event_loop_start_says_what_to_do() -> None:
    lab, _ = small()
    with pytest.raises(RuntimeError, match=r"^start\(\) needs a running event loop, as a notebook has; run\(\) does"):
        lab.start()
    assert not lab.running


@pytest.mark.parametrize("budget", [0, -1, float("inf"), "1", True])
def test_a_bad_budget_is_a_sentence(budget: object) -> None:
    with pytest.raises(ValueError, match=r"^timing_lab: budget must be a positive number of seconds, got"):
        timing_lab(budget=budget)  # type: ignore[arg-type]


def test_an_unknown_experiment_is_answered_with_the_known_ones() -> None:
    with pytest.raises(
        ValueError, match=r"^timing_lab: there is no experiment 'speed'; there are 'sources', .*, 'own'$"
    ):
        timing_lab("speed")


# ── the chart ───────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def drawn() -> tuple[TimingLab, str]:
    lab = timing_lab("first_write", budget=0.005)
    lab.run(sizes=[100, 1000, 100_000])
    return lab, chart(lab.results)


def test_the_chart_tells_each_line_by_its_name_and_marker(drawn: tuple[TimingLab, str]) -> None:
    lab, svg = drawn
    assert 'role="img"' in svg
    names = re.findall(r'<tspan class="code" x="[\d.]+">(.*?)</tspan>', svg)
    assert sorted(names) == sorted(one.candidate.label for one in lab.results.series)
    description = re.search("<desc.*?>(.*?)</desc>", svg)
    assert description is not None
    assert all(one.candidate.label in description[1] for one in lab.results.series)
    groups = [group for group in re.findall(r'<g class="tt-make">.*?</g>', svg) if "stroke-width" in group]
    shapes = {re.sub(r'M[\d.]+ [\d.]+|c[xy]="[\d.]+"', "", group.partition("stroke-width")[2]) for group in groups}
    assert len(shapes) == len(groups), "each line has a marker of its own"


def test_names_do_not_stand_on_each_other_nor_leave_the_picture(drawn: tuple[TimingLab, str]) -> None:
    _, svg = drawn
    places = sorted(float(y) for y in re.findall(r'<text x="5\d\d" y="([\d.]+)"><tspan class="code mark', svg))
    assert len(places) == 6
    assert all(b - a >= 14.9 for a, b in pairwise(places))
    height = float(re.search(r'height="(\d+)"', svg)[1])  # type: ignore[index]
    assert 0 < places[0] < places[-1] < height


def test_a_recorded_line_is_dashed_with_open_markers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = recordings.recording(ORIGIN, "made up for a test", [made_up()])
    (tmp_path / "x.json").write_text(json.dumps(data), "utf-8")
    monkeypatch.setattr(recordings, "_folder", lambda: tmp_path)
    lab = timing_lab(budget=0.005)
    html = lab.controls.chart.value
    assert 'stroke-dasharray="5 4"' in html
    assert 'class="open"' in html
    assert 'class="full"' not in html
    assert "recorded: MADE UP FOR A TEST" in html
    assert lab.controls.go.description == "Run", "nothing has been run here"
    lab.run(sizes=[100, 1000])
    assert 'class="full"' in chart(lab.results)


def test_a_long_device_name_stays_within_the_picture_and_is_whole_beneath_it() -> None:
    device = "MADE UP RTX 6000 Ada Generation, 48 GB"
    series = replace(made_up(), origin=replace(ORIGIN, device=device))
    results = Results(EXPERIMENTS["sources"], (series,), (100, 1000))
    picture = re.sub(r"<desc.*?</desc>", "", chart(results), flags=re.S)
    assert ">recorded: MADE UP RTX 6000 Ada…</text>" in picture
    assert f"Recorded, not measured here: {device}, torch 0.0" in results._repr_html_()


def test_one_size_is_a_chart_too() -> None:
    lab = timing_lab("launch", budget=0.005)
    found = lab.run(sizes=[1000])
    assert "1,000" in chart(found)
    assert "nan" not in chart(found)


def test_sizes_in_few_characters() -> None:
    assert [size_text(n) for n in (1, 31_623, 10**6, 316_228, 10**8)] == [
        "1",
        "31,623",
        "1 million",
        "316,228",
        "100 million",
    ]
