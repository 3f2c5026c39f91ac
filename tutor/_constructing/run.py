"""Cells that run in processes of their own: started, followed without a thread, ended and never left behind."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import weakref
from collections import deque
from collections.abc import Iterable
from pathlib import Path
from typing import IO, Any, cast

import torch

from tutor._constructing.cell import Cell, blank
from tutor._constructing.table import LIKELY_TO_END, SOURCES, Key

AT_ONCE = 2
START_S = 60.0  # for a process to begin: it loads torch
PATIENCE_S = 60.0  # for a cell to be answered: the first may load a large library
_LARGE = ("tensorflow", "jax")

_BOOT = (
    "import sys, json; request = json.loads(sys.stdin.readline()); sys.path[:] = request['path'];"
    "from tutor._constructing.child import main; main(request)"
)
# Libraries that talk much, or that take a whole GPU, are told not to.
_ENVIRONMENT = {
    "OMP_NUM_THREADS": "1",
    "TF_CPP_MIN_LOG_LEVEL": "3",
    "TF_FORCE_GPU_ALLOW_GROWTH": "true",
    "JAX_PLATFORMS": "cpu",
    "XLA_PYTHON_CLIENT_PREALLOCATE": "false",
    "PYTHONWARNINGS": "ignore",
}


class Run:
    """The cells of one atlas that run elsewhere.

    A process runs a list of cells. If it ends too soon, the cell it was at is run again at the head of a new process,
    and only one that ends a fresh process is said to do so: what an earlier cell broke is not held against it.

    Attributes
    ----------
    cells
        What is known so far.
    """

    def __init__(self, keys: Iterable[Key]) -> None:
        self.cells: dict[Key, Cell] = {}
        self.started = time.monotonic()
        self._waiting = deque(_jobs(keys))
        self._children: list[_Child] = []
        self._end = weakref.finalize(self, _end_all, self._children)
        self.step()

    @property
    def done(self) -> bool:
        """Whether nothing is left to run."""
        return not self._waiting and not self._children

    def step(self) -> None:
        """Take in what has come, and start what can be started. Returns at once."""
        for child in list(self._children):
            ended = child.ended()
            self.cells.update(child.answers())
            if ended or not child.left:
                self._children.remove(child)
                self._settle(child)
                child.close()
        while self._waiting and len(self._children) < AT_ONCE:
            self._start(self._waiting.popleft())

    def wait(self, until: float | None = None) -> None:
        """Wait for all cells, or until a moment of the monotonic clock. If interrupted, it ends the processes."""
        try:
            while not self.done and (until is None or time.monotonic() < until):
                self.step()
                time.sleep(0.01)
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        """End the processes. A later `wait` starts again with what is missing."""
        for child in self._children:
            child.kill()
            self.cells.update(child.answers())
            if child.left:
                self._waiting.append(child.left)
            child.close()
        self._children.clear()

    def _start(self, keys: list[Key]) -> None:
        try:
            self._children.append(_Child(keys))
        except OSError as error:
            self._give_up(keys, f"No process could be started for it: {error}.")

    def _settle(self, child: _Child) -> None:
        if not child.left:
            return
        if child.at is None:
            words = f": {child.last_words()}" if child.last_words() else ""
            self._give_up(child.left, f"The process for it {child.how_it_ended()} before it began{words}.")
        elif child.at != child.first:
            self._waiting.append(child.left)
        else:
            self.cells[child.at] = child.verdict()
            if child.left[1:]:
                self._waiting.append(child.left[1:])

    def _give_up(self, keys: Iterable[Key], reason: str) -> None:
        self.cells.update({key: blank(key, "pending", remark=reason) for key in keys})


def _jobs(keys: Iterable[Key]) -> list[list[Key]]:
    """One list of cells for each process: large libraries apart, and apart what is likely to end its process."""
    jobs: dict[object, list[Key]] = {}
    for key in keys:
        needs = SOURCES[key[1]].needs
        job = key if key in LIKELY_TO_END else needs if needs in _LARGE else ""
        jobs.setdefault(job, []).append(key)
    return list(jobs.values())


class _Child:
    """One process and what it has said. It writes to files, which are read without ever waiting."""

    def __init__(self, keys: list[Key]) -> None:
        self.left = list(keys)
        self.first = keys[0]
        self.at: Key | None = None
        self._stopped = False
        self._heard_at = time.monotonic()
        self._folder = tempfile.TemporaryDirectory(prefix="tutor-", ignore_cleanup_errors=True)
        try:
            self._process = self._launch(_request(keys, self._folder.name))
        except OSError:
            self._folder.cleanup()
            raise
        self._output = self._file("out").open(encoding="utf-8")
        self._rest = ""

    def _file(self, name: str) -> Path:
        return Path(self._folder.name, name)

    def _launch(self, request: str) -> subprocess.Popen[str]:
        if not sys.executable:
            raise OSError("Python does not know where it lies, sys.executable is empty")
        with self._file("out").open("wb") as out, self._file("err").open("wb") as err:
            process = subprocess.Popen(
                [sys.executable, "-P", "-c", _BOOT],
                stdin=subprocess.PIPE,
                stdout=out,
                stderr=err,
                text=True,
                encoding="utf-8",
                env=os.environ | _ENVIRONMENT,
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
        with contextlib.suppress(OSError):  # one that has ended already will be found so
            cast("IO[str]", process.stdin).write(request + "\n")
            cast("IO[str]", process.stdin).flush()
        return process

    def ended(self) -> bool:
        """Whether it is gone. One that has said nothing for too long is ended first."""
        patience = START_S if self.at is None else PATIENCE_S
        if self._process.poll() is None and time.monotonic() - self._heard_at > patience:
            self._stopped = True
            self.kill()
        return self._process.poll() is not None

    def answers(self) -> dict[Key, Cell]:
        """The cells it has answered since the last time."""
        *lines, self._rest = (self._rest + self._output.read()).split("\n")
        cells = {}
        for line in map(json.loads, lines):
            self._heard_at = time.monotonic()
            if "start" in line:
                self.at = (line["start"][0], line["start"][1])
            else:
                cell = _cell(line["cell"])
                self.left.remove((cell.constructor, cell.source))
                cells[cell.constructor, cell.source] = cell
        return cells

    def verdict(self) -> Cell:
        """What is to be said of the first cell, if the process ended over it."""
        assert self.at is not None
        if self._stopped:
            remark = f"It gave no answer within {PATIENCE_S:.0f} s and was stopped."
            return blank(self.at, "pending", remark=remark, alone=True)
        remark = f"No exception reaches Python. It ran in a process of its own, which {self.how_it_ended()}."
        return blank(self.at, "end", error=self.last_words(), remark=remark, alone=True)

    def how_it_ended(self) -> str:
        """The exit code or the signal, in words."""
        code = self._process.returncode
        try:
            return f"ended by signal {-code} ({signal.Signals(-code).name})"
        except ValueError:
            return f"ended with code {code & 0xFFFFFFFF:#x}" if code > 255 else f"ended with code {code}"

    def last_words(self) -> str | None:
        """The message it left on standard error: of a C++ error its text, else the last line."""
        text = self._file("err").read_text(encoding="utf-8", errors="replace")
        found = re.search(r"what\(\):\s*(.+)", text)
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        return found[1].strip() if found else (lines[-1] if lines else None)

    def kill(self) -> None:
        """End it, and wait until it is gone."""
        self._process.kill()
        self._process.wait()

    def close(self) -> None:
        """End it if it has not ended, and remove its files."""
        self.kill()
        self._output.close()
        with contextlib.suppress(OSError):
            cast("IO[str]", self._process.stdin).close()
        self._folder.cleanup()


def _request(keys: list[Key], folder: str) -> str:
    here = str(Path(__file__).resolve().parents[2])
    path = [entry for entry in sys.path if entry]
    return json.dumps(
        {
            "cells": keys,
            "folder": folder,
            "path": path if here in path else [*path, here],
            "limit": 2 * (START_S + PATIENCE_S),
            "dtype": str(torch.get_default_dtype()).removeprefix("torch."),
            "device": str(torch.empty(0).device),
        }
    )


def _cell(fields: dict[str, Any]) -> Cell:
    lists = {name: tuple(value) for name, value in fields.items() if isinstance(value, list)}
    return Cell(**(fields | lists))


def _end_all(children: list[_Child]) -> None:
    for child in children:
        child.close()
