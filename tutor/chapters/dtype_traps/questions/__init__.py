"""The predictions of chapter 05."""

from __future__ import annotations

from tutor.chapters.dtype_traps.questions.floats import FLOATS
from tutor.chapters.dtype_traps.questions.indexing import INDEXING
from tutor.chapters.dtype_traps.questions.looking_back import LOOKING_BACK
from tutor.chapters.dtype_traps.questions.promoting import PROMOTING
from tutor.chapters.dtype_traps.questions.refusals import REFUSALS
from tutor.chapters.dtype_traps.questions.wholes import WHOLES

QUESTIONS = (*PROMOTING, *WHOLES, *FLOATS, *INDEXING, *REFUSALS, *LOOKING_BACK)

__all__ = ["QUESTIONS"]
