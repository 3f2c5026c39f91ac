"""Where controls can run, and what stands in their place where they cannot."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"


def in_kernel() -> bool:
    """Whether this process is a notebook's kernel, so that controls can talk to a page."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return getattr(shell, "kernel", None) is not None


def bundle(text: str, html: str, build: Callable[[], Any]) -> dict[str, Any]:
    """The forms of one output: text, HTML, and in a kernel the widget that `build` gives."""
    data: dict[str, Any] = {"text/plain": text, "text/html": html}
    if in_kernel():
        data |= {WIDGET_VIEW: build()._repr_mimebundle_()[WIDGET_VIEW]}
    return data


def live_html(html: str) -> Any:
    """HTML that is shown in a kernel only, in line with what else a cell shows."""
    from ipywidgets import HTML  # noqa: PLC0415 - a terminal needs no controls

    return HTML(html, layout={"margin": "0"})


def display_fact(fact: object) -> None:
    """Show a fact in the middle of a cell: drawn in a notebook, printed elsewhere."""
    if in_kernel():
        from IPython.display import display  # noqa: PLC0415 - only where a notebook has loaded it

        display(fact)  # type: ignore[no-untyped-call]
    else:
        print(fact)
