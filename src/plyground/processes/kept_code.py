"""Where the machine code is kept that a program in a cage has made: only who made it loads it again."""

from __future__ import annotations

import hashlib
import os
import shutil
import time as clock
from collections.abc import Iterable
from pathlib import Path

from plyground.native.cache_root import cache_root

__all__ = ["kept_folder"]

CAGED, DATA = "caged", "data"
FORGOTTEN = 30 * 24 * 3600
"""Seconds after which machine code is forgotten that nobody has used."""


def kept_folder(program: str, files: Iterable[Path]) -> Path | None:
    """The folder of a program that is known by its name and its files; of "" if no code of the files is ever run.

    None if there cannot be one.
    """
    try:
        digest = hashlib.sha256()
        for file in files:
            digest.update(file.read_bytes())
        digest.update(program.encode(errors="surrogateescape"))
        root = cache_root() / CAGED
        folder = root / (digest.hexdigest()[:20] if program else DATA)
        folder.mkdir(parents=True, exist_ok=True)
        for old in root.iterdir():
            if old.stat().st_mtime < clock.time() - FORGOTTEN:
                shutil.rmtree(old, ignore_errors=True)
        os.utime(folder)
    except OSError:
        return None
    return folder
