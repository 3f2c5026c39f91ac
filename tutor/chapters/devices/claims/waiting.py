"""What people say about transfers that go on while the program does, and about pinned memory."""

from __future__ import annotations

from tutor.course.model import Check, Claim

_CUDA = ("cuda",)

# A call waits if all that was queued on the GPU before it is done when it comes back. The queue takes the GPU tens of
# milliseconds and the CPU about one.
WAITS = """\
busy = torch.ones(2048, 2048, device='cuda')
def waits(call):
    call()
    torch.cuda.synchronize()
    for _ in range(100):
        busy @ busy
    queued = torch.cuda.Event()
    queued.record()
    call()
    return queued.query()
"""

_NON_BLOCKING = Claim(
    ids=("A32", "B16"),
    claim="`.to('cuda', non_blocking=True)` lets the program go on during the copy if the source lies in pinned "
    "memory, and only then.",
    taught="true",
    really="As documented. Ordinary memory has to be staged by the driver, and the call comes back after that. What "
    "you queue on the same stream afterwards still waits for the copy, and so sees the right numbers.",
    why="It is documented, though half of it is often forgotten.",
    checks=(
        Check(
            part="a tensor is pinned only if you ask for it",
            code="torch.ones(2).is_pinned(), torch.from_numpy(np.ones(2)).is_pinned()\n"
            "not torch.ones(2).is_pinned() and not torch.from_numpy(np.ones(2)).is_pinned()",
        ),
        Check(
            part="out of pinned memory the call comes back before earlier work is done",
            code=WAITS + "x = torch.ones(1_000_000).pin_memory()\n"
            "waits(lambda: x.to('cuda', non_blocking=True))\nnot waits(lambda: x.to('cuda', non_blocking=True))",
            needs=_CUDA,
        ),
        Check(
            part="out of ordinary memory it comes back after it",
            code=WAITS + "x = torch.ones(10_000_000)\n"
            "waits(lambda: x.to('cuda', non_blocking=True))\nwaits(lambda: x.to('cuda', non_blocking=True))",
            needs=_CUDA,
        ),
        Check(
            part="what is computed with the copy right away is right",
            code="x = torch.arange(1_000_000).pin_memory()\nthere = x.to('cuda', non_blocking=True)\n"
            "int(there.sum()), int(x.sum())\nint(there.sum()) == int(x.sum())",
            needs=_CUDA,
        ),
    ),
)

_BACKWARDS = Claim(
    ids=(),
    claim="`.to('cpu', non_blocking=True)` is as safe as the way to the GPU.",
    taught="false",
    really="The call comes back before the numbers have arrived, and the CPU does not wait for them when it reads. "
    "Call `torch.accelerator.synchronize()`, or wait for an event, before you read.",
    why="On the way to the GPU the stream keeps the order, and nobody notices.",
    checks=(
        Check(
            part="the numbers are there when the call comes back",
            code=WAITS + "x = torch.ones(1_000_000, device='cuda')\n"
            "waits(lambda: x.to('cpu', non_blocking=True))\nwaits(lambda: x.to('cpu', non_blocking=True))",
        ),
    ),
    needs=_CUDA,
)

_IMAGE = Claim(
    ids=("A83",),
    claim="`torch.from_numpy(pixels.astype(np.float32)).to('cuda', non_blocking=True)` sends an image in the "
    "background, and to normalise it there saves a trip.",
    taught="false",
    really="The source is not pinned, so nothing goes on in the background. There is one trip in either order. Casting "
    "first sends four bytes for each one: send uint8, cast and normalise there.",
    why="`non_blocking=True` is accepted without a word, whatever the source.",
    checks=(
        Check(
            part="the source is pinned",
            code="pixels = np.zeros((4, 5, 3), np.uint8)\ntorch.from_numpy(pixels.astype(np.float32)).is_pinned()",
        ),
        Check(
            part="cast first, no more bytes have to travel",
            code="pixels = np.zeros((4, 5, 3), np.uint8)\npixels.astype(np.float32).nbytes, pixels.nbytes\n"
            "pixels.astype(np.float32).nbytes <= pixels.nbytes",
        ),
        Check(
            part="normalised on the CPU, there is one trip more (here to the meta device)",
            code="from tutor import xray\nimage = torch.zeros(4, 5, 3)\n"
            "with xray() as there:\n    _ = image.to('meta') / 255\n"
            "with xray() as here:\n    _ = (image / 255).to('meta')\n"
            "def trips(seen):\n    return sum(event.kind == 'transfer' for event in seen.events)\n"
            "trips(there), trips(here)\ntrips(here) > trips(there)",
        ),
        Check(
            part="the call comes back while the GPU is still busy with earlier work",
            code=WAITS + "image = torch.from_numpy(np.zeros((2000, 2000, 3), np.float32))\n"
            "waits(lambda: image.to('cuda', non_blocking=True))\n"
            "not waits(lambda: image.to('cuda', non_blocking=True))",
            needs=_CUDA,
        ),
    ),
)

_HELPER = Claim(
    ids=("A110",),
    claim="A helper that makes a tensor, moves it with `non_blocking=True` and then pins what is on the CPU overlaps "
    "the transfer.",
    taught="false",
    really="It pins too late: what it moves lies in ordinary memory. Pin first, then move, where pinning pays.",
    why="Both options are there, and nobody looks at their order.",
    checks=(
        Check(
            part="what it moves is pinned",
            code="def take(data, device, pin, pinned_when_moved):\n"
            "    t = torch.as_tensor(data)\n"
            "    pinned_when_moved.append(t.is_pinned())\n"
            "    t = t.to(device, non_blocking=True)\n"
            "    return t.pin_memory() if pin and t.device.type == 'cpu' else t\n"
            "seen = []\ntake(np.ones(2), 'meta', True, seen)\nseen\nseen == [True]",
        ),
        Check(
            part="its transfer comes back while the GPU is still busy with earlier work",
            code=WAITS + "def take(data, device, pin):\n"
            "    t = torch.as_tensor(data).to(device, non_blocking=True)\n"
            "    return t.pin_memory() if pin and t.device.type == 'cpu' else t\n"
            "data = np.ones(10_000_000, np.float32)\n"
            "waits(lambda: take(data, 'cuda', True))\nnot waits(lambda: take(data, 'cuda', True))",
            needs=_CUDA,
        ),
    ),
)

_TO_ANOTHER = Claim(
    ids=("A29",),
    claim="`.to('cuda:1')` calls `torch.cuda.synchronize()` behind your back.",
    taught="false",
    really="By torch's source code a move from another GPU makes the two queues wait for each other, and the program "
    "goes on. A move from ordinary CPU memory does wait, but for the queue it copies on, not for the whole device.",
    why="A move from the CPU does wait, and nobody asks for what.",
    checks=(
        Check(
            part="a move from another GPU waits for earlier work",
            code=WAITS.replace("'cuda'", "'cuda:0'") + "x = torch.ones(9, device='cuda:0')\n"
            "waits(lambda: x.to('cuda:1'))\nwaits(lambda: x.to('cuda:1'))",
            needs=("cuda:1",),
        ),
        Check(
            part="torch's own watch for waiting (`set_sync_debug_mode`) sees it wait",
            code="x = torch.ones(9, device='cuda:0')\nthere = x.to('cuda:1')\n"
            "before = torch.cuda.get_sync_debug_mode()\n"
            "def watched():\n    torch.cuda.set_sync_debug_mode('error')\n    try:\n        return x.to('cuda:1')\n"
            "    finally:\n        torch.cuda.set_sync_debug_mode(before)\n"
            "raises(watched, RuntimeError, 'synchronizing')",
            needs=("cuda:1",),
        ),
        Check(
            part="a move from the CPU waits for work on another stream",
            code="busy, x = torch.ones(2048, 2048, device='cuda'), torch.ones(9)\nthere = busy @ busy, x.to('cuda')\n"
            "queued, other = torch.cuda.Event(), torch.cuda.Stream()\ntorch.cuda.synchronize()\n"
            "with torch.cuda.stream(other):\n"
            "    for _ in range(100):\n        _ = busy @ busy\n"
            "    queued.record()\n"
            "there = x.to('cuda')\nqueued.query()",
            needs=_CUDA,
        ),
    ),
)

_PINNED_FASTER = Claim(
    ids=("B15",),
    claim="`pin_memory` makes copies to the GPU faster.",
    taught="partly",
    really="A copy out of pinned memory is faster. But to pin a tensor is a copy too, on the CPU. It pays where the "
    "memory is used again, or where another process or thread pins, as a `DataLoader` does.",
    why="Only the second copy is timed.",
    checks=(
        Check(
            part="out of pinned memory a large copy takes less time",
            code="x = torch.ones(25_000_000)\npinned = x.pin_memory()\n"
            "times(lambda: x.to('cuda'), lambda: pinned.to('cuda')) > 1",
        ),
        Check(
            part="pinning itself copies nothing",
            code="x = torch.ones(1000)\npinned = x.pin_memory()\nx.is_pinned(), pinned.is_pinned()\nshares(pinned, x)",
        ),
    ),
    needs=_CUDA,
)

_EMPTY_HANDED = Claim(
    ids=(),
    claim="A call that puts work on the GPU comes back when the work is done.",
    taught="false",
    really="It comes back as soon as the work is queued. Who asks for a number waits: `.item()`, `print`, `if t:`, "
    "`.cpu()`. A clock that is stopped before has measured the queueing.",
    why="On the CPU it is so.",
    checks=(
        Check(
            part="a product is done when the call comes back",
            code="big = torch.ones(4096, 4096, device='cuda')\nbig @ big\ntorch.cuda.synchronize()\n"
            "done = torch.cuda.Event()\nfor _ in range(20):\n    _ = big @ big\ndone.record()\ndone.query()",
        ),
        Check(
            part="`.item()` of it comes back before the work is done",
            code=WAITS + "x = torch.ones(3, device='cuda')\nwaits(lambda: x.sum().item())\n"
            "not waits(lambda: x.sum().item())",
        ),
    ),
    needs=_CUDA,
)

WAITING = (_NON_BLOCKING, _BACKWARDS, _IMAGE, _HELPER, _TO_ANOTHER, _PINNED_FASTER, _EMPTY_HANDED)
