"""The exercises of chapter 06."""

from __future__ import annotations

from tutor.chapters.devices.exercises.placing import BESIDE
from tutor.chapters.devices.exercises.planning import MODEL_BYTES
from tutor.chapters.devices.exercises.sending import SEND
from tutor.chapters.devices.exercises.waiting import KEPT_MEAN

EXERCISES = (BESIDE, SEND, MODEL_BYTES, KEPT_MEAN)

__all__ = ["EXERCISES"]
