"""The exercises of chapter 01, in the order of the notebook."""

from __future__ import annotations

from tutor.chapters.creation_from_data.exercises.batches import FAST_BATCH, FROM_WIRE, PAD
from tutor.chapters.creation_from_data.exercises.sources import ANY_TO_FLOAT32, EXACTLY, OWN_BYTES

EXERCISES = (OWN_BYTES, EXACTLY, ANY_TO_FLOAT32, FROM_WIRE, FAST_BATCH, PAD)

__all__ = ["EXERCISES"]
