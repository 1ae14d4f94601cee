"""What the trainings of AlphaGo's networks share: a folder that they live in, and from which they go on.

A folder has ``checkpoint.pt`` (everything that going on needs), ``journal.jsonl`` (a line for each iteration),
``curves.svg`` and ``network.onnx`` (the network as it is now).
"""

from __future__ import annotations

import time as clock
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, ClassVar

from plyground.core.files import write_file
from plyground.errors import BadOption, FormatError
from plyground.learning.checkpoint import load_checkpoint, save_checkpoint
from plyground.learning.journal import Journal
from plyground.learning.zero import Progress
from plyground.pictures.plot import Panel, Series, plot_svg

__all__ = ["Lesson", "Tell", "curve", "nobody", "train"]

Tell = Callable[[Progress], None]


def nobody(progress: Progress) -> None:
    """Tell nobody."""


class Lesson(ABC):
    """The training of one network in a folder, iteration by iteration."""

    kind: ClassVar[str]
    """Of the network: policy, reinforced or value."""

    def __init__(self, folder: Path, terms: dict[str, str]) -> None:
        """`terms` are what must be the same for a run to go on, such as the network's size."""
        self.folder = folder
        self.terms = {"kind": self.kind, **terms}
        self.journal = Journal(folder / "journal.jsonl")
        self.iteration, self.seconds = 0, 0.0

    @abstractmethod
    def learn(self, progress: float, tell: Tell) -> dict[str, Any]:
        """One iteration; `progress` of the whole run, from 0 to 1. What the journal shall have of it."""

    @abstractmethod
    def contents(self) -> dict[str, Any]:
        """What a checkpoint keeps."""

    @abstractmethod
    def restore(self, contents: dict[str, Any]) -> None:
        """Take back what a checkpoint has kept."""

    @abstractmethod
    def network_file(self) -> bytes:
        """The network as a file."""

    @abstractmethod
    def panels(self) -> list[Panel]:
        """The curves."""

    @property
    def checkpoint(self) -> Path:
        """Where the run is kept."""
        return self.folder / "checkpoint.pt"

    def open(self) -> bool:
        """Make the folder, or go on with what is in it; whether there was something."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise BadOption(f"cannot make the folder {self.folder}: {error.strerror or error}") from None
        if not self.checkpoint.exists():
            self.journal.resume(0)
            return False
        kept = load_checkpoint(self.checkpoint)
        theirs = kept.get("terms", {"kind": "another", **kept} if "game" in kept else {})
        for name, ours in self.terms.items():
            if theirs.get(name) != ours:
                raise BadOption(
                    f"{self.folder} holds a run with {name} {theirs.get(name)}, not {ours}; name another folder"
                )
        try:
            self.restore(kept["contents"])
            self.iteration, self.seconds = kept["iteration"], kept["seconds"]
        except (KeyError, RuntimeError, ValueError) as error:
            raise FormatError(f"{self.checkpoint} is of another version of Plyground ({error})") from None
        self.journal.resume(self.iteration)
        return True

    def iterate(self, progress: float, tell: Tell = nobody) -> dict[str, Any]:
        """One iteration, kept on disk when this returns. Returns its line of the journal."""
        start = clock.monotonic()
        facts = {"iteration": self.iteration + 1, **self.learn(progress, tell)}
        self.iteration += 1
        self.seconds += clock.monotonic() - start
        facts["seconds"] = round(self.seconds, 2)
        self.journal.add(facts)
        self.save()
        return facts

    def save(self) -> None:
        """Keep everything that going on needs."""
        kept = {"iteration": self.iteration, "seconds": self.seconds, "contents": self.contents()}
        save_checkpoint(self.checkpoint, {"terms": self.terms, **kept})
        write_file(self.folder / "network.onnx", self.network_file())
        write_file(self.folder / "curves.svg", plot_svg(self.panels()).encode())


def curve(lines: Sequence[dict[str, Any]], name: str, label: str) -> Series:
    """A figure of the journal over the minutes of the run."""
    known = [(line["seconds"] / 60, line[name]) for line in lines if line.get(name) is not None]
    return Series(label, [minute for minute, _ in known], [value for _, value in known])


def train(
    lesson: Lesson,
    *,
    minutes: float | None = None,
    iterations: int | None = None,
    tell: Tell = nobody,
    done: Callable[[dict[str, Any]], None] = lambda facts: None,
) -> None:
    """Iterate until so many minutes of work or iterations are over, earlier starts included; 10 minutes if not told.

    `done` receives the journal's line of each iteration.
    """
    if minutes is not None and not 0 < minutes < 1e6:
        raise BadOption(f"minutes must be a positive number, not {minutes:g}")
    if iterations is not None and iterations < 1:
        raise BadOption(f"iterations must be a positive number, not {iterations}")
    if minutes is None and iterations is None:
        minutes = lesson.seconds / 60 + 10.0

    def progress() -> float:
        by_time = 0.0 if minutes is None else lesson.seconds / (60 * minutes)
        return max(by_time, 0.0 if iterations is None else lesson.iteration / iterations)

    while progress() < 1.0:
        done(lesson.iterate(progress(), tell))
