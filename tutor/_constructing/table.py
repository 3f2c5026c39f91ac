"""The two sides of the atlas, as data: the ways to make a tensor, and the things to make one from.

Every text here is code that is run as it stands, so that what the atlas shows is what it ran.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec

Key = tuple[str, str]


@dataclass(frozen=True)
class Source:
    """Something a tensor can be made from.

    Attributes
    ----------
    name
        How the atlas calls it.
    group
        The kind of source it belongs to; groups stand together in the table.
    where
        The code that has to run before `expression`, or nothing.
    expression
        What is handed to the constructor.
    needs
        The library it comes from, if that is neither torch nor NumPy.
    """

    name: str
    group: str
    where: str
    expression: str
    needs: str = ""


CONSTRUCTORS: dict[str, str] = {
    "tensor": "torch.tensor({x})",
    "Tensor": "torch.Tensor({x})",
    "FloatTensor": "torch.FloatTensor({x})",
    "as_tensor": "torch.as_tensor({x})",
    "asarray": "torch.asarray({x})",
    "asarray(copy=True)": "torch.asarray({x}, copy=True)",
    "asarray(copy=False)": "torch.asarray({x}, copy=False)",
    "from_numpy": "torch.from_numpy({x})",
    "from_dlpack": "torch.from_dlpack({x})",
    "frombuffer": "torch.frombuffer({x}, dtype=torch.float32)",
    "new_tensor": "torch.ones(1).new_tensor({x})",
    "stack": "torch.stack(list({x}))",
}

_ARRAY = "a = np.array([[1, 2, 3], [4, 5, 6]], dtype=np.float32)"

_SOURCES = (
    Source("3", "Python", "", "3"),
    Source("3.5", "Python", "", "3.5"),
    Source("[1, 2, 3]", "Python", "", "[1, 2, 3]"),
    Source("[[1, 2], [3, 4]]", "Python", "", "[[1, 2], [3, 4]]"),
    Source("[[1, 2], [3]]", "Python", "", "[[1, 2], [3]]"),
    Source("(1, 2, 3)", "Python", "", "(1, 2, 3)"),
    Source("range(3)", "Python", "", "range(3)"),
    Source("np.float64(3.5)", "Python", "", "np.float64(3.5)"),
    Source("float32 array", "layout", _ARRAY, "a"),
    Source("array.T", "layout", _ARRAY, "a.T"),
    Source("Fortran array", "layout", f"{_ARRAY}\nf = np.asfortranarray(a)", "f"),
    Source("array[:, ::2]", "layout", _ARRAY, "a[:, ::2]"),
    Source("array[::-1]", "layout", _ARRAY, "a[::-1]"),
    Source("0-d array", "layout", "a = np.array(3.5, dtype=np.float32)", "a"),
    Source("read-only array", "layout", f"{_ARRAY}\na.flags.writeable = False", "a"),
    Source("big-endian array", "layout", 'a = np.array([1, 2, 3], dtype=">f4")', "a"),
    Source("float64 array", "dtype", "a = np.array([0.1, 0.2, 0.3])", "a"),
    Source("uint16 array", "dtype", "a = np.array([1, 2, 3], dtype=np.uint16)", "a"),
    Source("object array", "dtype", "a = np.array([1, 2, None], dtype=object)", "a"),
    Source("string array", "dtype", 'a = np.array(["1", "2"])', "a"),
    Source("structured array", "dtype", 'a = np.array([(1, 2)], dtype=[("x", "i4"), ("y", "f4")])', "a"),
    Source("bytes", "buffer", "b = bytes([0, 0, 128, 63])", "b"),
    Source("bytearray", "buffer", "b = bytearray([0, 0, 128, 63])", "b"),
    Source("memoryview", "buffer", "b = memoryview(bytearray([0, 0, 128, 63]))", "b"),
    Source("array.array", "buffer", 'b = array.array("i", [1, 2, 3])', "b"),
    Source("tensor", "tensor", "t = torch.tensor([1.0, 2.0, 3.0])", "t"),
    Source("requires grad", "tensor", "t = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)", "t"),
    Source("bfloat16 tensor", "tensor", "t = torch.tensor([1.0, 2.0, 3.0], dtype=torch.bfloat16)", "t"),
    Source("[array, array]", "items", _ARRAY, "[a, a]"),
    Source("[tensor, tensor]", "items", "t = torch.tensor([1.0, 2.0, 3.0])", "[t, t]"),
    Source("Pillow image", "library", 'from PIL import Image\nim = Image.new("L", (3, 2), 7)', "im", "PIL"),
    Source("pandas Series", "library", "import pandas as pd\ns = pd.Series([0.1, 0.2, 0.3])", "s", "pandas"),
    Source(
        "pandas DataFrame",
        "library",
        'import pandas as pd\ndf = pd.DataFrame({"x": [1.0, 2.0], "y": [3.0, 4.0]})',
        "df",
        "pandas",
    ),
    Source(
        "TensorFlow tensor",
        "library",
        "import tensorflow as tf\nc = tf.constant([1.0, 2.0, 3.0])",
        "c",
        "tensorflow",
    ),
    Source("JAX array", "library", "import jax.numpy as jnp\nj = jnp.array([1.0, 2.0, 3.0])", "j", "jax"),
)

SOURCES: dict[str, Source] = {source.name: source for source in _SOURCES}

_DISTRIBUTION = {"PIL": "pillow"}

# These hand out memory by address, and a wrong answer is a crash and no exception. Only what every release of
# torch is used to is asked in the learner's own process; all else in a process of its own.
_HANDS_OUT_MEMORY = {"from_dlpack", "frombuffer"}
_EVERYDAY = {"float32 array", "float64 array", "bytes", "bytearray", "memoryview", "array.array", "tensor"}

# Seen to end the process on some release of torch. Each is run at the head of a process, to save a second try; nothing
# else follows from being listed here.
LIKELY_TO_END: frozenset[Key] = frozenset({("from_dlpack", "array[::-1]")})


def installed(source: Source) -> bool:
    """Whether the library that `source` comes from is there. Nothing is imported to find out."""
    return not source.needs or find_spec(source.needs) is not None


def distribution(source: Source) -> str:
    """The name under which the library of `source` is installed."""
    return _DISTRIBUTION.get(source.needs, source.needs)


def isolated(key: Key) -> bool:
    """Whether a cell runs in a process of its own.

    It does if it might end the process, or if it needs a library that costs the learner's process time and memory.
    """
    constructor, name = key
    source = SOURCES[name]
    if source.needs:
        return True
    return constructor in _HANDS_OUT_MEMORY and source.group != "Python" and name not in _EVERYDAY


def code_line(key: Key) -> str:
    """The call of a cell, as a learner would write it."""
    constructor, name = key
    return CONSTRUCTORS[constructor].format(x=SOURCES[name].expression)
