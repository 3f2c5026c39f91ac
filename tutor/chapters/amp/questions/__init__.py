"""The predictions of chapter 07."""

from __future__ import annotations

from tutor.chapters.amp.questions.casting import CASTING
from tutor.chapters.amp.questions.costs import COSTS
from tutor.chapters.amp.questions.gradients import GRADIENTS
from tutor.chapters.amp.questions.looking_back import LOOKING_BACK
from tutor.chapters.amp.questions.names import NAMES
from tutor.chapters.amp.questions.regions import REGIONS

QUESTIONS = (*CASTING, *REGIONS, *GRADIENTS, *NAMES, *COSTS, *LOOKING_BACK)

__all__ = ["QUESTIONS"]
