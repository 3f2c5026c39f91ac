"""The look of the course in one place: tokens, marks, and the few primitives every picture is made of.

The rules are few. A colour means one thing that can happen to bytes, and nothing else. Ink means bytes: a bar
is filled where bytes were written and hollow where none were. A mark always stands beside its colour.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from html import escape
from importlib.resources import files
from zlib import crc32

__all__ = [
    "MARKS",
    "Mark",
    "bar",
    "code",
    "disc",
    "escape",
    "mark",
    "note",
    "page",
    "picture",
    "plain",
    "prose",
    "style",
    "tally",
]


@dataclass(frozen=True)
class Mark:
    """What can happen to bytes: a sign, the colour role that goes with it, and the words."""

    sign: str
    role: str
    words: str


MARKS = {
    "share": Mark("=", "tt-share", "shares bytes"),
    "copy": Mark("+", "tt-copy", "copied"),
    "cast": Mark("~", "tt-cast", "copied and cast"),
    "move": Mark(">", "tt-move", "moved to another device"),
    "wait": Mark("!", "tt-wait", "waits for a device"),
    "make": Mark("#", "tt-make", "new bytes, no source"),
    "write": Mark("●", "tt-write", "written just now"),
    "raise": Mark("x", "tt-raise", "raises"),
    "end": Mark("X", "tt-ends", "ends the process"),
    "none": Mark(" ", "tt-plain", "alone on its bytes"),
}

UNBROKEN = 30  # characters: what is shorter is never broken across lines
_ALWAYS = ("tokens", "marks", "type", "fold")


@cache
def _parts() -> dict[str, str]:
    sheet = files("tutor.drawing").joinpath("style.css").read_text(encoding="utf-8")
    pieces = re.split(r"/\* @part (\w+) \*/", sheet)[1:]
    return {name: _minified(css) for name, css in zip(pieces[::2], pieces[1::2], strict=True)}


def _minified(css: str) -> str:
    css = re.sub(r"/\*.*?\*/", "", css, flags=re.S)
    return re.sub(r"\s*\n\s*", "\n", re.sub(r"[ \t]+", " ", css)).strip()


@cache
def style(*parts: str) -> str:
    """A ``<style>`` element with the tokens and the named parts of ``style.css``."""
    sheet = _parts()
    return "<style>" + "\n".join(sheet[name] for name in dict.fromkeys((*_ALWAYS, *parts))) + "</style>"


def page(body: str, *parts: str, role: str = "") -> str:
    """Markup that stands alone as one output: the style it needs, and the body in the course's own element.

    Parameters
    ----------
    body
        HTML; everything a learner wrote in it must have passed `escape`.
    parts
        Names of the parts of ``style.css`` that the body uses, besides tokens, marks, type and folds.
    role
        Further classes of the outer element.
    """
    classes = f"tt {role}".strip()
    return f'<div class="{classes}">{style(*parts)}{body}</div>'


def prose(text: str) -> str:
    """One paragraph's worth of HTML from plain prose, where `` `x` `` is code and ``**x**`` is bold.

    >>> prose("Use `a<b>`, **never** more.")
    'Use <code class="tt-nowrap">a&lt;b&gt;</code>, <b>never</b> more.'
    """
    out, bold = [], False
    for i, piece in enumerate(text.split("`")):
        if i % 2:
            out.append(code(piece))
            continue
        for j, part in enumerate(piece.split("**")):
            if j:
                bold = not bold
                out.append("<b>" if bold else "</b>")
            out.append(escape(part))
    return "".join(out) + "</b>" * bold


def plain(text: str) -> str:
    """The same prose for a terminal: bold loses its stars (not inside code), code keeps its backticks.

    >>> plain("Use `2**3`, **never** more.")
    'Use `2**3`, never more.'
    """
    pieces = text.split("`")
    pieces[::2] = [piece.replace("**", "") for piece in pieces[::2]]
    return "`".join(pieces)


def code(text: str) -> str:
    """A piece of code, escaped; a short one that a browser could break stays on one line.

    >>> code("b += 1"), code("torch.full")
    ('<code class="tt-nowrap">b += 1</code>', '<code>torch.full</code>')
    """
    whole = len(text) < UNBROKEN and not re.fullmatch(r"[\w.]*", text)
    opening = '<code class="tt-nowrap">' if whole else "<code>"
    return f"{opening}{escape(text)}</code>"


def mark(kind: str) -> str:
    """The sign of one of `MARKS`; give the element around it the role's class for its colour."""
    return f'<span class="tt-mark">{escape(MARKS[kind].sign)}</span>'


def bar(kind: str, width_px: float) -> str:
    """A bar whose length stands for bytes: filled, hollow, ruled or pointed, as its kind has it."""
    return f'<span class="{MARKS[kind].role}"><span class="tt-bar" style="--w:{width_px:.0f}px"></span></span>'


def note(body: str, *, settled: bool) -> str:
    """A note in the margin: a solid rule where the matter is settled, a dashed one while it is open."""
    return f'<div class="tt-note{"" if settled else " tt-open"}">{body}</div>'


_PICTURE_STYLE = """
.tt-svg { font: 12px var(--jp-content-font-family, system-ui, sans-serif); font-variant-numeric: tabular-nums }
.tt-svg { --mid: #75797e }
@media (prefers-color-scheme: light) { .tt-svg { --mid: #686c71 } }
@media (prefers-color-scheme: dark) { .tt-svg { --mid: #8a8e94 } }
.tt-svg text { fill: #75797e; fill: var(--tt-ink, var(--mid)) }
.tt-svg .quiet { fill: #75797e; fill: var(--tt-quiet, var(--mid)); font-size: 11px }
.tt-svg .code { font-family: var(--jp-code-font-family, menlo, consolas, "DejaVu Sans Mono", monospace) }
.tt-svg .strong { font-weight: 600 }
.tt-svg .mark { font-weight: 700; fill: var(--role-line); fill: var(--role-ink, var(--role-line)) }
.tt-svg .end { text-anchor: end }
.tt-svg .middle { text-anchor: middle }
.tt-svg .axis { fill: none; stroke: #75797e; stroke: var(--tt-rule, var(--mid)) }
.tt-svg .grid { fill: none; stroke: #75797e; stroke-opacity: .35 }
.tt-svg .dashed { stroke-dasharray: 3 3 }
.tt-svg .hollow { fill: var(--role-line); fill-opacity: .2; stroke: var(--role-line); stroke-width: 1.25 }
.tt-svg .solid { fill: var(--role-line) }
.tt-svg .stroke { fill: none; stroke: var(--role-line) }
.tt-svg .unreached { fill: #75797e; fill-opacity: .07; stroke: #75797e; stroke-dasharray: 2 3; stroke-opacity: .8 }
.tt-share { --role-fill: #0a7abf; --role-line: #0a7abf }
.tt-plain { --role-fill: none; --role-line: #777b80 }
"""
PICTURE_WIDTH = 744


def picture(title: str, description: str, body: str, height: float, role: str = "img") -> str:
    """A picture in the frame of the part ``picture``, with a style of its own, so that it works in a file too.

    Parameters
    ----------
    title, description
        Plain text for those who do not see it.
    body
        SVG, `PICTURE_WIDTH` wide; everything a learner wrote in it must have passed `escape`.
    height
        In pixels.
    role
        ``"group"`` for a picture with cells to visit, each of which is an image with a label.
    """
    name = f"tt-{crc32((title + description + body).encode()):08x}"
    return (
        f'<div class="tt-picture"><svg class="tt-svg" xmlns="http://www.w3.org/2000/svg" '
        f'viewBox="0 0 {PICTURE_WIDTH} {height:.0f}" width="{PICTURE_WIDTH}" height="{height:.0f}" role="{role}" '
        f'aria-labelledby="{name}-title {name}-desc"><title id="{name}-title">{escape(title)}</title>'
        f'<desc id="{name}-desc">{escape(description)}</desc><style>{_PICTURE_STYLE}</style>{body}</svg></div>'
    )


_DISCS = {
    0: "",
    1: '<path d="M7 7V1a6 6 0 0 1 6 6z"/>',
    2: '<path d="M7 1a6 6 0 0 1 0 12z"/>',
    3: '<path d="M7 7V1a6 6 0 1 1-6 6z"/>',
    4: '<path d="M7 1a6 6 0 1 0 0 12a6 6 0 1 0 0-12z"/>',
}


def disc(quarters: int | None) -> str:
    """A disc that fills from 0 to 4 quarters; None draws a dash, for what cannot be decided here."""
    inner = '<path d="M2 6h10v2H2z"/>' if quarters is None else f'<circle cx="7" cy="7" r="6"/>{_DISCS[quarters]}'
    return f'<svg class="tt-disc" viewBox="0 0 14 14" width="14" height="14" aria-hidden="true">{inner}</svg>'


def tally(done: int, total: int) -> str:
    """One small square per case, filled for those that are right."""
    squares = '<i class="on"></i>' * done + "<i></i>" * (total - done)
    return f'<span class="tt-tally" aria-hidden="true">{squares}</span>'
