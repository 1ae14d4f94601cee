"""Reading and writing files: what is read is bounded, what is written is written whole or not at all.

Whatever goes wrong is said in one line that names the file.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import stat
import sys
import tempfile
from pathlib import Path
from typing import Any

from plyground.errors import BadOption, FormatError
from plyground.signals import undisturbed

__all__ = [
    "LARGEST", "LARGEST_TEXT", "check_writable", "kind_of", "open_file", "parse_json", "read_file", "read_text",
    "shown_json", "write_file",
]  # fmt: skip

LARGEST = 1 << 30
"""Bytes that a file may have, if its format sets no narrower bound."""
LARGEST_TEXT = 1 << 25
"""The same for a text: what JSON says in a byte may take thirty in memory."""
SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
"""How an escape in JSON begins that may stand for half a character, which nobody can print."""
KINDS = {
    stat.S_IFREG: "a file",
    stat.S_IFDIR: "a folder",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
}


# Reading ------------------------------------------------------------------------------------------------------------


def read_file(path: str | Path, what: str, most: int = LARGEST) -> bytes:
    """The content of a regular file of at most so many bytes; `what` it should be is for the error."""
    try:
        with open_file(path) as file:
            size = os.fstat(file.fileno()).st_size
            data = file.read(size) if size <= most else b""
    except OSError as error:
        raise FormatError(f"cannot read the {what} {path}: {error.strerror or error}") from None
    if size > most:
        raise FormatError(f"{path} is too large for a {what}: it has {size:,} bytes, and may have {most:,}")
    return data


def open_file(path: str | Path) -> io.BufferedReader:
    """A regular file, to read its bytes as they are needed; `OSError` for anything else."""
    try:
        _check_regular(path)
        return Path(path).open("rb")
    except ValueError as error:  # a name that no file can have
        raise OSError(str(error)) from None


def read_text(path: str | Path, what: str, most: int = LARGEST_TEXT) -> str:
    """The same of a text in UTF-8, with a byte order mark or without."""
    try:
        return read_file(path, what, most).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FormatError(f"{path} is not a {what}: it is not text in UTF-8 (byte {error.start})") from None


def parse_json(text: str, where: str, **hooks: Any) -> Any:
    """The value of a JSON text; `FormatError` says where it is wrong. `hooks` are those of `json.loads`."""
    try:
        value = json.loads(text, **hooks)
        if SURROGATE.search(text):
            json.dumps(value, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        raise FormatError(f"{where} is not JSON: {error.msg} at line {error.lineno}, column {error.colno}") from None
    except RecursionError:
        raise FormatError(f"{where} is nested too deeply") from None
    except UnicodeEncodeError:
        raise FormatError(f"{where} has an escape \\u... that is half a character") from None
    except ValueError as error:
        raise FormatError(f"{where}: {str(error)[:200]}") from None
    return value


def shown_json(value: Any) -> str:
    """The beginning of a value from JSON, for an error."""
    try:
        return json.dumps(value)[:60]
    except RecursionError:
        return "something deeply nested"


def kind_of(path: str | Path) -> str:
    """What stands at a place, or where a link leads to: "a file", "a folder", "a device"; "" for nothing."""
    try:
        return KINDS.get(stat.S_IFMT(Path(path).stat().st_mode), "something else")
    except (FileNotFoundError, NotADirectoryError):
        return ""


def _check_regular(path: str | Path) -> None:
    """`OSError` for a device, a pipe or a folder: reading it may never end, and to write it is not to replace it."""
    if (kind := kind_of(path)) not in ("", "a file"):
        raise OSError(f"it is {kind}, not a file")


# Writing ------------------------------------------------------------------------------------------------------------


@undisturbed  # a signal between two steps would leave the unfinished file
def write_file(path: str | Path, data: bytes) -> None:
    """Write a file in one step: a reader meanwhile, or after a crash or a loss of power, finds the old content or the
    new. Only a regular file is replaced; of a link, the file that it leads to, which keeps its permissions.
    """
    try:
        _check_regular(path)
        target = Path(os.path.realpath(path))
        # In the same folder, because a file can be moved in one step only within a disk.
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:100]}.")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
                _take_over_permissions(target, Path(name))
                file.flush()
                os.fsync(file.fileno())
            Path(name).replace(target)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
        _sync_folder(target.parent)
    except (OSError, ValueError) as error:
        raise FormatError(f"cannot write {path}: {getattr(error, 'strerror', None) or error}") from None


def _take_over_permissions(target: Path, new: Path) -> None:
    """Those of the file that is replaced, or those of any new file: a temporary one is its owner's alone."""
    if target.exists():
        old = target.stat()
        if sys.platform != "win32" and (old.st_uid, old.st_gid) != (new.stat().st_uid, new.stat().st_gid):
            with contextlib.suppress(OSError):  # only root may give a file back to whose it was
                os.chown(new, old.st_uid, old.st_gid)
        new.chmod(stat.S_IMODE(old.st_mode) & 0o777)
        return
    mask = os.umask(0)
    os.umask(mask)
    new.chmod(0o666 & ~mask)


def _sync_folder(folder: Path) -> None:
    """Make sure that the new name is on the disk too, where a system can do that for folders."""
    if sys.platform == "win32":
        return
    with contextlib.suppress(OSError):  # the file is whole already, under the one name or the other
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def check_writable(path: Path, option: str) -> None:
    """Refuse a file that cannot be written before the work, not after it."""
    try:
        kind, target = kind_of(path), Path(os.path.realpath(path))
    except (OSError, ValueError) as error:
        raise BadOption(f"{option}: '{path}' cannot be written: {getattr(error, 'strerror', None) or error}") from None
    if kind not in ("", "a file"):
        raise BadOption(f"{option} must be a file, and '{path}' is {kind}")
    if not target.parent.is_dir():
        raise BadOption(f"{option}: there is no folder '{target.parent if path.is_symlink() else path.parent}'")
    if not os.access(target.parent, os.W_OK) or (kind and not os.access(target, os.W_OK)):
        raise BadOption(f"{option}: '{path}' cannot be written")
