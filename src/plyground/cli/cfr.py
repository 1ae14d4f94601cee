"""The command ``plyground cfr``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape

from plyground.cli.console import JsonFlag, check_out, done_each, out, plain_table, print_json
from plyground.core.files import write_file
from plyground.errors import BadOption, UnsuitableGame

if TYPE_CHECKING:
    from plyground.search.cfr import Algorithm, CfrResult

__all__ = ["cfr_command"]

MOST_SHOWN = 40
"""Information sets that are printed; all are in --json and --save."""


def cfr_command(
    game: Annotated[str, typer.Argument(help="A game of imperfect information: kuhn, leduc:ranks=4, openspiel:...")],
    iterations: Annotated[int, typer.Option(help="How many iterations at most.")] = 1000,
    algorithm: Annotated[str, typer.Option(help="cfr+, cfr, or both to compare them.")] = "cfr+",
    target: Annotated[float, typer.Option(help="Stop when the exploitability is no more than this.", min=0.0)] = 0.0,
    time: Annotated[float | None, typer.Option(help="Seconds at most.")] = None,
    save: Annotated[Path | None, typer.Option(help="Write the strategy (JSON), for the player cfr:file=...")] = None,
    out: Annotated[
        Path | None, typer.Option(help="Write the curve of the exploitability: .svg, .png or .html.")
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Find an equilibrium of a game of imperfect information by counterfactual regret minimisation.

    The exploitability says how much a perfect opponent gains against the strategy on average; 0 is an equilibrium.

    Example: plyground cfr kuhn --iterations 1000 --algorithm both --out curve.svg
    """
    from plyground.games import make_game
    from plyground.pictures.picture_file import PICTURE_FORMATS, write_picture
    from plyground.search.cfr import ALGORITHMS, solve
    from plyground.search.extensive import extensive
    from plyground.search.strategy_file import strategy_data
    from plyground.subjects.poker.pictures import convergence_svg

    if algorithm not in (*ALGORITHMS, "both"):
        raise BadOption(f"--algorithm must be cfr+, cfr or both, not '{algorithm}'")
    check_out(out, *PICTURE_FORMATS, inputs=(game,))
    check_out(save, option="--save", inputs=(game, out))
    chosen = make_game(game)
    if chosen.axes.simultaneous:
        raise UnsuitableGame(f"cfr cannot solve {chosen.name}: players move at the same time")
    tree = extensive(chosen)
    wanted: list[Algorithm] = ["cfr", "cfr+"] if algorithm == "both" else [algorithm]  # type: ignore[list-item]
    results = done_each(
        "minimising regret",
        wanted,
        lambda name, tell: solve(tree, iterations, name, target=target, time=time, on_progress=tell),
    )
    if as_json:
        found = [strategy_data(one) for one in results]
        print_json(found[0] if len(found) == 1 else {"game": chosen.spec, "results": found})
    else:
        _print(results)
    if save is not None:
        write_file(save, json.dumps(strategy_data(results[-1]), indent=1, ensure_ascii=False).encode())
    if out is not None:
        write_picture(out, convergence_svg(results), f"CFR on {chosen.spec}")


def _print(results: list[CfrResult]) -> None:
    tree, last = results[0].tree, results[-1]
    seats, slot = tree.game.seats, tree.nodes.slot
    columns = "player", "sees", "and plays"
    table = plain_table(*columns, left=columns)
    for number, one in enumerate(tree.sets[:MOST_SHOWN]):
        likely = last.strategy[slot[number] : slot[number + 1]]
        plays = "  ".join(f"{name} {100 * p:.1f}%" for name, p in zip(one.names, likely, strict=True))
        table.add_row(escape(seats[one.player]), escape(one.label), escape(plays))
    out.print(table)
    if len(tree.sets) > MOST_SHOWN:
        out.print(f"[dim]... and {len(tree.sets) - MOST_SHOWN:,} more; --json and --save have all[/]")
    shown = seats[:1] if len(seats) == 2 and tree.game.axes.zero_sum else seats
    worths = [f"value to {seat}" for seat in shown]
    summary = plain_table("algorithm", "iterations", "seconds", *worths, "exploitability", left=("algorithm",))
    for found in results:
        values = [f"{value:+.6f}" for value in found.values[: len(shown)]]
        summary.add_row(
            found.algorithm, f"{found.iterations:,}", f"{found.seconds:.3f}", *values, f"{found.exploitability:.2e}"
        )
    out.print()
    out.print(summary)
    out.print(f"[dim]{len(tree.nodes.mover):,} nodes, {len(tree.sets):,} information sets[/]")
