"""The memory monitor: memory while cells run, and four lines that show what an allocator does."""

from __future__ import annotations

import sys
import weakref
from typing import Any, ClassVar

import ipywidgets as w

from tutor._watching.block import LINES, Block
from tutor._watching.facts import MemoryTrace, Step, step_text
from tutor._watching.watch import Watch
from tutor.drawing.svg import code, escape, style
from tutor.drawing.watching import PARTS, trace_body
from tutor.widgets.hosting import bundle

__all__ = ["MemoryMonitor", "memory_monitor"]

_MOST = 2**16  # MiB
_DRAWN_EVERY = 3  # readings
_OWN = "button"
_IDLE_S = 600.0  # a page that is written to again and again counts as used, and a server would never end its kernel


def memory_monitor(mebibytes: int = 256) -> MemoryMonitor:
    """Watch how much memory the process and the device hold, while cells run.

    Memory is read ten times a second in a thread. In a notebook each cell that runs meanwhile is told with what it
    changed. Four buttons run one line each on a tensor ``x`` of their own: allocate it, write it, delete it, and give
    back what the device's allocator keeps. One monitor watches at a time: a new one stops the one before. When nothing
    has run for ten minutes it pauses.

    Parameters
    ----------
    mebibytes
        The size of ``x``, 1 to 65,536 MiB.

    Returns
    -------
    MemoryMonitor
        Live in a notebook. Elsewhere `run` does what the buttons do, `trace` has what was read, `stop` ends it.

    Raises
    ------
    TypeError, ValueError
        If `mebibytes` is not a whole number of that range.
    ImportError
        If psutil is not installed; a notebook's kernel brings it.

    Notes
    -----
    The allocator of a GPU keeps freed blocks for later:
    https://docs.pytorch.org/docs/stable/notes/cuda.html#cuda-memory-management. A device that nothing has used yet is
    left alone, since asking it would start it.

    Examples
    --------
    >>> from tutor import memory_monitor
    >>> monitor = memory_monitor(64)
    >>> step = monitor.run("allocate")
    >>> monitor.run("write").change("process") > 60 * 2**20  # on the CPU pages come with the first write
    True
    >>> monitor.stop()
    """
    if isinstance(mebibytes, bool) or not isinstance(mebibytes, int):
        raise TypeError(f"memory_monitor expected mebibytes to be an int, but got {type(mebibytes).__name__}")
    if not 1 <= mebibytes <= _MOST:
        raise ValueError(f"memory_monitor expected mebibytes to be 1 to {_MOST:,}, but got {mebibytes:,}")
    return MemoryMonitor(mebibytes * 2**20)


class MemoryMonitor:
    """Memory over time, and a tensor to allocate and delete; see `memory_monitor`."""

    _watching: ClassVar[weakref.ref[MemoryMonitor] | None] = None

    def __init__(self, nbytes: int) -> None:
        self._block = Block(nbytes)
        self._controls: _Controls | None = None
        self._watch = Watch(_weakly(self, "_on_reading"))
        self._shell = _shell()
        self._cells = 0  # that run now, one in the other
        self.start()

    @property
    def controls(self) -> _Controls:
        """The controls, made when they are first asked for."""
        if self._controls is None:
            self._controls = _Controls(self, self._block)
        return self._controls

    @property
    def running(self) -> bool:
        """Whether memory is being read."""
        return self._watch.running

    @property
    def trace(self) -> MemoryTrace:
        """What was read, up to now: the last five minutes, and the last hundred steps."""
        return self._watch.trace()

    def start(self) -> None:
        """Go on reading; another monitor that reads is stopped."""
        other = MemoryMonitor._watching() if MemoryMonitor._watching is not None else None
        if other is not None and other is not self:
            other.stop()
        MemoryMonitor._watching = weakref.ref(self)
        if not self.running:
            self._watch.start()
            self._hear(True)

    def stop(self) -> None:
        """Read no more, and leave no thread behind; what was read stays."""
        if self.running:
            self._hear(False)
        self._watch.stop()
        if self._controls is not None:
            self._controls.show()

    def clear(self) -> None:
        """Forget what was read."""
        self._watch.clear()

    def can_run(self, line: str) -> bool:
        """Whether there is something for a line to work on."""
        return self._block.possible(line)

    def run(self, line: str) -> Step:
        """Run one line on the tensor ``x``, as its button does.

        Parameters
        ----------
        line
            ``"allocate"``, ``"write"``, ``"delete"`` or ``"empty_cache"``.

        Returns
        -------
        Step
            With ``.before``, ``.after`` and ``.change("process")`` in bytes.

        Raises
        ------
        ValueError
            If there is no such line, no ``x`` for it to work on, or less free memory than it would write.
        RuntimeError
            If there is no memory for ``x``, in torch's words.
        """
        if line not in LINES:
            raise ValueError(f"line: there is no {line!r}; there are {', '.join(map(repr, LINES))}")
        if not self.can_run(line):
            raise ValueError(f"line: {line!r} needs an x, and there is none; allocate it first")
        if lacking := self._block.lacking(line):
            raise ValueError(f"line: {line!r} needs {lacking}; make a smaller monitor, as in memory_monitor(64)")
        self._watch.begin(_OWN, self._block.code(line))
        try:
            self._block.run(line)
        finally:
            step = self._watch.end(_OWN, _OWN)
        assert step is not None
        return step

    def __repr__(self) -> str:
        return repr(self.trace)

    def _repr_html_(self) -> str:
        return self.trace._repr_html_()

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        return bundle(repr(self), self._repr_html_(), lambda: self.controls.root)

    def __del__(self) -> None:
        watch = getattr(self, "_watch", None)
        if watch is not None:
            self._cells = 0
            self._hear(False)
            watch.stop()

    def _hear(self, on: bool) -> None:
        """Be told of each cell that runs, or no more."""
        if self._shell is None:
            return
        for event, heard in self._ears().items():
            if on:
                self._shell.events.register(event, heard)
            elif event == "pre_run_cell" or not self._cells:
                self._deaf(event, heard)

    def _deaf(self, event: str, heard: Any) -> None:
        if heard in self._shell.events.callbacks[event]:
            self._shell.events.unregister(event, heard)

    def _ears(self) -> dict[str, Any]:
        if not hasattr(self, "_heard"):
            self._heard = {
                "pre_run_cell": _weakly(self, "_cell_begins"),
                "post_run_cell": _weakly(self, "_cell_ended"),
            }
        return self._heard

    def _cell_begins(self, info: Any) -> None:
        self._cells += 1
        if self._cells == 1:  # a cell that a cell runs is a part of it
            self._watch.begin("cell", info.raw_cell or "")

    def _cell_ended(self, result: Any) -> None:
        if not self._cells:  # the cell in which the watch began
            return
        self._cells -= 1
        if self._cells:
            return
        self._watch.end("cell", f"[{result.execution_count}]")
        if not self.running:  # stopped by this very cell, whose end was still to be told
            self._hear(False)
            if self._controls is not None:
                self._controls.show()

    def _on_reading(self) -> None:
        if self._watch.idle > _IDLE_S:
            self.stop()
            if self._controls is not None:
                self._controls.say("Paused, since nothing ran for ten minutes.")
        elif self._controls is not None:
            self._controls.tick()


def _weakly(monitor: MemoryMonitor, name: str) -> Any:
    """A method of a monitor, for those who must not keep it alive."""
    held = weakref.WeakMethod(getattr(monitor, name))

    def call(*args: object) -> None:
        method = held()
        if method is not None:
            method(*args)

    return call


def _shell() -> Any:
    ipython = sys.modules.get("IPython")
    return ipython.get_ipython() if ipython is not None else None


class _Controls:
    """Four lines to run, pause and clear, and the picture."""

    def __init__(self, monitor: MemoryMonitor, block: Block) -> None:
        # A monitor that is shown lives as long as its controls do, whatever becomes of its name.
        self._monitor = monitor
        self._plain: Any = w.Layout()
        self._ticks = 0
        self.lines = {line: w.Button(description=block.code(line), layout=self._plain) for line in LINES}
        self.pause = w.Button(description="Pause", layout=self._plain)
        self.clear = w.Button(description="Clear", layout=self._plain)
        self.said = w.HTML(layout=self._plain)
        self.shown = w.HTML(layout=self._plain)
        rows = [self._row(*self.lines.values()), self._row(self.pause, self.clear, self.said)]
        self.root = w.VBox([w.HTML(style(*PARTS, "controls", "row")), *rows, self.shown], layout=self._plain)
        for name in ("tt", "tt-monitor"):
            self.root.add_class(name)
        for line, button in self.lines.items():
            button.on_click(lambda _, line=line: self._run(line))
        self.pause.on_click(lambda _: self._monitor.stop() if self._monitor.running else self._go_on())
        self.clear.on_click(lambda _: self._cleared())
        self.show()

    def _row(self, *children: Any) -> Any:
        row = w.HBox(children, layout=self._plain)
        row.add_class("tt-row")
        return row

    def tick(self) -> None:
        """A reading was made."""
        self._ticks += 1
        if self._ticks % _DRAWN_EVERY == 0:
            self.show()

    def show(self) -> None:
        """Draw what there is to see now."""
        trace = self._monitor.trace
        self.shown.value = f'<div class="tt">{trace_body(trace)}</div>'
        self.pause.description = "Pause" if self._monitor.running else "Go on"
        for line, button in self.lines.items():
            button.disabled = not self._monitor.can_run(line)

    def _run(self, line: str) -> None:
        try:
            step = self._monitor.run(line)
        except (RuntimeError, ValueError) as error:
            self.say(escape(f"{type(error).__name__}: {error}".splitlines()[0]))
        else:
            self.say(f"{code(step.code)}: {escape(step_text(self._monitor.trace, step))}")
        self.show()

    def _go_on(self) -> None:
        self._monitor.start()
        self.show()

    def _cleared(self) -> None:
        self._monitor.clear()
        self.say("")
        self.show()

    def say(self, words: str) -> None:
        """Say something beside the buttons; `words` is HTML."""
        self.said.value = f'<div class="tt"><span class="tt-quiet tt-fine" role="status">{words}</span></div>'
