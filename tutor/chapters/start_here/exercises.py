"""The exercise of chapter 00."""

from __future__ import annotations

import torch

from tutor.course.model import Case, Exercise, Wrong

Shape = tuple[int, ...]


def _whole_number(result: object, shape: Shape, dtype: torch.dtype) -> object:
    """The result as a Python number: `math.prod` gives an int, NumPy and torch give scalars of their own."""
    number = result.item() if hasattr(result, "item") else result
    if isinstance(number, bool) or not isinstance(number, int | float):
        raise TypeError(f"a number of bytes is wanted, and {type(result).__name__} came")
    return int(number) if isinstance(number, float) and number.is_integer() else number


def _case(shape: Shape, dtype: torch.dtype, nbytes: int, written: str = "") -> Case:
    return Case(
        label=f"{written or shape}, {dtype}",
        arguments=lambda: (shape, dtype),
        observe=_whole_number,
        expected=nbytes,
    )


_BYTES_NEEDED = Exercise(
    key="bytes-needed",
    task="Write a function that says how many bytes a tensor of this shape and dtype would take, without making it. "
    "`shape` is a tuple of ints, `dtype` a torch dtype.",
    function="bytes_needed",
    starter='''\
def bytes_needed(shape, dtype):
    """The number of bytes that a tensor of this shape and dtype would take."""
    ...
''',
    solution="import math\n\n\ndef bytes_needed(shape, dtype):\n    return math.prod(shape) * dtype.itemsize",
    hints=(
        "Two numbers are needed: how many elements there are, and how many bytes one of them takes.",
        "`dtype.itemsize` is the second. The first is the product of the sizes in `shape`.",
        "`math.prod` multiplies whatever it is given. What is `math.prod(())`, and how many elements has "
        "`torch.tensor(5)`, whose shape is `()`?",
    ),
    # The last one is 4 PiB, more than a process can address, so that making the tensor fails everywhere.
    cases=(
        _case((3,), torch.int64, 24),
        _case((2, 5), torch.float32, 40),
        _case((10,), torch.bool, 10),
        _case((4, 4), torch.bfloat16, 32),
        _case((2, 3, 4), torch.complex128, 384),
        _case((), torch.float64, 8),
        _case((0, 3), torch.float32, 0),
        _case((2**40, 2**10), torch.float32, 2**52, written="(2**40, 2**10)"),
    ),
    observed="bytes",
    wrong=(
        Wrong(
            belief="Every element takes 4 bytes.",
            source="import math\n\n\ndef bytes_needed(shape, dtype):\n    return math.prod(shape) * 4",
            feedback="You give every element 4 bytes. That is the item size of float32; ask `dtype` for its own.",
        ),
        Wrong(
            belief="The number of elements is the number of bytes.",
            source="import math\n\n\ndef bytes_needed(shape, dtype):\n    return math.prod(shape)",
            feedback="You count elements. Each of them takes `dtype.itemsize` bytes.",
        ),
        Wrong(
            belief="`len` counts the elements.",
            source="def bytes_needed(shape, dtype):\n    return len(shape) * dtype.itemsize",
            feedback="`len(shape)` is the number of dimensions. The elements are the product of the sizes.",
        ),
        Wrong(
            belief="The first size is the number of elements.",
            source="def bytes_needed(shape, dtype):\n    return shape[0] * dtype.itemsize",
            feedback="You count along the first dimension only, as `len` of a tensor does. "
            "The elements are the product of all sizes, and a shape of `()` has no first one.",
        ),
        Wrong(
            belief="A shape is rows and columns.",
            source="def bytes_needed(shape, dtype):\n    return shape[0] * shape[1] * dtype.itemsize",
            feedback="You multiply two sizes. A shape may have one, three or none: multiply them all.",
        ),
        Wrong(
            belief="Multiplying a tuple multiplies what is in it.",
            source="def bytes_needed(shape, dtype):\n    return shape * dtype.itemsize",
            feedback="`shape` is a tuple, and a tuple times a number repeats it. Multiply the sizes in it.",
        ),
        Wrong(
            belief="The dtype makes no difference to the bytes.",
            source="import torch\n\n\ndef bytes_needed(shape, dtype):\n    return torch.zeros(shape).nbytes",
            feedback="You make a tensor of the default dtype, and `dtype` is not used. "
            "The last one would take 4 PiB, more than this machine can give. Compute it instead.",
        ),
        Wrong(
            belief="The sizes add up to the number of elements.",
            source="def bytes_needed(shape, dtype):\n    return sum(shape) * dtype.itemsize",
            feedback="You add the sizes. Two rows of five are 2 × 5 elements, not 2 + 5.",
        ),
        Wrong(
            belief="A tensor without dimensions has no elements.",
            source="import math\n\n\ndef bytes_needed(shape, dtype):\n"
            "    return math.prod(shape) * dtype.itemsize if shape else 0",
            feedback="A shape of `()` has no dimension, and yet one element: `torch.tensor(5).numel()` is 1. "
            "`math.prod(())` is 1 too, so no special case is needed.",
        ),
        Wrong(
            belief="A bool takes one bit.",
            source="import math\n\nimport torch\n\n\ndef bytes_needed(shape, dtype):\n    n = math.prod(shape)\n"
            "    return -(-n // 8) if dtype == torch.bool else n * dtype.itemsize",
            feedback="One bit would do for a bool, but bits have no address of their own. "
            "torch gives each bool a byte: `torch.bool.itemsize` is 1.",
        ),
        Wrong(
            belief="The size of an element is its number of bits.",
            source="import math\n\n\ndef bytes_needed(shape, dtype):\n    return math.prod(shape) * dtype.itemsize * 8",
            feedback="You count bits. A byte has eight: float32 has 32 bits, and that is 4 bytes.",
        ),
        Wrong(
            belief="To know the bytes of a tensor you must make it.",
            source="import torch\n\n\ndef bytes_needed(shape, dtype):\n"
            "    return torch.empty(shape, dtype=dtype).nbytes",
            feedback="You make the tensor in order to ask it. The last one would take 4 PiB, "
            "more than this machine can give. Shape and dtype are enough to compute it.",
        ),
    ),
    after='With `device="meta"` torch does the same sum: `torch.empty(shape, dtype=dtype, device="meta").nbytes`.',
)

EXERCISES = (_BYTES_NEEDED,)
