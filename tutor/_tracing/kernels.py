"""Copies that an operator makes inside, found with torch's profiler: no level of Python sees them."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from math import prod
from typing import Any

import torch
from torch.profiler import ProfilerActivity, profile

from tutor._tracing.model import Kind
from tutor._tracing.operators import Plan
from tutor._tracing.recorder import Raw, Recorder

_NAME = "tutor.xray"
_running = threading.Lock()  # held while a profiler of ours runs: two in one process crash it, in any threads


class Kernels:
    """Marks the operators that run, and afterwards tells what was copied inside them."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._profile: profile | None = None
        self._last: list[Raw | None] = []  # for each mark the last event of the operator

    def __enter__(self) -> Kernels:
        if torch._C._autograd._profiler_enabled() or not _running.acquire(blocking=False):
            self._recorder.remark("another profiler is running: copies inside kernels are not seen")
            return self
        try:
            self._profile = profile(activities=[ProfilerActivity.CPU], record_shapes=True)
            with _unheard():
                self._profile.__enter__()  # type: ignore[no-untyped-call]
        except BaseException:
            _running.release()
            raise
        self._recorder.kernels = self
        return self

    def __exit__(self, *error: Any) -> None:
        if self._profile is None:
            return
        self._recorder.kernels = None
        try:
            with _unheard():
                self._profile.__exit__(*error)  # type: ignore[no-untyped-call]
        finally:
            _running.release()
        try:
            self._tell(self._profile)
        except Exception as unread:  # the tree is not documented; what else was seen stays true without it
            self._recorder.remark(f"what the profiler saw inside kernels could not be read: {unread!r}")

    def mark(self) -> AbstractContextManager[Any]:
        """Mark in the profile what runs within."""
        name = f"{_NAME} {len(self._last)}"
        self._last.append(None)
        return torch._C._profiler._RecordFunctionFast(name)

    def ran(self, plan: Plan, start: int) -> None:
        """An operator has run; `start` events were seen before it. To copy is all that some are there for."""
        raws = self._recorder.raws
        if len(raws) > start and not plan.moves and plan.name != "copy_":
            self._last[-1] = raws[-1]

    def _tell(self, profiled: profile) -> None:
        tree = profiled.profiler.kineto_results.experimental_event_tree()  # type: ignore[union-attr]
        inside: dict[int, list[Raw]] = {}
        for number, node in _marked(tree):
            last = self._last[number] if number < len(self._last) else None
            if last is not None:
                inside.setdefault(id(last), []).extend(_copies(node, last))
        raws = self._recorder.raws
        raws[:] = [one for raw in raws for one in (raw, *inside.get(id(raw), ()))]


@contextmanager
def _unheard() -> Iterator[None]:
    """Let nobody hear what the profiler's library writes past Python to the terminal when it starts and stops."""
    try:
        ours, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    except OSError:  # there is no terminal
        yield
        return
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(ours, 2)
        os.close(ours)
        os.close(nowhere)


def _marked(nodes: Any) -> Iterator[tuple[int, Any]]:
    for node in nodes:
        if node.name.startswith(_NAME):
            yield int(node.name.rpartition(" ")[2]), node
        yield from _marked(node.children)


def _copies(node: Any, last: Raw) -> Iterator[Raw]:
    for target, source in _copied(node):
        yield Raw(
            _kind(source, target),
            last.op,
            prod(target.sizes) * target.dtype.itemsize,
            last.place,
            before=("Tensor", source.dtype, source.device, tuple(source.sizes)),
            after=("Tensor", target.dtype, target.device, tuple(target.sizes)),
            inside_kernel=True,
        )


def _copied(node: Any) -> Iterator[tuple[Any, Any]]:
    """What was copied below a node: what was written and what was read. A single number does not count."""
    for child in node.children:
        if child.name == "aten::copy_":
            target, source = child.extra_fields.inputs[:2]
            if hasattr(target, "sizes") and hasattr(source, "sizes") and source.sizes:
                yield target, source
        elif not child.name.startswith(_NAME):
            yield from _copied(child)


def _kind(source: Any, target: Any) -> Kind:
    if source.device != target.device:
        return "transfer"
    return "copy" if source.dtype == target.dtype else "cast"
