"""The exercise on planning with the meta device: what a model will take."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import nn

from tutor.course.model import Case, Exercise, Wrong


class Maker:
    """Makes a model when it is called, and notes on which device new tensors were made meanwhile."""

    def __init__(self, make: Callable[[], nn.Module]) -> None:
        self._make = make
        self.devices: list[str] = []

    def __call__(self) -> nn.Module:
        """Make the model."""
        self.devices.append(torch.empty(0).device.type)
        return self._make()


def _counted(result: object, make: Maker) -> str:
    if isinstance(result, bool) or not isinstance(result, int):
        raise TypeError(f"a number of bytes is wanted, and {type(result).__name__} came")
    return f"{result:,} B, made on {', '.join(make.devices) or 'nothing'}"


def _tied() -> nn.Module:
    model = nn.Sequential(nn.Embedding(20, 4), nn.Linear(4, 20, bias=False))
    model[1].weight = model[0].weight
    return model


class _Positions(nn.Module):
    """A table that is no parameter and is not saved."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("table", torch.zeros(6, 2), persistent=False)
        self.scale = nn.Parameter(torch.ones(2))


def _case(written: str, make: Callable[[], nn.Module], nbytes: int) -> Case:
    return Case(
        label=written,
        arguments=lambda: (Maker(make),),
        observe=_counted,
        expected=f"{nbytes:,} B, made on meta",
    )


MODEL_BYTES = Exercise(
    key="model-bytes",
    task="`make()` makes a model. Write `model_bytes(make)`: the bytes of its parameters and buffers, each counted "
    "once, as an int, without taking that memory.",
    function="model_bytes",
    starter='def model_bytes(make):\n    """The bytes of the model that make() gives, without taking them."""\n    ...',
    solution="""\
def model_bytes(make):
    with torch.device("meta"):
        model = make()
    return sum(t.nbytes for t in [*model.parameters(), *model.buffers()])
""",
    hints=(
        "On the meta device a tensor has a shape, a dtype and `nbytes`, and takes nothing. Which block makes it the "
        "default device?",
        'Call `make()` within `with torch.device("meta"):`.',
        "`model.parameters()` and `model.buffers()` each give a tensor that is used twice only once. Sum their "
        "`nbytes`.",
    ),
    cases=(
        _case("Linear(10, 10)", lambda: nn.Linear(10, 10), 440),
        _case("Linear(10, 10) in float16", lambda: nn.Linear(10, 10).half(), 220),
        _case("Linear(10, 10) in float64", lambda: nn.Linear(10, 10).double(), 880),
        _case("BatchNorm2d(8)", lambda: nn.BatchNorm2d(8), 136),
        _case("two layers with one weight", _tied, 320),
        _case("a table that is not saved", _Positions, 56),
        _case("ReLU()", nn.ReLU, 0),
        _case("Conv2d and BatchNorm2d", lambda: nn.Sequential(nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4)), 520),
    ),
    observed="bytes, and where it was made",
    wrong=(
        Wrong(
            belief="To ask a model, make it.",
            source="def model_bytes(make):\n    model = make()\n"
            "    return sum(t.nbytes for t in [*model.parameters(), *model.buffers()])",
            feedback="The number is right, and the model was made on the CPU to find it. One of 40 GB would have taken "
            "40 GB.",
        ),
        Wrong(
            belief="A model is its parameters.",
            source='def model_bytes(make):\n    with torch.device("meta"):\n        model = make()\n'
            "    return sum(p.nbytes for p in model.parameters())",
            feedback="Buffers take bytes as well: the running statistics of a BatchNorm, a table of positions. Look at "
            "`model.buffers()`.",
        ),
        Wrong(
            belief="Every number takes four bytes.",
            source='def model_bytes(make):\n    with torch.device("meta"):\n        model = make()\n'
            "    return sum(4 * t.numel() for t in [*model.parameters(), *model.buffers()])",
            feedback="That holds for float32. A model in float16 takes half, and the counter in a BatchNorm is an "
            "int64. `t.nbytes` knows the dtype.",
        ),
        Wrong(
            belief="`state_dict` has all there is.",
            source='def model_bytes(make):\n    with torch.device("meta"):\n        model = make()\n'
            "    return sum(t.nbytes for t in model.state_dict().values())",
            feedback="`state_dict` is what is saved: it names a tensor that two layers share twice, and leaves out "
            "buffers that are not saved.",
        ),
        Wrong(
            belief="`numel` counts bytes.",
            source='def model_bytes(make):\n    with torch.device("meta"):\n        model = make()\n'
            "    return sum(t.numel() for t in [*model.parameters(), *model.buffers()])",
            feedback="These are numbers, not bytes. `t.nbytes` is numbers times item size.",
        ),
    ),
    after="Training takes more: gradients, what the optimizer keeps, and what the forward pass leaves for the backward "
    "pass.",
)
