"""Two clocks for an accelerator, cold caches, and the usual way of timing beside the honest one."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import torch

from tutor._racing import cache as caches
from tutor._racing.clock import event_maker
from tutor.timing import measure, naive, race

# ── events of a device, through a stand-in that notes what it is asked ──────────────────────────────────────────────


class Device:
    """An accelerator as torch tells of it: work is asked for at once and done when somebody waits."""

    def __init__(self) -> None:
        self.log: list[str] = []
        self.stream: list[Event] = []
        self.now_ms = 0.0

    def work(self) -> None:
        self.log.append("c")
        self.now_ms += 2.0

    def synchronize(self) -> None:
        self.log.append("w")
        self.stream.clear()


class Event:
    device: Device

    def __init__(self, enable_timing: bool = False) -> None:
        assert enable_timing, "events take no times unless asked to"
        self.at: float | None = None

    def record(self) -> None:
        self.device.log.append("r")
        self.device.stream.append(self)
        self.at = self.device.now_ms

    def elapsed_time(self, end: Event) -> float:
        assert not self.device.stream, "torch raises where the events have not been waited for"
        assert self.at is not None
        assert end.at is not None
        return end.at - self.at


@pytest.fixture
def device(monkeypatch: pytest.MonkeyPatch) -> Device:
    made = Device()
    monkeypatch.setattr(Event, "device", made, raising=False)
    monkeypatch.setattr(torch.accelerator, "is_available", lambda: True)
    monkeypatch.setattr(torch.accelerator, "current_accelerator", lambda: torch.device("cuda"))
    monkeypatch.setattr(torch.accelerator, "synchronize", made.synchronize)
    monkeypatch.setattr(torch.cuda, "Event", Event)
    return made


def test_events_time_the_same_blocks_as_the_host(device: Device) -> None:
    found = measure(device.work, budget=0.05)
    assert len(found.device_times) == found.n
    assert found.device_median == pytest.approx(2e-3)
    assert found.device == "cpu, waiting for cuda"
    assert "Between two events on the device: 2.00 ms a call (median)." in repr(found)
    assert "Between two events on the device" in found._repr_html_()
    blocks = "".join(device.log)
    assert re.fullmatch("(wrc+rw)+", blocks), "the device is idle before the first event, and waited for after the last"


def test_a_race_tells_what_the_device_said_of_each(device: Device) -> None:
    found = race(once=device.work, twice=lambda: (device.work(), device.work()), budget=0.05)
    assert found.on_device == "Between two events on the device: once 2.00 ms, twice 4.00 ms a call (median)."
    assert found.on_device in repr(found)
    assert found.on_device in found._repr_html_()


def test_a_block_that_raised_leaves_the_clocks_right(device: Device) -> None:
    def fails() -> None:
        raise KeyError("x")

    with pytest.raises(RuntimeError, match="fails raised KeyError"):
        measure(fails)
    assert measure(device.work, budget=0.02).device_median == pytest.approx(2e-3)


def test_where_events_take_no_times_the_host_does(device: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuses(**_: object) -> None:
        raise RuntimeError("Tried to instantiate dummy base class Event")

    monkeypatch.setattr(torch.cuda, "Event", refuses)
    found = measure(device.work, budget=0.02)
    assert (found.device_times, found.device_median, found.on_device) == ((), None, "")


@pytest.mark.usefixtures("device")
def test_events_are_found_where_each_backend_keeps_them(monkeypatch: pytest.MonkeyPatch) -> None:
    assert event_maker() is Event
    for module in (SimpleNamespace(Event=Event), SimpleNamespace(event=SimpleNamespace(Event=Event))):
        monkeypatch.setattr(torch, "get_device_module", lambda _, module=module: module)
        assert event_maker() is Event
    monkeypatch.setattr(torch, "get_device_module", lambda _: SimpleNamespace())
    assert event_maker() is None


# ── cold caches ─────────────────────────────────────────────────────────────────────────────────────────────────────


def test_what_was_pushed_out_of_the_cache_takes_longer_to_read() -> None:
    x = np.ones(2**17)  # 1 MiB, summed by one thread
    warm, cold = (measure(x.sum, budget=0.4, cache=cache) for cache in ("warm", "cold"))
    assert cold.quartiles[0] > 1.2 * warm.quartiles[0]
    assert (warm.cache, cold.calls) == ("warm", 1)
    assert re.search(r", caches cold: [\d.,]+ \w+ written before each call; stopped because", repr(cold))
    assert "caches" not in repr(warm)


def test_the_caches_are_emptied_before_each_block_and_outside_of_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    log: list[str] = []
    monkeypatch.setattr(caches.ColdCache, "__call__", lambda self: log.append("-"))

    def call(name: str) -> None:
        log.append(name)

    race(a=lambda: call("a"), b=lambda: call("b"), budget=0.01, cache="cold")
    assert re.fullmatch("aabb|abab(-a-b|-b-a)+", "".join(log))


def test_the_size_of_the_cache_is_what_the_system_says(tmp_path: Path) -> None:
    for i, size in enumerate(["32K", "1024K", "32768K"]):
        (tmp_path / f"index{i}").mkdir()
        (tmp_path / f"index{i}" / "size").write_text(f"{size}\n")
    assert caches._from_sysfs(tmp_path) == 32 * 2**20
    (tmp_path / "index2" / "size").write_text("unknown\n")
    assert caches._from_sysfs(tmp_path) == 0
    assert caches._from_sysfs(tmp_path / "nowhere") == 0
    assert caches.scratch_size(caches.last_level_cache()) >= 2 * caches.last_level_cache()


@pytest.mark.parametrize(
    ("cache", "error", "message"),
    [
        ("hot", ValueError, 'race: cache must be "warm" or "cold", got \'hot\''),
        (list, TypeError, 'race: cache is the switch between "warm" and "cold"; give this candidate another name'),
    ],
)
def test_the_switch_knows_two_words(cache: object, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match="^" + re.escape(message)):
        race(a=list, b=dict, cache=cache)  # type: ignore[arg-type]


# ── the usual way ───────────────────────────────────────────────────────────────────────────────────────────────────


def slow_at_first() -> Callable[[], None]:
    called = False

    def work() -> None:
        nonlocal called
        x = torch.ones(1 if called else 2**22)
        x.sum()
        called = True

    return work


def test_naive_counts_the_first_call_and_measure_does_not() -> None:
    assert naive(slow_at_first(), runs=3).mean > 3 * measure(slow_at_first(), budget=0.05).median


def test_naive_says_what_it_does_otherwise() -> None:
    found = naive(lambda: [0] * 1000, runs=4)
    assert len(found.times) == 4
    assert found.mean == pytest.approx(sum(found.times) / 4)
    told = {d.aspect: (d.naive, d.measure) for d in found.differences}
    assert told["clock"] == ("time.time, can be set back", "time.perf_counter, only goes forward")
    assert told["runs"][0] == "4 runs"
    assert "the mean of 4 runs, by `time.time`, no warm-up" in repr(found)


def test_naive_does_not_wait_for_the_device(device: Device) -> None:
    found = naive(device.work)
    assert device.log == ["c"]
    told = {d.aspect: (d.naive, d.measure) for d in found.differences}
    assert told["accelerator"] == (
        "cuda is not waited for: its work may be unfinished",
        "cuda is waited for at both ends",
    )


def test_both_stand_side_by_side() -> None:
    work = lambda: torch.ones(1000).sum()  # noqa: E731
    both = naive(work).beside(measure(work, budget=0.02))
    assert both.ratio == pytest.approx(both.naive.mean / both.measured.median)
    text, html = repr(both), both._repr_html_()
    for row in both.rows:
        assert row.aspect in text
        assert row.naive in text
        assert row.measure in html
    assert both.sentence in html
    with pytest.raises(TypeError, match=r"^beside: expected what measure\(fn\) gives, got int"):
        naive(work).beside(3)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: naive(3), TypeError, "naive: fn must be something to call without arguments, got int"),
        (lambda: naive(list, runs=0), ValueError, "naive: runs must be 1 or more, got 0"),
        (lambda: naive(list, runs=1.5), TypeError, "naive: runs must be an int, got float"),
        (lambda: naive(lambda: 1 / 0), RuntimeError, "fn raised ZeroDivisionError: division by zero"),
    ],
)
def test_bad_input_of_naive(call: Callable[[], object], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match="^" + re.escape(message)):
        call()
