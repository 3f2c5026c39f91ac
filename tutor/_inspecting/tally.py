"""Counts and sums over pieces of a tensor."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import torch

_SIDE_BY_SIDE = 256  # float32 neighbours that are added in float32 before the sum goes on in float64
EXACT = 2**20  # up to so many elements everything is added in float64
_MASK_31 = 0x7FFFFFFF


@dataclass
class Tally:
    """What has been seen so far of real floating point or integer elements."""

    n: int = 0
    nan: int = 0
    posinf: int = 0
    neginf: int = 0
    zeros: int = 0
    low: float = math.inf
    high: float = -math.inf
    total: float | complex = 0
    finite: int = 0
    scratch: torch.Tensor | None = field(default=None, repr=False)

    def include(self, other: Tally, times: int) -> None:
        """Add what another tally has seen, as if each of its elements had come ``times`` times."""
        for name in ("n", "nan", "posinf", "neginf", "zeros", "finite", "total"):
            setattr(self, name, getattr(self, name) + times * getattr(other, name))
        self.widen(other.low, other.high)

    def widen(self, low: float, high: float) -> None:
        """Take another lowest and highest value into account."""
        self.low, self.high = min(self.low, low), max(self.high, high)

    def count(self, compare: Callable[..., torch.Tensor], piece: torch.Tensor, other: torch.Tensor | float) -> int:
        """How often a comparison holds."""
        if piece.device.type == "cpu" and torch.get_num_threads() == 1:
            return _count_by_numpy(compare, piece, other)
        # torch compares several times faster into floats than into booleans; 2**21 ones add up exactly in float32
        if self.scratch is None or self.scratch.numel() < piece.numel() or self.scratch.dtype != piece.dtype:
            self.scratch = torch.empty_like(piece)
        return int(compare(piece, other, out=self.scratch[: piece.numel()]).sum().item())


def _count_by_numpy(compare: Callable[..., torch.Tensor], piece: torch.Tensor, other: torch.Tensor | float) -> int:
    # NumPy uses one thread, and is faster on it than torch is
    numpys = np.equal if compare is torch.eq else np.not_equal
    return int(np.count_nonzero(numpys(piece.numpy(), other.numpy() if isinstance(other, torch.Tensor) else other)))


def add_floats(tally: Tally, piece: torch.Tensor, exact: bool) -> None:
    """Count one contiguous piece of float32 or float64."""
    low, high = (float(x.item()) for x in torch.aminmax(piece))
    tally.n += piece.numel()
    if not (math.isfinite(low) and math.isfinite(high)):  # aminmax hands on NaN
        _add_mixed(tally, piece, exact)
        return
    tally.finite += piece.numel()
    tally.widen(low, high)
    tally.total += _sum(piece, max(-low, high), exact)
    if low <= 0 <= high:
        tally.zeros += tally.count(torch.eq, piece, 0)


def _add_mixed(tally: Tally, piece: torch.Tensor, exact: bool) -> None:
    inf = math.inf
    nan = tally.count(torch.ne, piece, piece)
    posinf, neginf = (tally.count(torch.eq, piece, x) for x in (inf, -inf))
    tally.nan, tally.posinf, tally.neginf = tally.nan + nan, tally.posinf + posinf, tally.neginf + neginf
    finite_ones = piece.numel() - nan - posinf - neginf
    if not finite_ones:
        return
    tally.finite += finite_ones
    tally.zeros += tally.count(torch.eq, piece, 0)
    finite = torch.empty_like(piece)
    low = torch.nan_to_num(piece, nan=inf, posinf=inf, neginf=inf, out=finite).amin().item()
    high = torch.nan_to_num(piece, nan=-inf, posinf=-inf, neginf=-inf, out=finite).amax().item()
    tally.widen(low, high)
    torch.nan_to_num(piece, nan=0.0, posinf=0.0, neginf=0.0, out=finite)
    tally.total += _sum(finite, max(-low, high), exact)


def _sum(piece: torch.Tensor, largest: float, exact: bool) -> float:
    whole = piece.numel() // _SIDE_BY_SIDE * _SIDE_BY_SIDE
    overflows = largest * _SIDE_BY_SIDE >= torch.finfo(torch.float32).max
    if exact or overflows or piece.dtype != torch.float32 or not whole:
        return _wide_sum(piece, largest)
    rows = piece[:whole].view(-1, _SIDE_BY_SIDE).sum(-1)
    return _wide_sum(rows, largest) + _wide_sum(piece[whole:], largest)


def _wide_sum(piece: torch.Tensor, largest: float) -> float:
    if piece.device.type == "mps":  # has no float64
        piece = piece.cpu()
    if largest * max(1, piece.numel()) < 1e308:
        return float(piece.sum(dtype=torch.float64).item())
    return math.fsum(piece.tolist())


def add_integers(tally: Tally, piece: torch.Tensor) -> None:
    """Count one contiguous piece of integers that torch can order; the total stays exact."""
    low, high = (int(x.item()) for x in torch.aminmax(piece))
    n = piece.numel()
    tally.n, tally.finite = tally.n + n, tally.finite + n
    tally.widen(low, high)
    tally.total += _integer_sum(piece, max(abs(low), abs(high)))
    if low <= 0 <= high:
        tally.zeros += n - int(piece.count_nonzero().item())


def _integer_sum(piece: torch.Tensor, largest: int) -> int:
    if largest * piece.numel() < 2**63:
        if piece.device.type == "cpu":
            return int(piece.numpy().sum(dtype=np.int64))  # torch would first cast all of the piece
        return int(piece.sum(dtype=torch.int64).item())
    high, low = piece >> 31, piece & _MASK_31  # x == high * 2**31 + low, below zero too
    return (int(high.sum().item()) << 31) + int(low.sum().item())


def add_uint64(tally: Tally, piece: torch.Tensor) -> None:
    """Count one contiguous piece of uint64, seen as int64 with the top bit turned so that the order stays."""
    turned = piece.view(torch.int64) ^ torch.iinfo(torch.int64).min
    shift = 2**63
    part = Tally()
    add_integers(part, turned)
    n = piece.numel()
    tally.n, tally.finite = tally.n + n, tally.finite + n
    tally.widen(part.low + shift, part.high + shift)
    tally.total += part.total + n * shift
    tally.zeros += n - int((turned != -shift).sum().item())


def add_complex(tally: Tally, piece: torch.Tensor) -> None:
    """Count one contiguous piece of complex64 or complex128."""
    parts = torch.view_as_real(piece)
    n = piece.numel()
    tally.n += n
    tally.zeros += n - int(piece.count_nonzero().item())
    low, high = (float(x.item()) for x in torch.aminmax(parts))
    if math.isfinite(low) and math.isfinite(high):
        tally.finite += n
        tally.total += _complex_sum(parts, max(-low, high))
        return
    tally.nan += int(parts.isnan().any(-1).sum().item())
    tally.posinf += int((parts == math.inf).any(-1).sum().item())
    tally.neginf += int((parts == -math.inf).any(-1).sum().item())
    finite = parts[parts.isfinite().all(-1)]
    tally.finite += len(finite)
    tally.total += _complex_sum(finite, float(finite.abs().max().item()) if len(finite) else 0.0)


def _complex_sum(parts: torch.Tensor, largest: float) -> complex:
    return complex(_wide_sum(parts[:, 0], largest), _wide_sum(parts[:, 1], largest))
