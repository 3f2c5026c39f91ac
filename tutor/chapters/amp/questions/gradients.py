"""What float16 does to gradients, and what a scaler does for them."""

from __future__ import annotations

from math import inf

from tutor.course.model import Option, Question

GRADIENTS = (
    Question(
        key="vanish",
        prompt=(
            "A million predictions of 0.5, targets of 0.49, and the mean squared error. Each prediction has the "
            "gradient 2 · 0.01 / 1,000,000 = 0.00000002. In which of float16 and bfloat16 does it become 0?"
        ),
        subject="The dtype in which it becomes 0",
        options=(
            Option(
                label="in neither",
                value="none",
                belief="A float holds small numbers, with fewer digits.",
                refutation="How small, the exponent says, and float16 has only 5 bits for it. Its least number above 0 "
                "stands below; what is less than half of it becomes 0.",
            ),
            Option(
                label="in float16",
                value="float16",
                belief="float16 does not reach so far down. bfloat16 has the exponent of float32.",
                refutation="Here it is otherwise. Look at the two gradients.",
            ),
            Option(
                label="in both",
                value="float16, bfloat16",
                belief="Both have 16 bits.",
                refutation="They spend them otherwise: bfloat16 has 8 bits of exponent, as float32, and fewer digits.",
            ),
        ),
        explanation=(
            "In float16 the gradient is gone, and nothing behind it learns. Multiply the loss by 65,536 first, and "
            "the same gradient survives; divided again in float32, it is right to three digits. That is what a "
            "`GradScaler` is for. (It cannot help where the forward pass overflows, as 300 * 300 does in float16.) "
            "**float16 loses small gradients, and a scaler carries them through. bfloat16 reaches nearly as far down "
            "as float32, and needs none.**"
        ),
    ),
    Question(
        key="inf-gradient",
        prompt=(
            "A scaler begins at 65,536. The weight is 1, and its gradient, times the scale, is more than float16 "
            "holds: infinite. After `scaler.step(optimizer)` and `scaler.update()`, what are the weight and the scale?"
        ),
        subject="The pair of weight and scale",
        options=(
            Option(
                label="minus infinity, 65,536",
                value=(-inf, 65536.0),
                belief="The step is done with the gradient that came.",
                refutation="`scaler.step` looks at all gradients first, and leaves the step out if one is not finite.",
            ),
            Option(
                label="1, 65,536",
                value=(1.0, 65536.0),
                belief="The step is left out, and all goes on as before.",
                refutation="Then the next step would be lost as well. `update` learns from it.",
            ),
            Option(
                label="1, 32,768",
                value=(1.0, 32768.0),
                belief="The step is left out, and the scale is halved.",
                refutation="Here it is otherwise. Was the gradient infinite?",
            ),
        ),
        explanation=(
            "So the first steps of a run may do nothing until the scale fits; below you see three of them. After 2,000 "
            "good steps in a row the scale is doubled. **A scaler leaves out steps whose gradients are not finite, and "
            "halves its scale.**"
        ),
    ),
    Question(
        key="four-runs",
        prompt=(
            "The network above is deep, and its gradients become smaller with every layer that they pass. It is "
            "trained four times from the same weights on the same batches: in float32, in float16, in float16 with a "
            "scaler, and in bfloat16. Which runs bring the loss below half of where it began?"
        ),
        subject="The list of runs that learn",
        options=(
            Option(
                label="all four",
                value="float32, float16, float16_scaled, bfloat16",
                belief="With less precision it learns more slowly, but it learns.",
                refutation="Gradients of 0 are not imprecise, they are absent. Look how large they are in float32.",
            ),
            Option(
                label="all but float16 without a scaler",
                value="float32, float16_scaled, bfloat16",
                belief="float16 loses the gradients, unless they are scaled.",
                refutation="Here others learned. Look at the curves.",
            ),
            Option(
                label="float32 and float16 with a scaler",
                value="float32, float16_scaled",
                belief="bfloat16 has only three digits, which is too little to train.",
                refutation="The weights and the sums in the optimizer are float32. Three digits are enough for a "
                "gradient.",
            ),
            Option(
                label="float32 alone",
                value="float32",
                belief="A deep network needs float32.",
                refutation="It needs gradients that are not 0, and weights that notice small steps.",
            ),
        ),
        explanation=(
            "In float16 the first layers get gradients of 0, step after step, and never move. The last ones do move, "
            "and alone they do not bring the loss down. The curve does not say why. Times and bytes are told beneath "
            "it. **float16 needs a scaler; bfloat16 does not.**"
        ),
    ),
)
