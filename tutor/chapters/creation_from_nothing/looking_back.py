"""Questions that chapter 02 asks about the chapters before it."""

from __future__ import annotations

import torch

from tutor.course.model import Option, Question

LOOKING_BACK = (
    Question(
        key="bytes-of-flags",
        prompt="How many bytes does `torch.full((4, 5), True)` occupy?",
        subject="`flags.nbytes`",
        options=(
            Option(
                label="80",
                value=80,
                belief="Every element takes 4 bytes.",
                refutation=(
                    "The size of an element depends on the dtype. For bool it is 1 byte, and there are 20 of them."
                ),
            ),
            Option(
                label="20",
                value=20,
                belief="The fill value makes it bool, and a bool takes one byte.",
                refutation="Here it is not. Ask `flags.dtype` and `flags.itemsize`, and multiply.",
            ),
            Option(
                label="3",
                value=3,
                belief="A yes or no takes one bit, so eight of them fit in a byte.",
                refutation=(
                    "A byte is the smallest piece with an address of its own. torch gives each bool a whole one."
                ),
            ),
        ),
        explanation=(
            "`True` makes the dtype bool, and each of the 20 elements takes one byte. **Bytes are the number of "
            "elements times the item size.**"
        ),
        about="start_here",
    ),
    Question(
        key="cast-or-share",
        prompt=(
            "`array = np.linspace(5, 8, 4)` and `t = torch.as_tensor(array, dtype=torch.float32)`. After `array[0] "
            "= 100`, what is `t[0]`?"
        ),
        subject="`t[0]`",
        options=(
            Option(
                label="100.0",
                value=100.0,
                belief="`as_tensor` of an array always shares its bytes.",
                refutation=(
                    "`linspace` of NumPy gives float64, and float32 was asked for. Another item size needs other "
                    "bytes, so `as_tensor` copied."
                ),
            ),
            Option(
                label="5.0",
                value=5.0,
                belief="The array is float64, so asking for float32 makes new bytes.",
                refutation="Here they share. Was the array float32 already? Look at `array.dtype`.",
            ),
        ),
        explanation=(
            "`np.linspace` gives float64, so the new dtype forced a copy. **`as_tensor` shares an array's "
            "bytes when dtype and device can stay, and copies when they cannot.**"
        ),
        about="creation_from_data",
    ),
    Question(
        key="zeros-of-numpy",
        prompt="What is the dtype of `torch.tensor(np.zeros(3))`?",
        subject="`t.dtype`",
        options=(
            Option(
                label="float32",
                value=torch.float32,
                belief="`torch.tensor` gives the default float, as `torch.zeros` does.",
                refutation="That holds for a list of Python floats. An array brings a dtype along, and it is kept.",
            ),
            Option(
                label="float64",
                value=torch.float64,
                belief="An array brings its dtype along, and NumPy's zeros are float64.",
                refutation="Here the dtype was not kept. Look at `np.zeros(3).dtype`.",
            ),
        ),
        explanation=(
            "The two zeros differ: NumPy's are float64, torch's are float32. **`torch.tensor` keeps a dtype that "
            "comes with the data; the default fills in only where none comes.**"
        ),
        about="creation_from_data",
    ),
)
