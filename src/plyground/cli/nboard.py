"""The command ``plyground nboard``."""

from __future__ import annotations

from plyground.cli.console import GameSeedOption
from plyground.cli.standard_streams import PlayerOption, input_lines, player_of, write

__all__ = ["nboard_command"]


def nboard_command(player: PlayerOption = "engine:time=1", seed: GameSeedOption = None) -> None:
    """Play Reversi for a board that speaks the NBoard protocol, over the standard streams.

    Example: plyground nboard --player engine:time=1
    """
    from plyground.games import make_game
    from plyground.protocols.nboard import NBoardEngine

    engine = NBoardEngine(player_of(player, make_game("reversi"), seed), lambda line: write(f"{line}\n"))
    engine.serve(input_lines())
