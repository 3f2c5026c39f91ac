"""What people say about lists: how fast, and what if they are no grid."""

from __future__ import annotations

from tutor.course.model import Check, Claim

_NESTED = Claim(
    ids=("A47",),
    claim="The lengths of a nested list are the shape of the tensor, and inner lists must agree in length.",
    taught="partly",
    really="The lengths are the shape, and a ragged list raises. With one exception: where the first inner list is "
    "empty, the numbers of the others are dropped without a word.",
    why="Nobody tries a first row without numbers, until the data has one.",
    checks=(
        Check(
            part="the lengths are the shape",
            code="torch.tensor([[1, 2], [3, 4], [5, 6]]).shape == (3, 2)",
        ),
        Check(
            part="a second list that is too long is refused",
            code="raises(lambda: torch.tensor([[1, 2], [3, 4, 5]]), ValueError)",
        ),
        Check(
            part="so it is after an empty first list",
            code="torch.tensor([[], [5]])\nraises(lambda: torch.tensor([[], [5]]), ValueError)",
        ),
    ),
)

_RAGGED_MESSAGE = Claim(
    ids=("A48",),
    claim="`torch.tensor([[1, 2], [3, 4, 5]])` says: ValueError: expected sequence of length 2 at dim 1 (got 3).",
    taught="true",
    really="These very words. Where a number stands in place of a list it is a TypeError instead.",
    why="Whoever has met a ragged list has read it.",
    checks=(
        Check(
            part="these are the words",
            code="raises(lambda: torch.tensor([[1, 2], 3]), TypeError)\n"
            "raises(lambda: torch.tensor([[1, 2], [3, 4, 5]]), ValueError, "
            "'expected sequence of length 2 at dim 1 (got 3)')",
        ),
    ),
)

_SHORT_LAST = Claim(
    ids=("A49",),
    claim="If only the last inner list is too short, torch makes a tensor without dimensions that holds the lists.",
    taught="false",
    really="The same ValueError comes, from `tensor`, `as_tensor`, `asarray` and `Tensor` alike.",
    why="NumPy used to make an array of objects out of such lists.",
    checks=(
        Check(
            part="a tensor comes out",
            code="ragged = [[1, 2], [3, 4], [5]]\n"
            "raises(lambda: torch.tensor(ragged), ValueError, 'expected sequence of length 2 at dim 1 (got 1)')\n"
            "four = torch.tensor, torch.as_tensor, torch.asarray, torch.Tensor\n"
            "not all(raises(lambda: make(ragged), ValueError, 'expected sequence') for make in four)",
        ),
    ),
)

_RAGGED_LOADER = Claim(
    ids=("A51",),
    claim="A DataLoader lets ragged data pass, and the model then fails with '... but found Object'.",
    taught="false",
    really="The DataLoader itself refuses: each element in list of batch should be of equal size.",
    why="The error comes far from the line that made the data.",
    checks=(
        Check(
            part="the DataLoader gives a batch",
            code="from torch.utils.data import DataLoader\n"
            "rows = [[1, 2], [3, 4], [5]]\n"
            "raises(lambda: list(DataLoader(rows, batch_size=3)), RuntimeError, 'should be of equal size')\n"
            "not raises(lambda: list(DataLoader(rows, batch_size=3)), RuntimeError)",
        ),
    ),
)

_RAGGED_HANDLER = Claim(
    ids=("A52",),
    claim="To be safe, catch RuntimeError around `torch.tensor` and look for 'expected sequence' in it.",
    taught="false",
    really="It is a ValueError, and `except RuntimeError` does not catch one.",
    why="So many of torch's errors are RuntimeErrors.",
    checks=(
        Check(
            part="a handler for RuntimeError catches it",
            code="issubclass(ValueError, RuntimeError)\n"
            "caught = 'by nobody'\n"
            "try:\n"
            "    try:\n"
            "        torch.tensor([[1, 2], [3]])\n"
            "    except RuntimeError:\n"
            "        caught = 'by the handler'\n"
            "except ValueError:\n"
            "    pass\n"
            "caught\n"
            "caught == 'by the handler'",
        ),
    ),
)

_LONG_LIST = Claim(
    ids=("A44",),
    claim="By way of NumPy a list of 30,000 ints becomes a tensor about 27 times faster.",
    taught="partly",
    really="It is faster, making the array included, though not by that much. An array that is there already costs "
    "next to nothing to share, and a ratio that leaves out `np.array` compares something else.",
    why="Whoever times `as_tensor` alone leaves out the step that takes the time.",
    checks=(
        Check(
            part="by way of NumPy it is faster",
            code="ids = [1001, 1002, 1003] * 10_000\n"
            "times(lambda: torch.tensor(ids), lambda: torch.from_numpy(np.array(ids)), budget=0.5) > 1",
        ),
        Check(
            part="27 times or so",
            code="ids = [1001, 1002, 1003] * 10_000\n"
            "times(lambda: torch.tensor(ids), lambda: torch.from_numpy(np.array(ids)), budget=0.5) > 20",
        ),
    ),
)

_A_THOUSAND = Claim(
    ids=("A46",),
    claim="Up to about 1,000 items give a list to `torch.tensor`; only past that go by way of NumPy.",
    taught="partly",
    really="There is no such threshold: NumPy's way is faster for 30 ints too. A list of arrays is the worst case, and "
    "torch warns about it.",
    why="For a short list both take microseconds, and nobody notices.",
    checks=(
        Check(
            part="past 1,000 items NumPy's way is faster",
            code="ids = list(range(3_000))\n"
            "rows = [np.ones(3)] * 3\n"
            "warns(lambda: torch.tensor(rows), 'Creating a tensor from a list of numpy.ndarrays is extremely slow')\n"
            "times(lambda: torch.tensor(ids), lambda: torch.from_numpy(np.array(ids)), budget=0.5) > 1",
        ),
        Check(
            part="for 30 it is not",
            code="ids = list(range(30))\n"
            "times(lambda: torch.tensor(ids), lambda: torch.from_numpy(np.array(ids)), budget=0.5) <= 1",
        ),
    ),
)

_LIST_OF_TENSORS = Claim(
    ids=(),
    claim="`torch.tensor` makes one tensor of a list of tensors.",
    taught="partly",
    really="Only where each of them holds one number. Else it raises: only one element tensors can be converted to "
    "Python scalars. `torch.stack` is made for this.",
    why="It works for a list of losses, and for a list of arrays.",
    checks=(
        Check(
            part="it does where each holds one number",
            code="torch.tensor([torch.tensor(1.0), torch.tensor(2.0)])\n"
            "torch.tensor([torch.tensor(1.0), torch.tensor(2.0)]).tolist() == [1.0, 2.0]",
        ),
        Check(
            part="it does where each holds several",
            code="rows = [torch.ones(2), torch.ones(2)]\n"
            "torch.stack(rows).shape\n"
            "raises(lambda: torch.tensor(rows), ValueError, "
            "'only one element tensors can be converted to Python scalars')\n"
            "not raises(lambda: torch.tensor(rows), ValueError)",
        ),
    ),
)

LISTS = (
    _LONG_LIST,
    _A_THOUSAND,
    _LIST_OF_TENSORS,
    _NESTED,
    _RAGGED_MESSAGE,
    _SHORT_LAST,
    _RAGGED_LOADER,
    _RAGGED_HANDLER,
)
