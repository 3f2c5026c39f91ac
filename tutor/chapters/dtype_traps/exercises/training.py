"""The exercise on a training loop whose loss turns into NaN."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np
import torch

from tutor.course.model import Case, Exercise, Wrong

_Array = np.ndarray[Any, Any]
_STEPS, _RATE = 16, 0.3


def _data(seed: int, points: type[np.floating[Any]], classes: type[np.integer[Any]]) -> tuple[_Array, _Array]:
    """Points around three corners, the first of each group far out, and the number of their corner."""
    rng = np.random.default_rng(seed)
    labels = np.arange(30) % 3
    x = (np.eye(3)[labels] + rng.normal(size=(30, 3)) * 0.3) * 4
    x[:3] *= 4
    return x.astype(points), labels.astype(classes)


@cache
def _in_float64(seed: int) -> tuple[float, ...]:
    """The losses of the same loop in float64."""
    points, classes = _data(seed, np.float64, np.int64)
    x, target = torch.from_numpy(points), torch.from_numpy(np.eye(3)[classes])
    w = torch.zeros(3, 3, dtype=torch.float64, requires_grad=True)
    losses = []
    for _ in range(_STEPS):
        loss = -(target * torch.log((x @ w).softmax(1) + 1e-8)).sum(1).mean()
        (slope,) = torch.autograd.grad(loss, w)
        w = (w - _RATE * slope).detach().requires_grad_()
        losses.append(loss.item())
    return tuple(losses)


def _judged(losses: object, seed: int) -> str:
    if not isinstance(losses, list) or len(losses) != _STEPS:
        raise TypeError(f"a list of {_STEPS} losses is wanted")
    if any(math.isnan(loss) for loss in losses):
        return "NaN"
    if losses[-1] == 0:
        return "0 at the end"
    off = max(abs(a - b) / b for a, b in zip(losses, _in_float64(seed), strict=True))
    return "as in float64" if off < 1e-4 else "up to 0.2 % off" if off < 2e-3 else "more than 0.2 % off"


def _case(seed: int, points: type[np.floating[Any]], classes: type[np.integer[Any]]) -> Case:
    return Case(
        label=f"data {seed}: {points.__name__}, labels {classes.__name__}",
        arguments=lambda: _data(seed, points, classes),
        observe=lambda losses, *_: _judged(losses, seed),
        expected="as in float64",
    )


_HEAD = '''\
def train(x, labels):
    """The loss of each step."""
'''
_CAST = "    x, labels = torch.as_tensor(x).float(), torch.as_tensor(labels).long()\n"
_TARGET = "    target = torch.nn.functional.one_hot(labels, 3).half()\n"
_WEIGHTS = "    w, losses = torch.zeros(3, 3, requires_grad=True), []\n    for _ in range(16):\n"
_GUESS = "        p = (x @ w).softmax(1).half()\n"
_LOSS = "        loss = -(target * torch.log(p + 1e-8)).sum(1).mean()\n"
_STEP = """\
        (slope,) = torch.autograd.grad(loss, w)
        w = (w - 0.3 * slope).detach().requires_grad_()
        losses.append(loss.item())
    return losses
"""


def _loop(cast: str = _CAST, target: str = _TARGET, guess: str = _GUESS, loss: str = _LOSS) -> str:
    return _HEAD + cast + target + _WEIGHTS + guess + loss + _STEP


TRAIN = Exercise(
    key="train",
    task="The loss of this loop turns into NaN after some steps. One of its casts is to blame. Find it, and repair "
    "`train` so that its losses are those of the same loop in float64, to four digits.",
    function="train",
    starter=_loop(),
    solution=_loop(guess="        p = (x @ w).softmax(1)\n"),
    hints=(
        "There are four casts. Which of them touch only numbers that the new dtype holds exactly?",
        "Watch `p` for a few steps. What does `p + 1e-8` become where `p` is nearly 0? Ask `number_line(1e-8)`.",
        "In float16 both `p` and 1e-8 become 0. Then the log is -inf, and 0 times -inf is NaN. Leave `p` in float32.",
    ),
    cases=(
        _case(0, np.float64, np.int64),
        _case(1, np.float64, np.int64),
        _case(2, np.float32, np.int64),
        _case(7, np.float64, np.int32),
        _case(5, np.float32, np.uint8),
        _case(6, np.float32, np.int64),
    ),
    observed="losses",
    wrong=(
        Wrong(
            belief="The target is to blame: it is float16.",
            source=_loop(target=_TARGET.replace(".half()", "")),
            feedback="Still NaN. The target holds zeros and ones, and float16 holds these exactly. Which cast meets "
            "numbers that are nearly zero?",
        ),
        Wrong(
            belief="No casts, no trouble.",
            source=_loop(
                cast=_CAST.replace(".float()", "").replace(".long()", ""),
                target=_TARGET.replace(".half()", ""),
                guess=_GUESS.replace(".half()", ""),
            ),
            feedback="Two of the casts are needed: a float64 input meets float32 weights in `x @ w`, and `one_hot` "
            "wants int64.",
        ),
        Wrong(
            belief="bfloat16 has the range, so it is the better half.",
            source=_loop(guess=_GUESS.replace("half", "bfloat16")),
            feedback="No NaN: bfloat16 holds 1e-8. But it keeps two or three digits of a probability, and the losses "
            "show it.",
        ),
        Wrong(
            belief="It breaks in `p + 1e-8`, so repair that: a larger number, or a cast there.",
            source=_loop(loss=_LOSS.replace("1e-8", "1e-4")),
            feedback="No NaN any more: the log no longer meets 0. But `p` is still rounded to float16 before, and the "
            "losses are a little off. Repair the cast itself.",
        ),
        Wrong(
            belief="NaN can be replaced by 0.",
            source=_loop(loss="        loss = -(target * torch.log(p + 1e-8)).nan_to_num().sum(1).mean()\n"),
            feedback="The loss shows numbers, and the weights are NaN: where the log is -inf, the gradient is NaN. "
            "In the end the loss reads 0, and nothing is learned.",
        ),
    ),
    after="Casts of zeros, ones and small ints are harmless. A probability near 0 needs the range of float32. "
    "`torch.nn.functional.cross_entropy(x @ w, labels)` needs neither `p` nor the 1e-8.",
)
