"""What a learner is asked to bring about, decided on the real tensors."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import torch

from tutor._striding.model import Step
from tutor.memory import shared_memory

Made = Sequence[tuple[str, torch.Tensor]]


@dataclass(frozen=True)
class Attempt:
    """One step that worked: the tensors before and after, their code, and the views that were made earlier."""

    step: Step
    before: torch.Tensor
    after: torch.Tensor
    code: str
    earlier: Made


def _viewed(made: Attempt) -> str:
    new = made.step.operation == "view" and _without_ones(made.before) != _without_ones(made.after)
    return f"`{made.code}`" if new and not made.before.is_contiguous() else ""


def _without_ones(t: torch.Tensor) -> list[int]:
    return [int(n) for n in t.shape if n != 1]


def _apart(made: Attempt) -> str:
    if not made.after.numel():
        return ""
    for code, other in made.earlier:
        met = shared_memory(made.after, other)
        if other.numel() and met.same_storage and met.elements_overlap is False:
            return f"`{code}` and `{made.code}`"
    return ""


def _grown(made: Attempt) -> str:
    after = made.after
    held = after.untyped_storage().nbytes() // after.element_size()
    return f"`{made.code}`, {after.numel():,} elements in {held:,} places" if after.numel() > held else ""


def _copied(made: Attempt) -> str:
    return f"`{made.code}`" if made.step.operation == "reshape" and made.step.outcome == "copy" else ""


def _channels_last(made: Attempt) -> str:
    after = made.after
    fits = after.dim() == 4 and after.is_contiguous(memory_format=torch.channels_last)
    return f"`{made.code}`" if fits and not after.is_contiguous() else ""


GOALS: Mapping[str, tuple[str, Callable[[Attempt], str]]] = {
    "viewed": ("A tensor that is not contiguous, and a view of it in other sizes", _viewed),
    "apart": ("Two views that share a storage and no element", _apart),
    "copied": ("A reshape that copies", _copied),
    "grown": ("More elements than their storage has places", _grown),
    "channels_last": ("A tensor that is contiguous in channels_last and not in order", _channels_last),
}
