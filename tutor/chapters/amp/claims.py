"""The claims that chapter 07 decides."""

from __future__ import annotations

from tutor.course.model import Check, Claim

_LAYER = "layer, x = torch.nn.Linear(3, 2), torch.ones(1, 3)\n"
_HALF = "conv, x = torch.nn.Conv2d(3, 4, 3).half(), torch.ones(1, 3, 8, 8)\n"

_INPUTS = Claim(
    ids=("A39",),
    claim="Autocast expects float16 inputs, so create them as float16.",
    taught="false",
    really="Autocast casts float32 inputs itself, for each operator that should run in low precision, and leaves the "
    "weights float32. A cast by hand gives the same numbers. What it does not cast is float64 and integers.",
    why="The output of a layer is float16 there, so the input seems to need it too.",
    checks=(
        Check(
            part="a float32 input keeps the layer out of low precision",
            code=_LAYER + "with torch.autocast('cpu', torch.float16):\n    y = layer(x)\n"
            "y.dtype, x.dtype, layer.weight.dtype\ny.dtype != torch.float16",
        ),
        Check(
            part="a float16 input gives other numbers",
            code="_ = torch.manual_seed(0)\n"
            "layer, x = torch.nn.Linear(64, 32), torch.randn(8, 64)\n"
            "with torch.autocast('cpu', torch.float16):\n    by_hand, by_autocast = layer(x.half()), layer(x)\n"
            "not torch.equal(by_hand, by_autocast)",
        ),
        Check(
            part="any other dtype is turned into float16 as well, as float32 is",
            code=_LAYER + "def run(dtype):\n    with torch.autocast('cpu', torch.float16):\n"
            "        return layer(x.to(dtype)).dtype\n"
            "run(torch.float32)\nrun(torch.float64)\nrun(torch.int64)\n"
            "not any(raises(lambda: run(dtype), RuntimeError) for dtype in (torch.float64, torch.int64))",
        ),
    ),
)

_OLD_NAME = Claim(
    ids=("A40",),
    claim="Mixed precision is switched on with `torch.cuda.amp.autocast()`.",
    taught="partly",
    really="It is the old name, since torch 2.4 with a warning; write `torch.amp.autocast('cuda')`. The two give the "
    "same kind of region, which is for GPUs alone: without one it switches itself off, and your code runs in float32.",
    why="It was the only name for years, and most code that one finds has it.",
    checks=(
        Check(
            part="it gives the same kind of region as `torch.amp.autocast('cuda')`",
            code="old, new = torch.cuda.amp.autocast(), torch.amp.autocast('cuda')\n"
            "isinstance(old, torch.amp.autocast), old.device, new.device\n"
            "isinstance(old, torch.amp.autocast) and old.device == new.device == 'cuda'",
        ),
        Check(
            part="on a GPU a layer runs in float16 there",
            code="layer, x = torch.nn.Linear(3, 2).to('cuda'), torch.ones(1, 3).to('cuda')\n"
            "with torch.cuda.amp.autocast():\n    y = layer(x)\ny.dtype\ny.dtype == torch.float16",
            needs=("cuda",),
        ),
        Check(
            part="it is a current name, without a warning",
            code="not warns(lambda: torch.cuda.amp.autocast(), 'is deprecated. Please use `torch.amp.autocast')",
        ),
        Check(
            part="it switches mixed precision on for the CPU too",
            code=_LAYER + "with torch.cuda.amp.autocast():\n    y = layer(x)\ny.dtype\ny.dtype != torch.float32",
        ),
    ),
)

_CREATING = Claim(
    ids=("A89",),
    claim="Creating a float32 tensor under autocast is a mistake, since some operators will not take the cast.",
    taught="partly",
    really="Autocast leaves what you create as it is, and chooses for each operator: matrix products run in low "
    "precision, sums of float32 stay float32, a loss goes back up to float32. But some operators that it does not know "
    "take no mixture, such as a write of a layer's result into rows picked by an index: make what you write into with "
    "`y.new_zeros`.",
    why="One expects a region of float16 to hold nothing but float16.",
    checks=(
        Check(
            part="a matrix product, a sum or a loss refuses a float32 tensor that was created there",
            code="def made():\n    with torch.autocast('cpu', torch.bfloat16):\n        x = torch.ones(2, 2)\n"
            "        return {'x': x, 'x @ x': x @ x, 'x + x': x + x, 'x @ x + x': x @ x + x,\n"
            "                'mse_loss': torch.nn.functional.mse_loss(x @ x, x)}\n"
            "{name: t.dtype for name, t in made().items()}\nraises(made, RuntimeError)",
        ),
        Check(
            part="it refuses to have a matrix product written into rows that an index picks",
            code="def write_into(make):\n    with torch.autocast('cpu', torch.bfloat16):\n"
            "        y = torch.ones(2, 2) @ torch.ones(2, 2)\n        buffer = make(y)\n"
            "        buffer[[0, 1]] = y\n    return buffer.dtype\n"
            "write_into(lambda y: y.new_zeros(2, 2))\nwrite_into(lambda y: torch.zeros(2, 2))\n"
            "raises(lambda: write_into(lambda y: torch.zeros(2, 2)), RuntimeError, 'dtypes match')",
        ),
        Check(
            part="a float32 tensor created there loses float32 where it is needed",
            code="with torch.autocast('cpu', torch.bfloat16):\n    x = torch.ones(2, 2)\n    total = x.sum()\n"
            "    loss = torch.nn.functional.mse_loss(x @ x, x)\n"
            "x.dtype, total.dtype, loss.dtype\nnot x.dtype == total.dtype == loss.dtype == torch.float32",
        ),
    ),
)

_WEIGHTS = Claim(
    ids=("A90",),
    claim="For mixed precision, allocate the weights themselves in float16.",
    taught="false",
    really="The mixture is float32 weights and float16 work. A `GradScaler` refuses the gradients of float16 weights, "
    "and a float16 weight loses small updates.",
    why="It halves their memory, and for inference it is done.",
    checks=(
        Check(
            part="a scaler takes a step with such weights",
            code="layer = torch.nn.Linear(3, 2).half()\noptimizer = torch.optim.SGD(layer.parameters(), lr=0.1)\n"
            "scaler = torch.amp.GradScaler('cpu')\n"
            "scaler.scale(layer(torch.ones(1, 3).half()).sum()).backward()\n"
            "scaler.step(optimizer)\n"
            "not raises(lambda: scaler.step(optimizer), ValueError, 'Attempting to unscale FP16 gradients.')",
        ),
        Check(
            part="a weight of 1 notices an update of 0.0001",
            code="(torch.ones(1) + 1e-4).item() > 1\nw = torch.ones(1, dtype=torch.float16)\n(w + 1e-4).item() > 1",
        ),
    ),
)

_MESSAGE = Claim(
    ids=("A96",),
    claim='The error "Input type … and weight type … should be the same" comes from AMP; create all inputs as float16.',
    taught="false",
    really="It says that input and weights differ in dtype when they meet, such as after `model.half()` outside of "
    "autocast, or, where there is a GPU, that they lie on two devices. Inside autocast that call works: only what "
    "autocast leaves alone, float64 or ints, gives it there. A float16 input to float32 weights gives the same error.",
    why="float16 stands in the message, and float16 is known from AMP.",
    checks=(
        Check(
            part="under autocast a float32 input raises it",
            code=_HALF + "def call(dtype):\n    with torch.autocast('cpu', torch.bfloat16):\n"
            "        return conv(x.to(dtype)).dtype\n"
            "call(torch.float64)\ncall(torch.int64)\ncall(torch.float32)\n"
            "raises(lambda: call(torch.float32), RuntimeError, 'should be the same')",
        ),
        Check(
            part="it does not come without autocast",
            code=_HALF + "conv(x)\nnot raises(lambda: conv(x), RuntimeError, 'should be the same')",
        ),
        Check(
            part="a float16 input cures it in an ordinary model",
            code="conv, x = torch.nn.Conv2d(3, 4, 3), torch.ones(1, 3, 8, 8)\nconv(x.half())\n"
            "not raises(lambda: conv(x.half()), RuntimeError, 'should be the same')",
        ),
    ),
)

CLAIMS = (_INPUTS, _OLD_NAME, _CREATING, _WEIGHTS, _MESSAGE)
