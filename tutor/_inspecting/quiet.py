"""Ways to look that leave no trace."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TypeVar

import torch

from tutor._inspecting.model import Unavailable

T = TypeVar("T")


@contextmanager
def unheard() -> Iterator[None]:
    """Silence warnings, and use up none of those that torch gives once per process.

    While torch warns always, it does not note that it has warned.
    """
    always = torch.is_warn_always_enabled()
    torch.set_warn_always(True)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        torch.set_warn_always(always)


def bare() -> AbstractContextManager[object]:
    """Look past the Python code of a subclass, at the tensor itself."""
    disable = getattr(torch._C, "DisableTorchFunctionSubclass", None)
    return disable() if disable is not None else nullcontext()


def attempt(question: Callable[[], T]) -> T | Unavailable:
    """The answer to one question, or the reason why there is none."""
    try:
        return question()
    except Exception as error:  # exotic tensors raise every kind of error, and each fact stands on its own
        return Unavailable(first_sentence(error))


def ask(known: Unavailable | None, question: Callable[[], T]) -> T | Unavailable:
    """The answer to one question, unless it is known already why there is none."""
    return attempt(question) if known is None else known


def first_sentence(error: BaseException) -> str:
    """What an exception says, cut where it begins to repeat itself."""
    text = " ".join(str(error).split()) or type(error).__name__
    head = text.split(". ", 1)[0].removesuffix(".")
    return head if len(head) <= 200 else head[:199] + "…"
