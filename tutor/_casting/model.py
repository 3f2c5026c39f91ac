"""Facts about operators under autocast."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tutor._fact import Fact

Treatment = Literal["low precision", "float32", "as it comes", "raises", "not run"]


@dataclass(frozen=True)
class Outcome:
    """The dtype that came out of one operator for inputs of one dtype.

    Attributes
    ----------
    given
        The dtype of the inputs.
    dtype
        The dtype of the result under autocast; None if it raised.
    without
        The dtype of the result without autocast; None if it raised.
    error
        What torch says if it raised under autocast.
    """

    given: str
    dtype: str | None
    without: str | None
    error: str | None = None

    @property
    def changed(self) -> bool:
        """Whether autocast made another dtype of it."""
        return self.dtype is not None and self.dtype != self.without


@dataclass(frozen=True)
class Cast:
    """One operator on one device.

    Attributes
    ----------
    code
        The call that was run.
    device
        Where: "cpu", "cuda", …
    outcomes
        For float32 inputs, for inputs of the low precision, and for float64 inputs. Empty if it cannot be run here.
    """

    code: str
    device: str
    outcomes: tuple[Outcome, ...]

    @property
    def treatment(self) -> Treatment:
        """What autocast does to this operator, read off the dtypes that came out."""
        if not self.outcomes:
            return "not run"
        single, low, _ = self.outcomes
        if single.dtype is None:
            return "raises"
        if single.dtype == low.given:
            return "low precision"
        return "float32" if low.changed and low.dtype == "float32" else "as it comes"


@dataclass(frozen=True)
class Place:
    """A device and the low precision that autocast uses there.

    Attributes
    ----------
    device
        "cpu", "cuda", …
    low
        "bfloat16" or "float16".
    hollow
        Whether this device is not here, so that the operators ran on tensors without numbers.
    """

    device: str
    low: str
    hollow: bool = False


@dataclass(frozen=True)
class AutocastTable(Fact):
    """What autocast makes of the dtypes of operators; see `tutor.autocast_table`.

    Attributes
    ----------
    places
        The devices, each with its low precision.
    groups
        Names of groups, each with the code of its operators.
    casts
        One for each operator on each device.
    torch
        The version that was run.
    """

    places: tuple[Place, ...]
    groups: tuple[tuple[str, tuple[str, ...]], ...]
    casts: tuple[Cast, ...]
    torch: str

    def __getitem__(self, pair: tuple[str, str]) -> Cast:
        """One operator on one device: ``table["x @ y", "cpu"]``."""
        for cast in self.casts:
            if (cast.code, cast.device) == pair:
                return cast
        raise KeyError(pair)

    def of(self, device: str) -> tuple[Cast, ...]:
        """All operators on one device."""
        return tuple(cast for cast in self.casts if cast.device == device)

    def __repr__(self) -> str:
        from tutor._casting.text import table_text  # noqa: PLC0415 - the text is written from the facts

        return table_text(self)
