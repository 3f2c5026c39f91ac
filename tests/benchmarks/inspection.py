"""How long `inspect_tensor` takes beside `aminmax` of as many elements, and how much memory it needs.

Run as ``python tests/benchmarks/inspection.py``. Prints; asserts nothing.
"""

from __future__ import annotations

import gc
import math
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import numpy as np
import torch

from tutor.inspection import compare, inspect_tensor

N = 100_000_000
ROUNDS = 5


def seconds(fn: Callable[[], object]) -> float:
    """Time one call."""
    start = time.perf_counter()
    fn()
    return time.perf_counter() - start


def resident_bytes() -> int:
    """Memory of this process that is held in RAM now, or 0 where /proc does not say."""
    statm = Path("/proc/self/statm")
    return int(statm.read_text().split()[1]) * 4096 if statm.exists() else 0


def peak_growth(fn: Callable[[], object]) -> int:
    """Bytes by which the process grew at most while ``fn`` ran, looked at every half millisecond."""
    gc.collect()
    before = peak = resident_bytes()
    done = threading.Event()

    def watch() -> None:
        nonlocal peak
        while not done.wait(0.0005):
            peak = max(peak, resident_bytes())

    watcher = threading.Thread(target=watch)
    watcher.start()
    fn()
    done.set()
    watcher.join()
    return peak - before


def cases() -> dict[str, Callable[[], torch.Tensor | np.ndarray]]:
    """What is looked at; each makes its own data, so that only one lies in memory at a time."""
    return {
        "float32": lambda: torch.randn(N),
        "float32, transposed 20000 x 5000": lambda: torch.randn(20_000, 5_000).T,
        "float32, zeros": lambda: torch.zeros(N),
        "float32, uniform": lambda: torch.rand(N),
        "float32, every element NaN": lambda: torch.full((N,), math.nan),
        "float32, one NaN in each thousand": lambda: torch.randn(N).index_fill_(0, torch.arange(0, N, 1000), math.nan),
        "float32, slice [:, ::2]": lambda: torch.randn(20_000, 10_000)[:, ::2],
        "float32, slice [::2]": lambda: torch.randn(40_000, 5_000)[::2],
        "bfloat16": lambda: torch.randn(N, dtype=torch.bfloat16),
        "float64": lambda: torch.randn(N, dtype=torch.float64),
        "int64": lambda: torch.randint(-100, 100, (N,)),
        "uint8": lambda: torch.randint(0, 256, (N,), dtype=torch.uint8),
        "NumPy float32": lambda: torch.randn(N).numpy(),
    }


def walk(name: str, make: Callable[[], torch.Tensor | np.ndarray]) -> None:
    """Time values=True beside aminmax of a contiguous float32 tensor of the same size, in turn."""
    x, reference = make(), torch.randn(N)
    reference.aminmax()
    grown = peak_growth(lambda: inspect_tensor(x, values=True))  # the first walk: later ones find memory to reuse
    theirs, ours = [], []
    for _ in range(ROUNDS):
        theirs.append(seconds(reference.aminmax))
        ours.append(seconds(lambda: inspect_tensor(x, values=True)))
    print(
        f"{name:36} {median(ours) * 1e3:8.1f} ms  aminmax {median(theirs) * 1e3:6.1f} ms"
        f"  ratio {median(ours) / median(theirs):5.2f} (best runs {min(ours) / min(theirs):5.2f})"
        f"  peak +{grown / 2**20:.1f} MiB"
    )


def without_values() -> None:
    """Time inspect_tensor without values, and compare."""
    for name, x in {
        "4 elements": torch.ones(4),
        "100 million": torch.empty(N),
        "10**12 expanded": torch.ones(1).expand(10**6, 10**6),
        "transposed": torch.ones(20_000, 50).T,
        "NumPy array": np.ones((3, 4)),
    }.items():
        runs = [seconds(lambda x=x: inspect_tensor(x)) for _ in range(2000)]
        print(f"inspect_tensor, {name:20} {median(runs) * 1e6:8.1f} µs")
    a, b = torch.ones(3, 4), torch.ones(4, 3)
    runs = [seconds(lambda: compare(a, b)) for _ in range(200)]
    print(f"compare                              {median(runs) * 1e6:8.1f} µs")


if __name__ == "__main__":
    print(f"torch {torch.__version__}, NumPy {np.__version__}, {torch.get_num_threads()} threads, {sys.platform}")
    without_values()
    for case, maker in cases().items():
        walk(case, maker)
