"""The workshop: a game that is being written in the browser, checked and played in a caged process.

Nothing of the code is run in the server or in one of its workers: `plyground.web.lab.workshop_worker` does all of it,
behind the wall of `plyground.processes.cage`. Of what that process says nothing is believed: it is read as an `Answer`,
and handed on as one.
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
import threading
import time as clock
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, TypeAdapter, ValidationError, field_validator

from plyground.errors import PlygroundError, ProgramTimeout, ProtocolBroken
from plyground.processes.program import Cage, Process

__all__ = ["OPPONENTS", "CagedGame", "Problem", "examples"]

MEMORY = 4_000_000_000
"""The most memory of the process, in bytes."""
SECONDS = {"load": 30.0, "check": 120.0, "play": 120.0, "move": 30.0, "go": 60.0, "back": 30.0}
"""How long each answer may take. To check and to begin a game may mean to compile; rules in Python have less time."""
PATIENCE = 10.0
"""Seconds that the rules may take as plain Python; who exceeds these is told the line."""
MOST_ANSWERS = 4
"""To one question."""
WORKER = "plyground.web.lab.workshop_worker"
NAME = "the game"
OPPONENTS = (
    "random", "flat:simulations=200", "minimax:depth=2", "minimax:depth=6", "expectiminimax:depth=4", "maxn:depth=4",
    "mcts:time=0.2", "alphabeta:time=1", "mcts:time=2",
)  # fmt: skip
"""Who can be met, the weakest first; the game decides who of them can play it."""


# What the process may say ------------------------------------------------------------------------------------------

Word = Annotated[str, Field(max_length=200)]
Line = Annotated[str, Field(max_length=1000)]
Count = Annotated[int, Field(ge=0, lt=2**53)]
Whole = Annotated[int, Field(gt=-(2**53), lt=2**53)]
Real = Annotated[float, Field(allow_inf_nan=False)]
Cell = tuple[Annotated[int, Field(ge=0, lt=100)], Annotated[int, Field(ge=0, lt=100)]]
Words = Annotated[list[Word], Field(max_length=100)]


class Loaded(BaseModel):
    """The code is a game: what it is called, who sits at it, and who can play it."""

    event: Literal["loaded"]
    name: Word
    seats: Annotated[list[Word], Field(min_length=1, max_length=20)]
    programs: Words


class Checked(BaseModel):
    """The contract is kept; `compiled` is None where nobody has tried yet, and `note` says why it is not."""

    event: Literal["checked"]
    games: Count
    positions: Count
    longest: Count
    most_actions: Count
    compiled: bool | None
    note: Line = ""
    more: bool = False


class Problem(BaseModel):
    """What is wrong, in one line; `line` and `rule` as far as they are known, `kind` for programs."""

    event: Literal["problem"] = "problem"
    error: Line
    line: Count | None = None
    rule: Word = ""
    kind: Word = ""


class ShownGrid(BaseModel):
    """See `plyground.core.grid.Grid`."""

    cells: Annotated[list[Annotated[str, Field(min_length=1, max_length=100)]], Field(min_length=1, max_length=100)]
    symbols: Annotated[list[Word], Field(max_length=10)]
    style: Word
    columns: Words
    rows: Words
    last: Cell | None

    @field_validator("cells")
    @classmethod
    def rectangular(cls, cells: list[str]) -> list[str]:
        """The cells, if all rows are of one length."""
        if len({len(row) for row in cells}) != 1:
            raise ValueError("all rows of a grid are of one length")
        return cells


class ShownMove(BaseModel):
    """A legal move: the cell that stands for it, and those that it changes."""

    action: Whole
    text: Word
    cell: Cell | None
    changes: Annotated[list[Cell], Field(max_length=10_000)]


class ShownEnd(BaseModel):
    """How the game has ended."""

    returns: Annotated[list[Real], Field(max_length=20)]
    winner: Annotated[int, Field(ge=0, lt=20)] | None


class ShownPosition(BaseModel):
    """See `plyground.web.games.positions.position`."""

    ply: Count
    to_move: Annotated[int, Field(ge=0, lt=20)] | None
    grid: ShownGrid | None
    legal: Annotated[list[ShownMove], Field(max_length=5000)]
    counts: Annotated[list[Count], Field(max_length=10)] | None
    over: ShownEnd | None
    text: Annotated[str, Field(max_length=20_000)]


class MadeMove(BaseModel):
    """A move that was made; of a program with what it thought of it, from its own point of view."""

    player: Annotated[int, Field(ge=-1, lt=20)]
    action: Whole
    text: Word
    value: Real | None


class Shown(BaseModel):
    """What is on the board, how it came there, and who plays; `note` says why it runs as plain Python, if it does."""

    event: Literal["position"]
    players: Annotated[list[Annotated[str, Field(max_length=300)]], Field(max_length=20)]
    position: ShownPosition
    moves: Annotated[list[MadeMove], Field(max_length=5000)]
    note: Line = ""


Answer = Loaded | Checked | Problem | Shown
ANSWER: TypeAdapter[Answer] = TypeAdapter(Annotated[Answer, Field(discriminator="event")])


# The process -------------------------------------------------------------------------------------------------------


class CagedGame:
    """A text of code, and the process that runs it, which is started when it is first asked something.

    It is for one thread at a time, but for `end`. Whatever goes wrong is a `Problem`, after which nothing more can be
    asked if the process has ended.
    """

    def __init__(self, code: str, cage: str = "plain") -> None:
        self.code, self._cage = code, cage
        self._lock = threading.Lock()
        self._process: Process | None = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._asked = ""
        self.ended = False
        """Whether the process has ended, or been ended, or is not to be started any more."""

    def ask(self, do: str, **question: Any) -> Iterator[Answer]:
        """What it answers; if the code is no game, what is wrong with it."""
        try:
            if self._process is None:
                for answer in self._load():
                    yield answer
                    if isinstance(answer, Problem):
                        return
            yield from self._answers(do, question)
        except PlygroundError as error:
            self.end()
            yield Problem(error=self._words(error), kind=type(error).__name__)

    def _load(self) -> Iterator[Answer]:
        self._folder = tempfile.TemporaryDirectory(prefix="plyground-workshop-", ignore_cleanup_errors=True)
        file = Path(self._folder.name).resolve() / "game.py"
        file.write_text(self.code, encoding="utf-8")
        cage = Cage(self._cage, (file,))
        process = Process([sys.executable, "-P", "-m", WORKER], memory=MEMORY, name=NAME, cage=cage)
        with self._lock:
            self._process = process
            if self.ended:
                process.kill()
        yield from self._answers("load", {"file": str(file), "programs": OPPONENTS, "patience": PATIENCE})

    def _answers(self, do: str, question: dict[str, Any]) -> Iterator[Answer]:
        assert self._process is not None
        self._asked = do
        deadline = clock.monotonic() + SECONDS[do]
        self._process.send(json.dumps({"do": do, **question}), deadline)
        for _ in range(MOST_ANSWERS):
            try:
                answer = ANSWER.validate_json(self._process.receive(deadline))
            except ValidationError as error:
                first = error.errors()[0]
                where, why = ".".join(map(str, first["loc"]))[:80], first["msg"].removeprefix("Value error, ")
                raise ProtocolBroken(f"{NAME} says what cannot be shown: {where}: {why[:200]}") from None
            yield answer
            if not (isinstance(answer, Checked) and answer.more):
                break
        self._process.rest()

    def _words(self, error: PlygroundError) -> str:
        if isinstance(error, ProgramTimeout):
            return f"{NAME} has not answered within {SECONDS[self._asked]:g} seconds; is there a loop without end?"
        return " ".join(str(error).split())[:500]

    def end(self) -> None:
        """End the process, from any thread; whoever waits for an answer is told so."""
        with self._lock:
            self.ended = True
            if self._process is not None:
                self._process.kill()

    def close(self) -> None:
        """End the process, wait until nothing of it is left, and forget its file."""
        self.end()
        if self._process is not None:
            self._process.close()
        if self._folder is not None:
            self._folder.cleanup()


# Examples ----------------------------------------------------------------------------------------------------------

PAGES = ("tutorial.md", "workshop.md")
"""Of the documentation: each game that readers save in a file there is an example."""
LISTING = re.compile(r"^<!-- file: (?P<name>\w+)\.py -->\n```python\n(?P<code>.*?)^```$", re.MULTILINE | re.DOTALL)
PLACES = (Path(__file__).with_name("examples"), Path(__file__).parents[4] / "docs")
"""Where these pages are: in the package (hatch_build.py), or in the clone."""


def examples() -> list[dict[str, str]]:
    """Games to begin with, the tutorial's first."""
    folder = next((place for place in PLACES if (place / PAGES[0]).exists()), None)
    texts = [(folder / page).read_text(encoding="utf-8") for page in PAGES] if folder else []
    found = [match.groupdict() for text in texts for match in LISTING.finditer(text)]
    return [example for example in found if "Game(" in example["code"]]
