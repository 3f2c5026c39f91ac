"""How a measurement, a ratio and a race read, in words and as a picture."""

from __future__ import annotations

import re

import pytest

from tutor.timing import Measurement, Race, Ratio

# ── how it reads ────────────────────────────────────────────────────────────────────────────────────────────────────


def lane(name: str, seconds: float, n: int = 100) -> Measurement:
    times = tuple(seconds * (1 + 0.1 * (i / (n - 1) - 0.5)) for i in range(n))
    return Measurement(name, times, 1, seconds * 3, 2, "cpu", "it was steady")


def example(*lanes: Measurement) -> Race:
    return Race(lanes, 2, "cpu", "it was steady", 0.0025)


def test_a_race_reads_as_a_table() -> None:
    text = repr(example(lane("by_array", 4e-3), lane("as_tensor", 4e-3), lane("by_list", 40e-3), lane("view", 1e-6)))
    assert text.splitlines() == [
        "            median  middle half         against by_array",
        "by_array   4.00 ms  3.90 ms to 4.10 ms  1",
        "as_tensor  4.00 ms  3.90 ms to 4.10 ms  no difference, 0.98 to 1.02",
        "by_list    40.0 ms  39.0 ms to 41.0 ms  slower, 10.0 times, 9.80 to 10.2",
        "view       1.00 µs  975 ns to 1.02 µs   faster, 4,000 times, 3,922 to 4,080",
        "Ratios with their 99 % interval. 100 rounds, interleaved in random order, 2 threads, cpu; "
        "stopped because it was steady.",
    ]


def test_a_measurement_reads_as_three_lines() -> None:
    assert repr(lane("make", 4e-3)).splitlines() == [
        "make: 4.00 ms a call (median)",
        "middle half 3.90 ms to 4.10 ms (IQR 200 µs), first call 12.0 ms",
        "100 runs, 2 threads, cpu; stopped because it was steady.",
    ]


def test_a_ratio_reads_as_a_sentence() -> None:
    ratio = example(lane("by_list", 40e-3), lane("by_array", 4e-3)).ratio("by_list", "by_array")
    assert isinstance(ratio, Ratio)
    assert repr(ratio) == (
        "by_list / by_array = 10.0, 99 % interval 9.80 to 10.2 (100 rounds): by_list against by_array: slower"
    )


def test_an_interval_too_wide_to_tell_says_what_to_do() -> None:
    ups_and_downs = Measurement("b", (1e-3, 2e-3) * 10, 1, 1e-3, 2, "cpu", "it was steady")
    found = example(lane("a", 1.5e-3, n=20), ups_and_downs)
    assert found.remark == "The interval of b is wide. A larger budget would narrow it: `race(…, budget=10)`."
    assert repr(found).endswith(found.remark)
    assert example(lane("a", 1e-3), lane("b", 1e-3)).remark == ""


def test_an_unknown_name_is_answered_with_the_known_ones() -> None:
    found = example(lane("a", 1e-3), lane("b", 1e-3))
    with pytest.raises(ValueError, match=r"^no candidate of this race is named 'c'; there are 'a', 'b'$"):
        found.ratio("a", "c")
    assert found["a"].name == "a"
    assert found.ratio("a", "a").verdict == "no difference"


def test_the_ratio_turned_round_is_the_inverse() -> None:
    found = example(lane("a", 1e-3), lane("b", 3e-3))
    there, back = found.ratio("b", "a"), found.ratio("a", "b")
    assert (back.low, back.value, back.high) == pytest.approx((1 / there.high, 1 / there.value, 1 / there.low))
    assert (there.verdict, back.verdict) == ("slower", "faster")


def test_the_picture_says_no_difference_in_plain_weight_and_escapes_names() -> None:
    html = example(lane("a<b>", 1e-3), lane("same", 1e-3), lane("slow", 3e-3))._repr_html_()
    assert "a&lt;b&gt;" in html
    assert "<b>no difference" not in html
    assert "<b>slower, 3.00 times</b>" in html
    assert html == example(lane("a<b>", 1e-3), lane("same", 1e-3), lane("slow", 3e-3))._repr_html_()
    assert "first call, not counted" in lane("x", 1.0)._repr_html_()


@pytest.mark.parametrize(
    ("seconds", "ends"), [(4e-3, ("2 ms", "5 ms")), (1e-3, ("500 µs", "2 ms")), (950.0, ("500 s", "1,000 s"))]
)
def test_the_scale_ends_in_round_numbers_beyond_the_bars(seconds: float, ends: tuple[str, str]) -> None:
    html = lane("x", seconds)._repr_html_()
    assert tuple(re.findall("<i>(.*?)</i>", html)) == ends
    places = [float(p) for p in re.findall(r"--(?:lo|mid|hi):([-\d.]+)%", html)]
    assert 0 <= places[0] < places[1] < places[2] <= 100
