"""The inputs of the exercises of chapter 02, and what is looked at after each."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import torch

from tutor.course.model import Case

# add_up: what is in the caller's buffer


def _in_buffer(result: Any, _: list[torch.Tensor], buffer: torch.Tensor) -> str:
    where = "in the buffer" if result.data_ptr() == buffer.data_ptr() else "in another tensor"
    return f"{result.tolist()} {where}"


def _buffer_case(parts: list[list[float]], leftover: float, total: list[float]) -> Case:
    def arguments() -> tuple[object, ...]:
        return [torch.tensor(part) for part in parts], torch.full((len(total),), leftover)

    return Case(
        label=f"{' + '.join(str(part) for part in parts)}, leftovers {leftover}",
        arguments=arguments,
        observe=_in_buffer,
        expected=f"{total} in the buffer",
    )


BUFFER_CASES = (
    _buffer_case([[1.0, 2.0], [3.0, 4.0]], 0.0, [4.0, 6.0]),
    _buffer_case([[1.0, 2.0], [3.0, 4.0]], 7.0, [4.0, 6.0]),
    _buffer_case([[0.5], [0.25], [8.0]], -1.0, [8.75]),
    _buffer_case([[1.0, 2.0, 3.0]], 7.0, [1.0, 2.0, 3.0]),
    _buffer_case([[1.0, 2.0], [3.0, 4.0]], float("nan"), [4.0, 6.0]),
    _buffer_case([[2.0], [2.0], [2.0], [2.0]], float("inf"), [8.0]),
)

# grid_like: dtype, device and numbers


def _grid(result: Any, *_: object) -> str:
    numbers = f"{len(result)} numbers" if result.is_meta else str([round(v, 3) for v in result.tolist()])
    return f"{_kind(result)} {numbers}"


def _kind(t: torch.Tensor) -> str:
    return f"{str(t.dtype).removeprefix('torch.')} {t.device.type}"


def _grid_case(numbers: list[float], dtype: str, device: str = "cpu") -> Case:
    first, last, n = numbers[0], numbers[-1], len(numbers)
    return Case(
        label=f"{first} to {last}, x of {n} {dtype} on {device}",
        arguments=lambda: (first, last, torch.empty(n, dtype=getattr(torch, dtype), device=device)),
        observe=_grid,
        expected=f"{dtype} {device} {numbers if device == 'cpu' else f'{n} numbers'}",
    )


GRID_CASES = (
    _grid_case([0.0, 0.25, 0.5, 0.75, 1.0], "float32"),
    _grid_case([1.0, 1.1, 1.2, 1.3], "float32"),
    _grid_case([0.0, 0.167, 0.333, 0.5, 0.667, 0.833, 1.0], "float64"),
    _grid_case([0.0, 2.5, 5.0, 7.5, 10.0], "float64"),
    _grid_case([-1.0, -0.5, 0.0, 0.5, 1.0], "float16"),
    _grid_case([3.0, 2.5, 2.0], "float32"),
    _grid_case([0.0, 0.5, 1.0], "float32", "meta"),
)

# split: complete, decided by the seed alone, and the global generator as it was


class _Splits:
    """Remembers the split of the first case, for the later cases to be compared with."""

    def __init__(self) -> None:
        self.first: list[int] | None = None
        self.before = torch.empty(0)
        self.made = 0

    def case(self, n: int, k: int, seed: int, compare: str, label: str = "") -> Case:
        """One call; `compare` is "first", "same" or "other": how it should stand to the first."""
        self.made += 1
        drawn_before = 1000 + self.made

        def arguments() -> tuple[object, ...]:
            self.first = None if compare == "first" else self.first
            _as_if_drawn_before(drawn_before)
            self.before = torch.get_rng_state()
            return n, k, seed

        def observe(result: Any, *_: int) -> str:
            moved = not torch.equal(self.before, torch.get_rng_state())
            parts = [torch.as_tensor(part).tolist() for part in result]
            standing = self._standing([number for part in parts for number in part])
            return f"{_completeness(parts, n, k)}, {standing}, global {'moved' if moved else 'untouched'}"

        return Case(
            label=f"split({n}, {k}, seed={seed}){label}",
            arguments=arguments,
            observe=observe,
            expected=f"complete, {_STANDING[compare]}, global untouched",
        )

    def _standing(self, order: list[int]) -> str:
        if order == sorted(order):
            return "not shuffled"
        if self.first is None:
            self.first = order
            return _STANDING["first"]
        return _STANDING["same" if order == self.first else "other"]


def _as_if_drawn_before(n: int) -> None:
    """Leave the shared generators elsewhere for each case, so that an unseeded split does not repeat."""
    torch.manual_seed(n)
    np.random.seed(n)
    random.seed(n)


_STANDING = {"first": "shuffled", "same": "same order again", "other": "another order"}


def _completeness(parts: list[list[int]], n: int, k: int) -> str:
    numbers = sorted(number for part in parts for number in part)
    if numbers != list(range(n)):
        return "some twice"
    return "complete" if [len(part) for part in parts] == [k, n - k] else "cut elsewhere"


# No two neighbours with the same seed and size: else seeding the global generator twice alike would leave it as before.
_splits = _Splits()
SPLIT_CASES = (
    _splits.case(20, 15, 3, "first"),
    _splits.case(20, 15, 4, "other"),
    _splits.case(20, 15, 3, "same", " again"),
    _splits.case(12, 8, 3, "other"),
    _splits.case(20, 5, 3, "same"),
    _splits.case(100, 90, 0, "other"),
    _splits.case(20, 15, 3, "same", " once more"),
)

# weights: shape, spread, signs, and whose random numbers they are


def _weights(w: Any, inputs: int, _outputs: int, generator: torch.Generator) -> str:
    untouched = torch.equal(generator.get_state(), torch.Generator().manual_seed(0).get_state())
    signs = "±" if w.min() < 0 < w.max() else "one sign"
    spread = _spread(w.abs().max().item() * inputs**0.5)
    return f"{tuple(w.shape)}, {spread}, {signs}, {'other' if untouched else 'given'} generator"


def _spread(reach: float) -> str:
    if reach > 1.0001:
        return f"{reach:.1f} times too wide"
    return "fits" if reach > 0.9 else "too narrow"


def _weight_case(inputs: int, outputs: int) -> Case:
    return Case(
        label=f"weights({inputs}, {outputs}, g)",
        arguments=lambda: (inputs, outputs, torch.Generator().manual_seed(0)),
        observe=_weights,
        expected=f"{(outputs, inputs)}, fits, ±, given generator",
    )


WEIGHT_CASES = (
    _weight_case(512, 64),
    _weight_case(64, 512),
    _weight_case(100, 100),
    _weight_case(1000, 10),
    _weight_case(16, 400),
    _weight_case(784, 128),
)

# load: dtype, device, and the default device afterwards


def _load_case(numbers: list[float], dtype: str, device: str, default: str) -> Case:
    def arguments() -> tuple[object, ...]:
        torch.set_default_device(None if default == "cpu" else default)
        return np.array(numbers, dtype), device

    def observe(result: Any, *_: object) -> str:
        after = torch.empty(0).device.type
        torch.set_default_device(None)
        values = "" if result.is_meta else f" {result.tolist()}"
        return f"{_kind(result)}{values}, default device {after}"

    return Case(
        label=f"{dtype} array to {device}, default device {default}",
        arguments=arguments,
        observe=observe,
        expected=f"{dtype} {device}{f' {numbers}' if device == 'cpu' else ''}, default device {default}",
    )


# The last case leaves the default device as torch starts with it, even where a function changed it and raised.
LOAD_CASES = (
    _load_case([1.5, 2.5], "float32", "cpu", "cpu"),
    _load_case([1.5, 2.5], "float64", "meta", "cpu"),
    _load_case([1.5, 2.5], "float64", "cpu", "meta"),
    _load_case([1, 2, 3], "int64", "cpu", "meta"),
    _load_case([1, 2, 3], "int64", "meta", "meta"),
    _load_case([0, 255], "uint8", "cpu", "cpu"),
)
