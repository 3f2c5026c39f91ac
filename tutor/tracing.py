"""Facts about a piece of code: `xray`, what it did to memory."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager

from tutor._tracing.model import Event, Finding, Line, Record, Row, Side, Totals, XRay
from tutor._tracing.watching import watch

__all__ = ["Event", "Finding", "Line", "Record", "Row", "Side", "Totals", "XRay", "xray"]


def xray(*, kernels: bool = False) -> AbstractContextManager[XRay]:
    """Watch what a block of code does to memory.

    For each line of the block: every view, copy, cast, transfer to another device, allocation, write in place and
    wait for a device, with its bytes. Whether a result is a view or a copy is decided from storages. No result
    changes, no tensor is kept alive, and when the block ends, nothing stays on.

    Parameters
    ----------
    kernels
        Whether torch's profiler shall run as well. It finds what operators copy or cast inside, such as a
        convolution of a tensor that is not contiguous. It takes longer.

    Returns
    -------
    XRay
        What ``as`` gives: ``.events``, ``.totals`` and ``.worth_a_look``, within the block and after it; a table when
        it is shown.

    Raises
    ------
    TypeError
        If `kernels` is neither true nor false.

    Notes
    -----
    An event belongs to the innermost line that runs in the cell or file of the ``with`` statement. What a function
    of another cell or file does belongs to the line that calls it.

    Seen are functions of torch (https://docs.pytorch.org/docs/stable/torch.overrides.html) and operators
    (https://docs.pytorch.org/docs/stable/notes/extending.html), on the thread of the block.
    Not seen are what NumPy copies and writes, what is done to a storage itself, other threads and processes,
    ``torch.cuda.synchronize()``, and, inside the backward of an autograd.Function of your own, what no operator does,
    such as ``tolist``. ``from_dlpack``, ``from_numpy`` and ``frombuffer`` are seen as ``torch.from_numpy`` and so on,
    not under names imported before.
    ``torch.jit.trace``, and a subclass of ``torch.Tensor`` that is called with data, such as
    ``Own([1.0])``, do not work while operators are watched, by xray or by anything else.
    The gradient of ``torch.prod`` may differ in its last digit, since torch computes it in another way while operators
    are watched; ``notes`` says so then.

    Examples
    --------
    >>> import torch
    >>> x = torch.arange(6)
    >>> with xray() as seen:
    ...     y = x.view(2, 3).float()
    >>> [(event.kind, event.op, event.bytes) for event in seen.events]
    [('view', 'view', 48), ('cast', '_to_copy', 24)]
    >>> seen.totals.written
    24
    """
    if not isinstance(kernels, bool):
        raise TypeError(f"xray expected kernels to be True or False, but got {kernels!r}")
    return watch(sys._getframe(1).f_code.co_filename, kernels=kernels)
