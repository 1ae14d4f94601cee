"""A training run in a folder: everything that trains a network lives in one, and goes on from what is in it.

The folder has ``checkpoint.pt`` (everything that going on needs), ``journal.jsonl`` (a line of JSON for each
iteration), ``curves.svg`` and ``network.onnx`` (the network as it is now). Files are written in one step, so that
after Ctrl-C, a crash or ``kill -9`` the folder is whole. One process at a time may have a folder open.

A training whose result is a single file, in which learning can also go on, needs no folder and has none: learned values
(`learning.temporal`), the weights of an evaluation, an opening book.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import pickletools
import re
import sys
import time as clock
import zipfile
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import torch

from plyground.core.files import parse_json, read_file, read_text, shown_json, write_file
from plyground.errors import BadOption, FormatError, PlygroundError
from plyground.pictures.plot import Panel, Series, plot_svg

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

__all__ = [
    "Journal",
    "Progress",
    "Run",
    "Tell",
    "check_limits",
    "curve",
    "load_checkpoint",
    "measured",
    "nobody",
    "save_checkpoint",
]

# Checkpoints --------------------------------------------------------------------------------------------------------

MARK = b"plyground checkpoint 1\n"
LARGEST_CHECKPOINT = 1 << 33
LARGEST_PROGRAM = 1 << 25
"""Bytes that say how the tensors of a checkpoint are put together."""
CALLS = ("GLOBAL", "STACK_GLOBAL", "INST", "EXT1", "EXT2", "EXT4")
"""What names something to call when a pickle is read."""
ALLOWED = re.compile("collections OrderedDict|torch._utils _rebuild_tensor_v2|torch [A-Za-z0-9]+Storage|_codecs encode")
LONGEST_FACT = 10
"""Numbers that belong together in a journal, such as an interval."""
MOST_NUMBER = 1e18
"""No count, rate or rating is beyond it; neither NaN nor infinity is below."""
OPTIMISER = "optimiser.state."
"""What an optimiser remembers of its steps has these names; before its first step there is nothing."""


def save_checkpoint(path: Path, contents: dict[str, Any]) -> None:
    """Write tensors, numbers and texts, whole or not at all."""
    room = io.BytesIO()
    torch.save(contents, room)
    data = room.getvalue()
    write_file(path, MARK + hashlib.sha256(data).digest() + data)


def load_checkpoint(path: Path) -> dict[str, Any]:
    """What a checkpoint holds; `FormatError` if the file is another one or is damaged."""
    data = read_file(path, "checkpoint", LARGEST_CHECKPOINT)
    if not data.startswith(MARK):
        raise FormatError(f"{path} is not a checkpoint of Plyground; name the folder of a training run, or a new one")
    digest, rest = data[len(MARK) : len(MARK) + 32], data[len(MARK) + 32 :]
    if hashlib.sha256(rest).digest() != digest:
        raise FormatError(f"the checkpoint {path} is damaged; delete it to start over, or restore an earlier copy")
    try:
        _check_archive(rest)
        found = torch.load(io.BytesIO(rest), map_location="cpu", weights_only=True)
        # Unlike its bytes in the file, a tensor may say that it has the same number a million times.
        if sum(tensor.numel() * tensor.element_size() for _, tensor in _arrays(found)) > len(rest):
            raise ValueError("more numbers than the file has")
    except Exception as error:  # PyTorch and pickle have an error class for each way in which a file can be wrong
        raise FormatError(f"the checkpoint {path} cannot be unpacked ({_first_line(error)}); delete it") from None
    if not isinstance(found, dict):
        raise FormatError(f"the checkpoint {path} holds no run; delete it to start over")
    return found


def _check_archive(data: bytes) -> None:
    """`ValueError` unless nothing is compressed, and what is unpickled are tensors, numbers, texts and their lists."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for info in archive.infolist():
            if info.compress_type != zipfile.ZIP_STORED or info.file_size != info.compress_size:
                raise ValueError(f"{info.filename[:40]} is compressed")
        (program,) = (info for info in archive.infolist() if info.filename.endswith("data.pkl"))
        if program.file_size > LARGEST_PROGRAM:
            raise ValueError(f"{program.filename[:40]} is too large")
        for operation, named, _ in pickletools.genops(archive.read(program)):
            if operation.name in CALLS and not ALLOWED.fullmatch(str(named)):
                raise ValueError(f"it names {str(named)[:60]!r}")


def _first_line(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return lines[0][:100] if lines else type(error).__name__


def misfit(ours: Any, theirs: Any) -> str:
    """What differs between the arrays of a run and those of a checkpoint, the first of it; nothing if they fit.

    An array of ours without rows takes any number of them.
    """
    wanted, found = dict(_arrays(ours)), dict(_arrays(theirs))
    if not any(OPTIMISER in name for name in found):
        wanted = {name: array for name, array in wanted.items() if OPTIMISER not in name}
    for name in wanted | found:
        if name not in found:
            return f"it has no {name}"
        if name not in wanted:
            return f"it has {name}, and this run has not"
        our, their = wanted[name], found[name]
        rows = their.shape[:1] if our.shape[:1] == (0,) else our.shape[:1]
        if (our.dtype, *rows, *our.shape[1:]) != (their.dtype, *their.shape):
            return f"{name} is {_described(their)}, not {_described(our)}"
    return _other_kinds(ours, theirs, "it")


def _other_kinds(ours: Any, theirs: Any, name: str) -> str:
    """The first number or text of ours that is something else in a checkpoint; nothing if all are of one kind."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        pairs = [(part, theirs[key], str(key)) for key, part in ours.items() if key in theirs]
    elif isinstance(ours, list | tuple) and isinstance(theirs, list | tuple) and len(ours) == len(theirs):
        pairs = [(part, theirs[i], f"{name} {i + 1}") for i, part in enumerate(ours)]
    else:
        fits = ours is None or _kind(ours) == _kind(theirs)
        return "" if fits else f"{name} is {_kind(theirs)}, not {_kind(ours)}"
    return next(filter(None, (_other_kinds(*pair) for pair in pairs)), "")


def _kind(value: Any) -> str:
    if isinstance(value, bool):
        return "on or off"
    if isinstance(value, int | float):
        return "a number" if abs(value) < MOST_NUMBER else "not a number that it can be"
    known = {str: "a text", list: "a list", tuple: "a list", dict: "an object", type(None): "nothing"}
    return known.get(type(value), "an array" if isinstance(value, torch.Tensor) else "something else")


def _arrays(contents: Any, name: str = "") -> Iterator[tuple[str, torch.Tensor]]:
    if isinstance(contents, torch.Tensor):
        yield name, contents
    elif isinstance(contents, dict | list | tuple):
        for key, part in contents.items() if isinstance(contents, dict) else enumerate(contents):
            yield from _arrays(part, f"{name}.{str(key)[:80]}" if name else str(key)[:80])


def _described(array: torch.Tensor) -> str:
    return f"{'x'.join(map(str, array.shape)) or 'one'} of {str(array.dtype).removeprefix('torch.')}"


# The journal --------------------------------------------------------------------------------------------------------


class Journal:
    """The lines of a run, in a file. A line is written when its iteration is over."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.lines: list[dict[str, Any]] = []

    def read(self) -> list[dict[str, Any]]:
        """The lines in the file, without a last one that was cut off while it was written."""
        lines = read_text(self.path, "journal").splitlines()
        found = []
        for number, line in enumerate(lines, 1):
            try:
                found.append(_facts(line, f"{self.path}, line {number}"))
            except FormatError as error:
                if number < len(lines):
                    raise FormatError(f"{error}; mend it, or delete the journal to go on without its curves") from None
        return found

    def resume(self, iteration: int) -> None:
        """Read what was written before, and forget what came after this iteration: it will be done again."""
        known = self.read() if self.path.exists() else []
        self.lines = [facts for facts in known if facts["iteration"] <= iteration]
        self._write()

    def add(self, facts: dict[str, Any]) -> None:
        """Write a line."""
        self.lines.append(facts)
        self._write()

    def _write(self) -> None:
        try:
            write_file(self.path, "".join(json.dumps(line) + "\n" for line in self.lines).encode())
        except FormatError as error:
            reason = str(error).removeprefix(f"cannot write {self.path}: ")
            raise FormatError(
                f"cannot write the journal {self.path}: {reason}; "
                "make room and start again, and the run goes on from what it kept last"
            ) from None


def _facts(line: str, where: str) -> dict[str, Any]:
    """A line of a journal: the number of its iteration, the seconds of the run until then, and whatever was measured.

    What was measured are numbers, short lists of them, texts and nulls.
    """
    facts = parse_json(line, where)
    if not isinstance(facts, dict):
        raise FormatError(f"{where} is not a JSON object")
    for name, value in facts.items():
        parts = value if isinstance(value, list) and len(value) <= LONGEST_FACT else [value]
        if not all(part is None or isinstance(part, bool | str | float) or _kind(part) == "a number" for part in parts):
            raise FormatError(f'{where}: "{name[:40]}" is not a number, a text or null: {shown_json(value)}')
    for name in ("iteration", "seconds"):
        if _kind(facts.get(name)) != "a number":
            raise FormatError(f'{where}: "{name}" must be a number, not {shown_json(facts.get(name))}')
    return facts


def curve(lines: Sequence[dict[str, Any]], name: str, label: str) -> Series:
    """A figure of the journal over the minutes of the run."""
    known = measured(lines, "seconds", name)
    return Series(label, [seconds / 60 for seconds, _ in known], [value for _, value in known])


def measured(lines: Sequence[dict[str, Any]], *names: str) -> list[tuple[float, ...]]:
    """The figures of these names, from each line of a journal that has all of them."""
    rows: list[list[Any]] = [[line.get(name) for name in names] for line in lines]
    return [tuple(row) for row in rows if all(_kind(value) == "a number" for value in row)]


# The run ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Progress:
    """What a run is doing: an iteration's stage, and how much of it is done."""

    iteration: int
    stage: str
    done: int
    total: int


Tell = Callable[[Progress], None]


def nobody(told: Any) -> None:
    """Tell nobody."""


class Run(ABC):
    """The training of one network in a folder, iteration by iteration."""

    kind: ClassVar[str]
    """Of the training, such as zero or policy."""
    title = ""
    """Above the curves."""

    def __init__(self, folder: Path, terms: dict[str, str]) -> None:
        """`terms` are what must be the same for a run to go on, such as the network's size."""
        self.folder = folder
        self.terms = {"kind": self.kind, **terms}
        self.journal = Journal(folder / "journal.jsonl")
        self.iteration, self.seconds = 0, 0.0

    @abstractmethod
    def learn(self, progress: float, tell: Tell) -> dict[str, Any]:
        """One iteration; `progress` of the whole run, from 0 to 1. Returns what goes into the journal."""

    @abstractmethod
    def contents(self) -> dict[str, Any]:
        """What a checkpoint keeps."""

    @abstractmethod
    def restore(self, contents: dict[str, Any]) -> None:
        """Take back what a checkpoint has kept, whose arrays are those of `contents`; what is missing is a `KeyError`.

        Nothing may be changed before an error.
        """

    @abstractmethod
    def network_file(self) -> bytes:
        """The network as a file."""

    @abstractmethod
    def panels(self) -> list[Panel]:
        """The curves."""

    def over_time(self, title: str, y_label: str, figures: dict[str, str], **looks: Any) -> Panel:
        """Figures of the journal, each with its label, over the minutes of the run."""
        curves = [curve(self.journal.lines, name, label) for name, label in figures.items()]
        return Panel(curves, title, "minutes", y_label, **looks)

    @property
    def checkpoint(self) -> Path:
        """Where the run is kept."""
        return self.folder / "checkpoint.pt"

    def open(self) -> bool:
        """Make the folder, or go on with what is in it; whether there was something. The folder is ours until `close`.

        A folder that another process has open, or that holds another kind of run, and a checkpoint that does not fit
        as a whole are refused; then neither the run nor the folder has changed.
        """
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise BadOption(f"cannot make the folder {self.folder}: {error.strerror or error}") from None
        _lock(self.folder)
        try:
            known = self.checkpoint.exists()
            if known:
                self._go_on(load_checkpoint(self.checkpoint))
            self.journal.resume(self.iteration)
        except BaseException:
            _unlock(self.folder)
            raise
        return known

    def _go_on(self, kept: dict[str, Any]) -> None:
        try:
            kept = _as_today(kept)
            for name, ours in self.terms.items():
                if (theirs := kept["terms"].get(name)) != ours:
                    raise BadOption(f"{self.folder} holds a run with {name} {theirs}, not {ours}; name another folder")
            iteration, seconds = kept["iteration"], kept["seconds"]
            if difference := _other_kinds({"iteration": 0, "seconds": 0.0}, kept, "it"):
                raise FormatError(f"{self.checkpoint} is damaged: {difference}")
            if difference := misfit(self.contents(), kept["contents"]):
                raise FormatError(
                    f"{self.checkpoint} does not fit this run: {difference}; "
                    "give the options that it was made with, or name another folder"
                )
            self.restore(kept["contents"])
        except PlygroundError:
            raise
        except (ArithmeticError, AttributeError, LookupError, RuntimeError, TypeError, ValueError) as error:
            reason = _first_line(error)
            raise FormatError(f"{self.checkpoint} is of another version of Plyground ({reason})") from None
        self.iteration, self.seconds = iteration, seconds

    def close(self) -> None:
        """Leave the folder to others."""
        _unlock(self.folder)

    def iterate(self, progress: float, tell: Tell = nobody) -> dict[str, Any]:
        """One iteration, and `keep` it. Returns its line of the journal."""
        start = clock.monotonic()
        facts = {"iteration": self.iteration + 1, **self.learn(progress, tell)}
        self.iteration += 1
        self.seconds += clock.monotonic() - start
        facts["seconds"] = round(self.seconds, 2)
        self.journal.add(facts)
        self.keep()
        return facts

    def train(
        self,
        *,
        minutes: float | None = None,
        iterations: int | None = None,
        tell: Tell = nobody,
        done: Callable[[dict[str, Any]], None] = nobody,
    ) -> None:
        """Iterate to the nearer of the limits, earlier starts included; for 10 minutes more without any.

        `minutes` are of work. `done` receives the journal's line of each iteration.
        """
        check_limits(minutes, iterations)
        if minutes is None and iterations is None:
            minutes = self.seconds / 60 + 10.0

        def progress() -> float:
            by_time = 0.0 if minutes is None else self.seconds / (60 * minutes)
            return max(by_time, 0.0 if iterations is None else self.iteration / iterations)

        while progress() < 1.0:
            done(self.iterate(progress(), tell))

    def keep(self) -> None:
        """Make sure that an iteration is not lost."""
        self.save()

    def save(self) -> None:
        """Write everything that going on needs, the network, and the curves."""
        kept = {"iteration": self.iteration, "seconds": self.seconds, "contents": self.contents()}
        save_checkpoint(self.checkpoint, {"terms": self.terms, **kept})
        write_file(self.folder / "network.onnx", self.network_file())
        if self.journal.lines:
            write_file(self.folder / "curves.svg", plot_svg(self.panels(), title=self.title).encode())


def check_limits(minutes: float | None, iterations: int | None) -> None:
    """Refuse limits that are not positive."""
    if minutes is not None and not 0 < minutes < 1e6:
        raise BadOption(f"--minutes must be a positive number, not {minutes:g}")
    if iterations is not None and iterations < 1:
        raise BadOption(f"--iterations must be a positive number, not {iterations}")


def _as_today(kept: dict[str, Any]) -> dict[str, Any]:
    """A checkpoint with its parts as they are named today; AlphaGo Zero's once lay side by side, without a kind."""
    if "terms" in kept:
        return kept
    terms = {"kind": "zero", "game": kept["game"], "size": kept["size"]}
    return {**kept, "terms": terms, "contents": kept}


# The lock -----------------------------------------------------------------------------------------------------------

_LOCKED: dict[Path, int] = {}
"""The folders of this process, and the open files by which it has them."""


def _lock(folder: Path) -> None:
    """Keep other processes out of a folder until `_unlock`, or until this process ends, in whatever way.

    The process itself may open its folder again.
    """
    place = folder.resolve()
    if place in _LOCKED:
        return
    try:
        handle = os.open(place / ".lock", os.O_RDWR | os.O_CREAT, 0o666)
    except OSError as error:
        raise BadOption(f"cannot write in the folder {folder}: {error.strerror or error}") from None
    try:
        if sys.platform == "win32":
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        os.close(handle)
        raise BadOption(
            f"another process is training in {folder}; wait until it is done, or name another folder"
        ) from None
    except OSError:
        pass  # a disk that knows no locks
    _LOCKED[place] = handle


def _unlock(folder: Path) -> None:
    if (handle := _LOCKED.pop(folder.resolve(), None)) is not None:
        os.close(handle)
