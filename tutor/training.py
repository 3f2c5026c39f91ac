"""Facts about training runs: what `tutor.loss_curves` gives, and the watch that makes it."""

from __future__ import annotations

from tutor._training.model import LossCurves, TrainingRun
from tutor._training.watching import Watch

__all__ = ["LossCurves", "TrainingRun", "Watch"]
