"""Facts made visible: each module here registers the renderers of one module of facts."""

from tutor.drawing import (
    atlas,
    course,
    dtypes,
    inspection,
    layout,
    memory,
    promotion,
    sharing,
    timing,
    timing_lab,
    tracing,
    watching,
)

__all__ = [
    "atlas",
    "course",
    "dtypes",
    "inspection",
    "layout",
    "memory",
    "promotion",
    "sharing",
    "timing",
    "timing_lab",
    "tracing",
    "watching",
]
