"""The predictions of chapter 00."""

from __future__ import annotations

from tutor.course.model import Option, Question

_RUN_AGAIN = "This machine shows something else. Restart the kernel, run the cells in order and look again."

_TWO_NAMES = Question(
    key="two-names",
    prompt="`a = torch.zeros(3)`, then `b = a`, then `b[0] = 7`. What is `a[0]`?",
    subject="`a[0]`",
    options=(
        Option(
            label="still 0",
            value=0.0,
            belief="`b = a` copies, so that `b` has zeros of its own.",
            refutation="`=` copies nothing. It gives the tensor a second name. "
            "The 7 went into the one tensor there is, and `a` names it too.",
        ),
        Option(
            label="7",
            value=7.0,
            belief="`a` and `b` are two names of one tensor.",
            refutation=_RUN_AGAIN,
        ),
    ),
    explanation="`torch.zeros(3)` made one **object**: a tensor. `a` and `b` are **names** tied to it. "
    "**`b = a` ties a second name to the same object and copies nothing.**",
)

_REBINDING = Question(
    key="rebinding",
    prompt="`a = torch.zeros(3)` and `b = a`. Which line then changes `a`: `b = b + 1`, or `b += 1`?",
    subject="`a[0]` after `b = b + 1`, and after `b += 1`,",
    options=(
        Option(
            label="neither",
            value=(0.0, 0.0),
            belief="`b += 1` is short for `b = b + 1`, and both make a new tensor for `b`.",
            refutation="For a tensor the two differ. `b += 1` adds inside the tensor that `b` names, "
            "and `a` names it too.",
        ),
        Option(
            label="only b = b + 1",
            value=(1.0, 1.0),
            belief="`=` is what writes into a tensor.",
            refutation="`b = …` ties the name `b` to another object and writes into none. "
            "`b += 1` is the line that writes.",
        ),
        Option(
            label="only b += 1",
            value=(0.0, 1.0),
            belief="`b + 1` makes a new tensor. `b += 1` writes into the one that `a` and `b` name.",
            refutation=_RUN_AGAIN,
        ),
        Option(
            label="both",
            value=(1.0, 2.0),
            belief="`a` and `b` are one tensor, so whatever happens to `b` happens to `a`.",
            refutation="`b + 1` is a new tensor, and `b = …` ties the name `b` to it. "
            "From then on `a` and `b` name two tensors, and nobody has written into the one of `a`.",
        ),
    ),
    explanation="`b = b + 1` computes a new tensor and ties `b` to it; `a` still names the old one. "
    "`b += 1` writes into the bytes there are, and every name of them sees it. "
    "**Tying a name is no write, and a write ties no new name.**",
)

_THREE_INTS = Question(
    key="three-ints",
    prompt="`t = torch.tensor([1, 2, 3])`. How many bytes do its elements take?",
    subject="`t.nbytes`",
    options=(
        Option(
            label="3",
            value=3,
            belief="Numbers as small as these fit in one byte each.",
            refutation="torch does not look how small the numbers are. "
            "Python's ints become int64 elements, and each of those takes 8 bytes.",
        ),
        Option(
            label="12",
            value=12,
            belief="An int takes 4 bytes.",
            refutation="An int32 does. Python's ints become int64, which takes 8 bytes.",
        ),
        Option(
            label="24",
            value=24,
            belief="Python's ints become int64: three elements of 8 bytes.",
            refutation="This machine shows something else. Look at `t.dtype` and `t.element_size()`.",
        ),
    ),
    explanation="A **byte** is eight bits, the smallest piece of memory that has an address. "
    "The **item size** is the number of bytes of one element, and the dtype alone decides it. "
    "**Bytes = number of elements × item size.**",
)

_WHOLE_SLICE = Question(
    key="whole-slice",
    prompt="`a` is a tensor and `b = a[:]`. Is `b` the same object as `a`? Do its elements begin at the same address?",
    subject="`(b is a, b.data_ptr() == a.data_ptr())`",
    options=(
        Option(
            label="same object, same address",
            value=(True, True),
            belief="`a[:]` is another way to write `a`.",
            refutation="Indexing made a second tensor object. It has a shape of its own, but no bytes of its own.",
        ),
        Option(
            label="another object, same address",
            value=(False, True),
            belief="`a[:]` is a second tensor on the same bytes.",
            refutation=_RUN_AGAIN,
        ),
        Option(
            label="another object, another address",
            value=(False, False),
            belief="A slice copies, as it does with a list.",
            refutation="A slice of a list copies. A slice of a tensor is a second tensor object that reads "
            "the bytes of the first.",
        ),
    ),
    explanation="A tensor object is small: it notes where its elements begin, their shape and their dtype. "
    "The elements themselves lie elsewhere, and two tensor objects can note the same place. "
    "**Another object need not mean other bytes.**",
)

_SLICE_ADDRESS = Question(
    key="slice-address",
    prompt="`x` is a float32 tensor of ten elements and `part = x[2:]`. "
    "How much larger is `part.data_ptr()` than `x.data_ptr()`?",
    subject="`part.data_ptr() - x.data_ptr()`",
    options=(
        Option(
            label="0",
            value=0,
            belief="A slice begins where the whole begins, and remembers how many elements to skip.",
            refutation="What it remembers stands apart: `part.storage_offset()` is 2. "
            "`data_ptr()` is the address of its own first element, behind the skipped bytes.",
        ),
        Option(
            label="2",
            value=2,
            belief="Two elements are skipped, so it begins 2 further.",
            refutation="Addresses count bytes, and each of the two elements takes 4.",
        ),
        Option(
            label="8",
            value=8,
            belief="Two elements of 4 bytes are skipped, and addresses count bytes.",
            refutation="This machine shows something else. Look at `x.dtype` and `x.element_size()`.",
        ),
        Option(
            label="16",
            value=16,
            belief="Two elements of 8 bytes are skipped.",
            refutation="8 bytes is the item size of int64 and float64. A float32 takes 4.",
        ),
    ),
    explanation="An **address** is the number of a byte in memory. "
    "`data_ptr()` is the address of a tensor's first element. "
    "**Where elements lie side by side, a slice begins at the address of the whole + skipped elements × item size.**",
)

QUESTIONS = (_TWO_NAMES, _REBINDING, _THREE_INTS, _WHOLE_SLICE, _SLICE_ADDRESS)
