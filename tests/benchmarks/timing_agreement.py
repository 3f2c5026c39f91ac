"""``measure`` against ``torch.utils.benchmark.Timer(...).adaptive_autorange()`` on ten workloads, 1 µs to 100 ms.

Run as ``python tests/benchmarks/timing_agreement.py``; it takes a minute or two. Prints; asserts nothing. Both have the
same number of threads. They agree if their medians differ by no more than the larger of 5 % and the two IQRs. Timer is
set against itself in the same way, since on a machine whose speed drifts two equal instruments disagree too.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from typing import Protocol

import numpy as np
import torch
from torch.utils.benchmark import Timer

from tutor import measure
from tutor._words import seconds_text

NUMBERS = list(range(10_000))
MANY = NUMBERS * 1_000
ONES = {n: torch.ones(n) for n in (8, 1_000, 10**6, 4 * 10**6)}
SIDES = {n: torch.ones(n, n) for n in (64, 256, 1_024)}
ARRAY = np.ones(10**6)

WORKLOADS: dict[str, Callable[[], object]] = {
    "x.add(1), 8 elements": lambda: ONES[8].add(1),
    "x.exp(), 1,000 elements": ONES[1_000].exp,
    "a @ b, side 64": lambda: SIDES[64] @ SIDES[64],
    "sum(range(1,000))": lambda: sum(range(1_000)),
    "tensor(list), 1,000": lambda: torch.tensor(NUMBERS[:1_000]),
    "a @ b, side 256": lambda: SIDES[256] @ SIDES[256],
    "tensor(list), 10,000": lambda: torch.tensor(NUMBERS),
    "np.sort, 1,000,000": lambda: np.sort(ARRAY),
    "a @ b, side 1,024": lambda: SIDES[1_024] @ SIDES[1_024],
    "sum of a list, 10,000,000": lambda: sum(MANY),
}


class Said(Protocol):
    """What both instruments say."""

    median: float
    iqr: float


def apart_and_allowed(one: Said, other: Said) -> tuple[float, float]:
    """How far the medians are apart, and how far they may be."""
    return abs(one.median - other.median), max(0.05 * other.median, one.iqr, other.iqr)


def agree(fn: Callable[[], object]) -> tuple[bool, bool, str]:
    """Whether the two agree on a workload, whether Timer agrees with itself, and what each said."""
    timer = Timer("fn()", globals={"fn": fn}, num_threads=torch.get_num_threads())
    ours, theirs, again = measure(fn), timer.adaptive_autorange(), timer.adaptive_autorange()
    apart, allowed = apart_and_allowed(ours, theirs)
    with_itself, allowed_itself = apart_and_allowed(again, theirs)
    words = (
        f"measure {seconds_text(ours.median):>8} (IQR {seconds_text(ours.iqr):>8})   "
        f"Timer {seconds_text(theirs.median):>8} (IQR {seconds_text(theirs.iqr):>8})   "
        f"apart {100 * apart / theirs.median:.1f} %, allowed {100 * allowed / theirs.median:.1f} %"
    )
    return apart <= allowed, with_itself <= allowed_itself, words


def main() -> None:
    """Print how the two stand to each other."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=torch.get_num_threads(), help="of torch, for both")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    if hasattr(os, "getloadavg"):
        print(f"load {os.getloadavg()[0]:.1f}, {torch.get_num_threads()} threads")
    right = itself = 0
    for _ in range(options.rounds):
        for name, fn in WORKLOADS.items():
            good, control, words = agree(fn)
            right, itself = right + good, itself + control
            print(f"{'  ' if good else 'x '}{name:<28} {words}", flush=True)
    of = options.rounds * len(WORKLOADS)
    print(f"{right} of {of} agree; Timer agrees with itself in {itself} of {of}")


if __name__ == "__main__":
    main()
