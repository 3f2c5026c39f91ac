"""Questions that chapter 07 asks about the chapters before it."""

from __future__ import annotations

from tutor.course.model import Option, Question

LOOKING_BACK = (
    Question(
        key="as-tensor-cast",
        prompt=(
            "`a` is a float32 array of zeros. `t = torch.as_tensor(a, dtype=torch.float16)`, then `a[1] = 5`. What is "
            "`t[1]`?"
        ),
        subject="`t[1]`",
        options=(
            Option(
                label="0.0",
                value=0.0,
                belief="Another dtype needs other bytes.",
                refutation="Here the write arrived. Which dtype had the array?",
            ),
            Option(
                label="5.0",
                value=5.0,
                belief="`as_tensor` shares.",
                refutation="It shares if it can. Two bytes an element cannot lie on four.",
            ),
        ),
        explanation="**`as_tensor` shares if nothing has to change, and a cast to another dtype always copies.**",
        about="creation_from_data",
    ),
    Question(
        key="detached-float",
        prompt=(
            "`w` is a float32 weight of zeros that requires gradients. `c = w.detach().float()`, then `c[2] = 7`. What "
            "is `w[2]`?"
        ),
        subject="`w[2]`",
        options=(
            Option(
                label="0.0",
                value=0.0,
                belief="`detach` or `float` made a copy.",
                refutation="`detach` gives a view, and `float` of a float32 tensor gives the tensor itself.",
            ),
            Option(
                label="7.0",
                value=7.0,
                belief="Neither call had anything to copy.",
                refutation="Here a copy was made. Which dtype had `w`?",
            ),
        ),
        explanation="**A cast to the dtype that is there copies nothing. `clone` where you want bytes of your own.**",
        about="sharing_memory",
    ),
    Question(
        key="cast-keeps-order",
        prompt="`m = torch.arange(10.0).view(2, 5)`. What is `m.T.half().stride()`?",
        subject="`m.T.half().stride()`",
        options=(
            Option(
                label="(2, 1)",
                value=(2, 1),
                belief="A cast makes new bytes, row after row.",
                refutation="New bytes, yes, in the order of the old ones.",
            ),
            Option(
                label="(1, 5)",
                value=(1, 5),
                belief="A cast keeps the order in which the elements lie.",
                refutation="Here it did not. Look at `m.T.stride()`.",
            ),
        ),
        explanation="**A cast, like `clone`, keeps the order of its source; `.contiguous()` changes it.**",
        about="contiguity",
    ),
)
