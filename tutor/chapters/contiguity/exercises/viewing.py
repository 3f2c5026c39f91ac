"""The exercise on attention: heads side by side, and no copy that is not needed."""

from __future__ import annotations

from collections.abc import Callable

import torch

from tutor.chapters.contiguity.exercises.images import a_tensor
from tutor.course.model import Case, Exercise, Wrong


def _relation(result: object, heads: torch.Tensor) -> str:
    t = a_tensor(result)
    wanted = torch.cat(heads.unbind(1), dim=-1)
    if t.shape != wanted.shape:
        return f"shape {tuple(t.shape)}"
    if not torch.equal(t, wanted):
        return "other values"
    return "shares" if t.untyped_storage().data_ptr() == heads.untyped_storage().data_ptr() else "copies"


def _numbered(*shape: int) -> torch.Tensor:
    return torch.arange(torch.Size(shape).numel()).view(shape)


def _case(written: str, make: Callable[[], torch.Tensor], expected: str) -> Case:
    return Case(label=written, arguments=lambda: (make(),), observe=_relation, expected=expected)


MERGE_HEADS = Exercise(
    key="merge-heads",
    task="`heads` has the shape (batch, heads, time, width). Write `merge_heads(heads)`: shape (batch, time, heads * "
    "width), the heads of each time step side by side, copied only where no view can do it.",
    function="merge_heads",
    starter='def merge_heads(heads):\n    """The heads of each time step side by side; a view where possible."""\n'
    "    ...",
    solution="""\
def merge_heads(heads):
    batch, n, time, width = heads.shape
    return heads.transpose(1, 2).reshape(batch, time, n * width)
""",
    hints=(
        "First bring time before heads. Then the last two dimensions are the ones to merge.",
        "Which of `view` and `reshape` copies if it must, and only then?",
        "`heads.transpose(1, 2)`, and then `.reshape(batch, time, n * width)`.",
    ),
    cases=(
        _case("new heads (2, 4, 3, 5)", lambda: _numbered(2, 4, 3, 5), "copies"),
        _case("heads (2, 3, 3, 3)", lambda: _numbered(2, 3, 3, 3), "copies"),
        _case("split off (2, 3, 20)", lambda: _numbered(2, 3, 4, 5).transpose(1, 2), "shares"),
        _case("from one packed tensor", lambda: _numbered(2, 3, 3, 4, 5)[:, :, 0].transpose(1, 2), "shares"),
        _case("its last third", lambda: _numbered(2, 3, 3, 4, 5)[:, :, 2].transpose(1, 2), "shares"),
        _case("one head", lambda: _numbered(2, 1, 3, 5), "shares"),
        _case("one time step", lambda: _numbered(2, 4, 1, 5), "shares"),
        _case("half of the time", lambda: _numbered(2, 6, 4, 5)[:, :3].transpose(1, 2), "shares"),
    ),
    observed="bytes",
    wrong=(
        Wrong(
            belief="After `transpose` always `.contiguous()`.",
            source="""\
def merge_heads(heads):
    batch, n, time, width = heads.shape
    return heads.transpose(1, 2).contiguous().view(batch, time, n * width)
""",
            feedback="The numbers are right. But where heads are cut from one packed tensor, they merge as they lie, "
            "although they are not contiguous. `.contiguous()` copies them all the same.",
        ),
        Wrong(
            belief="`view` is enough.",
            source="""\
def merge_heads(heads):
    batch, n, time, width = heads.shape
    return heads.transpose(1, 2).view(batch, time, n * width)
""",
            feedback="It works where heads and width go on evenly, and raises where they do not, as in new heads.",
        ),
        Wrong(
            belief="The shape is all that has to change.",
            source="""\
def merge_heads(heads):
    batch, n, time, width = heads.shape
    return heads.reshape(batch, time, n * width)
""",
            feedback="The shape is right, and the numbers of different time steps are mixed: without `transpose` a row "
            "takes what comes next in the order of heads.",
        ),
        Wrong(
            belief="Joining is done with `cat`.",
            source="def merge_heads(heads):\n    return torch.cat(heads.unbind(1), dim=-1)",
            feedback="The numbers are right, and they are copied every time, even where a view would do.",
        ),
        Wrong(
            belief="The last two dimensions are merged, whichever they are.",
            source="def merge_heads(heads):\n    return heads.transpose(1, 2).flatten(1, 2)",
            feedback="You merged time with heads. `flatten` is told the first and the last dimension to merge: heads "
            "and width are 2 and 3.",
        ),
    ),
    after="`heads.transpose(1, 2).flatten(2)` does the same: `flatten` too is a view where it can be.",
)
