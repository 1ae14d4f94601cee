"""Grading a folder of hand-ins: each is collected, run in the cage, marked, and compared with the others.

What has been found out is kept in the folder ``work`` of the report as soon as it is known: a grading that was stopped,
by Ctrl-C or by the loss of the machine, goes on with the same terms where it was. A hand-in that has changed since is
graded anew, and the others are not.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import queue
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from plyground.core.files import parse_json, read_text, write_file
from plyground.course.handins.assignments import Assignment, given_out, make_assignment
from plyground.course.handins.collecting import HandIn, collect
from plyground.course.handins.marking import Fault, Mark, Terms
from plyground.course.handins.queens_marks import mark_queens
from plyground.course.handins.reversi_marks import check_opponents, mark_start, marks_by_games, play_all
from plyground.course.handins.similarity import Pair, compare_all
from plyground.course.handins.tictactoe_marks import POSITIONS, mark_tictactoe
from plyground.course.handins.wumpus_marks import built_in_agents, mark_wumpus
from plyground.errors import BadOption, FormatError, PlygroundError, ProgramKilled
from plyground.subjects.wumpus.statistics import Statistics

__all__ = ["Grading", "grade"]

Marker = Callable[[str, str, Path, Terms, str], Mark]
MARKERS: dict[str, Marker] = {"tictactoe": mark_tictactoe, "wumpus": mark_wumpus, "queens": mark_queens}
ATTEMPTS = 2
"""How often a hand-in is marked whose program somebody else has killed."""
Progress = Callable[[float, float, str], None]
"""Told how much is done, of how much, and what it is."""


@dataclass(frozen=True)
class Grading:
    """All marks, the best first, and which hand-ins have code in common; `peers` are the built-in Wumpus agents.

    `sources` are the Python files of each hand-in as they were graded, whatever has become of the folder since.
    """

    terms: Terms
    marks: tuple[Mark, ...]
    pairs: tuple[Pair, ...]
    peers: tuple[Statistics, ...] = ()
    sources: Mapping[str, Mapping[str, str]] = field(default_factory=dict, repr=False)


def grade(
    folder: Path,
    terms: Terms,
    work: Path,
    *,
    jobs: int = 1,
    cage: str = "plain",
    on_progress: Progress = lambda *_: None,
) -> Grading:
    """Grade all hand-ins of a folder. `work` is the folder that keeps what has been found out, made if need be."""
    if sys.platform == "win32":
        raise BadOption("hand-ins are programs of others, which run on Linux and macOS only; on Windows use WSL 2")
    if not 1 <= jobs <= 256:
        raise BadOption(f"--jobs is from 1 to 256, not {jobs}")
    assignment = make_assignment(terms.assignment)
    opponents = check_opponents(terms.opponents) if assignment.name == "reversi" else ()
    hand_ins = collect(folder, assignment, leave_out=work.parent)
    _make_folder(work)
    kept = _Kept(work / "marks", terms)
    with tempfile.TemporaryDirectory(prefix="plyground-handins-", ignore_cleanup_errors=True) as copies:
        runnable: dict[tuple[str, str], Path] = {}
        marks: list[Mark] = []
        for number, one in enumerate(hand_ins):
            try:
                if one.main:
                    runnable[one.name, one.digest] = one.copy_to(Path(copies) / str(number))
                    continue
            except OSError as error:
                marks.append(_unrunnable(replace(one, problem="unreadable", detail=error.strerror or ""), terms))
                continue
            marks.append(_unrunnable(one, terms))
        if assignment.name == "reversi":
            started = _each(runnable, mark_start, terms, cage, jobs, kept, on_progress, "starting")
            marks += [mark for mark in started.values() if mark is not None]
            players = {who: file for who, file in runnable.items() if started[who] is None}
            results = play_all(
                players, terms, opponents, work, jobs=jobs, cage=cage,
                on_game=lambda done, total: on_progress(done, total, "playing"),
            )  # fmt: skip
            marks += marks_by_games(players, terms, results, work)
        else:
            found = _each(runnable, MARKERS[assignment.name], terms, cage, jobs, kept, on_progress, "marking")
            marks += [mark for mark in found.values() if mark is not None]
    on_progress(0.0, 1.0, "comparing")
    sources = {one.name: one.sources() for one in hand_ins}
    pairs = compare_all(sources, _given_sources(assignment))
    peers = built_in_agents(terms.caves, terms.seed) if assignment.name == "wumpus" else ()
    ordered = sorted(marks, key=lambda mark: (-mark.score, mark.name))
    return Grading(terms, tuple(ordered), tuple(pairs), peers, sources)


def _make_folder(work: Path) -> None:
    try:
        for name in ("marks", "programs"):
            (work / name).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FormatError(f"cannot make the folder {work}: {error.strerror or error}") from None


def _given_sources(assignment: Assignment) -> list[str]:
    """What everybody was given, in all languages: to have it in common says nothing."""
    return [text for lang in ("en", "zh") for name, text in given_out(assignment, lang).items() if name.endswith(".py")]


def _unrunnable(one: HandIn, terms: Terms) -> Mark:
    """The mark of a hand-in in which there is nothing to run."""
    fault = Fault(one.problem, one.detail, {"file": make_assignment(terms.assignment).file})
    return _nothing(one.name, one.digest, terms, fault)


def _nothing(name: str, digest: str, terms: Terms, fault: Fault) -> Mark:
    """The mark of a hand-in that has not been run to the end, and why."""
    total = terms.games * len(terms.opponents)
    facts: dict[str, dict[str, Any]] = {
        "reversi": {"won": 0, "drawn": 0, "lost": total, "forfeits": total, "disturbed": 0, "games": total,
                    "points": dict.fromkeys(terms.opponents, 0.0)},
        "tictactoe": {"exact": 0, "positions": POSITIONS, "never_loses": False, "nodes": None},
        "wumpus": {"mean": -1000.0, "margin": 0.0, "gold": 0.0, "died": 1.0, "actions": 0.0, "caves": terms.caves},
        "queens": {"solved": 0, "asked": len(terms.sizes), "largest": 0},
    }  # fmt: skip
    score = -1000.0 if terms.assignment == "wumpus" else 0.0
    return Mark(name, digest, score, facts[terms.assignment], (fault,))


class _Kept:
    """Marks in files, one each, by the terms and the hand-in: a grading that goes on finds them."""

    def __init__(self, folder: Path, terms: Terms) -> None:
        self._folder, self._terms = folder, terms

    def _file(self, who: tuple[str, str]) -> Path:
        return self._folder / f"{hashlib.sha256(repr((self._terms.id, *who)).encode()).hexdigest()[:32]}.json"

    def find(self, who: tuple[str, str]) -> tuple[bool, Mark | None]:
        """Whether it is known, and the mark; None is one that is still to be played for."""
        try:
            digest, _, text = read_text(self._file(who), "mark").partition("\n")
            if digest != _digest(text):  # not as it was written
                return False, None
            facts = parse_json(text, "a mark")
            return True, None if facts is None else Mark.from_dict(facts)
        except (PlygroundError, TypeError, KeyError):
            return False, None

    def keep(self, who: tuple[str, str], mark: Mark | None) -> None:
        text = json.dumps(mark and mark.as_dict())
        write_file(self._file(who), f"{_digest(text)}\n{text}".encode())


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode(errors="replace")).hexdigest()


def _each(
    files: dict[tuple[str, str], Path],
    marker: Callable[..., Mark | None],
    terms: Terms,
    cage: str,
    jobs: int,
    kept: _Kept,
    on_progress: Progress,
    what: str,
) -> dict[tuple[str, str], Mark | None]:
    """The marks of all hand-ins, several at a time; those that are known are not made again."""
    found: dict[tuple[str, str], Mark | None] = {}
    missing = []
    for who in files:
        known, mark = kept.find(who)
        if known:
            found[who] = mark
        else:
            missing.append(who)
    on_progress(len(found), len(files), what)

    def work(who: tuple[str, str]) -> Mark | None:
        for _ in range(ATTEMPTS):
            with contextlib.suppress(ProgramKilled):
                return marker(*who, files[who], terms, cage)
        return _nothing(*who, terms, Fault("killed"))

    for who, mark in _at_once(work, missing, jobs):
        found[who] = mark
        if mark is None or not any(fault.code == "killed" for fault in mark.faults):  # to be run again next time
            kept.keep(who, mark)
        on_progress(len(found), len(files), what)
    return {who: found[who] for who in files}


def _at_once(
    work: Callable[[tuple[str, str]], Mark | None], items: Sequence[tuple[str, str]], jobs: int
) -> Iterator[tuple[tuple[str, str], Mark | None]]:
    """What the work makes of each item, as it is done, on this many threads: mostly they wait for programs."""
    if jobs == 1 or len(items) < 2:
        for item in items:
            yield item, work(item)
        return
    tasks: queue.SimpleQueue[tuple[str, str]] = queue.SimpleQueue()
    answers: queue.SimpleQueue[tuple[tuple[str, str], Mark | None] | BaseException] = queue.SimpleQueue()
    for item in items:
        tasks.put(item)

    def serve() -> None:
        while True:
            try:
                item = tasks.get_nowait()
            except queue.Empty:
                return
            try:
                answers.put((item, work(item)))
            except BaseException as error:  # handed on to the one who waits
                answers.put(error)

    for _ in range(min(jobs, len(items))):
        # Daemons: when the grading is stopped, their programs end with this process.
        threading.Thread(target=serve, daemon=True).start()
    for _ in items:
        answer = answers.get()
        if isinstance(answer, BaseException):
            raise answer
        yield answer
