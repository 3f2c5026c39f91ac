"""The text twin of the autocast table, and the words that text and picture share."""

from __future__ import annotations

from collections import Counter

from tutor._casting.model import AutocastTable, Cast, Outcome, Place, Treatment
from tutor._dtypes.promotion_text import short
from tutor._dtypes.text import aligned

LEGEND = "~ autocast made another dtype of it. x raises."
_TREATMENTS: tuple[Treatment, ...] = ("low precision", "float32", "as it comes", "raises", "not run")


def table_text(table: AutocastTable) -> str:
    """A line for each operator, with the dtype that came out for each dtype that went in."""
    given = [short(one) for place in table.places for one in ("float32", place.low, "float64")]
    lines = [_where(table), "", "inputs"]
    rows = [("", *given)]
    for name, codes in table.groups:
        rows += [(name, *([""] * len(given)))]
        rows += [(f"  {code}", *_cells(table, code)) for code in codes]
    lines += [
        aligned(rows),
        "",
        LEGEND,
        *errors(table),
        *(summary(table, place) for place in table.places),
        versions(table),
    ]
    return "\n".join(lines)


def _cells(table: AutocastTable, code: str) -> list[str]:
    return [cell for place in table.places for cell in _of(table[code, place.device])]


def _of(cast: Cast) -> list[str]:
    return [answer(outcome) for outcome in cast.outcomes] or ["-"] * 3


def answer(outcome: Outcome) -> str:
    """What stands in a cell.

    >>> answer(Outcome("float32", "bfloat16", "float32")), answer(Outcome("float64", "float64", "float64"))
    ('~bf16', 'f64')
    """
    return "~" * outcome.changed + short(outcome.dtype) if outcome.dtype else "x"


def _where(table: AutocastTable) -> str:
    heads = [f"on {place.device} with autocast to {place.low}" for place in table.places]
    return f"The dtype that comes out {', then '.join(heads)}, by the dtype of the inputs"


def summary(table: AutocastTable, place: Place) -> str:
    """How many operators are treated in which way, and how they were run."""
    counts = Counter(cast.treatment for cast in table.of(place.device))
    words = {
        "low precision": f"from float32 down to {place.low}",
        "float32": f"from {place.low} up to float32",
        "as it comes": "as they come",
        "raises": "with an error",
        "not run": "not run",
    }
    said = ", ".join(f"{counts[one]} {words[one]}" for one in _TREATMENTS if counts[one])
    how = f" There is no {place.device} here: these ran on tensors without numbers." if place.hollow else ""
    return f"{place.device}: {said}.{how}"


def errors(table: AutocastTable) -> list[str]:
    """What torch says where an operator raises with every dtype."""
    return [
        f"`{cast.code}` on {cast.device}: {cast.outcomes[0].error}"
        for cast in table.casts
        if cast.treatment == "raises"
    ]


def versions(table: AutocastTable) -> str:
    """What was run."""
    return f"Each call was run with torch {table.torch}, with and without autocast."
