"""A search while it runs, as a picture that grows: trees of Monte Carlo, windows and cuts of alpha-beta, plain values.

Each picture is a drawing without steps. It is made by another thread while the search goes on: its numbers may be a
moment apart from each other, which nobody sees.
"""

from __future__ import annotations

from typing import Any

from plyground.core.game import Game
from plyground.native.compiling import interpreted
from plyground.pictures.tree import Drawing
from plyground.players.player import Move, Player
from plyground.players.tree_player import TreePlayer
from plyground.search.mcts_tree import Tree
from plyground.search.mcts_variant import MctsSettings, MctsVariant
from plyground.watch.looking import LookaheadTree
from plyground.watch.sentences import sentences
from plyground.watch.simulation_numbers import SimulationNumbers
from plyground.watch.simulation_tree import TreeNodes
from plyground.watch.visited_tree import most_visited, tree_looks

__all__ = ["Growing", "grown_tree"]

NODES, CHILDREN, REPLIES, PLIES = 13, 4, 2, 3
"""Nodes of a picture that stands beside a board; children of the root and of every other node; levels below it."""


def grown_tree(
    game: Game,
    state: Any,
    tree: Tree,
    variant: MctsVariant,
    settings: MctsSettings,
    lang: str = "en",
    *,
    large: bool = False,
) -> Drawing:
    """The most visited nodes of a Monte Carlo tree as it stands: visits, means, and the line of the most visited.

    A `large` picture has more of them.
    """
    say = sentences(lang)
    nodes = tree.nodes
    with interpreted():
        paths = (
            most_visited(nodes, 3 * NODES, plies=2 * PLIES)
            if large
            else most_visited(nodes, NODES, CHILDREN, REPLIES, PLIES)
        )
        layout = TreeNodes(game, state, nodes, paths, lambda path: int(nodes[path[-1]]["action"]), say, boards=False)
    return Drawing(
        "", layout.nodes, [], tree_looks(layout, nodes, SimulationNumbers(variant, settings, say), count=False)
    )


class Growing:
    """Draws one player's search of one position, in one language, as often as it is asked."""

    def __init__(self, game: Game, state: Any, lang: str = "en", *, large: bool = False) -> None:
        self._game, self._state, self._lang, self._large = game, state, lang, large
        self._ahead = LookaheadTree(game, state, lang, large=large)

    def drawing(self, player: Player, thought: Move) -> tuple[Drawing, str] | None:
        """How the search of the player stands, which thinks this now, and a legend; None if it shows nothing."""
        say = sentences(self._lang)
        if isinstance(player, TreePlayer):
            search = player.search
            tree = None if search is None else search.growing
            if search is None or tree is None:
                return None
            drawing = grown_tree(
                self._game, self._state, tree, search.variant, search.settings, self._lang, large=self._large
            )
            return drawing, say("puct_legend" if search.variant.puct else "mcts_legend")
        glimpse = player.glimpse()
        if glimpse is None:
            return None
        legend = "engine" if glimpse.kind == "windows" and glimpse.unit == "discs" else glimpse.kind
        return self._ahead.drawing(glimpse, thought), say(f"{legend}_legend")
