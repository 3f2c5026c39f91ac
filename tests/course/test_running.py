"""A learner's code may do what it likes, and the course goes on."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator

import numpy as np
import pytest
import torch

from tutor.course.running import TimeLimit, captured, settings_restored


def forever() -> None:
    while True:
        pass


def forever_catching_all() -> None:
    while True:
        try:
            while True:
                pass
        except:  # noqa: E722
            pass


def forever_catching_twice() -> None:
    while True:
        try:
            try:
                while True:
                    sum(range(100))
            except:  # noqa: E722
                time.sleep(0.01)
            finally:
                len("finally")
        except BaseException:
            continue


def forever_suppressing() -> None:
    while True:
        with contextlib.suppress(BaseException):
            forever()


def forever_yielding() -> int:
    def numbers() -> Iterator[int]:
        while True:
            try:
                yield 1
            except BaseException:
                yield 2

    return sum(numbers())


def forever_sleeping() -> None:
    time.sleep(1000)


def deep_and_catching() -> None:
    try:
        deep_and_catching()
    except RecursionError:
        deep_and_catching()


LOOPS = [
    forever,
    forever_catching_all,
    forever_catching_twice,
    forever_suppressing,
    forever_yielding,
    deep_and_catching,
]
if hasattr(signal, "pthread_kill"):
    LOOPS.append(forever_sleeping)


@pytest.fixture
def no_room_for_callbacks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nobody hear of callbacks of the garbage collector (hypothesis has one) that a full stack left no room for."""
    monkeypatch.setattr(sys, "unraisablehook", id)


@pytest.mark.usefixtures("no_room_for_callbacks")
@pytest.mark.parametrize("loop", LOOPS, ids=lambda loop: loop.__name__)
def test_every_loop_is_stopped(loop: Callable[[], object]) -> None:
    before = sys.gettrace(), signal.getsignal(signal.SIGINT), sys.getrecursionlimit()
    with TimeLimit(0.2) as limit:
        run = limit.call(loop)
        after = limit.call(lambda: "not run")
    assert run.stopped
    assert run.error is None
    assert after.stopped
    assert (sys.gettrace(), signal.getsignal(signal.SIGINT), sys.getrecursionlimit()) == before


def test_what_comes_after_a_stopped_loop_runs_undisturbed() -> None:
    for _ in range(3):
        with TimeLimit(0.05) as limit:
            limit.call(forever_catching_all)
        with TimeLimit(30) as limit:
            assert limit.call(lambda: sum(i for i in range(10_000))).value == 49_995_000


def leave() -> None:
    sys.exit(3)


def recurse() -> None:
    recurse()


def interrupt_itself() -> None:
    raise KeyboardInterrupt


def group() -> None:
    raise BaseExceptionGroup("several", [SystemExit(), ValueError()])


@pytest.mark.parametrize(
    ("fn", "error"),
    [
        (leave, SystemExit),
        (recurse, RecursionError),
        (interrupt_itself, KeyboardInterrupt),
        (lambda: 1 // 0, ZeroDivisionError),
        (group, BaseExceptionGroup),
    ],
)
def test_what_is_raised_is_reported(fn: Callable[[], object], error: type[BaseException]) -> None:
    with TimeLimit(30) as limit:
        run = limit.call(fn)
    assert type(run.error) is error
    assert not run.stopped


def test_the_learners_own_interruption_interrupts() -> None:
    sender = threading.Timer(0.2, os.kill, [os.getpid(), signal.SIGINT])
    sender.start()
    runs = []

    def work() -> None:
        with TimeLimit(30) as limit:
            runs.append(limit.call(forever_catching_all))
            runs.append(limit.call(lambda: "not run"))

    with pytest.raises(KeyboardInterrupt):
        work()
    assert [run.stopped for run in runs] == [True, True]


def test_a_loop_outside_the_main_thread_is_stopped() -> None:
    runs = []

    def work() -> None:
        with TimeLimit(0.2) as limit:
            runs.append(limit.call(forever))

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    thread.join(30)
    assert [run.stopped for run in runs] == [True]


def test_printing_is_kept_up_to_a_point() -> None:
    with captured() as printed:
        for _ in range(10_000):
            print("hello")
        print("and this", file=sys.stderr)
    assert printed.getvalue().startswith("hello\nhello\n")
    assert len(printed.getvalue()) == 2000


def test_what_is_printed_cannot_be_closed() -> None:
    with captured() as printed:
        print("before")
        sys.stdout.close()
        sys.stderr.close()
        print("after")
    assert printed.getvalue() == "before\nafter\n"


READINGS: dict[str, Callable[[], object]] = {
    "device": torch.get_default_device,
    "dtype": torch.get_default_dtype,
    "threads": torch.get_num_threads,
    "gradients": torch.is_grad_enabled,
    "anomalies": torch.is_anomaly_enabled,
    "determinism": torch.get_deterministic_debug_mode,
    "warnings": torch.is_warn_always_enabled,
    "autocast": lambda: torch.is_autocast_enabled("cpu"),
    "autocast's dtype": lambda: torch.get_autocast_dtype("cpu"),
    "autocast's cache": torch.is_autocast_cache_enabled,
    "float errors": np.geterr,
    "printing": np.get_printoptions,
    "torch's seed": torch.initial_seed,
    "torch's state": lambda: torch.get_rng_state().tolist(),
    "NumPy's state": lambda: [np.random.get_state()[1].tolist(), *np.random.get_state()[2:]],
    "Python's state": random.getstate,
}


def turn_everything_over() -> None:
    torch.set_default_device("meta")
    torch.set_default_dtype(torch.float64)
    torch.set_num_threads(torch.get_num_threads() + 1)
    torch.set_grad_enabled(False)
    torch.autograd.set_detect_anomaly(True)
    torch.use_deterministic_algorithms(True, warn_only=True)
    torch.set_warn_always(True)
    torch.autocast("cpu", torch.float16, cache_enabled=False).__enter__()
    np.seterr(all="raise")
    np.set_printoptions(precision=2)
    torch.manual_seed(torch.initial_seed() + 1)
    np.random.seed(3)
    random.seed(3)


def test_settings_are_put_back() -> None:
    before = {name: read() for name, read in READINGS.items()}
    with contextlib.suppress(ZeroDivisionError), settings_restored():
        turn_everything_over()
        changed = {name for name, read in READINGS.items() if read() != before[name]}
        raise ZeroDivisionError
    assert changed == set(READINGS)
    assert {name: read() for name, read in READINGS.items()} == before


@pytest.mark.parametrize("opened", [1, 3])
def test_after_a_region_that_was_never_left_weights_are_cast_anew(opened: int) -> None:
    with settings_restored():
        for _ in range(opened):
            torch.autocast("cpu", torch.bfloat16).__enter__()
    layer, one = torch.nn.Linear(1, 1, bias=False), torch.ones(1, 1)
    for weight in (2.0, 1.0):
        torch.nn.init.constant_(layer.weight, weight)
        with torch.autocast("cpu", torch.bfloat16):
            assert layer(one).item() == weight


def test_an_open_region_of_the_learners_own_stays_open() -> None:
    with torch.autocast("cpu", torch.bfloat16):
        with settings_restored():
            torch.autocast("cpu", enabled=False).__enter__()
        assert (torch.ones(1, 1) @ torch.ones(1, 1)).dtype == torch.bfloat16
    assert not torch.is_autocast_enabled("cpu")
    assert torch.autocast_increment_nesting() == 1
    torch.autocast_decrement_nesting()


def test_a_default_device_of_the_learners_own_is_put_back() -> None:
    torch.set_default_device("meta")
    try:
        with settings_restored():
            torch.set_default_device("cpu")
        assert torch.empty(1).device.type == "meta"
    finally:
        torch.set_default_device(None)


def test_an_interruption_that_lands_in_a_finalizer_is_not_reported(capsys: pytest.CaptureFixture[str]) -> None:
    class Slow:
        def __del__(self) -> None:
            forever()

    def make() -> None:
        while True:
            Slow()

    before = sys.unraisablehook
    with TimeLimit(0.1) as limit:
        assert limit.call(make).stopped
    assert sys.unraisablehook is before
    assert "ignored" not in capsys.readouterr().err
