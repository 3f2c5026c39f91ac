"""What several tests of `xray` ask."""

from __future__ import annotations

from tutor.tracing import XRay


def told(seen: XRay) -> list[tuple[str, str, int]]:
    return [(event.kind, event.op, event.bytes) for event in seen.events]
