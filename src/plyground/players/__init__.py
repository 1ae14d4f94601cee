"""Players: something that chooses moves within a limit, made from a spec such as ``minimax:depth=9``."""

from __future__ import annotations

from collections.abc import Iterator

from plyground.core.game import Game
from plyground.core.registry import Registry, split_spec
from plyground.players.player import Choice, Move, Player, Position, Resign, TakeBack

__all__ = [
    "PLAYERS",
    "Choice",
    "Move",
    "Player",
    "Position",
    "Resign",
    "TakeBack",
    "default_opponent",
    "make_player",
    "players_for",
]

PLAYERS: Registry[Player] = Registry("player")
PLAYERS.add("human", "plyground.players.human:human")
PLAYERS.add("random", "plyground.players.random:random")
PLAYERS.add("paranoid", "plyground.players.maxn:paranoid")
PLAYERS.add("maxn", "plyground.players.maxn:maxn")
PLAYERS.add("expectiminimax", "plyground.players.expectiminimax:expectiminimax")
PLAYERS.add("flat", "plyground.players.mcts:flat")
PLAYERS.add("mcts", "plyground.players.mcts:mcts")
PLAYERS.add("minimax", "plyground.players.minimax:minimax")
PLAYERS.add("mtdf", "plyground.players.alphabeta:mtdf")
PLAYERS.add("pvs", "plyground.players.alphabeta:pvs")
PLAYERS.add("alphabeta", "plyground.players.alphabeta:alphabeta")
PLAYERS.add("pimc", "plyground.players.determinised:pimc")
PLAYERS.add("ismcts", "plyground.players.determinised:ismcts")
PLAYERS.add("gunner", "plyground.subjects.battleship.gunner:gunner")
PLAYERS.add("cfr", "plyground.players.cfr:cfr")
PLAYERS.add("book", "plyground.players.book:book")
PLAYERS.add("believer", "plyground.subjects.pacman.believer:believer")
PLAYERS.add("gtp", "plyground.protocols.gtp:gtp")
PLAYERS.add("nboard", "plyground.protocols.nboard:nboard")
PLAYERS.add("course", "plyground.protocols.course_player:course")
PLAYERS.add("aima", "plyground.protocols.aima:aima_player")
PLAYERS.add("alphago", "plyground.players.alphago:alphago")
PLAYERS.add("minialphago", "plyground.players.minialphago:minialphago")
PLAYERS.add("engine", "plyground.players.engine:engine")


def make_player(spec: str, game: Game | None = None, seed: int | None = None) -> Player:
    """The player of a spec; with a game, one that has been checked to be able to play it.

    `seed` is used where the spec itself gives none.
    """
    name, _ = split_spec(spec)
    player = PLAYERS.make(spec, **({} if seed is None else {"seed": seed}))
    player.spec = spec
    if game is not None:
        player.accepts.check(name, game, players_for(game))
    return player


def players_for(game: Game) -> Iterator[str]:
    """The names of the players that can play a game and need no options, strongest kind last registered first."""
    for name in reversed(list(PLAYERS)):
        if any(option.required for option in PLAYERS.options(name)):
            continue
        if PLAYERS.factory(name)().accepts.obstacle_in(game) is None:
            yield name


def default_opponent(game: Game) -> str:
    """The player that people meet when they name none."""
    return game.opponent or next(name for name in players_for(game) if name != "human")
