"""Players that a worker keeps ready, with their code compiled and their memory from move to move."""

from __future__ import annotations

import contextlib
from collections import OrderedDict

from plyground.core.game import Game
from plyground.players import Player, make_player
from plyground.web.server.events import Send
from plyground.web.server.specs import allowed_game

__all__ = ["compile_ahead", "prepared"]

KEPT_PLAYERS = 4
"""How many players a worker keeps prepared, those used last."""
_players: OrderedDict[tuple[str, str, int | None], tuple[Game, Player]] = OrderedDict()


def prepared(game_spec: str, player_spec: str, seed: int | None) -> tuple[Game, Player]:
    """A player that is ready for a game; it may have played other games before."""
    key = (game_spec, player_spec, seed)
    if key not in _players:
        while len(_players) >= KEPT_PLAYERS:
            _players.popitem(last=False)[1][1].close()
        game = allowed_game(game_spec)
        player = make_player(player_spec, game, seed)
        player.prepare(game)
        _players[key] = (game, player)
    _players.move_to_end(key)
    return _players[key]


def compile_ahead(send: Send, *, game: str, player: str) -> None:
    """Have on disk the machine code that a player needs for a game."""
    made = allowed_game(game)
    with contextlib.closing(make_player(player, made)) as chosen:
        chosen.prepare(made)
