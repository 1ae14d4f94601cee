"""Runs a class or a function of a student's file in a process of its own.

    python student_worker.py FILE NAME

The first line that it reads is JSON with the "seed" of random numbers and the folder "given" out with the assignment,
from which the file may import. It answers with ``{"ready": true}`` or ``{"error": WHY}``, then to each line of
questions. With "make" in it, NAME is called with these arguments, and what comes back is kept: an agent. With "percept"
in it, that object's ``act`` is called with the five truth values. With "call" in it, NAME is called with these
arguments. The answer is in "answer", with the number "nodes" of the file if it has one; an "error" is one line. What
the file prints goes to the standard error stream, and so do tracebacks; it has no input.

A file by itself that needs the standard library alone, so that it starts in milliseconds.
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
from collections import namedtuple
from pathlib import Path
from types import ModuleType
from typing import Any

Percept = namedtuple("Percept", "stench breeze glitter bump scream")
LONGEST_TEXT = 200


def main(path: str, name: str) -> None:
    """Load the file and answer until the input ends; with a seed, random numbers are the same at every start."""
    questions = os.fdopen(os.dup(0), encoding="utf-8")
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)  # what the file prints is not mistaken for an answer
    printed = os.fdopen(1, "wb", closefd=False)
    sys.stdout = io.TextIOWrapper(printed, "utf-8", "backslashreplace", line_buffering=True)

    def say(**answer: Any) -> None:
        with contextlib.suppress(Exception):  # the file may have done anything to it
            sys.stdout.flush()
        answers.write(json.dumps(answer, default=_plain) + "\n")
        answers.flush()

    first = json.loads(questions.readline())
    try:
        _set_seeds(first["seed"])
        sys.path[:0] = [str(Path(path).parent)]
        sys.path.append(first["given"])
        module = _load(Path(path))
        wanted = getattr(module, name, None)
        if not callable(wanted):
            raise AttributeError(f"there is no {name} in it")
        _set_seeds(first["seed"])
    except BaseException as error:
        say(error=_fault(error, path))
        return
    say(ready=True)
    made: Any = None
    for line in questions:
        if not line.strip():
            break
        question = json.loads(line)
        try:
            answer: Any = None
            if "make" in question:
                made = wanted(*question["make"])
            elif "percept" in question:
                answer = made.act(Percept(*question["percept"]))
            else:
                answer = wanted(*question["call"])
            nodes = getattr(module, "nodes", None)
            say(answer=answer, nodes=nodes if isinstance(nodes, int) else None)
        except BaseException as error:
            say(error=_fault(error, path))


def _load(path: Path) -> ModuleType:
    specification = importlib.util.spec_from_file_location("student", path)
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    sys.modules["student"] = module
    specification.loader.exec_module(module)
    return module


def _set_seeds(seed: int | None) -> None:
    if seed is not None:
        random.seed(seed)
        if "numpy" in sys.modules:
            sys.modules["numpy"].random.seed(seed % 2**32)


def _plain(value: Any) -> Any:
    """What JSON does not know, such as numbers and arrays of NumPy, as what it knows."""
    if hasattr(value, "tolist"):
        return value.tolist()
    if hasattr(value, "__index__"):
        return int(value)
    return repr(value)[:LONGEST_TEXT]


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
