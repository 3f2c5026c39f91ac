"""Runs code that a learner wrote: it may raise, print, loop or return anything, and the course goes on.

What is stopped after the time is up: every loop and recursion in Python, whatever it catches, and, on Linux and macOS,
waiting such as ``time.sleep``. What is not stopped: one call into native code finishes first (a huge matrix
product), and threads or processes that the code started go on. On Python 3.12 a recursion that catches everything at
every level and then calls itself again may outlive its time.

How: a watching thread interrupts the main thread, as Ctrl-C would. Code that catches everything swallows that, so from
then on each line it runs asks for one more interruption, which lands where Python next looks for one: at a call or at
a jump back. The jump back after a handler lies outside its ``try``, and so no ``try`` can hold them all.
"""

from __future__ import annotations

import _thread
import contextlib
import ctypes
import io
import random
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from types import FrameType
from typing import Any

import numpy as np
import torch

_PRINTED_MOST = 2000
_ROOM = 500  # frames


@dataclass(frozen=True)
class Run:
    """One call: its value, or the error it raised, or neither if it was stopped.

    Attributes
    ----------
    value
        What the call returned.
    error
        What it raised, or None.
    stopped
        Whether the time was up before it returned.
    """

    value: object = None
    error: BaseException | None = None
    stopped: bool = False


class _Stopped(BaseException):
    """Raised in code whose time is up."""


class TimeLimit:
    """A number of seconds for several calls together.

    Use it as a context manager around the calls, in the thread that makes them. It rests on
    https://docs.python.org/3/library/signal.html and
    https://docs.python.org/3/c-api/init.html#c.PyThreadState_SetAsyncExc.

    Examples
    --------
    >>> with TimeLimit(5) as limit:
    ...     limit.call(divmod, 7, 2).value
    (3, 1)
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._lock = threading.Lock()
        self._running = False
        self._expired = False
        self._interrupted = False
        self._done = threading.Event()

    @property
    def expired(self) -> bool:
        """Whether the time is up."""
        return self._expired or time.monotonic() >= self._deadline

    def __enter__(self) -> TimeLimit:
        self._thread_id = threading.get_ident()
        self._native_id = ctypes.c_ulong(self._thread_id)
        self._is_main = threading.current_thread() is threading.main_thread()
        self._depth = sys.getrecursionlimit()
        self._unraisable = sys.unraisablehook
        self._deadline = time.monotonic() + self.seconds
        if self._is_main:
            self._handler = signal.signal(signal.SIGINT, self._on_signal)
        self._watcher = threading.Thread(target=self._watch, name="tutor-time-limit", daemon=True)
        self._watcher.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._watcher.join()
        sys.setrecursionlimit(self._depth)
        sys.unraisablehook = self._unraisable
        if self._is_main:
            signal.signal(signal.SIGINT, self._handler or signal.default_int_handler)
        if self._interrupted:
            raise KeyboardInterrupt

    def call(self, fn: Callable[..., object], *arguments: object) -> Run:
        """Call a function; whatever it does, say what came of it."""
        tracer = sys.gettrace()
        try:
            try:
                run = self._attempt(fn, arguments)
            finally:
                self._running = False
                sys.settrace(tracer)
            _look_for_interruptions()
        except _Stopped:  # one more may have been on its way
            self._running = False
            sys.settrace(tracer)
            run = _STOPPED
        return run

    def _attempt(self, fn: Callable[..., object], arguments: tuple[object, ...]) -> Run:
        if self.expired or self._interrupted:
            return _STOPPED
        try:
            self._running = True
            return Run(value=fn(*arguments))
        except _Stopped:
            return _STOPPED
        except BaseException as error:
            return _STOPPED if self._interrupted else Run(error=error)

    def _watch(self) -> None:
        if self._done.wait(max(0.0, self._deadline - time.monotonic())):
            return
        self._expired = True
        sys.unraisablehook = _UNHEARD  # an interruption may land in a finalizer, where Python only complains of it
        sys.setrecursionlimit(self._depth + _ROOM)  # code at the limit leaves no room to be interrupted in
        while not self._done.is_set():
            if self._running:
                self._interrupt()
            self._done.wait(0.2)

    def _interrupt(self) -> None:
        if not self._is_main:
            _RAISE_IN(self._native_id, _STOPPED_CLASS, None, None, None)
        elif hasattr(signal, "pthread_kill"):
            signal.pthread_kill(self._thread_id, signal.SIGINT)  # wakes a sleeping call too
        else:
            _thread.interrupt_main()

    def _on_signal(self, _: int, frame: FrameType | None) -> None:
        if not self._expired:
            self._interrupted = True  # the learner pressed Stop: never let the code swallow it
        if self._running:
            self._trace(frame)
            raise _Stopped

    def _trace(self, frame: FrameType | None) -> None:
        every_line = partial(_RAISE_IN, self._native_id, _STOPPED_CLASS)
        while frame is not None and frame.f_code.co_filename != __file__:
            frame.f_trace = every_line
            frame = frame.f_back
        sys.settrace(partial(_FIRST_OF, every_line))


# Python calls a trace function with (frame, event, argument), and C leaves alone the arguments it does not know. A
# trace function in Python would not do: it would be hit by the very interruption that it asks for.
_OBJECT = ctypes.py_object
_RAISE_IN = ctypes.PYFUNCTYPE(None, ctypes.c_ulong, *[_OBJECT] * 4)(("PyThreadState_SetAsyncExc", ctypes.pythonapi))
_FIRST_OF = ctypes.PYFUNCTYPE(_OBJECT, *[_OBJECT] * 4)(("Py_NewRef", ctypes.pythonapi))
_STOPPED_CLASS = ctypes.py_object(_Stopped)
_STOPPED = Run(stopped=True)
_UNHEARD: Callable[[object], object] = id  # native, so that it cannot be interrupted, and without effect


def _look_for_interruptions() -> None:
    for _ in range(2):
        pass


class _Printed(io.StringIO):
    """Text that keeps only its beginning, so that an endless print fills no memory, and that nobody can close."""

    def write(self, text: str) -> int:
        room = _PRINTED_MOST - self.tell()
        if room > 0:
            super().write(text[:room])
        return len(text)

    def close(self) -> None:
        """Stay open: whoever closes ``sys.stdout`` has closed only their own use of it."""


@contextlib.contextmanager
def captured(*, heard: bool = True) -> Iterator[_Printed]:
    """Catch what is printed; `heard` keeps standard error and warnings too, else they are dropped."""
    printed = _Printed()
    errors = printed if heard else _Printed()
    with warnings.catch_warnings(), contextlib.redirect_stdout(printed), contextlib.redirect_stderr(errors):
        warnings.simplefilter("default" if heard else "ignore")
        warnings.showwarning = _one_line_warning
        yield printed


def _one_line_warning(message: Warning | str, category: type[Warning], *_: object, **__: object) -> None:
    print(f"{category.__name__}: {message}", file=sys.stderr)


def _default_device() -> torch.device:
    return torch.empty(0).device  # torch 2.6's get_default_device() raises after set_default_device(None)


def _set_default_device(device: torch.device) -> None:
    torch.set_default_device(None)  # torch alone is faster without a default than with the same device set
    if _default_device() != device:
        torch.set_default_device(device)


_CASTING = ("cpu", "cuda")  # the devices for which autocast may have been left on


def _autocast() -> tuple[object, ...]:
    """The state of autocast, and how many regions are open; only a count of 0 empties its cache of cast weights."""
    switches = [(torch.is_autocast_enabled(device), torch.get_autocast_dtype(device)) for device in _CASTING]
    torch.autocast_increment_nesting()
    return (*switches, torch.is_autocast_cache_enabled(), torch.autocast_decrement_nesting())


def _set_autocast(state: tuple[Any, ...]) -> None:
    *switches, caching, regions = state
    for device, (on, dtype) in zip(_CASTING, switches, strict=True):
        torch.set_autocast_enabled(device, on)
        torch.set_autocast_dtype(device, dtype)
    torch.set_autocast_cache_enabled(caching)
    left = torch.autocast_increment_nesting() - 1 - regions
    for _ in range(1 + left):
        torch.autocast_decrement_nesting()
    torch.clear_autocast_cache()


# How each setting is read, and how it is written.
_SETTINGS: tuple[tuple[Callable[[], Any], Callable[[Any], object]], ...] = (
    (_default_device, _set_default_device),
    (torch.get_default_dtype, torch.set_default_dtype),
    (torch.get_num_threads, torch.set_num_threads),
    (torch.is_grad_enabled, torch.set_grad_enabled),
    (torch.is_anomaly_enabled, torch.autograd.set_detect_anomaly),
    (torch.get_deterministic_debug_mode, torch.set_deterministic_debug_mode),
    (torch.is_warn_always_enabled, torch.set_warn_always),
    (_autocast, _set_autocast),
    (random.getstate, random.setstate),
    (np.random.get_state, np.random.set_state),
)


@contextlib.contextmanager
def settings_restored() -> Iterator[None]:
    """Put settings back afterwards, whatever the code within did to them.

    These are torch's default device and dtype, its number of threads, whether it records gradients, looks for
    anomalies, is deterministic, always warns and is in a region of autocast; how NumPy treats errors of floats and
    prints arrays; and the random states of Python, NumPy and torch (of a GPU too, if one is in use). Other settings
    stay as the code left them.
    """
    gpus = range(torch.cuda.device_count() if torch.cuda.is_initialized() else 0)  # type: ignore[no-untyped-call]
    before = [read() for read, _ in _SETTINGS]
    with torch.random.fork_rng(devices=gpus), np.errstate(), np.printoptions():
        try:
            yield
        finally:
            for (read, write), value in zip(_SETTINGS, before, strict=True):
                if read is np.random.get_state or read() != value:  # NumPy's holds an array, which has no one answer
                    write(value)


def set_as_at_the_start() -> None:
    """Set what decides what code shows as a new process has it.

    These are torch's default device and dtype, recording gradients, looking for anomalies, determinism, warning always
    and autocast; and how NumPy treats errors of floats. `settings_restored` puts all of them back.
    """
    if _default_device().type != "cpu":
        torch.set_default_device(None)
    torch.set_default_dtype(torch.float32)
    torch.set_grad_enabled(True)
    torch.autograd.set_detect_anomaly(False)
    torch.set_deterministic_debug_mode("default")
    torch.set_warn_always(False)
    for device in _CASTING:
        torch.set_autocast_enabled(device, False)
    np.seterr(divide="warn", over="warn", under="ignore", invalid="warn")
