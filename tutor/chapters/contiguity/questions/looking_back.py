"""Questions that chapter 04 asks about the chapters before it."""

from __future__ import annotations

import torch

from tutor.course.model import Option, Question

LOOKING_BACK = (
    Question(
        key="bytes-apart",
        prompt="`x = torch.zeros(4, dtype=torch.int16)`. What is `x[3:].data_ptr() - x.data_ptr()`?",
        subject="The difference",
        options=(
            Option(
                label="3",
                value=3,
                belief="Addresses count elements.",
                refutation="Addresses count bytes. Strides and offsets count elements.",
            ),
            Option(
                label="6",
                value=6,
                belief="Three elements of 2 bytes lie between.",
                refutation="Here it is another number. Ask `x.itemsize`, and multiply.",
            ),
            Option(
                label="12",
                value=12,
                belief="An element takes 4 bytes.",
                refutation="A float32 does. An int16 takes 16 bits, which are 2 bytes.",
            ),
        ),
        explanation=(
            "Three int16 lie before it, of 2 bytes each. **Bytes are elements times the item size, for distances too.**"
        ),
        about="start_here",
    ),
    Question(
        key="class-of-array",
        prompt="What is the dtype of `torch.Tensor(np.array([1, 2]))`, made from an int64 array?",
        subject="`t.dtype`",
        options=(
            Option(
                label="int64",
                value=torch.int64,
                belief="An array brings its dtype along.",
                refutation="To `torch.tensor`, yes. `torch.Tensor` is the class, and casts to the default dtype.",
            ),
            Option(
                label="float32",
                value=torch.float32,
                belief="`torch.Tensor` makes float32 of every array.",
                refutation="Here it did not. Was another default dtype set?",
            ),
        ),
        explanation=(
            "One letter decides. **`torch.Tensor` gives the default dtype, and `torch.tensor` the dtype of the data.**"
        ),
        about="creation_from_data",
    ),
    Question(
        key="whole-steps",
        prompt="Which numbers are in `torch.arange(2, 11, 3)`?",
        subject="The list",
        options=(
            Option(
                label="2, 5, 8, 11",
                value=(2, 5, 8, 11),
                belief="Both ends are in.",
                refutation="That is `linspace`. `arange` leaves its end out.",
            ),
            Option(
                label="2, 5, 8",
                value=(2, 5, 8),
                belief="It counts by threes and stops before the end.",
                refutation="Here it did not. Look at the three arguments: start, end, step.",
            ),
            Option(
                label="11 numbers",
                value=tuple(range(2, 35, 3)),
                belief="The second argument says how many.",
                refutation="In `linspace` the count is an argument. `arange` is told start, end and step.",
            ),
        ),
        explanation=(
            "From 2 in steps of 3, and 11 is out. With whole numbers there is nothing to round. **`arange` stops "
            "before its end, `linspace` hits it.**"
        ),
        about="creation_from_nothing",
    ),
)
