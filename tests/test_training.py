"""Loss curves: loops run to their end, what they gave is told, and a loop that goes wrong leaves nothing behind."""

from __future__ import annotations

import math
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from typing import Any, cast

import numpy as np
import pytest
import torch
from torch import nn

from tutor import loss_curves
from tutor.course.model import Case
from tutor.course.shelf import exercise_data
from tutor.training import LossCurves, TrainingRun
from tutor.widgets import training as widget


def halving(steps: int = 20, start: float = 8.0) -> Iterator[float]:
    for i in range(steps):
        yield start / 2**i


def lost(steps: int = 20) -> Iterator[float]:
    for i in range(steps):
        yield 1.0 if i < 5 else math.nan


def network(low: torch.dtype | None) -> Iterator[torch.Tensor]:
    """A real loop; one tensor of 32 by 16 and one of 32 by 8 are kept for the backward pass."""
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(16, 8), nn.Tanh(), nn.Linear(8, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    x, y = torch.randn(32, 16), torch.zeros(32, 1)
    for _ in range(10):
        with torch.autocast("cpu", low, enabled=low is not None):
            loss = nn.functional.l1_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
        yield loss


def test_losses_are_those_that_the_loops_gave() -> None:
    curves = loss_curves(falling=halving(), flat=iter([1, 1, 1]))
    assert curves["falling"].losses == tuple(halving())
    assert curves["flat"].losses == (1.0, 1.0, 1.0)
    assert [run.name for run in curves.runs] == ["falling", "flat"]
    assert curves.learned() == ("falling",)
    assert curves.steps == 20
    with pytest.raises(KeyError):
        curves["other"]


def test_last_is_the_mean_of_the_last_tenth() -> None:
    assert TrainingRun("a", (9.0,) * 18 + (1.0, 3.0)).last == 2.0
    assert TrainingRun("a", (9.0, 4.0)).last == 4.0
    assert math.isnan(TrainingRun("a", ()).last)


def test_a_loss_that_is_not_finite_is_told_and_counts_as_not_learned() -> None:
    curves = loss_curves(fine=halving(), gone=lost())
    assert curves["gone"].lost_at == 5
    assert curves["fine"].lost_at is None
    assert curves.learned() == ("fine",)
    assert "gone: the loss is not finite at step 6." in repr(curves)
    assert "gone: the loss is not finite at step 6." in curves._repr_html_()
    assert re.search(r"^gone +1+x+ ", repr(curves), re.MULTILINE)


def test_loops_run_one_after_another_so_that_a_region_of_one_does_not_reach_the_next() -> None:
    seen = []

    def pausing_inside() -> Iterator[float]:
        for _ in range(3):
            with torch.autocast("cpu", torch.bfloat16):
                yield 1.0

    def looking() -> Iterator[float]:
        for _ in range(3):
            seen.append(torch.is_autocast_enabled("cpu"))
            yield 1.0

    loss_curves(a=pausing_inside(), b=looking(), steps=2)
    assert seen == [False, False]
    assert not torch.is_autocast_enabled("cpu")


def test_steps_ends_an_endless_loop_and_lets_it_clean_up() -> None:
    closed = []

    def endless() -> Iterator[float]:
        try:
            while True:
                yield 1.0
        finally:
            closed.append(True)

    assert len(loss_curves(a=endless(), steps=7)["a"].losses) == 7
    assert closed == [True]


def test_an_error_of_a_loop_is_the_learners_own_and_leaves_no_region_on() -> None:
    def failing() -> Iterator[float]:
        with torch.autocast("cpu", torch.bfloat16):
            yield 1.0
            raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        loss_curves(a=failing())
    assert not torch.is_autocast_enabled("cpu")


def test_bytes_kept_for_backward_are_counted_without_the_weights() -> None:
    curves = loss_curves(full=network(None), low=network(torch.bfloat16))
    inputs, hidden = 32 * 16, 32 * 8
    # The result of the layers, the target and the difference's sign are kept too: 32 numbers each, at most.
    assert 4 * (inputs + hidden) <= curves["full"].kept <= 4 * (inputs + hidden + 3 * 32)  # type: ignore[operator]
    second_layer = 8  # its weights, cast; the inputs of the first need no gradient, so its weights are not kept
    low = 2 * (inputs + hidden + second_layer)
    assert low <= curves["low"].kept <= low + 4 * 3 * 32  # type: ignore[operator]


def test_frozen_weights_are_weights() -> None:
    def half_frozen() -> Iterator[torch.Tensor]:
        model = nn.Sequential(nn.Linear(16, 16), nn.Linear(16, 16), nn.Linear(16, 1))
        model[1].requires_grad_(False)
        yield model(torch.ones(4, 16)).sum()

    # The inputs of the first and of the last layer; the frozen one needs no gradient of its weight.
    assert loss_curves(one=half_frozen())["one"].kept == 2 * 4 * 16 * 4


def test_watching_changes_no_loss() -> None:
    assert loss_curves(a=network(None))["a"].losses == tuple(loss.item() for loss in network(None))


@pytest.mark.parametrize(
    ("positional", "named", "error", "said"),
    [
        ((halving(),), {}, TypeError, "every loop needs a name"),
        ((), {}, ValueError, "at least one training loop"),
        ((), {"a": halving}, TypeError, r"a is a generator function; call it, as in a=halving\(\)"),
        ((), {"a": 3}, TypeError, "a must be a generator that yields losses; got int"),
        ((), {"a": iter(["x"])}, TypeError, "a must yield a loss for each step, a number; got str"),
        ((), {"a": iter([torch.ones(2)])}, TypeError, "a must yield a loss for each step"),
        ((), {"a": iter([torch.tensor(1j)])}, TypeError, "a must yield a loss for each step"),
        ((), {"a": iter([torch.ones((), device="meta")])}, TypeError, "a must yield a loss for each step"),
        ((), {"a": halving(), "steps": 0}, ValueError, "steps must be a positive whole number or None; got 0"),
    ],
)
def test_bad_input_is_told_in_one_sentence(
    positional: tuple[Any, ...], named: dict[str, Any], error: type[Exception], said: str
) -> None:
    with pytest.raises(error, match=said):
        loss_curves(*positional, **named)


def test_a_loop_without_steps_has_no_losses() -> None:
    curves = loss_curves(nothing=iter([]), one=iter([2.0]))
    assert curves["nothing"].losses == ()
    assert "nothing" in repr(curves)
    assert "<svg" in curves._repr_html_()


def pictured(curves: LossCurves) -> ET.Element:
    found = re.search(r"<svg class=\"tt-svg\".*?</svg>", curves._repr_html_(), re.S)
    assert found
    return ET.fromstring(found[0])


def test_the_picture_is_told_in_words() -> None:
    curves = loss_curves(fine=halving(), gone=lost())
    picture = pictured(curves)
    assert picture.get("role") == "img"
    description = picture.find("{http://www.w3.org/2000/svg}desc")
    assert description is not None
    assert "fine: from 8 to " in (description.text or "")
    assert "gone: from 1 to nan in 20 steps." in (description.text or "")


def test_a_panel_has_its_run_in_ink_and_the_others_behind_it() -> None:
    runs: dict[str, Any] = {f"run{i}": halving() for i in range(5)}
    picture = pictured(loss_curves(**runs))
    paths = [path.get("class") for path in picture.iter("{http://www.w3.org/2000/svg}path")]
    assert paths.count("tt-curve") == 5
    assert paths.count("tt-faint") == 5 * 4


def test_points_stand_to_scale_and_what_is_above_it_at_its_top() -> None:
    picture = pictured(loss_curves(a=iter([4.0, 2.0, 0.0, 100.0, math.inf, 4.0])))
    curve = next(p for p in picture.iter("{http://www.w3.org/2000/svg}path") if p.get("class") == "tt-curve")
    line, alone = (curve.get("d") or "").split("M")[1:]
    heights = [float(pair.split()[1]) for pair in re.findall(r"[\d.]+ [\d.]+", line)]
    top, bottom = heights[3], heights[2]
    assert heights[0] == pytest.approx((top + bottom) / 2)  # the scale ends at twice the first loss
    assert heights[1] == pytest.approx(bottom - (bottom - top) / 4)
    assert alone.endswith("h4")


def test_a_long_run_is_drawn_with_its_peaks_and_gaps() -> None:
    losses = [1.0] * 20_000
    losses[777], losses[5555], losses[9999] = 2.0, 0.0, math.nan
    curves = loss_curves(a=losses)
    assert len(curves._repr_html_()) < 50_000
    curve = next(p for p in pictured(curves).iter("{http://www.w3.org/2000/svg}path") if p.get("class") == "tt-curve")
    before, after = (curve.get("d") or "").split("M")[1:]
    heights = {pair.split()[1] for pair in re.findall(r"[\d.]+ [\d.]+", before + " " + after)}
    assert len(heights) == 3


def test_negative_losses_stand_below_zero_and_learn_by_falling() -> None:
    curves = loss_curves(down=iter([-1.0, -2.0, -3.0]), up=iter([-1.0, -0.9, -0.6]))
    assert curves.learned() == ("down",)
    assert (curves.lowest, curves.highest) == (-3.0, 0.0)
    assert "in tenths from -3 to 0" in repr(curves)
    assert re.search(r"^down +630 ", repr(curves), re.MULTILINE)
    labels = [text.text for text in pictured(curves).iter("{http://www.w3.org/2000/svg}text")]
    assert labels[:2] == ["0", "-3"]


def test_numbers_of_numpy_are_losses() -> None:
    assert loss_curves(a=iter([np.float32(2), np.int64(1)]))["a"].losses == (2.0, 1.0)


def test_a_generator_that_has_run_is_told() -> None:
    loop = halving()
    curves = loss_curves(a=loop, again=loop)
    for said in (repr(curves), curves._repr_html_()):
        assert "again: no step came. A generator runs once" in said


def test_a_long_name_is_cut_in_its_panel_and_whole_in_the_table() -> None:
    runs: dict[str, Any] = {name * 60: iter([1.0]) for name in "abcd"}
    curves = loss_curves(**runs)
    names = [
        t.text or "" for t in pictured(curves).iter("{http://www.w3.org/2000/svg}text") if "code" in t.get("class", "")
    ]
    assert all(len(name) < 30 and name.endswith("…") for name in names)
    assert f"<code>{'a' * 60}</code>" in curves._repr_html_()


def test_names_are_escaped() -> None:
    runs: dict[str, Any] = {"<b>": iter([1.0])}
    html = loss_curves(**runs)._repr_html_()
    assert "<b>" not in html.replace("</b>", "")
    assert "&lt;b&gt;" in html


def test_in_a_notebook_the_place_shows_progress_and_ends_with_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[Any] = []
    monkeypatch.setattr(widget, "in_kernel", lambda: True)
    monkeypatch.setattr(widget, "_EVERY", 0.0)
    monkeypatch.setattr("IPython.display.display", shown.append)
    monkeypatch.setattr("tutor.widgets.hosting.in_kernel", lambda: True)
    values = []

    def looking() -> Iterator[float]:
        (board,) = shown
        board._repr_mimebundle_()
        for _ in range(3):
            yield 1.0
            values.append(board._html.value)

    loss_curves(mine=looking())
    assert "<code>mine</code> (1 of 1), step 1" in values[0]
    assert "<svg" in values[0]
    (board,) = shown
    assert "Trained: <code>mine</code>." in board._html.value
    assert "<svg" not in board._html.value
    assert repr(board) == "Training runs: mine."


def test_an_interrupted_run_leaves_its_curve(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[Any] = []
    monkeypatch.setattr(widget, "in_kernel", lambda: True)
    monkeypatch.setattr("IPython.display.display", shown.append)
    monkeypatch.setattr("tutor.widgets.hosting.in_kernel", lambda: True)

    def interrupted() -> Iterator[float]:
        shown[0]._repr_mimebundle_()
        yield 1.0
        yield 0.5
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        loss_curves(mine=interrupted(), never=halving())
    left = shown[0]._html.value
    assert "Stopped. <code>mine</code> (1 of 2), step 2." in left
    assert "mine: from 1 to 0.5 in 2 steps." in left


@pytest.mark.parametrize("case", exercise_data("amp/kept-bytes").cases, ids=lambda case: case.label)
def test_the_exercise_on_kept_bytes_wants_what_autograd_keeps(case: Case) -> None:
    batch, inputs, outputs, low = cast(tuple[int, int, int, bool], case.arguments())

    def layer_in_the_middle() -> Iterator[torch.Tensor]:
        layer = nn.Linear(inputs, outputs)
        x = torch.ones(batch, inputs, requires_grad=True) * 1  # not a leaf, as a result of the layer before
        with torch.autocast("cpu", torch.bfloat16, enabled=low):
            yield layer(x).sum()

    kept = loss_curves(one=layer_in_the_middle())["one"].kept
    assert kept == case.expected
