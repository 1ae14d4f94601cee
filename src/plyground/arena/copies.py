"""The players' files as they were when a tournament began: it is copies of them that play.

So nobody changes a player between two games, neither its author nor its opponent; and each player has a folder of its
own, in which the files of the others are not.
"""

from __future__ import annotations

import shlex
import tempfile
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from plyground.core.registry import split_spec
from plyground.processes.cage import belongings, copy_file
from plyground.processes.kept_code import kept_folder
from plyground.processes.program import files_in, is_everybodys

__all__ = ["Copies", "named_files"]


def named_files(options: Mapping[str, str]) -> list[Path]:
    """The files that the options of a player name: ``file=x.py``, ``evaluation=x.py:f``, the words of a command."""
    found: list[Path] = []
    for name, value in options.items():
        words = _words(value) if name == "command" else [value, value.rpartition(":")[0]]
        found += files_in(words)
    return found


def _words(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError:
        return []


class Copies:
    """Copies of the files of players, in a folder that goes when this is closed.

    `specs` are the players' specs with the copies in the place of the files, and `kept` the folder in which a player's
    machine code is kept from game to game, None if there is none. Of the files that are `alone` nothing beside them is
    copied, since it belongs to others.
    """

    def __init__(self, specs: Sequence[str], alone: Collection[Path] = ()) -> None:
        self._alone = frozenset(alone)
        self._folder = tempfile.TemporaryDirectory(prefix="plyground-players-", ignore_cleanup_errors=True)
        named = [self._to_copy(spec) for spec in specs]
        everything = {file for files in named for file in files}
        self.specs: list[str] = []
        self.kept: list[Path | None] = []
        for number, (spec, files) in enumerate(zip(specs, named, strict=True)):
            copied = self._copy(files, Path(self._folder.name) / str(number), everything - set(files))
            self.specs.append(_with_copies(spec, copied))
            self.kept.append(_kept_folder(spec, files))

    def __enter__(self) -> Copies:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Remove the copies."""
        self._folder.cleanup()

    def _to_copy(self, spec: str) -> list[Path]:
        """The files of a player, those aside that belong to the system."""
        files = [file.absolute() for file in named_files(split_spec(spec)[1])]
        return [file for file in files if not is_everybodys(file)]

    def _copy(self, files: list[Path], place: Path, others: set[Path]) -> dict[Path, Path]:
        """Where the copies of these files are; what lies beside them is copied too, but for the files of others."""
        copied: dict[Path, Path] = {}
        for number, folder in enumerate(dict.fromkeys(file.parent for file in files)):
            own = [file.name for file in files if file.parent == folder]
            lonely = all(folder / name in self._alone for name in own)
            for name in own if lonely else [name for name, _ in belongings(str(folder), [str(file) for file in files])]:
                source, target = folder / name, place / str(number) / name
                if source not in others:
                    target.parent.mkdir(parents=True, exist_ok=True)
                    copy_file(str(source), str(target))
                    copied[source] = target
        return {file: copied[file] for file in files if file in copied}


def _kept_folder(spec: str, files: list[Path]) -> Path | None:
    """Where the machine code of a player is kept: apart from all others, unless no code of its files is ever run."""
    name, options = split_spec(spec)
    if not files and "command" not in options:
        return None
    only_data = "command" not in options and not any(file.suffix == ".py" for file in files)
    return kept_folder("" if only_data else f"{name} {options.get('command', '')}", files)


def _with_copies(spec: str, copied: Mapping[Path, Path]) -> str:
    if not copied:
        return spec
    name, options = split_spec(spec)
    for option, value in options.items():
        if option == "command":
            options[option] = shlex.join(_copied(word, copied) for word in _words(value))
        else:
            options[option] = _copied(value, copied)
    return f"{name}:{','.join(f'{key}={value}' for key, value in options.items())}"


def _copied(word: str, copied: Mapping[Path, Path]) -> str:
    """A word that names a file, or ``file:function``, with the copy; others as they are."""
    file, colon, function = word.rpartition(":")
    for path, end in ((word, ""), (file, f"{colon}{function}")):
        if path and (found := copied.get(Path(path).absolute())):
            return f"{found}{end}"
    return word
