"""Exercises on one source: whose bytes, which dtype, which numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from tutor.course.model import Case, Exercise, Wrong


def a_tensor(result: object) -> torch.Tensor:
    """The result, if it is a tensor at all."""
    if not isinstance(result, torch.Tensor):
        raise TypeError(f"a tensor is wanted, and {type(result).__name__} came")
    return result


def _array(x: Any) -> np.ndarray[Any, Any]:
    return x.detach().numpy() if isinstance(x, torch.Tensor) else np.asarray(x)


def _relation(result: torch.Tensor, source: object) -> str:
    """Whether the result has the numbers of the source, and whose bytes they are in."""
    same_shape = tuple(result.shape) == _array(source).shape
    if not same_shape or not np.allclose(_array(result), _array(source)):
        return "other values"
    return "shares" if np.shares_memory(_array(result), _array(source)) else "copies"


def name_of(dtype: torch.dtype) -> str:
    """The dtype as one says it: ``float32``."""
    return str(dtype).removeprefix("torch.")


def _dtype_and_relation(result: object, source: object) -> str:
    t = a_tensor(result)
    return f"{name_of(t.dtype)}, {_relation(t, source)}"


def _source_case(written: str, make: Callable[[], object], dtype: torch.dtype, relation: str) -> Case:
    return Case(
        label=written,
        arguments=lambda: (make(),),
        observe=_dtype_and_relation,
        expected=f"{name_of(dtype)}, {relation}",
    )


OWN_BYTES = Exercise(
    key="own-bytes",
    task="Write a function that makes a tensor with the numbers and the dtype of `x`, and never shares bytes with it. "
    "`x` is an array, a tensor, or a list; a list gets the dtype that torch infers.",
    function="own",
    starter='def own(x):\n    """A tensor with the numbers and the dtype of x, in bytes of its own."""\n    ...',
    solution="def own(x):\n    return torch.asarray(x, copy=True)",
    hints=(
        "Look at the columns of the atlas: which calls copy, whatever they are given?",
        "`asarray` shares unless you tell it what you want. It has a parameter for that.",
        "`torch.asarray(x, copy=True)` copies arrays and tensors too. Return it.",
    ),
    cases=(
        _source_case("[1.5, 2.5]", lambda: [1.5, 2.5], torch.float32, "copies"),
        _source_case("[1, 2, 3]", lambda: [1, 2, 3], torch.int64, "copies"),
        _source_case("a float32 array", lambda: np.arange(3, dtype=np.float32), torch.float32, "copies"),
        _source_case("a float64 array", lambda: np.ones((2, 2)), torch.float64, "copies"),
        _source_case("every second element", lambda: np.arange(6, dtype=np.int16)[::2], torch.int16, "copies"),
        _source_case("a float32 tensor", lambda: torch.ones(3), torch.float32, "copies"),
        _source_case("a bool tensor", lambda: torch.tensor([True, False]), torch.bool, "copies"),
    ),
    observed="dtype and bytes",
    wrong=(
        Wrong(
            belief="`as_tensor` makes a new tensor, and a new tensor has its own bytes.",
            source="def own(x):\n    return torch.as_tensor(x)",
            feedback="Your tensor shares the bytes of every array and tensor it is given. A new object need not mean "
            "new bytes: here a write to `x` reaches your result.",
        ),
        Wrong(
            belief="`torch.Tensor` makes a tensor of its own.",
            source="def own(x):\n    return torch.Tensor(x)",
            feedback="`torch.Tensor` turns lists and arrays into float32, and where `x` already is float32 it shares.",
        ),
        Wrong(
            belief="Naming a dtype forces a copy.",
            source="def own(x):\n    return torch.as_tensor(x, dtype=torch.float32)",
            feedback="Naming a dtype copies only where the dtype has to change, and then the numbers are no longer of "
            "the dtype of `x`. What is float32 already is still shared.",
        ),
        Wrong(
            belief="Everything can be had from NumPy.",
            source="def own(x):\n    return torch.from_numpy(x)",
            feedback="`from_numpy` takes arrays and nothing else, and it always shares.",
        ),
        Wrong(
            belief="Everything has a `.copy()`.",
            source="def own(x):\n    return torch.as_tensor(x.copy())",
            feedback="Lists and arrays have a `.copy()`. Tensors have none: there it is called `.clone()`.",
        ),
        Wrong(
            belief="Everything has a `.clone()`.",
            source="def own(x):\n    return x.clone()",
            feedback="`.clone()` copies tensors, and only tensors have it. Lists and arrays have to become tensors "
            "first.",
        ),
        Wrong(
            belief="NumPy makes the copy, and torch shares it.",
            source="def own(x):\n    return torch.from_numpy(np.array(x))",
            feedback="The bytes are your own. But by way of NumPy a list of Python floats becomes float64, where torch "
            "infers float32.",
        ),
    ),
    after="`torch.tensor(x)` never shares either. Given a tensor it warns, and names `x.detach().clone()` instead.",
)


ANY_TO_FLOAT32 = Exercise(
    key="to-float32",
    task="Write a function that gives a float32 tensor of whatever numbers it gets, and copies only where it must.",
    function="to_float32",
    starter='def to_float32(x):\n    """A float32 tensor of x, copied only where it must be."""\n    ...',
    solution="def to_float32(x):\n    return torch.as_tensor(x, dtype=torch.float32)",
    hints=(
        "Two of the constructors share where they can and take a `dtype=`.",
        "With `as_tensor` an array or tensor that is float32 already is shared, and all else is cast.",
        "`torch.as_tensor(x, dtype=torch.float32)` does both.",
    ),
    cases=(
        _source_case("[1, 2, 3]", lambda: [1, 2, 3], torch.float32, "copies"),
        _source_case("[np.float64(0.5)]", lambda: [np.float64(0.5)], torch.float32, "copies"),
        _source_case("0.25", lambda: 0.25, torch.float32, "copies"),
        _source_case("a float64 array", lambda: np.ones(3), torch.float32, "copies"),
        _source_case("a float32 array", lambda: np.ones(3, dtype=np.float32), torch.float32, "shares"),
        _source_case("an int64 tensor", lambda: torch.tensor([1, 2]), torch.float32, "copies"),
        _source_case("a float32 tensor", lambda: torch.ones(3), torch.float32, "shares"),
    ),
    observed="dtype and bytes",
    wrong=(
        Wrong(
            belief="float32 is torch's default, so it comes by itself.",
            source="def to_float32(x):\n    return torch.as_tensor(x)",
            feedback="The default dtype is for Python floats only. Python ints, NumPy numbers, arrays and tensors "
            "bring a dtype along. Name the one you want.",
        ),
        Wrong(
            belief="A tensor is made with `torch.tensor`.",
            source="def to_float32(x):\n    return torch.tensor(x, dtype=torch.float32)",
            feedback="The dtype is right. But `torch.tensor` copies always, also what is float32 already.",
        ),
        Wrong(
            belief="`torch.Tensor` is the float32 constructor.",
            source="def to_float32(x):\n    return torch.Tensor(x)",
            feedback="`torch.Tensor` refuses a bare float, and it leaves an int64 tensor int64.",
        ),
        Wrong(
            belief="First NumPy, then the cast.",
            source="def to_float32(x):\n    return torch.from_numpy(x).float()",
            feedback="`from_numpy` takes arrays only: it refuses lists, numbers and tensors.",
        ),
    ),
    after="`torch.asarray(x, dtype=torch.float32)` gives the same here.",
)


def _shape_and_numbers(result: object, x: Any) -> str:
    t = a_tensor(result)
    shape = tuple(t.shape)
    # What a tensor of another shape holds may be left over from earlier, and so differ from run to run.
    if shape != np.shape(x):
        return f"shape {shape}"
    numbers = t.tolist()
    return f"{shape}, {_written(x if numbers == _listed(x) else numbers)}"


def _listed(x: object) -> object:
    return list(x) if isinstance(x, tuple) else x


def _written(numbers: object) -> str:
    return repr(_listed(numbers))


def _exact_case(x: object, shape: tuple[int, ...]) -> Case:
    return Case(
        label=repr(x),
        arguments=lambda: (x,),
        observe=_shape_and_numbers,
        expected=f"{shape}, {_written(x)}",
    )


EXACTLY = Exercise(
    key="exactly",
    task="Write a function that makes a tensor from a number, or from a list or tuple of numbers, so that `.tolist()` "
    "gives exactly these numbers back. The numbers are ints or floats.",
    function="exact",
    starter='def exact(x):\n    """A tensor whose tolist() gives exactly x back."""\n    ...',
    solution="def exact(x):\n    return torch.tensor(np.array(x))",
    hints=(
        "Try `torch.Tensor(3).shape`, `torch.tensor(3).shape` and `torch.tensor(0.1).item()`.",
        "A Python float has 64 bits. Torch's default float has 32, and rounds 0.1. Ints should stay ints, though.",
        "NumPy's default float has 64 bits, and its ints stay ints. Go by `np.array(x)`.",
    ),
    cases=(
        _exact_case(3, ()),
        _exact_case([3], (1,)),
        _exact_case((2, 3), (2,)),
        _exact_case([16_777_217, 1], (2,)),
        _exact_case(16_777_217, ()),
        _exact_case(0.1, ()),
        _exact_case([0.1, 0.5], (2,)),
        _exact_case([2**53 + 1], (1,)),
    ),
    observed="shape and numbers",
    wrong=(
        Wrong(
            belief="`torch.Tensor` and `torch.tensor` are one function.",
            source="def exact(x):\n    return torch.Tensor(x)",
            feedback="`torch.Tensor` takes a bare int as a size, refuses a bare float, and turns a list of ints into "
            "float32.",
        ),
        Wrong(
            belief="`torch.tensor` keeps whatever it is given.",
            source="def exact(x):\n    return torch.tensor(x)",
            feedback="Ints come back, and 0.1 does not: a Python float becomes float32, which rounds it.",
        ),
        Wrong(
            belief="float64 is exact.",
            source="def exact(x):\n    return torch.tensor(x, dtype=torch.float64)",
            feedback="float64 keeps floats and most ints. It has no value for `2**53 + 1`, so ints should stay ints.",
        ),
        Wrong(
            belief="Ids are ints, so everything should be int64.",
            source="def exact(x):\n    return torch.tensor(x, dtype=torch.int64)",
            feedback="Ints come back. Floats lose what stands behind the point, without a warning.",
        ),
        Wrong(
            belief="`torch.tensor` wants a list.",
            source="def exact(x):\n    return torch.tensor([x])",
            feedback="The brackets add a dimension: a number becomes a list of one, and a list a list of lists.",
        ),
    ),
    after="`torch.from_numpy(np.array(x))` does it too, and saves a copy.",
)
