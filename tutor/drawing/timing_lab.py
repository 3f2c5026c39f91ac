"""What an experiment asks, what it found, and how far a run has come."""

from __future__ import annotations

from tutor._fact import to_html
from tutor._timing_lab.model import Candidate, Experiment, Results
from tutor._timing_lab.text import at_size, line_name, method, sizes_of, times_text
from tutor._words import count_text
from tutor.drawing import svg
from tutor.drawing.timing_chart import chart

# Where a page may not write on the clipboard, a text field that is selected still can.
_COPY = (
    "const b = this, text = b.dataset.code;"
    "const done = () =&gt; { b.textContent = 'Copied'; setTimeout(() =&gt; b.textContent = 'Copy as code', 1500); };"
    "const by_hand = () =&gt; { const field = document.createElement('textarea'); field.value = text; b.after(field);"
    " field.select(); document.execCommand('copy'); field.remove(); b.focus(); done(); };"
    "navigator.clipboard ? navigator.clipboard.writeText(text).then(done, by_hand) : by_hand()"
)

PARTS = ("picture", "controls", "row", "timing_lab")


@to_html.register
def results_html(results: Results) -> str:
    """The question, the chart, and the numbers in a fold."""
    rows = f"<details><summary>the numbers, {count_text(results.rows, 'row')}</summary>{table(results)}</details>"
    body = question(results.experiment) + results_body(results) + (rows if results.rows else "")
    return svg.page(body, *PARTS)


def question(experiment: Experiment) -> str:
    """What is asked, and what to look at."""
    look = f'<p class="tt-quiet tt-small">{svg.prose(experiment.look)}</p>' if experiment.look else ""
    return f'<div class="tt-asked"><p class="tt-lead">{svg.prose(experiment.question)}</p>{look}</div>'


def what_runs(experiment: Experiment, lanes: tuple[Candidate, ...]) -> str:
    """The set-up and the lines that are compared, as code."""
    setup = f"<td><pre>{svg.escape(experiment.setup)}</pre></td>"
    setup = f'<tr><th scope="row" class="tt-quiet">set-up, not timed</th>{setup}</tr>' if experiment.setup else ""
    rows = "".join(
        f'<tr class="{svg.MARKS[lane.mark].role if lane.mark != "none" else ""}"><th scope="row">{_sign(lane)}'
        f"{svg.code(lane.label)}</th><td><pre>{svg.escape(lane.code)}</pre></td></tr>"
        for lane in lanes
    )
    return f'<table class="tt-runs"><caption>what runs</caption><tbody>{setup}{rows}</tbody></table>'


def _sign(lane: Candidate) -> str:
    return svg.mark(lane.mark) if lane.mark != "none" else '<span class="tt-mark"> </span>'


def results_body(results: Results) -> str:
    """The chart, why points are missing, and how the times were taken."""
    told = method(results)
    if any(one.origin is not None for one in results.series):
        told = ["Dashed, with open markers: recorded elsewhere.", *told]
    lines = [*results.skipped, *results.notes, *([" ".join(told)] if told else [])]
    notes = "".join(f'<p class="tt-quiet tt-fine">{svg.escape(line)}</p>' for line in lines)
    return chart(results) + (f'<div class="tt-notes">{notes}</div>' if notes else "")


def table(results: Results) -> str:
    """All numbers: a group for each size, a row for each line."""
    head = (
        f'<tr><th scope="col" class="tt-num">{svg.escape(results.experiment.axis)}</th><th scope="col">line</th>'
        '<th scope="col" class="tt-num">median</th><th scope="col">middle half</th>'
        '<th scope="col" class="tt-num">runs</th></tr>'
    )
    groups = []
    for n in sizes_of(results):
        rows = at_size(results, n)
        cells = []
        for i, (series, point) in enumerate(rows):
            size = f'<th scope="rowgroup" class="tt-num" rowspan="{len(rows)}">{n:,}</th>' if i == 0 else ""
            median, spread = times_text(point)
            runs = f"{point.blocks:,}" + (f" × {point.calls:,}" if point.calls > 1 else "")
            cells.append(
                f"<tr>{size}<td>{svg.code(line_name(results, series))}</td>"
                f'<td class="tt-num">{median}</td><td class="tt-quiet">{spread}</td>'
                f'<td class="tt-num tt-quiet">{runs}</td></tr>'
            )
        groups.append(f"<tbody>{''.join(cells)}</tbody>")
    return f'<table class="tt-points"><caption>time per call</caption><thead>{head}</thead>{"".join(groups)}</table>'


def progress(done: int, total: int, words: str) -> str:
    """How far a run has come: a bar, and in words."""
    share = 100 * done / total if total else 0
    bar = (
        f'<span class="tt-progress-bar" role="progressbar" aria-label="points measured" aria-valuemin="0" '
        f'aria-valuemax="{total}" aria-valuenow="{done}"><i style="width:{share:.0f}%"></i></span>'
    )
    quiet = f'<span class="tt-quiet">{svg.escape(words)}</span>'
    return f'{bar}<span class="tt-fine">{done} of {total} points {quiet}</span>'


def copy_button(code: str) -> str:
    """A button that puts a cell on the clipboard; it needs no kernel."""
    code = svg.escape(code)
    return (
        f'<button type="button" class="jupyter-widgets jupyter-button widget-button" aria-live="polite" '
        f'data-code="{code}" onclick="{_COPY}">Copy as code</button>'
    )


def said(sentence: str, *, wrong: bool = False) -> str:
    """A note under the controls: what went wrong, or what has been done."""
    if not sentence:
        return ""
    role = "alert" if wrong else "status"
    sign = f'<span class="tt-raise">{svg.mark("raise")}</span> ' if wrong else ""
    return svg.note(f'<p role="{role}">{sign}{svg.escape(sentence)}</p>', settled=not wrong)


def experiments_html(experiments: tuple[Experiment, ...], beneath: str) -> str:
    """All experiments as a table, where there are no controls."""
    rows = "".join(
        f'<tr><th scope="row">{svg.escape(one.title)}</th><td>{svg.prose(one.question)}</td></tr>'
        for one in experiments
    )
    head = '<tr><th scope="col">experiment</th><th scope="col">what it asks</th></tr>'
    return svg.page(
        f'<table class="tt-two"><thead>{head}</thead><tbody>{rows}</tbody></table><p>{svg.prose(beneath)}</p>', *PARTS
    )
