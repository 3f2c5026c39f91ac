"""The predictions of chapter 01 that look back at chapter 00."""

from __future__ import annotations

from tutor.course.model import Option, Question

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
    explanation="`x` lies in one row without gaps, and three elements of 8 bytes lie before `part`. "
    "**A slice begins at the address of the whole + skipped elements × item size.**",
    about="start_here",
)

OLD = (OLD_ITEM_SIZE, OLD_NAMES, OLD_ADDRESS)
