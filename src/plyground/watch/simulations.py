"""Monte Carlo tree search as pictures: its four phases step by step, the tree it has grown, and an example by hand.

The numbers at a node are its sum of rewards and its visits, Q/N, to the player who moved there, as the search keeps
them. A drawing of a search with a seed shows the tree that the player ``mcts:seed=...`` grows for its first move.
"""

from __future__ import annotations

import heapq
import itertools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plyground.core.game import (
    CHANCE,
    Game,
    action_text,
    actions,
    grid,
    playout_action,
    probability,
    result,
    terminal,
    to_move,
)
from plyground.core.grid import with_last
from plyground.core.limits import Budget
from plyground.core.recording import SimulationEvent, recording
from plyground.errors import BadOption
from plyground.games.tree import read_tree
from plyground.native.randomness import stream
from plyground.pictures.board import grid_svg
from plyground.pictures.board import svg as state_svg
from plyground.pictures.tree import Drawing, Look, Node, Shape, Step
from plyground.search.mcts import (
    GAME,
    GREEDY,
    LEARNED,
    WIN_DRAW_LOSS,
    MctsSettings,
    MctsVariant,
    Tree,
    grow,
    new_tree,
    upper_bound,
)
from plyground.watch.mcts_run import MctsRun
from plyground.watch.simulation_words import SimulationWords, simulation_words

__all__ = [
    "Numbers",
    "TreeNodes",
    "most_visited",
    "simulations_drawing",
    "tree_drawing",
    "tree_looks",
    "worked_example",
]

MOST_CHILDREN = 10
"""Children of one node that are drawn; the others are counted."""
MOST_REPLIES = 5
"""The same below the root in a picture of the tree, which shall not be too broad to go deep."""
MOST_BOARDS = 12
"""Positions of a playout that are shown, the first and the last among them."""
MOST_MOVES_NAMED = 8
MOST_THUMBNAILS = 48
"""Nodes up to which each shows its board."""
WIDEST_EDGE = 14.0
MINUS, ARROW, ROOT = "\N{MINUS SIGN}", "\N{RIGHTWARDS ARROW}", "\N{SQUARE ROOT}"

Path = tuple[int, ...]
"""A node by the places from the root to it; one place may be reached on several paths if positions are shared."""
TOP: Path = (0,)
Watching = Callable[[MctsRun], AbstractContextManager[None]]


# Numbers ----------------------------------------------------------------------------------------------------------


def _plain(value: float, decimals: int = 2) -> str:
    """A number without needless zeros."""
    text = f"{abs(value):,.{decimals}f}".rstrip("0").rstrip(".")
    return f"{MINUS}{text}" if value < 0 and text != "0" else text


def _fixed(value: float) -> str:
    """A number with three decimals.

    >>> _fixed(-0.25), _fixed(-0.0004)
    ('−0.250', '0.000')
    """
    return f"{round(value, 3) + 0.0:.3f}".replace("-", MINUS)


def _decimal(value: float) -> str:
    """A number with three decimals, or two if the third is 0."""
    return _fixed(value).removesuffix("0")


@dataclass(frozen=True)
class Numbers:
    """How a search's numbers are written. With a `view`, all rewards are written as that player's."""

    variant: MctsVariant
    settings: MctsSettings
    words: SimulationWords
    view: int | None = None

    @property
    def more(self) -> bool:
        """Whether the bound has more parts than mean and exploration."""
        return self.variant.rave or (self.variant.guided and self.settings.bias > 0)

    @property
    def formula(self) -> str:
        """The bound that is compared."""
        c = self.settings.exploration
        factor = "" if c == 1 else f"{_decimal(c)} "
        return self.words.formula(f"Q/n + {factor}{ROOT}(ln N / n)", self.more)

    def seen(self, total: float, visits: int, player: int) -> float:
        """The sum of rewards to be written, of a node that counts for `player`."""
        return total if self.view in (None, player) else visits - total

    def ratio(self, total: float, visits: int, player: int) -> str:
        """Q/N, such as 12/21."""
        return f"{_plain(self.seen(total, visits, player))}/{visits:,}"

    def terms(self, score: SimulationEvent, player: int, exact: float) -> str:
        """mean + exploration = bound, as `player` sees it."""
        if math.isinf(score.upper_bound):
            return self.proven(exact)
        mean = _decimal(score.mean)
        if self.view not in (None, player):
            mean = f"1 {MINUS} {_decimal(1 - score.mean)}"
        parts = f"{mean} + {score.exploration:.3f}"
        added = score.upper_bound - score.mean - score.exploration
        if self.more:
            parts += f" {MINUS if added < 0 else '+'} {abs(added):.3f}"
        return f"{parts} = {_fixed(score.upper_bound)}"

    def proven(self, exact: float) -> str:
        """A proven reward in words."""
        lowest = 0.0 if self.variant.reward == WIN_DRAW_LOSS else -1.0
        outcomes = dict(zip((1.0, lowest, (1.0 + lowest) / 2), self.words.outcomes, strict=True))
        return self.words.proven(outcomes.get(exact, _decimal(exact)))

    def tint(self, total: float, visits: int, exact: float) -> float:
        """From -1 to 1, for what is proven or else Q/N; drawn apart near 0, where most positions are."""
        mean = total / visits if math.isnan(exact) else exact
        side = 2 * mean - 1 if self.variant.reward == WIN_DRAW_LOSS else mean
        return math.copysign(math.sqrt(min(1.0, abs(side))), side)


# Nodes ------------------------------------------------------------------------------------------------------------


def _children(nodes: NDArray[Any], place: int) -> list[int]:
    """The places of the children that were visited."""
    first, count = int(nodes[place]["first"]), int(nodes[place]["count"])
    return [child for child in range(first, first + count) if nodes[child]["visits"] > 0] if first else []


def _count_below(nodes: NDArray[Any], places: Sequence[int]) -> int:
    """How many nodes that were visited there are at these places and below them."""
    seen = np.zeros(len(nodes), bool)
    frontier = np.array(places, np.int64)
    while frontier.size:
        seen[frontier] = True
        inner = nodes[frontier]
        inner = inner[inner["first"] > 0]
        counts = inner["count"].astype(np.int64)
        before = np.repeat(np.cumsum(counts) - counts, counts)
        below = np.repeat(inner["first"].astype(np.int64), counts) + np.arange(counts.sum()) - before
        frontier = np.unique(below[(nodes["visits"][below] > 0) & ~seen[below]])
    return int(seen.sum())


def _thumbnail(state: Any, before: Any) -> str:
    """The board without its coordinates, the last move marked; nothing if the game has no board."""
    board = grid(state)
    if board is None:
        return ""
    was = None if before is None else grid(before)
    marked = board if was is None else with_last(was, board)
    return grid_svg(replace(marked, columns=(), rows=(), dots=()))


class TreeNodes:
    """The nodes of a drawing: those on the given paths, in order from left to right, and where each is."""

    def __init__(
        self,
        game: Game,
        root: Any,
        nodes: NDArray[Any],
        paths: Iterable[Path],
        order: Callable[[Path], Any],
        words: SimulationWords,
        boards: bool | None,
    ) -> None:
        self._words = words
        below: dict[Path, list[Path]] = {TOP: []}
        for path in sorted(set(paths) - {TOP}, key=len):
            below[path] = []
            below[path[:-1]].append(path)
        self.hidden = {
            path: [child for child in _children(nodes, path[-1]) if (*path, child) not in below] for path in below
        }
        """For each path, the visited children that are not drawn."""
        self.at: dict[Path, int] = {}
        self.states: dict[Path, Any] = {TOP: root}
        self.counts_for: dict[Path, int] = {TOP: max(0, int(to_move(root)))}
        self.places: dict[int, list[Path]] = {}
        self.nodes: list[Node] = []
        self._game = game
        self._boards = len(below) <= MOST_THUMBNAILS if boards is None else boards
        waiting = [TOP]
        while waiting:
            path = waiting.pop()
            self._add(path, nodes)
            waiting += sorted(below[path], key=order, reverse=True)

    def _add(self, path: Path, nodes: NDArray[Any]) -> None:
        parent, action, name, before = None, "", "", None
        if path == TOP:
            mover = int(to_move(self.states[TOP]))
            name = self._words.chance if mover == CHANCE else self._words.to_move(self._game.seats[mover])
        else:
            before = self.states[path[:-1]]
            move, mover = int(nodes[path[-1]]["action"]), int(to_move(before))
            parent, action = self.at[path[:-1]], self.move(before, move)
            self.states[path] = result(before, move)
            self.counts_for[path] = max(0, mover)
        state = self.states[path]
        shape: Shape = "leaf" if terminal(state) else "chance" if to_move(state) == CHANCE else "player"
        self.at[path] = len(self.nodes)
        self.places.setdefault(path[-1], []).append(path)
        board = _thumbnail(state, before) if self._boards else ""
        self.nodes.append(Node(parent, shape, action, name, board))

    def move(self, state: Any, action: int) -> str:
        """Who makes a move, and the move."""
        mover = int(to_move(state))
        if mover == CHANCE:
            return f"{action_text(state, action)} ({_plain(probability(state, action), 3)})"
        return f"{self._game.seats[mover]} {action_text(state, action)}"


# Simulations step by step -----------------------------------------------------------------------------------------


def simulations_drawing(
    game: Game,
    state: Any,
    *,
    simulations: int,
    shown: int = 8,
    player: str = "mcts",
    seed: int = 0,
    boards: bool | None = None,
    lang: str = "en",
    watching: Watching | None = None,
) -> Drawing:
    """The last `shown` of so many simulations from `state`, phase by phase.

    `player` is a spec such as ``mcts:c=1,solver=off``; `boards` says whether nodes show their positions, and is
    decided by their number if it is None. `lang` is "en" or "zh". `watching` is a context for the time in which the
    tree grows.
    """
    if shown < 1:
        raise BadOption(f"at least 1 simulation must be shown, not {shown}")
    rehearsal = MctsRun(game, state, simulations, player, seed)
    with watching(rehearsal) if watching else nullcontext():
        rehearsal.run(simulations)  # a solved root may end the search early; the last ones before that are shown
    first = max(0, rehearsal.done - shown)
    mcts = MctsRun(game, state, simulations, player, seed)
    if first:
        mcts.run(first)
    before = mcts.tree.nodes[: int(mcts.tree.used[0])].copy()
    events = mcts.record(rehearsal.done - first)
    words = simulation_words(lang)
    story = _Story(game, state, mcts.settings, mcts.variant, before, mcts.tree, events, words, first, boards=boards)
    title = words.simulations_title(game.name, first + 1, mcts.done, player, story.numbers.formula)
    return Drawing(words.spaced(title), *story.content())


class _Story:
    """From the events of some simulations to the nodes they met and the steps they took."""

    def __init__(
        self,
        game: Game,
        state: Any,
        settings: MctsSettings,
        variant: MctsVariant,
        before: NDArray[Any],
        tree: Tree,
        events: Sequence[SimulationEvent],
        words: SimulationWords,
        first: int = 0,
        *,
        view: int | None = None,
        boards: bool | None = None,
        playouts: bool = True,
        remarks: Mapping[int, str] | None = None,
    ) -> None:
        self.game, self.variant, self.words = game, variant, words
        self.numbers = Numbers(variant, settings, words, view)
        self.policy = words.policy({GREEDY: "greedy", LEARNED: "learned"}.get(variant.policy, "random"))
        if variant.policy == GAME and type(state) in playout_action.implementations:
            self.policy = words.policy("game")
        self.playouts = playouts
        """Whether the positions of playouts are shown."""
        self.remarks = remarks or {}
        nodes = tree.nodes[: int(tree.used[0])]
        kept = _met(events)
        self.layout = TreeNodes(game, state, nodes, kept, lambda path: int(nodes[path[-1]]["action"]), words, boards)
        self.hidden = {path: _count_below(nodes, hidden) for path, hidden in self.layout.hidden.items() if hidden}
        known = len(before)
        self.statistics = {
            place: (float(before[place]["total"]), int(before[place]["visits"])) if place < known else (0.0, 0)
            for place in self.layout.places
        }
        self.exact = {place: float(before[place]["exact"]) for place in self.layout.places if place < known}
        self.terms: dict[Path, str] = {}
        self.changed: dict[Path, str] = {}
        """The sums and the changes that are written at nodes during one simulation."""
        self.put_out: dict[int, Look] = {}
        """How nodes look again when the next simulation takes its first step."""
        self.steps: list[Step] = []
        self.start = {
            index: self._look(path, state="done", edge="plain")
            for path, index in self.layout.at.items()
            if path == TOP or self.statistics[path[-1]][1]
        }
        self.number = first
        self._tell(events)

    def content(self) -> tuple[list[Node], list[Step], dict[int, Look]]:
        """Nodes, steps and the looks to start with."""
        return self.layout.nodes, self.steps, self.start

    def _look(self, path: Path, **more: Any) -> Look:
        total, visits = self.statistics[path[-1]]
        lines = [line for line in (self.terms.get(path), self.changed.get(path)) if line]
        exact = self.exact.get(path[-1], math.nan)
        if not math.isnan(exact) and self.numbers.proven(exact) not in lines:
            lines.append(self.numbers.proven(exact))
        if path in self.hidden:
            lines.append(self.words.hidden(self.hidden[path]))
        coloured = visits and path != TOP and self.numbers.view is None
        tint = self.numbers.tint(total, visits, exact) if coloured else None
        ratio = self.numbers.ratio(total, visits, self.layout.counts_for[path])
        return Look(value=ratio, lines=tuple(lines), tint=tint, **more)

    def _name(self, path: Path) -> str:
        return self.words.root if path == TOP else self.layout.nodes[self.layout.at[path]].action

    def _step(self, phase: str, text: str, path: Path, changes: Mapping[int, Look], **more: Any) -> None:
        caption = self.words.spaced(self.words.step(self.number, phase, text))
        self.steps.append(Step(caption, self.layout.at[path], {**self.put_out, **changes}, **more))
        self.put_out = {}

    def _tell(self, events: Sequence[SimulationEvent]) -> None:
        path = TOP
        scores: dict[int, SimulationEvent] = {}
        moves: list[SimulationEvent] = []
        rewards: list[float] = []
        for event in events:
            if event.kind == "simulation_started":
                self.number += 1
                path = TOP
                lit = {*self.terms, *self.changed}
                self.terms, self.changed = {}, {}
                self.put_out = {self.layout.at[at]: self._look(at, state="done", edge="plain") for at in lit}
            elif event.kind == "scored":
                scores[event.node] = event
            elif event.kind == "descended":
                parent, path = path[: event.ply], (*path[: event.ply], event.node)
                self._descend(parent, path, event.fresh, scores)
                scores, moves, rewards = {}, [], []
            elif event.kind == "playout_moved":
                moves.append(event)
            elif event.kind == "rewarded":
                rewards.append(event.reward)
                if len(rewards) == self.variant.players:
                    self._play_out(path, moves, rewards)
                    moves, rewards = [], []
            elif event.kind == "credited":
                self._credit(path[: event.ply + 1], event)
            elif event.kind == "proved":
                self._prove(event)

    def _descend(self, parent: Path, path: Path, fresh: bool, scores: Mapping[int, SimulationEvent]) -> None:
        """Selection at one node, or expansion by one."""
        state, place = self.layout.states[parent], path[-1]
        node = self.layout.nodes[self.layout.at[path]]
        mover = int(to_move(state))
        words = self.words
        who = words.chance if mover == CHANCE else self.game.seats[mover]
        move = node.action.removeprefix(f"{who} ")
        self.terms.setdefault(path, "")
        if fresh:
            text = words.drawn_first(move) if mover == CHANCE else words.tried_first(who, move)
            self._step("expansion", text, path, {self.layout.at[path]: self._look(path, state="open", edge="best")})
            return
        changes: dict[int, Look] = {}
        for child, score in scores.items():
            at = (*parent, child)
            if at in self.layout.at:
                self.terms[at] = self.numbers.terms(score, mover, self.exact.get(child, math.nan))
                changes[self.layout.at[at]] = self._look(at, state="done", edge="plain")
        beyond = [score.upper_bound for child, score in scores.items() if (*parent, child) not in self.layout.at]
        if mover == CHANCE:
            text = words.drawn(move)
        elif len(scores) == 1:
            text = words.only(who, move, len(actions(state)) == 1)
        elif place in scores and math.isinf(scores[place].upper_bound):
            text = words.takes(who, move, self.terms[path])
        elif self.variant.proportional:
            text = words.in_proportion(move, self.terms[path], len(scores))
        else:
            text = words.compares(who, len(scores), move, self.terms[path])
            if beyond and math.isfinite(max(beyond)):
                text += words.beyond(len(beyond), _fixed(max(beyond)))
        text += self.remarks.get(len(parent), "")
        changes[self.layout.at[path]] = self._look(path, state="open", edge="best")
        self._step("selection", text, path, changes)

    def _play_out(self, path: Path, moves: Sequence[SimulationEvent], rewards: Sequence[float]) -> None:
        """Simulation, or what takes its place."""
        state = self.layout.states[path]
        exact = self.exact.get(path[-1], math.nan)
        words = self.words
        results = words.rewards(
            [words.reward(_plain(reward, 3), seat) for reward, seat in zip(rewards, self.game.seats, strict=True)]
        )
        if not moves:
            proven = "" if math.isnan(exact) else self.numbers.proven(exact)
            self._step("simulation", words.known(bool(terminal(state)), proven, results), path, {})
            return
        above, last = self.layout.states[path[:-1]], moves[-1]
        positions = [*(event.state for event in moves), result(last.state, last.action)]
        named = [action_text(event.state, event.action) for event in moves]
        who = [self.layout.move(event.state, int(event.action or 0)) for event in moves]
        captions = [self._name(path), *(f"{number}. {move}" for number, move in enumerate(who, 1))]
        chosen = _evenly(len(positions), MOST_BOARDS)
        pictures = [
            (_thumbnail(positions[i], positions[i - 1] if i else above) or state_svg(positions[i]), captions[i])
            for i in (chosen if self.playouts else ())
        ]
        told = " ".join(named if len(named) <= MOST_MOVES_NAMED else [*named[:4], "...", *named[-2:]])
        end = positions[-1]
        ending = words.then_evaluation if not terminal(end) else _outcome(self.game, end, words)
        text = words.playout(len(moves), self.policy, told, ending, results)
        self._step("simulation", text, path, {}, boards=pictures)

    def _credit(self, path: Path, event: SimulationEvent) -> None:
        """Backpropagation at one node."""
        place, player = path[-1], event.player
        was = self.numbers.ratio(*self.statistics[place], player)
        self.statistics[place] = (event.total, event.visits)
        now = self.numbers.ratio(event.total, event.visits, player)
        change = f"{was} {ARROW} {now}"
        reward = _plain(self.numbers.seen(event.reward, 1, player), 3)
        here, who = self._name(path), self.game.seats[player]
        if self.numbers.view is not None:
            text = self.words.gets_at(self.game.seats[self.numbers.view], reward, here)
        elif path == TOP or to_move(self.layout.states[path[:-1]]) == CHANCE:
            text = self.words.counts_for(here, who, reward)
        else:
            text = self.words.own_move(here, who, reward)
        self.changed[path] = change
        changes = {self.layout.at[twin]: self._look(twin) for twin in self.layout.places[place]}
        changes[self.layout.at[path]] = self._look(path, state="done")
        self._step("backpropagation", self.words.credit(text, change), path, changes)

    def _prove(self, event: SimulationEvent) -> None:
        """A node is solved, which is told once."""
        if not math.isnan(self.exact.get(event.node, math.nan)):
            return
        self.exact[event.node] = event.reward
        path = self.layout.places[event.node][0]
        who = self.game.seats[self.layout.counts_for[path]]
        changes = {self.layout.at[twin]: self._look(twin) for twin in self.layout.places[event.node]}
        text = self.words.proof(self._name(path), self.numbers.proven(event.reward), who)
        self._step("proof", text, path, changes)


def _met(events: Sequence[SimulationEvent]) -> set[Path]:
    """The paths that simulations took, with the children compared on them; of very many, those with high bounds."""
    taken: set[Path] = {TOP}
    compared: dict[Path, dict[int, float]] = {}
    path = TOP
    for event in events:
        if event.kind == "simulation_started":
            path = TOP
        elif event.kind == "scored":
            compared.setdefault(path, {})[event.node] = event.upper_bound
        elif event.kind == "descended":
            path = (*path[: event.ply], event.node)
            taken.add(path)
    kept = set(taken)
    for parent, bounds in compared.items():
        here = sum(len(path) == len(parent) + 1 and path[:-1] == parent for path in taken)
        others = sorted((place for place in bounds if (*parent, place) not in taken), key=lambda place: -bounds[place])
        room = max(0, MOST_CHILDREN - here)
        kept |= {(*parent, place) for place in others[:room]}
    return kept


def _evenly(count: int, most: int) -> list[int]:
    """At most so many of 0, 1, ..., evenly chosen, the first and the last among them."""
    if count <= most:
        return list(range(count))
    return [round(i * (count - 1) / (most - 1)) for i in range(most)]


def _outcome(game: Game, state: Any, words: SimulationWords) -> str:
    """Who has won a finished game, in words."""
    values = game.returns(state)
    if game.axes.players != 2 or not game.axes.zero_sum:
        return words.the_end
    return words.a_draw if values[0] == values[1] else words.wins(game.seats[int(values[1] > values[0])])


# The tree -----------------------------------------------------------------------------------------------------------


def tree_drawing(
    game: Game,
    state: Any,
    *,
    simulations: int,
    nodes: int = 60,
    player: str = "mcts",
    seed: int = 0,
    boards: bool | None = None,
    lang: str = "en",
    watching: Watching | None = None,
) -> Drawing:
    """The tree after so many simulations from `state`, its most visited `nodes`; the steps show how it grew.

    An edge is as thick as the root of its share of the visits, a node as blue or orange as its mean is good or bad for
    whoever moved there, and ``+93 nodes`` counts those below it that are not drawn. The line of the most visited moves
    is lit. `player`, `boards`, `lang` and `watching` as in
    `simulations_drawing`.
    """
    if nodes < 2:
        raise BadOption(f"at least 2 nodes must be drawn, not {nodes}")
    grown = MctsRun(game, state, simulations, player, seed)
    with watching(grown) if watching else nullcontext():
        grown.run(simulations)
    records = grown.tree.nodes[: int(grown.tree.used[0])]
    paths = most_visited(records, nodes)
    words = simulation_words(lang)
    layout = TreeNodes(game, state, records, paths, lambda path: -int(records[path[-1]]["visits"]), words, boards)
    numbers = Numbers(grown.variant, grown.settings, words)
    again = MctsRun(game, state, simulations, player, seed)
    steps: list[Step] = []
    for moment in _moments(grown.done):
        again.run(moment - again.done)
        changes = tree_looks(layout, again.tree.nodes[: int(again.tree.used[0])], numbers)
        steps.append(Step(words.spaced(_opinion(layout, again, words)), None, changes))
    title = words.tree_title(game.name, grown.done, grown.solved, player)
    return Drawing(words.spaced(title), layout.nodes, steps)


def most_visited(
    nodes: NDArray[Any], most: int, children: int = MOST_CHILDREN, replies: int = MOST_REPLIES, plies: int = 1000
) -> list[Path]:
    """The root and its moves, and then the most visited of what is below them, but not too many children of one.

    Nothing is deeper than so many `plies`.
    """
    found: list[Path] = []
    order = itertools.count()  # among equals, the first met
    waiting: list[tuple[float, int, Path]] = [(-math.inf, next(order), TOP)]
    while waiting and len(found) < most:
        path = heapq.heappop(waiting)[2]
        found.append(path)
        if len(path) > plies:
            continue
        below = sorted(_children(nodes, path[-1]), key=lambda child: -int(nodes[child]["visits"]))
        for child in below[: children if path == TOP else replies]:
            rank = -math.inf if path == TOP else -float(nodes[child]["visits"])
            heapq.heappush(waiting, (rank, next(order), (*path, child)))
    return found


def _moments(end: int) -> list[int]:
    """10, 20, 50, 100, ... and the end."""
    steps = (digit * 10**power for power in range(1, len(str(end))) for digit in (1, 2, 5))
    return [*(step for step in steps if step < end), end]


def tree_looks(layout: TreeNodes, nodes: NDArray[Any], numbers: Numbers, *, count: bool = True) -> dict[int, Look]:
    """How the nodes of a drawing look while the tree is as it is now; without the `count` of what is not drawn."""
    best = _main_line(nodes)
    root = max(1, int(nodes[0]["visits"]))
    looks: dict[int, Look] = {}
    for path, index in layout.at.items():
        if path[-1] >= len(nodes) or not nodes[path[-1]]["visits"]:
            continue
        node = nodes[path[-1]]
        visits, total, exact = int(node["visits"]), float(node["total"]), float(node["exact"])
        lines = [numbers.words.visits(visits)]
        mean = total / visits
        if path == TOP and numbers.variant.parallel:  # such a search keeps no sum there: its moves' are all there is
            below = nodes[_children(nodes, 0)]
            mean = float(below["total"].sum()) / max(1, int(below["visits"].sum()))
        if numbers.variant.puct and path != TOP:
            lines.append(f"P {float(node['prior']):.0%}")
        if not math.isnan(exact):
            lines.append(numbers.proven(exact))
        hidden = [child for child in layout.hidden[path] if child < len(nodes) and nodes[child]["visits"]]
        if hidden and count:
            lines.append(numbers.words.hidden(_count_below(nodes, hidden)))
        looks[index] = Look(
            state="done",
            value=f"{'Q ' * numbers.variant.puct}{_fixed(mean)}",
            lines=tuple(lines),
            edge="best" if path in best else "plain",
            width=max(1.0, WIDEST_EDGE * math.sqrt(visits / root)),
            tint=None if path == TOP else numbers.tint(total, visits, exact),
        )
    return looks


def _main_line(nodes: NDArray[Any]) -> set[Path]:
    """The paths from the root along the most visited moves."""
    path, line = TOP, set()
    while children := _children(nodes, path[-1]):
        path = (*path, max(children, key=lambda child: int(nodes[child]["visits"])))
        if path in line or len(path) > len(nodes):
            break
        line.add(path)
    return line


def _opinion(layout: TreeNodes, mcts: MctsRun, words: SimulationWords) -> str:
    """What the search thinks now, in a sentence."""
    nodes, root = mcts.tree.nodes, layout.states[TOP]
    children = _children(nodes, 0)
    most = nodes[max(children, key=lambda child: int(nodes[child]["visits"]))]
    visits, mean = int(most["visits"]), float(most["total"]) / int(most["visits"])
    share = visits / sum(int(nodes[child]["visits"]) for child in children)
    move, count = layout.move(root, int(most["action"])), _count_below(nodes[: int(mcts.tree.used[0])], [0])
    return words.opinion(mcts.done, move, f"{share:.0%}", _decimal(mean), count)


# The example by hand ------------------------------------------------------------------------------------------------

WORKED_STATISTICS = ((12, 21), (7, 10), (5, 8), (0, 3), (4 - 2, 4), (6 - 5, 6))
"""Wins and visits of the root, its children a, b, c and Black's children d, e below a, to whoever moved there."""


def worked_example(lang: str = "en") -> Drawing:
    """The 22nd simulation on a root of 12/21 with children 7/10, 5/8 and 0/3: all four phases, in White's wins.

    The bound is mean + sqrt(ln 21 / n) at both levels, as in many courses, where UCT takes ln N of the node itself. The
    numbers are put into a tree, and the search itself runs on it.
    """
    won = {"min": {"g": {"max": {"h": {"min": {"i": 1, "j": 1}}}}}}
    after_a = {"min": {"d": {"max": {"f": won}}, "e": {"max": {"f": -1}}}}
    root = {"max": {"a": after_a, "b": {"min": {"d": 0}}, "c": {"min": {"d": 0}}}}
    words = simulation_words(lang)
    game = read_tree({"title": words.worked_game, "players": list(words.worked_seats), "root": root})
    variant, settings = MctsVariant(), MctsSettings(exploration=1.0)
    tree = new_tree(64, variant)
    tree.used[0] = len(WORKED_STATISTICS)
    for place, (wins, visits) in enumerate(WORKED_STATISTICS):
        tree.nodes[place]["total"], tree.nodes[place]["visits"], tree.nodes[place]["exact"] = wins, visits, math.nan
        tree.nodes[place]["action"] = (0, 0, 1, 2, 0, 1)[place]
    for place, first, count in ((0, 1, 3), (1, 4, 2)):
        tree.nodes[place]["first"], tree.nodes[place]["count"] = first, count
    before = tree.nodes[: len(WORKED_STATISTICS)].copy()
    with recording() as by_hand:
        for place in (4, 5):
            upper_bound(tree.nodes, tree.amaf, place, 21, math.log(21), settings, variant)
    with recording() as recorded:
        grow(tree, game.initial, settings, variant, stream(0), Budget(1))
    in_the_example = {event.node: event for event in by_hand if isinstance(event, SimulationEvent)}
    events = [event for event in recorded if isinstance(event, SimulationEvent)]
    own = [_decimal(event.upper_bound) for event in events if event.kind == "scored" and event.node in in_the_example]
    events = [
        replace(in_the_example[event.node], ply=event.ply)
        if event.kind == "scored" and event.node in in_the_example
        else event
        for event in events
    ]
    bound = words.worked_bound(ROOT)
    remarks = {1: words.worked_root(bound), 2: words.worked_reply(MINUS, bound, own)}
    story = _Story(
        game, game.initial, settings, variant, before, tree, events, words, 21, view=0, playouts=False, remarks=remarks
    )
    return Drawing(words.spaced(words.worked_title(bound)), *story.content())
