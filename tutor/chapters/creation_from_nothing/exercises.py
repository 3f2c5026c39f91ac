"""The exercises of chapter 02: functions that make tensors, and what their results are looked at for."""

from __future__ import annotations

from tutor.chapters.creation_from_nothing.cases import (
    BUFFER_CASES,
    GRID_CASES,
    LOAD_CASES,
    SPLIT_CASES,
    WEIGHT_CASES,
)
from tutor.course.model import Exercise, Wrong

_ADD_UP = Exercise(
    key="add-up",
    task=(
        "Write the sum of the tensors in the list `parts` into `buffer`, and return `buffer`. All have the same "
        "shape. The buffer was made with `torch.empty`, so it may hold anything."
    ),
    function="add_up",
    starter="def add_up(parts, buffer):\n    ...\n",
    solution=(
        "def add_up(parts, buffer):\n    buffer.zero_()\n    for part in parts:\n        buffer += part\n    return "
        "buffer\n"
    ),
    hints=(
        "`buffer += part` reads the buffer before it writes. What does it read the first time?",
        "Make the first thing you do to the buffer a write that does not read it.",
        "`buffer.zero_()` writes zeros over whatever is there, NaN too. Then `buffer += part` for each part.",
    ),
    cases=BUFFER_CASES,
    observed="in the buffer",
    wrong=(
        Wrong(
            belief="A new buffer is zero.",
            source=("def add_up(parts, buffer):\n    for part in parts:\n        buffer += part\n    return buffer\n"),
            feedback=(
                "Right where the buffer happened to hold zeros. Elsewhere the leftovers were added in: `+=` reads "
                "before it writes. Write first, then accumulate."
            ),
        ),
        Wrong(
            belief="Multiplying by zero clears anything.",
            source=(
                "def add_up(parts, buffer):\n    buffer *= 0\n    for part in parts:\n        buffer += part\n    "
                "return buffer\n"
            ),
            feedback=(
                "`*= 0` still reads the leftovers, and NaN times zero is NaN, as is infinity times zero. `zero_()` "
                "writes without reading."
            ),
        ),
        Wrong(
            belief="Giving the name `buffer` to the sum puts the sum into the buffer.",
            source="def add_up(parts, buffer):\n    buffer = sum(parts)\n    return buffer\n",
            feedback=(
                "The numbers are right, and they lie in a new tensor. `buffer = ...` binds the name to another "
                "object; the caller's bytes were never written. Use operations that end in `_`, or `+=`, or "
                "`buffer[:] = ...`."
            ),
        ),
        Wrong(
            belief="Assigning each part in turn adds them up.",
            source="def add_up(parts, buffer):\n    for part in parts:\n        buffer[:] = part\n    return buffer\n",
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
    starter="def grid_like(first, last, x):\n    ...\n",
    solution=(
        "def grid_like(first, last, x):\n    return torch.linspace(first, last, len(x), dtype=x.dtype, "
        "device=x.device)\n"
    ),
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
            source=(
                "def grid_like(first, last, x):\n    step = (last - first) / (len(x) - 1)\n    return "
                "torch.arange(first, last, step, dtype=x.dtype, device=x.device)\n"
            ),
            feedback=(
                "`arange` leaves its end out, so the last number is missing. `linspace` is told the count, and hits "
                "both ends."
            ),
        ),
        Wrong(
            belief="One step more makes `arange` include its end.",
            source=(
                "def grid_like(first, last, x):\n    step = (last - first) / (len(x) - 1)\n    return "
                "torch.arange(first, last + step, step, dtype=x.dtype, device=x.device)\n"
            ),
            feedback=(
                "Often, and in some cases here there is one number too many: the count is a rounded quotient. "
                "`linspace` is told the count, and hits both ends."
            ),
        ),
        Wrong(
            belief="The dtype and device come from the numbers.",
            source="def grid_like(first, last, x):\n    return torch.linspace(first, last, len(x))\n",
            feedback=(
                "The numbers are right. `linspace` has not seen the dtype and device of `x`, so it used the "
                "defaults. Pass both on."
            ),
        ),
        Wrong(
            belief="A tensor with the right dtype is on the right device too.",
            source=("def grid_like(first, last, x):\n    return torch.linspace(first, last, len(x), dtype=x.dtype)\n"),
            feedback=(
                "On the CPU it is right. Where `x` lies on another device, the grid stayed behind: pass `device=`."
            ),
        ),
        Wrong(
            belief="Between n numbers lie n steps.",
            source=(
                "def grid_like(first, last, x):\n    grid = torch.zeros_like(x)\n    for i in range(len(x)):\n "
                "       grid[i] = first + i * (last - first) / len(x)\n    return grid\n"
            ),
            feedback=("Dtype and device are right. The last number falls short: between n numbers lie n - 1 steps."),
        ),
    ),
    after="Counted, not stepped: both ends are exact, and dtype and device follow `x`.",
)

_SPLIT = Exercise(
    key="split",
    task=(
        "Shuffle the numbers 0 to n - 1 and return two tensors: the first `k` of them and the rest. The same `seed` "
        "must give the same split, and torch's global generator must not move."
    ),
    function="split",
    starter="def split(n, k, seed):\n    ...\n",
    solution=(
        "def split(n, k, seed):\n    generator = torch.Generator().manual_seed(seed)\n    order = torch.randperm(n, "
        "generator=generator)\n    return order[:k], order[k:]\n"
    ),
    hints=(
        "`torch.randperm(n)` shuffles 0 to n - 1. Which generator does it draw from?",
        "`torch.manual_seed` seeds the global generator. Make one of your own instead.",
        "`torch.Generator().manual_seed(seed)` returns a seeded generator; hand it over as `generator=`.",
    ),
    cases=SPLIT_CASES,
    observed="the numbers, the seed, the global generator",
    wrong=(
        Wrong(
            belief="Seeding before the draw is all a repeatable function needs.",
            source=(
                "def split(n, k, seed):\n    torch.manual_seed(seed)\n    order = torch.randperm(n)\n    return "
                "order[:k], order[k:]\n"
            ),
            feedback=(
                "It repeats. It also resets the generator that everybody else draws from: whoever calls you gets "
                "the same noise after every call. Draw from a generator of your own."
            ),
        ),
        Wrong(
            belief="A new generator per call is seeded by itself.",
            source=(
                "def split(n, k, seed):\n    order = torch.randperm(n, generator=torch.Generator())\n    return "
                "order[:k], order[k:]\n"
            ),
            feedback=(
                "It repeats for every seed: an unseeded generator always starts from the same number. Give it yours "
                "with `.manual_seed(seed)`."
            ),
        ),
        Wrong(
            belief="Whoever wants to repeat a run seeds it outside.",
            source="def split(n, k, seed):\n    order = torch.randperm(n)\n    return order[:k], order[k:]\n",
            feedback=(
                "The `seed` is not used, so the split depends on what was drawn before, and the global generator moved."
            ),
        ),
        Wrong(
            belief="Cutting is enough.",
            source="def split(n, k, seed):\n    order = torch.arange(n)\n    return order[:k], order[k:]\n",
            feedback="Nothing is shuffled: the first part is 0 to k - 1 for every seed. `torch.randperm` shuffles.",
        ),
        Wrong(
            belief="Drawing each number at random is shuffling.",
            source=(
                "def split(n, k, seed):\n    generator = torch.Generator().manual_seed(seed)\n    order = "
                "torch.randint(0, n, (n,), generator=generator)\n    return order[:k], order[k:]\n"
            ),
            feedback=(
                "`randint` draws each number on its own, so some come twice and some are missing. `torch.randperm` "
                "gives each exactly once."
            ),
        ),
    ),
    after="The split is a function of its arguments, and nobody else's random numbers changed.",
)

_WEIGHTS = Exercise(
    key="weights",
    task=(
        "Return the weights of a layer, as `nn.Linear` stores them: shape (outputs, inputs), drawn evenly from plus "
        "or minus `1 / sqrt(inputs)`, with the `generator` you are given."
    ),
    function="weights",
    starter="def weights(inputs, outputs, generator):\n    ...\n",
    solution=(
        "def weights(inputs, outputs, generator):\n    bound = inputs**-0.5\n    w = torch.empty(outputs, inputs)\n "
        "   return w.uniform_(-bound, bound, generator=generator)\n"
    ),
    hints=(
        "Reserve the bytes with `torch.empty`, in the right order of sizes, then fill them.",
        "`w.uniform_(low, high, generator=...)` fills `w` in place, evenly between two numbers.",
        "The bound is `inputs**-0.5`, from `-bound` to `bound`.",
    ),
    cases=WEIGHT_CASES,
    observed="shape, spread, signs, generator",
    wrong=(
        Wrong(
            belief="Sizes are written in the order the data flows: inputs, outputs.",
            source=(
                "def weights(inputs, outputs, generator):\n    w = torch.empty(inputs, outputs)\n    return "
                "torch.nn.init.kaiming_uniform_(w, a=5**0.5, generator=generator)\n"
            ),
            feedback=(
                "The shape is turned around, and so is the fan: the spread follows the number of outputs. "
                "`nn.Linear` stores (outputs, inputs)."
            ),
        ),
        Wrong(
            belief="`kaiming_uniform_` as it comes is what `nn.Linear` does.",
            source=(
                "def weights(inputs, outputs, generator):\n    w = torch.empty(outputs, inputs)\n    return "
                "torch.nn.init.kaiming_uniform_(w, generator=generator)\n"
            ),
            feedback=(
                "The shape is right, and the spread is `sqrt(6 / inputs)`: 2.4 times too wide. `nn.Linear` calls it "
                "with `a=sqrt(5)`, which gives `1 / sqrt(inputs)`."
            ),
        ),
        Wrong(
            belief="`rand` is spread around zero.",
            source=(
                "def weights(inputs, outputs, generator):\n    return torch.rand(outputs, inputs, "
                "generator=generator) * inputs**-0.5\n"
            ),
            feedback="`rand` draws from 0 to 1, so no weight is negative. Draw from `-bound` to `bound`.",
        ),
        Wrong(
            belief="The spread follows the number of outputs.",
            source=(
                "def weights(inputs, outputs, generator):\n    bound = outputs**-0.5\n    return "
                "torch.empty(outputs, inputs).uniform_(-bound, bound, generator=generator)\n"
            ),
            feedback=(
                "Each output is a sum over the inputs. The more inputs, the smaller each weight: the bound is "
                "`inputs**-0.5`."
            ),
        ),
        Wrong(
            belief="A generator in reach is used by itself.",
            source=(
                "def weights(inputs, outputs, generator):\n    bound = inputs**-0.5\n    return "
                "torch.empty(outputs, inputs).uniform_(-bound, bound)\n"
            ),
            feedback=(
                "The numbers are right, and came from the global generator. Hand yours over: `generator=generator`."
            ),
        ),
    ),
    after="Shape and spread as `nn.Linear` has them, from a generator that the caller controls.",
)

_LOAD = Exercise(
    key="load",
    task=(
        "Return a tensor with the numbers of `array`, in the dtype of `array`, on `device`. It must not matter "
        "which default device is set, and yours must not change it."
    ),
    function="load",
    starter="def load(array, device):\n    ...\n",
    solution="def load(array, device):\n    return torch.as_tensor(array, device=device)\n",
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
            source="def load(array, device):\n    with torch.device(device):\n        return torch.from_numpy(array)\n",
            feedback=(
                "`from_numpy` shares the array's bytes, which lie in CPU memory. It does not listen to a default "
                "device."
            ),
        ),
        Wrong(
            belief="The default device is where my function's tensors should go.",
            source=(
                "def load(array, device):\n    torch.set_default_device(device)\n    return torch.as_tensor(array)\n"
            ),
            feedback=(
                "The tensor is right. But the default device is now yours, for everybody who calls you. Pass `device=`."
            ),
        ),
        Wrong(
            belief="`torch.Tensor` takes what it is given.",
            source="def load(array, device):\n    return torch.Tensor(array).to(device)\n",
            feedback=(
                "The device is right. `torch.Tensor` casts to the default dtype: int64 and float64 came out float32."
            ),
        ),
        Wrong(
            belief="The caller's default device is the one wanted.",
            source="def load(array, device):\n    return torch.as_tensor(array)\n",
            feedback="The `device` you were given is not used, so the default decides. It differs between the cases.",
        ),
    ),
    after="Said in the call, so no default can change it.",
)

EXERCISES = (_ADD_UP, _GRID_LIKE, _SPLIT, _WEIGHTS, _LOAD)
