"""``python -m tutor record``: run the experiments and the claims that need a GPU where there is one, and keep them."""

from __future__ import annotations

import argparse
import json
import platform
import re
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from datetime import date
from importlib.metadata import version
from math import inf
from pathlib import Path
from typing import Any

import torch

from tutor._timing_lab.experiments import EXPERIMENTS
from tutor._timing_lab.model import Origin, Series
from tutor._timing_lab.recordings import recording
from tutor._timing_lab.running import BUDGET_S, Run, Settings, devices
from tutor._timing_lab.source import CodeError
from tutor._words import count_text
from tutor.course.auditing import as_data
from tutor.course.deciding import decide
from tutor.course.shelf import chapter, chapter_names
from tutor.drawing.svg import plain

_ABOUT = """\
Run every experiment of timing_lab on this machine's GPU, decide the claims that need one, and write both to one file.
Put into notebooks/recordings/, it is shown to learners who have no GPU, with the device, the versions and the date."""

_GPU_NEEDS = {"cuda", "cuda:1"}
_METHOD = (
    "Rounds of short blocks in drawn order, as race does it: the median and the middle half over the blocks, after "
    "warming up, with the clock waiting for the device at both ends of a block."
)


def main(arguments: Sequence[str]) -> int:
    """Record what the arguments name.

    Parameters
    ----------
    arguments
        What stands after ``python -m tutor record``.

    Returns
    -------
    int
        0 if all was recorded, 1 if there is no such device, an experiment did not run, or a claim is not as taught.
        Arguments that are not understood, or a file that cannot be written, end the program with 2. What was recorded
        before Ctrl-C is kept.
    """
    parser = _parser()
    asked = parser.parse_args(arguments)
    device = asked.device or (devices()[1] if len(devices()) > 1 else None)
    if device not in devices():
        print(f"record: this machine has no {device or 'GPU'} that torch can use, so there is nothing to record.")
        return 1
    origin = _origin(device)
    out = Path(asked.out) if asked.out else Path("notebooks", "recordings", _file_name(origin))
    if asked.experiments and out.exists():  # else a recording of all would be lost to one of some
        parser.error(f"{out} is there already; name another file with --out, or remove it")
    taken = _Recording(origin, out)
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        print(f"{origin.text}\n{out}", flush=True)
        _experiments(taken, asked.experiments or list(EXPERIMENTS), device, asked.budget)
        _claims(taken)
    except KeyboardInterrupt:
        some = f"what was recorded so far is in {out}" if taken.saved else "nothing was recorded"
        print(f"\nstopped; {some}")
        return 1
    except (OSError, ValueError) as error:
        parser.error(str(error))
    print(f"{count_text(len(taken.series), 'line')} and {count_text(len(taken.claims), 'claim')} in {out}")
    return int(taken.failed)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tutor record", description=_ABOUT)
    add = parser.add_argument
    add("experiments", nargs="*", metavar="experiment", help=f"only these: {', '.join(EXPERIMENTS)}")
    add("--out", metavar="FILE", help="where to write; notebooks/recordings/DEVICE-torch-VERSION.json if not given")
    add("--device", metavar="NAME", help=f"one of {', '.join(devices())}; the GPU if not given")
    add("--budget", type=_seconds, default=BUDGET_S, metavar="SECONDS", help="for each line at each size")
    return parser


def _seconds(text: str) -> float:
    seconds = float(text)
    if not 0 < seconds < inf:
        raise argparse.ArgumentTypeError(f"expected a positive number of seconds, got {text!r}")
    return seconds


_seconds.__name__ = "number of seconds"  # argparse says so of what is no number


class _Recording:
    """What was recorded so far; written anew after each part, so that nothing is lost."""

    def __init__(self, origin: Origin, out: Path) -> None:
        self.origin = origin
        self.series: list[Series] = []
        self.claims: list[dict[str, Any]] = []
        self.failed = self.saved = False
        self._out = out

    def save(self) -> None:
        data = recording(self.origin, _METHOD, self.series) | {"claims": self.claims}
        unfinished = self._out.with_suffix(".part")
        unfinished.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", "utf-8")
        unfinished.replace(self._out)
        self.saved = True


def _experiments(taken: _Recording, names: Iterable[str], device: str, budget: float) -> None:
    for name in names:
        if name in EXPERIMENTS and not EXPERIMENTS[name].fits(device):
            print(f"  {name}: not for {device}")
            continue
        for dtype in (name in EXPERIMENTS and EXPERIMENTS[name].dtypes) or (None,):  # some have none to choose
            _experiment(taken, name, Settings(dtype=dtype, device=device, budget=budget))
            taken.save()


def _experiment(taken: _Recording, name: str, settings: Settings) -> None:
    run = Run(name, settings)
    told = f"  {name}{f', {settings.dtype}' if settings.dtype else ''}"
    try:
        for _ in run.points():
            print(f"\r{told}: {run.done} of {run.total}", end="", flush=True)
    except CodeError as error:
        taken.failed = True
        print(f"\r{told}: {error}")
    else:
        print()
    for one in run.series:
        if one.measured:
            taken.series.append(one)
        elif one.points:
            print(f"    {one.candidate.label}: {one.points[0].why}")


def _claims(taken: _Recording) -> None:
    """The claims of which at least a part needs a GPU; what cannot be decided here either is left out."""
    for name in chapter_names():
        for claim in chapter(name).claims:
            if not claim.all_needs & _GPU_NEEDS or (row := decide(claim)).verdict.startswith("needs "):
                continue
            taken.claims.append(as_data(name, row))
            taken.failed |= not row.agrees
            print(
                f"{'  ' if row.agrees else 'x '}{row.verdict}: {' '.join(claim.ids) or plain(claim.claim)}", flush=True
            )
    taken.save()


def _origin(device: str) -> Origin:
    versions = {"torch": torch.__version__, "numpy": version("numpy"), "python": platform.python_version()}
    if device == "cuda":
        versions |= {"CUDA": str(torch.version.cuda), "driver": _driver()}
    full = torch.cuda.get_device_name() if device == "cuda" else f"{device} of {platform.machine()}"
    return Origin(full, date.today().isoformat(), tuple(versions.items()))


def _driver() -> str:
    """The version of NVIDIA's driver, which torch does not tell."""
    program = shutil.which("nvidia-smi")
    if program is None:
        return "not known"
    asked = [program, "--query-gpu=driver_version", "--format=csv,noheader"]
    told = subprocess.run(asked, capture_output=True, text=True, check=False).stdout.split()
    return told[0] if told else "not known"


def _file_name(origin: Origin) -> str:
    words = re.sub(r"[^a-z0-9]+", "-", origin.device.lower()).strip("-")
    return f"{words}-torch-{dict(origin.versions)['torch'].partition('+')[0]}.json"
