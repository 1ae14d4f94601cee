"""Retrograde analysis of an ending whose positions can be numbered, such as "king and rook against king".

`plyground.search.retrograde` finds positions by playing, and knows them by their hashes. Where all placements of a few
pieces are wanted there is a shorter way: a formula numbers them, so that a table is one byte a place and holds no keys,
and moves are taken back instead of being remembered.

    1. Look at every place once: mates are lost in 0 plies, and moves that leave the ending, by a capture or a
       promotion, lead to endings that are known already.
    2. For n = 0, 1, 2, ... take every position that is decided in n plies, and take back each move that may have led
       to it. If it is lost, the position before is won in n + 1 plies. If it is won, the position before may be lost:
       it is if all its moves lead to positions that are won.
    3. What is left is drawn.

Whether a position is lost is found by looking at its moves again, not by counting those that have been taken back.
That costs little, since the side that loses has few moves, and no count can be wrong where positions are symmetric.
The method is Ströhlein's (1970) and Thompson's (1986).

A game fits if whoever cannot move loses or draws, so that the parity of the plies says who wins. The ending is a
NamedTuple, and the three functions below are its rules, compiled like those of a game.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plyground.errors import BrokenRule
from plyground.native.compiling import compiled
from plyground.native.dispatch import required

__all__ = [
    "DRAWN", "LONGEST", "LOST_HERE", "NO_POSITION", "Progress", "build_codes", "code_of", "ending_moves",
    "ending_places", "ending_unmoves", "is_lost", "is_won", "outcome_of", "outside", "plies_of", "prepare_codes",
]  # fmt: skip

Progress = Callable[[int, int], None]
"""Called with how much is done, and of how much; the same numbers in every run."""

DRAWN, NO_POSITION = 0, 255
LONGEST = 253
"""The most plies that a code has room for."""
LOST_HERE = -2
ROOM = 512
"""Most moves of a position, forwards or backwards."""
CHUNK = 1 << 15
"""Places looked at between two reports of progress: a few hundredths of a second."""


# Codes ------------------------------------------------------------------------------------------------------------
#
# A code says in a byte what a position is worth to the side to move: 0 if it is drawn, 1 + n if it is decided in n
# plies of best play, the winner as fast and the loser as slow as can be; 255 if there is no such position.


def code_of(plies: int) -> int:
    """The code of a position that is decided in so many plies."""
    return 1 + plies


def plies_of(code: int) -> int:
    """In how many plies a position with this code is decided; -1 for a draw."""
    return code - 1


def is_won(code: Any) -> bool:
    """Whether the side to move wins: in an odd number of plies."""
    return bool(code != DRAWN and code & 1 == 0)


def is_lost(code: Any) -> bool:
    """Whether the side to move loses: in an even number of plies."""
    return bool(code & 1 == 1 and code != NO_POSITION)


def outcome_of(code: int) -> int:
    """1 if the side to move wins, -1 if it loses, 0 for a draw."""
    return 1 if is_won(code) else -1 if is_lost(code) else 0


def outside(code: Any) -> Any:
    """What `ending_moves` writes for a move that leaves the ending, to a position with this code."""
    return -1 - code


# Rules of an ending -----------------------------------------------------------------------------------------------


@required
def ending_places(ending: Any) -> int:
    """How many places the index has; not every place need hold a position."""
    raise NotImplementedError


@required
def ending_moves(ending: Any, place: Any, known: Any, out: Any) -> int:
    """Write where each legal move leads into `out`, and return how many there are.

    That is the place of the position after it or, if the ending is another one there, `outside` of its code, which is
    looked up in `known`. -1 is returned if no position is at this place, `LOST_HERE` if the game is over and lost for
    the side to move, 0 if it is over and drawn. A symmetric position has one place.
    """
    raise NotImplementedError


@required
def ending_unmoves(ending: Any, place: Any, out: Any) -> int:
    """Write the places from which a move can lead to this one, and return how many there are.

    A place may come twice, and places where no position is do no harm; but from every position among them a move must
    lead here.
    """
    raise NotImplementedError


# The analysis -----------------------------------------------------------------------------------------------------


@compiled
def look_ahead(ending: Any, known: Any, codes: Any, begin: int, end: int, buffer: Any) -> int:
    """Step 1 for some places: who is mated, and what is reached by leaving the ending.

    A win by leaving is a first guess: there may be a faster one within the ending. Returns the highest code, or -1 if a
    code is beyond what fits.
    """
    highest = 0
    for place in range(begin, end):
        count = ending_moves(ending, place, known, buffer)
        code = DRAWN
        if count == -1:
            code = NO_POSITION
        elif count == LOST_HERE:
            code = 1
        elif count > 0:
            # What is left of `fewest` and `most` if every move leaves the ending is exact.
            fewest, most, all_lose = NO_POSITION, 0, True
            for i in range(count):
                if buffer[i] >= 0:
                    all_lose = False
                    continue
                there = -1 - buffer[i]
                if is_lost(there):
                    fewest = min(fewest, there + 1)
                if is_won(there):
                    most = max(most, there + 1)
                else:
                    all_lose = False
            if fewest < NO_POSITION:
                code = fewest
            elif all_lose:
                code = most
            if code >= NO_POSITION:
                return -1
        codes[place] = code
        if code != NO_POSITION:
            highest = max(highest, code)
    return highest


@compiled
def look_back(ending: Any, known: Any, codes: Any, code: int, begin: int, end: int, before: Any, after: Any) -> int:
    """Step 2 for the positions with this code among some places; returns the highest code that was given.

    -1 if a code is beyond what fits. All that is written depends on what was found for lower codes alone, so the order
    of the places does not matter.
    """
    highest = 0
    for place in range(begin, end):
        if codes[place] != code:
            continue
        for i in range(ending_unmoves(ending, place, before)):
            here = before[i]
            old = int(codes[here])
            if code & 1 == 1:
                # Its mover loses: whoever could move there wins, unless faster already.
                if old == DRAWN or (is_won(old) and old > code + 1):
                    codes[here] = code + 1
                    highest = max(highest, code + 1)
            elif old == DRAWN:
                slowest = 0
                count = ending_moves(ending, here, known, after)
                for move in range(count):
                    there = int(codes[after[move]]) if after[move] >= 0 else -1 - after[move]
                    # A win that is not yet its turn is a guess; then this is asked again when the turn comes.
                    if not is_won(there) or (after[move] >= 0 and there > code):
                        slowest = -1
                        break
                    slowest = max(slowest, there)
                if slowest > 0:
                    if slowest + 1 >= NO_POSITION:
                        return -1
                    codes[here] = slowest + 1
                    highest = max(highest, slowest + 1)
    return highest


def prepare_codes(ending: Any, known: Any) -> None:
    """Compile what `build_codes` needs, or load it from the cache, before any clock runs."""
    codes, buffer = np.zeros(1, np.uint8), np.zeros(ROOM, np.int64)
    look_ahead.prepare(ending, known, codes, 0, 0, buffer)
    look_back.prepare(ending, known, codes, 0, 0, 0, buffer, buffer)


def build_codes(ending: Any, known: Any, on_progress: Progress | None = None) -> NDArray[np.uint8]:
    """The code of every place of an ending; `known` are the endings that it can become, see `ending_moves`."""
    places = ending_places(ending)
    codes = np.zeros(places, np.uint8)
    before, after = np.zeros(ROOM, np.int64), np.zeros(ROOM, np.int64)
    highest, code = 0, 0
    while code <= highest:
        for begin in range(0, places, CHUNK):
            end = min(places, begin + CHUNK)
            if code == 0:
                found = look_ahead(ending, known, codes, begin, end, before)
            else:
                found = look_back(ending, known, codes, code, begin, end, before, after)
            if found < 0:
                raise BrokenRule(f"a position takes more than {LONGEST} plies, and a table has room for no more")
            highest = max(highest, found)
            if on_progress:
                on_progress(code * places + end, (highest + 1) * places)
        code += 1
    return codes
