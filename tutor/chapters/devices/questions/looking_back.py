"""Questions that chapter 06 asks about the chapters before it."""

from __future__ import annotations

import torch

from tutor.course.model import Option, Question

LOOKING_BACK = (
    Question(
        key="half-and-one",
        prompt=(
            "`x` is a float16 tensor of three numbers, and `y = x + torch.tensor(0.1, dtype=torch.float64)`. What is "
            "the dtype of `y`?"
        ),
        subject="`y.dtype`",
        options=(
            Option(
                label="float64",
                value=torch.float64,
                belief="The wider dtype wins.",
                refutation="Among tensors with dimensions it does. One without dimensions counts like a Python number.",
            ),
            Option(
                label="float32",
                value=torch.float32,
                belief="The two meet in the middle, at the default dtype.",
                refutation="The default dtype stands in where Python numbers meet integers, not between two float "
                "dtypes.",
            ),
            Option(
                label="float16",
                value=torch.float16,
                belief="A tensor without dimensions does not widen one that has some.",
                refutation="Here it did. How many dimensions has each?",
            ),
        ),
        explanation=(
            "Both are floats, and only one of them has dimensions. **A tensor without dimensions changes the dtype "
            "only if it is of a higher kind: a float beside integers, a complex beside floats.**"
        ),
        about="dtype_traps",
    ),
    Question(
        key="columns-flat",
        prompt="`m = torch.arange(20).view(4, 5)`. Which of `m[1:3].view(10)` and `m[:, 1:3].view(8)` raise?",
        subject="The list of those that raise",
        options=(
            Option(
                label="none",
                value="none",
                belief="`view` works on every slice.",
                refutation="Between two rows of `m[:, 1:3]` lie three numbers that do not belong to it.",
            ),
            Option(
                label="m[:, 1:3].view(8)",
                value="m[:, 1:3].view(8)",
                belief="Rows follow each other without a gap, parts of rows do not.",
                refutation="Here it was otherwise. Compare stride[0] with stride[1] * size[1].",
            ),
            Option(
                label="both",
                value="m[1:3].view(10), m[:, 1:3].view(8)",
                belief="`view` needs a whole tensor.",
                refutation="`m[1:3]` begins later, and from there on its rows follow each other.",
            ),
        ),
        explanation=(
            "`m[:, 1:3]` has the strides (5, 1) and the sizes (4, 2), and 5 is not 1 * 2. **Two dimensions merge where "
            "stride[i] == stride[i + 1] * size[i + 1].**"
        ),
        about="contiguity",
    ),
    Question(
        key="row-of-array",
        prompt=(
            "`a` is an int64 array of zeros, 2 rows of 3. `t = torch.from_numpy(a)[1]`, then `a[1] = 5` and "
            "`a = np.ones(3)`. What is `t[0]`?"
        ),
        subject="`t[0]`",
        options=(
            Option(
                label="0",
                value=0,
                belief="Taking a row makes a copy.",
                refutation="A row is a view: it lies on the bytes of the array, and a write reaches it.",
            ),
            Option(
                label="5",
                value=5,
                belief="The write reaches the bytes of `t`; the last line only ties the name anew.",
                refutation="Here it is another number. Which lines write, and which tie a name?",
            ),
            Option(
                label="1",
                value=1,
                belief="`t` follows the name `a`.",
                refutation="`t` lies on bytes, not on a name. The old array lives on, because `t` keeps it.",
            ),
        ),
        explanation=(
            "`from_numpy` shares, `[1]` is a view, and `a[1] = 5` writes into these bytes. **A write reaches all who "
            "share the bytes; a name tied anew reaches nobody.**"
        ),
        about="sharing_memory",
    ),
)
