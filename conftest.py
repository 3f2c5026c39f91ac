"""How every test of the course runs, the notebooks' cells among them."""

from __future__ import annotations

import os
import tempfile

# The same threads here, in CI and where the notebooks' outputs were saved (see tests/save_outputs.py).
os.environ["OMP_NUM_THREADS"] = os.environ["MKL_NUM_THREADS"] = "2"
# No test reads or writes the progress of whoever runs it.
os.environ["TUTOR_DATA"] = tempfile.mkdtemp(prefix="tutor-data-")
