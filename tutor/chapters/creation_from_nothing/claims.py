"""The claims that chapter 02 decides: what people say about tensors made without a source."""

from __future__ import annotations

from tutor.chapters.creation_from_nothing.claims_about_time import ABOUT_TIME
from tutor.course.model import Check, Claim

# Bytes that held sevens, given out again. Element 500 lies far from where an allocator keeps notes of its own. All are
# kept, because an allocator may have a hole in which each of them would land again, and never on sevens.
_LEFTOVER = """\
def look():
    used = torch.full((1000,), 7.0)
    del used
    return torch.empty(1000)
looks = [look() for _ in range(50)]
"""

_TENSOR_OF_N = Claim(
    ids=("A09",),
    claim="`torch.Tensor(n)` gives you n numbers that nobody has set.",
    taught="true",
    really="It is `empty` by another name: torch marks it as not written, when asked to mark. With brackets, "
    "`torch.Tensor([n])`, it is one number, n.",
    why="Odd numbers show up in it.",
    checks=(
        Check(
            part="`torch.Tensor(3)` is marked as not written",
            code=(
                "before = torch.are_deterministic_algorithms_enabled()\n"
                "torch.use_deterministic_algorithms(True)\n"
                "marked = torch.Tensor(3)\n"
                "torch.use_deterministic_algorithms(before)\n"
                "marked, torch.Tensor([3])\n"
                "bool(marked.isnan().all())"
            ),
        ),
    ),
)

_RANDOM = Claim(
    ids=("A10",),
    claim="An empty tensor is full of random numbers.",
    taught="partly",
    really=("The numbers are left over, not drawn: used bytes show what was in them, fresh ones zeros."),
    why="Old bytes of other data, read as floats, look like noise.",
    checks=(
        Check(
            part="an empty tensor can hold numbers that nobody wrote into it",
            code=_LEFTOVER + "any(t[500].item() != 0.0 for t in looks)",
        ),
        Check(
            part="they are not what was in the bytes before",
            code=_LEFTOVER + "all(t[500].item() != 7.0 for t in looks)",
        ),
        Check(
            part="drawing them moves the global generator",
            code=(
                "before = torch.get_rng_state()\nx = torch.empty(1000)\nnot torch.equal(before, torch.get_rng_state())"
            ),
        ),
    ),
)

_LIKE = Claim(
    ids=("A31", "A92"),
    claim="`torch.empty_like` has the dtype of its model. It can be told a device, and so can `torch.empty`.",
    taught="true",
    really="It also keeps the order in memory, and does not keep `requires_grad`.",
    why="The name says so, and the documentation lists the argument.",
    checks=(
        Check(
            part="the dtype of the model is kept, whatever it is",
            code=(
                "dtypes = torch.float16, torch.bfloat16, torch.float64, torch.uint8, torch.bool, torch.complex64\n"
                "all(torch.empty_like(torch.ones(2, dtype=d)).dtype == d for d in dtypes)"
            ),
        ),
        Check(
            part="`empty` and `empty_like` go to the device they are told",
            code=(
                "made = torch.empty(2, device='meta'), torch.empty_like(torch.ones(2), device='meta')\n"
                "[t.device.type for t in made]\n"
                "[t.device.type for t in made] == ['meta', 'meta']"
            ),
        ),
    ),
)

_OUT = Claim(
    ids=("A68",),
    claim="Reserve an empty (batch, features) buffer once, and let `torch.bmm` write into it later.",
    taught="partly",
    really=(
        "`out=` writes into a buffer of the very shape of the result, and `bmm` gives three dimensions. A buffer of "
        "two is resized, with a warning. With inputs that require grad it raises, unless under `torch.no_grad()`."
    ),
    why="Reserving ahead sounds as if it worked for any call and any shape.",
    checks=(
        Check(
            part="with `out=` the result lands in a buffer of its own shape",
            code=(
                "a, b = torch.ones(2, 3, 4), torch.ones(2, 4, 5)\n"
                "buffer = torch.empty(2, 3, 5)\n"
                "torch.bmm(a, b, out=buffer).data_ptr() == buffer.data_ptr()"
            ),
        ),
        Check(
            part="a buffer of two dimensions is taken as it is",
            code=(
                "a, b = torch.ones(2, 3, 4), torch.ones(2, 4, 5)\n"
                "not warns(lambda: torch.bmm(a, b, out=torch.empty(2, 5)), 'was resized')"
            ),
        ),
        Check(
            part="it works in training, where inputs require grad",
            code=(
                "a, b = torch.ones(2, 3, 4, requires_grad=True), torch.ones(2, 4, 5)\n"
                "buffer = torch.empty(2, 3, 5)\n"
                "not raises(lambda: torch.bmm(a, b, out=buffer), RuntimeError, 'automatic differentiation')"
            ),
        ),
    ),
)

_FAN = Claim(
    ids=("A69",),
    claim=(
        "For weights write `torch.empty(in_features, out_features)`, then `kaiming_uniform_`: the spread fits the "
        "inputs."
    ),
    taught="partly",
    really="It runs, and nothing warns. But the second size is what counts as the inputs.",
    why="Inputs come first when you think of data flowing through a layer.",
    checks=(
        Check(
            part="it runs without a complaint",
            code="not warns(lambda: torch.nn.init.kaiming_uniform_(torch.empty(512, 64)), '')",
        ),
        Check(
            part="the largest weight is sqrt(6 / inputs)",
            code=(
                "seeded = torch.Generator().manual_seed(0)\n"
                "w = torch.nn.init.kaiming_uniform_(torch.empty(512, 64), generator=seeded)\n"
                "largest = w.abs().max().item()\n"
                "largest, (6 / 512) ** 0.5, (6 / 64) ** 0.5\n"
                "abs(largest - (6 / 512) ** 0.5) < 0.01"
            ),
        ),
    ),
)

_INIT_DTYPE = Claim(
    ids=("A91",),
    claim="The functions of `torch.nn.init` fill a tensor in the dtype it has.",
    taught="true",
    really="They write in place, so the dtype stays, half precision included.",
    why="Their names end in `_`, as those of functions that write in place do.",
    checks=(
        Check(
            part="the dtype stays",
            code=(
                "dtypes = torch.float16, torch.bfloat16, torch.float64\n"
                "fill = torch.nn.init.xavier_uniform_\n"
                "all(fill(torch.empty(64, 32, dtype=d)).dtype == d for d in dtypes)"
            ),
        ),
        Check(
            part="the spread is right in half precision too",
            code=(
                "seeded = torch.Generator().manual_seed(0)\n"
                "w = torch.nn.init.xavier_uniform_(torch.empty(1024, 512, dtype=torch.float16), generator=seeded)\n"
                "bound = (6 / (1024 + 512)) ** 0.5\n"
                "w.abs().max().item(), bound\n"
                "0.98 * bound < w.abs().max().item() < 1.02 * bound"
            ),
        ),
    ),
)

_SEED_OF_ALL = Claim(
    ids=(),
    claim="`torch.manual_seed` makes all random numbers of a program repeat.",
    taught="partly",
    really=("torch's own repeat. NumPy and Python's `random` have generators of their own."),
    why="One line that seeds everything would be handy, and some libraries have one.",
    checks=(
        Check(
            part="torch's numbers repeat",
            code=(
                "def seeded(draw):\n"
                "    torch.manual_seed(7)\n"
                "    return draw()\n"
                "seeded(lambda: torch.rand(1).item()) == seeded(lambda: torch.rand(1).item())"
            ),
        ),
        Check(
            part="NumPy's and Python's numbers repeat too",
            code=(
                "import random\n"
                "def seeded(draw):\n"
                "    torch.manual_seed(7)\n"
                "    return draw()\n"
                "seeded(np.random.rand) == seeded(np.random.rand) and seeded(random.random) == seeded(random.random)"
            ),
        ),
    ),
)

_FULL_LIST = Claim(
    ids=("A72",),
    claim="`torch.full((3, 4), [1, 2, 3])` fails because three numbers do not fit rows of four.",
    taught="partly",
    really=("It fails because a list is no number: four numbers fail too. `np.full` takes the four."),
    why="NumPy gives an error about shapes for the same line.",
    checks=(
        Check(
            part="it fails",
            code="raises(lambda: torch.full((3, 4), [1, 2, 3]), TypeError)",
        ),
        Check(
            part="four numbers, which fit, do not fail",
            code=(
                "np.full((3, 4), [1, 2, 3, 4]).shape\n"
                "not raises(lambda: torch.full((3, 4), [1, 2, 3, 4]), TypeError, 'must be Number')"
            ),
        ),
    ),
)

_FULL_INT = Claim(
    ids=("A73",),
    claim="`torch.full((3, 4), 1)` needs no dtype.",
    taught="true",
    really="The fill value decides: an int gives int64, `True` gives bool, `1.0` the default float.",
    why="It works, and the dtype shows only when you ask for it.",
    checks=(
        Check(
            part="it works, and the dtype follows the value",
            code=(
                "[torch.full((3, 4), value).dtype for value in (1, True, 1.0)]\n"
                "[torch.full((3, 4), value).dtype for value in (1, True)] == [torch.int64, torch.bool]"
            ),
        ),
    ),
)

_FULL_MEMSET = Claim(
    ids=("A71",),
    claim="On a GPU `torch.full((3, 4), 3.14)` is a memset.",
    taught="false",
    really="A memset repeats one byte. The four bytes of 3.14 differ, so it should take a kernel.",
    why="Zeros can be set that way, and filling sounds like the same job.",
    checks=(
        Check(
            part="the four bytes of 3.14 in float32 are equal, so that a memset can write them",
            code=(
                "four = torch.full((1,), 3.14).view(torch.uint8).tolist()\n"
                "[hex(byte) for byte in four]\n"
                "len(set(four)) == 1"
            ),
        ),
        Check(
            part="a memset runs on the GPU",
            code=(
                "from torch.profiler import ProfilerActivity, profile\n"
                "x = torch.zeros(1, device='cuda')\n"
                "with profile(activities=[ProfilerActivity.CUDA]) as seen:\n"
                "    x = torch.full((3, 4), 3.14, device='cuda')\n"
                "    torch.cuda.synchronize()\n"
                "names = [event.name for event in seen.events()]\n"
                "names\n"
                "any('memset' in name.lower() for name in names)"
            ),
            isolated=True,  # on Linux the profiler announces itself on standard error
        ),
    ),
    needs=("cuda",),
)

_FIRST_EYE = Claim(
    ids=("A75",),
    claim="`torch.eye` is slow on its first call on a GPU, since making an identity matrix is costly there.",
    taught="partly",
    really=(
        "The first call of any kind on a GPU sets the device up. After a first `torch.empty`, `eye` should have "
        "little left to pay."
    ),
    why="Whoever times the first line of a script blames that line.",
    checks=(
        Check(
            part="the first `eye` in a new process takes ten times as long as the second, or more",
            code=(
                "from time import perf_counter\n"
                "def seconds():\n"
                "    start = perf_counter()\n"
                "    torch.eye(1000, device='cuda')\n"
                "    torch.cuda.synchronize()\n"
                "    return perf_counter() - start\n"
                "first, second = seconds(), seconds()\n"
                "first, second\n"
                "first > 10 * second"
            ),
            isolated=True,
        ),
        Check(
            part="it still pays most of that when another call came first",
            code=(
                "from time import perf_counter\n"
                "def seconds(make):\n"
                "    start = perf_counter()\n"
                "    make()\n"
                "    torch.cuda.synchronize()\n"
                "    return perf_counter() - start\n"
                "empty = seconds(lambda: torch.empty(1, device='cuda'))\n"
                "eye = seconds(lambda: torch.eye(1000, device='cuda'))\n"
                "empty, eye\n"
                "eye > empty"
            ),
            isolated=True,
        ),
    ),
    needs=("cuda",),
)

CLAIMS = (
    _TENSOR_OF_N,
    _RANDOM,
    *ABOUT_TIME,
    _OUT,
    _FULL_INT,
    _FULL_LIST,
    _LIKE,
    _SEED_OF_ALL,
    _FAN,
    _INIT_DTYPE,
    _FULL_MEMSET,
    _FIRST_EYE,
)
