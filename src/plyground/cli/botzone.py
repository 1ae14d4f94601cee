"""The command ``plyground botzone``."""

from __future__ import annotations

from typing import Annotated

import typer

from plyground.cli.console import GameSeedOption
from plyground.cli.standard_streams import PlayerOption, input_lines, player_of, write

__all__ = ["botzone_command"]


def botzone_command(
    player: PlayerOption = "engine:time=0.8",
    once: Annotated[bool, typer.Option("--once", help="Answer one request and end, instead of running on.")] = False,
    seed: GameSeedOption = None,
) -> None:
    """Play Reversi on Botzone, over the standard streams.

    Example: plyground botzone --player engine:time=0.8
    """
    from plyground.games import make_game
    from plyground.protocols.botzone import serve

    chosen = player_of(player, make_game("reversi"), seed)
    serve(chosen, input_lines(), lambda line: write(f"{line}\n"), keep_running=not once)
