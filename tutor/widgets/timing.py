"""The timing lab: pick an experiment or write a line, run it, and watch its times arrive."""

from __future__ import annotations

import asyncio
import signal
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from sys import float_info
from time import perf_counter
from typing import Any, ClassVar

from tutor._timing_lab import export
from tutor._timing_lab.experiments import EXPERIMENTS, OWN, own_experiment
from tutor._timing_lab.memory import give_back
from tutor._timing_lab.model import Experiment, Point, Results, Series
from tutor._timing_lab.recordings import recorded
from tutor._timing_lab.running import BUDGET_S, Run, Settings, checked_sizes, devices, no_device
from tutor._timing_lab.source import CodeError
from tutor.drawing.timing_lab import experiments_html
from tutor.widgets.hosting import bundle
from tutor.widgets.timing_controls import Controls

__all__ = ["TimingLab", "timing_lab"]

SLICE_S = 0.010  # of measuring, …
PAUSE_S = 0.004  # … then the page gets its turn
_IN_A_NOTEBOOK = "In a notebook, choose one, or write a line of your own, and press Run."


def timing_lab(experiment: str = "sources", *, budget: float = BUDGET_S) -> TimingLab:
    """Choose an experiment or write your own line, run it over many sizes, and watch the times arrive.

    At each size the candidates are timed against each other as `tutor.race` does it. The run goes in short slices, so
    that the page stays alive: Stop ends it at once. Run again adds lines. A size that would need more than a third of
    the free memory, and a call that would take longer than 100 ms, are left out and said.

    Parameters
    ----------
    experiment
        The one that is chosen first: "sources", "first_write", "strided_reads", "contiguous_once", "matmul", "launch",
        "transfers", "small_copies", "autocast", "naive", or "own" for a line of yours.
    budget
        Seconds for each candidate at each size.

    Returns
    -------
    TimingLab
        Controls in a notebook; elsewhere a table of the experiments, and ``.run()``.

    Raises
    ------
    ValueError
        If there is no such experiment, or `budget` is no positive number.

    Notes
    -----
    How times are taken: `tutor.timing`, and https://docs.pytorch.org/docs/stable/benchmark_utils.html.

    Examples
    --------
    >>> lab = timing_lab("launch", budget=0.01)
    >>> found = lab.run(sizes=[1, 1000])
    >>> [series.candidate.label for series in found.series]
    ['x + 1', 'ten times x + 1', 'add(x, 1, out=y)', 'NumPy: a + 1']
    """
    if isinstance(budget, bool) or not isinstance(budget, int | float) or not 0 < budget <= float_info.max:
        raise ValueError(f"timing_lab: budget must be a positive number of seconds, got {budget!r}")
    return TimingLab(experiment, budget, _callers_names())


def _callers_names() -> Mapping[str, Any]:
    """The names of the notebook, or of the module that has called."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    names: Mapping[str, Any] = shell.user_ns if shell is not None else sys._getframe(2).f_globals
    return names


@contextmanager
def _interruptible() -> Iterator[None]:
    """Let the kernel's interrupt end what runs within, as it ends a cell: between cells a kernel ignores it.

    See https://docs.python.org/3/library/signal.html.
    """
    if threading.current_thread() is not threading.main_thread():  # no other may say what a signal does
        yield
        return
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.SIG_DFL if before is None else before)


class TimingLab:
    """Experiments and what they have found; see `timing_lab`.

    Attributes
    ----------
    experiment
        The one that is chosen.
    line, setup
        Your own line, and what is run before it at each size.
    dtype, device, sizes
        On what the next run will be.
    message
        What went wrong last, in a sentence; empty if nothing.
    """

    _under_way: ClassVar[TimingLab | None] = None  # two at once would disturb each other

    def __init__(self, experiment: str, budget: float, names: Mapping[str, Any]) -> None:
        self.line = "x.sum()"
        self.setup = "x = torch.ones(n, dtype=dtype, device=device)"
        self.message = ""
        self._budget = budget
        self._names = names
        self._found: dict[str, list[Series]] = {}
        self._runs: dict[str, int] = {}
        self._recorded: tuple[Series, ...] = ()
        self._now: Run | None = None
        self._task: asyncio.Task[None] | None = None
        self._pieces: Iterator[Point | None] | None = None
        self._number = 0
        self._controls: Controls | None = None
        self.choose(experiment)

    # ── what is chosen ──────────────────────────────────────────────────────────────────────────────────────────────

    def choose(self, experiment: str) -> None:
        """Choose another experiment; its dtype, device and sizes go back to the usual.

        Raises
        ------
        ValueError
            If there is none of that name.
        """
        if not isinstance(experiment, str) or experiment not in (*EXPERIMENTS, OWN):
            known = ", ".join(map(repr, [*EXPERIMENTS, OWN]))
            raise ValueError(f"timing_lab: there is no experiment {experiment!r}; there are {known}")
        self.experiment = self._own() if experiment == OWN else EXPERIMENTS[experiment]
        fitting = self.devices
        self.dtype = self.experiment.dtypes[0] if self.experiment.dtypes else ""
        self.device = fitting[0] if fitting else ""
        all_sizes = self.experiment.sizes
        self.sizes: Sequence[int] = all_sizes[2:7] if experiment == OWN else all_sizes
        self._recorded = recorded(experiment)
        self.message = ""

    def write(self, line: str, setup: str | None = None) -> None:
        """Write a line of your own, and what is run before it at each size."""
        self.line = line
        self.setup = self.setup if setup is None else setup
        self.experiment = self._own()

    def _own(self) -> Experiment:
        return own_experiment(self.line, self.setup)

    @property
    def devices(self) -> list[str]:
        """The devices of this machine that the experiment can run on."""
        return [device for device in devices() if self.experiment.fits(device)]

    @property
    def results(self) -> Results:
        """What the chosen experiment has found so far, and what was recorded of it elsewhere."""
        live = self._found.get(self.experiment.name, [])
        running = self._now if self._now is not None and self._now.experiment.name == self.experiment.name else None
        number = self._number if running else 0
        elsewhere = [one for one in self._recorded if one.dtype == self.dtype]
        series = (*live, *(running.series if running else ()), *elsewhere)
        return Results(self.experiment, series, tuple(self.sizes), number)

    @property
    def code(self) -> str:
        """A cell that repeats the experiment with `race`."""
        return export.code_text(self.experiment, self.sizes, self.dtype, self.device or "cuda")

    def csv(self) -> str:
        """All points as comma-separated values."""
        return export.csv_text(self.results)

    def save(self, path: str | Path | None = None) -> Path:
        """Write the points into a file, a new one in the current folder unless `path` says otherwise."""
        return export.save_csv(self.results, path)

    def clear(self) -> None:
        """Forget what the chosen experiment has found."""
        self._found.pop(self.experiment.name, None)
        if not self.running:  # else the next run would have the number of the one that is under way
            self._runs.pop(self.experiment.name, None)
        self.message = ""

    # ── running ─────────────────────────────────────────────────────────────────────────────────────────────────────

    def run(self, sizes: Sequence[int] | None = None) -> Results:
        """Run to the end before anything else happens, as a script wants it; a run that is under way ends.

        Parameters
        ----------
        sizes
            The sizes to run; those that are chosen, if None.

        Returns
        -------
        Results
            What has been found so far.

        Raises
        ------
        ValueError
            If the experiment cannot run here, your line cannot be run, or a size is no whole number of 1 or more; the
            message says why.
        """
        self.stop()
        if sizes is not None:
            self.sizes = checked_sizes(sizes)
        pieces = self._begin()
        if pieces is None:
            raise ValueError(self.message)
        try:
            for _ in pieces:
                pass
        except CodeError as error:
            raise ValueError(str(error)) from error
        finally:
            self._end(pieces)
        return self.results

    @property
    def running(self) -> bool:
        """Whether a run is under way."""
        return self._now is not None

    def start(self) -> None:
        """Start a run that goes on while the notebook does other things; the run of another lab ends."""
        if self.running:
            return
        pieces = self._begin()
        if pieces is None:
            self._shown("show")
            return
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            self._end(pieces)
            raise RuntimeError("start() needs a running event loop, as a notebook has; run() does without") from None
        if TimingLab._under_way is not None:
            TimingLab._under_way.stop()
        TimingLab._under_way = self
        self._task = loop.create_task(self._drive(pieces))

    def stop(self) -> None:
        """End the run, and keep what it has found."""
        if self._task is None:
            return
        self._task.cancel()
        pieces = self._pieces
        if pieces is not None and not getattr(pieces, "gi_running", False):  # it may be the line itself that says so
            self._end(pieces)
            self._shown("show")

    def _begin(self) -> Iterator[Point | None] | None:
        """The pieces of a new run; None if it cannot run here, and `message` says why."""
        self.message = ""
        name = self.experiment.name
        if not self.devices:
            self.message = no_device(self.experiment)
            return None
        number = self._runs.get(name, 0) + 1
        settings = Settings(
            self.dtype or None,
            self.device,
            tuple(self.sizes),
            self._budget,
            names=dict(self._names) if name == OWN else {},
            number=number,
        )
        self._now = Run(self.experiment, settings)
        self._runs[name] = self._number = number
        self._pieces = self._now.pieces()
        return self._pieces

    def _end(self, pieces: Iterator[Point | None]) -> None:
        """Let go of all that the run has made, and keep its points."""
        if self._pieces is not pieces:  # stopped, and let go of then
            return
        close = getattr(pieces, "close", None)
        if close is not None:
            close()
        if self._now is not None:
            found = [one for one in self._now.series if one.points]
            self._found.setdefault(self._now.experiment.name, []).extend(found)
        self._now = self._task = self._pieces = None
        if TimingLab._under_way is self:
            TimingLab._under_way = None
        give_back()

    async def _drive(self, pieces: Iterator[Point | None]) -> None:
        """Measure in slices, and let the page have its turn between them."""
        try:
            self._shown("show")
            while self._slice(pieces):
                await asyncio.sleep(PAUSE_S)
        except (asyncio.CancelledError, KeyboardInterrupt):
            pass  # Stop was pressed, or the kernel interrupted
        except CodeError as error:
            self.message = str(error)
        except BaseException as error:  # a line may well say sys.exit(), which would end the kernel from here
            self.message = f"The run ended with {type(error).__name__}: {error}"
        finally:
            self._end(pieces)
            self._shown("show")

    def _slice(self, pieces: Iterator[Point | None]) -> bool:
        """Measure for a moment; False if there is no more to measure."""
        ends = perf_counter() + SLICE_S
        with _interruptible():
            for point in pieces:
                if point is not None:
                    self._shown("arrived")
                if perf_counter() >= ends:
                    return True
        return False

    @property
    def progress(self) -> tuple[int, int]:
        """How many points there are, and how many there will be; zeros if nothing is being measured."""
        return (self._now.done, self._now.total) if self._now is not None else (0, 0)

    # ── how it is shown ─────────────────────────────────────────────────────────────────────────────────────────────

    @property
    def controls(self) -> Controls:
        """The controls, made when they are first asked for."""
        if self._controls is None:
            self._controls = Controls(self)
        return self._controls

    def _shown(self, what: str) -> None:
        if self._controls is not None:
            getattr(self._controls, what)()

    def __repr__(self) -> str:
        width = max(len(one.title) for one in EXPERIMENTS.values())
        rows = [f"  {one.title:<{width}}  {one.question}" for one in EXPERIMENTS.values()]
        return "\n".join(["timing lab: experiments", *rows, _IN_A_NOTEBOOK])

    def _repr_html_(self) -> str:
        return experiments_html(tuple(EXPERIMENTS.values()), _IN_A_NOTEBOOK)

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        return bundle(repr(self), self._repr_html_(), lambda: self.controls.root)
