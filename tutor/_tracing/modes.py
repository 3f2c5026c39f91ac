"""The two levels at which torch lets code be watched: functions as they are called, and operators as they run."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

import torch
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode, _get_current_dispatch_mode, _pop_mode, _push_mode

from tutor._tracing.conversions import AFTER, FROM_DATA
from tutor._tracing.operators import WHOLE, plan_of
from tutor._tracing.recorder import Call, Recorder


class Operators(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """Sees every operator below autograd and autocast, with the tensors it is given and those it gives."""

    supports_higher_order_operators = True

    def __init__(self, recorder: Recorder) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.recorder = recorder

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        kwargs = kwargs or {}
        recorder = self.recorder
        if recorder.silent:
            return func(*args, **kwargs)
        recorder.silent += 1
        try:
            plan = plan_of(func)
            with torch._C.DisableTorchFunction():
                inputs = recorder.inputs(args, kwargs)
            start = len(recorder.raws)
            with recorder.kernels.mark() if recorder.kernels else nullcontext():
                result = func(*args, **kwargs)
            try:
                with torch._C.DisableTorchFunction():
                    recorder.operator(plan, args, kwargs, inputs, result)
                    if recorder.kernels:
                        recorder.kernels.ran(plan, start)
            except Exception as error:  # to watch must not break what is watched
                recorder.remark(f"{plan.name} could not be looked at: {type(error).__name__}")
            return result
        finally:
            recorder.silent -= 1


class Functions(TorchFunctionMode):
    """Sees every function of torch that is called with tensors, and what makes tensors."""

    def __init__(self, recorder: Recorder) -> None:
        super().__init__()
        self.recorder = recorder

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        kwargs = kwargs or {}
        recorder = self.recorder
        if recorder.silent or recorder.function:
            return func(*args, **kwargs)
        name = getattr(func, "__name__", "")
        if name == "__get__":
            name = getattr(func.__self__, "__name__", name)
        before = len(recorder.raws)
        recorder.function = name or "?"
        recorder.from_data = name in FROM_DATA
        recorder.lifted = False
        if name == "backward":
            recorder.called_backward()
        try:
            with unseen() if name in WHOLE else nullcontext():
                result = func(*args, **kwargs)
        finally:
            recorder.function = ""
            recorder.from_data = False
        if result is None:
            return result
        after = AFTER.get(name)
        try:
            with torch._C.DisableTorchFunction(), torch._C._DisableTorchDispatch():
                if after is not None:
                    after(recorder, Call(name, before, args, kwargs, result))
                else:
                    recorder.returned(Call(name, before, args, kwargs, result))
        except Exception as error:
            recorder.remark(f"{name} could not be looked at: {type(error).__name__}")
        return result


@contextmanager
def unseen() -> Iterator[None]:
    """Take off the modes of ours that lie on top, so that torch does not know that it is watched."""
    taken: list[Operators] = []
    try:
        while isinstance(_get_current_dispatch_mode(), Operators):
            taken.append(_pop_mode())
        yield
    finally:
        for mode in reversed(taken):
            _push_mode(mode)
