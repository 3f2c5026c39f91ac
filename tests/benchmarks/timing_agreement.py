"""``measure`` against ``torch.utils.benchmark.Timer(...).adaptive_autorange()`` on ten workloads, 1 µs to 100 ms.

Run as ``python tests/benchmarks/timing_agreement.py``; it takes a minute or two. Prints; asserts nothing. Both have the
same number of threads. They agree if their medians differ by no more than the larger of 5 % and the two IQRs.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable

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


def agree(fn: Callable[[], object]) -> tuple[bool, str]:
    """Whether the two agree on a workload, and what each said."""
    ours = measure(fn)
    theirs = Timer("fn()", globals={"fn": fn}, num_threads=torch.get_num_threads()).adaptive_autorange()
    apart = abs(ours.median - theirs.median)
    allowed = max(0.05 * theirs.median, ours.iqr, theirs.iqr)
    words = (
        f"measure {seconds_text(ours.median):>8} (IQR {seconds_text(ours.iqr):>8})   "
        f"Timer {seconds_text(theirs.median):>8} (IQR {seconds_text(theirs.iqr):>8})   "
        f"apart {100 * apart / theirs.median:.1f} %, allowed {100 * allowed / theirs.median:.1f} %"
    )
    return apart <= allowed, words


def main() -> None:
    """Print how the two stand to each other."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=torch.get_num_threads(), help="of torch, for both")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    if hasattr(os, "getloadavg"):
        print(f"load {os.getloadavg()[0]:.1f}, {torch.get_num_threads()} threads")
    right = 0
    for _ in range(options.rounds):
        for name, fn in WORKLOADS.items():
            good, words = agree(fn)
            right += good
            print(f"{'  ' if good else 'x '}{name:<28} {words}", flush=True)
    print(f"{right} of {options.rounds * len(WORKLOADS)} agree")


if __name__ == "__main__":
    main()
