"""Who refuses which dtype."""

from __future__ import annotations

import torch

from tutor.course.model import Option, Question

REFUSALS = (
    Question(
        key="double-into-layer",
        prompt=(
            "`layer = torch.nn.Linear(3, 2)` has float32 weights. `x = torch.from_numpy(np.ones((1, 3)))` is float64. "
            "What does `layer(x)` do?"
        ),
        subject="The outcome",
        options=(
            Option(
                label="it computes in float64",
                value=torch.float64,
                belief="The wider dtype wins, as in a sum.",
                refutation="A sum promotes. A matrix product does not, and a linear layer is one.",
            ),
            Option(
                label="it computes in float32",
                value=torch.float32,
                belief="A layer casts its input to the dtype of its weights.",
                refutation="`Linear` leaves its input as it is. Casting is up to you.",
            ),
            Option(
                label="it raises",
                value=RuntimeError,
                belief="A layer wants its input in the dtype of its weights.",
                refutation="Here it did not. Was the default dtype changed before the layer was made?",
            ),
        ),
        explanation=(
            "NumPy made a float64, `from_numpy` kept it, and the first matrix product refused it. Each layer says it "
            "in words of its own, and they change with the release: below are the words of yours. The elementwise "
            "product accepted it, and hands the float64 on. **Most elementwise operations promote; "
            "matrix products, convolutions and most layers refuse.**"
        ),
    ),
    Question(
        key="loss-targets",
        prompt=(
            "`labels = torch.tensor([0, 1])` is int64, as ints are. Three losses are called with float32 scores "
            "and these labels: `mse_loss`, `cross_entropy`, `binary_cross_entropy_with_logits`. Which raise?"
        ),
        subject="What raises",
        options=(
            Option(
                label="none",
                value="none",
                belief="Numbers are numbers: an int label is promoted.",
                refutation="`mse_loss` promotes. The binary one does not: read its words below.",
            ),
            Option(
                label="mse and binary",
                value="mse_loss, binary_cross_entropy_with_logits",
                belief="Classes are ints, and all other targets must be floats.",
                refutation="A good habit. But `mse_loss` is elementwise, and its forward pass promotes.",
            ),
            Option(
                label="the binary one",
                value="binary_cross_entropy_with_logits",
                belief="It compares probabilities, and wants labels as floats.",
                refutation="Here others raised, or none. Read their words below.",
            ),
            Option(
                label="cross_entropy",
                value="cross_entropy",
                belief="A loss wants floats, and so does `cross_entropy`.",
                refutation="Its labels are numbers of classes, and class 1.0 it refuses.",
            ),
            Option(
                label="all three",
                value="mse_loss, cross_entropy, binary_cross_entropy_with_logits",
                belief="A loss compares floats with floats.",
                refutation="`cross_entropy` looks up the column of a class, and wants ints for that.",
            ),
        ),
        explanation=(
            "`cross_entropy` takes classes as int64 and refuses int32. The binary loss wants floats. `mse_loss` "
            "promotes, and where it is asked for gradients releases differ: torch 2.6 raises only in `backward`, and "
            "2.13 does not. Below is what yours does. **Numbers of classes are int64; targets that are compared with "
            "scores get the dtype of the scores.**"
        ),
    ),
)
