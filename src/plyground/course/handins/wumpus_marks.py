"""The Wumpus world: a student's agent visits many caves, and so do the built-in agents, in the same ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path

from plyground.course.handins.assignments import ASSIGNMENTS
from plyground.course.handins.marking import Fault, Mark, Measured, Terms, excerpt, fault_of
from plyground.course.handins.student_program import StudentProgram
from plyground.errors import PlayerFailed, ProgramKilled, ProgramTimeout
from plyground.subjects.wumpus.agents import AGENTS, Walker, explore
from plyground.subjects.wumpus.statistics import Statistics, statistics_of, visit_worlds
from plyground.subjects.wumpus.world import ACTIONS, DEATH, USUAL, Cave, Percept, World, make_world

__all__ = ["BadAction", "StudentAgent", "built_in_agents", "mark_wumpus", "visit_all"]

MOST_FAULTS = 5
MOST_FAILURES = 3
"""After this many visits in a row that fail, the other caves count as failed too: each may take its time to the end."""


class BadAction(PlayerFailed):
    """An agent has answered with what is no action."""


class StudentAgent(Walker):
    """An agent of a student's file for one cave: `act` asks the program, which gets the percepts and nothing else."""

    def __init__(self, program: StudentProgram, cave: Cave, *, seconds: float = 60.0) -> None:
        super().__init__(cave)
        self._program, self._seconds = program, seconds
        self._spent = 0.0
        program.make(cave.width, cave.height)

    def choose(self, percept: Percept) -> int:
        answer = self._program.act([bool(one) for one in percept])
        self._spent += self._program.seconds
        if self._spent > self._seconds:
            raise ProgramTimeout("the visit took too long")
        action = ACTIONS.index(answer) if answer in ACTIONS else answer
        if not isinstance(action, int) or isinstance(action, bool) or not 0 <= action < len(ACTIONS):
            raise BadAction(f"{str(answer)[:40]!r} is none of {', '.join(ACTIONS)}")
        self.think(ACTIONS[action])
        return action


def visit_all(
    program: StudentProgram, worlds: Iterable[World], *, seconds: float, on_visit: Callable[[], None] = lambda: None
) -> tuple[Statistics, list[Fault]]:
    """The agent in each of the worlds; a visit that fails counts as a death, with the score of one."""
    rows: list[tuple[int, bool, bool, int]] = []
    faults: list[Fault] = []
    failures = 0
    for number, world in enumerate(worlds, 1):
        on_visit()
        if failures >= MOST_FAILURES:
            rows.append((DEATH, False, True, 0))
            continue
        where = {"cave": number}
        try:
            program.start()
        except PlayerFailed as error:
            faults.append(Fault("start", str(error), {}, excerpt(program.last_words)))
            failures = MOST_FAILURES
            rows.append((DEATH, False, True, 0))
            continue
        try:
            final = explore(world, StudentAgent(program, world.cave, seconds=seconds)).final
            rows.append((final.score, final.has_gold, not final.alive, final.steps))
            failures = 0
        except ProgramKilled:
            raise
        except PlayerFailed as error:
            program.close()
            failures += 1
            if len(faults) < MOST_FAULTS:
                words = program.last_words
                bad = isinstance(error, BadAction)
                faults.append(
                    Fault("action", str(error), where, excerpt(words)) if bad else fault_of(error, where, words)
                )
            rows.append((DEATH, False, True, 0))
    return statistics_of("", rows), faults


@cache
def built_in_agents(caves: int, seed: int) -> tuple[Statistics, ...]:
    """The agents of the house in the caves of this seed, for comparison."""
    worlds = _worlds(caves, seed)
    return tuple(visit_worlds(name, worlds, seed=seed) for name in AGENTS)


def _worlds(caves: int, seed: int) -> Sequence[World]:
    return [make_world(USUAL, seed=seed + number, solvable=True) for number in range(caves)]


def mark_wumpus(
    name: str, digest: str, file: Path, terms: Terms, cage: str, on_step: Callable[[], None] = lambda: None
) -> Mark:
    """The agent in as many caves as the terms say, whose gold can be reached without danger."""
    wanted = ASSIGNMENTS["wumpus"]
    with StudentProgram(
        file, wanted.wanted, given=wanted.folder, timeout=terms.move_time, memory=int(terms.memory * 1e6),
        seed=terms.students_seed, cage=cage,
    ) as program:  # fmt: skip
        found, faults = visit_all(program, _worlds(terms.caves, terms.seed), seconds=terms.move_time, on_visit=on_step)
    facts = {
        "mean": round(found.mean, 3), "margin": round(found.margin, 3), "gold": found.gold, "died": found.died,
        "actions": round(found.steps, 3), "caves": found.worlds,
    }  # fmt: skip
    used = Measured(program.processor_time, program.longest, program.most_memory)
    return Mark(name, digest, found.mean, facts, tuple(faults), used)
