"""The player `alphago`: the search of 2016, with a policy network, a value network and fast rollouts.

Each of the three can be left out, as in the paper's ablation: without a policy network all moves have the same prior,
without a value network only rollouts judge a leaf, without rollouts only the value network does, and with neither the
policy network plays by itself.
"""

from __future__ import annotations

import math
import time as clock
from pathlib import Path
from typing import Annotated, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from plyground.core.axes import Accepts
from plyground.core.game import Game
from plyground.core.limits import Limit
from plyground.core.rules import actions, distinct_actions, planes, planes_shape
from plyground.errors import BadOption
from plyground.games.reversi import on_8x8
from plyground.learning.onnx_file import OnnxNetwork
from plyground.native.randomness import random_unit, stream
from plyground.players.net_player import NetOptions, NetPlayer, network_of
from plyground.players.player import Move, Player, Position
from plyground.players.tree_player import ROLLOUTS, learned_rollouts
from plyground.search.net_search import NetSearch
from plyground.search.playout import NO_POLICY

__all__ = ["AlphaGo", "Judges", "alphago"]

NAME = "alphago"
USUAL = NetOptions()
POLICY, VALUE, OFF = "policy", "value", "off"


class Judges:
    """Two networks as one `Judge`: the moves by the first, the position by the second; None has no opinion."""

    def __init__(self, policy: OnnxNetwork | None, value: OnnxNetwork | None, moves: int) -> None:
        self.policy, self.value, self._moves = policy, value, moves

    def __call__(self, planes: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        logits = np.zeros((len(planes), self._moves), np.float32) if self.policy is None else self.policy(planes)[0]
        values = np.zeros(len(planes), np.float32) if self.value is None else self.value(planes)[1]
        return logits, values


class AlphaGo(NetPlayer):
    """Searches with the networks that there are. `mix` is the weight of rollouts in a leaf's value, 0 for none.

    A network is given as in the options: by the name of one that is bundled for the game, by its file, or as off.
    Without a value network `mix` must be 0 or 1. If nothing judges positions, the policy network plays its likeliest
    move, or with `draw` draws one in proportion to its policy.
    """

    name = NAME

    def __init__(
        self, policy: str, value: str, mix: float, rollout: str | None, options: NetOptions, *, draw: bool = False
    ) -> None:
        super().__init__(options)
        self._policy, self._value = policy, value
        self.mix, self._rollout = mix, rollout
        if draw and self.searches:
            raise BadOption(f"{NAME}: draw=on is for a policy without search; add value=off,rollouts=off")
        self._lots = stream(self.seed) if draw else None

    @property
    def searches(self) -> bool:
        """Whether anything judges positions; if not, the policy network plays by itself."""
        return self.mix > 0.0 or self._value != OFF

    def judges(self, game: Game) -> Judges:
        """The networks that are needed."""
        policy = None if self._policy == OFF else self.network(file_of(self._policy, game), game)
        value = None if self._value == OFF or self.mix == 1.0 else self.network(file_of(self._value, game), game)
        return Judges(policy, value, distinct_actions(game.initial))

    def new_search(self, game: Game) -> NetSearch:
        rollout = self._rollout or ("learned" if on_8x8(game) else "game")
        learned = learned_rollouts(NAME, game) if self.mix and rollout == "learned" else NO_POLICY
        return self.search_with(self.judges(game), game, mix=self.mix, policy=ROLLOUTS[rollout], learned=learned)

    def prepare(self, game: Game) -> None:
        if self.searches:
            super().prepare(game)
        else:
            self.judges(game)

    def choose(self, position: Position, limit: Limit) -> Move:
        if self.searches:
            return super().choose(position, limit)
        start = clock.perf_counter()
        state = position.state
        seen = np.zeros((1, *planes_shape(state)), np.float32)
        planes(state, seen[0])
        worth = self.judges(position.game)(seen)[0][0]
        options = actions(state)
        if self._lots is not None:  # the highest sum of logit and Gumbel number falls on each move with its share
            for action in options:
                worth[action] -= math.log(-math.log(max(random_unit(self._lots), 1e-300)))
        chosen = max(options, key=lambda action: float(worth[action]))
        return Move(chosen, None, (chosen,), 1, 1, clock.perf_counter() - start)


def file_of(network: str, game: Game) -> Path:
    """The file of a network: one that is bundled for the game by its name, such as ``policy``, or any."""
    return (network_of(f"{NAME}_{network}", game) if network.isidentifier() else None) or Path(network).expanduser()


class WellRead(Accepts):
    """Games for which both networks are bundled, so that none needs to be named."""

    def obstacle_beyond(self, game: Game) -> str | None:
        if any(network_of(f"{NAME}_{network}", game) is None for network in (POLICY, VALUE)):
            return f"no networks for it are bundled (networks: write {NAME}:policy=FILE,value=FILE, or off for none)"
        return None


class PackagedAlphaGo(AlphaGo):
    """Searches with the networks that are bundled for the game."""

    accepts: ClassVar[Accepts] = WellRead(players=(2,))


def alphago(
    policy: Annotated[
        str, "file of a policy network, policy or reinforced for the game's own; off: no priors"
    ] = POLICY,
    value: Annotated[str, "file of a value network; value: the game's own; off: none"] = VALUE,
    rollouts: Annotated[bool, "play a game to its end from each new leaf"] = True,
    mix: Annotated[float, "lambda: weight of the rollout in a leaf's value, the value network has the rest"] = 0.5,
    rollout: Annotated[
        Literal["learned", "game", "uniform"] | None,
        "how rollouts are played: as people do (the default where that was learned), by the game itself, at random",
    ] = None,
    draw: Annotated[bool, "without search: draw moves in proportion to the policy"] = False,
    options: NetOptions = USUAL,
) -> Player:
    """AlphaGo as of 2016: tree search with a policy network, a value network and fast rollouts."""
    if not 0.0 <= mix <= 1.0:
        raise BadOption(f"{NAME}: mix must be from 0 to 1, not {mix:g}")
    weight = 0.0 if not rollouts else 1.0 if value == OFF else mix
    if policy == value == OFF and not rollouts:
        raise BadOption(f"{NAME}: nothing is left to think with; give it policy=FILE, value=FILE or rollouts=on")
    kind = PackagedAlphaGo if (policy, value) == (POLICY, VALUE) else AlphaGo
    return kind(policy, value, weight, rollout, options, draw=draw)
