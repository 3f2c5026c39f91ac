"""Error texts and their causes, and names of today."""

from __future__ import annotations

import torch

from tutor.course.model import Option, Question

_OLD = "torch.cuda.amp.autocast, torch.cuda.amp.GradScaler"

NAMES = (
    Question(
        key="half-weights",
        prompt=(
            "To save memory somebody writes `model = nn.Linear(4, 1).half()`, and trains it with a `GradScaler`. What "
            "does `scaler.step(optimizer)` do?"
        ),
        subject="The outcome",
        options=(
            Option(
                label="it makes a step in float16",
                value=torch.float16,
                belief="The scaler is there for float16, so it takes float16 weights.",
                refutation="It is there for float16 work on float32 weights. It must divide the gradients by the "
                "scale, and in float16 they could become 0 just then.",
            ),
            Option(
                label="it raises a ValueError",
                value=ValueError,
                belief="It refuses gradients in float16, which float16 weights have.",
                refutation="Here it did not. Which dtype have the weights?",
            ),
            Option(
                label="it makes the weights float32 again",
                value=torch.float32,
                belief="The optimizer keeps float32 weights beside the others.",
                refutation="PyTorch's optimizers keep the weights that you gave them, in their dtype.",
            ),
        ),
        explanation=(
            "`Attempting to unscale FP16 gradients` means: the weights are float16. Take `.half()` away and leave "
            "the casting to autocast. Gradients in bfloat16 a scaler takes on the CPU. (On CUDA it does not, "
            "say reports to PyTorch: `not implemented for 'BFloat16'`.) But such weights lose small steps, too: look "
            "below. **Train with float32 weights; the mixture is float32 weights and 16-bit work.**"
        ),
    ),
    Question(
        key="old-names",
        prompt=(
            "Which of these give a `FutureWarning`: `torch.cuda.amp.autocast()`, `torch.cuda.amp.GradScaler()`, "
            "`torch.amp.autocast('cuda')`, `torch.amp.GradScaler('cuda')`?"
        ),
        subject="The list",
        options=(
            Option(
                label="none",
                value="none",
                belief="All four are documented, so all four are fine.",
                refutation="Two of them are old names. They still work, and say so.",
            ),
            Option(
                label="the first two",
                value=_OLD,
                belief="The names under `torch.cuda.amp` are the old ones.",
                refutation="Here others warned. Which version of torch is this?",
            ),
            Option(
                label="the last two",
                value="torch.amp.autocast, torch.amp.GradScaler",
                belief="The longer names are the precise, newer ones.",
                refutation="It is the other way round: the device has moved from the name into the argument.",
            ),
        ),
        explanation=(
            "`torch.amp` takes the device as an argument, and so serves them all; `torch.autocast` is the same as "
            "`torch.amp.autocast`. Without a GPU the CUDA ones switch themselves off, with a `UserWarning`, and your "
            "code runs on in float32. **Today's names are `torch.amp.autocast(device, dtype=…)` and "
            "`torch.amp.GradScaler(device)`.**"
        ),
    ),
)
