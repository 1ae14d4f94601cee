"""We as a UCI engine: a board or a match runner asks a player of ours for moves, in any game.

Lines are read by a thread of their own, so that ``stop``, ``ponderhit`` and ``quit`` are heard while the player thinks;
everything else is done in the order in which it came, by the thread that serves. A player whose spec has no limit
thinks as long as it is told to.
"""

from __future__ import annotations

import math
import queue
import re
import threading
import time as clock
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from plyground.core.game import Game
from plyground.core.game_time import ClockFace
from plyground.core.limits import Limit, Stop
from plyground.core.registry import PLAYERS, split_spec
from plyground.core.rules import action_code, read_position, utility
from plyground.errors import ActionError, BadOption, PlygroundError, UnsuitableGame, suggestion
from plyground.games import GAMES, make_game
from plyground.games.chess import Chess
from plyground.players import Choice, Move, Player, default_opponent, make_player
from plyground.protocols.session import LONGEST_TIME, MOVES_TO_GO, Session, time_to_think
from plyground.protocols.uci import ACCEPTS, CHESS960, VARIANT, line_codes, read_code, score_words
from plyground.search.glimpse import now_and_then
from plyground.version import __version__
from plyground.visible_text import visible

__all__ = ["UciEngine"]

T = TypeVar("T")

USUAL_TIME = 1.0
"""Seconds for a move if nobody has a limit."""
NO_LIMIT = 1e8
LIMITS = {"time", "depth", "nodes", "simulations", "level", "clock"}
"""Options of players that say how long to think."""
HASH = ("table", "tt", "memory")
"""What players call the memory of their search, in megabytes."""
LEVELS, THREADS, MEGABYTES = 20, 256, 65_536
GLANCE, SILENCE = 0.1, 1.0
"""Seconds between two looks at what the player thinks, and after which it is told again with the same line."""
FIRST_SHARE = 0.25
"""Seconds for each move in the first round, where several are compared without a limit."""
NUMBERS = ("depth", "nodes", "movetime", "mate", "wtime", "btime", "winc", "binc", "movestogo")
GO_WORDS = {*NUMBERS, "infinite", "ponder", "searchmoves"}
LONGEST_SAID = 200


@dataclass
class Search:
    """What a ``go`` asks for. Where it `holds`, the answer is given when it is released and not before."""

    numbers: dict[str, int] = field(default_factory=dict)
    moves: list[str] = field(default_factory=list)
    ponder: bool = False
    infinite: bool = False
    wrong: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.stop = Stop()
        self.released = threading.Event()
        self._lock = threading.Lock()
        self._time: float | None = None
        self._alarm: threading.Timer | None = None

    @classmethod
    def read(cls, words: Sequence[str]) -> Search:
        """The search that these words describe; what cannot be understood is left out, and noted in `wrong`."""
        search, left = cls(), deque(words)
        while left:
            word = left.popleft()
            if word == "infinite":
                search.infinite = True
            elif word == "ponder":
                search.ponder = True
            elif word == "searchmoves":
                while left and left[0] not in GO_WORDS:
                    search.moves.append(left.popleft())
            elif word in NUMBERS:
                if left and re.fullmatch(r"[+-]?\d{1,15}", left[0], re.ASCII):
                    search.numbers[word] = int(left.popleft())
                else:
                    search.wrong.append(f"go {word} needs a whole number")
        return search

    @property
    def holds(self) -> bool:
        """Whether it goes on, or at least says nothing, until it is told to."""
        return self.infinite or self.ponder

    def end(self) -> None:
        """The answer is wanted now."""
        self.stop.request()
        self.released.set()

    def hit(self) -> None:
        """The move that was pondered has been played: from now on the time runs."""
        with self._lock:
            self.ponder = False
            if not self.infinite:
                self.released.set()
            if self._time is not None:
                self._alarm = threading.Timer(self._time, self.stop.request)
                self._alarm.daemon = True
                self._alarm.start()

    def begun(self, limit: Limit) -> Limit:
        """The limit with which to begin: while it ponders, there is none of time, until `hit`."""
        with self._lock:
            if not self.ponder:
                return limit
            self._time = limit.time
            return replace(limit, time=None)

    def done(self) -> None:
        """Nobody needs to be woken any more."""
        with self._lock:
            self._time = None
            if self._alarm is not None:
                self._alarm.cancel()


class Teller:
    """Says what a player thinks of a position, if that has changed or nothing was said for a while."""

    def __init__(self, game: Game, state: Any, player: Player, write: Callable[[str], None]) -> None:
        self._game, self._state, self._player, self._write = game, state, player, write
        self._start = clock.monotonic()
        self._told: tuple[int | None, tuple[int, ...]] | None = None
        self._when = 0.0

    def look(self) -> None:
        """Look what the player thinks now."""
        thought = self._player.thoughts()
        if thought is None or not line_codes(self._state, thought.line[:1]):
            return
        if self._told != (thought.depth, thought.line) or clock.monotonic() - self._when > SILENCE:
            self.tell(thought)

    def tell(self, move: Move) -> None:
        """Say what a move is worth, and what it has cost to know."""
        self._told, self._when = (move.depth, move.line), clock.monotonic()
        spent = self._when - self._start
        score = score_words(self._game, self._state, move)
        words = [f"depth {move.depth}"] if move.depth is not None else []
        words += [f"score {score}"] if score else []
        if move.nodes is not None:
            words.append(f"nodes {move.nodes} nps {int(move.nodes / max(spent, 0.001))}")
        words.append(f"time {int(1000 * spent)}")
        if codes := line_codes(self._state, move.line or (move.action,)):
            words.append(f"pv {' '.join(codes)}")
        self._write(f"info {' '.join(words)}")


class UciEngine:
    """Does what a controller asks for, with the player of a spec, or the game's usual opponent. No line is its end.

    What it says is handed to `write`, a line at a time, without line breaks.
    """

    def __init__(self, game: Game, spec: str | None, write: Callable[[str], None], seed: int | None = None) -> None:
        if obstacle := ACCEPTS.obstacle(game.axes):
            raise UnsuitableGame(f"UCI cannot play {game.name}: {obstacle}")
        self._seed, self._write_line, self._lock = seed, write, threading.Lock()
        self._deaf = False
        self._chosen = spec is not None
        """Whether somebody has chosen the player; otherwise it is the usual opponent of each game."""
        self._spec = (spec or default_opponent(game)).replace(";", ",")
        player, self._open = self._made(self._spec, game)
        self._session = Session(game, player)
        self._start: tuple[str, Game] = ("", game)
        """Where the game begins, as it was told, and the game that begins there; the first one begins as it does."""
        self._plain = game
        self._work: queue.Queue[Callable[[], None] | None] = queue.Queue()
        self._asked: list[Search] = []
        """The searches that have not been answered yet, the one that runs first."""
        self._commands: dict[str, Callable[[list[str]], None]] = {
            "uci": self._introduce,
            "isready": self._get_ready,
            "setoption": self._set_option,
            "ucinewgame": self._new_game,
            "position": self._set_position,
            "debug": lambda words: None,
            "register": lambda words: None,
        }

    def serve(self, lines: Iterable[str]) -> None:
        """Do what every line says until ``quit`` or the end."""
        reader = threading.Thread(target=self._listen, args=(lines,), daemon=True)
        reader.start()
        try:
            while (work := self._work.get()) is not None:
                work()
        finally:
            self._session.player.close()

    # What is heard, in the thread that reads

    def _listen(self, lines: Iterable[str]) -> None:
        try:
            for line in lines:
                if not self.hear(line):
                    break
        finally:
            for search in list(self._asked):
                search.end()
            self._work.put(None)

    def hear(self, line: str) -> bool:
        """Take in a line; False if it is ``quit``. What cannot wait is done at once. Unknown words are skipped."""
        words = line.split()
        known = {*self._commands, "go", "stop", "ponderhit", "quit"}
        start = next((place for place, word in enumerate(words) if word in known), None)
        if start is None:
            if words:
                self._say(f"there is no command in '{' '.join(words[:20])}'")
            return True
        command, rest = words[start], words[start + 1 :]
        if command == "quit":
            return False
        if command == "isready" and self._asked:
            self._write("readyok")
            return True
        for search in list(self._asked):
            # What would never end by itself must not be in the way of what comes next.
            if command == "stop" or (search.holds and command not in ("isready", "ponderhit")):
                search.end()
            elif command == "ponderhit":
                search.hit()
        if command == "go":
            asked = Search.read(rest)
            self._asked.append(asked)
            self._work.put(lambda: self._go(asked))
        elif command in self._commands:
            self._work.put(lambda: self._guarded(lambda: self._commands[command](rest)))
        return True

    # What is done, in the thread that serves

    def _guarded(self, work: Callable[[], T]) -> T | None:
        """What comes of some work; None, with a note, if it fails."""
        try:
            return work()
        except PlygroundError as error:
            self._say(str(error))
        except Exception as error:  # the code of somebody's player or game
            self._say(f"{type(error).__name__}: {error}")
        return None

    def _introduce(self, words: list[str]) -> None:
        self._write(f"id name Plyground {__version__}")
        self._write("id author The Plyground authors")
        self._write("option name Ponder type check default false")
        self._write(f"option name {VARIANT} type string default {self._plain.spec}")
        if isinstance(self._plain.initial, Chess):
            shuffled = "true" if self._plain.initial.shuffled else "false"
            self._write(f"option name {CHESS960} type check default {shuffled}")
        self._write(f"option name Player type string default {self._spec}")
        given = split_spec(self._spec)[1]
        names = {option.name: option for option in self._options()}
        if "level" in names:
            self._write(f"option name Level type spin default {given.get('level', 0)} min 0 max {LEVELS}")
        if "threads" in names:
            threads = given.get("threads", names["threads"].default)
            self._write(f"option name Threads type spin default {threads} min 1 max {THREADS}")
        if memory := self._memory_option():
            megabytes = re.match(r"\d+", str(given.get(memory, names[memory].default)))
            self._write(f"option name Hash type spin default {megabytes[0] if megabytes else 1} min 1 max {MEGABYTES}")
        self._write("uciok")

    def _get_ready(self, words: list[str]) -> None:
        try:
            self._session.prepare()
        finally:
            self._write("readyok")

    def _set_option(self, words: list[str]) -> None:
        found = re.fullmatch(r"name\s+(?P<name>.+?)(?:\s+value(?P<value>\s.*)?)?", " ".join(words))
        if not found:
            raise BadOption("write setoption name NAME value VALUE")
        name, value = found["name"].lower(), (found["value"] or "").strip()
        if name == VARIANT.lower():
            self._change_game(value)
        elif name == CHESS960.lower() and isinstance(self._plain.initial, Chess):
            self._change_castling(self._plain.initial, value)
        elif name == "player":
            self._change_player(value.replace(";", ","))
        elif name in ("level", "threads", "hash"):
            self._change_number(name, value)
        elif name != "ponder":
            known = [VARIANT, CHESS960, "Player", "Level", "Threads", "Hash", "Ponder"]
            raise BadOption(f"there is no option '{found['name'][:40]}'{suggestion(name, known)}")

    def _change_game(self, spec: str) -> None:
        if spec == self._plain.spec:
            return
        name = split_spec(spec)[0]
        if name not in GAMES or any(option.required for option in GAMES.options(name)):
            raise BadOption(f"there is no game '{name[:40]}' here{suggestion(name, GAMES)}")
        game = make_game(spec)
        if obstacle := ACCEPTS.obstacle(game.axes):
            raise UnsuitableGame(f"UCI cannot play {game.name}: {obstacle}")
        player = self._spec if self._chosen else default_opponent(game)
        made = self._made(player, game)
        self._plain, self._start = game, ("", game)
        self._seat(player, made, game)

    def _change_castling(self, start: Chess, value: str) -> None:
        """From now on castling is written as in Chess960, or as usual."""
        if value.lower() not in ("true", "false"):
            raise BadOption(f"{CHESS960} is true or false, not '{value[:40]}'")
        if (value.lower() == "true") == bool(start.shuffled):
            return
        game = replace(self._plain, initial=start._replace(shuffled=not start.shuffled))
        self._plain, self._start = game, ("", game)
        self._session.restart(game)

    def _change_player(self, spec: str) -> None:
        session = self._session
        self._seat(spec, self._made(spec, session.game), session.game, session.history)
        self._chosen = True

    def _seat(self, spec: str, made: tuple[Player, bool], game: Game, history: Sequence[int] = ()) -> None:
        """Let another player take over, or the same one another game."""
        self._session.player.close()
        self._spec, (player, self._open) = spec, made
        self._session = Session(game, player)
        self._session.restart(moves=history)

    def _change_number(self, name: str, value: str) -> None:
        option = self._memory_option() if name == "hash" else name
        if option not in {one.name for one in self._options()}:
            raise BadOption(f"the player {self._spec} has no option {name.title()}")
        if not re.fullmatch(r"\d{1,9}", value, re.ASCII):
            raise BadOption(f"{name.title()} must be a whole number, not '{value[:40]}'")
        kind, options = split_spec(self._spec)
        options.pop(option or "", None)
        if name != "level" or int(value) > 0:
            options[option or ""] = value
        self._change_player(f"{kind}:{','.join(f'{key}={one}' for key, one in options.items())}" if options else kind)

    def _new_game(self, words: list[str]) -> None:
        self._session.restart(self._plain)

    def _set_position(self, words: list[str]) -> None:
        end = words.index("moves") if "moves" in words else len(words)
        given, moves = words[:end], words[end + 1 :]
        if given[:1] == ["startpos"]:
            game = self._plain
        elif given[:1] == ["fen"]:
            game = self._set_up(" ".join(given[1:]))
        else:
            raise BadOption("write position startpos moves ..., or position fen ... moves ...")
        scratch = Session(game, self._session.player)
        for number, word in enumerate(moves, 1):
            try:
                if scratch.must_pass() and word.lower() not in ("pass", "0000"):
                    scratch.play_pass()
                scratch.follow(read_code(scratch.state, word))
            except ActionError as error:
                raise BadOption(f"move {number} of the position: {error}; the position stays as it was") from None
        session = self._session
        if session.game is not game:
            session.restart(game)
        shared = 0
        for old, new in zip(session.history, scratch.history, strict=False):
            if old != new:
                break
            shared += 1
        while len(session.history) > shared:
            session.undo()
        for action in scratch.history[shared:]:
            session.follow(action)

    def _set_up(self, code: str) -> Game:
        """The game that begins with this position, the same one for the same code."""
        if self._start[0] != code:
            self._start = code, replace(self._plain, initial=read_position(self._plain.initial, code))
        return self._start[1]

    # The player

    def _made(self, spec: str, game: Game) -> tuple[Player, bool]:
        """The player of a spec, and whether it is open how long it thinks: then it is made to have no limit at all."""
        kind, options = split_spec(spec)
        if kind == "human":
            raise BadOption("people do not speak UCI; name a program, such as mcts")
        named = {option.name for option in PLAYERS.options(kind)}
        unlimited = "time" in named and not LIMITS & set(options) and "command" not in named
        made = f"{spec}{',' if options else ':'}time={NO_LIMIT:.0f}" if unlimited else spec
        return make_player(made, game, self._seed), unlimited

    def _options(self) -> Sequence[Any]:
        return PLAYERS.options(split_spec(self._spec)[0])

    def _memory_option(self) -> str | None:
        names = {option.name for option in self._options()}
        return None if "command" in names else next((name for name in HASH if name in names), None)

    # Thinking

    def _go(self, search: Search) -> None:
        answer = self._guarded(lambda: self._found(search)) or "(none)"
        if search.holds:
            search.released.wait()
        search.done()
        self._asked.remove(search)
        self._write(f"bestmove {answer}")

    def _found(self, search: Search) -> str | None:
        """What stands behind ``bestmove``; None if there is no move."""
        session = self._session
        session.prepare()
        state = session.state
        among = [action for word in search.moves if (action := self._searched(word, search)) is not None]
        for wrong in search.wrong:
            self._say(wrong)
        if session.over():
            self._say("the game is over")
            return None
        limit = search.begun(self._limit(search, session.turn))
        teller = Teller(session.game, state, session.player, self._write)
        with search.stop.over():
            if among:
                choice: Choice = self._best_of(dict.fromkeys(among), limit, search, teller)
            else:
                with now_and_then(teller.look, GLANCE):
                    choice = session.choose(limit)
        if not isinstance(choice, Move):
            self._say("the player resigns")
            return None
        session.game.legal(state, choice.action)
        teller.tell(choice)
        codes = line_codes(state, choice.line[:2])
        ponder = f" ponder {codes[1]}" if len(codes) == 2 and choice.line[0] == choice.action else ""
        return f"{action_code(state, choice.action)}{ponder}"

    def _searched(self, word: str, search: Search) -> int | None:
        """A move that is to be searched; None, with a note, if it is none."""
        try:
            return read_code(self._session.state, word)
        except ActionError as error:
            search.wrong.append(str(error))
            return None

    def _limit(self, search: Search, seat: int) -> Limit:
        numbers, named = search.numbers, {option.name for option in self._options()}
        limit: dict[str, Any] = {}
        depth = min((value for value in (numbers.get("depth"), _plies(numbers.get("mate"))) if value), default=None)
        if depth is not None and "depth" in named:
            limit["depth"] = max(1, depth)
        if "nodes" in numbers:
            for name in ("nodes", "simulations"):
                if name in named:
                    limit[name] = max(1, numbers["nodes"])
        if "movetime" in numbers:
            limit["time"] = time_to_think(max(0, numbers["movetime"]) / 1000)
        elif (mine := ("wtime", "btime")[seat]) in numbers:
            left, moves = max(0, numbers[mine]) / 1000, numbers.get("movestogo")
            increment = max(0, numbers.get(("winc", "binc")[seat], 0)) / 1000
            if self._session.player.plans_by_clock and not search.ponder:
                limit["time"] = time_to_think(left)
                shown = (limit["time"] if turn == seat else math.inf for turn in (0, 1))
                limit["clock"] = ClockFace(tuple(shown), min(increment, LONGEST_TIME), moves)
            else:
                share = left / max(1, moves or MOVES_TO_GO) + increment
                limit["time"] = time_to_think(min(share, left, LONGEST_TIME))
        if not limit and self._open and not search.infinite:
            limit["time"] = USUAL_TIME
        return Limit(**limit)

    def _best_of(self, moves: Iterable[int], limit: Limit, search: Search, teller: Teller) -> Move:
        """The best of some moves: the positions after them are searched, one after the other, with equal shares.

        Without a limit they are searched again and again, each time for twice as long, while that finds more.
        """
        choices = list(moves)
        best = Move(choices[0], line=(choices[0],))
        for share in self._shares(limit, len(choices)):
            found: list[Move] = []
            start = clock.monotonic()
            for action in choices:
                found.append(self._after(action, share))
                if search.stop.requested:
                    break
            if len(found) == len(choices) or best.value is None:
                nodes = sum(move.nodes or 0 for move in found)
                best = replace(max(found, key=_worth), nodes=nodes)
                teller.tell(best)
            if search.stop.requested or clock.monotonic() - start < (share.time or 0.0):
                break
        return best

    def _shares(self, limit: Limit, count: int) -> Iterator[Limit]:
        """What each of some moves gets, round by round."""
        shares: dict[str, Any] = {}
        for name in ("nodes", "simulations"):
            if (value := getattr(limit, name)) is not None:
                shares[name] = max(1, value // count)
        if limit.depth is not None:
            shares["depth"] = max(1, limit.depth - 1)
        if limit.time is not None:
            shares["time"] = max(0.001, limit.time / count)
        if shares or not self._open:
            yield Limit(**shares)
            return
        time = FIRST_SHARE
        while True:
            yield Limit(time=time)
            time *= 2

    def _after(self, action: int, share: Limit) -> Move:
        """What the player thinks of a move when it has been made, seen by whoever makes it."""
        session, mover = self._session, self._session.turn
        session.follow(action)
        try:
            if session.over():
                return Move(action, float(utility(session.state, mover)), (action,), 1, 1)
            choice = session.choose(share)
            if not isinstance(choice, Move):
                return Move(action, line=(action,))
            value = choice.value if choice.value is None or session.turn == mover else -choice.value
            depth = None if choice.depth is None else choice.depth + 1
            return Move(action, value, (action, *(choice.line or (choice.action,))), depth, choice.nodes)
        finally:
            session.undo()

    # What is said

    def _say(self, message: str) -> None:
        self._write(f"info string {visible(' '.join(message.split()))[:LONGEST_SAID]}")

    def _write(self, line: str) -> None:
        with self._lock:
            if not self._deaf:
                try:
                    self._write_line(line)
                except (OSError, ValueError):  # the controller has gone; the end of its input follows
                    self._deaf = True


def _worth(move: Move) -> float:
    return -math.inf if move.value is None or math.isnan(move.value) else move.value


def _plies(mate: int | None) -> int | None:
    """How deep to look for a win in so many moves."""
    return None if mate is None else max(1, 2 * abs(mate) - 1)
