"""The games: one module each, found by name. No game knows an algorithm."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from plyground.core.game import Game, noted
from plyground.core.registry import GAMES
from plyground.core.sources import load_module
from plyground.errors import GameError, SpecError
from plyground.games.tree import load_tree, read_tree
from plyground.games.tree_notation import is_notation, read_notation

__all__ = ["GAMES", "load_game", "make_game"]

OPENSPIEL = "openspiel:"
"""What follows is for OpenSpiel to read: it has commas and equals signs of its own."""


def make_game(spec: str) -> Game:
    """The game of a spec: a name with options, a tree file (``x.json``) or a Python file with a game (``x.py``).

    A tree may also stand there itself, ``((3 12 8) (2 4 6))``.

    After ``openspiel:`` the name of a game may stand as OpenSpiel writes it, ``openspiel:hex(board_size=5)``.

    >>> make_game("reversi:size=6").name
    'reversi'
    """
    found: Game
    if spec.startswith(OPENSPIEL):
        name = spec.removeprefix(OPENSPIEL).removeprefix("name=")
        found = GAMES.factory("openspiel")(name)
        return replace(found, spec=f"{OPENSPIEL}{name}")
    if is_notation(spec):
        return replace(read_tree(read_notation(spec)), spec=spec)
    if spec.partition(":")[0] not in GAMES:
        if spec.endswith(".json"):
            return load_tree(spec)
        if spec.endswith(".py"):
            return load_game(spec)
        if ".py:" in spec or ".json:" in spec:
            raise SpecError(f"'{spec}': a file takes no options; write its name alone")
    found = GAMES.make(spec)
    return noted(replace(found, spec=spec))


def load_game(path: str | Path) -> Game:
    """The game in somebody's Python file: its variable `game`, or the only `Game` that the file makes."""
    module = load_module(path)
    found = [value for value in vars(module).values() if isinstance(value, Game)]
    game = getattr(module, "game", None)
    if not isinstance(game, Game):
        if len(found) != 1:
            what = "no game" if not found else f"{len(found)} games"
            raise GameError(f'{path} makes {what}; write one: game = Game("name", initial=State(...))')
        game = found[0]
    return replace(game, spec=str(path))
