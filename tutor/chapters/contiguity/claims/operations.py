"""What people say about views, and about operations that need contiguous tensors."""

from __future__ import annotations

from tutor.course.model import Check, Claim

_M = "m = torch.arange(12.).view(3, 4)\n"

_VIEW = Claim(
    ids=(),
    claim="`view` needs a contiguous tensor. On any other `reshape` copies.",
    taught="false",
    really="What decides is whether the dimensions that must merge go on evenly. `m[:, :2].view(3, 2, 1)` works, and "
    "so does `m3[..., 0].view(6)`.",
    why="The error is met after `transpose`, and `.contiguous()` makes it go away.",
    checks=(
        Check(
            part="`view` fails on a slice that is not contiguous",
            code=_M + "part = m[:, :2]\n"
            "part.is_contiguous(), part.view(3, 2, 1).stride()\n"
            "raises(lambda: part.view(3, 2, 1), RuntimeError)",
        ),
        Check(
            part="`reshape` copies a slice that is not contiguous",
            code="m3 = torch.arange(24).view(2, 3, 4)\n"
            "column = m3[..., 0]\n"
            "column.is_contiguous(), column.reshape(6).stride()\n"
            "not shares(column.reshape(6), m3)",
        ),
    ),
)

_ALWAYS_COPIES = Claim(
    ids=(),
    claim="`.contiguous()` copies.",
    taught="partly",
    really="Only what is not contiguous. A contiguous tensor comes back itself, the same object.",
    why="It is called to get a copy in order, and usually makes one.",
    checks=(
        Check(
            part="a transposed tensor is copied",
            code=_M + "not shares(m.T.contiguous(), m)",
        ),
        Check(
            part="a contiguous one is copied",
            code=_M + "m.contiguous() is m\nnot shares(m.contiguous(), m)",
        ),
    ),
)

_FUSED = Claim(
    ids=("A03",),
    claim="Fast operators such as `torch._C._nn.fused_linear` only run on contiguous inputs.",
    taught="false",
    really="There is no such function. `linear` takes input and weight that are not contiguous, and is right.",
    why="Kernels written by hand often do need it.",
    checks=(
        Check(
            part="there is a `fused_linear`",
            code="[name for name in dir(torch._C._nn) if 'linear' in name]\nhasattr(torch._C._nn, 'fused_linear')",
        ),
        Check(
            part="`linear` refuses tensors that are not contiguous, or gets them wrong",
            code="seeded = torch.Generator().manual_seed(0)\n"
            "x = torch.randn(4, 8, generator=seeded).T\n"
            "w = torch.randn(4, 5, generator=seeded).T\n"
            "x.is_contiguous(), w.is_contiguous()\n"
            "linear = torch.nn.functional.linear\n"
            "not torch.allclose(linear(x, w), linear(x.contiguous(), w.contiguous()), atol=1e-5)",
        ),
    ),
)

_MATMUL = Claim(
    ids=(),
    claim="Call `.contiguous()` on a transposed matrix before multiplying: it makes the product faster.",
    taught="false",
    really="A matrix product takes the matrix as it lies, whether rows or columns follow each other. The copy "
    "is paid on top.",
    why="Memory read in order is faster, so the advice sounds safe.",
    checks=(
        Check(
            part="with a small batch, the product takes longer than the copy and the product",
            code="torch.set_num_threads(1)\n"
            "weight, x = torch.ones(1000, 1000), torch.ones(4, 1000)\n"
            "times(lambda: x @ weight.T, lambda: x @ weight.T.contiguous(), budget=0.5) > 1",
        ),
        Check(
            part="the product needs it to be right",
            code="seeded = torch.Generator().manual_seed(0)\n"
            "weight, x = torch.randn(50, 40, generator=seeded), torch.randn(4, 40, generator=seeded)\n"
            "not torch.allclose(x @ weight.T, x @ weight.T.contiguous(), atol=1e-4)",
        ),
    ),
)

_SLOW = Claim(
    ids=(),
    claim="Operations on a tensor that is not contiguous are slow.",
    taught="partly",
    really="With gaps, yes: more bytes are reached for the same numbers. Merely transposed, not for a sum, which may "
    "go in the order of storage.",
    why="The two are told by the same answer of `is_contiguous()`.",
    checks=(
        Check(
            part="a sum over every second row and column takes more than one and a half times as long",
            code="torch.set_num_threads(1)\n"
            "big, small = torch.ones(2000, 2000), torch.ones(1000, 1000)\n"
            "times(lambda: big[::2, ::2].sum(), lambda: small.sum(), budget=0.5) > 1.5",
        ),
        Check(
            part="a sum over the transposed tensor does",
            code="torch.set_num_threads(1)\n"
            "small = torch.ones(1000, 1000)\n"
            "times(lambda: small.T.sum(), lambda: small.sum(), budget=0.5) > 1.5",
        ),
    ),
)

_SDPA = Claim(
    ids=(),
    claim="After attention, `.transpose(1, 2)` needs `.contiguous()` before `.view`.",
    taught="partly",
    really="It depends on how the result lies. Here `scaled_dot_product_attention` gives it in the order of the query: "
    "cut from (batch, time, heads, width), the heads merge without a copy. `reshape` is right for both.",
    why="It stands so in much of the code that people copy.",
    checks=(
        Check(
            part="where the query was made as (batch, heads, time, width)",
            code="attend = torch.nn.functional.scaled_dot_product_attention\n"
            "q = torch.ones(2, 4, 5, 8)\n"
            "out = attend(q, q, q).transpose(1, 2)\n"
            "raises(lambda: out.view(2, 5, 32), RuntimeError, 'view size')",
        ),
        Check(
            part="where the query was cut from (batch, time, heads * width)",
            code="attend = torch.nn.functional.scaled_dot_product_attention\n"
            "q = torch.ones(2, 5, 32).view(2, 5, 4, 8).transpose(1, 2)\n"
            "out = attend(q, q, q).transpose(1, 2)\n"
            "out.is_contiguous()\n"
            "raises(lambda: out.view(2, 5, 32), RuntimeError, 'view size')",
        ),
    ),
)

OPERATIONS = (_VIEW, _ALWAYS_COPIES, _FUSED, _MATMUL, _SLOW, _SDPA)
