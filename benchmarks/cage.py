"""What the cage costs: the start of a program, and a line there and back, with and without a wall."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial

from benchmarks.harness import Comparison, Sample, Subject
from plyground.processes.program import Cage, Process

__all__ = ["comparisons"]

STARTS, LINES = 5, 500
WITHOUT = "not caged"
MODES = {WITHOUT: "off", "caged": "plain"}


def comparisons() -> Iterator[Comparison]:
    """Starts, whose time of each may be 15 milliseconds more in a cage; and moves, which must cost the same."""
    for name, command in {"cat": ["cat"], "a bare Python": [sys.executable, "-S", "-c", "print(input())"]}.items():
        subjects = tuple(Subject(label, partial(_starts, command, mode)) for label, mode in MODES.items())
        yield Comparison(f"The start of {name}, to its first line", "starts", WITHOUT, subjects)
    with ExitStack() as programs:
        running = {label: programs.enter_context(Process(["cat"], cage=Cage(mode))) for label, mode in MODES.items()}
        subjects = tuple(Subject(label, partial(_moves, program)) for label, program in running.items())
        yield Comparison("A line there and back, and then rest", "lines", WITHOUT, subjects)


def _starts(command: list[str], mode: str) -> Sample:
    """Only until the first line: the end is another matter."""
    spent = 0.0
    for _ in range(STARTS):
        start = time.perf_counter()
        with Process(command, cage=Cage(mode)) as program:
            program.send("ready")
            program.receive()
            spent += time.perf_counter() - start
    return Sample(STARTS, spent)


def _moves(program: Process) -> Sample:
    start = time.perf_counter()
    for _ in range(LINES):
        program.send("genmove black")
        program.receive()
        program.rest()
    return Sample(LINES, time.perf_counter() - start)
