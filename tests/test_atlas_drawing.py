"""The table of the atlas: every cell can be reached, says what it is, and needs neither kernel nor colour."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field, replace
from html.parser import HTMLParser

import pytest

from tutor import atlas
from tutor._constructing.cell import SIGNS
from tutor.constructors import Atlas
from tutor.drawing.atlas import draw
from tutor.drawing.svg import MARKS
from tutor.widgets.atlas import bundle

VOID = {"input", "br", "meta"}


@dataclass
class Element:
    name: str
    attributes: dict[str, str | None]
    parent: Element | None = None
    children: list[Element | str] = field(default_factory=list)

    def all(self, name: str, **wanted: str) -> list[Element]:
        found = []
        for child in self.children:
            if isinstance(child, Element):
                matches = all(wanted[key] in (child.attributes.get(key.rstrip("_")) or "").split() for key in wanted)
                found += [child] if child.name == name and matches else []
                found += child.all(name, **wanted)
        return found

    @property
    def text(self) -> str:
        return "".join(child if isinstance(child, str) else child.text for child in self.children)

    @property
    def seen(self) -> str:
        """What a reader may see where style and the attribute "hidden" are taken away: all but the fold of details."""
        if self.name == "style":
            return ""
        if (
            self.name == "details"
            and "open" not in self.attributes
            and "tt-detail" in (self.attributes.get("class") or "")
        ):
            return self.all("summary")[0].text
        return "".join(child if isinstance(child, str) else child.seen + " " for child in self.children)


class Reader(HTMLParser):
    """A parser that minds that every element is closed."""

    def __init__(self) -> None:
        super().__init__()
        self.root = self.here = Element("root", {})

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, dict(attrs), self.here)
        self.here.children.append(element)
        if tag not in VOID:
            self.here = element

    def handle_endtag(self, tag: str) -> None:
        assert self.here.name == tag, f"{tag} closes {self.here.name}"
        assert self.here.parent is not None
        self.here = self.here.parent

    def handle_data(self, data: str) -> None:
        self.here.children.append(data)


def read(html: str) -> Element:
    reader = Reader()
    reader.feed(html)
    assert reader.here is reader.root, "something is not closed"
    return reader.root


@pytest.fixture(scope="module")
def whole() -> Atlas:
    return atlas().wait()


@pytest.fixture(scope="module")
def page(whole: Atlas) -> Element:
    return read(draw(whole))


def radios(page: Element, name: str) -> list[Element]:
    return [radio for radio in page.all("input") if radio.attributes["name"] == name]


def test_each_cell_is_a_radio_button_that_says_what_it_is(whole: Atlas, page: Element) -> None:
    labels = [radio.attributes["aria-label"] for radio in radios(page, "cell")]
    assert labels == [f"{cell.constructor} of {cell.source}: {SIGNS[cell.outcome][1]}" for cell in whole.cells]
    assert len(set(labels)) == len(labels)


def test_each_cell_carries_its_mark_beside_its_colour(whole: Atlas, page: Element) -> None:
    cells = [cell for row in page.all("tr") for cell in row.all("td") if cell.all("label")]
    for cell, shown in zip(whole.cells, cells, strict=True):
        assert shown.text == SIGNS[cell.outcome][0]
        assert MARKS[cell.outcome].role in (shown.attributes["class"] or "").split()
        assert ("tt-remark" in (shown.attributes["class"] or "")) == bool(cell.remark or cell.warnings)


def test_the_signs_are_those_of_all_pictures() -> None:
    assert {outcome: sign for outcome, (sign, _) in SIGNS.items() if outcome != "pending"} == {
        outcome: MARKS[outcome].sign for outcome in SIGNS if outcome != "pending"
    }


def test_one_cell_is_open_at_first_and_it_has_a_remark(whole: Atlas, page: Element) -> None:
    (chosen,) = [i for i, radio in enumerate(radios(page, "cell")) if "checked" in radio.attributes]
    assert whole.cells[chosen].remark
    (shown,) = [radio.attributes["value"] for radio in radios(page, "show") if "checked" in radio.attributes]
    assert shown == "all"


def details(page: Element, whole: Atlas, constructor: str, source: str) -> str:
    """What the rules of the output show once a cell is checked."""
    form = page.all("form")[0]
    (pane,) = page.all("details", class_="tt-detail")
    row, column = whole.sources.index(source), whole.constructors.index(constructor)
    value = radios(page, "cell")[row * len(whole.constructors) + column].attributes["value"]
    rules = form.all("style")[0].text
    hold = {f"td:nth-child({column + 2}) :checked", f".r{row} :checked", f'[value="{value}"]:checked'}
    found = re.findall(r"(#tt-\w+):has\(([^{]*)\) (\.\w+)\{display:(?:inline|block)\}", rules)
    shown = {
        target[1:] for name, condition, target in found if condition in hold and name == f"#{form.attributes['id']}"
    }
    return " ".join(_shown(pane, shown).split()).removeprefix("The cell you select ")


def _shown(element: Element | str, classes: set[str]) -> str:
    if isinstance(element, str):
        return element
    if "hidden" in element.attributes and not classes & set((element.attributes["class"] or "").split()):
        return ""
    gap = "" if element.name in ("span", "code", "b") else " "
    return gap + "".join(_shown(child, classes) for child in element.children) + gap


@pytest.mark.parametrize(
    ("constructor", "source", "said"),
    [
        (
            "asarray(copy=True)",
            "array.T",
            "a = np.array([[1, 2, 3], [4, 5, 6]], dtype=np.float32) torch.asarray(a.T, copy=True) + Copied. "
            "gives float32 (3, 2) strides (1, 3), not contiguous device cpu requires_grad False "
            "The copy is not contiguous: it keeps the order in which the source lies in memory.",
        ),
        (
            "Tensor",
            "float64 array",
            "a = np.array([0.1, 0.2, 0.3]) torch.Tensor(a) ~ Copied and cast from float64 to float32. "
            "gives float32 (3,) strides (1,) device cpu requires_grad False "
            "Not every value survives: 0.1 became 0.10000000149011612.",
        ),
        (
            "as_tensor",
            "[[1, 2], [3]]",
            "torch.as_tensor([[1, 2], [3]]) x Raises. ValueError: expected sequence of length 2 at dim 1 (got 1)",
        ),
    ],
)
def test_a_chosen_cell_shows_its_own_details(
    whole: Atlas, page: Element, constructor: str, source: str, said: str
) -> None:
    assert details(page, whole, constructor, source) == said


def test_all_details_tell_the_call_the_outcome_and_what_was_seen(whole: Atlas, page: Element) -> None:
    for cell in whole.cells[::7]:
        said = details(page, whole, cell.constructor, cell.source)
        parts = (cell.code, cell.remark, cell.error or "", *cell.warnings, *cell.where.split("\n"))
        for part in parts:
            assert " ".join(part.split()) in said, (cell, said)
        assert f"{SIGNS[cell.outcome][0]} " in said


def test_the_filter_is_the_legend_and_its_counts_the_summary(whole: Atlas, page: Element) -> None:
    (filters,) = page.all("fieldset")
    said = {label.all("input")[0].attributes["value"]: label.text for label in filters.all("label")}
    counted = Counter(cell.outcome for cell in whole.cells)
    assert {value: int(text.split()[-1]) for value, text in said.items()} == {"all": len(whole.cells), **counted}
    assert all(SIGNS[value][0] in text for value, text in said.items() if value != "all")
    sheet = page.all("style")[0].text
    for outcome in counted:
        assert f"form:has([value={outcome}]:checked) td:not(.{MARKS[outcome].role}) label" in sheet


def test_two_of_them_on_one_page_do_not_disturb_each_other() -> None:
    first, second = (read(draw(atlas(["tensor"], [source]))) for source in ("3", "3.5"))
    forms = [page.all("form")[0] for page in (first, second)]
    assert forms[0].attributes["id"] != forms[1].attributes["id"]
    for form in forms:  # radio buttons of one name belong together only within one form
        assert len(radios(form, "cell")) == 1
        assert form.attributes["method"] == "dialog"


def test_it_reads_well_without_any_style(whole: Atlas, page: Element) -> None:
    seen = " ".join(page.seen.split())
    assert f"all {len(whole.cells)}" in seen
    assert f"= shares {whole.counts['share']}" in seen
    for name in (*whole.constructors, *whole.sources):
        assert name in seen
    for cell in whole.cells:
        for part in (cell.remark, *cell.warnings):
            assert " ".join(part.split()) in seen
    assert "torch.tensor(torch.Tensor(" not in seen


def test_what_is_code_is_escaped() -> None:
    part = atlas(["tensor"], ["big-endian array"])
    hostile = replace(part.cells[0], remark="<b>bold</b>", warnings=("<i>",), error='"<u>"')
    html = draw(replace(part, cells=(hostile,)))
    assert "&gt;f4" in html
    assert "&lt;b&gt;bold&lt;/b&gt;" in html
    assert "&lt;i&gt;" in html
    assert "<u>" not in html
    assert "<b>bold" not in html


def test_a_single_cell_is_drawn_by_itself(whole: Atlas) -> None:
    page = read(whole["frombuffer", "big-endian array"]._repr_html_())
    for sheet in page.all("style"):
        sheet.children.clear()
    said = " ".join(page.text.split())
    assert 'a = np.array([1, 2, 3], dtype=">f4")' in said
    assert "torch.frombuffer(a, dtype=torch.float32)= Shares the bytes of its source." in said
    assert "The same bits are read as another dtype" in said


def test_what_is_not_decided_yet_is_told() -> None:
    part = atlas(["tensor", "from_dlpack"], ["array.T"])
    page = read(draw(part))
    assert "1 cell not decided yet." in page.text
    assert "1 cell in a process of its own" in page.text
    assert [radio.attributes["aria-label"] for radio in radios(page, "cell")][
        1
    ] == "from_dlpack of array.T: not decided yet"
    part.wait()


def test_the_whole_is_small_enough_to_be_saved_in_a_notebook(whole: Atlas) -> None:
    assert len(draw(whole).encode()) < 200_000


def test_an_atlas_without_cells_is_still_drawn() -> None:
    assert "all" in read(draw(atlas([], []))).text
    assert repr(atlas([], [])) == ""


def test_outputs_that_are_saved_wait_for_every_cell(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tutor.widgets.atlas.in_kernel", lambda: True)
    monkeypatch.setattr("tutor.constructors._SOON_S", 0.0)
    monkeypatch.setenv("TUTOR_UNATTENDED", "1")
    forms = bundle(atlas(["from_dlpack"], ["array[::-1]", "float32 array"]))
    assert set(forms) == {"text/plain", "text/html"}
    assert "not decided yet" not in forms["text/plain"]
