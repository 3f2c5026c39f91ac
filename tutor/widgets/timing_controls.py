"""The controls of the timing lab."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter
from typing import TYPE_CHECKING, Any

import ipywidgets as w

from tutor._timing_lab.experiments import EXPERIMENTS
from tutor._timing_lab.model import Results
from tutor._words import count_text
from tutor.drawing import timing_lab as drawn
from tutor.drawing.svg import style
from tutor.drawing.timing_chart import size_text

if TYPE_CHECKING:
    from tutor.widgets.timing import TimingLab

_PAINT_S = 0.2
_OWN = ("your own line", "own")


class Controls:
    """Choices, a run that can be stopped, the chart and the numbers."""

    def __init__(self, lab: TimingLab) -> None:
        self._lab = lab
        self._setting = False
        self._painted = 0.0
        self._started = 0.0
        # Two for all, since each is a model of its own in the page.
        self._plain: Any = w.Layout()
        self._gone: Any = w.Layout(display="none")
        names = [*((one.title, one.name) for one in EXPERIMENTS.values()), _OWN]
        self.experiment = self._dropdown("experiment", names)
        self.dtype = self._dropdown("dtype", [""])
        self.device = self._dropdown("on", [""])
        # Two lists and no slider of ranges: its handles have no name for those who cannot see them.
        self.first = self._dropdown("sizes from", ["1"])
        self.last = self._dropdown("up to", ["1"])
        self.sizes_said = self._html()
        self.setup = self._area("set-up, not timed; n is the size")
        self.line = self._area("your line, in your notebook's names")
        self.go = self._button("Run", "tt-go")
        self.go.button_style = "primary"
        self.status = self._html("tt-status")
        self.empty = self._button("Clear")
        self.copy = self._html("tt-copy-code")
        self.file = self._button("Save as CSV")
        self.said, self.asked, self.runs, self.chart, self.numbers = (self._html() for _ in range(5))
        self.runs_fold = self._fold("the code", self.runs)
        self.numbers_fold = self._fold("the numbers", self.numbers)
        self.own = self._box(w.HBox, "tt-own", self.setup, self.line)
        sizes = (self.first, self.last, self.sizes_said)
        choices = self._box(w.HBox, "tt-row", self.experiment, *sizes, self.dtype, self.device)
        actions = self._box(w.HBox, "tt-row", self.go, self.status, self.empty, self.copy, self.file)
        sheet = w.HTML(style(*drawn.PARTS), layout=self._gone)
        parts = [self.asked, self.own, actions, self.said, self.chart]
        folds = [self.numbers_fold, self.numbers, self.runs_fold, self.runs]
        self.root = self._box(w.VBox, "tt", sheet, choices, *parts, *folds)
        self.root.add_class("tt-lab")
        self._listen()
        self._experiment_shown()
        self.runs_fold.value = True
        self.show()

    # ── parts ───────────────────────────────────────────────────────────────────────────────────────────────────────

    def _dropdown(self, label: str, options: Sequence[Any]) -> Any:
        return w.Dropdown(options=options, description=label, layout=self._plain)

    def _button(self, label: str, *classes: str) -> Any:
        button = w.Button(description=label, layout=self._plain)
        for name in classes:
            button.add_class(name)
        return button

    def _area(self, label: str) -> Any:
        return w.Textarea(description=label, layout=self._plain, rows=2)

    def _layout(self, shown: bool) -> Any:
        return self._plain if shown else self._gone

    def _html(self, *classes: str) -> Any:
        html = w.HTML(layout=self._plain)
        for name in classes:
            html.add_class(name)
        return html

    def _fold(self, label: str, content: Any) -> Any:
        """A button that shows and hides; a fold of the page's own would close whenever its content changes."""
        fold = w.ToggleButton(description=f"show {label}", layout=self._plain)
        fold.add_class("tt-fold")
        content.layout = self._gone

        def turn(_: object) -> None:
            content.layout = self._layout(fold.value)
            self._fold_named(fold, label)
            self.show()

        fold.observe(turn, "value")
        return fold

    def _fold_named(self, fold: Any, label: str) -> None:
        fold.description = f"{'hide' if fold.value else 'show'} {label}"

    def _box(self, kind: Any, name: str, *children: Any) -> Any:
        box = kind(list(children), layout=self._plain)
        box.add_class(name)
        return box

    def _listen(self) -> None:
        self.experiment.observe(self._experiment_chosen, "value")
        for control in (self.dtype, self.device, self.first, self.last):
            control.observe(self._chosen, "index")
        for area in (self.setup, self.line):
            area.observe(self._written, "value")
        self.go.on_click(self._pressed)
        self.empty.on_click(self._cleared)
        self.file.on_click(self._saved)

    # ── what the learner does ───────────────────────────────────────────────────────────────────────────────────────

    def _experiment_chosen(self, _: object) -> None:
        if not self._setting:
            self._lab.choose(self.experiment.value)
            self._experiment_shown()
            self.runs_fold.value = not self._lab.results.rows
            self.show()

    def _chosen(self, change: Any) -> None:
        if self._setting:
            return
        if self.first.index > self.last.index:
            self._set(*[change.owner.index] * 2)
        self._lab.dtype, self._lab.device = self.dtype.value or "", self.device.value or ""
        self._lab.sizes = self._lab.experiment.sizes[self.first.index : self.last.index + 1]
        self._choices_said()
        self.show()

    def _written(self, _: object) -> None:
        if not self._setting:
            self._lab.write(self.line.value, self.setup.value)
            self._choices_said()

    def _pressed(self, _: object) -> None:
        if self._lab.running:
            self._lab.stop()
            return
        self._started = perf_counter()
        self.runs_fold.value = False
        self._lab.start()

    def _cleared(self, _: object) -> None:
        self._lab.clear()
        self.show()

    def _saved(self, _: object) -> None:
        results = self._lab.results
        if not results.rows:
            self._say("There is nothing to save yet.")
            return
        try:
            path = self._lab.save()
        except OSError as error:
            self._say(f"The file could not be written: {error}.", wrong=True)
            return
        rows = sum(len(one.points) for one in results.series)  # those without a time too, which say why
        self._say(f"Saved {count_text(rows, 'row')} as {path}, beside your notebook.")

    # ── what is shown ───────────────────────────────────────────────────────────────────────────────────────────────

    def _experiment_shown(self) -> None:
        """Set the choices to those of the experiment."""
        told = self._lab.experiment
        self._setting = True
        try:
            self.experiment.value = told.name
            self._options(self.dtype, told.dtypes, self._lab.dtype)
            self._options(self.device, self._lab.devices, self._lab.device)
            sizes = list(told.sizes)
            self.first.options = self.last.options = [size_text(n) for n in sizes]
            self._set(sizes.index(self._lab.sizes[0]), sizes.index(self._lab.sizes[-1]))
            self.setup.value, self.line.value = self._lab.setup, self._lab.line
        finally:
            self._setting = False
        self.own.layout = self._layout(told.name == "own")
        self.runs_fold.layout = self._layout(told.name != "own")
        self.asked.value = _inner(drawn.question(told))
        self._choices_said()

    def _set(self, first: int, last: int) -> None:
        """Choose the first and the last size."""
        before, self._setting = self._setting, True
        try:
            self.first.index, self.last.index = first, last
        finally:
            self._setting = before

    def _options(self, control: Any, options: Sequence[str], chosen: str) -> None:
        """Only a choice among several is one."""
        control.options = list(options) or [""]
        control.value = chosen or control.options[0]
        control.layout = self._layout(len(options) > 1)

    def _choices_said(self) -> None:
        lab = self._lab
        self.sizes_said.value = f'<span class="tt-fine tt-quiet">{lab.experiment.axis}</span>'
        self.copy.value = drawn.copy_button(lab.code)
        self.runs.value = _inner(drawn.what_runs(lab.experiment, lab.experiment.lanes(lab.dtype, lab.device or "cuda")))

    def arrived(self) -> None:
        """A point has come: paint, but no more often than somebody can look."""
        if perf_counter() - self._painted >= _PAINT_S:
            self.show()

    def show(self) -> None:
        """Show where the lab stands."""
        lab, results = self._lab, self._lab.results
        self._painted = perf_counter()
        running = lab.running
        self.go.description = "Stop" if running else "Run again" if _live(results) else "Run"
        for control in (self.experiment, self.dtype, self.device, self.first, self.last, self.empty, self.file):
            control.disabled = running
        self.status.value = (
            _inner(drawn.progress(*lab.progress, self._time_left())) if running else self._ended(results)
        )
        self._say(lab.message, wrong=True)
        body = drawn.results_body(results)
        if self.chart.value != _inner(body):
            self.chart.value = _inner(body)
        self.numbers_fold.layout = self._layout(bool(results.rows))
        self._fold_named(self.numbers_fold, f"the numbers, {count_text(results.rows, 'row')}")
        if self.numbers_fold.value:
            self.numbers.value = _inner(drawn.table(results))

    def _ended(self, results: Results) -> str:
        live = _live(results)
        words = f"{count_text(live, 'point')} measured" if live else ""
        return f'<span class="tt-fine tt-quiet" role="status">{words}</span>'

    def _time_left(self) -> str:
        done, total = self._lab.progress
        if not done:
            return "starting"
        left = (perf_counter() - self._started) * (total - done) / done
        return f"about {max(1, round(left))} s left"

    def _say(self, sentence: str, *, wrong: bool = False) -> None:
        self.said.value = _inner(drawn.said(sentence, wrong=wrong))


def _live(results: Results) -> int:
    """How many points were measured here."""
    return sum(len(one.measured) for one in results.series if one.origin is None)


def _inner(body: str) -> str:
    return f'<div class="tt">{body}</div>' if body else ""
