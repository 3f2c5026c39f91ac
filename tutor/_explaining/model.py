"""What is known about an error: plain facts, and no reference to anything that the error holds."""

from __future__ import annotations

from dataclasses import dataclass

from tutor._explaining.text import explanation_text
from tutor._fact import Fact


@dataclass(frozen=True)
class Operand:
    """One operand as it is now, in plain words; what does not apply to it is empty.

    ``gone`` means that no frame of the traceback holds it any more.
    """

    name: str
    kind: str = ""
    dtype: str = ""
    shape: tuple[int, ...] | None = None
    device: str = ""
    strides: tuple[int, ...] | None = None
    more: str = ""
    gone: bool = False


@dataclass(frozen=True)
class Correction:
    """A corrected line that ran on stand-ins of the operands, and what it gave there."""

    code: str
    gave: str


@dataclass(frozen=True, repr=False)
class Explanation(Fact):
    """What an error means, where it came from, and what to write instead.

    Attributes
    ----------
    error, message
        The exception's class and what it says.
    kind
        A short name of the error, or None if it is none of those that are known here.
    meaning, cause, cure
        A sentence each. Of an error that is not known they are empty.
    line, expression
        Where in the learner's code it was raised; None where there is no source to be found.
    operands
        What the expression worked on, and what torch's own code met.
    correction
        A line that ran in place of the expression, or None.
    notes
        What else there is to say, each a sentence.
    """

    error: str
    message: str
    kind: str | None = None
    meaning: str = ""
    cause: str = ""
    cure: str = ""
    line: int | None = None
    expression: str | None = None
    operands: tuple[Operand, ...] = ()
    correction: Correction | None = None
    notes: tuple[str, ...] = ()

    @property
    def blamed(self) -> tuple[str, ...]:
        """The names of the operands that the cause speaks of."""
        named = self.cause.split("`")[3::2]
        return tuple(one.name for one in self.operands if one.name in named)

    def __repr__(self) -> str:
        return explanation_text(self)
