"""Timing: what a learner may rely on, and that the interval holds whatever the noise does."""

from __future__ import annotations

import gc
import math
import random
import re
import time
from collections.abc import Callable, Iterator

import numpy as np
import pytest
import torch

import tutor
from tutor._racing.interval import median_interval
from tutor._racing.loop import Contest, log_ratios
from tutor.timing import PLACEMENT, Measurement, Race, Ratio, contest, measure, race, result

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
    running = contest(a=lambda: log.append("call"), b=list, budget=0.5)
    running.step()
    log.clear()
    running.step()
    blocks = "".join(word[0] for word in log)
    assert re.fullmatch("(wwwc+w|wc+www)", blocks)
    assert result(running).device == "cpu, waiting for cuda"


def test_the_rounds_are_in_random_order() -> None:
    order: list[str] = []
    running = contest(a=lambda: order.append("a"), b=lambda: order.append("b"), budget=0.05)
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


# ── how it reads ────────────────────────────────────────────────────────────────────────────────────────────────────


def lane(name: str, seconds: float, n: int = 100) -> Measurement:
    times = tuple(seconds * (1 + 0.1 * (i / (n - 1) - 0.5)) for i in range(n))
    return Measurement(name, times, 1, seconds * 3, 2, "cpu", "it was steady")


def example(*lanes: Measurement) -> Race:
    return Race(lanes, 2, "cpu", "it was steady", 0.0025)


def test_a_race_reads_as_a_table() -> None:
    text = repr(example(lane("by_array", 4e-3), lane("as_tensor", 4e-3), lane("by_list", 40e-3), lane("view", 1e-6)))
    assert text.splitlines() == [
        "            median  middle half         against by_array",
        "by_array   4.00 ms  3.90 ms to 4.10 ms  1",
        "as_tensor  4.00 ms  3.90 ms to 4.10 ms  no difference, 0.98 to 1.02",
        "by_list    40.0 ms  39.0 ms to 41.0 ms  slower, 10.0 times, 9.80 to 10.2",
        "view       1.00 µs  975 ns to 1.02 µs   faster, 4,000 times, 3,922 to 4,080",
        "Ratios with their 99 % interval. 100 rounds, interleaved in random order, 2 threads, cpu; "
        "stopped because it was steady.",
    ]


def test_a_measurement_reads_as_three_lines() -> None:
    assert repr(lane("make", 4e-3)).splitlines() == [
        "make: 4.00 ms a call (median)",
        "middle half 3.90 ms to 4.10 ms (IQR 200 µs), first call 12.0 ms",
        "100 runs, 2 threads, cpu; stopped because it was steady.",
    ]


def test_a_ratio_reads_as_a_sentence() -> None:
    ratio = example(lane("by_list", 40e-3), lane("by_array", 4e-3)).ratio("by_list", "by_array")
    assert isinstance(ratio, Ratio)
    assert repr(ratio) == (
        "by_list / by_array = 10.0, 99 % interval 9.80 to 10.2 (100 rounds): by_list against by_array: slower"
    )


def test_an_interval_too_wide_to_tell_says_what_to_do() -> None:
    ups_and_downs = Measurement("b", (1e-3, 2e-3) * 10, 1, 1e-3, 2, "cpu", "it was steady")
    found = example(lane("a", 1.5e-3, n=20), ups_and_downs)
    assert found.remark == "The interval of b is wide. A larger budget would narrow it: `race(…, budget=10)`."
    assert repr(found).endswith(found.remark)
    assert example(lane("a", 1e-3), lane("b", 1e-3)).remark == ""


def test_an_unknown_name_is_answered_with_the_known_ones() -> None:
    found = example(lane("a", 1e-3), lane("b", 1e-3))
    with pytest.raises(ValueError, match=r"^no candidate of this race is named 'c'; there are 'a', 'b'$"):
        found.ratio("a", "c")
    assert found["a"].name == "a"
    assert found.ratio("a", "a").verdict == "no difference"


def test_the_ratio_turned_round_is_the_inverse() -> None:
    found = example(lane("a", 1e-3), lane("b", 3e-3))
    there, back = found.ratio("b", "a"), found.ratio("a", "b")
    assert (back.low, back.value, back.high) == pytest.approx((1 / there.high, 1 / there.value, 1 / there.low))
    assert (there.verdict, back.verdict) == ("slower", "faster")


def test_the_picture_says_no_difference_in_plain_weight_and_escapes_names() -> None:
    html = example(lane("a<b>", 1e-3), lane("same", 1e-3), lane("slow", 3e-3))._repr_html_()
    assert "a&lt;b&gt;" in html
    assert "<b>no difference" not in html
    assert "<b>slower, 3.00 times</b>" in html
    assert html == example(lane("a<b>", 1e-3), lane("same", 1e-3), lane("slow", 3e-3))._repr_html_()
    assert "first call, not counted" in lane("x", 1.0)._repr_html_()


@pytest.mark.parametrize(
    ("seconds", "ends"), [(4e-3, ("2 ms", "5 ms")), (1e-3, ("500 µs", "2 ms")), (950.0, ("500 s", "1,000 s"))]
)
def test_the_scale_ends_in_round_numbers_beyond_the_bars(seconds: float, ends: tuple[str, str]) -> None:
    html = lane("x", seconds)._repr_html_()
    assert tuple(re.findall("<i>(.*?)</i>", html)) == ends
    places = [float(p) for p in re.findall(r"--(?:lo|mid|hi):([-\d.]+)%", html)]
    assert 0 <= places[0] < places[1] < places[2] <= 100


def test_the_public_names_are_those_of_this_module() -> None:
    assert tutor.race is race
    assert tutor.measure is measure
