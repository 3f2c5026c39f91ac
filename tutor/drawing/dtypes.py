"""A number in every dtype: its bits as rows of squares, the number line to scale, and what integers make of it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from tutor._dtypes import words
from tutor._dtypes.line import steps
from tutor._dtypes.model import Bits, Casts, FloatCast, IntegerCast, LineRow, NumberLine
from tutor._fact import to_html
from tutor.drawing import svg

PARTS = ("picture", "controls", "row", "dtypes")

_BIT, _BIT_HIGH, _BIT_ROW = 9.5, 17, 44
_SIGN_X, _EXPONENT_X, _FRACTION_X = 104.0, 121.0, 232.0
_LEFT, _RIGHT, _ROW = 116.0, 470.0, 30
_STEP_X, _HOLDS_X = 538, 656
_SHOWN_DIGITS, _ROOM = 10, 15  # of a value beside the line: digits if it is cut, characters if it is not
_LONGEST = 36  # characters of what a learner typed, in a picture


@to_html.register
def line_html(line: NumberLine) -> str:
    """The number line, and in words what lies beside the number."""
    return svg.page(_line(line) + _said(line), *PARTS)


@to_html.register
def casts_html(casts: Casts) -> str:
    """All of it as one output."""
    return svg.page(casts_body(casts), *PARTS)


def casts_body(casts: Casts) -> str:
    """The same without its style."""
    return floats_body(casts) + rest_body(casts)


def floats_body(casts: Casts) -> str:
    """The bits in the float dtypes, and the number line."""
    return _heading(casts) + _bits(casts) + (_line(casts.line) if casts.line else "")


def rest_body(casts: Casts) -> str:
    """How to read the line, the integer dtypes, and all digits."""
    return _remarks(casts) + _integers(casts) + _digits(casts)


def _heading(casts: Casts) -> str:
    x = casts.number
    cast = f"{x.code}.to(dtype)"
    return (
        f'<p class="tt-wide tt-number" role="status"><code class="tt-lead">{svg.escape(words.named(x))}</code>: '
        f'<span class="tt-quiet">{svg.escape(words.given(x))}; cast with {svg.code(cast)}</span></p>'
    )


def _bits(casts: Casts) -> str:
    """A row of squares for each float dtype; bits of the same weight in a fraction stand beneath each other."""
    body = (
        f'<text x="{_SIGN_X + _BIT:.1f}" y="12" class="quiet end">sign</text>'
        f'<text x="{_EXPONENT_X + 11 * _BIT:.1f}" y="12" class="quiet end">exponent</text>'
        f'<text x="{_FRACTION_X:.1f}" y="12" class="quiet">fraction</text>'
    )
    for i, cast in enumerate(casts.floats):
        body += _bit_row(cast, 20 + i * _BIT_ROW)
    said = " ".join(f"{one.dtype}: {one.bits}, which is {formula(one)}." for one in casts.floats)
    title = f"The bits of {_clipped(casts.number.text)} in each float dtype"
    description = f"Sign, exponent, fraction. {said}"
    return svg.picture(title, description, body, 20 + len(casts.floats) * _BIT_ROW - 8)


def _bit_row(cast: FloatCast, y: float) -> str:
    bits = cast.bits
    exponent_x = _EXPONENT_X + (11 - len(bits.exponent)) * _BIT
    groups = ((bits.sign, _SIGN_X), (bits.exponent, exponent_x), (bits.fraction, _FRACTION_X))
    squares = "".join(_square(bit, x + i * _BIT, y) for part, x in groups for i, bit in enumerate(part))
    beneath = y + _BIT_HIGH + 11
    sign, power, fraction = _formula(cast)
    return (
        f'<text x="0" y="{y + 13}" class="code strong">{cast.dtype}</text>{squares}'
        f'<text x="{_SIGN_X + _BIT / 2:.1f}" y="{beneath}" class="quiet code middle">{sign}</text>'
        f'<text x="{_EXPONENT_X + 11 * _BIT:.1f}" y="{beneath}" class="quiet code end">{power}</text>'
        f'<text x="{_FRACTION_X:.1f}" y="{beneath}" class="quiet code">{fraction}</text>'
    )


def _square(bit: str, x: float, y: float) -> str:
    kind = "one" if bit == "1" else "zero"
    return (
        f'<rect x="{x:.1f}" y="{y}" width="{_BIT}" height="{_BIT_HIGH}" class="bit-{kind}"/>'
        f'<text x="{x + _BIT / 2:.1f}" y="{y + 12.5}" class="code middle bit">{bit}</text>'
    )


def _formula(cast: FloatCast) -> tuple[str, str, str]:
    """The value as a sign, a power of two and a fraction."""
    bits = cast.bits
    sign = "−" if bits.sign == "1" else "+"
    if math.isnan(cast.value):
        return "", "", "not a number"
    if math.isinf(cast.value):
        return sign, "", "infinity"
    if bits.kind == "zero":
        return sign, "", "0"
    return sign, f"2**{bits.power}".replace("-", "−"), f"× {_significand(bits)}"


def _significand(bits: Bits) -> str:
    over = f"{int(bits.fraction, 2)}/{2 ** len(bits.fraction)}"
    return over if bits.kind == "subnormal" else f"(1 + {over})"


def formula(cast: FloatCast) -> str:
    """The value as its bits say it, in one line."""
    return " ".join(part for part in _formula(cast) if part)


def _line(line: NumberLine) -> str:
    """The number line: ticks to scale, a band where they are dense, and a dot with a rim where the number ends up."""
    bottom = 46 + len(line.rows) * _ROW - 18
    middle = (_LEFT + _RIGHT) / 2
    heads = ((_STEP_X, "one step"), (_HOLDS_X, "holds"), (svg.PICTURE_WIDTH, "off by"))
    body = "".join(f'<text x="{x}" y="12" class="quiet end">{text}</text>' for x, text in heads)
    body += "".join(_line_row(row, line, 46 + i * _ROW) for i, row in enumerate(line.rows))
    dots = "".join(_dot(row.cast, line, 46 + i * _ROW) for i, row in enumerate(line.rows))
    body += (
        f'<g class="tt-write"><line x1="{middle}" y1="30" x2="{middle}" y2="{bottom}" class="stroke" '
        f'stroke-width="1.25"/><text x="{middle}" y="25" class="code mark middle">x = '
        f"{svg.escape(_clipped(line.number.text))}</text>{dots}</g>"
    )
    low, high = (words.end_text(end) for end in (line.low, line.high))
    body += f'<text x="{_LEFT}" y="{bottom + 16}" class="quiet">{low}</text>'
    body += f'<text x="{_RIGHT}" y="{bottom + 16}" class="quiet end">{high}</text>'
    title = f"The numbers that each float dtype can hold around {_clipped(line.number.text)}"
    return svg.picture(title, _description(line), body, bottom + 22)


def _description(line: NumberLine) -> str:
    counts = ", ".join(f"{row.cast.dtype} {row.count:,}" for row in line.rows)
    said = " ".join(words.between(row.cast) for row in line.rows)
    return f"The stretch {words.stretch(line, steps(line.scale))}. Values on it: {counts}. {said}"


def _line_row(row: LineRow, line: NumberLine, y: float) -> str:
    cast = row.cast
    step = words.about(cast.step) if cast.step is not None else "—"
    return (
        f'<text x="0" y="{y + 4}" class="code strong">{cast.dtype}</text>'
        f'<line x1="{_LEFT}" y1="{y}" x2="{_RIGHT}" y2="{y}" class="grid"/>{_ticks(row, line, y)}'
        f'<text x="{_STEP_X}" y="{y + 4}" class="end">{step}</text>'
        f'<text x="{_HOLDS_X}" y="{y + 4}" class="end">{_held(cast.value)}</text>'
        f'<text x="{svg.PICTURE_WIDTH}" y="{y + 4}" class="end strong">{words.off_by(cast)}</text>'
    )


def _held(value: float) -> str:
    exact = words.exact_text(value)
    return exact if len(exact) <= _ROOM else words.short_text(value, _SHOWN_DIGITS)


def _ticks(row: LineRow, line: NumberLine, y: float) -> str:
    """A tick for each value, or a band that is darker where more of them lie."""
    if not row.ticks:
        return ""
    places = [_place(tick, line) for tick in row.ticks]
    if row.is_dense:
        wide = max(places[-1] - places[0], 1.5)
        tone = min(0.62, 0.2 + 0.12 * math.log10(1 + row.count / wide))
        return (
            f'<rect x="{places[0]:.1f}" y="{y - 6}" width="{wide:.1f}" height="12" class="solid-ink" '
            f'fill-opacity="{tone:.2f}"/>'
        )
    path = "".join(f"M{place:.1f} {y - 7}v14" for place in places)
    return f'<path d="{path}" class="ink" stroke-width="{1.4 if len(places) < 60 else 0.9}"/>'


def _dot(cast: FloatCast, line: NumberLine, y: float) -> str:
    """Where the number ends up; an arrow at the edge where that lies beyond it."""
    if math.isnan(cast.value):
        return ""
    if math.isfinite(cast.value) and line.low <= Fraction(cast.value) <= line.high:
        return f'<circle cx="{_place(cast.value, line):.1f}" cy="{y}" r="4.5" class="written"/>'
    right = cast.value > line.high
    tip, back = (_RIGHT + 9, _RIGHT + 1) if right else (_LEFT - 9, _LEFT - 1)
    return f'<path d="M{tip} {y}L{back} {y - 5}v10z" class="written"/>'


def _place(value: float, line: NumberLine) -> float:
    share = (Fraction(value) - line.low) / (line.high - line.low)
    return _LEFT + float(share) * (_RIGHT - _LEFT)


def _said(line: NumberLine) -> str:
    """What lies beside the number, dtype by dtype."""
    items = "".join(f"<li>{svg.escape(words.between(row.cast))}</li>" for row in line.rows)
    remarks = "".join(_note(words.twice(row.cast)) for row in line.rows if words.twice(row.cast))
    return f'{_key(line)}{remarks}<ul class="tt-beside">{items}</ul>'


def _key(line: NumberLine) -> str:
    return (
        f'<p class="tt-quiet tt-fine tt-wide">{svg.escape(words.stretch(line, steps(line.scale)).capitalize())}. '
        "A tick is one value that the dtype has; in a band they lie too close to tell apart. The dot is what the cast "
        "gives; an arrow where that is further away.</p>"
    )


def _remarks(casts: Casts) -> str:
    key = _key(casts.line) if casts.line else ""
    said = (words.twice(one) for one in casts.floats)
    return key + "".join(_note(one) for one in said if one)


def _note(text: str) -> str:
    return svg.note(f"<p>{svg.escape(text)}</p>", settled=True)


def _integers(casts: Casts) -> str:
    rows = "".join(map(_integer_row, casts.integers))
    direct = svg.code("torch.tensor(x, dtype=dtype)")
    undefined = any(one.outcome == "undefined" for one in casts.integers)
    why = (
        '<p class="tt-quiet tt-fine tt-wide">C++, in which torch is written, leaves open what becomes of a float that '
        "the integer cannot hold. What you see is what this machine did.</p>"
        if undefined
        else ""
    )
    return (
        '<table class="tt-integers"><caption class="tt-hidden">What integer dtypes make of x</caption>'
        f'<thead><tr><td></td><th scope="col" class="tt-num">{svg.code(".to(dtype)")}</th><th scope="col"></th>'
        f'<th scope="col">{direct}</th></tr></thead><tbody>{rows}</tbody></table>{why}'
    )


def _integer_row(cast: IntegerCast) -> str:
    loud = "tt-quiet" if cast.outcome == "exact" else "tt-loud"
    value = str(cast.value) if cast.outcome == "exact" else f"<b>{cast.value}</b>"
    given = svg.escape(words.direct_text(cast))
    given = f"{svg.mark('raise')}{given}" if cast.error else given
    role = ' class="tt-raise"' if cast.error else ""
    return (
        f'<tr><th scope="row"><code>{cast.dtype}</code></th><td class="tt-num">{value}</td>'
        f'<td class="{loud}">{svg.escape(words.integer_happened(cast))}</td><td{role}>{given}</td></tr>'
    )


def _digits(casts: Casts) -> str:
    """All digits and the neighbours, folded away."""
    rows = "".join(
        f'<tr><th scope="row"><code>{one.dtype}</code></th><td>{words.exact_text(one.value)}</td>'
        f'<td class="tt-num">{_error(one)}</td><td class="tt-num">{words.in_steps(one)}</td>'
        f"<td>{svg.escape(words.happened(one))}</td></tr>"
        for one in casts.floats
    )
    beside = "".join(f"<li>{svg.escape(words.between(one))}</li>" for one in casts.floats)
    errors = _errors(casts.integers)
    return (
        f"<details><summary>All digits, what lies beside x, and error messages</summary>"
        f'<table class="tt-digits"><thead><tr><td></td><th scope="col">holds exactly</th>'
        f'<th scope="col" class="tt-num">off by</th><th scope="col" class="tt-num">in steps</th>'
        f'<th scope="col"></th></tr></thead><tbody>{rows}</tbody></table><ul class="tt-beside">{beside}</ul>{errors}'
        "</details>"
    )


def _error(cast: FloatCast) -> str:
    return "—" if cast.error is None else words.signed(cast.error, 3) if cast.error else "0"


def _errors(integers: Sequence[IntegerCast]) -> str:
    said = dict.fromkeys(one.error for one in integers if one.error)
    return "".join(f'<p class="tt-quiet tt-fine tt-wide"><code>{svg.escape(error)}</code></p>' for error in said)


def _clipped(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
