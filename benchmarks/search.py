"""What each enhancement of alpha-beta saves: nodes and time to a fixed depth, one enhancement added at a time.

The same positions are searched to the same depth by every subject. The orders of moves, the table and principal
variation search keep the value. So does an order that knows the best moves beforehand, from a search that is not
counted: it shows how little is left for any order to save. The beam and the near window change the value, and say so.
Two more tables compare whole searches: nodes a second with nothing but an order of moves, and tic-tac-toe against
OpenSpiel's alpha-beta in Python, which visits the same 18,297 nodes as the plain one. A player's move costs more than
the search: threads keep the clock.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from benchmarks.harness import Comparison, Sample, Subject, timed
from benchmarks.minimax import openspiel_search
from benchmarks.peers import NO_OPENSPIEL, openspiel
from plyground import Budget, Game, Limit, actions, make_game, result
from plyground.native.randomness import random_below, stream
from plyground.players import Position, make_player
from plyground.search.alphabeta import AlphaBetaSettings, AlphaBetaVariant, alphabeta, new_memory
from plyground.search.alphabeta_search import AlphaBetaSearch
from plyground.search.mtdf import mtdf

__all__ = ["comparisons"]

PLAIN = "alpha-beta, plain"
CUTTING = "changes values"
GAMES = (
    # name, depth, the plies of random games that the positions stem from, margin of the near window, beam, table
    ("reversi", 8, (8, 12, 16, 20, 24, 28, 32, 36), 3 / 65, 5, 1 << 26),
    ("connect4", 9, (0, 4, 8, 12, 16, 20), 0.05, 4, 1 << 26),
    ("tictactoe", 9, (0, 1), 0.05, 4, 1 << 18),  # as large as the game: what does not fit into a cache is slow
)
BASELINE = "OpenSpiel alpha-beta in Python"


def comparisons() -> Iterator[Comparison]:
    """An ablation for each game, then the speed of whole searches."""
    for name, depth, plies, margin, beam, table in GAMES:
        game = make_game(name)
        positions = [_position(game, seed, count) for seed, count in enumerate(plies)]
        yield Comparison(
            f"{name}: nodes to depth {depth}, {len(positions)} positions",
            "nodes",
            PLAIN,
            tuple(_enhanced(game, positions, depth, margin, beam, table)),
            less=True,
        )
    reversi = make_game("reversi")
    yield Comparison(
        "reversi from the opening to depth 8, disc difference: nodes a second",
        "nodes",
        PLAIN,
        (
            Subject(PLAIN, timed(_speed(reversi, AlphaBetaVariant()), 200)),
            Subject("ordered by evaluation", timed(_speed(reversi, AlphaBetaVariant(by_evaluation=True)), 200)),
            Subject(
                "ordered by history and killers",
                timed(_speed(reversi, AlphaBetaVariant(history=True, killers=True)), 200),
            ),
        ),
    )
    spiel = openspiel()
    tictactoe = make_game("tictactoe")
    subjects = [
        Subject("plyground, plain, the same nodes", timed(_speed(tictactoe, AlphaBetaVariant(), 9, 1), 400)),
        Subject(
            "plyground, ordered by evaluation",
            timed(_speed(tictactoe, AlphaBetaVariant(by_evaluation=True), 9, 1), 600),
        ),
        Subject("a whole move of alphabeta, plain", timed(_move(tictactoe, "alphabeta:depth=9,order=none,tt=0"), 200)),
    ]
    if spiel is not None:
        subjects.append(Subject(BASELINE, timed(openspiel_search(spiel.load_game("tic_tac_toe"), 0.0, work=1), 5)))
    notes = () if spiel else (NO_OPENSPIEL,)
    yield Comparison("tictactoe: the whole search", "searches", BASELINE, tuple(subjects), notes)


def _position(game: Game, seed: int, plies: int) -> Any:
    rng, state = stream(seed, 3), game.initial
    for _ in range(plies):
        options = actions(state)
        state = result(state, options[random_below(rng, len(options))])
    return state


def _enhanced(game: Game, positions: list[Any], depth: int, margin: float, beam: int, table: int) -> Iterator[Subject]:
    """Each enhancement on top of those before it."""

    def subject(
        name: str, variant: AlphaBetaVariant, settings: AlphaBetaSettings, root: Any = None, *, foreknown: bool = False
    ) -> Subject:
        def run() -> Sample:
            nodes, seconds = 0, 0.0
            for state in positions:
                # A new one for each position: nothing is left in the table. Its memory is there before the clock runs.
                search = AlphaBetaSearch(game, variant, settings, table=table, root=root, reuse=foreknown)
                search.search(state, Limit(nodes=1))
                if foreknown:
                    search.search(state, Limit(depth=depth))
                    search.deepening = False
                    entries = search._memory.table
                    entries["depth"], entries["age"] = -1, np.abs(entries["age"])  # an order, and no answers
                found = search.search(state, Limit(depth=depth))
                nodes, seconds = nodes + found.nodes, seconds + found.time
            return Sample(nodes, seconds)

        return Subject(name, run)

    variant, settings = AlphaBetaVariant(), AlphaBetaSettings()
    yield subject(PLAIN, variant, settings)
    for name, *fields in (
        ("+ order by evaluation", "by_evaluation"),
        ("+ deepening, order by the last iteration", "previous"),
        ("+ killers and history", "killers", "history"),
        ("+ transposition table", "table"),
        ("+ principal variation search", "scout"),
    ):
        variant = replace(variant, **dict.fromkeys(fields, True))
        yield subject(name, variant, settings)
    narrow, few = settings._replace(beam=beam), settings._replace(margin=margin)
    yield subject(f"+ beam of {beam} ({CUTTING})", replace(variant, beam=True), narrow)
    foreseeing = subject(
        "those that keep the value, the best moves known beforehand", variant, settings, foreknown=True
    )
    variant = replace(variant, scout=False)
    yield subject(f"near window of {margin:.2g} instead of the last two ({CUTTING})", replace(variant, near=True), few)
    yield subject("MTD(f) instead of the last two", variant, settings, mtdf)
    yield foreseeing


def _speed(game: Game, variant: AlphaBetaVariant, depth: int = 8, work: int | None = None) -> Callable[[], float]:
    """One search from the start; the work is `work`, or else its nodes."""

    memory = new_memory(game)

    def job() -> float:
        budget = Budget()
        alphabeta(game.initial, depth, -math.inf, math.inf, 0, memory, AlphaBetaSettings(), variant, budget)
        return work or budget.nodes

    return job


def _move(game: Game, spec: str) -> Callable[[], float]:
    """One move of a player from the start."""
    player = make_player(spec, game, 1)

    def job() -> float:
        player.choose(Position(game, game.initial), Limit())
        return 1

    return job
