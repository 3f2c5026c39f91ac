"""What a check needs that may not be here: a GPU, or another library."""

from __future__ import annotations

import importlib
import importlib.util
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache

import torch

_MODULES = {"pillow": "PIL", "opencv": "cv2", "scikit-learn": "sklearn"}
_NAMES = {"tensorflow": "TensorFlow", "jax": "JAX", "pillow": "Pillow", "opencv": "OpenCV"}
_GPUS = {"cuda": (1, "a GPU"), "cuda:1": (2, "a second GPU")}


def missing(needs: Iterable[str]) -> str | None:
    """What is not here of the things needed.

    Parameters
    ----------
    needs
        ``"cuda"``, ``"cuda:1"`` (a second GPU), or names of libraries, in the words of `tutor.course.model.Claim`.

    Returns
    -------
    str or None
        The first that is not here, as it is named to a reader, or None if all are.

    Examples
    --------
    >>> missing(("numpy",))
    >>> missing(("numpy", "a_library_that_nobody_wrote"))
    'a_library_that_nobody_wrote'
    """
    for need in needs:
        if need in _GPUS:
            least, name = _GPUS[need]
            if torch.cuda.device_count() < least:
                return name
        elif not _works(_MODULES.get(need, need)):
            return _NAMES.get(need, need)
    return None


@cache
def _works(module: str) -> bool:
    """Whether a module can be imported: it may be there and not fit, as a torchvision made for another torch."""
    if importlib.util.find_spec(module) is None:
        return False
    with _standard_error_dropped():
        try:
            importlib.import_module(module)
        except Exception:
            return False
    return True


@contextmanager
def _standard_error_dropped() -> Iterator[None]:
    """Drop what libraries in C++ write to the process's own standard error, as TensorFlow does when it is loaded."""
    kept, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)
