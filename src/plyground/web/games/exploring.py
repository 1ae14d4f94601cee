"""The opening explorer: what the book and the games of the database know of the moves of a position."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from plyground.arena.explorer import PLIES, Explorer, count_moves
from plyground.core.game import Game
from plyground.core.rules import action_text, actions, result
from plyground.engines.reversi.book import load_book
from plyground.engines.reversi.openings import position_name
from plyground.errors import DatabaseError
from plyground.games.reversi import on_8x8
from plyground.native.compiling import interpreted
from plyground.players.connect4_engine import ConnectFourEnginePlayer
from plyground.web.games.hints import DISCS, UTILITIES, hinting_player
from plyground.web.games.positions import game_positions, opening_facts, started_game
from plyground.web.server.events import Send
from plyground.web.server.preparing import prepared
from plyground.web.server.specs import allowed_game

__all__ = ["explore"]

COUNTING, QUICK = 2.0, 0.2
"""Seconds in which new games are counted before what is known so far is answered, to whoever has seen an answer already
and to whoever has not."""


def explore(
    send: Send,
    *,
    game: str,
    moves: str,
    board: str,
    patient: bool,
    database: str,
    own: list[tuple[list[int], list[float]]],
) -> dict[str, Any]:
    """The moves of a position that anybody knows of: their value in the book, what they are called, how they ended.

    A value is for the side to move. `games` says how many games of the database are counted, and how many there are;
    None where they cannot be. Of each move `others` and `here` are the games that the first player has won, the draws,
    those that the second player has won, and those without a known end. `own` are the visitor's games, each its actions
    and returns; `mine` counts them.
    """
    made = allowed_game(game)
    states, history, _ = game_positions(started_game(made, board), moves)
    state = states[-1]
    values, unit = _book(made, game, state)
    names = _names(made, state)
    counted, counts = _counts(made, state, database, COUNTING if patient else QUICK)
    mine = count_moves(made, state, own) if own and made.axes.players == 2 else {}
    with interpreted():
        texts = {action: action_text(state, action) for action in actions(state)}
    rows: list[dict[str, Any]] = [
        {
            "action": action,
            "text": text,
            "value": values.get(action),
            **opening_facts(names.get(action)),
            "others": list(counts[action][0] if action in counts else (0, 0, 0, 0)),
            "here": list(counts[action][1] if action in counts else (0, 0, 0, 0)),
            "mine": list(mine.get(action, (0, 0, 0, 0))),
        }
        for action, text in texts.items()
        if action in values or action in names or action in counts or action in mine
    ]
    rows.sort(key=lambda row: (-sum(row["others"]) - sum(row["here"]), -(row["value"] or 0.0), row["action"]))
    return {"moves": rows, "unit": unit, "games": counted, "plies": PLIES, "ply": len(history)}


def _book(made: Game, spec: str, state: Any) -> tuple[dict[int, float], str]:
    """What a book that comes with the game says of the moves, for the side to move, and in what."""
    if on_8x8(made):
        known = load_book().find(state)
        return ({} if known is None else {move.action: move.value for move in known.moves}), DISCS
    if made.name == "connect4" and hinting_player(made) == "engine":
        _, player = prepared(spec, "engine", None)
        assert isinstance(player, ConnectFourEnginePlayer)
        return player.engine(int(state.columns), int(state.rows)).by_heart(state), UTILITIES
    return {}, UTILITIES


def _names(made: Game, state: Any) -> dict[int, str]:
    if not on_8x8(made):
        return {}
    with interpreted():
        found = {action: position_name(result(state, action)) for action in actions(state)}
    return {action: name for action, name in found.items() if name}


def _counts(made: Game, state: Any, database: str, seconds: float) -> tuple[dict[str, int] | None, dict[int, Any]]:
    path = Path(database)
    if not path.is_file() or made.axes.players != 2:
        return {"counted": 0, "total": 0}, {}
    try:
        with Explorer(path) as explorer:
            counted, total = explorer.count(made, seconds)
            return {"counted": counted, "total": total}, explorer.moves(made, state)
    except DatabaseError:  # what the book knows can be shown all the same
        return None, {}
