"""Whole numbers that leave their range."""

from __future__ import annotations

from tutor.course.model import Option, Question

WHOLES = (
    Question(
        key="bytes-added",
        prompt="`a = torch.tensor([200], dtype=torch.uint8)` and `b`, with 100, are two pixels. What is `a + b`?",
        subject="`a + b`",
        options=(
            Option(
                label="300",
                value=(300,),
                belief="The result gets a dtype that holds it.",
                refutation="The dtype comes from the dtypes alone. Nobody looks at the values first.",
            ),
            Option(
                label="255",
                value=(255,),
                belief="White cannot get whiter: it stops at the largest value.",
                refutation="You would have to ask for that, in a wider dtype, with `clamp`. uint8 wraps around.",
            ),
            Option(
                label="44",
                value=(44,),
                belief="Eight bits are kept, and the rest is dropped: 300 - 256.",
                refutation="Here it did not wrap. Are both of them uint8?",
            ),
            Option(
                label="it raises",
                value=RuntimeError,
                belief="An overflow is an error.",
                refutation="A sum of ints never raises because it is large. It wraps.",
            ),
        ),
        explanation=(
            "uint8 ends at 255, and 300 - 256 is left. A Python number does not help: it adapts to the tensor. int32 "
            "and int64 wrap too, only later. `sum` over small ints is safe: it adds in int64. "
            "**Cast before you calculate: `a.int() + b`.**"
        ),
    ),
    Question(
        key="below-256",
        prompt=(
            "`pixels = torch.tensor([0, 200], dtype=torch.uint8)`. Every uint8 is below 256. What is `pixels < 256`?"
        ),
        subject="`pixels < 256`",
        options=(
            Option(
                label="True, True",
                value=(True, True),
                belief="A comparison compares the numbers.",
                refutation="So NumPy does. torch made the 256 a uint8 first, and there it is 0.",
            ),
            Option(
                label="False, False",
                value=(False, False),
                belief="256 is cast to uint8, and wraps to 0.",
                refutation="Here it was compared as it is. Is `pixels` uint8?",
            ),
            Option(
                label="it raises",
                value=RuntimeError,
                belief="256 is no uint8, and torch says so.",
                refutation="`torch.tensor([256], dtype=torch.uint8)` says so. A comparison casts without a word.",
            ),
        ),
        explanation=(
            "The number adapts to the tensor, and 256 in eight bits is 0. In the same way -1 becomes 255, and equals "
            "a white pixel. A tensor with a dimension does not adapt: then both are promoted. **An int outside the "
            "range of a narrow int tensor is wrapped before it is compared.**"
        ),
    ),
)
