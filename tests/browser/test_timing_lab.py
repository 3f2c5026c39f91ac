"""The timing lab in a real page: run, watch, stop, the keyboard alone, what is copied, and that nothing else waits."""

from __future__ import annotations

import re

import nbformat
import pytest
from playwright.sync_api import Locator, expect

from tests.browser.lab import Lab, Sheet

NOTEBOOK = "timing.ipynb"
CELLS = {
    "lab": "from tutor import timing_lab\nlab = timing_lab(budget=0.05)\nlab",
    "names": "mine = 3",
    "own": 'timing_lab("own", budget=0.02)',
}
_WIDTHS = "cell => [...cell.querySelectorAll('.jp-OutputArea-output')].map(n => [n.clientWidth, n.scrollWidth])"


def write_notebook(folder: object, cells: dict[str, str] = CELLS) -> None:
    notebook = nbformat.v4.new_notebook()
    notebook.cells = [nbformat.v4.new_code_cell(source, id=name) for name, source in cells.items()]
    notebook.metadata = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    nbformat.write(notebook, f"{folder}/{NOTEBOOK}")


@pytest.fixture(scope="module", autouse=True)
def opened(lab: Lab, sheet: Sheet) -> None:
    write_notebook(lab.course)
    sheet.open(lab.address(NOTEBOOK))
    sheet.run_all()
    sheet.page.set_default_timeout(30_000)


def named(cell: Locator, name: str) -> Locator:
    return cell.get_by_role("button", name=name, exact=True)


def focused(sheet: Sheet) -> str:
    told: str = sheet.page.evaluate(
        "() => { const at = document.activeElement; const label = at.labels && at.labels[0];"
        " return (label && label.innerText) || at.getAttribute('role') || at.innerText || at.tagName; }"
    )
    return told.strip()


def test_points_arrive_while_it_runs_and_stop_ends_it(sheet: Sheet) -> None:
    cell = sheet.cell("lab")
    expect(cell.get_by_role("row", name=re.compile(r"set-up, not timed a = torch\.arange"))).to_be_visible()
    named(cell, "Run").click()
    expect(cell.get_by_role("progressbar", name="points measured")).to_be_visible()
    picture = cell.get_by_role("img", name="list, array, from_numpy: time per call by elements")
    expect(picture).to_be_visible()
    expect(picture).to_contain_text("measuring")
    named(cell, "Stop").click()
    expect(named(cell, "Run again")).to_be_visible()
    expect(cell.get_by_text(re.compile("points? measured"))).to_be_visible()
    expect(picture).not_to_contain_text("measuring")


def test_a_cell_runs_during_a_run(sheet: Sheet) -> None:
    cell = sheet.cell("lab")
    named(cell, "Run again").click()
    expect(named(cell, "Stop")).to_be_visible()
    sheet.write("names", "mine = 4\nprint('ran with', mine)")
    sheet.run("names")
    expect(sheet.cell("names")).to_contain_text("ran with 4")
    expect(named(cell, "Stop")).to_be_visible()
    expect(cell).to_contain_text("run 2")
    named(cell, "Stop").click()
    expect(named(cell, "Run again")).to_be_visible()
    expect(cell).to_contain_text("run 2")


def test_the_numbers_stay_open_while_points_arrive(sheet: Sheet) -> None:
    cell = sheet.cell("lab")
    cell.get_by_role("button", name=re.compile("^show the numbers")).click()
    rows = cell.locator(".tt-points tbody tr")
    expect(rows.first).to_be_visible()
    named(cell, "Clear").click()
    expect(rows).to_have_count(0)
    named(cell, "Run").click()
    expect(rows.nth(7)).to_be_visible()
    named(cell, "Stop").click()
    cell.get_by_role("button", name=re.compile("^hide the numbers")).click()
    expect(rows.first).to_be_hidden()


def test_a_line_of_ones_own_reads_the_notebooks_names(sheet: Sheet) -> None:
    cell = sheet.cell("own")
    line = cell.get_by_label("your line, in your notebook's names")
    line.fill("x * mine")
    named(cell, "Run").click()
    expect(named(cell, "Run again")).to_be_visible()
    expect(cell.get_by_role("img")).to_contain_text("x * mine")
    line.fill("x * <i>")
    named(cell, "Run again").click()
    expect(cell.get_by_role("alert")).to_contain_text("The line cannot be read: invalid syntax at 'x * <i>'.")
    line.fill("x + mine")
    named(cell, "Run again").click()
    expect(cell.get_by_role("img")).to_contain_text("x + mine")
    expect(cell.get_by_role("alert")).to_have_count(0)


def test_every_control_is_reached_and_used_by_the_keyboard(sheet: Sheet) -> None:
    cell, keys = sheet.cell("lab"), sheet.page.keyboard
    expect(named(cell, "Run again")).to_be_visible()
    cell.get_by_label("experiment").focus()
    seen = [focused(sheet)]
    for _ in range(9):
        keys.press("Tab")
        seen.append(focused(sheet))
    wanted = ["experiment", "sizes from", "up to", "dtype", "Run again", "Clear", "Copy as code", "Save as CSV"]
    assert seen[: len(wanted)] == wanted
    assert seen[8].startswith("show the numbers")
    assert seen[9] == "show the code"
    for label, way, wanted_value in (("dtype", ["ArrowDown"], "float64"), ("up to", ["ArrowUp"] * 8, "1,000")):
        chosen = cell.get_by_role("combobox", name=label, exact=True)
        chosen.focus()
        for key in ("Space", *way, "Enter"):
            keys.press(key)
            sheet.page.wait_for_timeout(200)  # the list opens and closes outside of the page
        expect(chosen).to_have_value(wanted_value)
    named(cell, "Run again").focus()
    keys.press("Enter")
    expect(named(cell, "Stop")).to_be_visible()
    assert focused(sheet) in ("Stop", "Run again"), "the keyboard stays where the learner is"
    expect(named(cell, "Run again")).to_be_visible()


def test_the_code_is_put_on_the_clipboard(sheet: Sheet) -> None:
    cell = sheet.cell("lab")
    sheet.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    named(cell, "Copy as code").click()
    expect(named(cell, "Copied")).to_be_visible()
    copied: str = sheet.page.evaluate("() => navigator.clipboard.readText()")
    assert "from tutor import race" in copied
    assert "from_numpy=lambda: torch.from_numpy(a)," in copied
    assert "for n in (100, 316, 1_000):" in copied


def test_the_file_lies_beside_the_notebook(sheet: Sheet, lab: Lab) -> None:
    cell = sheet.cell("lab")
    named(cell, "Save as CSV").click()
    expect(cell.get_by_role("status").filter(has_text="timing_sources.csv")).to_be_visible()
    assert (lab.course / "timing_sources.csv").read_text("utf-8").startswith("experiment,line,code,")


def test_an_experiment_for_an_accelerator_says_what_is_missing(sheet: Sheet) -> None:
    cell = sheet.cell("lab")
    cell.get_by_label("experiment").select_option(label="pinned, non_blocking")
    expect(cell.get_by_role("row", name=re.compile(r"pinned?|p\.to\(device\)")).first).to_be_visible()
    if "device" not in cell.inner_text():
        named(cell, "Run").click()
        expect(cell.get_by_role("alert")).to_contain_text("needs an accelerator")
    cell.get_by_label("experiment").select_option(label="list, array, from_numpy")
    expect(cell.get_by_role("img")).to_be_visible()


def test_nothing_is_wider_than_its_cell(sheet: Sheet) -> None:
    for name in ("lab", "own"):
        for room, needed in sheet.cell(name).evaluate(_WIDTHS):
            assert needed <= room, name
