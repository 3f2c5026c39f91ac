"""The exercise on sending a batch: once, and in the dtype that takes the fewest bytes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch

from tutor._words import count_text
from tutor.chapters.devices.exercises.placing import a_tensor, dtype_name
from tutor.course.model import Case, Exercise, Wrong


class Watched(torch.Tensor):
    """A tensor that notes what of it, and of what is made of it, is sent to another device."""

    moves: list[str]

    @classmethod
    def __torch_function__(
        cls,
        func: Callable[..., Any],
        types: Sequence[type],
        args: tuple[Any, ...] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        """Run the function as torch does, and note the bytes that it sent."""
        result = super().__torch_function__(func, types, args, dict(kwargs or {}))  # type: ignore[no-untyped-call]
        if isinstance(result, torch.Tensor):
            cls.moves += [_told(t, result) for t in args if isinstance(t, torch.Tensor) and t.device != result.device]
        return result


def _told(sent: torch.Tensor, arrived: torch.Tensor) -> str:
    return f"{sent.nbytes} B" if sent.dtype == arrived.dtype else "cast on the way"


def _images(n: int, *shape: int) -> list[torch.Tensor]:
    """Images that note in a list of their own what is sent."""
    kind = type("Image", (Watched,), {"moves": []})
    numbers = torch.arange(n * torch.Size(shape).numel(), dtype=torch.uint8).view(n, *shape)
    return [image.as_subclass(kind) for image in numbers]


def _sent(result: object, images: list[torch.Tensor], device: str) -> str:
    kind = type(images[0])
    assert issubclass(kind, Watched)
    moves = list(kind.moves)
    t = a_tensor(result).as_subclass(torch.Tensor)
    wanted = torch.stack([image.as_subclass(torch.Tensor) for image in images]).float() / 255
    if t.shape != wanted.shape:
        return f"shape {tuple(t.shape)}"
    if t.device.type == "cpu" and not (t.dtype == wanted.dtype and torch.allclose(t, wanted)):
        return "other values"
    how = f"{count_text(len(moves), 'transfer')}: {', '.join(dict.fromkeys(moves)) or '0 B'}"
    if not moves and device != "cpu":
        how = "transfers not seen"
    return f"{dtype_name(t)} on {t.device}, {how}"


def _case(written: str, n: int, shape: tuple[int, ...], device: str, expected: str) -> Case:
    return Case(label=written, arguments=lambda: (_images(n, *shape), device), observe=_sent, expected=expected)


SEND = Exercise(
    key="send",
    task="`images` is a list of uint8 tensors of one shape, on the CPU. Write `send(images, device)`: one float32 "
    "batch on the device, divided by 255, sent in a single transfer of as few bytes as possible.",
    function="send",
    starter='def send(images, device):\n    """A float32 batch on the device, from 0 to 1, sent once."""\n    ...',
    solution="def send(images, device):\n    return torch.stack(images).to(device).float() / 255\n",
    hints=(
        "There are four things to do: make one batch, send it, cast it, divide it. In which order is what is sent "
        "smallest, and sent once?",
        "Stack on the CPU, in uint8. Then send. What is left is done on the device.",
        "`torch.stack(images).to(device)`, and then `.float() / 255`.",
    ),
    cases=(
        _case("3 images of (2, 2, 3)", 3, (2, 2, 3), "meta", "float32 on meta, 1 transfer: 36 B"),
        _case("1 image", 1, (2, 2, 3), "meta", "float32 on meta, 1 transfer: 12 B"),
        _case("10 images of (3, 4)", 10, (3, 4), "meta", "float32 on meta, 1 transfer: 120 B"),
        _case("2 images of 5", 2, (5,), "meta", "float32 on meta, 1 transfer: 10 B"),
        _case("3 images, to the CPU", 3, (2, 2, 3), "cpu", "float32 on cpu, 0 transfers: 0 B"),
        _case("1 image, to the CPU", 1, (7,), "cpu", "float32 on cpu, 0 transfers: 0 B"),
    ),
    observed="what arrived, and how",
    wrong=(
        Wrong(
            belief="Send each, then stack.",
            source="def send(images, device):\n"
            "    return torch.stack([image.to(device) for image in images]).float() / 255",
            feedback="The bytes are as few as can be, and they went in one transfer for each image. Each transfer has "
            "a cost of its own. Stack first.",
        ),
        Wrong(
            belief="Prepare on the CPU, then send what is ready.",
            source="def send(images, device):\n    return (torch.stack(images).float() / 255).to(device)",
            feedback="You sent float32: four bytes for each pixel, and one would do. Send uint8, and cast there.",
        ),
        Wrong(
            belief="One call of `.to` with device and dtype does it best.",
            source="def send(images, device):\n    return torch.stack(images).to(device, torch.float32) / 255",
            feedback="That leaves to torch where to cast. By its source code a call that blocks casts on the CPU, and "
            "sends four bytes for each pixel. Two calls leave no doubt.",
        ),
        Wrong(
            belief="Each image is prepared and sent.",
            source="def send(images, device):\n"
            "    return torch.stack([(image.float() / 255).to(device) for image in images])",
            feedback="As many transfers as images, and four times the bytes: stack first, send uint8, cast there.",
        ),
        Wrong(
            belief="A cast to float is enough.",
            source="def send(images, device):\n    return torch.stack(images).to(device).float()",
            feedback="Sent just right. But the values still go up to 255, as the cases on the CPU show.",
        ),
        Wrong(
            belief="A batch is made elsewhere, and its numbers are put in.",
            source="def send(images, device):\n"
            "    batch = torch.from_numpy(np.stack([image.numpy() for image in images]))\n"
            "    return batch.to(device).float() / 255",
            feedback="What came out is right. How it was sent could not be seen here, since the batch was not made of "
            "the tensors that you were given. Give the list to `torch.stack`.",
        ),
        Wrong(
            belief="`torch.cat` makes a batch.",
            source="def send(images, device):\n    return torch.cat(images).to(device).float() / 255",
            feedback="`cat` joins along a dimension that is there, so the images run into each other. A batch has one "
            "dimension more: `stack`.",
        ),
    ),
    after="Pinned memory and `non_blocking=True` could hide this one transfer. They could not make it smaller.",
)
