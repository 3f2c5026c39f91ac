"""The predictions of chapter 06."""

from __future__ import annotations

from tutor.chapters.devices.questions.looking_back import LOOKING_BACK
from tutor.chapters.devices.questions.mixing import MIXING
from tutor.chapters.devices.questions.places import PLACES
from tutor.chapters.devices.questions.sending import SENDING
from tutor.chapters.devices.questions.waiting import WAITING

QUESTIONS = (*PLACES, *SENDING, *MIXING, *WAITING, *LOOKING_BACK)

__all__ = ["QUESTIONS"]
