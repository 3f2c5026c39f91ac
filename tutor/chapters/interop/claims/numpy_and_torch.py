"""What people say about NumPy and torch beside each other."""

from __future__ import annotations

from tutor.course.model import Check, Claim

_PAIRS = """\
from itertools import product
shapes = [shape for rank in range(3) for shape in product((0, 1, 2, 3), repeat=rank)]
def shape_of(call):
    try:
        return tuple(call().shape)
    except (ValueError, RuntimeError):
        return 'refused'
def disagreements(with_numpy, with_torch):
    found = []
    for s, r in product(shapes, shapes):
        by_numpy = shape_of(lambda: with_numpy(np.ones(s), np.ones(r)))
        by_torch = shape_of(lambda: with_torch(torch.ones(s), torch.ones(r)))
        if by_numpy != by_torch:
            found.append((s, r))
    return found
len(shapes) ** 2
"""

_BROADCASTING = Claim(
    ids=("B36",),
    claim="PyTorch is stricter than NumPy when it broadcasts shapes.",
    taught="false",
    really="For every pair of shapes tried, both give the same shape or both refuse. `copy_` is an exception: it does "
    "not drop leading ones, as `np.copyto` does. What is stricter is types, such as a tensor plus a list.",
    why="Code moved from NumPy does meet errors, and shapes stand in many of them.",
    checks=(
        Check(
            part="in a sum, a product of matrices, or a choice between two",
            code=_PAIRS
            + "pairs = [[np.add, torch.add], [np.matmul, torch.matmul]]\n"
            + "def by_where(library):\n    return lambda a, b: library.where(a > 0, a, b)\n"
            + "found = [disagreements(*pair) for pair in (*pairs, [by_where(np), by_where(torch)])]\n"
            + "found\nfound != [[], [], []]",
        ),
        Check(
            part="in `a += b`, or in `a[...] = b`",
            code=_PAIRS
            + "def add(a, b):\n    a += b\n    return a\n"
            + "def assign(a, b):\n    a[...] = b\n    return a\n"
            + "def copy(a, b):\n    np.copyto(a, b)\n    return a\n"
            + "disagreements(copy, torch.Tensor.copy_)[:3]\n"
            + "torch.ones(3) + [1, 2, 3]\n"
            + "found = [disagreements(add, add), disagreements(assign, assign)]\n"
            + "found\nfound != [[], []]",
        ),
    ),
)

_BOTH = "a = np.array([1.0, 2.0, 3.0, 4.0])\nt = torch.from_numpy(a)\n"

_ALIKE = Claim(
    ids=("B44",),
    claim="The methods of a tensor and of an array look alike and are not the same.",
    taught="true",
    really="Many agree. Some of one name count otherwise (`std`, the median), some give another kind of thing "
    "(`size`, `max`), some do another thing (`repeat`), and some are missing.",
    why="They share so many names that one stops looking.",
    checks=(
        Check(
            part="many agree",
            code=_BOTH
            + "names = 'sum', 'mean', 'prod', 'argmax', 'min'\n"
            + "[(name, getattr(t, name)().item()) for name in names]\n"
            + "all(getattr(a, name)() == getattr(t, name)().item() for name in names)",
        ),
        Check(
            part="some of one name count otherwise",
            code=_BOTH
            + "round(float(a.std()), 3), round(t.std().item(), 3)\n"
            + "float(np.median(a)), torch.median(t).item()\n"
            + "float(a.std()) < t.std().item() and float(np.median(a)) > torch.median(t).item()",
        ),
        Check(
            part="some give another kind of thing",
            code=_BOTH
            + "a.size, t.size()\nfloat(a.max(0)), type(t.max(0)).__name__\n"
            + "isinstance(a.size, int) and callable(t.size) and isinstance(t.max(0), tuple)",
        ),
        Check(
            part="some do another thing",
            code=_BOTH + "a.repeat(2).tolist()\nt.repeat(2).tolist()\na.repeat(2).tolist() != t.repeat(2).tolist()",
        ),
        Check(
            part="some are missing",
            code=_BOTH
            + "a[::-1].tolist()\nt[::-1]\n"
            + "hasattr(a, 'astype') and not hasattr(t, 'astype') and raises(lambda: t[::-1], ValueError)",
        ),
    ),
)

_TWICE_AS_FAST = Claim(
    ids=("B34",),
    claim="Mixing NumPy into a program made it twice as fast as torch alone.",
    taught="partly",
    really="Of somebody's program nobody else can say. What can be measured is a call: NumPy's takes less time to "
    "begin. That counts for a few numbers, and is lost among a million.",
    why="Somebody measured it once, in one program.",
    checks=(
        Check(
            part="the sum of ten numbers and ten numbers takes NumPy less than half the time",
            code="a, t = np.ones(10, np.float32), torch.ones(10)\ntimes(lambda: t + t, lambda: a + a, budget=0.2) > 2",
        ),
        Check(
            part="that of a million and a million does too",
            code="torch.set_num_threads(1)\n"
            "a, t = np.ones(1_000_000, np.float32), torch.ones(1_000_000)\n"
            "into_a, into_t = np.empty_like(a), torch.empty_like(t)\n"
            "times(lambda: torch.add(t, t, out=into_t), lambda: np.add(a, a, out=into_a), budget=0.5) > 2",
        ),
    ),
)

_FLIPPED = Claim(
    ids=(),
    claim="`torch.from_dlpack` takes the arrays that `from_numpy` takes, and refuses the others with an error.",
    taught="depends on version",
    really="What it takes it shares, strides and all. A flipped array, which `from_numpy` refuses with a ValueError, "
    "ends the whole process up to torch 2.13. From 2.14 on it is refused, with a RuntimeError.",
    why="Both read the same array, and an error is how Python refuses.",
    checks=(
        Check(
            part="a transposed array is taken, and shared",
            code="a = np.ones((2, 3))\nt = torch.from_dlpack(a.T)\nt.stride()\nshares(t, a)",
        ),
        Check(
            part="a flipped array is refused with an error",
            code="a = np.ones(3)\ntorch.from_numpy(a[::-1])\nnot ends('torch.from_dlpack(np.ones(3)[::-1])')",
        ),
    ),
)

NUMPY_AND_TORCH = (_BROADCASTING, _ALIKE, _TWICE_AS_FAST, _FLIPPED)
