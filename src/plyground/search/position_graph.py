"""All positions that can be reached from a state, equal ones and symmetric ones once, and which lead to which."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plyground.core.rules import (
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
from plyground.native.state_codec import read_state, word_count, write_state
from plyground.search.endgame_table import Measure, fill_slots, key_of, slot_of

__all__ = [
    "CHUNK",
    "EDGES",
    "POSITIONS",
    "Graph",
    "Progress",
    "empty_frontier",
    "empty_graph",
    "expand",
    "place_of",
    "position_graph",
]

Progress = Callable[[str, int, int], None]
"""Called with what is being done, for how many positions it is done, and for how many it is to be done, if known."""
CHUNK = 100_000
"""Positions looked at between two reports of progress: a few hundredths of a second."""
SAMPLED_GAMES, LONGEST_SAMPLE = 25, 300
SLOWING, CAUTION, FAR_TOO_MANY = 0.8, 0.9, 5
"""From one move to the next the number of new positions grows, but less and less. To refuse a game early that is far
too large, its growth is taken to shrink a little faster than it has done, and at least by the first factor; and it must
come to several times what is allowed, since near the end of a game the growth shrinks faster than that."""
POSITIONS, EDGES, REACHED = range(3)


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
    """A copy with room for at least `size` items; what is added is not cleared."""
    if size <= len(array):
        return array
    grown = np.empty((max(size, 2 * len(array)), *array.shape[1:]), array.dtype)
    grown[: len(array)] = array
    return grown


def _with_room(graph: Graph, room: int) -> Graph:
    """The graph with room for this many more positions and moves."""
    positions, edges = int(graph.counts[POSITIONS]) + room, int(graph.counts[EDGES]) + room
    keys, places = graph.keys, graph.places
    if 2 * positions > len(keys):
        slots = 1 << (4 * positions).bit_length()
        keys, places = np.zeros(slots, np.uint64), np.zeros(slots, np.int32)
        fill_slots(keys, places, graph.keys, graph.places)
    by_position = (_larger(array, positions) for array in (graph.checks, graph.outcomes, graph.movers, graph.degrees))
    return Graph._make((keys, places, *by_position, _larger(graph.edges, edges), graph.counts))


def empty_graph() -> Graph:
    kinds: Any = (np.uint64, np.int32, np.uint32, np.float64, np.int8, np.int32, np.int32)
    return Graph._make((*(np.zeros(1, kind) for kind in kinds), np.zeros(3, np.int64)))


def empty_frontier(state: Any) -> NDArray[np.uint64]:
    return np.zeros((1, max(1, word_count(state))), np.uint64)


def position_graph(root: Any, name: str, measure: Measure, most: int, on_progress: Progress | None) -> Graph:
    """The positions that can be reached from a state, breadth first."""
    room = max(1, max_actions(root))
    graph, frontier = _with_room(empty_graph(), room), empty_frontier(root)
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
    """How many positions there will be at least, those of the last layer included, in a game of `length` moves.

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
