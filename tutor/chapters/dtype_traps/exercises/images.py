"""Exercises on images: their mean, their scale, and sums that stay in range."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from tutor.course.model import Case, Exercise, Wrong


def _a_tensor(result: object) -> torch.Tensor:
    """The result, if it is a tensor at all."""
    if not isinstance(result, torch.Tensor):
        raise TypeError(f"a tensor is wanted, and {type(result).__name__} came")
    return result


def _told(result: object, wanted: torch.Tensor, *, rtol: float = 1e-4) -> str:
    """The dtype of a result, and whether it has the values wanted."""
    t = _a_tensor(result)
    name = str(t.dtype).removeprefix("torch.")
    if t.shape != wanted.shape:
        return f"{name}, shape {tuple(t.shape)}"
    right = torch.allclose(t.double(), wanted.double(), rtol=rtol, atol=1e-6)
    return f"{name}, {'right' if right else 'other numbers'}"


def _pixels(*shape: int, dtype: torch.dtype = torch.uint8, low: int = 0) -> torch.Tensor:
    """Pixels from dark to white and back, the same every time."""
    count = torch.Size(shape).numel()
    return (low + torch.arange(count) * 37 % 256).view(shape).to(dtype)


def _left_alone(told: str, image: torch.Tensor, given: torch.Tensor) -> str:
    """What is told of a result, and whether the image that was handed over is still what it was."""
    return told if torch.equal(image, given) else f"{told}; your image was overwritten"


def _normalised(result: object, given: torch.Tensor, mean: Any, std: Any) -> str:
    mean, std = (torch.as_tensor(x, dtype=torch.float64) for x in (mean, std))
    return _told(result, (given.double() - mean) / std)


_MEAN, _STD = [124.0, 117.0, 104.0], [58.5, 57.25, 57.4]


def _scale_case(label: str, dtype: torch.dtype, wrap: Callable[[Any], Any]) -> Case:
    def given() -> torch.Tensor:
        return _pixels(2, 4, 3, dtype=dtype)

    return Case(
        label=label,
        arguments=lambda: (given(), wrap(_MEAN), wrap(_STD)),
        observe=lambda result, image, *_: _left_alone(
            _normalised(result, given(), wrap(_MEAN), wrap(_STD)), image, given()
        ),
        expected="float32, right",
    )


def _first(numbers: list[float]) -> np.float64:
    return np.float64(numbers[0])


NORMALISE = Exercise(
    key="normalise",
    task="`image` is a tensor of shape (height, width, 3), and `mean` and `std` are what somebody hands you: lists, "
    "arrays, tensors, or one number for all channels. Write `normalise(image, mean, std)`: (image - mean) / std, "
    "always float32.",
    function="normalise",
    starter='def normalise(image, mean, std):\n    """(image - mean) / std, as float32."""\n    ...',
    solution="""\
def normalise(image, mean, std):
    image, mean, std = (torch.as_tensor(x, dtype=torch.float32) for x in (image, mean, std))
    return (image - mean) / std
""",
    hints=(
        "Which of the three may bring a float64? Any of them.",
        "`torch.as_tensor` takes lists, arrays, numbers and tensors, and a `dtype=`.",
        "Cast all three to float32 first. Then nothing is left to promote.",
    ),
    cases=(
        _scale_case("uint8, lists", torch.uint8, list),
        _scale_case("uint8, float64 arrays", torch.uint8, np.array),
        _scale_case("uint8, np.float64 numbers", torch.uint8, _first),
        _scale_case("float32, float64 arrays", torch.float32, np.array),
        _scale_case("float32, np.float64 numbers", torch.float32, _first),
        _scale_case("float32, float64 tensors", torch.float32, lambda x: torch.tensor(x, dtype=torch.float64)),
        _scale_case("float64, lists", torch.float64, list),
        _scale_case("float16, lists", torch.float16, list),
    ),
    observed="dtype and numbers",
    wrong=(
        Wrong(
            belief="The formula is all there is to it.",
            source="def normalise(image, mean, std):\n    return (image - mean) / std",
            feedback="A list cannot be subtracted from a tensor, and a float64 array or tensor made the result "
            "float64. Make float32 tensors of all three.",
        ),
        Wrong(
            belief="Make tensors of them, and the rest follows.",
            source="def normalise(image, mean, std):\n"
            "    return (image - torch.as_tensor(mean)) / torch.as_tensor(std)",
            feedback="Lists became float32, and arrays stayed float64: they made the whole image float64. A number did "
            "so too where the image was uint8, since it became a 0-d tensor of a higher kind.",
        ),
        Wrong(
            belief="The image is what has to be float32.",
            source="""\
def normalise(image, mean, std):
    return (image.float() - torch.as_tensor(mean)) / torch.as_tensor(std)
""",
            feedback="A float32 image becomes float64 again as soon as it meets a float64 tensor with a dimension. "
            "Cast `mean` and `std` as well.",
        ),
        Wrong(
            belief="Everything gets the dtype of the image.",
            source="""\
def normalise(image, mean, std):
    mean, std = (torch.as_tensor(x).to(image.dtype) for x in (mean, std))
    return (image - mean) / std
""",
            feedback="In a uint8 image the difference wraps around below zero, and 58.5 becomes 58. And a float64 "
            "image stays float64.",
        ),
        Wrong(
            belief="Cast mean and std, and the image follows.",
            source="""\
def normalise(image, mean, std):
    mean, std = (torch.as_tensor(x, dtype=torch.float32) for x in (mean, std))
    return (image - mean) / std
""",
            feedback="Almost. A uint8 image follows, and so does float16. A float64 image wins against float32.",
        ),
    ),
    after="`.float()` at the very end gives float32 too, but a float64 image may have been made on the way.",
)


def _means(result: object, image: torch.Tensor) -> str:
    return _told(result, image.double().mean((0, 1)), rtol=1e-5)


def _means_case(label: str, make: Callable[[], torch.Tensor]) -> Case:
    return Case(label=label, arguments=lambda: (make(),), observe=_means, expected="float32, right")


CHANNEL_MEANS = Exercise(
    key="channel-means",
    task="Write `channel_means(image)`: the mean of each channel of an image of shape (height, width, channels), as "
    "float32, whether its pixels are uint8, int16, bool or float16.",
    function="channel_means",
    starter='def channel_means(image):\n    """The mean of each channel, as float32."""\n    ...',
    solution="def channel_means(image):\n    return image.mean((0, 1), dtype=torch.float32)",
    hints=(
        "`image.mean((0, 1))` raises for ints: it does not know which dtype the mean should have.",
        "Cast before you add up, not after. `mean` takes a `dtype=`, and casts first.",
        "`image.float().mean((0, 1))` does it, and so does `image.mean((0, 1), dtype=torch.float32)`.",
    ),
    cases=(
        _means_case("uint8 (2, 4, 3)", lambda: _pixels(2, 4, 3)),
        _means_case("uint8 (20, 30, 3)", lambda: _pixels(20, 30, 3)),
        _means_case("uint8, all white", lambda: torch.full((300, 300, 1), 255, dtype=torch.uint8)),
        _means_case("uint8, one pixel", lambda: _pixels(1, 1, 3, low=200)),
        _means_case("int16, below zero", lambda: _pixels(5, 5, 2, dtype=torch.int16, low=-300)),
        _means_case("bool", lambda: _pixels(6, 7, 1) > 100),
        _means_case("float16 (20, 30, 3)", lambda: _pixels(20, 30, 3, dtype=torch.float16)),
        _means_case("float16, 90,000 of 1", lambda: torch.ones(300, 300, 1, dtype=torch.float16)),
    ),
    observed="dtype and numbers",
    wrong=(
        Wrong(
            belief="`mean` gives a mean.",
            source="def channel_means(image):\n    return image.mean((0, 1))",
            feedback="For ints and bools it raises: torch will not choose a dtype for you. For float16 the mean is "
            "float16 again.",
        ),
        Wrong(
            belief="A mean is a sum divided by a count.",
            source="""\
def channel_means(image):
    height, width, _ = image.shape
    return image.sum((0, 1)) / (height * width)
""",
            feedback="For ints it works: their sum is int64, and `/` gives float32. In float16 the sum itself is "
            "float16, and ends at 65,504.",
        ),
        Wrong(
            belief="A mean is one number.",
            source="def channel_means(image):\n    return image.float().mean()",
            feedback="The cast is right. But it goes over all three dimensions: `mean((0, 1))` keeps the channels.",
        ),
        Wrong(
            belief="Dividing ints with `//` is the way to stay among ints.",
            source="""\
def channel_means(image):
    height, width, _ = image.shape
    return (image.sum((0, 1)) // (height * width)).float()
""",
            feedback="`//` rounds down, so the part after the point is lost before you cast.",
        ),
        Wrong(
            belief="Cast the result.",
            source="""\
def channel_means(image):
    height, width, _ = image.shape
    return image.sum((0, 1), dtype=image.dtype).float() / (height * width)
""",
            feedback="The sum was made in the dtype of the pixels, and wrapped around. Cast before you add up.",
        ),
        Wrong(
            belief="Half precision is enough for pixels.",
            source="def channel_means(image):\n    return image.half().mean((0, 1)).float()",
            feedback="float16 holds these pixels, but not their mean: it has three or four digits. You cast it to "
            "float32 when the rest was gone.",
        ),
    ),
    after="`sum` moves ints to int64, and `mean` wants to be told. Cast first, and both are safe.",
)


def _brightened(result: object, image: torch.Tensor, by: int) -> str:
    ends = torch.iinfo(image.dtype)
    return _told(result, (image.long() + by).clamp(int(ends.min), int(ends.max)))


def _bright_case(dtype: torch.dtype, numbers: list[int], by: int) -> Case:
    name, given = str(dtype).removeprefix("torch."), torch.tensor(numbers, dtype=dtype)
    return Case(
        label=f"{name} {numbers}, {by}",
        arguments=lambda: (given.clone(), by),
        observe=lambda result, image, _: _left_alone(_brightened(result, given, by), image, given),
        expected=f"{name}, right",
    )


BRIGHTEN = Exercise(
    key="brighten",
    task="Write `brighten(image, by)`: `by` added to every pixel of a uint8, uint16 or int16 image. The result has the "
    "dtype of the image; what would leave its range stops at the end of it.",
    function="brighten",
    starter='def brighten(image, by):\n    """The image plus by, in its own dtype, within its range."""\n    ...',
    solution="""\
def brighten(image, by):
    ends = torch.iinfo(image.dtype)
    return (image.int() + by).clamp(ends.min, ends.max).to(image.dtype)
""",
    hints=(
        "Add in a wider dtype, and come back when the numbers are in range again.",
        "`torch.iinfo(image.dtype)` knows `.min` and `.max`.",
        "`(image.int() + by)`, then `.clamp(ends.min, ends.max)`, then `.to(image.dtype)`.",
    ),
    cases=(
        _bright_case(torch.uint8, [0, 100, 200, 255], 100),
        _bright_case(torch.uint8, [0, 100, 200, 255], -150),
        _bright_case(torch.uint8, [0, 100], 0),
        _bright_case(torch.uint16, [0, 1000, 65535], 300),
        _bright_case(torch.uint16, [0, 1000, 65535], -300),
        _bright_case(torch.int16, [-32768, 0, 32767], 1000),
        _bright_case(torch.int16, [-32768, 0, 32767], -1000),
        _bright_case(torch.uint8, [7, 250], 300),
        _bright_case(torch.int16, [-100, 0, 100], 50),
    ),
    observed="dtype and numbers",
    wrong=(
        Wrong(
            belief="A sum stays in the dtype and in the range.",
            source="def brighten(image, by):\n    return image + by",
            feedback="In the dtype, yes: it wraps around at the end. And torch adds no int to a uint16.",
        ),
        Wrong(
            belief="`clamp` afterwards keeps it in range.",
            source="def brighten(image, by):\n    return (image + by).clamp(0, 255)",
            feedback="When `clamp` sees the sum it has wrapped already. Add in a wider dtype.",
        ),
        Wrong(
            belief="A wider dtype for the sum, and back.",
            source="def brighten(image, by):\n    return (image.int() + by).to(image.dtype)",
            feedback="The sum is right, and the cast back wraps it. Clamp in between.",
        ),
        Wrong(
            belief="Pixels go from 0 to 255.",
            source="def brighten(image, by):\n    return (image.int() + by).clamp(0, 255).to(image.dtype)",
            feedback="uint8 does. Ask `torch.iinfo(image.dtype)` for the ends of the others.",
        ),
        Wrong(
            belief="The wider dtype is the result.",
            source="""\
def brighten(image, by):
    ends = torch.iinfo(image.dtype)
    return (image.int() + by).clamp(ends.min, ends.max)
""",
            feedback="The numbers are right. Cast them back to the dtype of the image.",
        ),
        Wrong(
            belief="Writing into the image saves memory.",
            source="""\
def brighten(image, by):
    ends = torch.iinfo(image.dtype)
    return image.copy_((image.int() + by).clamp(ends.min, ends.max))
""",
            feedback="The numbers are right, but you wrote them into the image that was handed to you: whoever did so "
            "finds it changed. Give back a new tensor.",
        ),
    ),
    after="A cast up, a sum, a clamp, a cast down: this works in every int dtype of up to 16 bits.",
)
