"""The table of what code did to memory: what it says, that it is well formed, and that it stays small."""

from __future__ import annotations

import re
from collections.abc import Iterable
from xml.etree import ElementTree

import pytest

from tutor._tracing.model import KINDS, Event, Finding, Kind, Record, Side, XRay

MIB = 2**20
BYTES, FLOATS = Side("Tensor", "uint8", "cpu", (2, 3)), Side("Tensor", "float32", "cpu", (2, 3))


def event(kind: Kind = "copy", nbytes: int = 24, line: int = 1, **more: object) -> Event:
    given = {"op": "clone", "source": f"line_{line}()", "before": FLOATS, "after": FLOATS, **more}
    return Event(kind=kind, bytes=nbytes, line=line, **given)  # type: ignore[arg-type]


def xray(events: Iterable[Event], **more: object) -> XRay:
    record = Record(tuple(events), **more)  # type: ignore[arg-type]
    return XRay(lambda: record)


def html(seen: XRay) -> str:
    return re.sub(r"<style>.*?</style>", "", seen._repr_html_(), flags=re.S)


def drawn(seen: XRay) -> ElementTree.Element:
    """The page without its style; that it can be read at all shows that everything in it is escaped and closed."""
    return ElementTree.fromstring(re.sub(r"<col( [^>]*)?>", "", html(seen)))


def text(node: ElementTree.Element) -> str:
    return " ".join("".join(node.itertext()).split())


def rows(seen: XRay) -> list[list[str]]:
    """The rows of the table: a number and its code, or a mark, what happened, and bytes."""
    return [[text(cell) for cell in row][:3] for body in drawn(seen).iter("tbody") for row in body]


def bars(seen: XRay) -> list[str]:
    return re.findall(r'class="tt-bar" style="--w:(.*?)"', html(seen))


def cards(seen: XRay) -> list[str]:
    return [text(card) for card in drawn(seen).iter("li")]


def a_pipeline() -> XRay:
    images = Side("numpy.ndarray", "uint8", "cpu", (4, 128, 128, 3))
    there = Side("Tensor", "float32", "cuda:0", (2, 3))
    number = Side("float")
    return xray(
        [
            event("copy", 3 * MIB // 2, 2, op="tensor", source="x = torch.tensor(images)", before=images, after=BYTES),
            event("view", 3 * MIB // 2, 3, op="permute", before=BYTES, after=BYTES),
            event("cast", 6 * MIB, 4, op="_to_copy", before=BYTES, after=FLOATS),
            event("in-place", 6 * MIB, 5, op="div_"),
            event("transfer", 6 * MIB, 6, op="to", after=there),
            event("allocation", 4, 6, op="mean", before=there, after=there),
            event("wait", 4, 6, op="item", before=there, after=number),
        ],
        findings=(Finding("`torch.from_numpy` would share 1.5 MiB", 3 * MIB // 2, (2,)),),
        notes=("Copies inside kernels were not looked for.",),
    )


def test_each_line_stands_once_with_what_it_did_beneath() -> None:
    assert rows(a_pipeline()) == [
        ["line 2", "x = torch.tensor(images)"],
        ["+", "copied from numpy.ndarray uint8, tensor", "1.5 MiB"],
        ["", "Worth a look: torch.from_numpy would share 1.5 MiB"],
        ["line 3", "line_3()"],
        ["=", "view permute", "1.5 MiB"],
        ["line 4", "line_4()"],
        ["~", "cast uint8 to float32, _to_copy", "6 MiB"],
        ["line 5", "line_5()"],
        ["●", "written div_", "6 MiB"],
        ["line 6", "line_6()"],
        [">", "moved cpu to cuda:0, to", "6 MiB"],
        ["#", "new mean", "4 B"],
        ["!", "waits for cuda:0, item", "4 B"],
    ]


def test_bars_have_one_linear_scale_and_it_is_said() -> None:
    assert bars(a_pipeline()) == ["25%", "25%", "100%", "100%", "100%", "6.36e-05%", "14px"]
    assert "<i>0</i><i>6 MiB, linear</i>" in html(a_pipeline())


def test_the_totals_are_a_row_of_cards() -> None:
    assert cards(a_pipeline()) == [
        "19.5 MiB written in all",
        "+ 1.5 MiB copied once",
        "~ 6 MiB cast once",
        "> 6 MiB moved once",
        "# 4 B new once",
        "● 6 MiB written in place once",
        "= 1 view",
        "! 1 wait",
        "1 worth a look",
    ]


@pytest.mark.parametrize(
    ("would", "said"),
    [
        ((True,), "! 1 would wait on a GPU"),
        ((False, False), "! 2 waits"),
        ((True, False), "! 2 waits, 1 of them only on a GPU"),
    ],
)
def test_a_wait_on_a_cpu_is_told_from_a_real_one(would: tuple[bool, ...], said: str) -> None:
    assert cards(xray(event("wait", hypothetical=answer) for answer in would))[1] == said


def test_it_is_a_table_with_a_caption_and_headers_that_say_what_they_head() -> None:
    table = next(drawn(a_pipeline()).iter("table"))
    assert text(next(table.iter("caption"))) == "what each line did to memory"
    heads = [(cell.get("scope"), text(cell)) for cell in table.iter("th")]
    assert heads[:3] == [("col", "mark"), ("col", "what happened"), ("col", "bytes")]
    assert heads[4:] == [("rowgroup", f"line {line}") for line in (2, 3, 4, 5, 6)]


@pytest.mark.parametrize("kind", KINDS)
def test_a_mark_stands_beside_every_colour(kind: Kind) -> None:
    body = next(drawn(xray([event(kind)])).iter("tbody"))
    (row,) = (row for row in body if "tt-line" not in str(row.get("class")))
    assert re.fullmatch(r"tt-(share|copy|cast|move|wait|make|write)", str(row.get("class")))
    assert text(row[0]) == event(kind).mark.replace("*", "●")
    assert len(text(row[1])) > 4, "the kind stands in words too"


def test_what_the_profiler_found_says_so() -> None:
    assert "inside the kernel, found by the profiler" in html(xray([event(op="convolution", inside_kernel=True)]))
    assert "profiler" not in html(xray([event(op="convolution")]))


def test_a_tensor_that_was_given_back_is_told_from_a_new_view_of_it() -> None:
    assert rows(xray([event("view", op="contiguous", itself=True)]))[1][1] == "view contiguous, no new tensor"


def test_a_loop_takes_one_row_with_all_its_bytes() -> None:
    seen = xray(event("copy", 24) for _ in range(100))
    assert rows(seen)[1:] == [["+", "copied clone 100 times", "2,400 B"]]
    assert bars(seen) == ["100%"]


def test_the_bytes_of_views_do_not_add_up() -> None:
    seen = xray([event("view", 24, op="select")] * 5000)
    assert rows(seen)[1:] == [["=", "view select 5,000 times, each up to", "24 B"]]
    assert "view    select, 5,000 times, each up to         24 B" in repr(seen)
    assert "<b>5,000 times</b>" in html(seen)


def test_a_loop_that_grows_a_tensor_takes_one_row() -> None:
    grown = [event("allocation", 4 * n, op="cat", after=Side("Tensor", "float32", "cpu", (n,))) for n in range(1, 101)]
    assert rows(xray(grown))[1:] == [["#", "new cat 100 times", "20,200 B"]]


def test_lines_that_did_nothing_are_quiet_and_many_of_them_folded() -> None:
    code = ("", "import torch", "x = torch.ones(3)", "", *(f"a_{i} = x" for i in range(10)), "x.add_(1)")
    seen = xray([event("allocation", line=3), event("in-place", line=15)], code=code)
    assert rows(seen) == [
        ["line 2", "import torch"],
        ["line 3", "x = torch.ones(3)"],
        ["#", "new clone", "24 B"],
        ["line 5", "a_0 = x"],
        ["⋮", "lines 6 to 13"],
        ["line 14", "a_9 = x"],
        ["line 15", "x.add_(1)"],
        ["●", "written clone", "24 B"],
    ]
    assert [str(body.get("class")) for body in drawn(seen).iter("tbody")] == ["tt-still", "None", "tt-still", "None"]


def test_the_code_keeps_its_indentation() -> None:
    assert "<code>    x.add_(1)</code>" in html(xray([event(line=2)], code=("for _ in (1,):", "    x.add_(1)")))


def test_an_unknown_line_is_called_so() -> None:
    assert rows(xray([event(line=0, source="")]))[0] == ["line ?", "code that could not be found"]


def test_ten_thousand_events_are_drawn_no_larger_than_a_few() -> None:
    few = xray(event(KINDS[i % 7], line=1 + i % 5) for i in range(35))
    many = xray(event(KINDS[i % 7], line=1 + i % 5, nbytes=24 + i) for i in range(10_000))
    assert len(rows(many)) == len(rows(few))
    assert len(html(many)) < 1.2 * len(html(few))


def test_many_operators_on_many_lines_are_bounded_and_the_rest_is_counted() -> None:
    seen = xray(event(op=f"op_{i % 97}", line=1 + i % 1000, nbytes=i) for i in range(50_000))
    assert len(html(seen)) < 600_000
    assert cards(seen)[0] == "1.2 GiB written in all"
    more = [row for row in rows(seen) if row[0] == "⋮"]
    assert [row[1] for row in more if "lines" in row[1]] == ["and 900 more lines; .events has them all"]
    assert "and 35 more rows; .events has them all" in {row[1] for row in more}


def test_many_findings_on_a_line_are_counted() -> None:
    findings = tuple(Finding(f"reason {i}", i, (1,)) for i in range(20))
    page = html(xray([event()], findings=findings))
    assert page.count("Worth a look") == 6
    assert "14 more worth a look are in <code>.findings</code>." in page


def test_whatever_comes_from_code_is_escaped() -> None:
    evil = "<script>alert('&')</script>"
    seen = xray(
        [event(source=evil, op=evil, called=evil, before=Side(evil, evil, evil), after=Side("Tensor", evil, evil))],
        findings=(Finding(f"{evil} `{evil}`", 1, (1,)),),
        notes=(evil,),
    )
    assert "<script" not in html(seen)
    assert rows(seen)[0][1] == evil
    assert "<script" not in html(xray([event(line=2)], code=(evil, evil)))


def test_a_long_line_of_code_is_cut() -> None:
    assert len(rows(xray([event(source="x" * 10_000)]))[0][1]) < 500


def test_nothing_is_said_to_be_nothing() -> None:
    seen = xray([], notes=("Two of the cell's threads were not watched.",))
    assert [text(p) for p in drawn(seen).iter("p")] == [
        "Nothing happened to memory.",
        "Two of the cell's threads were not watched.",
    ]
    assert "<table" not in html(seen)


def test_events_without_bytes_have_no_bar() -> None:
    assert bars(xray([event("view", 0), event("allocation", 0)])) == []
    assert bars(xray([event("wait", 4, hypothetical=True)])) == ["14px"]


def test_the_same_facts_are_drawn_the_same() -> None:
    assert html(a_pipeline()) == html(a_pipeline())


def test_the_text_says_what_the_table_says() -> None:
    said = repr(a_pipeline())
    for row in rows(a_pipeline()):
        for words in row[1:]:
            assert words.split()[-1].strip("`") in said.replace("`", "")
