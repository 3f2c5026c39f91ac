"""The dtype explorer and the promotion table in a real page: what is typed, what is clicked, and the keyboard alone."""

from __future__ import annotations

import re

import nbformat
import pytest
from playwright.sync_api import Locator, expect

from tests.browser.lab import Lab, Sheet
from tutor import promotion_table

NOTEBOOK = "dtypes.ipynb"
CELLS = {
    "explorer": "from tutor import dtype_explorer, number_line, promotion_table\ndtype_explorer(0.1)",
    "table": "promotion_table()",
    "line": "number_line(2049)",
}
# The widest that an output may be, and what its content needs.
_WIDTHS = "cell => [...cell.querySelectorAll('.jp-OutputArea-output')].map(n => [n.clientWidth, n.scrollWidth])"


@pytest.fixture(scope="module", autouse=True)
def opened(lab: Lab, sheet: Sheet) -> None:
    notebook = nbformat.v4.new_notebook()
    notebook.cells = [nbformat.v4.new_code_cell(source, id=name) for name, source in CELLS.items()]
    notebook.metadata = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    nbformat.write(notebook, lab.course / NOTEBOOK)
    sheet.open(lab.address(NOTEBOOK))
    sheet.run_all()
    sheet.page.set_default_timeout(20_000)


def focused(sheet: Sheet) -> str:
    told: str = sheet.page.evaluate(
        "() => { const at = document.activeElement;"
        " return at.getAttribute('aria-label') || at.innerText || at.tagName; }"
    )
    return told


def line_row(cell: Locator, dtype: str) -> list[str]:
    """Step, value and error beside one line of the number line."""
    texts: list[str] = cell.locator("svg.tt-svg").last.locator("text").all_text_contents()
    at = texts.index(dtype)
    return texts[at + 1 : at + 4]


def test_typing_a_number_shows_what_every_dtype_makes_of_it(sheet: Sheet) -> None:
    cell, keys = sheet.cell("explorer"), sheet.page.keyboard
    assert line_row(cell, "float16") == ["6.1e-5", "0.0999755859375", "−0.024 %"]
    field = cell.get_by_label("x =")
    field.fill("")
    field.press_sequentially("2**24 + 1")
    keys.press("Enter")
    expect(cell.get_by_role("status")).to_contain_text("x = 2**24 + 1 = 16777217: a Python int")
    expect(cell.get_by_role("img", name="The bits of 2**24 + 1 in each float dtype")).to_be_visible()
    assert line_row(cell, "float32") == ["2", "16777216", "−6e-6 %"]
    row = cell.get_by_role("row", name=re.compile("^uint8"))
    expect(row).to_contain_text("wrapped around")


def test_bad_text_is_answered_in_a_sentence_and_the_picture_stays(sheet: Sheet) -> None:
    cell, keys = sheet.cell("explorer"), sheet.page.keyboard
    field = cell.get_by_label("x =")
    field.fill("2049")
    keys.press("Enter")
    expect(cell.get_by_role("status")).to_contain_text("x = 2049")
    field.fill("two <b>million</b>")
    keys.press("Enter")
    expect(cell.get_by_role("alert")).to_contain_text("'two <b>million</b>' is no number; write one such as 0.1")
    expect(cell.get_by_role("status")).to_contain_text("x = 2049")
    field.fill("nan")
    keys.press("Enter")
    expect(cell.get_by_role("alert")).to_have_count(0)
    expect(cell.get_by_role("row", name=re.compile("^int64"))).to_contain_text("not defined in C++")


def test_every_control_is_reached_by_tab(sheet: Sheet) -> None:
    cell, keys = sheet.cell("explorer"), sheet.page.keyboard
    cell.get_by_label("x =").focus()
    for name in ("0.1", "2049"):
        keys.press("Tab")
        assert focused(sheet) == name
    keys.press("Enter")
    expect(cell.get_by_label("x =")).to_have_value("2049")
    assert focused(sheet) == "2049", "the keyboard stays where the learner is"
    for name in ("2**24 + 1", "1e-8", "70000", "300", "-1", "nan", "float8_e5m2", "float8_e4m3fn", "bfloat16"):
        keys.press("Tab")
        assert focused(sheet) == name
    keys.press("Space")
    expect(cell).to_contain_text("8 steps of bfloat16 to either side of x")
    expect(cell.get_by_label("x =")).to_have_value("2049")
    keys.press("Tab")
    keys.press("Space")
    expect(cell).to_contain_text("From 2033 to 2065, 8 steps of float16 to either side of x")


def test_the_table_shows_the_sum_that_is_clicked(sheet: Sheet) -> None:
    cell, table = sheet.cell("table"), promotion_table()
    detail = cell.locator(".tt-sum")
    assert "torch.ones(1, dtype=torch.int64) + torch.ones(1, dtype=torch.float16)" in detail.inner_text()
    for left, right in (("float16", "bfloat16"), ("uint16", "uint16"), ("bool", "float8_e5m2"), ("int32", "float32")):
        found = table[left, right]
        cell.locator(f'input[aria-label^="{left} + {right} gives"]').locator("..").click()
        said = detail.inner_text()
        assert found.code in said
        assert (found.result or found.error or "") in said
        assert ("NumPy gives" in said) == (found.numpy is not None)
        assert said.count("torch.ones") == 2, "one sum at a time"


def test_arrow_keys_walk_the_table_and_the_filter_dims_the_rest(sheet: Sheet) -> None:
    cell, keys = sheet.cell("table"), sheet.page.keyboard
    cell.locator('input[aria-label^="int64 + float16 gives"]').locator("..").click()
    for key, name in (
        ("ArrowRight", "int64 + bfloat16"),
        ("ArrowUp", "int32 + bfloat16"),
        ("ArrowLeft", "int32 + float16"),
    ):
        keys.press(key)
        assert focused(sheet).startswith(f"{name} gives")
    cell.get_by_text("neither operand's dtype").click()
    shown = cell.locator(".tt-matrix label").evaluate_all(
        "all => all.filter(n => getComputedStyle(n).opacity > .5).length"
    )
    assert shown == sum(one.is_new for one in promotion_table().cells)


def test_nothing_is_wider_than_its_cell(sheet: Sheet) -> None:
    for name in CELLS:
        for room, needed in sheet.cell(name).evaluate(_WIDTHS):
            assert needed <= room, name
    frame = sheet.cell("table").locator(".tt-scroll")
    assert frame.evaluate("n => n.scrollWidth <= n.clientWidth"), "the table does not scroll"


def test_the_number_line_says_between_which_values_the_number_lies(sheet: Sheet) -> None:
    cell = sheet.cell("line")
    expect(cell.get_by_role("img", name="The numbers that each float dtype can hold around 2049")).to_be_visible()
    expect(cell).to_contain_text("2049 lies between 2048 and 2050 in float16, 2 apart.")
