"""Facts about time: ``measure`` one call, ``race`` several.

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
(https://docs.pytorch.org/docs/stable/benchmark_utils.html); work on a second one is not waited for.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from math import isfinite

from tutor._racing.facts import PLACEMENT, Measurement, Race, Ratio, Verdict
from tutor._racing.loop import Contest, device_text, stopwatch
from tutor._words import count_text

__all__ = ["PLACEMENT", "Contest", "Measurement", "Race", "Ratio", "Verdict", "contest", "measure", "race", "result"]


def measure(fn: Callable[[], object], *, budget: float = 1.0) -> Measurement:
    """Time one call of `fn`.

    After warming up, `fn` is called in short blocks until the median is steady or the budget is spent.
    torch keeps the number of threads it has. See https://docs.pytorch.org/docs/stable/benchmark_utils.html.

    Parameters
    ----------
    fn
        Something that can be called without arguments. Its results are dropped.
    budget
        Seconds it may take. A slow `fn` is run at least seven times in all, however long that takes.

    Returns
    -------
    Measurement
        With ``.median``, ``.iqr``, ``.n``, ``.first``, ``.threads``, ``.device`` and ``.stopped``.

    Raises
    ------
    TypeError
        If `fn` cannot be called, or calling it would do no work (a generator or coroutine function).
    ValueError
        If `budget` is no positive number of seconds.
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
    name = getattr(fn, "__name__", "fn").replace("<lambda>", "fn")
    running = Contest({name: stopwatch(name, fn)}, budget)
    while running.stopped is None:
        running.step()
    return _measurements(running)[0]


def race(*unnamed: object, budget: float = 1.0, **candidates: Callable[[], object]) -> Race:
    """Time several candidates against each other, and say who is faster.

    Every round times all of them in an order drawn by lot; ratios are taken within the rounds. How the interval comes
    about is told in the documentation of this module. torch keeps the number of threads it has.

    Parameters
    ----------
    **candidates
        At least two, each something that can be called without arguments, under the name it shall have.
    budget
        Seconds the race may take. Slow candidates run at least seven times each, however long that takes.

    Returns
    -------
    Race
        With ``.ratio("a", "b")``, ``.verdict("a", "b")``, ``.median`` and ``.iqr`` by name, and ``["a"]`` for all that
        was measured of one candidate.

    Raises
    ------
    TypeError
        If a candidate has no name, cannot be called, or calling it would do no work.
    ValueError
        If there are fewer than two candidates, or `budget` is no positive number of seconds.
    RuntimeError
        If a candidate raises; the message says which, and the error it raised is the cause.

    Examples
    --------
    >>> result = race(short=lambda: sum(range(100)), long=lambda: sum(range(10_000)), budget=0.1)
    >>> result.verdict("long", "short")
    'slower'
    """
    running = contest(*unnamed, budget=budget, **candidates)
    while running.stopped is None:
        running.step()
    return result(running)


def contest(*unnamed: object, budget: float = 1.0, **candidates: Callable[[], object]) -> Contest:
    """A race that its caller drives: ``step()`` runs one round, ``stopped`` says when to end, `result` what came out.

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
    for name, fn in candidates.items():
        _require_callable("race", name, fn)
    _require_budget("race", budget)
    if len(candidates) < 2:
        got = next((f"only {name!r}" for name in candidates), "none")
        raise ValueError(f"race: expected at least two candidates, got {got}; measure(fn) times a single one")
    return Contest({name: stopwatch(f"candidate {name!r}", fn) for name, fn in candidates.items()}, budget)


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
    return tuple(
        Measurement(name, tuple(lane.times), lane.calls, lane.first, running.threads, device, stopped)
        for name, lane in running.lanes.items()
    )


def _require_callable(who: str, name: str, fn: object) -> None:
    if not callable(fn):
        raise TypeError(
            f"{who}: {name} must be something to call without arguments, got {type(fn).__name__}; "
            f"write lambda: … around the code to time"
        )
    if inspect.iscoroutinefunction(fn) or inspect.isgeneratorfunction(fn) or inspect.isasyncgenfunction(fn):
        raise TypeError(f"{who}: {name} is a generator or coroutine function; calling it would do none of its work")


def _require_budget(who: str, budget: object) -> None:
    if isinstance(budget, bool) or not isinstance(budget, int | float):
        raise TypeError(f"{who}: budget must be a number of seconds, got {type(budget).__name__}")
    if not (isfinite(budget) and budget > 0):
        raise ValueError(f"{who}: budget must be a positive number of seconds, got {budget!r}")
