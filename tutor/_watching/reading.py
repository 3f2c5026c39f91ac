"""Reads how much memory is held, and changes nothing by it."""

from __future__ import annotations

import importlib
import time

import torch

from tutor._watching.facts import Reading


class Reader:
    """Reads memory when it is called, and counts the seconds from now on.

    Raises
    ------
    ImportError
        If psutil is not installed.

    Notes
    -----
    Of several CUDA devices the first is read on which torch has reserved something, and it stays that one. The current
    device says nothing here: each thread has its own.

    The resident set is what https://psutil.readthedocs.io/en/latest/#psutil.Process.memory_info calls ``rss``. What a
    device's allocator holds is told by https://docs.pytorch.org/docs/stable/generated/torch.cuda.memory_allocated.html,
    https://docs.pytorch.org/docs/stable/generated/torch.cuda.memory_reserved.html and
    https://docs.pytorch.org/docs/stable/generated/torch.mps.driver_allocated_memory.html.
    """

    def __init__(self) -> None:
        try:
            psutil = importlib.import_module("psutil")  # comes with a notebook's kernel, and nothing else needs it
        except ImportError:
            raise ImportError(
                "memory_monitor reads the process's memory with psutil, which is not installed; "
                "install it with: python -m pip install psutil"
            ) from None
        self._process = psutil.Process()
        self._began = time.monotonic()
        self._cuda: int | None = None

    def __call__(self) -> Reading:
        """Read now."""
        held = self._process.memory_info().rss
        try:
            on_device = self._device_bytes()
        except RuntimeError:  # after a failed kernel every call to the device raises, and it is not for us to say so
            on_device = {}
        return Reading(time.monotonic() - self._began, held, **on_device)

    @property
    def device(self) -> str | None:
        """The device that is read, or None."""
        return device_name() if self._cuda is None else f"cuda:{self._cuda}"

    def _device_bytes(self) -> dict[str, int]:
        """What the device holds; nothing before it was used, since asking would start it."""
        if _started():
            if self._cuda is None:
                reserved = (i for i in range(torch.cuda.device_count()) if torch.cuda.memory_reserved(i))
                self._cuda = next(reserved, None)
            if self._cuda is None:
                return {}
            free, total = torch.cuda.mem_get_info(self._cuda)
            held = torch.cuda.memory_allocated(self._cuda), torch.cuda.memory_reserved(self._cuda)
            return {"allocated": held[0], "reserved": held[1], "device": total - free}
        if torch.backends.mps.is_available():
            return {"allocated": torch.mps.current_allocated_memory(), "reserved": torch.mps.driver_allocated_memory()}
        return {}


def device_name() -> str | None:
    """The device on which a new tensor of an accelerator lies, or None."""
    if torch.cuda.is_available():
        return f"cuda:{torch.cuda.current_device()}" if _started() else "cuda:0"
    return "mps" if torch.backends.mps.is_available() else None


def empty_cache() -> None:
    """Let the device's allocator give back what no tensor occupies; without a device this does nothing."""
    if torch.backends.mps.is_available():
        torch.mps.empty_cache()
    else:
        torch.cuda.empty_cache()


def _started() -> bool:
    """Whether this process has used a CUDA device."""
    return bool(torch.cuda.is_initialized())  # type: ignore[no-untyped-call]
