"""Making a set of puzzles: positions of self-play, solved exactly, of which those are kept that have one best move.

    python -m plyground.course.puzzles.making connect4 [--count 55] [--seed 1] [--out connect4.txt]

Middling levels of the game's engine play each other, so that there is something to find. Of chess they are mates from
the endgame tables. The same seed gives the same set.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from plyground.core.files import write_file
from plyground.core.grid import EMPTY
from plyground.core.limits import Limit
from plyground.core.rules import action_code, action_text, actions, grid, result
from plyground.course.puzzles.puzzle import SETS, Puzzle, Variation, kind_of
from plyground.engines.chess.ending_puzzles import mate_puzzles
from plyground.engines.chess.ending_tables import bundled_tables
from plyground.engines.connect4 import engine as connect4_engine
from plyground.engines.connect4 import levels as connect4_levels
from plyground.engines.reversi import engine as reversi_engine
from plyground.engines.reversi import levels as reversi_levels
from plyground.games import make_game
from plyground.games.chess import read_fen
from plyground.native.randomness import random_below, stream
from plyground.search.alphabeta import AlphaBetaVariant, settings_for
from plyground.search.alphabeta_search import AlphaBetaSearch

__all__ = ["SOURCES", "Source", "make_puzzles", "stars"]

LEAST_MOVES = 4


def _discs(report: Any) -> int:
    return int(report.value)


def _plies(report: Any) -> int:
    return int(report.value) * int(report.plies)


def _wanted(scores: list[int]) -> bool:
    """Whether the position asks for more than to see that somebody has three in a line."""
    return scores[0] != 1 and sum(score == -2 for score in scores) < len(scores) - 2


@dataclass(frozen=True)
class Source:
    """Where the puzzles of a game come from.

    The engine and its levels are modules with an `Engine` and a `play_level`. `playing` are the levels that play,
    `empty` how many cells of a puzzle may be empty, `score` what a report says in the units of the game's `Kind`, and
    `wanted` whether a position with these scores, the best first, is worth asking. Lines are at most `longest` moves.
    """

    engine: ModuleType
    levels: ModuleType
    playing: tuple[int, ...]
    empty: range
    score: Callable[[Any], int]
    wanted: Callable[[list[int]], bool]
    longest: int


SOURCES = {
    # Of what is lost anyway nobody wants to find the best.
    "reversi": Source(reversi_engine, reversi_levels, (6, 7, 8), range(8, 17), _discs, lambda _: True, 8),
    "connect4": Source(connect4_engine, connect4_levels, (4, 5, 6, 7), range(12, 31), _plies, _wanted, 16),
}


def _name(state: Any, move: int) -> str:
    text = action_text(state, move)
    return "--" if text == "pass" else text


def _empty(state: Any) -> int:
    board = grid(state)
    return sum(row.count(EMPTY) for row in board.cells) if board else 0


def stars(engine: Any, state: Any, best: int, depths: tuple[int, ...]) -> int:
    """How hard the best move is to find: a star, and one for each depth at which the engine would play another."""
    failed = 0
    for depth in depths:
        engine.clear()
        failed += engine.search(state, Limit(depth=depth)).move != best
    return 1 + failed


def _line(engine: Any, state: Any, report: Any, longest: int) -> tuple[str, ...]:
    """Best play after a move, the move first: what the engine tells, and on from there."""
    told: list[str] = []
    line = list(report.line)
    while line and len(told) < longest:
        move = line.pop(0)
        told.append(_name(state, move))
        state = result(state, move)
        if not line and actions(state):
            line = list(engine.search(state).line)
    return tuple(told)


def _puzzle(game: str, engine: Any, state: Any, moves: tuple[str, ...]) -> Puzzle | None:
    """The position as a puzzle, if it is one."""
    source, kind = SOURCES[game], kind_of(game)
    if len(actions(state)) < LEAST_MOVES:
        return None
    engine.clear()
    reports = engine.score_moves(state)
    if not all(report.exact for report in reports):
        return None
    scores = [source.score(report) for report in reports]
    if scores[0] < 0 or not all(kind.only(scores[0], other) for other in scores[1:]) or not source.wanted(scores):
        return None
    lines = (_line(engine, state, report, source.longest) for report in reports)
    variations = tuple(Variation(score, line) for score, line in zip(scores, lines, strict=True))
    return Puzzle(game, stars(engine, state, reports[0].move, kind.depths), moves, variations)


MATES = tuple((ending, moves) for moves in range(2, 7) for ending in ("KQK", "KRK", "KPK", "KBBK", "KBNK"))
"""Endings of chess, and in how many moves there is a mate."""
LONGEST_MATE = 12


def _mates(seed: int) -> Iterator[Puzzle]:
    """Mates from the endgame tables, one of each kind after the other."""
    kind, game = kind_of("chess"), make_game("chess")
    search = AlphaBetaSearch(game, AlphaBetaVariant(), settings_for(game))
    tables = bundled_tables()
    sources = [mate_puzzles(ending, moves, seed) for ending, moves in MATES]
    while True:
        for source in sources:
            mate = next(source)
            state = read_fen(mate.fen)
            best = next(action for action in actions(state) if action_code(state, action) == mate.best.uci)
            failed = sum(search.search(state, Limit(depth=depth)).action != best for depth in kind.depths)
            variations = []
            for one in mate.tries:
                after = result(state, next(move for move in actions(state) if action_code(state, move) == one.uci))
                line, here = [one.uci], after
                for action in tables.line(after)[: LONGEST_MATE - 1]:
                    line.append(action_code(here, action))
                    here = result(here, action)
                variations.append(Variation(one.outcome * (one.plies or 0), tuple(line)))
            yield Puzzle("chess", 1 + failed, (), tuple(variations), mate.fen)


def make_puzzles(game: str, seed: int) -> Iterator[Puzzle]:
    """Puzzles without end, at most one of each game."""
    if game == "chess":
        yield from _mates(seed)
        return
    source = SOURCES[game]
    engine, rng, start = source.engine.Engine(), stream(seed), make_game(game).initial
    while True:
        state, moves = start, list[str]()
        wanted = source.empty[random_below(rng, len(source.empty))]
        while actions(state) and _empty(state) > wanted:
            engine.clear()
            level = source.levels.find_level(source.playing[random_below(rng, len(source.playing))])
            move = source.levels.play_level(engine, state, level, Limit(), rng).move
            moves.append(_name(state, move))
            state = result(state, move)
        if actions(state) and (found := _puzzle(game, engine, state, tuple(moves))):
            yield found


def main() -> None:
    """Write a set, as many of each number of stars as there are room for."""
    parser = argparse.ArgumentParser(description="Make puzzles.")
    parser.add_argument("game", choices=sorted(SETS))
    parser.add_argument("--count", type=int, default=55)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", help="GAME.txt if it is not said")
    options = parser.parse_args()
    room = dict.fromkeys(range(1, 6), options.count // 5)
    kept: list[Puzzle] = []
    for puzzle in make_puzzles(options.game, options.seed):
        if room[puzzle.stars]:
            room[puzzle.stars] -= 1
            kept.append(puzzle)
            print(len(kept), puzzle.stars, flush=True)
        if not any(room.values()):
            break
    kept.sort(key=lambda puzzle: puzzle.stars)
    write_file(options.out or f"{options.game}.txt", "".join(f"{puzzle.line()}\n" for puzzle in kept).encode())


if __name__ == "__main__":
    main()
