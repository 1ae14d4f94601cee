"""Operations on 64-bit words that Python has no operator for, the same interpreted and compiled.

Each function is plain Python; inside compiled code LLVM's own instruction takes its place.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numba.extending import intrinsic

from plyground.native.overloads import native, native_method

__all__ = ["bit_index", "bytes_swapped", "lowest_bit", "mix64", "popcount"]

MASK64 = (1 << 64) - 1


def popcount(word: Any) -> int:
    """How many bits of the word are set."""
    return (int(word) & MASK64).bit_count()


def bit_index(word: Any) -> int:
    """The index of the lowest set bit; 64 for an empty word."""
    word = int(word) & MASK64
    return (word & -word).bit_length() - 1 if word else 64


def lowest_bit(word: Any) -> Any:
    """The word with only its lowest set bit left."""
    return np.uint64(int(word) & -int(word) & MASK64) if isinstance(word, np.uint64) else word & -word


def bytes_swapped(word: Any) -> np.uint64:
    """The word with its eight bytes in the opposite order: a board of 8x8 squares turned upside down."""
    return np.uint64(int.from_bytes((int(word) & MASK64).to_bytes(8, "little"), "big"))


def mix64(word: Any) -> np.uint64:
    """A bijection of 64-bit words in which every input bit changes half of the output (splitmix64's finaliser)."""
    x = int(word) & MASK64
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9 & MASK64
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB & MASK64
    return np.uint64(x ^ (x >> 31))


@intrinsic
def _ctpop(_context: Any, word: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return context.cast(builder, builder.ctpop(args[0]), word, types.int64)

    return types.int64(word), codegen


@intrinsic
def _cttz(_context: Any, word: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        defined_at_zero = context.get_constant(types.boolean, False)
        return context.cast(builder, builder.cttz(args[0], defined_at_zero), word, types.int64)

    return types.int64(word), codegen


@intrinsic
def _bswap(_context: Any, word: Any) -> Any:
    return word(word), lambda context, builder, signature, args: builder.bswap(args[0])


@native(popcount)
def _popcount(word: Any) -> Any:
    return lambda word: _ctpop(np.uint64(word))


@native(bit_index)
def _bit_index(word: Any) -> Any:
    return lambda word: _cttz(np.uint64(word))


@native(lowest_bit)
def _lowest_bit(word: Any) -> Any:
    return lambda word: word & -word


@native(bytes_swapped)
def _bytes_swapped(word: Any) -> Any:
    return lambda word: _bswap(np.uint64(word))


@native(mix64)
def _mix64(word: Any) -> Any:
    def impl(word):  # type: ignore[no-untyped-def]
        x = np.uint64(word)
        x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return x ^ (x >> np.uint64(31))

    return impl


@native_method(types.Integer, "bit_count")
def _bit_count(word: Any) -> Any:
    """``word.bit_count()`` as ordinary Python has it; Numba lacks the method."""
    if word.signed:
        return lambda word: _ctpop(np.uint64(abs(word)))
    return lambda word: _ctpop(np.uint64(word))


@native_method(types.Integer, "bit_length")
def _bit_length(word: Any) -> Any:
    """``word.bit_length()`` as ordinary Python has it."""

    def impl(word):  # type: ignore[no-untyped-def]
        rest = np.uint64(abs(word)) if word < 0 else np.uint64(word)
        length = 0
        while rest:
            rest >>= np.uint64(1)
            length += 1
        return length

    return impl
