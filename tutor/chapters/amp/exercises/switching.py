"""The exercise on switching mixed precision on and off with today's names."""

from __future__ import annotations

from typing import Any

import torch

from tutor.course.model import Case, Exercise, Wrong

_OLD = ("torch.cuda.amp", "torch.cpu.amp")  # where the classes with the old names are defined


def _switches(result: object, dtype: torch.dtype, use_amp: bool) -> str:
    if not (isinstance(result, tuple | list) and len(result) == 2):
        raise TypeError(f"a region and a scaler are wanted, and {type(result).__name__} came")
    region, scaler = result
    old = ", by old names" if any(type(one).__module__.startswith(_OLD) for one in result) else ""
    device = getattr(scaler, "_device", "cpu")
    elsewhere = "" if device == "cpu" else f", for {device}"
    return f"{_worked_in(region)}, {'scaled' if scaler.is_enabled() else 'not scaled'}{elsewhere}{old}"


def _worked_in(region: Any) -> str:
    x = torch.ones(1, 1)
    with region:
        return str((x @ x).dtype).removeprefix("torch.")


def _case(dtype: torch.dtype, use_amp: bool, expected: str) -> Case:
    return Case(
        label=f"{str(dtype).removeprefix('torch.')}, {use_amp}",
        arguments=lambda: (dtype, use_amp),
        observe=_switches,
        expected=expected,
    )


_HEAD = "def amp_for(dtype, use_amp):\n"

AMP_FOR = Exercise(
    key="amp-for",
    task="Write `amp_for(dtype, use_amp)`: a region of autocast and a `GradScaler`, both for the CPU and by today's "
    "names. The region casts to `dtype` if that is float16 or bfloat16 and `use_amp` is true, and nothing otherwise. "
    "The scaler scales only where a scaler is needed.",
    function="amp_for",
    starter=f'{_HEAD}    """A region and a scaler for one precision."""\n    ...',
    solution=f"""\
{_HEAD}    low = use_amp and dtype in (torch.float16, torch.bfloat16)
    region = torch.amp.autocast("cpu", dtype=dtype if low else None, enabled=low)
    scaler = torch.amp.GradScaler("cpu", enabled=low and dtype == torch.float16)
    return region, scaler
""",
    hints=(
        "Both take `enabled=`. Switched off, they do nothing, and the loop stays the same.",
        "Which of float16 and bfloat16 loses small gradients?",
        '`torch.amp.autocast("cpu", dtype=…, enabled=…)` and `torch.amp.GradScaler("cpu", enabled=…)`.',
    ),
    cases=(
        _case(torch.float16, True, "float16, scaled"),
        _case(torch.float16, False, "float32, not scaled"),
        _case(torch.bfloat16, True, "bfloat16, not scaled"),
        _case(torch.bfloat16, False, "float32, not scaled"),
        _case(torch.float32, True, "float32, not scaled"),
        _case(torch.float32, False, "float32, not scaled"),
    ),
    observed="a product's dtype, and the scaler",
    wrong=(
        Wrong(
            belief="Mixed precision needs a scaler.",
            source=f"{_HEAD}    low = use_amp and dtype in (torch.float16, torch.bfloat16)\n"
            '    region = torch.amp.autocast("cpu", dtype=dtype if low else None, enabled=low)\n'
            '    return region, torch.amp.GradScaler("cpu", enabled=low)\n',
            feedback="bfloat16 reaches nearly as far down as float32. Scaling does no harm there, but each step pays "
            "for looking at the gradients, and nothing is gained.",
        ),
        Wrong(
            belief="Scaling follows the switch.",
            source=f"{_HEAD}    low = use_amp and dtype in (torch.float16, torch.bfloat16)\n"
            '    region = torch.amp.autocast("cpu", dtype=dtype if low else None, enabled=low)\n'
            '    return region, torch.amp.GradScaler("cpu", enabled=use_amp)\n',
            feedback="In float32 and bfloat16 no gradient has to be rescued: scale for float16 alone.",
        ),
        Wrong(
            belief="The dtype alone decides.",
            source=f"{_HEAD}    low = dtype in (torch.float16, torch.bfloat16)\n"
            '    region = torch.amp.autocast("cpu", dtype=dtype if low else None, enabled=low)\n'
            '    return region, torch.amp.GradScaler("cpu", enabled=dtype == torch.float16)\n',
            feedback="`use_amp=False` must switch both off.",
        ),
        Wrong(
            belief="Autocast makes a scaler needless.",
            source=f"{_HEAD}    low = use_amp and dtype in (torch.float16, torch.bfloat16)\n"
            '    region = torch.amp.autocast("cpu", dtype=dtype if low else None, enabled=low)\n'
            '    return region, torch.amp.GradScaler("cpu", enabled=False)\n',
            feedback="In float16 small gradients become 0, autocast or not. There the scaler has to be on.",
        ),
        Wrong(
            belief="One scaler serves every device.",
            source=f"{_HEAD}    low = use_amp and dtype in (torch.float16, torch.bfloat16)\n"
            '    region = torch.amp.autocast("cpu", dtype=dtype if low else None, enabled=low)\n'
            "    return region, torch.amp.GradScaler(enabled=low and dtype == torch.float16)\n",
            feedback="Your scaler is for CUDA, as it also is if you name no device. Where there is no such GPU, it "
            'switches itself off. Write `torch.amp.GradScaler("cpu", …)`.',
        ),
        Wrong(
            belief="The names in the old tutorials are the names.",
            source=f"{_HEAD}    low = use_amp and dtype in (torch.float16, torch.bfloat16)\n"
            "    region = torch.cpu.amp.autocast(enabled=low, dtype=dtype if low else torch.bfloat16)\n"
            '    return region, torch.amp.GradScaler("cpu", enabled=low and dtype == torch.float16)\n',
            feedback="It works, with a `FutureWarning` each time. The name of today is `torch.amp.autocast`, with the "
            "device as its first argument.",
        ),
    ),
)
