"""Create there or move there, and how many bytes travel."""

from __future__ import annotations

from tutor.course.model import Option, Question

SENDING = (
    Question(
        key="list-device",
        prompt=(
            "`torch.tensor([1.0, 2.0, 3.0], device=device)` makes a tensor of a list. `empty` reserves bytes, `to` "
            "brings a tensor to a device. Which of the two does torch call, and in which order?"
        ),
        subject="The list of the two",
        options=(
            Option(
                label="empty: reserve there, fill there",
                value="empty",
                belief="`device=` says where the tensor is made.",
                refutation=(
                    "The numbers stand in Python objects, which only the CPU can read. They are written into a CPU "
                    "tensor first, and then `to` is called."
                ),
            ),
            Option(
                label="empty, then to",
                value="empty, to",
                belief="A list can only be read on the CPU, so it goes there first.",
                refutation="Here torch called others. Look at the list below.",
            ),
        ),
        explanation=(
            "Where the device is the CPU, `to` has nothing to do. On a GPU it is a transfer, just as in "
            "`torch.tensor(numbers).to(device)`; chapter 01 decides that claim where there is a GPU. `zeros` and its "
            "like have nothing to send: they fill the bytes where they are. **From data: made on the CPU, then moved. "
            "From a size alone: made there.**"
        ),
    ),
    Question(
        key="bytes-sent",
        prompt=(
            "`images` is a batch of 60 uint8 numbers, so 60 bytes. You want it there as float32. How many bytes travel "
            "in `images.to(there).float()`, and how many in `images.float().to(there)`?"
        ),
        subject="What travels",
        options=(
            Option(
                label="60 and 60",
                value=(60, 60),
                belief="The same numbers arrive, so the same bytes travel.",
                refutation="Cast first, each number takes four bytes by the time it travels.",
            ),
            Option(
                label="60 and 240",
                value=(60, 240),
                belief="What travels is what the tensor takes at that moment.",
                refutation="Here it was otherwise. Multiply elements by item size for each.",
            ),
            Option(
                label="240 and 240",
                value=(240, 240),
                belief="The result takes 240 bytes, so 240 have to travel.",
                refutation="In the first the tensor travels as uint8 and grows there.",
            ),
        ),
        explanation=(
            "The meta device stands in for a GPU here: `xray` counts what is handed over, and nothing is. **Send the "
            "small dtype, cast and normalise there, and send a batch in one go.**"
        ),
    ),
)
