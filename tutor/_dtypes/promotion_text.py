"""The text twin of the promotion table."""

from __future__ import annotations

import re

from tutor._dtypes.promoting import PromotionTable, Sum
from tutor._dtypes.text import aligned
from tutor._words import count_text

_KINDS = {"uint": "u", "int": "i", "float": "f", "bfloat": "bf", "complex": "c", "bcomplex": "bc"}


def short(name: str) -> str:
    """A dtype's name in four letters at most, as far as it has a width.

    >>> short("uint16"), short("bfloat16"), short("complex128"), short("bool"), short("float8_e5m2")
    ('u16', 'bf16', 'c128', 'bool', 'f8_e5m2')
    """
    found = re.fullmatch(r"([a-z]+)(\d+.*)", name)
    return _KINDS.get(found[1], found[1]) + found[2] if found else name


def answer(cell: Sum) -> str:
    """What stands in a cell: the result's dtype, or x."""
    return short(cell.dtype) if cell.dtype else "x"


def table_text(table: PromotionTable) -> str:
    """The table, with one row and one column for dtypes that answer alike."""
    alike = _alike(table)
    rows = [name for name in table.rows if alike[name] == name]
    columns = [name for name in table.columns if alike.get(name, name) == name]
    body = [(row, *(_cell(table[row, column]) for column in columns)) for row in rows]
    lines = [title(table), "", aligned([("", *map(short, columns)), *body]), "", counts(table)]
    for first in rows:
        if others := [name for name in table.rows if alike[name] == first and name != first]:
            lines.append(f"As {first}: {', '.join(others)}.")
    return "\n".join([*lines, errors(table), versions(table)])


def title(table: PromotionTable) -> str:
    """Which sums the table shows."""
    return f"The dtype of tensor + {table.other}, with the left one down and the right one across"


def counts(table: PromotionTable) -> str:
    """How many sums raise and differ, and the signs for it."""
    raising = sum(cell.error is not None for cell in table.cells)
    differing = sum(cell.differs for cell in table.cells)
    return (
        f"{count_text(len(table.cells), 'sum')}: {raising:,} raise (x); NumPy has both dtypes and answers otherwise in "
        f"{differing:,} (*)."
    )


def errors(table: PromotionTable) -> str:
    """What torch says where it raises, without the dtypes, each once."""
    said = dict.fromkeys(_without_dtypes(cell.error) for cell in table.cells if cell.error)
    return "\n".join(["Where it raises, torch says:", *(f"  {one}" for one in said)]) if said else "None raises."


def versions(table: PromotionTable) -> str:
    """Who answered."""
    return f"Each sum was run here, with torch {table.torch} and NumPy {table.numpy}."


def _cell(cell: Sum) -> str:
    return answer(cell) + "*" * cell.differs


def _alike(table: PromotionTable) -> dict[str, str]:
    """The first dtype that answers as each does, in all rows and columns."""
    first: dict[tuple[str, ...], str] = {}
    alike = {}
    for name in table.rows:
        cells = [table[name, column] for column in table.columns]
        cells += [table[row, name] for row in table.rows] if name in table.columns else []
        alike[name] = first.setdefault(tuple(map(_cell, cells)), name)
    return alike


def _without_dtypes(error: str) -> str:
    error = re.sub(r"attempted to promote \w+ and \w+", "attempted to promote … and …", error)
    error = re.sub(r"for '\w+'", "for '…'", error)
    return re.sub(r"(ScalarType for) \w+", r"\1 …", error)
