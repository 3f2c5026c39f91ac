"""Where a tensor lies, and what `.to` gives."""

from __future__ import annotations

from tutor.course.model import Option, Question

PLACES = (
    Question(
        key="place",
        prompt='`x = torch.ones(3)` lies on the CPU. Then a line says `x.to("meta")`, and nothing more. Where is `x`?',
        subject="`x.device`",
        options=(
            Option(
                label="cpu",
                value="cpu",
                belief="`.to` returns a tensor and leaves `x` alone.",
                refutation="Here `x` itself has moved. What does `x.to` return?",
            ),
            Option(
                label="meta",
                value="meta",
                belief="`.to` moves the tensor, as `model.to` moves a model.",
                refutation=(
                    "A tensor's bytes lie on one device for good. `.to` makes another tensor there and returns it, and "
                    "this line dropped it."
                ),
            ),
        ),
        explanation=(
            "A model is a container: `.to` exchanges the parameters in it and returns the same model. A tensor cannot "
            "be exchanged, so you need a name for what comes back: `x = x.to(device)`. **For a tensor `.to` returns "
            "the result, for a module it changes the module.**"
        ),
    ),
    Question(
        key="same-object",
        prompt=(
            '`x` is a float32 tensor on the CPU. Which of these return `x` itself: `x.to("cpu")`, '
            '`x.to(torch.float32)`, `x.to("cpu:0")`, `x.to("cpu", copy=True)`?'
        ),
        subject="The list of those that are `x` itself",
        options=(
            Option(
                label="none: .to copies",
                value="none",
                belief="`.to` always makes a tensor of its own.",
                refutation="Where nothing has to change, `.to` returns the tensor that it was given.",
            ),
            Option(
                label="the first two",
                value='x.to("cpu"), x.to(torch.float32)',
                belief="Only what is written exactly as `x` has it counts as no change.",
                refutation="Here it was otherwise. Compare `x.device` with each.",
            ),
            Option(
                label="the first three",
                value='x.to("cpu"), x.to(torch.float32), x.to("cpu:0")',
                belief="`cpu` and `cpu:0` are one device, so there is nothing to do.",
                refutation=(
                    "They are one memory and two names. `.to` compares names, finds `cpu:0` other than `cpu`, and "
                    "copies."
                ),
            ),
            Option(
                label="all four",
                value='x.to("cpu"), x.to(torch.float32), x.to("cpu:0"), x.to("cpu", copy=True)',
                belief="Nothing changes in any of them, so nothing is copied.",
                refutation="`copy=True` asks for a copy, and gets one.",
            ),
        ),
        explanation=(
            "So a write into the result reaches `x` in the first two, and not in the others. Hand on the device that a "
            "tensor has, `other.device`, and not a name that you made up. If you will write into the result, say "
            "`copy=True`. **`.to` returns the tensor itself where dtype and device are as wanted, and a copy "
            "otherwise.**"
        ),
    ),
)
