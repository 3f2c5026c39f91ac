"""The autocast table: what it says is what torch does, on this machine's devices and on tensors without numbers."""

from __future__ import annotations

import re
import warnings
from html.parser import HTMLParser

import pytest
import torch

from tutor import autocast_table
from tutor._casting.hollow import emptied, switched
from tutor._casting.model import AutocastTable, Place
from tutor._casting.observing import observe
from tutor._casting.operators import OPERATORS, inputs

CODES = [code for _, codes in OPERATORS for code in codes]
LOW = (torch.bfloat16, torch.float16)


def run(code: str, dtype: torch.dtype) -> str:
    """The dtype that a call gives on the CPU, or the class of what it raises."""
    try:
        result = eval(code, {"torch": torch, "F": torch.nn.functional, **inputs("cpu", dtype)})
    except Exception as error:
        return type(error).__name__
    return str(result.dtype).removeprefix("torch.")


@pytest.fixture(scope="module")
def both() -> AutocastTable:
    return autocast_table()


@pytest.mark.parametrize("low", LOW, ids=str)
def test_every_cell_is_what_torch_gives(low: torch.dtype) -> None:
    table = autocast_table("cpu", low)
    assert [cast.code for cast in table.casts] == CODES
    for cast in table.casts:
        for outcome, dtype in zip(cast.outcomes, (torch.float32, low, torch.float64), strict=True):
            with torch.autocast("cpu", low):
                assert outcome.dtype == run(cast.code, dtype), cast.code
            assert outcome.without == run(cast.code, dtype), cast.code
            assert outcome.given == str(dtype).removeprefix("torch.")


@pytest.mark.parametrize("low", LOW, ids=str)
def test_tensors_without_numbers_are_treated_as_those_with(low: torch.dtype) -> None:
    real = autocast_table("cpu", low)
    hollow = observe((Place("cpu", str(low).removeprefix("torch."), hollow=True),))
    compared = [(a, b) for a, b in zip(real.casts, hollow.casts, strict=True) if b.outcomes]
    assert len(compared) >= 0.9 * len(CODES)
    for a, b in compared:
        assert [one.dtype for one in a.outcomes] == [one.dtype for one in b.outcomes], a.code


def test_the_rules_of_a_gpu_are_those_of_the_documentation(both: AutocastTable) -> None:
    device = both.places[1].device
    if device != "cuda":
        pytest.skip("another accelerator than CUDA has other rules")
    treated = {cast.code: cast.treatment for cast in both.of("cuda")}
    # https://docs.pytorch.org/docs/stable/amp.html#autocast-op-reference
    for code in ("x @ y", "F.linear(x, weight, bias)", "torch.conv2d(image, kernel)"):
        assert treated[code] == "low precision"
    for code in ("x.exp()", "x.log()", "x.pow(2)", "x.sum()", "x.cumsum(0)", "x.norm()", "x.softmax(-1)"):
        assert treated[code] == "float32"
    for code in ("F.layer_norm(x, (4,))", "F.mse_loss(x, y)", "F.cross_entropy(x, labels)"):
        assert treated[code] == "float32"
    assert treated["F.binary_cross_entropy(x, y)"] == "raises"
    for code in ("x + y", "x.relu()", "torch.mm(x, y, out=room)", "room.addmm_(x, y)", "torch.ones_like(x)"):
        assert treated[code] == "as it comes"


def test_what_the_cpu_leaves_and_a_gpu_does_not(both: AutocastTable) -> None:
    assert both["x.softmax(-1)", "cpu"].treatment == "as it comes"
    assert both["F.mse_loss(x, y)", "cpu"].treatment == "float32"
    assert all(cast.outcomes[2].dtype in ("float64", "int64") for cast in both.of("cpu"))


def test_nothing_is_left_switched_on_or_heard() -> None:
    states = [(torch.is_autocast_enabled(d), torch.get_autocast_dtype(d)) for d in ("cpu", "cuda")]
    random, cached = torch.get_rng_state(), torch.is_autocast_cache_enabled()
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        autocast_table()
    assert not heard
    assert [(torch.is_autocast_enabled(d), torch.get_autocast_dtype(d)) for d in ("cpu", "cuda")] == states
    assert torch.equal(torch.get_rng_state(), random)
    assert torch.is_autocast_cache_enabled() == cached


def test_within_a_region_the_table_is_the_same(both: AutocastTable) -> None:
    with torch.autocast("cpu", torch.bfloat16):
        assert autocast_table("cpu").casts == both.of("cpu")
        assert torch.is_autocast_enabled("cpu")


def test_in_inference_mode_the_table_is_the_same(both: AutocastTable) -> None:
    with torch.inference_mode():
        assert autocast_table().casts == both.casts
        assert torch.is_inference_mode_enabled()


def test_a_switch_is_put_back_after_an_error() -> None:
    before = torch.is_autocast_enabled("cuda")
    x = emptied(inputs("cpu", torch.float32), "cuda")["x"]
    with pytest.raises(RuntimeError), switched("cuda", torch.float16, on=True):
        x.view(3)
    assert torch.is_autocast_enabled("cuda") == before


def test_one_device() -> None:
    table = autocast_table("cpu")
    assert [place.device for place in table.places] == ["cpu"]
    assert not table.places[0].hollow
    with pytest.raises(KeyError):
        table["x @ y", "cuda"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("tpu",), "device: 'cpu', 'cuda' or a device that is here is wanted; got 'tpu'"),
        (("cpu", torch.float32), r"dtype: autocast is to torch.bfloat16 or torch.float16; got torch.float32"),
    ],
)
def test_bad_input_is_told_in_one_sentence(arguments: tuple[object, ...], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        autocast_table(*arguments)  # type: ignore[arg-type]


class Cells(HTMLParser):
    """The words of the table's cells, row by row."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.inside = False
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
            self.inside = True

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th"):
            self.inside = False

    def handle_data(self, data: str) -> None:
        if self.inside:
            self.rows[-1][-1] += data


def test_picture_and_text_say_the_same(both: AutocastTable) -> None:
    rows = {row[0]: row[1:] for row in Cells(both._repr_html_()).rows}
    text = repr(both)
    for code in CODES:
        line = next(line for line in text.splitlines() if line.strip().startswith(code))
        cells = [re.sub(r"x raises", "x", cell) for cell in rows[code]]
        if "cannot be run here" not in cells:
            assert line.split(code)[1].split() == cells
    assert "`F.binary_cross_entropy(x, y)` on cuda: RuntimeError" in text or both.places[1].device != "cuda"
    assert 'scope="colgroup"' in both._repr_html_()
