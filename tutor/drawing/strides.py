"""The stride explorer's picture: the code with the mark of each step, the layout, before and now, and the goals."""

from __future__ import annotations

from tutor._inspecting.names import shape_text
from tutor._layout.model import LayoutDiagram
from tutor._layout.text import contiguous_text
from tutor._striding.exploring import Exploration
from tutor._striding.model import Goal, Refusal, Step
from tutor._words import bytes_text
from tutor.drawing import svg
from tutor.drawing.layout import drawing

PARTS = ("picture", "controls", "exercise", "layout", "strides")

_MARKS = {"view": "share", "same": "share", "copy": "copy"}


def exploration_html(seen: Exploration) -> str:
    """All that is shown beneath the buttons, without its style."""
    layout, before = seen.layout(), seen.before()
    note = _refusal(seen.refusal, seen.operation or "") if seen.refusal else ""
    return (
        f'{_steps(seen)}{drawing(layout)}<div class="tt-scroll">{_change(before, layout, seen.steps)}</div>'
        f"{note}{_goals(seen)}"
    )


def step_words(step: Step) -> str:
    """What a step did, in two or three words."""
    if step.outcome == "copy":
        return f"copy, {bytes_text(step.bytes_written)}"
    return "view" if step.outcome == "view" else "the same tensor"


def _steps(seen: Exploration) -> str:
    """The line of code, each step with its mark beneath it."""
    last = len(seen.steps) - 1
    pieces = [f"<span><code>{svg.escape(seen.name)}</code></span>"]
    for i, step in enumerate(seen.steps):
        kind = _MARKS[step.outcome]
        code, words = svg.escape(step.code), step_words(step)
        shown = f"<code><b>{code}</b></code>" if i == last else f"<code>{code}</code>"
        said = words if i == last or step.outcome == "copy" else f'<span class="tt-hidden">{words}</span>'
        pieces.append(f'<span class="{svg.MARKS[kind].role}">{shown}<small>{svg.mark(kind)}{said}</small></span>')
    return f'<div class="tt-steps" role="status">{"".join(pieces)}</div>'


def _change(before: LayoutDiagram | None, now: LayoutDiagram, steps: list[Step]) -> str:
    heads = "".join(
        f'<th scope="col">{text}</th>'
        for text in ("shape", "strides", "offset", "contiguous", "storage", "bytes written")
    )
    rows = _row("before", before, None, "") if before else ""
    written = bytes_text(steps[-1].bytes_written) if steps else ""
    rows += _row("now", now, before, written)
    return (
        f'<table class="tt-change"><caption class="tt-hidden">Before the last step and now</caption>'
        f"<thead><tr><td></td>{heads}</tr></thead><tbody>{rows}</tbody></table>"
    )


def _row(label: str, layout: LayoutDiagram, other: LayoutDiagram | None, written: str) -> str:
    """One row; what differs from `other` is strong."""
    cells = []
    for text, face, differs in zip(
        _cells(layout), (True, True, False, False, False), _differs(layout, other), strict=True
    ):
        words = svg.escape(text)
        words = f"<code>{words}</code>" if face else words
        cells.append(f"<td>{f'<b>{words}</b>' if differs else words}</td>")
    quiet = ' class="tt-quiet"' if label == "before" else ""
    return f'<tr{quiet}><th scope="row">{label}</th>{"".join(cells)}<td>{written}</td></tr>'


def _cells(layout: LayoutDiagram) -> tuple[str, ...]:
    bar = layout.bar
    storage = bytes_text(layout.storage.nbytes)
    return shape_text(bar.shape), shape_text(bar.strides), f"{bar.offset:,}", contiguous_text(layout), storage


def _differs(layout: LayoutDiagram, other: LayoutDiagram | None) -> list[bool]:
    mine = _cells(layout)
    return [a != b for a, b in zip(mine, _cells(other) if other else mine, strict=True)]


def _refusal(refusal: Refusal, operation: str) -> str:
    """What was tried, torch's own words, and why."""
    tried = svg.code(refusal.code) if refusal.code else svg.escape(operation)
    what = "raises; nothing changed." if refusal.error else "was not run; nothing changed."
    error = f'<p class="tt-quiet tt-fine"><code>{svg.escape(refusal.error)}</code></p>' if refusal.error else ""
    why = f"<p>{svg.escape(refusal.why)}</p>" if refusal.why else ""
    head = f"<p>{svg.mark('raise')} {tried} {what}</p>"
    return f'<div class="tt-note tt-open tt-raise" role="status">{head}{error}{why}</div>'


def _goals(seen: Exploration) -> str:
    done = sum(bool(goal.met) for goal in seen.goals)
    items = "".join(map(_goal, seen.goals))
    return (
        f'<p class="tt-explorer-foot"><b>Try to break it.</b> <span class="tt-quiet">Make each of these; '
        f'{done} of {len(seen.goals)} made.</span></p><ul class="tt-goals">{items}</ul>'
    )


def _goal(goal: Goal) -> str:
    if not goal.met:
        return f'<li>{svg.disc(0)}<span>{svg.escape(goal.words)} <span class="tt-hidden">(not yet)</span></span></li>'
    return f"<li>{svg.disc(4)}<span>{svg.escape(goal.words)}: {svg.prose(goal.met)}</span></li>"
