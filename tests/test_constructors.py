"""The atlas: what it says is what a learner sees who runs the call, and running it costs them nothing."""

from __future__ import annotations

import array
import asyncio
import os
import re
from types import SimpleNamespace

import numpy as np
import pytest
import torch

from tests.atlas_help import outcomes, run_python
from tutor import atlas
from tutor._constructing.source import shares
from tutor._constructing.table import CONSTRUCTORS, SOURCES, code_line
from tutor.constructors import Atlas
from tutor.widgets.atlas import bundle, follow


@pytest.fixture(scope="module")
def whole() -> Atlas:
    return atlas().wait()


# What a learner would do to find out: write into the source, and look at the tensor.

WRITABLE = {
    "float32 array": lambda: np.ones((2, 3), np.float32),
    "array.T": lambda: np.ones((2, 3), np.float32).T,
    "Fortran array": lambda: np.ones((2, 3), np.float32, order="F"),
    "array[:, ::2]": lambda: np.ones((2, 3), np.float32)[:, ::2],
    "float64 array": lambda: np.ones(3),
    "uint16 array": lambda: np.ones(4, np.uint16),
    "0-d array": lambda: np.array(3.5, np.float32),
    "big-endian array": lambda: np.ones(3, ">f4"),
    "bytearray": lambda: bytearray([0, 0, 128, 63]),
    "memoryview": lambda: memoryview(bytearray([0, 0, 128, 63])),
    "array.array": lambda: array.array("i", [1, 2, 3]),
    "tensor": lambda: torch.ones(3),
    "bfloat16 tensor": lambda: torch.ones(3, dtype=torch.bfloat16),
    "[1, 2, 3]": lambda: [1, 2, 3],
    "[[1, 2], [3, 4]]": lambda: [[1, 2], [3, 4]],
    "[array, array]": lambda: [np.ones(3, np.float32), np.ones(3, np.float32)],
    "[tensor, tensor]": lambda: [torch.ones(3), torch.ones(3)],
}


def write_into(source: object) -> None:
    if isinstance(source, list) and not isinstance(source[0], int):
        write_into(source[0])
    elif isinstance(source, np.ndarray):
        source[(0,) * source.ndim] = 77
    else:
        source[0] = 77  # type: ignore[index]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", WRITABLE)
def test_shares_and_copies_are_what_a_write_into_the_source_shows(whole: Atlas, name: str) -> None:
    seen = {}
    for constructor, template in CONSTRUCTORS.items():
        if (constructor, name) == ("frombuffer", "uint16 array"):
            continue  # here with another length than in the atlas
        source = WRITABLE[name]()
        try:
            tensor = eval(template.format(x="source"), {"torch": torch, "source": source})
        except Exception:
            seen[constructor] = "raise"
            continue
        before = tensor.clone()
        write_into(source)
        seen[constructor] = "copied" if torch.equal(tensor, before) else "share"
    said = {name: {"copy": "copied", "cast": "copied"}.get(cell, cell) for name, cell in outcomes(whole, name).items()}
    assert {name: said[name] for name in seen} == seen


def test_a_copy_that_was_not_to_be_made_is_remarked_on(whole: Atlas) -> None:
    cell = whole["asarray(copy=False)", "0-d array"]
    assert (cell.outcome, cell.remark) == ("copy", "copy=False was asked for.")


@pytest.mark.filterwarnings("ignore")
def test_what_comes_out_is_what_the_shown_code_gives(whole: Atlas) -> None:
    checked = 0
    for cell in whole.cells:
        if cell.dtype is None or cell.alone:
            continue
        names = {"torch": torch, "np": np, "array": array}
        exec(cell.where, names)
        tensor = eval(cell.code, names)
        assert isinstance(tensor, torch.Tensor)
        facts = (str(tensor.dtype).removeprefix("torch."), tuple(tensor.shape), tensor.stride(), str(tensor.device))
        assert facts == (cell.dtype, cell.shape, cell.strides, cell.device)
        assert (tensor.requires_grad, tensor.is_contiguous()) == (cell.requires_grad, cell.contiguous)
        checked += 1
    assert checked > 150


@pytest.mark.filterwarnings("ignore")
def test_what_is_raised_is_what_the_shown_code_raises(whole: Atlas) -> None:
    raised = [cell for cell in whole.cells if cell.outcome == "raise" and not cell.alone]
    assert len(raised) > 100
    for cell in raised:
        names = {"torch": torch, "np": np, "array": array}
        exec(cell.where, names)
        with pytest.raises(Exception, match=re.escape(str(cell.error).partition(": ")[2][:60])) as seen:
            eval(cell.code, names)
        assert str(cell.error).startswith(f"{type(seen.value).__name__}: ")


def test_every_constructor_meets_every_source(whole: Atlas) -> None:
    assert len(whole.cells) == len(whole.constructors) * len(whole.sources)
    assert [(cell.constructor, cell.source) for cell in whole.cells] == [
        (constructor, source) for source in whole.sources for constructor in whole.constructors
    ]
    assert {*whole.sources, *(name for name, _ in whole.missing)} == set(SOURCES)
    assert "pending" not in whole.counts
    assert sum(whole.counts.values()) == len(whole.cells)


def test_a_cell_ends_the_process_exactly_if_it_ends_one_of_ours(whole: Atlas) -> None:
    cell = whole["from_dlpack", "array[::-1]"]
    ended = run_python(f"import numpy as np, torch\n{cell.where}\n{cell.code}").returncode not in (0, 1)
    assert (cell.outcome == "end") == ended
    assert cell.alone
    if ended:
        assert cell.dtype is None
        assert "It ran in a process of its own, which ended by signal 6 (SIGABRT)" in cell.remark or os.name == "nt"


def test_whoever_hands_out_memory_by_address_is_asked_elsewhere(whole: Atlas) -> None:
    for constructor in ("from_dlpack", "frombuffer"):
        for source in (
            "array[::-1]",
            "array.T",
            "read-only array",
            "big-endian array",
            "object array",
            "requires grad",
        ):
            assert whole[constructor, source].alone, (constructor, source)
    assert not whole["tensor", "array[::-1]"].alone


def test_a_cast_is_a_copy_in_another_dtype(whole: Atlas) -> None:
    cell = whole["Tensor", "float64 array"]
    assert (cell.outcome, cell.source_dtype, cell.dtype) == ("cast", "float64", "float32")
    assert cell.remark == f"Not every value survives: 0.1 became {np.float32(0.1).item()!r}."
    assert (whole["tensor", "float64 array"].outcome, whole["tensor", "float64 array"].dtype) == ("copy", "float64")
    assert whole["tensor", "bytearray"].outcome == "cast"
    assert (whole["tensor", "bytearray"].source_dtype, whole["tensor", "bytearray"].dtype) == ("uint8", "int64")


def test_the_same_bits_in_another_dtype_are_no_cast(whole: Atlas) -> None:
    shared, copied = whole["asarray", "array.array"], whole["asarray(copy=True)", "array.array"]
    assert (shared.outcome, copied.outcome) == ("share", "copy")
    asks = torch.asarray(array.array("i", [1])).dtype == torch.int32  # since torch 2.15
    values = ", ".join(f"{value:.3g}" for value in np.array([1, 2, 3], np.int32).view(np.float32).tolist())
    assert shared.remark == ("" if asks else f"The same bits are read as another dtype: 1, 2, 3 became {values}.")
    assert copied.remark == shared.remark
    swapped = np.array([1, 2, 3], ">f4").view(np.float32).tolist()
    assert f"1, 2, 3 became {', '.join(f'{v:.3g}' for v in swapped)}" in whole["frombuffer", "big-endian array"].remark


def test_a_number_is_a_shape_to_tensor_with_a_capital(whole: Atlas) -> None:
    for constructor in ("Tensor", "FloatTensor"):
        cell = whole[constructor, "3"]
        assert (cell.outcome, cell.shape, cell.remark) == ("make", (3,), "3 was read as a shape, not as a value.")
    assert (whole["tensor", "3"].outcome, whole["tensor", "3"].shape) == ("copy", ())


def test_a_list_has_no_dtype_and_its_ints_become_floats_in_tensor_with_a_capital(whole: Atlas) -> None:
    cell = whole["Tensor", "[1, 2, 3]"]
    assert (cell.outcome, cell.source_dtype, cell.dtype) == ("copy", None, "float32")
    assert cell.remark == "Every Python int became a float."
    assert whole["tensor", "[1, 2, 3]"].remark == ""


def test_a_copy_may_keep_the_strides_of_its_source(whole: Atlas) -> None:
    cell = whole["tensor", "array.T"]
    assert (cell.outcome, cell.strides, cell.contiguous) == ("copy", (1, 3), False)
    assert cell.remark == "The copy is not contiguous: it keeps the order in which the source lies in memory."
    assert whole["tensor", "array[:, ::2]"].contiguous is True


def test_what_happens_to_the_graph_is_told(whole: Atlas) -> None:
    source = "requires grad"
    assert whole["tensor", source].remark == "It does not require grad, though the source does."
    assert whole["as_tensor", source].remark == "What comes back is the very object that was handed over."
    assert whole["stack", source].remark == "It is part of the graph: its grad_fn is StackBackward0."
    assert whole["from_dlpack", source].outcome == "raise"


def test_each_cell_has_its_own_warning_though_torch_gives_it_once(whole: Atlas) -> None:
    said = [whole[constructor, "read-only array"] for constructor in ("Tensor", "as_tensor", "asarray", "from_numpy")]
    for cell in said:
        assert [text[:47] for text in cell.warnings] == ["UserWarning: The given NumPy array is not writab"[:47]]
        assert cell.remark == "The source is read-only, the tensor is not."
    silent = whole["from_dlpack", "read-only array"]
    assert (silent.outcome, silent.warnings) == ("share", ())
    assert silent.remark == "The source is read-only, the tensor is not, and no warning says so."
    assert "Triggered internally" not in "".join(text for cell in whole.cells for text in cell.warnings)


def test_sharing_is_decided_by_a_write_where_a_source_hides_its_memory() -> None:
    class Hidden:
        def __init__(self) -> None:
            self.held = [1.0, 2.0]
            self.kept = torch.zeros(2)

        def __repr__(self) -> str:
            return f"{self.held} {self.kept.tolist()}"

    hidden = Hidden()
    assert shares(hidden, hidden.kept[1:])
    assert not shares(hidden, torch.tensor(hidden.held))
    assert not shares(hidden, torch.empty(0))


# Which part of it


def test_a_part_has_the_order_it_was_asked_for_in() -> None:
    part = atlas(["from_numpy", "tensor", "from_numpy"], ("float32 array", "3"))
    assert part.constructors == ("from_numpy", "tensor")
    assert [cell.code for cell in part.cells] == [
        "torch.from_numpy(a)",
        "torch.tensor(a)",
        "torch.from_numpy(3)",
        "torch.tensor(3)",
    ]
    assert part.complete
    assert part.wait() is part


@pytest.mark.parametrize(
    ("asked", "error", "message"),
    [
        ({"constructors": ["tensr"]}, ValueError, "constructors: there is no 'tensr'; there are 'tensor', 'Tensor', "),
        ({"sources": ["array"]}, ValueError, "sources: there is no 'array'; there are '3', '3.5', '[1, 2, 3]', "),
        (
            {"constructors": "tensor"},
            TypeError,
            "constructors: expected several names, such as ['tensor'], got the one ",
        ),
        ({"sources": [3]}, TypeError, "sources: expected names, got 3 of type int"),
        ({"sources": 3}, TypeError, "sources: expected several names, got 3 of type int"),
    ],
)
def test_a_name_that_is_none_is_told_with_those_there_are(asked: dict, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=re.escape(message)):
        atlas(**asked)


def test_a_cell_is_asked_for_by_its_two_names() -> None:
    part = atlas(["tensor"], ["3"])
    assert part["tensor", "3"].code == "torch.tensor(3)"
    with pytest.raises(ValueError, match="constructor: there is no 'stack'; there are 'tensor'"):
        part["stack", "3"]
    with pytest.raises(ValueError, match="source: there is no '4'; there are '3'"):
        part["tensor", "4"]
    with pytest.raises(
        TypeError, match=re.escape("an atlas is asked for a pair, atlas()[constructor, source]; got 'ten")
    ):
        part["tensor"]  # type: ignore[index]
    with pytest.raises(ValueError, match="outcome: there is no 'copied'; there are 'share', 'copy', "):
        part.filter("copied")


def test_asking_for_what_is_not_there_yet_waits_for_it() -> None:
    part = atlas(["from_dlpack"], ["array.T", "array[::-1]"])
    assert [cell.outcome for cell in part.cells] == ["pending", "pending"]
    assert part["from_dlpack", "array.T"].outcome == "share"
    assert part.filter("pending") == ()
    assert part.counts == {"pending": 2}
    assert part.wait().complete


def test_a_source_whose_library_is_not_installed_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tutor._constructing.table.find_spec", lambda name: None)
    part = atlas(["tensor"], ["3", "Pillow image", "pandas Series", "pandas DataFrame"])
    assert part.sources == ("3",)
    assert part.missing == (("Pillow image", "pillow"), ("pandas Series", "pandas"), ("pandas DataFrame", "pandas"))
    said = "Not installed here, so not shown: pillow (Pillow image), pandas (pandas Series, pandas DataFrame)."
    assert repr(part).endswith(said)
    assert said in part._repr_html_()


# As text, and in a notebook


def test_the_text_twin_of_a_part() -> None:
    part = atlas(["tensor", "Tensor", "from_numpy"], ["3", "[1, 2, 3]", "float64 array"])
    assert repr(part) == (
        "               tensor\n"
        "               | Tensor\n"
        "               | | from_numpy\n"
        "3              + # x\n"
        "[1, 2, 3]      + + x\n"
        "float64 array  + ~ =\n"
        "\n"
        "= shares bytes 1   + copied 4   ~ copied and cast 1   # new bytes, no source 1   x raises 2\n"
        "\n"
        "Remarks\n"
        "- Tensor of 3: 3 was read as a shape, not as a value.\n"
        "- Tensor of [1, 2, 3]: Every Python int became a float.\n"
        "- Tensor of float64 array: Not every value survives: 0.1 became 0.10000000149011612."
    )


def test_a_single_cell_has_a_text_of_its_own(whole: Atlas) -> None:
    assert repr(whole["tensor", "array.T"]) == (
        "a = np.array([[1, 2, 3], [4, 5, 6]], dtype=np.float32)\n"
        "torch.tensor(a.T)\n"
        "+ copied\n"
        "gives float32 (3, 2), strides (1, 3) (not contiguous), device cpu, requires_grad False\n"
        "The copy is not contiguous: it keeps the order in which the source lies in memory."
    )
    assert repr(whole["Tensor", "uint16 array"]).split("\n")[2] == "~ copied and cast from uint16 to float32"
    assert repr(whole["from_numpy", "3"]) == "torch.from_numpy(3)\nx raises\nTypeError: expected np.ndarray (got int)"


def test_the_text_twin_says_every_remark_and_warning(whole: Atlas) -> None:
    said = " ".join(repr(whole).split())
    for cell in whole.cells:
        for text in (cell.remark, *cell.warnings):
            assert text in said


def test_outside_a_kernel_there_is_no_widget() -> None:
    part = atlas(["from_dlpack", "tensor"], ["array.T"])
    forms = part._repr_mimebundle_()
    assert set(forms) == {"text/plain", "text/html"}
    assert "?" not in forms["text/plain"]
    assert forms["text/html"] == part._repr_html_()


def test_in_a_kernel_it_is_shown_before_all_cells_are_there_and_then_filled_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tutor.widgets.atlas.in_kernel", lambda: True)
    monkeypatch.setattr("tutor.constructors._SOON_S", 0.0)
    part = atlas(["from_dlpack", "tensor"], ["array.T"])

    async def kernel() -> list[str]:
        forms = bundle(part)
        assert "1 cell not decided yet" in forms["text/html"]
        assert "application/vnd.jupyter.widget-view+json" in forms
        box = SimpleNamespace(value="")
        await follow(box, part)
        return [forms["text/html"], box.value]

    shown, filled = asyncio.run(kernel())
    assert filled == part._repr_html_() != shown


def test_the_code_of_a_cell_is_the_call_with_the_source_in_it() -> None:
    assert code_line(("asarray(copy=False)", "array[:, ::2]")) == "torch.asarray(a[:, ::2], copy=False)"
