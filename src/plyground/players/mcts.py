"""The Monte Carlo players: `mcts`, the tree search with every variant, and `flat`, the same without a tree."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Annotated, ClassVar, Literal

from plyground.core.axes import Accepts
from plyground.core.game import Game
from plyground.core.limits import Limit
from plyground.errors import BadOption
from plyground.native.randomness import fresh_seed
from plyground.players.endgame_option import Endgame, EndgameOption
from plyground.players.player import Move, Player, Position
from plyground.players.search_player import SearchPlayer
from plyground.players.tree_player import ROLLOUTS, TreePlayer, learned_rollouts
from plyground.search.flat_monte_carlo import flat_search
from plyground.search.glimpse import Glimpse
from plyground.search.mcts_variant import (
    GREEDY,
    LEARNED,
    MARGIN,
    OWN_VISITS,
    PRIOR,
    ROOT_VISITS,
    SIGNED,
    WIN_DRAW_LOSS,
    MctsSettings,
    MctsVariant,
)
from plyground.search.playout import NO_POLICY
from plyground.search.result import SearchResult
from plyground.search.tree_search import TreeSearch

__all__ = ["FlatPlayer", "MctsOptions", "MctsPlayer", "UctOptions", "flat", "mcts", "uct"]

DEFAULT_LIMIT = Limit(time=2.0)
REWARDS = {"win": WIN_DRAW_LOSS, "signed": SIGNED, "margin": MARGIN}
FORMS = {"ucb1": OWN_VISITS, "plain": OWN_VISITS, "root": ROOT_VISITS, "prior": PRIOR}
Simulations = Annotated[int | None, "simulations a move"]
Seconds = Annotated[float | None, "seconds a move; if no limit is set 2, or a tenth of the referee's"]
Reward = Annotated[Literal["win", "signed", "margin"], "1, 1/2, 0 or 1, 0, -1 or the score"]
Scale = Annotated[float, "the score that counts as 1, with reward=margin"]
Seed = Annotated[int | None, "the same seed grows the same tree, on one thread"]


@dataclass(frozen=True)
class MctsOptions:
    """The options of the player."""

    simulations: Simulations = None
    time: Seconds = None
    nodes: Annotated[int | None, "nodes of the tree"] = None
    c: Annotated[float, "exploration constant: c * sqrt(2 ln N / n), or C * sqrt(ln N / n) with form=plain"] = 0.3
    form: Annotated[
        Literal["ucb1", "plain", "root", "prior"],
        "how the exploration term is written: as above; root: plain with the root's N; prior: c * P / (1 + n)",
    ] = "ucb1"
    reward: Reward = "win"
    scale: Scale = 64.0
    selection: Annotated[Literal["argmax", "proportional"], "highest bound, or drawn in proportion to it"] = "argmax"
    final: Annotated[Literal["visits", "mean", "secure", "agreement"], "how the move is chosen in the end"] = "visits"
    expansion: Annotated[Literal["one", "all"], "children added by a simulation"] = "one"
    rollouts: Annotated[int, "playouts from each new leaf"] = 1
    rollout: Annotated[
        Literal["uniform", "game", "greedy", "learned"], "how playouts are played: by the game itself, or as people do"
    ] = "game"
    epsilon: Annotated[float, "share of random moves with rollout=greedy"] = 0.1
    rollout_depth: Annotated[int, "moves after which the evaluation ends a playout; 0 for none"] = 0
    rave: Annotated[float, "weight of all-moves-as-first statistics, such as 300; 0 switches it off"] = 0.0
    bias: Annotated[float, "progressive bias: weight of the evaluation; 0 switches it off"] = 0.0
    widening: Annotated[float, "progressive widening: children per sqrt(visits), best first; 0 switches it off"] = 0.0
    solver: Annotated[bool | None, "prove wins and losses; on where the game allows it if not set"] = None
    transpositions: Annotated[bool, "share what is below equal positions"] = False
    reuse: Annotated[bool, "keep the tree from move to move"] = True
    ponder: Annotated[bool, "think on while the others choose"] = False
    memory: Annotated[float, "megabytes for the tree; the least visited parts make room"] = 256.0
    threads: Annotated[int, "threads"] = 1
    parallel: Annotated[Literal["tree", "root"], "what several threads do: grow one tree, or one each"] = "tree"
    virtual_loss: Annotated[int, "visits that keep other threads away"] = 1
    endgame: Endgame = ""
    seed: Seed = None

    def __post_init__(self) -> None:
        for name in ("c", "epsilon", "rave", "bias", "widening"):
            if getattr(self, name) < 0:
                raise BadOption(f"mcts: {name} must be at least 0, not {getattr(self, name):g}")
        for name, least in (("rollouts", 1), ("rollout_depth", 0), ("threads", 1)):
            if getattr(self, name) < least:
                raise BadOption(f"mcts: {name} must be at least {least}, not {getattr(self, name)}")
        if self.scale <= 0 or self.memory <= 0 or self.virtual_loss < 1:
            raise BadOption("mcts: scale and memory must be positive and virtual_loss at least 1")
        if self.epsilon > 1 or self.virtual_loss > 1000:
            raise BadOption("mcts: epsilon must be at most 1 and virtual_loss at most 1000")
        if self.expansion == "all" and (self.rave or self.rollouts > 1):
            raise BadOption("mcts: expansion=all works without rave, and with one rollout for each child")
        if self.endgame and self.reward == "margin":
            raise BadOption("mcts: endgame works with reward=win or signed")
        if self.rave and self.threads > 1 and self.parallel == "tree":
            raise BadOption("mcts: rave works with one thread, or with parallel=root")

    @property
    def limit(self) -> Limit:
        """The player's own limit."""
        given = Limit(time=self.time, nodes=self.nodes, simulations=self.simulations)
        return DEFAULT_LIMIT if given == Limit() else given

    @property
    def variant(self) -> MctsVariant:
        """Which kind of search it is; whether it proves anything depends on the game."""
        return MctsVariant(
            reward=REWARDS[self.reward],
            policy=ROLLOUTS[self.rollout],
            proportional=self.selection == "proportional",
            expand_all=self.expansion == "all",
            guided=self.bias > 0 or self.widening > 0 or self.form == "prior",
            shortened=self.rollout_depth > 0,
            rave=self.rave > 0,
            transpositions=self.transpositions,
            form=FORMS[self.form],
        )

    @property
    def settings(self) -> MctsSettings:
        """The numbers of the search."""
        same = ("scale", "rollouts", "rollout_depth", "epsilon", "rave", "bias", "widening", "virtual_loss")
        exploration = self.c * (math.sqrt(2.0) if self.form == "ucb1" else 1.0)
        return MctsSettings(exploration, **{name: getattr(self, name) for name in same})


USUAL = MctsOptions()


class MctsPlayer(TreePlayer):
    """Monte Carlo tree search."""

    accepts: ClassVar[Accepts] = Accepts(chance=True, general_sum=True)

    def __init__(self, options: MctsOptions) -> None:
        super().__init__(options)
        self.options = options
        self._endgame = EndgameOption(options.endgame)

    def find(self, position: Position, limit: Limit) -> SearchResult:
        self.prepare(position.game)
        if known := self._endgame.found(position):
            return known
        own = self.limit
        # Not `==`: whoever writes time=2 means two seconds, however long the referee would wait.
        if own is DEFAULT_LIMIT and own.time is not None and limit.time is not None:
            own = Limit(time=max(own.time, limit.time / 10))
        return self.searched(position, own.within(limit))

    def new_search(self, game: Game) -> TreeSearch:
        options, axes, variant = self.options, game.axes, self.options.variant
        provable = axes.players == 2 and axes.zero_sum and not axes.chance and variant.reward != MARGIN
        if options.solver and not provable:
            raise BadOption("mcts: solver=on needs two players, zero sum, no chance, and reward=win or signed")
        if variant.guided and not (axes.players == 2 and axes.zero_sum):
            raise BadOption("mcts: bias, widening and form=prior need a two-player zero-sum game")
        if variant.policy == GREEDY and not (axes.players == 2 and axes.zero_sum):
            raise BadOption("mcts: rollout=greedy needs a two-player zero-sum game")
        if variant.shortened and not (axes.players == 1 or (axes.players == 2 and axes.zero_sum)):
            raise BadOption("mcts: rollout_depth needs one player, or two and zero sum")
        use_solver = provable if options.solver is None else options.solver
        # Several threads may not write one node's proof at the same time.
        use_solver = use_solver and not (options.threads != 1 and options.parallel == "tree")
        return TreeSearch(
            game,
            replace(variant, solver=use_solver),
            options.settings,
            final=options.final,
            memory=self.memory,
            threads=options.threads,
            mode=options.parallel,
            reuse=self.reuse,
            seed=self.seed,
            endgame=self._endgame.open_for(game),
            learned=learned_rollouts("mcts", game) if variant.policy == LEARNED else NO_POLICY,
        )


def mcts(options: MctsOptions = USUAL) -> Player:
    """Monte Carlo tree search (UCT): the classical MiniAlphaGo."""
    return MctsPlayer(options)


@dataclass(frozen=True)
class UctOptions:
    """The options of plain UCT."""

    simulations: Simulations = None
    time: Seconds = None
    c: Annotated[float, "exploration constant: C * sqrt(ln N / n), or c * sqrt(2 ln N / n) with form=ucb1"] = 1.0
    form: Annotated[
        Literal["plain", "ucb1", "root"], "how the exploration term is written; root: plain with the root's N"
    ] = "plain"
    reward: Reward = "win"
    scale: Scale = 1.0
    seed: Seed = None

    def __post_init__(self) -> None:
        if self.c < 0 or self.scale <= 0:
            raise BadOption(f"uct: c must be at least 0 and scale positive, not {self.c:g} and {self.scale:g}")


PLAIN = UctOptions()


def uct(options: UctOptions = PLAIN) -> Player:
    """UCT as a lecture writes it down: `mcts` without solver, game knowledge or kept trees; the most visits win."""
    chosen = {field.name: getattr(options, field.name) for field in fields(options)}
    return MctsPlayer(MctsOptions(**chosen, solver=False, rollout="uniform", reuse=False))


class FlatPlayer(SearchPlayer):
    """Flat Monte Carlo."""

    accepts: ClassVar[Accepts] = Accepts(chance=True, general_sum=True)

    def __init__(self, limit: Limit, seed: int) -> None:
        self.limit = limit
        self._seed = seed
        self._moves = 0
        self._look: Callable[[], Glimpse] | None = None

    def prepare(self, game: Game) -> None:
        flat_search(game.initial, Limit(simulations=1))

    def find(self, position: Position, limit: Limit) -> SearchResult:
        self._look = None
        self._moves += 1
        return flat_search(position.state, self.limit.within(limit), self._seed + self._moves, self._show)

    def _show(self, look: Callable[[], Glimpse]) -> None:
        self._look = look

    def thoughts(self) -> Move | None:
        found = self.glimpse()
        if found is None or not found.moves:
            return None
        best = max(found.moves, key=lambda move: move.low)
        return Move(best.action, best.low, (best.action,), 1, found.nodes)

    def glimpse(self) -> Glimpse | None:
        return None if self._look is None else self._look()


def flat(
    simulations: Annotated[int | None, "playouts a move, dealt evenly to the legal actions"] = None,
    time: Annotated[float | None, "seconds a move; 2 if no limit is set"] = None,
    seed: Annotated[int | None, "the same seed plays the same game"] = None,
) -> Player:
    """Flat Monte Carlo: random games after each move, and the best average."""
    limit = Limit(time=time, simulations=simulations)
    return FlatPlayer(DEFAULT_LIMIT if limit == Limit() else limit, fresh_seed() if seed is None else seed)
