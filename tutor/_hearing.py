"""Hears every warning of a piece of code, and uses up none."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import torch


@contextmanager
def all_ears() -> Iterator[list[warnings.WarningMessage]]:
    """Hear every warning, said before or not.

    With torch's own flag set, torch notes none of those that it gives once per process as given, so that the learner
    still gets it: https://docs.pytorch.org/docs/stable/generated/torch.set_warn_always.html.
    """
    before = torch.is_warn_always_enabled()
    try:
        with warnings.catch_warnings(record=True) as heard:
            warnings.simplefilter("always")
            torch.set_warn_always(True)
            yield heard
    finally:
        torch.set_warn_always(before)
