"""Pictures of the course to look at: ``python tests/browser/take_shots.py FOLDER [NOTEBOOK …]``.

For each chapter, in JupyterLab's light and dark theme: one picture of the whole chapter after Run All, and one of each
cell with an output. What happened is folded in the first, and unfolded in those of the cells.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.browser.lab import Lab, Sheet, browser, find_chromium
from tutor.workspace import course_source

THEMES = {"light": "JupyterLab Light", "dark": "JupyterLab Dark"}
WIDTH = 1024
_TO_THE_TOP = """() => {
    window.jupyterapp.shell.currentWidget.content.activeCellIndex = 0;
    document.querySelector('.jp-WindowedPanel-outer').scrollTop = 0;
}"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("notebooks", nargs="*", default=sorted(path.name for path in course_source().glob("*.ipynb")))
    asked = parser.parse_args()
    executable = find_chromium()
    if executable is None:
        print("no Chromium, Chrome or Edge was found (TUTOR_CHROMIUM=/path/to/it names one)", file=sys.stderr)
        return 1
    asked.folder.mkdir(parents=True, exist_ok=True)
    with browser(executable) as driven:
        for name, theme in THEMES.items():
            with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home, Lab(Path(home), theme) as lab:
                for notebook in asked.notebooks:
                    shoot(driven, lab, notebook, asked.folder, name)
    return 0


def shoot(driven: Browser, lab: Lab, notebook: str, folder: Path, theme: str) -> None:
    """All pictures of one chapter in one theme."""
    context = driven.new_context(viewport={"width": WIDTH, "height": 1400})
    sheet = Sheet(context.new_page())
    sheet.open(lab.address(notebook))
    sheet.run_all()
    stem = notebook.partition("_")[0]
    whole(sheet, folder / f"{stem}-{theme}.png")
    for cell in sheet.ids():
        unfold(sheet, cell)
        shown = sheet.cell(cell)
        if shown.locator(".jp-OutputArea-output").count():
            shown.scroll_into_view_if_needed()
            shown.screenshot(path=folder / f"{stem}-{cell}-{theme}.png")
    print(f"{notebook} {theme}: {len(sheet.complaints)} complaints in the console")
    context.close()


def unfold(sheet: Sheet, cell: str) -> None:
    """Ask to see what happened, where it is folded."""
    button = sheet.cell(cell).get_by_role("button", name="Show me anyway")
    if button.count():
        button.click()
        button.wait_for(state="hidden")


def whole(sheet: Sheet, path: Path) -> None:
    """The chapter from top to bottom, in a window as high as it is."""
    height = sheet.page.evaluate("() => document.querySelector('.jp-WindowedPanel-inner').scrollHeight")
    sheet.page.set_viewport_size({"width": WIDTH, "height": min(int(height) + 200, 16_000)})
    sheet.page.evaluate(_TO_THE_TOP)
    sheet.page.wait_for_timeout(500)
    sheet.page.screenshot(path=path)
    sheet.page.set_viewport_size({"width": WIDTH, "height": 1400})


if __name__ == "__main__":
    sys.exit(main())
