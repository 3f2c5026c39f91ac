"""What floats hold, and when two are equal."""

from __future__ import annotations

from tutor.course.model import Option, Question

FLOATS = (
    Question(
        key="equal-tenths",
        prompt=(
            "`x = torch.tensor([0.1])` is float32, `y = torch.tensor([0.1], dtype=torch.float64)`. What do `x == 0.1` "
            "and `x == y` say?"
        ),
        subject="The pair of answers",
        options=(
            Option(
                label="True, True",
                value=(True, True),
                belief="Both are 0.1.",
                refutation="Neither dtype holds 0.1. Each has its own nearest value, and these two differ.",
            ),
            Option(
                label="False, False",
                value=(False, False),
                belief="float32 does not hold 0.1, so it equals no 0.1 of more bits.",
                refutation="The bare 0.1 adapted to `x`: it was rounded to float32, to the very value in `x`.",
            ),
            Option(
                label="True, False",
                value=(True, False),
                belief="A number is rounded to the dtype of `x`. Two tensors are promoted to float64.",
                refutation="Here it was otherwise. Compare `x.item()` and `y.item()`.",
            ),
        ),
        explanation=(
            "A comparison promotes first, as a sum does. `x.double()` does not bring back what float32 had rounded "
            "away, and int64 ids become float32 beside a float32. `isclose` wants one dtype, and its default tolerance "
            "takes 1e-9 and 2e-9 for close. **Compare floats in one dtype, with a tolerance that suits their size.**"
        ),
    ),
    Question(
        key="half-range",
        prompt="`x = torch.tensor([70_000.0, 1e-8])`. What are the two numbers in `x.half()`, which is float16?",
        subject="`x.half()`",
        options=(
            Option(
                label="about 70,000 and 1e-8",
                value=(70_000.0, 1e-8),
                belief="Fewer bits mean fewer digits, and the size stays.",
                refutation="So it is in bfloat16. float16 spends its bits on digits, and has few left for the size.",
            ),
            Option(
                label="65,504 and 0",
                value=(65_504.0, 0.0),
                belief="Each goes to the nearest value that there is.",
                refutation="65,504 is the largest. What lies well beyond it is not rounded down to it.",
            ),
            Option(
                label="inf and 0",
                value=(float("inf"), 0.0),
                belief="Too large becomes infinite, too small becomes zero.",
                refutation="Here something was left of them. Is the result float16?",
            ),
            Option(
                label="it raises",
                value=RuntimeError,
                belief="A cast that loses everything is an error.",
                refutation="A cast to float16 never raises.",
            ),
        ),
        explanation=(
            "Two kinds of damage: bfloat16 has nearly the range of float32, and two or three digits: 257 becomes 256. "
            "float16 has one digit more, and ends at 65,504: 300 squared is already infinite. And an infinity soon "
            "becomes NaN. **float16 breaks at large and tiny numbers, bfloat16 rounds coarsely.**"
        ),
    ),
)
