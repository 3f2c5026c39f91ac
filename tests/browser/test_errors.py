"""`%explain` in a real page: a cell fails, and the next one says why."""

from __future__ import annotations

import nbformat
import pytest
from playwright.sync_api import expect

from tests.browser.lab import Lab, Sheet

NOTEBOOK = "errors.ipynb"
FAILS = """\
import torch
layer = torch.nn.Linear(3, 2)
measurements = torch.ones(4, 3, dtype=torch.float64)
layer(measurements)
"""
CELLS = {"load": "%load_ext tutor", "fails": FAILS, "why": "%explain"}


@pytest.fixture(scope="module", autouse=True)
def opened(lab: Lab, sheet: Sheet) -> None:
    notebook = nbformat.v4.new_notebook()
    notebook.cells = [nbformat.v4.new_code_cell(source, id=name) for name, source in CELLS.items()]
    notebook.metadata = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    nbformat.write(notebook, lab.course / NOTEBOOK)
    sheet.open(lab.address(NOTEBOOK))
    for name in CELLS:
        sheet.run(name)
    sheet.page.set_default_timeout(20_000)


def test_the_cell_that_failed_is_explained_in_the_next(sheet: Sheet) -> None:
    told = sheet.cell("why").locator(".tt")
    expect(told.get_by_text("dtypes differ in Linear")).to_be_visible()
    expect(told.locator(".tt-blamed")).to_have_text("measurements")
    expect(told.get_by_role("row", name="measurements")).to_contain_text("float64")
    expect(told.locator(".tt-ran")).to_have_text("layer(measurements.to(layer.weight.dtype))")
    assert [failure.partition(":")[0] for failure in sheet.failures()] == ["fails"]


def test_it_is_not_wider_than_its_cell_and_does_not_shift_the_page(sheet: Sheet) -> None:
    sheet.page.set_viewport_size({"width": 1024, "height": 900})
    output = sheet.cell("why").locator(".jp-OutputArea-output").last
    told = output.locator(".tt")
    room, wide = output.bounding_box(), told.bounding_box()
    assert room is not None
    assert wide is not None
    assert wide["width"] <= room["width"]
    assert output.evaluate("element => element.scrollWidth <= element.clientWidth")
