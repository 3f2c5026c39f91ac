"""What people say about helpers that take anything."""

from __future__ import annotations

from tutor.course.model import Check, Claim

_HELPER = """\
def to_tensor(data, dtype=None, device=None, requires_grad=False, pin_memory=False):
    if isinstance(data, np.ndarray):
        data = torch.from_numpy(np.ascontiguousarray(data))
    elif not isinstance(data, torch.Tensor):
        data = torch.tensor(data, dtype=torch.float32)
    if dtype is not None:
        data = data.to(dtype)
    if device is not None:
        data = data.to(device)
    if pin_memory and device == 'cpu':
        data = data.pin_memory()
    return data.requires_grad_(requires_grad)
"""

_DESCRIBE = """\
def describe(x):
    shape = x.shape if hasattr(x, 'shape') else len(x)
    return type(x).__name__, shape, str(getattr(x, 'device', 'cpu')), str(x.dtype)
"""

_ANYTHING = Claim(
    ids=("A107",),
    claim="One helper that calls `from_numpy`, `torch.tensor` or nothing, as the data asks for, takes lists, tuples, "
    "arrays and tensors alike.",
    taught="partly",
    really="It takes all four. But whether the result shares with what came in depends on the type, the dtype and the "
    "layout, and its caller is not told.",
    why="All four come out as tensors with the right numbers.",
    checks=(
        Check(
            part="it takes all four",
            code=_HELPER + "given = [1.0, 2.0], (1.0, 2.0), np.array([1.0, 2.0]), torch.tensor([1.0, 2.0])\n"
            "[to_tensor(data).tolist() for data in given]\n"
            "all(to_tensor(data).tolist() == [1, 2] for data in given)",
        ),
        Check(
            part="arrays are treated alike, all shared or all copied",
            code=_HELPER + "a = np.ones((2, 3), dtype=np.float32)\n"
            "shares(to_tensor(a), a), shares(to_tensor(a.T), a), shares(to_tensor(a, dtype=torch.float64), a)\n"
            "shares(to_tensor(a), a) == shares(to_tensor(a.T), a)",
        ),
    ),
)

_REQUIRES_GRAD = Claim(
    ids=("A108",),
    claim="A helper that takes data of any kind may end with `return data.requires_grad_(requires_grad)`: it sets up "
    "the new tensor.",
    taught="false",
    really="Given a tensor there is no new one: it switches the caller's own. With the default a layer's weight stops "
    "learning, without a word. A result of an operation raises instead.",
    why="For lists and arrays the tensor is a new one.",
    checks=(
        Check(
            part="a tensor that is passed in stays as it was",
            code=_HELPER + "x = torch.ones(2)\nmade = to_tensor(x, requires_grad=True)\nx.requires_grad\n"
            "to_tensor(torch.ones(2, requires_grad=True) * 2)\n"
            "not x.requires_grad",
        ),
        Check(
            part="a layer whose weight is passed in still learns",
            code=_HELPER + "layer = torch.nn.Linear(3, 2)\nmade = to_tensor(layer.weight)\n"
            "layer(torch.ones(1, 3)).sum().backward()\n"
            "layer.weight.grad, layer.bias.grad.tolist()\n"
            "layer.weight.grad is not None",
        ),
    ),
)

_PINNED = Claim(
    ids=("A109",),
    claim="A helper with the line `if pin_memory and device == 'cpu'` pins its tensor when you ask with "
    "`pin_memory=True`, for faster copies to a GPU.",
    taught="false",
    really="Only if the device is given, and as this string: by default it is None. `torch.device('cpu')` is not equal "
    "to the string, in torch 2.6 as in 2.13. Where it does pin, nothing goes to the GPU; without a GPU it raises.",
    why="The name of the argument promises it.",
    checks=(
        Check(
            part="by default",
            code=_HELPER + "raises(lambda: to_tensor([1.0], pin_memory=True, device='cpu'), RuntimeError)\n"
            "to_tensor([1.0], pin_memory=True).is_pinned()",
        ),
        Check(
            part="with `device=torch.device('cpu')`",
            code=_HELPER + "torch.device('cpu') == 'cpu'\n"
            "to_tensor([1.0], pin_memory=True, device=torch.device('cpu')).is_pinned()",
        ),
    ),
)

_DESCRIPTION = Claim(
    ids=("B35",),
    claim="A helper that shows type, shape or length, device or 'cpu', and dtype describes whatever it is given, so "
    "that two things can be compared.",
    taught="partly",
    really="Arrays and tensors, yes. It falls back to the length for a list, and then asks the list for its dtype.",
    why="Two of its four lines are written for things that are neither.",
    checks=(
        Check(
            part="an array and a tensor",
            code=_DESCRIBE + "describe(np.ones(2)), describe(torch.ones(2))\n"
            "[what[2] for what in (describe(np.ones(2)), describe(torch.ones(2)))] == ['cpu', 'cpu']",
        ),
        Check(
            part="a list",
            code=_DESCRIBE + "describe([1.0])\nnot raises(lambda: describe([1.0]), Exception)",
        ),
    ),
)

HELPERS = (_ANYTHING, _REQUIRES_GRAD, _PINNED, _DESCRIPTION)
