"""The claims that chapter 01 decides."""

from __future__ import annotations

from tutor.chapters.creation_from_data.claims.constructors import CONSTRUCTORS
from tutor.chapters.creation_from_data.claims.dtypes import DTYPES
from tutor.chapters.creation_from_data.claims.lists import LISTS

CLAIMS = (*CONSTRUCTORS, *DTYPES, *LISTS)

__all__ = ["CLAIMS"]
