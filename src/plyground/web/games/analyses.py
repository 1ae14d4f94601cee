"""Games judged move by move: by the game's engine, Reversi as ``plyground analyze`` does it; or by alpha-beta."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from plyground.core.game import Game
from plyground.core.limits import Limit
from plyground.core.rules import action_text, actions, to_move, utility
from plyground.engines.reversi.analysis import DEFAULT_DEPTH, JudgedMove, analyse, verdict
from plyground.engines.reversi.analysis_facts import game_facts, move_facts
from plyground.engines.reversi.openings import opening_name
from plyground.errors import BadOption, FormatError
from plyground.formats import Record, only_reversi, read_any, write_transcript
from plyground.formats.board import read_board, write_board
from plyground.formats.replay import START
from plyground.formats.transcript import read_transcript
from plyground.games.reversi import on_8x8, reversi
from plyground.native.compiling import interpreted
from plyground.players.engine import ScoredMove, Scores
from plyground.players.judging import loss_verdict
from plyground.players.reversi_engine import ReversiEnginePlayer
from plyground.web.games.hints import (
    DISCS,
    EVERY_LINE,
    UTILITIES,
    deepened_lines,
    engine_scores,
    hinting_player,
    unit_of,
)
from plyground.web.games.positions import game_positions, line_texts, opening_facts, position, started_game
from plyground.web.server.events import Send
from plyground.web.server.preparing import prepared
from plyground.web.server.specs import allowed_game

__all__ = ["analyse_game", "check_analysable", "opening_of", "record_positions", "scores_at", "verdict_of"]

SOLVED_FROM = 18
"""With this many empty squares or fewer a position of Reversi is solved, whatever the limit."""
HALVING_LOSS = 0.2
"""A loss of this utility halves the accuracy of a move."""


def analyse_game(
    send: Send, *, game: str, text: str, moves: str, board: str, time: float | None, depth: int | None, lines: int
) -> dict[str, Any]:
    """Send ``read``, a ``move`` for each move from the last to the first, and ``analysis`` at the end."""
    made = allowed_game(game)
    limit = Limit(time=time, depth=depth)
    if not on_8x8(made):
        return _analyse_any(send, started_game(made, board), game, moves or text, limit)
    record = _record(text, moves, board)
    with interpreted():
        texts = [action_text(record.start, action) for action in record.moves]
        said = {"transcript": write_transcript(record, passes=True), "moves": texts, "score": record.score}
    facts = {"game": game, "black": record.black, "white": record.white, **record_facts(record), **said}
    send({"event": "read", **facts, "positions": record_positions(record), "unit": DISCS})
    _, player = prepared(game, "engine", None)
    assert isinstance(player, ReversiEnginePlayer)
    engine = player.engine
    engine.clear()
    send({"event": "started"})

    def judged(move: JudgedMove) -> None:
        send({"event": "move", **move_facts(move), "ply": move.index})

    chosen = Limit(depth=DEFAULT_DEPTH) if limit == Limit() else limit
    analysis = analyse(record, engine, chosen, solved_from=SOLVED_FROM, lines=lines, on_move=judged)
    send({"event": "analysis", **game_facts(analysis), **opening_facts(opening_of(record)), "unit": DISCS})
    return {}


def _record(text: str, moves: str, board: str) -> Record:
    """The game that was sent: a pasted text in any format, or moves from a board."""
    with interpreted():
        if moves.strip() or not text.strip():
            start = read_board(board) if board.strip() else START
            return read_transcript(moves, start) if moves.strip() else Record(start=start)
        games = [item for item in only_reversi(read_any(text)) if isinstance(item, Record)]
    if not games:
        raise FormatError("there is no game in this text, only positions; ask for hints instead")
    return games[0]


def record_facts(record: Record) -> dict[str, Any]:
    """What is known of a game of Reversi besides its moves and its positions."""
    with interpreted():
        return {
            "date": record.date,
            "place": record.place,
            "start": write_board(record.start),
            "finished": record.finished,
            "discs": list(record.discs),
            "result": None if record.result is None else record.result.score,
            "evaluations": list(record.evaluations),
            "times": list(record.times),
            **opening_facts(opening_of(record)),
        }


def record_positions(record: Record) -> list[dict[str, Any]]:
    """The position before each move, and the last one."""
    with interpreted():
        states = record.states()
    return positions_of(reversi(), states)


def positions_of(game: Game, states: Sequence[Any], *, playable: bool = True) -> list[dict[str, Any]]:
    """The positions of a line of states."""
    befores = [None, *states[:-1]]
    return [
        position(game, state, ply, before, playable=playable)
        for ply, (state, before) in enumerate(zip(states, befores, strict=True))
    ]


def opening_of(record: Record) -> str | None:
    """The name of the opening, if the game has begun from the usual position."""
    with interpreted():
        return opening_name(record.moves) if record.start == START and record.moves else None


# Any game ---------------------------------------------------------------------------------------------------------


def check_analysable(game: Game) -> None:
    """`BadOption` unless moves of the game can be judged."""
    if game.axes.players != 2 or not game.axes.zero_sum or game.axes.chance or game.axes.hidden:
        needs = "two players who see everything, zero sum and no chance"
        raise BadOption(f"{game.name} cannot be analysed: it needs {needs}")


def scores_at(game: Game, spec: str, state: Any, history: list[int], limit: Limit, action: int) -> Scores:
    """What the moves of a position are worth, the one that was made among them, by whoever judges the game."""
    scores = None
    if hinting_player(game) == EVERY_LINE:
        for found, seen in deepened_lines(spec, state, history, limit):
            moves = tuple(ScoredMove(line[0], value, line, seen) for value, line in found.lines)
            scores = Scores(moves, found.depth, found.nodes)
    else:
        scores = engine_scores(spec, state, limit, action)
    assert scores is not None
    return scores


def verdict_of(game: Game, loss: float, choices: int, unit: str = UTILITIES) -> str:
    """What to call a move that loses so much, where there were so many to choose from."""
    if unit == DISCS:
        return verdict(round(loss), choices).value
    return loss_verdict(game, loss, choices)


def _analyse_any(send: Send, game: Game, spec: str, moves: str, limit: Limit) -> dict[str, Any]:
    check_analysable(game)
    states, history, texts = game_positions(game, moves)
    facts = {"game": spec, "moves": texts, **opening_facts(None), "unit": unit_of(game, UTILITIES)}
    send({"event": "read", **facts, "positions": positions_of(game, states)})
    prepared(spec, hinting_player(game), None)
    send({"event": "started"})
    allowed = Limit(time=0.5) if limit == Limit() else limit
    judged = []
    for index in reversed(range(len(history))):
        judged.append(_judged(game, spec, states, history, index, allowed))
        send({"event": "move", **judged[-1]})
    players = {seat: _play_of([move for move in judged if move["player"] == seat]) for seat in game.seats}
    values = _values(game, judged[::-1], states)
    send({"event": "analysis", **facts, "moves": judged[::-1], "values": values, "players": players})
    return {}


def _play_of(moves: list[dict[str, Any]]) -> dict[str, Any]:
    """How well a side has played where it had a choice, as `game_facts` says it of Reversi; losses are utilities."""
    losses = [move["loss"] for move in moves if move["choices"] > 1]
    shares = [100.0 * 2.0 ** (-loss / HALVING_LOSS) for loss in losses]
    counts = Counter(move["verdict"] for move in moves)
    return {
        "accuracy": sum(shares) / len(shares) if shares else None,
        "mean_loss": sum(losses) / len(losses) if losses else None,
        "decisions": len(losses),
        "inaccuracies": counts["inaccuracy"],
        "mistakes": counts["mistake"],
        "blunders": counts["blunder"],
    }


def _judged(game: Game, spec: str, states: list[Any], history: list[int], index: int, limit: Limit) -> dict[str, Any]:
    state, action = states[index], history[index]
    scores = scores_at(game, spec, state, history[:index], limit, action)
    best = scores.moves[0]
    played = next((move for move in scores.moves if move.action == action), best)
    loss = best.value - played.value
    with interpreted():
        choices, player = len(actions(state)), int(to_move(state))
    named = verdict_of(game, loss, choices)
    return {
        "number": index + 1,
        "ply": index,
        "player": game.seats[player],
        "move": action_text(state, action),
        "value": played.value,
        "plies": played.plies,
        "loss": loss,
        "verdict": "good" if named == "best" and played.plies != best.plies else named,
        "spoiled": None,
        "choices": choices,
        "best": {
            "move": action_text(state, best.action),
            "value": best.value,
            "plies": best.plies,
            "depth": scores.depth,
            "solved": best.exact,
            "line": line_texts(state, best.line),
            "nodes": scores.nodes,
        },
        "lines": [],
    }


def _values(game: Game, judged: list[dict[str, Any]], states: list[Any]) -> list[dict[str, Any]]:
    """What the positions are worth to the first player."""
    found = []
    with interpreted():
        for move in judged:
            sign = 1 if move["player"] == game.seats[0] else -1
            found.append({"moves": move["ply"], "first": sign * move["best"]["value"]})
        if not actions(states[-1]):
            found.append({"moves": len(judged), "first": float(utility(states[-1], 0))})
    return found
