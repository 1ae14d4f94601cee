"""What every legal move of a position is worth, reported again and again as the search deepens."""

from __future__ import annotations

import time as clock
from collections.abc import Sequence
from typing import Any

from plyground.core.game import Game
from plyground.core.limits import Limit
from plyground.core.registry import split_spec
from plyground.core.rules import action_text, actions
from plyground.errors import IllegalAction
from plyground.native.compiling import interpreted
from plyground.players import PLAYERS, Position
from plyground.players.engine import EnginePlayer, ScoredMove, Scores
from plyground.players.player import Move
from plyground.web.games.positions import game_positions, line_texts, position, started_game
from plyground.web.server.events import Send
from plyground.web.server.preparing import prepared
from plyground.web.server.specs import allowed_game

__all__ = [
    "DISCS",
    "EVERY_LINE",
    "UTILITIES",
    "deepened_lines",
    "engine_scores",
    "give_hints",
    "hinting_player",
    "unit_of",
]

EVERY_LINE = "alphabeta:lines=400,tt=32MB,ties=first,time=3600"
"""A player that values every move of any game here; how long it may take is given each time."""
DISCS, UTILITIES, PAWNS = "discs", "utility", "pawns"
"""What values are counted in; with PAWNS they are utilities, and shown as what they say in pawns."""
FAMILY = ("alphabeta", "pvs")
LONGEST_LINE = 20
LATE = 0.8
"""A search that took this share of its time did not end by itself."""


def hinting_player(game: Game) -> str:
    """The player that values the moves of a game where nobody names another."""
    return EVERY_LINE if PLAYERS.make("engine", game=game).accepts.obstacle_in(game) else "engine"


def unit_of(game: Game, unit: str) -> str:
    """How values are to be shown that a search has counted in a unit."""
    return PAWNS if game.name == "chess" and unit == UTILITIES else unit


def give_hints(
    send: Send, *, game: str, moves: str, board: str, player: str, time: float, depth: int | None
) -> dict[str, Any]:
    """Send ``hints`` events as the search deepens: the position with the first of them."""
    begun = started_game(allowed_game(game), board)
    states, history, _ = game_positions(begun, moves)
    state = states[-1]
    with interpreted():
        if not actions(state):
            raise IllegalAction("the game is over: there is nothing to search")
    before = states[-2] if len(states) > 1 else None
    teller = _Teller(send, begun, state, position(begun, state, len(history), before))
    name = split_spec(player or hinting_player(begun))[0]
    limit = Limit(time=time, depth=depth)
    if name == "engine":
        _by_engine(teller, game, player or "engine", state, limit)
    elif name in FAMILY:
        _by_alphabeta(teller, game, player, state, history, limit)
    else:
        made, chooser = prepared(game, player, None)
        send({"event": "started"})
        choice = chooser.choose(Position(made, state, tuple(history)), limit)
        if isinstance(choice, Move):
            value: Any = choice.value  # None where a player says nothing of its moves, and so it is told
            move = ScoredMove(choice.action, value, choice.line, False)
            teller.tell([move], choice.depth, choice.nodes, UTILITIES)
    return {}


def _by_engine(teller: _Teller, game: str, player: str, state: Any, limit: Limit) -> None:
    _, chooser = prepared(game, player, None)
    assert isinstance(chooser, EnginePlayer)

    def told(scores: Scores) -> None:
        teller.tell(scores.moves, scores.depth, scores.nodes, scores.unit, scores.confidence)

    teller.send({"event": "started"})
    chooser.score_moves(state, limit, told)


def _by_alphabeta(teller: _Teller, game: str, player: str, state: Any, history: list[int], limit: Limit) -> None:
    spec = player if "lines=" in player else EVERY_LINE
    prepared(game, spec, None)
    teller.send({"event": "started"})
    for move, complete in deepened_lines(game, state, history, limit, spec):
        lines = [ScoredMove(line[0], value, line, complete) for value, line in move.lines]
        teller.tell(lines, move.depth, move.nodes, UTILITIES)


def deepened_lines(game: str, state: Any, history: list[int], limit: Limit, spec: str = EVERY_LINE) -> Any:
    """Ever deeper values of all moves, each with whether the whole rest of the game was seen."""
    made, chooser = prepared(game, spec, None)
    deadline = clock.monotonic() + (limit.time or 0.0)
    depth = 0
    while limit.depth is None or depth < limit.depth:
        depth += 1
        start = clock.monotonic()
        left = None if limit.time is None else max(0.01, deadline - start)
        choice = chooser.choose(Position(made, state, tuple(history)), Limit(time=left, depth=depth))
        # A player stops a little before its time is over: one that has used most of it has not seen everything.
        late = left is not None and clock.monotonic() - start >= LATE * left
        if not isinstance(choice, Move) or (late and (choice.depth or 0) < depth and depth > 1):
            return
        complete = (choice.depth or 0) < depth and not late
        yield choice, complete
        if complete or late:
            return


def engine_scores(game: str, state: Any, limit: Limit, played: int) -> Scores:
    """What the game's engine says of all moves, that which was `played` among them."""
    _, chooser = prepared(game, "engine", None)
    assert isinstance(chooser, EnginePlayer)
    return chooser.score_moves(state, limit, also=(played,))


class _Teller:
    """Makes events of what a search has found."""

    def __init__(self, send: Send, game: Game, state: Any, shown: dict[str, Any]) -> None:
        self.send, self._state, self._game = send, state, game
        self._first: dict[str, Any] = {"position": shown}
        self._cells = {legal["action"]: legal["cell"] for legal in shown["legal"]}

    def tell(
        self,
        moves: Sequence[ScoredMove],
        depth: int | None,
        nodes: int | None,
        unit: str,
        confidence: str | None = None,
    ) -> None:
        """One event, of all these moves."""
        with interpreted():
            hints = [
                {
                    "action": int(move.action),
                    "text": action_text(self._state, move.action),
                    "cell": self._cells.get(int(move.action)),
                    "value": move.value,
                    "exact": move.exact,
                    "plies": move.plies,
                    "depth": depth,
                    "line": line_texts(self._state, move.line[:LONGEST_LINE]),
                }
                for move in moves
            ]
        facts = {
            "hints": hints,
            "depth": depth,
            "nodes": nodes,
            "confidence": confidence,
            "unit": unit_of(self._game, unit),
        }
        self.send({"event": "hints", **self._first, **facts})
        self._first = {}
