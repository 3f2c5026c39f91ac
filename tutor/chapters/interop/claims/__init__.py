"""The claims that chapter 08 decides."""

from __future__ import annotations

from tutor.chapters.interop.claims.numpy_and_torch import NUMPY_AND_TORCH
from tutor.chapters.interop.claims.tensorflow_alone import TENSORFLOW_ALONE
from tutor.chapters.interop.claims.tensorflow_and_torch import TENSORFLOW_AND_TORCH

CLAIMS = (*NUMPY_AND_TORCH, *TENSORFLOW_AND_TORCH, *TENSORFLOW_ALONE)

__all__ = ["CLAIMS"]
