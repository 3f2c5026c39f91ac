"""The exercise in which the learner writes a test for shared bytes, and the pairs that usual tests get wrong."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import torch

from tutor.course.model import Case, Exercise, Wrong


def _yes_or_no(result: object, *_: object) -> bool:
    if not isinstance(result, bool | np.bool_):
        raise TypeError(f"True or False is wanted, and {type(result).__name__} came")
    return bool(result)


def _case(label: str, make: Callable[[], tuple[object, object]], expected: bool) -> Case:
    return Case(label=label, arguments=make, observe=_yes_or_no, expected=expected)


def _numbers() -> torch.Tensor:
    return torch.arange(8.0)


def _of_tensors(label: str, choose: Callable[[torch.Tensor], tuple[object, object]], expected: bool) -> Case:
    return _case(label, lambda: choose(_numbers()), expected)


def _of_arrays(label: str, choose: Callable[[np.ndarray], tuple[object, object]], expected: bool) -> Case:
    return _case(label, lambda: choose(np.zeros(8, np.float32)), expected)


def _with_gradient() -> tuple[object, object]:
    x = _numbers().requires_grad_()
    return x, x.detach()[2:]


def _expanded() -> tuple[object, object]:
    column = torch.zeros(3, 1)
    return column.expand(3, 4), column


def _halves() -> tuple[object, object]:
    grid = torch.zeros(3, 4)
    return grid[:, :2], grid[:, 2:]


_CASES = (
    _of_tensors("x, x[2:]", lambda x: (x, x[2:]), True),
    _of_tensors("x, x.clone()", lambda x: (x, x.clone()), False),
    _of_tensors("x[:4], x[2:6]", lambda x: (x[:4], x[2:6]), True),
    _of_tensors("x[::2], x[1::2]", lambda x: (x[::2], x[1::2]), False),
    _of_tensors("x[::2], x[6:]", lambda x: (x[::2], x[6:]), True),
    _case("grid[:, :2], grid[:, 2:]", _halves, False),
    _case("torch.empty(0), torch.empty(0)", lambda: (torch.empty(0), torch.empty(0)), False),
    _of_tensors("x, x[3:3]", lambda x: (x, x[3:3]), False),
    _case("column.expand(3, 4), column", _expanded, True),
    _of_arrays(
        "from_numpy(a[:4]), from_numpy(a[2:])", lambda a: (torch.from_numpy(a[:4]), torch.from_numpy(a[2:])), True
    ),
    _of_arrays(
        "from_numpy(a[:4]), from_numpy(a[4:])", lambda a: (torch.from_numpy(a[:4]), torch.from_numpy(a[4:])), False
    ),
    _of_arrays("a, from_numpy(a)[5:]", lambda a: (a, torch.from_numpy(a)[5:]), True),
    _of_arrays("a, torch.tensor(a)", lambda a: (a, torch.tensor(a)), False),
    _of_arrays("a[:6], a[5:]", lambda a: (a[:6], a[5:]), True),
    _case("x that requires a gradient, x.detach()[2:]", _with_gradient, True),
)

_AS_TENSORS = "import torch\n\n\ndef shares_bytes(a, b):\n    a, b = torch.as_tensor(a), torch.as_tensor(b)\n"

SHARES_BYTES = Exercise(
    key="shares-bytes",
    task=(
        "Return True if a write to an element of `a` can be seen in `b`, and False if not. Each is a tensor on the CPU "
        "or an array, and may be a slice, expanded or empty."
    ),
    function="shares_bytes",
    starter='''\
def shares_bytes(a, b):
    """Whether an element of a lies on bytes of an element of b."""
    ...
''',
    solution="""\
import numpy as np
import torch


def shares_bytes(a, b):
    arrays = [x.detach().numpy() if isinstance(x, torch.Tensor) else x for x in (a, b)]
    return np.shares_memory(*arrays)
""",
    hints=(
        "Which of the three questions is asked here: one storage, overlapping ranges, or an element in common?",
        "NumPy answers it for arrays: `np.shares_memory(a, b)`. A tensor lends its bytes to an array with `.numpy()`, "
        "and copies nothing.",
        "A tensor that requires a gradient lends them after `.detach()`. Turn every tensor into an array first, and "
        "then ask `np.shares_memory`.",
    ),
    cases=_CASES,
    observed="shares bytes",
    wrong=(
        Wrong(
            belief="Sharing means being the same object.",
            source="def shares_bytes(a, b):\n    return id(a) == id(b)\n",
            feedback=(
                "A slice is an object of its own on the bytes of another, so its `id` is another one. You ask about "
                "Python objects; the question is about bytes."
            ),
        ),
        Wrong(
            belief="The `id` of the storage tells whose bytes they are.",
            source="def shares_bytes(a, b):\n    return id(a.untyped_storage()) == id(b.untyped_storage())\n",
            feedback=(
                "That is at most the first question, one storage, and a Python object stands in for it. `x[::2]` and "
                "`x[1::2]` have one storage and no element in common, and two slices of an array get two storages. "
                "An array has no `untyped_storage()` at all."
            ),
        ),
        Wrong(
            belief="Who shares bytes begins at the same address.",
            source="def shares_bytes(a, b):\n    return a.data_ptr() == b.data_ptr()\n",
            feedback=(
                "`data_ptr()` is the address of the first element. `x[2:]` begins elsewhere and shares; empty tensors "
                "all say 0 and share nothing; an array has no `data_ptr()`."
            ),
        ),
        Wrong(
            belief="Who shares bytes begins at the same address, and an array becomes a tensor first.",
            source=_AS_TENSORS + "    return a.data_ptr() == b.data_ptr()\n",
            feedback=(
                "Arrays are no obstacle any more. But `data_ptr()` is the address of the first element: `x[2:]` begins "
                "elsewhere and shares, and empty tensors all say 0 and share nothing."
            ),
        ),
        Wrong(
            belief="Who shares bytes has the same storage address.",
            source="""\
def shares_bytes(a, b):
    return a.untyped_storage().data_ptr() == b.untyped_storage().data_ptr()
""",
            feedback=(
                "That is the first question: one storage. `x[::2]` and `x[1::2]` have one and no element in common, "
                "two `from_numpy` slices have two and overlap, empty tensors have address 0. An array has no "
                "`untyped_storage()`."
            ),
        ),
        Wrong(
            belief="Who shares bytes has the same storage address, and an array becomes a tensor first.",
            source=_AS_TENSORS + "    return a.untyped_storage().data_ptr() == b.untyped_storage().data_ptr()\n",
            feedback=(
                "Arrays are no obstacle any more. You ask whether there is one storage: `x[::2]` and `x[1::2]` have "
                "one and no element in common, and two `from_numpy` slices have two and overlap."
            ),
        ),
        Wrong(
            belief="Who shares bytes lies on one storage.",
            source="""\
from tutor import shared_memory


def shares_bytes(a, b):
    return shared_memory(a, b).same_storage
""",
            feedback=(
                "That is the first question: one storage. `x[::2]` and `x[1::2]` have one and no element in common, "
                "and two `from_numpy` slices have two and overlap. `shared_memory` answers the third question too."
            ),
        ),
        Wrong(
            belief="Ranges that overlap share bytes.",
            source="""\
import numpy as np
import torch


def shares_bytes(a, b):
    arrays = [x.detach().numpy() if isinstance(x, torch.Tensor) else x for x in (a, b)]
    return np.may_share_memory(*arrays)
""",
            feedback=(
                "`may_share_memory` compares ranges, from first byte to last. `x[::2]` and `x[1::2]` lie in each "
                "other's gaps: the ranges overlap, and no element is common. Its neighbour looks at the elements."
            ),
        ),
        Wrong(
            belief="From the address on, `nbytes` bytes belong to a tensor.",
            source=_AS_TENSORS
            + "    first, second = sorted((a, b), key=lambda t: t.data_ptr())\n"
            + "    return first.data_ptr() + first.nbytes > second.data_ptr()\n",
            feedback=(
                "A tensor with gaps reaches further than `nbytes`, an expanded one less far, and between first and "
                "last byte there may be elements of others. A range cannot tell; ask about elements."
            ),
        ),
        Wrong(
            belief="`np.shares_memory` takes tensors as they are.",
            source="import numpy as np\n\n\ndef shares_bytes(a, b):\n    return np.shares_memory(a, b)\n",
            feedback=(
                "The right question. Only a tensor that requires a gradient will not become an array: `detach()` it "
                "first."
            ),
        ),
        Wrong(
            belief="Equal numbers are shared numbers.",
            source="""\
import torch


def shares_bytes(a, b):
    return torch.equal(torch.as_tensor(a), torch.as_tensor(b))
""",
            feedback="A clone has equal numbers in bytes of its own, and `x[2:]` shares with `x` and has others.",
        ),
    ),
    after="That is the third question. `shared_memory(a, b)` answers all three, also on other devices and for dtypes "
    "that NumPy has not.",
)
