"""The stride explorer: what it does is what torch does, what it says is so, and its controls work without a page."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest
import torch
from torch._subclasses.fake_tensor import FakeTensorMode

from tests.test_layout import random_view
from tutor import shared_memory, stride_explorer
from tutor._striding.exploring import Exploration
from tutor._striding.operations import OPERATIONS, numbers
from tutor._striding.why import why
from tutor.drawing.strides import exploration_html
from tutor.widgets import hosting
from tutor.widgets.hosting import WIDGET_VIEW

SEED = 20240612


def twelve() -> torch.Tensor:
    return torch.arange(12.0).reshape(3, 4)


def explored(t: torch.Tensor, *operations: str) -> Exploration:
    exploration = Exploration(t)
    for operation in operations:
        exploration.do(operation)
    return exploration


def met(exploration: Exploration) -> dict[str, str]:
    return {goal.key: goal.met for goal in exploration.goals if goal.met}


def test_the_line_of_code_gives_the_tensor() -> None:
    rng = random.Random(SEED)
    for _ in range(300):
        start = torch.arange(24.0).reshape(rng.choice(((24,), (4, 6), (2, 3, 4), (1, 2, 3, 4))))
        exploration = explored(start, *(rng.choice(list(OPERATIONS)) for _ in range(rng.randrange(1, 6))))
        again = eval(exploration.code, {"t": start, "torch": torch})
        assert again.stride() == exploration.now.stride()
        assert again.storage_offset() == exploration.now.storage_offset()
        assert torch.equal(again, exploration.now)


def test_view_or_copy_is_decided_from_storages_and_copies_count_their_bytes() -> None:
    rng = random.Random(SEED + 1)
    seen = set()
    for _ in range(300):
        exploration = explored(twelve(), *(rng.choice(list(OPERATIONS)) for _ in range(rng.randrange(4))))
        before = exploration.now
        exploration.do(rng.choice(list(OPERATIONS)))
        if exploration.refusal is not None:
            assert exploration.now is before
            continue
        step, after = exploration.steps[-1], exploration.now
        shares = before.untyped_storage()._cdata == after.untyped_storage()._cdata
        assert (step.outcome != "copy") == shares
        assert step.bytes_written == (after.untyped_storage().nbytes() if step.outcome == "copy" else 0)
        assert (step.outcome == "same") == (after is before)
        seen.add(step.outcome)
    assert seen == {"view", "same", "copy"}


def test_a_view_is_refused_with_a_reason_exactly_where_torch_raises() -> None:
    rng = random.Random(SEED + 2)
    counts = {True: 0, False: 0}
    for _ in range(4000):
        t = random_view(rng)
        sizes = random_sizes(rng, t.numel())
        given = {"sizes": ", ".join(map(str, sizes))}
        try:
            t.view(sizes)
        except RuntimeError:
            reason = why(t, "view", given)
            counts[True] += 1
            assert reason.endswith(".")
            if merging := re.match(r"Dims (\d+) and (\d+) cannot .* = (-?\d+), and stride\(\d+\) is (-?\d+)\.", reason):
                outer, inner, needed, there = map(int, merging.groups())
                assert t.stride(outer) == there != needed == t.stride(inner) * t.shape[inner]
            else:
                assert "multiply" in reason
        else:
            counts[False] += 1
            assert why(t, "view", given) == ""
    assert min(counts.values()) > 300


def random_sizes(rng: random.Random, n: int) -> list[int]:
    sizes = []
    while n > 1 and rng.random() < 0.8:
        divisors = [d for d in range(1, n + 1) if n % d == 0]
        sizes.append(rng.choice(divisors))
        n //= sizes[-1]
    sizes.append(n + (rng.random() < 0.1))
    rng.shuffle(sizes)
    return sizes if rng.random() < 0.8 else [-1, *sizes[1:]]


@pytest.mark.parametrize(
    ("t", "operation", "given", "error", "reason"),
    [
        (
            twelve().T,
            "view",
            {"sizes": "12"},
            "view size is not compatible",
            "stride(1)·size(1) = 4·3 = 12, and stride(0) is 1.",
        ),
        (
            twelve(),
            "view",
            {"sizes": "5"},
            "invalid for input of size 12",
            "The sizes multiply to 5, and there are 12 elements.",
        ),
        (
            twelve(),
            "reshape",
            {"sizes": "5, -1"},
            "invalid",
            "The other sizes multiply to 5, and 12 elements are no multiple of that.",
        ),
        (twelve(), "view", {"sizes": "-1, -1"}, "only one dimension", "-1 stands for the one size that follows"),
        (twelve(), "view", {"sizes": "3, -4"}, "invalid shape dimension", "-4 is no size"),
        (
            twelve(),
            "expand",
            {"sizes": "2, 4"},
            "must match the existing size",
            "dim 0 has size 3, and 2 was asked for.",
        ),
        (twelve(), "expand", {"sizes": "4"}, "number of sizes", "there are 2, and 1 size given."),
        (twelve(), "expand", {"sizes": "-1, 3, 4"}, "leading", "a new dimension has none."),
        (
            twelve(),
            "permute",
            {"sizes": "0, 0"},
            "duplicate",
            "each of the numbers 0, 1 must stand there once, and there are 0, 0.",
        ),
        (twelve(), "permute", {"sizes": "0"}, "number of dimensions", "each of the numbers 0, 1 must stand there once"),
        (
            torch.arange(3),
            "transpose",
            {"dim": 0, "other": 1},
            "out of range",
            "It has 1 dimension, numbered from 0, so there is no dim 1.",
        ),
        (
            twelve(),
            "step",
            {"dim": 1, "start": 0, "step": -1},
            "step must be",
            "needs a negative stride, and torch has none",
        ),
        (twelve(), "step", {"dim": 1, "start": 0, "step": 0}, "cannot be zero", "never come to the end."),
        (
            twelve(),
            "narrow",
            {"dim": 0, "start": 2, "length": 5},
            "exceeds",
            "It would end at 2 + 5 = 7, and dim 0 has size 3.",
        ),
        (twelve(), "narrow", {"dim": 0, "start": 0, "length": -1}, "", "-1 is no length."),
        (twelve(), "narrow", {"dim": 0, "start": 9, "length": 1}, "", "Dim 0 has size 3, and 9 lies outside."),
        (twelve(), "channels_last", {}, "required rank 4", "order of four dimensions, and the shape is (3, 4)."),
        (torch.tensor(1.0), "slice", {"dim": 0, "start": 0, "stop": 1}, "0-dim", "It has no dimensions"),
        (
            torch.arange(3),
            "flip",
            {"dim": 1},
            "out of range",
            "It has 1 dimension, numbered from 0, so there is no dim 1.",
        ),
        (torch.arange(3), "slice", {"dim": 1, "start": 0, "stop": 1}, "too many indices", "so there is no dim 1."),
    ],
)
def test_where_torch_raises_its_words_and_the_reason_are_told(
    t: torch.Tensor, operation: str, given: dict[str, Any], error: str, reason: str
) -> None:
    exploration = explored(t, operation)
    exploration.again(given)
    assert exploration.refusal is not None
    assert error in exploration.refusal.error
    assert reason in exploration.refusal.why
    assert exploration.now is t
    assert exploration.steps == []


def drawn_by(rng: random.Random, kind: str, exploration: Exploration) -> int | str:
    """Something that a learner may choose with the controls."""
    dims = exploration.dims_before
    if kind == "numbers":
        return ", ".join(str(rng.randrange(-1, 5)) for _ in range(rng.randrange(4)))
    return rng.randrange({"dim": max(2, dims), "new dim": dims + 1, "number": 9}[kind]) - 2 * (kind == "number")


def test_every_refusal_has_a_reason() -> None:
    rng = random.Random(SEED + 3)
    refused = set()
    for _ in range(2000):
        start = torch.arange(24.0).reshape(rng.choice(((24,), (4, 6), (2, 3, 4), (1, 2, 3, 4), (2, 12))))
        exploration = explored(
            start if rng.random() < 0.9 else torch.tensor(1.0), rng.choice(["unsqueeze", "transpose", "step"])
        )
        operation = rng.choice(list(OPERATIONS))
        exploration.do(operation)
        exploration.again({one.name: drawn_by(rng, one.kind, exploration) for one in OPERATIONS[operation].parameters})
        if exploration.refusal is not None:
            refused.add(operation)
            assert exploration.refusal.error, exploration.refusal
            assert exploration.refusal.why, (exploration.refusal, tuple(exploration.now.shape))
    assert refused >= {"transpose", "permute", "step", "narrow", "expand", "view", "reshape", "channels_last"}


def test_other_arguments_replace_the_last_step_and_undo_takes_it_back() -> None:
    exploration = explored(twelve(), "transpose", "step")
    assert exploration.code == "t.transpose(0, 1)[:, ::2]"
    exploration.again({"dim": 0, "start": 1, "step": 2})
    assert exploration.code == "t.transpose(0, 1)[1::2]"
    exploration.do("view")
    assert exploration.refusal is not None
    exploration.again({"sizes": "2, 3, 1"})
    assert exploration.refusal is None
    assert exploration.code == "t.transpose(0, 1)[1::2].view(2, 3, 1)"
    exploration.do("view")
    exploration.undo()
    assert exploration.code.endswith(".view(2, 3, 1)")
    for _ in range(5):
        exploration.undo()
    assert exploration.code == "t"


def test_no_step_writes_to_the_tensor() -> None:
    t = twelve().requires_grad_()
    exploration = explored(t, *OPERATIONS)
    assert len(exploration.steps) > 5
    assert torch.equal(t, twelve())
    assert not exploration.now.requires_grad


@pytest.mark.parametrize("text", ["a", "2,,3", "__import__('os')", "1.5", "2 3", "9" * 30])
def test_only_whole_numbers_are_taken(text: str) -> None:
    with pytest.raises(ValueError, match="Expected whole numbers with commas between, such as 2, 6, but got"):
        numbers(text)
    exploration = explored(twelve(), "view")
    exploration.again({"sizes": text})
    assert exploration.refusal is not None
    assert exploration.refusal.error == ""
    assert "was not run; nothing changed" in exploration_html(exploration)


def test_a_click_writes_no_gigabytes() -> None:
    exploration = explored(torch.zeros(1).expand(10**9), "contiguous")
    assert exploration.refusal is not None
    assert exploration.refusal.why == "It may write 3.7 GiB, and that is a lot here."
    assert explored(torch.empty(10**6, 10**6, device="meta").T, "contiguous").steps[0].outcome == "copy"


def test_a_view_of_what_is_not_contiguous_is_the_first_goal() -> None:
    assert met(explored(twelve(), "transpose", "view")) == {}
    assert met(explored(twelve(), "view")) == {}
    assert met(explored(twelve(), "step", "view"))["viewed"] == "`t[:, ::2].view(-1)`"


def test_two_views_apart_are_the_second_goal() -> None:
    exploration = explored(twelve(), "step")
    exploration.undo()
    exploration.do("step")
    assert "apart" not in met(exploration)
    exploration.again({"dim": 1, "start": 1, "step": 2})
    assert met(exploration)["apart"] == "`t[:, ::2]` and `t[:, 1::2]`"
    t = twelve()
    assert shared_memory(t[:, ::2], t[:, 1::2]).elements_overlap is False


def test_the_other_goals() -> None:
    assert "copied" in met(explored(twelve(), "transpose", "reshape"))
    assert "copied" not in met(explored(twelve(), "reshape"))
    assert met(explored(twelve(), "expand"))["grown"] == "`t.expand(2, 3, 4)`, 24 elements in 12 places"
    assert "grown" not in met(explored(twelve(), "unsqueeze"))
    images = torch.zeros(1, 3, 2, 2)
    assert "channels_last" in met(explored(images, "channels_last"))
    assert "channels_last" not in met(explored(images[:, :1], "channels_last"))


def test_a_goal_stays_met() -> None:
    exploration = explored(twelve(), "expand")
    exploration.undo()
    assert "grown" in met(exploration)


def test_what_is_shown_has_the_marks_the_numbers_and_the_reason() -> None:
    exploration = explored(twelve(), "transpose", "reshape", "expand", "view")
    html = exploration_html(exploration)
    text = re.sub(r"<[^>]+>", " ", html)
    assert re.search(r"\.reshape\(-1\)\s+\+\s*copy, 48 B", text)
    assert re.search(r"\.expand\(2, 12\)\s+=\s*view", text)
    assert re.search(r"before\s+\(12,\)\s+\(1,\)\s+0\s+yes", text)
    assert re.search(r"now\s+\(2, 12\)\s+\(0, 1\)\s+0\s+no\s+48 B\s+0 B", text)
    assert "nothing changed" in text
    assert (
        "Dims 0 and 1 cannot be read as one: that needs stride(0) = stride(1)·size(1) = 1·12 = 12, and stride(0) is 0."
        in text
    )
    assert "2 of 5 made" in text


def test_the_twins_do_not_depend_on_what_was_done() -> None:
    explorer = stride_explorer(twelve())
    before = repr(explorer), explorer._repr_html_()
    assert "In a notebook, buttons do to t: transpose, permute, flip" in before[0]
    explorer.press("transpose")
    assert (repr(explorer), explorer._repr_html_()) == before
    assert WIDGET_VIEW not in explorer._repr_mimebundle_()


def test_in_a_kernel_the_controls_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hosting, "in_kernel", lambda: True)
    assert WIDGET_VIEW in stride_explorer(twelve())._repr_mimebundle_()


def test_buttons_and_fields_do_what_they_say() -> None:
    explorer = stride_explorer()
    controls = explorer.controls
    controls.buttons["step"].click()
    assert explorer.exploration.code == "t[:, ::2]"
    assert "mod-active" in controls.buttons["step"]._dom_classes
    dim, start, step = controls.given.children
    assert (dim.description, dim.min, dim.max, dim.value) == ("dim", 0, 1, 1)
    assert [(field.description, field.value) for field in (start, step)] == [("from", 0), ("step", 2)]
    step.value = 3
    assert explorer.exploration.code == "t[:, ::3]"
    dim.value = 0
    assert explorer.exploration.code == "t[::3]"
    controls.buttons["view"].click()
    assert "mod-active" not in controls.buttons["step"]._dom_classes
    (sizes,) = controls.given.children
    sizes.value = "2, 2"
    assert explorer.exploration.code == "t[::3].view(2, 2)"
    controls.buttons["undo"].click()
    assert explorer.exploration.code == "t[::3]"
    assert controls.given.children == ()


def models(widget: Any) -> set[str]:
    """The models that a page needs for a widget and all within it."""
    found = {widget.model_id, widget.layout.model_id}
    found |= {widget.style.model_id} if hasattr(widget, "style") else set()
    return found.union(*(models(child) for child in getattr(widget, "children", ())))


def test_large_tensors_are_explored_as_well() -> None:
    explorer = stride_explorer(torch.empty(10**6, 10**6, device="meta"))
    for name in ("slice", "transpose", "contiguous", "step"):
        explorer.press(name)
    assert explorer.exploration.code == "t[:, 1:1000000].transpose(0, 1).contiguous()[:, ::2]"
    explorer.press("undo")
    explorer.press("slice")
    assert [field.value for field in explorer.controls.given.children] == [1, 1, 10**6]
    assert len(explorer.controls.shown.value) < 40_000


def test_fake_tensors_are_explored_as_well() -> None:
    with FakeTensorMode():
        t = torch.empty(3, 4)
    exploration = explored(t, "transpose", "contiguous")
    assert [step.outcome for step in exploration.steps] == ["view", "copy"]


def test_an_explorer_is_few_models() -> None:
    explorer = stride_explorer()
    explorer.press("slice")
    assert len(models(explorer.controls.root)) < 50


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: stride_explorer([1, 2]), "stride_explorer expected t to be a tensor, but got a list"),  # type: ignore[arg-type]
        (lambda: stride_explorer(twelve().numpy()), "got a ndarray: torch.from_numpy makes one on the same bytes"),  # type: ignore[arg-type]
        (lambda: stride_explorer(torch.eye(2).to_sparse()), "stride_explorer expected t to be a tensor with strides"),
        (lambda: stride_explorer(twelve(), name=1), "expected name to be a string, but got 1"),  # type: ignore[arg-type]
    ],
)
def test_bad_input_is_told_in_one_sentence(make: Any, words: str) -> None:
    with pytest.raises(TypeError, match=re.escape(words)):
        make()


def test_an_unknown_button_is_told_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match=r"operation: there is no 'clone'; there are 'transpose', .*'undo'"):
        stride_explorer().press("clone")


def test_a_name_is_escaped() -> None:
    explorer = stride_explorer(name="<script>alert(1)</script>")
    explorer.press("step")
    assert "<script>" not in explorer.controls.shown.value
    assert "<script>" not in explorer._repr_html_()
