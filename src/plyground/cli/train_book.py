"""The command ``plyground train book``."""

from __future__ import annotations

import time as clock
from pathlib import Path
from typing import Annotated

import typer

from plyground.cli.console import JsonFlag, check_out, print_json, print_rows, progress_bar
from plyground.errors import BadOption

__all__ = ["train_book_command"]

DEFAULT_TIME = 600.0


def train_book_command(
    out: Annotated[Path, typer.Option(help="The book's file. If it exists, the book goes on from it.")],
    time: Annotated[float | None, typer.Option(help="Seconds to search; 600 if nothing else is asked for.")] = None,
    positions: Annotated[int | None, typer.Option(help="Stop after this many positions.", min=1)] = None,
    depth: Annotated[int, typer.Option(help="Plies to search in each position.", min=2, max=60)] = 14,
    games: Annotated[list[Path] | None, typer.Option(help="Count moves in the games of a file or a folder.")] = None,
    learn: Annotated[list[Path] | None, typer.Option(help="Learn the games of a file or a folder.")] = None,
    empty: Annotated[bool, typer.Option("--empty", help="Begin a new file empty, not with the packaged book.")] = False,
    as_json: JsonFlag = False,
) -> None:
    """Make the opening book of the Reversi engine, or make it better.

    Positions are searched where lines are close to the best or often played. Ctrl-C loses nothing: the same command
    goes on.

    Example: plyground train book --out my.book --time 60 --games wthor
    """
    from plyground.core.rules import action_text
    from plyground.engines.reversi.book import PACKAGED, OpeningBook
    from plyground.engines.reversi.book_making import Bookmaker, count_games, game_files, weights_checksum
    from plyground.engines.reversi.engine import Engine
    from plyground.formats import Record, only_reversi, read_any_file
    from plyground.formats.replay import START

    if time is not None and not 0 < time < 1e8:
        raise BadOption(f"--time must be a positive number of seconds, not {time:g}")
    check_out(out, inputs=(*(games or ()), *(learn or ())))
    counted, learned = ([file for path in paths or [] for file in game_files(path)] for paths in (games, learn))
    if time is None and positions is None and not learned:
        time = DEFAULT_TIME
    book = OpeningBook.load(out) if out.exists() else OpeningBook() if empty else OpeningBook.load(PACKAGED)
    book.set_weights(weights_checksum())
    before = len(book)
    engine = Engine()
    engine.prepare()
    start = clock.perf_counter()
    maker = Bookmaker(book, engine, depth=depth, frequencies=count_games(counted) if counted else None, file=out)
    with progress_bar(unit="positions" if time is None else "seconds") as show, maker.saving():
        for file in learned:
            for record in only_reversi(read_any_file(file)):
                if isinstance(record, Record):
                    maker.learn(record)
                    show(maker.searched, None, f"{file.name}: positions searched")
        if time is not None or positions is not None:
            begin = clock.perf_counter()

            def on_progress(searched: int) -> None:
                spent = int(clock.perf_counter() - begin)
                done, total = (spent, int(time)) if time is not None else (searched, positions or 0)
                show(done, total, f"{searched:,} positions searched")

            maker.expand(time=time, positions=positions, on_progress=on_progress)
    seconds = clock.perf_counter() - start
    known = book.find(START)
    line = [action_text(START, action) for action in book.line(START)]
    size = out.stat().st_size
    grown = {"positions": len(book), "added": len(book) - before, "searched": maker.searched}
    if as_json:
        found = {"depth": depth, "value": known and known.value, "line": line}
        print_json({**grown, **found, "seconds": seconds, "file": str(out), "bytes": size})
    else:
        told = {"value": None if known is None else f"{known.value + 0.0:+g}", "best play": "".join(line)}
        print_rows([{**grown, **told, "seconds": seconds, "bytes": size}])
