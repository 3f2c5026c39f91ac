"""What people say about models, and about code around them."""

from __future__ import annotations

from tutor.course.model import Check, Claim

_LAZY = """\
class Residual(torch.nn.Module):
    identity = None
    def forward(self, x):
        if self.identity is None:
            self.identity = torch.eye(x.shape[1], dtype=x.dtype, device=x.device)
        return x @ self.identity
layer = Residual()
"""

_ROUND_TRIP = """\
def run(array, layer):
    x = torch.from_numpy(array * 2).float()
    return layer(x).detach().cpu().numpy()
layer = torch.nn.Linear(3, 2)
"""

_CACHED = Claim(
    ids=("A76",),
    claim="A constant that depends on the input, such as an identity matrix, is best made at the first call of "
    "`forward` and kept on `self`.",
    taught="false",
    really="It keeps the width, dtype and device of the first input for good. `.double()` and `.to` skip it, since it "
    "is no buffer. Make it from `x` each time, or, if its size is known, register a buffer when the layer is made.",
    why="It is made once, and the first test has inputs of one kind.",
    checks=(
        Check(
            part="an input of another width can follow",
            code=_LAZY + "layer(torch.ones(2, 3)).shape\nlayer(torch.ones(2, 4))\n"
            "not raises(lambda: layer(torch.ones(2, 4)), Exception)",
        ),
        Check(
            part="it follows the layer to another dtype",
            code=_LAZY + "layer(torch.ones(2, 3)).dtype\n_ = layer.double()\n"
            "layer.identity.dtype, list(layer.buffers())\n"
            "layer(torch.ones(2, 3).double())\n"
            "not raises(lambda: layer(torch.ones(2, 3).double()), Exception)",
        ),
    ),
)

_AROUND = Claim(
    ids=("B33",),
    claim="An array can be worked on with NumPy, go through a model as `torch.from_numpy(array).float()`, and come "
    "back as `.detach().cpu().numpy()`.",
    taught="true",
    really="It works. Without `.float()` a float64 array does not fit the float32 weights. The graph that `.detach()` "
    "drops need not be built: use `torch.no_grad()`.",
    why="Each of these calls is the usual one at its place.",
    checks=(
        Check(
            part="an array comes back, of float32",
            code=_ROUND_TRIP + "found = run(np.ones((1, 3)), layer)\ntype(found).__name__, found.shape\n"
            "layer(torch.from_numpy(np.ones((1, 3))))\n"
            "isinstance(found, np.ndarray) and found.dtype == np.float32",
        ),
    ),
)

_UNDERSCORE = Claim(
    ids=("B38",),
    claim="A method of a tensor whose name ends in an underscore changes the tensor itself.",
    taught="true",
    really="Each gives back the tensor that it was called on. A leaf that requires grad refuses, except under "
    "`torch.no_grad()`. They are not the only ones: `+=`, `out=` and `x[...] =` write in place without an underscore.",
    why="It is the rule by which they are named.",
    checks=(
        Check(
            part="each that can be called with no argument, or with one tensor, gives back the same tensor",
            code="def same(name):\n"
            "    for arguments in (), (torch.full((2, 2), 0.5),):\n"
            "        x = torch.full((2, 2), 0.5)\n"
            "        try:\n"
            "            return getattr(x, name)(*arguments) is x\n"
            "        except (TypeError, RuntimeError, ValueError):\n"
            "            pass\n"
            "names = [name for name in dir(torch.Tensor) if name.endswith('_') and not name.startswith('_')]\n"
            "found = {name: same(name) for name in names}\n"
            "[found[name] for name in ('add_', 'exp_', 'zero_', 'sigmoid_', 'transpose_')]\n"
            "list(found.values()).count(True) > 100 and False not in found.values()",
        ),
        Check(
            part="what it wrote is in the tensor",
            code="x = torch.ones(2)\n_ = x.add_(1)\ntorch.ones(2, requires_grad=True).add_(1)\nx.tolist() == [2, 2]",
        ),
    ),
)

_EPOCH = Claim(
    ids=("B43",),
    claim="By following such a list of advice, an epoch of BERT took a third less time.",
    taught="not checkable",
    really="Nobody else has that program or that machine. What can be checked is each piece of advice alone: time your "
    "own loader and your own step with `tutor.race`, before and after, as the claim about `num_workers` does here.",
    why="It comes with two exact numbers.",
)

MODELS = (_CACHED, _AROUND, _UNDERSCORE, _EPOCH)
