"""Facts about one array, or about two: `inspect_tensor` and `compare`."""

from __future__ import annotations

import dataclasses

import numpy as np
import torch

from tutor._inspecting.arrays import array_facts
from tutor._inspecting.difference import alike, differences
from tutor._inspecting.meeting import meet
from tutor._inspecting.model import Comparison, Difference, Inspection, Outcome, Unavailable, Values
from tutor._inspecting.quiet import bare, unheard
from tutor._inspecting.subject import Subject, subject
from tutor._inspecting.tensors import is_dense, tensor_facts
from tutor._inspecting.values import values_of
from tutor._overlap import Sharing, sharing

__all__ = [
    "Comparison",
    "Difference",
    "Inspection",
    "Outcome",
    "Sharing",
    "Unavailable",
    "Values",
    "compare",
    "inspect_tensor",
]


def inspect_tensor(x: object, values: bool = False) -> Inspection:
    """Say what there is to know about one array: what it is, where its bytes are, and what autograd knows of it.

    Nothing is changed, moved or copied, no device is waited for, and nothing of ``x`` is kept. The data is
    read only if you ask for ``values``, and then in pieces of bounded size.

    Parameters
    ----------
    x
        A tensor of any kind, a NumPy array, or an object with ``__dlpack__`` or ``__array_interface__``.
    values
        Also count NaN, infinities and zeros, and find min, max and mean of the finite ones. This reads all the
        data, and waits for the device it is on.

    Returns
    -------
    Inspection
        Plain fields. One that cannot be had is an `Unavailable`, which says why.

    Raises
    ------
    TypeError
        If ``x`` is no array.

    Notes
    -----
    The words are those of https://docs.pytorch.org/docs/stable/tensor_attributes.html,
    https://docs.pytorch.org/docs/stable/tensor_view.html and
    https://numpy.org/doc/stable/reference/arrays.ndarray.html.

    Examples
    --------
    >>> import torch
    >>> w = torch.tensor([[0.0, 1, 2, 3], [4, 5, 6, 7]])
    >>> facts = inspect_tensor(w.T, values=True)
    >>> facts.strides, facts.contiguous, facts.view_of
    ((1, 4), False, 'float32 (2, 4)')
    >>> facts.values.zeros, facts.values.mean
    (1, 3.5)
    """
    if _is_plain(x) and not values:
        return _facts(subject(x, "inspect_tensor", "x"))  # none of the questions can warn
    with unheard():
        return _with_values(subject(x, "inspect_tensor", "x"), values)


def _is_plain(x: object) -> bool:
    return type(x) is np.ndarray or (isinstance(x, torch.Tensor) and is_dense(x))


def _facts(seen: Subject) -> Inspection:
    return tensor_facts(seen) if isinstance(seen.array, torch.Tensor) else array_facts(seen)


def _with_values(seen: Subject, values: bool) -> Inspection:
    facts = _facts(seen)
    if not values:
        return facts
    with bare():
        return dataclasses.replace(facts, values=values_of(seen.array))


def compare(a: object, b: object) -> Comparison:
    """Say in what two arrays differ, whether they share memory, and what ``a + b`` and ``a @ b`` would give.

    Neither is read, changed or copied. What an operation would give is found by trying it on small arrays of the same
    dtypes, devices and layouts; on a GPU that loads what torch needs to multiply there.

    Parameters
    ----------
    a, b
        As for `inspect_tensor`.

    Returns
    -------
    Comparison
        ``add`` and ``matmul`` hold the result's dtype, shape and device, or the error in the words of the library
        that raises it.

    Raises
    ------
    TypeError
        If one of them is no array.

    Notes
    -----
    Which shapes fit together is told at https://docs.pytorch.org/docs/stable/notes/broadcasting.html, which dtype
    comes out at https://docs.pytorch.org/docs/stable/tensor_attributes.html#type-promotion-doc.

    Examples
    --------
    >>> import numpy as np, torch
    >>> met = compare(torch.ones(3, 4), torch.from_numpy(np.ones((4, 3))).T)
    >>> met.add.dtype, met.add.shape, met.add.casts
    (torch.float64, (3, 4), (('a', 'float32'),))
    >>> met.matmul.message
    '...mat1 and mat2 shapes cannot be multiplied (3x4 and 3x4)'
    >>> compare(x := torch.arange(6), x[::2]).sharing.elements_overlap
    True
    """
    with unheard():
        of_a, of_b = subject(a, "compare", "a"), subject(b, "compare", "b")
        facts_a, facts_b = _facts(of_a), _facts(of_b)
        return Comparison(
            facts_a,
            facts_b,
            differences(facts_a, facts_b),
            alike(facts_a, facts_b),
            sharing(of_a.array, of_b.array),
            meet("a + b", of_a, of_b),
            meet("a @ b", of_a, of_b),
        )
