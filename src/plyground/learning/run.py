"""What the trainings of AlphaGo's networks share: a folder that they live in, and from which they go on.

A folder has ``checkpoint.pt`` (everything that going on needs), ``journal.jsonl`` (a line for each iteration),
``curves.svg`` and ``network.onnx`` (the network as it is now).
"""

from __future__ import annotations

import hashlib
import io
import json
import time as clock
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import torch

from plyground.core.files import read_file, write_file
from plyground.errors import BadOption, FormatError
from plyground.pictures.plot import Panel, Series, plot_svg

__all__ = [
    "Journal",
    "Lesson",
    "Progress",
    "Tell",
    "curve",
    "load_checkpoint",
    "nobody",
    "save_checkpoint",
    "train",
]

MARK = b"plyground checkpoint 1\n"


def save_checkpoint(path: Path, contents: dict[str, Any]) -> None:
    """Write tensors, numbers and texts, whole or not at all."""
    room = io.BytesIO()
    torch.save(contents, room)
    data = room.getvalue()
    write_file(path, MARK + hashlib.sha256(data).digest() + data)


def load_checkpoint(path: Path) -> dict[str, Any]:
    """What a checkpoint holds; `FormatError` if the file is another one or is damaged."""
    data = read_file(path, "checkpoint")
    if not data.startswith(MARK):
        raise FormatError(f"{path} is not a checkpoint of Plyground; name the folder of a training run, or a new one")
    digest, rest = data[len(MARK) : len(MARK) + 32], data[len(MARK) + 32 :]
    if hashlib.sha256(rest).digest() != digest:
        raise FormatError(f"the checkpoint {path} is damaged; delete it to begin anew, or bring back an earlier copy")
    found: dict[str, Any] = torch.load(io.BytesIO(rest), map_location="cpu", weights_only=True)
    return found


class Journal:
    """The lines of a run, in a file. A line is written when its iteration is over."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.lines: list[dict[str, Any]] = []

    def read(self) -> list[dict[str, Any]]:
        """The lines in the file, up to one that was cut off while it was written."""
        try:
            text = self.path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise FormatError(f"cannot read the journal {self.path}: {error}") from None
        found = []
        for line in text.splitlines():
            try:
                facts = json.loads(line)
            except ValueError:
                break
            if isinstance(facts, dict):
                found.append(facts)
        return found

    def resume(self, iteration: int) -> None:
        """Read what was written before, and forget what came after this iteration: it will be done again."""
        known = self.read() if self.path.exists() else []
        self.lines = [facts for facts in known if facts.get("iteration", iteration + 1) <= iteration]
        write_file(self.path, "".join(json.dumps(line) + "\n" for line in self.lines).encode())

    def add(self, facts: dict[str, Any]) -> None:
        """Write a line."""
        self.lines.append(facts)
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(facts) + "\n")


@dataclass(frozen=True)
class Progress:
    """What a run is doing: an iteration's stage, and how much of it is done."""

    iteration: int
    stage: str
    done: int
    total: int


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
