"""Every chapter runs from top to bottom in JupyterLab, without an error in it or in the browser's console."""

from __future__ import annotations

import pytest

from tests.browser.lab import Lab, Sheet
from tests.browser.test_learner import NOTEBOOK as TRIED_BY_A_LEARNER
from tutor.workspace import course_source

CHAPTERS = sorted({path.name for path in course_source().glob("*.ipynb")} - {TRIED_BY_A_LEARNER})


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_run_all(lab: Lab, sheet: Sheet, chapter: str) -> None:
    sheet.open(lab.address(chapter))
    sheet.run_all()
