"""How questions, answers, exercises and claims look: plain values in, HTML out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tutor.drawing.svg import UNBROKEN, code, disc, escape, note, page, prose, tally

QUARTERS = {"not started": 0, "keep working": 1, "almost": 3, "correct": 4}
VERDICTS: dict[str, int | None] = {"true": 4, "partly": 2, "false": 0}


def quiet(text: str) -> str:
    """A small line of prose that stands back."""
    return f'<p class="tt-quiet tt-fine">{prose(text)}</p>'


def paragraph(text: str) -> str:
    """One paragraph of prose."""
    return f"<p>{prose(text)}</p>"


def shown(fact: object) -> str:
    """Any object as a part of a note: its own HTML if it has one, else its text; a dictionary as named lines."""
    if fact is None:
        return ""
    if isinstance(fact, dict) and fact:
        return f'<div class="tt-shown">{pairs((str(name), _value(value)) for name, value in fact.items())}</div>'
    html = getattr(fact, "_repr_html_", lambda: None)()
    return f'<div class="tt-shown">{html}</div>' if html else f"<pre>{escape(repr(fact))}</pre>"


def _value(value: object) -> str:
    return escape(value) if isinstance(value, str) else f"<code>{escape(repr(value))}</code>"


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
    return _table("tt-pairs", (), ((escape(name), text) for name, text in rows), named=True)


def beliefs(rows: Sequence[tuple[str, str, str]]) -> str:
    """For each answer that was not right: what it says, the belief behind it, and what speaks against it."""
    cells = [(prose(label), f"“{prose(belief)}”", prose(refutation)) for label, belief, refutation in rows]
    return _table("tt-beliefs", ("if you said", "the belief", "but"), cells) if rows else ""


def folded(body: str) -> str:
    """A revealed answer as text on a page, folded so that it spoils nothing."""
    return page(f'<details class="tt-answer"><summary>What happened</summary>{body}</details>', "ask", "picture")


# Exercises


def state_line(state: str, text: str, *, right: int = 0, of: int = 0) -> str:
    """The state of an exercise: its disc, its words, and one square per case."""
    squares = tally(right, of) if of else ""
    name = f"{state.capitalize()}."
    return f"<p>{disc(QUARTERS.get(state))}<b>{name}</b> {squares}{text}</p>"


def cases(heading: str, rows: Sequence[tuple[str, str, str]], more: int) -> str:
    """The cases that came out otherwise than wanted: the input, what was wanted, what came."""
    cells = [
        (_whole(label, code(label)), _whole(wanted, escape(wanted)), f"<b>{_whole(came, escape(came))}</b>")
        for label, wanted, came in rows
    ]
    rest = quiet(f"… and {more} more.") if more else ""
    return _table("tt-cases", ("input", prose(heading), "yours"), cells) + rest if rows else ""


def _whole(text: str, html: str) -> str:
    """A cell's HTML, on one line if its text is short: a number is not to be read in two pieces."""
    return f'<span class="tt-nowrap">{html}</span>' if len(text) < UNBROKEN else html


def printed(text: str) -> str:
    """What the learner's function printed."""
    return f'<p class="tt-quiet tt-fine">It printed:</p><pre>{escape(text)}</pre>' if text else ""


def outcome(body: str, *, settled: bool) -> str:
    """A note about a submission: dashed while there is something left to do."""
    return page(note(body, settled=settled), "exercise")


def task(text: str, source: str, foot: str) -> str:
    """What an exercise asks for."""
    return page(f"{paragraph(text)}<pre>{escape(source)}</pre>{quiet(foot)}", "exercise")


def numbered(head: str, text: str, after: str) -> str:
    """A hint between its number and what to ask next."""
    return page(f"<p>{aside(escape(head))} {prose(text)}</p>{quiet(after) if after else ''}")


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
    cells = ((code(name), escape(predictions), _exercises(exercises)) for name, predictions, exercises in rows)
    table = _table("tt-progress", ("chapter", "predictions", "exercises"), cells, named=True)
    return page(table + "".join(paragraph(s) for s in sentences) + quiet(how), "exercise")


def _exercises(states: Iterable[tuple[str, str]]) -> str:
    items = "".join(
        f'<li>{disc(QUARTERS.get(state))}{code(name)} <span class="tt-quiet">{escape(state)}</span></li>'
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


def ledger(head: str, rows: Iterable[tuple[str, str, str]]) -> str:
    """The table of claims: what people say, the verdict here, what really happens; all of it HTML."""
    table = _table("tt-ledger tt-wide", ("people say", "here", "what really happens"), rows)
    return page(f'<p class="tt-quiet tt-wide">{head}</p>{table}', "exercise", "myths")


_LEFT = 'style="text-align:left"'  # for readers that drop the style sheet and set cells to the right


def _table(names: str, columns: Sequence[str], rows: Iterable[Sequence[str]], *, named: bool = False) -> str:
    heads = "".join(f'<th scope="col" {_LEFT}>{column}</th>' for column in columns)
    body = "".join(f"<tr>{_cells(row, named=named)}</tr>" for row in rows)
    head = f"<thead><tr>{heads}</tr></thead>" if columns else ""
    return f'<table class="{names}">{head}<tbody>{body}</tbody></table>'


def _cells(row: Sequence[str], *, named: bool) -> str:
    first, *others = row
    start = f'<th scope="row" {_LEFT}>{first}</th>' if named else f"<td {_LEFT}>{first}</td>"
    return start + "".join(f"<td {_LEFT}>{cell}</td>" for cell in others)
