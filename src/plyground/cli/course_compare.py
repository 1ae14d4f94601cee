"""The command ``plyground course compare``."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape

from plyground.cli.cage_option import CageOption
from plyground.cli.console import JsonFlag, LangOption, check_out, picked, plain_table, print_json, progress_bar
from plyground.cli.console import out as console
from plyground.core.files import read_text, write_file
from plyground.errors import BadOption
from plyground.visible_text import visible

if TYPE_CHECKING:
    from plyground.course.find_the_bug.comparing import Comparison
    from plyground.course.find_the_bug.tasks import Task

__all__ = ["compare_command"]

FORMATS = (".svg", ".png", ".html", ".txt")
MOST_SIMULATIONS = 500


def compare_command(
    file: Annotated[
        Path | None,
        typer.Argument(
            help="A Python file with a function alphabeta, minimax or uct, or with the AIPlayer of Reversi."
        ),
    ] = None,
    algorithm: Annotated[
        str, typer.Option(help="alphabeta, minimax or uct; what the file has if it is not given.")
    ] = "",
    function: Annotated[str, typer.Option(help="The function with the search, if it has an unusual name.")] = "",
    tree: Annotated[
        str, typer.Option(help="Compare on this tree: a name, a file, or '((3 12 8) (2 4 6) (14 5 2))'.")
    ] = "",
    game: Annotated[str, typer.Option(help="Compare in this game, e.g. tictactoe or reversi:size=4.")] = "",
    moves: Annotated[str, typer.Option(help="With --game: after these moves, e.g. 'b2 a1'.")] = "",
    depth: Annotated[int | None, typer.Option(help="Plies to look ahead; a tree is searched to its leaves.")] = None,
    evaluation: Annotated[str, typer.Option(help="With --game: an evaluation that the game names.")] = "",
    simulations: Annotated[int | None, typer.Option(help="For uct: how many.")] = None,
    seed: Annotated[int, typer.Option(help="Another seed: other random trees, other random numbers for uct.")] = 0,
    timeout: Annotated[float, typer.Option(help="Seconds of the processor that one search may take.")] = 10.0,
    out: Annotated[Path | None, typer.Option(help="Draw it to this file: .svg, .png, .html or .txt.")] = None,
    lang: LangOption = "en",
    listing: Annotated[bool, typer.Option("--list", help="List the programs that come with Plyground.")] = False,
    example: Annotated[str, typer.Option(help="Compare a program from --list instead of a file.")] = "",
    show: Annotated[bool, typer.Option("--show", help="With --example: print the program, compare nothing.")] = False,
    cage: CageOption = "plain",
    as_json: JsonFlag = False,
) -> None:
    """Find the bug: the first node where a student's search differs from the right one, drawn.

    Without --tree or --game, small trees and positions are tried one by one until there is a difference.

    Example: plyground course compare --example strict --out bug.html
    """
    from plyground.course.find_the_bug.comparing import compare
    from plyground.course.find_the_bug.examples import example as find_example
    from plyground.course.find_the_bug.words import words

    words(lang)  # refuses languages that it does not speak
    if listing:
        _print_list(lang, as_json)
        return
    if (file is None) == (not example):
        raise BadOption("give a Python file, such as student.py, or --example with a name from --list")
    path = find_example(example).file if example else file
    assert path is not None
    if show:
        if not example:
            raise BadOption("--show is for --example; your own file you have already")
        typer.echo(read_text(path, "program"), nl=False)
        return
    check_out(out, *FORMATS, inputs=(path, tree))
    if simulations is not None and not 1 <= simulations <= MOST_SIMULATIONS:
        raise BadOption(f"--simulations must be from 1 to {MOST_SIMULATIONS}, not {simulations}")
    _check_cage(cage)
    tasks = _tasks(tree, game, moves, depth, evaluation, simulations, seed, lang)
    with progress_bar("comparing", "trees", quiet=as_json) as bar:
        found = compare(
            path, tasks, algorithm=algorithm, function=function, seed=seed, simulations=simulations, timeout=timeout,
            lang=lang, cage=cage, progress=lambda done: bar(done, None),
        )  # fmt: skip
    if out is not None and found.difference is not None:
        _write(found, out, lang)
    if as_json:
        print_json(_answer(found))
    else:
        _print(found, out, lang)


def _check_cage(mode: str) -> None:
    from plyground.processes.program import read_cage

    read_cage(mode)


def _tasks(
    tree: str, game: str, moves: str, depth: int | None, evaluation: str, simulations: int | None, seed: int, lang: str
) -> list[Task] | None:
    """What was named; None if nothing was."""
    from plyground.course.find_the_bug.tasks import game_task, tree_task

    if tree and game:
        raise BadOption("--tree and --game are two different things to search; leave one out")
    for option, value in {"--moves": moves, "--evaluation": evaluation}.items():
        if value and not game:
            raise BadOption(f"{option} is for --game")
    if depth is not None and not (tree or game):
        raise BadOption("--depth is for --tree and --game")
    options: dict[str, Any] = {"seed": seed, "lang": lang, "depth": depth}
    if simulations is not None:
        options["simulations"] = simulations
    if tree:
        return [tree_task(tree, **options)]
    return [game_task(game, moves, evaluation=evaluation, **options)] if game else None


def _write(found: Comparison, path: Path, lang: str) -> None:
    from plyground.course.find_the_bug.drawing import difference_html, difference_svg
    from plyground.course.find_the_bug.words import words
    from plyground.pictures.picture_file import write_picture
    from plyground.pictures.tree import tree_text

    drawing = found.drawing
    if drawing is None:
        raise BadOption("the right search is too large to be drawn; give a smaller --depth")
    say = words(lang)
    match path.suffix.lower():
        case ".html":
            write_file(path, difference_html(drawing, lang, say("legend_film")).encode())
        case ".txt":
            text = f"{tree_text(drawing, width=math.inf)}\n{_board(found)}{_sentences(found, lang)}\n"
            write_file(path, text.encode())
        case _:
            write_picture(path, difference_svg(drawing, lang, say("legend")), drawing.title)


def _sentences(found: Comparison, lang: str) -> str:
    """Everything that is said of the difference, a line each."""
    from plyground.course.find_the_bug.words import words

    assert found.difference is not None
    say = words(lang)
    lines = [found.text, found.cause]
    lines += [say("only_costs") if found.difference.costs else "", found.besides]
    lines += [say("failed_after", text=found.failure) if found.failure else ""]
    return "\n".join(filter(None, lines))


def _print(found: Comparison, path: Path | None, lang: str) -> None:
    from plyground.course.find_the_bug.words import words
    from plyground.pictures.tree import tree_text

    say = words(lang)
    parts = picked(found, "name", "function", "title") | {"algorithm": say(found.algorithm), "count": found.tasks}
    if found.difference is None:
        agrees = say.spaced(say("agrees_one" if found.tasks == 1 else "agrees_all", **parts))
        unwritten = [] if path is None else [say("nothing_drawn", path=path)]
        typer.echo(visible("\n".join([agrees, *found.remarks, *unwritten])))
        return
    if found.difference.kind in ("unseen", "opaque"):
        typer.echo(visible(f"{found.name}: {found.text}"))
        return
    typer.echo(visible(say.spaced(say("found_on", **parts))))
    if path is None and found.drawing is not None:
        typer.echo(visible(tree_text(found.drawing).partition("\n")[2]))
        typer.echo(_board(found), nl=False)
    typer.echo(visible(_sentences(found, lang)))
    if path is not None:
        typer.echo(f"wrote {path}")


def _board(found: Comparison) -> str:
    """The position of Reversi at the difference, row by row; nothing for other programs."""
    if not found.board:
        return ""
    rows = [f"{number} {' '.join(row)}\n" for number, row in enumerate(found.board, 1)]
    return f"  {' '.join('ABCDEFGH')}\n{''.join(rows)}"


def _answer(found: Comparison) -> dict[str, Any]:
    answer = picked(found, "name", "function", "algorithm", "tasks") | {"agrees": found.difference is None}
    if found.difference is None:
        return answer | ({"remarks": list(found.remarks)} if found.remarks else {})
    return (
        answer
        | ({"board": list(found.board)} if found.board else {})
        | {
            "on": found.title,
            **picked(found.difference, "kind", "costs"),
            "cause": found.difference.cause or None,
            "simulation": found.difference.parts.get("simulation"),
            **picked(found, "node", "path", "yours", "right", "text"),
            "perhaps": found.cause or None,
            "besides": found.besides or None,
            "failure": found.failure or None,
        }
    )


def _print_list(lang: str, as_json: bool) -> None:
    from plyground.course.find_the_bug.examples import EXAMPLES

    if as_json:
        print_json([{"name": one.name, "right": one.right, "summary": one.summary(lang)} for one in EXAMPLES.values()])
        return
    table = plain_table("name", "what it does", left=("name", "what it does"), whole=("name",))
    for one in EXAMPLES.values():
        table.add_row(f"[bold cyan]{one.name}[/]", escape(one.summary(lang)))
    console.print(table)
