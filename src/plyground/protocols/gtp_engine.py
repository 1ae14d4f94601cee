"""We as a GTP engine: another program, such as GoGui or a match runner, asks a player of ours for moves."""

from __future__ import annotations

import re
import time as clock
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from plyground.core.game import Game
from plyground.core.limits import Limit
from plyground.core.rules import action_text, actions, grid, parse_action, score, text
from plyground.errors import ActionError, PlygroundError, UnsuitableGame
from plyground.formats.sgf import read_sgf
from plyground.games import GAMES, make_game
from plyground.players.player import Move, Player
from plyground.protocols.gtp import ACCEPTS, BLACK, COLOURS, NAMES, Refused, board_size, gtp_name
from plyground.protocols.session import LONGEST_TIME, MOVES_TO_GO, Session, time_to_think
from plyground.version import __version__

__all__ = ["GtpEngine"]


LARGEST_FILE = 1 << 20


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
        self._commands: dict[str, Callable[[list[str]], str | None]] = {
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
            reply = self._commands[command](rest.split()) or ""
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

    def _do_quit(self, words: list[str]) -> None:
        self.finished = True

    # The game

    def _do_boardsize(self, words: list[str]) -> None:
        size = self._number(words, 0)
        if size != board_size(self._session.game):
            name = self._session.game.name
            if name not in GAMES or not any(option.name == "size" for option in GAMES.options(name)):
                raise Refused("unacceptable size")
            try:
                self._change_game(f"{name}:size={size:g}")
            except (PlygroundError, Refused):
                raise Refused("unacceptable size") from None
        self._do_clear_board()

    def _do_clear_board(self, words: Sequence[str] = ()) -> None:
        self._session.restart()
        self._steps.clear()
        self._left.clear()

    def _do_komi(self, words: list[str]) -> None:
        if len(words) != 1 or not re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)", words[0], re.ASCII):
            raise Refused("syntax error")

    def _do_set_game(self, words: list[str]) -> None:
        if " ".join(words) != self._session.game.spec:
            name, colon, options = " ".join(words).partition(":")
            found = {known.lower(): spec for known, spec in self._games()}.get(name.strip().lower())
            if found is None:
                raise Refused("unsupported game")
            try:
                self._change_game(found + colon + options)
            except PlygroundError:
                raise Refused("unsupported game") from None
        self._do_clear_board()

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

    # Moves

    def _do_play(self, words: list[str]) -> None:
        if len(words) != 2:
            raise Refused("syntax error")
        self._play(self._colour(words[0]), words[1])

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

    def _do_undo(self, words: list[str]) -> None:
        if not self._steps:
            raise Refused("cannot undo")
        for _ in range(self._steps.pop()):
            self._session.undo()

    def _do_loadsgf(self, words: list[str]) -> None:
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
        self._do_clear_board()
        try:
            for colour, move in moves[: int(max(0, last - 1))]:
                self._play(colour, move)
        except Refused:
            self._session.restart(kept[0], kept[1])
            self._steps = kept[2]
            raise Refused("cannot load file") from None

    # Time

    def _do_time_settings(self, words: list[str]) -> None:
        main, overtime, stones = (self._number(words, place) for place in range(3))
        self._main, self._overtime, self._stones = main, overtime, int(stones)
        self._left.clear()

    def _do_time_left(self, words: list[str]) -> None:
        if len(words) != 3:
            raise Refused("syntax error")
        self._left[self._colour(words[0])] = self._number(words, 1), int(self._number(words, 2))

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
        return Limit(time=time_to_think(share))

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
        if not self._session.over():
            return "the game is not over"
        margin = float(score(self._session.state, BLACK))
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
