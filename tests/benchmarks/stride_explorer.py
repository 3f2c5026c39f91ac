"""From a click in the stride explorer to the new picture, in a real JupyterLab in a browser.

Run as ``python tests/benchmarks/stride_explorer.py``. Prints; asserts nothing. Needs Chromium, Chrome or Edge.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from statistics import median, quantiles

from playwright.sync_api import Locator

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.browser.lab import Lab, Sheet, browser, find_chromium
from tests.browser.test_strides import NOTEBOOK, write_notebook

CLICKS = ("transpose", "step", "view", "reshape", "undo", "expand", "contiguous", "undo", "undo", "undo", "undo")
ROUNDS = 4

# Milliseconds until the picture has changed and the page has been painted with it.
_MEASURE = """(button) => new Promise(resolve => {
    const output = button.closest('.tt-explorer');
    let start = 0;
    const watch = new MutationObserver(changes => {
        const drawn = changes.some(c => [...c.addedNodes].some(n => n.querySelector?.('.tt-svg')));
        if (drawn) {
            watch.disconnect();
            requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - start)));
        }
    });
    watch.observe(output, {childList: true, subtree: true});
    start = performance.now();
    button.click();
})"""


def clicks(cell: Locator) -> list[tuple[str, float]]:
    """What each click took."""
    seen = []
    for name in CLICKS * ROUNDS:
        button = cell.get_by_role("button", name=name, exact=True)
        seen.append((name, float(button.evaluate(_MEASURE))))
        cell.page.wait_for_timeout(150)  # a person does not click faster
    return seen


def main() -> int:
    """Print the median over all clicks, and that of each button."""
    executable = find_chromium()
    if executable is None:
        print("no Chromium, Chrome or Edge was found (TUTOR_CHROMIUM=/path/to/it names one)", file=sys.stderr)
        return 1
    with (
        browser(executable) as driven,
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home,
        Lab(Path(home)) as lab,
    ):
        write_notebook(lab.course)
        sheet = Sheet(driven.new_page(viewport={"width": 1024, "height": 1200}))
        sheet.open(lab.address(NOTEBOOK))
        sheet.run_all()
        seen = clicks(sheet.cell("explorer"))
    times = [time for _, time in seen]
    low, _, high = quantiles(times, n=4)
    print(
        f"{len(times)} clicks: {median(times):.0f} ms in the median, {low:.0f} to {high:.0f} ms the middle half,",
        end=" ",
    )
    print(f"{max(times):.0f} ms at most")
    for name in dict.fromkeys(CLICKS):
        print(f"  {name}: {median(time for other, time in seen if other == name):.0f} ms")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
