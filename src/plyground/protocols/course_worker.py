"""Runs a student's ``AIPlayer`` in a process of its own.

    python course_worker.py FILE

It reads a line with the "seed" of random numbers, or null; a command line could be read by the opponent. After a first
line of its own, ``{"ready": true}`` or ``{"error": WHY}``, it reads a line of JSON for each move, with the player's
"color", X or O, the "board" as 64 characters, and "new" true at the beginning of a game, and writes one: the "move", or
an "error" in one line, or "changed" if the player has changed the board. What the player prints goes to the standard
error stream, and so do tracebacks; it has no input.

A file by itself that needs the standard library alone, so that it starts in milliseconds. The modules ``board`` and
``game`` that students import are those of `course`, and so is ``players`` if they have none of their own.
"""

from __future__ import annotations

import contextlib
import importlib.util
import io
import json
import os
import random
import sys
import traceback
from copy import deepcopy
from pathlib import Path
from types import ModuleType
from typing import Any

COURSE = Path(__file__).with_name("course.py")


def main(path: str) -> None:
    """Load the file and answer until the input ends; with a seed, random numbers are the same at every start."""
    questions = os.fdopen(os.dup(0), encoding="utf-8")
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)  # what the player prints is not mistaken for its answer
    printed = os.fdopen(1, "wb", closefd=False)
    sys.stdout = io.TextIOWrapper(printed, "utf-8", "backslashreplace", line_buffering=True)

    def say(**answer: Any) -> None:
        with contextlib.suppress(Exception):  # the player may have done anything to it
            sys.stdout.flush()
        answers.write(json.dumps(answer) + "\n")
        answers.flush()

    seed = json.loads(questions.readline())["seed"]
    try:
        _set_seeds(seed)
        make_player, board_class = _load(Path(path))
        _set_seeds(seed)
    except BaseException as error:
        say(error=_fault(error, path))
        return
    say(ready=True)
    players: dict[str, Any] = {}
    board = board_class()
    for line in questions:
        if not line.strip():  # farewell
            break
        question = json.loads(line)
        color, cells = question["color"], question["board"]
        if question.get("new"):
            players.clear()
            board = board_class()
        board._board = [list(cells[8 * row : 8 * row + 8]) for row in range(8)]
        before = deepcopy(board._board)
        try:
            if color not in players:
                players[color] = make_player(color)
                players[color].color = color
            move = players[color].get_move(board=board)
        except BaseException as error:
            say(error=_fault(error, path))
            continue
        if board._board != before:
            say(changed=True)
        else:
            say(move=move if isinstance(move, str) else None)


def _set_seeds(seed: int | None) -> None:
    if seed is not None:
        random.seed(seed)
        if "numpy" in sys.modules:
            sys.modules["numpy"].random.seed(seed % 2**32)


def _load(path: Path) -> tuple[Any, Any]:
    """The student's class, and the class of the board that it will be shown."""
    course = _module("plyground_course", COURSE)
    sys.modules["board"] = sys.modules["game"] = course
    if not path.with_name("players.py").exists():
        sys.modules["players"] = course
    sys.path.insert(0, str(path.parent))
    student = _module("student_player", path)
    if not callable(getattr(student, "AIPlayer", None)):
        raise AttributeError("there is no class AIPlayer in it")
    return student.AIPlayer, course.Board


def _module(name: str, path: Path) -> ModuleType:
    specification = importlib.util.spec_from_file_location(name, path)
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    sys.modules[name] = module
    specification.loader.exec_module(module)
    return module


def _fault(error: BaseException, path: str) -> str:
    """What went wrong and where in the student's file, in one line; the traceback from there on is printed."""
    _print_traceback(error, path)
    if isinstance(error, SyntaxError):
        return f"SyntaxError: {error.msg} (line {error.lineno})"
    places = [place.lineno for place in traceback.extract_tb(error.__traceback__) if place.filename == path]
    where = f" (line {places[-1]})" if places else ""
    return " ".join(f"{type(error).__name__}: {error}{where}".split())


def _print_traceback(error: BaseException, path: str) -> None:
    """From the first line that is not of this file or of Python's import on: the rest says nothing to a student.

    Files beside the student's are written without their folder, which is that of a copy.
    """
    place = error.__traceback__
    while place is not None and (
        place.tb_frame.f_code.co_filename == __file__ or "importlib" in place.tb_frame.f_code.co_filename
    ):
        place = place.tb_next
    with contextlib.suppress(Exception):  # what cannot be told is still a fault
        told = "".join(traceback.format_exception(type(error), error, place))
        sys.stderr.write(told.replace(f"{Path(path).parent}{os.sep}", ""))
        sys.stderr.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
