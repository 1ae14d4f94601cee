"""Who says what positions are worth: another program that speaks UCI, or our own engine."""

from __future__ import annotations

import time as clock
from collections.abc import Sequence
from types import TracebackType
from typing import NamedTuple, Protocol

from plyground.core.limits import Limit
from plyground.engines.chess.engine import Engine
from plyground.engines.chess.positions import MATED
from plyground.errors import ProtocolBroken
from plyground.games.chess.notation import read_fen, uci
from plyground.processes.program import Process, read_command

__all__ = ["ENGINE", "EngineTeacher", "Judgement", "Teacher", "UciTeacher", "make_teacher"]

ENGINE = "engine"

TABLE = 16 << 20
"""Bytes of our own engine's table."""
PATIENCE = 60.0
"""Seconds in which a program must say something."""


class Judgement(NamedTuple):
    """What a teacher says of a position: hundredths of a pawn for the side to move, and its move as UCI writes it."""

    score: int
    move: str


class Teacher(Protocol):
    """Judges positions: `ask` for many at once, `answers` gives as many judgements, in order."""

    def ask(self, fens: Sequence[str]) -> None: ...
    def answers(self) -> list[Judgement]: ...
    def close(self) -> None: ...


def make_teacher(name: str, nodes: int) -> Teacher:
    """Our own engine, or a program that speaks UCI, with so many nodes for a position."""
    return EngineTeacher(nodes) if name == ENGINE else UciTeacher(name, nodes)


class EngineTeacher:
    """Our own engine, with one thread; it judges when it is asked for the answers."""

    def __init__(self, nodes: int) -> None:
        self._engine = Engine(table=TABLE)
        self._engine.prepare()
        self._limit = Limit(nodes=nodes)
        self._asked: list[list[str]] = []

    def ask(self, fens: Sequence[str]) -> None:
        """Note positions; their judgements are those that `answers` gives after the ones asked for before."""
        self._asked.append(list(fens))

    def answers(self) -> list[Judgement]:
        """The judgements of the oldest question that is not answered."""
        found = []
        for fen in self._asked.pop(0):
            state = read_fen(fen)
            report = self._engine.search(state, self._limit)
            score = report.centipawns
            if report.exact:
                score = MATED if score > 0 else -MATED
            found.append(Judgement(max(-MATED, min(MATED, score)), uci(state, report.move)))
        return found

    def close(self) -> None:
        self._engine.stop()


class UciTeacher:
    """A UCI program that looks at each position for so many nodes, with one thread.

    It is asked for many positions in one go and answers them while the next ones are prepared here, so neither waits
    for the other.
    """

    def __init__(self, command: str, nodes: int) -> None:
        self._process = Process(read_command(command, "--teacher"), name="--teacher")
        self._nodes = nodes
        self._asked: list[int] = []
        try:
            self._process.send("uci", self._deadline())
            self._until("uciok")
            self._process.send(
                "setoption name Hash value 16\nsetoption name Threads value 1\nisready", self._deadline()
            )
            self._until("readyok")
        except BaseException:
            self.close()
            raise

    def ask(self, fens: Sequence[str]) -> None:
        """Send positions off; their judgements are those that `answers` gives after the ones asked for before."""
        self._asked.append(len(fens))
        go = f"go nodes {self._nodes}"
        self._process.send("\n".join(f"position fen {fen}\n{go}" for fen in fens), self._deadline())

    def answers(self) -> list[Judgement]:
        """The judgements of the oldest question that is not answered."""
        found: list[Judgement] = []
        last = ""
        count, deadline = self._asked.pop(0), self._deadline()
        while len(found) < count:
            line = self._process.receive(deadline)
            if line.startswith("bestmove"):
                found.append(Judgement(self._score(last), line.split()[1]))
                last = ""
                deadline = self._deadline()
            elif " score " in line and "bound" not in line:
                last = line
        return found

    @staticmethod
    def _score(line: str) -> int:
        words = line.split()
        try:
            at = words.index("score")
            number = int(words[at + 2])
        except (ValueError, IndexError):
            raise ProtocolBroken(f"--teacher gave a move, but no score: '{line[:80]}'") from None
        if words[at + 1] == "mate":
            return MATED if number > 0 else -MATED
        return max(-MATED, min(MATED, number))

    def close(self) -> None:
        self._process.close()

    def __enter__(self) -> UciTeacher:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _until(self, word: str) -> None:
        deadline = self._deadline()
        while self._process.receive(deadline).strip() != word:
            pass

    @staticmethod
    def _deadline() -> float:
        return clock.monotonic() + PATIENCE
