"""Tensor Tutor: look at tensors, predict what they do, and see it happen.

Every public name loads on first use, so that ``import tutor`` costs almost nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from tutor.casting import autocast_table
    from tutor.constructors import atlas
    from tutor.course import exercise, expect, myth_or_fact, predict, progress, reveal, review
    from tutor.dtypes import number_line, promotion_table
    from tutor.errors import Explanation, explain
    from tutor.inspection import compare, inspect_tensor
    from tutor.layouts import layout_diagram
    from tutor.memory import alias_groups, memory_map, shared_memory
    from tutor.timing import measure, naive, race
    from tutor.tracing import xray
    from tutor.widgets.dtypes import dtype_explorer
    from tutor.widgets.monitor import memory_monitor
    from tutor.widgets.sharing import sharing_demo
    from tutor.widgets.strides import stride_explorer
    from tutor.widgets.timing import timing_lab
    from tutor.widgets.training import loss_curves

# Public name -> the module that defines it.
_HOME = {
    "Explanation": "tutor.errors",
    "alias_groups": "tutor.memory",
    "atlas": "tutor.constructors",
    "autocast_table": "tutor.casting",
    "compare": "tutor.inspection",
    "dtype_explorer": "tutor.widgets.dtypes",
    "exercise": "tutor.course",
    "expect": "tutor.course",
    "explain": "tutor.errors",
    "inspect_tensor": "tutor.inspection",
    "layout_diagram": "tutor.layouts",
    "loss_curves": "tutor.widgets.training",
    "measure": "tutor.timing",
    "memory_map": "tutor.memory",
    "memory_monitor": "tutor.widgets.monitor",
    "myth_or_fact": "tutor.course",
    "naive": "tutor.timing",
    "number_line": "tutor.dtypes",
    "predict": "tutor.course",
    "progress": "tutor.course",
    "promotion_table": "tutor.dtypes",
    "race": "tutor.timing",
    "reveal": "tutor.course",
    "review": "tutor.course",
    "shared_memory": "tutor.memory",
    "sharing_demo": "tutor.widgets.sharing",
    "stride_explorer": "tutor.widgets.strides",
    "timing_lab": "tutor.widgets.timing",
    "xray": "tutor.tracing",
}

__all__ = [
    "Explanation",
    "__version__",
    "alias_groups",
    "atlas",
    "autocast_table",
    "compare",
    "dtype_explorer",
    "exercise",
    "expect",
    "explain",
    "inspect_tensor",
    "layout_diagram",
    "loss_curves",
    "measure",
    "memory_map",
    "memory_monitor",
    "myth_or_fact",
    "naive",
    "number_line",
    "predict",
    "progress",
    "promotion_table",
    "race",
    "reveal",
    "review",
    "shared_memory",
    "sharing_demo",
    "stride_explorer",
    "timing_lab",
    "xray",
]


def __getattr__(name: str) -> Any:
    try:
        home = _HOME[name]
    except KeyError:
        raise AttributeError(f"module 'tutor' has no attribute {name!r}") from None
    value = getattr(importlib.import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME})


def load_ipython_extension(shell: Any) -> None:
    """Give a notebook the magics, and load what draws and what asks, so that its first picture does not wait."""
    importlib.import_module("tutor.drawing")
    importlib.import_module("tutor.course")
    importlib.import_module("tutor.magics").register(shell)
