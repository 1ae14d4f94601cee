"""What somebody has practised, handed in as a file, and judged again.

The page to practise on writes the file. It names each exercise by its kind, level, number and options, with the
answers, what the page has said of them, and how many hints were asked for. All that counts is worked out again from
the answers: a file that claims something else is named.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plyground.core.files import read_text
from plyground.course.exercises.kinds import judge, make_exercise
from plyground.errors import FormatError, PlygroundError
from plyground.visible_text import visible

__all__ = ["CheckedSheet", "check_file", "check_sheet"]

FILE = "plyground practice"
MOST_EXERCISES, MOST_ANSWERS = 500, 500
LARGEST = 2_000_000
"""Bytes of a file."""
LONGEST_NAME, LONGEST_ANSWER = 100, 200


@dataclass(frozen=True)
class CheckedSheet:
    """What a hand-in is worth. `solved` are the exercises all of whose answers are right, each counted once.

    `unaided` are those of them without hints, `hints` all hints that the file admits, `kinds` the solved exercises of
    each kind, and `forged` those of which the file claims another judgement than their answers deserve.
    """

    name: str
    exercises: int
    solved: int
    unaided: int
    hints: int
    kinds: dict[str, int]
    forged: tuple[str, ...]


def check_file(path: Path) -> CheckedSheet:
    """Judge a file again; `FormatError` if it is no hand-in."""
    try:
        found = json.loads(read_text(path, "hand-in of practice", LARGEST))
    except (ValueError, RecursionError) as error:
        if isinstance(error, PlygroundError):
            raise
        raise FormatError(f"{path.name} is not a hand-in of practice: it is not JSON") from None
    return check_sheet(found, path.name)


def check_sheet(found: Any, where: str = "the hand-in") -> CheckedSheet:
    """The same of what the file holds."""
    if not isinstance(found, dict) or found.get("file") != FILE or found.get("version") != 1:
        raise FormatError(f"{where} is not a hand-in of practice; take the file that “Hand in” on Practice has made")
    name, listed = found.get("name"), found.get("exercises")
    if not isinstance(name, str) or not isinstance(listed, list) or not 1 <= len(listed) <= MOST_EXERCISES:
        raise FormatError(f"{where}: a hand-in has a name and 1 to {MOST_EXERCISES} exercises")
    solved: dict[tuple[Any, ...], tuple[str, int]] = {}
    forged: list[str] = []
    hints = 0
    for number, one in enumerate(listed, 1):
        kind, level, which, options, answers, claimed, helped = _exercise(one, f"{where}, exercise {number}")
        try:
            verdicts = judge(make_exercise(kind, level, which, options), answers)
        except PlygroundError as error:
            raise FormatError(f"{where}, exercise {number}: {error}") from None
        complete = all(verdict.found == "right" for verdict in verdicts)
        hints += helped
        if claimed != complete:
            forged.append(f"{kind} level {level} no. {which}")
        key = (kind, level, which, *sorted(options.items()))
        if complete and (key not in solved or helped < solved[key][1]):
            solved[key] = (kind, helped)
    kinds: dict[str, int] = {}
    for kind, _ in solved.values():
        kinds[kind] = kinds.get(kind, 0) + 1
    unaided = sum(not helped for _, helped in solved.values())
    shown = visible(" ".join(name.split()))[:LONGEST_NAME]
    return CheckedSheet(shown, len(listed), len(solved), unaided, hints, kinds, tuple(forged))


def _exercise(one: Any, where: str) -> tuple[str, int, int, dict[str, int], dict[str, str], bool, int]:
    def whole(value: Any) -> bool:
        return isinstance(value, int) and not isinstance(value, bool) and value >= 0

    if not isinstance(one, dict):
        raise FormatError(f"{where} is no exercise")
    options, answers = one.get("options", {}), one.get("answers")
    good = (
        isinstance(one.get("kind"), str)
        and all(whole(one.get(name)) for name in ("level", "number", "hints"))
        and isinstance(one.get("complete"), bool)
        and isinstance(options, dict)
        and all(whole(value) for value in options.values())
        and isinstance(answers, dict)
        and len(answers) <= MOST_ANSWERS
        and all(isinstance(text, str) and len(text) <= LONGEST_ANSWER for text in answers.values())
    )
    if not good or not isinstance(answers, dict):
        raise FormatError(f"{where} needs a kind, level, number, options, answers, complete and hints")
    return one["kind"], one["level"], one["number"], options, answers, one["complete"], one["hints"]
