"""How a command may end, whatever it was given: what the attacks on the command look for."""

from __future__ import annotations

import contextlib
import ctypes
import os
import re
import signal
import sys
import time
from pathlib import Path

__all__ = ["adopt_orphans", "environment", "faults", "processes_left"]

CLEAN = (0, 1, 2)
"""All went well, stopped or given up, wrong input."""
BESIDES = re.compile(r"(note: |Compiling |Plyground: |Join code: |port \d+ is taken)")
"""Lines on the standard error stream that say something else than how it ended."""
RAW = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
SUBREAPER = 36


def environment(folder: Path) -> dict[str, str]:
    """What the command finds around it: a home of its own, a browser that does nothing, no colours."""
    homes = {name: str(folder) for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME")}
    return {**os.environ, **homes, "BROWSER": "true", "NO_COLOR": "1", "COLUMNS": "200"}


def faults(status: int, out: str, err: str, *, stopped_by: int | None = None) -> str:
    """What is wrong with an end, in words; an empty text if nothing is."""
    said = [line for line in err.splitlines() if line.strip() and not BESIDES.match(line)]
    if "Traceback (most recent call last)" in err or "Exception ignored" in err:
        return f"a traceback: {said[-1][:150]}"
    if status < 0:
        return f"ended by {signal.Signals(-status).name}: {' / '.join(said)[:400]}"
    if found := RAW.search(out + err):
        return f"a raw {found[0]!r} in what it says"
    if stopped_by is None:
        if status not in CLEAN:
            return f"status {status}: {' / '.join(said)[-150:]}"
        if status == 2 and (len(said) != 1 or not said[0].startswith("error: ")):
            return f"status 2 with {len(said)} lines: {' / '.join(said)[:150]}"
        return ""
    if status not in (*CLEAN, 128 + stopped_by):  # it may have come to its own end just before
        return f"status {status} after signal {stopped_by}"
    if status == 128 + stopped_by and said[-1:] != ["stopped"]:
        return f"does not say that it was stopped, but: {' / '.join(said)[-150:]}"
    return ""


def adopt_orphans() -> None:
    """Let processes that lose their parent come to this one, so that none is left unseen."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(SUBREAPER, 1, 0, 0, 0)


def processes_left(patience: float = 5.0) -> int:
    """How many children of this process still run after a while; they are ended then."""
    end = time.monotonic() + patience
    while left := _children():
        if time.monotonic() > end:
            for process in left:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)
            return len(left)
        time.sleep(0.02)
    return 0


def _children() -> list[int]:
    """Those that run; those that have ended are cleared away."""
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    listed = Path(f"/proc/self/task/{os.getpid()}/children")
    return [int(word) for word in listed.read_text().split()] if listed.exists() else []
