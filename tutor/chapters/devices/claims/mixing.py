"""What people say about tensors of two devices, the default device and the meta device."""

from __future__ import annotations

from tutor.course.model import Check, Claim

_CUDA = ("cuda",)

_CRASH = Claim(
    ids=("B13",),
    claim="An operation on tensors of two devices crashes.",
    taught="partly",
    really="It raises an error that you can catch. Where an operation works element by element, a CPU tensor without "
    "dimensions may join any device. And between the CPU and the meta device some operations do not look: a matrix "
    "product returns numbers that nobody computed.",
    why="The error is among the first that everybody meets.",
    checks=(
        Check(
            part="CPU and GPU raise",
            code="x, there = torch.ones(3), torch.ones(3, device='cuda')\nx + there\n"
            "raises(lambda: x + there, RuntimeError, 'Expected all tensors to be on the same device')",
            needs=_CUDA,
        ),
        Check(
            part="CPU and meta raise",
            code="x, there = torch.ones(3), torch.ones(3, device='meta')\nx + there\n"
            "raises(lambda: x + there, RuntimeError, 'is not on the expected device')",
        ),
        Check(
            part="a CPU tensor without dimensions raises too",
            code="x, there = torch.tensor(2.0), torch.ones(3, device='meta')\nx + there\n"
            "raises(lambda: x + there, RuntimeError)",
        ),
        Check(
            part="a matrix product of CPU and meta raises (new memory is filled with nan here, to see it)",
            code="x, there = torch.ones(2, 2), torch.ones(2, 2, device='meta')\n"
            "torch.use_deterministic_algorithms(True)\ntorch.empty(2).tolist()\n"
            "x @ there\n(there @ x).device\nraises(lambda: x @ there, RuntimeError)",
        ),
        Check(
            part="the other way round, a GPU tensor without dimensions raises beside a CPU tensor",
            code="x, there = torch.ones(3), torch.tensor(2.0, device='cuda')\nx + there\n"
            "raises(lambda: x + there, RuntimeError)",
            needs=_CUDA,
        ),
    ),
)

_BOTH = Claim(
    ids=("B14",),
    claim="Bring both operands to one device first; then the operation works.",
    taught="true",
    really="Yes. Decide once where the work is done, and create or move each tensor there once.",
    why="The error says so.",
    checks=(
        Check(
            part="with both on the GPU it works",
            code="x, y = torch.ones(3).to('cuda'), torch.ones(3).to('cuda')\n(x + y).is_cuda",
            needs=_CUDA,
        ),
        Check(
            part="with both on the meta device it works",
            code="x, y = torch.ones(3).to('meta'), torch.ones(3).to('meta')\nx + y\n(x + y).is_meta",
        ),
    ),
)

_DEFAULT = Claim(
    ids=(),
    claim="After `torch.set_default_device` every new tensor is made there.",
    taught="partly",
    really="What functions make from sizes or Python numbers, yes, but not the class `torch.Tensor`. `from_numpy` "
    "keeps the array's memory, and so stays on the CPU; `as_tensor` follows, by a copy, even if it is given a tensor. "
    "`zeros_like(x)` and `x.new_zeros` lie where `x` lies.",
    why="The name promises it, and most constructors keep the promise.",
    checks=(
        Check(
            part="`zeros`, `rand`, `tensor` and a layer",
            code="torch.set_default_device('meta')\n"
            "made = torch.zeros(2), torch.rand(2), torch.tensor([1.0]), torch.nn.Linear(2, 2).weight\n"
            "torch.set_default_device(None)\n[t.device.type for t in made]\nall(t.is_meta for t in made)",
        ),
        Check(
            part="`as_tensor` and `asarray` of an array, and of a CPU tensor",
            code="sources = np.ones(2), torch.ones(2)\ntorch.set_default_device('meta')\n"
            "made = [make(x) for x in sources for make in (torch.as_tensor, torch.asarray)]\n"
            "torch.set_default_device(None)\n[t.device.type for t in made]\nall(t.is_meta for t in made)",
        ),
        Check(
            part="the class `torch.Tensor`, of sizes or of a list",
            code="torch.set_default_device('meta')\nmade = torch.Tensor(2), torch.Tensor([1.0])\n"
            "torch.set_default_device(None)\n[t.device.type for t in made]\nany(t.is_meta for t in made)",
        ),
        Check(
            part="`from_numpy`",
            code="torch.set_default_device('meta')\nmade = torch.from_numpy(np.ones(2))\n"
            "torch.set_default_device(None)\nmade.device\nmade.is_meta",
        ),
        Check(
            part="`zeros_like` and `new_zeros` of a tensor that lies on the CPU",
            code="x = torch.ones(2)\ntorch.set_default_device('meta')\n"
            "made = torch.zeros_like(x), x.new_zeros(2)\n"
            "torch.set_default_device(None)\n[t.device.type for t in made]\nany(t.is_meta for t in made)",
        ),
    ),
)

_META = Claim(
    ids=(),
    claim="What runs on the meta device runs on a real one.",
    taught="false",
    really="It computes shapes and dtypes, and never looks at a number. An index that is out of range passes. What "
    "depends on numbers, such as `nonzero`, raises there although it works elsewhere.",
    why="It finds most errors of shape without any memory.",
    checks=(
        Check(
            part="an index that passes there passes on the CPU",
            code="def third_of_two(device):\n"
            "    index = torch.tensor([3], device=device)\n"
            "    return torch.ones(2, device=device)[index].shape\n"
            "raises(lambda: torch.ones(2, device='meta').nonzero(), NotImplementedError)\n"
            "third_of_two('meta')\nthird_of_two('cpu')\nnot raises(lambda: third_of_two('cpu'), IndexError)",
        ),
    ),
)

_COMPLETE_NAME = Claim(
    ids=(),
    claim="A device has one name, so `x.to(name) is x` tells whether `x` is there.",
    taught="false",
    really="`cpu` and `cpu:0` are two names of one memory, and `.to` copies between them. Compare `x.device.type`, or "
    "ask `x.is_cpu`, `x.is_cuda`, `x.is_meta`. Hand on `other.device` and not a name of your own.",
    why="`cuda` and `cuda:0` are used as if they were one.",
    checks=(
        Check(
            part="a tensor on the CPU is not copied to `cpu:0`",
            code="x = torch.ones(2)\nx.to('cpu') is x, x.to(x.device) is x, x.to('cpu:0') is x\n"
            "x.to('cpu:0').device == x.device, shares(x.to('cpu:0'), x)\nx.to('cpu:0') is x",
        ),
        Check(
            part="`cuda` equals `cuda:0`",
            code="torch.device('cuda') == torch.device('cuda:0')",
        ),
    ),
)

MIXING = (_CRASH, _BOTH, _DEFAULT, _META, _COMPLETE_NAME)
