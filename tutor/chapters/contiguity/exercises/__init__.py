"""The exercises of chapter 04."""

from __future__ import annotations

from tutor.chapters.contiguity.exercises.images import AS_NCHW, FROM_IMAGE
from tutor.chapters.contiguity.exercises.strides import CAN_VIEW, IS_CONTIGUOUS
from tutor.chapters.contiguity.exercises.viewing import MERGE_HEADS

EXERCISES = (IS_CONTIGUOUS, FROM_IMAGE, CAN_VIEW, MERGE_HEADS, AS_NCHW)

__all__ = ["EXERCISES"]
