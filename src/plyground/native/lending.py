"""Arrays that a search is lent: compiled recursion holds all of them as one pointer.

An array is seven or more words in compiled code, and a recursion that hands a dozen of them down writes a hundred words
at every node. So they are kept together in one object, and what a node needs of them it reads from there.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from llvmlite import ir
from numba import from_dtype, types
from numba.extending import intrinsic

from plyground.native.arrays import view
from plyground.native.overloads import native_attribute
from plyground.native.pointers import Pointed

__all__ = ["Lent", "lent_at"]

WORDS = 3
"""For each array: its address, and its length along two axes."""


class Lent(Pointed):
    """Subclasses say in `arrays` what they hold: for each name the type of its numbers, and how many axes it has.

    The arrays are attributes, in plain Python as well as in compiled code.
    """

    arrays: ClassVar[dict[str, tuple[Any, int]]]

    def __init__(self, **arrays: Any) -> None:
        self.__setstate__(arrays)

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        for place, (name, (dtype, axes)) in enumerate(cls.arrays.items()):
            _let_read(cls, name, place, types.Array(from_dtype(np.dtype(dtype)), axes, "C"))

    def __setstate__(self, attributes: dict[str, Any]) -> None:
        vars(self).update(attributes)
        self._note_addresses()

    def _note_addresses(self) -> None:
        """Done for every copy of the object: it may have its arrays elsewhere, or be in another process."""
        words = np.zeros((len(self.arrays), WORDS), np.int64)
        for row, (name, (dtype, axes)) in zip(words, self.arrays.items(), strict=True):
            array = getattr(self, name)
            assert array.dtype == dtype
            assert array.ndim == axes
            assert array.flags.c_contiguous
            row[: 1 + axes] = array.ctypes.data, *array.shape
        vars(self)["_words"] = words


def _let_read(lent: type[Lent], name: str, place: int, array_type: Any) -> None:
    """Let compiled code read one of the arrays."""

    @intrinsic
    def read(_context: Any, lent: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            def word(number: int) -> Any:
                found = builder.load(builder.gep(args[0], [ir.Constant(ir.IntType(64), WORDS * place + number)]))
                found.set_metadata("invariant.load", builder.module.add_metadata([]))
                return found

            data = builder.inttoptr(word(0), context.get_data_type(array_type.dtype).as_pointer())
            return view(context, builder, array_type, data, [word(1 + axis) for axis in range(array_type.ndim)])

        return array_type(lent), codegen

    native_attribute(lent, name)(lambda lent: lambda lent: read(lent))


def lent_at(lent: type[Lent]) -> Any:
    """What gives compiled code the object of this class that has a given `address`: records hold numbers only.

    Whoever put the address into the record keeps the object alive.
    """
    kind = lent._numba_type_

    @intrinsic
    def at(_context: Any, address: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.inttoptr(args[0], ir.IntType(64).as_pointer())

        return kind(types.uint64), codegen

    return at
