"""Players that a worker keeps ready, with their code compiled and their memory from move to move.

Somebody's program is kept for one game and one seat alone, as a referee would: what it remembers is of that game, and a
file that was edited is read anew for the next one.
"""

from __future__ import annotations

import contextlib
from collections import OrderedDict
from collections.abc import Iterator

from plyground.arena.hall import has_files, seat_player
from plyground.core.game import Game
from plyground.players import Player, make_player
from plyground.web.server.events import Send
from plyground.web.server.specs import allowed_game, cage_mode, own_spec

__all__ = ["compile_ahead", "leave_table", "prepared", "seated"]

KEPT_PLAYERS = 4
"""How many players a worker keeps prepared, those used last."""
_players: OrderedDict[tuple[str, str, int | None], tuple[Game, Player]] = OrderedDict()
_seated: OrderedDict[tuple[str, int], Player] = OrderedDict()
"""Somebody's programs, by the game that they play and the seat that they have there."""


def prepared(game_spec: str, player_spec: str, seed: int | None) -> tuple[Game, Player]:
    """A player that is ready for a game; it may have played other games before."""
    key = (game_spec, player_spec, seed)
    if key not in _players:
        while len(_players) >= KEPT_PLAYERS:
            _players.popitem(last=False)[1][1].close()
        game = allowed_game(game_spec)
        player = make_player(own_spec(player_spec) or player_spec, game, seed)
        player.prepare(game)
        _players[key] = (game, player)
    _players.move_to_end(key)
    return _players[key]


@contextlib.contextmanager
def seated(game: Game, spec: str, seed: int | None, table: str, seat: int) -> Iterator[Player]:
    """Somebody's program behind its wall, in its seat of a game, where it stays; without a `table` until the end.

    `PlygroundError` if it does not start. One that fails leaves its seat.
    """
    key = (table, seat)
    player = _seated.pop(key, None)
    if player is None:
        player = seat_player(spec, game, seed, cage=cage_mode())
    try:
        yield player
    except BaseException:
        player.close()
        raise
    if not table:
        player.close()
        return
    _seated[key] = player
    while len(_seated) > KEPT_PLAYERS:
        _seated.popitem(last=False)[1].close()


def leave_table(send: Send, *, table: str) -> None:
    """The game is over, or nobody is there: its programs end."""
    for key in [key for key in _seated if key[0] == table]:
        _seated.pop(key).close()


def compile_ahead(send: Send, *, game: str, player: str) -> None:
    """Have on disk the machine code that a player needs for a game; somebody's program is not run for that."""
    made, spec = allowed_game(game), own_spec(player) or player
    if has_files(spec):
        return
    with contextlib.closing(make_player(spec, made)) as chosen:
        chosen.prepare(made)
