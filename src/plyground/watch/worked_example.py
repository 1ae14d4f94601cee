"""One simulation by hand: the four phases on a small tree with numbers as lectures show them."""

from __future__ import annotations

import math
from dataclasses import replace

from plyground.core.limits import Budget
from plyground.core.recording import SimulationEvent, recording
from plyground.games.tree import read_tree
from plyground.native.randomness import stream
from plyground.pictures.tree import Drawing
from plyground.search.mcts import grow
from plyground.search.mcts_selection import upper_bound
from plyground.search.mcts_tree import new_tree
from plyground.search.mcts_variant import MctsSettings, MctsVariant
from plyground.watch.sentences import sentences
from plyground.watch.simulation_numbers import MINUS, ROOT, SimulationNumbers, decimal
from plyground.watch.simulations import SimulationStory

__all__ = ["worked_example"]

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
    say = sentences(lang)
    game = read_tree({"title": say("worked_game"), "players": [say("worked_white"), say("worked_black")], "root": root})
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
    one, other = [
        decimal(event.upper_bound) for event in events if event.kind == "scored" and event.node in in_the_example
    ]
    events = [
        replace(in_the_example[event.node], ply=event.ply)
        if event.kind == "scored" and event.node in in_the_example
        else event
        for event in events
    ]
    bound = say("worked_bound", root=ROOT)
    reply = say("worked_reply", minus=MINUS, bound=bound, first=one, second=other)
    remarks = {1: say("worked_root", bound=bound), 2: reply}
    numbers = SimulationNumbers(variant, settings, say, view=0)
    story = SimulationStory(game, game.initial, numbers, before, tree, events, 21, playouts=False, remarks=remarks)
    return Drawing(say.spaced(say("worked_title", bound=bound)), *story.content())
