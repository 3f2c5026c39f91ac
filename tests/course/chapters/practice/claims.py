"""One claim for each verdict."""

from typing import Any

from tutor.course.model import Check, Claim, Taught


def claim(name: str, taught: Taught, *codes: str, **more: Any) -> Claim:
    checks = tuple(Check(f"part {i} of {name}", source) for i, source in enumerate(codes))
    return Claim((name,), f"`{name}` & more.", taught, "What really happens.", "Why people believe it.", checks, **more)


SHARED = """
a = np.zeros(3)
t = torch.from_numpy(a)
a[0] = 9
t
torch.from_numpy(a[::-1])
shares(t, a)
"""

CLAIMS = (
    claim("true", "true", SHARED),
    claim("false", "false", "1 + 1\n1 == 2"),
    claim("partly", "partly", "True", "False"),
    claim("depends", "depends on version", "False"),
    claim("undecided", "true", "None"),
    claim("broken", "true", "x = undefined_name\nTrue"),
    claim("otherwise", "true", "False"),
    claim("timed", "true", "times(lambda: sum(range(20_000)), lambda: sum(range(10)), budget=0.05) > 2"),
    claim("gpu", "true", "True", needs=("cuda",)),
    claim("module", "true", "True", needs=("a_module_that_is_nowhere",)),
    claim("opinion", "not checkable"),
)
