"""Claims that were decided on a machine with a GPU, and kept: what is shown of them where there is none."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tutor._timing_lab.recordings import FORMAT
from tutor.course.model import Claim
from tutor.workspace import CourseMissingError, course_source


@dataclass(frozen=True)
class RecordedRun:
    """A claim's verdict on another machine.

    Attributes
    ----------
    verdict
        As it was there.
    where
        The device, the release of torch and the date.
    lines
        The runs, as an interpreter shows them, each under its part of the claim.
    """

    verdict: str
    where: str
    lines: tuple[str, ...]


def recorded_run(claim: Claim, folder: Path | None = None) -> RecordedRun | None:
    """The newest recorded run of a claim, or None.

    Parameters
    ----------
    claim
        A run counts if it is of this very claim, in these words, and of the same parts.
    folder
        Where the recordings lie, files that ``python -m tutor record`` wrote; beside the notebooks if None.
    """
    found: list[tuple[str, RecordedRun]] = []
    for path in sorted((_beside_the_notebooks() if folder is None else folder).glob("*.json")):
        try:
            found += _runs(json.loads(path.read_text("utf-8")), claim)
        except (OSError, ValueError, KeyError, TypeError, AttributeError):  # a file that is no recording
            continue
    return max(found, key=lambda kept: kept[0])[1] if found else None


def _runs(data: Mapping[str, Any], claim: Claim) -> Iterator[tuple[str, RecordedRun]]:
    """The runs of a claim that a file holds, each with its day."""
    if data["format"] != FORMAT:
        return
    day = str(data["date"])
    where = f"{data['device']}, torch {data['versions']['torch'].partition('+')[0]}, {day}"
    for one in data["claims"]:
        parts = [part["part"] for part in one["evidence"]]
        if one["claim"] == claim.claim and parts == [check.part for check in claim.checks]:
            lines = [str(line) for part in one["evidence"] for line in (f"# {part['part']}", *part["session"])]
            yield day, RecordedRun(str(one["verdict"]), where, tuple(lines))


def _beside_the_notebooks() -> Path:
    try:
        return course_source() / "recordings"
    except CourseMissingError:
        return Path("recordings")
