"""What people say about the dtype that comes out."""

from __future__ import annotations

from tutor.course.model import Check, Claim

_DEFAULT_FLOATS = Claim(
    ids=("A38", "B06"),
    claim="NumPy's floats are float64 unless you say otherwise, torch's are float32: `torch.tensor([1.0, 2.0])` is "
    "float32.",
    taught="true",
    really="The two defaults differ for floats. For ints they agree on int64.",
    why="Whoever mixes the two libraries meets it in an error message.",
    checks=(
        Check(
            part="NumPy makes float64 of Python floats",
            code="np.zeros(1).dtype\nnp.array([1.0, 2.0]).dtype == np.float64",
        ),
        Check(
            part="torch makes float32 of them",
            code="torch.zeros(1).dtype\ntorch.tensor([1.0, 2.0]).dtype == torch.float32 == torch.get_default_dtype()",
        ),
    ),
)

_FLOAT_IN_LIST = Claim(
    ids=("A41",),
    claim="A list that holds a float becomes a float64 tensor.",
    taught="false",
    really="It becomes the default dtype, float32. float64 comes in only with an item that is float64 itself, "
    "such as an `np.float64`.",
    why="A Python float has 64 bits, and NumPy keeps them all.",
    checks=(
        Check(
            part="a list with a Python float in it becomes float64",
            code="torch.tensor([1, np.float64(2.5)]).dtype\n"
            "torch.tensor([1, 2.5]).dtype\n"
            "torch.tensor([1, 2.5]).dtype == torch.float64",
        ),
    ),
)

_COMMON_TYPE = Claim(
    ids=("A43",),
    claim="Torch looks at every item of a list and takes the common type of int, float and bool.",
    taught="partly",
    really="It looks at every item and takes the common type. But there are more types than three: complex numbers "
    "count, and each NumPy number brings its own dtype. Two dtypes without a common type raise, such as uint16 and "
    "int64.",
    why="With Python's real numbers it is so.",
    checks=(
        Check(
            part="every item counts, the last one too",
            code="torch.tensor([True, 2]).dtype\n"
            "torch.tensor([True, 2, 0.5]).dtype\n"
            "[torch.tensor(x).dtype for x in ([True], [True, 2], [True, 2, 0.5])] "
            "== [torch.bool, torch.int64, torch.float32]",
        ),
        Check(
            part="the items are only told apart as int, float or bool",
            code="torch.tensor([np.int8(1)]).dtype, torch.tensor([1j]).dtype\n"
            "raises(lambda: torch.tensor([np.uint16(1), 2]), RuntimeError, 'Promotion for uint16')\n"
            "torch.tensor([np.int8(1)]).dtype == torch.int64",
        ),
    ),
)

_NONE = Claim(
    ids=(),
    claim="A `None` among floats becomes NaN.",
    taught="false",
    really="It is a RuntimeError: torch finds no dtype for it. A `Decimal` is refused the same way. Put `float('nan')` "
    "where a number is missing.",
    why="pandas does so, and NumPy too if it is told to make floats.",
    checks=(
        Check(
            part="a tensor comes out",
            code="from decimal import Decimal\n"
            "raises(lambda: torch.tensor([0.5, Decimal('1.5')]), RuntimeError, 'Could not infer dtype of')\n"
            "np.array([0.5, None], dtype=float)\n"
            "raises(lambda: torch.tensor([0.5, None]), RuntimeError, 'Could not infer dtype of NoneType')\n"
            "not raises(lambda: torch.tensor([0.5, None]), RuntimeError)",
        ),
    ),
)

_INTS = Claim(
    ids=("A35",),
    claim="Python ints become int64.",
    taught="true",
    really="Small or large, as long as 63 bits and a sign are enough. A larger one raises, unless you name "
    "`torch.uint64`.",
    why="An int64 holds nearly every int that a program uses.",
    checks=(
        Check(
            part="a small int becomes int64, and so does a large one",
            code="torch.tensor([1]).dtype\n"
            "raises(lambda: torch.tensor([2**63]), ValueError, 'Overflow')\n"
            "torch.tensor([2**63], dtype=torch.uint64)\n"
            "torch.tensor([1]).dtype == torch.tensor([2**63 - 1]).dtype == torch.int64",
        ),
    ),
)

_LONG = Claim(
    ids=("A34",),
    claim="Int ids come out wrong unless you write `dtype=torch.long`.",
    taught="false",
    really="`torch.long` is int64, and int64 is what ints become anyway. Both lines make the same tensor.",
    why="It repairs ids that came as floats, and then it is thought to repair all.",
    checks=(
        Check(
            part="with `dtype=torch.long` another tensor comes out",
            code="ids = [3, 1, 2]\n"
            "plain, long = torch.tensor(ids), torch.tensor(ids, dtype=torch.long)\n"
            "plain.dtype, long.dtype\n"
            "plain.dtype != long.dtype or not torch.equal(plain, long)",
        ),
    ),
)

_FLOAT64_REFUSED = Claim(
    ids=("A58", "A59"),
    claim="`from_numpy` refuses float64 arrays, because torch's default float has 32 bits; they must be cast first.",
    taught="false",
    really="It shares them as a float64 tensor; the default dtype plays no part. The float64 is refused later, where "
    "it meets float32 weights.",
    why="The error comes a few lines on, and the cast does cure it.",
    checks=(
        Check(
            part="`from_numpy` raises for a float64 array",
            code="a = np.ones(2)\ntorch.from_numpy(a)\nraises(lambda: torch.from_numpy(a), TypeError)",
        ),
        Check(
            part="without a cast, float64 numbers cannot be in a tensor",
            code="x = torch.from_numpy(np.ones((1, 3)))\n"
            "raises(lambda: torch.nn.Linear(3, 2)(x), RuntimeError, 'same dtype')\n"
            "x.dtype != torch.float64",
        ),
    ),
)

_KNOWN_DTYPES = Claim(
    ids=("A15",),
    claim="`from_numpy` works only for dtypes that torch has too.",
    taught="true",
    really="Unsigned ints are among them. Objects, strings and dates are a TypeError that lists the dtypes it takes; "
    "numbers in foreign byte order are a ValueError.",
    why="The error message lists the dtypes.",
    checks=(
        Check(
            part="a dtype that torch has is taken",
            code="torch.from_numpy(np.ones(2, dtype=np.uint16)).dtype == torch.uint16",
        ),
        Check(
            part="dtypes that torch has not are refused: objects, bytes, text, dates and spans of time",
            code="def refused(kind):\n"
            "    array = np.zeros(1, dtype=kind)\n"
            "    return raises(lambda: torch.from_numpy(array), TypeError, 'The only supported types are')\n"
            "{kind: refused(kind) for kind in ('O', 'S1', 'U1', 'M8[D]', 'm8[D]')}\n"
            "all(refused(kind) for kind in ('O', 'S1', 'U1', 'M8[D]', 'm8[D]'))",
        ),
    ),
)

_FLOAT64_KEPT = Claim(
    ids=("B08",),
    claim="`tensor`, `as_tensor`, `asarray` and `from_numpy` leave a float64 array float64 unless you name a dtype.",
    taught="true",
    really="All four keep it. `torch.Tensor` does not: it makes float32.",
    why="An array brings its dtype along.",
    checks=(
        Check(
            part="the four keep float64",
            code="a = np.ones(2)\n"
            "torch.Tensor(a).dtype\n"
            "four = torch.tensor, torch.as_tensor, torch.asarray, torch.from_numpy\n"
            "all(make(a).dtype == torch.float64 for make in four)",
        ),
    ),
)

_OBJECT_DTYPE = Claim(
    ids=("A50",),
    claim="Torch has a dtype for Python objects, `torch.object`.",
    taught="false",
    really="There is none. An array of objects is refused.",
    why="NumPy has one, and puts into it whatever it cannot place elsewhere.",
    checks=(
        Check(
            part="there is a `torch.object`",
            code="raises(lambda: torch.from_numpy(np.array([None])), TypeError, 'object')\nhasattr(torch, 'object')",
        ),
    ),
)

_GRADIENTS = Claim(
    ids=("B04",),
    claim="With `requires_grad=True` torch records what a tensor goes through, and `backward()` fills in gradients.",
    taught="true",
    really="The recorded operations are walked back, and the gradient is in `.grad`.",
    why="Every introduction begins with it.",
    checks=(
        Check(
            part="the gradient of the sum of squares is twice the numbers",
            code="x = torch.tensor([1.0, 2.0], requires_grad=True)\n"
            "(x**2).sum().backward()\n"
            "x.grad\n"
            "x.grad.tolist() == [2.0, 4.0]",
        ),
    ),
)

_DYNAMIC = Claim(
    ids=("B05",),
    claim="What is recorded follows the Python code as it runs: `if` and loops work, and you can look at every step.",
    taught="true",
    really="The same function is recorded differently for different numbers.",
    why="Frameworks that fix the operations beforehand have made people notice.",
    checks=(
        Check(
            part="an `if` decides what is differentiated",
            code="def f(x):\n"
            "    return x * 2 if x > 0 else x * 3\n"
            "a = torch.tensor(1.0, requires_grad=True)\n"
            "b = torch.tensor(-1.0, requires_grad=True)\n"
            "f(a).backward()\n"
            "f(b).backward()\n"
            "a.grad, b.grad\n"
            "(a.grad, b.grad) == (2, 3)",
        ),
        Check(
            part="a step in between can be looked at",
            code="x = torch.tensor(2.0, requires_grad=True)\n"
            "step = x * 3\n"
            "(step**2).backward()\n"
            "step.item() == 6 and x.grad.item() == 36",
        ),
    ),
)

DTYPES = (
    _DEFAULT_FLOATS,
    _FLOAT_IN_LIST,
    _COMMON_TYPE,
    _NONE,
    _INTS,
    _LONG,
    _FLOAT64_REFUSED,
    _FLOAT64_KEPT,
    _KNOWN_DTYPES,
    _OBJECT_DTYPE,
    _GRADIENTS,
    _DYNAMIC,
)
