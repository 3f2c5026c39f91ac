"""Questions that chapter 05 asks about the chapters before it."""

from __future__ import annotations

import torch

from tutor.course.model import Option, Question

LOOKING_BACK = (
    Question(
        key="float-of-float",
        prompt="`t = torch.zeros(2)` and `f = t.float()`. Then `f[0] = 5`. What is `t[0]`?",
        subject="`t[0]`",
        options=(
            Option(
                label="0.0",
                value=0.0,
                belief="A cast makes new bytes.",
                refutation="`t` is float32 already. There was nothing to cast, and `f` is `t` itself.",
            ),
            Option(
                label="5.0",
                value=5.0,
                belief="Nothing had to be cast, so `f` is `t`.",
                refutation="Here the write stayed away. Was another default dtype set?",
            ),
        ),
        explanation=(
            "`.float()` and `.to(dtype)` give back the same tensor if there is nothing to do. **Where the "
            "dtype changes the bytes are new; where nothing changes you get the tensor itself.**"
        ),
        about="sharing_memory",
    ),
    Question(
        key="every-second-column",
        prompt="`x = torch.arange(10).view(2, 5)`. What are the strides of `x[:, 1::2]`?",
        subject="The tuple of strides",
        options=(
            Option(
                label="(2, 1)",
                value=(2, 1),
                belief="It has two rows of two, one after another.",
                refutation="That would be a copy. A slice reads the old bytes, with a step.",
            ),
            Option(
                label="(5, 2)",
                value=(5, 2),
                belief="From row to row it is still five elements, and from column to column now two.",
                refutation="Here they are otherwise. Look at `x.stride()`.",
            ),
            Option(
                label="(5, 1)",
                value=(5, 1),
                belief="A slice keeps the strides.",
                refutation="A slice without a step does. The step of 2 doubles one.",
            ),
        ),
        explanation="The offset is 1, and one stride is doubled. **A step multiplies a stride, and moves nothing.**",
        about="contiguity",
    ),
    Question(
        key="mixed-batch",
        prompt="What is the dtype of `torch.stack([torch.ones(2), torch.tensor([1, 2])])`?",
        subject="The dtype",
        options=(
            Option(
                label="int64",
                value=torch.int64,
                belief="The wider one wins.",
                refutation="First comes the kind: a float beats an int.",
            ),
            Option(
                label="float32",
                value=torch.float32,
                belief="Float beats int, and the only float is float32.",
                refutation="Here another came out. Was another default dtype set?",
            ),
            Option(
                label="it raises",
                value=RuntimeError,
                belief="All rows of a batch must have one dtype.",
                refutation="One shape they must have. Their dtypes are promoted.",
            ),
        ),
        explanation="A batch is promoted by the rule of this chapter. **`stack` and `cat` promote, as a sum does.**",
        about="creation_from_data",
    ),
)
