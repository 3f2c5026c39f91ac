"""What a write reaches: through strides, an array, a data frame, autograd, an expanded tensor."""

from __future__ import annotations

from tutor.course.model import Option, Question

_STRIDES = Question(
    key="strides",
    prompt=(
        "`x = torch.zeros(3, 4)` has the strides `(4, 1)`. What are the strides and the offset of `part = x[::2, 1:]`?"
    ),
    subject="The pair of strides and offset",
    options=(
        Option(
            "(4, 1) and 1",
            ((4, 1), 1),
            "The elements lie where they lay, so the strides stay.",
            "They lie where they lay. But the next row of `part` is the next but one of `x`, 8 elements on.",
        ),
        Option(
            "(8, 1) and 1",
            ((8, 1), 1),
            "Every second row doubles the first stride, and one element is skipped at the start.",
            "Here the strides are others. Was `x` made in another order? Ask `x.stride()`.",
        ),
        Option(
            "(3, 1) and 0",
            ((3, 1), 0),
            "`part` has rows of three, so it is three elements to the next row.",
            "It would be so in a new tensor of this shape. `part` lies on the storage of `x`, in which each row has "
            "four, and every second row is left out.",
        ),
    ),
    explanation=(
        "To the next row of `part` it is two rows of `x`: 8 elements. The first element of `part` is `x[0, 1]`, so "
        "one element is skipped. **A slice has an offset and strides of its own, and the storage of the whole.**"
    ),
)

_REBOUND = Question(
    key="rebound",
    prompt=(
        "`array = np.zeros(3)` and `t = torch.from_numpy(array)`. Then `array = array + 1`, and after that "
        "`array += 1`. What is `t[0]`?"
    ),
    subject="`t[0]`",
    options=(
        Option(
            "0",
            0.0,
            "The first line ties `array` to a new array, so the second writes into that one.",
            "Here a write reached the tensor. Look at `np.shares_memory(array, t.numpy())` after each line.",
        ),
        Option(
            "1",
            1.0,
            "`array + 1` makes a new array, but `array += 1` writes into the one that the tensor shares.",
            "It would, if `array` still named that one. The line before has tied it to the new array, and `+=` "
            "wrote there.",
        ),
        Option(
            "2",
            2.0,
            "They share, so whatever is done to `array` is seen in the tensor.",
            "What they share is bytes. `array + 1` wrote into no byte of theirs: it made a new array, and the name "
            "`array` went over to it.",
        ),
    ),
    explanation=(
        "The tensor shares bytes with an object, not with a name. `array = …` ties the name to another object; `+=` "
        "writes into the bytes of the object that has the name now. **A write reaches all who share the bytes; tying "
        "a name reaches nobody.**"
    ),
)

_FLOAT = Question(
    key="float-or-not",
    prompt=(
        "`array` is a float32 or a float64 array, and `t = torch.from_numpy(array).float()`. For which of the two does "
        "`t` share the bytes of `array`?"
    ),
    subject="The list of those that share",
    options=(
        Option(
            "for none: `.float()` makes a new tensor",
            "none",
            "`.float()` converts, and what is converted is new.",
            "Where the dtype is float32 already nothing has to be converted, and `.float()` gives back the tensor it "
            "was given.",
        ),
        Option(
            "for both: `from_numpy` shares",
            "float32, float64",
            "`from_numpy` shares, so what comes from it shares.",
            "`from_numpy` does. But float64 takes 8 bytes an element and float32 takes 4, so `.float()` had to make "
            "new bytes.",
        ),
        Option(
            "for float32 arrays only",
            "float32",
            "`.float()` copies only if the dtype has to change.",
            "Here it is otherwise. Ask `torch.from_numpy(array).float().dtype`.",
        ),
    ),
    explanation=(
        "`.float()` gives back the same tensor when nothing has to change. So whether a later write reaches your "
        "array depends on its dtype. **A conversion by torch copies if it must, and shares if it need not; "
        "if you are going to write, copy.**"
    ),
)

_FRAME = Question(
    key="frame-snapshot",
    prompt=(
        "`frame` is a DataFrame of floats whose first number is 1, and `snapshot = frame.copy(deep=False)`. pandas 3 "
        "lets them share bytes until it writes to one of them: copy-on-write. Now `t = "
        "torch.from_numpy(frame.to_numpy())` and `t[0, 0] = 9`. What are the first numbers of `frame` and `snapshot`?"
    ),
    subject="The pair of first numbers",
    options=(
        Option(
            "1 and 1",
            (1.0, 1.0),
            "`to_numpy` makes an array of its own.",
            "With columns of different dtypes it must. Here all columns are of one dtype, and it gave the frame's "
            "own bytes.",
        ),
        Option(
            "9 and 1",
            (9.0, 1.0),
            "Copy-on-write gives the snapshot bytes of its own before the first write.",
            "pandas does so when pandas writes. It was not asked here: the write went through torch.",
        ),
        Option(
            "9 and 9",
            (9.0, 9.0),
            "All three lie on the same bytes, and torch asks nobody before it writes.",
            "Here somebody made a copy. Look at `shared_memory(frame['x'], t)`.",
        ),
    ),
    explanation=(
        "pandas 3 marks the array read-only, so that nobody writes past it. torch shares it all the same, and writes. "
        "**Before you write to data from pandas, take a copy: `frame.to_numpy(copy=True)`.**"
    ),
)

_NUMPY_WRITE = Question(
    key="numpy-write",
    prompt=(
        "`w = torch.from_numpy(array)`, all tens. `x` requires a gradient, and `loss = (x * w).sum()`. Then `array[:] "
        "= 100`, and after that `loss.backward()`. What is `x.grad[0]`?"
    ),
    subject="`x.grad[0]`",
    options=(
        Option(
            "10",
            10.0,
            "The gradient is that of the loss that was computed, and `w` was 10 then.",
            "That would be right. But autograd kept `w` itself for the way back, not a copy of its numbers, and these "
            "were 100 by then.",
        ),
        Option(
            "an error: w was modified",
            RuntimeError,
            "Autograd notices when a tensor that it needs has been written to.",
            "It notices writes that go through `w`: each counts up its version. NumPy knows nothing of that count, so "
            "it stayed at 0.",
        ),
        Option(
            "100",
            100.0,
            "Autograd reads `w` when it goes back, and cannot know that the numbers have changed.",
            "Here it did not read the new number. Look whether `w` shares the array's bytes.",
        ),
    ),
    explanation=(
        "The loss was computed with 10, its gradient with 100: wrong, and no error. After a write through `w` "
        "`backward()` raises, as the next cell shows. **Autograd counts the writes that go through a tensor and its "
        "views. It misses those of NumPy, and those through another tensor on the same bytes: between forward and "
        "backward leave shared arrays alone.**"
    ),
)

_EXPANDED = Question(
    key="expanded",
    prompt=(
        "`expand` shows a tensor in a larger shape: `e = torch.zeros(3, 1).expand(3, 4)` has 3 rows of 4 elements. "
        "Then `e[0, 0] = 7`. What is `e.sum()`?"
    ),
    subject="`e.sum()`",
    options=(
        Option(
            "7",
            7.0,
            "One of 12 elements was written.",
            "One element of the storage was. Each row of `e` reads its one element four times.",
        ),
        Option(
            "28",
            28.0,
            "A row of `e` is one number, seen four times.",
            "Here the row is not one number. Look at `e.stride()`.",
        ),
        Option(
            "84",
            84.0,
            "All of `e` is one number.",
            "It would be for `torch.zeros(1).expand(3, 4)`. Here three rows were given, each with a number of its own.",
        ),
        Option(
            "an error",
            RuntimeError,
            "torch refuses to write where elements lie on each other.",
            "Many writes it refuses, such as `e += 1`. But `e[0, 0]` picks a single element, and that may be written.",
        ),
    ),
    explanation=(
        "`expand` copies nothing: along each row the stride is 0, so that a step stays in place. 12 elements, 3 "
        "numbers. `e += 1` raises, yet `fill_` and single elements go through. **Before you write to an expanded "
        "tensor, `clone` it.**"
    ),
)

WRITES = (_STRIDES, _REBOUND, _FLOAT, _FRAME, _NUMPY_WRITE, _EXPANDED)
