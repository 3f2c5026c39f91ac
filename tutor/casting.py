"""Facts about autocast: `autocast_table`."""

from __future__ import annotations

import torch

from tutor._casting import observing
from tutor._casting.model import AutocastTable, Cast, Outcome, Place

__all__ = ["AutocastTable", "Cast", "Outcome", "Place", "autocast_table"]

_LOW = (torch.bfloat16, torch.float16)


def autocast_table(device: str | None = None, dtype: torch.dtype | None = None) -> AutocastTable:
    """Run operators under autocast, and show which dtype comes out for which goes in.

    Each operator is run when you call this, with inputs of float32, of the low precision, and of float64, with and
    without autocast. On a device that is not here it runs on tensors without numbers: the rules of autocast are part
    of every build of torch, and they go by the device that a tensor names.

    Parameters
    ----------
    device
        ``"cpu"``, ``"cuda"`` or another kind of device that is here. If none is given: the CPU, and beside it the
        accelerator that is here, or ``"cuda"`` if there is none.
    dtype
        The low precision, `torch.bfloat16` or `torch.float16`; if none is given, the one that autocast takes there.

    Returns
    -------
    AutocastTable
        A table in a notebook, and the same as text in a terminal. ``table["x @ y", "cpu"].treatment`` says
        "low precision", "float32" or "as it comes".

    Raises
    ------
    ValueError
        If there is no such device, or autocast does not have that dtype.

    Notes
    -----
    The documentation's lists: https://docs.pytorch.org/docs/stable/amp.html#autocast-op-reference.

    Examples
    --------
    >>> table = autocast_table("cpu", torch.bfloat16)
    >>> table["x @ y", "cpu"].treatment, table["F.mse_loss(x, y)", "cpu"].treatment
    ('low precision', 'float32')
    >>> [outcome.dtype for outcome in table["x @ y", "cpu"].outcomes]
    ['bfloat16', 'bfloat16', 'float64']
    """
    if device is not None and device != "cuda" and not observing.is_here(device):
        raise ValueError(f"device: 'cpu', 'cuda' or a device that is here is wanted; got {device!r}")
    if dtype is not None and dtype not in _LOW:
        raise ValueError(f"dtype: autocast is to torch.bfloat16 or torch.float16; got {dtype!r}")
    return observing.observe(observing.places(device, dtype))
