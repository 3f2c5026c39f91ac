"""Errors that are expected: a block that must raise, shown and survived."""

from __future__ import annotations

import re
from dataclasses import dataclass
from types import TracebackType

from tutor._fact import Fact, to_html
from tutor.course.matching import without_addresses
from tutor.drawing import course as draw
from tutor.widgets.hosting import display_fact

_MOST_LINES = 8


@dataclass(frozen=True)
class Raised(Fact):
    """An expected error: its type and its text."""

    name: str
    text: str

    def __repr__(self) -> str:
        lines = without_addresses(f"{self.name}: {self.text}".removesuffix(": ")).splitlines()
        return "\n".join(lines[:_MOST_LINES] + (["…"] if len(lines) > _MOST_LINES else []))


@to_html.register
def _raised_html(raised: Raised) -> str:
    return draw.caught(repr(raised))


class expect:  # noqa: N801 - it reads as a word: with expect(ValueError):
    """A block that must raise; the error is shown and the notebook goes on.

    Parameters
    ----------
    error
        The class of the error, or a tuple of classes.
    match
        A regular expression that must be found in the error's text.

    Attributes
    ----------
    error
        The error that came, without its traceback (which would keep the block's objects alive); None before.
    text
        Its text.

    Raises
    ------
    AssertionError
        If nothing is raised, another error, or one with another text.
    TypeError
        If `error` is no class of errors.
    ValueError
        If `match` is no regular expression.

    Notes
    -----
    Expressions are written as https://docs.python.org/3/library/re.html says.

    Examples
    --------
    >>> with expect(ZeroDivisionError, match="division") as caught:
    ...     1 // 0
    ZeroDivisionError: integer division or modulo by zero
    >>> caught.text
    'integer division or modulo by zero'
    """

    def __init__(self, error: type[BaseException] | tuple[type[BaseException], ...], match: str | None = None) -> None:
        wanted = error if isinstance(error, tuple) else (error,)
        for kind in wanted or [()]:
            if not (isinstance(kind, type) and issubclass(kind, BaseException)):
                raise TypeError(f"expect(error): a class of errors, such as ValueError, is expected; it got {kind!r}.")
        try:
            re.compile(match or "")
        except re.error as why:
            raise ValueError(f"expect(match): a regular expression is expected; {match!r} is none: {why}.") from None
        self._wanted = wanted
        self._match = match
        self.error: BaseException | None = None
        self.text = ""

    def __enter__(self) -> expect:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        names = " or ".join(k.__name__ for k in self._wanted)
        if error is None:
            raise AssertionError(f"{names} was expected, and nothing was raised.")
        if not isinstance(error, self._wanted):
            if not isinstance(error, Exception):
                return False  # Ctrl-C, or the end of the process
            raise AssertionError(f"{names} was expected, and {type(error).__name__} was raised: {error}") from error
        if self._match is not None and not re.search(self._match, str(error)):
            raise AssertionError(
                f"{type(error).__name__} was raised as expected, but its text does not match {self._match!r}: {error}"
            ) from error
        self.error, self.text = error.with_traceback(None), str(error)
        display_fact(Raised(type(error).__name__, self.text))
        return True
