"""Playing written moves by the rules: forced passes that were left out are put in, and faults are named.

One game, or thousands at once as an array; both run as machine code.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from plyground.core.rules import action_text, actions, result
from plyground.errors import IllegalAction, UnreadableAction
from plyground.games.reversi import PASS, Reversi, reversi
from plyground.games.reversi.moves import moves
from plyground.native.bits import popcount
from plyground.native.compiling import compiled
from plyground.native.dispatch import coerced

__all__ = [
    "END",
    "NO_SQUARE",
    "START",
    "Played",
    "Replayed",
    "no_square",
    "play_written",
    "read_square",
    "replay",
    "replay_games",
    "why_illegal",
]

START: Reversi = reversi().initial
"""The usual first position: black on e4 and d5, white on d4 and e5, black to move."""
END = 255
"""In an array of games: the game is over, or was broken off, before this move."""
NO_SQUARE = 254
"""In an array of games: what the file has here is no square."""

PASSES = ("pa", "ps", "pass")


def read_square(text: str) -> int:
    """The action that a single move means: ``f5`` in any case, or a pass: ``pa``, ``ps``, ``pass``."""
    word = text.strip().lower()
    if word in PASSES:
        return PASS
    if len(word) == 2 and word[0] in "abcdefgh" and word[1] in "12345678":
        return "abcdefgh".index(word[0]) + 8 * (int(word[1]) - 1)
    raise UnreadableAction(no_square(word))


def no_square(word: str) -> str:
    """What to say of a word that should be a move."""
    return f"{word[:20]!r} is not a square; squares are a1 to h8, a pass is pa"


class Played(NamedTuple):
    """Written moves, played: all actions up to the first fault, forced passes included, and the position after them.

    `fault` is the index, among the moves as written, of the first one that is not legal; their number if all are.
    """

    actions: tuple[int, ...]
    final: Reversi
    fault: int


def play_written(start: Reversi, written: Sequence[int]) -> Played:
    """Play squares 0..63 and passes (64), which may be left out, until one is not legal."""
    for number, action in enumerate(written, 1):
        if not 0 <= action <= PASS:
            raise UnreadableAction(f"move {number}: {action} is not an action; squares are 0 to 63, a pass is {PASS}")
    out = np.empty(2 * len(written), np.int64)
    count, fault, final = _play(start, np.array(written, np.int64), out)
    return Played(tuple(out[:count].tolist()), coerced(final), fault)


def replay(start: Reversi, written: Sequence[int]) -> tuple[int, ...]:
    """All actions of a game, forced passes included.

    `IllegalAction` names the first fault by the number of the move as it was written, from 1.
    """
    played = play_written(start, written)
    if played.fault < len(written):
        raise IllegalAction(f"move {played.fault + 1}: {why_illegal(played.final, int(written[played.fault]))}")
    return played.actions


@compiled
def _play(state: Reversi, written: Any, out: Any) -> tuple[int, int, Reversi]:
    """How many actions were written into `out`, the index of the first fault (or the length), and the position."""
    count = 0
    for i in range(len(written)):
        action = written[i]
        squares = moves(state.own, state.opponent)
        if action == PASS:
            if squares or not moves(state.opponent, state.own):
                return count, i, state
        elif not squares >> np.uint64(action) & np.uint64(1):
            if squares or not moves(state.opponent, state.own) >> np.uint64(action) & np.uint64(1):
                return count, i, state
            out[count] = PASS
            count += 1
            state = result(state, PASS)
        out[count] = action
        count += 1
        state = result(state, action)
    return count, len(written), state


def why_illegal(state: Reversi, action: int) -> str:
    """Why an action is not legal, as the end of a sentence."""
    options = actions(state)
    name = action_text(state, action)
    mover, other = ("white", "black") if state.turn else ("black", "white")
    if not options:
        return f"{name} comes after the end of the game"
    legal = ", ".join(action_text(state, option) for option in options)
    if action == PASS:
        return f"{mover} passes, but has a move: {legal}"
    if int(state.own | state.opponent) >> action & 1:
        return f"{name} is occupied"
    if options == [PASS]:
        return f"{mover} must pass, and {name} flips nothing for {other} either"
    return f"{name} flips nothing for {mover}; legal: {legal}"


class Replayed(NamedTuple):
    """How n games went; arrays of length n.

    `faults` is the index of the first move that is not legal, -1 if all are. The discs are those after the last legal
    move; `finished` says whether neither side can move there.
    """

    faults: np.ndarray[Any, np.dtype[np.int64]]
    black: np.ndarray[Any, np.dtype[np.int64]]
    white: np.ndarray[Any, np.dtype[np.int64]]
    finished: np.ndarray[Any, np.dtype[np.bool_]]


def replay_games(games: np.ndarray[Any, np.dtype[np.uint8]], start: Reversi = START) -> Replayed:
    """Play n games at once: `games` has the shape (n, length), squares 0..63 without passes, `END` after the last."""
    n = len(games)
    counts = np.empty((3, n), np.int64)
    finished = np.empty(n, np.bool_)
    _play_all(start, np.ascontiguousarray(games, np.uint8), counts, finished)
    return Replayed(counts[0], counts[1], counts[2], finished)


@compiled
def _play_all(start: Reversi, games: Any, counts: Any, finished: Any) -> None:
    for game in range(games.shape[0]):
        state = start
        fault = -1
        ended = False
        for i in range(games.shape[1]):
            square = int(games[game, i])
            if square == END:
                ended = True
                continue
            if ended or square > 63:
                fault = i
                break
            if not moves(state.own, state.opponent) >> np.uint64(square) & np.uint64(1):
                if moves(state.own, state.opponent) or not moves(state.opponent, state.own) >> np.uint64(
                    square
                ) & np.uint64(1):
                    fault = i
                    break
                state = result(state, PASS)
            state = result(state, square)
        counts[0, game] = fault
        counts[1 + state.turn, game] = popcount(state.own)
        counts[2 - state.turn, game] = popcount(state.opponent)
        finished[game] = not moves(state.own, state.opponent) and not moves(state.opponent, state.own)
