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
from math import inf
from pathlib import Path
from typing import Any

from tutor._timing_lab.model import MARKS, Origin, Series, series_from_json
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
    return tuple(_sound(series_from_json(one, origin)) for one in data["series"])


def _sound(series: Series) -> Series:
    """A series that can be drawn: a file that was edited by hand must not stop a chapter."""
    lane = series.candidate
    words = (
        series.experiment,
        series.setup,
        series.dtype,
        series.device,
        series.axis,
        lane.name,
        lane.label,
        lane.code,
    )
    if not all(isinstance(word, str) for word in words) or lane.mark not in MARKS:
        raise ValueError(f"the line {lane.label!r} is not described as one")
    counts = (series.threads, *(count for p in series.points for count in (p.blocks, p.calls)))
    if not all(isinstance(n, int) for n in counts) or not all(_positive(n, int) for n in (series.run, *_sizes(series))):
        raise ValueError(f"the counts of the line {lane.label!r} are no whole numbers")
    for point in series.points:
        times = (point.median, point.low, point.high)
        if times != (None, None, None) and not all(_positive(time, (int, float)) for time in times):
            raise ValueError(f"the times of the line {lane.label!r} at {point.n} are no positive numbers")
    return series


def _sizes(series: Series) -> list[int]:
    return [point.n for point in series.points]


def _positive(x: object, kind: type | tuple[type, ...]) -> bool:
    return isinstance(x, kind) and not isinstance(x, bool) and 0 < x < inf  # type: ignore[operator]


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
