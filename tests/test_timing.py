"""Timing: what a learner may rely on, and that the interval holds whatever the noise does."""

from __future__ import annotations

import gc
import math
import random
import re
from collections.abc import Callable, Iterator

import numpy as np
import pytest
import torch

import tutor
from tutor.timing import contest, measure, race, result

# ── real races, as ratios ───────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("unit", [lambda: abs(-1), lambda: torch.zeros(8).add(1)], ids=["python", "torch"])
def test_three_times_the_work_is_slower(unit: Callable[[], object]) -> None:
    def work(times: int) -> Callable[[], None]:
        def run() -> None:
            for _ in range(times):
                unit()

        return run

    found = race(once=work(50), thrice=work(150), budget=2)
    assert found.verdict("thrice", "once") == "slower"
    assert found.verdict("once", "thrice") == "faster"
    assert 2 < found.ratio("thrice", "once").value < 4
    assert found.median["thrice"] > found.median["once"]


def test_measure_says_what_it_measured() -> None:
    found = measure(lambda: torch.zeros(8), budget=0.1)
    assert found.quartiles[0] <= found.median <= found.quartiles[1]
    assert found.iqr == pytest.approx(found.quartiles[1] - found.quartiles[0])
    assert found.n == len(found.times) >= 5
    assert found.threads == torch.get_num_threads()
    assert found.first > 0


def test_both_candidates_run_with_the_threads_torch_has() -> None:
    before = torch.get_num_threads()
    seen: dict[str, set[int]] = {"a": set(), "b": set()}
    try:
        torch.set_num_threads(1)
        found = race(
            a=lambda: seen["a"].add(torch.get_num_threads()),
            b=lambda: seen["b"].add(torch.get_num_threads()),
            budget=0.02,
        )
    finally:
        torch.set_num_threads(before)
    assert seen == {"a": {1}, "b": {1}}
    assert found.threads == 1


def test_the_clock_waits_for_the_accelerator(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without one at hand: what is asked of torch is noted, and answered as on a machine that has one."""
    log: list[str] = []
    monkeypatch.setattr(torch.accelerator, "is_available", lambda: True)
    monkeypatch.setattr(torch.accelerator, "current_accelerator", lambda: torch.device("cuda"))
    monkeypatch.setattr(torch.accelerator, "synchronize", lambda: log.append("wait"))
    monkeypatch.setattr(torch.cuda, "Event", None)

    def call() -> None:
        note("call")

    note = log.append
    running = contest(a=call, b=list, budget=0.5)
    running.step()
    log.clear()
    running.step()
    blocks = "".join(word[0] for word in log)
    assert re.fullmatch("(wwwc+w|wc+www)", blocks)
    assert result(running).device == "cpu, waiting for cuda"


def test_the_rounds_are_in_random_order() -> None:
    order: list[str] = []

    def note(name: str) -> None:
        order.append(name)

    running = contest(a=lambda: note("a"), b=lambda: note("b"), budget=0.05)
    running.step()
    starts = set()
    for _ in range(40):
        order.clear()
        running.step()
        starts.add(order[0])
    assert starts == {"a", "b"}


def test_no_garbage_is_collected_while_timing() -> None:
    seen = set()
    assert gc.isenabled()
    measure(lambda: seen.add(gc.isenabled()), budget=0.02)
    assert seen == {False}
    assert gc.isenabled()


def test_results_are_dropped_at_once() -> None:
    alive = most = 0

    class Result:
        def __init__(self) -> None:
            nonlocal alive, most
            alive += 1
            most = max(most, alive)

        def __del__(self) -> None:
            nonlocal alive
            alive -= 1

    race(a=Result, b=Result, budget=0.02)
    assert (alive, most) == (0, 1)


def test_the_learners_random_numbers_stay_as_they_were() -> None:
    before = random.getstate(), torch.get_rng_state().tolist(), np.random.get_state()[1].tolist()
    race(a=list, b=dict, budget=0.02)
    assert (random.getstate(), torch.get_rng_state().tolist(), np.random.get_state()[1].tolist()) == before


def test_a_contest_can_be_driven_and_looked_at_in_between() -> None:
    running = contest(a=list, b=dict, budget=5)
    for _ in range(3):
        running.step()
    so_far = result(running)
    assert so_far.rounds == 3
    assert (so_far.ratio("a", "b").low, so_far.ratio("a", "b").high) == (0, math.inf)
    assert so_far.verdict("a", "b") == "no difference"


# ── what goes wrong ─────────────────────────────────────────────────────────────────────────────────────────────────


def boom() -> None:
    raise KeyError("pixel")


def test_the_candidate_that_raised_is_named_and_its_error_is_the_cause() -> None:
    with pytest.raises(RuntimeError, match=r"^candidate 'bad' raised KeyError: 'pixel'$") as caught:
        race(good=list, bad=boom, budget=0.05)
    assert isinstance(caught.value.__cause__, KeyError)
    with pytest.raises(RuntimeError, match=r"^boom raised KeyError: 'pixel'$"):
        measure(boom)
    with pytest.raises(RuntimeError, match=r"candidate 'b' raised TypeError: .*missing 1 required positional argument"):
        race(a=list, b=lambda x: x)


def test_an_interrupt_is_no_error_of_the_candidate() -> None:
    def stop() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        measure(stop)


def test_a_candidate_may_not_change_the_threads() -> None:
    before = torch.get_num_threads()
    with pytest.raises(RuntimeError, match=r"^'a' changed the number of torch's threads; set it before timing"):
        race(a=lambda: torch.set_num_threads(before + 1), b=list)
    assert torch.get_num_threads() == before


def generator() -> Iterator[int]:
    yield 1


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (
            lambda: race(a=torch.zeros(2), b=list),
            TypeError,
            "race: a must be something to call without arguments, got Tensor; write lambda: … around the code to time",
        ),
        (lambda: measure(3), TypeError, "measure: fn must be something to call without arguments, got int"),
        (lambda: race(a=list), ValueError, "race: expected at least two candidates, got only 'a'; measure(fn) times"),
        (race, ValueError, "race: expected at least two candidates, got none"),
        (
            lambda: race(list, dict),
            TypeError,
            "race: every candidate needs a name, as in race(mine=fn, yours=other); got 2 candidates without one",
        ),
        (lambda: race(a=list, b=generator), TypeError, "race: b is a generator or coroutine function; calling it"),
        (lambda: measure(list, budget="1"), TypeError, "measure: budget must be a number of seconds, got str"),
        (lambda: measure(list, budget=0), ValueError, "measure: budget must be a positive number of seconds, got 0"),
        (lambda: measure(list, budget=10**400), ValueError, "measure: budget must be a positive number of seconds"),
        (
            lambda: race(mine=list, budget=dict),  # type: ignore[arg-type]
            TypeError,
            "race: budget is the number of seconds it may take; give this candidate another name",
        ),
        (
            lambda: race(mine=list, cache=dict),  # type: ignore[arg-type]
            TypeError,
            'race: cache is the switch between "warm" and "cold"; give this candidate another name',
        ),
        (
            lambda: race(a=list, b=dict, budget=math.inf),
            ValueError,
            "race: budget must be a positive number of seconds, got inf",
        ),
    ],
)
def test_bad_input_gets_one_clear_sentence(call: Callable[[], object], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match="^" + re.escape(message)):
        call()


def test_the_public_names_are_those_of_this_module() -> None:
    assert tutor.race is race
    assert tutor.measure is measure
