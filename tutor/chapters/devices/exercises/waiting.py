"""The exercise on computing without asking the device for a number."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from tutor.chapters.devices.exercises.placing import a_tensor, dtype_name
from tutor.course.model import Case, Exercise, Wrong

_NAN, _INF = float("nan"), float("inf")


def _mean(result: object, x: torch.Tensor, keep: torch.Tensor) -> object:
    t = a_tensor(result)
    if t.dim():
        return f"shape {tuple(t.shape)}"
    return f"{dtype_name(t)} on meta, nobody waited" if t.is_meta else t.item()


def _here(written: str, numbers: Sequence[float], keep: Sequence[bool], expected: float) -> Case:
    return Case(
        label=written,
        arguments=lambda: (torch.tensor(numbers), torch.tensor(keep)),
        observe=_mean,
        expected=expected,
    )


def _meta(shape: tuple[int, ...], dtype: torch.dtype) -> Case:
    return Case(
        label=f"{str(dtype).removeprefix('torch.')} {shape} on meta",
        arguments=lambda: (
            torch.ones(shape, dtype=dtype, device="meta"),
            torch.ones(shape, dtype=torch.bool, device="meta"),
        ),
        observe=_mean,
        expected=f"{str(dtype).removeprefix('torch.')} on meta, nobody waited",
    )


KEPT_MEAN = Exercise(
    key="kept-mean",
    task="`x` holds floats and `keep` as many bools, both on one device. Write `kept_mean(x, keep)`: the mean of the "
    "kept numbers, as a tensor without dimensions in the dtype of `x`, computed without waiting for the device. On the "
    "meta device, whoever would wait raises. Where nothing is kept, the mean is NaN.",
    function="kept_mean",
    starter='def kept_mean(x, keep):\n    """The mean of the numbers to keep, without waiting."""\n    ...',
    solution="def kept_mean(x, keep):\n    return torch.where(keep, x, 0).sum() / keep.sum()\n",
    hints=(
        "`x[keep]` has as many numbers as are kept. To know how many, somebody must wait. So keep the shape, and make "
        "the others harmless.",
        "The sum of the kept numbers, divided by how many they are: both can be had as tensors. A sum of bools counts "
        "them.",
        "`0 * NaN` is NaN, so do not multiply by `keep`. `torch.where(keep, x, 0)` chooses.",
    ),
    cases=(
        _here("1, 2, 3, 4, two kept", (1.0, 2.0, 3.0, 4.0), (True, False, False, True), 2.5),
        _here("all kept", (1.0, 2.0, 6.0), (True, True, True), 3.0),
        _here("NaN left out", (1.0, _NAN, 3.0), (True, False, True), 2.0),
        _here("infinity left out", (_INF, 5.0), (False, True), 5.0),
        _here("NaN kept", (1.0, _NAN, 3.0), (True, True, False), _NAN),
        _here("nothing kept", (1.0, 2.0), (False, False), _NAN),
        _here("a kept zero", (0.0, 8.0, 1.0), (True, True, False), 4.0),
        _meta((5,), torch.float32),
        _meta((2, 3), torch.float64),
        _meta((4,), torch.bfloat16),
    ),
    observed="mean",
    wrong=(
        Wrong(
            belief="Indexing with bools picks the numbers.",
            source="def kept_mean(x, keep):\n    return x[keep].mean()",
            feedback="The numbers are right. But how many are picked is known only when `keep` is, so a GPU has to be "
            "waited for, and the meta device raises.",
        ),
        Wrong(
            belief="Multiply by 0 what is left out.",
            source="def kept_mean(x, keep):\n    return (x * keep).sum() / keep.sum()",
            feedback="Nobody waits, and ordinary numbers come out right. But 0 times NaN is NaN, and 0 times infinity "
            "too: what was left out came in again.",
        ),
        Wrong(
            belief="The count has to be a Python number.",
            source="def kept_mean(x, keep):\n    return torch.where(keep, x, 0).sum() / keep.sum().item()",
            feedback="Somewhere you ask for a number in Python: with `.item()`, `int()` or `if`. `keep.sum()` is a "
            "tensor on the device, and you can divide by it there. Where nothing is kept, 0 divided by 0 is NaN by "
            "itself.",
        ),
        Wrong(
            belief="The mean of what `where` leaves.",
            source="def kept_mean(x, keep):\n    return torch.where(keep, x, 0).mean()",
            feedback="The zeros count in that mean. Divide the sum by how many are kept.",
        ),
        Wrong(
            belief="NaN marks what is left out.",
            source="def kept_mean(x, keep):\n    return torch.where(keep, x, torch.nan).nanmean()",
            feedback="Almost. A NaN among the kept numbers is left out as well, and should be seen.",
        ),
        Wrong(
            belief="The result is a Python number.",
            source="def kept_mean(x, keep):\n    return (torch.where(keep, x, 0).sum() / keep.sum()).item()",
            feedback="The last call waits. Return the tensor: whoever needs the number may ask for it later.",
        ),
    ),
    after="Run a step of your own on the meta device: what needs a number in Python raises there, all but printing.",
)
