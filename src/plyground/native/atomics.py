"""Numbers that several threads read and write without a lock. For compiled code, which names them by their address."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

__all__ = ["add_at", "load_word", "prefetch", "put_where_zero", "save_word"]


@intrinsic
def load_word(_context: Any, address: Any) -> Any:
    """Read a uint64 from memory, even in a loop: another thread may have written it."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.load_atomic(builder.inttoptr(args[0], ir.IntType(64).as_pointer()), "monotonic", 8)

    return types.uint64(types.uint64), codegen


@intrinsic
def save_word(_context: Any, address: Any, word: Any) -> Any:
    """Write a uint64 at once, so that no other thread reads half of it."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        builder.store_atomic(args[1], builder.inttoptr(args[0], ir.IntType(64).as_pointer()), "monotonic", 8)
        return context.get_dummy_value()

    return types.void(types.uint64, types.uint64), codegen


@intrinsic
def add_at(_context: Any, address: Any, value: Any) -> Any:
    """Add to the number of the value's type at an address, and return what it was before, in one step."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kind = context.get_value_type(value)
        operation = "fadd" if isinstance(value, types.Float) else "add"
        return builder.atomic_rmw(operation, builder.inttoptr(args[0], kind.as_pointer()), args[1], "monotonic")

    return value(types.uintp, value), codegen


@intrinsic
def put_where_zero(_context: Any, address: Any, value: Any) -> Any:
    """Put an int32 where there is a 0; whether there was one."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        pointer = builder.inttoptr(args[0], ir.IntType(32).as_pointer())
        outcome = builder.cmpxchg(pointer, ir.Constant(ir.IntType(32), 0), args[1], "acq_rel", "monotonic")
        return builder.extract_value(outcome, 1)

    return types.boolean(types.uintp, types.int32), codegen


@intrinsic
def prefetch(_context: Any, address: Any) -> Any:
    """Ask for the cache line at an address, which will be read soon."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        pointer, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [pointer, number, number, number])
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        hints = [ir.Constant(number, hint) for hint in (0, 3, 1)]  # to read, keep it close, data
        builder.call(function, [builder.inttoptr(args[0], pointer), *hints])
        return context.get_dummy_value()

    return types.void(types.uint64), codegen
