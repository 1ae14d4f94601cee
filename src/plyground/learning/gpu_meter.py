"""How busy a GPU is, as its driver's own program says."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import threading

__all__ = ["GpuMeter"]

PROGRAM = "nvidia-smi"
PERIOD = 500
"""Milliseconds between two readings."""


class GpuMeter:
    """Reads the use of a GPU from its start to `close`; knows nothing where the driver's program is missing."""

    def __init__(self, index: int = 0) -> None:
        self._readings: list[float] = []
        self._process: subprocess.Popen[str] | None = None
        if program := shutil.which(PROGRAM):
            query = ["--query-gpu=utilization.gpu", "--format=csv,noheader,nounits", f"-i={index}", f"-lms={PERIOD}"]
            self._process = subprocess.Popen(
                [program, *query], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
            )
            threading.Thread(target=self._read, args=(self._process,), daemon=True).start()

    def _read(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        for line in process.stdout:
            with contextlib.suppress(ValueError):  # some cards do not tell
                self._readings.append(float(line) / 100.0)

    def since_last(self) -> float | None:
        """The mean use since this was asked last, from 0 to 1; None if nothing is known."""
        readings, self._readings = self._readings, []
        return sum(readings) / len(readings) if readings else None

    def close(self) -> None:
        """End the driver's program."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            assert self._process.stdout is not None
            self._process.stdout.close()
