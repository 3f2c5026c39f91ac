"""Tensors without numbers that say they lie on a device which need not be here.

The rules of autocast are part of every build of torch: it looks at the device that a tensor names, casts, and hands
the call on. Here the call then goes to the meta device, which works out shapes and dtypes and no numbers
(https://docs.pytorch.org/docs/stable/meta.html). So a GPU's rules can be run where there is no GPU.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import torch
from torch.utils._pytree import tree_leaves, tree_map_only


class Hollow(torch.Tensor):
    """A tensor that names a device and has no numbers."""

    meta: torch.Tensor

    @staticmethod
    def __new__(cls, meta: torch.Tensor, device: torch.device) -> Hollow:
        """Give a tensor of the meta device the name of another one."""
        made = torch.Tensor._make_wrapper_subclass(
            cls, meta.shape, strides=meta.stride(), dtype=meta.dtype, device=device
        )
        made.meta = meta
        return made

    @classmethod
    def __torch_dispatch__(  # type: ignore[override]
        cls, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        """Work out the result on the meta device; autocast has had its say before."""
        device = next(t.device for t in tree_leaves((args, kwargs)) if isinstance(t, Hollow))
        args, kwargs = tree_map_only(Hollow, lambda t: t.meta, (args, kwargs or {}))
        if "device" in kwargs:
            kwargs["device"] = "meta"
        return tree_map_only(torch.Tensor, lambda t: Hollow(t, device), func(*args, **kwargs))


def emptied(tensors: dict[str, torch.Tensor], device: str) -> dict[str, torch.Tensor]:
    """The same tensors as hollow ones on another device."""
    return {name: Hollow(t.to("meta"), torch.device(device, 0)) for name, t in tensors.items()}


@contextlib.contextmanager
def switched(device: str, low: torch.dtype, *, on: bool) -> Iterator[None]:
    """Autocast for a device that need not be here; `torch.autocast` would switch itself off."""
    before = torch.is_autocast_enabled(device), torch.get_autocast_dtype(device)
    torch.set_autocast_enabled(device, on)
    torch.set_autocast_dtype(device, low)
    try:
        yield
    finally:
        torch.set_autocast_enabled(device, before[0])
        torch.set_autocast_dtype(device, before[1])
