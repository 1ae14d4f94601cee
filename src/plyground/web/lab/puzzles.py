"""Puzzles for their page: positions to look at, and what a move leads to."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from plyground.core.game import Game
from plyground.core.rules import action_text, result
from plyground.course.puzzles.puzzle import SETS, Puzzle, Variation, daily, puzzles
from plyground.engines.chess.ending_tables import MoveVerdict, bundled_tables
from plyground.errors import BadOption, IllegalAction
from plyground.native.compiling import interpreted
from plyground.web.games.positions import game_positions, position, started_game
from plyground.web.server.specs import allowed_game

__all__ = ["asked", "catalogue", "judged"]

LONGEST_LINE = 20
"""Moves that are shown of what refutes a move."""


def catalogue(day: str) -> dict[str, Any]:
    """The sets: how many stars each puzzle has, and which is the puzzle of the day."""
    when = date.fromisoformat(day)
    found = {game: puzzles(game) for game in SETS}
    return {
        "day": day,
        "sets": [
            {
                "game": game,
                "counts": SETS[game].counts,
                "depths": SETS[game].depths,
                "stars": [one.stars for one in some],
                "daily": daily(when, len(some)),
            }
            for game, some in found.items()
        ],
    }


def _find(game: str, number: int) -> Puzzle:
    found = puzzles(game)
    if not 0 <= number < len(found):
        raise BadOption(f"the puzzles of {game} have numbers from 0 to {len(found) - 1}, not {number}")
    return found[number]


def _moves(texts: tuple[str, ...]) -> str:
    return " ".join("pass" if text == "--" else text for text in texts)


def _begun(puzzle: Puzzle) -> Game:
    return started_game(allowed_game(puzzle.game), puzzle.start)


def asked(game: str, number: int) -> dict[str, Any]:
    """The position of a puzzle. What is right is not told."""
    puzzle = _find(game, number)
    made = _begun(puzzle)
    states, _, _ = game_positions(made, _moves(puzzle.moves))
    before = states[-2] if len(states) > 1 else None
    return {
        "stars": puzzle.stars,
        "moves": _moves(puzzle.moves),
        "board": puzzle.start,
        "mate": (puzzle.best.score + 1) // 2 if puzzle.start else None,
        "position": position(made, states[-1], len(states) - 1, before),
    }


def judged(game: str, number: int, move: str, before: Sequence[str] = ()) -> dict[str, Any]:
    """Whether a move is the best, and best play after it, position by position; after another than the best one this
    is what refutes it, and of the best one only the score is told: it can still be found.

    A mate is played to its end: `before` are the moves of both sides so far, and `reply` is the defender's.
    """
    puzzle = _find(game, number)
    if puzzle.start:
        return _judged_mate(puzzle, before, move)
    if before:
        raise BadOption(f"a puzzle of {game} is its first move; there is none before it")
    found = puzzle.find(move)
    if found is None:
        raise IllegalAction(f"{move[:20]} is not a legal move here")
    right = found is puzzle.best
    return {"right": right, "score": found.score, "best": puzzle.best.score, "line": _line(puzzle, found)}


def _judged_mate(puzzle: Puzzle, before: Sequence[str], move: str) -> dict[str, Any]:
    made, tables = _begun(puzzle), bundled_tables()
    states, history, _ = game_positions(made, " ".join([*before, move]))
    if len(history) != len(before) + 1 or len(before) % 2:
        raise IllegalAction("name the moves of both sides so far, and one move")
    state = states[-2]
    left = puzzle.best.score - len(before)
    with interpreted():
        found = {one.action: one for one in tables.moves(state)}
    if history[-1] not in found:
        raise IllegalAction("this position is not one of the endings that are known")
    best, tried = max(found.values(), key=_worth), found[history[-1]]
    right = tried.outcome > 0 and (tried.plies or 0) <= left
    score = tried.outcome * (tried.plies or 0)
    with interpreted():
        line = tables.line(states[-1])[:LONGEST_LINE]
        reply = line[:1] if right else []
        shown = [*history[len(before) :], *(line if not right else reply)]
    return {
        "right": right,
        "over": right and not reply,
        "score": score,
        "best": best.outcome * (best.plies or 0),
        "line": _told(made, history[: len(before)], shown),
    }


def _worth(one: MoveVerdict) -> float:
    """Greater for a better move: of two mates the quicker one."""
    return one.outcome - one.outcome * (one.plies or 0) / 1000


def _told(made: Game, before: Sequence[int], moves: Sequence[int]) -> list[dict[str, Any]]:
    """Moves that follow others, each with its position; the last one can be played on from."""
    with interpreted():
        states = [made.initial]
        for action in (*before, *moves):
            states.append(result(states[-1], action))
        first = len(before) + 1
        return [
            {
                "text": action_text(states[place - 1], (*before, *moves)[place - 1]),
                "position": position(made, states[place], place, states[place - 1], playable=place == len(states) - 1),
            }
            for place in range(first, len(states))
        ]


def _line(puzzle: Puzzle, variation: Variation) -> list[dict[str, Any]]:
    made = allowed_game(puzzle.game)
    states, _, texts = game_positions(made, _moves((*puzzle.moves, *variation.line)))
    first = len(game_positions(made, _moves(puzzle.moves))[0])
    return [
        {"text": texts[place - 1], "position": position(made, states[place], place, states[place - 1], playable=False)}
        for place in range(first, len(states))
    ]
