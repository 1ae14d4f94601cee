"""The folder in which machine code is kept between two starts, and what is wrong with it if nothing can be kept there.

This module does without Numba, so that the app can say so at once.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from platformdirs import user_cache_path

__all__ = ["cache_problem", "cache_root", "check_room"]

ROOM = 1 << 16
"""Bytes that are written to see whether the disk is full: about what one compiled search takes."""


def cache_root() -> Path:
    """The folder that ``PLYGROUND_CACHE_DIR`` names, or one in the user's cache folder; `OSError` without a home."""
    if named := os.environ.get("PLYGROUND_CACHE_DIR"):
        return Path(named)
    try:
        root = user_cache_path("plyground", appauthor=False)
    except RuntimeError:
        root = Path("~")
    if not root.is_absolute():  # as some versions of platformdirs answer instead
        raise OSError("you have no home folder")
    return root


def check_room(folder: Path) -> None:
    """Make the folder and try to write in it; `OSError` if that fails."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryFile(dir=folder) as file:
        file.write(bytes(ROOM))


def cache_problem() -> str:
    """Why no machine code can be kept, in one line that says what to do; "" if it can."""
    place = "compiled code"
    try:
        root = cache_root()
        place = f"compiled code in {root}"
        check_room(root)
    except OSError as error:
        return (
            f"cannot keep {place} ({error.strerror or error}), so every start compiles again; "
            "set PLYGROUND_CACHE_DIR to a folder that can be written"
        )
    return ""
