"""Functions that make tensors from other data, give their bytes to others, or need their values on the host."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np
import torch

from tutor._tracing.memory import aliases, reach, seen, source_seen, storage_bytes, tensors
from tutor._tracing.model import Kind
from tutor._tracing.recorder import Call, Recorder

After = Callable[[Recorder, Call], None]

# Functions that make a tensor from data; the position and the names of the data.
FROM_DATA = {
    "tensor": (0, "data"),
    "as_tensor": (0, "data"),
    "asarray": (0, "obj"),
    "new_tensor": (1, "data"),
    "new": (1, "data"),
}


def made_from_data(recorder: Recorder, op: str, source: object, x: torch.Tensor) -> None:
    """A tensor was made from data of Python's or NumPy's."""
    before, after = source_seen(source), seen(x)
    shares = aliases(source, x)
    size = reach(x) if shares else storage_bytes(x)
    numbers = recorder.storages.of(x)
    recorder.add(_kind(before, after, shares), op, size, before=before, after=after, storages=numbers)


def _kind(before: Any, after: Any, shares: bool) -> Kind:
    if shares:
        return "view"
    if str(after[2]) != (str(before[2]) or "cpu"):
        return "transfer"
    dtypes = {str(dtype).removeprefix("torch.") for dtype in (before[1], after[1])}
    return "cast" if before[1] and len(dtypes) > 1 else "copy"


def _from_data(recorder: Recorder, call: Call) -> None:
    position, keyword = FROM_DATA[call.name]
    source = call.args[position] if position < len(call.args) else call.kwargs.get(keyword)
    unseen = len(recorder.raws) == call.start and not isinstance(source, torch.Tensor)
    if recorder.lifted or unseen:
        # what is left of the steps in between: values of tensors in lists had to be waited for
        recorder.raws[call.start :] = [raw for raw in recorder.raws[call.start :] if raw.kind == "wait"]
        if isinstance(source, list | tuple) and len(recorder.raws) == call.start:
            for x in tensors(source):
                recorder.wait(f"{call.name} of a tensor in a list", x, reach(x))
        made_from_data(recorder, call.name, source, call.result)
    else:
        recorder.returned(call)


def _to_numpy(recorder: Recorder, call: Call) -> None:
    x = call.args[0]
    recorder.raws[call.start :] = [raw for raw in recorder.raws[call.start :] if raw.kind != "view"]
    if not isinstance(call.result, np.ndarray):
        return
    after = source_seen(call.result)
    if aliases(call.result, x) or x.numel() == 0:
        recorder.add("view", "numpy", reach(x), before=seen(x), after=after, storages=recorder.storages.of(x))
    elif not any(raw.kind == "transfer" for raw in recorder.raws[call.start :]):
        kind: Kind = "cast" if after[1] != str(x.dtype).removeprefix("torch.") else "copy"
        recorder.raws[call.start :] = []
        recorder.add(kind, "numpy", call.result.nbytes, before=seen(x), after=after)


def _to_dlpack(recorder: Recorder, call: Call) -> None:
    x = call.args[0]
    if all(raw.kind == "view" for raw in recorder.raws[call.start :]):
        recorder.raws[call.start :] = []
        after = ("DLPack capsule", "", "", None)
        recorder.add("view", "dlpack", reach(x), before=seen(x), after=after, storages=recorder.storages.of(x))


def _to_list(recorder: Recorder, call: Call) -> None:
    x = call.args[0]
    recorder.raws[call.start :] = [raw for raw in recorder.raws[call.start :] if raw.kind == "transfer"]
    recorder.wait(call.name, x, x.numel() * x.element_size())


def _shown(recorder: Recorder, call: Call) -> None:
    recorder.raws[call.start :] = []
    recorder.wait("print", call.args[0], _printed(call.args[0]))


def _printed(x: torch.Tensor) -> int:
    options = torch._tensor_str.PRINT_OPTS
    try:
        shape = tuple(x.shape)
    except RuntimeError:
        return reach(x)
    if prod(shape) > options.threshold:
        shape = tuple(min(n, 2 * options.edgeitems) for n in shape)
    return prod(shape) * x.element_size()


def _to_host(recorder: Recorder, call: Call) -> None:
    recorder.returned(call)
    x = call.args[0]
    asked = call.name == "cpu" or any(_is_cpu(value) for value in (*call.args[1:], *call.kwargs.values()))
    if asked and x.device.type == "cpu" and not call.kwargs.get("non_blocking"):
        recorder.wait(call.name, x, reach(x))


def _data_set(recorder: Recorder, call: Call) -> None:
    x, given = call.args[:2]
    recorder.add("view", "data =", reach(x), before=seen(given), after=seen(x), storages=recorder.storages.of(x))


def _written_by_python(recorder: Recorder, call: Call) -> None:
    x = call.args[0]
    numbers = recorder.storages.of(x)
    recorder.storages.wrote(numbers)
    recorder.add("in-place", call.name, reach(x), after=seen(x), storages=numbers)


def _is_cpu(value: object) -> bool:
    return isinstance(value, str | torch.device) and str(value) in ("cpu", "cpu:0")


AFTER: dict[str, After] = {
    **dict.fromkeys(FROM_DATA, _from_data),
    "numpy": _to_numpy,
    "__array__": _to_numpy,
    "__dlpack__": _to_dlpack,
    "tolist": _to_list,
    "__repr__": _shown,
    "__format__": _shown,
    "cpu": _to_host,
    "to": _to_host,
    "data =": _data_set,
    **dict.fromkeys(("apply_", "map_", "map2_"), _written_by_python),
}
