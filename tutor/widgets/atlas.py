"""The atlas in a notebook: the table, filled in while cells that run elsewhere come back."""

from __future__ import annotations

import asyncio
import importlib
import os
import time
from typing import Any

from tutor._constructing.text import text
from tutor.constructors import Atlas
from tutor.drawing.atlas import draw
from tutor.widgets.hosting import WIDGET_VIEW, in_kernel

_LOOK_S = 0.1
# A new table takes the reader's place in the old one away, so that it must not come too often.
_REDRAW_S = 2.0

_following: set[asyncio.Task[None]] = set()


def bundle(atlas: Atlas) -> dict[str, Any]:
    """The forms of an atlas: text, HTML, and in a kernel a live view for as long as cells are still being run.

    Where nobody looks on, as when outputs are saved, ``TUTOR_UNATTENDED`` asks to wait for all of them.
    """
    attended = in_kernel() and not os.environ.get("TUTOR_UNATTENDED")
    shown = atlas.soon() if attended else atlas.wait()
    forms: dict[str, Any] = {"text/plain": text(shown), "text/html": draw(shown)}
    if not shown.complete:
        forms[WIDGET_VIEW] = live(shown)._repr_mimebundle_()[WIDGET_VIEW]
    return forms


def live(atlas: Atlas) -> Any:
    """A widget that shows `atlas` and follows it in the kernel's own loop until it is complete."""
    box: Any = importlib.import_module("ipywidgets").HTML(value=draw(atlas))
    task = asyncio.get_running_loop().create_task(follow(box, atlas))
    _following.add(task)
    task.add_done_callback(_following.discard)
    return box


async def follow(box: Any, atlas: Atlas) -> None:
    """Put newer tables into `box.value` until the atlas is complete."""
    drawn, drawn_at = atlas, time.monotonic()
    while not atlas.complete:
        await asyncio.sleep(_LOOK_S)
        atlas = atlas.now()
        due = atlas.complete or time.monotonic() - drawn_at > _REDRAW_S
        if due and atlas.cells != drawn.cells:
            box.value = draw(atlas)
            drawn, drawn_at = atlas, time.monotonic()
