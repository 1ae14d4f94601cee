"""The Go Text Protocol, version 2, for any game here of two players without chance.

As an engine: another program, such as GoGui or a match runner, asks a player of ours for moves. As a client: another
engine is a player here. The first player is black, the second white; a vertex is an action as we write it, such as
``f5``, in Reversi with a1 at the top left.

Specification: G. Farnebäck, "Specification of the Go Text Protocol, version 2, draft 2", 2002.
"""

from __future__ import annotations

import contextlib
import re
import time as clock
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Annotated, ClassVar

from plyground.core.game import Accepts, Game, action_text, actions, grid, parse_action, score, text, to_move
from plyground.core.limits import Limit
from plyground.errors import ActionError, PlygroundError, ProtocolBroken, UnsuitableGame
from plyground.games import GAMES, make_game
from plyground.games.reversi import Reversi, reversi
from plyground.players.player import Choice, Move, Player, Position, Resign
from plyground.processes.program import read_command
from plyground.protocols.client import ILLEGAL, ProgramPlayer, memory_bytes
from plyground.protocols.session import Session
from plyground.version import __version__

__all__ = ["GtpEngine", "GtpPlayer", "gtp"]

BLACK, WHITE = 0, 1
COLOURS = {"b": BLACK, "black": BLACK, "w": WHITE, "white": WHITE}
NAMES = ("black", "white")
ACCEPTS = Accepts(players=(2,))
MOVES_TO_GO = 20
"""The share of the clock that a move gets is one of so many."""
HANDING_OVER = 0.01
"""Seconds, and the share of the time for a move, that are left for the way back to the controller."""
SHARE_LEFT = 0.05
LEAST_TIME = 0.01
LONGEST_TIME = 1e7
LARGEST_FILE = 1 << 20


class Refused(Exception):
    """A command that fails: the text behind the question mark."""


# As an engine -----------------------------------------------------------------------------------------------------


class GtpEngine:
    """Answers commands with a player of ours. `answer` never raises, whatever the line is."""

    def __init__(self, game: Game, player: Player) -> None:
        if obstacle := ACCEPTS.obstacle(game.axes):
            raise UnsuitableGame(f"GTP cannot play {game.name}: {obstacle}")
        self._session = Session(game, player)
        self._steps: list[int] = []
        """How many moves each command has made: a forced pass may have been put in."""
        self._main = self._overtime = 0.0
        self._stones = 0
        self._left: dict[int, tuple[float, int]] = {}
        self.finished = False
        self._commands: dict[str, Callable[[list[str]], str]] = {
            name.removeprefix("_do_").replace("gogui_", "gogui-"): getattr(self, name)
            for name in dir(self)
            if name.startswith("_do_")
        }

    def serve(self, lines: Iterable[str], write: Callable[[str], None]) -> None:
        """Answer every line until ``quit`` or the end."""
        self._session.prepare()
        for line in lines:
            if answer := self.answer(line):
                write(answer)
            if self.finished:
                return

    def answer(self, line: str) -> str:
        """The whole response to a line, blank line included; empty if the line holds no command."""
        line = "".join(c for c in line.partition("#")[0].replace("\t", " ") if c >= " " and c != "\x7f")
        found = re.match(r"\s*(\d*)\s*(\S*)\s*(.*)", line, re.ASCII | re.DOTALL)
        assert found is not None
        number, command, rest = found.groups()
        if not number and not command:
            return ""
        try:
            if command not in self._commands:
                raise Refused("unknown command")
            reply = self._commands[command](rest.split())
        except Refused as refusal:
            return f"?{number} {refusal}\n\n"
        except PlygroundError as error:
            return f"?{number} {' '.join(str(error).split())}\n\n"
        return f"={number}{'' if reply.startswith(chr(10)) else ' '}{reply}".rstrip(" ") + "\n\n"

    # What it is

    def _do_protocol_version(self, words: list[str]) -> str:
        return "2"

    def _do_name(self, words: list[str]) -> str:
        return "Plyground"

    def _do_version(self, words: list[str]) -> str:
        return __version__

    def _do_known_command(self, words: list[str]) -> str:
        return "true" if words and words[0] in self._commands else "false"

    def _do_list_commands(self, words: list[str]) -> str:
        return "\n".join(sorted(self._commands))

    def _do_quit(self, words: list[str]) -> str:
        self.finished = True
        return ""

    # The game

    def _do_boardsize(self, words: list[str]) -> str:
        size = self._number(words, 0)
        if size != board_size(self._session.game):
            name = self._session.game.name
            if name not in GAMES or not any(option.name == "size" for option in GAMES.options(name)):
                raise Refused("unacceptable size")
            try:
                self._change_game(f"{name}:size={size:g}")
            except (PlygroundError, Refused):
                raise Refused("unacceptable size") from None
        self._clear()
        return ""

    def _do_clear_board(self, words: list[str]) -> str:
        self._clear()
        return ""

    def _do_komi(self, words: list[str]) -> str:
        if len(words) != 1 or not re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)", words[0], re.ASCII):
            raise Refused("syntax error")
        return ""

    def _do_set_game(self, words: list[str]) -> str:
        if " ".join(words) == self._session.game.spec:
            self._clear()
            return ""
        name, colon, options = " ".join(words).partition(":")
        found = {known.lower(): spec for known, spec in self._games()}.get(name.strip().lower())
        if found is None:
            raise Refused("unsupported game")
        try:
            self._change_game(found + colon + options)
        except PlygroundError:
            raise Refused("unsupported game") from None
        self._clear()
        return ""

    def _do_list_games(self, words: list[str]) -> str:
        return "\n".join(name for name, _ in self._games())

    def _games(self) -> list[tuple[str, str]]:
        """The games that this player can play, with the name that controllers know them by."""
        found = []
        for name in GAMES:
            if any(option.required for option in GAMES.options(name)):
                continue
            game = make_game(name)
            if ACCEPTS.obstacle(game.axes) is None and self._session.player.accepts.obstacle_in(game) is None:
                found.append((gtp_name(game), name))
                if gtp_name(game) != name:
                    found.append((name, name))
        return found

    def _change_game(self, spec: str) -> None:
        game = make_game(spec)
        if ACCEPTS.obstacle(game.axes) or self._session.player.accepts.obstacle_in(game):
            raise Refused("unsupported game")
        self._session.restart(game)

    def _clear(self) -> None:
        self._session.restart()
        self._steps.clear()
        self._left.clear()

    # Moves

    def _do_play(self, words: list[str]) -> str:
        if len(words) != 2:
            raise Refused("syntax error")
        self._play(self._colour(words[0]), words[1])
        return ""

    def _play(self, colour: int, move: str) -> None:
        session, before = self._session, len(self._session.history)
        if session.over() and move.lower() == "pass":
            return  # runners that end a game by two passes
        try:
            if session.turn != colour:
                session.play_pass()
            session.play(parse_action(session.state, move))
        except ActionError:
            while len(session.history) > before:
                session.undo()
            raise Refused("illegal move") from None
        self._steps.append(len(session.history) - before)

    def _do_genmove(self, words: list[str]) -> str:
        colour = self._colour(*words[:1])
        reply = self._chosen(colour)
        if reply != "resign":
            self._play(colour, reply)
        return reply

    def _do_reg_genmove(self, words: list[str]) -> str:
        return self._chosen(self._colour(*words[:1]))

    def _chosen(self, colour: int) -> str:
        session = self._session
        if session.over():
            return "pass"
        passed = session.turn != colour
        if passed:
            if not session.must_pass():
                raise Refused(f"it is not {NAMES[colour]}'s turn")
            session.play_pass()
        try:
            if session.over():
                return "pass"
            session.prepare()
            start = clock.monotonic()
            choice = session.choose(self._limit(colour))
            self._spend(colour, clock.monotonic() - start)
            return action_text(session.state, choice.action) if isinstance(choice, Move) else "resign"
        finally:
            if passed:
                session.undo()

    def _do_undo(self, words: list[str]) -> str:
        if not self._steps:
            raise Refused("cannot undo")
        for _ in range(self._steps.pop()):
            self._session.undo()
        return ""

    def _do_loadsgf(self, words: list[str]) -> str:
        if not words:
            raise Refused("syntax error")
        last = self._number(words, 1) if len(words) > 1 else LONGEST_TIME
        try:
            file = Path(words[0])
            if not file.is_file() or file.stat().st_size > LARGEST_FILE:  # a device might never end
                raise Refused("cannot load file")
            moves = read_sgf(file.read_text(encoding="utf-8", errors="replace"))
        except (OSError, ValueError):
            raise Refused("cannot load file") from None
        kept = self._session.game, list(self._session.history), list(self._steps)
        self._clear()
        try:
            for colour, move in moves[: int(max(0, last - 1))]:
                self._play(colour, move)
        except Refused:
            self._session.restart(kept[0], kept[1])
            self._steps = kept[2]
            raise Refused("cannot load file") from None
        return ""

    # Time

    def _do_time_settings(self, words: list[str]) -> str:
        main, overtime, stones = (self._number(words, place) for place in range(3))
        self._main, self._overtime, self._stones = main, overtime, int(stones)
        self._left.clear()
        return ""

    def _do_time_left(self, words: list[str]) -> str:
        if len(words) != 3:
            raise Refused("syntax error")
        self._left[self._colour(words[0])] = self._number(words, 1), int(self._number(words, 2))
        return ""

    def _limit(self, colour: int) -> Limit:
        """What the clock allows for a move. Without settings, or with an overtime of no stones, there is none."""
        if not self._main and not (self._overtime and self._stones) and colour not in self._left:
            return Limit()
        if self._overtime and not self._stones:
            return Limit()
        left, stones = self._left.get(colour, (self._main, 0))
        share = left / (stones or MOVES_TO_GO)
        if not stones and self._stones:
            share = max(share, min(left + self._overtime, self._overtime / self._stones))
        share -= max(HANDING_OVER, share * SHARE_LEFT)
        return Limit(time=max(LEAST_TIME, min(share, LONGEST_TIME)))

    def _spend(self, colour: int, seconds: float) -> None:
        """Controllers need not send time_left; then this is the clock."""
        left, stones = self._left.get(colour, (self._main, 0))
        if stones == 0 and (self._main or colour in self._left):
            self._left[colour] = max(0.0, left - seconds), 0

    # Looking at it

    def _do_showboard(self, words: list[str]) -> str:
        return "\n" + "\n".join(line for line in text(self._session.state).splitlines() if line.strip())

    def _do_final_score(self, words: list[str]) -> str:
        if not self._session.over():
            raise Refused("the game is not over")
        margin = float(score(self._session.state, BLACK))
        return "0" if margin == 0 else f"{'B' if margin > 0 else 'W'}+{abs(margin):g}"

    def _do_gogui_rules_game_id(self, words: list[str]) -> str:
        return gtp_name(self._session.game)

    def _do_gogui_rules_board_size(self, words: list[str]) -> str:
        return str(board_size(self._session.game))

    def _do_gogui_rules_board(self, words: list[str]) -> str:
        board = grid(self._session.state)
        if board is None:
            raise Refused("the game has no board")
        signs = {board.symbols[0]: "X", board.symbols[1]: "O"}
        return "\n".join(" ".join(signs.get(cell, ".") for cell in row) for row in board.cells)

    def _do_gogui_rules_legal_moves(self, words: list[str]) -> str:
        state = self._session.state
        return " ".join(action_text(state, action) for action in actions(state))

    def _do_gogui_rules_side_to_move(self, words: list[str]) -> str:
        return NAMES[self._session.turn]

    def _do_gogui_rules_final_result(self, words: list[str]) -> str:
        margin = float(score(self._session.state, BLACK)) if self._session.over() else 0.0
        if not self._session.over():
            return "the game is not over"
        return "draw" if margin == 0 else f"{NAMES[margin < 0]} wins by {abs(margin):g}"

    # Arguments

    def _colour(self, word: str = "") -> int:
        if word.lower() not in COLOURS:
            raise Refused("syntax error")
        return COLOURS[word.lower()]

    def _number(self, words: list[str], place: int) -> float:
        if place >= len(words) or not re.fullmatch(r"\d{1,9}(\.\d{0,9})?", words[place], re.ASCII):
            raise Refused("syntax error")
        return min(float(words[place]), LONGEST_TIME)


def gtp_name(game: Game) -> str:
    """What controllers call a game."""
    return "Othello" if isinstance(game.initial, Reversi) else game.name


def board_size(game: Game) -> int:
    """How many squares the longer side of the board has; 0 for games without one."""
    board = grid(game.initial)
    return max(len(board.cells), len(board.cells[0])) if board else 0


SGF_MOVE = re.compile(r";\s*(?:(?![BW]\s*\[)[A-Z]{1,2}\s*(?:\[(?:[^\]\\]|\\.)*\]\s*)+)*([BW])\s*\[([^\]]*)\]")


def read_sgf(content: str) -> list[tuple[int, str]]:
    """The colours and moves of the first line of play in an SGF file; `ValueError` if it is none.

    A point is written as people write it (f5), or as two letters (fe), column first. An empty one is a pass.
    """
    if not re.match(r"\s*\(\s*;", content):
        raise ValueError("no SGF")
    moves = []
    for found in SGF_MOVE.finditer(content.partition(")")[0]):
        point = found[2].strip().lower()
        if re.fullmatch("[a-s][a-s]", point):
            point = f"{point[0]}{ord(point[1]) - 96}"
        moves.append((COLOURS[found[1].lower()], point or "pass"))
    return moves


# As a client ------------------------------------------------------------------------------------------------------


class GtpPlayer(ProgramPlayer):
    """Another program that speaks GTP. `time` is what it is told to take for a move, in seconds."""

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
        self._board.play(action)
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
            board.play(action)

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
        line = program.receive(deadline)
        while not line.startswith(("=", "?")):  # what it prints besides is not for us
            line = program.receive(deadline)
        refused = line.startswith("?")
        reply = [re.sub(r"^[=?]\d*\s*", "", line)]
        while line := program.receive(deadline).strip():
            reply.append(line)
        if refused:
            raise Refused(" ".join(reply)[:200])
        return "\n".join(reply)


def gtp(
    command: Annotated[str, "the program and its arguments, such as ./engine --gtp"],
    time: Annotated[float | None, "seconds a move, which the program is told"] = None,
    timeout: Annotated[float, "seconds for an answer if the referee has no limit; twice as many to get ready"] = 60.0,
    memory: Annotated[float, "megabytes of memory that the program may use; 0 for no limit"] = 8000.0,
) -> Player:
    """Another program that speaks the Go Text Protocol."""
    words = read_command(command, "gtp: command")
    limit = Limit(time=time)
    return GtpPlayer(words, time=limit.time, timeout=timeout, memory=memory_bytes("gtp", memory, timeout))
