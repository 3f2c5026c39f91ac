"""The exercises of chapter 02: functions that make tensors, and what their results are looked at for."""

from __future__ import annotations

from tutor.chapters.creation_from_nothing.cases import BUFFER_CASES, GRID_CASES, LOAD_CASES
from tutor.chapters.creation_from_nothing.drawing_numbers import SPLIT, WEIGHTS
from tutor.course.model import Exercise, Wrong

_ADD_UP = Exercise(
    key="add-up",
    task=(
        "Write the sum of the tensors in the list `parts` into `buffer`, and return `buffer`. All have the same "
        "shape. The buffer was made with `torch.empty`, so it may hold anything."
    ),
    function="add_up",
    starter='''\
def add_up(parts, buffer):
    """Write the sum of the parts into the buffer, and return the buffer."""
    ...
''',
    solution="""\
def add_up(parts, buffer):
    buffer.zero_()
    for part in parts:
        buffer += part
    return buffer
""",
    hints=(
        "`buffer += part` reads the buffer before it writes. What does it read the first time?",
        "Make the first thing you do to the buffer a write that does not read it.",
        "`buffer.zero_()` writes zeros over whatever is there, NaN too. Then `buffer += part` for each part.",
    ),
    cases=BUFFER_CASES,
    observed="the sum, and where",
    wrong=(
        Wrong(
            belief="A new buffer is zero.",
            source="""\
def add_up(parts, buffer):
    for part in parts:
        buffer += part
    return buffer
""",
            feedback=(
                "Right where the buffer happened to hold zeros. Elsewhere the leftovers were added in: `+=` reads "
                "before it writes. Write first, then accumulate."
            ),
        ),
        Wrong(
            belief="Multiplying by zero clears anything.",
            source="""\
def add_up(parts, buffer):
    buffer *= 0
    for part in parts:
        buffer += part
    return buffer
""",
            feedback=(
                "`*= 0` still reads the leftovers, and NaN times zero is NaN, as is infinity times zero. `zero_()` "
                "writes without reading."
            ),
        ),
        Wrong(
            belief="Giving the name `buffer` to the sum puts the sum into the buffer.",
            source="""\
def add_up(parts, buffer):
    buffer = sum(parts)
    return buffer
""",
            feedback=(
                "The numbers are right, and they lie in a new tensor. `buffer = ...` ties the name to another "
                "object; the caller's bytes were never written. Use operations that end in `_`, or `+=`, or "
                "`buffer[:] = ...`."
            ),
        ),
        Wrong(
            belief="After the first write all parts can be added.",
            source="""\
def add_up(parts, buffer):
    buffer[:] = parts[0]
    for part in parts:
        buffer += part
    return buffer
""",
            feedback="The first part is in twice: written first, and then added. Go on from `parts[1:]`.",
        ),
        Wrong(
            belief="Assigning each part in turn adds them up.",
            source="""\
def add_up(parts, buffer):
    for part in parts:
        buffer[:] = part
    return buffer
""",
            feedback="Each assignment overwrites the one before, so only the last part is left. Write once, then add.",
        ),
    ),
    after="A buffer is written before it is read, so it does not matter what `empty` left in it.",
)

_GRID_LIKE = Exercise(
    key="grid-like",
    task=(
        "Return as many evenly spaced numbers as the one-dimensional tensor `x` has, from `first` to `last`, both "
        "ends included, with the dtype of `x` and on the device of `x`."
    ),
    function="grid_like",
    starter='''\
def grid_like(first, last, x):
    """Evenly spaced numbers, as many as x has, both ends included, as x in dtype and device."""
    ...
''',
    solution="""\
def grid_like(first, last, x):
    return torch.linspace(first, last, len(x), dtype=x.dtype, device=x.device)
""",
    hints=(
        "You know how many numbers you want. Which of `arange` and `linspace` takes a count?",
        "`torch.linspace(first, last, len(x))` has the right values. Which dtype and device does it get?",
        "Add `dtype=x.dtype, device=x.device`.",
    ),
    cases=GRID_CASES,
    observed="dtype, device, numbers",
    wrong=(
        Wrong(
            belief="`arange` with the right step gives the right numbers.",
            source="""\
def grid_like(first, last, x):
    step = (last - first) / (len(x) - 1)
    return torch.arange(first, last, step, dtype=x.dtype, device=x.device)
""",
            feedback=(
                "`arange` leaves its end out, so the last number is missing. `linspace` is told the count, and hits "
                "both ends."
            ),
        ),
        Wrong(
            belief="One step more makes `arange` include its end.",
            source="""\
def grid_like(first, last, x):
    step = (last - first) / (len(x) - 1)
    return torch.arange(first, last + step, step, dtype=x.dtype, device=x.device)
""",
            feedback=(
                "Often, and in some cases here there is one number too many: the count is a rounded quotient. "
                "`linspace` is told the count, and hits both ends."
            ),
        ),
        Wrong(
            belief="The dtype and device come from the numbers.",
            source="""\
def grid_like(first, last, x):
    return torch.linspace(first, last, len(x))
""",
            feedback=(
                "The numbers are right. `linspace` has not seen the dtype and device of `x`, so it used the "
                "defaults. Pass both on."
            ),
        ),
        Wrong(
            belief="A tensor with the right dtype is on the right device too.",
            source="""\
def grid_like(first, last, x):
    return torch.linspace(first, last, len(x), dtype=x.dtype)
""",
            feedback=(
                "On the CPU it is right. Where `x` lies on another device, the grid stayed behind: pass `device=`."
            ),
        ),
        Wrong(
            belief="Between n numbers lie n steps.",
            source="""\
def grid_like(first, last, x):
    grid = torch.zeros_like(x)
    for i in range(len(x)):
        grid[i] = first + i * (last - first) / len(x)
    return grid
""",
            feedback=("Dtype and device are right. The last number falls short: between n numbers lie n - 1 steps."),
        ),
    ),
    after="Counted, not stepped: both ends are exact, and dtype and device follow `x`.",
)

_LOAD = Exercise(
    key="load",
    task=(
        "Return a tensor with the numbers of `array`, in the dtype of `array`, on `device`. It must not matter "
        "which default device is set, and yours must not change it."
    ),
    function="load",
    starter='''\
def load(array, device):
    """The numbers of the array, as a tensor on the device."""
    ...
''',
    solution="""\
def load(array, device):
    return torch.as_tensor(array, device=device)
""",
    hints=(
        "Which functions from chapter 01 take an array *and* a `device=`?",
        "A default fills a gap. Leave none: say `device=device` in the call that makes the tensor.",
        "`torch.as_tensor(array, device=device)` keeps the dtype and goes to the device.",
    ),
    cases=LOAD_CASES,
    observed="dtype, device, default device afterwards",
    wrong=(
        Wrong(
            belief="Inside `with torch.device(device)` every new tensor is on that device.",
            source="""\
def load(array, device):
    with torch.device(device):
        return torch.from_numpy(array)
""",
            feedback=(
                "`from_numpy` shares the array's bytes, which lie in CPU memory. It does not listen to a default "
                "device. What it gives must be moved to `device`, or made there."
            ),
        ),
        Wrong(
            belief="Wherever a tensor was made, `.to` brings it to the device.",
            source="""\
def load(array, device):
    return torch.tensor(array).to(device)
""",
            feedback=(
                "`torch.tensor(array)` is made on the default device first. Where that is the meta device, the "
                "numbers are lost on the way. Say `device=` in the call that makes the tensor."
            ),
        ),
        Wrong(
            belief="The default device is where my function's tensors should go.",
            source="""\
def load(array, device):
    torch.set_default_device(device)
    return torch.as_tensor(array)
""",
            feedback=(
                "The tensor is right. But the default device is now yours, for everybody who calls you. Pass `device=`."
            ),
        ),
        Wrong(
            belief="`torch.Tensor` takes what it is given.",
            source="""\
def load(array, device):
    return torch.Tensor(array).to(device)
""",
            feedback=(
                "The device is right. `torch.Tensor` casts to the default dtype: int64 and float64 came out float32."
            ),
        ),
        Wrong(
            belief="The caller's default device is the one wanted.",
            source="""\
def load(array, device):
    return torch.as_tensor(array)
""",
            feedback="The `device` you were given is not used, so the default decides. It differs between the cases.",
        ),
    ),
    after="Said in the call, so no default can change it.",
)

EXERCISES = (_ADD_UP, _GRID_LIKE, SPLIT, WEIGHTS, _LOAD)
