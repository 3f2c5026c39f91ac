"""The claims that chapter 06 decides."""

from __future__ import annotations

from tutor.chapters.devices.claims.memory import MEMORY
from tutor.chapters.devices.claims.mixing import MIXING
from tutor.chapters.devices.claims.moving import MOVING
from tutor.chapters.devices.claims.speed import SPEED
from tutor.chapters.devices.claims.waiting import WAITING

CLAIMS = (*MOVING, *MIXING, *WAITING, *SPEED, *MEMORY)

__all__ = ["CLAIMS"]
