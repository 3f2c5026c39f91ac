"""xray beside PyTorch's own database of operators: what it calls a view is one, and it changes no result.

The database is loaded in a child process, since loading it changes settings of torch for good. To look at one
operator, run this file with its name: ``python tests/test_tracing_operators.py unfold``.
"""

from __future__ import annotations

import json
import subprocess
import sys
import warnings
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch.utils._pytree import tree_leaves

from tutor import xray

SAMPLES = 4
EXACTLY: dict[str, float] = {"rtol": 0, "atol": 0}
NEW = {"copy", "cast", "transfer", "allocation"}

NO_FLOAT32 = "has no float32"
GPU_ONLY = "Jiterator is only supported on CUDA"
# Those that cannot be compared, and the beginning of why.
EXCEPTIONS = {
    **dict.fromkeys(
        (
            "__rand__",
            "__ror__",
            "__rxor__",
            "bincount",
            "bitwise_and",
            "bitwise_left_shift",
            "bitwise_not",
            "bitwise_or",
            "bitwise_right_shift",
            "bitwise_xor",
            "gcd",
            "imag",
            "istft",
            "lcm",
            "nn.functional.batch_norm.without_cudnn",
            "nn.functional.one_hot",
            "nn.functional.silu.complex",
            "torch._scaled_mm",
            "torch._scaled_mm_v2",
            "torch.ops.aten._efficient_attention_forward",
            "torch.ops.aten._flash_attention_forward",
            "tril_indices",
            "triu_indices",
            "unravel_index",
            "view_as_real",
        ),
        NO_FLOAT32,
    ),
    **dict.fromkeys(
        (
            "jiterator_2inputs_2outputs",
            "jiterator_4inputs_with_extra_args",
            "jiterator_binary",
            "jiterator_binary_return_by_ref",
            "jiterator_unary",
        ),
        GPU_ONLY,
    ),
}
# Their verdict is compared, their values are not: they are whatever lay in memory before.
UNINITIALISED = {"empty", "empty_like", "empty_permuted", "empty_strided", "new_empty", "new_empty_strided"}
# Two bare runs differ as well, in the last digits: compared up to these.
UNSTEADY = {"linalg.lstsq"}


def compare(names: set[str]) -> dict[str, dict[str, str]]:
    """For each operator what came out: agreed, or how it did not."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from torch.testing._internal.common_methods_invocations import op_db  # noqa: PLC0415

        found: dict[str, dict[str, str]] = {"agreed": {}, "other": {}}
        for op in op_db:
            name = f"{op.name}.{op.variant_test_name}".rstrip(".")
            if not names or name in names:
                outcome = outcome_of(op)
                found["agreed" if outcome.startswith("agreed") else "other"][name] = outcome
        return found


def outcome_of(op: Any) -> str:
    if torch.float32 not in op.supported_dtypes("cpu"):
        return NO_FLOAT32
    verdicts = []
    for sample in islice(seeded(op.sample_inputs, "cpu", torch.float32), SAMPLES):
        try:
            plain = seeded(op, sample.input, *sample.args, **sample.kwargs)
        except Exception as error:
            return str(error)
        verdicts.append(verdict_of(op, sample, plain))
        if verdicts[-1] not in ("view", "new", "both", "no tensor"):
            return verdicts[-1]
    return f"agreed: {', '.join(sorted(set(verdicts)))}" if verdicts else "has no samples"


def seeded(call: Any, *args: Any, **kwargs: Any) -> Any:
    torch.manual_seed(5)
    return call(*args, **kwargs)


def verdict_of(op: Any, sample: Any, plain: Any) -> str:
    with xray() as seen:
        result = seeded(op, sample.input, *sample.args, **sample.kwargs)
        so_far = len(seen.events)
        outputs = [x for x in tree_leaves(result) if isinstance(x, torch.Tensor)]
        marks = []
        for x in outputs:
            x.detach()  # tells the number of its memory; torch 2.6 runs it twice
            marks.append(seen.events[-1])
    if seen.notes:
        return f"noted: {seen.notes}"
    if op.name not in UNINITIALISED and not identical(plain, result, exactly=op.name not in UNSTEADY):
        return "another result"
    events = seen.events[:so_far]
    given = [x for x in tree_leaves((sample.input, sample.args, sample.kwargs)) if isinstance(x, torch.Tensor)]
    kinds = set()
    for x, mark in zip(outputs, marks, strict=True):
        shares = any(share(x, y) for y in given)
        if by_xray(events, mark.storages) is not shares:
            return f"{shares} but {[(e.kind, e.op, e.storages) for e in events]} for {mark.storages}"
        kinds.add("view" if shares else "new")
    return "both" if len(kinds) > 1 else kinds.pop() if kinds else "no tensor"


def by_xray(events: Any, storages: tuple[int, ...]) -> bool | None:
    """Whether xray says that memory is older than the events; None if it says nothing of it."""
    told = {event.kind for event in events if set(event.storages) & set(storages)}
    return None if not told or not storages else not told & NEW


def identical(a: Any, b: Any, *, exactly: bool) -> bool:
    ours, theirs = tree_leaves(a), tree_leaves(b)
    return len(ours) == len(theirs) and all(same(x, y, exactly) for x, y in zip(ours, theirs, strict=True))


def same(x: Any, y: Any, exactly: bool) -> bool:
    if not isinstance(x, torch.Tensor):
        return bool(x == y) or bool(np.isnan(x) and np.isnan(y))
    if (x.dtype, x.device, x.shape, x.layout) != (y.dtype, y.device, y.shape, y.layout):
        return False
    if x.layout == torch.strided and (x.stride(), x.storage_offset()) != (y.stride(), y.storage_offset()):
        return False
    try:
        torch.testing.assert_close(x, y, **EXACTLY if exactly else {}, equal_nan=True)
    except AssertionError:
        return False
    return True


def share(x: torch.Tensor, y: torch.Tensor) -> bool:
    """Whether two tensors lie in one storage, or in storages that meet in memory."""
    return any(
        p._cdata == q._cdata or (p.data_ptr() < q.data_ptr() + q.nbytes() and q.data_ptr() < p.data_ptr() + p.nbytes())
        for p in storages_of(x)
        for q in storages_of(y)
    )


def storages_of(x: torch.Tensor) -> list[torch.UntypedStorage]:
    if x.layout == torch.sparse_coo:
        return [x._indices().untyped_storage(), x._values().untyped_storage()]
    if x.layout == torch.sparse_csr:
        return [part.untyped_storage() for part in (x.crow_indices(), x.col_indices(), x.values())]
    return [x.untyped_storage()]


@pytest.fixture(scope="module")
def found() -> dict[str, dict[str, str]]:
    command = [sys.executable, "-W", "ignore", str(Path(__file__).resolve())]
    child = subprocess.run(command, capture_output=True, text=True, check=False)
    assert child.returncode == 0, child.stderr
    result: dict[str, dict[str, str]] = json.loads(child.stdout.splitlines()[-1])
    return result


def test_verdicts_and_results_agree_for_600_operators(found: dict[str, dict[str, str]]) -> None:
    assert len(found["agreed"]) >= 600
    told = set(found["agreed"].values())
    assert {"agreed: view", "agreed: new", "agreed: new, view"} <= told


def test_every_exception_has_its_reason(found: dict[str, dict[str, str]]) -> None:
    assert {name: why for name, why in found["other"].items() if not why.startswith(EXCEPTIONS.get(name, "?"))} == {}
    assert EXCEPTIONS.keys() & found["agreed"].keys() == set()


@pytest.mark.parametrize(
    ("name", "verdict"), [("unfold", "view"), ("unfold_copy", "new"), ("reshape", "view"), ("sort", "new")]
)
def test_examples(found: dict[str, dict[str, str]], name: str, verdict: str) -> None:
    assert verdict in found["agreed"][name]


if __name__ == "__main__":
    print(json.dumps(compare(set(sys.argv[1:]))))
