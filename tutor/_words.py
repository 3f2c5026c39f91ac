"""How the course writes quantities, the same in text and in pictures."""

from __future__ import annotations

_BINARY_UNITS = ("MiB", "GiB", "TiB", "PiB", "EiB")


def bytes_text(n: int) -> str:
    """A number of bytes with its unit.

    >>> bytes_text(48), bytes_text(160_000), bytes_text(3 * 2**19)
    ('48 B', '160,000 B', '1.5 MiB')
    """
    if abs(n) < 2**20:
        return f"{n:,} B"
    size = n / 2**20
    for unit in _BINARY_UNITS:
        if abs(size) < 1024 or unit == _BINARY_UNITS[-1]:
            break
        size /= 1024
    text = f"{size:,.1f}"
    return f"{text.removesuffix('.0')} {unit}"


def seconds_text(seconds: float) -> str:
    """A duration with three significant figures and its unit.

    >>> seconds_text(0.004), seconds_text(1.25e-6), seconds_text(12.0)
    ('4.00 ms', '1.25 µs', '12.0 s')
    """
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{_three_figures(seconds / size)} {unit}"
    return f"{_three_figures(seconds / 1e-9)} ns"


def _three_figures(x: float) -> str:
    for digits, below in ((2, 9.995), (1, 99.95)):
        if x < below:
            return f"{x:.{digits}f}"
    return f"{x:,.0f}"


def count_text(n: int, noun: str) -> str:
    """A count and its noun.

    >>> count_text(1, "byte"), count_text(40_000, "element")
    ('1 byte', '40,000 elements')
    """
    return f"{n:,} {noun}" if n == 1 else f"{n:,} {noun}s"
