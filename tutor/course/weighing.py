"""How well a learner knows what they know: certainty against outcome."""

from __future__ import annotations

from dataclasses import dataclass

from tutor.course.journal import Event, journal


@dataclass(frozen=True)
class Weighed:
    """Of the answers given with one certainty: how many, and how many were right."""

    sure: int
    right: int
    of: int


def first_answers(events: list[Event]) -> dict[str, Event]:
    """The first committed answer to each question; reviews do not count."""
    first: dict[str, Event] = {}
    for event in events:
        if event["kind"] == "answer" and not event.get("review"):
            first.setdefault(event["key"], event)
    return first


def observed_labels(events: list[Event]) -> dict[str, str]:
    """What this learner's machine last showed for each question, as the label of an option."""
    return {e["key"]: e["label"] for e in events if e["kind"] == "observed" and e.get("label") is not None}


def calibration() -> tuple[Weighed, ...]:
    """For each certainty, how many of the first answers given with it were right; surest first."""
    events = journal().events()
    seen = observed_labels(events)
    counts: dict[int, list[bool]] = {}
    for key, event in first_answers(events).items():
        if key in seen and not event.get("looked"):
            counts.setdefault(int(event["sure"]), []).append(event["label"] == seen[key])
    return tuple(Weighed(sure, sum(hits), len(hits)) for sure, hits in sorted(counts.items(), reverse=True))


def calibration_text(weighed: tuple[Weighed, ...], sure: int) -> str:
    """One sentence about the answers given with this certainty, or nothing if there are none."""
    line = next((w for w in weighed if w.sure == sure), None)
    if line is None:
        return ""
    verb = "was" if line.right == 1 else "were"
    return f"Of your answers given as {sure} % sure, {line.right} of {line.of} {verb} right."
