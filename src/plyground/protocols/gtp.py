"""The Go Text Protocol, version 2, for any game here of two players without chance.

Here another engine is a player; in `plyground.protocols.gtp_engine` another program asks a player of ours. The first
player is black, the second white; a vertex is an action as we write it, such as ``f5``, in Reversi with a1 at the top
left.

Specification: G. Farnebäck, "Specification of the Go Text Protocol, version 2, draft 2", 2002.
"""

from __future__ import annotations

import contextlib
import re
import time as clock
from typing import Annotated, ClassVar

from plyground.core.axes import Accepts
from plyground.core.game import Game
from plyground.core.limits import Limit
from plyground.core.rules import action_text, grid, parse_action, to_move
from plyground.errors import ActionError, ProtocolBroken, UnsuitableGame
from plyground.games.reversi import Reversi, reversi
from plyground.players.player import Choice, Move, Player, Position, Resign
from plyground.processes.program import read_command
from plyground.protocols.client import ILLEGAL, ProgramPlayer, memory_bytes
from plyground.protocols.session import Session

__all__ = ["GtpPlayer", "gtp"]

BLACK, WHITE = 0, 1
COLOURS = {"b": BLACK, "black": BLACK, "w": WHITE, "white": WHITE}
NAMES = ("black", "white")
ACCEPTS = Accepts(players=(2,))


class Refused(Exception):
    """A command that fails: the text behind the question mark."""


def gtp_name(game: Game) -> str:
    """What controllers call a game."""
    return "Othello" if isinstance(game.initial, Reversi) else game.name


def board_size(game: Game) -> int:
    """How many squares the longer side of the board has; 0 for games without one."""
    board = grid(game.initial)
    return max(len(board.cells), len(board.cells[0])) if board else 0


class GtpPlayer(ProgramPlayer):
    """Another program that speaks GTP. `time` is what it is given for a move, in seconds."""

    accepts: ClassVar[Accepts] = ACCEPTS

    def __init__(
        self, command: list[str], *, time: float | None, timeout: float, memory: int | None, name: str = ""
    ) -> None:
        super().__init__(command, timeout=timeout, memory=memory, name=name)
        self._time = time
        self._known: set[str] = set()
        self._board: Session | None = None
        """The program's own board; None if it is not known what stands there."""
        self._told: float | None = None

    def prepare(self, game: Game) -> None:
        deadline = self.starting_deadline()
        name = gtp_name(game)
        if isinstance(game.initial, Reversi) and game.initial != reversi(board_size(game)).initial:
            raise UnsuitableGame(f"GTP has no way to set up a position: {game.name} must begin as it always does")
        with self.conversation() as program:
            self._known = set(self._ask("list_commands", deadline).split())
            try:
                if "set_game" in self._known:
                    self._ask(f"set_game {name if isinstance(game.initial, Reversi) else game.spec}", deadline)
                if size := board_size(game):
                    self._ask(f"boardsize {size}", deadline)
                self._ask("clear_board", deadline)
            except Refused as refusal:
                raise UnsuitableGame(f"{program.name} does not play {game.spec}: {refusal}") from None
        self._board, self._told = Session(game, self), None

    def choose(self, position: Position, limit: Limit) -> Choice:
        if not self.running or self._board is None or self._board.game is not position.game:
            self.prepare(position.game)
        allowed = Limit(time=self._time).within(limit).time
        deadline = self.deadline(limit)
        with self.conversation() as program:
            try:
                self._synchronise(position, deadline)
                self._tell_time(allowed, deadline)
                start = clock.monotonic()
                reply = self._ask(f"genmove {NAMES[to_move(position.state)]}", deadline).strip()
                spent = clock.monotonic() - start
            except Refused as refusal:
                raise ProtocolBroken(f"{program.name} refuses to play: {refusal}") from None
        if reply.lower() == "resign":
            return Resign()
        try:
            action = parse_action(position.state, reply)
        except ActionError:
            self._board = None  # the program has made a move that does not exist
            return Move(ILLEGAL, time=spent)
        assert self._board is not None
        self._board.follow(action)
        return Move(action, time=spent)

    def _synchronise(self, position: Position, deadline: float) -> None:
        """Bring the program's board to this position."""
        board = self._board
        assert board is not None
        if list(position.history[: len(board.history)]) != board.history:
            self._ask("clear_board", deadline)
            board.restart()
        for action in position.history[len(board.history) :]:
            self._ask(f"play {NAMES[board.turn]} {action_text(board.state, action)}", deadline)
            board.follow(action)

    def _tell_time(self, allowed: float | None, deadline: float) -> None:
        if allowed is None or allowed == self._told or "time_settings" not in self._known:
            return
        self._told = allowed
        with contextlib.suppress(Refused):  # fractions of a second are not in the protocol, though most understand them
            self._ask(f"time_settings 0 {allowed:g} 1", deadline)

    def _ask(self, command: str, deadline: float) -> str:
        """The answer to a command; `Refused` with its text if it is an error."""
        program = self.program
        program.send(command, deadline)
        line = self.answer(lambda line: line if line.startswith(("=", "?")) else None, deadline)
        refused = line.startswith("?")
        reply = [re.sub(r"^[=?]\d*\s*", "", line)]
        self.answer(lambda line: reply.append(line) if (line := line.strip()) else True, deadline)
        if refused:
            raise Refused(" ".join(reply)[:200])
        return "\n".join(reply)


def gtp(
    command: Annotated[str, "the program and its arguments, such as ./engine --gtp"],
    time: Annotated[float | None, "seconds a move, passed on to the program"] = None,
    timeout: Annotated[float, "seconds for an answer if the referee has no limit; twice as many to get ready"] = 60.0,
    memory: Annotated[float, "megabytes of memory that the program may use; 0 for no limit"] = 8000.0,
) -> Player:
    """Another program that speaks the Go Text Protocol."""
    words = read_command(command, "gtp: command")
    limit = Limit(time=time)
    return GtpPlayer(words, time=limit.time, timeout=timeout, memory=memory_bytes("gtp", memory, timeout))
