"""The whole tree of a game of imperfect information, with its information sets, in arrays.

Nodes are numbered breadth first, so that the children of a node lie next to each other and come after it: a loop
forwards meets parents before children, a loop backwards children before parents. An information set is all nodes that
look alike to the player who is to move there; each of its actions has one *slot* in every table of probabilities or
regrets.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plyground.core.game import Game
from plyground.core.rules import CHANCE, action_text, actions, observation, probability, result, text, to_move
from plyground.errors import UnsuitableGame
from plyground.native.compiling import interpreted
from plyground.native.dispatch import coerced
from plyground.native.randomness import random_below, stream

__all__ = ["END", "MOST_NODES", "Extensive", "InformationSet", "Nodes", "estimated_size", "extensive"]

END = -2
"""Instead of a player, where the game is over."""
MOST_NODES = 2_000_000
PROBES, LONGEST_PROBE = 200, 1000


class Nodes(NamedTuple):
    """The tree for compiled code; all arrays but the last four have one entry a node.

    `mover` is the player to move, CHANCE or END; `first` the number of its first child, and `children` how
    many it has; `chance` how likely chance leads here from the parent, 1 where a player does; `owner` the information
    set, -1 if none; `utilities` has shape (nodes, players). For each information set `slot` is its first slot (and,
    at the end, how many there are), `player` whose it is, `level` how many moves that player has made before.
    `levels` is the highest of these.
    """

    mover: NDArray[np.int64]
    first: NDArray[np.int64]
    children: NDArray[np.int64]
    chance: NDArray[np.float64]
    owner: NDArray[np.int64]
    utilities: NDArray[np.float64]
    slot: NDArray[np.int64]
    player: NDArray[np.int64]
    level: NDArray[np.int64]
    levels: int


@dataclass(frozen=True)
class InformationSet:
    """What a player sees, and the actions it can choose from; `seen` is the observation."""

    player: int
    seen: Any
    actions: tuple[int, ...]
    names: tuple[str, ...]
    label: str


@dataclass(frozen=True, eq=False)
class Extensive:
    """A game as a tree. `sets` are in the order of `Nodes.slot`, the first met first."""

    game: Game
    nodes: Nodes
    sets: tuple[InformationSet, ...]

    @property
    def slots(self) -> int:
        """How many actions all information sets have together."""
        return int(self.nodes.slot[-1])

    def find(self, state: Any, player: int) -> int:
        """The number of the information set that a player is in; -1 if there is none."""
        return self._numbers.get((player, observation(coerced(state), player)), -1)

    @cached_property
    def _numbers(self) -> dict[tuple[int, Any], int]:
        return {(one.player, one.seen): number for number, one in enumerate(self.sets)}


def estimated_size(game: Game, seed: int = 0) -> float:
    """About how many nodes the tree has: the mean over random walks of the sum of the products of their branchings.

    Knuth, "Estimating the Efficiency of Backtrack Programs", 1975.
    """
    rng, total = stream(seed), 0.0
    with interpreted():
        for _ in range(PROBES):
            state, product = coerced(game.initial), 1.0
            for _ in range(LONGEST_PROBE):
                total += product
                options = actions(state)
                if not options or product > 1e30:
                    break
                product *= len(options)
                state = result(state, options[random_below(rng, len(options))])
    return total / PROBES


def extensive(game: Game, most: int = MOST_NODES) -> Extensive:
    """The tree of a game; `UnsuitableGame` if it has more than `most` nodes, or if a player forgets."""
    if (size := estimated_size(game)) > 4 * most:
        raise UnsuitableGame(f"{game.spec}: its tree has about {size:.1g} nodes, and at most {most:,} can be held")
    players = game.axes.players
    states: list[Any] = [coerced(game.initial)]
    mover: list[int] = []
    first: list[int] = []
    count: list[int] = []
    chance: list[float] = [1.0]
    owner: list[int] = []
    utilities: list[tuple[float, ...]] = []
    numbers: dict[tuple[int, Any], int] = {}
    sets: list[InformationSet] = []
    # For each player the last information set it was in and the slot it chose there: that is all its past.
    pasts: list[tuple[tuple[int, int], ...]] = [((-1, 0),) * players]
    known: list[tuple[int, int]] = []
    levels: list[int] = []
    with interpreted():
        for node, state in enumerate(states):  # which grows meanwhile
            options = actions(state)
            past = pasts[node]
            utilities.append(game.returns(state) if not options else (0.0,) * players)
            who = int(to_move(state)) if options else END
            mover.append(who)
            first.append(len(states))
            count.append(len(options))
            number = -1
            if who >= 0:
                seen = observation(state, who)
                number = numbers.setdefault((who, seen), len(sets))
                if number == len(sets):
                    sets.append(_information_set(state, who, seen, options))
                    known.append(past[who])
                    levels.append(0 if past[who][0] < 0 else levels[past[who][0]] + 1)
                elif known[number] != past[who] or sets[number].actions != tuple(options):
                    raise UnsuitableGame(
                        f"{game.spec}: player {who} forgets: '{sets[number].label}' is seen after different moves"
                    )
            owner.append(number)
            if len(states) + len(options) > most:
                raise UnsuitableGame(f"{game.spec}: its tree has more than {most:,} nodes, which is too many to hold")
            for place, action in enumerate(options):
                states.append(result(state, action))
                chance.append(float(probability(state, action)) if who == CHANCE else 1.0)
                pasts.append(past if who < 0 else (*past[:who], (number, place), *past[who + 1 :]))
            states[node] = pasts[node] = None  # type: ignore[call-overload]
    slot = np.concatenate([[0], np.cumsum([len(one.actions) for one in sets])]).astype(np.int64)
    set_players = [one.player for one in sets]
    movers, firsts, counts, owners, whose, depths = (
        np.array(numbers, np.int64) for numbers in (mover, first, count, owner, set_players, levels)
    )
    reached, worths = np.array(chance), np.array(utilities)
    nodes = Nodes(movers, firsts, counts, reached, owners, worths, slot, whose, depths, max(levels, default=0))
    return Extensive(game, nodes, tuple(sets))


def _information_set(state: Any, who: int, seen: Any, options: list[int]) -> InformationSet:
    label = text(seen) if type(seen) is type(state) else str(seen)
    return InformationSet(who, seen, tuple(options), tuple(action_text(state, a) for a in options), label)
