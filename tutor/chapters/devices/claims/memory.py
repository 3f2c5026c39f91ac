"""What people say about the memory of a GPU and torch's allocator there."""

from __future__ import annotations

from tutor.course.model import Check, Claim

_CUDA = ("cuda",)

_HUNDRED_THOUSAND = Claim(
    ids=("A26",),
    claim="A hundred thousand float32 tensors of 512 numbers take about 2.1 GB on the GPU.",
    taught="false",
    really="512 numbers of 4 bytes are 2,048 bytes, so all of them take 204.8 MB. The allocator rounds up to 512 "
    "bytes, and here there is nothing to round.",
    why="A factor of ten is easily lost in MB and GB.",
    checks=(
        Check(
            part="their numbers come to 2.1 GB",
            code="one = torch.empty(512, device='meta').nbytes\none, 100_000 * one\n100_000 * one > 2_000_000_000",
        ),
        Check(
            part="a tenth of them takes more than 200 MB there",
            code="before = torch.cuda.memory_allocated()\n"
            "tensors = [torch.empty(512, device='cuda') for _ in range(10_000)]\n"
            "grown = torch.cuda.memory_allocated() - before\ngrown\ngrown > 200_000_000",
            needs=_CUDA,
        ),
    ),
)

_FRAGMENTS = """\
def gaps(make):
    rows = [make([1.0] * 512) for _ in range(2000)]
    del rows[::2]
    left = torch.cuda.memory_stats()['inactive_split_bytes.all.current']
    del rows
    torch.cuda.empty_cache()
    return left
"""

_MOVED_FRAGMENTS = Claim(
    ids=("A27",),
    claim="Tensors made on the CPU and moved fragment the GPU's memory; tensors made there do not.",
    taught="false",
    really="The allocator is asked for one block of the same size either way. Gaps are left by what is deleted between "
    "tensors that stay, and hurt where the next tensor is larger than a gap.",
    why="A detour feels as if it must leave something behind.",
    checks=(
        Check(
            part="the two ask the device for different sizes (here the meta device)",
            code="row = [1.0] * 512\ntorch.tensor(row).to('meta').nbytes, torch.tensor(row, device='meta').nbytes\n"
            "torch.tensor(row).to('meta').nbytes != torch.tensor(row, device='meta').nbytes",
        ),
        Check(
            part="when every second one is deleted, moved ones leave more gaps",
            code=_FRAGMENTS + "moved = gaps(lambda row: torch.tensor(row).to('cuda'))\n"
            "made = gaps(lambda row: torch.tensor(row, device='cuda'))\n"
            "filled = gaps(lambda row: torch.full((len(row),), row[0], device='cuda'))\n"
            "moved, made, filled\nmoved > made or moved > filled",
            isolated=True,
            needs=_CUDA,
        ),
    ),
)

_OUT_OF_MEMORY = Claim(
    ids=("A94",),
    claim="*CUDA out of memory* comes from the copy that `torch.tensor` makes. Use `as_tensor` or `from_numpy`.",
    taught="false",
    really="That copy lies on the CPU. What goes to the GPU has the same size whichever made it. Look at what is alive "
    "there: batch size, activations, gradients, lists that hold on to losses.",
    why="A copy is a copy, and nobody asks where.",
    checks=(
        Check(
            part="`torch.tensor(array)` makes its copy on the GPU",
            code="torch.tensor(np.ones(2)).device\ntorch.tensor(np.ones(2)).is_cuda",
        ),
        Check(
            part="through `from_numpy` the GPU needs less",
            code="array = np.ones(1_000_000, np.float32)\n"
            "def peak(make):\n"
            "    torch.cuda.reset_peak_memory_stats()\n"
            "    before = torch.cuda.memory_allocated()\n"
            "    there = make(array).to('cuda')\n"
            "    return torch.cuda.max_memory_allocated() - before\n"
            "peak(torch.tensor), peak(torch.from_numpy)\npeak(torch.from_numpy) < peak(torch.tensor)",
            isolated=True,
            needs=_CUDA,
        ),
    ),
)

_SMALL_CALLS = Claim(
    ids=("A113",),
    claim="Thousands of small `torch.tensor(ids)` calls fragment the GPU's memory, and so keep the GPU waiting.",
    taught="false",
    really="Without `device=` and a default device they make CPU tensors, which the GPU's allocator never hears of. "
    "Thousands of calls do cost time on the CPU, and a GPU that waits for the CPU idles: that is what a profile would "
    "show.",
    why="A GPU that is rarely busy is put down to its memory.",
    checks=(
        Check(
            part="such a call makes a tensor on the GPU",
            code="torch.tensor([1, 2]).device\ntorch.tensor([1, 2]).is_cuda",
        ),
    ),
)

_LATE = Claim(
    ids=("B31",),
    claim="Converting late, in `__getitem__`, lowers the pressure on the GPU's memory.",
    taught="false",
    really="`from_numpy` gives a CPU tensor whenever it is called. Only what is moved to the GPU counts there.",
    why="Late conversion can lower something: what lies in the CPU's memory at one time.",
    checks=(
        Check(
            part="a conversion makes a tensor on the GPU",
            code="torch.from_numpy(np.ones(3)).device\ntorch.from_numpy(np.ones(3)).is_cuda",
        ),
    ),
)

_EMPTY_CACHE = Claim(
    ids=("B42",),
    claim="Call `torch.cuda.empty_cache()` regularly: it defragments the GPU's memory.",
    taught="partly",
    really="It gives back what nothing uses, so that other programs can have it, and torch has to ask for it again. It "
    "moves no tensor and closes no gap between tensors that are alive. By torch's documentation it may help against "
    "gaps in certain cases.",
    why="The number in `nvidia-smi` falls.",
    checks=(
        Check(
            part="segments that nothing uses are given back",
            code="big = torch.empty(50_000_000, device='cuda')\ndel big\nbefore = torch.cuda.memory_reserved()\n"
            "torch.cuda.empty_cache()\ntorch.cuda.memory_reserved() < before",
            isolated=True,
        ),
        Check(
            part="gaps between tensors that are alive are closed",
            code="rows = [torch.empty(512, device='cuda') for _ in range(2000)]\ndel rows[::2]\n"
            "def gaps():\n    return torch.cuda.memory_stats()['inactive_split_bytes.all.current']\n"
            "before = gaps()\ntorch.cuda.empty_cache()\nbefore, gaps()\ngaps() < before",
            isolated=True,
        ),
        Check(
            part="tensors that are alive take less afterwards",
            code="x = torch.empty(1000, device='cuda')\nbefore = torch.cuda.memory_allocated()\n"
            "torch.cuda.empty_cache()\ntorch.cuda.memory_allocated() < before",
            isolated=True,
        ),
    ),
    needs=_CUDA,
)

_STILL_SHOWN = Claim(
    ids=(),
    claim="I deleted the tensor, and `nvidia-smi` still shows its memory. It leaks.",
    taught="false",
    really="The allocator keeps the block for the next tensor: `memory_allocated` falls, `memory_reserved` does not. "
    "`nvidia-smi` shows what is reserved, and the CUDA context on top, which stays to the end of the process.",
    why="On the CPU a large block goes back to the system at once.",
    checks=(
        Check(
            part="after `del` the tensor's bytes are still allocated",
            code="before = torch.cuda.memory_allocated()\nbig = torch.empty(50_000_000, device='cuda')\ndel big\n"
            "torch.cuda.memory_allocated() > before",
            isolated=True,
        ),
        Check(
            part="the next tensor of that size needs new memory from the driver",
            code="big = torch.empty(50_000_000, device='cuda')\ndel big\nbefore = torch.cuda.memory_reserved()\n"
            "again = torch.empty(50_000_000, device='cuda')\ntorch.cuda.memory_reserved() > before",
            isolated=True,
        ),
    ),
    needs=_CUDA,
)

MEMORY = (
    _HUNDRED_THOUSAND,
    _MOVED_FRAGMENTS,
    _OUT_OF_MEMORY,
    _SMALL_CALLS,
    _LATE,
    _EMPTY_CACHE,
    _STILL_SHOWN,
)
