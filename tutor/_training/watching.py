"""Runs training loops step by step and notes what each step gave."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterable, Iterator, Mapping
from numbers import Real

import torch

from tutor._training.model import LossCurves, TrainingRun


class Watch:
    """Training loops, one after another; `step` runs one step of the one whose turn it is.

    One after another and not in turns, since a loop may pause within a region of autocast, which would then reach the
    steps of the others.
    """

    def __init__(self, runs: Mapping[str, Iterable[object]], steps: int | None) -> None:
        self._waiting = list(runs.items())
        self._most = steps
        self._done: list[TrainingRun] = []
        self._current: _Running | None = None

    @property
    def finished(self) -> bool:
        """Whether all loops have come to their end."""
        return self._current is None and not self._waiting

    def step(self) -> None:
        """Run one step."""
        if self._current is None:
            name, loop = self._waiting.pop(0)
            self._current = _Running(name, iter(loop))
        if not self._current.step() or len(self._current.losses) == self._most:
            self._current.close()
            self._done.append(self._current.run())
            self._current = None

    def close(self) -> None:
        """Let the loop that runs clean up after itself."""
        if self._current is not None:
            self._current.close()

    def curves(self) -> LossCurves:
        """What has been seen so far."""
        running = [self._current.run()] if self._current else []
        return LossCurves((*self._done, *running), torch.get_num_threads())


class _Running:
    """One loop on its way."""

    def __init__(self, name: str, loop: Iterator[object]) -> None:
        self.name = name
        self.losses: list[float] = []
        self._loop = loop
        self._seconds: list[float] = []
        self._kept: int | None = None

    def step(self) -> bool:
        """Run one step; False if there was none left."""
        kept: dict[int, int] = {}
        first = not self.losses
        start = time.perf_counter()
        try:
            with _noting(kept) if first else contextlib.nullcontext():
                loss = next(self._loop)
        except StopIteration:
            return False
        self._seconds.append(time.perf_counter() - start)
        if first:
            self._kept = sum(kept.values())
        self.losses.append(_number(self.name, loss))
        return True

    def close(self) -> None:
        """End the loop, as leaving a ``for`` would not."""
        if close := getattr(self._loop, "close", None):
            close()

    def run(self) -> TrainingRun:
        """What has been seen of it."""
        return TrainingRun(self.name, tuple(self.losses), tuple(self._seconds), self._kept)


def _number(name: str, loss: object) -> float:
    if isinstance(loss, torch.Tensor) and loss.numel() == 1 and not (loss.is_complex() or loss.is_meta):
        return float(loss.detach())
    if isinstance(loss, Real):  # NumPy's numbers too
        return float(loss)
    raise TypeError(f"loss_curves: {name} must yield a loss for each step, a number; got {type(loss).__name__}")


def _noting(kept: dict[int, int]) -> torch.autograd.graph.saved_tensors_hooks:
    """Note each piece of memory that autograd keeps for the backward pass, once, but for that of the weights.

    https://docs.pytorch.org/docs/stable/autograd.html#saved-tensors-hooks-doc
    """

    def pack(t: torch.Tensor) -> torch.Tensor:
        if not any(map(_is_weight, (t, t._base))):  # a linear layer keeps a transposed view
            storage = t.untyped_storage()
            kept[storage.data_ptr()] = storage.nbytes()
        return t

    return torch.autograd.graph.saved_tensors_hooks(pack, lambda t: t)


def _is_weight(t: torch.Tensor | None) -> bool:
    """Whether it is a parameter, frozen or not, or another leaf that is trained."""
    return isinstance(t, torch.nn.Parameter) or (t is not None and t.is_leaf and t.requires_grad)
