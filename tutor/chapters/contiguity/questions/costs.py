"""What it costs not to be contiguous, and who has to care."""

from __future__ import annotations

from tutor.course.model import Option, Question

COSTS = (
    Question(
        key="sum-transposed",
        prompt=(
            "`big` has 1,000 rows of 1,000 numbers. Does `big.T.sum()` take at least one and a half times as long as "
            "`big.sum()`?"
        ),
        subject="`much_longer`",
        options=(
            Option(
                label="yes",
                value=True,
                belief="Memory is read out of order, and that is slow.",
                refutation=(
                    "A sum may take the numbers in any order. torch looks at the strides and takes them as they lie."
                ),
            ),
            Option(
                label="no",
                value=False,
                belief="torch may choose the order in which it reads.",
                refutation="Here it took longer. Was the machine busy? Run the cell again.",
            ),
        ),
        explanation=(
            "For a sum, `big.T` is the same bytes without a gap. In `gaps` as many numbers are spread over four times "
            "as many bytes. To copy it first means to read it with its gaps as well: for one sum that saves nothing. "
            "Compare the last two bars for ten. **Gaps cost time, another order alone need not; a copy can pay when "
            "it is read many times.**"
        ),
    ),
    Question(
        key="address",
        prompt=(
            "The first row of `m.T` is 0, 4, 8. Code outside torch is given `m.T.data_ptr()`, and reads three floats "
            "from there, one after another. What does it read?"
        ),
        subject="What it reads",
        options=(
            Option(
                label="0, 4, 8",
                value=(0.0, 4.0, 8.0),
                belief="A pointer to `m.T` leads to the numbers of `m.T`.",
                refutation=(
                    "An address says where the first byte lies. The strides stayed behind in the tensor, and the code "
                    "took what lies next."
                ),
            ),
            Option(
                label="0, 1, 2",
                value=(0.0, 1.0, 2.0),
                belief="It reads the storage as it lies, in the order of `m`.",
                refutation="Here it did not. Are the bytes of `m` still as they were?",
            ),
            Option(
                label="nothing: torch raises",
                value=RuntimeError,
                belief="torch does not hand out the address of a tensor that is not contiguous.",
                refutation="`data_ptr()` is given whatever the strides are, and nobody checks what you do with it.",
            ),
        ),
        explanation=(
            "torch's own operations read strides. Code that is handed an address alone cannot: here `ctypes`, "
            "elsewhere a kernel of your own in C or CUDA. No error, other numbers. **Code that takes "
            "`data_ptr()` alone needs a contiguous tensor, and a name that keeps it alive.**"
        ),
    ),
    Question(
        key="channels-last",
        prompt=(
            "`x` has the shape (2, 3, 4, 5): images, channels, height, width. `y = "
            "x.to(memory_format=torch.channels_last)`. What are the shape of `y` and `y.is_contiguous()`?"
        ),
        subject="Shape and `is_contiguous()`",
        options=(
            Option(
                label="(2, 4, 5, 3), True",
                value=((2, 4, 5, 3), True),
                belief="Channels last means that the channels become the last dimension.",
                refutation=(
                    "The last in storage, not in the shape. `y[n, c, h, w]` is still channel c. Only the strides "
                    "changed."
                ),
            ),
            Option(
                label="(2, 3, 4, 5), True",
                value=((2, 3, 4, 5), True),
                belief="The shape stays, and a fresh copy is contiguous.",
                refutation=(
                    "The copy has no gaps, but its order is another one. Asked without a format, `is_contiguous` "
                    "means row after row."
                ),
            ),
            Option(
                label="(2, 3, 4, 5), False",
                value=((2, 3, 4, 5), False),
                belief="The shape stays, and the order in storage is another one.",
                refutation="Here it is otherwise. Look at `x.shape` and `y.stride()`.",
            ),
        ),
        explanation=(
            "Channels last is an order in storage: the colours of a pixel side by side. "
            "`is_contiguous(memory_format=torch.channels_last)` asks for it. Here the convolution passed it on, and "
            "a bare `.contiguous()` undid it. With one channel, `grey`, both answers are True: a size of 1 again. "
            "**`is_contiguous()` asks about one order, row after row; name the format to ask about another.**"
        ),
    ),
)
