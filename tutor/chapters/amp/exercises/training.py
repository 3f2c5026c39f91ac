"""The exercise on one training step in float16, with a scaler and with clipped gradients."""

from __future__ import annotations

import torch
from torch import nn

from tutor.course.model import Case, Exercise, Wrong

_Arguments = tuple[nn.Module, torch.optim.Optimizer, torch.amp.GradScaler, torch.Tensor, torch.Tensor]


def _setting(
    xs: list[float], target: float, *, scale: float | None = 1024.0, rate: float = 0.1, old: float = 0.0
) -> _Arguments:
    """A layer of ones, all numbers powers of two or simple sums of them, so that every machine agrees.

    Without a scale the scaler is switched off.
    """
    model = nn.Linear(len(xs), 1, bias=False)
    with torch.no_grad():
        model.weight.fill_(1.0)
    if old:
        model.weight.grad = torch.full_like(model.weight, old)
    optimizer = torch.optim.SGD(model.parameters(), lr=rate)
    scaler = torch.amp.GradScaler("cpu", init_scale=scale or 1.0, enabled=scale is not None)
    return model, optimizer, scaler, torch.tensor([xs]), torch.tensor([[target]])


def _after(
    _: object,
    model: nn.Linear,
    optimizer: torch.optim.Optimizer,
    scaler: torch.amp.GradScaler,
    x: torch.Tensor,
    y: torch.Tensor,
) -> tuple[float, ...]:
    torch.set_autocast_enabled("cpu", False)
    weights = tuple(round(w, 3) for w in model.weight.detach().flatten().tolist())
    return (*weights, scaler.get_scale())


def _case(written: str, expected: tuple[float, ...], xs: list[float], target: float, **how: float | None) -> Case:
    return Case(
        label=written,
        arguments=lambda: _setting(xs, target, **how),  # type: ignore[arg-type]
        observe=_after,
        expected=expected,
    )


_HEAD = "def train_step(model, optimizer, scaler, x, y):\n"
_FORWARD = """\
    with torch.autocast("cpu", torch.float16):
        loss = torch.nn.functional.mse_loss(model(x), y)
"""
_CLIP = "    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)\n"

TRAIN_STEP = Exercise(
    key="train-step",
    task="Write `train_step(model, optimizer, scaler, x, y)`: one step on the CPU with float16 autocast, the loss "
    "`torch.nn.functional.mse_loss(model(x), y)`, the scaler, and the gradients clipped to a norm of 1 with "
    "`torch.nn.utils.clip_grad_norm_`. Gradients of an earlier step may still be there when it is called.",
    function="train_step",
    starter=f'{_HEAD}    """One step in float16, scaled, with gradients of norm 1 at most."""\n    ...',
    solution=f"""\
{_HEAD}{_FORWARD}    optimizer.zero_grad()
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
{_CLIP}    scaler.step(optimizer)
    scaler.update()
""",
    hints=(
        "After `scaler.scale(loss).backward()` the gradients are too large by the scale. To clip them you need the "
        "true ones.",
        "`scaler.unscale_(optimizer)` divides them, once; `scaler.step` then does not do it again.",
        "The order: forward, zero_grad, scaled backward, unscale_, clip, step, update.",
    ),
    cases=(
        _case("a gradient of 0.5", (0.95, 1024.0), [1.0], 0.75),
        _case("a gradient of 32", (0.9, 1024.0), [4.0], 0.0),
        _case("two weights, gradients of 24 and 32", (0.94, 0.92, 1024.0), [3.0, 4.0], 3.0),
        _case("scale 65,536: too large", (1.0, 32768.0), [4.0], 0.0, scale=65536.0),
        _case("a gradient of 2**-25, rate 2**20", (0.969, 1024.0), [2.0**-13], 0.0, rate=2.0**20),
        _case("an old gradient is still there", (0.95, 1024.0), [1.0], 0.75, old=64.0),
        _case("a scaler that is switched off", (0.95, 1.0), [1.0], 0.75, scale=None),
    ),
    observed="the weights, and the scale",
    wrong=(
        Wrong(
            belief="Clip after `backward`, as always.",
            source=f"{_HEAD}{_FORWARD}    optimizer.zero_grad()\n    scaler.scale(loss).backward()\n{_CLIP}"
            "    scaler.step(optimizer)\n    scaler.update()\n",
            feedback="You clipped gradients that were still multiplied by the scale; divided by it afterwards, next to "
            "nothing is left of them. Call `scaler.unscale_(optimizer)` before you clip.",
        ),
        Wrong(
            belief="float16 needs no scaler.",
            source=f"{_HEAD}{_FORWARD}    optimizer.zero_grad()\n    loss.backward()\n{_CLIP}    optimizer.step()\n",
            feedback="The scaler is not used: the small gradient was lost in float16.",
        ),
        Wrong(
            belief="Once unscaled, the optimizer can make its step.",
            source=f"{_HEAD}{_FORWARD}    optimizer.zero_grad()\n    scaler.scale(loss).backward()\n"
            f"    scaler.unscale_(optimizer)\n{_CLIP}    optimizer.step()\n    scaler.update()\n",
            feedback="Where the gradients were infinite, the step was made all the same. `scaler.step(optimizer)` "
            "leaves such steps out.",
        ),
        Wrong(
            belief="`step` does it all.",
            source=f"{_HEAD}{_FORWARD}    optimizer.zero_grad()\n    scaler.scale(loss).backward()\n"
            f"    scaler.unscale_(optimizer)\n{_CLIP}    scaler.step(optimizer)\n",
            feedback="Without `scaler.update()` the scale stays too large, and every step after it is left out too.",
        ),
        Wrong(
            belief="The scaler cares for old gradients.",
            source=f"{_HEAD}{_FORWARD}    scaler.scale(loss).backward()\n    scaler.unscale_(optimizer)\n{_CLIP}"
            "    scaler.step(optimizer)\n    scaler.update()\n",
            feedback="`backward` adds to the gradients that are there. Call `optimizer.zero_grad()` before it.",
        ),
        Wrong(
            belief="The scaler keeps gradients small enough.",
            source=f"{_HEAD}{_FORWARD}    optimizer.zero_grad()\n    scaler.scale(loss).backward()\n"
            "    scaler.step(optimizer)\n    scaler.update()\n",
            feedback="Large gradients made large steps: they were not clipped when the step was made.",
        ),
        Wrong(
            belief="The scaler brings float16 with it.",
            source=f"{_HEAD}    loss = torch.nn.functional.mse_loss(model(x), y)\n    optimizer.zero_grad()\n"
            f"    scaler.scale(loss).backward()\n    scaler.unscale_(optimizer)\n{_CLIP}    scaler.step(optimizer)\n"
            "    scaler.update()\n",
            feedback="Where the scale was too large for float16, nothing overflowed: the forward pass did not run in "
            "float16. It needs a region with `torch.float16`.",
        ),
        Wrong(
            belief="Training in float16 begins with a float16 model.",
            source=f"{_HEAD}    model.half()\n    loss = torch.nn.functional.mse_loss(model(x.half()), y)\n"
            "    optimizer.zero_grad()\n    scaler.scale(loss).backward()\n    scaler.unscale_(optimizer)\n"
            f"{_CLIP}    scaler.step(optimizer)\n    scaler.update()\n",
            feedback="`model.half()` makes float16 weights, and the scaler refuses their gradients. Leave the weights "
            "float32, and the casting to a region.",
        ),
    ),
    after="With `enabled=False` the same code runs without scaling, so one loop serves all precisions.",
)
