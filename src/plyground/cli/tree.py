"""The command ``plyground tree``."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape

from plyground.cli.console import JsonFlag, LangOption, check_out, err, out, picked, plain_table, print_json
from plyground.core.files import write_file
from plyground.errors import BadOption, UnknownName, suggestion
from plyground.visible_text import visible

if TYPE_CHECKING:
    from plyground.core.game import Game
    from plyground.pictures.tree import Drawing
    from plyground.watch.classroom import Lesson
    from plyground.watch.growth import GrowthRow
    from plyground.watch.story import SearchDrawing

__all__ = ["tree_command"]

FORMATS = (".svg", ".png", ".html", ".txt")
PLOT_FORMATS = (".svg", ".png")
SIMULATIONS = 1000
OTHER_PICTURES = {
    "growth": "How many leaves alpha-beta sees: the laws of the best, a random and the worst order, measured.",
}
"""What can be drawn by name besides the lessons."""
GROWTH_SIZES = ((4, 9), (10, 5))
"""Branching factors of the measured trees, each with the greatest depth."""
GROWTH_TREES = 20


def tree_command(
    what: Annotated[
        str | None,
        typer.Argument(
            help="A name from --list, a game with options, a tree file, a Python file, or a tree: '((3 12 8) (2 4 6))'."
        ),
    ] = None,
    listing: Annotated[bool, typer.Option("--list", help="List the trees that come with Plyground.")] = False,
    algorithm: Annotated[
        str,
        typer.Option(
            help="minimax, alphabeta, pvs, mtdf, expectiminimax, star1, star2, maxn, paranoid (with coalitions as in "
            "paranoid:coalitions=0+2/1), or mcts or uct with options."
        ),
    ] = "",
    depth: Annotated[int | None, typer.Option(help="Plies to look ahead; a tree is searched to its leaves.")] = None,
    moves: Annotated[str, typer.Option(help="Search after these moves, e.g. 'b2 a1'.")] = "",
    evaluation: Annotated[str, typer.Option(help="An evaluation that the game names, or file.py:function.")] = "",
    order: Annotated[
        str, typer.Option(help="Which moves alpha-beta looks at first, as for players: evaluation+killer, all.")
    ] = "",
    symmetry: Annotated[bool, typer.Option("--symmetry", help="Of mirror images, draw one.")] = False,
    quiescence: Annotated[
        bool, typer.Option("--quiescence", help="For alpha-beta: look on along captures where the depth ends.")
    ] = False,
    out: Annotated[Path | None, typer.Option(help="Write to this file: .svg, .png, .html or .txt.")] = None,
    exercise: Annotated[
        bool, typer.Option("--exercise", help="Hide the answers; a page reveals them step by step.")
    ] = False,
    lang: LangOption = "en",
    simulations: Annotated[
        int | None, typer.Option(help=f"For mcts, uct: how many; {SIMULATIONS} if not given.")
    ] = None,
    steps: Annotated[
        int | None, typer.Option(help="For mcts, uct: how many of the last simulations to replay.")
    ] = None,
    opinion: Annotated[
        bool, typer.Option("--opinion", help="For mcts, uct: plot what the search thinks of each move while it runs.")
    ] = False,
    seed: Annotated[int | None, typer.Option(help="For mcts, uct and growth: another seed, another tree.")] = None,
    as_json: JsonFlag = False,
) -> None:
    """Draw a search tree: what was visited and in which order, values and bounds, windows, and where it was cut.

    Without --out the tree is printed as text.

    Example: plyground tree worked --out worked.html
    """
    from plyground.watch.classroom import MONTE_CARLO, classroom
    from plyground.watch.sentences import sentences

    if listing:
        _print_list(as_json)
        return
    if what is None:
        raise BadOption(
            "say what to draw: a name from plyground tree --list, a game such as tictactoe, a tree file, "
            'or a tree such as "((3 12 8) (2 4 6))"'
        )
    check_out(out, *FORMATS, inputs=(what,))
    by_hand = what == "worked-mcts" and not (algorithm or moves or simulations or steps or opinion or seed is not None)
    if what in classroom():
        algorithm = algorithm or classroom()[what].algorithm
    monte_carlo = algorithm.partition(":")[0] in MONTE_CARLO
    _check_fitting(
        {"--simulations": simulations, "--steps": steps, "--opinion": opinion or None},
        monte_carlo,
        "--algorithm mcts and uct",
    )
    _check_fitting({"--seed": seed}, monte_carlo or what == "growth", "--algorithm mcts, uct and growth")
    _check_fitting(
        {"--algorithm": algorithm or None, "--moves": moves or None}, what not in OTHER_PICTURES, "games and trees"
    )
    _check_fitting(
        {
            "--depth": depth, "--evaluation": evaluation or None, "--order": order or None,
            "--symmetry": symmetry or None, "--quiescence": quiescence or None, "--exercise": exercise or None,
        },
        not monte_carlo and what not in OTHER_PICTURES,
        "the classical searches",
    )  # fmt: skip
    _check_fitting({"--lang zh": lang == "zh" or None}, what != "growth" and not opinion, "trees, not for plots")
    _check_plot(out, "--opinion" if opinion else "growth" if what == "growth" else "", needed=opinion)
    sentences(lang)  # refuses languages that it does not speak
    with err.status("drawing ..."):
        if what == "growth":
            _draw_growth(seed or 0, out, as_json)
            return
        if by_hand:
            from plyground.watch.worked_example import worked_example

            _deliver(worked_example(lang), "", out, lang, as_json)
            return
        lesson, game = _what(what, lang)
        state = _position(game, moves or lesson.moves)
        if monte_carlo:
            number = SIMULATIONS if simulations is None else simulations
            _draw_simulations(game, state, algorithm, number, steps, opinion, seed or 0, out, lang, as_json)
            return
        lesson = replace(
            lesson,
            algorithm=algorithm or lesson.algorithm,
            depth=lesson.depth if depth is None else depth,
            evaluation=evaluation or lesson.evaluation,
            symmetry=symmetry or lesson.symmetry,
            quiescence=quiescence or lesson.quiescence,
        )
        _draw_search(game, state, lesson, order, exercise, out, lang, as_json)


def _check_fitting(given: dict[str, Any], fitting: bool, kind: str) -> None:
    """Refuse options that would be ignored."""
    for name, value in given.items():
        if value is not None and not fitting:
            raise BadOption(f"{name} is for {kind}")


def _check_plot(out: Path | None, what: str, *, needed: bool) -> None:
    """A plot has no text form and no steps."""
    if what and (needed if out is None else out.suffix.lower() not in PLOT_FORMATS):
        raise BadOption(f"{what} is a plot; give --out with a name that ends in .svg or .png")


def _what(what: str, lang: str) -> tuple[Lesson, Game]:
    """The lesson of that name, or else the game of that spec in a lesson of its own."""
    from plyground.games import GAMES, make_game
    from plyground.watch.classroom import Lesson, classroom

    if what in classroom():
        lesson = classroom()[what]
        return lesson, lesson.make(lang)
    try:
        return Lesson(what), make_game(what)
    except UnknownName:
        if ":" in what:
            raise
        names = [*classroom(), *OTHER_PICTURES, *GAMES]
        raise UnknownName(f"there is no tree or game '{what}'{suggestion(what, names)}") from None


def _position(game: Game, moves: str) -> Any:
    from plyground.core.notation import read_moves

    return read_moves(game, moves)[0][-1]


def _draw_search(
    game: Game, state: Any, lesson: Lesson, order: str, exercise: bool, out: Path | None, lang: str, as_json: bool
) -> None:
    from plyground.watch.searches import exercise as as_exercise
    from plyground.watch.searches import search_drawing

    options = picked(lesson, "algorithm", "depth", "evaluation", "symmetry", "quiescence")
    found = search_drawing(game, state, **options, order=order or "none", lang=lang)
    drawing, cost = found.drawing, f"{found.visited:,} nodes visited, {found.moves_cut:,} moves cut"
    answer = _search_answer(found) if as_json and not exercise else None
    if exercise:
        drawing, cost = as_exercise(found, lang, answers=out is not None and out.suffix.lower() == ".html"), ""
        if as_json:
            answer = _question(as_exercise(found, lang, answers=False))
    _deliver(drawing, cost, out, lang, as_json, answer)


# Output ------------------------------------------------------------------------------------------------------------


def _deliver(
    drawing: Drawing, cost: str, out: Path | None, lang: str, as_json: bool, answer: dict[str, Any] | None = None
) -> None:
    """Write the drawing, or print it."""
    from plyground.pictures.picture_file import write_picture
    from plyground.pictures.tree import tree_html, tree_svg, tree_text

    if out is None:
        if not as_json:
            typer.echo(visible(tree_text(drawing)))
            if drawing.steps:
                typer.echo(visible(drawing.steps[-1].caption))
    else:
        suffix = out.suffix.lower()
        if suffix == ".html":
            write_file(out, tree_html(drawing, lang=lang).encode())
        elif suffix == ".txt":
            write_file(out, f"{tree_text(drawing, width=math.inf)}\n".encode())
        else:
            write_picture(out, tree_svg(drawing, lang=lang), drawing.title)
        _say_written(out, cost, as_json)
    if as_json:
        print_json(answer or _drawing_answer(drawing))


def _say_written(out: Path, cost: str, quiet: bool) -> None:
    if not quiet:
        typer.echo(f"wrote {out}" + (f" ({cost})" if cost else ""))


def _search_answer(found: SearchDrawing) -> dict[str, Any]:
    return {
        "title": found.drawing.title,
        **picked(found, "algorithm", "depth", "value", "text", "line", "visited", "leaves"),
        "cuts": [vars(cut) for cut in found.cuts],
        "nodes": [vars(node) for node in found.nodes],
    }


def _question(drawing: Drawing) -> dict[str, Any]:
    """An exercise for programs: the tree with the values of its leaves, and nothing of the answers."""
    return {
        "title": drawing.title,
        "question": drawing.question,
        "nodes": [
            picked(node, "parent", "action", "shape", "name")
            | {"text": drawing.start[number].value if node.shape == "leaf" else None}
            for number, node in enumerate(drawing.nodes)
        ],
    }


def _drawing_answer(drawing: Drawing) -> dict[str, Any]:
    return {
        "title": drawing.title,
        "nodes": [picked(node, "parent", "action", "name") for node in drawing.nodes],
        "steps": [picked(step, "caption", "focus") for step in drawing.steps],
    }


def _print_list(as_json: bool) -> None:
    from plyground.watch.classroom import classroom

    rows = [(lesson.name, lesson.summary) for lesson in classroom().values()] + list(OTHER_PICTURES.items())
    if as_json:
        print_json([{"name": name, "summary": summary} for name, summary in rows])
        return
    table = plain_table("name", "what it shows", left=("name", "what it shows"), whole=("name",))
    for name, summary in rows:
        table.add_row(f"[bold cyan]{name}[/]", escape(summary))
    out.print(table)


# Other pictures ----------------------------------------------------------------------------------------------------


def _draw_simulations(
    game: Game,
    state: Any,
    player: str,
    simulations: int,
    steps: int | None,
    opinion: bool,
    seed: int,
    out: Path | None,
    lang: str,
    as_json: bool,
) -> None:
    if opinion:
        from plyground.watch.opinion import opinion_svg

        if steps is not None:
            raise BadOption("--steps and --opinion are two different pictures; leave one out")
        assert out is not None
        _write_plot(out, opinion_svg(game, state, simulations=simulations, seed=seed, player=player), as_json)
        return
    from plyground.watch.simulations import simulations_drawing
    from plyground.watch.visited_tree import tree_drawing

    if steps is None:
        drawing = tree_drawing(game, state, simulations=simulations, player=player, seed=seed, lang=lang)
    else:
        drawing = simulations_drawing(
            game, state, simulations=simulations, shown=steps, player=player, seed=seed, lang=lang
        )
    _deliver(drawing, f"{simulations:,} simulations", out, lang, as_json)


def _write_plot(out: Path, picture: str, quiet: bool) -> None:
    from plyground.pictures.picture_file import write_picture

    write_picture(out, picture, "")
    _say_written(out, "", quiet)


def _draw_growth(seed: int, out: Path | None, as_json: bool) -> None:
    from plyground.watch.growth import growth_svg, measure_growth

    families = [measure_growth(b, range(1, deepest + 1), GROWTH_TREES, seed) for b, deepest in GROWTH_SIZES]
    if as_json:
        rows = [
            {"branching": row.branching, "depth": row.depth, "best": row.best, "random": row.mean, "worst": row.worst}
            for rows in families
            for row in rows
        ]
        print_json({"trees": GROWTH_TREES, "seed": seed, "rows": rows})
    if out is not None:
        _write_plot(out, growth_svg(families), as_json)
    elif not as_json:
        _print_growth(families)


def _print_growth(families: list[list[GrowthRow]]) -> None:
    from plyground.watch.growth import EXACT_LAW, fewest_leaves

    law = EXACT_LAW.replace(" + ", " +\n")  # eighty columns must do
    columns = "b", "d", "best\norder", law, "random\norder", "b^(3d/4)", "worst\norder", "b^d"
    table = plain_table(*columns, whole=columns)
    for rows in families:
        for row in rows:
            b, d = row.branching, row.depth
            table.add_row(
                str(b), str(d), f"{row.best:,}", f"{fewest_leaves(b, d):,}", f"{row.mean:,.0f}",
                f"{b ** (0.75 * d):,.0f}", f"{row.worst:,}", f"{b**d:,}",
            )  # fmt: skip
    out.print(table)
