"""The command ``plyground players``."""

from __future__ import annotations

from plyground.cli.console import JsonFlag
from plyground.cli.games import print_registry

__all__ = ["players_command"]


def players_command(as_json: JsonFlag = False) -> None:
    """List the players with every option.

    Example: plyground players
    """
    from plyground.players import PLAYERS

    print_registry(PLAYERS, "Players", as_json)
