"""The programs that are measured against, where they are installed."""

from __future__ import annotations

import importlib
from typing import Any

__all__ = ["NO_OPENSPIEL", "NO_PYTHON_CHESS", "openspiel", "python_chess"]

NO_OPENSPIEL = "OpenSpiel is not installed and its rows are left out; pip install '.[peers]' would add them"

NO_PYTHON_CHESS = "python-chess is not installed and its row is left out; pip install '.[test]' would add it"


def openspiel() -> Any | None:
    """OpenSpiel's module of C++ games, or None where it is not installed."""
    try:
        return importlib.import_module("pyspiel")
    except ImportError:
        return None


def python_chess() -> Any | None:
    """The module of python-chess, or None where it is not installed."""
    try:
        return importlib.import_module("chess")
    except ImportError:
        return None
