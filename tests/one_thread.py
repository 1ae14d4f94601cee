"""Several tests run at once: one that multiplies matrices in many threads only makes all of them wait, and burns time.

Imported before NumPy and PyTorch, which look at this once.
"""

from __future__ import annotations

import os

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(_name, "1")
