"""Players that a worker keeps ready, with their code compiled and their memory from move to move.

Somebody's program is kept for one game and one seat alone, as a referee would: what it remembers is of that game, and a
file that was edited is read anew for the next one.
"""

from __future__ import annotations

import contextlib
from collections import OrderedDict
from collections.abc import Iterator

from plyground.arena.copies import Copies, named_files
from plyground.arena.hall import has_files, seat_player
from plyground.core.game import Game
from plyground.core.registry import split_spec
from plyground.players import Player, make_player
from plyground.web.server.events import Send
from plyground.web.server.specs import allowed_game, cage_mode, lone_files, own_spec

__all__ = ["compile_ahead", "leave_table", "prepared", "seated"]

KEPT_PLAYERS = 4
"""How many players a worker keeps prepared, those used last."""
_players: OrderedDict[tuple[str, str, int | None], tuple[Game, Player]] = OrderedDict()
_seated: OrderedDict[tuple[str, int], tuple[Player, contextlib.ExitStack]] = OrderedDict()
"""Somebody's programs, by the game that they play and the seat that they have there, each with what ends it."""


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
    player, end = _seated.pop(key) if key in _seated else _seat(spec, game, seed)
    try:
        yield player
    except BaseException:
        end.close()
        raise
    if not table:
        end.close()
        return
    _seated[key] = player, end
    while len(_seated) > KEPT_PLAYERS:
        _seated.popitem(last=False)[1][1].close()


def _seat(spec: str, game: Game, seed: int | None) -> tuple[Player, contextlib.ExitStack]:
    """The program, and what ends it. A hand-in that is a single file of the class's folder gets a folder of its own."""
    with contextlib.ExitStack() as stack:
        kept = None
        if lone_files().intersection(named_files(split_spec(spec)[1])):
            copies = stack.enter_context(Copies([spec], lone_files()))
            spec, kept = copies.specs[0], copies.kept[0]
        player = seat_player(spec, game, seed, cage=cage_mode(), kept=kept)
        stack.callback(player.close)
        return player, stack.pop_all()


def leave_table(send: Send, *, table: str) -> None:
    """The game is over, or nobody is there: its programs end."""
    for key in [key for key in _seated if key[0] == table]:
        _seated.pop(key)[1].close()


def compile_ahead(send: Send, *, game: str, player: str) -> None:
    """Have on disk the machine code that a player needs for a game; somebody's program is not run for that."""
    made, spec = allowed_game(game), own_spec(player) or player
    if has_files(spec):
        return
    with contextlib.closing(make_player(spec, made)) as chosen:
        chosen.prepare(made)
