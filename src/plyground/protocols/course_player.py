"""The player `course`: a student's file with the class ``AIPlayer`` of the course framework, run unchanged.

The file runs in a process of its own, below `course_worker`. It gets the time of the course's referee for a move.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, ClassVar

import numpy as np

from plyground.core.axes import Accepts
from plyground.core.game import Game
from plyground.core.limits import Limit
from plyground.core.rules import action_text, actions
from plyground.errors import BadOption, PlayerFailed, PlygroundError, ProtocolBroken
from plyground.formats.board import write_board
from plyground.formats.replay import read_square
from plyground.games.reversi import FULL, PASS, Reversi, reversi
from plyground.players.player import Choice, Move, Player, Position, Resign
from plyground.players.reversi_engine import OnlyReversi
from plyground.protocols.client import ILLEGAL, ProgramPlayer, memory_bytes

__all__ = ["CoursePlayer", "board_player", "chosen_square", "course"]

WORKER = Path(__file__).with_name("course_worker.py")
COLOURS = "XO"


class CoursePlayer(ProgramPlayer):
    """A student's ``AIPlayer``: a new one for each game and colour, in a process that is kept."""

    accepts: ClassVar[Accepts] = OnlyReversi(players=(2,))
    farewell: ClassVar[str] = ""  # the end of its input is enough
    environment: ClassVar[Mapping[str, str]] = {"PYTHONHASHSEED": "0"}  # sets of squares in the same order every time

    def __init__(self, file: Path, *, timeout: float, memory: int | None, seed: int | None = None) -> None:
        # No bytecode is kept: a file that was edited within the same second would not be read again.
        command = [sys.executable, "-B", "-P", str(WORKER), str(file)]
        super().__init__(command, timeout=timeout, memory=memory, folder=file.parent, name=file.name)
        self._file, self._seed = file, seed
        self._new = True

    def prepare(self, game: Game) -> None:
        self._new = True
        if not self.running:
            deadline = self.starting_deadline()
            with self.conversation() as program:
                program.send(json.dumps({"seed": self._seed}), deadline)
                self._answer(deadline)

    def choose(self, position: Position, limit: Limit) -> Choice:
        if not self.running:
            self.prepare(position.game)
        if actions(position.state) == [PASS]:
            return Move(PASS)  # the course's referee never asks a player who cannot move
        board, side = write_board(position.state, "XO.").split()
        deadline = self.deadline(limit)
        with self.conversation() as program:
            program.send(json.dumps({"color": side, "board": board, "new": self._new}), deadline)
            self._new = False
            answer = self._answer(deadline)
        if answer.get("changed"):
            raise PlayerFailed(f"{self._file.name} changed the board that it was given")
        move = answer.get("move")
        if move == "Q":
            return Resign()
        try:
            return Move(read_square(str(move)))
        except PlygroundError:
            return Move(ILLEGAL)

    def _answer(self, deadline: float) -> dict[str, Any]:
        try:
            answer = json.loads(self.program.receive(deadline))
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict):
            raise ProtocolBroken(f"{self._file.name} has written over the line to its referee")
        if error := answer.get("error"):
            raise PlayerFailed(f"{self._file.name}: {error}")
        return answer


def course(
    file: Annotated[str, "a Python file with the class AIPlayer"],
    timeout: Annotated[float, "seconds for an answer if the referee has no limit; twice as many to get ready"] = 60.0,
    memory: Annotated[float, "megabytes of memory that the player may use; 0 for no limit"] = 8000.0,
    seed: Annotated[int | None, "seed of Python's random numbers, and of NumPy's"] = None,
) -> Player:
    """A student's player of the course framework, unchanged: a file with the class AIPlayer."""
    path = Path(file)
    if not path.is_file():
        raise BadOption(f"course: there is no file {file}; write course:file=student.py")
    if sys.platform == "win32":
        raise BadOption("course: players from files can be run on Linux and macOS only; on Windows use WSL 2")
    return CoursePlayer(path.resolve(), timeout=timeout, memory=memory_bytes("course", memory, timeout), seed=seed)


# Our players in the course's own game ------------------------------------------------------------------------------


def board_player(spec: str) -> Player:
    """The player of a spec, ready to be asked."""
    from plyground.players import make_player

    player = make_player(spec, reversi())
    player.prepare(reversi())
    return player


def chosen_square(player: Player, rows: Sequence[Sequence[str]], color: str) -> str | None:
    """What a player of ours would play for a colour on a board of the course: a square such as ``D3``.

    None if it cannot move, and ``Q`` if it gives up.
    """
    state = _state(rows, color)
    if actions(state) in ([], [PASS]):
        return None
    # Every position begins a game of its own: the board does not tell what was played before.
    choice = player.choose(Position(replace(reversi(), initial=state), state), Limit())
    return action_text(state, choice.action).upper() if isinstance(choice, Move) else "Q"


def _state(rows: Sequence[Sequence[str]], color: str) -> Reversi:
    if color not in ("X", "O"):
        raise BadOption(f"a colour is X (black) or O (white), not {color!r}")

    def discs(sign: str) -> np.uint64:
        return np.uint64(sum(1 << 8 * r + c for r in range(8) for c in range(8) if rows[r][c] == sign))

    return Reversi(discs(color), discs("O" if color == "X" else "X"), FULL, COLOURS.index(color))
