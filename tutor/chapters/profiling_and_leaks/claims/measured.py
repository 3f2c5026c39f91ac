"""What people say that they measured: how long a copy takes, and how large a list is."""

from __future__ import annotations

from tutor.course.model import Check, Claim

_PREPARE = """\
torch.set_num_threads(1)
image = np.zeros((224, 224, 3), dtype=np.uint8)
def prepare(to_tensor):
    scaled = np.array(image).astype(np.float32).transpose(2, 0, 1)
    return to_tensor(scaled).unsqueeze(0) / 255.0
"""

_SHARE = Claim(
    ids=("A116",),
    claim="When a batch of images is prepared, three quarters of the time go into the copy that `torch.tensor` makes.",
    taught="partly",
    really="Of a service that nobody else can see, nobody can say. In the usual four steps on one image the copy is "
    "one of several: the cast and the division walk over as many numbers.",
    why="It is the step that can be left out, so it is the one that is noticed.",
    checks=(
        Check(
            part="with `from_numpy` instead, preparing an image takes less time",
            code=_PREPARE + "times(lambda: prepare(torch.tensor), lambda: prepare(torch.from_numpy), budget=0.3) > 1",
        ),
        Check(
            part="the copy takes three quarters of it",
            code=_PREPARE + "scaled = image.astype(np.float32).transpose(2, 0, 1)\n"
            "times(lambda: prepare(torch.tensor), lambda: torch.tensor(scaled), budget=0.3) < 4 / 3",
        ),
    ),
)

_FIFTEEN = Claim(
    ids=("B23",),
    claim="`from_numpy` is 15 times as fast as `torch.tensor`.",
    taught="partly",
    really="It is faster, but there is no such number. `from_numpy` takes the same time for any array; the copy of "
    "`torch.tensor` grows with it.",
    why="It was measured once, with an array of one size.",
    checks=(
        Check(
            part="for an array of a million numbers it is at least that",
            code="a = np.ones(1_000_000, np.float32)\n"
            "times(lambda: torch.tensor(a), lambda: torch.from_numpy(a), budget=0.2) > 15",
        ),
        Check(
            part="for an array of ten numbers it is",
            code="a = np.ones(10, np.float32)\nlarge = np.ones(1_000_000, np.float32)\n"
            "times(lambda: torch.from_numpy(large), lambda: torch.from_numpy(a), budget=0.2)\n"
            "times(lambda: torch.tensor(a), lambda: torch.from_numpy(a), budget=0.2) > 15",
        ),
    ),
)

_SMALLER = Claim(
    ids=("B30",),
    claim="An array of many numbers takes less memory than a Python list of them.",
    taught="partly",
    really="A list has 8 bytes for each place, and each float is an object of 24 bytes besides. An array has 8 bytes "
    "for each number, and some 100 of its own. It is smaller, unless there are very few numbers, or the list refers to "
    "the same few objects again and again: `[0] * 1000` takes no more than its array. A smaller dtype helps there too.",
    why="It is so for numbers that differ, and these are what people measure.",
    checks=(
        Check(
            part="for a thousand floats, objects and all",
            code="import sys\n"
            "numbers = [i + 0.5 for i in range(1000)]\n"
            "sizes = sys.getsizeof(numbers) + sum(map(sys.getsizeof, numbers)), np.array(numbers).nbytes\n"
            "round(sizes[0] / sizes[1], 1)\n"
            "sys.getsizeof([0.5]) + sys.getsizeof(0.5), sys.getsizeof(np.array([0.5]))\n"
            "sys.getsizeof(np.array(numbers)) < sizes[0]",
        ),
        Check(
            part="for a thousand ints",
            code="import sys\n"
            "numbers = list(range(1000, 2000))\n"
            "sizes = sys.getsizeof(numbers) + sum(map(sys.getsizeof, numbers)), np.array(numbers).nbytes\n"
            "round(sizes[0] / sizes[1], 1)\n"
            "sys.getsizeof(np.array(numbers)) < sizes[0]",
        ),
        Check(
            part="for a thousand times the same int",
            code="import sys\n"
            "numbers = [0] * 1000\n"
            "size = sys.getsizeof(numbers) + sys.getsizeof(0)\n"
            "size, sys.getsizeof(np.array(numbers, dtype=np.int64)), sys.getsizeof(np.array(numbers, dtype=np.int8))\n"
            "sys.getsizeof(np.array(numbers, dtype=np.int64)) < size",
        ),
    ),
)

MEASURED = (_SHARE, _FIFTEEN, _SMALLER)
