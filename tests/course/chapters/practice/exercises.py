"""An exercise whose cases look at values and at memory."""

import torch

from tutor.course.model import Case, Exercise, Wrong


def case(numbers: list[float]) -> Case:
    def observe(result: torch.Tensor, x: torch.Tensor) -> tuple[object, str]:
        return tuple(result.tolist()), "in place" if result.data_ptr() == x.data_ptr() else "new bytes"

    return Case(
        label=str(numbers),
        arguments=lambda: (torch.tensor(numbers),),
        observe=observe,
        expected=(tuple(2 * n for n in numbers), "in place"),
    )


EXERCISES = (
    Exercise(
        key="double",
        task="Double every number of `x` **in place**, and return `x`.",
        function="double",
        starter='def double(x):\n    """Double it."""\n    ...\n',
        solution="def double(x):\n    return x.mul_(2)\n",
        hints=("An underscore matters.", "Look at `mul_`."),
        cases=tuple(case(n) for n in ([1.0], [2.0, 3.0], [0.5], [4.0], [-1.0], [1.5], [2.5], [8.0])),
        observed="values and bytes",
        wrong=(
            Wrong("`*` writes in place", "def double(x):\n    return x * 2\n", "`x * 2` makes a new tensor."),
            Wrong("doubling is squaring", "def double(x):\n    return x.mul_(x)\n", "`x * x` is the square."),
            Wrong(
                "the same again",
                "def double(x):\n    return x + x\n",
                "Never said: the first one with this pattern is.",
            ),
            Wrong("printing is returning", "def double(x):\n    print(x * 2)\n", "`print` shows; `return` gives back."),
        ),
        after="Next: `add_`.",
    ),
)
