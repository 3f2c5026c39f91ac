"""Run the course's notebooks and save what they show: ``python tests/save_outputs.py [--check] [--all] [NOTEBOOK …]``.

Each notebook runs from top to bottom in a fresh kernel with an empty progress folder, and its outputs are saved without
widget state, so that running this twice gives the same bytes. Outputs that differ from run to run (the cells tagged
``nbval-ignore-output``: times, live widgets) are saved anew only when code at or above them has changed, or with
``--all``.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbformat import NotebookNode

NOTEBOOKS = Path(__file__).resolve().parent.parent / "notebooks"

# What a kernel's environment says, here and in the tests: some printed sums depend on the number of threads.
FIXED_ENVIRONMENT = {"OMP_NUM_THREADS": "2", "MKL_NUM_THREADS": "2"}

WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
IGNORED = "nbval-ignore-output"
METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python", "pygments_lexer": "ipython3"},
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("notebooks", nargs="*", type=Path, default=sorted(NOTEBOOKS.glob("*.ipynb")))
    parser.add_argument("--check", action="store_true", help="save nothing, and say which notebooks would change")
    parser.add_argument("--all", action="store_true", help="save anew also what differs from run to run")
    asked = parser.parse_args()
    return max([save(path, write=not asked.check, everything=asked.all) for path in asked.notebooks], default=0)


def save(path: Path, *, write: bool, everything: bool) -> int:
    """Run one notebook and save it. 1 if it failed, or if it has changed and nothing may be written."""
    before = path.read_text("utf-8")
    try:
        after = nbformat.writes(refreshed(nbformat.reads(before, as_version=4), everything=everything)) + "\n"
    except CellExecutionError as error:
        print(f"{path.name}: failed\n{error}")
        return 1
    if after == before:
        print(f"{path.name}: as it was")
        return 0
    print(f"{path.name}: {'saved' if write else 'would change'}")
    if write:
        path.write_text(after, "utf-8", newline="\n")
    return int(not write)


def refreshed(notebook: NotebookNode, *, everything: bool) -> NotebookNode:
    """The notebook as a fresh run leaves it."""
    ran = run(nbformat.from_dict(notebook))
    states = code_states(notebook)
    for old, new in zip(notebook.cells, ran.cells, strict=True):
        tidy(new)
        if new.cell_type == "code" and IGNORED in new.metadata.get("tags", ()):
            new.metadata["ran"] = states[new.id]
            if old.outputs and old.metadata.get("ran") == states[new.id] and not everything:
                new.outputs = old.outputs
    ran.metadata = nbformat.from_dict(METADATA)
    ran.nbformat_minor = max(ran.nbformat_minor, 5)
    return ran


def code_states(notebook: NotebookNode) -> dict[str, str]:
    """For each code cell, a short digest of all code down to and including it."""
    digest = hashlib.sha256()
    states = {}
    for cell in notebook.cells:
        if cell.cell_type == "code":
            digest.update(cell.source.encode() + b"\0")
            states[cell.id] = digest.hexdigest()[:12]
    return states


def run(notebook: NotebookNode) -> NotebookNode:
    with tempfile.TemporaryDirectory(prefix="tutor-data-", ignore_cleanup_errors=True) as progress:
        client = NotebookClient(
            notebook,
            timeout=120,
            kernel_name="python3",
            record_timing=False,
            store_widget_state=False,
            coalesce_streams=True,
            resources={"metadata": {"path": str(NOTEBOOKS)}},
        )
        # Nobody looks on who would rather see a table at once than whole.
        own = {"TUTOR_DATA": progress, "TUTOR_UNATTENDED": "1"}
        client.execute(env={**os.environ, **FIXED_ENVIRONMENT, **own})
    return notebook


def tidy(cell: NotebookNode) -> None:
    """Leave of a cell's metadata the tags, and of its outputs what a reader without a kernel can show."""
    cell.metadata = nbformat.from_dict({"tags": cell.metadata["tags"]} if cell.metadata.get("tags") else {})
    for data in data_of(cell):
        if len(data) > 1:
            data.pop(WIDGET_VIEW, None)


def data_of(cell: NotebookNode) -> Iterator[NotebookNode]:
    """The data of the outputs that have some: what is shown, in several forms."""
    return (output.data for output in cell.get("outputs", ()) if "data" in output)


if __name__ == "__main__":
    sys.exit(main())
