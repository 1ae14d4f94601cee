"""The command ``plyground perft``."""

from __future__ import annotations

import time as clock
from typing import Annotated

import typer

from plyground.cli.console import JsonFlag, out, plain_table, print_json, progress_bar

__all__ = ["perft_command"]

DEEPEST = 1000
"""Moves that nobody can count any more, and that the recursion still has room for."""


def perft_command(
    game: Annotated[str, typer.Argument(help="A game with options.")],
    depth: Annotated[int, typer.Argument(help="How many moves.", min=0, max=DEEPEST)],
    count_ended: Annotated[
        bool, typer.Option("--count-ended", help="Count a game that ended earlier as one leaf at every greater depth.")
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Count the sequences of moves from the start, the standard check of a game's rules and speed.

    A forced pass is a move.

    Example: plyground perft reversi 11
    """
    from plyground.core.limits import Budget
    from plyground.games import make_game
    from plyground.search.perft import perft as count
    from plyground.search.perft import perft_parts

    chosen = make_game(game)
    count.prepare(chosen.initial, 1, 0, Budget())
    rows = []
    with progress_bar() as show:
        for d in range(depth + 1):
            start = clock.perf_counter()
            budget = Budget()

            def count_all(d: int = d, budget: Budget = budget) -> int:
                total = 0
                for done, (part, left) in enumerate(perft_parts(chosen.initial, d, int(count_ended), budget)):
                    total += part
                    show(done, done + left, f"depth {d}")
                return total

            leaves = budget.run(count_all)
            spent = clock.perf_counter() - start
            rows.append({"depth": d, "leaves": leaves, "seconds": spent, "leaves_per_second": leaves / spent})
    if as_json:
        print_json({"game": chosen.spec, "count_ended": count_ended, "rows": rows})
        return
    table = plain_table("depth", "leaves", "seconds", "leaves/s")
    for row in rows:
        speed = f"{row['leaves_per_second']:,.0f}" if row["seconds"] >= 0.001 else ""
        table.add_row(str(row["depth"]), f"{row['leaves']:,}", f"{row['seconds']:.3f}", speed)
    out.print(table)
