"""A search as one call: any algorithm by its name, with the options of the player of this name; and solving a game."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from plyground.core.axes import Accepts
from plyground.core.game import Game, game_of
from plyground.core.limits import Limit
from plyground.core.registry import PLAYERS, split_spec
from plyground.errors import UnknownName, UnsuitableGame, suggestion
from plyground.games.reversi import on_8x8
from plyground.players import make_player, players_for
from plyground.players.player import Position
from plyground.players.search_player import SearchPlayer
from plyground.search.anytime import DEEPEST
from plyground.search.result import SearchResult

__all__ = ["search", "solve"]


def search(state: Any, algorithm: str = "alphabeta", *, game: Game | None = None, **options: Any) -> SearchResult:
    """What an algorithm finds from a state, within limits such as ``depth=9``, ``time=2.0`` or ``simulations=1000``.

    The algorithms and their options are those of the players that search, see ``plyground players``; without a limit
    theirs is used. The seed is 0 if none is given, so that the same call answers the same. The game is the one that
    was made with states of this type; where that is not clear, name it.

    >>> from plyground import make_game
    >>> found = search(make_game("nim:piles=3,2").initial, "alphabeta", depth=5)
    >>> found.action, found.value, found.line[0] == found.action, found.complete
    (1, 1.0, True, True)
    """
    name, _ = split_spec(algorithm)
    known = [option.name for option in PLAYERS.options(name)]
    for option in options:
        if option not in known:
            raise UnknownName(f"the search '{name}' has no option '{option}'{suggestion(option, known)}")
    game = game_of(state) if game is None else game
    player = PLAYERS.make(algorithm, game=game, **({"seed": 0} | options))
    player.accepts.check(name, game, players_for(game))
    if not isinstance(player, SearchPlayer):
        raise UnsuitableGame(f"the player {name} does not search; use {', '.join(_searches(game))}")
    return player.find(Position(game, state), Limit())


def solve(state: Any, *, game: Game | None = None) -> SearchResult:
    """The exact value of a state to the player to move, and a best line, however long that takes.

    For games of two players with zero sum and no chance: by alpha-beta to the end, Reversi by its engine.

    >>> from plyground import make_game
    >>> found = solve(make_game("nim:piles=3,2").initial)
    >>> found.value, found.line, found.complete
    (1.0, (1, 101, 1, 101, 1), True)
    """
    game = game_of(state) if game is None else game
    if obstacle := Accepts(players=(2,)).obstacle(game.axes):
        instead = "maxn" if game.axes.players > 2 or not game.axes.zero_sum else "expectiminimax"
        way = "the command plyground cfr" if game.axes.hidden else f'search(state, "{instead}")'
        raise UnsuitableGame(f"alpha-beta cannot solve {game.name}: {obstacle}; use {way} instead")
    if not on_8x8(game):
        return search(state, "alphabeta", game=game, depth=DEEPEST, deepening=False)
    from plyground.engines.reversi.engine import Engine

    found = Engine().search(state)
    value = float((found.value > 0) - (found.value < 0))
    return replace(found.result, value=value, values={found.move: value})


def _searches(game: Game) -> list[str]:
    """The searches that can be used for a game."""
    return [name for name in players_for(game) if isinstance(make_player(name, game), SearchPlayer)]
