"""Games with chance solved exactly, also where positions come back: bounds that close in on the value of each.

Where dice can send a man back, a game has no last moves to begin from, and a search never comes to an end. But its
values are bounded: from below by the lowest utility, from above by the highest one. Put these bounds on every position,
and let each position take the best of what follows it, or the average where chance moves. Both bounds then close in on
the value from their sides (value iteration, Shapley 1953, from both ends): where they have met, nobody needs to trust
anything but arithmetic. They meet if the game ends sooner or later, however it is played.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plyground.core.axes import Accepts
from plyground.core.game import Game
from plyground.core.rules import (
    CHANCE,
    action_buffer,
    actions,
    canonical_image,
    legal_actions,
    probability,
    result,
    to_move,
    transformed,
)
from plyground.errors import UnsuitableGame
from plyground.native.compiling import compiled
from plyground.native.dispatch import coerced
from plyground.native.state_codec import read_state, word_count, write_state
from plyground.search.endgame_table import key_of, slot_of
from plyground.search.position_graph import EDGES, POSITIONS, Graph, Progress, position_graph

__all__ = ["StochasticSolution", "solve_stochastic"]

ACCEPTS = Accepts(players=(1, 2), chance=True)
MOST_POSITIONS = 2_000_000
MOST_SWEEPS = 100_000
BETWEEN_REPORTS = 20


class StochasticSolution(NamedTuple):
    """The value of every position to player 0, between `lower` and `upper`, and how many sweeps it took."""

    game: Game
    graph: Graph
    lower: NDArray[np.float64]
    upper: NDArray[np.float64]
    sweeps: int

    @property
    def error(self) -> float:
        """By how much any value may be wrong at most: half of the widest distance between the bounds."""
        return float((self.upper - self.lower).max()) / 2

    def place(self, state: Any) -> int:
        """The number of a position that can be reached."""
        least, _ = canonical_image(coerced(state))
        return int(self.graph.places[slot_of(self.graph.keys, np.uint64(key_of(least)))])

    def value(self, state: Any) -> float:
        """What a position is worth to player 0."""
        place = self.place(state)
        return float(self.lower[place] + self.upper[place]) / 2

    def best_actions(self, state: Any) -> list[int]:
        """The actions that no other is better than, by more than the values may be wrong."""
        options = actions(state)
        sign = 1 if to_move(state) == 0 else -1
        worth = [sign * self.value(result(state, action)) for action in options]
        return [action for action, value in zip(options, worth, strict=True) if value >= max(worth) - 4 * self.error]


@compiled
def note_chances(state: Any, graph: Graph, states: Any, chances: Any) -> None:
    """Write how likely each move of chance is, going through the positions in the order in which they were found."""
    options = action_buffer(state)
    known, edge = 1, 0
    for place in range(graph.counts[POSITIONS]):
        here = read_state(state, states[place])
        count = legal_actions(here, options)
        for i in range(count):
            if graph.movers[place] == CHANCE:
                chances[edge] = probability(here, options[i])
            if graph.edges[edge] == known:
                after = result(here, options[i])
                _, image = canonical_image(after)
                write_state(transformed(after, image), states[known])
                known += 1
            edge += 1


@compiled
def sweep(values: Any, movers: Any, begins: Any, edges: Any, chances: Any) -> float:
    """Let every position take its value from those after it, the last found first; by how much any changed at most."""
    most = 0.0
    for back in range(len(movers)):
        place = len(movers) - 1 - back
        begin, end = begins[place], begins[place + 1]
        if begin == end:
            continue
        if movers[place] == CHANCE:
            value = 0.0
            for edge in range(begin, end):
                value += chances[edge] * values[edges[edge]]
        else:
            value = values[edges[begin]]
            for edge in range(begin + 1, end):
                other = values[edges[edge]]
                if (other > value) == (movers[place] == 0):
                    value = other
        most = max(most, abs(value - values[place]))
        values[place] = value
    return most


def solve_stochastic(
    game: Game, *, tolerance: float = 1e-10, most: int = MOST_POSITIONS, on_progress: Progress | None = None
) -> StochasticSolution:
    """Every position that can be reached from the beginning, with its value to within `tolerance`.

    For games of one player, or of two with zero sum, who see everything. `UnsuitableGame` if there are more than `most`
    positions, or if the bounds do not meet, since the game need not end.
    """
    if obstacle := ACCEPTS.obstacle(game.axes):
        raise UnsuitableGame(f"{game.name} cannot be solved this way: {obstacle}")
    root = coerced(game.initial)
    graph = position_graph(root, game.name, "utility", most, on_progress)
    positions, moves = int(graph.counts[POSITIONS]), int(graph.counts[EDGES])
    states = np.zeros((positions, max(1, word_count(root))), np.uint64)
    _, image = canonical_image(root)
    write_state(coerced(transformed(root, image)), states[0])
    chances = np.zeros(moves)
    note_chances(root, graph, states, chances)
    begins = np.zeros(positions + 1, np.int64)
    np.cumsum(graph.degrees[:positions], out=begins[1:])
    ended = graph.degrees[:positions] == 0
    bounds = [np.where(ended, graph.outcomes[:positions], bound) for bound in game.utilities]
    movers, edges = graph.movers[:positions].copy(), graph.edges[:moves].copy()
    for done in range(1, MOST_SWEEPS + 1):
        changes = [sweep(bound, movers, begins, edges, chances) for bound in bounds]
        gap = float((bounds[1] - bounds[0]).max())
        if gap <= tolerance:
            return StochasticSolution(game, graph, bounds[0], bounds[1], done)
        if max(changes) == 0.0:
            break
        if on_progress and done % BETWEEN_REPORTS == 0:
            on_progress("solving", done, 0)
    raise UnsuitableGame(
        f"{game.name} cannot be solved: after {done:,} sweeps some values are only known to within {gap:.1e}, since "
        "the game may go on for ever"
    )
