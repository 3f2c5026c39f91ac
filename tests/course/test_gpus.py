"""What the course would run on a GPU is run here on the CPU, so that no name in it is misspelt.

What it shows here says nothing: only a GPU can show that.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import nbformat
import pytest
import torch

from tutor.course import evidence
from tutor.course.evidence import session
from tutor.course.model import Check
from tutor.course.shelf import chapter, chapter_names
from tutor.timing import race

GPUS = {"cuda", "cuda:1"}
NOTEBOOK = Path(__file__).resolve().parents[2] / "notebooks" / "06_devices.ipynb"
LARGE = re.compile(r"\b\d[\d_]{3,}\b")


def checks_of_gpus() -> Iterator[Check]:
    for claim in (claim for name in chapter_names() for claim in chapter(name).claims):
        for check in claim.checks:
            if GPUS & {*claim.needs, *check.needs}:
                yield check


def on_the_cpu(code: str) -> str:
    """The same source for the CPU, with small tensors, and a copy for each pinned one."""
    code = (
        re.sub(r"""(['"])cuda(:\d)?\1""", "'cpu'", code)
        .replace(".cuda()", ".to('cpu')")
        .replace(".pin_memory()", ".clone()")
    )
    code = re.sub(r"activities=\[.*?\]", "activities=[ProfilerActivity.CPU]", code)
    return LARGE.sub("16", code)


@pytest.fixture
def stand_ins(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is called of `torch.cuda`, doing nothing; short races; the profiler's log level as it was."""
    nothing: dict[str, Any] = {
        "synchronize": lambda: None,
        "empty_cache": lambda: None,
        "reset_peak_memory_stats": lambda: None,
        "memory_allocated": lambda: 0,
        "memory_reserved": lambda: 0,
        "max_memory_allocated": lambda: 0,
        "memory_stats": lambda: defaultdict(int),
        "mem_get_info": lambda: (0, 0),
        "get_sync_debug_mode": lambda: 0,
        "set_sync_debug_mode": lambda mode: None,
        "Event": lambda: SimpleNamespace(record=lambda: None, query=lambda: True),
        "Stream": object,
        "stream": nullcontext,
    }
    for name, value in nothing.items():
        assert hasattr(torch.cuda, name)
        monkeypatch.setattr(torch.cuda, name, value)
    monkeypatch.setattr(evidence, "race", lambda budget, **fns: race(budget=0.02, **fns))
    monkeypatch.setenv("KINETO_LOG_LEVEL", "99")


@pytest.mark.parametrize("check", [pytest.param(check, id=check.part) for check in checks_of_gpus()])
@pytest.mark.usefixtures("stand_ins")
def test_what_only_a_gpu_decides_runs_to_its_end(check: Check) -> None:
    found = session(on_the_cpu(check.code))
    assert found.failure is None, found.text
    assert found.timed or found.decided is not None


def test_most_claims_have_a_part_that_is_decided_without_a_gpu() -> None:
    claims = chapter("devices").claims
    here = [claim for claim in claims if any(not GPUS & {*claim.needs, *check.needs} for check in claim.checks)]
    assert len(here) > len(claims) / 2


@pytest.mark.usefixtures("stand_ins")
def test_what_the_notebook_runs_on_a_gpu_runs_to_its_end(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    cells = [cell.source for cell in notebook.cells if "if torch.cuda.is_available():" in cell.source]
    names = {"torch": torch}
    for source in cells:
        exec(on_the_cpu(source), names)
        said = capsys.readouterr().out
        assert said
        assert "Only a GPU" not in said
    assert len(cells) >= 3
