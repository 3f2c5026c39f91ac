"""What people say about arrays that are not contiguous, on their way into torch."""

from __future__ import annotations

from tutor.course.model import Check, Claim

_ARRAY = "a = np.ones((3, 4), dtype=np.float32)\n"
_SAFE = (
    "def safe_from_numpy(array):\n"
    "    if not array.flags.c_contiguous:\n"
    "        array = np.ascontiguousarray(array)\n"
    "    return torch.from_numpy(array)\n"
)

_ONLY_CONTIGUOUS = Claim(
    ids=("A12", "B20"),
    claim="An array that is not C-contiguous makes `from_numpy` raise. (Others say: makes it copy.)",
    taught="false",
    really="Neither. It is taken over as it lies, and the bytes are shared. What raises is a negative stride, or one "
    "that is no multiple of the item size.",
    why="Much C code takes contiguous memory only, and other libraries do raise or copy.",
    checks=(
        Check(
            part="a transposed array makes it raise",
            code=_ARRAY + "raises(lambda: torch.from_numpy(a.T), (ValueError, RuntimeError))",
        ),
        Check(
            part="a transposed array makes it copy",
            code=_ARRAY + "torch.from_numpy(a.T).stride()\nnot shares(torch.from_numpy(a.T), a)",
        ),
        Check(
            part="every second column makes it copy",
            code=_ARRAY + "torch.from_numpy(a[:, ::2]).stride()\nnot shares(torch.from_numpy(a[:, ::2]), a)",
        ),
    ),
)

_MESSAGE = Claim(
    ids=("A13",),
    claim="The error then says: Can't convert non-contiguous array.",
    taught="false",
    really="Two layouts are refused, each in words of its own: a negative stride, and a stride that is no multiple "
    "of the item size.",
    why="It is what one would expect to read.",
    checks=(
        Check(
            part="a flipped array is refused with these words",
            code=_ARRAY + "raises(lambda: torch.from_numpy(a[::-1]), ValueError, 'At least one stride')\n"
            'raises(lambda: torch.from_numpy(a[::-1]), ValueError, "Can\'t convert non-contiguous")',
        ),
        Check(
            part="a field of records is refused with these words",
            code="records = np.zeros(3, dtype=[('flag', 'u1'), ('value', 'f4')])\n"
            "values = records['value']\n"
            "values.strides, values.itemsize\n"
            "raises(lambda: torch.from_numpy(values), ValueError, 'not a multiple')\n"
            'raises(lambda: torch.from_numpy(values), ValueError, "Can\'t convert non-contiguous")',
        ),
    ),
)

_SUSPECTS = Claim(
    ids=("A14", "A60", "A61"),
    claim="`reshape`, `transpose` and `np.flip` leave an array that is not contiguous.",
    taught="partly",
    really="`transpose` and `flip` do. The reshape of a contiguous array is contiguous.",
    why="All three give views, and views are suspected in general.",
    checks=(
        Check(
            part="`reshape`",
            code="a = np.zeros((2, 3 * 8 * 8), dtype=np.float32)\nnot a.reshape(-1, 3, 8, 8).flags.c_contiguous",
        ),
        Check(
            part="`transpose`",
            code="a = np.zeros((3, 8, 8), dtype=np.float32)\nnot a.transpose(1, 2, 0).flags.c_contiguous",
        ),
        Check(part="`np.flip`", code=_ARRAY + "np.flip(a, 1).strides\nnot np.flip(a, 1).flags.c_contiguous"),
    ),
)

_ASCONTIGUOUS = Claim(
    ids=("A64",),
    claim="`np.ascontiguousarray` copies.",
    taught="partly",
    really="Only an array that is not contiguous. Others come back as they are, and a number becomes an array of shape "
    "(1,).",
    why="It is called where a copy is expected.",
    checks=(
        Check(part="a transposed array is copied", code=_ARRAY + "not shares(np.ascontiguousarray(a.T), a)"),
        Check(
            part="a contiguous one is copied",
            code=_ARRAY + "np.ascontiguousarray(np.float32(3)).shape\nnp.ascontiguousarray(a) is not a",
        ),
    ),
)

_REPAIR = Claim(
    ids=("B21",),
    claim="A transposed array must be repaired with `np.ascontiguousarray` before `from_numpy`.",
    taught="false",
    really="It works without. The repair is what copies, and what ends the sharing.",
    why="Whoever believes that `from_numpy` refuses it will believe this too.",
    checks=(
        Check(
            part="without it, `from_numpy` raises or gives other numbers",
            code="a = np.arange(12.0).reshape(3, 4)\nnot np.array_equal(torch.from_numpy(a.T).numpy(), a.T)",
        ),
        Check(
            part="with it, the tensor still shares the bytes of the array",
            code=_ARRAY + "shares(torch.from_numpy(np.ascontiguousarray(a.T)), a)",
        ),
    ),
)

_WRAPPER = Claim(
    ids=("A65",),
    claim="Send every array through a helper that makes it contiguous first, and `from_numpy` is safe.",
    taught="partly",
    really="It cures most flips. It also copies what could be shared, so that a later write arrives or not, depending "
    "on the layout. And a flipped array of one row counts as contiguous, is left alone, and is refused.",
    why="The error is gone, and the values are right.",
    checks=(
        Check(
            part="a flipped array comes through",
            code=_SAFE + _ARRAY + "not raises(lambda: safe_from_numpy(a[::-1]), ValueError)",
        ),
        Check(
            part="so does a flipped array of one row",
            code=_SAFE
            + _ARRAY
            + "row = a[:1][::-1]\nrow.strides, row.flags.c_contiguous\n"
            + "not raises(lambda: safe_from_numpy(row), ValueError)",
        ),
        Check(
            part="the result shares with the array, whatever its layout",
            code=_SAFE
            + _ARRAY
            + "shares(safe_from_numpy(a), a)\nshares(safe_from_numpy(a.T), a)\n"
            + "shares(safe_from_numpy(a), a) and shares(safe_from_numpy(a.T), a)",
        ),
    ),
)

_OPTION = Claim(
    ids=("A111",),
    claim="A helper with `contiguous=True`, which calls `np.ascontiguousarray` on arrays, gives contiguous tensors.",
    taught="partly",
    really="Of arrays, yes. A tensor that comes in transposed goes out transposed.",
    why="The name of the option promises it.",
    checks=(
        Check(
            part="of a transposed array",
            code="def helper(x):\n"
            "    if isinstance(x, np.ndarray):\n"
            "        x = np.ascontiguousarray(x)\n"
            "    return torch.as_tensor(x)\n"
            "helper(np.ones((2, 3)).T).is_contiguous()",
        ),
        Check(
            part="of a transposed tensor",
            code="def helper(x):\n"
            "    if isinstance(x, np.ndarray):\n"
            "        x = np.ascontiguousarray(x)\n"
            "    return torch.as_tensor(x)\n"
            "helper(torch.ones(2, 3).T).is_contiguous()",
        ),
    ),
)

_FLAGS = Claim(
    ids=("A63",),
    claim="`array.flags.c_contiguous` and `array.flags.f_contiguous` tell how an array lies.",
    taught="partly",
    really="They tell two orders, row after row and column after column. A flipped array of one row is both for NumPy, "
    "and torch refuses it.",
    why="For nearly every array they say all one needs.",
    checks=(
        Check(
            part="they tell rows from columns",
            code="a = np.ones((2, 3))\na.flags.c_contiguous and a.T.flags.f_contiguous and not a.T.flags.c_contiguous",
        ),
        Check(
            part="what is contiguous by these flags is taken by torch",
            code="row = np.ones((2, 3))[:1][::-1]\n"
            "row.flags.c_contiguous, row.flags.f_contiguous, row.strides\n"
            "not raises(lambda: torch.from_numpy(row), ValueError, 'negative')",
        ),
    ),
)

ARRAYS = (_ONLY_CONTIGUOUS, _MESSAGE, _SUSPECTS, _ASCONTIGUOUS, _REPAIR, _WRAPPER, _OPTION, _FLAGS)
