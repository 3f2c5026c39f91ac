"""The exercises of chapter 05."""

from __future__ import annotations

from tutor.chapters.dtype_traps.exercises.images import BRIGHTEN, CHANNEL_MEANS, NORMALISE
from tutor.chapters.dtype_traps.exercises.indexing import ROWS_OF
from tutor.chapters.dtype_traps.exercises.training import TRAIN

EXERCISES = (NORMALISE, CHANNEL_MEANS, TRAIN, ROWS_OF, BRIGHTEN)

__all__ = ["EXERCISES"]
