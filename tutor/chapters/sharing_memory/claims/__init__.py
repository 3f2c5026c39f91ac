"""The claims that chapter 03 decides."""

from __future__ import annotations

from tutor.chapters.sharing_memory.claims.owners import OWNERS
from tutor.chapters.sharing_memory.claims.signs import SIGNS
from tutor.chapters.sharing_memory.claims.writes import WRITES

CLAIMS = (*WRITES, *OWNERS, *SIGNS)

__all__ = ["CLAIMS"]
