"""The predictions of chapter 02: what tensors made without a source hold, and which dtype and device they get."""

from __future__ import annotations

import torch

from tutor.chapters.creation_from_nothing.looking_back import LOOKING_BACK
from tutor.course.model import Option, Question

_FILL = (
    Question(
        key="leftover",
        prompt=(
            "A tensor of 1,000 sevens is deleted. Then `torch.empty(1000)` asks for as many bytes. We do this 50 "
            "times. What does `empty` hold most often?"
        ),
        subject="What `empty` holds most often",
        options=(
            Option(
                label="7.0",
                value=7.0,
                belief="`empty` gives out bytes that are free and writes nothing. What was in them is still there.",
                refutation=(
                    "Here it held something else. Some memory allocators clear or move the bytes they take back, so "
                    "you can rely on neither the sevens nor the zeros."
                ),
            ),
            Option(
                label="0.0",
                value=0.0,
                belief="An empty tensor starts clean, so all its numbers are zero.",
                refutation=(
                    "`empty` does not write. The bytes of the deleted tensor were free, `empty` was given them, and "
                    "the sevens were still in them."
                ),
            ),
            Option(
                label="another number: it is random",
                value="another number",
                belief="`empty` fills the tensor with random numbers.",
                refutation="Nothing drew a number. These are the old bytes of a deleted tensor, unchanged.",
            ),
        ),
        explanation=(
            "Deleting a tensor gives its bytes back, and does not wipe them. The next tensor of that size was given "
            "the same bytes, and nothing wrote into them. **`empty` reserves bytes and writes nothing: read it "
            "only after you have written it.**"
        ),
    ),
    Question(
        key="fresh",
        prompt=(
            "`fresh = torch.empty(20_000_000)` asks for 80 MB, far more than anything deleted so far. Are all its "
            "numbers zero?"
        ),
        subject="`all_zero`",
        options=(
            Option(
                label="yes",
                value=True,
                belief="The operating system clears pages before it hands them to a process.",
                refutation=(
                    "Here some were not zero: the block had been used before in this process. That is the point: "
                    "both can happen, and your code cannot tell which."
                ),
            ),
            Option(
                label="no, leftovers again",
                value=False,
                belief="`empty` always shows old data.",
                refutation=(
                    "Nobody in this process had used these bytes before. They came fresh from the operating system, "
                    "and it clears pages so that no process reads another's data."
                ),
            ),
        ),
        explanation=(
            "A request this large goes to the operating system, which hands out cleared pages. So a program that "
            "forgets to write can look right in a first run, and turn wrong when memory is used again. **Zeros in "
            "an empty tensor are luck, not a promise.**"
        ),
    ),
    Question(
        key="first-write",
        prompt=(
            "`torch.empty((1000, 512))` alone takes a small fraction of the time of `torch.zeros`. Now every number "
            "is written after each: `.fill_(1.0)`. Is `zeros` and the write still ten times slower than `empty` "
            "and the write?"
        ),
        subject="`ten_times`",
        options=(
            Option(
                label="yes, ten times or more",
                value=True,
                belief="`zeros` is the slow part, so replacing it with `empty` makes the whole job that much faster.",
                refutation=(
                    "`empty` does no work on the bytes, so its time is nearly nothing. The write is work, and both "
                    "pay it. What `empty` saves is one write of two."
                ),
            ),
            Option(
                label="no, less than ten times",
                value=False,
                belief="Somebody has to write the bytes. `empty` only leaves that to the next line.",
                refutation="On this machine the gap stayed. Look at the four bars: which of them is out of line?",
            ),
        ),
        explanation=(
            "`zeros` reserves bytes and writes them; `empty` only reserves. Once you write every number yourself, "
            "both lines have touched all 2,048,000 bytes, and `empty` has saved one pass over them. **`empty` pays "
            "when you overwrite every number anyway, and it saves one write, no more.**"
        ),
    ),
    Question(
        key="full-dtype",
        prompt="What is the dtype of `torch.full((2, 3), 1)`?",
        subject="`ones.dtype`",
        options=(
            Option(
                label="float32",
                value=torch.float32,
                belief="Like `zeros` and `ones`, `full` uses the default dtype.",
                refutation=(
                    "`zeros` is given no value, so it needs a default. `full` is given one, and looks at its type."
                ),
            ),
            Option(
                label="int64",
                value=torch.int64,
                belief="`full` takes the dtype from the fill value, and a Python int gives int64.",
                refutation=("Here it did not. Look at `torch.__version__`: very old versions gave the default float."),
            ),
            Option(
                label="int32",
                value=torch.int32,
                belief="A Python int becomes the usual 32-bit integer.",
                refutation="In torch a Python int becomes int64, on every platform.",
            ),
        ),
        explanation=(
            "`full` reads the dtype off its fill value: an int gives int64, `True` gives bool, `1.0` gives the "
            "default float. **Write `1.0`, or say `dtype=`, when you want a float.**"
        ),
    ),
)

_COUNT = (
    Question(
        key="arange-end",
        prompt="`arange` stops before its end. How many numbers does `torch.arange(1, 1.3, 0.1)` give?",
        subject="`len(grid)`",
        options=(
            Option(
                label="3: 1.0, 1.1, 1.2",
                value=3,
                belief="The end is always left out, as in Python's `range`.",
                refutation=(
                    "`(1.3 - 1) / 0.1` is not 3 in floating point: it is 3.0000000000000004. The count is that "
                    "number rounded up."
                ),
            ),
            Option(
                label="4: 1.0, 1.1, 1.2, 1.3",
                value=4,
                belief="The count is a division rounded up, and the division comes out a little over 3.",
                refutation="Here the division was not over 3. Compute `(1.3 - 1) / 0.1` and look.",
            ),
        ),
        explanation=(
            "The count is `(end - start) / step`, rounded up. Neither 1.3 nor 0.1 is exact in binary, and the "
            "quotient is 3.0000000000000004. So the end you left out is in. **With fractions count with `linspace`, "
            "which is told how many; use `arange` for whole numbers.**"
        ),
    ),
    Question(
        key="like-order",
        prompt=(
            "`m` has 2 rows of 3 float32 numbers, row after row. `m.T` reads the same bytes column by column, so "
            "from `m.T[0, 0]` to `m.T[0, 1]` it is 12 bytes. `like = torch.zeros_like(m.T)` has bytes of its own. "
            "How many bytes is it from `like[0, 0]` to `like[0, 1]`?"
        ),
        subject="`step(like)`",
        options=(
            Option(
                label="4: neighbours in a row are neighbours in memory",
                value=4,
                belief="A new tensor is always laid out row after row.",
                refutation=(
                    "`torch.zeros(3, 2)` is. But `zeros_like` also copies how its model lies in memory, and `m.T` "
                    "lies column after column."
                ),
            ),
            Option(
                label="8: a row of two numbers away",
                value=8,
                belief="Column by column means that one step is as long as a row.",
                refutation=(
                    "Column after column means that a whole column lies between neighbours of a row. A column of "
                    "`m.T` has three numbers, 12 bytes."
                ),
            ),
            Option(
                label="12: as in m.T",
                value=12,
                belief="`zeros_like` keeps the order in memory too, not only shape and dtype.",
                refutation="Here it did not keep the order. Ask for it: `memory_format=torch.preserve_format`.",
            ),
        ),
        explanation=(
            "`like` takes shape, dtype, device and the order in memory from its model, and you see nothing of it in "
            "the values. `torch.zeros(3, 2)` has no model, and lies row after row. **The `_like` functions keep the "
            "order in memory; `torch.zeros(x.shape)` does not.**"
        ),
    ),
)

_DRAW = (
    Question(
        key="two-generators",
        prompt=(
            "Two generators are made with `torch.Generator()`, and neither is given a seed. Do their first three "
            "numbers agree?"
        ),
        subject="`agree`",
        options=(
            Option(
                label="yes",
                value=True,
                belief="A new generator starts from a fixed seed.",
                refutation="Here they differ. Compare `initial_seed()` of the two.",
            ),
            Option(
                label="no",
                value=False,
                belief="Without a seed a generator starts from something unpredictable, such as the clock.",
                refutation=(
                    "NumPy's `default_rng()` does that. A new `torch.Generator` starts from one fixed number, the "
                    "same for each. `initial_seed()` shows it."
                ),
            ),
        ),
        explanation=(
            "Each new generator has the same `initial_seed()`. Two workers with a generator of their own then see "
            "the same noise. **Seed every generator you make: `.manual_seed(n)` to repeat a run, `.seed()` for a "
            "new one.**"
        ),
    ),
    Question(
        key="randn-size",
        prompt=(
            "`torch.manual_seed(0)`, then `torch.randn(8)`. Again `torch.manual_seed(0)`, then `torch.randn(16)`. "
            "Are the first 8 of the 16 numbers the same 8?"
        ),
        subject="`agree`",
        options=(
            Option(
                label="yes",
                value=True,
                belief="A seed fixes one stream of numbers. Asking for more only reads further.",
                refutation=(
                    "The stream of raw bits is the same. How normal numbers are made from it depends on how many "
                    "you ask for at once: from 16 on they are made in blocks."
                ),
            ),
            Option(
                label="no",
                value=False,
                belief="What comes out depends on the seed and on the call, its size included.",
                refutation="Here they agree. Another device or build may make both sizes in the same way.",
            ),
        ),
        explanation=(
            "On a CPU `randn` makes numbers in blocks once you ask for 16 or more, and one pair after another below "
            "that. The same seed then gives other numbers. **A run repeats when the seed and every call are the "
            "same, in the same order, with the same sizes.**"
        ),
    ),
    Question(
        key="fan",
        prompt=(
            "A layer has 512 inputs and 64 outputs. `torch.nn.init.kaiming_uniform_(w)` draws from plus or minus "
            "`sqrt(6 / fan_in)`, where `fan_in` is the number of inputs. With `w = torch.empty(512, 64)`, what is "
            "the largest weight?"
        ),
        subject="The largest weight",
        options=(
            Option(
                label="0.11, that is sqrt(6 / 512)",
                value=0.11,
                belief="`fan_in` is the first size, because I wrote inputs first.",
                refutation=(
                    "The function sees a shape, not your names. It takes the second size as the number of inputs, "
                    "because `nn.Linear` stores its weights as (outputs, inputs)."
                ),
            ),
            Option(
                label="0.31, that is sqrt(6 / 64)",
                value=0.31,
                belief="`fan_in` is read from the second size, whatever it means to me.",
                refutation="Here another size was used. Look at `torch.nn.Linear(512, 64).weight.shape`.",
            ),
            Option(
                label="0.1, that is sqrt(6 / (512 + 64))",
                value=0.1,
                belief="Both sizes count.",
                refutation="That is `xavier_uniform_`. `kaiming_uniform_` looks at one size only.",
            ),
        ),
        explanation=(
            "`fan_in` is the second size, 64 here, so these weights are 2.8 times as wide as meant. Nothing warned. "
            "**Weights are (outputs, inputs), as `nn.Linear` stores them; then the fan is right.**"
        ),
    ),
)

_DEFAULT = (
    Question(
        key="default-device",
        prompt=(
            'Inside `with torch.device("meta"):` new tensors go to the meta device, unless told otherwise. We make '
            "four: `zeros(2)`, `asarray(array)`, `from_numpy(array)` and `zeros_like(x)`, where `array` and `x` lie "
            "in CPU memory. Which stay on the CPU?"
        ),
        subject="`stayed`",
        options=(
            Option(
                label="none",
                value="none",
                belief="A default device holds for every function that makes a tensor.",
                refutation=(
                    "A default fills a gap, and some calls leave none: `from_numpy` shares the array's bytes, which "
                    "lie in CPU memory, and `zeros_like` takes the device of `x`."
                ),
            ),
            Option(
                label="zeros_like",
                value="zeros_like",
                belief="`zeros_like` takes the device of its model; everything else follows the default.",
                refutation=(
                    "`from_numpy` has no `device` argument. It shares the array's bytes, and these lie in CPU memory."
                ),
            ),
            Option(
                label="from_numpy and zeros_like",
                value="from_numpy, zeros_like",
                belief="Who shares CPU bytes or has a model stays; `asarray` has a `device` argument, so it follows.",
                refutation=(
                    "Here the list is another one. Whether `asarray` follows has changed between versions of torch."
                ),
            ),
            Option(
                label="asarray, from_numpy and zeros_like",
                value="asarray, from_numpy, zeros_like",
                belief="Everything that is given data or a model stays where that is.",
                refutation=(
                    "`asarray` has a `device` argument, and the default stands in for it. So its tensor is on the meta "
                    "device, and shares nothing with the array."
                ),
            ),
        ),
        explanation=(
            "The default stands in for a missing `device=`. `from_numpy` has no such argument, and `zeros_like` "
            "takes the device of its model. So one function can mix two devices. **Pass `device=` where it matters; "
            "a default is not heard by all.**"
        ),
    ),
)

QUESTIONS = (*_FILL, *_COUNT, *_DRAW, *_DEFAULT, *LOOKING_BACK)
