"""What ``plyground endgame chess KRK`` says: the endings of chess, from their tables."""

from __future__ import annotations

import time as clock
from pathlib import Path
from typing import Any

from rich.markup import escape

from plyground.cli.console import check_out, out, print_json, print_rows, progress_bar
from plyground.engines.chess.ending_tables import EndingTables, Verdict, build_ending, known_ending, tables_for
from plyground.engines.chess.endings import read_ending
from plyground.errors import BadOption
from plyground.games.chess import Chess, fen, read_fen
from plyground.games.chess.moves import after
from plyground.games.chess.notation import san, uci

__all__ = ["tell_ending"]

SIDES = ("White", "Black")
OUTCOMES = {1: "wins", 0: "draws", -1: "loses"}


def tell_ending(name: str, position: str, path: Path | None, build: bool, as_json: bool) -> None:
    """Tell of an ending by its name, or of one position in FEN; with `build` its tables are built, found or not."""
    state = read_fen(position) if position else None
    found = known_ending(state) if state is not None else None
    if state is not None and found is None:
        raise BadOption(
            "no table has that position: tables are of three or four men, at most one of them a pawn, with something "
            "to mate with, and nobody may still castle"
        )
    if found is not None and name and read_ending(name) != found:
        raise BadOption(f"the position given with --fen is of the ending {found.name}, not {read_ending(name).name}")
    ending = found or read_ending(name)
    check_out(path)
    start = clock.perf_counter()
    with progress_bar() as show:

        def on_progress(what: str, done: int, total: int) -> None:
            show(done / total, 1.0, what)

        tables = build_ending(ending, None, on_progress) if build else tables_for(ending.name, on_progress=on_progress)
    table = tables.tables[ending.name]
    size = table.save(path) if path is not None else None
    about = {
        "ending": ending.name,
        "seconds": clock.perf_counter() - start,
        "file": None if path is None else str(path),
        "bytes": size,
    }
    if state is not None:
        _tell_position(tables, state, about, as_json)
        return
    sides = [tables.summary(ending, turn) for turn in (0, 1)]
    if as_json:
        told = {
            side.lower(): {
                "positions": summary.positions,
                "won": summary.won,
                "drawn": summary.drawn,
                "lost": summary.lost,
                "plies": summary.plies,
                "longest": None if summary.longest is None else fen(summary.longest),
                "line": [] if summary.longest is None else _line(tables, summary.longest),
            }
            for side, summary in zip(SIDES, sides, strict=True)
        }
        print_json(about | told)
        return
    rows = [
        {
            "to move": side,
            "positions": summary.positions,
            "won": summary.won,
            "drawn": summary.drawn,
            "lost": summary.lost,
            "longest": "" if summary.plies is None else f"{summary.plies} plies",
        }
        for side, summary in zip(SIDES, sides, strict=True)
    ]
    print_rows(rows)
    for side, summary in zip(SIDES, sides, strict=True):
        if summary.won and summary.longest is not None:
            moves = Verdict(1, summary.plies).moves
            out.print(f"\n{side} mates in {moves} at the latest: {fen(summary.longest)}", soft_wrap=True)
            out.print(escape(" ".join(_line(tables, summary.longest))), soft_wrap=True)
    if size is not None:
        out.print(f"\nwrote {escape(str(path))}, {size:,} bytes", soft_wrap=True)


def _tell_position(tables: EndingTables, state: Chess, about: dict[str, Any], as_json: bool) -> None:
    """What one position is worth, and each of its moves."""
    verdict = tables.probe(state)
    if verdict is None:
        raise BadOption("no table has that position")
    moves = tables.moves(state)
    if as_json:
        print_json(
            about
            | {
                "fen": fen(state),
                "outcome": verdict.outcome,
                "plies": verdict.plies,
                "line": _line(tables, state),
                "moves": [
                    {"move": san(state, one.action), "uci": uci(state, one.action)}
                    | {"outcome": one.outcome, "plies": one.plies}
                    for one in moves
                ],
            }
        )
        return
    out.print(f"{SIDES[state.turn]} to move {_said(verdict)}")
    if moves:
        print_rows(
            [{"move": san(state, one.action), "outcome": OUTCOMES[one.outcome], "plies": one.plies} for one in moves]
        )
    if line := _line(tables, state):
        out.print(escape(" ".join(line)), soft_wrap=True)


def _said(verdict: Verdict) -> str:
    """Such as: wins, mate in 3 (5 plies)."""
    if verdict.plies is None:
        return "draws"
    if verdict.plies == 0:
        return "is mated"
    plies = f"{verdict.plies} {'ply' if verdict.plies == 1 else 'plies'}"
    return f"{OUTCOMES[verdict.outcome]}, mate in {verdict.moves} ({plies})"


def _line(tables: EndingTables, state: Chess) -> list[str]:
    """Best play to mate, in SAN."""
    told = []
    for action in tables.line(state):
        told.append(san(state, action))
        state = after(state, action)
    return told
