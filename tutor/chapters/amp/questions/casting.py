"""What autocast casts, and what it leaves."""

from __future__ import annotations

import torch

from tutor.course.model import Option, Question

CASTING = (
    Question(
        key="layer-dtypes",
        prompt=(
            "`layer` is an `nn.Linear` and `x` a float32 tensor. In a region `torch.autocast('cpu', torch.bfloat16)` "
            "you run `y = layer(x)` and `total = x + x`. What are the dtypes of `y`, of `total` and of `layer.weight`?"
        ),
        subject="The triple of dtypes",
        options=(
            Option(
                label="all bfloat16",
                value=(torch.bfloat16, torch.bfloat16, torch.bfloat16),
                belief="In the region everything is bfloat16.",
                refutation="The region changes no tensor. It decides for each operator, when you call it.",
            ),
            Option(
                label="bfloat16, bfloat16, float32",
                value=(torch.bfloat16, torch.bfloat16, torch.float32),
                belief="The weights stay as they are, and every operator works in bfloat16.",
                refutation="Not every one. The sum of two tensors is left as it is.",
            ),
            Option(
                label="bfloat16, float32, float32",
                value=(torch.bfloat16, torch.float32, torch.float32),
                belief="Autocast casts for some operators, and leaves the others and the weights alone.",
                refutation="Here it does otherwise. Was the region entered?",
            ),
        ),
        explanation=(
            "The layer is a matrix product: autocast makes bfloat16 copies of bias, weight and input, the three casts "
            "below, and multiplies those. The sum is left alone. **Autocast casts the inputs of some operators, when "
            "you call them. Your tensors and weights stay float32.**"
        ),
    ),
    Question(
        key="double-in",
        prompt="In the same region: what does `layer(x.double())` give?",
        subject="The outcome",
        options=(
            Option(
                label="bfloat16",
                value=torch.bfloat16,
                belief="Autocast casts whatever comes into bfloat16.",
                refutation="It casts float32, float16 and bfloat16. float64 it leaves as it is, wherever it comes.",
            ),
            Option(
                label="float64",
                value=torch.float64,
                belief="It leaves float64 alone, so the layer runs in float64.",
                refutation="Your input is left alone, and the float32 weight is not: now they differ.",
            ),
            Option(
                label="it raises",
                value=RuntimeError,
                belief="The weight is cast and the float64 input is not.",
                refutation="Here it did not raise. Which dtype had the input?",
            ),
        ),
        explanation=(
            "The weight became bfloat16, and the input stayed float64. Integers are left too. Two float64 tensors are "
            "multiplied in float64, as if there were no region. **Autocast casts neither float64 nor integers: bring "
            "inputs to float32 yourself.**"
        ),
    ),
    Question(
        key="cast-by-hand",
        prompt=(
            "Somebody casts by hand before the region: `h = x.bfloat16()`. In the region, which dtypes have "
            "`x + layer(x)` and `h + layer(h)`?"
        ),
        subject="The pair of dtypes",
        options=(
            Option(
                label="both bfloat16",
                value=(torch.bfloat16, torch.bfloat16),
                belief="The layer gives bfloat16, and the sum follows.",
                refutation="The sum is not cast. float32 and bfloat16 meet, and the wider of the two comes out.",
            ),
            Option(
                label="float32, bfloat16",
                value=(torch.float32, torch.bfloat16),
                belief="The sum takes what comes. After a cast by hand, two bfloat16 tensors come.",
                refutation="Here it is otherwise. Look at the dtypes of `x` and `h`.",
            ),
            Option(
                label="both float32",
                value=(torch.float32, torch.float32),
                belief="Autocast keeps sums in float32.",
                refutation="It leaves them as they come, and for `h` both parts come in bfloat16.",
            ),
        ),
        explanation=(
            "The layer gives the same numbers in both cases: it would have cast anyway. But the sum, which autocast "
            "would have left in float32, is now in bfloat16, and the 0.001 in the input is gone. **Do not cast inputs "
            "by hand. No result gets better, and float32 is lost where autocast would have kept it.**"
        ),
    ),
)
