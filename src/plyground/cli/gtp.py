"""The command ``plyground gtp``."""

from __future__ import annotations

from typing import Annotated

import typer

from plyground.cli.console import GameArgument, GameSeedOption
from plyground.cli.standard_streams import input_lines, player_of, write

__all__ = ["gtp_command"]


def gtp_command(
    game: GameArgument = "reversi",
    spec: Annotated[
        str | None,
        typer.Option("--player", help="Who plays, e.g. engine:time=1; by default the game's usual opponent."),
    ] = None,
    seed: GameSeedOption = None,
) -> None:
    """Play for a program that speaks the Go Text Protocol, such as GoGui, over the standard streams.

    Example: plyground gtp reversi --player engine:time=1
    """
    from plyground.games import make_game
    from plyground.players import default_opponent
    from plyground.protocols.gtp_engine import GtpEngine

    chosen = make_game(game)
    engine = GtpEngine(chosen, player_of(spec or default_opponent(chosen), chosen, seed))
    engine.serve(input_lines(), write)
