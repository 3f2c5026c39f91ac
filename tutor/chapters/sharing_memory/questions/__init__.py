"""The predictions of chapter 03."""

from __future__ import annotations

from tutor.chapters.sharing_memory.questions.lifetime import LIFETIME
from tutor.chapters.sharing_memory.questions.looking_back import LOOKING_BACK
from tutor.chapters.sharing_memory.questions.questions_of_sharing import SHARING
from tutor.chapters.sharing_memory.questions.writes import WRITES

QUESTIONS = (*WRITES, *SHARING, *LIFETIME, *LOOKING_BACK)

__all__ = ["QUESTIONS"]
