"""Put together what is told of an error."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TypeVar

from torch.utils._python_dispatch import _disable_current_modes

from tutor._explaining.kinds import KINDS, Finding
from tutor._explaining.model import Explanation, Operand
from tutor._explaining.operands import operand
from tutor._explaining.rehearsing import raises_nothing, rehearse
from tutor._explaining.site import Site, site
from tutor._inspecting.quiet import bare, unheard

T = TypeVar("T")
_LONGEST = 600  # characters of a message
_TOLD_AGAIN = ("Original Traceback", "from user code:")  # of a worker or a compiler, whose operands lie elsewhere
_CHANGED = (
    "On stand-ins of these operands your line raises nothing. Either they have changed since, or it depends on more "
    "than their dtypes, shapes, strides and devices."
)


def explanation(error: BaseException) -> Explanation:
    """All that is to be told of an error. Whatever the error is, this raises nothing."""
    text = _text(error)
    plain = Explanation(type(error).__name__, _shortened(text))
    try:
        with unheard(), bare(), _disable_current_modes(), site(error, text) as found:
            return _told(plain, found)
    except Exception:
        return plain


def _told(plain: Explanation, found: Site) -> Explanation:
    facts = replace(
        plain,
        line=found.line,
        expression=found.expression or None,
        operands=_operands(found),
    )
    finding = _finding(found)
    if finding is None:
        return facts
    correction = _guarded(lambda: rehearse(found, finding.fixes))
    changed = correction is None and finding.fixes and _guarded(lambda: raises_nothing(found, finding.fixes[0]))
    return replace(
        facts,
        kind=finding.kind,
        meaning=finding.meaning,
        cause=finding.cause,
        cure=finding.cure,
        correction=correction,
        notes=(_CHANGED,) if changed else (),
    )


def _finding(found: Site) -> Finding | None:
    if found.learners_raise or any(words in found.text for words in _TOLD_AGAIN):
        return None
    answers = (_guarded(partial(kind, found)) for kind in KINDS)
    return next((answer for answer in answers if answer is not None), None)


def _guarded(question: Callable[[], T]) -> T | None:
    try:
        return question()
    except Exception:
        return None


def _operands(found: Site) -> tuple[Operand, ...]:
    shown = [leaf for leaf in (*found.leaves, *found.inner) if not isinstance(leaf.value, str)]
    facts = [_guarded(partial(operand, leaf.name, leaf.value)) for leaf in shown]
    return (*(one for one in facts if one is not None), *(Operand(ast.unparse(part), gone=True) for part in found.gone))


def _text(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:
        return ""


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
