"""Tensors of two devices in one operation, and what the meta device and a default device do."""

from __future__ import annotations

from tutor.course.model import Option, Question

MIXING = (
    Question(
        key="mixing",
        prompt=(
            "`x`, `one` and `two` lie on the CPU, `there` and `two_there` on the meta device. The shapes are (3,) for "
            "`x` and `there`, (1,) for `one`, and `two` and `two_there` have no dimensions. Which raise: `x + there`, "
            "`one + there`, `two + there`, `x + two_there`?"
        ),
        subject="The list of those that raise",
        options=(
            Option(
                label="all four",
                value="x + there, one + there, two + there, x + two_there",
                belief="All operands must lie on one device.",
                refutation=(
                    "`two + there` works: a tensor without dimensions on the CPU is handed over like a Python number."
                ),
            ),
            Option(
                label="x + there",
                value="x + there",
                belief="A single number may come from anywhere.",
                refutation=(
                    "Only one without dimensions, and only from the CPU. `two_there` would have to come back, and a "
                    "GPU would have to be waited for."
                ),
            ),
            Option(
                label="x + there and one + there",
                value="x + there, one + there",
                belief="A tensor without dimensions may join any other.",
                refutation=(
                    "From the CPU to a device, yes. `two_there` would have to come back, and a GPU would have to be "
                    "waited for. torch does not do that behind your back."
                ),
            ),
            Option(
                label="all but two + there",
                value="x + there, one + there, x + two_there",
                belief="A CPU tensor without dimensions may join a device, and nobody else may.",
                refutation="Here others raised. Look at the shapes.",
            ),
            Option(
                label="none: torch moves them",
                value="none",
                belief="torch brings the operands together.",
                refutation="A transfer costs time, so torch leaves it to you, and raises.",
            ),
        ),
        explanation=(
            "On a GPU the text begins *Expected all tensors to be on the same device*. Move what is small to what is "
            "large, once. **One device for all operands; only a CPU tensor without dimensions may join any device.**"
        ),
    ),
    Question(
        key="lost-numbers",
        prompt=(
            '`x = torch.ones(2, 2)` lies on the CPU, and `there = x.to("meta")` has no numbers. What does `x @ there` '
            "give?"
        ),
        subject="What it gives",
        options=(
            Option(
                label="an error: two devices",
                value=RuntimeError,
                belief="A matrix product checks devices as `+` does.",
                refutation="It should, and for the meta device it does not. Look at what came instead.",
            ),
            Option(
                label="a tensor on the meta device",
                value="meta",
                belief="Without the numbers of one operand there can be no numbers in the result.",
                refutation="That would be sound. torch goes by the first operand here, and that one lies on the CPU.",
            ),
            Option(
                label="a tensor on the CPU, with numbers",
                value="cpu",
                belief="The result lies where the first operand lies.",
                refutation="Here it lies elsewhere. Later releases may check: see which torch you have.",
            ),
        ),
        explanation=(
            "Reserved bytes that nobody wrote: numbers, and nothing was computed. The meta device also looks at no "
            "index, and it cannot do what depends on numbers. **The meta device tells shapes, dtypes and bytes. That "
            "something runs there proves no more than that.**"
        ),
    ),
    Question(
        key="default-tensor",
        prompt=(
            '`x` is a tensor on the CPU. Within `with torch.device("meta"):` you write `y = torch.as_tensor(x)`. Where '
            "is `y`?"
        ),
        subject="`y.device`",
        options=(
            Option(
                label="cpu: y is x",
                value="cpu",
                belief="`as_tensor` gives a tensor back as it is, and a default is for new tensors only.",
                refutation="Without a default it would be `x`. Within the block the default is filled in as `device=`.",
            ),
            Option(
                label="meta",
                value="meta",
                belief="The default counts as `device=` of every call that takes one.",
                refutation="Here it stayed. Was another default set?",
            ),
        ),
        explanation=(
            "The block counts as `device=` in the constructors, and `as_tensor` is one of them. So a harmless line "
            "moves data. `from_numpy` and `torch.Tensor` do not hear it, and what is made like another tensor lies "
            "where that one lies. **A default device is a `device=` filled in where you left it out, in `as_tensor` "
            "too; not in `from_numpy`, `_like` and `new_`.**"
        ),
    ),
)
