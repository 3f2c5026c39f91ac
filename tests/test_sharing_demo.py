"""What a learner sees of writes on real objects: what changed, what is shared, and what torch refuses."""

from __future__ import annotations

import subprocess
import sys
import warnings
from array import array

import numpy as np
import pytest
import torch

from tutor import sharing_demo
from tutor._sharing.model import Change
from tutor._sharing.pair import OWN, SIDES, Pair
from tutor._sharing.table import CONVERSIONS, SOURCES
from tutor.widgets.sharing import SharingDemo

PAIRS = [(source, conversion) for source in SOURCES for conversion in CONVERSIONS]


@pytest.fixture(scope="module")
def shown() -> SharingDemo:
    return sharing_demo()


def places(changes: tuple[Change, ...]) -> list[tuple[int, ...]]:
    return [change.index for change in changes]


@pytest.mark.parametrize(("side", "line"), [("source", "source[1, 1] = 1.0"), ("result", "result[1, 1] = 1.0")])
def test_a_write_on_shared_bytes_is_seen_on_both(side: str, line: str) -> None:
    pair = Pair("NumPy float32", "from_numpy")
    write = pair.write(side)
    assert write.code == line
    assert write.seen
    for found in (write.source, write.result):
        assert found == (Change((1, 1), "0.0", "1.0", (20, 24), (22, 23)),)
    assert "The same bytes." in repr(pair.sharing())


@pytest.mark.parametrize("side", SIDES)
def test_a_write_on_a_copy_is_not(side: str) -> None:
    pair = Pair("NumPy float32", "tensor")
    write = pair.write(side)
    assert not write.seen
    assert places(write.source) == ([(1, 1)] if side == "source" else [])
    assert places(write.result) == ([(1, 1)] if side == "result" else [])
    assert "Separate bytes." in repr(pair.sharing())


def test_a_slice_shows_only_the_writes_on_its_part() -> None:
    pair = Pair("tensor", "slice [1:]")
    assert [places(pair.write("source").result) for _ in range(8)][::7] == [[(0, 1)], []]
    assert "not this element" in repr(pair.sharing())
    assert pair.sharing().source_seen


def test_both_ways_are_said_only_after_both() -> None:
    pair = Pair("NumPy float32", "from_numpy")
    pair.write("source")
    assert "you have tried both" not in repr(pair.sharing())
    pair.write("result")
    assert "you have tried both" in repr(pair.sharing())


def test_a_byte_may_lie_in_a_larger_element() -> None:
    write = Pair("NumPy float32", "frombuffer").write("result")
    assert write.result == (Change((1,), "0", "1", (1, 2), (1,)),)
    assert write.source == (Change((0, 0), "0.0", "3.587324e-43", (0, 4), (1,)),)


def test_a_leaf_that_requires_grad_refuses_the_write_and_its_detached_alias_takes_it() -> None:
    pair = Pair("tensor, requires grad", ".detach()")
    refused = pair.write("source")
    assert refused.error is not None
    assert "leaf Variable that requires grad" in refused.error
    assert not refused.source
    assert "Nothing changed on either side." in repr(pair.sharing())
    assert pair.write("result").seen


def test_what_is_said_of_the_leaf_is_so() -> None:
    leaf = torch.zeros(3, requires_grad=True)
    with torch.no_grad():
        leaf[1] = 1.0
    assert leaf.tolist() == [0, 1, 0]


def test_read_only_memory_is_written_through_the_tensor_with_torchs_own_warning() -> None:
    pair = Pair("NumPy read-only", "from_numpy")
    assert pair.write("source").error == "ValueError: assignment destination is read-only"
    assert pair.write("result").seen
    (warned,) = pair.sharing().warnings
    assert warned.startswith("UserWarning: The given NumPy array is not writable")
    assert "Triggered" not in warned


def test_the_learner_still_gets_the_warning_that_comes_once() -> None:
    code = (
        "import warnings, numpy as np, torch; from tutor import sharing_demo; sharing_demo(); "
        "a = np.zeros(3); a.flags.writeable = False; torch.from_numpy(a)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120)
    assert done.stderr.count("is not writable") == 1


@pytest.mark.parametrize(("source", "conversion"), PAIRS)
def test_the_table_agrees_with_who_can_see_a_write(shown: SharingDemo, source: str, conversion: str) -> None:
    """Written on here with torch's and NumPy's own means, past what forbids it to a learner."""
    names: dict[str, object] = {"np": np, "torch": torch}
    for line in SOURCES[source]:
        exec(line, names)
    before = values(names["source"])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            result = eval(CONVERSIONS[conversion], names)
        except (TypeError, ValueError, RuntimeError, AttributeError, BufferError):
            assert shown.table[source, conversion].outcome == "raise"
            return
    shares = shown.table[source, conversion].outcome == "share"
    if isinstance(result, torch.Tensor):
        result.detach().fill_(7)
    elif isinstance(result, np.ndarray) and result.flags.writeable:
        result.fill(7)
    elif isinstance(result, np.ndarray):
        assert np.shares_memory(result, names["source"]) == shares  # type: ignore[call-overload]
        return
    else:
        result[0] = 7
    assert (values(names["source"]) != before) == shares


def values(x: object) -> list[object]:
    flat = x.detach().reshape(-1) if isinstance(x, torch.Tensor) else np.ravel(np.array(x))
    return list(flat.tolist()) if not isinstance(x, bytearray) else list(x)


@pytest.mark.parametrize(("source", "conversion"), PAIRS)
def test_every_pair_has_a_picture_and_no_crash(shown: SharingDemo, source: str, conversion: str) -> None:
    shown.choose(source, conversion)
    for side in SIDES:
        if shown.can_write(side):
            shown.write(side)
    sharing = shown.sharing
    html = sharing._repr_html_()
    assert (sharing.error is None) == (shown.table[source, conversion].outcome != "raise")
    assert (
        html.count("<circle")
        == sum(change.place is not None for found in (sharing.write.source, sharing.write.result) for change in found)
        if sharing.write
        else True
    )
    if sharing.error:
        assert f"x {sharing.error}" in repr(sharing)


def test_twins_depend_on_nothing_that_moves(shown: SharingDemo) -> None:
    again = sharing_demo()
    assert repr(again) == repr(shown)
    assert again._repr_html_() == shown._repr_html_()
    assert again._repr_mimebundle_().keys() == {"text/plain", "text/html"}


OWN_SOURCES = [
    lambda: np.arange(6).reshape(2, 3)[:, ::2],
    lambda: np.array(3.5),
    lambda: np.arange(4)[::-1],
    lambda: torch.zeros(1).expand(3),
    lambda: torch.arange(4, dtype=torch.float64),
    lambda: torch.tensor([True, False]),
    lambda: [[1, 2], [3, 4]],
    lambda: array("f", [1, 2, 3]),
    lambda: bytearray(b"abc"),
]


@pytest.mark.parametrize("make", OWN_SOURCES)
def test_an_own_source_is_written_only_by_a_press_and_gets_its_values_back(make: object) -> None:
    source = make()  # type: ignore[operator]
    before = values(source)
    demo = sharing_demo(source)
    assert values(source) == before
    for conversion in CONVERSIONS:
        demo.choose(OWN, conversion)
        demo.write("source")
        assert values(source) != before
        if demo.can_write("result"):
            demo.write("result")
        demo.start_over()
        assert values(source) == before


@pytest.mark.parametrize(("source", "outcome"), [([[1, 2], [3, 4]], "share"), ([1, 2, 3], "copy")])
def test_a_slice_of_a_list_shares_the_lists_within(source: list[object], outcome: str) -> None:
    demo = sharing_demo(source)
    assert demo.table[OWN, "slice [1:]"].outcome == outcome
    demo.choose(OWN, "slice [1:]")
    seen = demo.write("result").write
    assert seen is not None
    assert seen.seen == (outcome == "share")


def test_negative_strides_are_not_handed_to_dlpack() -> None:
    demo = sharing_demo(np.arange(4)[::-1])
    demo.choose(OWN, "from_dlpack")
    assert "ends the process" in repr(demo.sharing)


@pytest.mark.parametrize(
    ("source", "kind", "said"),
    [
        ("text", TypeError, "but got str"),
        (b"bytes", TypeError, "but got bytes"),
        (np.array(["a"]), TypeError, "but got an array of <U1"),
        (np.broadcast_to(np.zeros(1), (3,)), TypeError, "a read-only array"),
        (torch.empty(3, device="meta"), TypeError, "a tensor on meta, without values"),
        (torch.eye(2).to_sparse(), TypeError, "a tensor of layout torch.sparse_coo"),
        (["a"], TypeError, "a list with other items"),
        ([], ValueError, "but got 0"),
        (np.zeros(100_001), ValueError, "but got 100,001"),
    ],
)
def test_what_cannot_be_written_and_compared_is_refused(source: object, kind: type[Exception], said: str) -> None:
    with pytest.raises(kind, match=f"sharing_demo expected source to .*{said}"):
        sharing_demo(source)


def test_unknown_names_are_refused(shown: SharingDemo) -> None:
    with pytest.raises(ValueError, match="source: there is no 'x'"):
        shown.choose("x", "tensor")
    with pytest.raises(ValueError, match="conversion: there is no 'x'"):
        shown.choose("tensor", "x")
    with pytest.raises(ValueError, match="no element to write on in 'x'"):
        shown.write("x")


def test_the_controls_do_what_they_say() -> None:
    demo = sharing_demo()
    controls = demo.controls
    controls.buttons["result"].click()
    assert "The same bytes." in controls.shown.value
    controls.source.value = "Python list"
    assert "expected np.ndarray (got list)" in controls.shown.value
    assert controls.buttons["result"].disabled
    controls.conversion.value = "tensor"
    controls.buttons["source"].click()
    assert "Separate memory." in controls.shown.value
    controls.over.click()
    assert "Not written yet." in controls.shown.value
