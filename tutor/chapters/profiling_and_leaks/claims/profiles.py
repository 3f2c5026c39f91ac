"""What people say about the table of the profiler."""

from __future__ import annotations

from tutor.course.model import Check, Claim

# Here and not in a process of its own, which takes seconds. On Linux the profiler announces itself on standard error.
_PROFILER = """\
import os
from torch.profiler import ProfilerActivity, profile
os.environ["KINETO_LOG_LEVEL"] = "99"
"""
_TOLD = 'told = os.environ.pop("KINETO_LOG_LEVEL")\n'
_TABLE = (
    _PROFILER
    + """\
with profile(activities=[ProfilerActivity.CPU], record_shapes=True, with_stack=True) as seen:
    for _ in range(100):
        t = torch.tensor([1, 2, 3, 4, 5])
"""
    + _TOLD
    + """\
rows = seen.key_averages(group_by_stack_n=5)
table = rows.table(sort_by='self_cpu_time_total', row_limit=1000)
"""
)

_STACKS = (
    _PROFILER
    + """\
more = torch._C._profiler._ExperimentalConfig(verbose=True)
def stacks(**how):
    with profile(activities=[ProfilerActivity.CPU], with_stack=True, **how) as seen:
        t = torch.tensor([1, 2, 3, 4, 5])
    return [row.stack for row in seen.key_averages(group_by_stack_n=5) if row.key == 'aten::empty'][0]
plain, verbose = stacks(), stacks(experimental_config=more)
"""
    + _TOLD
    + """\
plain, verbose[:2]
"""
)

_RECIPE = Claim(
    ids=("A104",),
    claim="To see what `torch.tensor` does, run it under `torch.profiler.profile` with the activity CPU and "
    "`with_stack=True`, and print the table of `key_averages`.",
    taught="true",
    really="It works as said. Each operator has a row, with the number of its calls.",
    why="It is the usual way to look, and it works.",
    checks=(
        Check(
            part="the table has rows for operators, each with the number of its calls",
            code=_TABLE + "found = {row.key: row.count for row in rows if row.key.startswith('aten::')}\nfound\n"
            "'# of Calls' in table and 'aten::empty' in table and set(found.values()) == {100}",
        ),
    ),
)

_SOURCES = Claim(
    ids=("A105",),
    claim="When you profile `torch.tensor` with `with_stack=True`, the table shows the lines of C++ that built it.",
    taught="false",
    really="The rows are operators, such as `aten::empty`, and with some releases Python functions. No file of C++ is "
    "named. The stacks stay empty unless you ask for more with `experimental_config`, and then they name Python.",
    why="`with_stack` promises a stack, and the work is done in C++.",
    checks=(
        Check(
            part="`tensor_new.cpp`, where `torch.tensor` is written, has a row",
            code=_TABLE + "sorted({row.key for row in rows if row.key.startswith('aten::')})\n"
            "any('tensor_new' in row.key for row in rows)",
        ),
        Check(part="`variable.cpp` has one", code=_TABLE + "any('variable.cpp' in row.key for row in rows)"),
        Check(
            part="a stack names some file of C++",
            code=_STACKS + "any('.cpp' in line for line in (*plain, *verbose))",
        ),
    ),
)

_ALLOCATION = Claim(
    ids=("A106",),
    claim="When you profile `torch.tensor`, the row `aten::empty` is where the new memory is reserved.",
    taught="true",
    really="So it is for a list: one call for each tensor, and the bytes are booked there. For an array the row is "
    "`aten::empty_strided`, and `from_numpy` has neither, since it reserves nothing.",
    why="`empty` is the operator that gives memory and writes nothing.",
    checks=(
        Check(
            part="there is one call of it for each tensor made",
            code=_TABLE + "{row.key: row.count for row in rows if row.key == 'aten::empty'}\n"
            "sum(row.count for row in rows if row.key == 'aten::empty') == 100",
        ),
        Check(
            part="the bytes of the tensor are booked there, and nowhere else",
            code=_PROFILER
            + "def booked(make, data):\n"
            + "    with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as seen:\n"
            + "        t = make(data)\n"
            + "    return {e.name: e.self_cpu_memory_usage for e in seen.events() if e.self_cpu_memory_usage}\n"
            + "booked(torch.tensor, np.ones(1000))\n"
            + "booked(torch.from_numpy, np.ones(1000))\n"
            + "found = booked(torch.tensor, [1.0] * 1000)\n"
            + _TOLD
            + "found\nfound == {'aten::empty': 4000}",
        ),
    ),
)

PROFILES = (_RECIPE, _SOURCES, _ALLOCATION)
