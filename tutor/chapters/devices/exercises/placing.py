"""The exercise on bringing a tensor to where another one lies."""

from __future__ import annotations

from collections.abc import Callable

import torch

from tutor.course.model import Case, Exercise, Wrong

_Make = Callable[[], torch.Tensor]


def a_tensor(result: object) -> torch.Tensor:
    """The result, if it is a tensor at all."""
    if not isinstance(result, torch.Tensor):
        raise TypeError(f"a tensor is wanted, and {type(result).__name__} came")
    return result


def dtype_name(t: torch.Tensor) -> str:
    """The name of a tensor's dtype, such as ``"float32"``."""
    return str(t.dtype).removeprefix("torch.")


def _whose(result: object, x: torch.Tensor, other: torch.Tensor) -> str:
    t = a_tensor(result)
    if t.is_cpu and x.is_cpu and not torch.equal(t, x):
        return "other numbers"
    return f"{dtype_name(t)} on {t.device}, {'x itself' if t is x else 'another tensor'}"


def _case(written: str, x: _Make, other: _Make, expected: str) -> Case:
    return Case(label=written, arguments=lambda: (x(), other()), observe=_whose, expected=expected)


BESIDE = Exercise(
    key="beside",
    task="Write `beside(x, other)`: `x` on the device of `other`, in the dtype that `x` has. Return `x` itself if it "
    "is there already.",
    function="beside",
    starter='def beside(x, other):\n    """x on the device of other; x itself if it is there."""\n    ...',
    solution="def beside(x, other):\n    return x.to(other.device)\n",
    hints=(
        "`.to` returns the tensor itself where nothing has to change. So you need no `if`.",
        "`.to` can be given a device, a dtype, or a tensor whose device and dtype are both taken. Give it the device "
        "alone.",
    ),
    cases=(
        _case(
            "float32 here, float32 on meta",
            lambda: torch.ones(2),
            lambda: torch.ones(2, device="meta"),
            "float32 on meta, another tensor",
        ),
        _case(
            "float32 here, float32 here",
            lambda: torch.ones(2),
            lambda: torch.ones(3),
            "float32 on cpu, x itself",
        ),
        _case(
            "float32 here, float64 here",
            lambda: torch.ones(2),
            lambda: torch.ones(2, dtype=torch.float64),
            "float32 on cpu, x itself",
        ),
        _case(
            "int64 on meta, float32 on meta",
            lambda: torch.ones(2, dtype=torch.int64, device="meta"),
            lambda: torch.ones(2, device="meta"),
            "int64 on meta, x itself",
        ),
        _case(
            "int64 here, float32 on meta",
            lambda: torch.arange(3),
            lambda: torch.ones(3, device="meta"),
            "int64 on meta, another tensor",
        ),
        _case(
            "uint8 here, uint8 on meta",
            lambda: torch.ones(2, 2, dtype=torch.uint8),
            lambda: torch.ones(1, dtype=torch.uint8, device="meta"),
            "uint8 on meta, another tensor",
        ),
        _case(
            "a slice here, a number here",
            lambda: torch.ones(4)[1:3],
            lambda: torch.tensor(2.0),
            "float32 on cpu, x itself",
        ),
        _case(
            "bool on meta, bool on meta",
            lambda: torch.ones(2, dtype=torch.bool, device="meta"),
            lambda: torch.ones(2, dtype=torch.bool, device="meta"),
            "bool on meta, x itself",
        ),
    ),
    observed="dtype, device and tensor",
    wrong=(
        Wrong(
            belief="`x.to(other)` asks for the device of `other`.",
            source="def beside(x, other):\n    return x.to(other)",
            feedback="Given a tensor, `.to` takes its device and its dtype. Your indices came out as floats.",
        ),
        Wrong(
            belief="`.to` moves `x`.",
            source="def beside(x, other):\n    x.to(other.device)\n    return x",
            feedback="The line made the tensor that was asked for and dropped it. `.to` leaves `x` where it is: return "
            "what it gives.",
        ),
        Wrong(
            belief="To be safe, copy.",
            source="def beside(x, other):\n    return x.to(other.device, copy=True)",
            feedback="It lies where it should. But what was there already has been copied too.",
        ),
        Wrong(
            belief="A new tensor like `x`, on the other device, is `x` over there.",
            source="def beside(x, other):\n    return torch.zeros_like(x, device=other.device)",
            feedback="That reserves bytes of the right form over there. None of the numbers was sent. And where `x` is "
            "there already, `x` itself is wanted.",
        ),
        Wrong(
            belief="Only GPUs count.",
            source="def beside(x, other):\n    return x.cuda() if other.is_cuda else x.cpu()",
            feedback="There are more devices than two. Ask `other.device`, and write no name of a device.",
        ),
    ),
    after="Code that asks a tensor for its device runs on a CPU, on CUDA and on MPS, unchanged.",
)
