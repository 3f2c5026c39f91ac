"""Facts about time: ``measure`` one call, ``race`` several, and time one as people usually do: ``naive``.

How the interval of a ratio is made, and why
--------------------------------------------
A computer does not take the same time twice. Other programs take the core away, the clock speed drifts, caches are
warm or cold. This noise comes in waves: two runs next to each other are disturbed alike, and many runs are no
independent witnesses. An interval that pretends they are is too narrow, and finds differences that are not there.

So a race is built like a trial in medicine:

* **Rounds.** Each round times one short block of calls of every candidate, right after each other. Whatever is slow
  to change disturbs all of them alike and falls out of the ratio within the round.
* **Lots.** The order within each round is drawn by lot. If two candidates are the same, which of them looks slower in
  a round is then a fair toss, whatever the noise does: bursts, drift, waves. If one always takes r times as long, the
  same goes for what is left of each round's ratio after dividing by r.
* **Signs.** The interval of the ratio is read off these tosses. It is bounded by two of the rounds' ratios, put in
  order, such that the middle lies outside with a chance of at most 1 % (the sign test, turned around). Nothing is
  assumed of the shape of the noise, and a few wild rounds cannot move it. Only with five to seven rounds, all that a
  slow candidate may allow, Student's t takes its place, which takes the noise for bell-shaped.
* **Few looks.** A race that may stop at any moment will sooner or later stop at a moment of luck. This one asks at
  most three times whether it is steady (at 1/8, 1/4 and 1/2 of its budget), and each time uses up a quarter of the
  1 %, so that 99 % stays 99 %.
* **Placement.** Two copies of the same code do not run equally fast, even on the same data: where things lie in
  memory makes a small lasting difference that no number of rounds removes. Under 1 % was seen; every interval is
  widened by `PLACEMENT`, 2 %, so that it is not taken for a difference of the code. Two arrays of the same size are
  another matter: where each lies was seen to change the time of a copy by 8 %. Give all candidates the same data.

The verdict is "no difference" when the interval contains 1. That says that none was found at this budget, not that
none exists: look at how wide the interval is.

What is timed includes the call itself, a few tens of nanoseconds. Where there is an accelerator, the clock waits for
the current one at both ends of a block, as `torch.utils.benchmark.Timer` does
(https://docs.pytorch.org/docs/stable/benchmark_utils.html); work on a second one is not waited for. Where the
accelerator has events, a pair of them times the same blocks on the device's own clock.

What cannot be timed by calling it again
----------------------------------------
The first two calls are looked at. A result that only promises work (a generator, a coroutine, a range, a map, a future,
a function) is an error, and so is an iterator that is read to its end, or a container that changes its size with every
call. What a candidate writes in place is told in a sentence. Seen is what the candidate itself names, not what the
functions that it calls read.

Warm and cold caches
--------------------
Calls one after another find their data in the caches: ``cache="warm"``. With ``cache="cold"``, memory larger than the
last-level cache is written before each call, outside of its time. Every block is then a single call, and what it
finds cold includes its own instructions and those of Python.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from sys import float_info

from tutor._racing.cache import ColdCache
from tutor._racing.casual import Difference, Naive, SideBySide, casual_times, differences
from tutor._racing.facts import PLACEMENT, Measurement, Race, Ratio, Verdict
from tutor._racing.loop import Contest, device_text, stopwatch
from tutor._words import count_text

__all__ = [
    "PLACEMENT",
    "Contest",
    "Difference",
    "Measurement",
    "Naive",
    "Race",
    "Ratio",
    "SideBySide",
    "Verdict",
    "contest",
    "measure",
    "naive",
    "race",
    "result",
]

_CACHES = ("warm", "cold")


def measure(fn: Callable[[], object], *, budget: float = 1.0, cache: str = "warm") -> Measurement:
    """Time one call of `fn`.

    After warming up, `fn` is called in short blocks until the median is steady or the budget is spent.
    torch keeps the number of threads it has. See https://docs.pytorch.org/docs/stable/benchmark_utils.html.

    Parameters
    ----------
    fn
        Something that can be called without arguments. Its results are dropped.
    budget
        Seconds it may take. A slow `fn` is run at least seven times in all, however long that takes.
    cache
        ``"warm"``, or ``"cold"`` to empty the caches before each call.

    Returns
    -------
    Measurement
        With ``.median``, ``.iqr``, ``.n``, ``.first``, ``.threads``, ``.device``, ``.stopped`` and ``.note``; where the
        accelerator has events also ``.device_median``.

    Raises
    ------
    TypeError
        If `fn` cannot be called, or what it returns shows that its work is still to be done (a generator, a range).
    ValueError
        If `budget` is no positive number of seconds, `cache` is neither ``"warm"`` nor ``"cold"``, or `fn` uses up an
        iterator or changes the size of a container with every call.
    RuntimeError
        If `fn` raises; the error it raised is the cause.

    Examples
    --------
    >>> m = measure(lambda: sum(range(100)), budget=0.05)
    >>> 0 < m.quartiles[0] <= m.median <= m.quartiles[1]
    True
    """
    _require_callable("measure", "fn", fn)
    _require_budget("measure", budget)
    name = _name(fn)
    running = Contest({name: stopwatch(name, fn)}, budget, before=_before("measure", cache))
    while running.stopped is None:
        running.step()
    return _measurements(running)[0]


def naive(fn: Callable[[], object], *, runs: int = 1) -> Naive:
    """Time one call the way it is usually done, to see what is wrong with that.

    The clock is `time.time`, the first call counts, no accelerator is waited for, and the mean is told.

    Parameters
    ----------
    fn
        Something that can be called without arguments. Its results are dropped.
    runs
        How many calls to take the mean of.

    Returns
    -------
    Naive
        With ``.mean``, ``.times`` and ``.differences``; ``.beside(measure(fn))`` shows both side by side.

    Raises
    ------
    TypeError
        If `fn` cannot be called, or `runs` is no int.
    ValueError
        If `runs` is less than 1.
    RuntimeError
        If `fn` raises; the error it raised is the cause.

    Notes
    -----
    What the clocks promise: https://docs.python.org/3/library/time.html#time.perf_counter.

    Examples
    --------
    >>> both = naive(lambda: sum(range(100)), runs=3).beside(measure(lambda: sum(range(100)), budget=0.05))
    >>> len(both.naive.times), both.rows[0].aspect
    (3, 'a call takes')
    """
    _require_callable("naive", "fn", fn)
    if isinstance(runs, bool) or not isinstance(runs, int):
        raise TypeError(f"naive: runs must be an int, got {type(runs).__name__}")
    if runs < 1:
        raise ValueError(f"naive: runs must be 1 or more, got {runs}")
    name = _name(fn)
    try:
        times = casual_times(fn, runs)
    except Exception as error:
        raise RuntimeError(f"{name} raised {type(error).__name__}: {error}") from error
    return Naive(name, times, differences(runs))


def race(*unnamed: object, budget: float = 1.0, cache: str = "warm", **candidates: Callable[[], object]) -> Race:
    """Time several candidates against each other, and say who is faster.

    Every round times all of them in an order drawn by lot; ratios are taken within the rounds. How the interval comes
    about is told in the documentation of this module. torch keeps the number of threads it has.

    Parameters
    ----------
    **candidates
        At least two, each something that can be called without arguments, under the name it shall have.
    budget
        Seconds the race may take. Slow candidates run at least seven times each, however long that takes.
    cache
        ``"warm"``, or ``"cold"`` to empty the caches before each call of each candidate.

    Returns
    -------
    Race
        With ``.ratio("a", "b")``, ``.verdict("a", "b")``, ``.median`` and ``.iqr`` by name, and ``["a"]`` for all that
        was measured of one candidate.

    Raises
    ------
    TypeError
        If a candidate has no name, cannot be called, or returns what shows that its work is still to be done.
    ValueError
        If there are fewer than two candidates, `budget` is no positive number of seconds, `cache` is neither ``"warm"``
        nor ``"cold"``, or a candidate uses up an iterator or changes the size of a container with every call.
    RuntimeError
        If a candidate raises; the message says which, and the error it raised is the cause.

    Examples
    --------
    >>> result = race(short=lambda: sum(range(100)), long=lambda: sum(range(10_000)), budget=0.1)
    >>> result.verdict("long", "short")
    'slower'
    """
    running = contest(*unnamed, budget=budget, cache=cache, **candidates)
    while running.stopped is None:
        running.step()
    return result(running)


def contest(*unnamed: object, budget: float = 1.0, cache: str = "warm", **candidates: Callable[[], object]) -> Contest:
    """A race that its caller drives: ``step()`` runs one round, ``stopped`` says when to end, `result` what came out.

    ``pieces()`` runs a round in pieces of one block or so.

    Parameters and errors are those of `race`.

    Examples
    --------
    >>> running = contest(a=list, b=dict, budget=0.02)
    >>> while running.stopped is None:
    ...     running.step()
    >>> result(running).names
    ('a', 'b')
    """
    if unnamed:
        raise TypeError(
            f"race: every candidate needs a name, as in race(mine=fn, yours=other); "
            f"got {count_text(len(unnamed), 'candidate')} without one"
        )
    _require_budget("race", budget)
    before = _before("race", cache)
    for name, fn in candidates.items():
        _require_callable("race", name, fn)
    if len(candidates) < 2:
        got = next((f"only {name!r}" for name in candidates), "none")
        raise ValueError(f"race: expected at least two candidates, got {got}; measure(fn) times a single one")
    stopwatches = {name: stopwatch(f"candidate {name!r}", fn) for name, fn in candidates.items()}
    return Contest(stopwatches, budget, before=before)


def result(running: Contest) -> Race:
    """What a contest of at least one round has shown so far.

    Examples
    --------
    >>> running = contest(a=list, b=dict)
    >>> running.step()
    >>> result(running).rounds
    1
    """
    stopped = running.stopped or "it was asked to"
    return Race(_measurements(running), running.threads, device_text(), stopped, running.alpha)


def _measurements(running: Contest) -> tuple[Measurement, ...]:
    stopped, device = running.stopped or "it was asked to", device_text()
    cache = getattr(running.before, "text", "warm")
    rounds = running.rounds
    return tuple(
        Measurement(
            name=name,
            times=tuple(lane.times[:rounds]),
            calls=lane.calls,
            first=lane.first,
            threads=running.threads,
            device=device,
            stopped=stopped,
            cache=cache,
            device_times=tuple(lane.device_times[:rounds]),
            note=lane.note,
        )
        for name, lane in running.lanes.items()
    )


def _name(fn: object) -> str:
    return str(getattr(fn, "__name__", "fn")).replace("<lambda>", "fn")


def _before(who: str, cache: object) -> ColdCache | None:
    """What runs before each call."""
    if callable(cache):
        raise TypeError(f'{who}: cache is the switch between "warm" and "cold"; give this candidate another name')
    if cache not in _CACHES:
        raise ValueError(f'{who}: cache must be "warm" or "cold", got {cache!r}')
    return ColdCache() if cache == "cold" else None


def _require_callable(who: str, name: str, fn: object) -> None:
    if not callable(fn):
        raise TypeError(
            f"{who}: {name} must be something to call without arguments, got {type(fn).__name__}; "
            f"write lambda: … around the code to time"
        )
    if inspect.iscoroutinefunction(fn) or inspect.isgeneratorfunction(fn) or inspect.isasyncgenfunction(fn):
        raise TypeError(f"{who}: {name} is a generator or coroutine function; calling it would do none of its work")


def _require_budget(who: str, budget: object) -> None:
    if callable(budget):
        raise TypeError(f"{who}: budget is the number of seconds it may take; give this candidate another name")
    if isinstance(budget, bool) or not isinstance(budget, int | float):
        raise TypeError(f"{who}: budget must be a number of seconds, got {type(budget).__name__}")
    if not 0 < budget <= float_info.max:
        raise ValueError(f"{who}: budget must be a positive number of seconds, got {budget!r}")
