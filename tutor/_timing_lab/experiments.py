"""The experiments that `timing_lab` offers, as data: what is asked, what is made, what is compared."""

from __future__ import annotations

from tutor._timing_lab.model import Candidate, Experiment

_DECADES = (100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000)
_FINE = (100, 316, 1_000, 3_162, 10_000, 31_623, 100_000, 316_228, 1_000_000, 3_162_278, 10_000_000)
_SIDES = (16, 32, 64, 128, 256, 512, 1024, 2048, 4096)
_FLOATS = ("float32", "float64", "bfloat16", "float16")
_OF_NUMPY = ("float32", "float64", "float16")

_ALL = (
    Experiment(
        "sources",
        "list, array, from_numpy",
        "What does the source cost, and what the constructor?",
        "a = torch.arange(n, dtype=dtype).numpy()\nrows = a.tolist()",
        (
            Candidate("from_list", "tensor(rows)", "torch.tensor(rows)", "copy"),
            Candidate(
                "by_array", "from_numpy(np.array(rows))", "torch.from_numpy(np.array(rows, dtype=a.dtype))", "copy"
            ),
            Candidate("from_array", "tensor(a)", "torch.tensor(a)", "copy"),
            Candidate("from_numpy", "from_numpy(a)", "torch.from_numpy(a)", "share"),
        ),
        _FINE,
        dtypes=("float32", "float64", "int64"),
        where="cpu",
        look="Which lines rise with the number of elements, and which stay flat?",
    ),
    Experiment(
        "first_write",
        "zeros, empty, first write",
        "Who pays for the bytes of a new tensor, and when?",
        "",
        (
            Candidate("empty", "empty(n)", "torch.empty(n, dtype=dtype, device=device)", "make"),
            Candidate("zeros", "zeros(n)", "torch.zeros(n, dtype=dtype, device=device)", "make"),
            Candidate("full", "full((n,), 1)", "torch.full((n,), 1, dtype=dtype, device=device)", "make"),
            Candidate("empty_fill", "empty(n).fill_(1)", "torch.empty(n, dtype=dtype, device=device).fill_(1)", "make"),
            Candidate("np_zeros", "np.zeros(n)", "np.zeros(n, dtype=str(dtype)[6:])", "make", where="cpu"),
            Candidate(
                "np_fill", "np.zeros(n).fill(1)", "np.zeros(n, dtype=str(dtype)[6:]).fill(1)", "make", where="cpu"
            ),
        ),
        _FINE,
        dtypes=("float32", "float64", "int64"),
        look="Compare each constructor with the same one and a write after it.",
    ),
    Experiment(
        "strided_reads",
        "strided reads",
        "The same number of elements is summed: does it matter how far apart they lie?",
        "x = torch.ones(n, dtype=dtype, device=device)\n"
        "x4 = torch.ones(4 * n, dtype=dtype, device=device)[::4]\n"
        "x16 = torch.ones(16 * n, dtype=dtype, device=device)[::16]",
        (
            Candidate("contiguous", "x.sum()", "x.sum()"),
            Candidate("stride_4", "x4.sum(), stride 4", "x4.sum()"),
            Candidate("stride_16", "x16.sum(), stride 16", "x16.sum()"),
        ),
        (*_DECADES[:5], 3_162_278),
        dtypes=("float32", "float64"),
        look="Where do the lines part? Compare that size with those of your caches.",
    ),
    Experiment(
        "contiguous_once",
        "contiguous() paid once",
        "A transposed matrix is flattened eight times: when is a copy up front worth it?",
        "x = torch.ones(n, n, dtype=dtype, device=device).T",
        (
            Candidate("every_time", "reshape in each", "for _ in range(8):\n    x.reshape(-1).sum()", "copy"),
            Candidate(
                "once",
                "contiguous() before",
                "y = x.contiguous()\nfor _ in range(8):\n    y.reshape(-1).sum()",
                "copy",
            ),
            Candidate("never", "sum as it lies", "for _ in range(8):\n    x.sum()", "share"),
        ),
        _SIDES,
        axis="side of the matrix",
        dtypes=("float32", "float64"),
        look="Two of the three copy. How often does each?",
    ),
    Experiment(
        "matmul",
        "matmul, NumPy and torch",
        "Is a matrix product faster in one of them, or with another dtype?",
        "a = torch.ones(n, n, dtype=dtype, device=device)\n"
        "b = torch.ones(n, n, dtype=dtype, device=device)\n"
        "a_np, b_np = (x.cpu().float().numpy().astype(str(dtype)[6:].replace('bfloat16', 'float32')) for x in (a, b))",
        (
            Candidate("torch_matmul", "torch: a @ b", "a @ b"),
            Candidate("numpy_matmul", "NumPy: a @ b", "a_np @ b_np", dtypes=("float32", "float64"), where="cpu"),
        ),
        _SIDES,
        axis="side of the matrix",
        dtypes=_FLOATS,
        look="Run it once for each dtype, and on each device there is.",
    ),
    Experiment(
        "launch",
        "small calls, fixed cost",
        "What does a call cost that has almost nothing to do?",
        "x = torch.ones(n, dtype=dtype, device=device)\ny = torch.empty_like(x)\na = np.ones(n, dtype=str(dtype)[6:])",
        (
            Candidate("one", "x + 1", "x + 1"),
            Candidate("ten", "ten times x + 1", "for _ in range(10):\n    x + 1"),
            Candidate("out", "add(x, 1, out=y)", "torch.add(x, 1, out=y)"),
            Candidate("numpy", "NumPy: a + 1", "a + 1", where="cpu"),
        ),
        (1, 10, 100, 1_000, 10_000, 100_000, 1_000_000),
        dtypes=("float32", "float64"),
        look="As long as a line is flat, the time is not spent on elements.",
    ),
    Experiment(
        "transfers",
        "pinned, non_blocking",
        "What makes a copy to the device faster, and what does pinning cost?",
        "x = torch.ones(n, dtype=dtype)\np = x.pin_memory()",
        (
            Candidate("pageable", "x.to(device)", "x.to(device)", "move"),
            Candidate("pinned", "p.to(device)", "p.to(device)", "move"),
            Candidate("non_blocking", "p.to(…, non_blocking)", "p.to(device, non_blocking=True)", "move"),
            Candidate("pin_now", "x.pin_memory().to(…)", "x.pin_memory().to(device, non_blocking=True)", "move"),
        ),
        _DECADES,
        where="accelerator",
        look="Is the last one, which pins first, above or below the first?",
    ),
    Experiment(
        "small_copies",
        "many small copies or one",
        "The same bytes are copied: does it matter in how many pieces?",
        "x = torch.ones(n, dtype=dtype)\npieces = x.chunk(100)",
        (
            Candidate("one_copy", "one copy", "x.to(device, copy=True)", "copy"),
            Candidate("hundred", "100 copies of n / 100", "[piece.to(device, copy=True) for piece in pieces]", "copy"),
        ),
        _DECADES,
        dtypes=("float32", "float64"),
        look="How large must a piece be before it no longer matters?",
    ),
    Experiment(
        "autocast",
        "autocast and bfloat16",
        "What does autocast gain over float32, and what does it cost beside bfloat16 inputs?",
        "x = torch.ones(n, n, device=device)\nw = torch.ones(n, n, device=device)\n"
        "x16, w16 = x.bfloat16(), w.bfloat16()\nlinear = torch.nn.functional.linear",
        (
            Candidate("float32", "float32", "linear(x, w)"),
            Candidate(
                "autocast",
                "float32 under autocast",
                "with torch.autocast(device, dtype=torch.bfloat16):\n    linear(x, w)",
                "cast",
            ),
            Candidate("bfloat16", "bfloat16 inputs", "linear(x16, w16)"),
        ),
        _SIDES,
        axis="side of the matrix",
        dtypes=(),
        look="Autocast casts both inputs in every call here. From which side on is that paid back?",
    ),
    Experiment(
        "naive",
        "naive and honest",
        "How far is one run without warm-up from an honest measurement of the same line?",
        "x = torch.ones(n, dtype=dtype, device=device)",
        (
            Candidate("naive", "one run, time.time", "x.exp()", way="naive"),
            Candidate("honest", "as race measures", "x.exp()"),
        ),
        _FINE[:9],
        dtypes=("float32", "float64"),
        look="Run it again and again: which of the two lines stays where it was?",
    ),
)

EXPERIMENTS = {one.name: one for one in _ALL}

OWN = "own"
OWN_SIZES = (1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000)
OWN_DTYPES = ("float32", "float64", "bfloat16", "float16", "int64", "int32", "uint8")


def own_experiment(line: str, setup: str) -> Experiment:
    """A learner's own line, as an experiment."""
    label = " ".join(line.split())
    short = label if len(label) <= 24 else f"{label[:23]}…"
    return Experiment(
        OWN,
        "your own line",
        "How does your line grow with n?",
        setup,
        (Candidate("own", short, line),),
        OWN_SIZES,
        axis="n",
        dtypes=OWN_DTYPES,
    )
