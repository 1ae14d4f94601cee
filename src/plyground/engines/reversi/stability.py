"""Discs that can never be flipped again.

Along the edges they are looked up: a disc is stable if no sequence of moves by either side, legal or not, flips it.
Inside, a disc is stable if on each of the four lines through it the line is full or a neighbour is stable. That misses
some, but what it finds is certain, which is what a bound on the score needs: the other side cannot have these discs.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plyground.engines.reversi.last_flips import FIRST_COLUMN, TO_TOP_BYTE
from plyground.native.compiling import compiled

__all__ = ["new_edge_table", "stable_discs"]

INNER = np.uint64(0x007E7E7E7E7E7E00)


@compiled
def new_edge_table() -> Any:
    """For our discs and the opponent's along an edge, a byte each, at 256 * ours + theirs: which of ours are stable."""
    table = np.zeros(65536, np.uint8)
    done = np.zeros(65536, np.bool_)
    for own in range(256):
        for opponent in range(256):
            if own & opponent == 0:
                stable_on_edge(own, opponent, table, done)
    return table


@compiled
def stable_on_edge(own: int, opponent: int, table: Any, done: Any) -> int:
    """Fill in one entry, and those that it needs: what stays ours whoever plays on whichever empty square."""
    index = 256 * own + opponent
    if done[index]:
        return int(table[index])
    stable = own
    for place in range(8):
        square = 1 << place
        if (own | opponent) & square == 0:
            flipped = flips_on_edge(own, opponent, place)
            stable &= stable_on_edge(own | flipped | square, opponent & ~flipped, table, done)
            flipped = flips_on_edge(opponent, own, place)
            stable &= stable_on_edge(own & ~flipped, opponent | flipped | square, table, done)
    done[index] = True
    table[index] = stable
    return stable


@compiled
def flips_on_edge(own: int, opponent: int, place: int) -> int:
    """What a disc of ours flips along the edge."""
    flipped = 0
    for step in (-1, 1):
        run, there = 0, place + step
        while 0 <= there < 8 and opponent >> there & 1:
            run |= 1 << there
            there += step
        if 0 <= there < 8 and own >> there & 1:
            flipped |= run
    return flipped


@compiled
def first_column(word: Any) -> Any:
    """The first column as a byte, the top row in bit 0."""
    return (word & FIRST_COLUMN) * TO_TOP_BYTE >> np.uint64(56)


@compiled
def as_first_column(byte: Any) -> Any:
    """The other way round."""
    return (byte & np.uint64(127)) * np.uint64(0x0002040810204081) & FIRST_COLUMN | byte >> np.uint64(7) << np.uint64(
        56
    )


@compiled
def stable_edges(own: Any, opponent: Any, edges: Any) -> Any:
    """Our stable discs along the four edges."""
    byte, top, last, eight = np.uint64(255), np.uint64(56), np.uint64(7), np.uint64(8)
    stable = np.uint64(edges[(own & byte) << eight | opponent & byte])
    stable |= np.uint64(edges[own >> top << eight | opponent >> top]) << top
    stable |= as_first_column(np.uint64(edges[first_column(own) << eight | first_column(opponent)]))
    right = np.uint64(edges[first_column(own >> last) << eight | first_column(opponent >> last)])
    return stable | as_first_column(right) << last


@compiled
def full_diagonals(full: Any, east: bool) -> Any:
    """The squares whose diagonal, falling to the east or to the west, has no empty square: emptiness spreads."""
    one, two, four = (
        (np.uint64(9), np.uint64(18), np.uint64(36)) if east else (np.uint64(7), np.uint64(14), np.uint64(28))
    )
    low = (np.uint64(0x7F7F7F7F7F7F7F7F), np.uint64(0x3F3F3F3F3F3F3F3F), np.uint64(0x0F0F0F0F0F0F0F0F))
    high = (np.uint64(0xFEFEFEFEFEFEFEFE), np.uint64(0xFCFCFCFCFCFCFCFC), np.uint64(0xF0F0F0F0F0F0F0F0))
    down, up = (low, high) if east else (high, low)
    below = above = ~full
    below |= (below & down[0]) << one
    below |= (below & down[1]) << two
    below |= (below & down[2]) << four
    above |= (above & up[0]) >> one
    above |= (above & up[1]) >> two
    above |= (above & up[2]) >> four
    return ~(below | above)


@compiled
def stable_discs(own: Any, opponent: Any, edges: Any) -> Any:
    """A set of our discs that can never be flipped; `edges` is the table for the edges."""
    full = own | opponent
    one, two, four, eight = np.uint64(1), np.uint64(2), np.uint64(4), np.uint64(8)
    rows = full
    rows &= rows >> one
    rows &= rows >> two
    rows &= rows >> four
    rows = (rows & FIRST_COLUMN) * np.uint64(255)
    columns = full
    columns &= columns >> np.uint64(32) | columns << np.uint64(32)
    columns &= columns >> np.uint64(16) | columns << np.uint64(48)
    columns &= columns >> eight | columns << np.uint64(56)
    falling, rising = full_diagonals(full, True), full_diagonals(full, False)
    inner = own & INNER
    stable = stable_edges(own, opponent, edges) | inner & rows & columns & falling & rising
    while stable:
        held = stable >> one | stable << one | rows
        held &= stable >> eight | stable << eight | columns
        held &= stable >> np.uint64(9) | stable << np.uint64(9) | falling
        held &= stable >> np.uint64(7) | stable << np.uint64(7) | rising
        more = stable | inner & held
        if more == stable:
            break
        stable = more
    return stable
