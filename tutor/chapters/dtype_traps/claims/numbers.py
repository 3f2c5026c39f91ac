"""What people say about numbers that a dtype does not hold."""

from __future__ import annotations

from tutor.course.model import Check, Claim

_SATURATES = Claim(
    ids=(),
    claim="uint8 stops at 255: 200 + 100 is white.",
    taught="false",
    really="It wraps around, to 44. So do int32 and int64, at their own ends.",
    why="Some image libraries stop at 255.",
    checks=(
        Check(
            part="two tensors",
            code="a, b = (torch.tensor([n], dtype=torch.uint8) for n in (200, 100))\na + b\n(a + b).item() == 255",
        ),
        Check(
            part="a tensor and a number",
            code="a = torch.tensor([200], dtype=torch.uint8)\na + 100\n(a + 100).item() == 255",
        ),
    ),
)

_COMPARED = Claim(
    ids=(),
    claim="A comparison cannot overflow: it only looks at the numbers.",
    taught="false",
    really="The number is cast to the dtype of the tensor first. Among uint8 nothing is below 256, and white equals "
    "-1.",
    why="NumPy compares the numbers as they are.",
    checks=(
        Check(
            part="every uint8 is below 256",
            code="pixels = torch.tensor([0, 200], dtype=torch.uint8)\npixels < 256\nbool((pixels < 256).all())",
        ),
        Check(
            part="no uint8 equals -1",
            code="white = torch.tensor([255], dtype=torch.uint8)\nwhite == -1\nnot (white == -1).item()",
        ),
    ),
)

_FLOORED = Claim(
    ids=(),
    claim="`//` cuts off what stands after the point, as `.int()` does.",
    taught="false",
    really="`//` goes down, to the next int below: -7 // 2 is -4. `.int()` goes towards zero, and so does "
    '`div(..., rounding_mode="trunc")`.',
    why="For positive numbers both are the same.",
    checks=(
        Check(
            part="for -7 and 2",
            code="x = torch.tensor([-7])\n"
            "x // 2, (x / 2).int(), x.div(2, rounding_mode='trunc')\n"
            "torch.equal(x // 2, (x / 2).int())",
        ),
    ),
)

_MEAN = Claim(
    ids=(),
    claim="The mean of an int tensor is an int.",
    taught="false",
    really="There is none: `mean` raises for ints and bools. Name the dtype, or cast first.",
    why="Other reductions, such as `sum` and `max`, stay among ints.",
    checks=(
        Check(
            part="the mean of 1 and 2",
            code="x = torch.tensor([1, 2])\n"
            "x.mean()\n"
            "x.mean(dtype=torch.float32)\n"
            "not raises(lambda: x.mean(), RuntimeError, 'dtype')",
        ),
    ),
)

_NAN = Claim(
    ids=(),
    claim="A cast to int raises, or warns, where it meets NaN.",
    taught="false",
    really="`.long()` and `.to()` do neither: some int comes out, and torch's documentation leaves open which. A list "
    "with NaN in it is refused where a tensor of ints is made of it.",
    why="Python's `int` raises, NumPy's `astype` warns, and pandas raises.",
    checks=(
        Check(
            part="it raises",
            code="raises(lambda: torch.tensor([float('nan')], dtype=torch.int64), Exception)\n"
            "raises(lambda: torch.tensor([float('nan')]).long(), Exception)",
        ),
        Check(
            part="it warns",
            code="warns(lambda: torch.tensor([float('nan')]).long())",
        ),
    ),
)

_WHOLE_FLOATS = Claim(
    ids=(),
    claim="Whole numbers are safe in a float tensor.",
    taught="partly",
    really="As far as the fraction reaches: up to `2**24` in float32, 2048 in float16, 256 in bfloat16. Beyond that "
    "there are gaps.",
    why="Small ones are.",
    checks=(
        Check(
            part="all up to 256, even in bfloat16",
            code="ints = torch.arange(257)\ntorch.equal(ints.bfloat16().long(), ints)",
        ),
        Check(
            part="257 in bfloat16",
            code="torch.tensor([257], dtype=torch.bfloat16).item()\n"
            "torch.tensor([257], dtype=torch.bfloat16).item() == 257",
        ),
        Check(
            part="2049 in float16",
            code="torch.tensor([2049], dtype=torch.float16).item() == 2049",
        ),
        Check(
            part="`2**24 + 1` in float32",
            code="torch.tensor([2**24 + 1], dtype=torch.float32).item() == 2**24 + 1",
        ),
    ),
)

_TWO_HALVES = Claim(
    ids=(),
    claim="float16 and bfloat16 are two names for the same 16 bits; take whichever is there.",
    taught="false",
    really="float16 has three more bits for digits, and ends at 65,504. bfloat16 has nearly the range of float32, "
    "and two or three digits.",
    why="Both take two bytes, and code accepts either.",
    checks=(
        Check(
            part="the same largest value",
            code="torch.finfo(torch.float16).max, torch.finfo(torch.bfloat16).max\n"
            "torch.finfo(torch.float16).max == torch.finfo(torch.bfloat16).max",
        ),
        Check(
            part="the same step after 1",
            code="torch.finfo(torch.float16).eps, torch.finfo(torch.bfloat16).eps\n"
            "torch.finfo(torch.float16).eps == torch.finfo(torch.bfloat16).eps",
        ),
        Check(
            part="70,000 comes out alike",
            code="torch.tensor([70_000.0]).half(), torch.tensor([70_000.0]).bfloat16()\n"
            "torch.tensor([70_000.0]).half().item() == torch.tensor([70_000.0]).bfloat16().item()",
        ),
    ),
)

_EQUAL = Claim(
    ids=(),
    claim="`torch.equal` and `torch.allclose` say False where the dtypes differ.",
    taught="false",
    really="`torch.equal` promotes, and says True. `allclose` raises. `torch.testing.assert_close` is what looks at "
    "the dtype.",
    why="A test of equality should see such a difference.",
    checks=(
        Check(
            part="`equal` on ones of float32 and float64",
            code="torch.equal(torch.ones(2), torch.ones(2, dtype=torch.float64))\n"
            "torch.equal(torch.ones(2), torch.ones(2, dtype=torch.float64)) is False",
        ),
        Check(
            part="`allclose` on them",
            code="a, b = torch.ones(2), torch.ones(2, dtype=torch.float64)\n"
            "torch.allclose(a, b)\n"
            "not raises(lambda: torch.allclose(a, b), RuntimeError) and not torch.allclose(a, b)",
        ),
    ),
)

_RANGE = Claim(
    ids=(),
    claim="bfloat16 reaches about as far as float32.",
    taught="true",
    really="It has as many bits for the exponent. 1e38 and 1e-38 stay what they are, but for their digits; float16 "
    "makes inf and 0 of them. Only the last values of float32, from 3.3962e38 on, become inf.",
    why="It was made as a float32 with the last 16 bits cut off.",
    checks=(
        Check(
            part="large and small numbers stay",
            code="x = torch.tensor([1e38, 1e-38])\n"
            "x.bfloat16(), x.half()\n"
            "torch.tensor([3.3961e38, 3.3962e38]).bfloat16()\n"
            "bool((x.bfloat16().float() / x - 1).abs().max() < 0.01)",
        ),
    ),
)

_SUM = Claim(
    ids=(),
    claim="`sum()` over a uint8 image does not wrap around.",
    taught="true",
    really="It adds bools and small ints in int64. Asked for `dtype=torch.uint8` it wraps. A `sum` of float16 is "
    "float16.",
    why="Whoever has added up an image has seen it.",
    checks=(
        Check(
            part="the sum of a white image",
            code="white = torch.full((10, 10), 255, dtype=torch.uint8)\n"
            "white.sum(), white.sum(dtype=torch.uint8)\n"
            "white.sum().item() == 25_500",
        ),
    ),
)

_TRUE_DIVISION = Claim(
    ids=(),
    claim="`/` between two int tensors gives floats.",
    taught="true",
    really="It divides truly and gives the default dtype. In place it raises: an int tensor cannot hold the result.",
    why="Python's `/` does the same.",
    checks=(
        Check(
            part="7 / 2",
            code="seven, two = torch.tensor([7]), torch.tensor([2])\n"
            "seven / two\n"
            "seven.div_(two)\n"
            "(seven / two).dtype == torch.float32 and (seven / two).item() == 3.5",
        ),
    ),
)

NUMBERS = (
    _SATURATES,
    _SUM,
    _COMPARED,
    _TRUE_DIVISION,
    _FLOORED,
    _MEAN,
    _NAN,
    _WHOLE_FLOATS,
    _TWO_HALVES,
    _RANGE,
    _EQUAL,
)
