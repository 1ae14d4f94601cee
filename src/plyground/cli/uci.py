"""The command ``plyground uci``."""

from __future__ import annotations

from typing import Annotated

import typer

from plyground.cli.console import GameArgument, GameSeedOption
from plyground.cli.standard_streams import input_lines, write

__all__ = ["uci_command"]


def uci_command(
    game: GameArgument = "chess",
    spec: Annotated[
        str | None,
        typer.Option("--player", help="Who plays, e.g. engine:level=8; by default the game's usual opponent."),
    ] = None,
    seed: GameSeedOption = None,
) -> None:
    """Play for a board or a match runner that speaks the Universal Chess Interface, over the standard streams.

    Example: plyground uci chess --player engine:level=8
    """
    from plyground.games import make_game
    from plyground.protocols.uci_engine import UciEngine

    engine = UciEngine(make_game(game), spec, lambda line: write(f"{line}\n"), seed)
    engine.serve(input_lines())
