"""Flips, negative strides, and a helper that hides them."""

from __future__ import annotations

from tutor.course.model import Option, Question

TURNING = (
    Question(
        key="flip",
        prompt=(
            "`m` has 3 rows of 4 numbers, and `m[0, 3]` is 3. `f = torch.flip(m, [1])` mirrors the rows, then `f[0, 0] "
            "= 99`. What is `m[0, 3]`?"
        ),
        subject="`m[0, 3]`",
        options=(
            Option(
                label="99.0",
                value=99.0,
                belief="A flip only reads backwards, as in NumPy, so `f` lies on the bytes of `m`.",
                refutation=(
                    "To read backwards, a stride must be negative, and torch has no negative strides. So `flip` "
                    "wrote the numbers anew."
                ),
            ),
            Option(
                label="3.0",
                value=3.0,
                belief="`flip` makes new bytes.",
                refutation="Here `f` lies on the bytes of `m`. Look at `f.stride()`.",
            ),
        ),
        explanation=(
            "`transpose`, `permute` and slices are views: they change strides and offset. A flip would need a "
            "negative stride, so torch copies. NumPy has negative strides, and its flip shares. **In torch `transpose` "
            "and `permute` are views, and `flip` copies.**"
        ),
    ),
    Question(
        key="flipped-image",
        prompt=(
            "`image` is an array of 4 by 5 pixels with 3 colours each. `image[:, ::-1]` is its mirror image. What "
            "does `torch.from_numpy(image[:, ::-1])` do?"
        ),
        subject="The outcome",
        options=(
            Option(
                label="it shares",
                value="shares",
                belief="`from_numpy` never copies. It takes the array's strides as they are.",
                refutation="It takes them as they are, but no negative one, and a mirror image has one: look below.",
            ),
            Option(
                label="it copies",
                value="copies",
                belief="Where torch cannot share, it makes a copy.",
                refutation="`from_numpy` shares or raises. It never copies.",
            ),
            Option(
                label="it raises",
                value=ValueError,
                belief="The flip gives a negative stride, and torch has none.",
                refutation="Here it did not raise. Look at the strides of `image[:, ::-1]`.",
            ),
        ),
        explanation=(
            "NumPy reads a mirror image backwards over the same bytes, with a negative stride. torch refuses it, and "
            "so do `tensor`, `as_tensor` and `asarray`. One copy is the price, in NumPy with `.copy()`, or "
            "in torch: share first, and flip there. **A negative stride has to be copied away before torch takes "
            "the array.**"
        ),
    ),
    Question(
        key="safe-helper",
        prompt=(
            "A popular helper, `safe_from_numpy(array)`, returns `torch.from_numpy(np.ascontiguousarray(array, "
            "dtype=np.float32))`. `w` is a float32 array of zeros with 2 rows of 3. `t = safe_from_numpy(w.T)`, then "
            "`w[0, 0] = 9`. What is `t[0, 0]`?"
        ),
        subject="`t[0, 0]`",
        options=(
            Option(
                label="9.0",
                value=9.0,
                belief="The helper ends in `from_numpy`, and that shares.",
                refutation="`from_numpy` shares what it is given: here the copy that `ascontiguousarray` had made.",
            ),
            Option(
                label="0.0",
                value=0.0,
                belief="`w.T` is not contiguous, so the helper copies it, and the write to `w` stays outside.",
                refutation="Here the write arrived. Was `w.T` contiguous for NumPy?",
            ),
            Option(
                label="an error: it is not contiguous",
                value=ValueError,
                belief="`from_numpy` takes contiguous arrays only.",
                refutation="`from_numpy` takes a transposed array as it lies. Here it was given a copy, row after row.",
            ),
        ),
        explanation=(
            "`from_numpy` would have taken `w.T` as it is, and shared. The helper copies what is not contiguous, casts "
            "what is not float32, turns a number into an array of one, and shares the rest. Whether a later write "
            "arrives depends on the layout. "
            "**A helper that copies now and then hides who shares. Copy always, or only where a stride is negative.**"
        ),
    ),
)
