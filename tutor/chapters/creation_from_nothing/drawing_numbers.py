"""The two exercises of chapter 02 that draw random numbers."""

from __future__ import annotations

from tutor.chapters.creation_from_nothing.cases import SPLIT_CASES, WEIGHT_CASES
from tutor.course.model import Exercise, Wrong

SPLIT = Exercise(
    key="split",
    task=(
        "Shuffle the numbers 0 to n - 1 and return two tensors: the first `k` of them and the rest. The same `seed` "
        "must give the same split, and torch's global generator must not move."
    ),
    function="split",
    starter='''\
def split(n, k, seed):
    """The numbers 0 to n - 1, shuffled: the first k, and the rest."""
    ...
''',
    solution="""\
def split(n, k, seed):
    generator = torch.Generator().manual_seed(seed)
    order = torch.randperm(n, generator=generator)
    return order[:k], order[k:]
""",
    hints=(
        "`torch.randperm(n)` shuffles 0 to n - 1. Which generator does it draw from?",
        "`torch.manual_seed` seeds the global generator. Make one of your own instead.",
        "`torch.Generator().manual_seed(seed)` returns a seeded generator; hand it over as `generator=`.",
    ),
    cases=SPLIT_CASES,
    observed="numbers, order, global generator",
    wrong=(
        Wrong(
            belief="Seeding before the draw is all a repeatable function needs.",
            source="""\
def split(n, k, seed):
    torch.manual_seed(seed)
    order = torch.randperm(n)
    return order[:k], order[k:]
""",
            feedback=(
                "It repeats. It also resets the generator that everybody else draws from: whoever calls you gets "
                "the same noise after every call. Draw from a generator of your own."
            ),
        ),
        Wrong(
            belief="A new generator per call is seeded by itself.",
            source="""\
def split(n, k, seed):
    order = torch.randperm(n, generator=torch.Generator())
    return order[:k], order[k:]
""",
            feedback=(
                "It repeats for every seed: an unseeded generator always starts from the same number. Give it yours "
                "with `.manual_seed(seed)`."
            ),
        ),
        Wrong(
            belief="Whoever wants to repeat a run seeds it outside.",
            source="""\
def split(n, k, seed):
    order = torch.randperm(n)
    return order[:k], order[k:]
""",
            feedback=(
                "The `seed` is not used, so the split depends on what was drawn before, and the global generator moved."
            ),
        ),
        Wrong(
            belief="NumPy's shuffle is out of the way of torch's generator, and that is enough.",
            source="""\
def split(n, k, seed):
    order = torch.from_numpy(np.random.permutation(n))
    return order[:k], order[k:]
""",
            feedback=(
                "torch's global generator is untouched, and `seed` is not used: the same seed gave another split. "
                "Seed a generator of your own, and draw from it."
            ),
        ),
        Wrong(
            belief="Cutting is enough.",
            source="""\
def split(n, k, seed):
    order = torch.arange(n)
    return order[:k], order[k:]
""",
            feedback="Nothing is shuffled: the first part is 0 to k - 1 for every seed. `torch.randperm` shuffles.",
        ),
        Wrong(
            belief="Drawing each number at random is shuffling.",
            source="""\
def split(n, k, seed):
    generator = torch.Generator().manual_seed(seed)
    order = torch.randint(0, n, (n,), generator=generator)
    return order[:k], order[k:]
""",
            feedback=(
                "`randint` draws each number on its own, so some come twice and some are missing. `torch.randperm` "
                "gives each exactly once."
            ),
        ),
    ),
    after="The split is a function of its arguments, and nobody else's random numbers changed.",
)

WEIGHTS = Exercise(
    key="weights",
    task=(
        "Return the weights of a layer, as `nn.Linear` stores them: shape (outputs, inputs), drawn evenly from plus "
        "or minus `1 / sqrt(inputs)`, with the `generator` you are given."
    ),
    function="weights",
    starter='''\
def weights(inputs, outputs, generator):
    """Weights of a layer, within 1 / sqrt(inputs) of zero."""
    ...
''',
    solution="""\
def weights(inputs, outputs, generator):
    bound = inputs**-0.5
    w = torch.empty(outputs, inputs)
    return w.uniform_(-bound, bound, generator=generator)
""",
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
            source="""\
def weights(inputs, outputs, generator):
    w = torch.empty(inputs, outputs)
    return torch.nn.init.kaiming_uniform_(w, a=5**0.5, generator=generator)
""",
            feedback=(
                "The shape is turned around, and so is the fan: the spread follows the number of outputs. "
                "`nn.Linear` stores (outputs, inputs)."
            ),
        ),
        Wrong(
            belief="`kaiming_uniform_` as it comes is what `nn.Linear` does.",
            source="""\
def weights(inputs, outputs, generator):
    w = torch.empty(outputs, inputs)
    return torch.nn.init.kaiming_uniform_(w, generator=generator)
""",
            feedback=(
                "The shape is right, and the spread is `sqrt(6 / inputs)`: 2.4 times too wide. `nn.Linear` calls it "
                "with `a=sqrt(5)`, which gives `1 / sqrt(inputs)`."
            ),
        ),
        Wrong(
            belief="Numbers of spread 1, made smaller, stay within the bound.",
            source="""\
def weights(inputs, outputs, generator):
    return torch.randn(outputs, inputs, generator=generator) * inputs**-0.5
""",
            feedback=(
                "`randn` draws most numbers near zero and a few far out, beyond any bound. Drawn evenly means that "
                "all between `-bound` and `bound` are equally likely: `uniform_`."
            ),
        ),
        Wrong(
            belief="`rand` is spread around zero.",
            source="""\
def weights(inputs, outputs, generator):
    return torch.rand(outputs, inputs, generator=generator) * inputs**-0.5
""",
            feedback="`rand` draws from 0 to 1, so no weight is negative. Draw from `-bound` to `bound`.",
        ),
        Wrong(
            belief="The spread follows the number of outputs.",
            source="""\
def weights(inputs, outputs, generator):
    bound = outputs**-0.5
    return torch.empty(outputs, inputs).uniform_(-bound, bound, generator=generator)
""",
            feedback=(
                "Each output is a sum over the inputs. The more inputs, the smaller each weight: the bound is "
                "`inputs**-0.5`."
            ),
        ),
        Wrong(
            belief="A generator in reach is used by itself.",
            source="""\
def weights(inputs, outputs, generator):
    bound = inputs**-0.5
    return torch.empty(outputs, inputs).uniform_(-bound, bound)
""",
            feedback=(
                "The numbers are right, and came from the global generator. Hand yours over: `generator=generator`."
            ),
        ),
    ),
    after="Shape and spread as `nn.Linear` has them, from a generator that the caller controls.",
)
