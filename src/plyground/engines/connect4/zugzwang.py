"""What follows from who must move when: bounds on the score of a position without a search.

For racks with an even number of rows. Rows are counted from 1 at the bottom; in each column the discs of the two
players could be placed in pairs, an odd row and the even one above it.

**The second player can follow.** It answers each disc with one on top of it. Where the next free cell of a column is in
an even row there is no pair, but there is an even number of such columns when the first player is to move, and a disc
in one of them is answered in another. So the first player gets cells of odd rows and some of these next cells, and
nothing else. If with all of them it cannot make four, the second player does not lose. If moreover the second player
would win in a cell of an even row, the first one must not play below it, and when the rest of the rack is full, it
must. The cells from there upwards are left over, and say when the game is over at the latest.

**The first player has a cell in an odd row** that would win, with another free cell below it. When the second player
is to move, an even number of cells is free besides those from the one below it upwards, so now it is the first player
who can answer everything: on top of the other's disc, or, where the next cells of two columns are odd ones out, in the
other column. At the end the second player must play below the winning cell. In that column it gets even rows, in the
others odd ones.

The ideas of follow-up and of odd and even threats are those of V. Allis, "A Knowledge-based Approach of Connect-Four",
1988; they are simpler here, since they prove bounds for a search and need not decide every position.
"""

from __future__ import annotations

from typing import Any

from plyground.engines.connect4.lines import filled_up, holds_four
from plyground.native.bits import bit_index, popcount
from plyground.native.compiling import compiled

__all__ = ["UNKNOWN", "zugzwang_bound"]

UNKNOWN = 99
"""No bound on the far side of alpha was found."""


@compiled
def left_over(cut: int, memory: Any) -> int:
    """How many cells are never played if the lowest cells of `cut` win: these, all above, and those right below."""
    return popcount(cut | cut >> 1 & memory.board)


@compiled
def zugzwang_bound(mine: int, taken: int, wins: int, threats: int, discs: int, alpha: int, memory: Any) -> int:
    """A bound on the score on the far side of alpha, or `UNKNOWN`; the arguments are those of the search."""
    playable = taken + memory.bottom & memory.board
    odd_rows, empty = memory.odd_rows, memory.board ^ taken
    usable = empty & odd_rows | playable
    if discs & 1 == 0:  # the first player is to move
        if threats & playable:
            return UNKNOWN
        cut = filled_up(threats & ~odd_rows, memory)
        points = left_over(cut, memory) >> 1
        if -points <= alpha and not holds_four(mine | usable & ~cut, memory):
            return -points
        return UNKNOWN
    cut = filled_up(wins & ~odd_rows, memory)
    points = left_over(cut, memory) >> 1
    if points > alpha:
        single = playable & ~odd_rows  # one of these cells the second player takes at once, to begin with
        within = usable & odd_rows if single & single - 1 == 0 else usable
        if not holds_four(mine ^ taken | within & ~cut, memory):
            return points
    if threats & playable:
        return UNKNOWN
    waiting = threats & odd_rows
    others = filled_up(threats & ~odd_rows, memory)
    while waiting:
        cell = waiting & -waiting
        waiting ^= cell
        above = filled_up(cell, memory)
        column = memory.column << bit_index(cell) // (memory.rows + 1) * (memory.rows + 1)
        cut = others & ~column
        points = popcount(above) + left_over(cut, memory) >> 1
        if -points <= alpha:
            within = usable & ~column | (empty & ~odd_rows | playable) & column
            if not holds_four(mine | within & ~above & ~cut, memory):
                return -points
    return UNKNOWN
