"""The predictions of chapter 04."""

from __future__ import annotations

from tutor.chapters.contiguity.questions.costs import COSTS
from tutor.chapters.contiguity.questions.looking_back import LOOKING_BACK
from tutor.chapters.contiguity.questions.reading import READING
from tutor.chapters.contiguity.questions.turning import TURNING
from tutor.chapters.contiguity.questions.viewing import VIEWING

QUESTIONS = (*READING, *TURNING, *VIEWING, *COSTS, *LOOKING_BACK)

__all__ = ["QUESTIONS"]
