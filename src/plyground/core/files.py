"""Reading and writing files: a file is written whole or not at all, and what goes wrong is said in one line."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from plyground.errors import BadOption, FormatError
from plyground.signals import undisturbed

__all__ = ["check_writable", "read_file", "write_file"]


def read_file(path: str | Path, what: str) -> bytes:
    """The content of a file; `what` it should be is for the error."""
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise FormatError(f"cannot read the {what} {path}: {error.strerror or error}") from None


@undisturbed  # a signal between two steps would leave the unfinished file
def write_file(path: str | Path, data: bytes) -> None:
    """Write a file in one step: a reader meanwhile, or after a crash, finds the old content or the new."""
    target = Path(path)
    try:
        # In the same folder, because a file can be moved in one step only within a disk.
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            Path(name).chmod(_usual_mode(target))
            Path(name).replace(target)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise FormatError(f"cannot write {path}: {error.strerror or error}") from None


def _usual_mode(target: Path) -> int:
    """The permissions of the file that is replaced, or those of any new file: a temporary one is its owner's alone."""
    if target.exists():
        return target.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def check_writable(path: Path, option: str) -> None:
    """Refuse a file that cannot be written before the work, not after it."""
    if path.is_dir():
        raise BadOption(f"{option} must be a file, and '{path}' is a folder")
    if not path.parent.is_dir():
        raise BadOption(f"{option}: there is no folder '{path.parent}'")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise BadOption(f"{option}: '{path}' cannot be written")
