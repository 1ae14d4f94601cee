"""The two kernels of Reversi on bitboards: which squares are moves, and which discs a move flips.

A board is two uint64 words, one bit a square: bit 8*row + column, a1 (top left) first. The functions below are plain
Python, one direction after the other. Compiled code runs all eight directions at once instead, as two vectors of
four lanes (east, south-west, south, south-east; and their opposites), which LLVM lowers to AVX2, AVX-512 or NEON.

Boards smaller than 8x8 lie in the top left corner; the squares beyond are never occupied, so that no line crosses
them, and only the moves must be masked.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import binding, ir
from numba import types
from numba.extending import intrinsic

from plyground.native.bits import MASK64
from plyground.native.overloads import native

__all__ = ["flips", "moves"]

_DIRECTIONS = tuple((down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if down or right)


def _ray(square: int, down: int, right: int) -> list[int]:
    """The squares from `square` (not included) to the edge in one direction."""
    row, column = square // 8 + down, square % 8 + right
    ray = []
    while 0 <= row < 8 and 0 <= column < 8:
        ray.append(8 * row + column)
        row, column = row + down, column + right
    return ray


_RAYS = [[_ray(square, down, right) for down, right in _DIRECTIONS] for square in range(64)]


def flips(own: Any, opponent: Any, square: Any) -> Any:
    """The opponent's discs that a disc of ours on an empty square would flip; 0 if it would flip none."""
    mine, theirs = int(own), int(opponent)
    flipped = 0
    for ray in _RAYS[int(square)]:
        run = 0
        for place in ray:
            if theirs >> place & 1:
                run |= 1 << place
                continue
            if mine >> place & 1:
                flipped |= run
            break
    return np.uint64(flipped)


def moves(own: Any, opponent: Any) -> Any:
    """All empty squares where a disc of ours would flip something."""
    empty = ~(int(own) | int(opponent)) & MASK64
    found = 0
    while empty:
        bit = empty & -empty
        if flips(own, opponent, bit.bit_length() - 1):
            found |= bit
        empty ^= bit
    return np.uint64(found)


# Four directions at a time ----------------------------------------------------------------------------------------

_WORD = ir.IntType(64)
_LANES = ir.VectorType(_WORD, 4)
_STEPS = (1, 7, 8, 9)
"""Towards higher bits: east, south-west, south, south-east. Towards lower bits: their opposites."""
_INNER = 0x7E7E7E7E7E7E7E7E
"""Discs on the first and last column never lie between two others, except along the column."""


def _lanes(*values: int) -> ir.Constant:
    return ir.Constant(_LANES, [ir.Constant(_WORD, value) for value in values])


_STEP = _lanes(*_STEPS)
_TWO_STEPS = _lanes(*(2 * step for step in _STEPS))
_PASSABLE = _lanes(_INNER, _INNER, MASK64, _INNER)

_UP = ((0, 1), (1, -1), (1, 0), (1, 1))
UP_RAYS = np.array([[sum(1 << s for s in _ray(square, *d)) for d in _UP] for square in range(64)], np.uint64)
DOWN_RAYS = np.array([[sum(1 << s for s in _ray(square, -d, -r)) for d, r in _UP] for square in range(64)], np.uint64)
"""For each square the four rays towards higher and towards lower bits, as the lanes of one vector each."""


def _splat(builder: Any, word: Any) -> Any:
    zero = ir.Constant(ir.IntType(32), 0)
    single = builder.insert_element(ir.Constant(_LANES, ir.Undefined), word, zero)
    lanes = ir.Constant(ir.VectorType(ir.IntType(32), 4), [zero] * 4)
    return builder.shuffle_vector(single, ir.Constant(_LANES, ir.Undefined), lanes)


def _union(builder: Any, vector: Any) -> Any:
    function = builder.module.declare_intrinsic("llvm.vector.reduce.or.v4i64", fnty=ir.FunctionType(_WORD, [_LANES]))
    return builder.call(function, [vector])


@intrinsic
def _moves_vector(_context: Any, own: Any, opponent: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        mine = _splat(builder, args[0])
        passable = builder.and_(_splat(builder, args[1]), _PASSABLE)

        def reach(shift: Any) -> Any:
            # Parallel prefix: runs of opponents next to ours grow by one step, one step, two steps, two steps.
            run = builder.and_(passable, shift(mine, _STEP))
            run = builder.or_(run, builder.and_(passable, shift(run, _STEP)))
            pairs = builder.and_(passable, shift(passable, _STEP))
            run = builder.or_(run, builder.and_(pairs, shift(run, _TWO_STEPS)))
            run = builder.or_(run, builder.and_(pairs, shift(run, _TWO_STEPS)))
            return shift(run, _STEP)

        ends = _union(builder, builder.or_(reach(builder.shl), reach(builder.lshr)))
        return builder.and_(ends, builder.not_(builder.or_(args[0], args[1])))

    return types.uint64(types.uint64, types.uint64), codegen


_LEADING_ZEROS_IS_ONE_INSTRUCTION = binding.get_host_cpu_features().get("avx512cd", False)


@intrinsic
def _flips_vector(_context: Any, own: Any, opponent: Any, up_rays: Any, down_rays: Any) -> Any:
    """Flips along the rays at two addresses, four lanes each."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        mine, theirs = _splat(builder, args[0]), _splat(builder, args[1])
        pointer = _LANES.as_pointer()
        up = builder.load(builder.inttoptr(args[2], pointer), align=8)
        down = builder.load(builder.inttoptr(args[3], pointer), align=8)
        one, zero = _lanes(1, 1, 1, 1), _lanes(0, 0, 0, 0)

        # Towards higher bits: a carry runs through the opponent's discs and stops at the first square that is not.
        through = builder.or_(theirs, builder.not_(up))
        end = builder.and_(builder.and_(builder.add(through, one), up), mine)
        found = builder.sext(builder.icmp_unsigned("!=", end, zero), _LANES)
        flipped = builder.and_(up, builder.add(end, found))

        # Towards lower bits: the highest square of the ray that is not the opponent's.
        stop = builder.and_(down, builder.not_(theirs))
        if _LEADING_ZEROS_IS_ONE_INSTRUCTION:
            kind = ir.FunctionType(_LANES, [_LANES, ir.IntType(1)])
            ctlz = builder.module.declare_intrinsic("llvm.ctlz.v4i64", fnty=kind)
            zeros = builder.call(ctlz, [builder.or_(stop, one), ir.Constant(ir.IntType(1), 1)])
            top = builder.lshr(_lanes(*[1 << 63] * 4), zeros)
        else:
            smear = stop
            for times in (1, 2, 4):
                smear = builder.or_(smear, builder.lshr(smear, _lanes(*(times * step for step in _STEPS))))
            top = builder.and_(smear, builder.not_(builder.lshr(smear, _STEP)))
        end = builder.and_(builder.and_(top, down), mine)
        above = builder.sub(zero, builder.shl(end, one))
        flipped = builder.or_(flipped, builder.and_(down, above))
        return _union(builder, flipped)

    return types.uint64(types.uint64, types.uint64, types.uintp, types.uintp), codegen


@native(moves)
def _moves(own: Any, opponent: Any) -> Any:
    return lambda own, opponent: _moves_vector(own, opponent)


@native(flips)
def _flips(own: Any, opponent: Any, square: Any) -> Any:
    def impl(own, opponent, square):  # type: ignore[no-untyped-def]
        # The addresses are taken here, not at import: cached code would keep them into a process where they are void.
        offset = np.uint64(square) * np.uint64(32)
        up, down = np.uint64(UP_RAYS.ctypes.data), np.uint64(DOWN_RAYS.ctypes.data)
        return _flips_vector(own, opponent, up + offset, down + offset)

    return impl
