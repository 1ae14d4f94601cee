"""What compiled code knows of a value before it runs: its type. `native` functions ask here what they are given."""

from __future__ import annotations

from typing import Any

from numba import types
from numba.core.errors import TypingError

from plyground.native.overloads import StaticType
from plyground.native.pointers import PointerType

__all__ = ["Uncompilable", "class_of", "is_array", "is_bool", "is_float", "is_number", "is_tuple"]

Uncompilable = TypingError
"""Raised by a `native` function that cannot serve these types; its text is the reason that the user sees."""


def class_of(kind: Any) -> type | None:
    """The Python class of a named tuple, of a `Static` or of a `Pointed`; None for every other kind of value."""
    if isinstance(kind, (types.BaseNamedTuple, PointerType)):
        return kind.instance_class
    return type(kind.value) if isinstance(kind, StaticType) else None


def is_tuple(kind: Any) -> bool:
    """Whether it is a tuple, named or not; then it has a length, and its items are the kinds of the tuple's items."""
    return isinstance(kind, types.BaseTuple)


def is_array(kind: Any) -> bool:
    """Whether it is a NumPy array."""
    return isinstance(kind, types.Array)


def is_bool(kind: Any) -> bool:
    """Whether it is a truth value."""
    return isinstance(kind, types.Boolean)


def is_float(kind: Any) -> bool:
    """Whether it is a floating-point number."""
    return isinstance(kind, types.Float)


def is_number(kind: Any) -> bool:
    """Whether it is a number or a truth value."""
    return isinstance(kind, (types.Number, types.Boolean))
