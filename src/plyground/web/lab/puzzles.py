"""Puzzles for their page: positions to look at, and what a move leads to."""

from __future__ import annotations

from datetime import date
from typing import Any

from plyground.course.puzzles.puzzle import SETS, Puzzle, Variation, daily, puzzles
from plyground.errors import BadOption, IllegalAction
from plyground.web.games.positions import game_positions, position
from plyground.web.server.specs import allowed_game

__all__ = ["asked", "catalogue", "judged"]


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


def asked(game: str, number: int) -> dict[str, Any]:
    """The position of a puzzle. What is right is not told."""
    puzzle = _find(game, number)
    made = allowed_game(game)
    states, _, _ = game_positions(made, _moves(puzzle.moves))
    before = states[-2] if len(states) > 1 else None
    return {
        "stars": puzzle.stars,
        "moves": _moves(puzzle.moves),
        "position": position(made, states[-1], len(states) - 1, before),
    }


def judged(game: str, number: int, move: str) -> dict[str, Any]:
    """Whether a move is the best, and best play after it, position by position; after another than the best one this
    is what refutes it, and of the best one only the score is told: it can still be found.
    """
    puzzle = _find(game, number)
    found = puzzle.find(move)
    if found is None:
        raise IllegalAction(f"{move[:20]} is not a legal move here")
    right = found is puzzle.best
    return {"right": right, "score": found.score, "best": puzzle.best.score, "line": _line(puzzle, found)}


def _line(puzzle: Puzzle, variation: Variation) -> list[dict[str, Any]]:
    made = allowed_game(puzzle.game)
    states, _, texts = game_positions(made, _moves((*puzzle.moves, *variation.line)))
    first = len(game_positions(made, _moves(puzzle.moves))[0])
    return [
        {"text": texts[place - 1], "position": position(made, states[place], place, states[place - 1], playable=False)}
        for place in range(first, len(states))
    ]
