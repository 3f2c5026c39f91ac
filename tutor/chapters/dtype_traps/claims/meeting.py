"""What people say about dtypes that meet: in sums, in layers, in helpers."""

from __future__ import annotations

from tutor.course.model import Check, Claim

_EMBEDDING = Claim(
    ids=("A33",),
    claim="int64 ids that go into an embedding of float32 are promoted, lose digits and end as NaN.",
    taught="false",
    really="An embedding looks up rows, and wants int64 or int32 for that. What comes out is the rows themselves, bit "
    "for bit. Float ids it refuses.",
    why="Ids and weights go into one call, and elsewhere two dtypes in one call are promoted.",
    checks=(
        Check(
            part="the ids are promoted to float",
            code="layer = torch.nn.Embedding(10, 4)\n"
            "ids = torch.tensor([1, 2, 3])\n"
            "layer(ids.float())\n"
            "not raises(lambda: layer(ids.float()), RuntimeError, 'Long, Int')",
        ),
        Check(
            part="digits are lost",
            code="layer = torch.nn.Embedding(10, 4)\n"
            "ids = torch.tensor([1, 2, 3])\n"
            "not torch.equal(layer(ids), layer.weight[ids])",
        ),
        Check(
            part="NaN comes out",
            code="layer = torch.nn.Embedding(10, 4)\nbool(layer(torch.tensor([1, 2, 3])).isnan().any())",
        ),
    ),
)

_MESSAGE = Claim(
    ids=("A93",),
    claim="A layer that gets the wrong dtype says `expected scalar type Float but found Long`.",
    taught="partly",
    really="Each operation has its own words, and they change with the release. Batched matrix products still say it "
    "so; `Linear` and `Conv2d` name both dtypes in other words.",
    why="It was the common wording for years, and most questions on the web quote it.",
    checks=(
        Check(
            part="a batched matrix product says so",
            code="floats, ints = torch.ones(1, 2, 3), torch.ones(1, 3, 2, dtype=torch.int64)\n"
            "floats @ ints\n"
            "raises(lambda: floats @ ints, RuntimeError, 'expected scalar type Float but found Long')",
        ),
        Check(
            part="a linear layer says so",
            code="layer, ints = torch.nn.Linear(3, 2), torch.ones(1, 3, dtype=torch.int64)\n"
            "layer(ints)\n"
            "raises(lambda: layer(ints), RuntimeError, 'expected scalar type')",
        ),
        Check(
            part="a convolution with a bias says so",
            code="layer, ints = torch.nn.Conv2d(3, 2, 1), torch.ones(1, 3, 2, 2, dtype=torch.int64)\n"
            "layer(ints)\n"
            "raises(lambda: layer(ints), RuntimeError, 'expected scalar type')",
        ),
    ),
)

_HELPER = "def to_tensor(data, dtype):\n    return torch.tensor(data).to(dtype)\n"

_CAST_LATER = Claim(
    ids=("A112",),
    claim="A helper may make a tensor of a list first, and cast it to the dtype that was asked for: the data then have "
    "that dtype's precision.",
    taught="false",
    really="A list with a float in it is rounded to float32 before the cast sees it, and no cast brings the digits "
    "back. `torch.tensor(data, dtype=dtype)` rounds once.",
    why="The dtype that comes out is the right one.",
    checks=(
        Check(
            part="0.1 as float64 is the float64 nearest to 0.1",
            code=_HELPER + "to_tensor([0.1], torch.float64).item()\n"
            "torch.tensor([0.1], dtype=torch.float64).item()\n"
            "to_tensor([0.1], torch.float64).item() == 0.1",
        ),
        Check(
            part="a time stamp keeps its half second",
            code=_HELPER + "to_tensor([1_700_000_000.5], torch.float64).item()\n"
            "to_tensor([1_700_000_000.5], torch.float64).item() == 1_700_000_000.5",
        ),
        Check(
            part="an id beside a float stays the id",
            code=_HELPER + "to_tensor([16_777_217, 0.5], torch.int64)[0]\n"
            "to_tensor([16_777_217, 0.5], torch.int64)[0].item() == 16_777_217",
        ),
    ),
)

_LEFT_OVER = Claim(
    ids=("B09",),
    claim="A float64 that was left over from NumPy does no harm but to take longer on a GPU.",
    taught="partly",
    really="In sums and products it goes on unnoticed, and doubles the bytes of the float32 tensors it meets. At "
    "the first float32 linear layer it is an error.",
    why="GPUs are made for float32 and less, so the time is what is talked of.",
    checks=(
        Check(
            part="it goes on unnoticed through elementwise operations",
            code="x = torch.ones(2) * torch.from_numpy(np.ones(2)) + 1\nx.dtype, x.nbytes\nx.dtype == torch.float64",
        ),
        Check(
            part="a float32 layer takes it",
            code="layer, x = torch.nn.Linear(3, 2), torch.from_numpy(np.ones((1, 3)))\n"
            "layer(x)\n"
            "not raises(lambda: layer(x), RuntimeError, 'Double and Float')",
        ),
    ),
)

_PRINTED = Claim(
    ids=("B19",),
    claim="Fill an array of NumPy's random numbers with 999, and the tensor on its bytes prints as "
    "`tensor([999., 999., 999.])`.",
    taught="partly",
    really="The numbers are so. But NumPy's random numbers are float64, and torch prints a float dtype that is "
    "not its default.",
    why="A float32 tensor prints so, and that is what one expects.",
    checks=(
        Check(
            part="all numbers are 999",
            code="array = np.random.default_rng(0).random(3)\n"
            "t = torch.from_numpy(array)\n"
            "array[:] = 999\n"
            "t.tolist() == [999.0, 999.0, 999.0]",
        ),
        Check(
            part="it prints without a dtype",
            code="t = torch.from_numpy(np.random.default_rng(0).random(3))\n"
            "_ = t.fill_(999)\n"
            "t\n"
            "repr(t) == 'tensor([999., 999., 999.])'",
        ),
    ),
)

_ZERO_DIM = Claim(
    ids=(),
    claim="A tensor without dimensions promotes like one with a single element.",
    taught="false",
    really="Beside a tensor with dimensions a 0-d tensor counts like a Python number: it changes the dtype only if it "
    "is of a higher kind. `[0.5]` counts in full.",
    why="Both hold one number, and both are broadcast.",
    checks=(
        Check(
            part="float32 times a 0-d float64 is float64",
            code="(torch.ones(2) * torch.tensor(0.5, dtype=torch.float64)).dtype == torch.float64",
        ),
        Check(
            part="uint8 plus a 0-d int64 is int64",
            code="pixel, number = torch.tensor([200], dtype=torch.uint8), torch.tensor(100)\n"
            "pixel + number, pixel + number[None]\n"
            "(pixel + number).dtype == torch.int64",
        ),
    ),
)

_PYTHON_FLOAT = Claim(
    ids=(),
    claim="A Python float has 64 bits, and still a float32 or float16 tensor keeps its dtype beside one.",
    taught="true",
    really="A number counts by its kind alone, and the kind is float already.",
    why="Code is full of `x * 0.5`, and stays in float32.",
    checks=(
        Check(
            part="in a product",
            code="(torch.ones(2) * 0.5).dtype, (torch.ones(2).half() * 0.5).dtype\n"
            "(torch.ones(2) * 0.5).dtype == torch.float32 and (torch.ones(2).half() * 0.5).dtype == torch.float16",
        ),
    ),
)

_NUMPY_NUMBER = Claim(
    ids=(),
    claim="An `np.float64` number turns a float32 tensor that it meets into float64.",
    taught="false",
    really="In arithmetic it counts like a Python number, and the tensor stays float32. In a list it counts in full: "
    "`torch.tensor([np.float64(1)])` is float64.",
    why="NumPy 2 does so with its own arrays.",
    checks=(
        Check(
            part="in a product, from either side",
            code="x = torch.ones(2)\n"
            "x * np.float64(0.5), np.float64(0.5) * x\n"
            "(x * np.float64(0.5)).dtype == torch.float64 or (np.float64(0.5) * x).dtype == torch.float64",
        ),
    ),
)

_HOLDS_BOTH = Claim(
    ids=(),
    claim="Promotion finds a dtype that holds the values of both.",
    taught="false",
    really="Among int32 and int64 it does. Between an int and a float tensor the float's dtype is taken, however "
    "narrow: 2049 in float16 is 2048, 16,777,217 in float32 is 16,777,216.",
    why="NumPy's rule is nearly that: int64 and float16 give float64 there.",
    checks=(
        Check(
            part="int64 and float16",
            code="count, zero = torch.tensor([2049]), torch.zeros(1, dtype=torch.float16)\n"
            "count + zero\n"
            "(count + zero).item() == 2049",
        ),
        Check(
            part="int64 and float32: two different ids are told apart",
            code="torch.tensor([16_777_217]) == torch.tensor([16_777_216.0])\n"
            "not (torch.tensor([16_777_217]) == torch.tensor([16_777_216.0])).item()",
        ),
    ),
)

_IN_PLACE = Claim(
    ids=(),
    claim="`x += y` does what `x = x + y` does, and saves memory.",
    taught="false",
    really="An operation in place keeps the dtype of `x`. A float64 is rounded into a float32 tensor, and an int "
    "tensor refuses a float.",
    why="In Python's own arithmetic the two give the same number.",
    checks=(
        Check(
            part="the dtypes are the same",
            code="x, y = torch.ones(2), torch.ones(2, dtype=torch.float64)\n"
            "(x + y).dtype, x.add_(y).dtype\n"
            "(torch.ones(2) + y).dtype == torch.ones(2).add_(y).dtype",
        ),
        Check(
            part="ints may be added to a float",
            code="ids = torch.tensor([1, 2])\n"
            "ids + 0.5\n"
            "ids.add_(0.5)\n"
            "not raises(lambda: ids.add_(0.5), RuntimeError)",
        ),
    ),
)

MEETING = (
    _EMBEDDING,
    _MESSAGE,
    _CAST_LATER,
    _LEFT_OVER,
    _PRINTED,
    _ZERO_DIM,
    _PYTHON_FLOAT,
    _NUMPY_NUMBER,
    _HOLDS_BOTH,
    _IN_PLACE,
)
