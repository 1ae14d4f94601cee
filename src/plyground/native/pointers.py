"""Objects that compiled code holds as one pointer: handed down a deep recursion, each of them costs one word."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from llvmlite import ir
from numba import from_dtype, types
from numba.core import cgutils
from numba.extending import NativeValue, intrinsic, models, register_model, unbox

from plyground.native.arrays import view
from plyground.native.overloads import native_attribute

__all__ = ["Pointed", "PointedArray", "PointerType"]

WORD = ir.IntType(64)
ROOM = 16
"""Words in two cache lines: threads that each write their own object must not share a line."""


class PointerType(types.Type):  # type: ignore[misc]
    """The Numba type of a `Pointed`; each class of them has a subclass of its own."""

    instance_class: ClassVar[type]

    def __init__(self) -> None:
        super().__init__(type(self).__name__)


class _PointerModel(models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, WORD.as_pointer())


def _unbox_pointer(kind: Any, value: Any, c: Any) -> Any:
    address = c.pyapi.object_getattr_string(value, "address")
    word = c.pyapi.long_as_ulonglong(address)
    c.pyapi.decref(address)
    pointer = c.builder.inttoptr(word, WORD.as_pointer())
    return NativeValue(pointer, is_error=cgutils.is_not_null(c.builder, c.pyapi.err_occurred()))


@intrinsic
def _address_of(_context: Any, pointed: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ptrtoint(args[0], WORD)

    return types.uint64(pointed), codegen


def _array_reader(array_type: Any) -> Any:
    """What compiled code runs to see the words as an array."""

    @intrinsic
    def words(_context: Any, pointed: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            data = builder.bitcast(args[0], context.get_data_type(array_type.dtype).as_pointer())
            return view(context, builder, array_type, data, [context.get_constant(types.intp, ROOM)])

        return array_type(pointed), codegen

    return words


class Pointed:
    """An object that compiled code knows as the address of its array `_words`, whose items are 64 bits wide.

    What compiled code can do with it is given by `native_method` and `native_attribute`. Whoever calls the compiled
    function keeps the object alive.
    """

    _words: Any
    _kind: ClassVar[type[PointerType]]
    _numba_type_: ClassVar[PointerType]

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        # Machine code kept on disk names the type of its arguments: it must be found there again, not made twice.
        names = {"__module__": cls.__module__, "__qualname__": f"{cls.__qualname__}._kind", "instance_class": cls}
        cls._kind = type(f"{cls.__module__}.{cls.__name__}", (PointerType,), names)
        cls._numba_type_ = cls._kind()
        register_model(cls._kind)(_PointerModel)
        unbox(cls._kind)(_unbox_pointer)
        native_attribute(cls, "address")(lambda pointed: lambda pointed: _address_of(pointed))

    @property
    def address(self) -> int:
        """Where the words are."""
        return int(self._words.ctypes.data)


class PointedArray(Pointed):
    """One with a small array that compiled code, too, reads and writes as `_words`.

    Subclasses say what its numbers are: ``class Budget(PointedArray, dtype=np.int64)``.
    """

    _dtype: ClassVar[Any]

    def __init_subclass__(cls, *, dtype: Any, **options: Any) -> None:
        super().__init_subclass__(**options)
        cls._dtype = dtype
        words = _array_reader(types.Array(from_dtype(np.dtype(dtype)), 1, "C"))
        native_attribute(cls, "_words")(lambda pointed: lambda pointed: words(pointed))

    def __init__(self) -> None:
        self._words = np.zeros(ROOM, self._dtype)
