"""What an error means: `explain`."""

from __future__ import annotations

import sys

from tutor._explaining.model import Explanation
from tutor._explaining.telling import explanation

__all__ = ["Explanation", "explain"]


def explain(error: BaseException | None = None) -> Explanation:
    """Say what an error means, which operands caused it, and what to write instead.

    The operands are looked up in the frames that the traceback holds, by names, attributes and constant subscripts
    alone: nothing of yours is called. They are shown as they are now. A corrected line is run on small stand-ins of
    them first, and shown only if your own line fails there as it did and the corrected one does not. Nothing of yours
    is changed, and nothing is kept alive.

    Parameters
    ----------
    error
        An exception, or a warning that was caught; the last exception if nothing is given.

    Returns
    -------
    Explanation
        ``kind`` is None for an error that is not known here: then there are the facts of its operands, and no guess.

    Raises
    ------
    TypeError
        If something else than an exception is given.
    ValueError
        If nothing is given and there has been no exception.

    Notes
    -----
    Where in a line an error was raised is found by the positions that Python keeps with its code,
    https://docs.python.org/3/reference/datamodel.html#codeobject.co_positions.

    Examples
    --------
    >>> import torch
    >>> layer, x = torch.nn.Linear(3, 2), torch.ones(4, 3, dtype=torch.float64)
    >>> try:
    ...     layer(x)
    ... except RuntimeError as error:
    ...     told = explain(error)
    >>> told.kind
    'dtypes differ in Linear'
    >>> told.correction.code, told.correction.gave
    ('layer(x.to(layer.weight.dtype))', 'gave float32 (4, 2) on cpu')
    """
    if error is None:
        error = last_error()
        if error is None:
            raise ValueError("explain found no error: there has been no exception yet, and none was given")
    if isinstance(error, type) and issubclass(error, BaseException):
        raise TypeError(f"explain expected error to be an exception, but got the class {error.__name__} itself")
    if not isinstance(error, BaseException):
        raise TypeError(f"explain expected error to be an exception, but got a value of type {type(error).__name__}")
    return explanation(error)


def last_error() -> BaseException | None:
    """The exception that is being handled, or the last one that ended a cell or a line."""
    handled = sys.exception()
    if handled is not None:
        return handled
    last = getattr(sys, "last_value", None)  # which IPython sets too
    return last if last is not None else getattr(sys, "last_exc", None)
