"""One block of memory to allocate, write, delete and give back, a line of real code at a time."""

from __future__ import annotations

from collections.abc import Callable

import torch

from tutor._timing_lab.memory import free_bytes
from tutor._watching.reading import device_name, empty_cache
from tutor._words import bytes_text

LINES = ("allocate", "write", "delete", "empty_cache")
_ITEM = 4  # bytes of a float32


class Block:
    """The tensor ``x`` that the buttons of a monitor work on.

    Parameters
    ----------
    nbytes
        Its size in bytes.
    """

    def __init__(self, nbytes: int) -> None:
        self._n = nbytes // _ITEM
        self._nbytes = nbytes
        self._x: torch.Tensor | None = None
        self._written = False
        self._code_does: dict[str, tuple[str, Callable[[], object]]] = {
            "allocate": (f"x = torch.empty({self._n:_}{self._on})  # {bytes_text(nbytes)}", self._allocate),
            "write": ("x.fill_(1)", self._write),
            "delete": ("del x", self._delete),
            "empty_cache": (f"torch.{'mps' if self._device == 'mps' else 'cuda'}.empty_cache()", empty_cache),
        }

    @property
    def _device(self) -> str:
        return (device_name() or "cpu").partition(":")[0]

    @property
    def _on(self) -> str:
        return "" if self._device == "cpu" else f', device="{self._device}"'

    def code(self, line: str) -> str:
        """What one of `LINES` runs."""
        return self._code_does[line][0]

    def possible(self, line: str) -> bool:
        """Whether a line would find what it works on."""
        return line in ("allocate", "empty_cache") or self._x is not None

    def lacking(self, line: str) -> str:
        """Why a line is not run, in words that go on after "needs", or nothing.

        A system that has no page left for a write ends the process, and a learner would lose the kernel.
        """
        if line != "write" or self._device != "cpu" or self._written:
            return ""
        free = free_bytes("cpu")
        if free is None or self._nbytes < free:
            return ""
        return f"{bytes_text(self._nbytes)} of memory, and {bytes_text(free)} are free"

    def run(self, line: str) -> None:
        """Run one of `LINES`; what torch raises is raised."""
        self._code_does[line][1]()

    def _allocate(self) -> None:
        self._x = torch.empty(self._n, device=self._device)
        self._written = False

    def _write(self) -> None:
        if self._x is not None:
            self._x.fill_(1)
            self._written = True

    def _delete(self) -> None:
        self._x = None
        self._written = False
