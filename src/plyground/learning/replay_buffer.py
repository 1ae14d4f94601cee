"""The positions that a network learns from: the newest of self-play, seen through a random symmetry each time."""

from __future__ import annotations

from concurrent.futures import Executor
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plyground.core.game import Game
from plyground.core.rules import (
    action_buffer,
    distinct_actions,
    legal_actions,
    planes,
    planes_shape,
    symmetries,
    transformed,
    transformed_action,
)
from plyground.learning.fleet import POSITIONS, SHARE, Harvest
from plyground.native.compiling import compiled
from plyground.native.randomness import random_below, stream
from plyground.native.state_codec import read_state, word_count

__all__ = ["Batch", "Replay", "fill_batch", "new_batch"]


class Batch(NamedTuple):
    """What a step of training sees: planes, policies and values, to the player to move."""

    planes: NDArray[np.float32]
    policies: NDArray[np.float32]
    values: NDArray[np.float32]


def new_batch(game: Game, rows: int) -> Batch:
    """Room for a batch."""
    shapes = (rows, *planes_shape(game.initial)), (rows, distinct_actions(game.initial)), (rows,)
    return Batch(*(np.zeros(shape, np.float32) for shape in shapes))


@compiled
def fill_batch(
    like: Any, words: Any, policies: Any, values: Any, picks: Any, begin: int, end: int, rng: Any, batch: Batch
) -> None:
    """Write the picked positions from `begin` to `end` into the batch, each through a symmetry drawn at random."""
    options = action_buffer(like)
    for row in range(begin, end):
        pick = picks[row]
        state = read_state(like, words[pick])
        index = random_below(rng, symmetries(state))
        seen = transformed(state, index)
        batch.planes[row] = 0.0
        planes(seen, batch.planes[row])
        batch.policies[row] = 0.0
        for i in range(legal_actions(state, options)):
            share = float(policies[pick, options[i]]) / SHARE
            batch.policies[row, transformed_action(state, options[i], index)] = share
        batch.values[row] = values[pick]


class Replay:
    """The newest `room` positions. Their value is the result of the game, with a share `thought` of the search's."""

    def __init__(self, game: Game, room: int, thought: float = 0.0) -> None:
        start = game.initial
        self.game, self.room, self.thought = game, room, thought
        self.words = np.zeros((room, word_count(start)), np.uint64)
        self.policies = np.zeros((room, distinct_actions(start)), np.uint16)
        self.values = np.zeros(room, np.float32)
        self.added = 0
        """How many there have been; the newest are still here."""

    def __len__(self) -> int:
        return min(self.added, self.room)

    def add(self, harvest: Harvest) -> None:
        """Take in what self-play has brought."""
        count = int(harvest.counts[POSITIONS])
        values = (1.0 - self.thought) * harvest.results[:count] + self.thought * harvest.thoughts[:count]
        self.extend(harvest.words[:count], harvest.policies[:count], values)

    def extend(self, words: Any, policies: Any, values: Any) -> None:
        """Take in positions, policies in shares, and values."""
        skipped = max(0, len(values) - self.room)
        places = (self.added + np.arange(skipped, len(values))) % self.room
        self.words[places], self.policies[places] = words[skipped:], policies[skipped:]
        self.values[places] = values[skipped:]
        self.added += len(values)

    def sample(
        self,
        batch: Batch,
        seed: int,
        number: int,
        newest: int | None = None,
        crew: Executor | None = None,
        parts: int = 1,
    ) -> None:
        """Fill a batch with random positions, of the `newest` if given; the same for the same seed and number."""
        rows, among = len(batch.values), min(len(self), newest or len(self))
        generator = np.random.default_rng((seed, number))
        picks = (self.added - 1 - generator.integers(0, among, rows)) % self.room
        bounds = [rows * part // parts for part in range(parts + 1)]
        start = self.game.initial

        def fill(part: int) -> None:
            random = stream(seed, number, part)
            whole = self.words, self.policies, self.values
            fill_batch(start, *whole, picks, bounds[part], bounds[part + 1], random, batch)

        list(map(fill, range(parts)) if crew is None else crew.map(fill, range(parts)))

    def contents(self) -> dict[str, NDArray[Any]]:
        """What a checkpoint keeps."""
        count = len(self)
        return {
            "words": self.words[:count],
            "policies": self.policies[:count],
            "values": self.values[:count],
            "added": np.array(self.added),
        }

    def restore(self, contents: Any) -> None:
        """Take back what a checkpoint has kept; `ValueError`, and nothing changed, if the room is another one."""
        count, added = len(contents["values"]), int(contents["added"])
        if count != min(added, self.room):
            raise ValueError(f"the newest {count:,} of {added:,} positions, and room for {self.room:,}")
        self.words[:count] = contents["words"].view(np.uint64)
        self.policies[:count] = contents["policies"].view(np.uint16)
        self.values[:count] = contents["values"]
        self.added = added
