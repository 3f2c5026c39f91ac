"""What people say about the constructors themselves: who copies, who shares, and what `Tensor` is."""

from __future__ import annotations

from tutor.course.model import Check, Claim

_ALL_DIFFER = Claim(
    ids=("A04",),
    claim="`tensor`, `Tensor`, `asarray` and `from_numpy` look alike and do four different things to an array.",
    taught="partly",
    really="Given a float32 array, three of the four share its bytes, and so does `as_tensor`. Only `torch.tensor` "
    "copies.",
    why="Each has a page of its own in the documentation, and on a float64 array `Tensor` does differ.",
    checks=(
        Check(
            part="`torch.tensor` treats the array's bytes in a way of its own",
            code="a = np.ones(3, dtype=np.float32)\nshares(torch.tensor(a), a)\nshares(torch.tensor(a), a) is False",
        ),
        Check(
            part="the other three differ among each other",
            code="a = np.ones(3, dtype=np.float32)\n"
            "found = [shares(make(a), a) for make in (torch.Tensor, torch.asarray, torch.from_numpy)]\n"
            "found\n"
            "len(set(found)) > 1",
        ),
    ),
)

_TENSOR_COPIES = Claim(
    ids=("A05",),
    claim="`torch.tensor` always makes new bytes, even from an array that has the right dtype already.",
    taught="true",
    really="It copies arrays and tensors alike. Given a tensor it also warns, and names `detach().clone()` instead.",
    why="Its documentation says that it always copies.",
    checks=(
        Check(
            part="an array is copied",
            code="a = np.ones(3, dtype=np.float32)\nt = torch.tensor(a)\na[0] = 9\nt\nt[0].item() == 1",
        ),
        Check(
            part="a tensor is copied",
            code="x = torch.ones(3)\n"
            "warns(lambda: torch.tensor(x), 'To copy construct from a tensor')\n"
            "torch.tensor(x).data_ptr() != x.data_ptr()",
        ),
    ),
)

_ELEMENT_BY_ELEMENT = Claim(
    ids=("A06",),
    claim="The copy that `torch.tensor` makes goes element by element.",
    taught="partly",
    really="A sequence is asked for item after item. An array is copied as a whole: nobody asks it for an item.",
    why="On a long list the time gives it away.",
    checks=(
        Check(
            part="a sequence is asked for every item",
            code="asked = []\n"
            "class Numbers:\n"
            "    def __len__(self):\n"
            "        return 3\n"
            "    def __getitem__(self, i):\n"
            "        asked.append(i)\n"
            "        return [7, 8, 9][i]\n"
            "torch.tensor(Numbers())\n"
            "set(asked) >= {0, 1, 2}",
        ),
        Check(
            part="so is an array",
            code="asked = []\n"
            "class Array(np.ndarray):\n"
            "    def __getitem__(self, i):\n"
            "        asked.append(i)\n"
            "        return super().__getitem__(i)\n"
            "    def __iter__(self):\n"
            "        asked.append('all')\n"
            "        return super().__iter__()\n"
            "torch.tensor(np.ones(3).view(Array))\n"
            "asked\n"
            "len(asked) > 0",
        ),
    ),
)

_FLOAT_TENSOR = Claim(
    ids=("A07",),
    claim="`torch.Tensor` is another name for `torch.FloatTensor`.",
    taught="partly",
    really="They are two classes. As long as the default dtype is float32 both make float32 tensors; "
    "`torch.Tensor` follows the default dtype, `torch.FloatTensor` stays float32.",
    why="The documentation calls it an alias for the default tensor type, and that is FloatTensor to begin with.",
    checks=(
        Check(
            part="they are one class",
            code="torch.Tensor is torch.FloatTensor",
        ),
        Check(
            part="both make a float32 tensor of a list",
            code="torch.Tensor([1, 2]).dtype, torch.FloatTensor([1, 2]).dtype\n"
            "torch.Tensor([1, 2]).dtype == torch.FloatTensor([1, 2]).dtype == torch.float32",
        ),
        Check(
            part="they stay alike under another default dtype",
            code="before = torch.get_default_dtype()\n"
            "torch.set_default_dtype(torch.float64)\n"
            "found = torch.Tensor(2).dtype, torch.FloatTensor(2).dtype\n"
            "torch.set_default_dtype(before)\n"
            "found\n"
            "found[0] == found[1]",
        ),
    ),
)

_TENSOR_TAKES_SHAPES = Claim(
    ids=("A08",),
    claim="`torch.Tensor` takes the shape as a tuple, and no data.",
    taught="false",
    really="A tuple is data: `torch.Tensor((2, 3))` holds 2 and 3. A shape comes as separate ints or as a "
    "`torch.Size`.",
    why="`torch.Tensor(2, 3)` does take a shape, and `torch.zeros((2, 3))` takes it as a tuple.",
    checks=(
        Check(
            part="a tuple is a shape",
            code="torch.Tensor(2, 3).shape\ntorch.Tensor((2, 3))\ntorch.Tensor((2, 3)).shape == (2, 3)",
        ),
        Check(
            part="it takes no data",
            code="torch.Tensor([1, 2, 3])\nraises(lambda: torch.Tensor([1, 2, 3]), TypeError)",
        ),
    ),
)

_BACKWARD = Claim(
    ids=("A01",),
    claim="Tensors from `torch.tensor` and from `torch.Tensor` behave differently in `backward()`.",
    taught="partly",
    really="The dtype makes the difference. From ints, `torch.tensor` gives int64, which cannot require a gradient. "
    "From floats both give the same gradient.",
    why="With a list of ints one works and the other raises.",
    checks=(
        Check(
            part="made from ints, one can require a gradient and the other cannot",
            code="torch.Tensor([1, 2]).requires_grad_()\n"
            "raises(lambda: torch.tensor([1, 2]).requires_grad_(), RuntimeError, 'floating point')",
        ),
        Check(
            part="made from floats, they get different gradients",
            code="a = torch.tensor([1.0, 2.0]).requires_grad_()\n"
            "b = torch.Tensor([1.0, 2.0]).requires_grad_()\n"
            "(a**2).sum().backward()\n"
            "(b**2).sum().backward()\n"
            "a.grad, b.grad\n"
            "not torch.equal(a.grad, b.grad)",
        ),
    ),
)

_AS_TENSOR = Claim(
    ids=("A45",),
    claim="`as_tensor` uses an array as it is, without touching its elements.",
    taught="true",
    really="The tensor begins at the array's own address. Only another dtype or device makes it copy.",
    why="Its documentation promises to share where that is possible.",
    checks=(
        Check(
            part="the tensor shares the array's bytes",
            code="a = np.ones(4, dtype=np.float32)\n"
            "shares(torch.as_tensor(a, dtype=torch.float64), a)\n"
            "shares(torch.as_tensor(a), a)",
        ),
    ),
)

_ASARRAY_TENSOR = Claim(
    ids=("A17",),
    claim="`asarray` gives back a tensor it is given, without a copy.",
    taught="true",
    really="It is the very same object. `copy=True` makes another.",
    why="Its documentation says that it shares memory with a tensor.",
    checks=(
        Check(
            part="it is the same object",
            code="t = torch.ones(2)\ntorch.asarray(t, copy=True) is t\ntorch.asarray(t) is t",
        ),
    ),
)

_ASARRAY_ARRAY = Claim(
    ids=("A18",),
    claim="`asarray` shares an array's bytes as `from_numpy` does, where it can.",
    taught="partly",
    really="Arrays with gaps included. But it copies an array without dimensions, which `from_numpy` shares, and there "
    "even `copy=False` copies. Elsewhere `copy=False` turns a copy into an error. An array that runs backwards is "
    "refused even with `copy=True`.",
    why="Its documentation names NumPy arrays among the things it shares.",
    checks=(
        Check(
            part="a whole array is shared",
            code="a = np.ones((2, 3))\nshares(torch.asarray(a), a)",
        ),
        Check(
            part="an array with gaps is shared",
            code="a = np.ones((2, 3))\n"
            'raises(lambda: torch.asarray(a, dtype=torch.float32, copy=False), ValueError, "can\'t alias")\n'
            "raises(lambda: torch.asarray(a[::-1], copy=True), ValueError, 'negative')\n"
            "shares(torch.asarray(a[:, ::2]), a)",
        ),
        Check(
            part="an array without dimensions is shared",
            code="a = np.array(1.5)\n"
            "shares(torch.from_numpy(a), a)\n"
            "shares(torch.asarray(a, copy=False), a)\n"
            "shares(torch.asarray(a), a)",
        ),
    ),
)

_ASARRAY_FALLS_BACK = Claim(
    ids=("A19",),
    claim="For plain Python data `asarray` does what `torch.tensor` does.",
    taught="partly",
    really="For lists and tuples, yes. The bytes of an `array.array` are shared. Unless you name a dtype, torch up to "
    "2.14 reads them as its default float, and from 2.15 on as what the array says they are: `i` is int32. "
    "`torch.tensor` takes item after item, and ints become int64.",
    why="With lists, which most people try, the two agree.",
    checks=(
        Check(
            part="from a list both make the same tensor",
            code="torch.equal(torch.asarray([1, 2, 3]), torch.tensor([1, 2, 3]))",
        ),
        Check(
            part="from an `array.array` of ints both make the same tensor",
            code="from array import array\n"
            "numbers = array('i', [1, 2, 3])\n"
            "a, t = torch.asarray(numbers), torch.tensor(numbers)\n"
            "a\n"
            "t\n"
            "a.dtype == t.dtype and torch.equal(a, t)",
        ),
    ),
)

_CONSTANT_BYTES = Claim(
    ids=(),
    claim="`torch.frombuffer` copies `bytes`, because Python's `bytes` must never change.",
    taught="false",
    really="It shares them too, and only warns: the given buffer is not writable. A write to the tensor would change "
    "what must never change. Give it `bytearray(message)`, a copy of your own.",
    why="A tensor of its own would be the safe thing to make.",
    checks=(
        Check(
            part="the tensor has bytes of its own",
            code="message = bytes([1, 2, 3, 4])\n"
            "warns(lambda: torch.frombuffer(message, dtype=torch.uint8), 'The given buffer is not writable')\n"
            "t = torch.frombuffer(message, dtype=torch.uint8)\n"
            "shares(t, np.frombuffer(message, dtype=np.uint8)) is False",
        ),
    ),
)

_CHAIN = Claim(
    ids=("A114",),
    claim="Build the tensor with the chain `np.array(x).astype(np.float32).as_tensor()`.",
    taught="false",
    really="Arrays have no such method. `as_tensor` is a function: `torch.as_tensor(np.array(x, dtype=np.float32))`.",
    why="Chains of methods are how much of NumPy and torch is written.",
    checks=(
        Check(
            part="an array has `as_tensor`",
            code="a = np.array([1, 2]).astype(np.float32)\n"
            "torch.as_tensor(a)\n"
            "raises(lambda: a.as_tensor(), AttributeError, 'as_tensor')\n"
            "hasattr(a, 'as_tensor')",
        ),
    ),
)

_ON_THE_GPU = Claim(
    ids=("A25",),
    claim="`torch.tensor(numbers, device='cuda')` fills the tensor on the GPU, `torch.tensor(numbers).to('cuda')` "
    "makes it on the CPU first.",
    taught="false",
    really="By torch's source code both make it on the CPU and copy it over. Where there is a GPU, the profiler shows "
    "whether a copy from the CPU takes place.",
    why="`device=` is taken for a promise about where the work is done.",
    checks=(
        Check(
            part="with `device=` nothing is copied from the CPU",
            code="from torch.profiler import ProfilerActivity, profile\n"
            "torch.zeros(1, device='cuda')\n"
            "with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]) as seen:\n"
            "    torch.tensor([1.0, 2.0, 3.0], device='cuda')\n"
            "    torch.cuda.synchronize()\n"
            "copies = [e.key for e in seen.key_averages() if 'HtoD' in e.key]\n"
            "copies\n"
            "not copies",
        ),
    ),
    needs=("cuda",),
)

_ASARRAY_RELEASE = Claim(
    ids=("A16",),
    claim="`torch.asarray` came with PyTorch 1.12.",
    taught="not checkable",
    really="Running the torch that is installed cannot tell when a function came. The documentation of each release "
    "can: look for the first one that lists it.",
    why="Most people meet a function some releases after it came.",
)

_DEVICE_RELEASE = Claim(
    ids=("A30",),
    claim="Before PyTorch 1.10 `torch.tensor` had no `device` argument.",
    taught="not checkable",
    really="Running the torch that is installed cannot tell what an older one had. The documentation of the older "
    "releases can.",
    why="Old code often calls `.cuda()` afterwards, whether or not it had to.",
)

CONSTRUCTORS = (
    _ALL_DIFFER,
    _TENSOR_COPIES,
    _ELEMENT_BY_ELEMENT,
    _AS_TENSOR,
    _ASARRAY_TENSOR,
    _ASARRAY_ARRAY,
    _ASARRAY_FALLS_BACK,
    _CONSTANT_BYTES,
    _FLOAT_TENSOR,
    _TENSOR_TAKES_SHAPES,
    _BACKWARD,
    _CHAIN,
    _ON_THE_GPU,
    _ASARRAY_RELEASE,
    _DEVICE_RELEASE,
)
