"""The command ``plyground saiblo``."""

from __future__ import annotations

import sys

from plyground.cli.console import GameSeedOption
from plyground.cli.standard_streams import PlayerOption, player_of, write_bytes

__all__ = ["saiblo_command"]


def saiblo_command(player: PlayerOption = "engine:time=0.8", seed: GameSeedOption = None) -> None:
    """Play Reversi on Saiblo, over the standard streams.

    Example: plyground saiblo --player engine:time=0.8
    """
    from plyground.games import make_game
    from plyground.protocols.saiblo import serve

    serve(player_of(player, make_game("reversi"), seed), sys.stdin.buffer, write_bytes)
