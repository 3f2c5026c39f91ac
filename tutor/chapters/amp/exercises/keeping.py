"""The exercise on the bytes that autograd keeps for a layer."""

from __future__ import annotations

from tutor.course.model import Case, Exercise, Wrong


def _number(result: object, *_: object) -> object:
    return result


def _case(batch: int, inputs: int, outputs: int, low: bool, expected: int) -> Case:
    return Case(
        label=f"{batch} × {inputs}, {inputs} to {outputs}, {'bfloat16' if low else 'float32'}",
        arguments=lambda: (batch, inputs, outputs, low),
        observe=_number,
        expected=expected,
    )


_HEAD = "def kept_bytes(batch, inputs, outputs, low):\n"

KEPT_BYTES = Exercise(
    key="kept-bytes",
    task="A layer `nn.Linear(inputs, outputs)` in the middle of a network gets a batch of shape (batch, inputs). Write "
    "`kept_bytes(batch, inputs, outputs, low)`: how many bytes autograd keeps for its backward pass, the layer's own "
    "weights left out; under bfloat16 autocast if `low`, else in float32.",
    function="kept_bytes",
    starter=f'{_HEAD}    """Bytes kept for the backward pass of a linear layer, beside its weights."""\n    ...',
    solution=f"""\
{_HEAD}    if low:
        return 2 * batch * inputs + 2 * inputs * outputs
    return 4 * batch * inputs
""",
    hints=(
        "For the gradient of the weight, backward needs the input. For the gradient of the input it needs the weight.",
        "In float32 the weight is there anyway. Under autocast the product was made with another tensor.",
        "Under autocast: input and weight, both in bfloat16, with 2 bytes an element. The bias is not needed.",
    ),
    cases=(
        _case(8, 1000, 1000, False, 32_000),
        _case(8, 1000, 1000, True, 2_016_000),
        _case(4096, 64, 64, False, 1_048_576),
        _case(4096, 64, 64, True, 532_480),
        _case(32, 100, 10, False, 12_800),
        _case(32, 100, 10, True, 8_400),
        _case(10, 50, 10, True, 2_000),
    ),
    observed="bytes",
    wrong=(
        Wrong(
            belief="Autocast halves what is kept.",
            source=f"{_HEAD}    return (2 if low else 4) * batch * inputs\n",
            feedback="That is the input. Under autocast the product was made with a copy of the weight in bfloat16, "
            "and that copy is kept as well.",
        ),
        Wrong(
            belief="The weight is kept in float32, too.",
            source=f"{_HEAD}    width = 2 if low else 4\n    return width * (batch * inputs + inputs * outputs)\n",
            feedback="In float32 the weight that is kept is the layer's own, which needs no further bytes.",
        ),
        Wrong(
            belief="Autograd keeps what a layer gives.",
            source=f"{_HEAD}    return (2 if low else 4) * batch * outputs\n",
            feedback="The result is not needed for the gradients of a linear layer. The input is, and the weight.",
        ),
        Wrong(
            belief="For the backward pass float32 is kept.",
            source=f"{_HEAD}    return 4 * batch * inputs\n",
            feedback="Under autocast backward works in bfloat16 as well: the bfloat16 copies are kept.",
        ),
        Wrong(
            belief="The bias is kept with the weight.",
            source=f"{_HEAD}    if low:\n        return 2 * batch * inputs + 2 * inputs * outputs + 2 * outputs\n"
            "    return 4 * batch * inputs\n",
            feedback="Nearly. The bias is only added, so no gradient needs it.",
        ),
    ),
    after="So autocast keeps fewer bytes where the batch has more rows than the layer has outputs.",
)
