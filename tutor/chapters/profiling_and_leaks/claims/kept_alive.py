"""What people say about tensors that pile up in a list, and how to be rid of them."""

from __future__ import annotations

from tutor.course.model import Check, Claim

_ALIVE = """\
import weakref
kept, seen = [], []
def alive():
    return sum(tensor() is not None for tensor in seen)
"""
_LOOP = """\
for i in range(100):
    t = torch.tensor([i])
    kept.append(t)
    seen.append(weakref.ref(t))
"""
_STEP = """\
weight = torch.ones(3, requires_grad=True)
def loss_of_a_batch():
    batch = torch.ones(3)
    seen.append(weakref.ref(batch))
    return (weight * batch).sum()
"""

_LIST = Claim(
    ids=("A97",),
    claim="Tensors that a loop appends to a list all stay in memory.",
    taught="true",
    really="The list refers to each of them, and what is referred to stays. When the list goes, they go: no memory is "
    "lost.",
    why="Python frees what nobody refers to, and a list refers to all it holds.",
    checks=(
        Check(part="all are alive after the loop", code=_ALIVE + _LOOP + "alive()\nalive() == 100"),
        Check(
            part="it is the list that keeps them",
            code=_ALIVE + _LOOP + "del t\nbefore = alive()\nkept.clear()\nbefore, alive()\n"
            "before == 100 and alive() == 0",
        ),
    ),
)

_DEL = Claim(
    ids=("A98",),
    claim="When a loop appends tensors to a list, `del t` and `torch.cuda.empty_cache()` in the loop free them.",
    taught="false",
    really="`del` removes a name, and the list still refers to the tensor. `empty_cache` gives back what torch keeps "
    "in reserve, and a tensor in use is not in reserve.",
    why="`del` sounds as if it deleted the tensor.",
    checks=(
        Check(
            part="fewer are alive after the loop",
            code=_ALIVE + _LOOP + "    del t\n    torch.cuda.empty_cache()\nalive()\nalive() < 100",
        ),
    ),
)

_NO_GRAD = Claim(
    ids=("A99",),
    claim="When a loop fills a list with new tensors, make them under `torch.no_grad()`, so that no graphs pile up.",
    taught="false",
    really="A tensor that you make from data has no graph, there or elsewhere, and the list keeps it all the same.",
    why="For results of a model it is good advice: these do carry a graph.",
    checks=(
        Check(
            part="without it, a new tensor carries a graph",
            code="t = torch.tensor([1.0])\nt.requires_grad, t.grad_fn\nt.grad_fn is not None",
        ),
        Check(
            part="with it, fewer are alive after the loop",
            code=_ALIVE + "with torch.no_grad():\n    for i in range(100):\n        t = torch.tensor([i])\n"
            "        kept.append(t)\n        seen.append(weakref.ref(t))\nalive()\nalive() < 100",
        ),
    ),
)

_LOSSES = Claim(
    ids=(),
    claim="To append each loss to a list, for a plot later, costs the memory of one number each.",
    taught="false",
    really="A loss refers to its graph, and the graph to what backward will need, here each batch. After `backward` "
    "only the graph is left, which is still more than a number. `loss.item()` and `loss.detach()` let go of all of it. "
    "A running sum of losses keeps all graphs as well.",
    why="The list shows one number for each loss.",
    checks=(
        Check(
            part="the batches are freed although the losses are kept",
            code=_ALIVE + _STEP + "kept = [loss_of_a_batch() for _ in range(5)]\nalive()\n"
            "kept = [loss.item() for loss in kept]\nalive()\n"
            "kept = [loss_of_a_batch().detach() for _ in range(5)]\nalive()\n"
            "kept = [loss_of_a_batch() for _ in range(5)]\nalive() == 0",
        ),
        Check(
            part="after `backward` no graph is kept with them",
            code=_ALIVE + _STEP + "kept = [loss_of_a_batch() for _ in range(5)]\n"
            "for loss in kept:\n    loss.backward()\n"
            "alive(), type(kept[0].grad_fn).__name__\nkept[0].grad_fn is None",
        ),
        Check(
            part="they are freed although a sum of the losses is kept",
            code=_ALIVE
            + _STEP
            + "total = 0\nfor _ in range(5):\n    total += loss_of_a_batch()\nalive()\nalive() == 0",
        ),
    ),
)

KEPT_ALIVE = (_LIST, _DEL, _NO_GRAD, _LOSSES)
