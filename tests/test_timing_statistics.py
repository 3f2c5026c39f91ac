"""A race on clocks whose truth is known: what its interval holds, what it finds, and when it stops."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from tutor._racing.interval import median_interval
from tutor._racing.loop import Contest, log_ratios
from tutor.timing import PLACEMENT, measure, result

Noise = Callable[[float], float]


class World:
    """A made-up machine: a clock that only its work moves on, and noise that depends on the time of day."""

    def __init__(self, noise: Noise = lambda now: 1.0) -> None:
        self.now = 0.0
        self.noise = noise

    def clock(self) -> float:
        return self.now

    def stopwatch(self, cost: float) -> Callable[[int], float]:
        """Work that costs so many seconds a call."""

        def run(number: int) -> float:
            took = number * cost * self.noise(self.now)
            self.now += took
            return took

        return run

    def contest(self, budget: float, seed: int = 0, **costs: float) -> Contest:
        stopwatches = {name: self.stopwatch(cost) for name, cost in costs.items()}
        return Contest(stopwatches, budget, now=self.clock, lots=random.Random(seed))


def finish(running: Contest) -> Contest:
    while running.stopped is None:
        running.step()
    return running


# ── the interval ────────────────────────────────────────────────────────────────────────────────────────────────────


def independent(lots: random.Random) -> Noise:
    return lambda now: math.exp(lots.gauss(0, 0.15))


def heavy_tailed(lots: random.Random) -> Noise:
    """Mostly quiet, sometimes many times slower."""
    return lambda now: 1 + 0.02 * lots.paretovariate(0.8)


def drifting(lots: random.Random) -> Noise:
    """Half as slow again after 50 ms, and some noise on top."""
    return lambda now: (1 + 10 * now) * math.exp(lots.gauss(0, 0.05))


def autocorrelated(lots: random.Random) -> Noise:
    """Each block is disturbed much as the one before it."""
    state = 0.0

    def noise(now: float) -> float:
        nonlocal state
        state = 0.97 * state + lots.gauss(0, 0.05)
        return math.exp(state)

    return noise


def bursts(lots: random.Random) -> Noise:
    """A neighbour that takes the core away for some milliseconds again and again."""
    edges = np.cumsum([lots.expovariate(1 / 0.003) for _ in range(2000)])

    def noise(now: float) -> float:
        busy = np.searchsorted(edges, now) % 2
        return (2.5 if busy else 1.0) * math.exp(lots.gauss(0, 0.02))

    return noise


def waves(lots: random.Random) -> Noise:
    """A clock speed that swings by a third, with a period of about two rounds."""
    phase = lots.random()
    return lambda now: 1 + 0.3 * math.sin(6.283 * (now / 0.0009 + phase)) + abs(lots.gauss(0, 0.02))


NOISES = [independent, heavy_tailed, drifting, autocorrelated, bursts, waves]


TRIALS = 300


@pytest.fixture(params=NOISES, ids=lambda noise: noise.__name__)
def contests(request: pytest.FixtureRequest) -> Callable[[float], Iterator[Contest]]:
    """Many finished races under one kind of noise, for a planted ratio b / a."""

    def finished(planted: float) -> Iterator[Contest]:
        for seed in range(TRIALS):
            world = World(request.param(random.Random(seed)))
            yield finish(world.contest(0.05, seed=seed + 1_000_000, a=10e-6, b=10e-6 * planted))

    return finished


@pytest.mark.parametrize("planted", [1.0, 1.1])
def test_the_interval_holds_the_truth_without_its_margin(
    contests: Callable[[float], Iterator[Contest]], planted: float
) -> None:
    missed = 0
    for running in contests(planted):
        values = log_ratios(tuple(running.lanes["b"].times), tuple(running.lanes["a"].times))
        low, high = median_interval(values, running.alpha)
        missed += not low <= math.log(planted) <= high
    # One in a hundred may miss; more than 9 of 300 would be an accident of one in a thousand.
    assert missed <= 9


def test_identical_candidates_do_not_differ(contests: Callable[[float], Iterator[Contest]]) -> None:
    verdicts = [result(running).verdict("b", "a") for running in contests(1.0)]
    assert verdicts.count("no difference") >= 0.95 * TRIALS


def test_half_as_much_again_is_found_whatever_the_noise(contests: Callable[[float], Iterator[Contest]]) -> None:
    verdicts = [result(running).verdict("b", "a") for running in contests(1.5)]
    assert verdicts.count("slower") >= 0.9 * TRIALS
    assert "faster" not in verdicts


def test_a_planted_tenth_is_found_on_a_usual_machine() -> None:
    for noise in (heavy_tailed, drifting, bursts):
        worlds = [(seed, World(noise(random.Random(seed)))) for seed in range(100)]
        ends = [finish(world.contest(0.1, seed=seed + 7, a=10e-6, b=11e-6)) for seed, world in worlds]
        assert [result(end).verdict("b", "a") for end in ends].count("slower") >= 90, noise.__name__


def test_five_rounds_of_a_slow_candidate_do_not_invent_a_difference() -> None:
    found = 0
    for seed in range(TRIALS):
        running = finish(World(independent(random.Random(seed))).contest(1.0, seed=seed, a=0.5, b=0.5))
        found += result(running).verdict("a", "b") != "no difference"
    assert found <= 0.05 * TRIALS


@pytest.mark.parametrize("n", [8, 9, 20, 101, 1000])
def test_the_ends_are_those_of_the_sign_test(n: int) -> None:
    low, high = median_interval(np.arange(1.0, n + 1), alpha=0.01)
    k = int(low)
    assert high == n + 1 - k

    def outside(k: int) -> float:
        return 2 * sum(math.comb(n, i) for i in range(k)) / 2**n

    assert outside(k) <= 0.01 < outside(k + 1)


def test_too_few_values_say_nothing() -> None:
    assert median_interval(np.zeros(4), alpha=0.01) == (-math.inf, math.inf)


def test_wild_rounds_do_not_move_the_interval() -> None:
    values = np.random.default_rng(0).normal(0, 0.01, 200)
    wild = values.copy()
    wild[np.argsort(values)[-40:]] = 1000.0
    assert median_interval(wild, 0.01) == median_interval(values, 0.01)


def test_every_interval_is_wider_than_what_placement_does() -> None:
    ratio = result(finish(World().contest(1.0, a=10e-6, b=10e-6))).ratio("a", "b")
    assert (ratio.low, ratio.value, ratio.high) == pytest.approx((1 / (1 + PLACEMENT), 1, 1 + PLACEMENT))


# ── when it stops ───────────────────────────────────────────────────────────────────────────────────────────────────


def test_on_a_quiet_machine_it_stops_early_and_pays_for_having_looked() -> None:
    world = World()
    running = finish(world.contest(1.0, a=10e-6, b=20e-6))
    assert running.stopped == "it was steady"
    assert world.now < 0.2
    assert running.alpha == pytest.approx(0.0025)


def test_on_a_noisy_machine_it_spends_its_budget_and_no_more() -> None:
    lots = random.Random(1)
    world = World(lambda now: lots.choice([1.0, 5.0]))
    running = finish(world.contest(0.5, a=1e-3, b=1e-3))
    assert running.stopped == "its budget of 500 ms was spent"
    assert 0.5 <= world.now < 0.52
    assert running.alpha == pytest.approx(0.005)  # it looked twice: the first time there were too few rounds


def test_a_slow_candidate_runs_five_rounds_past_its_budget() -> None:
    world = World()
    found = result(finish(world.contest(1.0, slow=0.5, quick=0.05)))
    assert found.rounds == 5
    assert found.stopped == "the least of 5 rounds was run, past its budget of 1.00 s"
    assert found.verdict("slow", "quick") == "slower"
    assert found.ratio("slow", "quick").value == pytest.approx(10)


def test_a_very_fast_candidate_is_timed_in_blocks() -> None:
    running = finish(World().contest(0.1, a=100e-9, b=5e-6))
    assert running.lanes["a"].calls >= 1000
    assert running.lanes["a"].calls * 100e-9 >= 200e-6
    assert running.lanes["a"].times[0] == pytest.approx(100e-9)


def test_candidates_of_about_the_same_speed_get_blocks_of_the_same_size() -> None:
    lanes = finish(World().contest(0.1, a=70e-6, b=77e-6, c=7e-3)).lanes
    assert lanes["a"].calls == lanes["b"].calls > lanes["c"].calls == 1


def test_a_first_call_that_takes_long_counts_for_nothing_but_itself() -> None:
    calls = 0

    def lazy() -> None:
        nonlocal calls
        calls += 1
        if calls == 1:
            time.sleep(0.05)

    found = measure(lazy, budget=0.1)
    assert found.first > 100 * found.median
    assert found.calls > 100


@pytest.mark.parametrize("slow_calls", [1, 2])
def test_blocks_are_not_sized_by_calls_that_were_slow_by_accident(slow_calls: int) -> None:
    world = World()
    blocks: list[int] = []

    def run(number: int) -> float:
        blocks.append(number)
        took = 0.01 if len(blocks) <= slow_calls else number * 2e-6
        world.now += took
        return took

    running = finish(Contest({"a": run, "b": world.stopwatch(2e-6)}, 1.0, now=world.clock))
    assert running.lanes["a"].calls == running.lanes["b"].calls >= 100
