"""What several tests of the atlas ask."""

from __future__ import annotations

import os
import subprocess
import sys

from tutor.constructors import Atlas


def outcomes(found: Atlas, source: str) -> dict[str, str]:
    return {constructor: found[constructor, source].outcome for constructor in found.constructors}


def run_python(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, **environment}
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=env, timeout=120, check=False
    )
