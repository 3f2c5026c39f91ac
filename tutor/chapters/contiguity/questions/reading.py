"""What strides are, and what contiguous means."""

from __future__ import annotations

from tutor.course.model import Option, Question

READING = (
    Question(
        key="transposed-slice",
        prompt=(
            "`m` has 3 rows of 4 numbers, strides (4, 1), offset 0. `m.T` reads it by columns. What are the strides "
            "and the offset of `m.T[1:, ::2]`?"
        ),
        subject="Strides and offset",
        options=(
            Option(
                label="(4, 2), offset 4",
                value=((4, 2), 4),
                belief="Rows are four apart in the storage of `m`, so the next row begins at 4.",
                refutation=(
                    "Rows of `m` are. A row of `m.T` is a column of `m`, and the next column begins one further."
                ),
            ),
            Option(
                label="(3, 2), offset 3",
                value=((3, 2), 3),
                belief="A row of `m.T` has three numbers, so the next row begins three elements further.",
                refutation=(
                    "That would be so if `.T` had moved the numbers. It moved none: it swapped the two strides."
                ),
            ),
            Option(
                label="(1, 8), offset 1",
                value=((1, 8), 1),
                belief="`.T` swaps the strides, `1:` goes one column further, and `::2` doubles a stride.",
                refutation="Here they are otherwise. Ask for `m.T.stride()` first.",
            ),
        ),
        explanation=(
            "`.T` makes the strides (1, 4). `1:` moves the offset by one stride of the first dimension, which is 1, "
            "and `::2` doubles the stride of the second. **`.T` swaps strides, a slice moves the offset, a step "
            "multiplies a stride, and none of them moves a number.**"
        ),
    ),
    Question(
        key="which-contiguous",
        prompt=(
            "`m` has 3 rows of 4 numbers, strides (4, 1). Which of `m[1:]`, `m[:, :2]`, `m.T` and `m[:1].T` are "
            "contiguous?"
        ),
        subject="The list of contiguous ones",
        options=(
            Option(
                label="none",
                value="none",
                belief="Only a whole tensor is contiguous. A part of one, or one turned around, is not.",
                refutation=(
                    "`m[1:]` begins later, and from there on its elements follow each other without a gap. "
                    "That is all that is asked."
                ),
            ),
            Option(
                label="m[1:]",
                value="m[1:]",
                belief="Whole rows are contiguous. Columns and whatever is transposed are not.",
                refutation=(
                    "`m[:1].T` is one row stood on end. Its second dimension has size 1, so its stride is never "
                    "used, and the four numbers follow each other."
                ),
            ),
            Option(
                label="m[1:] and m[:, :2]",
                value="m[1:], m[:, :2]",
                belief="A slice without a step is contiguous.",
                refutation="After two numbers `m[:, :2]` jumps over the other two of the row. That is a gap.",
            ),
            Option(
                label="m[1:] and m[:1].T",
                value="m[1:], m[:1].T",
                belief="What counts is whether the elements, taken in order, follow each other without a gap.",
                refutation="Here others are contiguous. Look at the strides of each.",
            ),
        ),
        explanation=(
            "A slice can be contiguous, and a transposed tensor can be. The offset does not count, nor does the "
            "stride of a dimension of size 1: no step of it is ever made. **A tensor is contiguous when each stride "
            "is the product of the sizes after it; dimensions of size 1 are left out.**"
        ),
    ),
    Question(
        key="tensor-keeps-order",
        prompt=(
            "`a` is an array with 2 rows of 3 numbers. `t = torch.tensor(a.T)` makes bytes of its own. What are the "
            "strides of `t`?"
        ),
        subject="`t.stride()`",
        options=(
            Option(
                label="(2, 1): new bytes, row after row",
                value=(2, 1),
                belief="A copy is written in order, so it is contiguous.",
                refutation="The copy keeps the order in which its source lies, and `a.T` lies column after column.",
            ),
            Option(
                label="(1, 3), as a.T",
                value=(1, 3),
                belief="The copy takes over the order of its source, not only the values.",
                refutation="Here the order was not kept. Look at `a.T.strides`, which counts in bytes.",
            ),
            Option(
                label="(3, 1), as a",
                value=(3, 1),
                belief="The bytes are those of `a`, so the strides are too.",
                refutation="`t` has 3 rows of 2. With the strides of `a` it would read `a` without transposing it.",
            ),
        ),
        explanation=(
            "`torch.tensor` copies, and still the result is not contiguous. `clone`, a change of dtype, `m.T + 1` and "
            "`empty_like` keep the order too; gaps are closed. NumPy's method `.copy()` writes row after row. "
            "**`torch.tensor`, `clone` and `empty_like` keep the order of their source; `contiguous()` is what changes "
            "it.**"
        ),
    ),
)
