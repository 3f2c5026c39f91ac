"""The claims that chapter 04 decides."""

from __future__ import annotations

from tutor.chapters.contiguity.claims.arrays import ARRAYS
from tutor.chapters.contiguity.claims.images import IMAGES
from tutor.chapters.contiguity.claims.operations import OPERATIONS

CLAIMS = (*OPERATIONS, *ARRAYS, *IMAGES)

__all__ = ["CLAIMS"]
