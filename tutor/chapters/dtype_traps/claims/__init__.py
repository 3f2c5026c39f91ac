"""The claims that chapter 05 decides."""

from __future__ import annotations

from tutor.chapters.dtype_traps.claims.kinds import KINDS
from tutor.chapters.dtype_traps.claims.meeting import MEETING
from tutor.chapters.dtype_traps.claims.numbers import NUMBERS

CLAIMS = (*MEETING, *NUMBERS, *KINDS)

__all__ = ["CLAIMS"]
