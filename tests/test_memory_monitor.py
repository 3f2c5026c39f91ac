"""What a memory monitor reads and tells, and that it leaves nothing behind."""

from __future__ import annotations

import gc
import re
import sys
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import pytest
import torch

from tutor import memory_monitor
from tutor._watching import block
from tutor._watching.facts import MemoryTrace, Reading, Step
from tutor._watching.watch import Watch
from tutor.widgets import monitor as monitors

MIB = 2**20


def threads() -> int:
    return [thread.name for thread in threading.enumerate()].count("tutor-memory-watch")


def wait_for(true: Callable[[], bool]) -> None:
    until = time.monotonic() + 20
    while not true():
        assert time.monotonic() < until, "it does not come"
        time.sleep(0.02)


@pytest.fixture
def monitor() -> Iterator[monitors.MemoryMonitor]:
    made = memory_monitor(64)
    yield made
    made.stop()


def test_memory_comes_with_the_first_write_and_goes_with_the_last_name(monitor: monitors.MemoryMonitor) -> None:
    allocated, written, deleted = (monitor.run(line).change("process") for line in ("allocate", "write", "delete"))
    assert isinstance(allocated, int)
    assert isinstance(written, int)
    assert isinstance(deleted, int)
    assert abs(allocated) < 16 * MIB, "an empty tensor has no pages yet"
    assert 48 * MIB < written < 80 * MIB
    assert -80 * MIB < deleted < -48 * MIB


def test_memory_is_read_while_code_runs(monitor: monitors.MemoryMonitor) -> None:
    before = len(monitor.trace.readings)
    wait_for(lambda: len(monitor.trace.readings) > before + 3)
    times = [reading.at for reading in monitor.trace.readings]
    assert times == sorted(times)


def test_the_text_twin_tells_each_step(monitor: monitors.MemoryMonitor) -> None:
    monitor.run("allocate")
    told = repr(monitor).splitlines()
    assert told[0].startswith("process ")
    assert told[2].startswith("button  x = torch.empty(16_777_216)  # 64 MiB  ")
    assert "torch.empty(16_777_216)" in monitor._repr_html_()


def test_a_line_without_an_x_or_of_no_kind_is_told(monitor: monitors.MemoryMonitor) -> None:
    with pytest.raises(ValueError, match="line: 'write' needs an x, and there is none; allocate it first"):
        monitor.run("write")
    with pytest.raises(ValueError, match="line: there is no 'free'; there are 'allocate', 'write'"):
        monitor.run("free")
    assert monitor.trace.steps == ()


@pytest.mark.parametrize(
    ("given", "error", "sentence"),
    [
        (0, ValueError, "expected mebibytes to be 1 to 65,536, but got 0"),
        (10**6, ValueError, "expected mebibytes to be 1 to 65,536, but got 1,000,000"),
        (2.5, TypeError, "expected mebibytes to be an int, but got float"),
        (True, TypeError, "expected mebibytes to be an int, but got bool"),
    ],
)
def test_a_size_that_is_none_is_told(given: Any, error: type[Exception], sentence: str) -> None:
    with pytest.raises(error, match=sentence):
        memory_monitor(given)
    assert threads() == 0


def test_a_failing_line_raises_in_torchs_words_and_is_a_step_all_the_same(
    monitor: monitors.MemoryMonitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise RuntimeError("DefaultCPUAllocator: can't allocate memory")

    monkeypatch.setattr(torch, "empty", full)
    with pytest.raises(RuntimeError, match="can't allocate memory"):
        monitor.run("allocate")
    monkeypatch.undo()
    assert [step.after is None for step in monitor.trace.steps] == [False]
    assert not monitor.can_run("write")


def test_fifty_of_them_leave_no_thread_whether_stopped_replaced_or_dropped() -> None:
    for _ in range(25):
        memory_monitor(1).stop()
    made = [memory_monitor(1) for _ in range(25)]
    assert threads() == 1, "one watches at a time"
    assert [one.running for one in made] == [False] * 24 + [True]
    del made
    gc.collect()
    wait_for(lambda: threads() == 0)


def test_one_that_was_stopped_goes_on_and_stops_the_other(monitor: monitors.MemoryMonitor) -> None:
    other = memory_monitor(1)
    assert (monitor.running, other.running) == (False, True)
    monitor.start()
    assert (monitor.running, other.running) == (True, False)


def test_cleared_it_forgets(monitor: monitors.MemoryMonitor) -> None:
    monitor.run("allocate")
    monitor.clear()
    assert monitor.trace.steps == ()
    assert len(monitor.trace.readings) < 3


def test_the_watch_keeps_no_more_than_it_shows() -> None:
    watch = Watch()
    for _ in range(3_100):
        watch.reading()
    for i in range(120):
        watch.begin("k", f"line {i}")
        watch.end("k", f"[{i}]")
    trace = watch.trace()
    assert (len(trace.readings), len(trace.steps)) == (3_000, 100)
    assert trace.steps[-1].code == "line 119"


def test_cells_are_told_with_their_number_and_first_line(monkeypatch: pytest.MonkeyPatch) -> None:
    events = pytest.importorskip("IPython.core.events")
    manager = events.EventManager(SimpleNamespace(), events.available_events)
    monkeypatch.setattr(monitors, "_shell", lambda: SimpleNamespace(events=manager))
    made = memory_monitor(1)
    manager.trigger("post_run_cell", SimpleNamespace(execution_count=1))  # of the cell that made the monitor
    manager.trigger("pre_run_cell", SimpleNamespace(raw_cell="\n  x = 1 < 2\ny = 2"))
    assert [(step.name, step.code, step.after) for step in made.trace.steps] == [("[*]", "x = 1 < 2", None)]
    assert "runs" in repr(made)
    manager.trigger("post_run_cell", SimpleNamespace(execution_count=2))
    assert [(step.name, step.after is None) for step in made.trace.steps] == [("[2]", False)]
    assert "x = 1 &lt; 2" in made._repr_html_()
    made.stop()
    assert ears(manager) == 0


def ears(manager: Any) -> int:
    """How many a monitor has at the cells of a notebook."""
    heard = [*manager.callbacks["pre_run_cell"], *manager.callbacks["post_run_cell"]]
    return sum("_weakly" in repr(one) for one in heard)


@pytest.fixture
def cells(monkeypatch: pytest.MonkeyPatch) -> Any:
    """What tells a monitor of cells."""
    events = pytest.importorskip("IPython.core.events")
    manager = events.EventManager(SimpleNamespace(), events.available_events)
    monkeypatch.setattr(monitors, "_shell", lambda: SimpleNamespace(events=manager))
    return manager


def told(made: monitors.MemoryMonitor) -> list[tuple[str, str, bool]]:
    return [(step.name, step.code, step.after is not None) for step in made.trace.steps]


@pytest.mark.parametrize("ends_it", ["stop", "a new monitor"])
def test_the_cell_that_ends_the_watch_is_told_with_its_own_number_and_does_not_run_for_ever(
    cells: Any, ends_it: str
) -> None:
    made = memory_monitor(1)
    cells.trigger("pre_run_cell", SimpleNamespace(raw_cell="last = 1"))
    other = memory_monitor(1) if ends_it == "a new monitor" else None
    made.stop()
    cells.trigger("post_run_cell", SimpleNamespace(execution_count=5))
    cells.trigger("pre_run_cell", SimpleNamespace(raw_cell="later = 2"))
    cells.trigger("post_run_cell", SimpleNamespace(execution_count=6))
    assert told(made) == [("[5]", "last = 1", True)]
    if other is not None:
        assert told(other) == [("[6]", "later = 2", True)]
        other.stop()
    assert ears(cells) == 0


def test_a_cell_that_runs_another_is_one_step(cells: Any) -> None:
    made = memory_monitor(1)
    for source in ("%run other", "within = 1"):
        cells.trigger("pre_run_cell", SimpleNamespace(raw_cell=source))
    for number in (7, 7):
        cells.trigger("post_run_cell", SimpleNamespace(execution_count=number))
    assert told(made) == [("[7]", "%run other", True)]
    made.stop()


def test_it_pauses_when_nothing_has_run_for_long_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(monitors, "_IDLE_S", 0.0)
    made = memory_monitor(1)
    controls = made.controls
    wait_for(lambda: not made.running)
    wait_for(lambda: "nothing ran for ten minutes" in controls.said.value)
    assert controls.pause.description == "Go on"
    wait_for(lambda: threads() == 0)


def test_a_write_for_which_there_is_no_memory_is_refused_before_it_ends_the_process(
    monitor: monitors.MemoryMonitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(block, "free_bytes", lambda _: 32 * MIB)
    monitor.run("allocate")
    with pytest.raises(ValueError, match="line: 'write' needs 64 MiB of memory, and 32 MiB are free; make a smaller"):
        monitor.run("write")
    monkeypatch.undo()
    monitor.run("write")
    monkeypatch.setattr(block, "free_bytes", lambda _: 32 * MIB)
    monitor.run("write")  # its pages are there by now


def test_reading_does_not_start_a_device(monitor: monitors.MemoryMonitor) -> None:
    assert torch.cuda.is_initialized() is False  # type: ignore[no-untyped-call]
    assert monitor.trace.readings[-1].allocated is None


# What a device's allocator does, as a trace: drawn and told whatever this machine has


def gpu_trace() -> MemoryTrace:
    mib = [(0, 0), (256, 256), (256, 256), (0, 256), (0, 0)]
    readings = tuple(
        Reading(float(i), 300 * MIB, held * MIB, kept * MIB, (kept + 400) * MIB) for i, (held, kept) in enumerate(mib)
    )
    codes = ("x = torch.empty(…)", "x.fill_(1)", "del x", "torch.cuda.empty_cache()")
    steps = tuple(Step(f"[{i + 1}]", code, readings[i], readings[i + 1], 300 * MIB) for i, code in enumerate(codes))
    return MemoryTrace("cuda:0", readings, steps)


def test_a_device_is_told_by_what_tensors_have_what_torch_keeps_and_what_the_driver_counts() -> None:
    lines = repr(gpu_trace()).splitlines()
    assert lines[0] == (
        "process 300 MiB, at most 300 MiB; cuda:0: allocated to tensors 0 B, reserved by torch 0 B, "
        "in use on the device 400 MiB"
    )
    assert re.split(r"  +", lines[4]) == ["[3]", "del x", "0", "−256 MiB", "0", "0", "300 MiB"]
    freed = ["[4]", "torch.cuda.empty_cache()", "0", "0", "−256 MiB", "−256 MiB", "300 MiB"]
    assert re.split(r"  +", lines[5]) == freed


def test_the_picture_names_every_line_once_and_says_it_in_words() -> None:
    html = gpu_trace()._repr_html_()
    for words in ("process", "allocated to tensors", "reserved by torch", "in use on the device"):
        assert html.count(f">{words}</text>") == 1
    assert 'role="img"' in html
    assert "<desc" in html


def test_lines_that_end_at_the_same_height_have_names_apart() -> None:
    html = gpu_trace()._repr_html_()
    names = re.findall(r'<text class="quiet" x="[\d.]+" y="([\d.]+)">(?:allocated|reserved|in use)', html)
    heights = [float(name) for name in names]
    assert len(heights) == 3
    assert all(b - a > 13 for a, b in pairwise(sorted(heights)))


class OnGpu:
    """A tensor there."""

    def fill_(self, _: int) -> None:
        """Nothing that memory shows."""


@dataclass
class Gpu:
    """What torch tells of a second GPU, on which another program holds 4 GiB."""

    used: bool = False
    broken: bool = False
    allocated: int = 0
    reserved: int = 0
    asked: set[int] = field(default_factory=set)

    def of(self, device: int, nbytes: int) -> int:
        if self.broken:
            raise RuntimeError("CUDA error: device-side assert triggered")
        self.asked.add(device)
        return nbytes if device == 1 else 0

    def free(self, device: int) -> tuple[int, int]:
        assert device == 1, "asking the first GPU would start it"
        return 80 * 2**30 - self.of(device, self.reserved) - 4 * 2**30, 80 * 2**30

    def empty(self, n: int, **_: object) -> Any:
        self.used = True
        new, self.allocated = 4 * n, self.allocated + 4 * n
        self.reserved = max(self.reserved, self.allocated)
        made = OnGpu()
        weakref.finalize(made, lambda: setattr(self, "allocated", self.allocated - new))
        return made

    def empty_cache(self) -> None:
        self.reserved = self.allocated


@pytest.fixture
def gpu(monkeypatch: pytest.MonkeyPatch) -> Gpu:
    made = Gpu()
    monkeypatch.setattr(torch, "empty", made.empty)
    for name, stand_in in {
        "is_available": lambda: True,
        "is_initialized": lambda: made.used,
        "device_count": lambda: 2,
        "current_device": lambda: 1 if threading.current_thread() is threading.main_thread() else 0,
        "mem_get_info": made.free,
        "memory_allocated": lambda device: made.of(device, made.allocated),
        "memory_reserved": lambda device: made.of(device, made.reserved),
        "empty_cache": made.empty_cache,
    }.items():
        monkeypatch.setattr(torch.cuda, name, stand_in)
    return made


def test_the_gpu_that_is_used_is_watched_and_no_other_is_started(gpu: Gpu) -> None:
    made = memory_monitor(64)
    assert gpu.asked == set()
    controls = made.controls
    said = {}
    for line in ("allocate", "write", "delete", "empty_cache"):
        controls.lines[line].click()
        said[line] = controls.said.value.partition("as before; ")[2].partition("<")[0]
    made.stop()
    assert made.trace.device == "cuda:1"
    assert said == {
        "allocate": "cuda:1: allocated to tensors +64 MiB, reserved by torch +64 MiB.",
        "write": "cuda:1: allocated to tensors 0, reserved by torch 0, in use on the device 0.",
        "delete": "cuda:1: allocated to tensors −64 MiB, reserved by torch 0, in use on the device 0.",
        "empty_cache": "cuda:1: allocated to tensors 0, reserved by torch −64 MiB, in use on the device −64 MiB.",
    }
    assert made.trace.steps[0].change("device") is None, "what others hold there is no change of this step"


def test_a_second_block_is_there_before_the_first_is_let_go_as_the_line_says(gpu: Gpu) -> None:
    made = memory_monitor(64)
    made.run("allocate")
    again = made.run("allocate")
    made.stop()
    assert (again.change("allocated"), again.change("reserved")) == (0, 64 * MIB)


def test_a_device_that_fails_is_not_known_and_the_watch_goes_on(gpu: Gpu) -> None:
    made = memory_monitor(64)
    made.run("allocate")
    gpu.broken = True
    before = len(made.trace.readings)
    wait_for(lambda: len(made.trace.readings) > before + 2)
    assert "allocated to tensors not known" in repr(made)
    assert "not known" in made._repr_html_()
    made.stop()


def test_what_the_device_columns_mean_is_told_beneath_them() -> None:
    html = gpu_trace()._repr_html_()
    assert "Reserved: these, and freed blocks that torch keeps for the next tensor, until empty_cache()." in html
    without = MemoryTrace(None, (Reading(0.0, MIB),), (Step("[1]", "x", Reading(0.0, MIB), Reading(1.0, MIB), MIB),))
    assert "Reserved" not in without._repr_html_()


def test_without_psutil_a_sentence_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psutil", None)
    with pytest.raises(ImportError, match="memory_monitor reads the process's memory with psutil"):
        memory_monitor()
