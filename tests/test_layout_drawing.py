"""The picture of a layout: what it says, that it is well formed, and that large ones cost no more than small ones."""

from __future__ import annotations

import random
import re
from xml.etree import ElementTree

import numpy as np
import pytest
import torch

from tests.test_layout import random_view
from tutor import layout_diagram
from tutor.layouts import LayoutDiagram

SVG = "{http://www.w3.org/2000/svg}"


def picture(layout: LayoutDiagram) -> ElementTree.Element:
    found = re.search(r"<svg class=\"tt-svg\".*?</svg>", layout._repr_html_(), re.S)
    assert found is not None
    return ElementTree.fromstring(found.group())


def texts(root: ElementTree.Element) -> list[str]:
    return ["".join(node.itertext()) for node in root.iter(f"{SVG}text")]


def of_class(root: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    return [node for node in root.iter() if name in node.get("class", "").split()]


def turned() -> LayoutDiagram:
    return layout_diagram(torch.arange(12.0).reshape(3, 4).T, name="t.T")


def test_the_picture_has_a_role_a_title_and_a_description() -> None:
    root = picture(turned())
    title, description = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
    assert title is not None
    assert description is not None
    assert root.get("role") == "group"
    assert root.get("aria-labelledby") == f"{title.get('id')} {description.get('id')}"
    assert title.text == "Layout of t.T"
    assert str(description.text).startswith(
        "t.T has shape (4, 3), strides (1, 4) and offset 0. "
        "Read in order it visits storage elements 0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11."
    )


def test_every_element_can_be_visited_and_says_its_sum() -> None:
    ones = of_class(picture(turned()), "one")
    assert len(ones) == 12
    assert all(one.get("tabindex") == "0" and one.get("role") == "img" for one in ones)
    labels = [one.get("aria-label") for one in ones]
    assert "t.T[2, 1] is at 0 + 2·1 + 1·4 = 6, byte 24; visited 8 of 12" in labels
    for one in ones:
        (said,) = ("".join(node.itertext()) for node in of_class(one, "say"))
        assert str(one.get("aria-label")).startswith(f"{said};")


def test_one_element_is_lit_in_both_places_before_any_is_chosen() -> None:
    root = picture(turned())
    (lit,) = of_class(root, "lit")
    (cell,) = (cell for cell in of_class(root, "cell") if lit in list(cell))
    boxes = of_class(cell, "box")
    assert len(boxes) == 2
    assert boxes[0].get("fill") == boxes[1].get("fill")
    assert str(lit.get("aria-label")).startswith("t.T[2, 1] is at 0 + 2·1 + 1·4 = 6")


def test_elements_at_one_place_stand_together_with_it() -> None:
    root = picture(layout_diagram(torch.arange(3).expand(4, 3)))
    cells = of_class(root, "cell")
    assert [len(of_class(cell, "one")) for cell in cells] == [4, 4, 4]
    assert [len(of_class(cell, "box")) for cell in cells] == [5, 5, 5]


def test_arcs_show_each_hop_once_with_its_length() -> None:
    said = texts(picture(turned()))
    assert said.count("+4") == 1
    assert said.count("−7") == 1
    large = texts(picture(layout_diagram(torch.zeros(5, 5))))
    assert not {"+1", "+4"} & set(large)
    assert "tone gives the order of visiting" in "".join(large)


def test_unreached_places_are_dotted_and_left_out_ones_cut() -> None:
    t = torch.arange(12.0).reshape(3, 4)
    assert len(of_class(picture(layout_diagram(t.T[:, ::2])), "unreached")) == 4
    large = layout_diagram(torch.empty(1000, 1000))
    assert "Drawn: t[:4, :4], 16 of 1,000,000 elements." in large._repr_html_()
    assert "…" in texts(picture(large))


def test_three_dimensions_are_sheets() -> None:
    said = texts(picture(layout_diagram(torch.zeros(2, 3, 4), name="x")))
    assert "x[0]" in said
    assert "x[1]" in said
    assert "from sheet to sheet: dim 0, stride 12" in said


@pytest.mark.parametrize("dims", [1, 2, 3, 4])
def test_a_large_picture_is_not_larger_than_a_small_one(dims: int) -> None:
    sides = {1: (1000, 10**12), 2: (32, 10**6), 3: (10, 10**4), 4: (6, 10**3)}[dims]
    small, large = (layout_diagram(torch.empty((n,) * dims, device="meta")) for n in sides)
    assert sum(1 for _ in picture(large).iter()) <= sum(1 for _ in picture(small).iter())
    assert len(large._repr_html_()) <= 1.5 * len(small._repr_html_())


def test_everything_stays_inside_the_picture() -> None:
    rng = random.Random(7)
    many = [layout_diagram(random_view(rng), name="a_rather_long_name.of_something()") for _ in range(200)]
    many += [
        layout_diagram(torch.empty(10**12, device="meta").flip(0)),
        layout_diagram(torch.empty((9,) * 9, device="meta")),
        layout_diagram(torch.empty(10**3, 10**3, 10**3, 10**3, device="meta").movedim(0, 3)),
        layout_diagram(np.zeros((4, 4))[::-1, ::-1]),
    ]
    for layout in many:
        root = picture(layout)
        height = float(root.get("height", "0"))
        for node in root.iter():
            for axis, most in (("x", 744.5), ("y", height)):
                assert -0.5 <= float(node.get(axis, "0")) <= most
            assert float(node.get("x", "0")) + float(node.get("width", "0")) <= 745 or node is root
            if node.tag == f"{SVG}rect":
                assert float(node.get("y", "0")) + float(node.get("height", "0")) <= height + 0.5


def test_sums_that_are_too_long_for_a_line_are_broken() -> None:
    root = picture(layout_diagram(torch.empty((9,) * 12, device="meta")))
    (lit,) = of_class(root, "lit")
    assert len(of_class(lit, "say")) > 1


def test_a_name_is_escaped() -> None:
    html = layout_diagram(torch.zeros(2), name="<img src=x onerror=alert(1)>")._repr_html_()
    assert "<img" not in html


def test_the_text_twin_travels_along_for_pages_without_pictures() -> None:
    layout = turned()
    page = re.sub(r"<svg.*?</svg>|<style.*?</style>", "", layout._repr_html_(), flags=re.S)
    assert repr(layout).splitlines()[1] in page
