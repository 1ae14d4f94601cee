"""What ``plyground solve`` does with a suite of chess positions in EPD: how many best moves a player finds."""

from __future__ import annotations

import time as clock
from typing import TYPE_CHECKING, Any

import typer
from rich.text import Text

from plyground.cli.console import out, print_json, progress_bar
from plyground.errors import BadOption, FormatError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from plyground.formats import ChessPosition
    from plyground.players.player import Move

__all__ = ["solve_suite"]

COLUMNS = {
    "position": 8,
    "name": 10,
    "wanted": 10,
    "played": 7,
    "": 5,
    "value": 6,
    "depth": 5,
    "nodes": 12,
    "seconds": 8,
}
FLUSH_LEFT = ("name", "wanted", "played", "")
LIMIT = "time=1"
"""What the player may spend on a position, if nobody is named."""


def solve_suite(positions: Sequence[ChessPosition], analyst: str | None, as_json: bool) -> None:
    """Ask a player for its move in each position; exit status 1 if one is not among ``bm``, or among ``am``."""
    from plyground.core.game import game_of
    from plyground.core.limits import Limit
    from plyground.core.rules import actions
    from plyground.games import make_game
    from plyground.players import make_player
    from plyground.players.player import Move, Position

    game = make_game("chess")
    for number, position in enumerate(positions, 1):
        where = f"position {number}{f' ({position.name})' if position.name else ''}"
        if not position.best and not position.avoid:
            raise FormatError(f"{where} says neither which move is best (bm) nor which one to avoid (am)")
        if not actions(position.state):
            raise FormatError(f"{where}: the game is over there")
    right, total = 0, 0
    with make_player(analyst or f"{game.opponent}:{LIMIT}", game, 0) as player, progress_bar(unit="positions") as show:
        begin = clock.perf_counter()
        if not as_json:
            _print_cells(*COLUMNS, style="bold")
            widths = enumerate(COLUMNS.values())
            out.print("╇".join("━" * (wide + (2 if i else 1)) for i, wide in widths), soft_wrap=True)
        for number, position in enumerate(positions, 1):
            start = clock.perf_counter()
            found = player.choose(Position(game_of(position.state), position.state), Limit())
            spent = clock.perf_counter() - start
            if not isinstance(found, Move):
                raise BadOption(f"{player.spec} gives up in position {number}; whoever solves must answer with a move")
            fits = _fits(position, found.action)
            right, total = right + fits, total + (found.nodes or 0)
            facts = _facts(number, position, found, fits, spent)
            if as_json:
                print_json(facts)
            else:
                _print_row(facts)
            show(number, len(positions), f"{right} right")
    if not as_json:
        spent = clock.perf_counter() - begin
        _print_cells("total", "", "", "", "", "", "", f"{total:,}", f"{spent:.2f}", style="bold")
        out.print(f"[bold]{right} of {len(positions)} right[/]")
    if right < len(positions):
        raise typer.Exit(1)


def _fits(position: ChessPosition, action: int) -> bool:
    return (not position.best or action in position.best) and action not in position.avoid


def _facts(number: int, position: ChessPosition, found: Move, fits: bool, spent: float) -> dict[str, Any]:
    from plyground.core.rules import action_text, position_code

    return {
        "position": number,
        "name": position.name,
        "fen": position_code(position.state),
        "best": list(position.operands("bm")),
        "avoid": list(position.operands("am")),
        "move": action_text(position.state, found.action),
        "right": fits,
        "value": found.value,
        "depth": found.depth,
        "nodes": found.nodes,
        "seconds": round(spent, 6),
    }


def _print_row(facts: dict[str, Any]) -> None:
    wanted = " ".join(facts["best"] + [f"not {move}" for move in facts["avoid"]])
    _print_cells(
        str(facts["position"]),
        facts["name"],
        wanted,
        facts["move"],
        "" if facts["right"] else "wrong",
        "" if facts["value"] is None else f"{facts['value']:+.2f}",
        str(facts["depth"] or ""),
        f"{facts['nodes'] or 0:,}",
        f"{facts['seconds']:.2f}",
        style="" if facts["right"] else "red",
    )


def _print_cells(*cells: str, style: str = "") -> None:
    padded = [
        f"{cell:<{wide}}" if name in FLUSH_LEFT else f"{cell:>{wide}}"
        for cell, (name, wide) in zip(cells, COLUMNS.items(), strict=True)
    ]
    out.print(Text(" │ ".join(padded).rstrip(), style=style), soft_wrap=True)
