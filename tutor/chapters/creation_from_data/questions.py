"""The predictions of chapter 01: what a constructor does to the data it is given."""

from __future__ import annotations

import torch

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
            "A dtype fixes how many bytes a number takes. Twelve bytes cannot be read as three float64 numbers, "
            "so `as_tensor` made new bytes and cast the numbers into them.",
        ),
    ),
    explanation=(
        "The same function shared a moment ago and copied now, and said nothing either time. "
        "**Another dtype means other bytes, so it means a copy.**"
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
        "`np.mean` gives `np.float64` numbers, and torch looks at the type of each item. Below is the dtype that the "
        "same two numbers give as Python floats. "
        "**Python floats become the default dtype; NumPy numbers keep their own.**"
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
            "Here `asarray` asked the buffer what its items are. Newer torch releases do.",
        ),
    ),
    explanation=(
        "`asarray` shares the 12 bytes and reads them as three float32 numbers, without asking what they were. "
        "The next cell shows the numbers that come out. "
        "**Tell `asarray` the dtype of a buffer, or give the buffer to `torch.tensor`.**"
    ),
)

LIST_OF_ARRAYS = Question(
    key="list-of-arrays",
    prompt=(
        "`rows` is a list of 50 float32 arrays of 200 numbers each. How does `torch.tensor(rows)` compare with "
        "`torch.tensor(np.array(rows))`, which makes one array first?"
    ),
    subject="the verdict on `torch.tensor(rows)`",
    options=(
        Option(
            "faster",
            "faster",
            "The detour over one big array copies everything twice, so the direct way must win.",
            "Two copies of whole arrays cost little. The direct way makes a Python object out of every single number.",
        ),
        Option(
            "no difference",
            "no difference",
            "Both end with the same 10,000 numbers, so both take the time to copy them.",
            "The same numbers, but not the same way: the direct way makes a Python object out of every single one.",
        ),
        Option(
            "slower",
            "slower",
            "To `torch.tensor` a list is a sequence of things to ask for one by one, arrays inside it included.",
            "Here the direct way was not slower.",
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
            "`cat` joins along dimension 0 unless you say `dim=1`, and `stack` makes a new dimension.",
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
        "**A ragged list is a ValueError; a tensor is always a full grid.**"
    ),
)

OLD_ITEM_SIZE = Question(
    key="item-size-again",
    prompt="How many bytes do the elements of `torch.zeros((2, 5), dtype=torch.float64)` take together?",
    subject="the number of bytes",
    options=(
        Option(
            "10",
            10,
            "Ten numbers, one byte each.",
            "A byte holds 256 different values. A float64 takes 8 of them: 64 bits.",
        ),
        Option(
            "40",
            40,
            "Ten numbers of 4 bytes each.",
            "4 bytes is the item size of a float32, and this is a float64.",
        ),
        Option(
            "80",
            80,
            "Ten numbers of 8 bytes each.",
            "Here an element takes another number of bytes. Look at `element_size()`.",
        ),
    ),
    explanation="64 bits are 8 bytes. **Bytes = number of elements × item size, and the dtype decides the item size.**",
    about="start_here",
)

OLD_NAMES = Question(
    key="names-again",
    prompt="`x = torch.ones(3)` and `y = x`. Then `y = y * 2`, and at last `y[1] = 5`. What is `x[1]`?",
    subject="`x[1]`",
    options=(
        Option(
            "still 1",
            1.0,
            "`y * 2` is a new tensor, and from then on `y` names that one.",
            "Here the writes to `y` reached `x`.",
        ),
        Option(
            "2",
            2.0,
            "`y` and `x` are one tensor, so `x` is doubled; the 5 comes too late.",
            "`y * 2` wrote into no tensor that was there. It made a new one, and `y = …` tied the name to it.",
        ),
        Option(
            "5",
            5.0,
            "`y = x` made them one tensor, and they stay one.",
            "They were one until `y = y * 2`. That line tied the name `y` to a new tensor, and the 5 went there.",
        ),
    ),
    explanation="`x` names the tensor of ones to the end. **Tying a name is no write, and a write ties no new name.**",
    about="start_here",
)

OLD_ADDRESS = Question(
    key="address-again",
    prompt=(
        "`x` is a float64 tensor of six elements and `part = x[3:]`. "
        "How much larger is `part.data_ptr()` than `x.data_ptr()`?"
    ),
    subject="`part.data_ptr() - x.data_ptr()`",
    options=(
        Option(
            "3",
            3,
            "Three elements are skipped.",
            "Three elements, but an address counts bytes, and each float64 takes 8.",
        ),
        Option(
            "12",
            12,
            "Three elements of 4 bytes are skipped.",
            "A float32 takes 4 bytes. A float64 takes 8.",
        ),
        Option(
            "24",
            24,
            "Three elements of 8 bytes are skipped.",
            "Here the item size is another one. Look at `x.element_size()`.",
        ),
    ),
    explanation="**A slice begins at the address of the whole + skipped elements × item size.**",
    about="start_here",
)

QUESTIONS = (
    AS_TENSOR_WRITE,
    AS_TENSOR_CAST,
    NUMPY_MEANS,
    TENSOR_OF_3,
    TENSOR_OF_IDS,
    ASARRAY_OF_INTS,
    LIST_OF_ARRAYS,
    STACK_OR_CAT,
    RAGGED_LIST,
    OLD_ITEM_SIZE,
    OLD_NAMES,
    OLD_ADDRESS,
)
