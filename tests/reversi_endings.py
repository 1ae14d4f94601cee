"""A finished ending of Reversi with a pass and mistakes of every size, and plain minimax to check engines against."""

from __future__ import annotations

import random

from plyground.core.rules import actions, result, score, terminal
from plyground.formats import Record, read_board, read_transcript
from plyground.games.reversi import Reversi, reversi

FFO_4 = "-XXXXXX-X-XXXOO-XOXXXOOXXXOXOOOX-OXOOXXX--OOOXXX--OOXX----XOXXO- X"
"""14 empty squares; black draws with a5 and h8."""
FFO_20 = "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X"
"""6 empty squares; h5 wins by 6, the other moves lose."""
ENDING_MOVES = "h8b6a7h7g7a5b7a6h2h1b2a1a8b8"
"""From FFO 4 to the end of the game: black spoils the draw with h2, and white the win that it gets with a8."""


def ending() -> Record:
    return read_transcript(ENDING_MOVES, read_board(FFO_4))


def random_game(seed: int) -> Record:
    rng = random.Random(seed)
    state, moves = reversi().initial, []
    while options := actions(state):
        moves.append(rng.choice(options))
        state = result(state, moves[-1])
    return Record(moves=tuple(moves))


def last_part(record: Record, empties: int) -> Record:
    """The game from the first position with this few empty squares."""
    for number, state in enumerate(record.states()):
        if 64 - (int(state.own) | int(state.opponent)).bit_count() <= empties:
            return Record(state, record.moves[number:])
    raise AssertionError("the game ends with more empty squares")


def minimax_score(state: Reversi) -> int:
    """The score with best play for the side to move, by the rules alone; squares left empty go to the winner."""
    if terminal(state):
        difference = int(score(state, state.turn))
        left = 64 - (int(state.own) | int(state.opponent)).bit_count()
        return difference + left * ((difference > 0) - (difference < 0))
    return max(-minimax_score(result(state, action)) for action in actions(state))
