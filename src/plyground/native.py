"""How Python functions get their counterpart in compiled code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba.extending import overload, overload_method

__all__ = ["COMPILE_OPTIONS", "native", "native_method"]

COMPILE_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "boundscheck": False}
"""How everything is compiled: without the interpreter's lock, without checks that a correct rule never needs."""


def native(function: Any, *, boundscheck: bool = False, inline: str = "never") -> Callable[[Any], Any]:
    """Decorate a function that, given the types of the arguments, returns what compiled code runs for `function`.

    Numba's `overload`, without its insistence that annotations agree.
    """
    options = COMPILE_OPTIONS | {"boundscheck": boundscheck}
    return overload(function, jit_options=options, strict=False, inline=inline)  # type: ignore[no-any-return]


def native_method(kind: Any, name: str) -> Callable[[Any], Any]:
    """The same for a method of a Numba type."""
    return overload_method(kind, name, jit_options=COMPILE_OPTIONS, strict=False)  # type: ignore[no-any-return]
