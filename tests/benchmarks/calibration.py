"""How often ``race`` is right: trials of two identical candidates, and of two of which one does 10 % more.

Run it as ``python tests/benchmarks/calibration.py``; it takes some minutes. It prints, for each size of work, how many
of the trials ended in "no difference" where there was none, and how many found the planted 10 %: first with the machine
as it is, then beside a child process that keeps one core busy.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from statistics import median
from time import perf_counter

import torch

from tutor.timing import race

Work = Callable[[], None]
NUMBERS = list(range(100))
ONES = torch.ones(8)


def repeated(unit: Callable[[], object], times: int) -> Work:
    """Work that is exactly proportional to `times`."""

    def work() -> None:
        for _ in range(times):
            unit()

    return work


# About how long -> one unit of the work, and how many units make that long.
SIZES: dict[str, tuple[Callable[[], object], int]] = {
    "2 µs": (lambda: abs(-1), 60),
    "100 µs": (lambda: ONES.add(1), 100),
    "5 ms": (lambda: torch.tensor(NUMBERS), 600),
}


@contextmanager
def busy_core(wanted: bool) -> Iterator[None]:
    """A child process that does nothing but spin, for as long as the block runs."""
    if not wanted:
        yield
        return
    spin = "import os\nparent = os.getppid()\nwhile os.getppid() == parent: pass"  # ends with its parent, come what may
    child = subprocess.Popen([sys.executable, "-c", spin])
    try:
        yield
    finally:
        child.kill()
        child.wait()


def trials(size: str, more: float, n: int, budget: float) -> tuple[dict[str, int], str]:
    """Count the verdicts of n races, each with candidates made afresh; and how the races went, in words."""
    unit, units = SIZES[size]
    counts = {"faster": 0, "slower": 0, "no difference": 0}
    widths, rounds = [], []
    began = perf_counter()
    for _ in range(n):
        result = race(base=repeated(unit, units), other=repeated(unit, round(units * more)), budget=budget)
        ratio = result.ratio("other", "base")
        counts[ratio.verdict] += 1
        widths.append(ratio.high / ratio.low - 1)
        rounds.append(ratio.rounds)
    each = (perf_counter() - began) / n
    return (
        counts,
        f"median of {median(rounds):.0f} rounds, interval {100 * median(widths):.1f} % wide, {each:.2f} s each",
    )


def main() -> None:
    """Print the counts."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--trials", type=int, default=100)
    parser.add_argument("--sizes", nargs="+", choices=list(SIZES), default=list(SIZES))
    parser.add_argument("--budget", type=float, default=1.0, help="seconds a race may take")
    options = parser.parse_args()
    n = options.trials
    for loaded in (False, True):
        print("beside a process that loads one core" if loaded else "with the machine as it is", flush=True)
        with busy_core(loaded):
            for size in options.sizes:
                same, how_same = trials(size, 1.0, n, options.budget)
                found, how_found = trials(size, 1.1, n, options.budget)
                print(f"  {size:>6}  identical: no difference in {same['no difference']:3} of {n} ({how_same})")
                print(f"          10 % more: slower in        {found['slower']:3} of {n} ({how_found})", flush=True)


if __name__ == "__main__":
    main()
