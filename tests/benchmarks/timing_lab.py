"""The timing lab in a real JupyterLab: how long Stop takes, another widget's click during a run, and what runs leave.

Run as ``python tests/benchmarks/timing_lab.py``. Prints; asserts nothing. Needs Chromium, Chrome or Edge.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from statistics import median, quantiles

import nbformat
from playwright.sync_api import Locator

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.browser.lab import Lab, Sheet, browser, find_chromium

NOTEBOOK = "timing.ipynb"
STOPS, CLICKS, RUNS = 24, 60, 50
CELLS = {
    "lab": "from tutor import timing_lab\nlab = timing_lab()\nlab",
    "other": (
        "import ipywidgets as w\nbutton, shown, count = w.Button(description='count'), w.Label('0'), 0\n"
        "def clicked(_):\n    global count\n    count += 1\n    shown.value = str(count)\n"
        "button.on_click(clicked)\nw.HBox([button, shown])"
    ),
    "left": (
        "import asyncio, gc, os, threading\ngc.collect()\n"
        "pages = int(open('/proc/self/statm').read().split()[1]) if os.path.exists('/proc/self/statm') else 0\n"
        "print('left:', threading.active_count(), len(asyncio.all_tasks()), pages * 4096)"
    ),
}

# Milliseconds from a click to the text that answers it, as painted.
_UNTIL = """([button, selector, wanted]) => new Promise(resolve => {
    const seen = () => [...document.querySelectorAll(selector)].some(n => new RegExp(wanted).test(n.innerText.trim()));
    const start = performance.now();
    const watch = new MutationObserver(() => {
        if (!seen()) return;
        watch.disconnect();
        requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - start)));
    });
    watch.observe(document.body, {childList: true, subtree: true, characterData: true, attributes: true});
    button.click();
})"""


def told(name: str, times: list[float]) -> None:
    low, _, high = quantiles(times, n=4)
    half = f"{low:.0f} to {high:.0f} ms the middle half, {max(times):.0f} ms at most"
    print(f"{name}: {median(times):.0f} ms in the median of {len(times)}, {half}", flush=True)


def go(cell: Locator) -> Locator:
    return cell.locator("button.tt-go")


def until(sheet: Sheet, button: Locator, selector: str, wanted: str) -> float:
    return float(sheet.page.evaluate(_UNTIL, [button.element_handle(), selector, wanted]))


def stops(sheet: Sheet, cell: Locator) -> list[float]:
    """Run, wait some time, stop."""
    seen = []
    for i in range(STOPS):
        go(cell).click()
        cell.get_by_role("button", name="Stop", exact=True).wait_for()
        sheet.page.wait_for_timeout(150 + 130 * i)
        if go(cell).inner_text() != "Stop":
            break
        seen.append(until(sheet, go(cell), "button.tt-go", "^Run"))
        cell.get_by_role("button", name="Clear").click()
        sheet.page.wait_for_timeout(100)
    return seen


def clicks(sheet: Sheet, cell: Locator) -> list[float]:
    """Clicks on another widget while the lab runs."""
    other = sheet.cell("other").get_by_role("button", name="count")
    shown = 0
    seen = []
    go(cell).click()
    while len(seen) < CLICKS:
        if go(cell).inner_text() != "Stop":
            cell.get_by_role("button", name="Clear").click()
            go(cell).click()
            cell.get_by_role("button", name="Stop", exact=True).wait_for()
        sheet.page.wait_for_timeout(120)
        shown += 1
        seen.append(until(sheet, other, ".widget-label", f"^{shown}$"))
    go(cell).click()
    cell.get_by_role("button", name="Run again").wait_for()
    return seen


def left(sheet: Sheet) -> tuple[int, int, int]:
    """Threads, tasks and resident bytes of the kernel."""
    sheet.run("left")
    words = sheet.cell("left").locator(".jp-OutputArea-output").inner_text().split()
    threads, tasks, size = (int(word) for word in words[-3:])
    return threads, tasks, size


def many_runs(sheet: Sheet, cell: Locator) -> None:
    """Fifty short runs, and what is there afterwards."""
    sheet.write("lab", "from tutor import timing_lab\nlab = timing_lab(budget=0.01)\nlab")
    sheet.run("lab")
    warm = 5
    for i in range(RUNS + warm):
        if i == warm:
            before = left(sheet)
        go(cell).click()
        cell.get_by_role("button", name="Stop", exact=True).wait_for()
        cell.get_by_role("button", name="Run again").wait_for(timeout=120_000)
        cell.get_by_role("button", name="Clear").click()
    after = left(sheet)
    grown = (after[2] - before[2]) / 2**20
    print(f"after {RUNS} runs: threads {before[0]} -> {after[0]}, tasks {before[1]} -> {after[1]}, {grown:+.1f} MiB")


def main() -> int:
    """Print all three."""
    executable = find_chromium()
    if executable is None:
        print("no Chromium, Chrome or Edge was found (TUTOR_CHROMIUM=/path/to/it names one)", file=sys.stderr)
        return 1
    with (
        browser(executable) as driven,
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home,
        Lab(Path(home)) as lab,
    ):
        notebook = nbformat.v4.new_notebook()
        notebook.cells = [nbformat.v4.new_code_cell(source, id=name) for name, source in CELLS.items()]
        notebook.metadata = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
        nbformat.write(notebook, lab.course / NOTEBOOK)
        sheet = Sheet(driven.new_page(viewport={"width": 1024, "height": 1400}))
        sheet.open(lab.address(NOTEBOOK))
        sheet.run_all()
        cell = sheet.cell("lab")
        load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
        told(f"Stop{load}", stops(sheet, cell))
        load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
        told(f"another widget's click during a run{load}", clicks(sheet, cell))
        many_runs(sheet, cell)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
