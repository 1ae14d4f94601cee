"""Somebody's own Python file, loaded as a module."""

from __future__ import annotations

import hashlib
import importlib.util
import sys
import threading
from pathlib import Path
from types import ModuleType

from plyground.errors import FormatError, GameError, PlygroundError

__all__ = ["load_module"]

_loading = threading.RLock()
"""Nobody is given a module of which another thread has run only the first lines."""


def load_module(path: str | Path) -> ModuleType:
    """The module in a file, run once until the file changes."""
    file = Path(path)
    if not file.is_file():
        raise FormatError(f"there is no file {path}")
    # A name of its own, the same at every start until the file changes: the compile cache finds the class by it.
    digest = hashlib.sha256(str(file.resolve()).encode() + file.read_bytes()).hexdigest()
    with _loading:
        return _loaded(path, file, f"{file.stem}_{digest[:8]}")


def _loaded(path: str | Path, file: Path, name: str) -> ModuleType:
    if name in sys.modules:
        return sys.modules[name]
    specification = importlib.util.spec_from_file_location(name, file)
    if specification is None or specification.loader is None:
        raise FormatError(f"{path} is not a Python file")
    module = importlib.util.module_from_spec(specification)
    sys.modules[name] = module
    try:
        specification.loader.exec_module(module)
    except BaseException as error:
        del sys.modules[name]
        if isinstance(error, PlygroundError | KeyboardInterrupt):
            raise
        raise GameError(f"{path} does not run: {type(error).__name__}: {error}") from error
    return module
