"""Cold caches: memory larger than the last-level cache is written before each call, outside of the time."""

from __future__ import annotations

import subprocess
import sys
from functools import cache
from pathlib import Path

import torch

from tutor._racing.clock import accelerator
from tutor._words import bytes_text

_CACHES = Path("/sys/devices/system/cpu/cpu0/cache")
_UNITS = {"K": 2**10, "M": 2**20, "G": 2**30}
_IF_UNKNOWN = 64 * 2**20
_PLENTY = 256 * 2**20


class ColdCache:
    """Pushes everything else out of the caches when called.

    Every byte of a buffer is read and written. It is four times as large as the last-level cache: with twice its size,
    data of 256 KB was seen to be still half as fast again to read as with four times. Where that would be more than
    256 MiB, it is twice the cache. Instructions leave the caches as well.
    """

    def __init__(self) -> None:
        size = scratch_size(last_level_cache())
        self._scratch = [torch.zeros(size // 4, dtype=torch.int32)]
        device = accelerator()
        on_device = device_cache(device) if device is not None else 0
        if on_device:
            self._scratch.append(torch.zeros(scratch_size(on_device) // 4, dtype=torch.int32, device=device))
        self.text = f"cold: {bytes_text(size)} written before each call"

    def __call__(self) -> None:
        """Write on all of it; work on a device is waited for by the clock that starts next."""
        for scratch in self._scratch:
            scratch.add_(1)


def scratch_size(cache_bytes: int) -> int:
    """How many bytes are written to empty a cache of that size.

    >>> scratch_size(2**25) // 2**20, scratch_size(2**28) // 2**20
    (128, 512)
    """
    return max(2 * cache_bytes, min(4 * cache_bytes, _PLENTY))


@cache
def last_level_cache() -> int:
    """The size of the CPU's largest cache, bytes; a guess of 64 MiB where the system does not say."""
    return _from_sysfs(_CACHES) or _from_sysctl() or _IF_UNKNOWN


def _from_sysfs(folder: Path) -> int:
    """What Linux says; 0 if nothing."""
    try:
        sizes = [path.read_text("ascii").strip() for path in folder.glob("index*/size")]
        return max((int(size[:-1]) * _UNITS[size[-1]] for size in sizes), default=0)
    except (OSError, ValueError, KeyError, IndexError):
        return 0


def _from_sysctl() -> int:
    """What macOS says; 0 elsewhere."""
    if sys.platform != "darwin":
        return 0
    names = ("hw.l3cachesize", "hw.perflevel0.l2cachesize", "hw.l2cachesize")
    done = subprocess.run(["sysctl", "-n", *names], capture_output=True, text=True, check=False)
    return max((int(word) for word in done.stdout.split() if word.isdigit()), default=0)


def device_cache(device: torch.device) -> int:
    """The size of an accelerator's last-level cache, bytes; 0 where torch does not say."""
    try:
        properties = torch.get_device_module(device).get_device_properties(device)
    except (AttributeError, RuntimeError, AssertionError):
        return 0
    return int(getattr(properties, "L2_cache_size", 0) or 0)
