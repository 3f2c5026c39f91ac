"""How long the atlas takes: to return, to be complete, to be drawn. Prints, asserts nothing."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

from tutor import atlas
from tutor.constructors import Atlas
from tutor.drawing.atlas import draw

RUNS = 5


def seconds(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def row(name: str, call: Callable[[], object]) -> None:
    times = sorted(seconds(call) for _ in range(RUNS))
    print(f"{name:44} median {statistics.median(times):6.3f} s   of {times[0]:.3f} to {times[-1]:.3f} s   n {RUNS}")


def main() -> None:
    print(f"{'the first call returns':44} after  {seconds(atlas):6.3f} s")
    row("a call returns", atlas)
    row("as it is shown in a notebook (soon)", lambda: atlas().soon())
    row("complete (wait)", lambda: atlas().wait())
    whole: Atlas = atlas().wait()
    row("drawn", lambda: draw(whole))
    row("as text", lambda: repr(whole))
    row("a part of 6 x 6", lambda: atlas(whole.constructors[:6], whole.sources[8:14]).cells)
    print(f"{len(whole.cells)} cells, {len(draw(whole).encode()) / 1000:.0f} KB of HTML, {whole.counts}")


if __name__ == "__main__":
    main()
