"""The exercises of chapter 03."""

from __future__ import annotations

from tutor.chapters.sharing_memory.exercises.handing_over import HALVED, REPORT, SLIM
from tutor.chapters.sharing_memory.exercises.shares_bytes import SHARES_BYTES

EXERCISES = (HALVED, SHARES_BYTES, SLIM, REPORT)

__all__ = ["EXERCISES"]
