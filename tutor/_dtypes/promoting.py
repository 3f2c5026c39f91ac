"""Sums of every pair of dtypes, run for real, beside NumPy's."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch

from tutor._fact import Fact
from tutor._inspecting.quiet import first_sentence, unheard

OTHERS = ("tensor", "0-d tensor", "Python number")
# In this order, those that this torch has: truth values, without sign, with sign, 8 bits, floats, complex.
GROUPS = (
    ("bool",),
    ("uint8", "uint16", "uint32", "uint64"),
    ("int8", "int16", "int32", "int64"),
    ("float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz", "float8_e8m0fnu"),
    ("float16", "bfloat16", "float32", "float64"),
    ("complex32", "bcomplex32", "complex64", "complex128"),
)
NUMBERS = {"bool": True, "int": 1, "float": 1.0, "complex": 1j}


@dataclass(frozen=True)
class Sum:
    """What ``a + b`` gives for two dtypes.

    Attributes
    ----------
    left, right
        The names of the dtypes, or of the Python number's type.
    code
        The sum that was run.
    dtype, result
        The dtype of the result and how torch prints it; None if it raised.
    error
        What torch says if it raised.
    numpy
        The dtype of NumPy's result for the same pair; None if NumPy lacks one of them, or raised.
    numpy_error
        What NumPy says if it raised.
    """

    left: str
    right: str
    code: str
    dtype: str | None
    result: str | None
    error: str | None
    numpy: str | None
    numpy_error: str | None

    @property
    def differs(self) -> bool:
        """Whether NumPy has both dtypes and answers otherwise."""
        return (self.numpy is not None or self.numpy_error is not None) and self.numpy != self.dtype

    @property
    def is_new(self) -> bool:
        """Whether the result has neither operand's dtype."""
        return self.dtype is not None and self.dtype not in (self.left, self.right)


@dataclass(frozen=True)
class PromotionTable(Fact):
    """The sums of all pairs of dtypes; see `tutor.promotion_table`.

    Attributes
    ----------
    other
        What stands at the right of the plus sign: ``"tensor"``, ``"0-d tensor"`` or ``"Python number"``.
    rows, columns
        The dtypes at the left and at the right.
    cells
        A sum for each pair, row by row.
    torch, numpy
        The versions that answered.
    """

    other: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: tuple[Sum, ...]
    torch: str
    numpy: str

    def __getitem__(self, pair: tuple[str, str]) -> Sum:
        """The sum of the dtypes of these names: ``table["int64", "float16"]``."""
        left, right = pair
        if left not in self.rows or right not in self.columns:
            raise KeyError(pair)
        return self.cells[self.rows.index(left) * len(self.columns) + self.columns.index(right)]

    def __repr__(self) -> str:
        from tutor._dtypes.promotion_text import table_text  # noqa: PLC0415 - the text is written from the facts

        return table_text(self)


def observe(other: str) -> PromotionTable:
    """Run every sum."""
    rows = dtypes()
    columns = tuple(NUMBERS) if other == "Python number" else rows
    with unheard():
        cells = tuple(_sum(left, right, other) for left in rows for right in columns)
    release = torch.__version__.partition("+")[0]  # whether for a GPU or not, it answers alike
    return PromotionTable(other, rows, columns, cells, release, np.__version__)


def dtypes() -> tuple[str, ...]:
    """The dtypes of this torch whose tensors can be filled with numbers."""
    return tuple(name for group in GROUPS for name in group if hasattr(torch, name))


def _sum(left: str, right: str, other: str) -> Sum:
    dtype, result, error = _torch(left, right, other)
    numpy, numpy_error = _numpy(left, right, other)
    return Sum(left, right, _code(left, right, other), dtype, result, error, numpy, numpy_error)


def _code(left: str, right: str, other: str) -> str:
    shapes = {"tensor": "1", "0-d tensor": "()"}
    second = f"torch.ones({shapes[other]}, dtype=torch.{right})" if other in shapes else repr(NUMBERS[right])
    return f"torch.ones(1, dtype=torch.{left}) + {second}"


def _torch(left: str, right: str, other: str) -> tuple[str | None, str | None, str | None]:
    shape = (1,) if other == "tensor" else ()
    try:
        first = torch.ones(1, dtype=getattr(torch, left), device="cpu")
        second = (
            NUMBERS[right] if other == "Python number" else torch.ones(shape, dtype=getattr(torch, right), device="cpu")
        )
        total = first + second
        return str(total.dtype).removeprefix("torch."), repr(total), None
    except Exception as error:  # whatever it says is the answer
        return None, None, f"{type(error).__name__}: {first_sentence(error)}"


def _numpy(left: str, right: str, other: str) -> tuple[str | None, str | None]:
    first = _numpy_type(left)
    second = type(NUMBERS[right]) if other == "Python number" else _numpy_type(right)
    if first is None or second is None:
        return None, None
    try:
        addend = NUMBERS[right] if other == "Python number" else np.ones((1,) if other == "tensor" else (), second)
        return (np.ones(1, first) + addend).dtype.name, None
    except Exception as error:  # whatever it says is the answer
        return None, f"{type(error).__name__}: {first_sentence(error)}"


def _numpy_type(name: str) -> type[np.generic] | None:
    """NumPy's own dtype of that name; one that another package has added does not count."""
    found: type[np.generic] | None = getattr(np, "bool_" if name == "bool" else name, None)
    return found
