"""Exercises on what enters a region of autocast, and what leaves it."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import nn

from tutor.course.model import Case, Exercise, Wrong


def a_tensor(result: object) -> torch.Tensor:
    """The result, if it is a tensor at all."""
    if not isinstance(result, torch.Tensor):
        raise TypeError(f"a tensor is wanted, and {type(result).__name__} came")
    return result


def _name(dtype: torch.dtype) -> str:
    return str(dtype).removeprefix("torch.")


def _layer(inputs: int, outputs: int) -> nn.Linear:
    """A layer whose weights have more digits than bfloat16 holds, the same every time."""
    layer = nn.Linear(inputs, outputs)
    with torch.no_grad():
        layer.weight.copy_(torch.linspace(-1, 1, inputs * outputs).view(outputs, inputs))
        layer.bias.fill_(0.123)
    return layer


def _in_low(model: nn.Module, x: torch.Tensor) -> torch.Tensor:
    with torch.autocast("cpu", torch.bfloat16):
        out: torch.Tensor = model(x.float())
    return out.float()


def _state_left_behind() -> str:
    """Whether the call left autocast on; it is switched off for what comes next."""
    left = torch.is_autocast_enabled("cpu")
    torch.set_autocast_enabled("cpu", False)
    return ", the region left on" if left else ""


def _weights_now(model: nn.Module, fresh: nn.Module) -> str:
    """What has become of a model's weights; nothing if they are those of a fresh one."""
    for now, before in zip(model.parameters(), fresh.parameters(), strict=True):
        if now.dtype != before.dtype:
            return f"weights are {_name(now.dtype)} now"
        if not torch.equal(now, before):
            return "weights have other values now"
    return ""


def _inside(result: object, model: nn.Module, x: torch.Tensor, fresh: nn.Module) -> str:
    left = _state_left_behind()
    out = a_tensor(result)
    if changed := _weights_now(model, fresh):
        return f"the {changed}"
    return f"{_name(out.dtype)}, {_worked_in(out, model, x)}{left}"


def _worked_in(out: torch.Tensor, model: nn.Module, x: torch.Tensor) -> str:
    if torch.equal(out.float(), _in_low(model, x)):
        return "made in bfloat16"
    return "made in float32" if torch.equal(out.float(), model(x.float())) else "other values"


class _WithSum(nn.Module):
    """A layer whose input is added to its result; autocast leaves that sum in float32."""

    def __init__(self) -> None:
        super().__init__()
        self.layer = _layer(4, 4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """The input and the layer's result, added."""
        total: torch.Tensor = x + self.layer(x)
        return total


def _input_case(
    written: str, make: Callable[[], torch.Tensor], model: Callable[[], nn.Module] = lambda: _layer(4, 3)
) -> Case:
    return Case(
        label=written,
        arguments=lambda: (model(), make()),
        observe=lambda result, used, x: _inside(result, used, x, model()),
        expected="float32, made in bfloat16",
    )


LOW_PRECISION = Exercise(
    key="low-precision",
    task="Write `low_precision(model, x)`: the result of `model(x)`, worked out in bfloat16 by autocast on the CPU, "
    "and given back as float32. `x` may have any dtype of real numbers. The model stays as it is.",
    function="low_precision",
    starter='def low_precision(model, x):\n    """model(x), made in bfloat16, as float32."""\n    ...',
    solution="""\
def low_precision(model, x):
    with torch.autocast("cpu", torch.bfloat16):
        return model(x.float()).float()
""",
    hints=(
        "Autocast casts the weights and a float32 input. Which inputs does it leave, so that the two do not fit?",
        "Bring the input to float32 before the model, and the result to float32 after it.",
        '`with torch.autocast("cpu", torch.bfloat16):`, and in it `model(x.float()).float()`.',
    ),
    cases=(
        _input_case("float32", lambda: torch.linspace(0, 1, 8).view(2, 4)),
        _input_case("float64, from NumPy", lambda: torch.linspace(0, 1, 8, dtype=torch.float64).view(2, 4)),
        _input_case("int64", lambda: torch.arange(8).view(2, 4)),
        _input_case("uint8, pixels", lambda: torch.arange(200, 208, dtype=torch.uint8).view(2, 4)),
        _input_case("bool", lambda: torch.tensor([[True, False, True, True]])),
        _input_case("float32, a single row", lambda: torch.linspace(-3, 5, 4)),
        _input_case("float32, transposed", lambda: torch.linspace(0, 2, 8).view(4, 2).T),
        _input_case("float32, and the model adds x", lambda: torch.linspace(0, 1, 8).view(2, 4), _WithSum),
    ),
    observed="dtype, and how it was made",
    wrong=(
        Wrong(
            belief="Autocast casts every input.",
            source="""\
def low_precision(model, x):
    with torch.autocast("cpu", torch.bfloat16):
        return model(x).float()
""",
            feedback="float32 inputs come through. float64 and integers autocast does not touch, and then they do not "
            "fit the weights.",
        ),
        Wrong(
            belief="What comes out of a region is float32.",
            source="""\
def low_precision(model, x):
    with torch.autocast("cpu", torch.bfloat16):
        return model(x.float())
""",
            feedback="The layer's result is bfloat16, and it stays so after the region. The caller wants float32.",
        ),
        Wrong(
            belief="To work in bfloat16, cast the model.",
            source="""\
def low_precision(model, x):
    return model.bfloat16()(x.bfloat16()).float()
""",
            feedback="`model.bfloat16()` casts the weights of the model in place: your caller's model has lost its "
            "float32 weights.",
        ),
        Wrong(
            belief="float32 in, float32 out.",
            source="def low_precision(model, x):\n    return model(x.float())",
            feedback="That is right, and all of it in float32: the model was not called in a region for the CPU.",
        ),
        Wrong(
            belief="An input may as well be cast down by hand.",
            source="""\
def low_precision(model, x):
    with torch.autocast("cpu", torch.bfloat16):
        return model(x.bfloat16()).float()
""",
            feedback="A layer alone gives the same. But one model adds its input to the layer's result: autocast "
            "leaves that sum in float32, and a bfloat16 input has lost digits before.",
        ),
        Wrong(
            belief="The input decides in which dtype a layer works.",
            source="def low_precision(model, x):\n    return model(x.bfloat16()).float()",
            feedback="Without autocast nothing is cast for you: a bfloat16 input does not fit float32 weights.",
        ),
        Wrong(
            belief="Entering the region is enough.",
            source="""\
def low_precision(model, x):
    torch.autocast("cpu", torch.bfloat16).__enter__()
    return model(x.float()).float()
""",
            feedback="The numbers are right, but you never left the region: your caller's code goes on in it. Use "
            "`with`.",
        ),
    ),
)


class Head(nn.Module):
    """A layer that notes in which dtype it worked."""

    def __init__(self) -> None:
        super().__init__()
        self.layer = _layer(3, 2)
        self.worked_in = "it was not called"

    def forward(self, h: torch.Tensor) -> torch.Tensor:
        """The layer's result."""
        out: torch.Tensor = self.layer(h)
        self.worked_in = f"head in {_name(out.dtype)}"
        return out


class _Relu(nn.Module):
    """A body that gives float32, whatever autocast does before."""

    def __init__(self) -> None:
        super().__init__()
        self.layer = _layer(4, 3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(self.layer(x)) + torch.zeros(3)


def _worked(result: object, body: nn.Module, head: Head, x: torch.Tensor) -> str:
    left = _state_left_behind()
    out = a_tensor(result)
    for name, model in (("body", body), ("head", head)):
        weights = _name(next(model.parameters()).dtype)
        if weights != "float32":
            return f"the weights of the {name} are {weights} now"
    low, full = _in_low(body, x), body(x)
    made = [name for name, h in (("bfloat16", low), ("float32", full)) if torch.equal(out.float(), head.layer(h))]
    given = "" if out.dtype == torch.float32 else f", {_name(out.dtype)} out"
    return f"body in {made[0] if made else 'something else'}, {head.worked_in}{given}{left}"


def _head_case(written: str, body: Callable[[], nn.Module], make: Callable[[], torch.Tensor]) -> Case:
    return Case(
        label=written,
        arguments=lambda: (body(), Head(), make()),
        observe=_worked,
        expected="body in bfloat16, head in float32",
    )


def _deep() -> nn.Module:
    return nn.Sequential(_layer(4, 4), nn.Tanh(), _layer(4, 3))


ISLAND = Exercise(
    key="island",
    task="Write `run(body, head, x)`: `head(body(x))`, with the body under bfloat16 autocast on the CPU and the head "
    "in float32, from the body's result. `x` is float32.",
    function="run",
    starter='def run(body, head, x):\n    """head(body(x)): the body in bfloat16, the head in float32."""\n    ...',
    solution="""\
def run(body, head, x):
    with torch.autocast("cpu", torch.bfloat16):
        h = body(x)
    return head(h.float())
""",
    hints=(
        "Where must the region end, so that the head is not in it?",
        "What the body gives is bfloat16, in the region and after it. The head's weights are float32.",
        "The body in the region, and after it `head(h.float())`.",
    ),
    cases=(
        _head_case("a layer", lambda: _layer(4, 3), lambda: torch.linspace(0, 1, 8).view(2, 4)),
        _head_case("a layer, one row", lambda: _layer(4, 3), lambda: torch.linspace(-1, 1, 4).view(1, 4)),
        _head_case("two layers", _deep, lambda: torch.linspace(0, 1, 8).view(2, 4)),
        _head_case("two layers, larger inputs", _deep, lambda: torch.linspace(-3, 3, 12).view(3, 4)),
        _head_case("a body that gives float32", _Relu, lambda: torch.linspace(0.5, 1, 8).view(2, 4)),
        _head_case("transposed", lambda: _layer(4, 3), lambda: torch.linspace(0, 2, 8).view(4, 2).T),
    ),
    observed="what worked in which dtype",
    wrong=(
        Wrong(
            belief="The whole forward pass belongs into the region.",
            source="""\
def run(body, head, x):
    with torch.autocast("cpu", torch.bfloat16):
        return head(body(x))
""",
            feedback="The head is a layer like another: in the region it works in bfloat16.",
        ),
        Wrong(
            belief="A `.float()` on the way makes the head work in float32.",
            source="""\
def run(body, head, x):
    with torch.autocast("cpu", torch.bfloat16):
        return head(body(x).float()).float()
""",
            feedback="In the region the head casts its input down again. It has to be called outside, or in an inner "
            "region with `enabled=False`.",
        ),
        Wrong(
            belief="Outside of the region everything is float32 again.",
            source="""\
def run(body, head, x):
    with torch.autocast("cpu", torch.bfloat16):
        h = body(x)
    return head(h)
""",
            feedback="What the body gave keeps its dtype where autocast is off, and bfloat16 does not fit the head's "
            "weights. One body gave float32, and only there it worked.",
        ),
        Wrong(
            belief="The safe way is float32 all through.",
            source="def run(body, head, x):\n    return head(body(x))",
            feedback="The head is right. The body should work in bfloat16, and for that it needs a region.",
        ),
        Wrong(
            belief="To run the body in bfloat16, cast it.",
            source="def run(body, head, x):\n    return head(body.bfloat16()(x.bfloat16()).float())",
            feedback="This casts the body's weights in place, and they stay cast after your call.",
        ),
    ),
)
