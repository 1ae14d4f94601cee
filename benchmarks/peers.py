"""The programs that are measured against, where they are installed."""

from __future__ import annotations

import importlib
from typing import Any

__all__ = ["NO_OPENSPIEL", "openspiel"]

NO_OPENSPIEL = "OpenSpiel is not installed and its rows are left out; pip install '.[peers]' would add them"


def openspiel() -> Any | None:
    """OpenSpiel's module of C++ games, or None where it is not installed."""
    try:
        return importlib.import_module("pyspiel")
    except ImportError:
        return None
