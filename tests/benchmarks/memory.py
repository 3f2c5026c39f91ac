"""What a map of memory costs, for a few elements and for a million million.

Run as ``python tests/benchmarks/memory.py``. Prints; asserts nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median

import torch

from tutor.memory import alias_groups, memory_map, shared_memory

ROUNDS = 50


def microseconds(fn: Callable[[], object]) -> float:
    """The median over many calls."""
    seen = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        fn()
        seen.append(time.perf_counter() - start)
    return 1e6 * median(seen)


def draw(t: torch.Tensor) -> str:
    """A map of a tensor and two views of it, as a notebook shows it."""
    return memory_map(t=t, skipping=t[:, ::2], turned=t.T)._repr_html_()


def main() -> None:
    """Print one line for each question."""
    small, large = (torch.empty(n, n, device="meta") for n in (32, 1_000_000))
    costs = [microseconds(lambda t=t: draw(t)) for t in (small, large)]  # type: ignore[misc]
    print(f"memory_map, drawn: {costs[0]:,.0f} µs for {small.numel():,} elements")
    print(
        f"memory_map, drawn: {costs[1]:,.0f} µs for {large.numel():,} elements, {costs[1] / costs[0]:.2f} times as much"
    )
    x = torch.arange(1000)
    print(f"shared_memory: {microseconds(lambda: shared_memory(x[::2], x[1::2])):,.0f} µs")
    rows = {f"row{i}": x[i : i + 2] for i in range(500)}
    print(f"alias_groups of {len(rows)} names: {microseconds(lambda: alias_groups(rows)) / 1000:,.1f} ms")


if __name__ == "__main__":
    main()
