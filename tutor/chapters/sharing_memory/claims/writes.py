"""What people say about writes to shared bytes, and about autograd that looks on."""

from __future__ import annotations

from tutor.course.model import Check, Claim

_BOTH_WAYS = Claim(
    ids=("A11", "A57", "B17"),
    claim="`from_numpy` and `.numpy()` copy nothing: a write on either side is seen on the other.",
    taught="true",
    really="Both lay a second object on the same bytes. `np.array(t)` copies; `np.asarray(t)` does not.",
    why="The documentation of both says so.",
    checks=(
        Check(
            part="a write to the array is seen in the tensor",
            code=(
                "a = np.array([1, 2, 3], dtype=np.float32)\nt = torch.from_numpy(a)\na[0] = 999\nt\nt[0].item() == 999"
            ),
        ),
        Check(
            part="a write to the tensor is seen in the array",
            code="a = np.zeros(3)\nt = torch.from_numpy(a)\nt[1] = -1\na\nbool(a[1] == -1)",
        ),
        Check(
            part="`.numpy()` shares too",
            code="t = torch.ones(3)\nshares(np.array(t), t)\nshares(t.numpy(), t) and shares(np.asarray(t), t)",
        ),
    ),
)

_ARRAY_CHANGES_TENSOR = Claim(
    ids=("B18",),
    claim="After `from_numpy`, changing the original array changes the tensor, and you need not care.",
    taught="partly",
    really=(
        "It changes, and autograd does not notice. Between forward and backward such a write makes a wrong gradient, "
        "and no error."
    ),
    why="Sharing is sold as saving a copy, and most code writes only before it starts.",
    checks=(
        Check(
            part="the tensor changes",
            code="a = np.zeros(3)\nt = torch.from_numpy(a)\na += 1\nt\nt[0].item() == 1",
        ),
        Check(
            part="the gradient stays right",
            code=(
                "a = np.full(1, 10.0)\n"
                "w = torch.from_numpy(a)\n"
                "x = torch.ones(1, dtype=torch.float64, requires_grad=True)\n"
                "loss = (x * w).sum()\n"
                "a[:] = 100\n"
                "w._version\n"
                "loss.backward()\n"
                "x.grad\n"
                "x.grad.item() == 10"
            ),
        ),
    ),
)

_REBINDING = Claim(
    ids=(),
    claim="After `t = torch.from_numpy(array)`, adding to the array leaves the tensor as it was.",
    taught="partly",
    really="`array = array + 1` makes a new array, and the tensor stays. `array += 1` writes, and the tensor follows.",
    why="A tutorial shows the first line, and the output looks like proof.",
    checks=(
        Check(
            part="`array = array + 1` leaves it",
            code="a = np.zeros(3)\nt = torch.from_numpy(a)\na = a + 1\nt\nt[0].item() == 0",
        ),
        Check(
            part="`array += 1` leaves it",
            code="a = np.zeros(3)\nt = torch.from_numpy(a)\na += 1\nt\nt[0].item() == 0",
        ),
    ),
)

_INDEPENDENT = Claim(
    ids=("B22",),
    claim="`torch.tensor(array)` is on its own: after `array[0] = 99` it still holds the old number.",
    taught="true",
    really="It has copied. No later write reaches it.",
    why="Its documentation says that it always copies.",
    checks=(
        Check(
            part="a later write does not reach it",
            code="a = np.array([1, 2, 3])\nt = torch.tensor(a)\na[0] = 99\nt\nt.tolist() == [1, 2, 3]",
        ),
    ),
)

_FLOAT = Claim(
    ids=("B10",),
    claim="The best way from an array to a float32 tensor is `torch.from_numpy(x).float()`.",
    taught="partly",
    really=(
        "As a cast it is fine. But float64 is copied and float32 is not, so it depends on the input whether a write in "
        "place reaches the array."
    ),
    why="It is short, and the dtype comes out right.",
    checks=(
        Check(
            part="float32 comes out",
            code="[torch.from_numpy(np.ones(2, d)).float().dtype for d in ('f4', 'f8', 'i8')]\n"
            "all(torch.from_numpy(np.ones(2, d)).float().dtype == torch.float32 for d in ('f4', 'f8', 'i8'))",
        ),
        Check(
            part="whether it shares does not depend on the input",
            code=(
                "found = {d: shares(torch.from_numpy(a := np.ones(2, d)).float(), a) for d in ('f4', 'f8')}\n"
                "found\n"
                "len(set(found.values())) == 1"
            ),
        ),
    ),
)

_FAST_IMAGE = Claim(
    ids=("A81",),
    claim="In a fast image pipeline `torch.from_numpy(np.transpose(image, (2, 0, 1)))` copies nothing.",
    taught="true",
    really="Neither step does. The tensor lies on the image's bytes, in the image's order.",
    why="`from_numpy` shares, and `transpose` only looks at the array in another way.",
    checks=(
        Check(
            part="the tensor shares the image's bytes",
            code=(
                "image = np.zeros((4, 5, 3), np.float32)\n"
                "t = torch.from_numpy(np.transpose(image, (2, 0, 1)))\n"
                "t.shape, t.stride()\n"
                "shares(t, image)"
            ),
        ),
    ),
)

_IN_PLACE = Claim(
    ids=("A85",),
    claim="`div_` works in place, and so saves a buffer.",
    taught="true",
    really="It writes over its input. So everybody who shares the bytes gets the quotients too.",
    why="The underscore at the end says so.",
    checks=(
        Check(
            part="the result lies where the input lay",
            code="t = torch.ones(3)\nother = t[1:]\naddress = t.data_ptr()\nt.div_(2).data_ptr() == address",
        ),
    ),
)

_MUST_DETACH = Claim(
    ids=("B26",),
    claim="A tensor that requires a gradient must be detached before `.numpy()`.",
    taught="true",
    really="Else it raises. Under `no_grad` it does not, and `numpy(force=True)` detaches for you. All of them share.",
    why="The error message says so.",
    checks=(
        Check(
            part="without it `.numpy()` raises",
            code=(
                "y = torch.ones(1, requires_grad=True) * 2\n"
                "shares(y.detach().numpy(), y), shares(y.numpy(force=True), y)\n"
                "with torch.no_grad():\n"
                "    allowed = y.numpy()\n"
                "shares(allowed, y)\n"
                'raises(lambda: y.numpy(), RuntimeError, "Can\'t call numpy() on Tensor that requires grad")'
            ),
        ),
    ),
)

_SAFE_DETACH = Claim(
    ids=("B27",),
    claim="`y.detach().numpy()` is the right and safe way to take the numbers out.",
    taught="partly",
    really="It reads the right numbers and shares the bytes. A write into the array makes the gradient wrong.",
    why="It ends the error message, and `detach` sounds like the end of all ties.",
    checks=(
        Check(
            part="it gives the numbers",
            code=(
                "x = torch.ones(1, requires_grad=True)\ny = x * 2\ny.detach().numpy()\n"
                "y.detach().numpy().tolist() == [2.0]"
            ),
        ),
        Check(
            part="a write into the array leaves the gradient right",
            code=(
                "x = torch.zeros(1, requires_grad=True)\n"
                "y = x.exp()\n"
                "y.detach().numpy()[0] = 1000\n"
                "y.backward()\n"
                "x.grad\n"
                "x.grad.item() == 1"
            ),
        ),
    ),
)

_EXPANDED = Claim(
    ids=(),
    claim="torch refuses in-place writes to an expanded tensor.",
    taught="partly",
    really="Most it refuses. `fill_`, `zero_` and a write to a single element are among those it lets through.",
    why="The first one somebody tries is `+=`, and it raises.",
    checks=(
        Check(
            part="`+=` and `copy_` raise",
            code=(
                "e = torch.zeros(3, 1).expand(3, 4)\n"
                "told = 'refers to a single memory location'\n"
                "raises(lambda: e.add_(1), RuntimeError, told) and "
                "raises(lambda: e.copy_(torch.ones(3, 4)), RuntimeError, told)"
            ),
        ),
        Check(
            part="a write to one element raises",
            code="e = torch.zeros(3, 1).expand(3, 4)\ne[0, 0] = 7\ne\ne.sum().item() == 0",
        ),
        Check(
            part="`fill_` and `zero_` raise",
            code="e = torch.ones(3, 1).expand(3, 4)\ne.fill_(2)\ne.zero_()\ne.sum().item() == 12",
        ),
    ),
)

WRITES = (
    _BOTH_WAYS,
    _ARRAY_CHANGES_TENSOR,
    _REBINDING,
    _INDEPENDENT,
    _FLOAT,
    _FAST_IMAGE,
    _IN_PLACE,
    _MUST_DETACH,
    _SAFE_DETACH,
    _EXPANDED,
)
