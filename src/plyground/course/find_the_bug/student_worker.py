"""Runs a student's search in a process of its own, and writes down what it does.

    python student_worker.py FILE

It reads a line of JSON with the "function" and the "algorithm" that are wanted, or "", and answers with ``ready``, what
it has found in the file, or with an ``error``. Then it reads a line for each task and answers with lines: ``events``,
what has been observed since the last ones; ``ask``, the number of a position and of an action, which is answered by a
line with the position that follows; at last ``done`` or ``error``. What the student prints goes to the standard error
stream, and the program has no input.

Nothing is asked of the student's program itself. Calls of its search and what they return are seen by the interpreter's
profiling hook, numbers in the nodes of its tree by ``__setattr__``, and all else is asked of the `Game` here. A file
that imports the `rules` which are given out with tic-tac-toe gets their board, a list of nine signs, in place of a
`State`: where it is, is then seen by the boards that it hands on. A class `AIPlayer` with `get_move`, as the assignment
on Reversi asks for, gets a board of the course which tells what is done on it, and on its copies. The clock stands
still for such a player, and it is stopped when enough has been seen.

A file by itself that needs the standard library alone, so that it starts in milliseconds.
"""

from __future__ import annotations

import ast
import dis
import importlib.util
import inspect
import json
import linecache
import math
import os
import random
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType, FrameType, ModuleType
from typing import Any

NAMES = {
    "uct": {"uct", "uctsearch", "mcts", "mctssearch", "montecarlotreesearch", "montecarlo"},
    "alphabeta": {
        "alphabeta", "alphabetasearch", "alphabetavalue", "alphabetadecision", "alphabetacutoffsearch", "negamax",
        "alphabetanegamax", "negamaxalphabeta", "ab", "maxvalue",
    },
    "minimax": {"minimax", "minimaxsearch", "minimaxdecision", "minimaxvalue", "negamax", "maxvalue", "minmax"},
}  # fmt: skip
"""How the function with the search may be called, in small letters and without underscores."""
ARGUMENTS = {
    "state": {"state", "s", "node", "board", "position", "pos", "root", "rootstate", "s0", "initial", "currentstate"},
    "game": {"game", "problem", "rules", "env"},
    "depth": {"depth", "d", "maxdepth", "limit", "depthlimit", "cutoff", "plies", "remaining"},
    "alpha": {"alpha", "a", "low", "α"},
    "beta": {"beta", "b", "high", "β"},
    "maximizing": {
        "maximizing", "maximising", "maximizingplayer", "maximisingplayer", "ismax", "ismaximizing", "ismaximising",
        "ismaximizingplayer", "maxplayer", "maxturn", "ismaxturn", "maxnode",
    },
    "color": {"color", "colour", "sign"},
    "player": {"player", "turn", "mover", "side"},
    "simulations": {
        "simulations", "iterations", "n", "budget", "rollouts", "playouts", "itermax", "numsimulations",
        "numiterations", "maxiterations", "niter",
    },
    "rng": {"rng", "random", "rand", "generator"},
    "c": {"c", "cp", "exploration", "explorationconstant", "explorationweight"},
}  # fmt: skip
"""How the arguments of it may be called."""
NUMBERS = {
    "visits": {"n", "visits", "visitcount", "visitscount", "numvisits", "nvisits", "count", "visited"},
    "total": {
        "q", "w", "total", "value", "wins", "reward", "score", "totalreward", "totalvalue", "valuesum", "quality",
        "winscore", "rewards",
    },
    "parent": {"parent"},
    "action": {"action", "move", "lastmove", "preaction", "incomingaction", "moved"},
    "state": ARGUMENTS["state"],
}  # fmt: skip
"""How the numbers in a node of a tree may be called."""
RULES = "rules"
"""The module with the rules of tic-tac-toe that is given out to students."""
SQUARES = tuple(f"{column}{row}" for row in "123" for column in "abc")
"""The actions that take the squares from 0 to 8 of their board."""
MOST_EVENTS = 400_000
ENOUGH = {"uct": 8_000, "alphabeta": 40_000, "minimax": 40_000}
"""Events after which a player of Reversi is stopped, which may search as long as it has time."""
COLORS = ("X", "O")
BATCH = 500
LONGEST = 200
"""Characters of a text that is told."""
DEEPEST = 1500
"""Calls inside each other, before Python gives up."""


def plain_name(name: str) -> str:
    """A name without underscores, in small letters."""
    return name.replace("_", "").lower()


def meaning(name: str, meanings: dict[str, set[str]]) -> str:
    """What a name stands for; "" if it is unknown."""
    plain = plain_name(name)
    return next((what for what, names in meanings.items() if plain in names), "")


class Enough(BaseException):
    """What is observed is too much to be told."""


class Line:
    """The line to the other process: events go out in batches, questions at once."""

    def __init__(self, questions: Any, answers: Any) -> None:
        self.questions, self.answers = questions, answers
        self.events: list[list[Any]] = []
        self.count, self.most = 0, MOST_EVENTS

    def say(self, **what: Any) -> None:
        """Write what has been observed, and this after it."""
        if self.events:
            self.answers.write(json.dumps({"events": self.events}) + "\n")
            self.events = []
        self.answers.write(json.dumps(what) + "\n")
        self.answers.flush()

    def note(self, *event: Any) -> None:
        """Keep an event."""
        self.events.append(list(event))
        self.count += 1
        if self.count > self.most:
            raise Enough
        if len(self.events) >= BATCH:
            self.answers.write(json.dumps({"events": self.events}) + "\n")
            self.answers.flush()
            self.events = []

    def hear(self) -> Any:
        """The next line, or None at the end."""
        line = self.questions.readline()
        return json.loads(line) if line else None


# What a student is given --------------------------------------------------------------------------------------------


class IllegalMove(ValueError):
    """An action that is not legal in the position."""


class NotOver(ValueError):
    """The utility of a position where the game goes on."""


class State:
    """A position. It can be compared, hashed and copied, and changed only by `play` and `undo`."""

    def __init__(self, game: Game, places: list[dict[str, Any]]) -> None:
        self._game, self._places = game, places

    @property
    def _now(self) -> dict[str, Any]:
        return self._places[-1]

    @property
    def board(self) -> list[list[str]] | None:
        """The board, rows of signs, as a copy; None for a tree."""
        rows = self._now["board"]
        return None if rows is None else [list(row) for row in rows]

    @property
    def to_move(self) -> str:
        """The name of the player to move."""
        return self._game.to_move(self)

    def play(self, action: str) -> State:
        """Make a move on this very object; the answer is the object."""
        self._places.append(self._game._after(self, action))
        self._game._line.note("play", self._now["id"])
        return self

    def undo(self) -> State:
        """Take back the last move on this very object."""
        if len(self._places) < 2:
            raise IllegalMove("there is no move to take back")
        self._places.pop()
        return self

    def copy(self) -> State:
        """The same position as an object of its own."""
        return State(self._game, list(self._places))

    def __copy__(self) -> State:
        return self.copy()

    def __deepcopy__(self, memo: Any) -> State:
        return self.copy()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self._now["key"] == other._now["key"]

    def __hash__(self) -> int:
        return hash(self._now["key"])

    def __repr__(self) -> str:
        return f"position after {' '.join(self._now['path']) or 'no moves'}"


class Game:
    """The rules, in the style of Russell and Norvig. Actions are texts; values are to the first player, MAX, unless a
    player is named.
    """

    def __init__(self, line: Line, players: list[str], root: dict[str, Any]) -> None:
        self._line = line
        self.players = list(players)
        self._next: dict[tuple[int, int], dict[str, Any]] = {}
        root["path"] = []
        self._root = root
        self._known = {0: root}

    @property
    def initial(self) -> State:
        """The position from which the search begins."""
        return State(self, [self._root])

    def actions(self, state: State) -> list[str]:
        """The legal actions; none where the game is over."""
        place = self._place(state)
        self._line.note("actions", place["id"])
        return list(place["actions"])

    def result(self, state: State, action: str) -> State:
        """The position after an action, as a new object."""
        after = self._after(state, action)
        return State(self, [*state._places, after])

    def is_terminal(self, state: State) -> bool:
        """Whether the game is over."""
        place = self._place(state)
        self._line.note("over", place["id"])
        return bool(place["over"])

    terminal_test = is_terminal

    def utility(self, state: State, player: str | None = None) -> float:
        """What a finished game is worth to a player, to MAX if none is named."""
        place = self._place(state)
        self._line.note("utility", place["id"])
        if not place["over"]:
            moves = ", ".join(place["actions"])
            raise NotOver(f"utility was asked where the game is not over; there are the actions: {moves}")
        return self._number(place["utility"], player)

    def evaluate(self, state: State, player: str | None = None) -> float:
        """What the evaluation says of a position, to a player, to MAX if none is named."""
        place = self._place(state)
        self._line.note("evaluate", place["id"])
        return self._number(place["utility"] if place["over"] else place["evaluation"], player)

    eval = evaluate

    def to_move(self, state: State) -> str:
        """The name of the player to move; where the game is over, of the one who would be."""
        return str(self.players[self._place(state)["mover"]])

    def _number(self, value: float, player: str | None) -> float:
        if player is not None and player not in self.players:
            raise ValueError(f"there is no player {player!r}; there are: {', '.join(self.players)}")
        number = -value if player == self.players[1] else value
        return int(number) if number == int(number) else number

    def _place(self, state: State) -> dict[str, Any]:
        if not isinstance(state, State):
            raise TypeError(f"the game is asked about {type(state).__name__!r}, which is not a state of it")
        return state._now

    def _know(self, above: int, number: int, place: dict[str, Any]) -> dict[str, Any]:
        """Keep the position that follows another by the action of that number."""
        before = self._known[above]
        place["path"] = [*before["path"], before["actions"][number]]
        self._known[place["id"]] = self._next[above, number] = place
        return place

    def _after(self, state: State, action: str) -> dict[str, Any]:
        place = self._place(state)
        if action not in place["actions"]:
            self._line.note("illegal", place["id"], str(action)[:LONGEST])
            moves = f"there are: {', '.join(place['actions'])}" if place["actions"] else "the game is over there"
            raise IllegalMove(f"{str(action)[:40]!r} is not legal in the {state!r}; {moves}")
        found = self._step(place, place["actions"].index(action))
        self._line.note("result", found["id"], bool(found["over"]))
        return found

    def _step(self, place: dict[str, Any], number: int) -> dict[str, Any]:
        """The position after the action of that number."""
        if (found := self._next.get((place["id"], number))) is None:
            self._line.say(ask=[place["id"], number])
            found = self._know(place["id"], number, self._line.hear())
        return found


# The board of Reversi -----------------------------------------------------------------------------------------------


def watched_board(kind: Any) -> Any:
    """The board of the course, which tells what is done on it; `_places` are the positions that it has gone through."""

    class WatchedBoard(kind):  # type: ignore[misc]
        """A board; `_places` is empty as soon as it is not known where it stands."""

        def __init__(self, game: Game | None = None, place: dict[str, Any] | None = None) -> None:
            super().__init__()
            self._game, self._places = game, [place] if place is not None else []
            if place is not None:
                self._board = [list(row) for row in place["board"]]

        def _where(self) -> dict[str, Any] | None:
            """The position on the board, if it is that of the moves that were made on it, or one before it."""
            rows = ["".join(row) for row in self._board]
            while self._places and ["".join(row) for row in self._places[-1]["board"]] != rows:
                self._places.pop()  # taken back square by square, or changed otherwise
            return self._places[-1] if self._places else None

        def _note(self, *event: Any) -> None:
            assert self._game is not None
            self._game._line.note(*event)

        def __deepcopy__(self, memo: Any) -> Any:
            other = type(self)(self._game)
            other._board, other._places = [list(row) for row in self._board], list(self._places)
            return other

        def get_legal_actions(self, color: str) -> Iterator[str]:
            place = self._where()
            if place is not None:
                self._note("actions", place["id"])
            return super().get_legal_actions(color)  # type: ignore[no-any-return]

        def get_winner(self) -> Any:
            if (place := self._where()) is not None:
                self._note("winner", place["id"])
            return super().get_winner()

        def count(self, color: str) -> int:
            if (place := self._where()) is not None:
                self._note("count", place["id"])
            return super().count(color)  # type: ignore[no-any-return]

        def _move(self, action: Any, color: str) -> Any:
            place = self._where()
            done = super()._move(action, color)
            if done is False or place is None or self._game is None:
                return done
            square = self.num_board(self._place(action)).lower()
            if place["over"] or color != COLORS[place["mover"]] or square not in place["actions"]:
                self._note("colour", place["id"], square, COLORS.index(color) if color in COLORS else -1)
                self._places = []
                return done
            after = self._game._step(place, place["actions"].index(square))
            self._places.append(after)
            self._note("result", after["id"], bool(after["over"]))
            self._note("play", after["id"])
            return done

    return WatchedBoard


def stop_clock() -> None:
    """Have all clocks stand still, but for a microsecond a look: how far a search comes is then no matter of time."""
    now = [0]

    def look(seconds: Callable[[], float], scale: float) -> Callable[[], Any]:
        begun = seconds()

        def told() -> Any:
            now[0] += 1
            return begun + now[0] * scale if scale < 1 else int(begun + now[0] * scale)

        return told

    for name in ("time", "monotonic", "perf_counter", "process_time", "thread_time"):
        setattr(time, f"{name}_ns", look(getattr(time, f"{name}_ns"), 1000))
        setattr(time, name, look(getattr(time, name), 1e-6))


# What is observed ---------------------------------------------------------------------------------------------------


def functions_of(source: str) -> dict[str, tuple[set[str], set[str]]]:
    """The functions of a source: what each calls by name or on itself, and what its parameters stand for."""
    found: dict[str, tuple[set[str], set[str]]] = {}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef):
            called: set[str] = set()
            for inner in ast.walk(node):
                if isinstance(inner, ast.Call) and isinstance(inner.func, ast.Name):
                    called.add(inner.func.id)
                elif (
                    isinstance(inner, ast.Call)
                    and isinstance(inner.func, ast.Attribute)
                    and isinstance(inner.func.value, ast.Name)
                    and inner.func.value.id == "self"
                ):
                    called.add(inner.func.attr)
            parameters = [one.arg for one in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
            before = found.get(node.name, (set(), set()))
            found[node.name] = before[0] | called, before[1] | {meaning(name, ARGUMENTS) for name in parameters}
    return found


def recursive(functions: dict[str, tuple[set[str], set[str]]]) -> set[str]:
    """The names of the functions that come back to themselves."""
    reached: dict[str, set[str]] = {}
    for name in functions:
        seen: set[str] = set()
        waiting = list(functions[name][0])
        while waiting:
            one = waiting.pop()
            if one in functions and one not in seen:
                seen.add(one)
                waiting += functions[one][0]
        reached[name] = seen
    return {name for name in functions if name in reached[name]}


def negates(source: str, searches: set[str]) -> bool:
    """Whether a call of the search has a minus before it, or before its bounds: that is the form of negamax."""

    def is_search(node: ast.AST) -> bool:
        called = node.func if isinstance(node, ast.Call) else None
        return getattr(called, "id", getattr(called, "attr", "")) in searches

    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and is_search(node.operand):
            return True
        if isinstance(node, ast.Call) and is_search(node):
            given = [*node.args, *(keyword.value for keyword in node.keywords)]
            bounds = [one.operand for one in given if isinstance(one, ast.UnaryOp) and isinstance(one.op, ast.USub)]
            if any(isinstance(one, ast.Name) and meaning(one.id, ARGUMENTS) in ("alpha", "beta") for one in bounds):
                return True
    return False


def deepens(source: str, searches: set[str]) -> bool:
    """Whether the depth is counted from the root down, as in search(child, depth + 1): then it is no limit."""
    for node in ast.walk(ast.parse(source)):
        called = node.func if isinstance(node, ast.Call) else None
        if isinstance(node, ast.Call) and getattr(called, "id", getattr(called, "attr", "")) in searches:
            for given in (*node.args, *(keyword.value for keyword in node.keywords)):
                is_sum = isinstance(given, ast.BinOp) and isinstance(given.op, ast.Add)
                if is_sum and meaning(getattr(getattr(given, "left", None), "id", ""), ARGUMENTS) == "depth":
                    return True
    return False


def asks_who_moves(source: str) -> bool:
    """Whether a source has anything that tells whose turn it is, as `game.to_move` and `game.players` do."""
    asking = {"to_move", "players"}
    return any(getattr(node, "attr", getattr(node, "id", "")) in asking for node in ast.walk(ast.parse(source)))


def imports(source: str, module: str) -> bool:
    """Whether a source imports a module, or something from it."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.module == module and not node.level:
            return True
        if isinstance(node, ast.Import) and any(alias.name == module for alias in node.names):
            return True
    return False


def squares_of(place: dict[str, Any]) -> list[str]:
    """A position of tic-tac-toe as the board that is given out: nine signs, row by row."""
    return [" " if sign == "." else sign for row in place["board"] for sign in row]


def is_squares(thing: Any) -> bool:
    """Whether it is such a board."""
    return (
        isinstance(thing, list | tuple | str)
        and len(thing) == len(SQUARES)
        and all(one in ("X", "O", " ") for one in thing)
    )


class Student:
    """A student's file: the function with the search, and what of it is watched."""

    def __init__(self, path: Path, function: str, algorithm: str, line: Line, course: str = "") -> None:
        self.path, self.line = path, line
        source = path.read_text(encoding="utf-8-sig")
        self.functions = functions_of(source)
        self.player = not function and is_player(source)
        if self.player:
            framework = _module("plyground_course", Path(course))
            sys.modules["board"] = sys.modules["game"] = framework
            if not path.with_name("players.py").exists():
                sys.modules["players"] = framework
            self.board = framework.Board = watched_board(framework.Board)  # type: ignore[attr-defined]
            stop_clock()
        sys.path.insert(0, str(path.parent))
        self.module = _module("student_program", path)
        self.entry: Any = None
        self.name = "AIPlayer.get_move"
        if not self.player:
            self.entry, self.name = self._find(function, algorithm)
        parameters = set().union(*(names for _, names in self.functions.values()))
        if self.player:
            kind = "alphabeta" if {"alpha", "beta"} <= parameters else "minimax"
            self.algorithm = algorithm or ("uct" if counts_visits(source) else kind)
        elif meaning(self.name, NAMES) == "uct" or algorithm == "uct":
            self.algorithm = "uct"
        else:
            self.algorithm = algorithm or ("alphabeta" if {"alpha", "beta"} <= parameters else "minimax")
        self.searches = {
            name
            for name in recursive(self.functions)
            if self.functions[name][1] & {"state", "depth", "alpha", "maximizing"}
        }
        if self.player:
            self.searches -= makes_moves(source)
        takes = {"board"}
        if self.entry is not None:
            takes = {meaning(name, ARGUMENTS) for name in inspect.signature(self.entry).parameters}
        self.squares = not self.player and self.algorithm != "uct" and "game" not in takes and imports(source, RULES)
        self.counts_up = deepens(source, self.searches)
        takes |= {"counts_up"} if self.player and self.counts_up else set()
        takes -= {"depth"} if self.counts_up else set()
        takes |= {"squares"} if self.squares else set()
        told = bool(takes & {"maximizing", "color", "player", "board", "squares"}) or asks_who_moves(source)
        takes |= set() if told or self.algorithm == "uct" else {"max_begins"}
        self.takes = sorted(takes | ({"negated"} if negates(source, self.searches) else set()))
        self.codes: dict[CodeType, dict[str, str] | None] = {}
        self.watch_classes()

    def _find(self, function: str, algorithm: str) -> tuple[Callable[..., Any], str]:
        """The function of that name, or the first that is called as a search is."""
        own = {name: one for name, one in vars(self.module).items() if callable(one)}
        if function:
            if function not in own:
                raise AttributeError(f"there is no function {function} in it")
            return own[function], function
        for kind in [algorithm] if algorithm else ["alphabeta", "minimax", "uct"]:
            for name, one in own.items():
                if inspect.isfunction(one) and plain_name(name) in NAMES[kind]:
                    return one, name
        for kind in [algorithm] if algorithm else ["alphabeta", "minimax", "uct"]:
            for one in own.values():
                if inspect.isclass(one) and one.__module__ == self.module.__name__:
                    for name, method in vars(one).items():
                        if inspect.isfunction(method) and plain_name(name) in NAMES[kind]:
                            return getattr(one(), name), name
        wanted = f"{algorithm}(...)" if algorithm else "alphabeta(...), minimax(...) or uct(...)"
        raise AttributeError(f"there is no function {wanted} in it")

    def arguments(self, known: dict[str, Any]) -> dict[str, Any]:
        """What the function is called with, by the names of its parameters."""
        found: dict[str, Any] = {}
        self.c: float | None = None
        for name, parameter in inspect.signature(self.entry).parameters.items():
            if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
                continue
            what = meaning(name, ARGUMENTS)
            has_default = parameter.default is not parameter.empty
            if what == "c" and has_default and is_number(parameter.default):
                self.c = float(parameter.default)
            elif what in known:
                found[name] = known[what]
                self.c = known["c"] if what == "c" else self.c
            elif not has_default:
                may = "state, depth, alpha, beta, maximizing, color, player, game, simulations, rng, c"
                raise TypeError(f"{self.name}(... {name} ...): nobody knows what '{name}' is; a search takes: {may}")
        return found

    def watched(self, code: CodeType) -> dict[str, str] | None:
        """What the parameters of a function stand for, if its calls are visits of nodes."""
        if code not in self.codes:
            own = code.co_filename == str(self.path) and code.co_name in self.searches
            names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount] if own else ()
            self.codes[code] = {name: meaning(name, ARGUMENTS) for name in names} if own else None
        return self.codes[code]

    def profile(self, root: State) -> Callable[[FrameType, str, Any], None]:
        """The hook that notes every call of the search, and what it returns."""
        frames: dict[FrameType, int] = {}
        open_calls: list[State] = []  # the positions of the calls that have not returned
        numbers = iter(range(MOST_EVENTS * 2))
        line = self.line

        def hook(frame: FrameType, event: str, value: Any) -> None:
            if event == "call":
                parameters = self.watched(frame.f_code)
                if parameters is None:
                    return
                known: dict[str, Any] = {}
                state: State | None = root
                for name, what in parameters.items():
                    given: Any = frame.f_locals.get(name)
                    if isinstance(given, State):
                        state = given
                    elif self.player and isinstance(given, self.board):
                        place = given._where()
                        state = None if place is None else State(self._game, [place])
                    elif self.player and what in ("player", "color") and given in COLORS:
                        known["mover"] = COLORS.index(given)
                    elif what == "state" and self.squares and is_squares(given):
                        state = self._position(list(given), open_calls[-1] if open_calls else root)
                    elif what in ("alpha", "beta", "depth") and is_number(given):
                        known[what] = float(given)
                    elif what == "maximizing" and isinstance(given, bool):
                        known[what] = given
                if state is None:
                    return  # on a board of its own, of which nothing is known
                frames[frame] = next(numbers)
                open_calls.append(state)
                line.note(
                    "call", frames[frame], frame.f_code.co_name, state._now["id"], known, frame.f_code.co_firstlineno
                )
            elif event == "return" and frame in frames:
                open_calls.pop()
                if returns(frame):
                    line.note("return", frames.pop(frame), *answer_of(value))
                else:
                    line.note("left", frames.pop(frame))

        return hook

    def _position(self, squares: list[str], above: State) -> State:
        """The position on a board of nine signs: the moves that lead to it from the one above are made one by one.

        Where none lead there, the first move that cannot have been made is noted as an illegal one.
        """
        state, before = above, squares_of(above._now)
        new = [number for number in range(len(SQUARES)) if squares[number] != before[number]]
        while new:
            sign = self._game.to_move(state)
            number = next((one for one in new if squares[one] == sign and before[one] == " "), new[0])
            if squares[number] != sign or SQUARES[number] not in state._now["actions"]:
                self.line.note("illegal", state._now["id"], SQUARES[number])
                return state
            state = State(self._game, [*state._places, self._game._after(state, SQUARES[number])])
            new.remove(number)
        return state

    def watch_classes(self) -> None:
        """Have every class of the file tell when a number of its objects changes."""
        self.nodes: dict[int, int] = {}
        self.alive: list[Any] = []
        self.telling = False
        for one in list(vars(self.module).values()):
            if inspect.isclass(one) and one.__module__ == self.module.__name__ and not issubclass(one, BaseException):
                self._watch_class(one)

    def _watch_class(self, kind: type) -> None:
        before = kind.__setattr__

        def tell(thing: Any, name: str, value: Any) -> None:
            before(thing, name, value)  # type: ignore[call-arg]
            if self.telling:
                self._tell(thing, name, value)

        try:
            kind.__setattr__ = tell  # type: ignore[assignment, method-assign]
        except (AttributeError, TypeError):
            return

    def _tell(self, thing: Any, name: str, value: Any) -> None:
        what = meaning(name, NUMBERS)
        told: Any
        if what in ("visits", "total"):
            told = float(value) if is_number(value) else None
        elif what == "state":
            told = value._now["id"] if isinstance(value, State) else None
            if self.player and isinstance(value, self.board) and (place := value._where()) is not None:
                told = place["id"]
        elif what == "parent":
            told = self._number(value) if value is not None and type(value) is type(thing) else None
        elif what == "action":
            told = str(value)[:LONGEST] if isinstance(value, str) else None
            told = told.lower() if self.player and told is not None else told
        else:
            return
        if told is not None:
            self.line.note("set", self._number(thing), what, told)

    def _number(self, thing: Any) -> int:
        if id(thing) not in self.nodes:
            self.nodes[id(thing)] = len(self.nodes)
            self.alive.append(thing)  # so that no other object gets its place in memory
        return self.nodes[id(thing)]

    def run(self, task: dict[str, Any]) -> dict[str, Any]:
        """One search; what the function has returned."""
        game = self._game = Game(self.line, task["players"], task["root"])
        for above, action, place in task["known"]:
            game._know(above, action, place)
        root = game.initial
        mover = task["root"]["mover"]
        random.seed(task["seed"])
        known = {
            "state": squares_of(task["root"]) if self.squares else root, "game": game,
            "depth": 0 if self.counts_up else task["depth"],
            "alpha": -math.inf, "beta": math.inf,
            "maximizing": mover == 0, "color": -1 if mover else 1, "player": game.players[mover],
            "simulations": task["simulations"], "rng": random.Random(task["seed"]), "c": task["c"],
        }  # fmt: skip
        if self.player:
            return self._play(task)
        arguments = self.arguments(known)
        self.line.count = 0
        self.nodes.clear()
        self.alive.clear()
        self.telling = self.algorithm == "uct"
        if self.algorithm != "uct":
            sys.setprofile(self.profile(root))
        try:
            answer = self.entry(**arguments)
        finally:
            sys.setprofile(None)
            self.telling = False
        value, move, text = answer_of(answer)
        if move is None and answer is not None and not is_number(answer):
            move = next((one for one in actions_in(answer) if one in task["root"]["actions"]), None)
        return {"value": value, "move": move, "text": text, "c": self.c}

    def _play(self, task: dict[str, Any]) -> dict[str, Any]:
        """Ask the player for its move; it is stopped when enough has been seen."""
        board = self.board(self._game, task["root"])
        color = COLORS[task["root"]["mover"]]
        self.line.count, self.line.most = 0, ENOUGH[self.algorithm]
        self.nodes.clear()
        self.alive.clear()
        self.c = None
        answer, cut = None, False
        try:
            self.telling = self.algorithm == "uct"
            player = self.module.AIPlayer(color)
            player.color = color
            if self.algorithm != "uct":
                sys.setprofile(self.profile(State(self._game, [task["root"]])))
            answer = player.get_move(board=board)
        except Enough:
            cut = True
        finally:
            sys.setprofile(None)
            self.telling = False
            self.line.most = MOST_EVENTS
        before = [list(row) for row in task["root"]["board"]]
        left = None
        if not cut and board._board != before:
            place = board._where()
            left = -1 if place is None else place["id"]
        move = answer[:LONGEST].lower() if isinstance(answer, str) else None
        text = "" if move is not None or cut else type(answer).__name__
        return {"value": None, "move": move, "text": text, "c": None, "cut": cut, "left": left}


def is_player(source: str) -> bool:
    """Whether there is a class AIPlayer with get_move, as the assignment on Reversi asks for."""
    return any(
        isinstance(node, ast.ClassDef)
        and node.name == "AIPlayer"
        and any(isinstance(one, ast.FunctionDef) and one.name == "get_move" for one in node.body)
        for node in ast.parse(source).body
    )


def makes_moves(source: str) -> set[str]:
    """The functions that are given a move to make: they stand between a position and the next."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef):
            names = [one.arg for one in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
            found |= {node.name} if any(meaning(name, NUMBERS) == "action" for name in names) else set()
    return found


def counts_visits(source: str) -> bool:
    """Whether a class gives its objects visits, as the nodes of UCT have them."""
    for node in ast.walk(ast.parse(source)):
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        for target in targets:
            if isinstance(target, ast.Attribute) and meaning(target.attr, NUMBERS) == "visits":
                return True
    return False


def returns(frame: FrameType) -> bool:
    """Whether a function is left by a return; by an exception, the hook sees None all the same."""
    return dis.opname[frame.f_code.co_code[frame.f_lasti]].startswith("RETURN")


def is_number(value: Any) -> bool:
    """Whether it can be used as a number; NumPy's are too."""
    if isinstance(value, bool | str | bytes):
        return False
    if isinstance(value, int | float):
        return True
    return hasattr(value, "__float__") and getattr(value, "shape", None) == ()


def answer_of(value: Any) -> tuple[float | None, str | None, str]:
    """The number and the action in what a search returns, and how it looks."""
    parts = list(value) if isinstance(value, tuple | list) and len(value) <= 4 else [value]
    number = next((float(part) for part in parts if is_number(part)), None)
    move = next((part[:LONGEST] for part in parts if isinstance(part, str)), None)
    text = type(value).__name__ if number is None and move is None else ""
    return number, move, "" if text == "NoneType" else text


def actions_in(answer: Any) -> Iterator[Any]:
    """What may be the action in an object that a search returns, such as a node."""
    for name in NUMBERS["action"]:
        yield getattr(answer, name, None)


def _module(name: str, path: Path) -> ModuleType:
    specification = importlib.util.spec_from_file_location(name, path)
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    sys.modules[name] = module
    specification.loader.exec_module(module)
    return module


def fault(error: BaseException, path: str) -> dict[str, Any]:
    """What went wrong and where in the student's file: one line, and the line of the program that it happened in."""
    if isinstance(error, Enough):
        return {"error": "", "kind": "much"}
    if isinstance(error, SyntaxError):
        text = (error.text or "").strip()
        return {"error": f"SyntaxError: {error.msg}", "kind": "crash", "line": error.lineno, "source": text[:LONGEST]}
    where: dict[str, Any] = {}
    place = error.__traceback__
    while place is not None:
        code = place.tb_frame.f_code
        if code.co_filename == path and (place.tb_lineno != code.co_firstlineno or not where):
            where["line"] = place.tb_lineno
        place = place.tb_next
    if where:
        where["source"] = linecache.getline(path, where["line"]).strip()[:LONGEST]
    kind: dict[type[BaseException], str]
    kind = {RecursionError: "recursion", MemoryError: "memory", NotOver: "not_over", IllegalMove: "illegal"}
    what = " ".join(f"{type(error).__name__}: {error}".split())[:500]
    return {"error": what, "kind": kind.get(type(error), "crash"), **where}


def main(path: str) -> None:
    """Load the file and do tasks until the input ends."""
    questions = os.fdopen(os.dup(0), encoding="utf-8")
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)  # what the student prints is not mistaken for an answer
    line = Line(questions, answers)
    wanted = line.hear()
    sys.setrecursionlimit(DEEPEST)
    try:
        random.seed(wanted["seed"])
        student = Student(Path(path), wanted["function"], wanted["algorithm"], line, wanted["course"])
    except BaseException as error:
        line.say(**fault(error, path))
        return
    line.say(ready=True, function=student.name, algorithm=student.algorithm, takes=student.takes)
    while (task := line.hear()) is not None:
        try:
            line.say(done=student.run(task))
        except BaseException as error:
            line.say(**fault(error, path))


if __name__ == "__main__":
    main(*sys.argv[1:])
