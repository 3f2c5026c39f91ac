"""Loss curves in a real page: drawn while the training runs, and one picture afterwards."""

from __future__ import annotations

import nbformat
import pytest
from playwright.sync_api import expect

from tests.browser.lab import Lab, Sheet

NOTEBOOK = "curves.ipynb"
LOOPS = """\
import time
from tutor import loss_curves
def train(pause):
    for i in range(60):
        time.sleep(pause)
        yield 0.9**i
"""
CELLS = {"loops": LOOPS, "run": "loss_curves(slow=train(0.05), quick=train(0))"}


@pytest.fixture(scope="module", autouse=True)
def opened(lab: Lab, sheet: Sheet) -> None:
    notebook = nbformat.v4.new_notebook()
    notebook.cells = [nbformat.v4.new_code_cell(source, id=name) for name, source in CELLS.items()]
    notebook.metadata = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    nbformat.write(notebook, lab.course / NOTEBOOK)
    sheet.open(lab.address(NOTEBOOK))
    sheet.run("loops")
    sheet.page.set_default_timeout(20_000)


def test_a_run_is_drawn_while_it_lasts_and_leaves_one_picture(sheet: Sheet) -> None:
    cell = sheet.cell("run")
    cell.locator(".cm-content").click()
    sheet.page.keyboard.press("Shift+Enter")
    expect(cell.get_by_text("slow (1 of 2), step")).to_be_visible()
    expect(cell.get_by_role("img", name="The loss of 1 training run, step by step")).to_be_visible()
    expect(cell.get_by_text("[*]:")).to_be_visible()  # it still runs
    sheet.wait_until_idle()
    expect(cell.get_by_text("Trained: slow, quick.")).to_be_visible()
    expect(cell.get_by_role("img", name="The loss of 2 training runs, step by step")).to_have_count(1)
    assert sheet.failures() == []
