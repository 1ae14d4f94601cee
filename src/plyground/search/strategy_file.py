"""Strategies of games of imperfect information as files: what to play, how likely, in every information set."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plyground.core.files import parse_json, read_text
from plyground.errors import FormatError
from plyground.native.randomness import random_unit
from plyground.search.cfr import CfrResult
from plyground.search.extensive import Extensive

__all__ = ["Strategy", "load_strategy", "strategy_data"]

FORMAT = "plyground-strategy"
TOLERANCE = 1e-6
LARGEST_STRATEGY = 1 << 27


@dataclass(frozen=True)
class Strategy:
    """A probability for each action of each information set: one a slot of the tree."""

    tree: Extensive
    probabilities: NDArray[np.float64]

    def at(self, state: Any, player: int) -> dict[int, float]:
        """How likely a player chooses each action in a state, of which it knows only its observation."""
        number = self.tree.find(state, player)
        if number < 0:
            raise FormatError(f"the strategy of {self.tree.game.spec} does not know this state")
        begin, end = self.tree.nodes.slot[number : number + 2]
        return dict(zip(self.tree.sets[number].actions, self.probabilities[begin:end].tolist(), strict=True))

    def sample(self, state: Any, player: int, rng: Any) -> int:
        """An action, drawn with its probability."""
        rest, action = random_unit(rng), -1
        for action, likely in self.at(state, player).items():
            rest -= likely
            if rest < 0.0 and likely > 0.0:
                return action
        return action


def strategy_data(found: CfrResult) -> dict[str, Any]:
    """The result of CFR for JSON; `load_strategy` reads it again."""
    tree, slot = found.tree, found.tree.nodes.slot
    return {
        "format": FORMAT,
        "game": tree.game.spec,
        "algorithm": found.algorithm,
        "iterations": found.iterations,
        "seconds": found.seconds,
        "values": list(found.values),
        "exploitability": found.exploitability,
        "curve": [point._asdict() for point in found.curve],
        "information_sets": [
            {
                "player": one.player,
                "seen": one.label,
                "actions": list(one.names),
                "probabilities": found.strategy[slot[n] : slot[n + 1]].tolist(),
            }
            for n, one in enumerate(tree.sets)
        ],
    }


def load_strategy(path: str | Path, tree: Extensive) -> Strategy:
    """The strategy in a file that ``plyground cfr --save`` wrote, for the game of the tree; `FormatError` otherwise."""

    def wrong(why: str) -> FormatError:
        return FormatError(f"{path} is not a strategy for {tree.game.spec}: {why}")

    data = parse_json(read_text(path, "strategy", LARGEST_STRATEGY), str(path))
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise wrong(f'it has no "format": "{FORMAT}"')
    if data.get("game") != tree.game.spec:
        raise wrong(f"it is for {str(data.get('game'))[:60]}")
    entries = data.get("information_sets")
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise wrong('"information_sets" is not a list of objects')
    known = {(str(entry.get("player")), str(entry.get("seen"))): entry for entry in entries}
    probabilities = np.zeros(tree.slots)
    for number, one in enumerate(tree.sets):
        entry = known.get((str(one.player), one.label))
        if entry is None:
            raise wrong(f"the information set '{one.label}' of player {one.player} is missing")
        likely = entry.get("probabilities")
        if entry.get("actions") != list(one.names) or not _is_distribution(likely, len(one.names)):
            raise wrong(
                f"the actions of '{one.label}' are {', '.join(one.names)}, each with a probability, which sum to 1"
            )
        probabilities[tree.nodes.slot[number] : tree.nodes.slot[number + 1]] = likely
    return Strategy(tree, probabilities)


def _is_distribution(values: Any, count: int) -> bool:
    return (
        isinstance(values, list)
        and len(values) == count
        and all(isinstance(v, (int, float)) and not isinstance(v, bool) and 0 <= v <= 1 for v in values)
        and math.isclose(sum(values), 1.0, abs_tol=TOLERANCE)
    )
