"""Series that were recorded on another machine: how the files look, and how they are read.

A recording is a JSON file in ``notebooks/recordings/``::

    {
      "format": 1,
      "device": "the full name of the device",
      "date": "YYYY-MM-DD",
      "versions": {"torch": "…", "numpy": "…", "python": "…", "driver": "…"},
      "method": "how the times were taken, in a sentence",
      "series": [ … what `Series.as_json` gives … ]
    }

Further keys are left alone. Nothing is shown where there is no file.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from tutor._timing_lab.model import Origin, Series, series_from_json
from tutor.workspace import CourseMissingError, course_source

FORMAT = 1


def recording(origin: Origin, method: str, series: Iterable[Series]) -> dict[str, Any]:
    """The content of a recording's file, for `json.dump`.

    Parameters
    ----------
    origin
        Where and when it was recorded.
    method
        How the times were taken, in a sentence.
    series
        What was found.
    """
    return {
        "format": FORMAT,
        "device": origin.device,
        "date": origin.date,
        "versions": dict(origin.versions),
        "method": method,
        "series": [one.as_json() for one in series],
    }


def read_recording(path: Path) -> tuple[Series, ...]:
    """The series of one file.

    Raises
    ------
    ValueError
        If it is no recording; the message says what is wrong with it.
    """
    try:
        data = json.loads(path.read_text("utf-8"))
        return _series(data)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"{path.name} is no recording of this format: {type(error).__name__}: {error}") from error


def _series(data: Mapping[str, Any]) -> tuple[Series, ...]:
    if data["format"] != FORMAT:
        raise ValueError(f"expected format {FORMAT}, got {data['format']!r}")
    versions = tuple((str(name), str(version)) for name, version in data["versions"].items())
    origin = Origin(str(data["device"]), str(data["date"]), versions)
    return tuple(series_from_json(one, origin) for one in data["series"])


def recorded(experiment: str, folder: Path | None = None) -> tuple[Series, ...]:
    """All recorded series of an experiment; files that are no recordings are passed over.

    Parameters
    ----------
    experiment
        Its name.
    folder
        Where the recordings lie; beside the course's notebooks if None.
    """
    found: list[Series] = []
    for path in sorted((folder or _folder()).glob("*.json")):
        try:
            found += [one for one in read_recording(path) if one.experiment == experiment]
        except ValueError:
            continue
    return tuple(found)


def _folder() -> Path:
    try:
        return course_source() / "recordings"
    except CourseMissingError:
        return Path("recordings")
