"""n queens: a student's solver is asked for boards of several sizes, and every answer is checked."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from plyground.course.handins.assignments import ASSIGNMENTS
from plyground.course.handins.marking import Fault, Mark, Measured, Terms, excerpt, fault_of
from plyground.course.handins.student_program import StudentProgram
from plyground.errors import PlayerFailed, ProgramKilled

__all__ = ["mark_queens", "placement_fault"]


def placement_fault(n: int, rows: Any) -> str:
    """What is wrong with an answer for n queens, in one line; "" if none attacks another."""
    if not isinstance(rows, list) or len(rows) != n:
        return f"the answer must be a list of {n} rows"
    taken: dict[tuple[str, int], int] = {}
    for column, row in enumerate(rows):
        if not isinstance(row, int) or isinstance(row, bool) or not 0 <= row < n:
            return f"column {column}: a row is a whole number from 0 to {n - 1}, not {str(row)[:40]}"
        for line in (("row", row), ("falling", row + column), ("rising", row - column)):
            if line in taken:
                return f"the queens of the columns {taken[line]} and {column} attack each other"
            taken[line] = column
    return ""


def mark_queens(
    name: str, digest: str, file: Path, terms: Terms, cage: str, on_step: Callable[[], None] = lambda: None
) -> Mark:
    """Ask for each size once; an answer that is wrong or late costs that size only."""
    wanted = ASSIGNMENTS["queens"]
    solved: list[int] = []
    seconds: dict[str, float] = {}
    faults: list[Fault] = []
    with StudentProgram(
        file, wanted.wanted, given=wanted.folder, timeout=terms.move_time, memory=int(terms.memory * 1e6),
        seed=terms.students_seed, cage=cage,
    ) as program:  # fmt: skip
        for size in terms.sizes:
            where = {"n": size}
            try:
                program.start()
            except PlayerFailed as error:
                faults.append(Fault("start", str(error), {}, excerpt(program.last_words)))
                break
            try:
                found = placement_fault(size, program.call(size))
                if found:
                    program.close()
                    faults.append(Fault("wrong", found, where, excerpt(program.last_words)))
                else:
                    solved.append(size)
                    seconds[str(size)] = program.seconds
            except ProgramKilled:
                raise
            except PlayerFailed as error:
                faults.append(fault_of(error, where, program.last_words))
            on_step()
    share = len(solved) / len(terms.sizes)
    facts = {"solved": len(solved), "asked": len(terms.sizes), "largest": max(solved, default=0)}
    used = Measured(program.processor_time, program.longest, program.most_memory)
    return Mark(name, digest, share, facts, tuple(faults), used)
