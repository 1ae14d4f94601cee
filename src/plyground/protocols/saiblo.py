"""Saiblo's Reversi: 67 bytes in, a length and two digits out.

A position is ``#``, the digit of the player to move, 64 digits for the squares (0 and 1 are the players' discs, 2 is
empty) and ``#``. The answer is its length as four bytes, the highest first, and the square as two digits x and y, which
is number 8x + y of the 64. The judge makes the passes.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import BinaryIO

import numpy as np

from plyground.core.limits import Limit
from plyground.errors import FormatError
from plyground.games.reversi import FULL, PASS, Reversi, reversi
from plyground.players.player import Move, Player
from plyground.protocols.session import Session

__all__ = ["read_position", "serve"]

LENGTH = 67
POSITION = re.compile(rb"#([01])([012]{64})#")


def serve(player: Player, source: BinaryIO, write: Callable[[bytes], None]) -> None:
    """Answer positions until the input ends."""
    game = reversi()
    player.prepare(game)
    while data := source.read(LENGTH):
        # Every position begins a game of its own: nothing is said about what was played before.
        session = Session(replace(game, initial=read_position(data)), player)
        if session.over():
            raise FormatError("the game is over in this position: nobody can move")
        choice = player.choose(session.position(), Limit())
        if not isinstance(choice, Move) or choice.action == PASS:
            raise FormatError("the player to move must pass in this position; passes are the judge's")
        row, column = divmod(choice.action, 8)
        answer = f"{row}{column}".encode()
        write(len(answer).to_bytes(4, "big") + answer)


def read_position(data: bytes) -> Reversi:
    """The position of a message of 67 bytes."""
    found = POSITION.fullmatch(data)
    if not found:
        raise FormatError(f"a position is '#', a player, 64 squares and '#', {LENGTH} bytes in all, not {data[:67]!r}")
    player, squares = int(found[1]), found[2].decode()

    def discs(digit: int) -> np.uint64:
        return np.uint64(sum(1 << square for square, cell in enumerate(squares) if cell == str(digit)))

    return Reversi(discs(player), discs(1 - player), FULL, player)
