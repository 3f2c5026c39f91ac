"""Takes the results home: a cell that repeats an experiment with `race`, and a table in a file."""

from __future__ import annotations

import ast
import csv
import io
import textwrap
from collections.abc import Sequence
from pathlib import Path

from tutor._timing_lab.model import Candidate, Experiment, Results
from tutor._timing_lab.running import BUDGET_S
from tutor._timing_lab.source import definition, is_expression, outer_names

_FIELDS = (
    "experiment",
    "line",
    "code",
    "dtype",
    "device",
    "threads",
    "run",
    "n",
    "median_s",
    "low_s",
    "high_s",
    "blocks",
    "calls",
    "not_measured",
    "recorded_on",
    "recorded_date",
    "recorded_versions",
)


def code_text(experiment: Experiment, sizes: Sequence[int], dtype: str, device: str) -> str:
    """A cell that repeats an experiment with `race`, or `measure` where there is one line only.

    Parameters
    ----------
    experiment
        What to repeat.
    sizes, dtype, device
        On what.
    """
    lanes = experiment.lanes(dtype, device)
    honest = [lane for lane in lanes if lane.way == "honest"]
    functions = ", ".join(["race" if len(honest) > 1 else "measure", *(["naive"] if len(honest) < len(lanes) else [])])
    sizes_text = ", ".join(f"{n:_}" for n in sizes) + ("," if len(sizes) == 1 else "")
    head = ["import numpy as np", "import torch", "", f"from tutor import {functions}", ""]
    given = [f'device = "{device}"', *([f"dtype = torch.{dtype}"] if dtype else [])]
    body = [experiment.setup, *_timed(lanes, experiment.setup)]
    loop = textwrap.indent("\n".join(line for line in body if line), "    ")
    return "\n".join([*head, *given, f"for n in ({sizes_text}):", '    print(f"n = {n:,}")', loop])


def _timed(lanes: Sequence[Candidate], setup: str) -> list[str]:
    """Definitions where they are needed, then what is printed."""
    honest = [lane for lane in lanes if lane.way == "honest"]
    lines = [_defined(lane, setup).rstrip() for lane in lanes if not is_expression(lane.code)]
    lines += [f"print(naive({_callable(lane)}))" for lane in lanes if lane.way == "naive"]
    if len(honest) == 1:
        return [*lines, f"print(measure({_callable(honest[0])}, budget={BUDGET_S}))"]
    named = [f"    {lane.name}={_callable(lane)}," for lane in honest]
    return [*lines, "print(race(", *named, f"    budget={BUDGET_S * len(honest):.2g},", "))"]


def _defined(lane: Candidate, setup: str) -> str:
    try:
        return definition(lane.name, lane.code, outer_names(lane.code, setup))
    except (SyntaxError, ValueError):  # a line that is not finished yet is copied as it stands
        return definition(lane.name, lane.code)


def _callable(lane: Candidate) -> str:
    if not is_expression(lane.code):
        return lane.name
    code = lane.code.strip()
    if _is_one_argument(code):
        return f"lambda: {code}"
    return f"lambda: (\n    {code}\n)" if "#" in code else f"lambda: ({code})"


def _is_one_argument(code: str) -> bool:
    """Whether an expression can stand among arguments as it is: no comment would hide what follows, and no comma."""
    try:
        call = ast.parse(f"f(lambda: {code}, budget=1)", mode="eval").body
    except SyntaxError:
        return False
    return isinstance(call, ast.Call) and len(call.args) == 1 and isinstance(call.args[0], ast.Lambda)


def csv_text(results: Results) -> str:
    """All points as comma-separated values; times in seconds, one row a point."""
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(_FIELDS)
    for series in results.series:
        origin = series.origin
        where = (
            (origin.device, origin.date, " ".join(f"{n} {v}" for n, v in origin.versions)) if origin else ("", "", "")
        )
        about = (series.experiment, series.candidate.label, series.candidate.code, series.dtype, series.device)
        for p in series.points:
            times = (p.median, p.low, p.high, p.blocks or None, p.calls or None, p.why)
            rows.writerow((*about, series.threads, series.run, p.n, *times, *where))
    return out.getvalue()


def save_csv(results: Results, path: str | Path | None = None) -> Path:
    """Write the points into a file and say where it is.

    Parameters
    ----------
    results
        What was found.
    path
        Where to; a new name in the current folder, if None. A file that is there is then left alone.
    """
    target = Path(path) if path is not None else _new_name(f"timing_{results.experiment.name}")
    target.write_text(csv_text(results), "utf-8")
    return target


def _new_name(stem: str) -> Path:
    names = (Path(f"{stem}{f'_{i}' if i > 1 else ''}.csv") for i in range(1, 10_000))
    return next(path for path in names if not path.exists())
