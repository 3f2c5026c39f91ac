"""What ``import tutor`` costs beside the torch and NumPy that everyone imports anyway.

Run it as ``python tests/benchmarks/import_time.py``. Each round starts every program once, in random order.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
from statistics import median
from time import perf_counter

from tutor._words import seconds_text

PROGRAMS = {
    "import torch, numpy": "import torch, numpy",
    "import torch, numpy, tutor": "import torch, numpy, tutor",
    "import tutor": "import tutor",
    "nothing": "pass",
}


def run(source: str) -> float:
    """Seconds from the start of a fresh interpreter to its end."""
    begin = perf_counter()
    subprocess.run([sys.executable, "-c", source], check=True)
    return perf_counter() - begin


def main() -> None:
    """Print the medians, and the ratios to the first program within the rounds."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=10)
    rounds = parser.parse_args().rounds
    for source in PROGRAMS.values():
        run(source)  # the files are in the system's cache from here on
    times: dict[str, list[float]] = {name: [] for name in PROGRAMS}
    for _ in range(rounds):
        for name in random.sample(list(PROGRAMS), len(PROGRAMS)):
            times[name].append(run(PROGRAMS[name]))
    base = times["import torch, numpy"]
    print(f"medians of {rounds} interleaved runs")
    for name, seconds in times.items():
        ratio = median(s / b for s, b in zip(seconds, base, strict=True))
        print(f"  {name:<27} {seconds_text(median(seconds)):>8}   {ratio:.3f} times {next(iter(PROGRAMS))!r}")


if __name__ == "__main__":
    main()
