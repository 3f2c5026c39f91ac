"""Exercises on data that is handed over: what the caller's writes reach, and what stays alive."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from tutor.course.model import Case, Exercise, Wrong


def _a_tensor(result: object) -> torch.Tensor:
    if not isinstance(result, torch.Tensor):
        raise TypeError(f"a tensor is wanted, and {type(result).__name__} came")
    return result


# halved: the numbers, the dtype, and the caller's array


def _halved_case(label: str, make: Callable[[], np.ndarray[Any, Any]]) -> Case:
    def observe(result: object, array: np.ndarray[Any, Any]) -> str:
        t = _a_tensor(result).detach()
        before = make()
        halves = tuple(t.shape) == before.shape and np.array_equal(t.numpy(), before / 2)
        changed = not np.array_equal(array, before)
        dtype = str(t.dtype).removeprefix("torch.")
        numbers = "halves" if halves else "other values"
        whose = "the array's bytes" if np.shares_memory(t.numpy(), array) else "own bytes"
        return f"{dtype} {numbers}, {whose}, array {'changed' if changed else 'as it was'}"

    return Case(label, lambda: (make(),), observe, "float32 halves, own bytes, array as it was")


HALVED = Exercise(
    key="halved",
    task=(
        "Return half of each number of `array`, as a float32 tensor. The array must be as it was afterwards, and later "
        "writes to your tensor must not reach it."
    ),
    function="halved",
    starter='''\
def halved(array):
    """Half of each number, as a float32 tensor with bytes of its own."""
    ...
''',
    solution="""\
import torch


def halved(array):
    return torch.from_numpy(array).float() / 2
""",
    hints=(
        "Which of your lines writes into bytes that are there, and whose bytes are these?",
        "`.float()` gives back the same tensor where the array is float32 already. What would `div_` write to then?",
        "`t / 2` makes a new tensor, and writes into nothing that is there.",
    ),
    cases=(
        _halved_case("float32 array", lambda: np.array([2, 4, 7], np.float32)),
        _halved_case("float64 array", lambda: np.array([2.0, 4.0, 7.0])),
        _halved_case("int64 array", lambda: np.array([2, 4, 7])),
        _halved_case("uint8 array", lambda: np.array([2, 255], np.uint8)),
        _halved_case("float32 array in two dimensions", lambda: np.ones((2, 3), np.float32)),
        _halved_case("every second element of a float32 array", lambda: np.arange(6, dtype=np.float32)[::2]),
    ),
    observed="the numbers, and the array",
    wrong=(
        Wrong(
            belief="`.float()` makes a new tensor, so I may write into it.",
            source="import torch\n\n\ndef halved(array):\n    return torch.from_numpy(array).float().div_(2)\n",
            feedback=(
                "Right for float64 and for ints. A float32 array needs no conversion, so `.float()` gave back the "
                "shared tensor, and the caller's numbers were halved. `torch.Tensor(array)` and `astype(np.float32, "
                "copy=False)` share a float32 array too."
            ),
        ),
        Wrong(
            belief="What my function does to its argument is its own business.",
            source="import torch\n\n\ndef halved(array):\n    array /= 2\n    return torch.from_numpy(array).float()\n",
            feedback=(
                "`array` names the caller's object, and `/=` writes into its bytes, or raises where they hold ints. "
                "Make new numbers: `array / 2`."
            ),
        ),
        Wrong(
            belief="The write happens after the conversion or before it, all the same.",
            source="import torch\n\n\ndef halved(array):\n    return torch.from_numpy(array).div_(2).float()\n",
            feedback=(
                "`div_` comes before the conversion, so it writes into the array's own bytes, whatever the dtype, and "
                "raises for ints."
            ),
        ),
        Wrong(
            belief="Dividing a tensor gives float32.",
            source="import torch\n\n\ndef halved(array):\n    return torch.from_numpy(array) / 2\n",
            feedback="Nothing of the caller's is changed. But a float64 array gives a float64 tensor: say `.float()`.",
        ),
        Wrong(
            belief="NumPy gives the right dtype.",
            source="import torch\n\n\ndef halved(array):\n    return torch.from_numpy(array.copy()).div_(2)\n",
            feedback=(
                "The copy keeps the caller's numbers safe. But the dtype is that of the array, and ints cannot be "
                "halved in place."
            ),
        ),
        Wrong(
            belief="NumPy halves it, and the tensor takes over what comes out.",
            source="import torch\n\n\ndef halved(array):\n    return torch.from_numpy(array / 2)\n",
            feedback=(
                "`array / 2` is a new array, so nothing of the caller's is reached. But NumPy chooses its dtype: "
                "float64 for float64 and for ints. Say `.float()`."
            ),
        ),
    ),
    after="`/` makes a new tensor; `/=` and `div_` write into whosever bytes these are.",
)

# slim: the values, and the bytes kept alive


def _slim_case(label: str, make: Callable[[], torch.Tensor], expected: str) -> Case:
    def observe(result: object, t: torch.Tensor) -> str:
        found, wanted = _a_tensor(result), make()
        kept = found.untyped_storage().nbytes()
        if _end(found) > kept:  # reading it might end the process
            return f"reaches beyond the {kept:,} B it keeps"
        alike = found.dtype == wanted.dtype and torch.equal(found, wanted)
        same = np.shares_memory(found.detach().numpy(), t.detach().numpy())
        return f"{'its values' if alike else 'other values'}, keeps {kept:,} B{', of t' if same else ''}"

    return Case(label, lambda: (make(),), observe, f"its values, {expected}")


def _end(t: torch.Tensor) -> int:
    """The byte of the storage after the last that a tensor reaches."""
    last = sum((size - 1) * stride for size, stride in zip(t.shape, t.stride(), strict=True))
    return int(t.storage_offset() + last + 1) * t.itemsize if t.numel() else 0


def _slice_that_requires_grad() -> torch.Tensor:
    return torch.ones(1000, requires_grad=True).detach()[10:20]


SLIM = Exercise(
    key="slim",
    task=(
        "Return a tensor with the values and dtype of `t` that keeps no more bytes alive than its elements take. If "
        "`t` itself is one, do not copy. The bytes are torch's, not an array's, and no two elements of `t` lie on the "
        "same ones."
    ),
    function="slim",
    starter='''\
def slim(t):
    """The values of t, without the bytes that it does not reach."""
    ...
''',
    solution="""\
def slim(t):
    return t.clone() if t.untyped_storage().nbytes() > t.nbytes else t
""",
    hints=(
        "Two numbers: the bytes that the elements take, and the bytes of the storage they lie on.",
        "`t.nbytes` is the first, `t.untyped_storage().nbytes()` the second.",
        "`clone` if the second is larger. Else return `t`.",
    ),
    cases=(
        _slim_case("x[:1] of a thousand", lambda: torch.arange(1000.0)[:1], "keeps 4 B"),
        _slim_case("x, all of it", lambda: torch.arange(5.0), "keeps 20 B, of t"),
        _slim_case("x[::2]", lambda: torch.arange(10.0)[::2], "keeps 20 B"),
        _slim_case("x[2:5], float64", lambda: torch.arange(9.0, dtype=torch.float64)[2:5], "keeps 24 B"),
        _slim_case("grid.T, all of it", lambda: torch.ones(2, 3).T, "keeps 24 B, of t"),
        _slim_case("grid[:, 1]", lambda: torch.ones(2, 3)[:, 1], "keeps 8 B"),
        _slim_case("x[3:3], empty", lambda: torch.arange(6)[3:3], "keeps 0 B"),
        _slim_case("x.detach()[10:20]", _slice_that_requires_grad, "keeps 40 B"),
    ),
    observed="bytes kept alive",
    wrong=(
        Wrong(
            belief="To be safe, always clone.",
            source="def slim(t):\n    return t.clone()\n",
            feedback="No byte too many is kept. But where `t` fills its storage you copied it for nothing.",
        ),
        Wrong(
            belief="`contiguous` gives a tensor without anything around it.",
            source="def slim(t):\n    return t.contiguous()\n",
            feedback=(
                "`contiguous` looks at the order of the elements: without gaps, row after row. `x[:1]` is in order, "
                "and it kept the whole storage; `grid.T` is not, and it was copied for nothing."
            ),
        ),
        Wrong(
            belief="A detached tensor is on its own.",
            source="def slim(t):\n    return t.detach()\n",
            feedback="That still lies on the storage of `t`. `detach` only makes autograd look away, and `t[:]` is a "
            "slice like any other. Only a copy leaves the storage.",
        ),
        Wrong(
            belief="A tensor with an offset is a part of another.",
            source="def slim(t):\n    return t.clone() if t.storage_offset() else t\n",
            feedback=(
                "A part can begin at the beginning: `x[:1]` has the offset 0 and keeps all of `x`. Compare bytes "
                "with bytes."
            ),
        ),
        Wrong(
            belief="A view has a `_base`, and only a view keeps more than it needs.",
            source="def slim(t):\n    return t.clone() if t._is_view() else t\n",
            feedback=(
                "Not every view leaves something out: `grid.T` reaches all bytes of its storage, and you copied it. "
                "Compare bytes with bytes."
            ),
        ),
        Wrong(
            belief="The storage can be cut to size.",
            source="def slim(t):\n    t.untyped_storage().resize_(t.nbytes)\n    return t\n",
            feedback=(
                "You cut the storage under the feet of everybody who lies on it, `t` among them: it begins where it "
                "began, and its elements are lost. Copy what you need, and let the old storage go."
            ),
        ),
    ),
    after="Save and cache slim tensors: one slice can keep gigabytes.",
)

# report: an array that may be written to


def _report_case(label: str, make: Callable[[], tuple[torch.Tensor, torch.Tensor]]) -> Case:
    """`make` gives a leaf, or a tensor that needs no gradient, and what is computed from it."""
    leaves: list[torch.Tensor] = []

    def arguments() -> tuple[object, ...]:
        leaf, y = make()
        leaves[:] = [leaf]
        return (y,)

    def observe(result: object, y: torch.Tensor) -> str:
        if not isinstance(result, np.ndarray):
            raise TypeError(f"an array is wanted, and {type(result).__name__} came")
        expected = make()[1].detach().numpy()
        if result.dtype != expected.dtype:
            return f"{result.dtype} array"
        if not np.array_equal(result, expected):
            return "other numbers"
        if not result.flags.writeable:
            return "the numbers, read-only"
        result[...] = 50
        touched = not np.array_equal(y.detach().numpy(), expected)
        gradient = _gradient_is_right(leaves[0], y, make)
        return f"the numbers, y {'changed' if touched else 'as it was'}{gradient}"

    wanted = "the numbers, y as it was" + (", gradient right" if make()[1].requires_grad else "")
    return Case(label, arguments, observe, wanted)


def _gradient_is_right(
    leaf: torch.Tensor, y: torch.Tensor, make: Callable[[], tuple[torch.Tensor, torch.Tensor]]
) -> str:
    if not y.requires_grad:
        return ""
    untouched, again = make()
    torch.autograd.backward(again.sum())
    torch.autograd.backward(y.sum())
    assert leaf.grad is not None
    assert untouched.grad is not None
    return f", gradient {'right' if torch.equal(leaf.grad, untouched.grad) else 'wrong'}"


def _from(fn: Callable[[torch.Tensor], torch.Tensor], dtype: torch.dtype) -> tuple[torch.Tensor, torch.Tensor]:
    leaf = torch.tensor([0.5, 1.0, 2.0], dtype=dtype, requires_grad=True)
    return leaf, fn(leaf)


def _plain() -> tuple[torch.Tensor, torch.Tensor]:
    t = torch.tensor([1, 2, 3], dtype=torch.int32)
    return t, t


REPORT = Exercise(
    key="report",
    task=(
        "Return the numbers of `y` as a NumPy array of the same dtype, for a caller who will write into it. Their "
        "writes must reach neither `y` nor any gradient. `y` lies on the CPU and may require a gradient."
    ),
    function="report",
    starter='''\
def report(y):
    """The numbers of y as an array that the caller may write into."""
    ...
''',
    solution="""\
def report(y):
    return y.detach().numpy().copy()
""",
    hints=(
        "`.numpy()` lends bytes. So does `.detach()`. Which step of yours copies?",
        "A copy can be made at either end: `.clone()` for a tensor, `.copy()` for an array.",
        "`y.detach()` so that it may become an array, `.numpy()`, and then `.copy()`.",
    ),
    cases=(
        _report_case("x.exp()", lambda: _from(torch.exp, torch.float32)),
        _report_case("x.exp(), float64", lambda: _from(torch.exp, torch.float64)),
        _report_case("x.sigmoid()", lambda: _from(torch.sigmoid, torch.float32)),
        _report_case("x * 3", lambda: _from(lambda x: x * 3, torch.float32)),
        _report_case("x.sqrt()[1:]", lambda: _from(lambda x: x.sqrt()[1:], torch.float32)),
        _report_case("x itself, which requires a gradient", lambda: _from(lambda x: x, torch.float32)),
        _report_case("an int32 tensor", _plain),
    ),
    observed="what a write into your array reaches",
    wrong=(
        Wrong(
            belief="`detach` makes it independent.",
            source="def report(y):\n    return y.detach().numpy()\n",
            feedback=(
                "`detach` makes autograd look away and keeps the bytes, and `.numpy()` keeps them too. So a write into "
                "your array changed `y`, and where autograd needs `y` the gradient came out wrong without a word. "
                "The same holds for `.data`, for `numpy(force=True)`, under `no_grad`, and for `.cpu()` on the CPU."
            ),
        ),
        Wrong(
            belief="`.numpy()` gives an array of its own.",
            source="def report(y):\n    return y.numpy()\n",
            feedback=(
                "It raises for a tensor that requires a gradient, and that is why: the array lies on the tensor's own "
                "bytes. Where it does not raise, the write reached `y`."
            ),
        ),
        Wrong(
            belief="A detached clone is as good as an array.",
            source="def report(y):\n    return y.detach().clone()\n",
            feedback=(
                "A tensor came, and an array is wanted: add `.numpy()`. It lends the bytes of the tensor that it is "
                "asked of: those of a clone are its own, those of `y.detach()` are those of `y`."
            ),
        ),
        Wrong(
            belief="Autograd does not follow a clone.",
            source="def report(y):\n    return y.clone().numpy()\n",
            feedback=(
                "A clone has its own bytes, but autograd follows it: it requires a gradient, and `.numpy()` raises. "
                "`detach()` it as well."
            ),
        ),
        Wrong(
            belief="The numbers are all that counts, so a list will do.",
            source="import numpy as np\n\n\ndef report(y):\n    return np.array(y.tolist())\n",
            feedback="The bytes are its own. But a list forgets the dtype: float32 comes back as float64.",
        ),
        Wrong(
            belief="Read-only is safe.",
            source="""\
def report(y):
    array = y.detach().numpy()
    array.flags.writeable = False
    return array
""",
            feedback=(
                "Safe for `y`, but the caller cannot write, and sees every later write to `y`. They need bytes of "
                "their own."
            ),
        ),
        Wrong(
            belief="NumPy works with float64.",
            source="import numpy as np\n\n\ndef report(y):\n    return y.detach().numpy().astype(np.float64)\n",
            feedback=("The bytes are its own. But the array should have the dtype of `y`: `.copy()` keeps it."),
        ),
    ),
    after="One copy, at the border: inside you may share, what you hand out is theirs.",
)
