"""Facts made visible: each module here registers the renderers of one module of facts."""

from tutor.drawing import atlas, course, inspection, layout, memory, sharing, timing, tracing

__all__ = ["atlas", "course", "inspection", "layout", "memory", "sharing", "timing", "tracing"]
