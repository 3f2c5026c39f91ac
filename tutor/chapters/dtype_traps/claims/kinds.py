"""What people say about dtypes that few operations know, and about masks and tables."""

from __future__ import annotations

from tutor.course.model import Check, Claim

_BFLOAT = Claim(
    ids=(),
    claim="A bfloat16 tensor cannot go to NumPy.",
    taught="partly",
    really="`.numpy()` raises: NumPy has no bfloat16. By way of float32 every value gets there unchanged, and "
    "`.view(torch.uint16)` hands over the bits.",
    why="The error comes first.",
    checks=(
        Check(
            part="not by `.numpy()`",
            code="t = torch.tensor([0.1, 257], dtype=torch.bfloat16)\n"
            "t.numpy()\n"
            "raises(lambda: t.numpy(), TypeError, 'BFloat16')",
        ),
        Check(
            part="not by way of float32 with all values kept",
            code="t = torch.tensor([0.1, 257], dtype=torch.bfloat16)\n"
            "t.float().numpy()\n"
            "not torch.equal(torch.from_numpy(t.float().numpy()).bfloat16(), t)",
        ),
    ),
)

_UNSIGNED = Claim(
    ids=(),
    claim="uint16, uint32 and uint64 are dtypes like the others.",
    taught="partly",
    really="They hold values, share with NumPy and cast to others. Many operations have no kernel for them on a "
    "CPU, a sum of two among them, and they do not promote with other ints.",
    why="`from_numpy` takes them without a word.",
    checks=(
        Check(
            part="they come from NumPy, and are cast",
            code="t = torch.from_numpy(np.array([1, 65535], dtype=np.uint16))\n"
            "t, t.int()\n"
            "t.int().tolist() == [1, 65535]",
        ),
        Check(
            part="they add",
            code="t = torch.tensor([1, 2], dtype=torch.uint16)\nnot raises(lambda: t + t, RuntimeError)",
        ),
        Check(
            part="they promote with int32",
            code="t = torch.tensor([1, 2], dtype=torch.uint16)\n"
            "not raises(lambda: t + torch.tensor([1, 2], dtype=torch.int32), RuntimeError, 'Promotion')",
        ),
    ),
)

_FLOAT8 = Claim(
    ids=(),
    claim="float8 tensors are there to calculate with, in less memory.",
    taught="partly",
    really="They hold, are cast, and can be multiplied with each other. Added, summed or promoted they raise on a "
    "CPU: cast them up, calculate, cast back.",
    why="They stand in the list of dtypes.",
    checks=(
        Check(
            part="they hold values in one byte",
            code="t = torch.tensor([1.0, 448.0]).to(torch.float8_e4m3fn)\n"
            "t.nbytes, t.float().tolist()\n"
            "t.nbytes == 2 and t.float().tolist() == [1.0, 448.0]",
        ),
        Check(
            part="they multiply",
            code="t = torch.tensor([1.5, 2.0]).to(torch.float8_e4m3fn)\n"
            "(t * t).float().tolist()\n"
            "(t * t).float().tolist() == [2.25, 4.0]",
        ),
        Check(
            part="they add",
            code="t = torch.ones(2).to(torch.float8_e4m3fn)\nnot raises(lambda: t + t, RuntimeError)",
        ),
        Check(
            part="they add to a float32",
            code="t = torch.ones(2).to(torch.float8_e4m3fn)\nnot raises(lambda: t + torch.ones(2), RuntimeError)",
        ),
    ),
)

_COMPLEX = Claim(
    ids=(),
    claim="`.float()` of a complex tensor gives the magnitude.",
    taught="false",
    really="It drops the imaginary part, and warns. The magnitude is `.abs()`.",
    why="The magnitude is what one mostly wants next.",
    checks=(
        Check(
            part="for 3 + 4j, whose magnitude is 5",
            code="z = torch.tensor([3 + 4j])\nz.float(), z.abs(), z.real\nz.float().item() == 5",
        ),
    ),
)

_MASK = Claim(
    ids=(),
    claim="A tensor of zeros and ones is a mask, whatever its dtype.",
    taught="false",
    really="Only bool is one everywhere. In brackets int64 picks rows 0 and 1; uint8 still masks there, but `~` makes "
    "254 of its 1.",
    why="uint8 was the dtype of masks before there was bool.",
    checks=(
        Check(
            part="int64 in brackets",
            code="values, mask = torch.tensor([10, 20, 30, 40]), torch.tensor([1, 0, 1, 0])\n"
            "values[mask]\n"
            "values[mask].tolist() == [10, 30]",
        ),
        Check(
            part="uint8, turned around with `~`",
            code="mask = torch.tensor([1, 0, 1, 0], dtype=torch.uint8)\n"
            "~mask\n"
            "(~mask).bool().tolist() == [False, True, False, True]",
        ),
        Check(
            part="int64 in `torch.where`",
            code="mask = torch.tensor([1, 0])\nnot raises(lambda: torch.where(mask, 1, 2), RuntimeError, 'boolean')",
        ),
    ),
)

_GAP = Claim(
    ids=(),
    claim="A column of ints stays a column of ints when one of them is missing.",
    taught="false",
    really="By default pandas makes it float64, with NaN in the gap. Beside a column of texts the whole table becomes "
    "an array of objects, which torch refuses.",
    why="The table still prints ids, only with a point.",
    checks=(
        Check(
            part="the dtype of [1, None]",
            code="import pandas as pd\npd.Series([1, None]).dtype\npd.Series([1, None]).to_numpy().dtype == np.int64",
        ),
        Check(
            part="the ints of a table with texts",
            code="import pandas as pd\n"
            "array = pd.DataFrame({'id': [1, 2], 'name': ['a', 'b']}).to_numpy()\n"
            "array.dtype\n"
            "not raises(lambda: torch.from_numpy(array), TypeError, 'numpy.object_')",
        ),
    ),
    needs=("pandas",),
)

KINDS = (_BFLOAT, _UNSIGNED, _FLOAT8, _COMPLEX, _MASK, _GAP)
