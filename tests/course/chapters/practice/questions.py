"""Questions with every kind of value."""

import torch

from tutor.course.model import Option, Question


def option(label: str, value: object) -> Option:
    return Option(label, value, f"I believe in {label}.", f"Nothing speaks for {label}.")


QUESTIONS = (
    Question(
        key="shared-write",
        prompt="`a` is an array of zeros and `t = torch.from_numpy(a)`. After `a[0] = 9`, what is `t[0]`?",
        subject="`t[0]`",
        options=(option("still `0`", 0.0), option("9 <now>", 9.0), option("the write raises", RuntimeError)),
        explanation="Both names are the same bytes. **`from_numpy` shares, always.**",
    ),
    Question(
        key="dtype",
        prompt="What is the dtype of `torch.tensor([1.0])`?",
        subject="the dtype",
        options=(option("float32", torch.float32), option("float64", torch.float64)),
        explanation="**Floats become the default dtype.**",
    ),
    Question(
        key="error",
        prompt="What does `torch.tensor('a')` raise?",
        subject="the error",
        options=(option("ValueError", ValueError), option("any lookup error", LookupError), option("nothing", None)),
        explanation="**It raises.**",
    ),
)
