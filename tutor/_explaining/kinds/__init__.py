"""The errors that are known here, one function each; each looks at the site of an error and recognises it, or not."""

from tutor._explaining.kinds import (
    autograd,
    conversions,
    copies,
    devices,
    dtypes,
    habits,
    indexing,
    layout,
    losses,
    masks,
    modules,
    numbers,
    shapes,
    training,
    truth,
)
from tutor._explaining.kinds.base import KINDS, Finding

__all__ = [
    "KINDS",
    "Finding",
    "autograd",
    "conversions",
    "copies",
    "devices",
    "dtypes",
    "habits",
    "indexing",
    "layout",
    "losses",
    "masks",
    "modules",
    "numbers",
    "shapes",
    "training",
    "truth",
]
