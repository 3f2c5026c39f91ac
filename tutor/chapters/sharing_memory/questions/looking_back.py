"""Questions that chapter 03 asks about the chapters before it."""

from __future__ import annotations

from tutor.course.model import Option, Question

LOOKING_BACK = (
    Question(
        key="full-like-again",
        prompt="`ids = torch.tensor([3, 5])`. What is `torch.full_like(ids, 2.5)[0]`?",
        subject="The first element",
        options=(
            Option(
                "2.5",
                2.5,
                "`full` looks at its fill value, and so does `full_like`.",
                "`full` has nothing else to look at. `full_like` has a model, and `ids` is int64.",
            ),
            Option(
                "2",
                2,
                "The dtype is that of `ids`, and an int64 has no room for the half.",
                "Here the half is kept. Look at the dtype of the result.",
            ),
            Option(
                "an error",
                RuntimeError,
                "2.5 does not fit into int64, and torch says so.",
                "It says nothing. The half is cut off.",
            ),
        ),
        explanation=(
            "The model is int64, so 2.5 became 2, and nobody warned. **A `_like` function takes the dtype of its "
            "model.**"
        ),
        about="creation_from_nothing",
    ),
    Question(
        key="stack-again",
        prompt="`row = torch.zeros(2)`, `batch = torch.stack([row, row])`, then `row[0] = 9`. What is `batch[:, 0]`?",
        subject="`batch[:, 0]`",
        options=(
            Option(
                "9 and 9",
                (9.0, 9.0),
                "Both rows of the batch are `row`.",
                "That would be a list of tensors. `stack` copies each into new bytes, one after another.",
            ),
            Option(
                "0 and 0",
                (0.0, 0.0),
                "`stack` copied `row` twice.",
                "Here the batch shares bytes with `row`. Look at `shared_memory(row, batch)`.",
            ),
        ),
        explanation=(
            "A batch has its own bytes: its rows must lie in one storage, at one stride. **`stack` and `cat` copy.**"
        ),
        about="creation_from_data",
    ),
    Question(
        key="linspace-again",
        prompt="What is the second number of `torch.linspace(0, 1, 5)`?",
        subject="The second number",
        options=(
            Option(
                "0.2",
                0.2,
                "Five numbers divide the way into five parts.",
                "Both ends are in. Between five numbers lie four steps.",
            ),
            Option(
                "0.25",
                0.25,
                "Five numbers, both ends included, have four steps between them.",
                "Here the step is another one. Look at the last number.",
            ),
        ),
        explanation="0, 0.25, 0.5, 0.75, 1. **n numbers have n - 1 steps between them.**",
        about="creation_from_nothing",
    ),
)
