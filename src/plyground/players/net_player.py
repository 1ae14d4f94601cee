"""What players who search with networks have in common: the networks' files, and exact endings in Reversi."""

from __future__ import annotations

import os
import re
import time as clock
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

from plyground.core.axes import Accepts
from plyground.core.game import Game
from plyground.core.limits import Limit
from plyground.core.rules import actions, distinct_actions, planes_shape
from plyground.errors import BadOption, FormatError
from plyground.learning.onnx_file import OnnxNetwork, load_network
from plyground.players.player import Position
from plyground.players.tree_player import TreePlayer
from plyground.search.endgame_table import NO_TABLE
from plyground.search.endings import solved_endings, solver_of
from plyground.search.mcts_variant import OWN_VISITS, PRIOR
from plyground.search.net_search import Judge, NetSearch
from plyground.search.result import SearchResult

__all__ = ["NETWORKS", "NetOptions", "NetPlayer", "network_of", "network_path"]

DEFAULT_LIMIT = Limit(simulations=400)
NETWORKS = Path(__file__).parent.parent / "engines" / "reversi" / "networks"
"""Where the package has its networks; a player finds them by name, such as ``policy`` for policy.onnx."""
OWN_NETWORKS = "PLYGROUND_NETWORKS"
"""The environment variable that names a folder with more of them, in which they are looked for first."""


def network_path(name: str) -> Path:
    """The file of a network: one of the package's by its name, or any by its path."""
    return (_packaged(name) if name.isidentifier() else None) or Path(name).expanduser()


def network_of(player: str, game: Game) -> Path | None:
    """The bundled file of a player for a game, such as minialphago_reversi.onnx; None if there is none."""
    return _packaged(re.sub(r"\W+", "_", f"{player}_{game.spec}"))


def _packaged(name: str) -> Path | None:
    folders = [NETWORKS] if not (own := os.environ.get(OWN_NETWORKS)) else [Path(own).expanduser(), NETWORKS]
    return next((path for folder in folders if (path := folder / f"{name}.onnx").exists()), None)


@dataclass(frozen=True)
class NetOptions:
    """The options that all these players have."""

    simulations: Annotated[int | None, "simulations a move; 400 if no limit is set"] = None
    time: Annotated[float | None, "seconds a move"] = None
    c: Annotated[float, "exploration: c * prior * sqrt(N) / (1 + n), for means from -1 to 1"] = 1.25
    form: Annotated[Literal["puct", "prior"], "with prior, exploration is c * prior / (1 + n), without the root"] = (
        "puct"
    )
    batch: Annotated[int, "positions that a network judges together"] = 8
    solve: Annotated[int, "empty squares from which Reversi positions are solved; 0 for none"] = 0
    reuse: Annotated[bool, "keep the tree from move to move"] = True
    ponder: Annotated[bool, "think on while the others choose"] = False
    threads: Annotated[int, "threads of a network"] = 1
    memory: Annotated[float, "megabytes for the tree"] = 64.0
    seed: Annotated[int | None, "the same seed searches alike"] = None

    def check(self, player: str) -> None:
        """`BadOption`, to a player of this name, if a value does not fit."""
        if not 0 <= self.c < float("inf"):
            raise BadOption(f"{player}: c must be at least 0, not {self.c:g}")
        for name, least, most in (("batch", 1, 1024), ("threads", 1, 256), ("solve", 0, 20)):
            number = getattr(self, name)
            if not least <= number <= most:
                raise BadOption(f"{player}: {name} must be from {least} to {most}, not {number}")
        if self.memory <= 0:
            raise BadOption(f"{player}: memory must be positive")

    @property
    def limit(self) -> Limit:
        """The player's own limit."""
        given = Limit(time=self.time, simulations=self.simulations)
        return DEFAULT_LIMIT if given == Limit() else given


class NetPlayer(TreePlayer):
    """Searches with networks from files. In Reversi, positions of up to `solve` empty squares are solved."""

    accepts: ClassVar[Accepts] = Accepts(players=(2,))

    name: ClassVar[str]
    """What the player is called, for its errors."""

    def __init__(self, options: NetOptions) -> None:
        options.check(self.name)
        super().__init__(options)
        self.options = options
        self._networks: dict[Path, OnnxNetwork] = {}
        self._endings: Any = None

    def network(self, path: Path, game: Game) -> OnnxNetwork:
        """The network in a file, loaded when it is first needed; `BadOption` if it has learned another game."""
        if path not in self._networks:
            self._networks[path] = load_network(path, self.options.threads)
        network = self._networks[path]
        shape, wanted = planes_shape(game.initial), distinct_actions(game.initial)
        learned = network.facts.get("game", "another game")
        if (network.channels, network.actions) != (shape[0], wanted) or learned != game.spec:
            raise BadOption(f"{self.name}: the network {path} has learned {learned}, not {game.spec}")
        solved = network.facts.get("solved", "0")
        if not (solved.isascii() and solved.isdigit() and len(solved) <= 3):
            raise FormatError(f"{path} does not say how many empty squares are solved, but {solved[:20]!r}")
        unknown = int(solved)
        if self.options.solve < unknown:
            raise BadOption(
                f"{self.name}: the network {path} has not learned positions of up to {unknown} empty "
                f"squares, which are solved: solve must be at least {unknown}, not {self.options.solve}"
            )
        return network

    def search_with(self, judge: Judge, game: Game, **rollouts: Any) -> NetSearch:
        """A search with the player's options, in which near the end an exact answer takes the judge's place."""
        self._endings = self._endings or solved_endings(game, self.options.solve)
        return NetSearch(
            game,
            judge,
            batch=self.options.batch,
            exploration=self.options.c / 2,
            form=PRIOR if self.options.form == "prior" else OWN_VISITS,
            memory=self.memory,
            reuse=self.reuse,
            seed=self.seed,
            endgame=self._endings.endings if self._endings and solver_of(game) else NO_TABLE,
            **rollouts,
        )

    def find(self, position: Position, limit: Limit) -> SearchResult:
        start = clock.perf_counter()
        self.prepare(position.game)
        own = self.limit.within(limit)
        if len(actions(position.state)) == 1:
            own = own.within(Limit(simulations=8 if self.reuse else 1))
        if own.time is not None:
            own = replace(own, time=max(0.001, own.time - (clock.perf_counter() - start)))
        return self.searched(position, own)
