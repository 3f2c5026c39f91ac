"""Who waits for a device, what a time means, what `non_blocking` promises, and where freed memory goes."""

from __future__ import annotations

from tutor.course.model import Option, Question

WAITING = (
    Question(
        key="who-waits",
        prompt=(
            "`loss` is a tensor without dimensions, on a GPU that is still computing it. Which of these lines must "
            "wait for its number: `total + loss`, `if loss > 10:`, `loss.shape`, `torch.maximum(worst, loss)`, "
            '`f"{loss:.2f}"`?'
        ),
        subject="The list of lines that wait",
        options=(
            Option(
                label="none: only .item() waits",
                value="none",
                belief="Nobody asks for a Python number unless `.item()` is written.",
                refutation=(
                    "`if` needs True or False, and a text needs digits. Both ask the tensor for its number, and the "
                    "tensor asks the device."
                ),
            ),
            Option(
                label="if and the f-string",
                value='if loss > 10, f"{loss:.2f}"',
                belief="Waits who needs the number in Python.",
                refutation="Here others were marked. Look at them one by one.",
            ),
            Option(
                label="all but loss.shape",
                value='total + loss, if loss > 10, torch.maximum, f"{loss:.2f}"',
                belief="To compute with a number, it must be there.",
                refutation=(
                    "It must be there when the GPU comes to it. `total + loss` is put into the same queue, behind what "
                    "makes `loss`, and Python goes on."
                ),
            ),
            Option(
                label="if, maximum and the f-string",
                value='if loss > 10, torch.maximum, f"{loss:.2f}"',
                belief="To compare is to decide, and for that the number must be known.",
                refutation="`torch.maximum` decides on the GPU. Only `if` decides in Python.",
            ),
        ),
        explanation=(
            "`xray` marks on any device what would wait on a GPU. The meta device is a second witness: it has no "
            "number to give, so whoever needs one raises. **Whoever needs a number in Python waits: `.item()`, "
            "`.tolist()`, `if`, `print`, `float`, `.cpu()`. Whoever makes another tensor does not.**"
        ),
    ),
    Question(
        key="double-product",
        prompt=(
            "Somebody multiplies two random matrices of NumPy, and two of torch, and finds torch faster. NumPy's "
            "random numbers are float64, torch's float32. On one device, in torch alone: does a product of float64 "
            "take at least 1.3 times as long as one of float32?"
        ),
        subject="`longer`",
        options=(
            Option(
                label="yes",
                value=True,
                belief="Twice the bytes, and half as many numbers in each register.",
                refutation="Here it did not. Was the machine busy? Run the cell again.",
            ),
            Option(
                label="no",
                value=False,
                belief="A processor of 64 bits multiplies float64 just as fast.",
                refutation=(
                    "One number, yes. But a processor multiplies many at once, and in the same register there is room "
                    "for half as many float64."
                ),
            ),
        ),
        explanation=(
            "So a part of what is told of NumPy and torch, or of CPU and GPU, is the dtype. Look at the first call "
            "too: it took longer than the median, and whoever times one call has timed that one. **Compare one thing "
            "at a time: the same dtype, the same threads, a warm-up, many runs, the spread; and on a GPU wait before "
            "you stop the clock.**"
        ),
    ),
    Question(
        key="unpinned",
        prompt=(
            "`image = torch.from_numpy(array)` lies in ordinary memory. `non_blocking=True` is said to need pinned "
            "memory. What does `image.to(there, non_blocking=True)` do?"
        ),
        subject="What is heard",
        options=(
            Option(
                label="it raises",
                value="an error",
                belief="A flag that cannot be honoured is refused.",
                refutation="The flag allows torch not to wait. It does not oblige it.",
            ),
            Option(
                label="it warns",
                value="a warning",
                belief="torch says when a flag has no effect.",
                refutation="It says nothing, and so the flag stands in much code where it does nothing.",
            ),
            Option(
                label="it says nothing",
                value="nothing",
                belief="The flag is a wish.",
                refutation="Here something was heard. Read it below.",
            ),
        ),
        explanation=(
            "A tensor is pinned only if you ask for it, and only where there is an accelerator: `x.pin_memory()` "
            "copies into memory that the device can read by itself. Elsewhere it raises. **`non_blocking=True` is "
            "accepted from any source, and lets the program go on only from pinned memory.**"
        ),
    ),
    Question(
        key="deleted",
        prompt=(
            "On the CPU: `x = torch.empty(...)` of 256 MiB, then a write to all of it, then `del x`. After which of "
            "the three has the memory of the process changed by more than half of that?"
        ),
        subject="The list of lines that change it",
        options=(
            Option(
                label="allocate and delete",
                value="allocate, delete",
                belief="`empty` takes the memory, and `del` gives it back.",
                refutation="`empty` only reserves addresses. Pages come with the first write.",
            ),
            Option(
                label="write and delete",
                value="write, delete",
                belief="Pages come with the first write, and a large block goes back at once.",
                refutation="Here the system does it otherwise. It depends on the system's allocator.",
            ),
            Option(
                label="allocate alone",
                value="allocate",
                belief="`empty` takes the memory, and torch keeps it for the next tensor.",
                refutation="On the CPU torch keeps nothing of that size. On a GPU it does.",
            ),
            Option(
                label="write alone",
                value="write",
                belief="Pages come with the first write, and torch keeps them for the next tensor.",
                refutation="On the CPU torch keeps nothing of that size. On a GPU it does.",
            ),
        ),
        explanation=(
            "Keep this in mind as the CPU's way; it is why the other way surprises. On a GPU torch's allocator keeps a "
            "freed block for the next tensor: the documentation tells *allocated* (by tensors) from *reserved* (by the "
            "allocator), and `nvidia-smi` sees the reserved bytes and the driver's own. **On the CPU a large freed "
            "block goes back to the system. On a GPU it stays reserved, which is no leak.**"
        ),
    ),
)
