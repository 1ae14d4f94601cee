"""The Universal Chess Interface, for any game here of two players without chance.

Here another engine is a player; in `plyground.protocols.uci_engine` another program asks a player of ours. White is
whoever moves first. Moves are written as the game's `action_code`, positions as its `position_code`; where a game has
none, the start and the moves say where it stands.

Specification: R. Huber and S. Meyer-Kahlen, "Description of the Universal Chess Interface", 2006.
"""

from __future__ import annotations

import math
import re
import time as clock
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from plyground.core.axes import Accepts
from plyground.core.game import Game
from plyground.core.limits import Limit
from plyground.core.rules import action_code, actions, parse_action, position_code, result, terminal, to_move
from plyground.errors import (
    ActionError,
    BadOption,
    ProgramTimeout,
    ProtocolBroken,
    UnsuitableGame,
    suggestion,
)
from plyground.games import GAMES, make_game
from plyground.games.chess import Chess
from plyground.players.player import Choice, Move, Player, Position, Resign
from plyground.processes.program import read_command
from plyground.protocols.client import ILLEGAL, LATENESS, ProgramPlayer, memory_bytes
from plyground.protocols.session import Session

__all__ = ["ACCEPTS", "CHESS960", "VARIANT", "UciPlayer", "line_codes", "read_code", "score_words", "uci"]

ACCEPTS = Accepts(players=(2,))
VARIANT = "UCI_Variant"
"""The option by which programs that play several games are told which one."""
CHESS960 = "UCI_Chess960"
"""The option by which they are told to castle as in Chess960, the king onto its rook."""
NO_MOVE = ("(none)", "none", "null", "0000")
USUAL_TIME, SHARE_OF_REFEREE = 1.0, 0.1
SHARE_OF_CLOCK = 0.1
"""A limit for a move that is less than this share of the clock is the tighter one of the two."""
PER_CENTIPAWN = 0.00368208
"""How fast the chances to win grow with centipawns: 2 / (1 + exp(-x)) - 1, as Lichess has fitted it to games."""
MOST_CENTIPAWNS = 10_000
MOST_PAIRS = 64
INFO = {name: re.compile(rf"\b{name} (-?\d{{1,18}})\b") for name in ("depth", "nodes", "multipv")}
SCORE = re.compile(r"\bscore (cp|mate) (-?\d{1,9})\b")


# Notation ---------------------------------------------------------------------------------------------------------


def read_code(state: Any, word: str) -> int:
    """The legal action that a program's word means; `ActionError` if there is none. ``0000`` passes."""
    codes = {action_code(state, action): action for action in actions(state)}
    if word in codes:
        return codes[word]
    folded = {code.lower(): action for code, action in codes.items()}
    if len(folded) == len(codes) and word.lower() in folded:
        return folded[word.lower()]
    return int(parse_action(state, "pass" if word == "0000" else word))


def line_codes(state: Any, line: Iterable[int]) -> list[str]:
    """A line of play in codes, as far as it can be played."""
    words = []
    for action in line:
        if action not in actions(state):
            break
        words.append(action_code(state, action))
        state = result(state, action)
    return words


def read_line(state: Any, words: Iterable[str]) -> tuple[int, ...]:
    """The actions of a line in codes, as far as it can be played."""
    line = []
    for word in words:
        try:
            line.append(read_code(state, word))
        except ActionError:
            break
        state = result(state, line[-1])
    return tuple(line)


def score_words(game: Game, state: Any, move: Move) -> str:
    """What a player thinks of its move, as ``cp 35``, or ``mate -2`` where its line ends the game; empty if unknown.

    A game that counts in points has a hundred centipawns for each; elsewhere they say how likely a win is.
    """
    if move.value is None or math.isnan(move.value):
        return ""
    share = max(-1.0, min(1.0, move.value / _stake(game)))
    if abs(share) == 1.0 and _ends(state, move.line):
        half = (len(move.line) + 1) // 2 if share > 0 else len(move.line) // 2
        return f"mate {half if share > 0 else -half}"
    if points := game.points.get(""):
        centipawns = 100.0 * move.value / points.size
    else:
        centipawns = 2.0 * math.atanh(max(-1.0 + 1e-12, min(1.0 - 1e-12, share))) / PER_CENTIPAWN
    return f"cp {round(max(-MOST_CENTIPAWNS, min(MOST_CENTIPAWNS, centipawns)))}"


def read_score(game: Game, kind: str, number: int) -> float:
    """The utility that a score means to the player to move."""
    stake = _stake(game)
    if kind == "mate":
        return stake if number > 0 else -stake
    if points := game.points.get(""):
        return max(-stake, min(stake, number / 100.0 * points.size))
    return stake * math.tanh(number * PER_CENTIPAWN / 2.0)


def _stake(game: Game) -> float:
    """What a win is worth."""
    return max(map(abs, game.utilities)) or 1.0


def _ends(state: Any, line: Iterable[int]) -> bool:
    for action in line:
        if action not in actions(state):
            return False
        state = result(state, action)
    return bool(terminal(state))


# Another program as a player ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Declared:
    """An option as a program has declared it: its name, its type, and what it may be."""

    name: str
    kind: str
    low: int | None = None
    high: int | None = None
    choices: tuple[str, ...] = ()

    @classmethod
    def read(cls, line: str) -> Declared | None:
        """The option of a line ``option name ... type ...``; None if it is no such line."""
        found = re.match(r"\s*option\s+name\s+(?P<name>.+?)\s+type\s+(?P<kind>\w+)(?P<rest>.*)", line)
        if not found:
            return None
        bounds = [re.search(rf"\b{word}\s+(-?\d{{1,18}})\b", found["rest"]) for word in ("min", "max")]
        low, high = (int(bound[1]) if bound else None for bound in bounds)
        choices = re.findall(r"\bvar\s+(.*?)(?=\s+var\s|\s*$)", found["rest"])
        return cls(found["name"], found["kind"].lower(), low, high, tuple(choices))

    def fitting(self, value: str, program: str) -> str:
        """The value as the program wants it; `BadOption` if it may not be this."""
        where = f"{program}: its option {self.name}"
        if self.kind == "check":
            known = {"true": "true", "on": "true", "false": "false", "off": "false"}
            if value.lower() not in known:
                raise BadOption(f"{where} is true or false, not '{value}'")
            return known[value.lower()]
        if self.kind == "spin":
            low, high = self.low if self.low is not None else -(2**62), self.high if self.high is not None else 2**62
            if not re.fullmatch(r"[+-]?\d{1,18}", value, re.ASCII) or not low <= int(value) <= high:
                raise BadOption(f"{where} must be a whole number from {low} to {high}, not '{value}'")
        if self.kind == "combo" and self.choices:
            folded = {choice.lower(): choice for choice in self.choices}
            if value.lower() not in folded:
                raise BadOption(f"{where} cannot be '{value}'{suggestion(value, self.choices)}")
            return folded[value.lower()]
        return value


class UciPlayer(ProgramPlayer):
    """Another program that speaks UCI. `limit` is what it is told of each move, `options` what it is set to."""

    accepts: ClassVar[Accepts] = ACCEPTS

    def __init__(
        self,
        command: list[str],
        *,
        limit: Limit,
        options: Mapping[str, str],
        timeout: float,
        memory: int | None,
        name: str = "",
    ) -> None:
        super().__init__(command, timeout=timeout, memory=memory, name=name)
        self._limit, self._options = limit, dict(options)
        self._declared: dict[str, Declared] | None = None
        """What the running program can be set to, by lower-case names; None before it has said so."""
        self._board: Session | None = None
        self._start, self._words = "startpos", list[str]()
        """How the program is told where the game begins, and the moves on `_board`."""

    def prepare(self, game: Game) -> None:
        deadline = self.starting_deadline()
        with self.conversation() as program:
            if self._declared is None:
                self._declared = self._greeted(deadline)
                for name, value in self._options.items():
                    self._set(name, value, deadline)
            told = self._tell_game(game, deadline)
            program.send("ucinewgame", deadline)
            self._wait_until_ready(deadline)
        code = "" if told or _begins_as_usual(game) else position_code(game.initial)
        self._start = f"fen {code}" if code else "startpos"
        self._board, self._words = Session(game, self), []

    def choose(self, position: Position, limit: Limit) -> Choice:
        if not self.running or self._board is None or self._board.game is not position.game:
            self.prepare(position.game)
        with self.conversation() as program:
            words, seconds = self._going(limit, int(to_move(position.state)))
            start = clock.monotonic()
            over = start + (self._timeout if seconds is None else seconds)
            deadline = max(over + LATENESS, self.deadline(limit))
            program.send(self._position_line(position), deadline)
            program.send(" ".join(["go", *words]), deadline)
            said: list[str] = []
            answer = self._bestmove(said, over, deadline)
            spent = clock.monotonic() - start
        if answer.lower() == "resign":
            return Resign()
        return self._move(position, answer, said, spent)

    # What it is told

    def _greeted(self, deadline: float) -> dict[str, Declared]:
        """What the program can be set to."""
        found: dict[str, Declared] = {}

        def heard(line: str) -> bool | None:
            if line.split()[:1] == ["option"] and (option := Declared.read(line)):
                found[option.name.lower()] = option
            return line.split()[:1] == ["uciok"] or None

        self.program.send("uci", deadline)
        self.answer(heard, deadline)
        return found

    def _set(self, name: str, value: str, deadline: float) -> None:
        declared = self._declared or {}
        option = declared.get(name.lower())
        if option is None:
            known = [one.name for one in declared.values()]
            raise BadOption(f"{self.name} has no option '{name}'{suggestion(name, known)}")
        given = option.fitting(value, self.name)
        self.program.send(f"setoption name {option.name}" + (f" value {given}" if given else ""), deadline)

    def _tell_game(self, game: Game, deadline: float) -> bool:
        """Tell the program which game comes; whether that says where it begins, too."""
        declared = self._declared or {}
        shuffled = isinstance(game.initial, Chess) and bool(game.initial.shuffled)
        variant = declared.get(VARIANT.lower())
        try:
            if variant is not None:
                # Programs for the variants of chess know games by their names alone.
                plain = game.spec not in variant.choices and game.name in variant.choices
                self._set(VARIANT, game.name if plain else game.spec, deadline)
                if not plain:
                    return True
            if CHESS960.lower() in declared or shuffled:
                self._set(CHESS960, "true" if shuffled else "false", deadline)
        except BadOption as refusal:
            raise UnsuitableGame(f"{self.name} does not play {game.spec}: {refusal}") from None
        return False

    def _wait_until_ready(self, deadline: float) -> None:
        self.program.send("isready", deadline)
        self.answer(lambda line: line.split()[:1] == ["readyok"] or None, deadline)

    def _position_line(self, position: Position) -> str:
        board = self._board
        assert board is not None
        if list(position.history[: len(board.history)]) != board.history:
            board.restart()
            self._words.clear()
        for action in position.history[len(board.history) :]:
            self._words.append(action_code(board.state, action))
            board.follow(action)
        return " ".join(["position", self._start, *(["moves", *self._words] if self._words else [])])

    def _going(self, limit: Limit, seat: int) -> tuple[list[str], float | None]:
        """The words behind ``go``, and the seconds after which its answer is wanted; None if nobody has a limit."""
        both = self._limit.within(limit)
        words = [f"depth {both.depth}"] if both.depth is not None else []
        words += [f"nodes {both.nodes}"] if both.nodes is not None else []
        face, seconds = limit.clock, both.time
        clocked = face is not None and self._limit.time is None
        if face is not None and clocked and seconds is not None and seconds >= SHARE_OF_CLOCK * face.left[seat]:
            left = [max(1, int(1000 * time)) for time in face.left]
            added = int(1000 * face.increment)
            return [*words, f"wtime {left[0]} btime {left[1]} winc {added} binc {added}"], seconds
        if not words and self._limit.time is None:
            own = USUAL_TIME if seconds is None else max(USUAL_TIME, SHARE_OF_REFEREE * seconds)
            seconds = own if seconds is None else min(own, seconds)
        if seconds is not None:
            words.append(f"movetime {max(1, int(1000 * seconds))}")
        return words, seconds

    # What it answers

    def _bestmove(self, said: list[str], over: float, deadline: float) -> str:
        """The word behind ``bestmove``; what is said of the search goes to `said`. At `over` it is told to stop."""

        def heard(line: str) -> list[str] | None:
            words = line.split()
            if words[:1] == ["info"] and words[1:2] != ["string"]:
                said[:] = [*said[-MOST_PAIRS:], line]
            return words if words[:1] == ["bestmove"] else None

        try:
            words = self.answer(heard, over)
        except ProgramTimeout:
            self.program.send("stop", deadline)
            words = self.answer(heard, deadline)
        if len(words) < 2:
            raise ProtocolBroken(f"{self.name} answered with a bestmove that names no move")
        return words[1]

    def _move(self, position: Position, answer: str, said: list[str], spent: float) -> Move:
        try:
            action = read_code(position.state, answer)
        except ActionError:
            if answer.lower() in NO_MOVE:
                raise ProtocolBroken(f"{self.name} answered bestmove {answer}, but there are legal moves") from None
            return Move(ILLEGAL, time=spent)
        facts: dict[str, Any] = {}
        for line in said:
            before, _, pv = line.partition(" pv ")
            numbers = {name: int(found[1]) for name, what in INFO.items() if (found := what.search(before))}
            if numbers.pop("multipv", 1) != 1:
                continue
            facts |= {name: number for name, number in numbers.items() if number >= 0}
            if score := SCORE.search(before):
                facts["value"] = read_score(position.game, score[1], int(score[2]))
            if pv:
                facts["line"] = pv
        expected = read_line(position.state, facts.pop("line", "").split())
        return Move(action, line=expected if expected[:1] == (action,) else (action,), time=spent, **facts)

    def _end(self, patience: float = 0.0) -> None:
        self._declared = self._board = None
        super()._end(patience)


def _begins_as_usual(game: Game) -> bool:
    """Whether it begins where every program expects it to."""
    if game.name not in GAMES or any(option.required for option in GAMES.options(game.name)):
        return True
    return bool(game.initial == make_game(game.name).initial)


def _read_options(text: str) -> dict[str, str]:
    """The options in a text such as ``Hash=16;Skill Level=5``; a button has a name only."""
    found: dict[str, str] = {}
    for part in filter(str.strip, text.split(";")):
        name, _, value = (piece.strip() for piece in part.partition("="))
        if not name or len(part.splitlines()) > 1:
            raise BadOption(f"uci: options are written as name=value;name=value, such as Hash=16, not '{text}'")
        found[name] = value
    return found


def uci(
    command: Annotated[str, "the program and its arguments, such as ./engine"],
    time: Annotated[
        float | None, "seconds a move; if no limit is set 1, a tenth of the referee's, or by the clock"
    ] = None,
    depth: Annotated[int | None, "plies to look ahead, passed on to the program"] = None,
    nodes: Annotated[int | None, "positions to look at for a move, passed on to the program"] = None,
    elo: Annotated[int | None, "strength, for programs that can limit it (UCI_Elo)"] = None,
    options: Annotated[str, "options of the program by name, such as Hash=16;Skill Level=5"] = "",
    timeout: Annotated[float, "seconds for an answer if the referee has no limit; twice as many to get ready"] = 60.0,
    memory: Annotated[float, "megabytes of memory that the program may use; 0 for no limit"] = 8000.0,
) -> Player:
    """Another program that speaks the Universal Chess Interface (UCI)."""
    words = read_command(command, "uci: command")
    given = _read_options(options)
    if elo is not None:
        if elo < 0:
            raise BadOption(f"uci: elo must be at least 0, not {elo}")
        given |= {"UCI_LimitStrength": "true", "UCI_Elo": str(elo)}
    limit = Limit(time=time, depth=depth, nodes=nodes)
    return UciPlayer(words, limit=limit, options=given, timeout=timeout, memory=memory_bytes("uci", memory, timeout))
