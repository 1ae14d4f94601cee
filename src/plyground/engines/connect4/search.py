"""Exact search: null windows on the score, with what forced replies and the end of the game prove at once.

The score of a position is that of the player to move: 0 for a draw, n > 0 if this player wins with the n-th last of all
discs that it could play, -n if the other one does. So on 7 x 6 it is 22 less the winner's discs at the end, the sooner
the win the higher, and 1 where the game is won with the last or the last but one disc.

Asked whether the score is greater than `alpha`, a search answers with a bound on the far side of it: if the answer is
greater, the score is at least that, otherwise at most.

A search is never asked about a position where the player to move can win at once. It never plays below a cell where the
other one would win. Of the other moves those come first that leave the most cells that would win, and among them the
middle ones. What is known as well is in `plyground.engines.connect4.zugzwang`.
"""

from __future__ import annotations

from typing import Any

from plyground.engines.connect4.lines import completing, key_of, mirror_image
from plyground.engines.connect4.table import find, lower_of, store, upper_of
from plyground.engines.connect4.zugzwang import UNKNOWN, zugzwang_bound
from plyground.native.atomics import load_word
from plyground.native.bits import bit_index, popcount
from plyground.native.compiling import compiled

__all__ = ["exceeds", "search", "solve", "win_score"]

TABLE_FROM = 13
"""From this many empty cells on the table is worth its cost: below, a search is faster than a look into memory."""
MIRROR_UNTIL = 20
"""Up to this many discs mirror images share an entry; later they hardly ever meet."""
SIZE = 8
"""Order: a cell that would win counts as many columns away from the middle."""


@compiled
def win_score(discs: int, cells: int) -> int:
    """The score of a position in which the player to move wins at once."""
    return cells + 1 - discs >> 1


@compiled
def search(mine: int, taken: int, wins: int, threats: int, discs: int, alpha: int, memory: Any) -> int:
    """Whether the score is greater than alpha, as a bound; `wins` and `threats` are what either would complete."""
    memory.nodes += 1
    if memory.nodes >= memory.allowed or load_word(memory.signal):
        memory.halted = 1
        return 0
    cells: int = memory.cells
    playable = taken + memory.bottom & memory.board
    moves = playable
    forced = playable & threats
    if forced:
        if forced & forced - 1:
            return -(cells - discs >> 1)
        moves = forced
    moves &= ~(threats >> 1)
    if moves == 0:
        return -(cells - discs >> 1)
    if discs >= cells - 2:
        return 0
    lower, upper = -(cells - 2 - discs >> 1), cells - 1 - discs >> 1
    if lower > alpha:
        return lower
    if upper <= alpha:
        return upper
    if memory.even_height:
        bound = zugzwang_bound(mine, taken, wins, threats, discs, alpha, memory)
        if bound != UNKNOWN:
            return bound
    key = key_of(mine, taken, memory)
    remembered = cells - discs >= TABLE_FROM
    if remembered:
        if discs <= MIRROR_UNTIL:
            key = min(key, mirror_image(key, memory))
        word = find(key, memory)
        if word:
            lower, upper = max(lower, lower_of(word)), min(upper, upper_of(word))
            if lower > alpha:
                return lower
            if upper <= alpha:
                return upper
    order, move, gains = memory.order[discs], memory.move[discs], memory.wins[discs]
    count = 0
    while moves:
        cell = moves & -moves
        moves ^= cell
        gained = completing(mine | cell, taken | cell, memory)
        value = SIZE * popcount(gained) - abs(bit_index(cell) // (memory.rows + 1) - (memory.columns >> 1))
        slot = count
        while slot > 0 and order[slot - 1] < value:
            order[slot], move[slot], gains[slot] = order[slot - 1], move[slot - 1], gains[slot - 1]
            slot -= 1
        order[slot], move[slot], gains[slot] = value, cell, gained
        count += 1
    best = -cells
    theirs = mine ^ taken
    for number in range(count):
        cell = move[number]
        score = -search(theirs, taken | cell, threats & ~cell, gains[number], discs + 1, -alpha - 1, memory)
        if memory.halted:
            return 0
        if score > best:
            best = score
            if best > alpha:
                break
    if remembered:
        if best > alpha:
            store(key, max(best, lower), upper, memory)
        else:
            store(key, lower, min(best, upper), memory)
    return best


@compiled
def solve(mine: int, taken: int, memory: Any) -> int:
    """The score of a position that is not over; void if `halted`.

    First whether it is won, and from there on from bound to bound: each is the next question.
    """
    discs: int = popcount(taken)
    cells: int = memory.cells
    wins, threats = completing(mine, taken, memory), completing(mine ^ taken, taken, memory)
    if wins & taken + memory.bottom:
        return win_score(discs, cells)
    lower, upper = -(cells - discs >> 1), cells - 1 - discs >> 1
    guess = 0
    while lower < upper:
        middle = min(max(guess, lower), upper - 1)
        found = search(mine, taken, wins, threats, discs, middle, memory)
        if memory.halted:
            return 0
        if found > middle:
            lower = guess = found
        else:
            upper, guess = found, found - 1
    return lower


@compiled
def exceeds(mine: int, taken: int, alpha: int, memory: Any) -> bool:
    """Whether the score of a position that is not over is greater than alpha; void if `halted`."""
    discs: int = popcount(taken)
    wins, threats = completing(mine, taken, memory), completing(mine ^ taken, taken, memory)
    if wins & taken + memory.bottom:
        return win_score(discs, memory.cells) > alpha
    return search(mine, taken, wins, threats, discs, alpha, memory) > alpha
