"""The command ``plyground perft``."""

from __future__ import annotations

import time as clock
from typing import Annotated, Any

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from plyground.cli.console import JsonFlag, err, out, print_json

__all__ = ["perft_command"]


def perft_command(
    game: Annotated[str, typer.Argument(help="A game with options.")],
    depth: Annotated[int, typer.Argument(help="How many moves.", min=0)],
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
    with Progress(
        TextColumn("depth {task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(),
        console=err, transient=True, disable=not err.is_terminal,
    ) as progress:  # fmt: skip
        for d in range(depth + 1):
            start = clock.perf_counter()
            task = progress.add_task(str(d), total=None)
            budget = Budget()

            def count_all(d: int = d, task: Any = task, budget: Budget = budget) -> int:
                total = 0
                for part, left in perft_parts(chosen.initial, d, int(count_ended), budget):
                    total += part
                    if progress.tasks[-1].total is None:
                        progress.update(task, total=left)
                    else:
                        progress.advance(task)
                return total

            leaves = budget.run(count_all)
            spent = clock.perf_counter() - start
            progress.remove_task(task)
            rows.append({"depth": d, "leaves": leaves, "seconds": spent, "leaves_per_second": leaves / spent})
    if as_json:
        print_json({"game": chosen.spec, "count_ended": count_ended, "rows": rows})
        return
    table = Table(show_edge=False, pad_edge=False, header_style="bold")
    for column in ("depth", "leaves", "seconds", "leaves/s"):
        table.add_column(column, justify="right")
    for row in rows:
        speed = f"{row['leaves_per_second']:,.0f}" if row["seconds"] >= 0.001 else ""
        table.add_row(str(row["depth"]), f"{row['leaves']:,}", f"{row['seconds']:.3f}", speed)
    out.print(table)
