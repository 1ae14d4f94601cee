"""Retrograde analysis: every position that can be reached, solved from the end of the game backwards.

    1. Enumerate the positions, equal ones and symmetric ones once, and note which lead to which.
    2. The ends of the game have their value. Go from them to the positions before, best value first:
       a position in which the winner of this value moves has it as soon as one successor has it;
       a position in which the loser moves has it when all successors are at least as bad for the loser.
    3. What is never reached is a draw: neither side can force an end, so the game may go round in circles for ever.

Unlike a search, this is right for games in which positions repeat, and the order in which positions are reached gives
the distance to the end: the fewest plies for the winner, the most for the loser. The idea is Zermelo's (1913);
Ströhlein (1970) and Thompson (1986) did it for chess endings, and tables of all positions of up to ten pieces helped to
solve checkers (Schaeffer and others 2007).

A value here is always that of player 0. Play that never ends is worth 0. What comes out is an `EndgameTable`, of
`plyground.search.endgame_table`; `plyground.search.position_graph` does the first step.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from plyground.core.axes import Accepts
from plyground.core.game import Game
from plyground.errors import BrokenRule, UnsuitableGame
from plyground.native.compiling import compiled
from plyground.native.dispatch import coerced
from plyground.search.endgame_table import (
    NO_DISTANCE,
    EndgameTable,
    Measure,
    fill_slots,
    hash_table,
    rules_digest,
    state_after,
)
from plyground.search.position_graph import (
    CHUNK,
    EDGES,
    POSITIONS,
    Graph,
    Progress,
    empty_frontier,
    empty_graph,
    expand,
    place_of,
    position_graph,
)

__all__ = ["build_table", "prepare_build"]

MOST_POSITIONS = 20_000_000
MOST_LEVELS = 0x10000
HEAD, TAIL, SEED = range(3)
UNDECIDED = -1


@compiled
def turn_around(degrees: Any, edges: Any, begin: int, end: int, edge: int, fill: Any, sources: Any) -> int:
    """Note, for what follows positions `begin` to `end`, where it can come from; `edge` is the first of their moves.

    Returns the first move of position `end`. `fill` says where the next source of each position goes in `sources`.
    """
    for place in range(begin, end):
        for _ in range(degrees[place]):
            after = edges[edge]
            sources[fill[after]] = place
            fill[after] += 1
            edge += 1
    return edge


@compiled
def propagate(
    levels: Any,
    seeds: Any,
    seed_codes: Any,
    movers: Any,
    waiting: Any,
    ends: Any,
    sources: Any,
    codes: Any,
    distances: Any,
    queue: Any,
    progress: Any,
    steps: int,
) -> bool:
    """Carry values from the ends backwards for `steps` steps; True when there is nothing left to carry.

    `levels` are the values that occur, and a code is a place among them. `seeds` are the ends of the game that are not
    draws, the value furthest from 0 first on either side. ``sources[ends[p - 1]:ends[p]]`` are the positions before p.
    `waiting` counts, for each position, the successors that are not yet known to be as bad for its mover.
    """
    for _ in range(steps):
        if progress[HEAD] == progress[TAIL]:
            # All that the last value can reach has been found; go on with the next value.
            if progress[SEED] == len(seeds):
                return True
            code = seed_codes[progress[SEED]]
            while progress[SEED] < len(seeds) and seed_codes[progress[SEED]] == code:
                seed = seeds[progress[SEED]]
                codes[seed] = code
                queue[progress[TAIL]] = seed
                progress[TAIL] += 1
                progress[SEED] += 1
        place = queue[progress[HEAD]]
        progress[HEAD] += 1
        code = codes[place]
        winner = 0 if levels[code] > 0.0 else 1
        for i in range(ends[place - 1] if place > 0 else 0, ends[place]):
            before = sources[i]
            if codes[before] == UNDECIDED:
                waiting[before] -= 1
                if movers[before] == winner or waiting[before] == 0:
                    codes[before] = code
                    distances[before] = distances[place] + 1
                    queue[progress[TAIL]] = before
                    progress[TAIL] += 1
    return False


def _solved(graph: Graph, name: str, on_progress: Progress | None) -> tuple[Any, Any, Any]:
    """The values that occur; and for each position its value, as a place among them, and its distance in plies."""
    positions, moves = int(graph.counts[POSITIONS]), int(graph.counts[EDGES])
    degrees, edges = graph.degrees[:positions], graph.edges[:moves]
    ended = np.flatnonzero(degrees == 0)
    outcomes = graph.outcomes[ended]
    if not np.isfinite(outcomes).all():
        raise BrokenRule(f"{name}: the value of a finished game is not a finite number")
    levels, own = np.unique(np.append(outcomes, 0.0) + 0.0, return_inverse=True)  # -0.0 becomes 0.0
    if len(levels) > MOST_LEVELS:
        raise UnsuitableGame(f"{name} ends with {len(levels):,} different values; a table holds {MOST_LEVELS:,}")
    own, draw = own[:-1].astype(np.int32), int(own[-1])

    into = np.bincount(edges, minlength=positions)
    fill = np.cumsum(into) - into
    sources = np.empty(moves, np.int32)
    edge = 0
    for begin in range(0, positions, CHUNK):
        end = min(positions, begin + CHUNK)
        edge = turn_around(degrees, edges, begin, end, edge, fill, sources)
        if on_progress:
            on_progress("solving", end // 2, positions)

    values = levels[own]
    # Wins of player 0 from the highest down, then wins of player 1 from its highest down; draws are what is left.
    order = np.lexsort((-np.abs(values), values < 0))
    order = order[values[order] != 0]
    codes, distances = np.full(positions, UNDECIDED, np.int32), np.zeros(positions, np.int32)
    waiting, queue, progress = degrees.copy(), np.empty(positions, np.int32), np.zeros(3, np.int64)
    seeds, seed_codes = ended[order].astype(np.int32), own[order]
    while not propagate(
        levels, seeds, seed_codes, graph.movers, waiting, fill, sources, codes, distances, queue, progress, CHUNK
    ):
        if on_progress:
            on_progress("solving", (positions + int(progress[HEAD])) // 2, positions)
    if int(distances.max()) >= NO_DISTANCE:
        raise UnsuitableGame(f"{name} takes up to {distances.max():,} plies; a table holds up to {NO_DISTANCE - 1:,}")
    undecided = codes == UNDECIDED
    codes[undecided] = draw
    distances[undecided & (degrees > 0)] = NO_DISTANCE
    return levels, codes, distances


def prepare_build(game: Game) -> None:
    """Compile all that `build_table` needs for a game, or load it from the cache, before any clock runs."""
    state, graph, frontier = coerced(game.initial), empty_graph(), empty_frontier(game.initial)
    whole, long = graph.degrees, graph.counts
    place_of.prepare(state, graph, frontier)
    expand.prepare(state, frontier, 0, 0, 0, frontier, graph, 0)
    for items in (graph.places, graph.checks):  # while it grows, and as a table
        fill_slots.prepare(graph.keys, items, graph.keys, items)
    turn_around.prepare(whole, whole, 0, 0, 0, long, whole)
    propagate.prepare(graph.outcomes, whole, whole, graph.movers, whole, long, whole, whole, whole, whole, long, 0)


def build_table(
    game: Game,
    history: Sequence[int] = (),
    *,
    measure: Measure = "utility",
    most: int = MOST_POSITIONS,
    on_progress: Progress | None = None,
) -> EndgameTable:
    """Solve every position that can be reached from the initial state after the actions of `history`.

    The game must have two players, zero sum, perfect information and no chance; otherwise, and if more than `most`
    positions are found, `UnsuitableGame`. It takes about 130 bytes of memory a position.
    """
    if obstacle := Accepts(players=(2,)).obstacle(game.axes):
        raise UnsuitableGame(f"there can be no endgame table of {game.name}: {obstacle}")
    root = state_after(game, history)
    try:
        graph = position_graph(root, game.name, measure, min(most, np.iinfo(np.int32).max), on_progress)
        levels, codes, distances = _solved(graph, game.name, on_progress)
        taken = np.flatnonzero(graph.keys)
        places = graph.places[taken]
        entries = (codes[places].astype(np.uint32) << np.uint32(16)) | distances[places].astype(np.uint32)
        keys, entries = hash_table(graph.keys[taken], entries)
    except MemoryError:
        raise UnsuitableGame(f"the positions of {game.name} do not fit into memory; begin later in the game") from None
    return EndgameTable(
        game.spec, tuple(history), measure, rules_digest(type(root)), len(places), levels, keys, entries
    )
