"""The two levels at which torch lets code be watched: functions as they are called, and operators as they run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

import torch
from torch import overrides
from torch.overrides import TorchFunctionMode, _get_current_function_mode
from torch.utils._python_dispatch import TorchDispatchMode, _get_current_dispatch_mode, _pop_mode, _push_mode

from tutor._tracing.conversions import AFTER, FROM_DATA
from tutor._tracing.memory import tensors
from tutor._tracing.operators import OTHER_GRADIENT, WHOLE, plan_of
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
                sizes = recorder.sizes(plan, inputs)
            start = len(recorder.raws)
            with recorder.kernels.mark() if recorder.kernels else nullcontext():
                result = func(*args, **kwargs)
            try:
                with torch._C.DisableTorchFunction():
                    recorder.operator(plan, Call(plan.name, start, args, kwargs, result), inputs, sizes)
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
        # an operator that comes by this way is passed on by another xray within this one
        if recorder.silent or recorder.function or isinstance(func, torch._ops.OpOverload):
            return func(*args, **kwargs)
        name = _name(func)
        if name == "backward":
            recorder.called_backward()
        start = len(recorder.raws)
        recorder.function = name
        recorder.from_data = name in FROM_DATA
        recorder.lifted = False
        try:
            with unseen() if name in WHOLE else nullcontext():
                result = func(*args, **kwargs)
        finally:
            recorder.function = ""
            recorder.from_data = False
        after = AFTER.get(name)
        if result is None and after is None:
            return result
        try:
            with torch._C.DisableTorchFunction(), torch._C._DisableTorchDispatch():
                call = Call(name, start, args, kwargs, result)
                if name in OTHER_GRADIENT and any(x.requires_grad for x in tensors(result)):
                    recorder.remark(f"the gradient of {name} is computed in another way while operators are watched")
                if after is not None:
                    after(recorder, call)
                else:
                    recorder.returned(call)
        except Exception as error:
            recorder.remark(f"{name} could not be looked at: {type(error).__name__}")
        return result


def _name(func: Any) -> str:
    name: str = getattr(func, "__name__", "") or "?"
    if name == "__get__":
        return getattr(func.__self__, "__name__", name)
    return f"{getattr(func.__self__, '__name__', '')} =" if name == "__set__" else name


@contextmanager
def unheard_of() -> Iterator[None]:
    """Take off the modes of ours that lie on top of those for functions."""
    taken: list[Functions] = []
    try:
        while isinstance(_get_current_function_mode(), Functions):  # type: ignore[no-untyped-call]
            taken.append(overrides._pop_mode())  # type: ignore[no-untyped-call]
        yield
    finally:
        for mode in reversed(taken):
            overrides._push_mode(mode)  # type: ignore[no-untyped-call]


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


@contextmanager
def modes(recorder: Recorder) -> Iterator[None]:
    """Have both modes on; off again come these two, even if the block has left one of its own on above them."""
    operators, functions = Operators(recorder), Functions(recorder)
    with operators, functions:
        try:
            yield
        finally:
            _to_the_top(functions, _get_current_function_mode, overrides._pop_mode, overrides._push_mode)
            _to_the_top(operators, _get_current_dispatch_mode, _pop_mode, _push_mode)


def _to_the_top(mode: Any, top: Callable[[], Any], pop: Callable[[], Any], push: Callable[[Any], None]) -> None:
    above = []
    while (current := top()) is not None and current is not mode:
        above.append(pop())
    found = current is not None and pop() is mode
    for other in reversed(above):
        push(other)
    if found or current is None:
        push(mode)
