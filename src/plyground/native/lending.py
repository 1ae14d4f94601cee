"""Arrays that a search is lent: compiled recursion holds all of them as one pointer.

An array is seven or more words in compiled code, and a recursion that hands a dozen of them down writes a hundred words
at every node. So they are kept together in one object, and what a node needs of them it reads from there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
from llvmlite import ir
from numba import from_dtype, types
from numba.extending import intrinsic
from numba.np.arrayobj import make_array, populate_array

from plyground.native.overloads import PointerType, native_attribute

__all__ = ["Lent"]

WORDS = 3
"""For each array: its address, and its length along two axes."""


class Lent:
    """Subclasses say in `arrays` what they hold: for each name the type of its numbers, and how many axes it has.

    The arrays are attributes, in plain Python as well as in compiled code. Whoever calls a compiled function with the
    object keeps it alive.
    """

    arrays: ClassVar[dict[str, tuple[Any, int]]]
    _kind: ClassVar[type[PointerType]]
    _type: ClassVar[Any]

    def __init__(self, **arrays: Any) -> None:
        self._words = np.zeros(WORDS * len(self.arrays), np.int64)
        for place, (name, (dtype, axes)) in enumerate(self.arrays.items()):
            array = arrays[name]
            assert array.dtype == dtype
            assert array.ndim == axes
            assert array.flags.c_contiguous
            setattr(self, name, array)
            self._words[WORDS * place] = array.ctypes.data
            self._words[WORDS * place + 1 : WORDS * place + 1 + axes] = array.shape

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        # Machine code kept on disk names the type of its arguments: it must be found there again, not made anew.
        names = {"__module__": cls.__module__, "__qualname__": f"{cls.__qualname__}._kind"}
        cls._kind = kind = type(f"{cls.__module__}.{cls.__name__}", (PointerType,), names)
        cls._type = kind()
        for place, (name, (dtype, axes)) in enumerate(cls.arrays.items()):
            native_attribute(kind, name)(_reader(cls._type, place, types.Array(from_dtype(np.dtype(dtype)), axes, "C")))

    @property
    def _address(self) -> int:
        return int(self._words.ctypes.data)

    @property
    def _numba_type_(self) -> Any:
        return self._type


def _reader(kind: Any, place: int, array_type: Any) -> Callable[[Any], Any]:
    """What compiled code runs to read one of the arrays."""

    @intrinsic
    def view(_context: Any, lent: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            def word(number: int) -> Any:
                found = builder.load(builder.gep(args[0], [ir.Constant(ir.IntType(64), WORDS * place + number)]))
                found.set_metadata("invariant.load", builder.module.add_metadata([]))
                return found

            size = context.get_abi_sizeof(context.get_data_type(array_type.dtype))
            item = context.get_constant(types.intp, size)
            shape = [word(1 + axis) for axis in range(array_type.ndim)]
            strides = [item] if array_type.ndim == 1 else [builder.mul(shape[1], item), item]
            data = builder.inttoptr(word(0), context.get_data_type(array_type.dtype).as_pointer())
            array = make_array(array_type)(context, builder)
            populate_array(array, data=data, shape=shape, strides=strides, itemsize=item, meminfo=None)
            return array._getvalue()

        return array_type(kind), codegen

    return lambda lent: lambda lent: view(lent)
