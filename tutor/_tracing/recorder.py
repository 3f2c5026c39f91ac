"""What was seen, in the order of time: kept unformatted while the code runs, put into words when it is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any, Protocol

import torch

from tutor._tracing.findings import findings
from tutor._tracing.frames import place, source_line
from tutor._tracing.memory import Seen, Storages, aliases, reach, seen, side, storage_bytes, tensors
from tutor._tracing.model import Event, Kind, Record
from tutor._tracing.operators import WHOLE, Plan, waits

Inputs = list[tuple[torch.Tensor, tuple[int, ...]]]


@dataclass(slots=True)
class Raw:
    """An event, unformatted; without tensors."""

    kind: Kind
    op: str
    bytes: int
    place: tuple[int, str]
    before: Seen | None = None
    after: Seen | None = None
    count: int = 1
    storages: tuple[int, ...] = ()
    made_from: Any = None  # the same for the same values at the same place
    origin: tuple[int, ...] = ()  # numbers of the storages it was made from
    hypothetical: bool = False
    itself: bool = False
    inside_kernel: bool = False


class Marker(Protocol):
    """Marks operators in a profile."""

    def mark(self) -> AbstractContextManager[Any]:
        """Mark what runs within."""

    def ran(self, plan: Plan, start: int) -> None:
        """An operator has run; `start` events were seen before it."""


@dataclass(slots=True)
class Call:
    """A call of a function that has returned; `start` counts what had been seen before it."""

    name: str
    start: int
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    result: Any


@dataclass
class Recorder:
    """Watches one block of code."""

    home: str
    raws: list[Raw] = field(default_factory=list)
    storages: Storages = field(default_factory=Storages)
    remarks: dict[str, None] = field(default_factory=dict)
    silent: int = 0  # above 0 while looking, or while something is seen as a whole
    function: str = ""  # the function of torch that is running
    from_data: bool = False  # it makes a tensor from Python's or NumPy's data
    lifted: bool = False  # and has made it
    backward: tuple[int, str] = (0, "")  # the line that called backward, for threads of autograd's own
    kernels: Marker | None = None
    _sources: dict[int, str] = field(default_factory=dict)
    _record: Record | None = None

    def inputs(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Inputs:
        """The tensors among the arguments, and their storages."""
        return [(x, self.storages.of(x)) for x in (*tensors(args), *(tensors(kwargs) if kwargs else ()))]

    def sizes(self, plan: Plan, inputs: Inputs) -> dict[int, int]:
        """How many bytes the storages have before an operator runs that may change that."""
        return {numbers[0]: storage_bytes(x) for x, numbers in inputs if numbers} if plan.may_grow else {}

    def add(self, kind: Kind, op: str, size: int, **more: Any) -> None:
        """Something happened on the line that is running."""
        self.raws.append(Raw(kind, op, size, place(self.home) or self.backward, **more))

    def operator(self, plan: Plan, call: Call, inputs: Inputs, sizes: dict[int, int]) -> None:
        """An operator has run."""
        args, kwargs, result = call.args, call.kwargs, call.result
        if plan.wait and waits(plan, args, kwargs):
            self._wait(plan, inputs, result)
        written = list(tensors(list(plan.written(args, kwargs)))) if plan.writes or plan.undeclared else []
        if plan.name == "lift_fresh":
            self._lifted(result)
        elif plan.changes_view:
            self._view_changed(plan, written, inputs, sizes)
        elif written:
            self._written(plan, written, inputs, sizes)
        outputs = [x for x in tensors(result) if not any(x is w for w in written)] if written else list(tensors(result))
        if outputs and plan.name != "lift_fresh":
            self._made(plan, inputs, outputs)
        if plan.name in ("_to_copy", "to", "copy_") and not kwargs.get("non_blocking") and args[2:3] != (True,):
            self._arrival(inputs, result)

    def _wait(self, plan: Plan, inputs: Inputs, result: Any) -> None:
        if not inputs:
            return
        x = inputs[0][0]
        outputs = list(tensors(result))
        single = plan.name in ("_local_scalar_dense", "item", "is_nonzero")
        size = reach(x) if single else 8 if outputs else 1  # a value; how many there are, a whole number; yes or no
        name = self.function.strip("_") if self.function and not outputs else plan.name
        self.wait(name, x, size)

    def wait(self, op: str, x: torch.Tensor, size: int) -> None:
        """The program needs values that a device has computed."""
        hypothetical = x.device.type == "cpu"
        self.add("wait", op, size, before=seen(x), hypothetical=hypothetical)

    def _arrival(self, inputs: Inputs, result: Any) -> None:
        # what is copied to the host can be used when the call returns
        if len(inputs) and isinstance(result, torch.Tensor) and result.device.type == "cpu":
            sources = [x for x, _ in inputs if x.device.type not in ("cpu", "meta")]
            if sources:
                self.wait("cpu", sources[0], reach(result))

    def _lifted(self, x: torch.Tensor) -> None:
        self.lifted = True
        if not self.from_data and not self.function:
            # an old constructor, or one that is claimed in a moment by whoever called it
            shares = aliases(None, x)
            size = reach(x) if shares else storage_bytes(x)
            self.add("view" if shares else "copy", "lift_fresh", size, after=seen(x), storages=self.storages.of(x))

    def _view_changed(self, plan: Plan, written: Sequence[torch.Tensor], inputs: Inputs, sizes: dict[int, int]) -> None:
        for x in written:
            numbers = self.storages.of(x)
            grown = storage_bytes(x) - sizes.get(numbers[0], 0) if numbers and plan.name != "set_" else 0
            before = next((seen(y) for y, of in inputs if y is not x and of == numbers), None)
            self.add(
                "allocation" if grown > 0 else "view",
                plan.name,
                storage_bytes(x) if grown > 0 else reach(x),
                before=None if grown > 0 else before or seen(x),
                after=seen(x),
                storages=numbers,
                itself=grown <= 0 and before is None,
            )

    def _written(self, plan: Plan, written: Sequence[torch.Tensor], inputs: Inputs, sizes: dict[int, int]) -> None:
        numbers = tuple(n for x in written for n in self.storages.of(x))
        self.storages.wrote(numbers)
        kind: Kind = "in-place"
        before: Seen | None = None
        origin: tuple[int, ...] = ()
        target = written[0]
        if plan.name == "copy_" and len(inputs) > 1:
            source, origin = inputs[1]
            before = seen(source)
            kind = _moved(source, target) if _moved(source, target) != "copy" else "in-place"
        elif any(n in sizes and storage_bytes(x) > sizes[n] for x in written for n in self.storages.of(x)):
            kind = "allocation"  # what was given as out was too small
        size = sum(reach(x) for x in written)
        count = len(written)
        self.add(kind, plan.name, size, before=before, after=seen(target), count=count, storages=numbers, origin=origin)

    def _made(self, plan: Plan, inputs: Inputs, outputs: Sequence[torch.Tensor]) -> None:
        known = {number: x for x, numbers in inputs for number in numbers}
        views: list[torch.Tensor] = []
        news: list[torch.Tensor] = []
        numbers_of: dict[int, tuple[int, ...]] = {}
        for x in outputs:
            numbers = numbers_of[id(x)] = self.storages.of(x)
            shares = known.keys() >= set(numbers) if numbers else any(x is y for y, _ in inputs)
            (views if shares else news).append(x)
        if views:
            numbers = tuple(n for x in views for n in numbers_of[id(x)])
            shared = [known[number] for number in numbers] or [inputs[0][0]]
            # of a sparse tensor's parts that which holds its values
            source = next((x for x in shared if x.dtype == views[0].dtype), shared[0])
            self._add_views(plan.name, source, views, numbers)
        if news:
            self._add_news(plan, inputs, news, [numbers_of[id(x)] for x in news])

    def _add_views(self, op: str, source: Any, views: Sequence[torch.Tensor], numbers: tuple[int, ...]) -> None:
        self.add(
            "view",
            op,
            sum(reach(x) for x in views),
            before=seen(source),
            after=seen(views[0]),
            count=len(views),
            storages=numbers,
            itself=any(views[0] is x for x in (source,)),
        )

    def _add_news(
        self, plan: Plan, inputs: Inputs, news: Sequence[torch.Tensor], numbers: Sequence[tuple[int, ...]]
    ) -> None:
        whole = {of or id(x): x for x, of in zip(news, numbers, strict=True)}  # each storage once
        source = inputs[0][0] if plan.moves and inputs else None
        self.add(
            "allocation" if source is None else _moved(source, news[0]),
            plan.name,
            sum(storage_bytes(x) for x in whole.values()),
            before=None if source is None else seen(source),
            after=seen(news[0]),
            count=len(news),
            storages=tuple(n for of in numbers for n in of),
            made_from=self.made_from(inputs[0]) if plan.whole and inputs else None,
            origin=inputs[0][1] if source is not None else (),
        )

    def made_from(self, given: tuple[torch.Tensor, tuple[int, ...]]) -> Any:
        """What stands for the values of a tensor at one moment; None where that cannot be told."""
        x, numbers = given
        if not numbers or x.layout != torch.strided or x.is_nested:
            return None
        version = -1 if x.is_inference() else x._version
        writes = tuple(self.storages.writes.get(number, 0) for number in numbers)
        return numbers, version, writes, x.storage_offset(), x.shape, x.stride(), x.dtype

    def returned(self, call: Call) -> None:
        """A function has run. What it gave and no operator made was given to it, or made out of sight."""
        if call.name.endswith("_") and not call.name.endswith("__"):
            return
        made = {number for raw in self.raws[call.start :] for number in raw.storages}
        given: Inputs | None = None
        for x in tensors(call.result):
            numbers = self.storages.of(x)
            if not made.isdisjoint(numbers):
                continue
            given = self.inputs(call.args, call.kwargs) if given is None else given
            known = {number: y for y, of in given for number in of}
            itself = next((y for y, _ in given if y is x), None)
            source = itself if itself is not None else known.get(numbers[0]) if numbers else None
            if source is not None:
                self._add_views(call.name, source, [x], numbers)
            elif call.name in WHOLE:
                self.add("allocation", call.name, storage_bytes(x), after=seen(x), storages=numbers)

    def called_backward(self) -> None:
        """Remember the line: autograd may go on in threads of its own, where none of it is running."""
        self.backward = place(self.home) or self.backward

    def remark(self, sentence: str) -> None:
        """Something could not be seen."""
        self.remarks[sentence] = None

    def close(self) -> None:
        """Nothing more will come: let go of everything but what was found."""
        self.storages.forget()
        self._sources = {line: source_line(self.home, line) for line in {raw.place[0] for raw in self.raws}}
        self._sources.setdefault(0, "")

    def record(self) -> Record:
        """All that was seen so far."""
        known = self._record
        if known and (len(known.events), len(known.notes)) == (len(self.raws), len(self.remarks)):
            return known
        self._record = Record(
            tuple(self._event(raw) for raw in self.raws), tuple(findings(self.raws)), tuple(self.remarks)
        )
        return self._record

    def _event(self, raw: Raw) -> Event:
        line, called = raw.place
        if line not in self._sources:
            self._sources[line] = source_line(self.home, line)
        return Event(
            raw.kind,
            raw.op,
            raw.bytes,
            line,
            self._sources[line],
            side(raw.before),
            side(raw.after),
            raw.count,
            called,
            raw.inside_kernel,
            raw.hypothetical,
            raw.itself,
            raw.storages,
        )


def _moved(source: torch.Tensor, target: torch.Tensor) -> Kind:
    if source.device != target.device:
        return "transfer"
    return "copy" if source.dtype == target.dtype else "cast"
