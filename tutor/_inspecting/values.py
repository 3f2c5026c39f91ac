"""What the values of an array are: which pieces are walked, and what is counted in them."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
import torch

from tutor._inspecting.model import Unavailable, Values
from tutor._inspecting.names import dtype_text
from tutor._inspecting.quiet import attempt
from tutor._inspecting.tally import EXACT, Tally, add_complex, add_floats, add_integers, add_uint64
from tutor._inspecting.tensors import NO_MEMORY, has_gaps, has_no_memory
from tutor._inspecting.walk import PIECE, pieces, plan, plan_array
from tutor._overlap import components

BINS = 50
SAMPLE = 2**14
# A piece this many times slower than the fastest: other programs keep a core busy, and torch's threads, which wait for
# each other after every step, would wait for it again and again.
_CROWDED = 4
_WORTH_TIMING = 2**18  # elements
_FEW = 16  # elements; so few have no shape to show
_ADDED_AS = {  # dtypes in which torch cannot do what is needed, and one that holds all their values
    torch.bool: torch.uint8,
    torch.uint16: torch.int32,
    torch.uint32: torch.int64,
    torch.complex32: torch.complex64,
}
if hasattr(torch, "bcomplex32"):  # since torch 2.14
    _ADDED_AS[torch.bcomplex32] = torch.complex64
_AS_THEY_ARE = (torch.float32, torch.float64, torch.complex64, torch.complex128)

Pieces = Iterable[torch.Tensor]


def values_of(x: Any) -> Values | Unavailable:
    """Count the values of an array or a tensor, in bounded pieces; or say why that cannot be done."""
    return attempt(lambda: _of_array(x) if isinstance(x, np.ndarray) else _of_tensor(x))


def _of_tensor(x: torch.Tensor) -> Values | Unavailable:
    if torch.nn.parameter.is_lazy(x):
        return Unavailable("the parameter is not initialised yet")
    if has_no_memory(x):
        return NO_MEMORY
    if x.layout == torch._mkldnn:  # type: ignore[attr-defined]
        return Unavailable("the mkldnn layout can only be read by copying all of it: call to_dense() first")
    with torch.no_grad():
        return _walked(x.detach())


def _walked(x: torch.Tensor) -> Values | Unavailable:
    if x.is_quantized:
        return _counted([(pieces(x), 1)], x.dtype, x.numel(), "dequantized elements")
    if x.layout == torch.strided and not x.is_nested:
        parts, counted = [x], "elements"
    elif x.is_nested:
        parts, counted = list(x.unbind() if has_gaps(x) else components(x)), "elements"
    else:
        parts, counted = [components(x)[-1]], "stored values"
    walks = [plan(part.detach()) for part in parts]
    n = sum(walk.block.numel() for walk in walks)
    limit = PIECE // max(1, x.dtype.itemsize // 4)
    return _counted(((pieces(walk.block, limit), walk.times) for walk in walks), x.dtype, n, counted)


def _of_array(x: np.ndarray[Any, Any]) -> Values | Unavailable:
    if x.dtype.kind not in "biufc" or x.dtype.itemsize > (16 if x.dtype.kind == "c" else 8):
        return Unavailable(f"values of dtype {dtype_text(x.dtype)} are not counted")
    if _fits_torch(x):
        forwards: tuple[Any, ...] = (*(slice(None, None, -1 if s < 0 else 1) for s in x.strides), ...)
        return _walked(torch.from_numpy(np.asarray(x)[forwards]))
    parts, times = plan_array(x)
    dtype = torch.from_numpy(np.empty(0, x.dtype.newbyteorder("="))).dtype
    counted = "unmasked elements" if isinstance(x, np.ma.MaskedArray) else "elements"
    return _counted([(parts, times)], dtype, x.size // max(times, 1), counted)


def _fits_torch(x: np.ndarray[Any, Any]) -> bool:
    whole_steps = all(stride % x.itemsize == 0 for stride in x.strides)
    return whole_steps and x.dtype.isnative and x.flags.aligned and not isinstance(x, np.ma.MaskedArray)


def _counted(walks: Iterable[tuple[Pieces, int]], dtype: torch.dtype, n: int, counted: str) -> Values:
    tally, counter = Tally(), Counter(dtype, n)
    shares = []
    for parts, times in walks:
        for seen, share in counter.over(parts):
            tally.include(seen, times)
            shares.append(share)
    return _summary(tally, counter.sample, shares, dtype, counted)


class Counter:
    """Counts piece after piece. Torch shares out each step among its threads, while that pays."""

    def __init__(self, dtype: torch.dtype, n: int) -> None:
        self.sample = Sample(n)
        self._bench = Workbench(dtype)
        self._exact = n <= EXACT
        self._scratch: torch.Tensor | None = None
        self._start = 0

    def over(self, parts: Pieces) -> Iterator[tuple[Tally, torch.Tensor]]:
        """Count each piece; the answers come in the order of the pieces."""
        threads = torch.get_num_threads()
        fastest = math.inf
        try:
            for part in parts:
                start = time.perf_counter()
                yield self._count(part)
                if part.numel() < _WORTH_TIMING:
                    continue
                pace = (time.perf_counter() - start) / part.numel()
                fastest = min(fastest, pace)
                if pace > _CROWDED * fastest:
                    torch.set_num_threads(1)
        finally:
            torch.set_num_threads(threads)

    @torch.no_grad()
    def _count(self, part: torch.Tensor) -> tuple[Tally, torch.Tensor]:
        piece = self._bench.flat(part)
        tally = Tally(scratch=self._scratch)
        if piece.numel():
            _adder(piece.dtype, self._exact)(tally, piece)
            self._scratch, tally.scratch = tally.scratch, None
        share = self.sample.share(self._start, piece)
        self._start += piece.numel()
        return tally, share


def _adder(dtype: torch.dtype, exact: bool) -> Callable[[Tally, torch.Tensor], None]:
    if dtype.is_floating_point:
        return lambda tally, piece: add_floats(tally, piece, exact)
    if dtype.is_complex:
        return add_complex
    return add_uint64 if dtype == torch.uint64 else add_integers


class Workbench:
    """Brings pieces into the form in which they are counted, with one buffer for all of them."""

    def __init__(self, source: torch.dtype) -> None:
        is_odd_float = source.is_floating_point and source not in _AS_THEY_ARE
        self.dtype = torch.float32 if is_odd_float or _is_quantized(source) else _ADDED_AS.get(source, source)
        self._buffer: torch.Tensor | None = None

    def flat(self, piece: torch.Tensor) -> torch.Tensor:
        """The piece as one contiguous run; itself where it already is one, else copied into the buffer."""
        if piece.is_quantized:
            return piece.dequantize().reshape(-1)
        if piece.dtype == self.dtype and piece.is_contiguous() and not piece.is_conj() and not piece.is_neg():
            return piece.reshape(-1)
        if self._buffer is None or self._buffer.numel() < piece.numel():
            self._buffer = torch.empty(piece.numel(), dtype=self.dtype, device=piece.device)
        run = self._buffer[: piece.numel()]
        run.view(piece.shape).copy_(piece)
        return run


def _is_quantized(dtype: torch.dtype) -> bool:
    return str(dtype).startswith(("torch.qint", "torch.quint"))


class Sample:
    """About ``SAMPLE`` elements, evenly spaced through memory."""

    def __init__(self, n: int) -> None:
        self._step = max(1, -(-n // SAMPLE))
        while math.gcd(self._step, n) > 1 and self._step < n:  # else it could meet one column only
            self._step += 1

    def share(self, start: int, piece: torch.Tensor) -> torch.Tensor:
        """The sampled elements of a piece that begins at element ``start`` of the walk."""
        if piece.dtype.is_complex:
            return torch.empty(0, dtype=torch.float64)
        return piece[-start % self._step :: self._step].clone()

    def histogram(self, shares: list[torch.Tensor], low: float, high: float, whole_numbers: bool) -> tuple[int, ...]:
        """Counts of the finite ones in bins of equal width; empty if there is nothing to tell apart."""
        taken = torch.cat(shares).cpu().to(torch.float64)
        if len(taken) < _FEW or not low < high:
            return ()
        bins = min(BINS, int(high - low) + 1) if whole_numbers else BINS
        room = 0.5 if bins < BINS else 0.0  # a bin for each whole number
        scale = max(abs(low), abs(high), 1.0)  # so that the width of a bin never overflows
        taken = taken[taken.isfinite()] / scale
        counts = torch.histc(taken, bins, (low - room) / scale, (high + room) / scale)
        return tuple(int(c) for c in counts.tolist())


def _summary(tally: Tally, sample: Sample, shares: list[torch.Tensor], dtype: torch.dtype, counted: str) -> Values:
    low, high, mean = _extremes(tally, dtype)
    plain = dtype != torch.bool and not dtype.is_complex
    whole = isinstance(tally.low, int)
    histogram = sample.histogram(shares, tally.low, tally.high, whole) if plain and tally.finite else ()
    return Values(
        counted,
        tally.n,
        tally.nan,
        tally.posinf,
        tally.neginf,
        tally.zeros,
        low,
        high,
        mean,
        histogram,
        sum(histogram),
    )


Number = float | Unavailable


def _extremes(tally: Tally, dtype: torch.dtype) -> tuple[Number, Number, complex | Unavailable]:
    if not tally.finite:
        nothing = Unavailable("no value is finite" if tally.n else "there are no values")
        return nothing, nothing, nothing
    mean = tally.total / tally.finite
    if dtype.is_complex:
        unordered = Unavailable("complex numbers have no order")
        return unordered, unordered, mean
    low, high = (bool(x) if dtype == torch.bool else x for x in (tally.low, tally.high))
    return low, high, mean
