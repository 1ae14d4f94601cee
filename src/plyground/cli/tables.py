"""The commands ``plyground endgame`` and ``plyground book``."""

from __future__ import annotations

import contextlib
import json
import time as clock
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Literal

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

__all__ = ["book_command", "endgame_command", "print_row", "progress_bar"]

GameArgument = Annotated[str, typer.Argument(help="A game with options, a tree file or a Python file.")]
JsonFlag = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]


def endgame_command(
    game: GameArgument,
    out: Annotated[Path | None, typer.Option(help="Write the table to this file.")] = None,
    moves: Annotated[str, typer.Option("--from", help="Begin after these moves, e.g. '4 4 3'.")] = "",
    value: Annotated[
        Literal["utility", "score"], typer.Option(help="What is maximised: win, draw and loss, or the margin.")
    ] = "utility",
    most: Annotated[int, typer.Option(help="Give up beyond so many positions.", min=1)] = 20_000_000,
    as_json: JsonFlag = False,
) -> None:
    """Solve a game from its end backwards, and keep the value of every position in a table.

    Players use the table with their option endgame=FILE.

    Example: plyground endgame connect4:columns=4,rows=4 --out c44.table
    """
    from plyground.core.files import check_writable
    from plyground.core.game import action_text
    from plyground.core.notation import read_moves
    from plyground.games import make_game
    from plyground.search.retrograde import build_table, prepare_build

    chosen = make_game(game)
    states, history = read_moves(chosen, moves)
    if out is not None:
        check_writable(out, "--out")
    prepare_build(chosen)
    start = clock.perf_counter()
    with progress_bar("positions") as show:
        table = build_table(chosen, history, measure=value, most=most, on_progress=show)
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
        typer.echo(json.dumps(answer, ensure_ascii=False))
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
    print_row(row)


def book_command(
    game: GameArgument,
    out: Annotated[Path, typer.Option(help="The book's file. If it exists, the book goes on from it.")],
    plies: Annotated[int, typer.Option(help="How many moves from the start.", min=1)] = 4,
    breadth: Annotated[int, typer.Option(help="How many of the best moves to follow in each position.", min=1)] = 2,
    searcher: Annotated[str, typer.Option("--player", help="Who searches the positions.")] = "mcts:simulations=10000",
    seed: Annotated[int, typer.Option(help="The same seed makes the same book.")] = 0,
    as_json: JsonFlag = False,
) -> None:
    """Make an opening book: search the first positions of a game and keep what was found.

    Ctrl-C loses nothing: the same command goes on. Play from the book with book:file=FILE,player=SPEC.

    Example: plyground book reversi:size=6 --plies 4 --breadth 3 --player mcts:simulations=2000 --out r6.book
    """
    from plyground.core.files import check_writable
    from plyground.core.game import action_text
    from plyground.games import make_game
    from plyground.players import make_player
    from plyground.players.book import build_book
    from plyground.search.opening_book import Book

    chosen = make_game(game)
    check_writable(out, "--out")
    before = len(Book.load(out, chosen)) if out.exists() else 0
    make_player(searcher, chosen).prepare(chosen)
    start = clock.perf_counter()
    with progress_bar("positions") as show:

        def on_progress(ply: int, done: int, level: int) -> None:
            show(f"move {ply}", done, level)

        book = build_book(chosen, searcher, plies, breadth, file=out, seed=seed, on_progress=on_progress)
    seconds = clock.perf_counter() - start
    root = book.find(chosen.initial)
    assert root is not None
    size = out.stat().st_size
    best = [action_text(chosen.initial, action) for action in root.actions]
    if as_json:
        answer = {
            "game": chosen.spec,
            "player": searcher,
            "plies": plies,
            "breadth": breadth,
            "positions": len(book),
            "added": len(book) - before,
            "value": root.value,
            "best": best,
            "seconds": seconds,
            "file": str(out),
            "bytes": size,
        }
        typer.echo(json.dumps(answer, ensure_ascii=False))
        return
    print_row(
        {
            "positions": f"{len(book):,}",
            "added": f"{len(book) - before:,}",
            "best": " ".join(best),
            "value": f"{root.value:+.3f}",
            "seconds": f"{seconds:.2f}",
            "bytes": f"{size:,}",
        }
    )


def print_row(row: dict[str, str]) -> None:
    table = Table(show_edge=False, pad_edge=False, header_style="bold")
    for column in row:
        table.add_column(column, justify="right", overflow="fold")
    table.add_row(*row.values())
    Console().print(table)


@contextlib.contextmanager
def progress_bar(unit: str) -> Iterator[Callable[[str, int, int], None]]:
    """A bar on standard error that appears when the work has taken a second; call it with what is done, and how far."""
    console = Console(stderr=True)
    bar = Progress(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn(unit), TimeElapsedColumn(),
        console=console, transient=True, disable=not console.is_terminal,
    )  # fmt: skip
    task = bar.add_task("", total=1)
    begin, shown = clock.monotonic(), False

    def show(what: str, done: int, total: int) -> None:
        nonlocal shown
        bar.update(task, description=what, completed=done, total=total)
        if not shown and clock.monotonic() - begin > 1:
            bar.start()
            shown = True

    try:
        yield show
    finally:
        if shown:
            bar.stop()
