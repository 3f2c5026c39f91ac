"""Claims: what people say about tensors, decided on this machine."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import torch

from tutor._fact import Fact, to_html
from tutor._words import count_text
from tutor.course.evidence import Session, isolated_session, session
from tutor.course.model import Check, Claim
from tutor.course.needing import missing
from tutor.course.recorded import recorded_run
from tutor.course.shelf import chapter
from tutor.drawing import course as draw
from tutor.drawing.svg import escape, plain, prose
from tutor.widgets.hosting import bundle, live_html

DECIDED = ("true", "false", "partly")


@dataclass(frozen=True)
class Checked:
    """One part of a claim and the run that decides it."""

    part: str
    session: Session


@dataclass(frozen=True)
class Row:
    """One claim, decided here.

    Attributes
    ----------
    claim
        The claim.
    taught
        What the course teaches about it.
    verdict
        "true", "false", "partly", "not decided", "not checkable", "could not run", or what it needs.
    checks
        Its parts with their runs.
    """

    claim: Claim
    taught: str
    verdict: str
    checks: tuple[Checked, ...]

    @property
    def timed(self) -> bool:
        """Whether the verdict rests on a measurement of time."""
        return any(checked.session.timed for checked in self.checks)

    @property
    def agrees(self) -> bool:
        """Whether this machine shows what is taught; what could not be decided here contradicts nothing."""
        if self.verdict == "could not run":
            return False
        if self.verdict in DECIDED:
            return self.taught in (self.verdict, "depends on version")
        against = {"true": False, "false": True}.get(self.taught)  # one such part is enough, whatever the others show
        return against is None or all(checked.session.decided is not against for checked in self.checks)


@dataclass(frozen=True)
class Ledger(Fact):
    """The claims of a chapter, decided here.

    Its text and HTML name no ratio that was measured: these differ from run to run. A live notebook shows them.

    Attributes
    ----------
    chapter
        The chapter's name.
    torch, device
        Where it was decided.
    rows
        One for each claim.
    """

    chapter: str
    torch: str
    device: str
    rows: tuple[Row, ...]

    def __repr__(self) -> str:
        return "\n".join([plain(_head(self, live=False)), "", *_text_rows(self)])

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        return bundle(repr(self), self._repr_html_(), lambda: live_html(ledger_html(self, live=True)))


def decide(claim: Claim) -> Row:
    """Run the checks of one claim and say what they show here.

    Parameters
    ----------
    claim
        The claim; what it needs is looked for first.

    Returns
    -------
    Row
        Its verdict is "true" if all checks hold, "false" if none does, "partly" if some do, "not decided" if one of
        them is not, "could not run" if one cannot be run. Where what a check needs is not here, the verdict says so,
        unless those that run show that it is "partly". Nothing is raised.
    """
    if not claim.checks:
        return Row(claim, claim.taught, "not checkable", ())
    if lacking := missing(claim.needs):
        return Row(claim, claim.taught, f"needs {lacking}", ())
    absent = [name for check in claim.checks if (name := missing(check.needs))]
    checks = tuple(Checked(check.part, _run(check)) for check in claim.checks if not missing(check.needs))
    verdict = _verdict(checks)
    if absent and verdict not in ("could not run", "partly"):  # no further part makes "partly" anything else
        verdict = f"needs {absent[0]}"
    return Row(claim, claim.taught, verdict, checks)


def _run(check: Check) -> Session:
    return isolated_session(check.code) if check.isolated else session(check.code)


def _verdict(checks: tuple[Checked, ...]) -> str:
    if any(checked.session.failure for checked in checks):
        return "could not run"
    decided = {checked.session.decided for checked in checks}
    if None in decided:
        return "not decided"
    return "partly" if len(decided) == 2 else ("true" if decided == {True} else "false")


def myth_or_fact(chapter_name: str) -> Ledger:
    """Decide a chapter's claims on this machine and show them in a table.

    Parameters
    ----------
    chapter_name
        The chapter's name, such as ``"creation_from_data"``.

    Returns
    -------
    Ledger
        With ``.rows``: each the claim, what is taught, the verdict here, and the checks with their runs.

    Raises
    ------
    ValueError
        If there is no such chapter; the sentence names the nearest one.
    """
    claims = chapter(chapter_name).claims
    device = "cuda" if torch.cuda.is_available() else "cpu"
    return Ledger(chapter_name, torch.__version__.split("+")[0], device, tuple(decide(claim) for claim in claims))


# As text and as HTML


def _here(row: Row, *, live: bool) -> str:
    """The verdict as it is shown; what was measured is shown only live."""
    return row.verdict if live or not row.timed else "timed"


def _head(ledger: Ledger, *, live: bool) -> str:
    counts = Counter(_here(row, live=live) for row in ledger.rows)
    decided = ", ".join(f"{counts.pop(name)} {name}" for name in DECIDED if name in counts)
    rest = "".join(f"; {verdicts_text(name, n)}" for name, n in counts.items())
    where = f"torch {ledger.torch}, {ledger.device}"
    return f"{count_text(len(ledger.rows), 'claim')}, decided here on {where}: **{decided or 'none'}**{rest}."


def verdicts_text(verdict: str, n: int) -> str:
    """How many claims have a verdict.

    >>> verdicts_text("false", 2), verdicts_text("needs a GPU", 1), verdicts_text("needs a GPU", 2)
    ('2 false', '1 needs a GPU', '2 need a GPU')
    """
    return f"{n} {verdict if n == 1 else verdict.replace('needs ', 'need ', 1)}"


def _really(row: Row, *, live: bool) -> tuple[str, bool]:
    """What is said beside the verdict, and whether this machine has shown it."""
    if row.timed and not live:
        return f"{row.claim.really} The time is measured when you run this; the course teaches: {row.taught}.", True
    if row.verdict.startswith("needs "):
        here = "Only a part can be shown here" if row.checks else "Cannot be decided here"
        kept = recorded_run(row.claim)
        found = f" Recorded on {kept.where}: {kept.verdict}." if kept else ""
        return f"{here}.{found} The course teaches: {row.taught}. {row.claim.really}", False
    return row.claim.really, row.verdict in DECIDED


def _disagreement(row: Row) -> str:
    if row.agrees:
        return ""
    return f"The course teaches: {row.taught}. This machine shows something else."


def _text_rows(ledger: Ledger) -> Iterator[str]:
    for row in ledger.rows:
        yield _filled(plain(row.claim.claim), "- ")
        yield _filled(f"{_here(row, live=False)}. {plain(_really(row, live=False)[0])}", "  ")
        if not (row.agrees or row.timed):
            yield _filled(_disagreement(row), "  ")


def _filled(text: str, start: str) -> str:
    return textwrap.fill(text, 100, initial_indent=start, subsequent_indent="  ", break_long_words=False)


def ledger_html(ledger: Ledger, *, live: bool) -> str:
    """The table of claims; `live` shows the measured ratios too."""
    rows = [(prose(row.claim.claim), draw.verdict(_here(row, live=live)), _told(row, live=live)) for row in ledger.rows]
    head = prose(_head(ledger, live=live)).replace("<b>", '<b class="tt-loud">')
    return draw.ledger(head, rows)


def _told(row: Row, *, live: bool) -> str:
    text, seen = _really(row, live=live)
    why = draw.aside(f"Why it is believed: {prose(row.claim.why)}")
    said = f"{prose(text) if seen else draw.aside(prose(text))} {why}"
    if not (row.agrees or (row.timed and not live)):
        said += f" <b>{escape(_disagreement(row))}</b>"
    sessions = [_session_text(checked, live=live) for checked in row.checks]
    if row.verdict.startswith("needs ") and (kept := recorded_run(row.claim)):
        sessions.append("\n".join([f"# recorded on {kept.where}", *kept.lines]))
    runs = "\n".join(sessions)
    return said + (draw.run(runs) if runs else "")


def _session_text(checked: Checked, *, live: bool) -> str:
    part = f"# {plain(checked.part)}"
    if checked.session.timed and not live:
        lines = [line for line in checked.session.lines if line.startswith((">>> ", "... "))]
        return "\n".join([part, *lines, "(measured when you run it)"])
    return "\n".join([part, checked.session.text])


to_html.register(Ledger, lambda ledger: ledger_html(ledger, live=False))
