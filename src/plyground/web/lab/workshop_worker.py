"""Checks and plays a game that somebody is writing, in a process of its own behind a wall.

    python -m plyground.web.lab.workshop_worker

Each line that it reads is JSON with what to "do", and what that takes:

    load     the "file" with the game; first of all, and once; of the "programs" it says which can play it, and for
             whatever is asked of the rules as plain Python they have this "patience", in seconds
    check    the contract: twice, as plain Python, which is quick, and then against machine code
    play     a new game of these "players", "human" or specs, with a "seed", that begins with these "moves"
    move     the "action" of whoever is to move
    go       the move of the program that is to move
    back     to the last choice of a person

It answers with one line, or with several of which all but the last have "more": an "event" that is `loaded`,
`checked` or `position`; or `problem`, with the "error" in one line, its "line" in the file and the "rule" that it is
about, as far as they are known. What the file prints goes to the standard error stream, and it has no input.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import traceback
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from plyground.arena.referee import objection_to
from plyground.core.chance import chance_action
from plyground.core.game import Game
from plyground.core.limits import Limit
from plyground.core.notation import must_pass
from plyground.core.rules import CHANCE, action_text, actions, result, to_move
from plyground.errors import (
    BadOption,
    BrokenRule,
    ContractBroken,
    GameError,
    IllegalAction,
    PlygroundError,
    UncompiledWarning,
    UnsuitableGame,
)
from plyground.games import load_game
from plyground.games.contract import check_game
from plyground.native.compiling import interpreted
from plyground.native.dispatch import ALL_RULES
from plyground.native.randomness import stream
from plyground.players import PLAYERS, Move, Player, Position, make_player
from plyground.web.games.positions import position

HUMAN = "human"
FIRST_LOOK, SECOND_LOOK = 300, 1000
"""Positions that are checked as plain Python alone, and then against machine code."""
THINKING = 10.0
"""The most seconds for a program's move; most have less by their specs."""
MOST_MOVES = 2000
"""Moves of one game here."""
LONGEST = 600
"""Characters of a line that says what is wrong."""


class TookTooLong(BaseException):
    """The rules have not come to an end in time; no rule can catch it by catching all errors."""


@contextlib.contextmanager
def bounded(seconds: float) -> Iterator[None]:
    """Break off what takes longer; the place where it was is where the error comes from."""

    def ring(*_: object) -> None:
        raise TookTooLong(f"still running after {seconds:g} seconds; is there a loop without end?")

    signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


class PlayedHere:
    """A game that is played: its states, and the moves between them."""

    def __init__(self, game: Game, players: Sequence[str], seed: int, moves: Sequence[int], patience: float) -> None:
        if game.axes.hidden or game.axes.simultaneous:
            what = "something is hidden from its players" if game.axes.hidden else "its players move at the same time"
            raise UnsuitableGame(f"{game.name} cannot be played on one screen: {what}; it can be checked")
        count = game.axes.players  # the page may not know it yet
        self.game, self.patience, self.players = game, patience, [*players, *[HUMAN] * count][:count]
        self.programs: dict[int, Player] = {}
        for seat, spec in enumerate(self.players):
            if spec != HUMAN:
                self.programs[seat] = make_player(spec, game, seed + seat)
                self.programs[seat].prepare(game)
        self.rng = stream(seed)
        self.states: list[Any] = [game.initial]
        self.moves: list[dict[str, Any]] = []
        with bounded(self.patience):
            for action in moves:
                self._add(game.legal(self.states[-1], action))
            self._settle()

    def _add(self, action: int, thoughts: Move | None = None) -> None:
        if len(self.moves) >= MOST_MOVES:
            raise BadOption(f"this game has {MOST_MOVES} moves already; begin another one")
        state = self.states[-1]
        with interpreted():
            made = {"player": int(to_move(state)), "action": int(action), "text": action_text(state, action)}
            self.states.append(result(state, action))
        value = None if thoughts is None or thoughts.value is None else float(thoughts.value)
        self.moves.append({**made, "value": value})

    def _settle(self) -> None:
        """Forced passes and the moves of chance."""
        with interpreted():
            while options := actions(self.states[-1]):
                state = self.states[-1]
                mover = int(to_move(state))
                if mover == CHANCE:
                    self._add(chance_action(state, options, len(options), self.rng))
                elif not 0 <= mover < self.game.axes.players:
                    last = self.game.axes.players - 1
                    raise BrokenRule(f"{self.game.name}: to_move says {mover}, but the players are 0 to {last}")
                elif must_pass(state, options):
                    self._add(options[0])
                else:
                    return

    def _mover(self) -> int:
        with interpreted():
            if not actions(self.states[-1]):
                raise IllegalAction("the game is over; begin another one")
            return int(to_move(self.states[-1]))

    def move(self, action: int) -> None:
        """What whoever is to move plays."""
        with bounded(self.patience):
            self._mover()
            with interpreted():
                self.game.legal(self.states[-1], action)
            self._add(action)
            self._settle()

    def go(self) -> None:
        """What the program that is to move plays."""
        with bounded(self.patience):
            mover = self._mover()
        if mover not in self.programs:
            raise BadOption(f"it is the turn of {self.game.seats[mover]}, who is a person")
        history = tuple(move["action"] for move in self.moves)
        choice = self.programs[mover].choose(Position(self.game, self.states[-1], history), Limit(time=THINKING))
        with bounded(self.patience):
            with interpreted():
                objection = objection_to(choice, self.states[-1], actions(self.states[-1]))
            if objection:
                raise IllegalAction(objection)
            assert isinstance(choice, Move)
            self._add(int(choice.action), choice)
            self._settle()

    def back(self) -> None:
        """To the last choice of a person; nothing if there was none."""
        people = [seat for seat, spec in enumerate(self.players) if spec == HUMAN]
        own = [n for n, move in enumerate(self.moves) if move["player"] in people and move["text"] != "pass"]
        if own:
            del self.moves[own[-1] :], self.states[own[-1] + 1 :]

    def shown(self) -> dict[str, Any]:
        """What is on the board."""
        before = self.states[-2] if len(self.states) > 1 else None
        with bounded(self.patience):
            facts = position(self.game, self.states[-1], len(self.moves), before)
        del facts["svg"]  # a picture is drawn in the browser, or not at all
        return {"position": facts, "moves": self.moves, "players": self.players}


class Bench:
    """A file with a game, and what is asked about it."""

    def __init__(self, file: str, patience: float) -> None:
        self.patience = patience
        self.notes: list[str] = []
        with bounded(patience):
            self.game = load_game(file)
        self.played: PlayedHere | None = None
        warnings.showwarning = lambda message, category, *_: (
            self.notes.append(str(message)) if issubclass(category, UncompiledWarning) else None
        )

    def loaded(self, programs: Sequence[str]) -> dict[str, Any]:
        """What the game is called, and which of these programs can play it."""
        game = self.game
        fit = {name: PLAYERS.make(name, game=game).accepts.obstacle_in(game) is None
               for name in {spec.partition(":")[0] for spec in programs}}  # fmt: skip
        fitting = [spec for spec in programs if fit[spec.partition(":")[0]]]
        return {"event": "loaded", "name": game.name, "seats": list(game.seats), "programs": fitting}

    def check(self) -> Iterator[dict[str, Any]]:
        """What was checked, first of the rules as plain Python, then against machine code."""
        with bounded(self.patience), interpreted():
            report = check_game(self.game, positions=FIRST_LOOK)
        yield {"event": "checked", **asdict(report), "compiled": None, "more": True}
        report = check_game(self.game, positions=SECOND_LOOK)
        yield {"event": "checked", **asdict(report), "note": self._note()}

    def play(self, wanted: dict[str, Any]) -> dict[str, Any]:
        """A new game."""
        self.played = PlayedHere(self.game, wanted["players"], wanted["seed"], wanted["moves"], self.patience)
        return self.shown()

    def shown(self) -> dict[str, Any]:
        """The game that is played."""
        assert self.played is not None
        return {"event": "position", **self.played.shown(), "note": self._note()}

    def _note(self) -> str:
        """Why it runs as plain Python; "" if it does not, or nobody has tried."""
        return " ".join(self.notes[0].split())[:LONGEST] if self.notes else ""

    def answers(self, question: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """To one line that was read."""
        do = question["do"]
        if do == "check":
            yield from self.check()
        elif do == "play":
            yield self.play(question)
        elif self.played is None:
            raise BadOption("no game is being played")
        else:
            if do == "move":
                self.played.move(question["action"])
            elif do == "go":
                self.played.go()
            else:
                self.played.back()
            yield self.shown()


# What went wrong ---------------------------------------------------------------------------------------------------


def fault(error: BaseException, file: str, game: Game | None) -> dict[str, Any]:
    """What went wrong in one line, where in the file, and the rule that it is about."""
    rule = error.rule if isinstance(error, ContractBroken) else ""
    found = re.match(r"the rule (\w+) of ", str(error)) if isinstance(error, BrokenRule) else None
    rule = found[1] if found else rule
    line = _line_of(error, file)
    if line is None and rule and game is not None:
        line = _first_line(rule, game, file)
    return {"event": "problem", "error": _words(error)[:LONGEST], "line": line, "rule": rule,
            "kind": type(error).__name__}  # fmt: skip


def _chain(error: BaseException) -> list[BaseException]:
    """The error, and what has caused it."""
    found = [error]
    while (cause := found[-1].__cause__) is not None and len(found) < 20:
        found.append(cause)
    return found


def _words(error: BaseException) -> str:
    if type(error) is GameError and error.__cause__ is not None:
        error = error.__cause__  # the file does not run: what it has raised says it all
    if isinstance(error, SyntaxError):
        what = f"{type(error).__name__}: {error.msg}"
    elif isinstance(error, PlygroundError | TookTooLong):
        what = str(error)
    else:
        what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return " ".join(what.split())


def _line_of(error: BaseException, file: str) -> int | None:
    """The last line of the file on the way to the error, in what has caused it first of all."""
    for one in reversed(_chain(error)):
        if isinstance(one, SyntaxError) and one.filename == file and one.lineno:
            return one.lineno
        lines = [place.lineno for place in traceback.extract_tb(one.__traceback__) if place.filename == file]
        if lines:
            return lines[-1]
    return None


def _first_line(name: str, game: Game, file: str) -> int | None:
    """Where the game's own rule begins."""
    rule = next((rule for rule in ALL_RULES if rule.name == name), None)
    code = getattr(rule and rule.implementations.get(type(game.initial)), "__code__", None)
    return code.co_firstlineno if code is not None and code.co_filename == file else None


def main() -> None:
    """Answer until the input ends."""
    questions = os.fdopen(os.dup(0), encoding="utf-8")
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)  # what a file prints is not mistaken for an answer

    def say(answer: dict[str, Any]) -> None:
        answers.write(json.dumps(answer) + "\n")
        answers.flush()

    bench: Bench | None = None
    file = ""
    for line in questions:
        question = json.loads(line)
        try:
            if question["do"] == "load":
                file = question["file"]
                bench = Bench(file, question["patience"])
                say(bench.loaded(question["programs"]))
            else:
                assert bench is not None
                for answer in bench.answers(question):
                    say(answer)
        except BaseException as error:
            say(fault(error, file, bench.game if bench else None))


if __name__ == "__main__":
    main()
