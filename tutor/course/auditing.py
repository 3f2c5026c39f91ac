"""``python -m tutor claims``: every claim of the course, decided on this machine and with this release of torch."""

from __future__ import annotations

import argparse
import difflib
import json
import os
import platform
import sys
import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, TextIO

import torch

from tutor._words import count_text
from tutor.course.deciding import DECIDED, Row, decide, verdicts_text
from tutor.course.shelf import chapter, chapter_names
from tutor.drawing.svg import plain

_ABOUT = """\
Decide every claim of the course on this machine: run its checks, and compare what they show with what is taught.
Ends with 1 if a claim no longer behaves as taught, or if its checks do not run."""

_WORDS = """\
The ids number the statements that people make and that the course checks; an entry decides one belief, and bears all
ids that state it. To learn what a new release of torch changes, run it with both:

    python -m tutor claims --json old.json         with the old release
    python -m tutor claims --against old.json      with the new one"""

_WIDE = 118


def main(arguments: Sequence[str]) -> int:
    """Decide the claims that the arguments name, and say what was found.

    Parameters
    ----------
    arguments
        What stands after ``python -m tutor claims``.

    Returns
    -------
    int
        0 if each claim behaves as taught or could not be decided here, 1 if not. Arguments that are not understood,
        or a file that cannot be read or written, end the program with 2.
    """
    parser = _parser()
    asked = parser.parse_args(arguments)
    try:
        before = _read(asked.against)
        if asked.json not in (None, "-"):
            Path(asked.json).open("a").close()  # an unwritable file is told now, not at the end
        out = sys.stderr if asked.json == "-" else sys.stdout
        _say(out, _where_text())
        found = list(_decided(asked.chapters or chapter_names(), out, full=asked.full))
        if asked.json:
            _write(asked.json, [as_data(name, row) for name, row in found])
    except (OSError, ValueError) as error:
        parser.error(str(error))
    rows = [row for _, row in found]
    _say(out, "", _summary(rows))
    if before is not None:
        _say(out, *_changes(before, found))
    return int(not all(row.agrees for row in rows))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tutor claims",
        description=_ABOUT,
        epilog=_WORDS,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("chapters", nargs="*", metavar="chapter", help="only those of these chapters, such as sharing_memory")
    add("--json", nargs="?", const="-", metavar="FILE", help="write them all as JSON, to a file or the standard output")
    add("--against", metavar="FILE", help="say what differs from an earlier run, of which --json wrote this file")
    add("--full", action="store_true", help="show the runs of every claim, not only of those that are a surprise")
    return parser


def _decided(names: Iterable[str], out: TextIO, *, full: bool) -> Iterator[tuple[str, Row]]:
    """Each claim with its chapter, told as soon as it is decided."""
    for name in names:
        claims = chapter(name).claims
        _say(out, "", name)
        for claim in claims:
            row = decide(claim)
            _say(out, *_row_lines(row, full=full))
            yield name, row


def _say(out: TextIO, *lines: str) -> None:
    for line in lines:
        print(line, file=out, flush=True)


# As text


def _row_lines(row: Row, *, full: bool) -> Iterator[str]:
    mark = " " if row.agrees else "x"
    taught = "" if row.agrees else f", and is taught as {row.taught}"
    ids = f"{' '.join(row.claim.ids)}. " if row.claim.ids else ""
    yield textwrap.fill(
        f"{row.verdict}{taught}: {ids}{plain(row.claim.claim)}",
        _WIDE,
        initial_indent=f"{mark} ",
        subsequent_indent="    ",
        break_long_words=False,
        break_on_hyphens=False,
    )
    if full or not row.agrees:
        for checked in row.checks:
            yield f"    # {plain(checked.part)}"
            yield from (f"    {line}" for line in checked.session.lines)


def _summary(rows: Sequence[Row]) -> str:
    ids = {name for row in rows for name in row.claim.ids}
    counts = Counter(row.verdict for row in rows)
    told = [f"{counts.pop(name)} {name}" for name in DECIDED if name in counts]
    told += [verdicts_text(name, number) for name, number in sorted(counts.items())]
    wrong = [row for row in rows if not row.agrees]
    end = (
        "Each behaves as taught." if not wrong else f"{count_text(len(wrong), 'claim')} not as taught, marked x above."
    )
    return f"{count_text(len(rows), 'claim')} with {count_text(len(ids), 'id')}: {', '.join(told)}.\n{end}"


def _where() -> dict[str, str]:
    """The versions that a verdict depends on."""
    return {
        "torch": torch.__version__,
        "numpy": version("numpy"),
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "device": torch.cuda.get_device_name() if torch.cuda.is_available() else "cpu",
        "threads": f"{torch.get_num_threads()} of {os.cpu_count()} cores",
    }


def _where_text() -> str:
    return ", ".join(f"{name} {value}" for name, value in _where().items())


# As data


def as_data(name: str, row: Row) -> dict[str, Any]:
    """One claim and its verdict, as plain data.

    Parameters
    ----------
    name
        The chapter that the claim stands in.
    row
        The claim, decided.

    Returns
    -------
    dict
        With ``ids``, ``chapter``, ``claim``, ``taught``, ``verdict``, ``agrees``, ``timed``, ``needs``, ``evidence`` (a
        list with ``part``, ``decided`` and the ``session`` as lines), ``really``, ``why`` and ``where`` (the versions).
    """
    claim = row.claim
    return {
        "ids": list(claim.ids),
        "chapter": name,
        "claim": claim.claim,
        "taught": row.taught,
        "verdict": row.verdict,
        "agrees": row.agrees,
        "timed": row.timed,
        "needs": sorted(claim.all_needs),
        "evidence": [
            {"part": one.part, "decided": one.session.decided, "session": list(one.session.lines)} for one in row.checks
        ],
        "really": claim.really,
        "why": claim.why,
        "where": _where(),
    }


def _write(file: str, data: list[dict[str, Any]]) -> None:
    text = json.dumps(data, indent=1, ensure_ascii=False) + "\n"
    if file == "-":
        sys.stdout.write(text)
    else:
        Path(file).write_text(text, "utf-8")


def _read(file: str | None) -> dict[str, dict[str, Any]] | None:
    """What an earlier run found, by the claim's words."""
    if file is None:
        return None
    try:
        found = json.loads(Path(file).read_text("utf-8"))
    except ValueError:
        found = None
    if not isinstance(found, list) or not all(isinstance(one, dict) and "claim" in one for one in found):
        raise ValueError(f"{file} is no list of claims as --json writes it")
    return {one["claim"]: one for one in found}


def _changes(before: dict[str, dict[str, Any]], found: Sequence[tuple[str, Row]]) -> Iterator[str]:
    """What differs from an earlier run: verdicts first, then what the same verdict rests on."""
    old = next((one["where"]["torch"] for one in before.values()), "an earlier run")
    yield f"\nAgainst torch {old}:"
    now = {row.claim.claim: as_data(name, row) for name, row in found}
    both = [(before[claim], one) for claim, one in now.items() if claim in before]
    lines = [*_other_verdicts(both), *_other_sessions(both)]
    new, missing = len(now.keys() - before.keys()), len(before.keys() - now.keys())
    if new or missing:
        lines.append(f"  {count_text(new, 'claim')} not there before, {missing} not asked now")
    yield from lines or ["  nothing differs"]


_Pairs = Sequence[tuple[dict[str, Any], dict[str, Any]]]


def _other_verdicts(both: _Pairs) -> Iterator[str]:
    for old, new in both:
        if old["verdict"] != new["verdict"]:
            yield f"  was {old['verdict']}, is {new['verdict']}: {_name(new)}"


def _other_sessions(both: _Pairs) -> Iterator[str]:
    for old, new in both:
        parts = {one["part"]: one for one in old["evidence"]}
        for one in new["evidence"]:
            was = parts.get(one["part"])
            if was and not new["timed"] and was["session"] != one["session"]:
                yield f"  reads otherwise: {_name(new)}, where {plain(one['part'])}"
                yield from _difference(was["session"], one["session"])


def _difference(old: list[str], new: list[str]) -> Iterator[str]:
    return (f"    {line}" for line in difflib.ndiff(old, new) if not line.startswith("?"))


def _name(one: dict[str, Any]) -> str:
    return " ".join(one["ids"]) or f'"{plain(one["claim"])}"'
