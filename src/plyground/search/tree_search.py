"""A Monte Carlo tree search as a player uses it: within limits and memory, on several threads, kept between moves."""

from __future__ import annotations

import contextlib
import contextvars
import math
import threading
import time as clock
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

import numpy as np

from plyground.core.game import Game
from plyground.core.limits import Budget, Interrupted, Limit, run_together
from plyground.core.rules import actions, max_actions, result
from plyground.errors import BadOption, BrokenRule
from plyground.native.dispatch import coerced
from plyground.native.randomness import stream
from plyground.search.anytime import root_actions
from plyground.search.endgame_table import NO_TABLE, EndgameTable, NoTable
from plyground.search.mcts import FULL, SOLVED, grow
from plyground.search.mcts_tree import AMAF, NODE, Tree, kept_subtree, new_tree
from plyground.search.mcts_variant import MARGIN, WIN_DRAW_LOSS, MctsSettings, MctsVariant
from plyground.search.playout import NO_POLICY
from plyground.search.result import SearchResult

__all__ = ["Child", "Final", "TreeResult", "TreeSearch", "best_child"]

Final = Literal["visits", "mean", "secure", "agreement"]
MOST_THREADS = 256
UNLIMITED = 2**31 - 1
"""Visits are 32 bits wide; no search may run more simulations on one tree."""


@dataclass(frozen=True)
class Child:
    """A move at the root: visits, mean utility to the player to move, and the proven utility if there is one."""

    action: int
    visits: int
    mean: float
    exact: float | None

    @property
    def worth(self) -> float | None:
        """The proven utility, or else the mean; None of a move that was never tried."""
        return self.mean if self.exact is None and self.visits else self.exact


@dataclass(frozen=True, kw_only=True)
class TreeResult(SearchResult):
    """What a search found: the moves at the root, the most visited first. Values are margins if those are the reward.

    `depth` is the length of the line, and `nodes` the size of the tree.
    """

    simulations: int
    children: tuple[Child, ...] = ()


class TreeSearch:
    """Searches one game. `memory` is in bytes; `mode` says what several threads do: grow one tree or one each.

    `learned` is the policy of the playouts where the variant's are LEARNED.
    """

    def __init__(
        self,
        game: Game,
        variant: MctsVariant,
        settings: MctsSettings,
        *,
        final: Final = "visits",
        memory: int = 256 << 20,
        threads: int = 1,
        mode: Literal["tree", "root"] = "tree",
        reuse: bool = True,
        seed: int = 0,
        endgame: EndgameTable | NoTable = NO_TABLE,
        learned: Any = NO_POLICY,
    ) -> None:
        if threads < 1:
            raise BadOption(f"threads must be at least 1, not {threads}")
        if threads > MOST_THREADS:
            raise BadOption(f"threads must be at most {MOST_THREADS}, not {threads}")
        if variant.transpositions and threads > 1 and mode == "tree":
            raise BadOption("transpositions work with one thread, or with a tree for each thread")
        self.game = game
        self.variant = replace(
            variant, players=game.axes.players, chance=game.axes.chance, parallel=threads > 1 and mode == "tree"
        )
        low, high = game.utilities
        if game.axes.players == 2 and game.axes.zero_sum:  # one side's reward is then the other's, seen from above
            low, high = -max(abs(low), abs(high)), max(abs(low), abs(high))
        self.settings = settings._replace(low=low, high=high) if high > low else settings
        self.final = final
        self.endgame = endgame
        self.learned = learned
        self.threads = threads
        self._trees = threads if mode == "root" else 1
        self._reuse = reuse
        self._seed = seed
        self._searches = 0
        # Two trees, because making room copies one into the other, and the copy's own list of sources.
        each = (
            2 * NODE.itemsize + 4 + (2 * AMAF.itemsize if variant.rave else 0) + (28 if variant.transpositions else 0)
        )
        self._places = memory // each // self._trees
        least = 4 * max_actions(game.initial) + 16
        if self._places < least:
            needed = least * each * self._trees / 1e6
            raise BadOption(
                f"memory of {memory / 1e6:g} MB is too little for {game.name}; give at least {needed:.2g} MB"
            )
        self._places = min(self._places, UNLIMITED)
        self._kept: list[Tree] = []
        self._history: tuple[int, ...] | None = None
        self._root: Any = None
        self._budgets: list[Budget] = []
        self._growing: tuple[list[Tree], list[int]] = ([], [])
        self._halted = False
        self._started = 0.0

    def prepare(self) -> None:
        """Compile, before any clock runs."""
        tiny = new_tree(64, self.variant)
        random, budget = stream(0), Budget()
        grow.prepare(tiny, self.game.initial, self.settings, self.variant, random, budget, self.endgame, self.learned)
        kept_subtree.prepare(tiny, 0, 0, tiny)

    @contextlib.contextmanager
    def pondering(self, state: Any, history: tuple[int, ...]) -> Iterator[None]:
        """Go on searching in the background, from a state where somebody else moves, until the context is left.

        The tree is kept, so that the next search begins with what is below the move that was played.
        """
        self.prepare()
        self._halted = False
        failures: list[BaseException] = []

        def think() -> None:
            try:
                self.search(state, Limit(), history)
            except BaseException as error:  # raised when the context is left
                failures.append(error)

        thread = threading.Thread(target=contextvars.copy_context().run, args=(think,), daemon=True)
        thread.start()
        try:
            yield
        finally:
            self._halted = True
            while thread.is_alive():  # a budget made just now may have been missed
                for budget in self._budgets:
                    budget.stop()
                thread.join(0.001)
            self._halted = False
        if failures:
            raise failures[0]

    def search(self, state: Any, limit: Limit, history: tuple[int, ...] | None = None) -> TreeResult:
        """Search from `state` within a limit; `history` is the actions that led to it, so that the tree can be kept."""
        options = root_actions(state, chance=True)
        if not all(-(2**31) <= action < 2**31 for action in options):
            raise BrokenRule(f"{self.game.name}: the tree search holds actions of 32 bits, not {max(options, key=abs)}")
        self._growing = [], options  # so that nobody takes the last tree for the one that is made now
        self.prepare()
        start = self._started = clock.monotonic()
        least = 2 * max_actions(state) + 1  # room for one simulation
        places = self._places if limit.nodes is None else max(least, min(self._places, limit.nodes))
        try:
            trees = self._starting_trees(state, history, places)
        except MemoryError:
            raise BadOption("there is not as much memory as the search may take; give it less") from None
        self._growing = trees, options
        try:
            done = self._run(trees, state, limit, start)
        except KeyboardInterrupt:
            raise Interrupted(self._answer(trees, options, sum(budget.nodes for budget in self._budgets))) from None
        if self.final == "agreement" and limit.simulations is not None:
            # Both views must agree on the move; grant half as many simulations again.
            for _ in range(5):
                children = self.root_children(trees)
                if best_child(children, "visits") == best_child(children, "mean"):
                    break
                more = replace(limit, simulations=max(1, limit.simulations // 10))
                done += self._run(trees, state, more, start)
        self._kept = trees if self._reuse else []
        self._history, self._root = history, state
        return self._answer(trees, options, done)

    def thoughts(self) -> TreeResult | None:
        """What the search would answer now; from another thread while it runs, when numbers are as good as equal."""
        trees, options = self._growing
        return self._answer(trees, options, sum(budget.nodes for budget in self._budgets)) if trees else None

    @property
    def growing(self) -> Tree | None:
        """The tree that grows now, or grew last; the first of several."""
        trees = self._growing[0]
        return trees[0] if trees else None

    def _starting_trees(self, state: Any, history: tuple[int, ...] | None, places: int) -> list[Tree]:
        """The subtrees below the moves played since the last search, or fresh trees."""
        fresh = partial(new_tree, places, self.variant)
        before = self._history
        if not self._kept or history is None or before is None or history[: len(before)] != before:
            return [fresh() for _ in range(self._trees)]
        reached = self._root
        for action in history[len(before) :]:
            reached = result(reached, action) if action in actions(reached) else None
            if reached is None:
                break
        if reached is None or coerced(reached) != coerced(state):  # the history does not tell the whole story
            return [fresh() for _ in range(self._trees)]
        trees = []
        for old in self._kept:
            root = 0
            for action in history[len(before) :]:
                root = next((c for c in _child_places(old, root) if old.nodes[c]["action"] == action), -1)
                if root <= 0:
                    break
            tree = fresh()
            if root >= 0:
                kept_subtree(old, root, 0, tree)
                tree.nodes["exact"][0] = np.nan  # the root's is looked at from its own mover's side
            trees.append(tree)
        return trees

    def _run(self, trees: list[Tree], state: Any, limit: Limit, start: float) -> int:
        """Grow the trees until a limit is reached; returns how many simulations were run."""
        self._searches += 1
        share = None if limit.simulations is None else math.ceil(limit.simulations / self.threads)
        budgets = self._budgets = [Budget(min(share or UNLIMITED, UNLIMITED)) for _ in range(self.threads)]
        streams = [stream(self._seed, self._searches, number) for number in range(self.threads)]

        def task(number: int) -> Callable[[], int]:
            tree = trees[number % len(trees)]
            random, budget = streams[number], budgets[number]
            return partial(grow, tree, state, self.settings, self.variant, random, budget, self.endgame, self.learned)

        while True:
            left = None if limit.time is None else max(0.0005, limit.time - (clock.monotonic() - start))
            unspent = [number for number in range(self.threads) if not budgets[number].stopped]
            answers = run_together([task(number) for number in unspent], budgets, left)
            late = limit.time is not None and clock.monotonic() - start >= limit.time
            if FULL not in answers or SOLVED in answers or limit.nodes is not None or late or self._halted:
                break
            for number, tree in enumerate(trees):
                if tree.used[0] + 2 * max_actions(state) > len(tree.nodes):
                    trees[number] = self._with_room(tree)
        return sum(budget.nodes for budget in budgets)

    def _with_room(self, tree: Tree) -> Tree:
        """The tree without its least visited parts, at most half full."""
        least = 2
        while True:
            smaller = new_tree(len(tree.nodes), self.variant)
            if kept_subtree(tree, 0, least, smaller) <= len(tree.nodes) // 2 or least > UNLIMITED // 2:
                return smaller
            least *= 2

    def root_children(self, trees: Sequence[Tree]) -> list[Child]:
        """The moves at the root, the statistics of all trees added up."""
        found: dict[int, tuple[int, float, float]] = {}
        for tree in trees:
            for place in _child_places(tree, 0):
                node = tree.nodes[place]
                visits, total, exact = found.get(int(node["action"]), (0, 0.0, math.nan))
                known = float(node["exact"]) if math.isnan(exact) else exact
                found[int(node["action"])] = (visits + int(node["visits"]), total + float(node["total"]), known)
        return [
            Child(
                action,
                visits,
                self._utility(total / visits) if visits else math.nan,
                None if math.isnan(exact) else self._utility(exact),
            )
            for action, (visits, total, exact) in sorted(found.items())
        ]

    def _utility(self, reward: float) -> float:
        """A reward on the game's own scale."""
        if self.variant.reward == MARGIN:
            return reward * self.settings.scale
        share = reward if self.variant.reward == WIN_DRAW_LOSS else (reward + 1.0) / 2.0
        return self.settings.low + share * (self.settings.high - self.settings.low)

    def _answer(self, trees: Sequence[Tree], options: list[int], done: int) -> TreeResult:
        children = self.root_children(trees)
        if not any(child.visits or child.exact is not None for child in children):
            only, values = options[0], dict[int, float]()
            return TreeResult(action=only, value=0.0, line=(only,), values=values, depth=1, nodes=1, simulations=done)
        chosen = best_child(children, self.final)
        known = {child.action: child.worth for child in children if child.worth is not None}
        line = (chosen.action, *_line_below(trees[0], chosen.action))
        return TreeResult(
            action=chosen.action,
            value=known.get(chosen.action, 0.0),
            line=line,
            values=known,
            depth=len(line),
            nodes=sum(min(int(tree.used[0]), len(tree.nodes)) for tree in trees),
            time=clock.monotonic() - self._started,
            complete=all(child.exact is not None for child in children) or chosen.exact == self.settings.high,
            simulations=done,
            children=tuple(sorted(children, key=lambda child: -child.visits)),
        )


def _child_places(tree: Tree, node: int) -> range:
    first = int(tree.nodes[node]["first"])
    return range(first, first + int(tree.nodes[node]["count"])) if first else range(0)


def best_child(children: Sequence[Child], final: Final) -> Child:
    """The child to play: by the given measure among the open ones, or a proven one that is at least as good as they."""
    known = [child for child in children if child.exact is not None]
    still_open = [child for child in children if child.exact is None and child.visits > 0]
    if known:
        surest = max(known, key=lambda child: (child.exact, child.visits))
        untried = [child for child in children if child.exact is None and child.visits == 0]
        if untried and not still_open and surest.exact is not None and surest.exact < 0:
            return untried[0]
        if all(surest.exact is not None and surest.exact >= child.mean for child in still_open):
            return surest
    measures: dict[Final, Callable[[Child], tuple[float, float]]] = {
        "visits": lambda child: (child.visits, child.mean),
        "agreement": lambda child: (child.visits, child.mean),
        "mean": lambda child: (child.mean, child.visits),
        "secure": lambda child: (child.mean - 1.0 / math.sqrt(child.visits), child.visits),
    }
    return max(still_open, key=measures[final])


def _line_below(tree: Tree, action: int) -> list[int]:
    """The most visited moves below a child of the root."""
    line: list[int] = []
    node = next((place for place in _child_places(tree, 0) if tree.nodes[place]["action"] == action), 0)
    while node and len(line) < 60:
        places = [place for place in _child_places(tree, node) if tree.nodes[place]["visits"] > 0]
        if not places:
            break
        node = max(places, key=lambda place: int(tree.nodes[place]["visits"]))
        line.append(int(tree.nodes[node]["action"]))
    return line
