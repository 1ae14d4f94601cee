"""The tree that Monte Carlo tree search has grown: its most visited nodes, and how it grew."""

from __future__ import annotations

import heapq
import itertools
import math
from contextlib import nullcontext
from typing import Any

from numpy.typing import NDArray

from plyground.core.game import Game
from plyground.errors import BadOption
from plyground.pictures.tree import Drawing, Look, Step
from plyground.watch.mcts_run import MctsRun, Watching
from plyground.watch.sentences import Sentences, sentences
from plyground.watch.simulation_numbers import SimulationNumbers, decimal, fixed
from plyground.watch.simulation_tree import MOST_CHILDREN, TOP, Path, TreeNodes, count_below, visited_children

__all__ = ["most_visited", "tree_drawing", "tree_looks"]

MOST_REPLIES = 5
"""Children of a node below the root that are drawn, so that the picture is not too broad to go deep."""
WIDEST_EDGE = 14.0


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
    """The tree after this many simulations from `state`, its most visited `nodes`; the steps show how it grew.

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
    say = sentences(lang)
    layout = TreeNodes(game, state, records, paths, lambda path: -int(records[path[-1]]["visits"]), say, boards)
    numbers = SimulationNumbers(grown.variant, grown.settings, say)
    again = MctsRun(game, state, simulations, player, seed)
    steps: list[Step] = []
    for moment in [*([0] if len(grown.planted) > 1 else []), *_moments(grown.done)]:
        if moment:
            again.run(moment - again.done)
        changes = tree_looks(layout, again.tree.nodes[: int(again.tree.used[0])], numbers)
        steps.append(Step(say.spaced(_opinion(layout, again, say)), None, changes))
    simulations = grown.preset + grown.done
    title = say("tree_title", game=game.name, simulations=simulations, solved=grown.solved, player=player)
    return Drawing(say.spaced(title), layout.nodes, steps, legend=say("tree_legend"))


def most_visited(
    nodes: NDArray[Any], most: int, children: int = MOST_CHILDREN, replies: int = MOST_REPLIES, plies: int = 1000
) -> list[Path]:
    """The root and its moves, and then the most visited of what is below them, but not too many children of one.

    Nothing is deeper than `plies`.
    """
    found: list[Path] = []
    order = itertools.count()  # among equals, the first met
    waiting: list[tuple[float, int, Path]] = [(-math.inf, next(order), TOP)]
    while waiting and len(found) < most:
        path = heapq.heappop(waiting)[2]
        found.append(path)
        if len(path) > plies:
            continue
        below = sorted(visited_children(nodes, path[-1]), key=lambda child: -int(nodes[child]["visits"]))
        for child in below[: children if path == TOP else replies]:
            rank = -math.inf if path == TOP else -float(nodes[child]["visits"])
            heapq.heappush(waiting, (rank, next(order), (*path, child)))
    return found


def _moments(end: int) -> list[int]:
    """10, 20, 50, 100, ... and the end."""
    steps = (digit * 10**power for power in range(1, len(str(end))) for digit in (1, 2, 5))
    return [*(step for step in steps if step < end), end]


def tree_looks(
    layout: TreeNodes, nodes: NDArray[Any], numbers: SimulationNumbers, *, count: bool = True
) -> dict[int, Look]:
    """How the nodes of a drawing look while the tree is as it is now; without the `count` of what is not drawn."""
    best = _main_line(nodes)
    root = max(1, int(nodes[0]["visits"]))
    looks: dict[int, Look] = {}
    for path, index in layout.at.items():
        if path[-1] >= len(nodes) or not nodes[path[-1]]["visits"]:
            continue
        node = nodes[path[-1]]
        visits, total, exact = int(node["visits"]), float(node["total"]), float(node["exact"])
        lines = [numbers.say("visits", count=visits)]
        mean = total / visits
        if path == TOP and numbers.variant.parallel:  # such a search keeps no sum there: its moves' are all there is
            below = nodes[visited_children(nodes, 0)]
            mean = float(below["total"].sum()) / max(1, int(below["visits"].sum()))
        if numbers.variant.puct and path != TOP:
            lines.append(f"P {float(node['prior']):.0%}")
        if not math.isnan(exact):
            lines.append(numbers.proven(exact))
        hidden = [child for child in layout.hidden[path] if child < len(nodes) and nodes[child]["visits"]]
        if hidden and count:
            lines.append(numbers.say("hidden", count=count_below(nodes, hidden)))
        looks[index] = Look(
            state="done",
            value=f"{'Q ' * numbers.variant.puct}{fixed(mean)}",
            lines=tuple(lines),
            edge="best" if path in best else "plain",
            width=max(1.0, WIDEST_EDGE * math.sqrt(visits / root)),
            tint=None if path == TOP else numbers.tint(total, visits, exact),
        )
    return looks


def _main_line(nodes: NDArray[Any]) -> set[Path]:
    """The paths from the root along the most visited moves."""
    path, line = TOP, set()
    while children := visited_children(nodes, path[-1]):
        path = (*path, max(children, key=lambda child: int(nodes[child]["visits"])))
        if path in line or len(path) > len(nodes):
            break
        line.add(path)
    return line


def _opinion(layout: TreeNodes, mcts: MctsRun, say: Sentences) -> str:
    """What the search thinks now, in a sentence."""
    nodes, root = mcts.tree.nodes, layout.states[TOP]
    children = visited_children(nodes, 0)
    most = nodes[max(children, key=lambda child: int(nodes[child]["visits"]))]
    visits, mean = int(most["visits"]), float(most["total"]) / int(most["visits"])
    share = visits / sum(int(nodes[child]["visits"]) for child in children)
    move, count = layout.move(root, int(most["action"])), count_below(nodes[: int(mcts.tree.used[0])], [0])
    return say(
        "opinion", simulations=mcts.preset + mcts.done, move=move, share=f"{share:.0%}", mean=decimal(mean), nodes=count
    )
