"""What people say about how fast a GPU is, and about many small transfers."""

from __future__ import annotations

from tutor.course.model import Check, Claim

_CUDA = ("cuda",)

_FIFTY = Claim(
    ids=("B02",),
    claim="A GPU is fifty times as fast as the CPU, or more.",
    taught="false",
    really="Not for small tensors, and not for numbers that must be brought there first. A large product may reach "
    "that, or more. It depends on the size, the dtype and the two machines, so measure yours.",
    why="Large products are what is shown.",
    checks=(
        Check(
            part="it is so for a product of 32 rows and columns",
            code="here = torch.ones(32, 32)\nthere = here.to('cuda')\n"
            "times(lambda: here @ here, lambda: there @ there) >= 50",
        ),
        Check(
            part="it is so for a sum of numbers that lie on the CPU",
            code="x = torch.ones(1_000_000)\ntimes(lambda: x.sum(), lambda: x.to('cuda').sum()) >= 50",
        ),
    ),
    needs=_CUDA,
)

_ANECDOTE = Claim(
    ids=("B03",),
    claim="A matrix product took 2.3 s in NumPy and 0.04 s as a tensor. So tensors are that much faster.",
    taught="false",
    really="Nobody says which sizes, dtypes and devices. NumPy's random numbers are float64 and torch's float32, so "
    "the two did other work. On one device and in one dtype both take about the same time. And a GPU timed without "
    "waiting shows how long it took to queue the work.",
    why="Two numbers from two different experiments look like one.",
    checks=(
        Check(
            part="made in the usual way, both multiply numbers of one dtype",
            code="array, tensor = np.random.default_rng(0).random((2, 2)), torch.rand(2, 2)\n"
            "array.dtype, tensor.dtype\nstr(array.dtype) == str(tensor.dtype).removeprefix('torch.')",
        ),
        Check(
            part="in one dtype and on one thread of the CPU, NumPy takes 50 times as long for 64 rows and columns",
            code="torch.set_num_threads(1)\narray = np.ones((64, 64), np.float32)\ntensor = torch.from_numpy(array)\n"
            "times(lambda: array @ array, lambda: tensor @ tensor, budget=0.3) > 50",
        ),
    ),
)

_SINGLE = Claim(
    ids=("B07",),
    claim="GPUs are made for float32: nothing is faster on them.",
    taught="partly",
    really="float64 is no better: by the makers' tables half as fast or equal on an A100 or H100, far slower on most "
    "others. But for products of float16 and bfloat16 newer GPUs have units of their own, which are faster.",
    why="It was so for years.",
    checks=(
        Check(
            part="a large product of float64 takes more than 0.7 of the time",
            code="single = torch.ones(4096, 4096, device='cuda')\ndouble = single.double()\n"
            "times(lambda: double @ double, lambda: single @ single) > 0.7",
        ),
        Check(
            part="a large product of float16 takes more than 0.9 of the time",
            code="single = torch.ones(4096, 4096, device='cuda')\nhalf = single.half()\n"
            "times(lambda: half @ half, lambda: single @ single) > 0.9",
        ),
    ),
    needs=_CUDA,
)

_MANY = Claim(
    ids=("B40",),
    claim="Do not go back and forth between CPU and GPU; send what you can in one go.",
    taught="true",
    really="Each transfer has a cost of its own, however small it is. Stack first, then send once.",
    why="Whoever profiles a training loop sees the many small copies.",
    checks=(
        Check(
            part="many small copies take more than twice as long as one with the same bytes",
            code="x = torch.ones(2_500_000)\nparts = x.chunk(1000)\n"
            "times(lambda: [part.to('cuda') for part in parts], lambda: x.to('cuda')) > 2",
        ),
    ),
    needs=_CUDA,
)

SPEED = (_FIFTY, _ANECDOTE, _SINGLE, _MANY)
