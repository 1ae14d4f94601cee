"""Players that whoever runs the server names at its start: somebody's programs, each by a name of its own.

Visitors know the names alone. What stands behind one, a file or a command, is never sent and cannot be asked for.
"""

from __future__ import annotations

import contextlib
import re
import unicodedata
from collections.abc import Iterable, Sequence
from pathlib import Path

from plyground.arena.hall import FOREIGN
from plyground.core.axes import Accepts
from plyground.core.files import read_file
from plyground.core.game import Game
from plyground.core.registry import split_spec
from plyground.errors import BadOption, PlygroundError
from plyground.players import PLAYERS, make_player
from plyground.protocols.aima import AimaPlayer
from plyground.visible_text import visible

__all__ = ["accepted_by", "check_player", "class_players", "read_player"]

LONGEST_NAME = 40
NAME = re.compile(rf"[^\W_][\w -]{{0,{LONGEST_NAME - 1}}}")
"""It begins with a letter or a digit of any language, so that no table takes it for a formula."""
FILE = re.compile(r"(?P<file>.+\.(?:py|npz|onnx|json))(?::\w+)?")
"""A value of an option that names a file, or a function in one."""
DEFINED = re.compile(rb"^class\s+AIPlayer\b", re.MULTILINE)
HANDED_ON = re.compile(rb"^(?:AIPlayer\s*=|from\s+\S+\s+import\b.*\bAIPlayer\b)", re.MULTILINE)
"""Where a file has the class, its own or another file's; bytes, since not every student writes UTF-8."""
MOST_HAND_INS = 500
LARGEST_SOURCE = 4 << 20


def read_player(text: str, taken: Iterable[str] = ()) -> tuple[str, str]:
    """The name and the spec of ``NAME=PLAYER``; `BadOption` if the name cannot be one, or is `taken` already."""
    name, equals, spec = text.partition("=")
    name, spec = _normal(name), spec.strip()
    if not equals or not spec or ":" in name:
        raise BadOption(f"--player: '{text}' has no name; write NAME=PLAYER, such as me=course:file=student.py")
    if not NAME.fullmatch(name):
        raise BadOption(
            f"--player: '{name}' cannot be a name; it has 1 to {LONGEST_NAME} letters, digits, spaces, - and _, "
            "and begins with a letter or a digit"
        )
    if name.casefold() in PLAYERS:
        raise BadOption(f"--player: '{name}' is the name of a player that is always there; take another one")
    if name.casefold() in {other.casefold() for other in taken}:
        raise BadOption(f"--player: two players are called '{name}'; give each a name of its own")
    return name, spec


def check_player(name: str, spec: str, games: Sequence[Game]) -> None:
    """`BadOption` if a player cannot be made, or plays none of the games. Its program is not started."""
    kind, options = split_spec(spec)
    if kind == "human":
        raise BadOption(f"--player {name}: people need not be named; they sit down at any game")
    for option, value in options.items():
        found = FILE.fullmatch(value)
        if found and not Path(found["file"]).is_file():
            raise BadOption(f"--player {name}: {kind}: {option}: there is no file {found['file']}")
    try:
        accepts = accepted_by(spec)
    except PlygroundError as error:
        raise BadOption(f"--player {name}: {error}") from None
    if all(accepts.obstacle_in(game) for game in games):
        raise BadOption(f"--player {name}: {kind} plays none of the games that are here")


def accepted_by(spec: str) -> Accepts:
    """Which games a player can play; what is wrong with its spec otherwise. No code of its files is run."""
    kind, options = split_spec(spec)
    if kind in FOREIGN:
        if not Path(options.get("file", "")).is_file():
            raise BadOption(f"{kind}: there is no file {options.get('file', '')}; write {kind}:file=player.py")
        return AimaPlayer.accepts
    with contextlib.closing(make_player(spec)) as player:
        return player.accepts


def class_players(folder: Path, taken: Iterable[str] = ()) -> tuple[list[tuple[str, str]], list[str]]:
    """The hand-ins in a folder as players, named by their files, in order; and a line for each that is none.

    A hand-in is a Python file, or a folder in which one file has the class ``AIPlayer``; a link is none. A name that
    cannot be one is made fit, and one that is `taken` gets a number.
    """
    if not folder.is_dir():
        raise BadOption(f"--class: there is no folder {folder}; name the one that has the hand-ins in it")
    found: list[tuple[str, str]] = []
    problems: list[str] = []
    used = {name.casefold() for name in (*PLAYERS, *taken)}
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.name.startswith((".", "_")) or not (entry.is_dir() or entry.suffix == ".py"):
            continue
        if len(found) == MOST_HAND_INS:
            raise BadOption(f"--class: {folder} has more than {MOST_HAND_INS} hand-ins; serve them in parts")
        try:
            file = _hand_in(entry)
        except BadOption as error:
            problems.append(f"--class: {visible(entry.name)} is left out: {error}")
            continue
        base = NAME.match(_normal(re.sub(r"^[\W_]+|[^\w -]+", " ", _normal(entry.stem))))
        name = first = base[0].strip() if base else "hand-in"
        number = 2
        while name.casefold() in used:
            name = f"{first[: LONGEST_NAME - 4]} {number}"
            number += 1
        used.add(name.casefold())
        found.append((name, f"course:file={file.absolute()}"))
    if not found:
        raise BadOption(f"--class: {folder} has no hand-ins: Python files, or folders, with the class AIPlayer")
    return found, problems


def _hand_in(entry: Path) -> Path:
    """The file that plays for a hand-in. Links are not followed: they may lead to another's work."""
    if entry.is_symlink():
        raise BadOption("it is a link")
    files = sorted(entry.glob("*.py")) if entry.is_dir() else [entry]
    files = [file for file in files if file.is_file() and not file.is_symlink()]
    fitting = _having(files, DEFINED) or _having(files, HANDED_ON)
    if not fitting:
        raise BadOption("it has no class AIPlayer")
    if len(fitting) > 1:
        raise BadOption(f"{' and '.join(file.name for file in fitting[:3])} have a class AIPlayer; keep one of them")
    if "," in str(fitting[0].absolute()):
        raise BadOption("a comma in its path would end the name of the file; rename it")
    if visible(str(fitting[0])) != str(fitting[0]):
        raise BadOption("its path has signs that cannot be shown; rename it")
    return fitting[0]


def _having(files: Sequence[Path], what: re.Pattern[bytes]) -> list[Path]:
    found = []
    for file in files:
        with contextlib.suppress(PlygroundError):
            if what.search(read_file(file, "Python file", LARGEST_SOURCE)):
                found.append(file)
    return found


def _normal(text: str) -> str:
    """A name as it is compared: the file systems of some machines write accents as letters of their own."""
    return " ".join(unicodedata.normalize("NFC", text).split())
