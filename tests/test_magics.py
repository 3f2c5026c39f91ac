"""The magics in a real shell: the cell runs as IPython runs it, and what it did to memory is shown with its lines."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
from IPython.core.displaypub import CapturingDisplayPublisher
from IPython.core.interactiveshell import ExecutionResult, InteractiveShell
from torch.utils._python_dispatch import _get_current_dispatch_mode_stack
from traitlets.config import Config


@pytest.fixture
def shell(tmp_path: Path) -> Iterator[InteractiveShell]:
    config = Config()
    config.HistoryManager.enabled = False
    config.InteractiveShell.colors = "nocolor"
    InteractiveShell.clear_instance()
    made = InteractiveShell.instance(config=config, ipython_dir=str(tmp_path))
    made.display_pub = CapturingDisplayPublisher()
    made.run_line_magic("load_ext", "tutor")
    made.run_cell("import torch", store_history=True)
    yield made
    InteractiveShell.clear_instance()


def run(shell: InteractiveShell, cell: str) -> ExecutionResult:
    return shell.run_cell(cell, store_history=True)


def shown(shell: InteractiveShell) -> list[str]:
    """What was displayed, as text."""
    return [output["data"]["text/plain"] for output in shell.display_pub.outputs]  # type: ignore[attr-defined]


def lines(shell: InteractiveShell) -> dict[int, list[str]]:
    """By the number of the line: its code, and the marks of what happened on it."""
    (text,) = shown(shell)
    found: dict[int, list[str]] = {}
    for line in text.splitlines():
        if head := re.match(r" *(\d+)  (.*)", line):
            found[int(head[1])] = [head[2]]
        elif event := re.match(r" {5}([=+~>!#*]) ", line):
            found[max(found)].append(event[1])
    return found


def test_the_lines_are_numbered_as_an_editor_numbers_them(shell: InteractiveShell) -> None:
    assert run(shell, "%%xray\nx = torch.arange(6)\n\ny = x.view(2, 3).float()\nz = y").success
    assert lines(shell) == {
        2: ["x = torch.arange(6)", "#"],
        4: ["y = x.view(2, 3).float()", "=", "~"],
        5: ["z = y"],
    }


def test_lines_inside_blocks_and_functions_are_found(shell: InteractiveShell) -> None:
    cell = "%%xray\ndef twice(a):\n    return a + a\n\nfor i in range(3):\n    b = twice(\n        torch.ones(2)\n    )"
    assert run(shell, cell).success
    assert {n: marks for n, (_, *marks) in lines(shell).items() if marks} == {3: ["#"], 7: ["#"]}
    assert "    return a + a" in shown(shell)[0]


def test_copies_inside_kernels_are_shown_where_they_are_asked_for(shell: InteractiveShell) -> None:
    run(shell, "x, w = torch.rand(1, 2, 9, 18)[..., ::2], torch.rand(2, 2, 3, 3)")
    for magic, marks in (("%%xray", ["#"]), ("%%xray kernels", ["#", "+"])):
        shell.display_pub.outputs.clear()  # type: ignore[attr-defined]
        assert run(shell, f"{magic}\ny = torch.nn.functional.conv2d(x, w)").success
        assert lines(shell) == {2: ["y = torch.nn.functional.conv2d(x, w)", *marks]}
        assert ("found by the profiler" in shown(shell)[0]) is ("kernels" in magic)


def test_names_live_in_the_namespace_of_the_notebook(shell: InteractiveShell) -> None:
    run(shell, "a = torch.zeros(3)")
    assert run(shell, "%%xray\na += 1\nb = a.numpy()\nassert __name__ == '__main__'").success
    assert shell.user_ns["b"].tolist() == [1.0, 1.0, 1.0]


def test_the_last_value_is_shown_and_kept_as_ever(shell: InteractiveShell, capsys: pytest.CaptureFixture[str]) -> None:
    result = run(shell, "%%xray\nx = torch.ones(2)\nx + 1")
    assert result.success
    assert result.result.tolist() == [2.0, 2.0]
    assert "Out[2]: tensor([2., 2.])" in capsys.readouterr().out
    assert shell.user_ns["_"] is shell.user_ns["Out"][2] is result.result
    assert [row[0] for row in lines(shell).values()] == ["x = torch.ones(2)", "x + 1"]


@pytest.mark.parametrize("end", [";", " ;  # é", "\n# not this;"])
def test_a_semicolon_keeps_the_last_value_quiet(
    shell: InteractiveShell, capsys: pytest.CaptureFixture[str], end: str
) -> None:
    quiet = not end.startswith("\n")
    assert (run(shell, f"%%xray\n'é', torch.ones(2){end}").result is None) is quiet
    assert ("tensor" in capsys.readouterr().out) is not quiet
    assert lines(shell)[2] == [f"'é', torch.ones(2){end}".split("\n")[0], "#", *([] if quiet else ["!"])]


@pytest.mark.parametrize(
    ("how", "values"),
    [("all", ["1", "2", "3"]), ("last", ["3"]), ("last_expr", ["3"]), ("none", [])],
)
def test_the_shells_setting_of_what_is_shown_holds(
    shell: InteractiveShell, capsys: pytest.CaptureFixture[str], how: str, values: list[str]
) -> None:
    shell.ast_node_interactivity = how
    assert run(shell, "%%xray\n1\n2\n3").success
    assert re.findall(r"Out\[2\]: (\d)", capsys.readouterr().out) == values


def test_an_error_is_shown_as_ever_and_what_happened_before_it(
    shell: InteractiveShell, capsys: pytest.CaptureFixture[str]
) -> None:
    result = run(shell, "%%xray\nx = torch.arange(6)\nx.view(5)\nx.add_(1)")
    assert isinstance(result.error_in_exec, RuntimeError)
    assert lines(shell) == {2: ["x = torch.arange(6)", "#"], 3: ["x.view(5)"], 4: ["x.add_(1)"]}
    assert shown(shell)[0].endswith("\nThe cell ended on line 3, which raised `RuntimeError`.")
    said = capsys.readouterr().out
    assert "Cell In[2], line 3" in said
    assert "----> 3 x.view(5)" in said
    assert "RuntimeError: shape '[5]' is invalid for input of size 6" in said
    assert said.count("RuntimeError") == 2, "once above the traceback and once beneath"
    assert not re.search(r"tutor|run_cell_magic|_ops\.py", said)


def test_an_error_in_a_function_keeps_the_way_to_it(
    shell: InteractiveShell, capsys: pytest.CaptureFixture[str]
) -> None:
    run(shell, "def broken(t):\n    return t.view(5)")
    assert not run(shell, "%%xray\nbroken(torch.ones(6))").success
    said = capsys.readouterr().out
    assert "----> 2 broken(torch.ones(6))" in said
    assert "----> 2     return t.view(5)" in said


def test_an_exception_of_the_cells_own_passes(shell: InteractiveShell, capsys: pytest.CaptureFixture[str]) -> None:
    result = run(shell, "%%xray\nclass Odd(Exception):\n    pass\nraise Odd('quite')")
    assert type(result.error_in_exec).__name__ == "Odd"
    assert "Odd: quite" in capsys.readouterr().out


@pytest.mark.parametrize(("body", "line", "ran"), [("x = (1,\ny = 2", 2, 0), ("x = 1\nreturn x", 3, 1)])
def test_a_syntax_error_names_the_line_of_the_cell(
    shell: InteractiveShell, capsys: pytest.CaptureFixture[str], body: str, line: int, ran: int
) -> None:
    assert isinstance(run(shell, f"%%xray\n{body}").error_in_exec, SyntaxError)
    assert re.search(rf"Cell In\[2\], line {line}\n.*\n *\^.*\nSyntaxError:", capsys.readouterr().out)
    assert len(shown(shell)) == ran, "what did not begin to run did nothing to be shown"


def test_nothing_stays_on_after_an_error(shell: InteractiveShell) -> None:
    ones, plain = torch.ones, torch.Tensor
    run(shell, "%%xray\nraise KeyboardInterrupt")
    assert _get_current_dispatch_mode_stack() == []
    assert torch.ones is ones
    assert torch.Tensor is plain


@pytest.mark.parametrize(
    ("cell", "sentence"),
    [
        ("%%xray kernel\nx = 1", "%%xray takes `kernels` or nothing after it, and got `kernel`."),
        ("%%xray\n\n%%time\nx = 1", "%%xray runs Python, and the cell goes on with `%%time`; put that above it."),
        (
            "%%xray\nimport asyncio\nawait asyncio.sleep(0)",
            "%%xray cannot run `await`; put `with tutor.xray() as seen:` around the lines instead.",
        ),
        ("%%xray", "%%xray is a cell magic, but the cell body is empty."),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence(
    shell: InteractiveShell, capsys: pytest.CaptureFixture[str], cell: str, sentence: str
) -> None:
    assert not run(shell, cell).success
    assert capsys.readouterr().err.strip() == f"UsageError: {sentence}"
    assert shown(shell) == []
    assert "x" not in shell.user_ns


def test_magics_inside_the_cell_run(shell: InteractiveShell, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(shell, "%%xray\n%time x = torch.ones(3)\nwhere = %pwd\n%precision 3").success
    assert "Wall time" in capsys.readouterr().out
    assert shell.user_ns["where"] == str(Path.cwd())
    assert lines(shell)[2] == ["%time x = torch.ones(3)", "#"]


def test_it_may_stand_under_another_cell_magic(shell: InteractiveShell, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(shell, "%%time\n%%xray\nx = torch.ones(3)").success
    assert "Wall time" in capsys.readouterr().out
    assert lines(shell) == {2: ["x = torch.ones(3)", "#"]}


def test_it_can_be_called_as_a_function(shell: InteractiveShell) -> None:
    shell.run_cell_magic("xray", "", "x = torch.ones(3)")
    assert lines(shell) == {2: ["x = torch.ones(3)", "#"]}


def test_a_cell_without_tensors_says_so(shell: InteractiveShell) -> None:
    assert run(shell, "%%xray\nx = 1\n").success
    assert shown(shell) == ["nothing happened to memory"]


def test_a_notebook_gets_the_table(shell: InteractiveShell) -> None:
    run(shell, "%%xray\nx = torch.ones(3)\ny = '<b>'")
    (output,) = shell.display_pub.outputs  # type: ignore[attr-defined]
    page = output["data"]["text/html"]
    assert '<table class="tt-xray">' in page
    assert "y = &#x27;&lt;b&gt;&#x27;" in page


def test_the_same_cell_twice_is_told_twice_the_same(shell: InteractiveShell) -> None:
    for _ in range(2):
        run(shell, "%%xray\nx = torch.ones(3)\nx.add_(1);")
    first, second = shown(shell)
    assert first == second


def test_loading_again_keeps_one_working_magic(shell: InteractiveShell, capsys: pytest.CaptureFixture[str]) -> None:
    shell.run_line_magic("load_ext", "tutor")
    assert "already loaded" in capsys.readouterr().out
    shell.run_line_magic("reload_ext", "tutor")
    importlib.reload(importlib.import_module("tutor.magics")).register(shell)
    assert run(shell, "%%xray\nx = torch.ones(3)").success
    assert lines(shell) == {2: ["x = torch.ones(3)", "#"]}


def test_help_says_what_it_does(shell: InteractiveShell) -> None:
    assert "what each of its lines did to memory" in shell.object_inspect("%%xray")["docstring"]
