"""What ``xray`` costs: microseconds for each operator, beside the bare run. Prints, asserts nothing."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

import torch

from tutor import xray

REPEATS = 400
ROUNDS = 25

X = torch.arange(12.0).reshape(3, 4)
Y = torch.ones(3, 4)
OUT = torch.empty(3, 4)
INDEX = torch.tensor([0, 2])
WEIGHT = torch.ones(3, 4, requires_grad=True)
# Each runs one operator, unless the name says more.
OPERATORS: dict[str, Callable[[], object]] = {
    "x.view(12)": lambda: X.view(12),
    "x.T": lambda: X.T,
    "x[0]": lambda: X[0],
    "x + y": lambda: X + Y,
    "x.add_(0)": lambda: X.add_(0),
    "add(x, y, out=out)": lambda: torch.add(X, Y, out=OUT),
    "x.clone()": X.clone,
    "x.double()": X.double,
    "x.contiguous()": X.contiguous,
    "x.sum()": X.sum,
    "x @ y.T, 2 operators": lambda: X @ Y.T,
    "x.unbind()": X.unbind,
    "cat([x, y])": lambda: torch.cat([X, Y]),
    "x[index]": lambda: X[INDEX],
    "zeros(3)": lambda: torch.zeros(3),
    "tensor([1, 2])": lambda: torch.tensor([1, 2]),
    "x.sum().item(), 2 operators": lambda: X.sum().item(),
    "w * 2, with autograd": lambda: WEIGHT * 2,
    "x.shape": lambda: X.shape,
}


def seconds(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    for _ in range(REPEATS):
        call()
    return (time.perf_counter() - start) / REPEATS


def watched_seconds(call: Callable[[], object]) -> float:
    with xray():
        return seconds(call)


def deep(call: Callable[[], object], depth: int) -> object:
    return call() if depth == 0 else deep(call, depth - 1)


def row(name: str, call: Callable[[], object]) -> float:
    """The median over rounds of what one operator costs more, in microseconds; bare and watched in turns."""
    operators = 2 if "2 operators" in name else 1
    seconds(call)
    watched_seconds(call)
    pairs = [(seconds(call), watched_seconds(call)) for _ in range(ROUNDS)]
    more = statistics.median((watched - bare) / operators * 1e6 for bare, watched in pairs)
    ratio = statistics.median(watched / bare for bare, watched in pairs)
    bare = statistics.median(bare for bare, _ in pairs) * 1e6
    print(f"{name:30} bare {bare:6.1f} µs   {more:6.1f} µs more for each operator   {ratio:5.1f} times in all")
    return more


def main() -> None:
    costs = [row(name, call) for name, call in OPERATORS.items()]
    print(f"median {statistics.median(costs):.1f} µs, at most {max(costs):.1f} µs more for each operator")
    row("x + y, 30 calls deep", lambda: deep(lambda: X + Y, 30))
    with xray() as seen:
        for _ in range(10_000):
            X + Y
    start = time.perf_counter()
    repr(seen)
    print(f"{'10,000 events as text':30} {(time.perf_counter() - start) * 1e3:.0f} ms")


if __name__ == "__main__":
    main()
