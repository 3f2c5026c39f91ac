"""What people say about datasets and loaders."""

from __future__ import annotations

from tutor.course.model import Check, Claim

_ROWS = """\
from torch.utils.data import DataLoader
class Rows:
    def __init__(self, array):
        self.array = array
    def __getitem__(self, i):
        return torch.from_numpy(self.array[i])
"""

# A list is a dataset as good as any. It and `time.sleep` reach a worker however the system starts it.
_LOADERS = """\
import time, warnings
from torch.utils.data import DataLoader
warnings.simplefilter('ignore')
def loaders(data, **how):
    alone = DataLoader(data, **how)
    helped = DataLoader(data, **how, num_workers=4, persistent_workers=True)
    return alone, helped
"""

_NO_LENGTH = Claim(
    ids=("B28",),
    claim="A class with `__getitem__` is all that a DataLoader needs.",
    taught="false",
    really="It also asks for the length, unless you bring a `sampler` of your own. In order it does so when the loop "
    "begins, shuffled when the loader is made; both raise a TypeError.",
    why="The loader in order is made without complaint.",
    checks=(
        Check(
            part="its rows can be read in order",
            code=_ROWS + "loader = DataLoader(Rows(np.ones((4, 2))), batch_size=2)\n"
            "len(list(DataLoader(Rows(np.ones((4, 2))), batch_size=2, sampler=range(4))))\n"
            "list(loader)\nnot raises(lambda: list(loader), Exception)",
        ),
        Check(
            part="its rows can be read shuffled",
            code=_ROWS + "rows = Rows(np.ones((4, 2)))\n"
            "DataLoader(rows, shuffle=True)\n"
            "not raises(lambda: list(DataLoader(rows, shuffle=True)), Exception)",
        ),
    ),
)

_FRESH = Claim(
    ids=("B29",),
    claim="A dataset that calls `torch.from_numpy(array[i]).float()` for each item gives fresh samples.",
    taught="partly",
    really="It depends on the dtype of the array. From float64 the cast copies. A float32 row is handed out itself, "
    "and an augmentation in place writes into the dataset. An array of one axis fails: its items are no arrays.",
    why="Each call makes a new tensor.",
    checks=(
        Check(
            part="from an array of float64",
            code="a = np.ones((4, 3))\nsample = torch.from_numpy(a[0]).float()\n_ = sample.mul_(100)\na[0].tolist()\n"
            "not shares(sample, a)",
        ),
        Check(
            part="from an array of float32",
            code="a = np.ones((4, 3), dtype=np.float32)\nsample = torch.from_numpy(a[0]).float()\n"
            "_ = sample.mul_(100)\na[0].tolist()\n"
            "torch.from_numpy(np.ones(4)[0])\n"
            "not shares(sample, a)",
        ),
    ),
)

_WORKERS = Claim(
    ids=("B32",),
    claim="`num_workers=4` and `pin_memory=True` make loading faster.",
    taught="partly",
    really="Workers help where an item takes long to get, as a file does. Where it does not, handing batches from one "
    "process to another takes longer than making them. Without a GPU, `pin_memory=True` does nothing; torch 2.13 says "
    "so in a warning.",
    why="They are in many lists of advice, and where files are read and a GPU waits they are right.",
    checks=(
        Check(
            part="workers do, where each item has to be waited for",
            code=_LOADERS + "alone, helped = loaders([0.01] * 12, batch_size=None, collate_fn=time.sleep)\n"
            "times(lambda: list(alone), lambda: list(helped), budget=0.3) > 1.5",
            isolated=True,
        ),
        Check(
            part="workers do, for numbers that are there already",
            code=_LOADERS + "alone, helped = loaders(list(range(1000)), batch_size=32)\n"
            "times(lambda: list(alone), lambda: list(helped), budget=0.3) > 1",
            isolated=True,
        ),
        Check(
            part="`pin_memory=True` gives batches in pinned memory",
            code="from torch.utils.data import DataLoader\n"
            "loader = DataLoader(torch.ones(4), batch_size=2, pin_memory=True)\n"
            "warns(lambda: list(loader), 'no accelerator is found')\n"
            "all(batch.is_pinned() for batch in loader)",
        ),
    ),
)

LOADING = (_NO_LENGTH, _FRESH, _WORKERS)
