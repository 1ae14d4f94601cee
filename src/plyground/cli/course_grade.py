"""The command ``plyground course grade``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape

from plyground.cli.cage_option import CageOption, say_what_is_missing
from plyground.cli.console import JsonFlag, err, out, picked, plain_table, print_json, progress_bar
from plyground.cli.course_init import AssignmentOption
from plyground.errors import BadOption

if TYPE_CHECKING:
    from plyground.course.handins.grading import Grading

__all__ = ["grade_command"]

DEFAULT_SIZES = "4,8,20,50,100,200,500,1000"
MOST_FAULTS = 5
"""Shown in the terminal; the pages have all of them."""


def grade_command(
    folder: Annotated[Path, typer.Argument(help="The hand-ins: a .py file or a folder for each student.")],
    assignment: AssignmentOption = "reversi",
    games: Annotated[int, typer.Option(help="Reversi: games against each opponent.")] = 4,
    opponents: Annotated[
        list[str] | None,
        typer.Option(
            help="Reversi: a player of Plyground, given as often as there are opponents. If not given: random, "
            "minimax:depth=2 and mcts:simulations=200."
        ),
    ] = None,
    caves: Annotated[int, typer.Option(help="Wumpus: how many caves each agent visits.")] = 200,
    sizes: Annotated[str, typer.Option(help="Queens: the numbers of queens.")] = DEFAULT_SIZES,
    seed: Annotated[int, typer.Option(help="The same seed gives the same grades.", min=0)] = 0,
    move_time: Annotated[float, typer.Option(help="Seconds for a move, a visit or an answer.")] = 60.0,
    memory: Annotated[float, typer.Option(help="Megabytes of memory for each program.")] = 2000.0,
    jobs: Annotated[int, typer.Option(help="Programs at once; no more than there are processors.", min=1)] = 1,
    report: Annotated[Path, typer.Option("--out", help="The folder for the report; grading goes on from it.")] = Path(
        "report"
    ),
    lang: Annotated[str, typer.Option(help="Language of what is printed: en or zh. The pages are in both.")] = "en",
    cage: CageOption = "plain",
    as_json: JsonFlag = False,
) -> None:
    """Grade the hand-ins of a class: every one runs in a cage, under the rules of the assignment.

    Writes pages for the class, for each student and for the teacher, and a table for spreadsheets. What is stopped
    goes on when the same command is given again.

    Example: plyground course grade handins/ --assignment reversi --jobs 4 --out report
    """
    from plyground.course.handins.assignments import make_assignment
    from plyground.course.handins.grading import grade
    from plyground.course.handins.marking import OPPONENTS, Terms
    from plyground.course.handins.report import write_report
    from plyground.pictures.player_words import check_language
    from plyground.processes.program import read_cage

    chosen = make_assignment(assignment)
    check_language(lang)
    if report.exists() and not report.is_dir():
        raise BadOption(f"--out must be a folder, and '{report}' is a file")
    if folder.is_dir() and report.resolve() == folder.resolve():
        raise BadOption("--out must be another folder than that of the hand-ins")
    if _is_in(report, folder) and any(report.iterdir()) and not (report / "work").is_dir():
        raise BadOption(
            f"--out: '{report}' is a hand-in, or part of one; name a new folder, or the one of the last report"
        )
    terms = Terms(chosen.name, games, tuple(opponents or OPPONENTS), caves, _sizes(sizes), seed, move_time, memory)
    read_cage(cage)
    noted: list[bool] = []

    def tell(done: float, total: float, what: str) -> None:
        if not noted:  # what is refused before is one line
            noted.append(True)
            say_what_is_missing(cage)
        show(done / max(1, total), 1.0, what)

    try:
        with progress_bar("grading") as show:
            grading = grade(folder, terms, report / "work", jobs=jobs, cage=cage, on_progress=tell)
    except KeyboardInterrupt:
        err.print(
            f"\nStopped. The same command goes on from what is in {escape(str(report / 'work'))}.", soft_wrap=True
        )
        raise
    files = write_report(grading, report, grading.sources)
    if as_json:
        print_json(_facts(grading))
        return
    _print(grading, lang)
    out.print(f"wrote {', '.join(escape(str(file)) for file in files)}", soft_wrap=True)


def _is_in(report: Path, folder: Path) -> bool:
    return folder.is_dir() and report.is_dir() and report.resolve().is_relative_to(folder.resolve())


def _sizes(text: str) -> tuple[int, ...]:
    try:
        return tuple(int(word) for word in text.split(","))
    except ValueError:
        raise BadOption(f"--sizes are numbers of queens such as 8,50,100, not '{text[:40]}'") from None


def _facts(grading: Grading) -> dict[str, Any]:
    """The grading for programs: figures that differ from time to time are under "measured"."""
    from dataclasses import asdict

    return {
        "terms": asdict(grading.terms),
        "marks": [mark.as_dict() for mark in grading.marks],
        "pairs": [asdict(pair) for pair in grading.pairs],
        "agents": [picked(peer, "agent", "mean", "margin", "gold", "died", "steps") for peer in grading.peers],
    }


def _print(grading: Grading, lang: str) -> None:
    """The table; below it, of a single hand-in what went wrong in each case, for the student who wrote it."""
    from plyground.course.handins.report import fault_line, score_text
    from plyground.course.handins.report_words import WORDS

    words, assignment = WORDS[lang], grading.terms.assignment
    page = "teacher.html" if lang == "en" else f"teacher.{lang}.html"
    name, score, faults = words["name"], words["scores"][assignment], words["faults"]
    table = plain_table(name, score, faults, left=(name, faults), whole=(score,))
    for mark in grading.marks:
        kinds = dict.fromkeys(words["codes"][fault.code].format(detail=fault.detail) for fault in mark.faults)
        table.add_row(escape(mark.name), score_text(mark, assignment), escape("; ".join(kinds)))
    out.print(table)
    if len(grading.marks) == 1:
        found = grading.marks[0].faults
        for fault in found[:MOST_FAULTS]:
            out.print(escape(fault_line(fault, words)), soft_wrap=True)
        if len(found) > MOST_FAULTS:
            said = words["more faults"].format(count=len(found) - MOST_FAULTS, page=page)
            out.print(escape(said), soft_wrap=True)
    if grading.pairs:
        most, rest = grading.pairs[0], len(grading.pairs) - 1
        more = words["more pairs"].format(count=rest) if rest else ""
        share = f"{100 * most.share:.0f}%"
        said = words["pair"].format(first=most.first, second=most.second, share=share, more=more, page=page)
        out.print(escape(said), soft_wrap=True)
