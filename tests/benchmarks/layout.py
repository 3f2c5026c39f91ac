"""What a layout costs, for a thousand elements and for four terabytes; and a map of memory beside it.

Run as ``python tests/benchmarks/layout.py``. Prints; asserts nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median

import torch

from tutor import layout_diagram, memory_map

ROUNDS = 200
SIDES = {1: (1000, 10**12), 2: (32, 10**6), 3: (10, 10**4), 4: (6, 10**3)}


def microseconds(*fns: Callable[[], object]) -> list[float]:
    """The medians over many calls, each in turn."""
    seen: list[list[float]] = [[] for _ in fns]
    for _ in range(ROUNDS):
        for i, fn in enumerate(fns):
            start = time.perf_counter()
            fn()
            seen[i].append(time.perf_counter() - start)
    return [1e6 * median(times) for times in seen]


def drawings(t: torch.Tensor) -> dict[str, Callable[[], object]]:
    """Both pictures as a notebook shows them, with their text."""
    return {
        "layout_diagram": lambda: (repr(fact := layout_diagram(t)), fact._repr_html_()),
        "memory_map": lambda: (repr(fact := memory_map(t=t)), fact._repr_html_()),
    }


def main() -> None:
    """Print one line for each picture and number of dimensions."""
    for dims, sides in SIDES.items():
        for how, view in (("in order", lambda t: t), ("turned", lambda t: t.movedim(0, -1))):
            small, large = (drawings(view(torch.empty((n,) * dims, device="meta"))) for n in sides)
            for name, draw in small.items():
                a, b = microseconds(draw, large[name])
                print(
                    f"{name}, {dims} dimensions, {how}: {a:,.0f} µs for {sides[0] ** dims:,} elements, "
                    f"{b:,.0f} µs for {sides[1] ** dims:,}: {b / a:.2f} times as much"
                )


if __name__ == "__main__":
    main()
