"""Exercises on sizes and strides alone. What is expected is asked of torch, not written down."""

from __future__ import annotations

import numpy as np
import torch

from tutor.course.model import Case, Exercise, Wrong


def _laid_out(shape: tuple[int, ...], stride: tuple[int, ...]) -> torch.Tensor:
    """A tensor with these sizes and strides, and no bytes."""
    return torch.empty_strided(shape, stride, device="meta")


def _answer(result: object, *_: object) -> bool:
    if not isinstance(result, bool | np.bool_):
        raise TypeError(f"True or False is wanted, and {type(result).__name__} came")
    return bool(result)


def _contiguity_case(written: str, shape: tuple[int, ...], stride: tuple[int, ...]) -> Case:
    return Case(
        label=f"{shape}, {stride}: {written}",
        arguments=lambda: (shape, stride),
        observe=_answer,
        expected=_laid_out(shape, stride).is_contiguous(),
    )


IS_CONTIGUOUS = Exercise(
    key="is-contiguous",
    task="Write `is_contiguous(shape, stride)`: True where a tensor with these sizes and strides is contiguous, else "
    "False. Both are tuples of the same length, counted in elements. Do it with numbers alone, without a tensor.",
    function="is_contiguous",
    starter='def is_contiguous(shape, stride):\n    """Whether such a tensor is contiguous."""\n    ...',
    solution="""\
def is_contiguous(shape, stride):
    if 0 in shape:
        return True
    wanted = 1
    for size, step in zip(reversed(shape), reversed(stride)):
        if size != 1 and step != wanted:
            return False
        wanted *= size
    return True
""",
    hints=(
        "Go from the last dimension to the first. The last stride must be 1. What must the one before it be?",
        "Each stride must be the product of the sizes after it. Keep that product in a variable, and multiply it by "
        "each size you pass.",
        "A dimension of size 1 is never stepped along, so any stride will do. And a tensor without elements is "
        "contiguous whatever its strides: `if 0 in shape: return True`.",
    ),
    cases=(
        _contiguity_case("m", (3, 4), (4, 1)),
        _contiguity_case("m.T", (4, 3), (1, 4)),
        _contiguity_case("m[:, :2]", (3, 2), (4, 1)),
        _contiguity_case("m[:1].T", (4, 1), (1, 4)),
        _contiguity_case("one channel", (2, 1, 3, 4), (12, 1, 4, 1)),
        _contiguity_case("no elements", (0, 3), (1, 5)),
        _contiguity_case("no elements", (3, 0, 2), (7, 9, 1)),
        _contiguity_case("every second number", (6,), (2,)),
        _contiguity_case("one row, repeated", (3, 4), (0, 1)),
        _contiguity_case("square, transposed", (3, 3), (1, 3)),
        _contiguity_case("a number", (), ()),
        _contiguity_case("channels last", (2, 3, 4, 5), (60, 1, 15, 3)),
        _contiguity_case("every second row", (2, 3, 4), (24, 4, 1)),
        _contiguity_case("m3", (2, 3, 4), (12, 4, 1)),
    ),
    observed="contiguous",
    wrong=(
        Wrong(
            belief="Contiguous means that the strides fall.",
            source="def is_contiguous(shape, stride):\n    return list(stride) == sorted(stride, reverse=True)",
            feedback="Falling strides put the dimensions in order. They do not close the gaps: `m[:, :2]` has falling "
            "strides and skips half of each row.",
        ),
        Wrong(
            belief="It is enough that the last stride is 1.",
            source="def is_contiguous(shape, stride):\n    return len(stride) == 0 or stride[-1] == 1",
            feedback="That holds within a row. Where the row ends, the next one must follow at once, and `m[:, :2]` "
            "leaves a gap there.",
        ),
        Wrong(
            belief="Each stride must be exactly what a new tensor would have.",
            source="""\
def is_contiguous(shape, stride):
    wanted, product = [], 1
    for size in reversed(shape):
        wanted.insert(0, product)
        product *= size
    return list(stride) == wanted
""",
            feedback="Right for nearly all. In a dimension of size 1 no step is ever made, so its stride does not "
            "count; in a tensor without elements none does.",
        ),
        Wrong(
            belief="Dimensions of size 1 are left out, and that is all.",
            source="""\
def is_contiguous(shape, stride):
    wanted = 1
    for size, step in zip(reversed(shape), reversed(stride)):
        if size != 1 and step != wanted:
            return False
        wanted *= size
    return True
""",
            feedback="Almost. A tensor without elements has nothing out of order: it is contiguous, whatever its "
            "strides.",
        ),
        Wrong(
            belief="Evenly spaced is contiguous.",
            source="""\
def is_contiguous(shape, stride):
    return all(stride[i] == stride[i + 1] * shape[i + 1] for i in range(len(shape) - 1))
""",
            feedback="You ask whether the elements are evenly spaced. Contiguous asks for more: the last stride must "
            "be 1. And it asks for less in dimensions of size 1, whose strides do not count.",
        ),
        Wrong(
            belief="Without a gap is enough, whatever the order.",
            source="""\
def is_contiguous(shape, stride):
    wanted = 1
    for step, size in sorted(zip(stride, shape)):
        if size != 1 and step != wanted:
            return False
        wanted *= size
    return True
""",
            feedback="You ask whether the elements fill their storage without a gap. `m.T` does that, in another "
            "order. Contiguous is both: no gap, and the order of the dimensions.",
        ),
    ),
    after="torch's own test leaves out the same two: sizes of 1, and tensors without elements.",
)


def _view_case(written: str, shape: tuple[int, ...], stride: tuple[int, ...], new_shape: tuple[int, ...]) -> Case:
    def expected() -> bool:
        try:
            _laid_out(shape, stride).view(new_shape)
        except RuntimeError:
            return False
        return True

    return Case(
        label=f"{shape}, {stride} to {new_shape}: {written}",
        arguments=lambda: (shape, stride, new_shape),
        observe=_answer,
        expected=expected(),
    )


CAN_VIEW = Exercise(
    key="can-view",
    task="Write `can_view(shape, stride, new_shape)`: True where `view(new_shape)` works on a tensor with these sizes "
    "and strides, else False. All are tuples, no size is 0, and both shapes have the same number of elements. This is "
    "the hard one of the chapter. Do it with numbers alone, without a tensor.",
    function="can_view",
    starter='def can_view(shape, stride, new_shape):\n    """Whether view(new_shape) works."""\n    ...',
    solution="""\
def can_view(shape, stride, new_shape):
    from itertools import accumulate
    from operator import mul

    kept = [(size, step) for size, step in zip(shape, stride) if size != 1]
    blocks = []  # how many elements lie evenly spaced, before the next jump
    for i, (size, step) in enumerate(kept):
        if i > 0 and kept[i - 1][1] == step * size:
            blocks[-1] *= size
        else:
            blocks.append(size)
    return set(accumulate(blocks, mul)) <= set(accumulate(new_shape, mul))
""",
    hints=(
        "First leave out the dimensions of size 1. Then go through neighbours: where `stride[i] == stride[i + 1] * "
        "size[i + 1]`, the two are one block of evenly spaced elements.",
        "You have a list of block sizes now. `m[:, :2]` has the blocks 3 and 2; `m` has one block of 12. A new "
        "dimension may lie inside a block, and not across its border.",
        "Multiply the blocks up from the left: 3, 6. Multiply the new shape up in the same way: (3, 2, 1) gives 3, 6, "
        "6. Each border of a block must be among these.",
        "`itertools.accumulate(numbers, operator.mul)` multiplies up from the left. Compare two sets with `<=`.",
    ),
    cases=(
        _view_case("m", (3, 4), (4, 1), (12,)),
        _view_case("m", (3, 4), (4, 1), (2, 6)),
        _view_case("m.T", (4, 3), (1, 4), (12,)),
        _view_case("m.T", (4, 3), (1, 4), (2, 2, 3)),
        _view_case("m.T", (4, 3), (1, 4), (2, 6)),
        _view_case("m[:, :2]", (3, 2), (4, 1), (3, 2, 1)),
        _view_case("m[:, :2]", (3, 2), (4, 1), (6,)),
        _view_case("m[:, :1]", (3, 1), (4, 1), (3,)),
        _view_case("m[:, ::2]", (3, 2), (4, 2), (6,)),
        _view_case("last column of m3", (2, 3), (12, 4), (6,)),
        _view_case("heads", (1, 3, 2, 4), (24, 4, 12, 1), (1, 3, 8)),
        _view_case("one head", (2, 3, 1, 4), (12, 4, 12, 1), (2, 12)),
        _view_case("one row, repeated", (3, 4), (0, 1), (12,)),
        _view_case("one number, repeated", (3, 4), (0, 0), (12,)),
        _view_case("a wide block", (2, 6, 4), (48, 4, 1), (2, 3, 8)),
        _view_case("across its border", (2, 6, 4), (48, 4, 1), (4, 3, 4)),
        _view_case("across its border", (2, 6, 4), (48, 4, 1), (3, 16)),
    ),
    observed="can be viewed",
    wrong=(
        Wrong(
            belief="`view` needs a contiguous tensor.",
            source="""\
def can_view(shape, stride, new_shape):
    wanted = 1
    for size, step in zip(reversed(shape), reversed(stride)):
        if size != 1 and step != wanted:
            return False
        wanted *= size
    return True
""",
            feedback="A contiguous tensor can always be viewed, and others can too: `m[:, :2].view(3, 2, 1)` works. "
            "Look at which dimensions have to be merged.",
        ),
        Wrong(
            belief="The number of elements is all that counts.",
            source="""\
def can_view(shape, stride, new_shape):
    from math import prod
    return prod(shape) == prod(new_shape)
""",
            feedback="Without that no `reshape` works either. For a view, the elements of one new dimension must also "
            "lie evenly spaced.",
        ),
        Wrong(
            belief="All dimensions must merge into one.",
            source="""\
def can_view(shape, stride, new_shape):
    kept = [(size, step) for size, step in zip(shape, stride) if size != 1]
    return all(a[1] == b[1] * b[0] for a, b in zip(kept, kept[1:]))
""",
            feedback="That is the test for `view(-1)`. Where the new shape keeps a border between two dimensions, "
            "these two need not merge.",
        ),
        Wrong(
            belief="The stride of a dimension of size 1 counts like any other.",
            source="""\
def can_view(shape, stride, new_shape):
    from itertools import accumulate
    from operator import mul
    blocks = []
    for i, (size, step) in enumerate(zip(shape, stride)):
        if i > 0 and stride[i - 1] == step * size:
            blocks[-1] *= size
        else:
            blocks.append(size)
    ends = list(accumulate(blocks, mul))
    return all(end in list(accumulate(new_shape, mul)) for end in ends)
""",
            feedback="Almost. No step is ever made along a dimension of size 1, so its stride may be anything. Leave "
            "these out before you compare neighbours.",
        ),
        Wrong(
            belief="A view exists only where the shape keeps all its dimensions.",
            source="""\
def can_view(shape, stride, new_shape):
    kept = [size for size in new_shape if size != 1]
    return kept == [size for size in shape if size != 1]
""",
            feedback="Dimensions of size 1 can come and go, that is true. But a dimension can also be split, always, "
            "and two can be merged where they go on evenly.",
        ),
    ),
    after="This is the rule that `view` and `reshape` go by; torch has it in C++.",
)
