"""The command ``plyground endgame``."""

from __future__ import annotations

import time as clock
from pathlib import Path
from typing import Annotated, Literal

import typer

from plyground.cli.console import GameArgument, JsonFlag, check_out, print_json, print_rows, progress_bar

__all__ = ["endgame_command"]


def endgame_command(
    game: GameArgument,
    ending: Annotated[str, typer.Argument(help="Of chess: the men, such as KRK or KBNK.")] = "",
    out: Annotated[Path | None, typer.Option(help="Write the table to this file.")] = None,
    moves: Annotated[str, typer.Option("--from", help="Begin after these moves, e.g. '4 4 3'.")] = "",
    value: Annotated[
        Literal["utility", "score"], typer.Option(help="What is maximised: win, draw and loss, or the margin.")
    ] = "utility",
    most: Annotated[int, typer.Option(help="Give up beyond this many positions.", min=1)] = 20_000_000,
    fen: Annotated[str, typer.Option(help="Of chess: what each move is worth in this position.")] = "",
    build: Annotated[
        bool, typer.Option("--build", help="Of chess: build the tables, though they are at hand.")
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Solve a game from its end backwards, and keep the value of every position in a table.

    Players use the table with their option endgame=FILE. Of chess, endings are solved: plyground endgame chess KRK

    Example: plyground endgame connect4:columns=4,rows=4 --out c44.table
    """
    from plyground.cli.chess_endings import tell_ending
    from plyground.core.notation import read_moves
    from plyground.core.rules import action_text
    from plyground.errors import BadOption, UnsuitableGame
    from plyground.games import make_game
    from plyground.search.retrograde import build_table, prepare_build

    chosen = make_game(game)
    if ending or fen or build:
        if chosen.spec != "chess":
            raise BadOption(f"an ending, --fen and --build are for chess alone, not for {chosen.spec}")
        if moves or value != "utility":
            raise BadOption("--from and --value are not for endings of chess, whose tables have every position")
        if not (ending or fen):
            raise BadOption("say which ending to build, such as: plyground endgame chess KRK --build")
        tell_ending(ending, fen, out, build, as_json)
        return
    if chosen.spec == "chess" and not moves:
        raise UnsuitableGame("chess has too many positions; say which ending, such as: plyground endgame chess KRK")
    states, history = read_moves(chosen, moves)
    check_out(out, inputs=(game,))
    prepare_build(chosen)
    start = clock.perf_counter()
    with progress_bar(unit="positions") as show:

        def on_progress(what: str, done: int, total: int) -> None:
            show(done, total, what)

        table = build_table(chosen, history, measure=value, most=most, on_progress=on_progress)
    seconds = clock.perf_counter() - start
    root = states[-1]
    size = table.save(out) if out is not None else None
    best = [action_text(root, action) for action in table.best_actions(root)]
    if as_json:
        answer = {
            "game": chosen.spec,
            "from": [int(action) for action in history],
            "measure": value,
            "positions": len(table),
            "value": table.value(root),
            "distance": table.distance(root),
            "best": best,
            "seconds": seconds,
            "file": None if out is None else str(out),
            "bytes": size,
            "bytes_per_position": None if size is None else size / len(table),
        }
        print_json(answer)
        return
    distance = table.distance(root)
    row = {
        "positions": f"{len(table):,}",
        f"value to {chosen.seats[0]}": f"{table.value(root):+g}" if table.value(root) else "0",
        "distance": "" if distance is None else f"{distance} {'ply' if distance == 1 else 'plies'}",
        "best": " ".join(best),
        "seconds": f"{seconds:.2f}",
    }
    if size is not None:
        row |= {"bytes": f"{size:,}", "each": f"{size / len(table):.2f}"}
    print_rows([row])
