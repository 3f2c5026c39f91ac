"""Who waits for a device, what a time means, what `non_blocking` promises, and where freed memory goes."""

from __future__ import annotations

from tutor.course.model import Option, Question

WAITING = (
    Question(
        key="who-waits",
        prompt=(
            "`loss` is a tensor without dimensions, `x` one with many numbers, both on a GPU that is still computing "
            "them. Which lines must wait for the GPU: `total + loss`, `if loss > 10`, `torch.maximum(worst, loss)`, "
            '`f"{loss}"`, `x[x > 0]`?'
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
                value='if loss > 10, f"{loss}"',
                belief="Whoever turns a tensor into a Python value waits.",
                refutation=(
                    "So does `x[x > 0]`, in a hidden way: how many numbers are chosen is a shape, and a shape is made "
                    "of Python numbers."
                ),
            ),
            Option(
                label="if, the f-string and x[x > 0]",
                value='if loss > 10, f"{loss}", x[x > 0]',
                belief="Whoever needs a number in Python waits, be it for a shape.",
                refutation="Here others were marked. Look at them one by one.",
            ),
            Option(
                label="all five",
                value='total + loss, if loss > 10, torch.maximum(worst, loss), f"{loss}", x[x > 0]',
                belief="To compute with a number, it must be there.",
                refutation=(
                    "It must be there when the GPU comes to it. `total + loss` is put into the same queue, behind what "
                    "makes `loss`, and Python goes on."
                ),
            ),
        ),
        explanation=(
            "`xray` marks on any device what would wait on a GPU. Below stands a second witness: on the meta device, "
            "which has no number to give, whoever needs one raises. Only a text comes out there, with dots in it. "
            "**Whoever needs a number in Python waits: `.item()`, `.tolist()`, `if`, `print`, `float`, `.cpu()`, "
            "`x[mask]`. Whoever makes another tensor of known shape does not.**"
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
            "So a part of what is told of NumPy and torch, or of CPU and GPU, is the dtype. Below, one product timed "
            "in the usual way and by `measure`: look at the first call, the spread, the number of runs. **Compare one "
            "thing at a time: the same dtype, the same threads, a warm-up, many runs, the spread; and on a GPU wait "
            "before you stop the clock.**"
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
            "accepted from any source. By the documentation it lets the program go on only from pinned memory.**"
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
            "It is why a GPU surprises: there, by the documentation, torch's allocator keeps a freed block for the "
            "next tensor, and `nvidia-smi` goes on showing it, together with what the driver needs. **On the CPU a "
            "large freed block goes back to the system. On a GPU it stays reserved, which is no leak.**"
        ),
    ),
)
