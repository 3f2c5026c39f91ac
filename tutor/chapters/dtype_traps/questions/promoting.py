"""Which dtype comes out when two meet."""

from __future__ import annotations

import torch

from tutor.course.model import Option, Question

PROMOTING = (
    Question(
        key="who-promotes",
        prompt=(
            "`x = torch.ones(2)` is float32. It is multiplied by `np.float64(0.5)`, by `torch.tensor(0.5, "
            "dtype=torch.float64)`, and by `torch.tensor([0.5], dtype=torch.float64)`. Which products are float64?"
        ),
        subject="What makes float64",
        options=(
            Option(
                label="none: x decides",
                value="none",
                belief="`x` is the tensor, and the other factor is only a number.",
                refutation="`[0.5]` has a dimension. That makes it a tensor like `x`, and the wider float wins.",
            ),
            Option(
                label="all three",
                value="np.float64, 0-d, [0.5]",
                belief="The wider dtype wins.",
                refutation="Among floats with dimensions it does. A number or a 0-d tensor did not widen `x`.",
            ),
            Option(
                label="the two tensors",
                value="0-d, [0.5]",
                belief="A number adapts to `x`. A tensor brings its dtype along.",
                refutation="A 0-d tensor has no dimension, and counts as a number does.",
            ),
            Option(
                label="only the tensor with a dimension",
                value="[0.5]",
                belief="One element is not the same as no dimension.",
                refutation="Here it came out otherwise. Look at the shape of each factor.",
            ),
        ),
        explanation=(
            "A number or a 0-d tensor is asked for its kind first: bool, int, float or complex. Here the kind is "
            "float, as in `x`, and so `x` stays float32. Only a higher kind counts, as beside the ints below: there a "
            "number makes the default float, and a 0-d tensor its own dtype. Two 0-d tensors meet as equals. **Among "
            "tensors with dimensions the higher kind wins, then the wider dtype; a number or a 0-d tensor changes the "
            "dtype only if it is of a higher kind.**"
        ),
    ),
    Question(
        key="int64-meets-half",
        prompt=(
            "`count = torch.tensor([2049])` is int64, `zero = torch.tensor([0.0], dtype=torch.float16)`. What is "
            "`count + zero`, and of which dtype?"
        ),
        subject="`count + zero`",
        options=(
            Option(
                label="2049, float64",
                value=(2049.0, torch.float64),
                belief="A dtype is chosen that holds the values of both.",
                refutation="NumPy looks for one. torch takes the dtype of the float as it is.",
            ),
            Option(
                label="2049, float32",
                value=(2049.0, torch.float32),
                belief="An int becomes a float of the default dtype.",
                refutation="It does so beside a Python float. Beside a float tensor it takes that tensor's dtype.",
            ),
            Option(
                label="2048, float16",
                value=(2048.0, torch.float16),
                belief="A float beats an int, however narrow it is.",
                refutation="Here another dtype came out. Ask `torch.result_type(count, zero)`.",
            ),
            Option(
                label="it raises",
                value=RuntimeError,
                belief="torch does not mix ints and floats.",
                refutation="Elementwise operations do mix them. Matrix products and most layers do not.",
            ),
        ),
        explanation=(
            "The kind decides first: float beats int. Then the width, among those of that kind. float16 steps by 2 "
            "from 2048 on, so one count is lost, without a word. **float16 beats int64; int64 tensors lose numbers "
            "when they meet narrow floats.**"
        ),
    ),
)
