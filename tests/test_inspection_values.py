"""What `inspect_tensor(x, values=True)` counts."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from tutor import inspect_tensor
from tutor.inspection import Unavailable, Values


def test_nested_tensors_are_counted_to_the_last_element() -> None:
    jagged = torch.nested.nested_tensor([torch.ones(2, 3), torch.ones(4, 3)], layout=torch.jagged)
    facts = inspect_tensor(jagged, values=True)
    assert isinstance(facts.values, Values)
    assert (facts.values.n, facts.values.mean) == (18, 1)
    assert facts.shape is not None
    assert facts.shape[0] == 2


def test_values_that_are_not_finite() -> None:
    x = torch.tensor([math.nan, math.inf, math.inf, -math.inf, 0.0, -0.0, 3.0])
    seen = inspect_tensor(x, values=True).values
    assert isinstance(seen, Values)
    assert (seen.n, seen.nan, seen.posinf, seen.neginf, seen.zeros) == (7, 1, 2, 1, 2)
    assert (seen.min, seen.max, seen.mean) == (0, 3, 1)


def test_no_finite_value_and_no_value() -> None:
    for x, why in ((torch.full((3,), math.nan), "no value is finite"), (torch.empty(0), "there are no values")):
        seen = inspect_tensor(x, values=True).values
        assert isinstance(seen, Values)
        assert seen.min == seen.max == seen.mean == Unavailable(why)


def test_means_beyond_the_range_of_the_dtype() -> None:
    largest = torch.finfo(torch.float32).max
    cases = {
        "float32": (torch.full((3_000_000,), largest), largest),
        "float64": (torch.full((3,), 1.7e308, dtype=torch.float64), None),
        "int64": (torch.full((3_000_000,), 2**63 - 1), float(2**63 - 1)),
        "lowest int64": (torch.full((1000,), -(2**63)), float(-(2**63))),
        "uint64": (torch.from_numpy(np.full(1000, 2**64 - 1, np.uint64)), float(2**64 - 1)),
        "int8": (torch.full((1000,), 127, dtype=torch.int8), 127),
    }
    for name, (x, mean) in cases.items():
        seen = inspect_tensor(x, values=True).values
        if mean is None:  # the sum of finite values is not finite, and the walk says so
            assert isinstance(seen, Unavailable | Values), name
        else:
            assert isinstance(seen, Values), name
            assert seen.mean == pytest.approx(mean, rel=1e-12), name


def test_a_large_mean_is_as_exact_as_float64() -> None:
    x = torch.rand(3_000_001, generator=torch.Generator().manual_seed(0)) + 1000
    seen = inspect_tensor(x, values=True).values
    assert isinstance(seen, Values)
    assert seen.mean == pytest.approx(float(x.double().mean()), rel=1e-7)
    assert (seen.min, seen.max) == (float(x.min()), float(x.max()))


def test_an_expanded_tensor_counts_what_is_seen_and_reads_what_is_there() -> None:
    seen = inspect_tensor(torch.tensor([0.0, 1.0]).expand(10**6, 10**5, 2), values=True).values
    assert isinstance(seen, Values)
    assert (seen.n, seen.zeros, seen.mean) == (2 * 10**11, 10**11, 0.5)


def test_a_masked_array_counts_what_is_not_masked() -> None:
    seen = inspect_tensor(np.ma.masked_greater(np.arange(12.0), 5), values=True).values
    assert isinstance(seen, Values)
    assert (seen.counted, seen.n, seen.max) == ("unmasked elements", 6, 5)


def test_the_strip_shows_the_shape_of_the_values() -> None:
    seen = inspect_tensor(torch.arange(100_000) % 10, values=True).values
    assert isinstance(seen, Values)
    assert len(seen.histogram) == 10
    assert sum(seen.histogram) == seen.sampled
    assert max(seen.histogram) < 1.1 * min(seen.histogram)


def test_the_values_are_on_one_line_of_text() -> None:
    text = repr(inspect_tensor(torch.tensor([-1.0, 0.0, math.nan]), values=True))
    assert text.splitlines()[-1] == "min −1   max 0   mean −0.5   NaN 1   inf 0   zero 1"


def test_a_long_walk_leaves_torchs_threads_as_they_are() -> None:
    threads = torch.get_num_threads()
    x = torch.rand(2**22 + 5, generator=torch.Generator().manual_seed(0)).sub_(0.5)
    x[::1000] = math.nan
    x[1::1000] = 0
    for view in (x, x[: 2**22].view(2048, 2048).T, x.double()):
        first, second = (inspect_tensor(view, values=True).values for _ in range(2))
        assert isinstance(first, Values)
        assert first == second
        finite = view[~view.isnan()]
        assert (first.n, first.nan, first.zeros) == (view.numel(), int(view.isnan().sum()), int((view == 0).sum()))
        assert (first.min, first.max) == (float(finite.min()), float(finite.max()))
        assert first.mean == pytest.approx(float(finite.double().mean()), abs=1e-9)
    assert torch.get_num_threads() == threads


def test_a_jagged_tensor_with_gaps_counts_only_its_own_rows() -> None:
    starts, lengths = torch.tensor([0, 1, 2]), torch.tensor([2, 2, 1])
    rows = torch.arange(30.0).reshape(3, 5, 2)
    facts = inspect_tensor(torch.nested.narrow(rows, 1, starts, lengths, layout=torch.jagged), values=True)
    assert isinstance(facts.values, Values)
    assert (facts.values.n, facts.values.max) == (10, 25)
    assert isinstance(facts.bytes_seen, Unavailable)
    assert "lengths int64 (3,)" in facts.parts


def test_the_mean_beside_an_infinity_is_as_exact_as_without() -> None:
    x = torch.full((129,), 0.1)
    x[0], x[1] = 2.0**25, math.inf
    facts = inspect_tensor(x, values=True)
    assert isinstance(facts.values, Values)
    assert facts.values.mean == math.fsum(v for v in x.tolist() if math.isfinite(v)) / 128
