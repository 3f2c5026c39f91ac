"""The predictions of chapter 01: what a constructor does to the data it is given."""

from __future__ import annotations

import torch

from tutor.chapters.creation_from_data.looking_back import OLD
from tutor.course.model import Option, Question

AS_TENSOR_WRITE = Question(
    key="as-tensor-write",
    prompt=(
        "`a` is a float32 array of three zeros, and `t = torch.as_tensor(a)`. "
        "Then you write to the array: `a[0] = 9`. What is `t[0]`?"
    ),
    subject="`t[0]`",
    options=(
        Option(
            "still 0",
            0.0,
            "A new object holds its own data: `as_tensor` reads the array once and keeps what it read.",
            "It read nothing. The tensor took the address of the array's bytes, so `a` and `t` name the same 12 bytes.",
        ),
        Option(
            "9",
            9.0,
            "The array already holds what the tensor needs, so the tensor uses the array's bytes.",
            "Here the tensor did not see the write: this torch made bytes of its own for it.",
        ),
    ),
    explanation=(
        "No number was copied. The tensor points at the bytes that the array owns, and a write through one name "
        "shows under the other. **`as_tensor` shares an array's bytes whenever it can.**"
    ),
)

AS_TENSOR_CAST = Question(
    key="as-tensor-cast",
    prompt=(
        "The same array of float32 zeros, but now `t = torch.as_tensor(a, dtype=torch.float64)`. "
        "Again `a[0] = 9`. What is `t[0]`?"
    ),
    subject="`t[0]`",
    options=(
        Option(
            "still 0",
            0.0,
            "A float64 takes 8 bytes and a float32 takes 4, so the tensor needs bytes of its own.",
            "Here the write reached the tensor although the dtypes differ.",
        ),
        Option(
            "9",
            9.0,
            "`as_tensor` shares, as it did a moment ago; the dtype only says how to read the bytes.",
            "Read as another dtype, the same bytes would be other numbers. To keep the numbers, `as_tensor` made new "
            "bytes and cast each number into them.",
        ),
    ),
    explanation=(
        "The same function shared a moment ago and copied now, and said nothing either time. "
        "**A cast needs new bytes, so it is a copy.**"
    ),
)

MIXED_LIST = Question(
    key="mixed-list",
    prompt="A bool, an int and a float in one list. What is the dtype of `torch.tensor([True, 2, 0.5])`?",
    subject="the dtype",
    options=(
        Option(
            "torch.bool",
            torch.bool,
            "The first item decides, and the others are cast to its dtype.",
            "Every item counts, the last one too. A bool could hold neither 2 nor 0.5.",
        ),
        Option(
            "torch.float32",
            torch.float32,
            "The dtype must do for every item, and torch's float is float32 unless you change that.",
            "Here another dtype came out. Look at `torch.get_default_dtype()`.",
        ),
        Option(
            "torch.float64",
            torch.float64,
            "A Python float has 64 bits, and the tensor keeps them all.",
            "NumPy does that. Torch makes a Python float a float32, and rounds it if it must.",
        ),
    ),
    explanation=(
        "Torch looks at every item and takes their common type. Below are the dtypes of `[True]`, of "
        "`[True, 2]`, of `[True, 2, 1j]`, and of a list without items. The default dtype is float32 unless you call "
        "`torch.set_default_dtype`. **Bool gives way to int64, an int to the default dtype, a float to complex.**"
    ),
)

NUMPY_MEANS = Question(
    key="numpy-means",
    prompt=(
        "Two losses, each a mean from NumPy: `losses = [np.mean([1.0, 2.0]), np.mean([3.0, 4.0])]`. "
        "What is the dtype of `torch.tensor(losses)`?"
    ),
    subject="the dtype",
    options=(
        Option(
            "torch.float32",
            torch.float32,
            "A list of floats becomes torch's default float, which is float32.",
            "That is so for Python floats. `np.mean` gives an `np.float64`, which brings its own dtype along.",
        ),
        Option(
            "torch.float64",
            torch.float64,
            "The items are `np.float64` numbers, and torch keeps the dtype of a NumPy number.",
            "Here torch treated the NumPy numbers like Python floats.",
        ),
    ),
    explanation=(
        "`np.mean` gives `np.float64` numbers. Below are the dtypes of the same two numbers as Python floats, and of "
        "three more lists: one `np.float64` beside a Python float, `np.int8(1)` alone, and `np.int8(1)` beside the "
        "int 2. **A Python float counts as the default dtype, a Python int as int64, and a NumPy number as the dtype "
        "it has.**"
    ),
)

TENSOR_OF_3 = Question(
    key="Tensor-of-3",
    prompt="With a capital T: what is the shape of `torch.Tensor(3)`?",
    subject="the shape",
    options=(
        Option(
            "(): the number 3",
            (),
            "`torch.Tensor(3)` holds the number 3, just like `torch.tensor(3)`.",
            "A bare int is a size for `torch.Tensor`, not data.",
        ),
        Option(
            "(1,): one value, 3",
            (1,),
            "`torch.Tensor` makes an array out of the number, so it has one element.",
            "A bare int is a size for `torch.Tensor`, not data. For one value write `torch.tensor([3.0])`.",
        ),
        Option(
            "(3,): three values",
            (3,),
            "`torch.Tensor` reads bare ints as sizes, so this asks for three values and names none.",
            "Here the 3 was taken as data.",
        ),
    ),
    explanation=(
        "`torch.Tensor` reads bare ints as sizes, but a list or a tuple as data: below are `torch.Tensor((2, 3))` and "
        "`torch.tensor(3)`. **`torch.Tensor(3)` asks for three values and says nothing about what they are; "
        "`torch.tensor(3)` is the number 3.**"
    ),
)

TENSOR_OF_IDS = Question(
    key="Tensor-of-ids",
    prompt="A list with one user id goes in: `ids = torch.Tensor([16_777_217])`. What is `int(ids[0])`?",
    subject="`int(ids[0])`",
    options=(
        Option(
            "16777217",
            16_777_217,
            "A tensor made from an int holds that int.",
            "`torch.Tensor` made a float32, and no float32 has the value 16,777,217. The nearest one was stored.",
        ),
        Option(
            "16777216",
            16_777_216,
            "`torch.Tensor` makes a float32, and a float32 cannot hold every int of this size.",
            "Here the id survived, so it was not stored as a float32.",
        ),
        Option(
            "1",
            1,
            "Large ints overflow and start again from the bottom.",
            "Nothing wrapped around: the id was rounded to the nearest value that a float32 has.",
        ),
    ),
    explanation=(
        "You now have the id of another user, and no warning. Below is what `torch.tensor` makes of the same list. "
        "**`torch.Tensor` turns a list of ints into float32; `torch.tensor` keeps them ints.**"
    ),
)

ASARRAY_OF_INTS = Question(
    key="asarray-of-ints",
    prompt=(
        '`numbers = array("i", [1, 2, 3])`, from Python\'s `array` module, holds three ints of 4 bytes each. '
        "What is the dtype of `torch.asarray(numbers)`?"
    ),
    subject="the dtype",
    options=(
        Option(
            "torch.int32",
            torch.int32,
            "The buffer says that its items are 4-byte ints, so `asarray` makes an int32 tensor of them.",
            "The buffer does say so, and this torch does not ask. Without a `dtype=` it reads the bytes as its default "
            "float.",
        ),
        Option(
            "torch.int64",
            torch.int64,
            "Ints become int64, as they do from a list.",
            "That is what `torch.tensor(numbers)` does: it asks for item after item. `asarray` takes the bytes as they "
            "lie.",
        ),
        Option(
            "torch.float32",
            torch.float32,
            "`asarray` takes the raw bytes and reads them as the default dtype.",
            "Here `asarray` asked the buffer what its items are.",
        ),
    ),
    explanation=(
        "`asarray` shares the 12 bytes. Up to torch 2.14 it reads them as three float32 numbers, without asking what "
        "they were; from 2.15 on it asks, and gives int32. Below are the numbers that come out, then what they are "
        "with `dtype=torch.int32`, and from `torch.tensor`. "
        "**Tell `asarray` the dtype of a buffer, or give the buffer to `torch.tensor`.**"
    ),
)

LIST_OF_ARRAYS = Question(
    key="list-of-arrays",
    prompt=(
        "`rows` is a list of 50 float32 arrays of 200 numbers each. How long does `torch.tensor(rows)` take, "
        "compared with `torch.tensor(np.array(rows))`, which makes one array first?"
    ),
    subject="the time of `torch.tensor(rows)`",
    options=(
        Option(
            "less than twice as long",
            "less than twice as long",
            "Both end with the same 10,000 numbers, so both take the time to copy them.",
            "The same numbers, but not the same way: the direct way makes a Python object out of every single one.",
        ),
        Option(
            "2 to 10 times as long",
            "2 to 10 times as long",
            "Fifty arrays have to be looked at one by one, and each look costs a little.",
            "It does not stop at the fifty arrays: each of them is asked for its 200 numbers, one by one.",
        ),
        Option(
            "more than 10 times as long",
            "more than 10 times as long",
            "To `torch.tensor` a list is a sequence of things to ask for one by one, down to the single numbers.",
            "Here it took less than that.",
        ),
    ),
    explanation=(
        "`torch.tensor` takes a list item by item, down to single numbers, even where the items are arrays. "
        "`np.array` copies whole rows. **Make one array of the list first, then one tensor of the array.**"
    ),
)

STACK_OR_CAT = Question(
    key="stack-or-cat",
    prompt=(
        "`x`, `y` and `z` have the shape `(2, 4)`. What are the shapes of `torch.stack([x, y, z])` and "
        "`torch.cat([x, y, z])`?"
    ),
    subject="the pair of shapes",
    options=(
        Option(
            "(3, 2, 4) and (6, 4)",
            ((3, 2, 4), (6, 4)),
            "`stack` adds a dimension that counts the tensors; `cat` makes an existing dimension longer.",
            "Here the two did not behave so.",
        ),
        Option(
            "(6, 4) and (3, 2, 4)",
            ((6, 4), (3, 2, 4)),
            "`stack` piles rows on rows, and `cat` makes a batch of the three.",
            "It is the other way round: `cat` joins rows to rows, and `stack` adds the dimension of the batch.",
        ),
        Option(
            "(6, 4) and (2, 12)",
            ((6, 4), (2, 12)),
            "`stack` joins downwards and `cat` joins sideways.",
            "`cat` joins along dimension 0 unless you name another with `dim=`, and `stack` makes a new dimension.",
        ),
    ),
    explanation=(
        "Three items went in. After `stack` you find them as `stacked[0]`, `stacked[1]` and `stacked[2]`; after `cat` "
        "only rows are left. **`stack` makes a new dimension, `cat` lengthens one that is there.**"
    ),
)

RAGGED_LIST = Question(
    key="ragged-list",
    prompt="The second row is too short: `ragged = [[1, 2, 3], [4, 5]]`. What does `torch.tensor(ragged)` do?",
    subject="the outcome",
    options=(
        Option(
            "a tensor that holds the lists as objects",
            (),
            "Data that is no grid is kept as Python objects, in a tensor of dtype object.",
            "Torch has no dtype for Python objects. It refuses the list.",
        ),
        Option(
            "a tensor of shape (2, 3), filled up",
            (2, 3),
            "The short row is filled with zeros.",
            "Torch does not guess what should fill the gap. It refuses the list, and you pad it yourself.",
        ),
        Option(
            "RuntimeError",
            RuntimeError,
            "Torch's own complaints are RuntimeErrors.",
            "Many are. This one is not, and `except RuntimeError` does not catch it.",
        ),
        Option(
            "ValueError",
            ValueError,
            "The type of the argument is fine, its value is not: Python's word for that is ValueError.",
            "Here something else came out.",
        ),
    ),
    explanation=(
        "The message names the dimension and both lengths: `expected sequence of length 3 at dim 1 (got 2)`. "
        "**`torch.tensor` makes full grids only. A row that is too short or too long is a ValueError.**"
    ),
)

QUESTIONS = (
    AS_TENSOR_WRITE,
    AS_TENSOR_CAST,
    TENSOR_OF_3,
    TENSOR_OF_IDS,
    MIXED_LIST,
    NUMPY_MEANS,
    ASARRAY_OF_INTS,
    LIST_OF_ARRAYS,
    STACK_OR_CAT,
    RAGGED_LIST,
    *OLD,
)
