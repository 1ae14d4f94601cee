"""Making a set of puzzles: positions of self-play, solved exactly, of which those are kept that have one best move.

    python -m plyground.course.puzzles.making [--count 55] [--seed 1] [--out reversi.txt]

Beginners' levels of the engine play each other, so that there is something to find. The same seed gives the same set.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from plyground.core.files import write_file
from plyground.core.limits import Limit
from plyground.core.rules import actions, result
from plyground.course.puzzles.puzzle import MARGIN, Puzzle, Variation
from plyground.engines.reversi.engine import Engine
from plyground.engines.reversi.levels import find_level, play_level
from plyground.formats.replay import START
from plyground.games.reversi import PASS, Reversi
from plyground.native.randomness import random_below, stream

__all__ = ["make_puzzles", "stars"]

LEVELS = (6, 7, 8)
"""Who plays the games."""
EMPTIES = range(8, 17)
"""Empty squares of a puzzle."""
DEPTHS = (1, 2, 4, 6)
"""Plies of the searches that must find the move for the puzzle to be easy."""
LEAST_MOVES, LONGEST_LINE = 4, 8


def _name(move: int) -> str:
    return "--" if move == PASS else f"{'abcdefgh'[move % 8]}{move // 8 + 1}"


def _empties(state: Reversi) -> int:
    return 64 - (int(state.own) | int(state.opponent)).bit_count()


def stars(engine: Engine, state: Reversi, best: int) -> int:
    """How hard the best move is to find: a star, and one for each depth at which the engine would play another."""
    failed = 0
    for depth in DEPTHS:
        engine.clear()
        failed += engine.search(state, Limit(depth=depth)).move != best
    return 1 + failed


def _puzzle(engine: Engine, state: Reversi, moves: list[int]) -> Puzzle | None:
    """The position as a puzzle, if it is one."""
    if len(actions(state)) < LEAST_MOVES:
        return None
    engine.clear()
    reports = engine.score_moves(state)
    best, second = reports[0].value, reports[1].value
    if not all(report.exact for report in reports) or best < 0 or best - second < MARGIN:
        return None  # of what is lost anyway nobody wants to find the best
    variations = tuple(Variation(one.value, tuple(map(_name, one.line[:LONGEST_LINE]))) for one in reports)
    return Puzzle("reversi", stars(engine, state, reports[0].move), tuple(map(_name, moves)), variations)


def make_puzzles(seed: int) -> Iterator[Puzzle]:
    """Puzzles without end, at most one of each game."""
    engine, rng = Engine(), stream(seed)
    while True:
        state, moves = START, list[int]()
        wanted = EMPTIES[random_below(rng, len(EMPTIES))]
        while actions(state) and _empties(state) > wanted:
            engine.clear()
            level = find_level(LEVELS[random_below(rng, len(LEVELS))])
            move = play_level(engine, state, level, Limit(), rng).move
            moves.append(move)
            state = result(state, move)
        if actions(state) and actions(state) != [PASS] and (found := _puzzle(engine, state, moves)):
            yield found


def main() -> None:
    """Write a set, as many of each number of stars as there are room for."""
    parser = argparse.ArgumentParser(description="Make puzzles.")
    parser.add_argument("--count", type=int, default=55)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", default="reversi.txt")
    options = parser.parse_args()
    room = dict.fromkeys(range(1, 6), options.count // 5)
    kept: list[Puzzle] = []
    for puzzle in make_puzzles(options.seed):
        if room[puzzle.stars]:
            room[puzzle.stars] -= 1
            kept.append(puzzle)
            print(len(kept), puzzle.stars, flush=True)
        if not any(room.values()):
            break
    kept.sort(key=lambda puzzle: puzzle.stars)
    write_file(options.out, "".join(f"{puzzle.line()}\n" for puzzle in kept).encode())


if __name__ == "__main__":
    main()
