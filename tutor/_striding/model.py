"""What an operation did to a tensor, as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

Arguments: TypeAlias = Mapping[str, int | str]


@dataclass(frozen=True)
class Step:
    """An operation that gave a tensor.

    Attributes
    ----------
    operation
        Its name.
    code
        What stands behind the tensor's name in the line that does it.
    outcome
        ``"view"`` if the result lies in the same storage; ``"same"`` if it is the same object; ``"copy"`` if not.
    bytes_written
        How many bytes had to be written.
    """

    operation: str
    code: str
    outcome: str
    bytes_written: int


@dataclass(frozen=True)
class Refusal:
    """An operation that gave nothing.

    Attributes
    ----------
    code
        The line that was tried, if one could be written.
    error
        What torch said, with the kind of the error; empty if torch was not asked.
    why
        The reason in one sentence, from sizes and strides.
    """

    code: str
    error: str
    why: str


@dataclass(frozen=True)
class Goal:
    """Something to bring about.

    Attributes
    ----------
    key, words
        Its name, and what is asked for.
    met
        How it was brought about, as code and words; empty as long as it was not.
    """

    key: str
    words: str
    met: str
