"""The claims that chapter 02 decides by timing, or by looking at what a call is made of."""

from __future__ import annotations

from tutor.course.model import Check, Claim

_TEN_TIMES = Claim(
    ids=("A66",),
    claim="`torch.empty` is at least ten times as fast as `torch.zeros`, since it skips the clearing.",
    taught="partly",
    really=(
        "A large one alone, yes; a small one, no. And once you write the numbers, `empty` has saved one write of two."
    ),
    why="People time the call and leave out the write that must follow.",
    checks=(
        Check(
            part="it is so for a large tensor, if you never write to it",
            code=(
                "torch.set_num_threads(1)\n"
                "times(lambda: torch.zeros(4000, 1000), lambda: torch.empty(4000, 1000), budget=0.3) >= 10"
            ),
        ),
        Check(
            part="it is so for a small one",
            code="times(lambda: torch.zeros(100), lambda: torch.empty(100), budget=0.3) >= 10",
        ),
        Check(
            part="it is so when every number is written afterwards",
            code=(
                "torch.set_num_threads(1)\n"
                "shape = 4000, 1000\n"
                "times(lambda: torch.zeros(shape).fill_(1), lambda: torch.empty(shape).fill_(1), budget=0.3) >= 10"
            ),
        ),
    ),
)

# Here and not in a process of its own, which takes seconds. On Linux the profiler announces itself on standard error.
_CALLS = """\
import os
from torch.profiler import ProfilerActivity, profile
def calls(n):
    with profile(activities=[ProfilerActivity.CPU]) as seen:
        torch.zeros(n)
    return [event.name for event in seen.events()]
os.environ["KINETO_LOG_LEVEL"] = "99"
small, large = calls(100), calls(1_000_000)
told = os.environ.pop("KINETO_LOG_LEVEL")
small, large
"""

_MEMSET = Claim(
    ids=("A67",),
    claim="`torch.zeros` is `torch.empty` and a memset.",
    taught="partly",
    really=("It is `empty` and `zero_`, and for a large tensor `zero_` hands the work to `fill_`."),
    why="A memset is how one clears memory in C.",
    checks=(
        Check(
            part="it reserves with `empty`, and then clears",
            code=_CALLS + "small[:3] == large[:3] == ['aten::zeros', 'aten::empty', 'aten::zero_']",
        ),
        Check(
            part="it clears without `fill_`, whatever the size",
            code=_CALLS + "'aten::fill_' not in small and 'aten::fill_' not in large",
        ),
    ),
)

_NUMPY_ZEROS = Claim(
    ids=(),
    claim="`np.zeros` and `torch.zeros` take about the same time.",
    taught="false",
    really=(
        "A large `np.zeros` returns at once, as long as its memory comes fresh from the operating system, which "
        "clears each page at its first write. `torch.zeros` writes before it returns."
    ),
    why="Both give an array of zeros, and nobody sees when the zeros were written.",
    checks=(
        Check(
            part="a large one takes less than ten times as long with torch",
            code=(
                "def by_numpy():\n"
                "    return np.zeros((4000, 4000), np.float32)\n"
                "def by_torch():\n"
                "    return torch.zeros(4000, 4000)\n"
                "times(by_torch, by_numpy, budget=0.3) < 10"
            ),
            # A process that has freed much gets memory of its own back, and NumPy must clear that at once.
            isolated=True,
        ),
    ),
)

_CAT_OF_ONES = Claim(
    ids=("A74",),
    claim="`torch.full((30,), 1.0)` beats joining three `torch.ones(10)` with `torch.cat`.",
    taught="true",
    really=("One call against four, and nothing is written twice."),
    why="Fewer calls take less time, and at this size the calls are what takes time.",
    checks=(
        Check(
            part="joining takes longer",
            code=(
                "def joined():\n"
                "    return torch.cat([torch.ones(10), torch.ones(10), torch.ones(10)])\n"
                "times(joined, lambda: torch.full((30,), 1.0), budget=0.3) > 1"
            ),
        ),
    ),
)

ABOUT_TIME = (_TEN_TIMES, _MEMSET, _NUMPY_ZEROS, _CAT_OF_ONES)
