"""States as rows of 64-bit words, so that compiled code can hold many of them in one array.

A state is a tuple of numbers and of tuples of numbers; its words are those numbers in order. Whole numbers keep their
bits, floating-point numbers theirs. Arrays in a state take no words: all states of a game share them.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.imputils import impl_ret_borrowed
from numba.extending import intrinsic
from numpy.typing import NDArray

from plyground.native.dispatch import coerced
from plyground.native.overloads import native

__all__ = ["read_state", "state_numbers", "states_as_words", "word_count", "write_state"]

WORD = ir.IntType(64)


def word_count(state: Any) -> int:
    """How many words a state takes."""
    return sum(map(word_count, state)) if isinstance(state, tuple) else int(not isinstance(state, np.ndarray))


def write_state(state: Any, out: Any) -> None:
    """Write a state into a row of words."""
    for place, number in enumerate(state_numbers(state)):
        out[place] = _bits(number)


def read_state(like: Any, words: Any) -> Any:
    """The state in a row of words; `like` is any state of the same game, which has the same arrays."""
    numbers = iter([int(word) for word in words])
    return coerced(_shaped(coerced(like), numbers))


def states_as_words(states: Any) -> NDArray[np.uint64]:
    """The words of many states, a row each."""
    rows = np.zeros((len(states), word_count(states[0])), np.uint64)
    for row, state in zip(rows, states, strict=True):
        write_state(state, row)
    return rows


def state_numbers(state: Any) -> list[int | float]:
    """All numbers of a state, in order; arrays, which a game's states share, are left out."""
    return list(_numbers(coerced(state)))


def _numbers(value: Any) -> Iterator[int | float]:
    if isinstance(value, tuple):
        for item in value:
            yield from _numbers(item)
    elif not isinstance(value, np.ndarray):
        yield float(value) if isinstance(value, (float, np.floating)) else int(value)


def _bits(number: Any) -> int:
    if isinstance(number, float):
        return int(struct.unpack("<Q", struct.pack("<d", number))[0])
    return int(number) & 0xFFFFFFFFFFFFFFFF


def _shaped(like: Any, words: Any) -> Any:
    if isinstance(like, tuple):
        items = [_shaped(item, words) for item in like]
        return type(like)(*items) if hasattr(like, "_fields") else tuple(items)
    if isinstance(like, np.ndarray):
        return like
    word = next(words)
    if isinstance(like, (float, np.floating)):
        return type(like)(struct.unpack("<d", struct.pack("<Q", word))[0])
    if isinstance(like, (np.unsignedinteger, bool, np.bool_)):
        return type(like)(word)
    return type(like)(word - (1 << 64) if word >> 63 else word)


# In compiled code ------------------------------------------------------------------------------------------------


def _size(kind: Any) -> int:
    return sum(map(_size, kind)) if isinstance(kind, types.BaseTuple) else int(not isinstance(kind, types.Array))


def _pointer(context: Any, builder: Any, kind: Any, array: Any) -> Any:
    return builder.bitcast(context.make_array(kind)(context, builder, array).data, WORD.as_pointer())


@intrinsic
def _store(_context: Any, state: Any, out: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place = 0
        pointer = _pointer(context, builder, out, args[1])

        def put(kind: Any, value: Any) -> None:
            nonlocal place
            if isinstance(kind, types.BaseTuple):
                for item, part in zip(kind, cgutils.unpack_tuple(builder, value), strict=True):
                    put(item, part)
                return
            if isinstance(kind, types.Array):
                return
            if isinstance(kind, types.Float):
                wide = context.cast(builder, value, kind, types.float64)
                word = builder.bitcast(wide, WORD)
            else:
                word = context.cast(builder, value, kind, types.int64)
            builder.store(word, cgutils.gep_inbounds(builder, pointer, place))
            place += 1

        put(state, args[0])
        return context.get_dummy_value()

    return types.void(state, out), codegen


@intrinsic
def _load(_context: Any, like: Any, words: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place = 0
        pointer = _pointer(context, builder, words, args[1])

        def get(kind: Any, value: Any) -> Any:
            nonlocal place
            if isinstance(kind, types.BaseTuple):
                parts = zip(kind, cgutils.unpack_tuple(builder, value), strict=True)
                return context.make_tuple(builder, kind, [get(item, part) for item, part in parts])
            if isinstance(kind, types.Array):
                return value
            word = builder.load(cgutils.gep_inbounds(builder, pointer, place))
            place += 1
            if isinstance(kind, types.Float):
                wide = builder.bitcast(word, ir.DoubleType())
                return context.cast(builder, wide, types.float64, kind)
            return context.cast(builder, word, types.int64, kind)

        return impl_ret_borrowed(context, builder, like, get(like, args[0]))

    return like(like, words), codegen


@native(word_count)
def _word_count(state: Any) -> Any:
    size = _size(state)
    return lambda state: size


@native(write_state)
def _write_state(state: Any, out: Any) -> Any:
    return lambda state, out: _store(state, out)


@native(read_state)
def _read_state(like: Any, words: Any) -> Any:
    return lambda like, words: _load(like, words)
