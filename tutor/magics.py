"""The magics that ``%load_ext tutor`` gives a notebook."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import CodeType, TracebackType
from typing import Any, NoReturn

import torch

from tutor._tracing.model import XRay
from tutor._tracing.watching import watch
from tutor.errors import Explanation, explain, last_error

_OURS = tuple(str(Path(__file__).parent / name) for name in ("magics.py", "_tracing"))
_CALLS_MODES = tuple(str(Path(torch.__file__).parent / name) for name in ("_compile.py", "_dynamo", "_ops.py"))


def register(shell: Any) -> None:
    """Give a shell the course's magics, in place of those it has from an earlier time."""

    def xray_cell(line: str, cell: str) -> None:
        """Run the cell, and show what each of its lines did to memory.

        ``%%xray`` shows views, copies, casts, transfers, allocations, writes, and waits for a device.
        ``%%xray kernels`` also shows what operators copy inside, which torch's profiler finds; it takes longer.
        """
        _xray_cell(shell, line, cell)

    def explain_line(line: str) -> Explanation:
        """Say what the last error means, which operands caused it, and what to write instead.

        ``%explain`` after a cell that failed; ``%explain name`` for an exception that has a name.
        """
        return _explain_line(shell, line)

    shell.register_magic_function(xray_cell, "cell", "xray")
    shell.register_magic_function(explain_line, "line", "explain")


def _explain_line(shell: Any, line: str) -> Explanation:
    name = line.strip()
    error = shell.user_ns.get(name) if name else last_error()
    if isinstance(error, BaseException):
        return explain(error)
    _refuse(f"%explain found no exception named `{name}`." if name else "%explain found no error: nothing failed yet.")


def _xray_cell(shell: Any, line: str, cell: str) -> None:
    kernels = _asks_for_kernels(line)
    _refuse_another_magic(cell)
    # A first line in place of the magic's own, so that the numbers of the lines are those that an editor shows.
    code = shell.transform_cell(f"# %%xray\n{cell}")
    _refuse_await(shell, code)
    name = shell.compile.cache(code, shell.displayhook.prompt_count, raw_code=code)
    pieces = _pieces(shell, code, name)
    failed = None
    with watch(name, kernels=kernels) as seen, shell.display_trap:
        try:
            for piece in pieces:
                exec(piece, shell.user_global_ns, shell.user_ns)
        except BaseException as error:  # whatever ends the cell, what it did until then is shown
            failed = error
    _display(shell, _of_the_cell(seen, cell, failed))
    if failed is not None:
        _show_as_without_xray(shell, failed)
        raise failed


def _pieces(shell: Any, code: str, name: str) -> Iterator[CodeType]:
    """The statements of a cell, each compiled as IPython would: the value of the last one is displayed."""
    tree = shell.compile.ast_parse(code, filename=name)
    how = "none" if _ends_in_semicolon(tree, code) else shell.ast_node_interactivity
    nodes = shell.transform_ast(tree).body
    return (
        shell.compile(ast.Interactive([node]), name, "single")
        if _displayed(node, how, last=node is nodes[-1])
        else shell.compile(ast.Module([node], []), name, "exec")
        for node in nodes
    )


def _ends_in_semicolon(tree: ast.Module, code: str) -> bool:
    if not tree.body or (line := tree.body[-1].end_lineno) is None:
        return False
    rest = code.split("\n")[line - 1].encode()[tree.body[-1].end_col_offset :]
    return rest.lstrip().startswith(b";")


def _displayed(node: ast.stmt, how: str, *, last: bool) -> bool:
    """Whether a statement shows its value, by IPython's setting of how interactive a cell is."""
    return how == "all" or (last and (how == "last" or (how != "none" and isinstance(node, ast.Expr))))


def _show_as_without_xray(shell: Any, error: BaseException) -> None:
    """Let the traceback show the cell and what it called, without what runs the cell and what watches it."""
    trace = _unwatched(error.__traceback__)
    if not hasattr(error, "_render_traceback_"):
        error._render_traceback_ = (  # type: ignore[attr-defined]
            lambda: shell.InteractiveTB.structured_traceback(type(error), error, trace, tb_offset=0)
        )


def _unwatched(trace: TracebackType | None) -> TracebackType | None:
    kept, watching = [], False
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        # between one of ours and the next, torch calls its modes
        watching = file.startswith(_OURS) or (watching and file.startswith(_CALLS_MODES))
        if not watching:
            kept.append(trace)
        trace = trace.tb_next
    for one in reversed(kept):
        trace = TracebackType(trace, one.tb_frame, one.tb_lasti, one.tb_lineno)
    return trace


def _display(shell: Any, seen: XRay) -> None:
    data, metadata = shell.display_formatter.format(seen)
    shell.display_pub.publish(data, metadata)


def _of_the_cell(seen: XRay, cell: str, failed: BaseException | None) -> XRay:
    """What was seen, with the code of the cell, and with the line on which it ended if it failed."""
    record = seen._ask()
    trace = _unwatched(failed.__traceback__) if failed is not None else None
    if trace is not None:
        end = f"The cell ended on line {trace.tb_lineno}, which raised `{type(failed).__name__}`."
        record = replace(record, notes=(end, *record.notes))
    record = replace(record, code=("", *cell.splitlines()))
    return XRay(lambda: record)


def _asks_for_kernels(line: str) -> bool:
    if line.strip() not in ("", "kernels"):
        _refuse(f"%%xray takes `kernels` or nothing after it, and got `{line.strip()}`.")
    return bool(line.strip())


def _refuse_another_magic(cell: str) -> None:
    first = next((text.strip() for text in cell.splitlines() if text.strip()), "")
    if first.startswith("%%"):
        _refuse(f"%%xray runs Python, and the cell goes on with `{first.split()[0]}`; put that above it.")


def _refuse_await(shell: Any, code: str) -> None:
    if shell.should_run_async(code, transformed_cell=code):
        _refuse("%%xray cannot run `await`; put `with tutor.xray() as seen:` around the lines instead.")


def _refuse(sentence: str) -> NoReturn:
    """Say it without a traceback, as IPython says that a magic was called the wrong way."""
    from IPython.core.error import UsageError  # noqa: PLC0415 - tutor works without IPython

    raise UsageError(sentence)
