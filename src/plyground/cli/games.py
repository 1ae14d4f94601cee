"""The command ``plyground games``."""

from __future__ import annotations

from plyground.cli.console import JsonFlag, out
from plyground.cli.registry_list import print_registry

__all__ = ["games_command"]


def games_command(as_json: JsonFlag = False) -> None:
    """List the games with every option.

    Example: plyground games --json
    """
    from plyground.games import GAMES

    print_registry(GAMES, "Games", as_json)
    if not as_json:
        out.print("A tree file [bold]x.json[/] or a Python file [bold]x.py[/] is a game too.")
