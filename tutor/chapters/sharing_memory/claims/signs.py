"""What people take as a sign of shared memory, and what they say a tensor occupies."""

from __future__ import annotations

from tutor.course.model import Check, Claim

_DATA_PTR = Claim(
    ids=("A115",),
    claim="Comparing `data_ptr()` tells whether two tensors share memory.",
    taught="false",
    really=("A slice begins elsewhere and shares. Empty tensors all say 0 and share nothing."),
    why="For two names of one whole tensor it works.",
    checks=(
        Check(
            part="who shares has the same `data_ptr()`",
            code="x = torch.arange(9.0)\nshares(x, x[1:])\nx[1:].data_ptr() == x.data_ptr()",
        ),
        Check(
            part="who has the same `data_ptr()` shares",
            code=(
                "a, b = torch.empty(0), torch.tensor([])\na.data_ptr(), b.data_ptr()\n"
                "a.data_ptr() == b.data_ptr() and shares(a, b)"
            ),
        ),
    ),
)

_STORAGE_PTR = Claim(
    ids=(),
    claim="Comparing `untyped_storage().data_ptr()` tells whether a write to one tensor is seen in the other.",
    taught="false",
    really="`x[::2]` and `x[1::2]` have one storage and no element in common; two `from_numpy` slices of one array "
    "have two storages, and may overlap.",
    why="It is right for views of a tensor that reach all of it.",
    checks=(
        Check(
            part="who has one storage sees each other's writes",
            code="x = torch.zeros(8)\nx[::2] += 1\nx[1::2]\nbool(x[1::2].all())",
        ),
        Check(
            part="who sees each other's writes has one storage",
            code=(
                "a = np.zeros(6)\n"
                "left, right = torch.from_numpy(a[:4]), torch.from_numpy(a[2:])\n"
                "right[0] = 7\n"
                "left\n"
                "left.untyped_storage().data_ptr() == right.untyped_storage().data_ptr()"
            ),
        ),
    ),
)

_AS_TENSOR_LIGHTER = Claim(
    ids=("B39",),
    claim="`torch.as_tensor` takes less memory than `torch.tensor`.",
    taught="partly",
    really="From an array of the right dtype and from a tensor it takes none. From a list both make new bytes.",
    why="It is described as the one that does not copy.",
    checks=(
        Check(
            part="from an array it takes no new bytes",
            code="a = np.ones(3)\nshares(torch.tensor(a), a)\nshares(torch.as_tensor(a), a)",
        ),
        Check(
            part="from a list it takes less",
            code=(
                "numbers = [1.0, 2.0, 3.0]\n"
                "sizes = [f(numbers).untyped_storage().nbytes() for f in (torch.as_tensor, torch.tensor)]\n"
                "sizes\n"
                "sizes[0] < sizes[1]"
            ),
        ),
    ),
)

_SLICE_SIZE = Claim(
    ids=(),
    claim="What a tensor occupies is its number of elements times the item size.",
    taught="partly",
    really=(
        "For a whole new tensor. A slice keeps the storage of the whole, and an expanded tensor has fewer bytes than "
        "elements. Ask `untyped_storage().nbytes()`."
    ),
    why="`nbytes` says just that.",
    checks=(
        Check(
            part="of a new tensor",
            code="x = torch.zeros(1000)\nx.nbytes == x.untyped_storage().nbytes()",
        ),
        Check(
            part="of a slice",
            code=(
                "x = torch.zeros(1000)\nfirst = x[:1]\ndel x\nfirst.nbytes, first.untyped_storage().nbytes()\n"
                "first.untyped_storage().nbytes() == first.nbytes"
            ),
        ),
        Check(
            part="of an expanded tensor",
            code=(
                "e = torch.zeros(1).expand(1000, 1000)\n"
                "e.nbytes, e.untyped_storage().nbytes()\n"
                "e.untyped_storage().nbytes() == e.nbytes"
            ),
        ),
    ),
)

SIGNS = (_DATA_PTR, _STORAGE_PTR, _AS_TENSOR_LIGHTER, _SLICE_SIZE)
