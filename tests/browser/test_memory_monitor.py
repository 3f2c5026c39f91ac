"""The memory monitor in a real page: it watches while a cell runs, its buttons run real lines, and it ends."""

from __future__ import annotations

import re

import nbformat
import pytest
from playwright.sync_api import expect

from tests.browser.lab import Lab, Sheet

NOTEBOOK = "monitor.ipynb"
CELLS = {
    "monitor": "from tutor import memory_monitor\nmonitor = memory_monitor(64)\nmonitor",
    "works": (
        "import time, torch\nheld = torch.ones(2**25)\n"
        "time.sleep(2.5)  # the page must not wait for this\nlen(monitor.trace.readings) > 15"
    ),
    "frees": "del held",
}


@pytest.fixture(scope="module", autouse=True)
def opened(lab: Lab, sheet: Sheet) -> None:
    notebook = nbformat.v4.new_notebook()
    notebook.cells = [nbformat.v4.new_code_cell(source, id=name) for name, source in CELLS.items()]
    notebook.metadata = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    nbformat.write(notebook, lab.course / NOTEBOOK)
    sheet.open(lab.address(NOTEBOOK))
    sheet.page.set_default_timeout(20_000)
    sheet.run("monitor")


def test_a_running_cell_is_watched_and_then_told_with_what_it_changed(sheet: Sheet) -> None:
    shown = sheet.cell("monitor")
    sheet.page.evaluate(
        "async index => { const nb = window.jupyterapp.shell.currentWidget.content; nb.activeCellIndex = index;"
        " window.jupyterapp.commands.execute('notebook:run-cell'); }",
        sheet.index("works"),
    )
    row = shown.get_by_role("row", name=re.compile("import time, torch"))
    expect(row).to_contain_text("runs")
    sheet.wait_until_idle()
    assert sheet.cell("works").locator(".jp-OutputArea-output").inner_text().strip() == "True"
    expect(row).to_contain_text("[2]")
    expect(row).to_contain_text("+12")
    sheet.run("frees")
    expect(shown.get_by_role("row", name=re.compile("del held"))).to_contain_text("−128")
    assert sheet.failures() == []


def test_the_buttons_run_a_line_each_and_say_what_it_did(sheet: Sheet) -> None:
    shown = sheet.cell("monitor")
    allocate = shown.get_by_role("button", name="x = torch.empty(16_777_216)  # 64 MiB")
    write, delete = (shown.get_by_role("button", name=name) for name in ("x.fill_(1)", "del x"))
    expect(write).to_be_disabled()
    allocate.focus()
    sheet.page.keyboard.press("Enter")
    expect(write).to_be_enabled()
    write.click()
    expect(shown.get_by_role("status")).to_contain_text("x.fill_(1): the process holds 64")
    delete.click()
    expect(shown.get_by_role("status")).to_contain_text("del x: the process holds 64")
    expect(shown.get_by_role("status")).to_contain_text("less")
    expect(write).to_be_disabled()
    shown.get_by_role("button", name="torch.cuda.empty_cache()").click()
    expect(shown.get_by_role("status")).to_contain_text("torch.cuda.empty_cache(): the process holds as much as before")


def test_it_pauses_goes_on_and_is_cleared(sheet: Sheet) -> None:
    shown = sheet.cell("monitor")
    shown.get_by_role("button", name="Pause").click()
    expect(shown.get_by_role("button", name="Go on")).to_be_visible()
    shown.get_by_role("button", name="Go on").click()
    expect(shown.get_by_role("button", name="Pause")).to_be_visible()
    shown.get_by_role("button", name="Clear").click()
    expect(shown).to_contain_text("what it changed is told here")


def test_it_is_not_wider_than_its_cell(sheet: Sheet) -> None:
    widths = sheet.cell("monitor").evaluate(
        "cell => [...cell.querySelectorAll('.jp-OutputArea-output')].map(n => [n.clientWidth, n.scrollWidth])"
    )
    assert all(needed <= there for there, needed in widths)


def test_the_cell_that_stops_it_has_its_own_number_and_ends(sheet: Sheet) -> None:
    sheet.write("frees", "monitor.stop()")
    sheet.run("frees")
    sheet.write("frees", "monitor.start()")
    sheet.run("frees")
    row = sheet.cell("monitor").get_by_role("row", name=re.compile(r"monitor\.stop\(\)"))
    number = sheet.page.evaluate(
        "index => window.jupyterapp.shell.currentWidget.content.model.cells.get(index).executionCount",
        sheet.index("frees"),
    )
    expect(row).to_contain_text(f"[{number - 1}]")
    expect(row).not_to_contain_text("runs")


def test_a_new_one_ends_the_one_before(sheet: Sheet) -> None:
    sheet.write(
        "works",
        "import threading\nmonitor = memory_monitor(1)\n"
        "[t.name for t in threading.enumerate()].count('tutor-memory-watch')",
    )
    sheet.run("works")
    assert sheet.cell("works").locator(".jp-OutputArea-output").last.inner_text().strip() == "1"
    expect(sheet.cell("monitor").get_by_role("button", name="Go on")).to_be_visible()
