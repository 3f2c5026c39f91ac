"""`%explain` after a cell that failed, in a real shell."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from tutor.errors import Explanation

FAILS = "import torch\nlayer = torch.nn.Linear(3, 2)\nx = torch.ones(4, 3, dtype=torch.float64)\nlayer(x)"


@pytest.fixture
def shell(tmp_path: Path) -> Iterator[InteractiveShell]:
    for name in ("last_exc", "last_value"):
        vars(sys).pop(name, None)
    config = Config()
    config.HistoryManager.enabled = False
    config.InteractiveShell.colors = "nocolor"
    InteractiveShell.clear_instance()
    made = InteractiveShell.instance(config=config, ipython_dir=str(tmp_path))
    made.run_line_magic("load_ext", "tutor")
    yield made
    InteractiveShell.clear_instance()


def explained(shell: InteractiveShell, cell: str = "%explain") -> Explanation:
    done = shell.run_cell(cell, store_history=True)
    assert done.success
    assert isinstance(done.result, Explanation)
    return done.result


def test_the_cell_that_failed_is_explained(shell: InteractiveShell) -> None:
    assert not shell.run_cell(FAILS, store_history=True).success
    told = explained(shell)
    assert (told.kind, told.line, told.expression) == ("dtypes differ in Linear", 4, "layer(x)")
    assert told.correction is not None
    assert told.correction.code == "layer(x.to(layer.weight.dtype))"
    assert explained(shell, "from tutor import explain\nexplain()") == told
    assert shell.run_cell(told.correction.code).success


def test_a_later_cell_that_works_changes_nothing(shell: InteractiveShell) -> None:
    shell.run_cell(FAILS, store_history=True)
    shell.run_cell("1 + 1", store_history=True)
    assert explained(shell).expression == "layer(x)"
    shell.run_cell("import torch\ntorch.ones(3)[5]", store_history=True)
    assert explained(shell).expression == "torch.ones(3)[5]"


def test_a_write_in_the_cell_is_found(shell: InteractiveShell) -> None:
    shell.run_cell(
        "import torch\nx = torch.ones(3, requires_grad=True)\ny = x.exp()\ny += 1\ny.sum().backward()",
        store_history=True,
    )
    told = explained(shell)
    assert told.correction is not None
    assert told.correction.code == "y = y + 1"


def test_under_xray_it_is_the_same(shell: InteractiveShell) -> None:
    shell.run_cell(f"%%xray\n{FAILS}", store_history=True)
    told = explained(shell)
    assert (told.kind, told.expression) == ("dtypes differ in Linear", "layer(x)")


def test_a_syntax_error_is_told_without_a_guess(shell: InteractiveShell) -> None:
    shell.run_cell("x = = 1", store_history=True)
    told = explained(shell)
    assert (told.error, told.kind) == ("SyntaxError", None)


def test_an_exception_with_a_name(shell: InteractiveShell) -> None:
    assert shell.run_cell(
        f"try:\n    {FAILS.replace(chr(10), chr(10) + '    ')}\nexcept RuntimeError as error:\n    kept = error",
        store_history=True,
    ).success
    assert explained(shell, "%explain kept").kind == "dtypes differ in Linear"


def test_there_may_be_nothing_to_explain(shell: InteractiveShell, capsys: pytest.CaptureFixture[str]) -> None:
    shell.run_cell("%explain")
    assert "found no error: nothing failed yet" in capsys.readouterr().err
    shell.run_cell("number = 3\n%explain number")
    assert "found no exception named `number`" in capsys.readouterr().err
