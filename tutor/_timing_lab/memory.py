"""How much memory a size will need, found by running the code at small sizes, and how much is free."""

from __future__ import annotations

import ctypes
import importlib
import os
import tracemalloc
from collections.abc import Callable, Generator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from math import log
from pathlib import Path
from time import perf_counter
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

SHARE = 1 / 3  # of what is free: the rest is for what the code needs and the small run did not show
_SMALL = 64
_ENOUGH = 2**20
_LONG_S = 0.05
_STEP = 4
_MARGIN = 1.25  # constructors that read a list show torch less than they allocate


@dataclass(frozen=True)
class Growth:
    """How the bytes that some code needs grow with its size.

    Attributes
    ----------
    n, size
        The largest size that was run, and the bytes it needed.
    power
        By which power of the size they grow.
    """

    n: int
    size: float
    power: float

    def at(self, n: int) -> float:
        """The bytes that a size will need."""
        return float(_MARGIN * self.size * (n / self.n) ** self.power)


def growth(run: Callable[[int], object], first: int, last: int) -> Generator[None, None, Growth | None]:
    """Run some code at small sizes and see how its memory grows, one size at a time.

    Parameters
    ----------
    run
        Runs the code at one size.
    first, last
        The smallest and the largest size that will be asked for. It begins at 64 or below, whatever they are.

    Returns
    -------
    Growth or None
        None if too few sizes were run for anything to be known of the growth.
    """
    seen: list[tuple[int, float]] = []
    n = min(first, _SMALL)
    while n <= last:
        started = perf_counter()
        size = _bytes_of(run, n)
        is_long = perf_counter() - started > _LONG_S
        if not is_long:  # once more: what another thread takes meanwhile is counted too
            size = min(size, _bytes_of(run, n))
        seen.append((n, size))
        yield
        if len(seen) > 2 and (size >= _ENOUGH or is_long):
            break
        n *= _STEP
    if len(seen) < 2:
        return None
    return Growth(*seen[-1], _power([size for _, size in seen]))


def _power(sizes: Sequence[float]) -> float:
    """By which power some bytes grow that were seen at sizes that grow by `_STEP`; what is always there cancels out."""
    steps = [max(0.0, after - before) for before, after in pairwise(sizes)]
    small, large = steps[-2:] if len(steps) > 1 and steps[-2] > 0 else sizes[-2:]
    return max(0.0, log(max(large, 1.0) / max(small, 1.0)) / log(_STEP))


def _bytes_of(run: Callable[[int], object], n: int) -> float:
    """The bytes that Python and NumPy had at most, and those of all tensors that came into being."""
    tracing = tracemalloc.is_tracing()
    if not tracing:
        tracemalloc.start()
    tracemalloc.reset_peak()
    before, _ = tracemalloc.get_traced_memory()
    try:
        with _Tally() as tally:
            run(n)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        if not tracing:
            tracemalloc.stop()
    return float(max(0, peak - before) + tally.bytes)


class _Tally(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """Adds up the bytes of the tensors that operators return on memory of their own."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.bytes = 0

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        """Nothing is compiled here; skipping would import torch's compiler, which takes seconds."""
        return False

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        given = {_place(x) for x in tree_leaves((args, kwargs)) if isinstance(x, torch.Tensor)}
        result = func(*args, **(kwargs or {}))
        for x in tree_leaves(result):
            if isinstance(x, torch.Tensor) and _place(x) not in given:
                self.bytes += x.numel() * x.element_size()
        return result


def _place(x: torch.Tensor) -> int:
    try:
        return x.untyped_storage().data_ptr()
    except (RuntimeError, NotImplementedError):  # sparse and the like
        return id(x)


def give_back() -> None:
    """Return to the system what has been freed; glibc keeps some 40 MiB of it after runs over long lists."""
    with suppress(AttributeError, OSError, TypeError):  # another C library, another system
        ctypes.CDLL(None).malloc_trim(0)


def free_bytes(device: str) -> int | None:
    """The bytes that are free on the machine, or on a device of it if that is less; None where nothing says so."""
    known = [_free_in_machine(), _free_in_group(), *([_free_on(device)] if device != "cpu" else [])]
    return min((free for free in known if free is not None), default=None)


def _free_on(device: str) -> int | None:
    try:
        free: int = torch.get_device_module(device).mem_get_info()[0]
    except (AttributeError, RuntimeError, AssertionError):
        return None
    return free


def _free_in_machine() -> int | None:
    try:
        return int(importlib.import_module("psutil").virtual_memory().available)
    except ImportError:
        pass
    try:
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return None


def _free_in_group(folder: Path = Path("/sys/fs/cgroup")) -> int | None:
    """What a container may still take, on Linux.

    What it holds includes files that were read, of which the kernel gives up what it calls inactive before it ends a
    process: https://docs.kernel.org/admin-guide/cgroup-v2.html#memory-interface-files.
    """
    for most, now, told, cached in (
        ("memory.max", "memory.current", "memory.stat", "inactive_file"),
        (
            "memory/memory.limit_in_bytes",
            "memory/memory.usage_in_bytes",
            "memory/memory.stat",
            "total_inactive_file",
        ),
    ):
        try:
            limit = int((folder / most).read_text("ascii"))
            held = int((folder / now).read_text("ascii"))
        except (OSError, ValueError):
            continue
        return max(0, limit - max(0, held - _stat(folder / told, cached)))
    return None


def _stat(path: Path, name: str) -> int:
    """A number of a file of names and numbers; 0 if it is not there."""
    try:
        rows = (row.split() for row in path.read_text("ascii").splitlines())
        return next((int(row[1]) for row in rows if row[:1] == [name]), 0)
    except (OSError, ValueError, IndexError):
        return 0
