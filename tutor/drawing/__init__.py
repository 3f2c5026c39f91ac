"""Facts made visible: each module here registers the renderers of one module of facts."""

from tutor.drawing import (
    atlas,
    casting,
    course,
    dtypes,
    errors,
    inspection,
    layout,
    memory,
    promotion,
    sharing,
    timing,
    timing_lab,
    tracing,
    training,
    watching,
)

__all__ = [
    "atlas",
    "casting",
    "course",
    "dtypes",
    "errors",
    "inspection",
    "layout",
    "memory",
    "promotion",
    "sharing",
    "timing",
    "timing_lab",
    "tracing",
    "training",
    "watching",
]
