"""Which hand-ins a folder holds: a file or a folder for each student, and in a folder the file that is meant.

Hand-ins are strangers' files. They are looked at and copied, never run here; links are not followed.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from plyground.core.files import read_file
from plyground.course.handins.assignments import Assignment, given_out
from plyground.errors import BadOption, PlygroundError
from plyground.visible_text import visible

__all__ = ["HandIn", "collect"]

MOST_HANDINS = 1000
MOST_FILES, MOST_BYTES = 500, 32 << 20
"""What a hand-in may have; a player with more is not what was asked for."""
LARGEST_SOURCE = 1 << 20
DEPTH = 4
"""How deep in a student's folder files are looked for."""
LONGEST_NAME = 80
"""Signs of a student's name in a report."""
ARCHIVES = (".zip", ".rar", ".7z", ".gz", ".tar", ".tgz")
ODD = re.compile(r"[^\w .,()+@~-]")
"""What is replaced in the path of a file that is run: such a sign may mean something where the path is written."""


@dataclass(frozen=True)
class HandIn:
    """What a student has handed in. `files` has the content of every file by its path in the hand-in.

    `main` is the file that is run. If there is none, `problem` says why, as one of the codes of reports, and `detail`
    what there is about it. `digest` is that of all the files.
    """

    name: str
    files: dict[str, bytes]
    main: str = ""
    problem: str = ""
    detail: str = ""

    @property
    def digest(self) -> str:
        """Short, and another one if any file is another."""
        found = hashlib.sha256()
        for name, data in sorted(self.files.items()):
            found.update(f"{len(name)} {name} {len(data)} ".encode(errors="replace") + data)
        return found.hexdigest()[:16]

    def sources(self) -> dict[str, str]:
        """The Python files as text, without those that are larger than anybody writes."""
        chosen = {name: data for name, data in sorted(self.files.items()) if name.endswith(".py")}
        return {name: data.decode(errors="replace") for name, data in chosen.items() if len(data) <= LARGEST_SOURCE}

    def copy_to(self, folder: Path) -> Path:
        """Write the files into a folder of their own; where the file that is run is then, under a plain name."""
        for name, data in self.files.items():
            *places, base = name.split("/")
            target = folder.joinpath(*(ODD.sub("_", place) for place in places), base)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
            if name == self.main:
                main = target.with_name(ODD.sub("_", base))
                target.replace(main)
        return main


def collect(folder: Path, assignment: Assignment, *, leave_out: Path | None = None) -> list[HandIn]:
    """The hand-ins of a folder, by name; `leave_out` is a folder that belongs to none of them, that of the report.

    A folder that itself has the assignment's file is a single hand-in: so a student grades their own folder.
    """
    if not folder.is_dir():
        raise BadOption(f"there is no folder '{folder}'; give the one with the hand-ins, a file or a folder for each")
    if (folder / assignment.file).is_file():
        _refuse_class(folder, assignment)
        return [_from_folder(folder.resolve(), folder.resolve().name or "handin", assignment, leave_out)]
    found: list[HandIn] = []
    for place in _entries(folder):
        if place.name.startswith((".", "__")) or place.is_symlink() or _same(place, leave_out):
            continue
        if place.is_dir():
            found.append(_from_folder(place, place.name, assignment, leave_out))
        elif place.suffix == ".py":
            found.append(_from_file(place, assignment))
        elif place.suffix.lower() in ARCHIVES:
            found.append(HandIn(_shown_name(place.name), {}, problem="archive", detail=visible(place.name)))
    if not found:
        raise BadOption(
            f"there is no hand-in in '{folder}': give a folder with a .py file or a folder for each student"
        )
    if len(found) > MOST_HANDINS:
        raise BadOption(f"'{folder}' has {len(found):,} hand-ins; at most {MOST_HANDINS:,} are graded at a time")
    return _with_names_of_their_own(found)


def _entries(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError as error:
        raise BadOption(f"the folder '{folder}' cannot be read: {error.strerror or error}") from None


def _refuse_class(folder: Path, assignment: Assignment) -> None:
    """`BadOption` for a class of which one has handed in a file of this name: it would get all the others' work."""
    others = [place.name for place in _entries(folder) if place.is_dir() and (place / assignment.file).is_file()]
    if len(others) > 1:
        raise BadOption(
            f"'{folder}' has hand-ins in folders and a {assignment.file} beside them, of nobody knows whom; "
            "move it into a folder with the student's name"
        )


def _shown_name(text: str) -> str:
    """A student's name as tables show it: in one line, and not longer than names are."""
    return " ".join(visible(text).split())[:LONGEST_NAME].strip() or "handin"


def _with_names_of_their_own(found: list[HandIn]) -> list[HandIn]:
    """No two of the same name: of those who share one, all but the first get a number that nobody else has."""
    taken = {one.name for one in found}
    seen: set[str] = set()
    renamed = []
    for one in found:
        own, number = one.name, 1
        while own in (taken if number > 1 else seen):
            number += 1
            own = f"{one.name} ({number})"
        seen.add(one.name)
        taken.add(own)
        renamed.append(replace(one, name=own))
    return renamed


def _from_file(place: Path, assignment: Assignment) -> HandIn:
    name = _shown_name(place.stem)
    try:
        return HandIn(name, {place.name: read_file(place, "hand-in", MOST_BYTES)}, place.name)
    except PlygroundError as error:
        return HandIn(name, {}, problem="unreadable", detail=str(error))


def _same(place: Path, other: Path | None) -> bool:
    return other is not None and place.resolve() == other.resolve()


def _from_folder(folder: Path, name: str, assignment: Assignment, leave_out: Path | None) -> HandIn:
    name = _shown_name(name)
    files: dict[str, bytes] = {}
    left = MOST_BYTES
    try:
        for place in _walk(folder, DEPTH, leave_out):
            data = read_file(place, "hand-in", MOST_BYTES)
            left -= len(data)
            if left < 0 or len(files) >= MOST_FILES:
                detail = f"{MOST_FILES} / {MOST_BYTES >> 20} MB"
                return HandIn(name, {}, problem="too large", detail=detail)
            files[place.relative_to(folder).as_posix()] = data
    except (PlygroundError, OSError) as error:
        return HandIn(name, {}, problem="unreadable", detail=" ".join(str(error).split()))
    main = _meant(files, assignment)
    if main:
        return HandIn(name, files, main)
    own = [file for file in files if file.endswith(".py")]
    archives = [file for file in files if file.lower().endswith(ARCHIVES)]
    if archives and not own:
        return HandIn(name, files, problem="archive", detail=visible(archives[0]))
    return HandIn(name, files, problem="missing", detail=visible(", ".join(own[:5])))


def _walk(folder: Path, depth: int, leave_out: Path | None) -> Iterator[Path]:
    for place in sorted(folder.iterdir()):
        if place.name.startswith((".", "__")) or place.is_symlink() or _same(place, leave_out):
            continue
        if place.is_file():
            yield place
        elif place.is_dir() and depth > 1:
            yield from _walk(place, depth - 1, leave_out)


def _meant(files: dict[str, bytes], assignment: Assignment) -> str:
    """The file that is run: the one that defines what is wanted; of several, that of the assignment's own name."""
    given = set(given_out(assignment)) - {assignment.file}
    sources = {name: data.decode(errors="replace") for name, data in files.items() if name.endswith(".py")}
    defining = [name for name, text in sources.items() if _defines(text, assignment.wanted)]
    own = [name for name in sources if name.rpartition("/")[2] not in given]
    # A single file is run whatever is in it: it says best what is wrong with it.
    candidates = defining or [name for name in own if name.rpartition("/")[2] == assignment.file]
    candidates = candidates or (own if len(own) == 1 else [])

    def order(name: str) -> tuple[bool, bool, int, str]:
        base = name.rpartition("/")[2]
        return base != assignment.file, base in given, name.count("/"), name

    return min(candidates, key=order, default="")


def _defines(text: str, wanted: str) -> bool:
    """Whether a source defines this name at its top level, by its words: a stranger's text is not parsed here."""
    pattern = rf"^(?:class|def|async def)\s+{wanted}\b|^{wanted}\s*[=:]|^from\s.*\bas\s+{wanted}\b"
    return re.search(pattern, text[:LARGEST_SOURCE], re.MULTILINE) is not None
