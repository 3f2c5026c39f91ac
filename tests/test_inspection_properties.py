"""Random arrays: the facts agree with what torch and NumPy say themselves, and predictions with what happens."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tutor import compare, inspect_tensor
from tutor._overlap import distinct_elements, sharing
from tutor.inspection import Values

calm = settings(deadline=None, max_examples=150, suppress_health_check=[HealthCheck.too_slow])

FLOATS = (torch.float16, torch.bfloat16, torch.float32, torch.float64, torch.float8_e5m2)
INTEGERS = (torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.uint16, torch.uint32, torch.uint64)
DTYPES = (*FLOATS, *INTEGERS, torch.bool, torch.complex64, torch.complex128)
SPECIAL = (0.0, -0.0, 1.0, -2.5, 1e4, math.nan, math.inf, -math.inf)


@st.composite
def tensors(draw: st.DrawFn, dtypes: tuple[torch.dtype, ...] = DTYPES) -> torch.Tensor:
    """A small tensor of any of the dtypes, seen through a few views."""
    shape = draw(st.lists(st.integers(0, 4), max_size=4))
    n = math.prod(shape)
    numbers = draw(st.lists(st.sampled_from(SPECIAL), min_size=n, max_size=n))
    dtype = draw(st.sampled_from(dtypes))
    if not (dtype.is_floating_point or dtype.is_complex):
        numbers = [abs(x) % 100 if math.isfinite(x) else 7 for x in numbers]
    x = torch.tensor(numbers, dtype=torch.float64).to(dtype).reshape(shape)
    return draw(views(x))


@st.composite
def views(draw: st.DrawFn, x: torch.Tensor) -> torch.Tensor:
    """The tensor itself, or a transposed, sliced, expanded or lazily conjugated view of it."""
    for _ in range(draw(st.integers(0, 3))):
        kind = draw(st.sampled_from(("transpose", "slice", "expand", "conj", "imag")))
        if kind == "transpose" and x.dim():
            x = x.transpose(draw(st.integers(0, x.dim() - 1)), draw(st.integers(0, x.dim() - 1)))
        elif kind == "slice" and x.dim():
            x = x[draw(st.integers(0, 2)) :: draw(st.integers(1, 3))]
        elif kind == "expand":
            x = x.expand(draw(st.integers(0, 3)), *x.shape)
        elif kind == "conj":
            x = x.conj()
        elif kind == "imag" and x.is_complex():
            x = x.imag
    return x


@st.composite
def arrays(draw: st.DrawFn) -> np.ndarray[Any, Any]:
    """A small NumPy array with any strides and either byte order."""
    shape = draw(st.lists(st.integers(0, 4), max_size=3))
    n = math.prod(shape)
    dtype = draw(st.sampled_from(("f2", "<f4", ">f4", "<f8", ">f8", "c8", ">c16")))
    values = draw(
        st.lists(st.sampled_from((0.0, -0.0, 1.5, -2.0, math.nan, math.inf, -math.inf)), min_size=n, max_size=n)
    )
    x = np.array(values).astype(dtype).reshape(shape)
    for axis in range(x.ndim):
        step = draw(st.sampled_from((1, -1, 2, -2)))
        x = x[(slice(None),) * axis + (slice(None, None, step),)]
    return x.T if draw(st.booleans()) else x


@calm
@given(tensors())
def test_the_facts_are_torchs_own(x: torch.Tensor) -> None:
    facts = inspect_tensor(x)
    assert (facts.shape, facts.strides, facts.storage_offset) == (tuple(x.shape), x.stride(), x.storage_offset())
    assert (facts.dtype, facts.device, facts.numel) == (x.dtype, x.device, x.numel())
    assert (facts.contiguous, facts.is_conj, facts.is_neg) == (x.is_contiguous(), x.is_conj(), x.is_neg())
    assert (facts.bytes_storage, facts.is_leaf) == (x.untyped_storage().nbytes(), x.is_leaf)
    if x.numel():
        assert facts.address == x.data_ptr()


@calm
@given(arrays())
def test_the_facts_are_numpys_own(x: np.ndarray[Any, Any]) -> None:
    facts = inspect_tensor(x)
    assert (facts.shape, facts.dtype, facts.address) == (x.shape, x.dtype, x.__array_interface__["data"][0])
    assert facts.strides == tuple(s // x.itemsize for s in x.strides)
    assert (facts.contiguous, facts.writeable) == (x.flags.c_contiguous, x.flags.writeable)


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 9)), max_size=4))
def test_distinct_elements_are_counted_or_left_open(dims: list[tuple[int, int]]) -> None:
    shape, strides = [n for n, _ in dims], [s for _, s in dims]
    places = {sum(i * s for i, s in zip(index, strides, strict=True)) for index in np.ndindex(*shape)}
    assert distinct_elements(shape, strides) in (len(places), None)


def naive(x: np.ndarray[Any, Any]) -> dict[str, Any]:
    """Count the plain way, over all elements at once."""
    flat = x.astype(np.complex128 if x.dtype.kind == "c" else np.float64).ravel()
    parts = np.stack([flat.real, flat.imag], -1)
    finite = flat[np.isfinite(flat)]
    mean = None
    if finite.size:
        real, imag = (math.fsum(part) / finite.size for part in (finite.real, finite.imag))
        mean = complex(real, imag) if x.dtype.kind == "c" else real
    ordered = finite.size and x.dtype.kind != "c"
    return {
        "n": flat.size,
        "nan": int(np.isnan(flat).sum()),
        "posinf": int((parts == math.inf).any(-1).sum()),
        "neginf": int((parts == -math.inf).any(-1).sum()),
        "zeros": int((flat == 0).sum()),
        "min": finite.min() if ordered else None,
        "max": finite.max() if ordered else None,
        "mean": mean,
    }


def assert_as_counted(seen: object, expected: dict[str, Any]) -> None:
    assert isinstance(seen, Values)
    for name, value in expected.items():
        if value is None:
            assert not getattr(seen, name), name
        else:
            assert getattr(seen, name) == pytest.approx(value, rel=1e-12), name


@calm
@given(tensors())
def test_values_of_tensors_are_the_naive_ones(x: torch.Tensor) -> None:
    wide = x.resolve_conj().resolve_neg().to(torch.complex128 if x.is_complex() else torch.float64)
    assert_as_counted(inspect_tensor(x, values=True).values, naive(wide.numpy()))


@calm
@given(arrays())
def test_values_of_arrays_are_the_naive_ones(x: np.ndarray[Any, Any]) -> None:
    assert_as_counted(inspect_tensor(x, values=True).values, naive(x))


@pytest.mark.parametrize("dtype", INTEGERS)
def test_integer_means_are_exact(dtype: torch.dtype) -> None:
    info = torch.iinfo(dtype)
    numbers = [info.min, info.max, info.max, 0, 1, info.max - 1]
    seen = inspect_tensor(torch.tensor(numbers, dtype=dtype), values=True).values
    assert isinstance(seen, Values)
    assert (seen.min, seen.max, seen.mean) == (info.min, info.max, sum(numbers) / len(numbers))


@calm
@given(st.data())
def test_sharing_is_what_the_bytes_say(data: st.DataObject) -> None:
    base = torch.arange(24.0)
    a, b = (data.draw(views(base.reshape(2, 3, 4))) for _ in range(2))
    places = [_addresses(x) for x in (a, b)]
    assert sharing(a, b).elements_overlap == bool(places[0] & places[1])


def _addresses(x: torch.Tensor) -> set[int]:
    return {x[index].data_ptr() for index in np.ndindex(*x.shape)}


def happening(operation: str, a: Any, b: Any) -> tuple[Any, ...]:
    """What really happens when two operands meet."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            result = a + b if operation == "add" else a @ b
        except Exception as error:
            return type(error).__name__, str(error)
    grad = result.requires_grad if isinstance(result, torch.Tensor) else None
    return type(result), result.dtype, tuple(result.shape), grad


def prediction(operation: str, a: Any, b: Any) -> tuple[Any, ...]:
    """What compare says would happen."""
    outcome = getattr(compare(a, b), operation)
    assert outcome.undecided is None
    if outcome.error:
        return outcome.error, outcome.message
    module, _, name = outcome.kind.rpartition(".")
    kind = getattr({"torch": torch, "numpy": np}[module], name)
    return kind, outcome.dtype, outcome.shape, outcome.requires_grad


SHAPES = st.lists(st.sampled_from((0, 1, 2, 3, 4)), max_size=4).map(tuple)
ANY_DTYPE = st.sampled_from((*DTYPES, torch.float8_e4m3fn, torch.complex32))


@st.composite
def operands(draw: st.DrawFn) -> Any:
    """A tensor or an array, with any dtype, strides and number of dimensions; half of them fit (3, 4) or (4, 3)."""
    shape = draw(st.one_of(SHAPES, st.sampled_from(((3, 4), (4, 3), (4,), (3,), (2, 3, 4), (2, 4, 3), ()))))
    if draw(st.integers(0, 3)) == 0:
        dtype = draw(st.sampled_from(("f2", "<f4", ">f4", "f8", "i4", "u2", "?", "c8", "<U3", "M8[s]", "m8[s]")))
        array = np.zeros(shape[::-1], dtype).T if draw(st.booleans()) else np.zeros(shape, dtype)
        return array[::-1] if array.ndim and draw(st.booleans()) else array
    dtype = draw(ANY_DTYPE)
    x = torch.zeros(shape[::-1], dtype=dtype).permute(tuple(range(len(shape)))[::-1])
    x = (
        x.transpose(0, 1).clone(memory_format=torch.contiguous_format).transpose(0, 1)
        if draw(st.booleans()) and x.dim() > 1
        else x
    )
    x = x.contiguous() if draw(st.booleans()) else x
    if draw(st.booleans()) and dtype in (torch.float32, torch.float64, torch.bfloat16):
        x.requires_grad_()
    return x.to("meta") if draw(st.integers(0, 9)) == 0 else x


@pytest.mark.filterwarnings("ignore:ComplexHalf")
@settings(calm, max_examples=500)
@given(operands(), operands(), st.sampled_from(("add", "matmul")))
def test_predictions_come_true(a: Any, b: Any, operation: str) -> None:
    assert prediction(operation, a, b) == happening(operation, a, b)


@pytest.mark.parametrize("a", [(), (1,), (3,), (2, 3)])
@pytest.mark.parametrize("b", [(), (3,), (3, 3)])
@pytest.mark.filterwarnings("ignore")
def test_every_pair_of_dtypes(a: tuple[int, ...], b: tuple[int, ...]) -> None:
    for first in DTYPES:
        for second in DTYPES:
            pair = torch.zeros(a, dtype=first), torch.zeros(b, dtype=second)
            for operation in ("add", "matmul"):
                assert prediction(operation, *pair) == happening(operation, *pair), (first, second, operation)
