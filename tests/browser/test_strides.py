"""The layout of a tensor and the stride explorer in a real page: pointer, keyboard, and what is copied from it."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
import torch
from playwright.sync_api import Locator, expect

from tests.browser.lab import Lab, Sheet
from tutor import layout_diagram
from tutor._inspecting.names import shape_text
from tutor._striding.exploring import Exploration
from tutor._striding.operations import OPERATIONS

NOTEBOOK = "strides.ipynb"
SAVED = "saved.ipynb"
CELLS = {
    "layout": "import torch\nfrom tutor import layout_diagram\nt = torch.arange(12.0).reshape(3, 4)\n"
    "layout_diagram(t.T, name='t.T')",
    "repeated": "layout_diagram(torch.arange(3).expand(4, 3))",
    "explorer": "from tutor import stride_explorer\nstride_explorer(t)",
}


def write_notebook(folder: Path) -> None:
    """A notebook of these cells, and one that shows a saved output and is not trusted."""
    saved = nbformat.v4.new_notebook()
    shown = nbformat.v4.new_output("display_data", {"text/html": layout_diagram(torch.zeros(2, 3))._repr_html_()})
    saved.cells = [nbformat.v4.new_code_cell("x", id="saved", outputs=[shown])]
    saved.metadata = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    nbformat.write(saved, folder / SAVED)
    notebook = nbformat.v4.new_notebook()
    notebook.cells = [nbformat.v4.new_code_cell(source, id=name) for name, source in CELLS.items()]
    notebook.metadata = saved.metadata
    nbformat.write(notebook, folder / NOTEBOOK)


@pytest.fixture(scope="module", autouse=True)
def opened(lab: Lab, sheet: Sheet) -> None:
    write_notebook(lab.course)
    sheet.open(lab.address(NOTEBOOK))
    sheet.run_all()
    sheet.page.set_default_timeout(20_000)


def sums(cell: Locator) -> list[str]:
    """The sums that are in sight."""
    said: list[str] = cell.locator(".say").evaluate_all(
        "nodes => nodes.filter(n => getComputedStyle(n).visibility === 'visible').map(n => n.textContent)"
    )
    return said


def lit(cell: Locator) -> list[str]:
    """The places whose boxes are thickened, by the number that stands in them."""
    places: list[str] = cell.locator(".box").evaluate_all(
        "nodes => nodes.filter(n => getComputedStyle(n).stroke !== 'none').map(n => n.nextElementSibling.textContent)"
    )
    return places


def focused(sheet: Sheet) -> str:
    told: str = sheet.page.evaluate(
        "() => { const at = document.activeElement; return at.getAttribute('aria-label')"
        " || at.labels?.[0]?.innerText || at.innerText || at.tagName; }"
    )
    return told


def tab_to(sheet: Sheet, name: str, key: str = "Tab") -> None:
    for _ in range(40):
        if focused(sheet) == name:
            return
        sheet.page.keyboard.press(key)
    raise AssertionError(f"{key} never comes to {name}, but to {focused(sheet)}")


def test_one_element_is_lit_at_first(sheet: Sheet) -> None:
    cell = sheet.cell("layout")
    assert sums(cell) == ["t.T[2, 1] is at 0 + 2·1 + 1·4 = 6, byte 24"]
    assert lit(cell) == ["6", "6"]


def test_hovering_over_either_side_lights_both(sheet: Sheet) -> None:
    cell = sheet.cell("layout")
    groups = cell.locator(".cell")
    for box in (groups.nth(1).locator(".one .box"), groups.nth(1).locator("> .box")):
        box.hover()
        assert sums(cell) == ["t.T[0, 1] is at 0 + 0·1 + 1·4 = 4, byte 16"]
        assert lit(cell) == ["4", "4"]
        sheet.page.mouse.move(5, 5)
        assert sums(cell) == ["t.T[2, 1] is at 0 + 2·1 + 1·4 = 6, byte 24"]


def test_tab_goes_from_element_to_element(sheet: Sheet) -> None:
    cell = sheet.cell("layout")
    cell.locator(".one").first.focus()
    for index, place in (("0, 0", 0), ("0, 1", 4), ("0, 2", 8), ("1, 0", 1)):
        (said,) = sums(cell)
        assert said.startswith(f"t.T[{index}] is at ")
        assert focused(sheet).startswith(said)
        assert lit(cell) == [str(place)] * 2
        sheet.page.keyboard.press("Tab")
    sheet.page.keyboard.press("Shift+Tab")
    assert sums(cell)[0].startswith("t.T[1, 0]")


def test_a_place_with_several_elements_lights_them_all(sheet: Sheet) -> None:
    cell = sheet.cell("repeated")
    cell.locator(".cell").nth(2).locator("> .box").hover()
    assert lit(cell) == ["2"] * 5
    assert len(sums(cell)) == 1
    cell.locator(".one .box").nth(5).hover()
    assert lit(cell) == ["1", "1"]
    sheet.page.mouse.move(5, 5)


def test_pictures_have_a_role_a_title_and_a_description(sheet: Sheet) -> None:
    for name in CELLS:
        picture = sheet.cell(name).locator("svg.tt-svg")
        expect(picture).to_have_attribute("role", "group")
        title, description = str(picture.get_attribute("aria-labelledby")).split()
        assert sheet.page.locator(f"#{title}").first.text_content()
        assert "Read in order it visits" in str(sheet.page.locator(f"#{description}").first.text_content())
        for one in picture.locator("[tabindex]").all():
            assert one.get_attribute("role") == "img"
            assert "is at" in str(one.get_attribute("aria-label"))


def agrees(cell: Locator, mirror: Exploration) -> None:
    """The page shows what the same operations give here."""
    expect(cell.locator(".tt-steps code")).to_have_text([mirror.name, *(step.code for step in mirror.steps)])
    said = [mirror.refusal.why] if mirror.refusal else []
    expect(cell.locator(".tt-note > p:last-child")).to_have_text(said)
    now = cell.locator(".tt-change tbody tr").last.locator("td").nth(1)
    expect(now).to_have_text(shape_text(mirror.now.stride()))


def test_every_button_is_reached_and_pressed_by_keyboard(sheet: Sheet) -> None:
    cell, mirror = sheet.cell("explorer"), Exploration(torch.arange(12.0).reshape(3, 4))
    cell.get_by_role("button", name="transpose").focus()
    for i, name in enumerate(OPERATIONS):
        tab_to(sheet, name)
        sheet.page.keyboard.press(("Enter", "Space")[i % 2])
        mirror.do(name)
        agrees(cell, mirror)
        assert focused(sheet) == name, "the keyboard stays where the learner is"
    tab_to(sheet, "undo")
    while mirror.steps or mirror.refusal:
        sheet.page.keyboard.press("Enter")
        mirror.undo()
        agrees(cell, mirror)
    assert focused(sheet) == "undo"


def test_what_an_operation_takes_is_changed_by_keyboard(sheet: Sheet) -> None:
    cell, mirror = sheet.cell("explorer"), Exploration(torch.arange(12.0).reshape(3, 4))
    cell.get_by_role("button", name="step").press("Enter")
    mirror.do("step")
    agrees(cell, mirror)
    expect(cell.get_by_label("dim")).to_be_visible()
    tab_to(sheet, "dim")
    sheet.page.keyboard.press("ArrowDown")
    mirror.again({"dim": 0, "start": 0, "step": 2})
    agrees(cell, mirror)
    tab_to(sheet, "from")
    sheet.page.keyboard.press("ArrowUp")
    sheet.page.keyboard.press("Tab")
    mirror.again({"dim": 0, "start": 1, "step": 2})
    agrees(cell, mirror)
    assert focused(sheet) == "step"
    sheet.page.keyboard.type("0")
    sheet.page.keyboard.press("Enter")
    mirror.again({"dim": 0, "start": 1, "step": 0})
    agrees(cell, mirror)
    assert focused(sheet) == "step"
    sheet.page.keyboard.press("Control+a")
    sheet.page.keyboard.type("1")
    sheet.page.keyboard.press("Enter")
    mirror.again({"dim": 0, "start": 1, "step": 1})
    agrees(cell, mirror)
    tab_to(sheet, "view", "Shift+Tab")
    sheet.page.keyboard.press("Space")
    mirror.do("view")
    agrees(cell, mirror)
    expect(cell.get_by_label("sizes")).to_be_visible()
    tab_to(sheet, "sizes")
    sheet.page.keyboard.press("Control+a")
    sheet.page.keyboard.type("2, 2, 2")
    sheet.page.keyboard.press("Enter")
    mirror.again({"sizes": "2, 2, 2"})
    agrees(cell, mirror)


def test_goals_are_met_on_the_way(sheet: Sheet) -> None:
    cell = sheet.cell("explorer")
    for name in ("undo", "undo", "step", "view"):
        cell.get_by_role("button", name=name, exact=True).click()
    expect(cell.locator(".tt-goals li").first).to_contain_text("t[:, ::2].view(-1)")
    expect(cell.locator(".tt-goals li").first.locator(".tt-hidden")).to_have_count(0)


def test_the_line_of_code_is_copied_without_its_marks(sheet: Sheet) -> None:
    copied = (
        sheet.cell("explorer")
        .locator(".tt-steps")
        .evaluate(
            "node => { getSelection().selectAllChildren(node); const text = getSelection().toString();"
            " getSelection().removeAllRanges(); return text; }"
        )
    )
    assert copied == "t[:, ::2].view(-1)"


def test_nothing_is_wider_than_its_cell(sheet: Sheet) -> None:
    for name in CELLS:
        wide, room = sheet.cell(name).locator(".jp-OutputArea").first.evaluate("n => [n.scrollWidth, n.clientWidth]")
        assert wide <= room


def test_a_page_that_is_not_trusted_shows_the_text_twin_alone(lab: Lab, sheet: Sheet) -> None:
    sheet.open(lab.address(SAVED))
    shown = sheet.cell("saved").locator(".jp-OutputArea-output")
    expect(shown).to_contain_text("visit    1  2  3  4  5  6")
    expect(shown.get_by_text("as you index it")).to_be_hidden()
    assert shown.locator("svg").count() == 0
