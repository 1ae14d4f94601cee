"""The command ``plyground book``."""

from __future__ import annotations

import time as clock
from pathlib import Path
from typing import Annotated

import typer

from plyground.cli.console import GameArgument, JsonFlag, check_out, print_json, print_rows, progress_bar

__all__ = ["book_command"]


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
    from plyground.core.rules import action_text
    from plyground.games import make_game
    from plyground.players import make_player
    from plyground.players.book import build_book
    from plyground.search.opening_book import Book

    chosen = make_game(game)
    check_out(out, inputs=(game, searcher))
    before = len(Book.load(out, chosen)) if out.exists() else 0
    make_player(searcher, chosen).prepare(chosen)
    start = clock.perf_counter()
    with progress_bar(unit="positions") as show:

        def on_progress(ply: int, done: int, level: int) -> None:
            show(done, level, f"move {ply}")

        book = build_book(chosen, searcher, plies, breadth, file=out, seed=seed, on_progress=on_progress)
    seconds = clock.perf_counter() - start
    root = book.find(chosen.initial)
    assert root is not None
    size = out.stat().st_size
    best = [action_text(chosen.initial, action) for action in root.actions]
    grown = {"positions": len(book), "added": len(book) - before}
    if as_json:
        asked = {"game": chosen.spec, "player": searcher, "plies": plies, "breadth": breadth}
        found = {"value": root.value, "best": best}
        print_json({**asked, **grown, **found, "seconds": seconds, "file": str(out), "bytes": size})
    else:
        told = {"best": " ".join(best), "value": f"{root.value:+.3f}"}
        print_rows([{**grown, **told, "seconds": seconds, "bytes": size}])
