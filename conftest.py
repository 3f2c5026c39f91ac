"""How every test of the course runs, the notebooks' cells among them."""

from __future__ import annotations

import atexit
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from nbval.plugin import IPyNbFile

from tests.save_outputs import FIXED_ENVIRONMENT
from tutor.course.journal import Journal


def temporary_folder() -> str:
    """A folder for progress, gone when the tests are."""
    folder = tempfile.mkdtemp(prefix="tutor-data-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


pytest.register_assert_rewrite("tests.browser.lab")

os.environ.update(FIXED_ENVIRONMENT)
# IPython warns where another environment is activated than the one it runs in.
os.environ.pop("VIRTUAL_ENV", None)
# No test reads or writes the progress of whoever runs it.
os.environ["TUTOR_DATA"] = temporary_folder()

collect_ignore = [
    "tests/benchmarks",
    "tests/save_outputs.py",
    "tests/browser/take_shots.py",
    "tests/browser/take_readme_shots.py",
]


class CourseNotebook(IPyNbFile):
    """A notebook of the course: its cells as nbval runs and compares them, then the predictions that they decided."""

    def collect(self) -> Iterator[pytest.Item]:
        yield from super().collect()
        yield Predictions.from_parent(self, name="predictions")

    def setup(self) -> None:
        """Start the kernel with an empty progress folder of its own."""
        self.progress = Path(temporary_folder())
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("TUTOR_DATA", str(self.progress))
            super().setup()


class Predictions(pytest.Item):
    """What the notebook observed for each of its predictions is one of the answers that a learner can choose."""

    def runtest(self) -> None:
        asked = set(re.findall(r'reveal\(\s*"([^"]+)"', "\n".join(cell.source for cell in self.parent.nb.cells)))
        seen = Journal(self.parent.progress / "progress").events("observed")
        unlisted = [f"{event['key']}: {event['value']}" for event in seen if event["label"] is None]
        assert unlisted == [], "observed, but no answer to choose"
        assert asked - {event["key"] for event in seen} == set(), "never observed"

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, 0, f"{self.path.name}::{self.name}"


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> Iterator[None]:
    """Let nbval collect notebooks as it does, with our additions."""
    found = yield
    return [CourseNotebook.from_parent(parent, path=file_path) if isinstance(f, IPyNbFile) else f for f in found]
