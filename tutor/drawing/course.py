"""How questions, answers, exercises and claims look: plain values in, HTML out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tutor.drawing.svg import code, disc, escape, note, page, prose, tally

QUARTERS = {"not started": 0, "keep working": 1, "almost": 3, "correct": 4}
VERDICTS: dict[str, int | None] = {"true": 4, "partly": 2, "false": 0}


def quiet(text: str) -> str:
    """A small line of prose that stands back."""
    return f'<p class="tt-quiet tt-fine">{prose(text)}</p>'


def paragraph(text: str) -> str:
    """One paragraph of prose."""
    return f"<p>{prose(text)}</p>"


def shown(fact: object) -> str:
    """Any object as a part of a note: its own HTML if it has one, else its text."""
    if fact is None:
        return ""
    html = getattr(fact, "_repr_html_", lambda: None)()
    return f'<div class="tt-shown">{html}</div>' if html else f"<pre>{escape(repr(fact))}</pre>"


# Questions


def question_head(prompt: str) -> str:
    """The question beside its sign."""
    return (
        '<div class="tt-ask"><span class="tt-sign" aria-hidden="true">?</span>'
        f'<p class="tt-question">{prose(prompt)}</p></div>'
    )


def question(prompt: str, labels: Iterable[str]) -> str:
    """A question as text on a page, for where no controls run."""
    options = "".join(f"<li>{prose(label)}</li>" for label in labels)
    after = quiet("Decide, and say to yourself how sure you are. Then run the next cell.")
    return page(
        question_head(prompt) + f'<div class="tt-indent"><ul class="tt-options">{options}</ul>{after}</div>', "ask"
    )


def said(label: str, sure: int, then: str) -> str:
    """What the learner has committed to."""
    return f'<p>You said <b>{prose(label)}</b>, {sure} % sure. <span class="tt-quiet">{prose(then)}</span></p>'


def happened(head: str, subject: str, value: str) -> str:
    """The headline of a revealed answer."""
    lead = f"<b>{escape(head)}</b> " if head else ""
    return f'<p class="tt-lead">{lead}{prose(subject)} is <code><b>{escape(value)}</b></code></p>'


def pairs(rows: Iterable[tuple[str, str]]) -> str:
    """Named lines of a note; the second of each pair is HTML."""
    body = "".join(f'<tr><th scope="row">{escape(name)}</th><td>{text}</td></tr>' for name, text in rows)
    return f'<table class="tt-pairs"><tbody>{body}</tbody></table>'


def beliefs(rows: Iterable[tuple[str, str, str]]) -> str:
    """For each answer that was not right: what it says, the belief behind it, and what speaks against it."""
    body = "".join(
        f"<tr><td>{prose(label)}</td><td>“{prose(belief)}”</td><td>{prose(refutation)}</td></tr>"
        for label, belief, refutation in rows
    )
    head = '<th scope="col">if you said</th><th scope="col">the belief</th><th scope="col">but</th>'
    return f'<table class="tt-beliefs"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>' if body else ""


def folded(body: str) -> str:
    """A revealed answer as text on a page, folded so that it spoils nothing."""
    return page(f'<details class="tt-answer"><summary>What happened</summary>{body}</details>', "ask", "picture")


# Exercises


def state_line(state: str, text: str, *, right: int = 0, of: int = 0) -> str:
    """The state of an exercise: its disc, its words, and one square per case."""
    squares = tally(right, of) if of else ""
    name = f"{state.capitalize()}."
    return f"<p>{disc(QUARTERS[state])}<b>{name}</b> {squares}{text}</p>"


def cases(heading: str, rows: Iterable[tuple[str, str, str]], more: int) -> str:
    """The cases that came out otherwise than wanted: the input, what was wanted, what came."""
    body = "".join(
        f"<tr><td>{code(label)}</td><td>{escape(wanted)}</td><td><b>{escape(came)}</b></td></tr>"
        for label, wanted, came in rows
    )
    if not body:
        return ""
    head = f'<th scope="col">input</th><th scope="col">{prose(heading)}</th><th scope="col">yours</th>'
    rest = quiet(f"… and {more} more.") if more else ""
    return f'<table class="tt-cases"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{rest}'


def printed(text: str) -> str:
    """What the learner's function printed."""
    return f'<p class="tt-quiet tt-fine">It printed:</p><pre>{escape(text)}</pre>' if text else ""


def outcome(body: str, *, settled: bool) -> str:
    """A note about a submission: dashed while there is something left to do."""
    return page(note(body, settled=settled), "exercise")


def task(text: str, source: str, foot: str) -> str:
    """What an exercise asks for."""
    return page(f"{paragraph(text)}<pre>{escape(source)}</pre>{quiet(foot)}", "exercise")


def numbered(head: str, text: str) -> str:
    """A hint, after its number."""
    return page(f'<p><span class="tt-quiet">{escape(head)}</span> {prose(text)}</p>')


def listing(head: str, source: str) -> str:
    """Source under a line that says what it is."""
    return page(f"{quiet(head)}<pre>{escape(source)}</pre>")


def caught(text: str) -> str:
    """An error that was expected, and came."""
    return page(
        '<p class="tt-wide"><span class="tt-raise"><span class="tt-mark">x</span></span> '
        f'<span class="tt-quiet">raises, as expected</span></p><pre>{escape(text)}</pre>'
    )


# Progress


def progress(rows: Iterable[tuple[str, str, list[tuple[str, str]]]], sentences: Iterable[str], how: str) -> str:
    """The learner's progress: a row for each chapter, then sentences, then what can be done with it."""
    body = "".join(
        f'<tr><th scope="row">{code(name)}</th><td>{escape(predictions)}</td><td>{_exercises(exercises)}</td></tr>'
        for name, predictions, exercises in rows
    )
    head = "".join(f'<th scope="col">{name}</th>' for name in ("chapter", "predictions", "exercises"))
    table = f'<table class="tt-progress"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'
    return page(table + "".join(paragraph(s) for s in sentences) + quiet(how), "exercise")


def _exercises(states: Iterable[tuple[str, str]]) -> str:
    items = "".join(
        f'<li>{disc(QUARTERS[state])}{code(name)} <span class="tt-quiet">{escape(state)}</span></li>'
        for name, state in states
    )
    return f'<ul class="tt-states">{items}</ul>'


# Claims


def verdict(name: str) -> str:
    """The verdict on a claim, a disc beside it."""
    return disc(VERDICTS.get(name)) + escape(name)


def aside(html: str) -> str:
    """Words that stand back."""
    return f'<span class="tt-quiet">{html}</span>'


def run(session: str, summary: str = "the run") -> str:
    """A run that is one click away."""
    return f"<details><summary>{escape(summary)}</summary><pre>{escape(session)}</pre></details>"


def ledger(head: str, rows: Sequence[tuple[str, str, str]]) -> str:
    """The table of claims: what people say, the verdict here, what really happens; all of it HTML."""
    body = "".join(f"<tr><td>{claim}</td><td>{here}</td><td>{really}</td></tr>" for claim, here, really in rows)
    columns = "".join(f'<th scope="col">{name}</th>' for name in ("people say", "here", "what really happens"))
    return page(
        f'<p class="tt-quiet tt-wide">{head}</p>'
        f'<table class="tt-ledger tt-wide"><thead><tr>{columns}</tr></thead><tbody>{body}</tbody></table>',
        "exercise",
        "myths",
    )
