"""Arrays over memory that nobody counts references to: in the stack frame, or where a pointer points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.arrayobj import make_array, populate_array

from plyground.native.overloads import native

__all__ = ["borrowed", "stack_floats", "stack_integers", "view"]


def view(context: Any, builder: Any, array_type: Any, data: Any, shape: Sequence[Any]) -> Any:
    """For intrinsics: the array of this type, contiguous, of one or two axes, whose numbers begin at `data`."""
    item = context.get_constant(types.intp, context.get_abi_sizeof(context.get_data_type(array_type.dtype)))
    strides = [item] if len(shape) == 1 else [builder.mul(shape[1], item), item]
    array = make_array(array_type)(context, builder)
    populate_array(array, data=data, shape=shape, strides=strides, itemsize=item, meminfo=None)
    return array._getvalue()


def _stack_array(number: Any) -> Any:
    array_type = types.Array(number, 1, "C")

    @intrinsic
    def stack_array(_context: Any, length: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            data = builder.alloca(context.get_data_type(number), size=args[0])
            return view(context, builder, array_type, data, [args[0]])

        return array_type(types.int64), codegen

    return stack_array


stack_integers, stack_floats = _stack_array(types.int64), _stack_array(types.float64)
"""``stack_integers(length)`` is an array of int64 in the stack frame of the compiled function that calls it.

Nothing is allocated and no reference counted; its content is what was there before. The function that takes one must
not return it, and a function that takes one on behalf of its caller must be ``native(..., inline="always")``.
"""


def borrowed(array: Any) -> Any:
    """The same array without a claim on it: compiled recursion then need not count references at every node.

    Whoever called the compiled function keeps the array alive while it runs.
    """
    return array


@intrinsic
def _without_owner(_context: Any, array: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        seen = make_array(array)(context, builder, args[0])
        seen.meminfo = cgutils.get_null_value(seen.meminfo.type)
        seen.parent = cgutils.get_null_value(seen.parent.type)
        return seen._getvalue()

    return array(array), codegen


@native(borrowed)
def _borrowed(array: Any) -> Any:
    return lambda array: _without_owner(array)
