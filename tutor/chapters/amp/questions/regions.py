"""How far a region of autocast reaches."""

from __future__ import annotations

import torch

from tutor.course.model import Option, Question

REGIONS = (
    Question(
        key="island",
        prompt=(
            "In a bfloat16 region `y = layer(x)`. One step shall run in float32, so you open a second region within: "
            "`with torch.autocast('cpu', enabled=False): z = head(y)`. `head` is an `nn.Linear`. What is the dtype of "
            "`z`?"
        ),
        subject="The outcome",
        options=(
            Option(
                label="float32",
                value=torch.float32,
                belief="With autocast off, the layer runs in float32.",
                refutation="Off means that nothing is cast, not even back. `y` is bfloat16 and stays so.",
            ),
            Option(
                label="bfloat16",
                value=torch.bfloat16,
                belief="The outer region is still on.",
                refutation="The inner region counts. Nothing casts the weights of `head` there.",
            ),
            Option(
                label="it raises",
                value=RuntimeError,
                belief="`y` is bfloat16, the weights of `head` are float32, and nobody casts.",
                refutation="Here it did not raise. Which dtype has `y`?",
            ),
        ),
        explanation=(
            "`enabled=False` is torch without autocast: both dtypes must fit. The same error comes after the region, "
            "where `y` is still bfloat16. **What leaves a region keeps its dtype. Write `.float()` where it enters "
            "code without autocast.**"
        ),
    ),
    Question(
        key="changed-inside",
        prompt=(
            "Somebody puts the whole loop in one region: forward, `loss.backward()`, `optimizer.step()`, and the next "
            "forward. The only weight is 2, and the step makes it 1. What does `layer(torch.ones(1, 1))` then give, in "
            "the same region?"
        ),
        subject="The result",
        options=(
            Option(
                label="1.0",
                value=1.0,
                belief="A layer multiplies with the weight that it has.",
                refutation="In a region it multiplies with a copy of it in bfloat16, and this one was made before.",
            ),
            Option(
                label="2.0",
                value=2.0,
                belief="The copy in bfloat16 is kept and used again, although the weight has changed.",
                refutation="Here the new weight was used. Was the cache switched off?",
            ),
            Option(
                label="it raises",
                value=RuntimeError,
                belief="torch notices that a weight has changed after it was used.",
                refutation="It notices for gradients. The cache of autocast does not look.",
            ),
        ),
        explanation=(
            "In training a weight is cast once in a region, and the copy serves until the outermost region "
            "ends. That saves work where a layer is used several times. **Open a region for each forward pass, and "
            "leave it before `backward` and `step`.** `cache_enabled=False` casts anew each time."
        ),
    ),
)
