"""A number in every dtype: each value, each neighbour and each word is what torch gives when it is asked again."""

from __future__ import annotations

import math
import random
from bisect import bisect_left, bisect_right
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
import torch

from tutor import number_line
from tutor._dtypes.floats import FLOATS, FORMATS, cast
from tutor._dtypes.number import number
from tutor._dtypes.words import about, exact_text, short_text
from tutor.drawing.dtypes import formula
from tutor.dtypes import FloatCast, IntegerCast, casts

SEED = 20250131
SIGNED = {8: torch.int8, 16: torch.int16, 32: torch.int32, 64: torch.int64}
SPECIAL = (
    *(0.0, -0.0, 0.1, 1 / 3, 257.0, 2049.0, 16777217.0, 448.0, 464.0, 465.0, 57344.0, 65504.0, 65519.0, 65520.0, 1e-8),
    *(70000.0, -70000.0, 3.4e38, 1e300, 5e-324, 2.0**-150, 1 + 2**-11 + 2**-40, 2.0**-24, -(2.0**-9), 1e-45),
)


def numbers() -> list[float]:
    """Special ones, and random ones of all sizes."""
    rng = random.Random(SEED)
    return [*SPECIAL, *(rng.choice((-1, 1)) * 2 ** rng.uniform(-160, 130) for _ in range(150))]


def float_cast(x: object, dtype: str) -> FloatCast:
    return cast(number(x), dtype)


def integer_cast(x: object, dtype: str) -> IntegerCast:
    found = casts(x)[dtype]
    assert isinstance(found, IntegerCast)
    return found


@cache
def all_values(name: str) -> list[float]:
    """All finite values of a dtype of 8 or 16 bits, in order."""
    dtype = getattr(torch, name)
    size = torch.finfo(dtype).bits
    patterns = torch.arange(-(2 ** (size - 1)), 2 ** (size - 1)).to(SIGNED[size])
    values = patterns.view(dtype).double()
    return sorted(set(values[values.isfinite()].tolist()))


@pytest.mark.parametrize(
    "text",
    ["0.1", "1e-8", "2**24 + 1", " -7 ", "0xff", "0b101", "1_000", "-(3 - 5) * 2", "2**-3", "7/2", "2**0.5", "1e400"],
)
def test_text_is_read_as_python_reads_it(text: str) -> None:
    expected = eval(text.strip())
    assert (type(number(text).value), number(text).value) == (type(expected), expected)


@pytest.mark.parametrize(("text", "value"), [("-inf", -math.inf), ("Infinity", math.inf), ("0x1.8p3", 12.0)])
def test_names_and_hexadecimal_floats_are_read(text: str, value: float) -> None:
    assert number(text).value == value
    assert math.isnan(number("NaN").value)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "x: expected a number, but there is nothing"),
        ("abc", "x: 'abc' is no number; write one such as 0.1"),
        ("__import__('os')", "is no number"),
        ("(1).real", "is no number"),
        ("[1]", "is no number"),
        ("True", "is no number"),
        ("1,000", "is no number"),
        ("1j", "is no number"),
        ("(-8)**0.5", "is no number"),
        ("7 // 2", "is no number"),
        ("(" * 200 + ")" * 200, "is no number"),
        ("1/0", "x: '1/0' divides by zero"),
        ("0**-1", "x: '0**-1' divides by zero"),
        ("9**9**9**9", "x: '9**9**9**9' is larger than any float64, which end at about 1.8e308"),
        ("10**400", "is larger than any float64"),
        ("2**1023 * 2**1023", "is larger than any float64"),
        ("2.0**5000", "is larger than any float64"),
        ("0x1p5000", "no hexadecimal float"),
        ("1" * 500, "x: expected at most 400 characters, but got 500"),
    ],
)
def test_other_text_is_refused_in_one_sentence(text: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=r"^x: ") as caught:
        number(text)
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("x", [None, True, 1j, [1], torch.ones(2), np.ones(2), torch.tensor(1j), np.bool_(True)])
def test_what_is_no_number_is_a_type_error(x: object) -> None:
    with pytest.raises(TypeError, match="x: expected a real number, or text such as"):
        casts(x)


def test_tensors_and_numpy_numbers_with_one_element_are_numbers() -> None:
    assert number(torch.tensor([2.5], dtype=torch.bfloat16)).value == 2.5
    assert number(torch.tensor(7, dtype=torch.uint8)).value == 7
    assert number(np.float32(0.1)).value == float(np.float32(0.1))
    assert number(np.uint64(2**64 - 1)).value == 2**64 - 1
    assert type(number(np.float64(1)).value) is float


@pytest.mark.parametrize("name", FLOATS)
def test_floats_are_what_the_cast_gives_bit_for_bit(name: str) -> None:
    dtype = getattr(torch, name)
    for x in (*numbers(), math.nan, math.inf, -math.inf):
        made = torch.tensor([x], dtype=torch.float64).to(dtype)
        found = float_cast(x, name)
        assert str(found.value) == str(made.double().item())
        pattern = made.view(SIGNED[dtype.itemsize * 8]).item()
        bits = found.bits.sign + found.bits.exponent + found.bits.fraction
        assert int(bits, 2) == pattern % 2 ** (8 * dtype.itemsize)
        assert len(bits) == 8 * dtype.itemsize


@pytest.mark.parametrize("name", FLOATS)
def test_the_formula_gives_the_value(name: str) -> None:
    for x in numbers():
        found = float_cast(x, name)
        if math.isfinite(found.value):
            sign, said = formula(found)[0], formula(found)[1:].replace("−", "-").replace("×", "*")
            value = eval(said.replace("2**", "Fraction(2)**").replace("/", "/Fraction(1)/"), {"Fraction": Fraction})
            assert (value if sign == "+" else -value) == Fraction(found.value)


@pytest.mark.parametrize("name", ["float16", "bfloat16", "float32", "float64"])
def test_neighbours_are_those_of_nextafter(name: str) -> None:
    dtype = getattr(torch, name)
    ends = [torch.tensor([end], dtype=dtype) for end in (-math.inf, math.inf)]
    for x in numbers():
        made = torch.tensor([x], dtype=torch.float64).to(dtype)
        held = float(made.double().item())
        if not math.isfinite(held):
            continue
        below, above = (float(torch.nextafter(made, end).double().item()) for end in ends)
        found = float_cast(x, name)
        expected = (below, above) if held == x else (held, above) if held < x else (below, held)
        if found.is_nearest:
            assert (found.below, found.above) == tuple(one if math.isfinite(one) else None for one in expected)


@pytest.mark.parametrize("name", ["float8_e5m2", "float8_e4m3fn", "bfloat16", "float16"])
def test_neighbours_step_and_nearest_are_those_among_all_values(name: str) -> None:
    values = all_values(name)
    for x in numbers():
        found = float_cast(x, name)
        left, right = bisect_left(values, x), bisect_right(values, x)
        below, above = values[left - 1] if left else None, values[right] if right < len(values) else None
        assert (found.below, found.above) == (below, above)
        held = values[left:right]
        if found.error is not None:
            beside = [Fraction(one) for one in (below, *held, above) if one is not None]
            assert found.is_nearest == (abs(found.error) == min(abs(one - Fraction(x)) for one in beside))
        if held:
            away, towards = (above, below) if x >= 0 else (below, above)
            beside_it = away if away is not None else towards
            assert beside_it is not None
            assert found.step == abs(Fraction(beside_it) - Fraction(x))
        else:
            assert found.step == (Fraction(above) - Fraction(below) if None not in (below, above) else None)


def test_the_spacing_is_that_of_numpy() -> None:
    for x in (0.0, 1.0, 0.1, -3.0, 1e10, 5e-324, -1e300):
        step = float_cast(x, "float64").step
        assert step is not None
        assert float(step) == abs(np.spacing(x))


def test_a_cast_that_rounds_twice_is_found_out() -> None:
    found = float_cast("1 + 2**-11 + 2**-40", "float16")
    assert (found.value, found.above) == (1.0, 1.0009765625)
    assert not found.is_nearest
    assert found.by_way_of_float32
    assert "In float16, 1.0009765625 lies nearer to x than 1." in repr(casts("1 + 2**-11 + 2**-40"))


@pytest.mark.parametrize(
    ("x", "dtype", "outcome"),
    [
        ("2**24 + 1", "float32", "rounded"),
        (2049, "float16", "rounded"),
        (257, "bfloat16", "rounded"),
        (1e-8, "float16", "zero"),
        (70000, "float16", "inf"),
        (70000, "bfloat16", "rounded"),
        (65519, "float16", "last"),
        (0.1, "float64", "exact"),
        ("nan", "float16", "exact"),
        ("-inf", "bfloat16", "exact"),
    ],
)
def test_what_becomes_of_a_number_has_a_name(x: object, dtype: str, outcome: str) -> None:
    assert float_cast(x, dtype).outcome == outcome


def test_errors_are_exact_and_in_steps() -> None:
    found = float_cast(2049, "float16")
    assert (found.error, found.step, found.steps) == (-1, 2, -0.5)
    assert found.relative == pytest.approx(-1 / 2049)
    large = float_cast(10**30, "float64")
    assert large.error == Fraction(1e30) - 10**30 != 0


@pytest.mark.parametrize("name", ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"])
def test_integers_are_what_the_cast_gives(name: str) -> None:
    dtype, ends = getattr(torch, name), torch.iinfo(getattr(torch, name))
    for x in (0, 300, -1, 2**31, 2**62 + 1, -(2**63), 0.9, -0.9, 300.7, -1.5, 1e20, math.nan, math.inf, -math.inf):
        source = torch.int64 if isinstance(x, int) else torch.float64
        found = integer_cast(x, name)
        assert found.value == torch.tensor([x], dtype=source).to(dtype).item()
        assert (found.low, found.high) == (ends.min, ends.max)
        if found.outcome in ("exact", "wrapped"):
            assert (found.value - x) % 2**ends.bits == 0
            assert (found.outcome == "exact") == (ends.min <= x <= ends.max)
        elif found.outcome == "cut":
            assert found.value == math.trunc(x) != x
        else:
            assert isinstance(x, float)
            assert not math.isfinite(x) or not ends.min <= math.trunc(x) <= ends.max


def test_what_a_longer_tensor_gives_is_said_where_it_differs() -> None:
    for x in (math.nan, -3e9, 1e10, 300.7):
        for found in casts(x).integers:
            longer = torch.full((67,), x, dtype=torch.float64).to(getattr(torch, found.dtype))
            assert {found.value, *found.others} == {found.value, *longer.tolist()}
            assert ("in a longer tensor also" in repr(casts(x))) == any(one.others for one in casts(x).integers)


def test_the_constructor_is_asked_as_well() -> None:
    refused = integer_cast(300, "uint8")
    with pytest.raises(RuntimeError) as caught:
        torch.tensor(300, dtype=torch.uint8)
    assert (refused.value, refused.direct) == (44, None)
    assert refused.error == f"RuntimeError: {caught.value}"
    assert integer_cast(255, "uint8").direct == torch.tensor(255, dtype=torch.uint8).item()


def test_an_int_beyond_int64_is_cast_as_a_float() -> None:
    seen = casts(2**63)
    assert seen.number.code == "torch.tensor(float(x), dtype=torch.float64)"
    assert "beyond int64, so that float(x) is cast" in repr(seen)
    assert integer_cast(2**63, "uint64").outcome == "exact"
    assert integer_cast(2**63, "int64").outcome == "undefined"


@pytest.mark.parametrize(
    ("x", "dtype", "outcome"),
    [
        (2**63 + 1, "uint64", "rounded"),
        (2**64 - 1, "uint64", "undefined"),
        (-(2**63) - 1, "int64", "rounded"),
        (-(2**63) - 1, "uint64", "undefined"),
    ],
)
def test_an_int_that_float_rounds_is_not_said_to_be_cut(x: int, dtype: str, outcome: str) -> None:
    found = integer_cast(x, dtype)
    assert found.outcome == outcome
    if outcome == "rounded":
        assert found.value == int(float(x)) != x
        assert "rounded by float(x)" in repr(casts(x))


@pytest.mark.parametrize("x", [2049, 0.1, 0, 257, 70000, 65519, "2**24 + 1", 1e-8, -3.5, 448, 5e-324])
@pytest.mark.parametrize("scale", [None, "bfloat16", "float8_e4m3fn"])
def test_the_line_has_all_values_of_its_stretch(x: object, scale: str | None) -> None:
    line = number_line(x, scale=scale)
    for row in line.rows[:4]:
        values = all_values(row.cast.dtype)
        expected = values[bisect_left(values, line.low) : bisect_right(values, line.high)]
        assert row.count == len(expected)
        assert [*row.ticks] == ([expected[0], expected[-1]] if row.is_dense else expected)
    assert line.high - line.number.exact == line.number.exact - line.low > 0


def test_the_line_is_scaled_by_the_finest_small_dtype_that_misses_the_number() -> None:
    assert [number_line(x).scale for x in (2049, 257, 70000, 0.1, 12, 1e300)] == [
        *("float16", "bfloat16", "bfloat16", "float16", "float8_e5m2", "float64")
    ]


def test_the_line_says_between_which_values_the_number_lies() -> None:
    said = repr(number_line(2049)).splitlines()
    assert "2049 lies between 2048 and 2050 in float16, 2 apart." in said
    assert "2049 lies beyond 448, the last value of float8_e4m3fn." in said
    assert "float32 holds 2049; beside it 2048.999755859375 and 2049.000244140625, 0.000244 apart." in said


def test_values_lie_closer_below_a_power_of_two_than_above() -> None:
    assert "float32 holds 16777216; beside it 16777215 and 16777218, 1 and 2 away." in repr(number_line(2**24))
    assert "float16 holds -2048; beside it -2050 and -2047, 2 and 1 away." in repr(number_line(-2048))
    assert "float16 holds 0; beside it -5.9604644775390625e-8 and 5.9604644775390625e-8, 5.96e-8 apart." in repr(
        number_line(0)
    )
    assert "float8_e4m3fn holds 448; beside it 416, 32 apart." in repr(number_line(448))


@pytest.mark.parametrize("x", [1.7976931348623157e308, -1.7976931348623157e308])
def test_a_line_may_end_beyond_the_largest_float64(x: float) -> None:
    line = number_line(x)
    assert max(abs(line.low), abs(line.high)) > Fraction(1.7976931348623157e308)
    assert "1.7976931…e308" in repr(line)
    assert "1.7976931…e308" in line._repr_html_()


@pytest.mark.parametrize("x", ["nan", math.inf])
def test_there_is_no_line_around_what_lies_nowhere(x: object) -> None:
    with pytest.raises(ValueError, match="x: expected a finite number, but got"):
        number_line(x)
    assert casts(x).line is None


def test_an_unknown_scale_is_refused() -> None:
    with pytest.raises(ValueError, match="scale: there is no 'float128'; there are 'float8_e5m2', "):
        number_line(1, scale="float128")


def test_the_text_says_every_value_and_all_bits() -> None:
    said = repr(casts(0.1))
    assert "x = 0.1: a Python float, exactly 0.1000000000000000055511151231257827021181583404541015625" in said
    for one in casts(0.1).floats:
        assert f"{one.bits.exponent}" in said
        assert short_text(one.value) in said
    assert "x = 2**24 + 1 = 16777217: a Python int" in repr(casts("2**24  + 1"))


def test_digits_are_exact_or_say_that_there_are_more() -> None:
    rng = random.Random(SEED + 1)
    for _ in range(300):
        x = rng.choice((-1, 1)) * 2 ** rng.uniform(-300, 300)
        assert Fraction(exact_text(x)) == Fraction(x)
        short = short_text(x, 8)
        shown, more = Fraction(short.replace("…", "")), Fraction(x)
        assert (shown == more) == ("…" not in short)
        assert abs(shown) <= abs(more) <= abs(shown) * (1 + Fraction(1, 10**7))
    assert [exact_text(x) for x in (0.0, -0.0, math.inf, math.nan, 10**19)] == ["0", "-0.0", "inf", "nan", str(10**19)]
    assert [about(x) for x in (2048, 0.5, 131072, 1e300, 99.96)] == ["2048", "0.5", "131072", "1e300", "100"]


def test_formats_are_those_of_finfo() -> None:
    for name, form in FORMATS.items():
        ends = torch.finfo(getattr(torch, name))
        assert form.at(form.last_rank) == ends.max
        assert form.at(-form.last_rank) == ends.min
        assert form.at(1) == torch.tensor([1], dtype=SIGNED[ends.bits]).view(ends_dtype(name)).double().item()


def ends_dtype(name: str) -> torch.dtype:
    dtype: torch.dtype = getattr(torch, name)
    return dtype
