"""The exercises of chapter 07."""

from __future__ import annotations

from tutor.chapters.amp.exercises.keeping import KEPT_BYTES
from tutor.chapters.amp.exercises.regions import ISLAND, LOW_PRECISION
from tutor.chapters.amp.exercises.switching import AMP_FOR
from tutor.chapters.amp.exercises.training import TRAIN_STEP

EXERCISES = (LOW_PRECISION, ISLAND, TRAIN_STEP, AMP_FOR, KEPT_BYTES)

__all__ = ["EXERCISES"]
