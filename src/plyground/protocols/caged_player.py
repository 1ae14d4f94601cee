"""A player of ours that is made of somebody's files, an evaluation or a network, whole in a process of its own.

So whatever the files do, it is done behind the wall and not where games are refereed, see `caged_worker`. It answers
with the same moves, and the same thoughts about them, as it would here.
"""

from __future__ import annotations

import json
import math
import sys
import warnings
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, ClassVar

from plyground.core.axes import Accepts
from plyground.core.game import Game
from plyground.core.limits import Limit
from plyground.core.rules import to_move
from plyground.errors import PlayerFailed, ProtocolBroken, UncompiledWarning
from plyground.native.state_codec import states_as_words
from plyground.players.player import Choice, Move, Position, Resign
from plyground.protocols.client import ProgramPlayer

__all__ = ["CagedPlayer"]

MEMORY = 8_000_000_000
"""The most memory of such a process, in bytes."""
TIMEOUT = 60.0
"""Seconds for an answer of such a process, if the referee has no limit, and to get ready, which may mean to compile."""
MOST_NOTES, LONGEST_NOTE = 4, 500
NUMBERS = ("value", "depth", "nodes", "time", "cuts", "table_hits")


class CagedPlayer(ProgramPlayer):
    """The player of a spec, behind a wall with the files that the spec and the game name."""

    accepts: ClassVar[Accepts] = Accepts(simultaneous=True, hidden=True, chance=True, general_sum=True)
    farewell: ClassVar[str] = ""  # the end of its input is enough
    starting: ClassVar[float] = 1.0

    def __init__(self, spec: str, game: Game, seed: int | None, files: Sequence[Path]) -> None:
        command = [sys.executable, "-P", "-m", "plyground.protocols.caged_worker"]
        name = next((file.name for file in files), spec)
        super().__init__(command, timeout=TIMEOUT, memory=MEMORY, name=name, files=files)
        self.spec = self._spec = spec
        self._game, self._seed = game, seed

    def prepare(self, game: Game) -> None:
        if not self.running:
            deadline = self.starting_deadline()
            with self.conversation() as program:
                wanted = {"game": self._game.spec, "player": self._spec, "seed": self._seed}
                program.send(json.dumps(wanted), deadline)
                self._answer(deadline)

    def choose(self, position: Position, limit: Limit) -> Choice:
        self.prepare(position.game)
        question: dict[str, Any] = {"limit": asdict(replace(limit, clock=None))}
        if position.game.axes.hidden:
            words = states_as_words([position.state])[0].tolist()
            question |= {"words": words, "seat": int(to_move(position.state))}
        else:
            question["history"] = list(position.history)
        deadline = self.deadline(limit)
        with self.conversation() as program:
            program.send(json.dumps(question), deadline)
            answer = self._answer(deadline)
            if answer.get("resign"):
                return Resign()
            return self._move(answer.get("move"))

    def _answer(self, deadline: float) -> dict[str, Any]:
        try:
            answer = json.loads(self.program.receive(deadline))
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict):
            raise ProtocolBroken(f"{self.name} has written over the line to its referee")
        notes = answer.get("notes")
        for note in notes[:MOST_NOTES] if isinstance(notes, list) else ():
            warnings.warn(str(note)[:LONGEST_NOTE], UncompiledWarning, stacklevel=2)
        if error := answer.get("error"):
            what = str(error)[:LONGEST_NOTE]
            for file in self._files:  # where they are is not for whoever plays against it
                what = what.replace(str(file), file.name)
            raise PlayerFailed(what if answer.get("known") else f"{self.name}: {what}")
        return answer

    def _move(self, facts: Any) -> Move:
        """The move, of which nothing is believed: the files may have written the answer themselves."""
        if not isinstance(facts, dict) or not isinstance(facts.get("action"), int):
            raise ProtocolBroken(f"{self.name} has written over the line to its referee")
        thoughts = {name: _number(facts.get(name)) for name in NUMBERS}
        lines = [(_number(pair[0]) or 0.0, _actions(pair[1])) for pair in _pairs(facts.get("lines"))]
        return Move(facts["action"], line=_actions(facts.get("line")), lines=tuple(lines), **thoughts)  # type: ignore[arg-type]


def _number(value: Any) -> float | int | None:
    return value if isinstance(value, int | float) and math.isfinite(value) and abs(value) < 2**62 else None


def _actions(values: Any) -> tuple[int, ...]:
    return tuple(value for value in values if isinstance(value, int)) if isinstance(values, list) else ()


def _pairs(values: Any) -> list[list[Any]]:
    return [one for one in values if isinstance(one, list) and len(one) == 2] if isinstance(values, list) else []
