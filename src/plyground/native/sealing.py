"""Files that only this user can have written: each begins with a keyed digest of its name and its content.

Machine code is kept as pickles, and to read a pickle is to run it. So a file is unpickled only if whoever wrote it knew
the key of its folder, which nobody but the user can read; a file in which a bit has flipped, or that has been given
another's name, is refused as well.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import os
import secrets
import stat
import sys
import tempfile
from pathlib import Path

__all__ = ["private_folder_key", "sealed", "unsealed"]

KEY_FILE = "key"
KEY_SIZE = 32
SEAL_SIZE = 32


def private_folder_key(folder: Path) -> bytes:
    """Make the folder and its key, or read them; `PermissionError` if they may be somebody else's.

    A key that others could read is replaced: what was sealed with it is no longer trusted.
    """
    folder.mkdir(mode=0o700, exist_ok=True)
    if not _is_ours(folder.lstat(), stat.S_IFDIR):
        raise PermissionError("it belongs to somebody else")
    if _others_may(folder.lstat()):
        folder.chmod(0o700)
        if _others_may(folder.lstat()):
            raise PermissionError("other users can write there")
    path = folder / KEY_FILE
    for _ in range(2):
        with contextlib.suppress(FileNotFoundError):
            known = path.lstat()
            key = path.read_bytes() if _is_ours(known, stat.S_IFREG) and not _others_may(known) else b""
            if len(key) == KEY_SIZE:
                return key
            path.unlink()
        _make_key(path)
    raise PermissionError("its key cannot be kept to this user")


def sealed(key: bytes, name: str, content: bytes) -> bytes:
    """What a file of this name holds."""
    return _seal(key, name, content) + content


def unsealed(key: bytes, name: str, data: bytes) -> bytes | None:
    """The content of a file of this name; None if it was not sealed with this key, or has changed since."""
    content = data[SEAL_SIZE:]
    return content if hmac.compare_digest(data[:SEAL_SIZE], _seal(key, name, content)) else None


def _seal(key: bytes, name: str, content: bytes) -> bytes:
    digest = hashlib.blake2b(name.encode() + b"\0", key=key, digest_size=SEAL_SIZE)
    digest.update(content)
    return digest.digest()


def _make_key(path: Path) -> None:
    """Write a new key, unless another process is first."""
    handle, name = tempfile.mkstemp(dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(secrets.token_bytes(KEY_SIZE))
        try:
            os.link(name, path)
        except FileExistsError:
            pass
        except OSError:  # a disk without links: the last one counts, and what the others sealed is made again
            Path(name).replace(path)
    finally:
        Path(name).unlink(missing_ok=True)


def _is_ours(known: os.stat_result, kind: int) -> bool:
    return stat.S_IFMT(known.st_mode) == kind and (sys.platform == "win32" or known.st_uid == os.geteuid())


def _others_may(known: os.stat_result) -> bool:
    return sys.platform != "win32" and bool(known.st_mode & 0o077)
