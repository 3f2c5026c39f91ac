"""The picture of bytes: what it says, that it is well formed, and that large ones cost no more than small ones."""

from __future__ import annotations

import re
from collections.abc import Callable
from xml.etree import ElementTree

import numpy as np
import pytest
import torch

from tutor import alias_groups, memory_map, shared_memory
from tutor.memory import MemoryMap

SVG = "{http://www.w3.org/2000/svg}"


def html(fact: object) -> str:
    return str(fact._repr_html_())  # type: ignore[attr-defined]


def picture(drawn: MemoryMap) -> ElementTree.Element:
    found = re.search(r"<svg class=\"tt-svg\".*?</svg>", html(drawn), re.S)
    assert found is not None
    return ElementTree.fromstring(found.group())


def texts(root: ElementTree.Element) -> list[str]:
    return ["".join(node.itertext()) for node in root.iter(f"{SVG}text")]


def marks(drawn: MemoryMap) -> int:
    return sum(1 for _ in picture(drawn).iter())


def canonical() -> MemoryMap:
    a = np.zeros((3, 4), np.float32)
    t = torch.from_numpy(a)
    return memory_map(a=a, t=t, row=t[1], col=t[:, 1], flipped=t.flip(0))


def test_the_picture_says_names_numbers_and_owners() -> None:
    said = texts(picture(canonical()))
    assert said[:4] == ["offset", "strides", "bytes seen", "48 B on cpuownera (numpy.ndarray)"]
    for name, offset, strides, seen in (("row", "4", "(1,)", "16 of 48 B"), ("col", "1", "(4,)", "12 of 48 B")):
        at = said.index(name)
        assert said[at + 1 : at + 4] == [offset, strides, seen]
    assert said.count("=") == 4
    assert [str(i) for i in range(12)] == said[said.index("element") + 1 :][:12]


def test_the_picture_has_a_role_a_title_and_a_description() -> None:
    root = picture(canonical())
    title, description = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
    assert title is not None
    assert description is not None
    assert root.get("role") == "img"
    assert root.get("aria-labelledby") == f"{title.get('id')} {description.get('id')}"
    assert title.text == "Memory map of a, t, row, col and flipped"
    assert "col reaches bytes 4 to 7, 20 to 23, 36 to 39, shared." in str(description.text)
    assert "flipped reaches bytes 0 to 47." in str(description.text)


def test_a_table_says_the_same_where_pictures_are_not_shown() -> None:
    page = re.sub(r"<svg.*?</svg>|<style.*?</style>", "", html(canonical()), flags=re.S)
    assert "<caption>48 B on cpu, owner a (numpy.ndarray)</caption>" in page
    assert "<td>bytes 4 to 7, 20 to 23, 36 to 39, shared</td>" in page


@pytest.mark.parametrize("view", [lambda t: t, lambda t: t.T, lambda t: t[:, ::2], lambda t: t[::2, ::2]])
def test_a_large_picture_has_no_more_marks_than_a_small_one(view: Callable[[torch.Tensor], torch.Tensor]) -> None:
    small, large = (view(torch.empty(n, n, device="meta")) for n in (32, 10**6))
    assert marks(memory_map(t=large)) <= 2 * marks(memory_map(t=small))
    assert len(html(memory_map(t=large))) <= 2 * len(html(memory_map(t=small)))


def test_many_dimensions_have_a_bounded_number_of_marks() -> None:
    x = torch.empty((9,) * 8, device="meta")[(slice(None, None, 2),) * 8]
    assert marks(memory_map(x=x)) < 300


def test_cells_up_to_sixteen_elements_and_bars_beyond() -> None:
    assert "15" in texts(picture(memory_map(x=torch.zeros(16))))
    beyond = texts(picture(memory_map(x=torch.zeros(17))))
    assert "bytes" in beyond
    assert "16" not in beyond


def test_a_sliver_keeps_a_least_width_and_gets_words() -> None:
    root = picture(memory_map(head=torch.empty(10**6)[:10]))
    (sliver,) = (node for node in root.iter(f"{SVG}rect") if node.get("class") == "solid")
    assert float(sliver.get("width", "0")) >= 4
    assert "40 B keep 3.8 MiB alive" in texts(root)
    assert "3,999,960 B that no name reaches" in texts(root)


def test_the_last_sliver_stays_inside() -> None:
    root = picture(memory_map(tail=torch.empty(10**6)[-1:]))
    (sliver,) = (node for node in root.iter(f"{SVG}rect") if node.get("class") == "solid")
    (gap,) = (node for node in root.iter(f"{SVG}rect") if node.get("class") == "unreached")
    end = float(gap.get("x", "0")) + float(gap.get("width", "0"))
    assert float(sliver.get("x", "0")) + float(sliver.get("width", "0")) <= end + 0.2


def test_repeated_bytes_and_missing_memory_are_told() -> None:
    root = picture(memory_map(one=torch.ones(1).expand(1000), big=torch.empty(10**6, 10**6, device="meta")[:, ::2]))
    said = texts(root)
    assert "the same 4 B, 1,000 times; 4,000 B if it is copied" in said
    assert "3.6 TiB on metaownernone: a meta tensor has no memory" in said
    assert "4 B of every 8 B" in said
    assert [node for node in root.iter(f"{SVG}rect") if node.get("class") == "axis dashed"]


def test_everything_stays_inside_the_picture() -> None:
    named = {f"a_rather_long_name_{i}": torch.zeros(3, 5, 7)[:, i] for i in range(3)}
    root = picture(memory_map(**named, wide=torch.empty(10**4, 10**4, 10**4, 10**4, device="meta").movedim(0, 2)))
    height = float(root.get("height", "0"))
    for node in root.iter():
        for axis, most in (("x", 744.0), ("x1", 744.0), ("y", height), ("y2", height)):
            assert 0 <= float(node.get(axis, "0")) <= most


def test_names_are_escaped() -> None:
    page = html(memory_map(**{"<b>&": torch.zeros(2)}))
    assert "<b>&" not in page
    assert "&lt;b&gt;&amp;" in page


def test_the_same_map_is_drawn_the_same() -> None:
    assert html(canonical()) == html(canonical())


def test_empty_and_unseen_names_are_drawn() -> None:
    page = html(memory_map(e=torch.empty(0), m=torch.ones(2).to_mkldnn()))
    assert "no elements, no bytes" in page
    assert "torch does not say where the memory of a torch.Tensor is." in page
    assert "<svg" not in html(memory_map(m=torch.ones(2).to_mkldnn()))


def drawn_answers(a: torch.Tensor, b: torch.Tensor) -> list[tuple[str, str, str]]:
    page = re.sub(r"<style.*?</style>", "", html(shared_memory(a, b)), flags=re.S)
    return re.findall(r'<th scope="row">(.*?)</th><td><span class="tt-mark">(.)</span> (.*?)</td>', page)


def test_the_mark_for_shared_bytes_stands_only_where_elements_overlap() -> None:
    x = torch.arange(6)
    apart = [("same storage object", " ", "<b>yes</b>"), ("byte ranges overlap", " ", "<b>yes</b>")]
    assert drawn_answers(x[::2], x[1::2]) == [*apart, ("elements overlap", " ", "no")]
    assert drawn_answers(x, x[1::2]) == [*apart, ("elements overlap", "=", "<b>yes</b>")]


def test_groups_are_listed() -> None:
    x = torch.arange(6)
    page = html(alias_groups(x=x, tail=x[3:], copied=x.clone()))
    assert "<code>x</code>, <code>tail</code> reach the same bytes." in page
    assert "<code>copied</code>: alone on its bytes." in page
