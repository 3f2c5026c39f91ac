"""What people say about who owns bytes, who keeps them alive, and who may write or take them away."""

from __future__ import annotations

from tutor.course.model import Check, Claim

_TAKES_OVER = Claim(
    ids=("A53",),
    claim="`from_numpy` takes over the ownership of the array's memory.",
    taught="false",
    really="The array stays the owner. The tensor holds one reference to the array, as any name would.",
    why="The tensor lives on when the array's name is deleted.",
    checks=(
        Check(
            part="the array is the owner no more",
            code="a = np.zeros(3)\nt = torch.from_numpy(a)\na.flags.owndata\nnot a.flags.owndata",
        ),
        Check(
            part="the tensor keeps the memory without the array",
            code=(
                "import weakref\n"
                "a = np.zeros(3)\n"
                "alive = weakref.ref(a)\n"
                "t = torch.from_numpy(a)\n"
                "del a\n"
                "alive() is None"
            ),
        ),
    ),
)

_DANGLING = Claim(
    ids=("A56",),
    claim="When the array is deleted or goes out of scope, the tensor hangs in the air, and reading it crashes.",
    taught="false",
    really="The tensor keeps the array alive, and the array is freed with it. Bytes that `t.numpy()` lends stay too.",
    why="In C it would be so.",
    checks=(
        Check(
            part="the array is gone",
            code=(
                "import weakref\n"
                "def make():\n"
                "    a = np.arange(5.0)\n"
                "    return torch.from_numpy(a), weakref.ref(a)\n"
                "t, alive = make()\n"
                "t.tolist()\n"
                "alive() is None"
            ),
        ),
        Check(
            part="it outlives the tensor",
            code=(
                "import weakref\n"
                "a = np.arange(5.0)\n"
                "alive, t = weakref.ref(a), torch.from_numpy(a)\n"
                "del a\n"
                "del t\n"
                "alive() is not None"
            ),
        ),
    ),
)

_CLONE_CURE = Claim(
    ids=("A95",),
    claim="Against crashes after the array is freed, write `torch.tensor(x).clone()`.",
    taught="false",
    really="There is no such crash, and `torch.tensor` has copied already. The clone is a second copy.",
    why="One more copy looks like one more safety.",
    checks=(
        Check(
            part="`torch.tensor(x)` alone shares with the array",
            code="a = np.zeros(3)\nshares(torch.tensor(a), a)",
        ),
        Check(
            part="the clone adds nothing",
            code="t = torch.tensor(np.zeros(3))\nshares(t.clone(), t)",
        ),
    ),
)

_NO_RESIZE = Claim(
    ids=("A54",),
    claim="Once `from_numpy` has its bytes, an array cannot be resized in place.",
    taught="partly",
    really=(
        "`resize` to another size raises as long as the tensor exists. With `refcheck=False` it obeys, and the tensor "
        "is left with bytes that are gone."
    ),
    why="The error message says that somebody else refers to the array.",
    checks=(
        Check(
            part="`resize` raises",
            code=(
                "a = np.zeros(3)\nt = torch.from_numpy(a)\n"
                "raises(lambda: a.resize(10), ValueError, 'cannot resize an array')"
            ),
        ),
        Check(
            part="there is no way around it",
            code=(
                "a = np.zeros(3)\nt = torch.from_numpy(a)\n"
                "a.resize(1, refcheck=False)\na.shape, t.shape\na.shape == (3,)"
            ),
            isolated=True,
        ),
    ),
)

_BYTEARRAY = Claim(
    ids=(),
    claim="A bytearray cannot change its size while a tensor lies on it.",
    taught="partly",
    really=(
        "NumPy's `frombuffer` keeps it from doing so. torch's does not: the bytearray moves or frees its bytes, and "
        "the tensor stays on the old ones."
    ),
    why="Python protects every buffer that somebody holds, and NumPy holds it.",
    checks=(
        Check(
            part="not while an array of NumPy lies on it",
            code="b = bytearray(8)\na = np.frombuffer(b, np.uint8)\nraises(lambda: b.extend(bytes(1000)), BufferError)",
        ),
        Check(
            part="not while a tensor of `torch.frombuffer` lies on it",
            code="b = bytearray(8)\nt = torch.frombuffer(b, dtype=torch.uint8)\n"
            "raises(lambda: b.extend(bytes(1000)), BufferError)",
            isolated=True,
        ),
    ),
)

_LENT_STORAGE = Claim(
    ids=(),
    claim="A tensor that has lent its bytes to NumPy can still grow in place.",
    taught="false",
    really="torch remembers that the bytes are lent, and refuses to enlarge the storage from then on.",
    why="Without an array, `resize_` works.",
    checks=(
        Check(
            part="`resize_` to more elements works",
            code=(
                "x = torch.arange(6.0)\n"
                "a = x.numpy()\n"
                "not raises(lambda: x.resize_(1000), RuntimeError, 'storage that is not resizable')"
            ),
        ),
    ),
)

_READ_ONLY = Claim(
    ids=(),
    claim="The warning that an array is not writable can be ignored.",
    taught="partly",
    really=(
        "For reading, yes. A write changes what was meant to stay: an array, even `bytes`. If the bytes come from a "
        "file opened for reading alone, it ends the process."
    ),
    why="It comes once, and then everything works.",
    checks=(
        Check(
            part="reading is harmless",
            code="a = np.arange(3.0)\na.flags.writeable = False\nt = torch.from_numpy(a)\nt.tolist() == [0, 1, 2]",
        ),
        Check(
            part="a write through the tensor leaves the array as it was",
            code=(
                "a = np.arange(3.0)\na.flags.writeable = False\nt = torch.from_numpy(a)\nt[0] = 9\na\nbool(a[0] == 0)"
            ),
        ),
        Check(
            part="`bytes` cannot change",
            code=(
                "word = bytes([1, 2, 3])\nt = torch.frombuffer(word, dtype=torch.uint8)\nt[0] = 9\nword\nword[0] == 1"
            ),
            isolated=True,
        ),
        Check(
            part="a write to a file that is mapped for reading goes on like any other",
            code=(
                "program = '''\n"
                "import os, tempfile\n"
                "with tempfile.TemporaryDirectory() as folder:\n"
                "    path = os.path.join(folder, 'numbers')\n"
                "    np.zeros(10_000).tofile(path)\n"
                "    mapped = np.memmap(path, mode='r')\n"
                "    torch.from_numpy(mapped)[0] = 1\n"
                "    del mapped\n"
                "'''\n"
                "not ends(program)"
            ),
        ),
    ),
)

_PANDAS = Claim(
    ids=(),
    claim="Copy-on-write of pandas keeps a frame and its copies apart, whoever writes.",
    taught="partly",
    really="It keeps writes of pandas apart. A write through a tensor changes the frame and all that share with it.",
    why="pandas 3 promises that no object changes when another does.",
    needs=("pandas",),
    checks=(
        Check(
            part="`copy()` keeps the frame apart from a tensor's writes",
            code=(
                "import pandas as pd\n"
                "frame = pd.DataFrame({'x': [1.0, 2.0], 'y': [3.0, 4.0]})\n"
                "deep = frame.copy()\n"
                "torch.from_numpy(frame.to_numpy())[0, 0] = 9\n"
                "deep.loc[0, 'x'].item() == 1"
            ),
        ),
        Check(
            part="a shallow copy is kept apart from writes of pandas",
            code=(
                "import pandas as pd\n"
                "frame = pd.DataFrame({'x': [1.0, 2.0], 'y': [3.0, 4.0]})\n"
                "shallow = frame.copy(deep=False)\n"
                "shares(frame['x'].to_numpy(), shallow['x'].to_numpy())\n"
                "frame.loc[0, 'x'] = 9\n"
                "shallow.loc[0, 'x'].item() == 1"
            ),
        ),
        Check(
            part="a shallow copy is kept apart from a tensor's writes",
            code=(
                "import pandas as pd\n"
                "frame = pd.DataFrame({'x': [1.0, 2.0], 'y': [3.0, 4.0]})\n"
                "shallow = frame.copy(deep=False)\n"
                "torch.from_numpy(frame.to_numpy())[0, 0] = 9\n"
                "shallow.loc[0, 'x'].item() == 1"
            ),
        ),
    ),
)

OWNERS = (
    _TAKES_OVER,
    _DANGLING,
    _CLONE_CURE,
    _NO_RESIZE,
    _BYTEARRAY,
    _LENT_STORAGE,
    _READ_ONLY,
    _PANDAS,
)
