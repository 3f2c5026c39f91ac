"""Exercises on arrays of images: flips, and the order of channels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from tutor.course.model import Case, Exercise, Wrong

_Array = np.ndarray[Any, Any]


def a_tensor(result: object) -> torch.Tensor:
    """The result, if it is a tensor at all."""
    if not isinstance(result, torch.Tensor):
        raise TypeError(f"a tensor is wanted, and {type(result).__name__} came")
    return result


def _relation(result: torch.Tensor, source: _Array) -> str:
    """Whether the result has the numbers of the source, in this shape, and whose bytes they are in."""
    if result.shape != source.shape or not np.array_equal(result.numpy(), source):
        return "other values"
    return "shares" if np.shares_memory(result.numpy(), source) else "copies"


def _dtype_and_relation(result: object, array: _Array) -> str:
    t = a_tensor(result)
    return f"{str(t.dtype).removeprefix('torch.')}, {_relation(t, array)}"


def _pixels(*shape: int) -> _Array:
    return np.arange(np.prod(shape), dtype=np.uint8).reshape(shape)


def _array_case(written: str, make: Callable[[], _Array], expected: str) -> Case:
    return Case(label=written, arguments=lambda: (make(),), observe=_dtype_and_relation, expected=expected)


FROM_IMAGE = Exercise(
    key="from-image",
    task="`array` may be sliced, stepped, transposed or flipped. Write `to_tensor(array)`: a tensor with its shape, "
    "its dtype and its numbers, on the bytes of the array wherever torch can share them, and on a copy where it "
    "cannot.",
    function="to_tensor",
    starter='def to_tensor(array):\n    """A tensor of the array: shared where it can be, copied where it must be."""\n'
    "    ...",
    solution="""\
def to_tensor(array):
    if any(step < 0 for step in array.strides):
        array = array.copy()
    return torch.from_numpy(array)
""",
    hints=(
        "`from_numpy` takes the strides of a slice, a step or a transposed array as they are, and no negative one. So "
        "look at `array.strides`.",
        "Copy only if one of them is negative, and give `from_numpy` the copy.",
        "`if any(step < 0 for step in array.strides): array = array.copy()`",
    ),
    cases=(
        _array_case("an image", lambda: _pixels(2, 4, 3), "uint8, shares"),
        _array_case("image[:, ::-1]", lambda: _pixels(2, 4, 3)[:, ::-1], "uint8, copies"),
        _array_case("image[::-1]", lambda: _pixels(2, 4, 3)[::-1], "uint8, copies"),
        _array_case("image[..., ::-1]", lambda: _pixels(2, 4, 3)[..., ::-1], "uint8, copies"),
        _array_case("image.transpose(2, 0, 1)", lambda: _pixels(2, 4, 3).transpose(2, 0, 1), "uint8, shares"),
        _array_case("image[:, ::2]", lambda: _pixels(2, 4, 3)[:, ::2], "uint8, shares"),
        _array_case("one row, image[:1][::-1]", lambda: _pixels(2, 4, 3)[:1][::-1], "uint8, copies"),
        _array_case("flipped twice", lambda: _pixels(2, 4, 3)[::-1][::-1], "uint8, shares"),
        _array_case("float64, flipped", lambda: np.arange(4.0)[::-1], "float64, copies"),
        _array_case("float64", lambda: np.arange(4.0), "float64, shares"),
    ),
    observed="dtype and bytes",
    wrong=(
        Wrong(
            belief="`from_numpy` takes every array.",
            source="def to_tensor(array):\n    return torch.from_numpy(array)",
            feedback="Sliced, stepped or transposed, it takes them all. But it takes no negative stride, and a flip in "
            "NumPy makes one.",
        ),
        Wrong(
            belief="Contiguous arrays are the safe ones.",
            source="def to_tensor(array):\n    return torch.from_numpy(np.ascontiguousarray(array))",
            feedback="Transposed and stepped arrays could be shared, and you copied them. And a flipped array of one "
            "row counts as contiguous, so it is left as it is, negative stride and all.",
        ),
        Wrong(
            belief="To be safe, copy.",
            source="def to_tensor(array):\n    return torch.from_numpy(array.copy())",
            feedback="Every image comes through. But what torch could have shared has been copied as well.",
        ),
        Wrong(
            belief="`torch.tensor` copies, so it takes every array.",
            source="def to_tensor(array):\n    return torch.tensor(array)",
            feedback="You copy what could be shared. And torch refuses a negative stride in calls that copy, "
            "too: NumPy has to make that copy.",
        ),
        Wrong(
            belief="A flip turns the first stride negative.",
            source="""\
def to_tensor(array):
    if array.strides[0] < 0:
        array = array.copy()
    return torch.from_numpy(array)
""",
            feedback="That is the flip upside down. A mirror image has its negative stride in another dimension, and "
            "so has a swap of the colours. Look at all of them.",
        ),
        Wrong(
            belief="The array behind the flip can be shared, so share that.",
            source="""\
def to_tensor(array):
    if any(step < 0 for step in array.strides):
        array = array[tuple(slice(None, None, -1 if step < 0 else 1) for step in array.strides)]
    return torch.from_numpy(array)
""",
            feedback="You flipped it back to share it, so the tensor shows the image the wrong way round. The order "
            "asked for cannot be had without a copy.",
        ),
    ),
    after="One look at the strides, and no copy that is not needed.",
)


def _order(t: torch.Tensor) -> str:
    if t.is_contiguous(memory_format=torch.channels_last):
        return "channels last"
    return "row after row" if t.is_contiguous() else "with gaps"


def _batch(result: object, images: _Array) -> str:
    t = a_tensor(result)
    if t.ndim != 4:
        return f"{t.ndim} dimensions"
    return f"{tuple(t.shape)}, {_order(t)}, {_relation(t, images.transpose(0, 3, 1, 2))}"


def _batch_case(*shape: int) -> Case:
    n, height, width, channels = shape
    return Case(
        label=f"images of shape {shape}",
        arguments=lambda: (_pixels(*shape),),
        observe=_batch,
        expected=f"{(n, channels, height, width)}, channels last, shares",
    )


AS_NCHW = Exercise(
    key="as-nchw",
    task="`images` is a uint8 array of shape (n, height, width, channels), row after row. Write `as_nchw(images)`: a "
    "tensor of shape (n, channels, height, width) that is contiguous in channels_last, without a copy.",
    function="as_nchw",
    starter='def as_nchw(images):\n    """The images as (n, channels, height, width), without a copy."""\n    ...',
    solution="def as_nchw(images):\n    return torch.from_numpy(images).permute(0, 3, 1, 2)",
    hints=(
        "In the array the colours of a pixel already lie side by side. Is there anything to move?",
        "`from_numpy` shares, and `permute` changes the order of the dimensions without moving anything.",
        "`permute` is told which old dimension comes at each place: n, channels, height, width are 0, 3, 1, 2.",
    ),
    cases=(
        _batch_case(2, 4, 5, 3),
        _batch_case(1, 4, 5, 3),
        _batch_case(2, 4, 4, 3),
        _batch_case(3, 2, 5, 4),
        _batch_case(2, 3, 3, 3),
        _batch_case(2, 4, 5, 1),
    ),
    observed="shape, order, bytes",
    wrong=(
        Wrong(
            belief="A new shape is made with `reshape`.",
            source="""\
def as_nchw(images):
    n, height, width, channels = images.shape
    return torch.from_numpy(images).reshape(n, channels, height, width)
""",
            feedback="The shape is right, and the pictures are scrambled: `reshape` keeps the order of the elements "
            "and cuts it elsewhere. Dimensions change places with `permute`.",
        ),
        Wrong(
            belief="After `permute` the tensor has to be made contiguous.",
            source="def as_nchw(images):\n    return torch.from_numpy(images).permute(0, 3, 1, 2).contiguous()",
            feedback="The images were in channels_last order already. `.contiguous()` asks for row after row, so it "
            "copied them out of it.",
        ),
        Wrong(
            belief="A tensor is made with `torch.tensor`.",
            source="def as_nchw(images):\n    return torch.tensor(images).permute(0, 3, 1, 2)",
            feedback="Shape and order are right, but every byte was copied, as `torch.tensor` does. `from_numpy` "
            "shares, and `permute` moves nothing.",
        ),
        Wrong(
            belief="A format has to be asked for.",
            source="""\
def as_nchw(images):
    in_order = torch.from_numpy(images).permute(0, 3, 1, 2).contiguous()
    return in_order.to(memory_format=torch.channels_last)
""",
            feedback="Shape and order are right, by way of two copies: one out of this order, and one back into it.",
        ),
        Wrong(
            belief="`memory_format=torch.channels_last` moves the channels.",
            source="def as_nchw(images):\n    return torch.from_numpy(images).to(memory_format=torch.channels_last)",
            feedback="A memory format never changes the shape. It took your last dimension, the channels, for the "
            "width.",
        ),
        Wrong(
            belief="Channels and the first picture dimension change places.",
            source="def as_nchw(images):\n    return torch.from_numpy(images).transpose(1, 3)",
            feedback="`transpose(1, 3)`, which is `permute(0, 3, 2, 1)`, leaves width before height: every picture "
            "lies on its side. `permute` says each place.",
        ),
    ),
    after="No byte was moved: an array of images is in channels_last order from the start.",
)
