"""A student's program beside the right search, from the file to the first difference in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from plyground.core.rules import to_move
from plyground.course.find_the_bug.depth_first import compare_depth_first
from plyground.course.find_the_bug.difference import Difference
from plyground.course.find_the_bug.drawing import SearchPicture, player_drawing, simulation_drawing, with_board
from plyground.course.find_the_bug.observing import ALGORITHMS, FORGED, Observed, StudentProgram
from plyground.course.find_the_bug.player_search import compare_player_search
from plyground.course.find_the_bug.simulations import compare_simulations, simulations_of
from plyground.course.find_the_bug.tasks import (
    DEPTH,
    Task,
    has_nine_squares,
    is_reversi,
    nine_square_tasks,
    reversi_tasks,
    usual_tasks,
)
from plyground.course.find_the_bug.words import Telling, failure_text, words
from plyground.errors import BadOption, PlayerFailed, PlygroundError
from plyground.pictures.tree import Drawing

__all__ = ["ALGORITHMS", "Comparison", "compare"]


@dataclass(frozen=True)
class Comparison:
    """What came out. Without a `difference` the program agrees with the right search on all tasks.

    `text` says the difference in a sentence, `cause` what may be the reason, and `besides` what was seen before.
    `yours` and `right` are both in brief; `path` leads to the node, which the picture calls `node`. `failure` says how
    the program broke off after the difference. `drawing` is None where the right search is too large to be drawn. Of a
    player of Reversi `board` is the position, row by row, and `remarks` say what could not be compared.
    """

    name: str
    function: str
    algorithm: str
    tasks: int
    title: str
    difference: Difference | None = None
    text: str = ""
    cause: str = ""
    besides: str = ""
    yours: str = ""
    right: str = ""
    node: str = ""
    path: tuple[str, ...] = ()
    failure: str = ""
    drawing: Drawing | None = None
    board: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


def compare(
    file: Path,
    tasks: Iterable[Task] | None = None,
    *,
    algorithm: str = "",
    function: str = "",
    seed: int = 0,
    simulations: int | None = None,
    timeout: float = 10.0,
    lang: str = "en",
    cage: str = "plain",
    progress: Callable[[int], None] = lambda done: None,
) -> Comparison:
    """Compare the search in a file with the right one, on the `tasks` or else on a series of small ones.

    The first task on which the two differ is the last. `PlayerFailed`, in one line, if the program cannot be run, or
    breaks off before it has done anything else than a right one.
    """
    if algorithm and algorithm not in ALGORITHMS:
        raise BadOption(f"--algorithm must be one of {', '.join(ALGORITHMS)}, not '{algorithm}'")
    program = StudentProgram(file, function=function, algorithm=algorithm, timeout=timeout, cage=cage)
    with program:
        if program.failure is not None:
            raise PlayerFailed(failure_text(program.failure, program.name, timeout, lang))
        named = tasks is not None
        if tasks is None and "board" in program.takes:
            tasks = reversi_tasks(seed, lang)
        elif tasks is None and "squares" in program.takes:
            tasks = nine_square_tasks()
        elif tasks is None:
            number = {} if simulations is None else {"simulations": simulations}
            tasks = usual_tasks(program.algorithm, seed, lang, limited="depth" in program.takes, **number)
        done, title = 0, ""
        remarks: dict[str, None] = {}
        if "max_begins" in program.takes and not named:
            remarks[words(lang)("remark_max_begins", function=program.function)] = None
        for task in tasks:
            if not named and "max_begins" in program.takes and int(to_move(task.state)) != 0:
                continue  # nothing tells the program that MIN begins; in many textbooks MAX always does
            observed = program.observe(_limited(task, program))
            with _untrusted(program.name):
                found = _difference(observed, program)
                if found is not None:
                    return _told(observed, found, program, done + 1, timeout, lang)
            if observed.failure is not None:
                raise PlayerFailed(failure_text(observed.failure, program.name, timeout, lang))
            done, title = done + 1, task.title
            remarks |= dict.fromkeys(words(lang)(f"remark_{key}") for key in _remarks(observed))
            progress(done)
        return Comparison(program.name, program.function, program.algorithm, done, title, remarks=tuple(remarks))


def _remarks(observed: Observed) -> list[str]:
    """What could not be compared, each in a word."""
    return [*(["cut"] if observed.cut else []), *([observed.remark] if observed.remark else [])]


def _limited(task: Task, program: StudentProgram) -> Task:
    """The task with the depth that the program can be given: a search without a limit sees everything."""
    if "board" in program.takes:
        if not is_reversi(task):
            raise BadOption(f"{program.name} has a player of Reversi; leave out --tree, or give --game reversi")
        if task.depth is not None:
            raise BadOption(f"the player in {program.name} looks as deep as it likes; leave out --depth")
        return task
    if program.algorithm == "uct":
        return task
    if "max_begins" in program.takes and int(to_move(task.state)) != 0:
        raise BadOption(
            f"{program.function}() in {program.name} never asks who moves, so MAX has to begin; "
            "name another tree or position, or ask game.to_move(state)"
        )
    if "squares" in program.takes and not has_nine_squares(task):
        raise BadOption(f"{program.name} has the rules of tic-tac-toe; leave out --tree, or give --game tictactoe")
    if "depth" not in program.takes and task.depth is not None:
        raise BadOption(f"{program.function}() in {program.name} takes no depth as a limit; leave out --depth")
    if "depth" in program.takes and task.depth is None and not task.explicit:
        return replace(task, depth=DEPTH)
    return task


@contextmanager
def _untrusted(name: str) -> Iterator[None]:
    """What was observed came out of the student's own process, which may have written anything."""
    try:
        yield
    except FORGED as error:
        if isinstance(error, PlygroundError):
            raise
        raise PlayerFailed(f"{name} has written over the line to its referee") from error


def _difference(observed: Observed, program: StudentProgram) -> Difference | None:
    if program.algorithm == "uct":
        return compare_simulations(observed)
    if "board" in program.takes:
        return compare_player_search(observed, program.algorithm, program.takes)
    return compare_depth_first(observed, program.algorithm, program.function, program.takes)


def _told(
    observed: Observed, found: Difference, program: StudentProgram, tasks: int, timeout: float, lang: str
) -> Comparison:
    positions = observed.positions
    names: dict[int, str] = {}
    picture, player = None, "board" in program.takes
    if program.algorithm != "uct" and not player:
        try:
            picture = SearchPicture(positions, program.algorithm, lang)
            names = {one.place: picture.name(one.place) for one in (found, found.besides) if one is not None}
        except BadOption:
            picture = None  # too large to be drawn: the sentence is all
    telling = Telling(positions, lang, names)
    text, (yours, right) = telling.text(found), telling.sides(found)
    if picture is not None:
        drawing = picture.marked(found.place, text, yours, right, telling)
    elif program.algorithm == "uct":
        drawing = simulation_drawing(positions, simulations_of(observed), found, text, telling)
    elif player:
        drawing = player_drawing(positions, found, text, telling)
    else:
        drawing = None
    if player:
        drawing = with_board(drawing, positions, found)
    failure = observed.failure
    return Comparison(
        program.name, program.function, program.algorithm, tasks, positions.task.title, found, text,
        telling.cause(found),
        telling.say("besides", text=telling.text(found.besides)) if found.besides else "",
        yours, right, names.get(found.place, ""), tuple(positions.path(found.place)),
        failure_text(failure, program.name, timeout, lang) if failure is not None else "",
        drawing, tuple(positions.facts[found.place]["board"]) if player else (),
    )  # fmt: skip
