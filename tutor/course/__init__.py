"""How the course asks: predictions, exercises, claims and the learner's progress.

Everything loads on first use.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tutor.course.asking import predict, reveal
    from tutor.course.deciding import myth_or_fact
    from tutor.course.exercising import exercise
    from tutor.course.expecting import expect
    from tutor.course.recalling import review
    from tutor.course.reporting import progress

# Public name -> the module that defines it.
_HOME = {
    "exercise": "tutor.course.exercising",
    "expect": "tutor.course.expecting",
    "myth_or_fact": "tutor.course.deciding",
    "predict": "tutor.course.asking",
    "progress": "tutor.course.reporting",
    "reveal": "tutor.course.asking",
    "review": "tutor.course.recalling",
}

__all__ = ["exercise", "expect", "myth_or_fact", "predict", "progress", "reveal", "review"]


def __getattr__(name: str) -> Any:
    try:
        home = _HOME[name]
    except KeyError:
        raise AttributeError(f"module 'tutor.course' has no attribute {name!r}") from None
    value = getattr(importlib.import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME})
