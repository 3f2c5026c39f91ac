"""Runs every operator with and without autocast, and reads the dtypes that come out."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

import torch

from tutor._casting.hollow import emptied, switched
from tutor._casting.model import AutocastTable, Cast, Outcome, Place
from tutor._casting.operators import OPERATORS, inputs
from tutor._inspecting.quiet import first_sentence, unheard

_Switch = Callable[[bool], contextlib.AbstractContextManager[Any]]


def places(device: str | None, dtype: torch.dtype | None) -> tuple[Place, ...]:
    """The devices to run on: the one that is named, or the CPU and the accelerator, real or not."""
    devices = [device] if device else ["cpu", _accelerator() or "cuda"]
    return tuple(Place(d, _name(dtype or torch.get_autocast_dtype(d)), hollow=not is_here(d)) for d in devices)


def _accelerator() -> str | None:
    found = torch.accelerator.current_accelerator() if torch.accelerator.is_available() else None
    return found.type if found else None


def is_here(device: str) -> bool:
    """Whether tensors with numbers can lie on it."""
    return device in ("cpu", _accelerator())


def observe(where: tuple[Place, ...]) -> AutocastTable:
    """Run every operator in every place."""
    with unheard(), torch.inference_mode(False), torch.no_grad():
        casts = tuple(cast for place in where for cast in _casts(place))
    return AutocastTable(where, OPERATORS, casts, torch.__version__.partition("+")[0])


def _casts(place: Place) -> list[Cast]:
    codes = [code for _, group in OPERATORS for code in group]
    return [Cast(code, place.device, _outcomes(code, place)) for code in codes]


def _outcomes(code: str, place: Place) -> tuple[Outcome, ...]:
    outcomes = tuple(_outcome(code, place, given) for given in ("float32", place.low, "float64"))
    # Some operators choose their kernel by what the device can do, which a hollow tensor cannot tell.
    if place.hollow and outcomes[0].without is None:
        return ()
    return outcomes


def _outcome(code: str, place: Place, given: str) -> Outcome:
    low = getattr(torch, place.low)

    def switch(on: bool) -> contextlib.AbstractContextManager[Any]:
        if place.hollow:
            return switched(place.device, low, on=on)
        return torch.autocast(place.device, dtype=low, enabled=on, cache_enabled=False)

    without, _ = _run(code, place, given, switch(False))
    dtype, error = _run(code, place, given, switch(True))
    return Outcome(given, dtype, without, error)


def _run(
    code: str, place: Place, given: str, region: contextlib.AbstractContextManager[Any]
) -> tuple[str | None, str | None]:
    try:
        dtype = getattr(torch, given)
        names = emptied(inputs("cpu", dtype), place.device) if place.hollow else inputs(place.device, dtype)
        with region:
            result = eval(code, {"torch": torch, "F": torch.nn.functional, **names})
        return _name(result.dtype), None
    except Exception as error:  # whatever it says is the answer
        return None, f"{type(error).__name__}: {first_sentence(error)}"


def _name(dtype: torch.dtype) -> str:
    return str(dtype).removeprefix("torch.")
