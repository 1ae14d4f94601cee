"""Players: something that chooses moves within a limit, made from a spec such as ``minimax:depth=9``."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from plyground.core.game import Game
from plyground.core.limits import Limit
from plyground.core.registry import PLAYERS, split_spec
from plyground.players.player import Choice, Move, Player, Position, Resign, TakeBack

__all__ = [
    "PLAYERS",
    "Choice",
    "Move",
    "Player",
    "Position",
    "Resign",
    "TakeBack",
    "answering",
    "default_opponent",
    "make_player",
    "players_for",
]


def make_player(spec: str, game: Game | None = None, seed: int | None = None) -> Player:
    """The player of a spec; with a game, one that has been checked to be able to play it.

    `seed` is used where the spec itself gives none.
    """
    name, _ = split_spec(spec)
    player: Player = PLAYERS.make(spec, game=game, **({} if seed is None else {"seed": seed}))
    player.spec = spec
    if game is not None:
        player.accepts.check(name, game, players_for(game))
        player.game = game
    return player


def answering(spec: str, game: Game, seed: int | None = None) -> Callable[[Any, tuple[int, ...]], int]:
    """A player as a function: what it plays in a state, after a history of actions."""
    player = make_player(spec, game, seed)
    player.prepare(game)

    def answer(state: Any, history: tuple[int, ...]) -> int:
        chosen = player.choose(Position(game, state, history), Limit())
        assert isinstance(chosen, Move)
        return chosen.action

    return answer


def players_for(game: Game) -> Iterator[str]:
    """The names of the players that can play a game and need no options, strongest kind last registered first."""
    for name in reversed(list(PLAYERS)):
        if any(option.required for option in PLAYERS.options(name)):
            continue
        if PLAYERS.make(name, game=game).accepts.obstacle_in(game) is None:
            yield name


def default_opponent(game: Game) -> str:
    """The player that people meet when they name none."""
    return game.opponent or next(name for name in players_for(game) if name != "human")
