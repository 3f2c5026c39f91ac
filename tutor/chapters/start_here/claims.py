"""The claims that chapter 00 decides."""

from __future__ import annotations

from tutor.course.model import Check, Claim

_THREE_INTS = Claim(
    ids=("A42",),
    claim="A tensor of three Python ints takes 3 × 8 = 24 bytes.",
    taught="true",
    really="The ints become int64. Three elements of 8 bytes take 24, and torch asks for no more.",
    why="People multiply the number of elements by the item size, and that is all there is to it.",
    checks=(
        Check(part="each int takes 8 bytes", code="t = torch.tensor([1, 2, 3])\nt.dtype\nt.element_size() == 8"),
        Check(
            part="the three take 24 bytes",
            code="t = torch.tensor([1, 2, 3])\n"
            "t.nbytes, t.untyped_storage().nbytes()\n"
            "t.nbytes == t.untyped_storage().nbytes() == 24",
        ),
    ),
)

_ONE_SIZE = Claim(
    ids=(),
    claim="Every number in a tensor takes 4 bytes.",
    taught="false",
    really="The dtype decides: 1 byte for bool, 2 for bfloat16, 4 for float32, 8 for int64, 16 for complex128.",
    why="float32 is torch's default for numbers with a point, and its item size is 4.",
    checks=(
        Check(
            part="every dtype has an item size of 4",
            code="dtypes = torch.bool, torch.bfloat16, torch.float32, torch.int64, torch.complex128\n"
            "sizes = [dtype.itemsize for dtype in dtypes]\n"
            "sizes\n"
            "set(sizes) == {4}",
        ),
    ),
)

_NUMPY = Claim(
    ids=("B11",),
    claim="NumPy works on the CPU only.",
    taught="true",
    really="An array says that its device is the CPU, and NumPy refuses to move it to another.",
    why="Whoever looks for a `.cuda()` of an array finds none.",
    checks=(
        Check(
            part="an array lives on the CPU",
            code="cpu = torch.utils.dlpack.DLDeviceType.kDLCPU\nnp.ones(2).__dlpack_device__()[0] == cpu",
        ),
        Check(
            part="it cannot be moved elsewhere",
            code="a = np.ones(2)\n"
            "hasattr(a, 'cuda'), hasattr(a, 'to')\n"
            # `to_device` came with NumPy 2, and takes the CPU alone.
            "not hasattr(a, 'cuda') and raises(lambda: a.to_device('cuda'), (ValueError, AttributeError))",
        ),
    ),
)

_FROM_NUMPY = Claim(
    ids=("A55",),
    claim="A tensor made by `torch.from_numpy` lives on the CPU. Putting it on a GPU is a step of its own.",
    taught="true",
    really="It begins at the array's own address, in the CPU's memory, and `from_numpy` takes no device.",
    why="Whoever looks for a `device=` of `from_numpy` finds none.",
    checks=(
        Check(
            part="the tensor is on the CPU, at the address of the array",
            code="a = np.ones(2)\n"
            "t = torch.from_numpy(a)\n"
            "t.device\n"
            "t.device.type == 'cpu' and t.data_ptr() == a.ctypes.data",
        ),
        Check(
            part="`from_numpy` cannot be asked for a device",
            code="a = np.ones(2)\n"
            "raises(lambda: torch.from_numpy(a, device='cpu'), TypeError, 'takes no keyword arguments')",
        ),
    ),
)

CLAIMS = (_THREE_INTS, _ONE_SIZE, _NUMPY, _FROM_NUMPY)
