"""The claims that chapter 06 decides."""

from __future__ import annotations

from tutor.chapters.devices.claims.memory import MEMORY
from tutor.chapters.devices.claims.mixing import MIXING
from tutor.chapters.devices.claims.moving import MOVING
from tutor.chapters.devices.claims.speed import SPEED
from tutor.chapters.devices.claims.waiting import WAITING
from tutor.course.model import Claim


def _needs_a_gpu(claim: Claim) -> bool:
    return bool(claim.needs) or any(check.needs for check in claim.checks)


CLAIMS = tuple(
    sorted((*MOVING, *MIXING, *WAITING, *SPEED, *MEMORY), key=_needs_a_gpu)
)  # what is decided anywhere first

__all__ = ["CLAIMS"]
