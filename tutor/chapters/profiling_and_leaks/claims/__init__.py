"""The claims that chapter 09 decides."""

from __future__ import annotations

from tutor.chapters.profiling_and_leaks.claims.kept_alive import KEPT_ALIVE
from tutor.chapters.profiling_and_leaks.claims.measured import MEASURED
from tutor.chapters.profiling_and_leaks.claims.profiles import PROFILES

CLAIMS = (*PROFILES, *MEASURED, *KEPT_ALIVE)

__all__ = ["CLAIMS"]
