"""Where the middle of a ratio lies, said so that the noise of a shared machine cannot fool it."""

from __future__ import annotations

from functools import cache
from math import inf, sqrt

import numpy as np
from numpy.typing import NDArray

# Student's t at 99 %, for the few rounds that a slow candidate allows: the number of values -> the quantile.
_STUDENT = {5: 4.604, 6: 4.032, 7: 3.707}


def median_interval(values: NDArray[np.float64], alpha: float) -> tuple[float, float]:
    """The interval that holds the middle of what the values were drawn from, but for a chance of `alpha`.

    From eight values on, its ends are two of the values in order, chosen by the sign test: nothing is assumed of the
    shape of the noise. Five to seven values are too few for that at 99 %; there Student's t stands in, which takes
    the noise for bell-shaped. Fewer say nothing.

    Parameters
    ----------
    values
        The logarithms of the ratios, one a round, in any order; shape (n,).
    alpha
        The chance that may be missed, between 0 and 1.

    Returns
    -------
    tuple of float
        The lower and the upper end; minus and plus infinity where the values are too few.

    Examples
    --------
    >>> median_interval(np.arange(100.0), alpha=0.01)
    (36.0, 63.0)
    >>> median_interval(np.arange(4.0), alpha=0.01)
    (-inf, inf)
    """
    n = len(values)
    if n in _STUDENT and not _dropped(n, alpha):
        return _student_interval(values)
    k = _dropped(n, alpha)
    if k == 0:
        return -inf, inf
    ordered = np.sort(values)
    return float(ordered[k - 1]), float(ordered[n - k])


def _student_interval(values: NDArray[np.float64]) -> tuple[float, float]:
    half = _STUDENT[len(values)] * float(np.std(values, ddof=1)) / sqrt(len(values))
    mean, median = float(np.mean(values)), float(np.median(values))
    return min(mean - half, median), max(mean + half, median)


@cache
def _dropped(n: int, alpha: float) -> int:
    """The k whose k-th lowest and highest values are the ends: the largest with P(under k heads in n) <= alpha / 2."""
    tail, ways, most = 0, 1, alpha / 2
    for k in range(n // 2):
        tail += ways
        if tail / 2**n > most:
            return k
        ways = ways * (n - k) // (k + 1)
    return n // 2
