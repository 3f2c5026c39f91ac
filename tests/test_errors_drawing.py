"""The picture of an explanation says what its text says, whatever stands in the learner's code."""

from __future__ import annotations

import re
from html import unescape

import numpy as np
import pytest
import torch
from torch import nn

from tests.errors_help import explained
from tutor import Explanation


def two_dtypes() -> object:
    layer, x = nn.Linear(3, 2), torch.ones(4, 3, dtype=torch.float64)
    return layer(x)


def one_is_gone() -> object:
    rows, x = torch.ones(2, 3), torch.ones(2, 3)
    return rows @ x.mul(2)


def not_known() -> object:
    table = {"<b>": np.ones(3)}
    return table["<b>"] + "<script>alert(1)</script>"


def longer_names() -> object:
    x, x_mean, xs = torch.ones(4, 3), torch.ones(4), 1.0
    return x * xs - x_mean


def words(told: Explanation) -> str:
    """What the picture says, as plain words."""
    html = re.sub(r"<style>.*?</style>", "", told._repr_html_(), flags=re.S)
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())


@pytest.mark.parametrize("provoke", [two_dtypes, one_is_gone, longer_names, not_known])
def test_the_picture_says_what_the_text_says(provoke: object) -> None:
    told = explained(provoke)  # type: ignore[arg-type]
    picture = words(told).replace(" ", "")
    text = repr(told)
    for line in text.splitlines():
        if set(line) <= set(" ^"):
            continue
        for word in re.split(r"\s{2,}|(?<=line \d\d): ", line.strip()):
            assert re.sub(r"[` ]", "", word) in picture, word


def test_the_operand_to_blame_is_marked_in_both() -> None:
    told = explained(two_dtypes)
    assert told.blamed == ("x", "layer.weight")
    assert ": layer(x)\n" + " " * 19 + "^\n" in repr(told)
    html = told._repr_html_()
    assert '<pre class="tt-failed">layer(<u class="tt-blamed">x</u>)</pre>' in html
    rows = re.findall(r"<tr>(.*?)</tr>", html)
    marked = [re.findall(r"<code[^>]*>(.*?)</code>", row)[0] for row in rows if 'class="tt-mark">x<' in row]
    assert marked == ["x", "layer.weight"]


def test_a_name_within_a_name_is_not_marked() -> None:
    told = explained(longer_names)
    assert told.expression == "x * xs - x_mean"
    assert f": x * xs - x_mean\n{' ' * 13}^^^^^^   ^^^^^^" in repr(told)
    assert told.cause == (
        "`x * xs - x_mean` met `x_mean` (float32 (4,)) and `x * xs` (no frame holds it any more)."
    )  # fmt: skip


def test_what_is_gone_is_said_to_be_gone() -> None:
    told = explained(one_is_gone)
    (gone,) = [one for one in told.operands if one.gone]
    assert gone.name == "x.mul(2)"
    assert "gone: no frame of the traceback holds it" in words(told)
    assert "x.mul(2)  " in repr(told)


def test_markup_of_the_learner_is_escaped() -> None:
    html = explained(not_known)._repr_html_()
    assert "<script>" not in html
    assert "&lt;script&gt;" in html
    assert "<b>'" not in html


def test_an_error_that_is_not_known_has_no_title() -> None:
    html = explained(not_known)._repr_html_()
    assert "tt-lead" not in re.sub(r"<style>.*?</style>", "", html, flags=re.S)
    assert "no guess" in html


def test_nothing_hangs_on_colour() -> None:
    html = explained(two_dtypes)._repr_html_()
    assert "the error is about it" in words(explained(two_dtypes))
    assert html.count('class="tt-mark">x<') == 3  # two operands and the key
