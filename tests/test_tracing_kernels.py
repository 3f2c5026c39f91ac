"""What `xray(kernels=True)` finds inside operators."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest
import torch

from tests.tracing_help import told
from tutor import xray
from tutor.tracing import XRay

X = torch.arange(6.0).reshape(2, 3)


def test_the_profiler_is_off_after_an_error() -> None:
    with pytest.raises(RuntimeError, match="shape"), xray(kernels=True) as seen:
        X.clone().view(5)
    assert told(seen) == [("copy", "clone", 24)]
    assert not torch._C._autograd._profiler_enabled()


@pytest.mark.parametrize(
    ("code", "op", "kind"),
    [
        (lambda: torch.nn.functional.layer_norm(X.T, (2,)), "native_layer_norm", "copy"),
        (lambda: torch.bmm(BATCH[:, ::2, ::2], BATCH[:, ::2, ::2]), "bmm", "copy"),
        (lambda: torch.nn.functional.conv2d(IMAGES.permute(0, 3, 1, 2), FILTERS), "convolution", "copy"),
        (lambda: torch.arange(3) + X[0], "add", "cast"),
    ],
)
def test_copies_inside_kernels(code: Callable[[], object], op: str, kind: str) -> None:
    with xray() as seen:
        code()
    assert not any(event.inside_kernel for event in seen.events)
    with xray(kernels=True) as seen:
        code()
    inside = [event for event in seen.events if event.inside_kernel]
    assert {(event.op, event.kind) for event in inside} == {(op, kind)}
    assert all(event.bytes > 0 for event in inside)
    assert seen.events[-1 - len(inside)].op == op
    assert "inside the kernel" in repr(seen)


BATCH = torch.rand(8, 128, 128)


IMAGES = torch.rand(2, 5, 6, 3)


FILTERS = torch.rand(4, 3, 2, 2)


def test_a_kernel_that_copies_nothing_is_said_to_copy_nothing() -> None:
    with xray(kernels=True) as seen:
        torch.nn.functional.layer_norm(X, (3,))
        X.clone()
    assert not any(event.inside_kernel for event in seen.events)


def test_another_profiler_goes_on() -> None:
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]) as theirs:
        with xray(kernels=True) as seen:
            X.clone()
        X.double()
    assert "another profiler" in seen.notes[0]
    assert {"aten::clone", "aten::_to_copy"} <= {event.name for event in theirs.events()}


def test_one_profiler_of_ours_in_all_threads() -> None:
    found: list[XRay] = []

    def other() -> None:
        with xray(kernels=True) as seen:
            X.clone()
        found.append(seen)

    with xray(kernels=True) as ours:
        thread = threading.Thread(target=other)
        thread.start()
        thread.join()
        X.clone()
    assert "another profiler" in found[0].notes[0]
    assert told(found[0]) == told(ours)
    assert ours.notes == ()
    with xray(kernels=True) as again:
        X.clone()
    assert again.notes == ()
