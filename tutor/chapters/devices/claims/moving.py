"""What people say about bringing a tensor to another device, and back."""

from __future__ import annotations

from tutor.course.model import Check, Claim

_CUDA = ("cuda",)

_ONE_CALL = Claim(
    ids=("B01",),
    claim="One call of `.cuda()` moves a tensor, and the computation with it, to the GPU.",
    taught="partly",
    really="It returns a copy there. The tensor itself stays where it is, and each operand must be brought over too.",
    why="`model.cuda()` does change the model, and tensors are taken to work alike.",
    checks=(
        Check(
            part="what it returns lies on the GPU",
            code="x = torch.ones(2)\ny = x.cuda()\ny.is_cuda",
            needs=_CUDA,
        ),
        Check(
            part="the tensor itself is moved (here to the meta device)",
            code="x = torch.ones(2)\ny = x.to('meta')\nx.device, y.device\nx.device == y.device",
        ),
        Check(
            part="the other operand of a computation follows by itself",
            code="x, other = torch.ones(2).to('meta'), torch.ones(2)\nx + other\n"
            "not raises(lambda: x + other, RuntimeError)",
        ),
    ),
)

_FREELY = Claim(
    ids=("B12",),
    claim="A tensor moves freely between devices.",
    taught="partly",
    really="It is copied, unless it is there already: then `.to` returns the same object. Not every device takes every "
    "tensor: nothing comes back from the meta device, which holds no numbers.",
    why="`.to(device)` reads like a change of place.",
    checks=(
        Check(
            part="on the GPU and back, the numbers are the same",
            code="x = torch.arange(5.0)\nx.to('cuda').to('cpu').equal(x)",
            needs=_CUDA,
        ),
        Check(
            part="a move makes a second tensor even to where it already is",
            code="x = torch.ones(2)\nx.to('cpu') is x, x.cpu() is x\nx.to('cpu') is not x",
        ),
        Check(
            part="it comes back from every device",
            code="x = torch.ones(2).to('meta')\nx.to('cpu')\nnot raises(lambda: x.to('cpu'), NotImplementedError)",
        ),
    ),
)

_PROFILED = """\
import os
from unittest.mock import patch
from torch.profiler import ProfilerActivity, profile
quiet = patch.dict(os.environ, KINETO_LOG_LEVEL='99')
def calls(work):
    with quiet, profile(activities=[ProfilerActivity.CPU]) as seen:
        work()
    return [event.name for event in seen.events() if event.name.startswith('aten::')]
x = torch.ones(3)
made, same = calls(lambda: x.to(torch.float64)), calls(lambda: x.to('cpu', torch.float32))
made, same
"""

_COPY = Claim(
    ids=("A117",),
    claim="`.to` is a `copy_` at heart.",
    taught="partly",
    really="Where something has to change: it makes an empty tensor and copies into it. Where nothing has to, it "
    "returns the tensor itself.",
    why="It is met where something changes.",
    checks=(
        Check(
            part="where the dtype changes, `copy_` does the work",
            code=_PROFILED + "'aten::copy_' in made",
        ),
        Check(
            part="where nothing changes, it does too",
            code=_PROFILED + "x.to('cpu', torch.float32) is x\n'aten::copy_' in same",
        ),
    ),
)

_TEMPORARY = Claim(
    ids=("A28",),
    claim="On its way to the GPU a tensor first goes into a temporary buffer on the CPU.",
    taught="partly",
    really="By torch's source code one that lies in order is copied as it is. One with gaps is put in order first, in "
    "a copy on the CPU, and one whose dtype changes is cast there. What the driver does with ordinary memory is its "
    "own affair.",
    why="The driver does stage ordinary memory, and it is told as if torch did.",
    checks=(
        Check(
            part="torch makes one for a tensor that lies in order",
            code="import os\nos.environ['KINETO_LOG_LEVEL'] = '99'\n"
            "from torch.profiler import ProfilerActivity, profile\n"
            "def clones(x):\n"
            "    x.to('cuda')\n"
            "    with profile(activities=[ProfilerActivity.CPU]) as seen:\n"
            "        x.to('cuda')\n"
            "    return sum(event.name == 'aten::clone' for event in seen.events())\n"
            "clones(torch.ones(999, 999))\n"
            "clones(torch.ones(999, 999)) > 0",
            isolated=True,
        ),
        Check(
            part="torch makes one for a tensor with gaps",
            code="import os\nos.environ['KINETO_LOG_LEVEL'] = '99'\n"
            "from torch.profiler import ProfilerActivity, profile\n"
            "def clones(x):\n"
            "    x.to('cuda')\n"
            "    with profile(activities=[ProfilerActivity.CPU]) as seen:\n"
            "        x.to('cuda')\n"
            "    return sum(event.name == 'aten::clone' for event in seen.events())\n"
            "clones(torch.ones(999, 999)[:, ::2])\n"
            "clones(torch.ones(999, 999)[:, ::2]) > 0",
            isolated=True,
        ),
    ),
    needs=_CUDA,
)

_BACK = Claim(
    ids=("B24",),
    claim="A GPU tensor needs `.cpu()` before `.numpy()`.",
    taught="true",
    really="NumPy knows memory of the CPU alone, so `.numpy()` raises. `.numpy(force=True)` detaches, moves and "
    "converts in one call.",
    why="The message says it.",
    checks=(
        Check(
            part="without it, `.numpy()` raises",
            code="x = torch.ones(3, device='cuda')\nx.numpy()\n"
            'raises(lambda: x.numpy(), TypeError, "can\'t convert cuda:0 device type tensor to numpy")',
            needs=_CUDA,
        ),
        Check(
            part="it raises on the meta device too, which is not the CPU either",
            code="x = torch.ones(3, device='meta')\nx.numpy()\n"
            'raises(lambda: x.numpy(), TypeError, "can\'t convert meta device type tensor to numpy")',
        ),
        Check(
            part="with it, and detached, the numbers come",
            code="x = torch.arange(3.0, device='cuda', requires_grad=True)\nx.numpy(force=True).tolist()\n"
            "x.detach().cpu().numpy().tolist() == [0, 1, 2]",
            needs=_CUDA,
        ),
    ),
)

_LEAK = Claim(
    ids=("B25",),
    claim="`.cpu()` before `.numpy()` prevents a memory leak.",
    taught="false",
    really="On the CPU `.cpu()` does nothing: the array lies on the tensor's memory, and keeps it alive. On a GPU "
    "leaving it out cannot leak: it raises. What keeps memory alive is a name that holds a tensor, or a graph behind "
    "it.",
    why="Who keeps arrays instead of GPU tensors does free memory there, and `.detach()` in the same line lets go of a "
    "graph.",
    checks=(
        Check(
            part="on the CPU it gives the array memory of its own",
            code="x = torch.ones(2)\narray = x.cpu().numpy()\narray[0] = 9\nx, x.cpu() is x\nnot shares(array, x)",
        ),
        Check(
            part="without it a tensor elsewhere becomes an array all the same (here on the meta device)",
            code="x = torch.ones(2, device='meta')\nx.numpy()\nnot raises(lambda: x.numpy(), TypeError)",
        ),
    ),
)

MOVING = (_ONE_CALL, _FREELY, _COPY, _TEMPORARY, _BACK, _LEAK)
