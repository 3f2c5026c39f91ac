"""The promotion table: every cell is what torch and NumPy give when the sum is run again."""

from __future__ import annotations

import itertools
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

from tutor import promotion_table
from tutor._dtypes.promoting import NUMBERS, OTHERS

pytestmark = pytest.mark.filterwarnings("ignore:B?Complex(Half|32) support is experimental")

NUMPY = {
    **{name: getattr(np, name) for name in ("uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64")},
    **{name: getattr(np, name) for name in ("float16", "float32", "float64", "complex64", "complex128")},
    "bool": np.bool_,
}


def all_dtypes() -> dict[str, torch.dtype]:
    """Every dtype that torch has, by the name that it prints."""
    found = {one for one in vars(torch).values() if isinstance(one, torch.dtype)}
    return {str(one).removeprefix("torch."): one for one in found}


def outcome(run: Callable[[], Any]) -> tuple[str | None, str | None]:
    """The dtype of a result, or the first words of what it raises."""
    try:
        return str(run().dtype).removeprefix("torch."), None
    except Exception as error:
        return None, str(error)[:40]


def can_be_filled(dtype: torch.dtype) -> bool:
    try:
        torch.zeros(1).to(dtype)
    except (RuntimeError, NotImplementedError):
        return False
    return True


def test_every_dtype_that_holds_numbers_is_there() -> None:
    filled = {name for name, dtype in all_dtypes().items() if can_be_filled(dtype)}
    assert set(promotion_table().rows) == filled
    assert promotion_table().rows == promotion_table().columns


@pytest.mark.parametrize("other", OTHERS)
def test_every_sum_is_what_torch_gives(other: str) -> None:
    table, dtypes = promotion_table(other), all_dtypes()
    pairs = list(itertools.product(table.rows, table.columns))
    assert [(cell.left, cell.right) for cell in table.cells] == pairs
    for left, right in pairs:
        a = torch.zeros(1).to(dtypes[left])
        b: Any = NUMBERS[right] if right in NUMBERS and other == "Python number" else None
        if b is None:
            b = torch.zeros(1 if other == "tensor" else ()).to(dtypes[right])
        dtype, error = outcome(lambda a=a, b=b: a + b)
        cell = table[left, right]
        assert cell.dtype == dtype, (left, right)
        assert (cell.error is None) == (error is None)
        assert error is None or error in str(cell.error)
        assert dtype is None or str(torch.result_type(a, b)).removeprefix("torch.") == dtype


@pytest.mark.parametrize("other", OTHERS)
def test_every_sum_is_what_numpy_gives(other: str) -> None:
    table = promotion_table(other)
    for cell in table.cells:
        known = NUMPY if other != "Python number" else {**NUMPY, **NUMBERS}
        if cell.left not in NUMPY or cell.right not in known:
            assert (cell.numpy, cell.numpy_error, cell.differs) == (None, None, False)
            continue
        a = np.zeros(1, NUMPY[cell.left])
        b: Any = (
            NUMBERS[cell.right]
            if other == "Python number"
            else np.zeros((1,) if other == "tensor" else (), NUMPY[cell.right])
        )
        dtype, error = outcome(lambda a=a, b=b: a + b)
        assert cell.numpy == dtype
        assert (cell.numpy_error is None) == (error is None)
        assert cell.differs == (cell.dtype != dtype)


@pytest.mark.parametrize("other", OTHERS)
def test_the_code_of_a_sum_gives_its_result(other: str) -> None:
    for cell in promotion_table(other).cells:
        if cell.dtype is None:
            with pytest.raises((RuntimeError, NotImplementedError)):
                eval(cell.code)
        else:
            assert repr(eval(cell.code)) == cell.result


def test_known_sums() -> None:
    table = promotion_table()
    half = table["int64", "float16"]
    assert (half.dtype, half.numpy, half.differs, half.is_new) == ("float16", "float64", True, False)
    mixed = table["float16", "bfloat16"]
    assert (mixed.dtype, mixed.numpy, mixed.differs, mixed.is_new) == ("float32", None, False, True)
    assert promotion_table("0-d tensor")["uint8", "int64"].dtype == "uint8"
    assert promotion_table("Python number")["int64", "float"].dtype == "float32"
    with pytest.raises(KeyError):
        table["int64", "float"]


def test_the_default_dtype_is_the_learners() -> None:
    torch.set_default_dtype(torch.float64)
    try:
        assert promotion_table("Python number")["int64", "float"].dtype == "float64"
    finally:
        torch.set_default_dtype(torch.float32)


def test_another_right_side_is_refused() -> None:
    with pytest.raises(
        ValueError, match="other: there is no 'array'; there are 'tensor', '0-d tensor', 'Python number'"
    ):
        promotion_table("array")


@pytest.mark.parametrize("other", OTHERS)
def test_the_text_has_every_answer(other: str) -> None:
    table, said = promotion_table(other), repr(promotion_table(other))
    lines = said.splitlines()
    heads = lines[2].split()
    alike = {
        name: line.split(": ")[0].removeprefix("As ")
        for line in lines
        if line.startswith("As ")
        for name in line.removesuffix(".").split(": ")[1].split(", ")
    }
    shown = {line.split()[0]: line.split()[1:] for line in lines[3:] if line and line.split()[0] in table.rows}
    columns = [name for name in table.columns if name not in alike or other == "Python number"]
    assert len(heads) == len(columns)
    for cell in table.cells:
        right = cell.right if other == "Python number" else alike.get(cell.right, cell.right)
        text = shown[alike.get(cell.left, cell.left)][columns.index(right)]
        assert (text[0] == "x") == (cell.dtype is None)
        assert text.endswith("*") == cell.differs
        assert cell.dtype is None or written_out(text.strip("*")) == cell.dtype
    assert f"{sum(cell.error is not None for cell in table.cells)} raise (x)" in said


def written_out(short: str) -> str:
    kinds = {"u": "uint", "i": "int", "f": "float", "bf": "bfloat", "c": "complex"}
    letters = short.rstrip("0123456789")
    return kinds.get(letters, letters) + short.removeprefix(letters)


def test_it_uses_up_no_warning_of_the_learners() -> None:
    code = (
        "import warnings, torch, tutor; repr(tutor.promotion_table()); tutor.promotion_table()._repr_html_()\n"
        "with warnings.catch_warnings(record=True) as seen:\n"
        "    warnings.simplefilter('always'); torch.ones(1, dtype=torch.complex32)\n"
        "print(len(seen))"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout == "1\n"
