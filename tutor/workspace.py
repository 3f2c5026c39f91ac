"""A learner's own copy of the course: laid in a folder, refreshed when the course changes, never overwritten.

What a learner has changed is found by comparing the *sources* of a notebook's cells with those that were laid:
running a notebook, and the outputs that this leaves, is no change. What was laid is remembered in a small hidden file
in the folder.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import itertools
import json
import os
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path, PurePosixPath
from typing import Any

COURSE_FOLDER = "tensor-tutor-course"
MANIFEST = ".tensor-tutor.json"


class CourseMissingError(FileNotFoundError):
    """The notebooks of the course did not come along with the installed package."""


@dataclass
class Laying:
    """What one laying of the course did. All names are relative to the folder.

    Attributes
    ----------
    folder
        Where the working copy is.
    new
        Files that were laid because none of that name was there.
    refreshed
        Files that the learner had not changed, replaced by the course's newer version.
    kept
        Files that the learner has changed. They stay as they are.
    beside
        For files that both the learner and the course have changed: where the course's version was laid just now.
    """

    folder: Path
    new: list[str] = field(default_factory=list)
    refreshed: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    beside: dict[str, str] = field(default_factory=dict)

    @property
    def written(self) -> list[str]:
        """The files that were written."""
        return [*self.new, *self.refreshed, *self.beside.values()]


def course_source() -> Path:
    """The folder of the course's originals: inside an installed package, or next to it in a clone.

    Raises
    ------
    CourseMissingError
        If there are no notebooks in either place.
    """
    package = Path(__file__).resolve().parent
    for folder in (package / "notebooks", package.parent / "notebooks"):
        if any(folder.glob("*.ipynb")):
            return folder
    raise CourseMissingError("the course's notebooks did not come with this installation; install tensor-tutor again")


def first_notebook() -> str:
    """The file name of the course's first chapter."""
    return min(path.name for path in course_source().glob("*.ipynb"))


def course_folder(under: Path) -> Path:
    """Where the working copy belongs: `under` itself if it is one already, else a folder in it."""
    return under if (under / MANIFEST).exists() else under / COURSE_FOLDER


def lay(folder: Path, source: Path | None = None, version: str = "new") -> Laying:
    """Lay the course in `folder`, or bring up to date there what the learner has not changed.

    - A file that is not there is laid, also if the learner has removed or renamed an earlier one.
    - A file as it was laid is replaced if the course's version has changed since; else it keeps its outputs.
    - A file that the learner has changed is never touched. A newer version of the course's is laid beside it,
      once, under a name with `version` in it.
    - A file of which nobody knows how it was laid counts as changed.

    Parameters
    ----------
    folder
        The working copy; made if it is not there.
    source
        The originals; by default those of the installed course.
    version
        The course's version, for the names of files laid beside changed ones.

    Raises
    ------
    OSError
        If `folder` cannot be made or written.
    CourseMissingError
        If the originals are not installed.
    """
    source = source or course_source()
    folder.mkdir(parents=True, exist_ok=True)
    layer = _Layer(Laying(folder), version, _read_manifest(folder))
    for name in _course_files(source):
        layer.lay(name, _without_outputs(name, (source / name).read_bytes()))
    _write_manifest(folder, layer.known)
    return layer.done


def reset(folder: Path, source: Path | None = None, version: str = "new", today: date | None = None) -> Path | None:
    """Lay fresh notebooks in `folder`, and move those that were there to a dated folder in it.

    Files that are not the course's stay where they are.

    Returns
    -------
    Path or None
        The folder with the files that were there, or None if there were none.
    """
    source = source or course_source()
    names = {*_read_manifest(folder), *_course_files(source)}
    old = sorted(name for name in names if (folder / name).is_file())
    kept = _unused(folder / f"kept-{(today or date.today()).isoformat()}")
    for name in old:
        (kept / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).rename(kept / name)
    (folder / MANIFEST).unlink(missing_ok=True)
    lay(folder, source, version)
    return kept if old else None


def trust(notebooks: list[Path]) -> None:
    """Sign notebooks as Jupyter does for those that its user has made. Without Jupyter there is nothing to sign for."""
    try:
        # Slow to import, and only there with JupyterLab.
        nbformat, signing = importlib.import_module("nbformat"), importlib.import_module("nbformat.sign")
    except ModuleNotFoundError:
        return
    notary = signing.NotebookNotary()
    for path in notebooks:
        notary.sign(nbformat.read(path, as_version=4))
    notary.store.close()


class _Layer:
    """Lays one file after the other, and keeps account in `done` (for the learner) and `known` (for next time)."""

    def __init__(self, done: Laying, version: str, known: dict[str, dict[str, str]]) -> None:
        self.done = done
        self.version = version
        self.known = known

    def lay(self, name: str, content: bytes) -> None:
        wanted = _fingerprint(name, content)
        found = self._found(name)
        if found == wanted:
            self.known[name] = {"laid": wanted}
        elif found in (None, self._laid(name)) and self._write(name, content, found):
            (self.done.refreshed if found else self.done.new).append(name)
        else:
            self._leave(name, content)

    def _leave(self, name: str, content: bytes) -> None:
        """Leave a file to the learner who changed it, and offer a newer version beside it."""
        self.done.kept.append(name)
        wanted = _fingerprint(name, content)
        known = self.known.setdefault(name, {})
        if wanted in (known.get("laid"), known.get("offered")):
            return
        beside = self._name_beside(name, wanted)
        self._write(beside, content, self._found(beside))
        self.done.beside[name] = beside
        known["offered"] = wanted

    def _name_beside(self, name: str, wanted: str) -> str:
        path = PurePosixPath(name)
        counts = itertools.chain([""], (f"-{n}" for n in itertools.count(2)))
        names = (str(path.with_name(f"{path.stem}-{self.version}{count}{path.suffix}")) for count in counts)
        return next(name for name in names if self._found(name) in (None, wanted, self._laid(name)))

    def _write(self, name: str, content: bytes, found: str | None) -> bool:
        """Write the file, unless it is no longer what was `found` a moment ago (a learner may be saving it)."""
        path = self.done.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        written = _replace(path, content, lambda: self._found(name) == found)
        if written:
            self.known[name] = {"laid": _fingerprint(name, content)}
        return written

    def _found(self, name: str) -> str | None:
        try:
            return _fingerprint(name, (self.done.folder / name).read_bytes())
        except FileNotFoundError:
            return None

    def _laid(self, name: str) -> str | None:
        return self.known.get(name, {}).get("laid")


def _course_files(source: Path) -> Iterator[str]:
    for path in sorted(source.rglob("*")):
        name = path.relative_to(source)
        if path.is_file() and not any(part.startswith(".") for part in name.parts):
            yield name.as_posix()


def _without_outputs(name: str, content: bytes) -> bytes:
    """A notebook as if it had never run; any other file as it is."""
    if not name.endswith(".ipynb"):
        return content
    notebook = json.loads(content)
    notebook["metadata"].pop("widgets", None)
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            cell.update(outputs=[], execution_count=None)
    return (json.dumps(notebook, indent=1, ensure_ascii=False) + "\n").encode()


def _fingerprint(name: str, content: bytes) -> str:
    """What a learner can change about a file: the sources of a notebook's cells, or else its bytes."""
    if name.endswith(".ipynb"):
        # A damaged notebook is one that somebody changed.
        with contextlib.suppress(ValueError, KeyError, TypeError, AttributeError):
            content = json.dumps(list(_sources(json.loads(content)))).encode()
    return hashlib.sha256(content).hexdigest()


def _sources(notebook: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        # Running a notebook's last cell appends an empty one.
        if source.strip():
            yield cell["cell_type"], source


def _read_manifest(folder: Path) -> dict[str, dict[str, str]]:
    """What was laid. A manifest that cannot be read knows of nothing, so that every file counts as the learner's."""
    try:
        files = json.loads((folder / MANIFEST).read_text("utf-8"))["files"]
        return {name: {k: str(v) for k, v in entry.items()} for name, entry in files.items() if _is_inside(name)}
    except (FileNotFoundError, ValueError, KeyError, TypeError, AttributeError):
        return {}


def _is_inside(name: str) -> bool:
    return not PurePosixPath(name).is_absolute() and ".." not in PurePosixPath(name).parts


def _write_manifest(folder: Path, known: dict[str, dict[str, str]]) -> None:
    text = json.dumps({"about": "What Tensor Tutor laid here.", "files": known}, indent=1, sort_keys=True)
    _replace(folder / MANIFEST, text.encode())


def _replace(path: Path, content: bytes, still_wanted: Callable[[], bool] = lambda: True) -> bool:
    """Write a file whole or not at all, and only if it is still wanted once the bytes lie beside it."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".laying")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.chmod(temporary, 0o666 & ~_umask())
        if not still_wanted():
            return False
        os.replace(temporary, path)
        return True
    finally:
        Path(temporary).unlink(missing_ok=True)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _unused(path: Path) -> Path:
    """`path`, or the first of ``path-2``, ``path-3``… that is not there."""
    counted = (path.with_name(f"{path.name}-{n}") for n in itertools.count(2))
    return next(p for p in itertools.chain([path], counted) if not p.exists())
