"""The atlas leaves the learner's process as it was, and says the same in each."""

from __future__ import annotations

import os
import re
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest
import torch

from tests.atlas_help import outcomes, run_python
from tutor import atlas
from tutor._constructing.observe import observe

FRESH = """
import sys, warnings
import numpy as np
import torch
from tutor import atlas
whole = atlas().wait()
print(whole)
print({"pandas", "PIL", "ipywidgets"} & set(sys.modules))
def count(call):
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        call(), call()
    return len(heard)
a = np.ones(3)
a.flags.writeable = False
t = torch.ones(2, requires_grad=True)
print(count(lambda: torch.from_numpy(a)), count(lambda: torch.frombuffer(b"abcd", dtype=torch.float32)))
print(count(lambda: torch.asarray(t)) > 0, count(lambda: torch.tensor([a, a])) > 0)
print(whole._repr_html_())
"""


@pytest.fixture(scope="module")
def fresh() -> list[str]:
    """What two processes say that have done nothing else before."""
    return [run_python(FRESH, PYTHONHASHSEED=seed).stdout for seed in ("1", "2")]


def test_two_processes_say_and_draw_the_same(fresh: list[str]) -> None:
    first, second = fresh
    assert first == second
    assert "</form>" in first
    assert not re.search("0x[0-9a-f]{8}", first)


def test_it_loads_no_library_into_the_learners_process(fresh: list[str]) -> None:
    assert "\nset()\n" in fresh[0]


def test_no_warning_of_the_learners_is_used_up(fresh: list[str]) -> None:
    without = FRESH.replace("atlas().wait()", "atlas(['stack'], ['3'])")
    expected = "\n1 1\nTrue True\n"
    assert expected in run_python(without).stdout
    assert expected in fresh[0]


def test_nothing_of_the_learners_is_changed() -> None:
    def state() -> object:
        return (
            torch.is_warn_always_enabled(),
            list(warnings.filters),
            torch.get_default_dtype(),
            torch.get_default_device(),
            torch.is_grad_enabled(),
            torch.get_rng_state().tolist(),
            np.random.get_state()[1].tolist(),
            dict(os.environ),
            list(sys.path),
            Path.cwd(),
        )

    before = state()
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        atlas().wait()
    assert [str(warning.message) for warning in heard] == []
    assert state() == before


def test_the_flag_of_the_learner_stays_set_and_an_error_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    torch.set_warn_always(True)
    try:
        atlas(["tensor"], ["3"])
        assert torch.is_warn_always_enabled()
    finally:
        torch.set_warn_always(False)
    cells = observe([("tensor", "3"), ("tensor", "3.5")])
    next(cells)
    cells.close()  # type: ignore[attr-defined]
    assert not torch.is_warn_always_enabled()


def test_the_learners_default_dtype_holds_here_and_in_other_processes() -> None:
    torch.set_default_dtype(torch.float64)
    try:
        found = atlas(["Tensor", "FloatTensor"], ["[1, 2, 3]", "pandas Series"]).wait()
    finally:
        torch.set_default_dtype(torch.float32)
    assert [cell.dtype for cell in found.cells] == ["float64", "float32", "float64", "float32"]


def test_the_learners_default_device_holds() -> None:
    with torch.device("meta"):
        found = atlas(["tensor", "as_tensor"], ["[1, 2, 3]", "float32 array", "tensor"])
    assert {cell.device for cell in found.cells} == {"meta"}
    assert outcomes(found, "float32 array") == {"tensor": "move", "as_tensor": "move"}
    assert found["as_tensor", "tensor"].outcome == "share"
