"""What autocast costs, in time and in memory."""

from __future__ import annotations

from tutor.course.model import Option, Question

COSTS = (
    Question(
        key="small-layer",
        prompt=(
            "A small layer, 64 by 64, and a batch of 8, on one thread of your CPU. Does it take at least 1.2 times as "
            "long under bfloat16 autocast as in float32?"
        ),
        subject="`slower`",
        options=(
            Option(
                label="yes",
                value=True,
                belief="Little is computed, and for each call three tensors are cast.",
                refutation="Here it was not. Your CPU may be very quick with bfloat16, or was it busy? Run it again.",
            ),
            Option(
                label="no",
                value=False,
                belief="Half of the bytes, so at most the time of before.",
                refutation="There are few bytes to halve here. The casts and the calls themselves take the time.",
            ),
        ),
        explanation=(
            "Input, weight and bias are cast at each call. For the third bar all was cast once, as "
            "`model.bfloat16()` does it for inference. So it stands apart from the second by the casts, and from "
            "the first by the product alone, which need not be faster in bfloat16. The next cell measures a "
            "larger layer. Of GPUs the documentation says the same: a network too small to keep one busy gains "
            "nothing. **Autocast pays where large products dominate, on a device that multiplies 16-bit numbers "
            "faster. Measure yours.**"
        ),
    ),
    Question(
        key="kept",
        prompt=(
            "For the backward pass autograd keeps tensors. Two layers of 1,000 by 1,000, a batch of 8. Does autocast "
            "to bfloat16 make it keep fewer bytes than float32, the weights themselves left out?"
        ),
        subject="What autograd keeps, beside float32,",
        options=(
            Option(
                label="fewer: half of them",
                value="fewer",
                belief="Everything is 16 bits wide.",
                refutation="What passes between the layers is. But the copies of the weights in bfloat16 are kept too, "
                "and here they are far larger.",
            ),
            Option(
                label="as many",
                value="as many",
                belief="For the backward pass float32 is kept.",
                refutation="What is kept is what the product was made of: the bfloat16 copies.",
            ),
            Option(
                label="more",
                value="more",
                belief="The bfloat16 copies of the weights come on top.",
                refutation="Here it kept less. How large are the batch and the weights?",
            ),
        ),
        explanation=(
            "In float32 the backward pass uses the weights that are there. Under autocast it uses their copies, which "
            "are kept until then; here that of the second layer, since nobody asks for the gradient of the input. What "
            "passes between the layers is halved, so large batches gain, as in the four runs above, and small ones "
            "pay. **Autocast halves what linear layers keep of their inputs, and adds 16-bit copies of the "
            "weights.**"
        ),
    ),
)
