"""Reads how much memory is held, and changes nothing by it."""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable

import torch

from tutor._watching.facts import Reading


def reader() -> Callable[[], Reading]:
    """Something that reads memory, and counts the seconds from now on.

    Raises
    ------
    ImportError
        If psutil is not installed.

    Notes
    -----
    The resident set is what https://psutil.readthedocs.io/en/latest/#psutil.Process.memory_info calls ``rss``. What a
    device's allocator holds is told by https://docs.pytorch.org/docs/stable/generated/torch.cuda.memory_allocated.html,
    https://docs.pytorch.org/docs/stable/generated/torch.cuda.memory_reserved.html and
    https://docs.pytorch.org/docs/stable/generated/torch.mps.driver_allocated_memory.html.
    """
    try:
        psutil = importlib.import_module("psutil")  # comes with a notebook's kernel, and nothing else needs it
    except ImportError:
        raise ImportError(
            "memory_monitor reads the process's memory with psutil, which is not installed; "
            "install it with: python -m pip install psutil"
        ) from None
    process = psutil.Process()
    began = time.monotonic()

    def read() -> Reading:
        held = process.memory_info().rss
        return Reading(time.monotonic() - began, held, **_device_bytes())

    return read


def device_name() -> str | None:
    """The device whose allocator is watched, or None."""
    if torch.cuda.is_available():
        return f"cuda:{torch.cuda.current_device()}" if _started() else "cuda:0"
    return "mps" if torch.backends.mps.is_available() else None


def empty_cache() -> None:
    """Let the device's allocator give back what no tensor occupies; without a device this does nothing."""
    if torch.backends.mps.is_available():
        torch.mps.empty_cache()
    else:
        torch.cuda.empty_cache()


def _device_bytes() -> dict[str, int]:
    """What the device holds; nothing before it was used, since asking would start it."""
    if _started():
        free, total = torch.cuda.mem_get_info()
        held = torch.cuda.memory_allocated(), torch.cuda.memory_reserved()
        return {"allocated": held[0], "reserved": held[1], "device": total - free}
    if torch.backends.mps.is_available():
        return {"allocated": torch.mps.current_allocated_memory(), "reserved": torch.mps.driver_allocated_memory()}
    return {}


def _started() -> bool:
    """Whether this process has used a CUDA device."""
    return bool(torch.cuda.is_initialized())  # type: ignore[no-untyped-call]
