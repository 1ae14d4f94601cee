"""A Monte Carlo tree search run a few simulations at a time, so that it can be looked at on the way."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from plyground.core.game import Game
from plyground.core.limits import Budget, Limit
from plyground.core.recording import SimulationEvent, recording
from plyground.core.rules import max_actions
from plyground.errors import BadOption
from plyground.games.tree import counts_of
from plyground.native.randomness import stream
from plyground.players import make_player
from plyground.players.mcts import MctsPlayer
from plyground.search.anytime import root_actions
from plyground.search.mcts import FULL, SOLVED, grow
from plyground.search.mcts_tree import AMAF, NODE, new_tree
from plyground.search.tree_search import UNLIMITED
from plyground.watch.planting import plant, planted_room

__all__ = ["MctsRun", "Watching"]


class MctsRun:
    """One search of an ``mcts`` or ``uct`` player on one thread, in portions; the tree is that of one long run.

    It goes on from the counts that a tree file presets: there have been `preset` simulations then, `planted` are the
    paths to the nodes that they met, and `view` is the player whose rewards the file counts. `simulations` is how many
    more there will be at most. `player` is a spec such as ``mcts:c=1,solver=off``; its limits are not used, and `seed`
    only if it has none.
    """

    def __init__(self, game: Game, state: Any, simulations: int, player: str = "mcts", seed: int = 0) -> None:
        Limit(simulations=simulations)  # refuses what is not a number of simulations
        if simulations > UNLIMITED:
            raise BadOption(f"simulations must be at most {UNLIMITED:,}, not {simulations:,}")
        root_actions(state, chance=True)  # refuses a game that is over
        made = make_player(player, game, seed)
        if not isinstance(made, MctsPlayer):
            raise BadOption(f"'{player}' is not Monte Carlo tree search; write mcts, uct or mcts:option=value")
        if made.options.threads > 1:
            raise BadOption("a search on several threads is not the same twice; leave out threads to draw it")
        search = made.new_search(game)
        self.game, self.state, self.player = game, state, player
        self.variant, self.settings = search.variant, search.settings
        self.done, self.solved = 0, False
        self.search = search
        self._endgame, self._learned, self._memory = search.endgame, search.learned, made.memory
        each = NODE.itemsize + (AMAF.itemsize if self.variant.rave else 0)
        room = planted_room(state)
        most = 1 + 2 * max_actions(state) * (simulations + 1)
        self.tree = new_tree(room + min(most, made.memory // each), self.variant)
        self._rng = stream(made.seed, 1, 0)  # as the player's first search on its first thread
        self.planted = plant(self.tree, game, state, self.variant, self.settings, self._rng)
        self.preset = int(self.tree.nodes[0]["visits"])
        counts = counts_of(state)
        self.view = counts.view if counts is not None and self.planted else None

    def run(self, simulations: int) -> None:
        """Run this many more simulations, or until the root is solved."""
        budget = Budget(simulations)
        ended = budget.run(
            lambda: grow(
                self.tree, self.state, self.settings, self.variant, self._rng, budget, self._endgame, self._learned
            )
        )
        self.done += budget.nodes
        self.solved = ended == SOLVED
        if ended == FULL:
            raise BadOption(
                f"after {self.done:,} simulations the tree fills its {self._memory / 1e6:g} MB; "
                "draw fewer, or give it more with mcts:memory=..."
            )

    def record(self, simulations: int) -> list[SimulationEvent]:
        """The same as plain Python, and what happened."""
        with recording() as events:
            self.run(simulations)
        return [event for event in events if isinstance(event, SimulationEvent)]


Watching = Callable[[MctsRun], AbstractContextManager[None]]
"""A context for the time in which a tree grows."""
