"""The facts about one array, or two, as plain data."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tutor._fact import Fact
from tutor._overlap import Sharing

if TYPE_CHECKING:
    import numpy as np
    import torch


@dataclass(frozen=True)
class Unavailable:
    """Stands where a fact cannot be had, and says why. It counts as false.

    >>> Unavailable("the meta device holds no data")
    not available: the meta device holds no data
    """

    why: str

    def __repr__(self) -> str:
        return f"not available: {self.why}"

    def __bool__(self) -> bool:
        return False


@dataclass(frozen=True)
class Values:
    """What the values are, counted in one bounded walk through memory.

    Attributes
    ----------
    counted
        What was counted: ``"elements"``, ``"stored values"`` of a sparse tensor, ``"unmasked elements"``, and so on.
    n
        How many there are. Elements that share one address count each.
    nan, posinf, neginf, zeros
        How many of them are NaN, +inf, -inf, and zero. A complex number is NaN or infinite if a part of it is.
    min, max, mean
        Over the finite ones. The mean is accumulated in float64, or exactly for integers; of more than a
        million float32, 256 neighbours at a time are first added in float32.
    histogram
        How the finite ones spread between min and max, in bins of equal width, as counts of a sample.
    sampled
        The size of that sample.
    """

    counted: str
    n: int
    nan: int
    posinf: int
    neginf: int
    zeros: int
    min: float | Unavailable
    max: float | Unavailable
    mean: float | complex | Unavailable
    histogram: tuple[int, ...] = ()
    sampled: int = 0


@dataclass(frozen=True, repr=False)
class Inspection(Fact):
    """What `inspect_tensor` saw. Any field may be an `Unavailable` instead, which says why.

    Attributes
    ----------
    kind
        The full name of its class.
    library
        ``"torch"`` or ``"numpy"``: whose words describe it.
    dtype, device, layout, shape
        As the library gives them; the shape of a nested tensor may hold a name for a size that varies.
    numel, itemsize
        How many elements, and the bytes of one.
    strides, storage_offset
        In elements, as torch counts.
    contiguous, memory_formats
        Whether it is contiguous in the usual order, and all the orders in which it is.
    requires_grad, is_leaf, grad_fn
        What autograd knows; ``grad_fn`` is the name of the operation that made it.
    view_of
        Dtype and shape of what it is a view of, or None.
    address
        Of the first element. It is not part of the text or of the picture, since it changes from run to run.
    bytes_seen, bytes_storage
        The distinct bytes its elements lie on, and all bytes of the memory behind them.
    pinned, writeable, is_conj, is_neg
        Page-locked memory; NumPy's write flag; torch's lazy conjugate and negative bits.
    owner
        Who owns the memory.
    parts
        What else it is made of: indices of a sparse tensor, mask of a masked array, scale of a quantized one.
    values
        A `Values` if they were asked for, else None.
    """

    kind: str
    library: str
    dtype: torch.dtype | np.dtype[np.generic] | Unavailable
    shape: tuple[int | str, ...] | Unavailable
    device: torch.device | Unavailable
    layout: str | Unavailable
    numel: int | Unavailable
    itemsize: int | Unavailable
    strides: tuple[int | str, ...] | Unavailable
    storage_offset: int | Unavailable
    contiguous: bool | Unavailable
    memory_formats: tuple[str, ...] | Unavailable
    requires_grad: bool | Unavailable
    is_leaf: bool | Unavailable
    grad_fn: str | Unavailable | None
    view_of: str | Unavailable | None
    address: int | Unavailable
    bytes_seen: int | Unavailable
    bytes_storage: int | Unavailable
    pinned: bool | Unavailable
    writeable: bool | Unavailable
    is_conj: bool | Unavailable
    is_neg: bool | Unavailable
    owner: str | Unavailable
    parts: tuple[str, ...] = ()
    values: Values | Unavailable | None = field(default=None)

    @property
    def remark(self) -> str | None:
        """The one thing about it that is most likely to surprise, or None; `` `x` `` is code and ``**x**`` is bold."""
        from tutor._inspecting.remark import remark_on  # noqa: PLC0415 - found only when asked for

        return remark_on(self)

    def __repr__(self) -> str:
        from tutor._inspecting.text import inspection_text  # noqa: PLC0415 - the twin is needed only when shown

        return inspection_text(self)


@dataclass(frozen=True)
class Difference:
    """One field in which two arrays differ, with both sides as they are shown."""

    field: str
    a: str
    b: str


@dataclass(frozen=True)
class Outcome:
    """What an operation on both would give: a result, an error, or no answer.

    Attributes
    ----------
    expression
        ``"a + b"`` or ``"a @ b"``.
    kind, dtype, shape, device, requires_grad
        Of the result; None if there is none.
    casts
        The operands whose dtype is not the result's, each with its dtype: ``(("a", "float32"),)``.
    error
        The name of the exception's class if it raises, else None.
    message
        What the exception says, in full.
    undecided
        Why there is no answer, else None.
    """

    expression: str
    kind: str | None = None
    dtype: torch.dtype | np.dtype[np.generic] | None = None
    shape: tuple[int, ...] | None = None
    device: torch.device | None = None
    requires_grad: bool | None = None
    casts: tuple[tuple[str, str], ...] = ()
    error: str | None = None
    message: str = ""
    undecided: str | None = None


@dataclass(frozen=True, repr=False)
class Comparison(Fact):
    """What `compare` saw.

    Attributes
    ----------
    a, b
        The facts about each.
    differences
        The fields in which they differ.
    alike
        What they agree in, in words.
    sharing
        Whether they share memory, as three answers.
    add, matmul
        What ``a + b`` and ``a @ b`` would give.
    """

    a: Inspection
    b: Inspection
    differences: tuple[Difference, ...]
    alike: tuple[str, ...]
    sharing: Sharing
    add: Outcome
    matmul: Outcome

    def __repr__(self) -> str:
        from tutor._inspecting.text import comparison_text  # noqa: PLC0415 - the twin is needed only when shown

        return comparison_text(self)
