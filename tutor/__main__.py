"""``python -m tutor``: lay a working copy of the course and open it in JupyterLab; also the tools of its keepers."""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote

import tutor
from tutor import workspace

_ABOUT = f"""\
Lay a working copy of the course in the folder {workspace.COURSE_FOLDER}, and open it in JupyterLab at chapter 00.
What you have changed there is never touched: a newer version of a notebook is laid beside yours."""

_WORDS = """\
words:
  (none)   lay the course, and open it
  reset    lay fresh notebooks, and keep yours in a dated folder beside them
  claims   decide on this machine what the course teaches; claims --help says more
  record   record the experiments and claims of a GPU; record --help says more

All that follows -- goes to JupyterLab, as in: python -m tutor -- --port=9999"""


_TOOLS = {"claims": "tutor.course.auditing", "record": "tutor.course.recording"}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command that the arguments ask for.

    Parameters
    ----------
    arguments
        What stands after ``python -m tutor``; by default taken from the command line.

    Returns
    -------
    int
        0 if all went well, 1 if the course could not be laid or opened, or if a claim is not as taught. Arguments
        that are not understood end the program with 2.
    """
    given = sys.argv[1:] if arguments is None else arguments
    if given and given[0] in _TOOLS:
        return int(importlib.import_module(_TOOLS[given[0]]).main(given[1:]))
    ours, for_lab = _split(given)
    asked = _parser().parse_args(ours)
    folder = workspace.course_folder(asked.folder.absolute())
    try:
        if asked.word == "reset":
            return _reset(folder)
        return _open(folder, asked, for_lab)
    except OSError as error:
        return _fail(_reason(error, folder))


def _split(arguments: Sequence[str]) -> tuple[list[str], list[str]]:
    """Ours, and those after ``--``."""
    arguments = list(arguments)
    end = arguments.index("--") if "--" in arguments else len(arguments)
    return arguments[:end], arguments[end + 1 :]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tutor",
        description=_ABOUT,
        epilog=_WORDS,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("word", nargs="?", choices=["reset"], metavar="word", help="what to do, see below")
    parser.add_argument("--folder", type=Path, default=Path(), metavar="DIR", help="lay it under DIR, not here")
    parser.add_argument("--lay-only", action="store_true", help="lay the working copy, and open nothing")
    parser.add_argument("--no-browser", action="store_true", help="start JupyterLab, and print its address only")
    parser.add_argument("--version", action="version", version=f"Tensor Tutor {tutor.__version__}")
    return parser


def _open(folder: Path, asked: argparse.Namespace, for_lab: list[str]) -> int:
    done = workspace.lay(folder, version=tutor.__version__)
    workspace.trust([folder / name for name in done.written if name.endswith(".ipynb")])
    print(_account(done))
    if asked.lay_only:
        return 0
    return _jupyterlab(folder, [*(["--no-browser"] if asked.no_browser else []), *for_lab])


def _account(done: workspace.Laying) -> str:
    lines = [f"The course is in {done.folder}"]
    if done.refreshed:
        lines.append(f"Brought up to date: {', '.join(done.refreshed)}")
    lines += [
        f"{yours} stays as you changed it; the course's newer version is {new}" for yours, new in done.beside.items()
    ]
    return "\n".join(lines)


def _reset(folder: Path) -> int:
    kept = workspace.reset(folder, version=tutor.__version__)
    workspace.trust(sorted(folder.glob("*.ipynb")))
    print(f"Fresh notebooks are in {folder}")
    if kept:
        print(f"Yours are in {kept}")
    return 0


def _jupyterlab(folder: Path, arguments: list[str]) -> int:
    """Run JupyterLab in this process until its user ends it, in a workspace of its own."""
    try:
        jupyterlab = importlib.import_module("jupyterlab.labapp")  # only there with the extra "lab"
    except ModuleNotFoundError:
        return _fail(
            "JupyterLab is not installed for this Python. Install it with "
            f"{Path(sys.executable).name} -m pip install jupyterlab, or open the notebooks with another program."
        )
    _prefer_saved_widgets()
    os.chdir(folder)
    opened = f"/lab/workspaces/tensor-tutor/tree/{quote(workspace.first_notebook())}"
    jupyterlab.main([f"--ServerApp.root_dir={folder}", f"--LabApp.default_url={opened}", *arguments])
    return 0


def _prefer_saved_widgets() -> None:
    """Let JupyterLab save what widgets show, so that a notebook opened the next day has no error in their place.

    A default for this run alone: settings that the user has made stay, and win.
    """
    ours = str(Path(__file__).resolve().parent / "jupyter")
    others = os.environ.get("JUPYTER_CONFIG_PATH")
    os.environ["JUPYTER_CONFIG_PATH"] = os.pathsep.join([ours, others] if others else [ours])


def _reason(error: OSError, folder: Path) -> str:
    if isinstance(error, workspace.CourseMissingError):
        return str(error)
    return (
        f"cannot lay the course in {folder}: {error.strerror or error}. "
        "Go to a folder that you may write to, or name one with --folder."
    )


def _fail(reason: str) -> int:
    print(f"tensor-tutor: {reason}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
