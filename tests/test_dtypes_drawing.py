"""What is drawn of numbers and sums says what the facts say, to eyes, ears and keyboards; and the explorer's field."""

from __future__ import annotations

import math
import re
import xml.etree.ElementTree as ET
from html.parser import HTMLParser

import pytest

from tutor import dtype_explorer, number_line, promotion_table
from tutor._dtypes.floats import FLOATS
from tutor._dtypes.promoting import OTHERS
from tutor._dtypes.words import between
from tutor.drawing.dtypes import casts_body
from tutor.dtypes import casts
from tutor.widgets import hosting
from tutor.widgets.hosting import WIDGET_VIEW

NUMBERS = (0.1, 2049, "2**24 + 1", 0, "nan", "-inf", 1e300, 70000, -3.5, 5e-324, 10**300, 65519)


class Text(HTMLParser):
    """What a page says when it is read aloud."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.said: list[str] = []
        self.skipping = False
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.skipping = tag == "style"

    def handle_endtag(self, tag: str) -> None:
        self.skipping = False

    def handle_data(self, data: str) -> None:
        if not self.skipping:
            self.said.append(data)


def pictures(html: str) -> list[ET.Element]:
    return [ET.fromstring(found) for found in re.findall(r"<svg class=\"tt-svg\".*?</svg>", html, re.S)]


def child(picture: ET.Element, tag: str) -> str:
    found = picture.find(f"{{http://www.w3.org/2000/svg}}{tag}")
    assert found is not None
    return found.text or ""


@pytest.mark.parametrize("x", NUMBERS)
def test_pictures_have_a_role_a_title_and_a_description(x: object) -> None:
    drawn = pictures(casts_body(casts(x)))
    assert len(drawn) == (2 if casts(x).line else 1)
    for picture in drawn:
        assert picture.get("role") == "img"
        assert picture.get("width") == "744"
        names = (picture.get("aria-labelledby") or "").split()
        assert [element.get("id") for element in picture if element.get("id")] == names
        assert child(picture, "title")
        assert all(name in child(picture, "desc") for name in FLOATS)


@pytest.mark.parametrize("x", NUMBERS)
def test_every_bit_is_a_square_with_its_digit(x: object) -> None:
    seen = casts(x)
    picture = pictures(casts_body(seen))[0]
    boxes = [box.get("class") for box in picture.iter("{http://www.w3.org/2000/svg}rect")]
    digits = [text.text for text in picture.iter("{http://www.w3.org/2000/svg}text") if "bit" in text.get("class", "")]
    bits = [bit for one in seen.floats for bit in one.bits.sign + one.bits.exponent + one.bits.fraction]
    assert digits == bits
    assert boxes == [{"0": "bit-zero", "1": "bit-one"}[bit] for bit in bits]


def test_ticks_and_dot_stand_to_scale() -> None:
    html = number_line(2049)._repr_html_()
    ticks = [float(x) for x in re.findall(r"M([\d.]+) 129v14", html)]
    assert len(ticks) == 24
    low, high = 116.0, 470.0
    assert ticks[-1] == pytest.approx(low + (2064 - 2033) / 32 * (high - low), abs=0.1)
    dots = re.findall(r'<circle cx="([\d.]+)" cy="136"', html)
    assert [float(x) for x in dots] == [pytest.approx(low + (2048 - 2033) / 32 * (high - low), abs=0.1)]


def test_what_lies_beyond_the_stretch_has_an_arrow() -> None:
    line = number_line(70000)
    arrows = dict(map(reversed, re.findall(r'<path d="M(\d+)\.0 (\d+)L', line._repr_html_())))
    assert {arrows[y] for y in ("46", "136")} == {"479"}, "both are infinite"
    small = line.rows[1].cast.value  # 448, or NaN in earlier releases of torch
    assert arrows.get("76") == (None if math.isnan(small) else "107")
    assert len(arrows) == (2 if math.isnan(small) else 3)


@pytest.mark.parametrize("x", NUMBERS)
def test_the_picture_says_what_the_text_says(x: object) -> None:
    seen = casts(x)
    said = "".join(Text(casts_body(seen)).said)
    for one in seen.floats:
        assert between(one) in said
    for one in seen.integers:
        assert str(one.value) in said
        assert one.error is None or one.error in said


def test_what_a_learner_wrote_is_escaped_and_drawings_are_the_same_each_time() -> None:
    assert casts_body(casts(0.1)) == casts_body(casts(0.1))
    assert promotion_table()._repr_html_() == promotion_table()._repr_html_()
    explorer = dtype_explorer()
    explorer.controls.field.value = "<img src=x>"
    assert "<img" not in explorer.controls.said.value
    assert "&lt;img src=x&gt;" in explorer.controls.said.value


@pytest.mark.parametrize("other", OTHERS)
def test_every_sum_is_a_radio_button_that_says_its_answer(other: str) -> None:
    table = promotion_table(other)
    html = table._repr_html_()
    cells = re.findall(r'<td class="([^"]*)"><label><input [^>]*value="(\d+)" aria-label="([^"]*)"', html)
    assert len(cells) == len(table.cells)
    for (roles, block, label), cell in zip(cells, table.cells, strict=True):
        assert label.startswith(f"{cell.left} + {cell.right} gives {cell.dtype or 'an error'}")
        assert ("NumPy: " in label) == cell.differs == ("tt-remark" in roles)
        assert ("tt-raise" in roles) == (cell.error is not None)
        assert ("tt-p-new" in roles) == cell.is_new
        said = "".join(Text(html.split(f'<div class="b{block}" hidden>')[1].split("</div>")[0]).said)
        assert (cell.result or cell.error or "") in said
        assert cell.numpy is None or (f"NumPy gives {cell.numpy}." in said or "NumPy gives the same dtype." in said)
    assert html.count(" checked") == 2  # one sum, and the filter "all"


def test_the_sum_is_put_together_from_its_row_and_its_column() -> None:
    table = promotion_table()
    html = table._repr_html_()
    for i, name in enumerate(table.rows):
        assert f'<span class="s{i}" hidden>torch.ones(1, dtype=torch.{name})</span>' in html
        assert f'<span class="k{i}" hidden>torch.ones(1, dtype=torch.{name})</span>' in html
        assert f":has(.r{i} :checked) .s{i}{{display:inline}}" in html
        assert f":has(td:nth-child({i + 2}) :checked) .k{i}{{display:inline}}" in html


def test_the_explorer_shows_another_number() -> None:
    explorer = dtype_explorer(0.1)
    controls = explorer.controls
    before = controls.floats.value
    controls.field.value = "2049"
    assert explorer.casts.number.value == 2049
    assert controls.floats.value != before
    assert "2048" in controls.floats.value
    explorer.write("nan")
    assert controls.field.value == "nan"
    assert controls._scale_row.layout.display == "none"


def test_bad_text_is_answered_and_the_last_picture_stays() -> None:
    explorer = dtype_explorer("2049")
    controls = explorer.controls
    before = controls.floats.value, controls.rest.value
    controls.field.value = "20 49"
    assert "'20 49' is no number" in "".join(Text(controls.said.value).said)
    assert 'role="alert"' in controls.said.value
    assert (controls.floats.value, controls.rest.value) == before
    assert explorer.casts.number.value == 2049
    controls.tries[0].click()
    assert (controls.said.value, controls.field.value) == ("", "0.1")


def test_each_number_to_try_is_one() -> None:
    explorer = dtype_explorer()
    for button in explorer.controls.tries:
        button.click()
        assert explorer.casts.number.text == explorer.controls.field.value == button.description


@pytest.mark.parametrize("x", [2049, 10**300, "2**24 + 1"])
def test_the_scale_can_be_chosen_and_the_number_stays(x: object) -> None:
    explorer = dtype_explorer(x)
    text = explorer.casts.number.text
    for name, button in explorer.controls.scales.items():
        button.click()
        assert explorer.casts.line is not None
        assert explorer.casts.line.scale == name
        active = [one for one, button in explorer.controls.scales.items() if "mod-active" in button._dom_classes]
        assert (active, explorer.casts.number.text) == ([name], text)
    assert explorer.controls.said.value == ""


def test_the_explorer_has_twins_and_in_a_kernel_controls(monkeypatch: pytest.MonkeyPatch) -> None:
    explorer = dtype_explorer(0.1)
    assert set(explorer._repr_mimebundle_()) == {"text/plain", "text/html"}
    assert "0.0999755859375" in repr(explorer)
    assert "In a notebook, write another number in the field." in repr(explorer)
    monkeypatch.setattr(hosting, "in_kernel", lambda: True)
    assert WIDGET_VIEW in explorer._repr_mimebundle_()
