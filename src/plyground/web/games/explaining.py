"""Why a move was good or bad: what the search has seen after it, after the best move, and how the two differ.

Nothing is said that was not searched: both moves are searched to the same depth, each with the line that the search
expects, and what is counted is counted on the boards of these lines.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from plyground.core.game import Game
from plyground.core.limits import Limit
from plyground.core.rules import action_text, actions, evaluation, grid, result, to_move, utility
from plyground.engines.reversi.analysis_facts import board_counts
from plyground.errors import IllegalAction
from plyground.games.reversi import on_8x8
from plyground.native.compiling import interpreted
from plyground.players.engine import ScoredMove
from plyground.web.games.analyses import check_analysable, positions_of, scores_at, verdict_of
from plyground.web.games.hints import hinting_player, unit_of
from plyground.web.games.positions import game_positions, line_texts, started_game
from plyground.web.server.events import Send
from plyground.web.server.preparing import prepared
from plyground.web.server.specs import allowed_game

__all__ = ["explain_move"]

LONGEST_LINE = 16
"""Moves of a line that are shown."""
MANY = 300
"""With more legal moves than this nobody looks for one that wins at once."""


def explain_move(send: Send, *, game: str, moves: str, board: str, time: float) -> dict[str, Any]:
    """Send ``explanation``, of the last of the moves."""
    made = started_game(allowed_game(game), board)
    check_analysable(made)
    states, history, _ = game_positions(made, moves)
    if not history:
        raise IllegalAction("there is no move to explain yet: play one first")
    prepared(game, hinting_player(made), None)
    send({"event": "started"})
    explainer = _Explainer(made, game, states[-2], history[:-1], time)
    send({"event": "explanation", **explainer.facts(history[-1])})
    return {}


@dataclass
class _Explainer:
    """Looks at one position, in which somebody has made a move."""

    game: Game
    spec: str
    state: Any
    history: list[int]
    time: float

    def facts(self, action: int) -> dict[str, Any]:
        """All that is to be said of a move."""
        scores = scores_at(self.game, self.spec, self.state, self.history, Limit(time=self.time), action)
        best = scores.moves[0]
        played = next((move for move in scores.moves if move.action == action), best)
        if played.value >= best.value and played.plies == best.plies:
            best = played
        with interpreted():
            choices, mover = len(actions(self.state)), int(to_move(self.state))
        lines = {"played": self._line(played, scores.depth, scores.nodes > 0)}
        if best is not played:
            lines["best"] = self._line(best, scores.depth, scores.nodes > 0)
        told = {name: self._told(line, lines.values()) for name, line in lines.items()}
        loss = best.value - played.value
        return {
            "ply": len(self.history),
            "mover": mover,
            "choices": choices,
            "depth": scores.depth,
            "nodes": scores.nodes,
            "unit": unit_of(self.game, scores.unit),
            "loss": loss,
            "verdict": verdict_of(self.game, loss, choices, scores.unit),
            "played": told["played"],
            "best": told.get("best"),
        }

    def _line(self, move: ScoredMove, depth: int, searched: bool) -> _SeenLine:
        """What the search expects after a move; where it has kept no line, it is searched once more from there."""
        line = list(move.line[:LONGEST_LINE])
        with interpreted():
            after = result(self.state, move.action)
            over = not actions(after)
        if len(line) < 2 and not over and depth > 1 and searched:
            with interpreted():
                reply = actions(after)[0]
            limit = Limit(time=self.time / 2, depth=depth - 1)
            found = scores_at(self.game, self.spec, after, [*self.history, move.action], limit, reply)
            line = [move.action, *found.moves[0].line[: LONGEST_LINE - 1]]
        with interpreted():
            states = [self.state]
            for action in line:
                states.append(result(states[-1], action))
        return _SeenLine(move, line, states)

    def _told(self, line: _SeenLine, lines: Any) -> dict[str, Any]:
        # Where the other line is shorter, both are compared where it ends: later the boards are not alike.
        common = min(len(other.actions) for other in lines)
        move = line.move
        with interpreted():
            text = action_text(self.state, move.action)
        return {
            "move": text,
            "value": move.value,
            "exact": move.exact,
            "plies": move.plies,
            "line": line_texts(self.state, line.actions),
            "positions": positions_of(self.game, line.states, playable=False),
            "compared": common,
            "counts": self._counts(line.states[common]),
            "wins": self._wins(line.states[1]),
        }

    def _counts(self, state: Any) -> dict[str, list[float]]:
        """What can be counted on a board, for each of the two players."""
        if on_8x8(self.game):
            return board_counts(state)
        with interpreted():
            board = grid(state)
            found = {}
            if board is not None and board.style == "boxes":
                found["boxes"] = [float(sum(row.count(mark) for row in board.cells)) for mark in board.symbols[:2]]
            if actions(state) and evaluation.implementation(type(state)) is not evaluation.default:
                worth = float(evaluation(state))
                found["guess"] = [worth, -worth] if int(to_move(state)) == 0 else [-worth, worth]
        return found

    def _wins(self, state: Any) -> list[str]:
        """The replies that win at once."""
        with interpreted():
            options = actions(state)
            if len(options) > MANY:
                return []
            mover, high = (int(to_move(state)), self.game.utilities[1]) if options else (0, 0.0)
            afters: Sequence[tuple[int, Any]] = [(option, result(state, option)) for option in options]
            return [
                action_text(state, option)
                for option, after in afters
                if not actions(after) and float(utility(after, mover)) >= high
            ]


@dataclass(frozen=True)
class _SeenLine:
    """A move, the line that begins with it, and its boards: before the move, and after each."""

    move: ScoredMove
    actions: list[int]
    states: list[Any]
