"""What the grading of a hand-in finds: its score, the faults with the student's own output, and what it took.

Everything in a `Mark` but `measured` is the same whenever the same hand-in is graded with the same terms.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from plyground.arena.tournament import seed_of
from plyground.errors import BadOption, PlygroundError, ProgramEnded, ProgramTimeout
from plyground.version import __version__
from plyground.visible_text import visible

__all__ = ["Fault", "Mark", "Measured", "Terms", "excerpt", "fault_of"]

OPPONENTS = ("random", "minimax:depth=2", "mcts:simulations=200")
SIZES = (4, 8, 20, 50, 100, 200, 500, 1000)
MOST_LINES, LONGEST_LINE = 25, 200
"""How much of a student's output is in a report."""
COPY = re.compile(r"/[^\s\"']*/plyground-(?:players|handins)-\w+/(?:\d+/)+")
"""The folder of a copy, which is another one each time."""


@dataclass(frozen=True)
class Terms:
    """Under what terms all hand-ins are graded.

    `games` is how many are played against each of the `opponents` of Reversi; `caves` how many caves a Wumpus agent
    visits, `sizes` the boards of n queens. `move_time` is in seconds, `memory` in megabytes.
    """

    assignment: str
    games: int = 4
    opponents: tuple[str, ...] = OPPONENTS
    caves: int = 200
    sizes: tuple[int, ...] = SIZES
    seed: int = 0
    move_time: float = 60.0
    memory: float = 2000.0

    def __post_init__(self) -> None:
        if not 0.05 <= self.move_time <= 1e5:
            raise BadOption(f"--move-time is from 0.05 to 100,000 seconds, not {self.move_time:g}")
        if not 50 <= self.memory <= 1e6:
            raise BadOption(f"--memory is from 50 to 1,000,000 megabytes, not {self.memory:g}")
        if not 1 <= self.games <= 1000:
            raise BadOption(f"--games is from 1 to 1,000, not {self.games}")
        if not 2 <= self.caves <= 10_000:
            raise BadOption(f"--caves is from 2 to 10,000, not {self.caves}")
        if not self.sizes or not all(size == 1 or 4 <= size <= 100_000 for size in self.sizes):
            raise BadOption("--sizes are numbers of queens such as 8,50,100: 1, or from 4 to 100,000")
        if len(set(self.opponents)) < len(self.opponents) or not self.opponents:
            raise BadOption("--opponents are one player or more, none of them twice")

    @property
    def students_seed(self) -> int:
        """The seed of a student's own random numbers, from which that of the caves cannot be told."""
        return seed_of(self.seed, "student")

    @property
    def id(self) -> str:
        """Short, and different for different terms or another version of Plyground."""
        text = json.dumps([__version__, asdict(self)], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:12]


@dataclass(frozen=True)
class Fault:
    """Something that cost points. `code` names its kind, `where` when it happened, as facts for words of any language.

    `detail` is the line that the student needs; `output` the end of what their program printed, traceback included.
    """

    code: str
    detail: str = ""
    where: Mapping[str, Any] = field(default_factory=dict)
    output: str = ""


@dataclass(frozen=True)
class Measured:
    """What a hand-in took: processor time and the longest answer in seconds, the most memory in bytes."""

    processor: float = 0.0
    longest: float = 0.0
    memory: int = 0


@dataclass(frozen=True)
class Mark:
    """A hand-in, graded: `score` orders the table, `facts` are the figures of the assignment."""

    name: str
    digest: str
    score: float
    facts: Mapping[str, Any] = field(default_factory=dict)
    faults: tuple[Fault, ...] = ()
    measured: Measured = Measured()

    def as_dict(self) -> dict[str, Any]:
        """The mark for JSON."""
        return json.loads(json.dumps(asdict(self)))  # type: ignore[no-any-return]

    @classmethod
    def from_dict(cls, facts: Mapping[str, Any]) -> Mark:
        """The mark that `as_dict` has written."""
        faults = tuple(Fault(**fault) for fault in facts["faults"])
        return cls(**{**facts, "faults": faults, "measured": Measured(**facts["measured"])})


def excerpt(words: str) -> str:
    """The last lines of what a program printed, as they can be shown."""
    lines = [visible(line)[:LONGEST_LINE] for line in COPY.sub("", words).splitlines()]
    return "\n".join(lines[-MOST_LINES:])


def fault_of(error: PlygroundError, where: Mapping[str, Any], words: str) -> Fault:
    """The fault that an error of a student's program is."""
    text = str(error)
    if isinstance(error, ProgramTimeout):
        return Fault("time", "", where, excerpt(words))
    if isinstance(error, ProgramEnded):
        return Fault("ended", _without_output(text), where, excerpt(words))
    return Fault("memory" if "MemoryError" in text else "error", text, where, excerpt(words))


def _without_output(text: str) -> str:
    """How a program has ended, without the last line that it printed, which is in the output."""
    return text.partition(": ")[0]
