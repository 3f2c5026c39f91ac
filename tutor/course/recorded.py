"""Claims that were decided on a machine with a GPU, and kept: what is shown of them where there is none."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

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
    found = [
        (str(data["date"]), data, one)
        for data in _files(_beside_the_notebooks() if folder is None else folder)
        for one in data["claims"]
        if one["claim"] == claim.claim and [part["part"] for part in one["evidence"]] == [c.part for c in claim.checks]
    ]
    if not found:
        return None
    day, data, one = max(found, key=lambda kept: kept[0])
    lines = [line for part in one["evidence"] for line in (f"# {part['part']}", *part["session"])]
    where = f"{data['device']}, torch {data['versions']['torch'].partition('+')[0]}, {day}"
    return RecordedRun(one["verdict"], where, tuple(lines))


def _files(folder: Path) -> Iterator[dict[str, Any]]:
    """What the recordings hold; a file that is none is passed over."""
    for path in sorted(folder.glob("*.json")):
        try:
            data = json.loads(path.read_text("utf-8"))
        except (OSError, ValueError):
            continue
        if isinstance(data, dict) and {"device", "date", "versions", "claims"} <= data.keys():
            yield data


def _beside_the_notebooks() -> Path:
    try:
        return course_source() / "recordings"
    except CourseMissingError:
        return Path("recordings")
