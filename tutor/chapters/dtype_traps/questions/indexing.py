"""Indices and masks: what becomes of NaN, and of a mask that is no bool."""

from __future__ import annotations

from tutor.course.model import Option, Question

INDEXING = (
    Question(
        key="nan-to-int",
        prompt=(
            "A column of ids has a gap. pandas makes it float64 and puts NaN there. What is the second number of "
            "`torch.tensor([7.0, float('nan')]).long()`?"
        ),
        subject="The second number",
        options=(
            Option(
                label="0",
                value=0,
                belief="What is not there becomes zero.",
                refutation="No rule says so. Here the processor's own cast left something else.",
            ),
            Option(
                label="-9,223,372,036,854,775,808",
                value=-(2**63),
                belief="Some value without a meaning, such as the lowest int64.",
                refutation="Here it was another one. Torch's documentation leaves open which.",
            ),
            Option(
                label="nan",
                value=float("nan"),
                belief="A missing value stays missing.",
                refutation="An int has no bits for NaN. Only floats have.",
            ),
            Option(
                label="it raises",
                value=RuntimeError,
                belief="NaN is no int, and the cast says so.",
                refutation="Python's `int(nan)` raises, and pandas does. `.long()` and `.to()` never do.",
            ),
        ),
        explanation=(
            "An int64 has no NaN, so any number may come out. Torch's documentation calls it undefined, for inf "
            "and for all that does not fit as well, and other processors may give other numbers. No error, no warning. "
            "**Replace NaN before you cast to int: `x.nan_to_num(nan=0)`.**"
        ),
    ),
    Question(
        key="inverted-mask",
        prompt=(
            "`values` holds 10, 20, 30, 40. A mask comes from a file: `mask = torch.tensor([1, 0, 1, 0], "
            "dtype=torch.uint8)`. What is `values[~mask]`?"
        ),
        subject="`values[~mask]`",
        options=(
            Option(
                label="20, 40",
                value=(20, 40),
                belief="`~` turns a mask around.",
                refutation="It turns bits around. `~1` in eight bits is 254, and that counts as true.",
            ),
            Option(
                label="all four",
                value=(10, 20, 30, 40),
                belief="`~` gives 254 and 255, and both count as true.",
                refutation="Here some were left out. Look at `~mask`.",
            ),
            Option(
                label="an error: index out of range",
                value=IndexError,
                belief="254 and 255 are taken as indices.",
                refutation="So NumPy does. In torch a uint8 index still counts as a mask.",
            ),
        ),
        explanation=(
            "uint8 masks are left over from the time before bool. torch still reads with them in brackets, and warns. "
            "It refuses to write one number with them, there and in `masked_fill`. An int64 tensor of the same zeros "
            "and ones is not a mask at all: it picks rows. **A mask is bool: write `mask.bool()` where it comes in.**"
        ),
    ),
)
