"""A learner's code may do what it likes, and the course goes on."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator

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


def test_settings_are_put_back() -> None:
    state, dtype = torch.get_rng_state(), torch.get_default_dtype()
    with settings_restored():
        torch.set_default_dtype(torch.float64)
        torch.set_grad_enabled(False)
        torch.manual_seed(torch.initial_seed() + 1)
        torch.rand(3)
    assert torch.get_default_dtype() is dtype
    assert torch.is_grad_enabled()
    assert torch.equal(torch.get_rng_state(), state)
