"""The one thing about an array that is most likely to surprise."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from tutor._inspecting.model import Inspection, Unavailable
from tutor._inspecting.names import foreign_order, is_native, shape_text
from tutor._overlap import element_span
from tutor._words import bytes_text, count_text

_WIDEST = {"f": 8, "c": 16}  # bytes
_MUCH = 2**20  # bytes; a slice that keeps less than this alive is not worth a word


def remark_on(facts: Inspection) -> str | None:
    """A sentence or two, with code in backticks and the point in bold; None if nothing stands out."""
    for look in _LOOKS:
        found = look(facts)
        if found:
            return found
    return None


def _beyond_storage(facts: Inspection) -> str | None:
    size, held, offset = facts.itemsize, facts.bytes_storage, facts.storage_offset
    strides = _numbers(facts.strides)
    shape = _numbers(facts.shape)
    if facts.library != "torch" or strides is None or shape is None or isinstance(facts.bytes_seen, Unavailable):
        return None
    if not isinstance(held, int) or not isinstance(size, int) or not isinstance(offset, int):
        return None
    span = element_span(shape, strides)
    if not span or (offset + span) * size <= held:
        return None
    return (
        f"**Beyond its storage:** it reaches to byte {(offset + span) * size:,} of {bytes_text(held)}. Do not read it."
    )


def _no_data(facts: Inspection) -> str | None:
    why = facts.address.why if isinstance(facts.address, Unavailable) else ""
    if "no memory of its own" in why:
        return "**A wrapper:** it has no memory of its own. Its values may lie in tensors that it wraps."
    if "no data" not in why:
        return None
    return "**No data:** it has a shape, a dtype and a device, and no memory behind them."


def _uninitialised(facts: Inspection) -> str | None:
    if not isinstance(facts.shape, Unavailable) or "not initialised" not in facts.shape.why:
        return None
    return "**Not initialised:** the first forward call gives it a shape."


def _foreign(facts: Inspection) -> str | None:
    dtype = facts.dtype
    if not isinstance(dtype, np.dtype):
        return None
    if dtype.kind in "OUSVMmT" or (dtype.kind in "fc" and dtype.itemsize > _WIDEST[dtype.kind]):
        return "**Not a torch dtype:** no tensor can hold such elements."
    return None if is_native(dtype) else f"**Bytes in {foreign_order()} order:** torch cannot read them as they lie."


def _flipped(facts: Inspection) -> str | None:
    strides = _numbers(facts.strides)
    if strides is None or min(strides, default=0) >= 0:
        return None
    return f"**Negative strides:** `{shape_text(strides)}`. No tensor can have them, so none can share this memory."


def _repeated(facts: Inspection) -> str | None:
    strides, shape = _numbers(facts.strides), _numbers(facts.shape)
    if strides is None or shape is None or not isinstance(facts.bytes_seen, int) or not isinstance(facts.itemsize, int):
        return None
    places = facts.bytes_seen // max(1, facts.itemsize)
    n = math.prod(shape)
    if places >= n:
        return None
    lie = f"{n:,} elements lie on {count_text(places, 'place')}"
    return f"**Elements share addresses:** {lie}. A write to one is seen in others."


def _read_only(facts: Inspection) -> str | None:
    if facts.writeable is not False:
        return None
    return "**Read-only:** NumPy refuses writes. A tensor that shares this memory would write all the same."


def _keeps_alive(facts: Inspection) -> str | None:
    seen, held = facts.bytes_seen, facts.bytes_storage
    if not isinstance(seen, int) or not isinstance(held, int) or held < _MUCH or held < 10 * seen:
        return None
    return f"**Keeps more than it sees:** {bytes_text(held)} stay alive for {bytes_text(seen)}."


def _not_contiguous(facts: Inspection) -> str | None:
    strides, shape = _numbers(facts.strides), _numbers(facts.shape)
    if facts.contiguous is not False or strides is None or shape is None:
        return None
    usual = contiguous_strides(shape)
    return f"**Not contiguous:** strides `{shape_text(strides)}`. Contiguous would be `{shape_text(usual)}`."


def _lazy_bits(facts: Inspection) -> str | None:
    if facts.is_conj is True:
        return "**Lazy conjugate:** the bytes hold the values before conjugation; each read conjugates."
    if facts.is_neg is True:
        return "**Lazy negative:** the bytes hold the values before negation; each read negates."
    return None


_LOOKS: tuple[Callable[[Inspection], str | None], ...] = (
    _beyond_storage,
    _no_data,
    _uninitialised,
    _foreign,
    _flipped,
    _repeated,
    _read_only,
    _keeps_alive,
    _not_contiguous,
    _lazy_bits,
)


def _numbers(sizes: tuple[int | str, ...] | Unavailable) -> tuple[int, ...] | None:
    if isinstance(sizes, Unavailable):
        return None
    numbers = tuple(n for n in sizes if isinstance(n, int))
    return numbers if len(numbers) == len(sizes) else None


def contiguous_strides(shape: tuple[int, ...]) -> tuple[int, ...]:
    """The strides, in elements, of a contiguous array of this shape.

    >>> contiguous_strides((2, 3, 4)), contiguous_strides(())
    ((12, 4, 1), ())
    """
    return tuple(math.prod(max(1, n) for n in shape[i + 1 :]) for i in range(len(shape)))
