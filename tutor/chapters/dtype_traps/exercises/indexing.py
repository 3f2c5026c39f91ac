"""The exercise on ids from a table: gaps, texts and objects, made into rows of an embedding."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from tutor.course.model import Case, Exercise, Wrong

_Array = np.ndarray[Any, Any]


def _rows(result: object, column: _Array) -> str:
    if not isinstance(result, torch.Tensor):
        raise TypeError(f"a tensor is wanted, and {type(result).__name__} came")
    name = str(result.dtype).removeprefix("torch.")
    return f"{name} {result.tolist()}"


def _case(label: str, make: Callable[[], _Array], rows: list[int]) -> Case:
    return Case(label=label, arguments=lambda: (make(),), observe=_rows, expected=f"int64 {rows}")


def _objects(*items: object) -> _Array:
    made = np.empty(len(items), dtype=object)
    made[:] = items
    return made


ROWS_OF = Exercise(
    key="rows-of",
    task='`column` is what `frame["id"].to_numpy()` gave: ints, floats with NaN where an id is missing, or objects, '
    "among them texts such as '7', and None. Repair `rows_of(column)`: an int64 tensor of the ids, 0 where one is "
    "missing.",
    function="rows_of",
    starter='def rows_of(column):\n    """The ids as int64, 0 where one is missing."""\n'
    "    return torch.from_numpy(column).long()",
    solution="""\
def rows_of(column):
    ids = [0 if x is None or x != x else int(x) for x in column]
    return torch.tensor(ids, dtype=torch.int64)
""",
    hints=(
        "Decide what is missing before you cast: None, and NaN, which is the only number that is not equal to itself.",
        "Go through the column item by item: `int(x)` reads 7, 7.0 and '7'. A detour by floats would round large ids.",
        "`[0 if x is None or x != x else int(x) for x in column]`, then a tensor with `dtype=`: columns may be empty.",
    ),
    cases=(
        _case("[3, 1, 2]", lambda: np.array([3, 1, 2]), [3, 1, 2]),
        _case("[3, 1], int16", lambda: np.array([3, 1], dtype=np.int16), [3, 1]),
        _case("[3.0, nan, 2.0]", lambda: np.array([3.0, np.nan, 2.0]), [3, 0, 2]),
        _case("[3, None], objects", lambda: _objects(3, None), [3, 0]),
        _case("['7', '12'], objects", lambda: _objects("7", "12"), [7, 12]),
        _case("[5.0, nan, '6'], objects", lambda: _objects(5.0, float("nan"), "6"), [5, 0, 6]),
        _case("[16777217.0, nan]", lambda: np.array([16777217.0, np.nan]), [16777217, 0]),
        _case("[2**53 + 1, None], objects", lambda: _objects(2**53 + 1, None), [2**53 + 1, 0]),
        _case("an empty column", _objects, []),
    ),
    observed="dtype and ids",
    wrong=(
        Wrong(
            belief="Objects become numbers with `astype`.",
            source="def rows_of(column):\n"
            "    return torch.from_numpy(column.astype(np.float64)).nan_to_num(nan=0).long()",
            feedback="Gaps and texts come out right, but an id above `2**53` is rounded on the way through float64.",
        ),
        Wrong(
            belief="`nan_to_num` is all that is missing.",
            source="def rows_of(column):\n    return torch.from_numpy(column).nan_to_num(nan=0).long()",
            feedback="The gaps are right where the column is float64. Arrays of objects torch does not take at all.",
        ),
        Wrong(
            belief="`torch.Tensor` is the constructor that takes everything.",
            source="def rows_of(column):\n    return torch.Tensor(column.astype(np.float64)).nan_to_num(nan=0).long()",
            feedback="You went through float32, which holds ids up to `2**24` only: 16777217 became another id.",
        ),
        Wrong(
            belief="`astype(np.int64)` reads all of them.",
            source="def rows_of(column):\n    return torch.from_numpy(column.astype(np.int64))",
            feedback="It reads texts and large ids. Of NaN it makes a number without a meaning or an error, and of "
            "None an error.",
        ),
        Wrong(
            belief="A list goes into `torch.tensor` as it is.",
            source="def rows_of(column):\n"
            "    return torch.tensor([0 if x is None or x != x else int(x) for x in column])",
            feedback="Right, but for the empty column: without items and without a dtype it becomes float32.",
        ),
    ),
    after="The gaps are decided before any cast, and no id goes through a float that was an int.",
)
