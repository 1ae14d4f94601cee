"""Retrograde analysis: every position that can be reached, solved from the end of the game backwards.

    1. Enumerate the positions, equal ones and symmetric ones once, and note which lead to which.
    2. The ends of the game have their value. Go from them to the positions before, best value first:
       a position in which the winner of this value moves has it as soon as one successor has it;
       a position in which the loser moves has it when all successors are at least as bad for the loser.
    3. What is never reached is a draw: neither side can force an end, so the game may go round in circles for ever.

Unlike a search, this is right for games in which positions repeat, and the order in which positions are reached gives
the distance to the end: the fewest plies for who wins, the most for who loses. The idea is Zermelo's (1913); Ströhlein
(1970) and Thompson (1986) did it for chess endings, and tables of all positions of up to ten pieces helped to solve
checkers (Schaeffer and others 2007).

A value here is always that of player 0. Play that never ends is worth 0. What comes out is an `EndgameTable`, of
`plyground.search.endgame_table`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plyground.core.game import (
    Accepts,
    Game,
    action_buffer,
    actions,
    canonical_image,
    legal_actions,
    max_actions,
    result,
    score,
    to_move,
    transformed,
    utility,
)
from plyground.errors import BrokenRule, UnsuitableGame
from plyground.native.bits import mix64
from plyground.native.compiling import compiled
from plyground.native.randomness import random_below, stream
from plyground.native.rules import coerced
from plyground.native.state_codec import read_state, word_count, write_state
from plyground.search.endgame_table import (
    NO_DISTANCE,
    EndgameTable,
    Measure,
    fill_slots,
    hash_table,
    key_of,
    rules_digest,
    slot_of,
    state_after,
)

__all__ = ["Progress", "build_table", "prepare_build"]

Progress = Callable[[str, int, int], None]
"""Told what is being done, for how many positions it is done, and for how many it is to be done as far as one knows."""

MOST_POSITIONS = 20_000_000
MOST_LEVELS = 0x10000
CHUNK = 100_000
"""Positions looked at between two reports of progress: a few hundredths of a second."""

SAMPLED_GAMES, LONGEST_SAMPLE = 25, 300
SLOWING, CAUTION, FAR_TOO_MANY = 0.8, 0.9, 5
"""From one move to the next the number of new positions grows, but less and less. To refuse a game early that is far
too large, its growth is taken to shrink a little faster than it has done, and at least by the first factor; and it must
come to several times what is allowed, since near the end of a game the growth shrinks faster than that."""
POSITIONS, EDGES, REACHED = range(3)
HEAD, TAIL, SEED = range(3)
UNDECIDED = -1


# Step 1: enumeration ------------------------------------------------------------------------------------------------


class Graph(NamedTuple):
    """The positions found so far, numbered in the order they were found, and the moves between them.

    `keys` and `places` are a hash table from a position's key to its number. For each position: `checks`, a second hash
    of it; `outcomes`, its value if the game is over; `movers`; `degrees`, how many moves it has. `edges` holds the
    numbers of their results, position after position. `counts` says how much of all this is in use.
    """

    keys: NDArray[np.uint64]
    places: NDArray[np.int32]
    checks: NDArray[np.uint32]
    outcomes: NDArray[np.float64]
    movers: NDArray[np.int8]
    degrees: NDArray[np.int32]
    edges: NDArray[np.int32]
    counts: NDArray[np.int64]


@compiled
def place_of(state: Any, graph: Graph, reached: Any) -> int:
    """The number of a position, which is appended to `reached` if it is new; -1 if another one has the same hash."""
    row = graph.counts[REACHED]
    least, image = canonical_image(state)
    twin = transformed(state, image)
    write_state(twin, reached[row])
    key = key_of(least)
    second = np.uint64(0)
    for at in range(reached.shape[1]):
        second = mix64(second ^ reached[row, at])
    check = np.uint32(second >> np.uint64(32))
    slot = slot_of(graph.keys, key)
    if graph.keys[slot] == np.uint64(0):
        place = graph.counts[POSITIONS]
        graph.keys[slot] = key
        graph.places[slot] = place
        graph.checks[place] = check
        graph.counts[POSITIONS] += 1
        graph.counts[REACHED] += 1
        return int(place)
    if graph.checks[graph.places[slot]] != check:
        return -1
    return int(graph.places[slot])


@compiled
def expand(state: Any, frontier: Any, begin: int, end: int, first: int, reached: Any, graph: Graph, margin: int) -> int:
    """Find what follows the positions in rows `begin` to `end` of `frontier`, the first of which is number `first`.

    Returns the row at which it stopped because something is full; -1 for two positions of one hash. `state` is any
    state of the game. With `margin` the outcomes are scores, otherwise utilities.
    """
    room = max_actions(state)
    options = action_buffer(state)  # once: each call takes more of the stack
    for row in range(begin, end):
        if (
            graph.counts[EDGES] + room > len(graph.edges)
            or graph.counts[REACHED] + room >= len(reached)
            or graph.counts[POSITIONS] + room > len(graph.checks)
            or 2 * (graph.counts[POSITIONS] + room) > len(graph.keys)
        ):
            return row
        here = read_state(state, frontier[row])
        place = first + row - begin
        count = legal_actions(here, options)
        graph.degrees[place] = count
        if count == 0:
            graph.outcomes[place] = float(score(here, 0)) if margin else float(utility(here, 0))
        else:
            graph.movers[place] = to_move(here)
        for i in range(count):
            after = place_of(result(here, options[i]), graph, reached)
            if after < 0:
                return -1
            graph.edges[graph.counts[EDGES]] = after
            graph.counts[EDGES] += 1
    return end


def _larger(array: NDArray[Any], size: int) -> NDArray[Any]:
    """A copy with room for at least so many items; what is added is not cleared."""
    if size <= len(array):
        return array
    grown = np.empty((max(size, 2 * len(array)), *array.shape[1:]), array.dtype)
    grown[: len(array)] = array
    return grown


def _with_room(graph: Graph, room: int) -> Graph:
    """The graph with room for so many more positions and moves."""
    positions, edges = int(graph.counts[POSITIONS]) + room, int(graph.counts[EDGES]) + room
    keys, places = graph.keys, graph.places
    if 2 * positions > len(keys):
        slots = 1 << (4 * positions).bit_length()
        keys, places = np.zeros(slots, np.uint64), np.zeros(slots, np.int32)
        fill_slots(keys, places, graph.keys, graph.places)
    return Graph(
        keys,
        places,
        _larger(graph.checks, positions),
        _larger(graph.outcomes, positions),
        _larger(graph.movers, positions),
        _larger(graph.degrees, positions),
        _larger(graph.edges, edges),
        graph.counts,
    )


def _empty_graph() -> Graph:
    return Graph(
        np.zeros(1, np.uint64),
        np.zeros(1, np.int32),
        np.zeros(1, np.uint32),
        np.zeros(1),
        np.zeros(1, np.int8),
        np.zeros(1, np.int32),
        np.zeros(1, np.int32),
        np.zeros(3, np.int64),
    )


def _empty_frontier(state: Any) -> NDArray[np.uint64]:
    return np.zeros((1, max(1, word_count(state))), np.uint64)


def _enumerated(root: Any, name: str, measure: Measure, most: int, on_progress: Progress | None) -> Graph:
    """The positions that can be reached from a state, breadth first."""
    room = max(1, max_actions(root))
    graph, frontier = _with_room(_empty_graph(), room), _empty_frontier(root)
    reached = _larger(frontier, room + 1)
    place_of(root, graph, reached)
    first, layers, length = 0, [], _usual_length(root)
    while graph.counts[REACHED]:
        rows = int(graph.counts[REACHED])
        layers.append(rows)
        if (expected := first + _expected(layers, length)) > FAR_TOO_MANY * most:
            raise UnsuitableGame(
                f"{name} has too many positions from here: {first + rows:,} were found within {len(layers) - 1} moves, "
                f"and by a cautious guess there are over {expected:.0e}; allow more than {most:,}, or begin later"
            )
        frontier, reached = reached, frontier
        graph.counts[REACHED] = 0
        row = 0
        while row < rows:
            graph = _with_room(graph, room)
            reached = _larger(reached, int(graph.counts[REACHED]) + room + 1)
            begin, end = row, min(rows, row + CHUNK)
            row = expand(root, frontier, begin, end, first + begin, reached, graph, int(measure == "score"))
            if row < 0:
                raise BrokenRule(
                    f"{name}: state_hash gives the same number to two different positions; "
                    "let it depend on everything that tells positions apart"
                )
            found = int(graph.counts[POSITIONS])
            waiting = rows - row + int(graph.counts[REACHED])
            if found > most:
                raise UnsuitableGame(
                    f"{name} has too many positions from here: {found:,} were found, and {waiting:,} of them are "
                    f"still to be followed; allow more than {most:,}, or begin later in the game"
                )
            if on_progress:
                on_progress("enumerating", found - waiting, found)
        first += rows
    return graph


def _usual_length(root: Any) -> int:
    """How many moves a random game lasts from a state, as a rule."""
    rng, lengths = stream(0), []
    for _ in range(SAMPLED_GAMES):
        state, length = root, 0
        while length < LONGEST_SAMPLE and (options := actions(state)):
            state, length = result(state, options[random_below(rng, len(options))]), length + 1
        lengths.append(length)
    return sorted(lengths)[SAMPLED_GAMES // 2]


def _expected(layers: list[int], length: int) -> float:
    """How many positions there will be at least, those of the last layer included, in a game of so many moves.

    `layers` has the number of new positions after 0, 1, 2, ... moves.
    """
    total = new = float(layers[-1])
    if len(layers) < 4:
        return total
    growth = layers[-1] / layers[-2]
    slowing = min(SLOWING, CAUTION * growth * layers[-3] / layers[-2])
    for _ in range(len(layers) - 1, length):
        growth *= slowing
        if growth <= 1.0:
            break
        new *= growth
        total += new
    return total


# Step 2: from the end backwards ---------------------------------------------------------------------------------------


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
    """Carry values from the ends backwards for so many steps; True when there is nothing left to carry.

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
    state, graph, frontier = coerced(game.initial), _empty_graph(), _empty_frontier(game.initial)
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
        graph = _enumerated(root, game.name, measure, min(most, np.iinfo(np.int32).max), on_progress)
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
