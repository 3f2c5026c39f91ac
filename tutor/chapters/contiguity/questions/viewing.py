"""When `view` works, and when `reshape` copies."""

from __future__ import annotations

from tutor.course.model import Option, Question

VIEWING = (
    Question(
        key="view-of-slice",
        prompt="`m` has 3 rows of 4 numbers, and `m[:, :2]` is not contiguous. What does `m[:, :2].view(3, 2, 1)` do?",
        subject="The outcome",
        options=(
            Option(
                label="it raises",
                value=RuntimeError,
                belief="`view` needs a contiguous tensor.",
                refutation=(
                    "`view` needs strides for the new shape. Here the old ones do, with one more for the new "
                    "dimension of size 1."
                ),
            ),
            Option(
                label="it works, without a copy",
                value="shares",
                belief="`view` needs strides that fit the new shape, and here there are some.",
                refutation="Here it did not. Look at the strides of `m[:, :2]`.",
            ),
            Option(
                label="it works, with a copy",
                value="copies",
                belief="Where a view is not possible, `view` copies.",
                refutation="`view` never copies: it gives a view, or it raises. `reshape` is the one that may copy.",
            ),
        ),
        explanation=(
            "Contiguous is enough for `view`, and not needed. To split a dimension, or to add one of size 1, is always "
            "possible. To merge two, the steps must go on evenly from the one into the next. Leave out dimensions of "
            "size 1, and then: **dimensions i and i + 1 can be merged when stride[i] == stride[i + 1] * size[i + 1]. "
            "`view` raises where it has to merge and cannot.**"
        ),
    ),
    Question(
        key="reshape-copies",
        prompt=(
            "`m` has 3 rows of 4 numbers, strides (4, 1). Which of these copy: `m.reshape(12)`, `m.T.reshape(12)`, "
            "`m[:, :2].reshape(6)`, `m[:, 0].reshape(3, 1)`?"
        ),
        subject="The list of copies",
        options=(
            Option(
                label="none: reshape gives views",
                value="none",
                belief="`reshape` only changes the shape, so nothing is moved.",
                refutation="Four columns read one after another have no even step through `m`: 0, 4, 8, then 1.",
            ),
            Option(
                label="all four: reshape copies",
                value="m, m.T, m[:, :2], m[:, 0]",
                belief="`view` shares and `reshape` copies.",
                refutation="`reshape` gives a view wherever `view` works. `m.reshape(12)` lies on the bytes of `m`.",
            ),
            Option(
                label="the three that are not contiguous",
                value="m.T, m[:, :2], m[:, 0]",
                belief="`reshape` copies whatever is not contiguous.",
                refutation=(
                    "`m[:, 0]` is not contiguous: its stride is 4. It is given a dimension of size 1, nothing is "
                    "merged, and no copy is needed."
                ),
            ),
            Option(
                label="m.T and m[:, :2]",
                value="m.T, m[:, :2]",
                belief="It copies where dimensions that do not go on evenly must be merged.",
                refutation="Here others copy. Compare the strides of each by the rule.",
            ),
        ),
        explanation=(
            "`reshape` is `view` where that works, and otherwise a copy. The rule decides: in `m[:, :2]` the strides "
            "are (4, 1) and the sizes (3, 2), and 4 is not 1 * 2. Below stands a slice that is not contiguous and "
            "becomes one dimension without a copy. **`reshape` copies only where a merge fails, and it does not "
            "tell.**"
        ),
    ),
    Question(
        key="heads",
        prompt=(
            "Attention cuts each vector into heads. `heads` has the shape (batch, heads, time, width), here "
            "(1, 2, 3, 4), and is contiguous. To put the heads side by side again: `heads.transpose(1, 2).view(1, 3, "
            "8)`. What does it do?"
        ),
        subject="The outcome",
        options=(
            Option(
                label="it works, without a copy",
                value="shares",
                belief="`transpose` puts heads and width side by side, and then `view` merges them.",
                refutation=(
                    "Side by side in the shape, not in storage. From one head to the next it is 12 elements, and the "
                    "width is 4: 12 is not 1 * 4."
                ),
            ),
            Option(
                label="it raises",
                value=RuntimeError,
                belief="After `transpose` the two dimensions do not go on evenly.",
                refutation="Here it worked. Look at the strides after `transpose`.",
            ),
            Option(
                label="it works, with the heads mixed up",
                value="other values",
                belief="`view` reads the storage in order, whatever the strides say.",
                refutation="`view` never changes which element comes after which. It raises where it cannot keep that.",
            ),
        ),
        explanation=(
            "The heads of one time step lie 12 elements apart, so one stride cannot reach all 8 numbers. They have to "
            "be copied together: `.contiguous().view(1, 3, 8)`, or `.reshape(1, 3, 8)`, which does the same here. "
            "**After `transpose` write `reshape`: it copies where it must, and nowhere else.**"
        ),
    ),
)
