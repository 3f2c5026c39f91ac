"""The learner's progress: what happened, line by line, in one file per process.

Nothing is ever changed or deleted. Each process appends to a file of its own, so that two kernels cannot lose each
other's lines; reading merges all files. A line that a crash tore is skipped.
"""

from __future__ import annotations

import json
import os
import sys
import uuid
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

Event = dict[str, Any]

# What every event has, and what those of one kind have besides. A file may come from elsewhere, or from another version
# of the course: a line with less is no event.
_ALWAYS: dict[str, Any] = {"id": str, "at": str, "kind": str, "key": str}
_DETAILS: dict[str, dict[str, Any]] = {
    "answer": {"label": str, "sure": int},
    "observed": {"label": str | None, "value": str},
    "exercise": {"state": str},
}


def data_folder() -> Path:
    """The folder of the learner's data: ``TUTOR_DATA`` if set, else where the system keeps a user's data.

    On Linux that is what https://specifications.freedesktop.org/basedir-spec/latest/ says.
    """
    if chosen := os.environ.get("TUTOR_DATA"):
        return Path(chosen).expanduser().absolute()
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "tensor-tutor"


def read_file(path: Path) -> list[Event]:
    """The events of one file, without the lines that are no events."""
    try:
        lines = path.read_bytes().split(b"\n")
    except OSError:
        return []
    return [event for line in lines if (event := _event(line)) is not None]


def _event(line: bytes) -> Event | None:
    try:
        event = json.loads(line)
    except ValueError:
        return None
    return event if isinstance(event, dict) and _is_complete(event) else None


def _is_complete(event: Event) -> bool:
    wanted = _ALWAYS | _DETAILS.get(str(event.get("kind")), {})
    return all(isinstance(event.get(name), kind) for name, kind in wanted.items()) and _is_moment(event["at"])


def _is_moment(text: str) -> bool:
    try:
        return datetime.fromisoformat(text).tzinfo is not None
    except ValueError:
        return False


def lines_of(events: Iterable[Event]) -> str:
    """Events as they stand in a file, one a line."""
    return "".join(json.dumps(event, default=repr) + "\n" for event in events)


class Journal:
    """The events of all processes in one folder, and a file to add this process's own.

    Attributes
    ----------
    folder
        Where the files are.
    trouble
        Why nothing can be saved, in one sentence, or None.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.trouble: str | None = None
        self._own: list[Event] = []
        self._read: dict[Path, tuple[int, list[Event]]] = {}
        self._open_new()

    def _open_new(self) -> None:
        self._pid = os.getpid()
        self._path = self.folder / f"{self._pid}-{uuid.uuid4().hex[:12]}.jsonl"

    def add(self, kind: str, key: str, **details: Any) -> Event:
        """Append one event, safe on disk when this returns; in memory only if the disk refuses."""
        now = datetime.now(UTC).isoformat(timespec="microseconds")
        event: Event = {"id": uuid.uuid4().hex, "at": now, "kind": kind, "key": key, **details}
        self._keep([event])
        return event

    def take_in(self, events: Iterable[Event]) -> int:
        """Append those events that are not here yet, and say how many they were."""
        known = {event["id"] for event in self.events()}
        new = [event for event in events if event["id"] not in known]
        self._keep(new)
        return len(new)

    def events(self, kind: str | None = None) -> list[Event]:
        """All events of all processes in the order of time, each once."""
        found = {event["id"]: event for path in self._files() for event in self._events_of(path)}
        found |= {event["id"]: event for event in self._own}
        chosen = (event for event in found.values() if kind in (None, event["kind"]))
        return sorted(chosen, key=lambda event: (event["at"], event["id"]))

    def _files(self) -> list[Path]:
        try:
            return sorted(self.folder.glob("*.jsonl"))
        except OSError:
            return []

    def _events_of(self, path: Path) -> list[Event]:
        try:
            size = path.stat().st_size
        except OSError:
            return []
        seen = self._read.get(path)
        if seen is None or seen[0] != size:  # files only grow
            seen = self._read[path] = (size, read_file(path))
        return seen[1]

    def _keep(self, events: list[Event]) -> None:
        self._own += events
        if os.getpid() != self._pid:  # a forked child must not write into its parent's file
            self._open_new()
        if events and self.trouble is None:
            self._write(lines_of(events))

    def _write(self, text: str) -> None:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with self._path.open("ab") as file:
                file.write(text.encode("ascii"))
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            self._give_up(error)

    def _give_up(self, error: OSError) -> None:
        reason = error.strerror or type(error).__name__
        self.trouble = (
            f"Your progress cannot be saved in {self.folder} ({reason}). "
            "The course goes on and remembers it until this kernel stops."
        )
        print(self.trouble)


_JOURNALS: dict[Path, Journal] = {}


def journal() -> Journal:
    """The journal of this process, in the learner's data folder."""
    try:
        folder = data_folder() / "progress"
    except RuntimeError:  # no home folder
        folder = Path("tensor-tutor-progress")
    if folder not in _JOURNALS:
        _JOURNALS[folder] = Journal(folder)
    return _JOURNALS[folder]
