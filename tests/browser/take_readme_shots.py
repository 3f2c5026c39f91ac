"""The pictures in README.md, made anew: ``python tests/browser/take_readme_shots.py [FOLDER]``, else in ``docs``."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.browser.lab import Lab, Sheet, browser, find_chromium
from tests.browser.take_shots import THEMES, WIDTH

DOCS = Path(__file__).resolve().parents[2] / "docs"
_WRONG = 1  # the answer of someone who counts elements and not bytes


def main() -> int:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else DOCS
    executable = find_chromium()
    if executable is None:
        print("no Chromium, Chrome or Edge was found (TUTOR_CHROMIUM=/path/to/it names one)", file=sys.stderr)
        return 1
    folder.mkdir(parents=True, exist_ok=True)
    with browser(executable) as driven:
        for name, theme in THEMES.items():
            with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home, Lab(Path(home), theme) as lab:
                sheet = Sheet(driven.new_context(viewport={"width": WIDTH, "height": 1300}).new_page())
                shoot_reveal(sheet, lab, folder / f"reveal-{name}.png")
                shoot_atlas(sheet, lab, folder / f"atlas-{name}.png")
    return 0


def shoot_reveal(sheet: Sheet, lab: Lab, path: Path) -> None:
    """A prediction of chapter 00, answered wrongly and unfolded."""
    sheet.open(lab.address("00_start_here.ipynb"))
    sheet.run_all()
    asked = sheet.cell("predict-slice-address")
    asked.locator(".tt-choice button").nth(_WRONG).click()
    asked.get_by_role("button", name="Commit").click()
    answer = sheet.cell("reveal-slice-address")
    answer.get_by_text("Not what happened").wait_for()
    answer.scroll_into_view_if_needed()
    sheet.page.mouse.move(0, 0)  # off the controls, which would show as hovered
    answer.screenshot(path=path)


def shoot_atlas(sheet: Sheet, lab: Lab, path: Path) -> None:
    """The whole atlas of chapter 01."""
    sheet.open(lab.address("01_creation_from_data.ipynb"))
    sheet.run_all()
    shown = sheet.cell("whole-atlas").locator(".jp-OutputArea-output").first
    shown.get_by_text("not decided yet.").wait_for(state="detached")
    shown.scroll_into_view_if_needed()
    shown.screenshot(path=path)


if __name__ == "__main__":
    sys.exit(main())
