"""How Python functions get their counterpart in compiled code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import types
from numba.core.typing.templates import AttributeTemplate, infer_getattr
from numba.extending import (
    NativeValue,
    lower_getattr_generic,
    models,
    overload,
    overload_method,
    register_model,
    unbox,
)

__all__ = ["COMPILE_OPTIONS", "Static", "StaticType", "native", "native_method"]

COMPILE_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "boundscheck": False}
"""How everything is compiled: without the interpreter's lock. Rules that write into a buffer, and helper functions, are
checked for writing beyond it; the rest is not."""


def native(function: Any, *, boundscheck: bool = False, inline: str = "never") -> Callable[[Any], Any]:
    """Decorate a function that, given the types of the arguments, returns what compiled code runs for `function`.

    Numba's `overload`, without its insistence that annotations agree.
    """
    options = COMPILE_OPTIONS | {"boundscheck": boundscheck}
    return overload(function, jit_options=options, strict=False, inline=inline)  # type: ignore[no-any-return]


def native_method(kind: Any, name: str) -> Callable[[Any], Any]:
    """The same for a method of a Numba type."""
    return overload_method(kind, name, jit_options=COMPILE_OPTIONS, strict=False)  # type: ignore[no-any-return]


class Static:
    """A value whose fields are part of its type, so that compiled code sees them as constants.

    Subclasses are frozen dataclasses of whole numbers, floats and truth values. A function compiled with one value
    holds none of the code that only another value would need.
    """

    @property
    def _numba_type_(self) -> Any:
        return StaticType(self)


class StaticType(types.Type):  # type: ignore[misc]
    """The Numba type of one such value."""

    def __init__(self, value: Static) -> None:
        super().__init__(repr(value))
        self.value = value

    def number(self, name: str) -> tuple[Any, Any]:
        """A field's Numba type, and the field."""
        found = getattr(self.value, name)
        kinds = {bool: types.boolean, int: types.int64, float: types.float64}
        return kinds[type(found)], found


register_model(StaticType)(models.OpaqueModel)


@unbox(StaticType)
def _unbox_static(kind: Any, value: Any, c: Any) -> Any:
    return NativeValue(c.context.get_dummy_value())


@infer_getattr
class _StaticAttributes(AttributeTemplate):  # type: ignore[misc]
    key = StaticType

    def generic_resolve(self, kind: StaticType, name: str) -> Any:
        return kind.number(name)[0]


@lower_getattr_generic(StaticType)
def _lower_static(context: Any, builder: Any, kind: StaticType, value: Any, name: str) -> Any:
    return context.get_constant(*kind.number(name))
