"""The sharing demo in a real page, with the keyboard alone."""

from __future__ import annotations

import statistics

import nbformat
import pytest
from playwright.sync_api import expect

from tests.browser.lab import Lab, Sheet

NOTEBOOK = "sharing_demo.ipynb"
# Milliseconds from a click until the page has drawn the line of code that the click ran.
_TIMED = """([button, n]) => new Promise(done => {
    const cell = button.closest('.jp-OutputArea-output'), at = performance.now();
    const look = () => cell.querySelector('.tt-lines').textContent !== n
        ? requestAnimationFrame(() => done(performance.now() - at)) : requestAnimationFrame(look);
    button.click(); look();
})"""


@pytest.fixture(scope="module", autouse=True)
def opened(lab: Lab, sheet: Sheet) -> None:
    notebook = nbformat.v4.new_notebook()
    notebook.cells = [nbformat.v4.new_code_cell("from tutor import sharing_demo\nsharing_demo()", id="demo")]
    notebook.metadata = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    nbformat.write(notebook, lab.course / NOTEBOOK)
    sheet.open(lab.address(NOTEBOOK))
    sheet.run_all()


def focused(sheet: Sheet) -> str:
    told: str = sheet.page.evaluate("() => document.activeElement.tagName + ' ' + document.activeElement.innerText")
    return told


def choose(sheet: Sheet, opener: str, down: int) -> None:
    """Open a list of choices and go down in it; while it is closed, JupyterLab takes the arrow keys."""
    sheet.page.keyboard.press(opener)
    sheet.page.wait_for_timeout(300)
    for _ in range(down):
        sheet.page.keyboard.press("ArrowDown")
    sheet.page.keyboard.press("Enter")


def test_every_control_is_reached_and_worked_by_keyboard(sheet: Sheet) -> None:
    cell, keys = sheet.cell("demo"), sheet.page.keyboard
    source, conversion = cell.get_by_label("from"), cell.get_by_label("by")
    source.focus()
    keys.press("Tab")
    keys.press("Tab")
    assert "Write on the source" in focused(sheet)
    keys.press("Enter")
    expect(cell.get_by_role("status")).to_contain_text("The write on source is seen in result.")
    expect(cell.locator("circle.written")).to_have_count(2)
    assert "Write on the source" in focused(sheet), "the keyboard stays where the learner is"
    keys.press("Tab")
    keys.press("Space")
    expect(cell.get_by_role("status")).to_contain_text("you have tried both")
    keys.press("Tab")
    keys.press("Enter")
    expect(cell.get_by_role("status")).to_contain_text("Not written yet.")
    for _ in range(3):
        keys.press("Shift+Tab")
    choose(sheet, "Space", 9)
    expect(conversion).to_have_value(".clone()")
    expect(cell).to_contain_text("has no such method")
    keys.press("Shift+Tab")
    choose(sheet, "Enter", 5)
    expect(source).to_have_value("tensor")
    expect(cell.locator(".tt-lines")).to_contain_text("result = source.clone()")
    expect(cell.get_by_role("img", name="Memory map of source and result")).to_be_visible()


def test_nothing_is_wider_than_the_page_at_1024(sheet: Sheet) -> None:
    boxes = sheet.cell("demo").locator(".tt-sharing")
    assert boxes.evaluate("box => box.scrollWidth <= box.clientWidth")


def test_a_click_brings_a_new_picture(sheet: Sheet, capsys: pytest.CaptureFixture[str]) -> None:
    cell = sheet.cell("demo")
    button, lines = cell.get_by_role("button", name="Write on the source"), cell.locator(".tt-lines")
    times = []
    for _ in range(15):
        before = lines.text_content()
        times.append(button.evaluate("(button, n) => (" + _TIMED + ")([button, n])", before))
    with capsys.disabled():
        print(f"\nsharing_demo, click to picture: median {statistics.median(times):.0f} ms, most {max(times):.0f} ms")
    assert cell.locator("circle.written").count() >= 1
