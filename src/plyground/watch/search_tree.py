"""The tree that a search has met: where each event took place, and what is known of each place."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Sequence
from typing import Any

from plyground.core.game import Game
from plyground.core.grid import column_name
from plyground.core.recording import Event, Value
from plyground.core.rules import CHANCE, action_text, actions, noisy, probability, result, terminal, to_move
from plyground.errors import BadOption
from plyground.games.symmetry import UpToSymmetry, multiplicities
from plyground.games.tree import LABELS, TreeNode
from plyground.pictures.board import svg
from plyground.pictures.tree import Node, Shape
from plyground.watch.search_numbers import Bound, plain
from plyground.watch.sentences import Sentences
from plyground.watch.small_board import small_board

__all__ = ["MOST_NODES", "Place", "SearchTree"]

MOST_NODES = 20_000
"""How many nodes a drawing may hold."""
MOST_BOARDS = 2000
"""How many nodes may show their position; whole levels of the tree, from the root down."""
TIMES = "\N{MULTIPLICATION SIGN}"


class Place:
    """A node of the tree that is drawn, and what is known of it so far.

    `stand` is what the player to move is sure of without a move, in a quiescence search; None elsewhere.
    """

    __slots__ = (
        "action", "asked", "best", "children", "high", "low", "name", "number", "parent", "stand", "state", "value",
        "window",
    )  # fmt: skip

    def __init__(self, state: Any, parent: Place | None = None, action: int = -1) -> None:
        self.state, self.parent, self.action = state, parent, action
        self.children: dict[int, Place] = {}
        self.number, self.name = -1, ""
        self.low, self.high = -math.inf, math.inf
        self.value: Value | None = None
        self.best: int | None = None
        self.stand: float | None = None
        self.asked = (-math.inf, math.inf)
        self.window: tuple[float, float] | None = None

    def grow(self) -> None:
        """Add the children, in the order in which the game lists them; in a quiescence search those of noisy moves."""
        if not self.children:
            options = actions(self.state)
            if self.stand is not None:
                options = [action for action in options if noisy(self.state, action)]
            self.children = {action: Place(result(self.state, action), self, action) for action in options}

    @property
    def bound(self) -> Bound:
        """What is shown of the value: outside the window that was asked for, only the bound that matters there."""
        if self.low == self.high:
            return "exact"
        if self.high <= self.asked[0]:
            return "most"
        if self.low >= self.asked[1]:
            return "least"
        if math.isinf(self.low) and math.isinf(self.high):
            return ""
        return "most" if math.isinf(self.low) else "least" if math.isinf(self.high) else "between"

    @property
    def mover(self) -> int:
        return int(to_move(self.state))

    @property
    def ended(self) -> bool:
        return bool(terminal(self.state))


def _places_of(events: Sequence[Event], root: Place) -> list[Place]:
    """The place of each event. A node that is entered again is the same place."""
    hints: list[int | None] = [None] * len(events)  # the action of a node that is entered, as it will be backed up
    later: dict[int, int | None] = {}
    for i in range(len(events) - 1, -1, -1):
        event = events[i]
        if event.kind == "backed_up":
            later[event.ply] = event.action
        elif event.kind == "entered":
            hints[i] = later.get(event.ply - 1)
    path: list[Place] = []
    found = []
    for event, hint in zip(events, hints, strict=True):
        if event.kind == "entered":
            path.append(_entered(path[-1], event.state, hint) if path else root)
        elif event.kind == "stood":
            path[-1].stand = event.value if isinstance(event.value, float) else None
            path[-1].grow()
        elif event.kind not in ("evaluated", "looked_up"):
            path[-1].grow()
        found.append(path[-1])
        if event.kind in ("evaluated", "looked_up", "chose"):
            path.pop()
    return found


def _entered(parent: Place, state: Any, hint: int | None) -> Place:
    """The child that is this state; `hint` tells which, where two actions lead to the same state."""
    parent.grow()
    if hint is not None and hint in parent.children and parent.children[hint].state == state:
        return parent.children[hint]
    return next(child for child in parent.children.values() if child.state == state)


def _all_places(root: Place) -> list[Place]:
    """The places by levels; siblings stand together."""
    found: list[Place] = []
    waiting = deque([root])
    while waiting:
        place = waiting.popleft()
        place.number = len(found)
        found.append(place)
        waiting.extend(place.children.values())
    return found


def _grow_whole(root: Place) -> None:
    """Add all that was never visited, which a given tree has."""
    waiting = [root]
    while waiting:
        place = waiting.pop()
        if not place.ended:
            place.grow()
            waiting.extend(place.children.values())


class SearchTree:
    """The places of a search with their names, and the nodes that are drawn for them.

    `at` has the place of each event. `player` is MAX. `tuples` says whether there is a value for each player, and
    `explicit` whether the tree is a given one, which is drawn whole.
    """

    def __init__(self, game: Game, state: Any, events: Sequence[Event], player: int, say: Sentences) -> None:
        self.game, self.player, self.say = game, player, say
        self.tuples = isinstance(events[-1].value, tuple)
        self.explicit = isinstance(state, TreeNode)
        self.root = Place(state)
        self.at = _places_of(events, self.root)
        if self.explicit and len(state.table) <= MOST_NODES:
            _grow_whole(self.root)
        self.places = _all_places(self.root)
        if len(self.places) > MOST_NODES:
            raise BadOption(
                f"the tree would have {len(self.places):,} nodes, more than the {MOST_NODES:,} that can be drawn; "
                "give a smaller depth"
            )
        self._numbered_places: dict[int, bool] = {}
        self._name_places()
        self.nodes = self._nodes()

    def _name_places(self) -> None:
        """Names from the file; letters for the other inner nodes of a given tree where MAX and MIN play."""
        if not self.explicit:
            return
        labels = LABELS[self.root.state.tree].nodes
        taken = {name for name in labels if name}
        letters = (column_name(i).upper() for i in range(10**9))
        for place in self.places:
            place.name = labels[place.state.node]
            if not place.name and not place.ended and not self.tuples:
                place.name = next(letter for letter in letters if letter not in taken)

    def _nodes(self) -> list[Node]:
        nodes, edges = [], {}
        for place, board in zip(self.places, self._boards(), strict=True):
            edges[place.number] = self._edge_texts(place)
            parent = None if place.parent is None else place.parent.number
            action = "" if parent is None else edges[parent][place.action]
            nodes.append(Node(parent, self._shape(place), action, self._label(place), board))
        return nodes

    def _shape(self, place: Place) -> Shape:
        if place.ended or not place.children:
            return "leaf"
        if place.mover == CHANCE:
            return "chance"
        if self.tuples:
            return "player"
        return "max" if place.mover == self.player else "min"

    def _label(self, place: Place) -> str:
        """What stands beside a node."""
        if place.ended:
            return place.name
        several = self.tuples or self.game.axes.players > 2
        if several and place.mover != CHANCE and place.children:
            seat = self.game.seats[place.mover]
            return f"{place.name}: {seat}" if place.name else seat
        if place is self.root and not self.explicit and place.mover != CHANCE:
            return self.say("to_move", seat=self.game.seats[place.mover])
        return place.name

    def _edge_texts(self, place: Place) -> dict[int, str]:
        """What stands on the edges from a node: no moves if they are only numbered, but what is to be known of them."""
        texts = {action: "" if self._numbered(place) else action_text(place.state, action) for action in place.children}
        if place.children and place.mover == CHANCE:
            for action, text in texts.items():
                chance = plain(probability(place.state, action))
                texts[action] = f"{text} ({chance})" if text else chance
        elif isinstance(place.state, UpToSymmetry) and place.children:
            for action, times in multiplicities(place.state).items():
                texts[action] += f" {TIMES}{times}" if times > 1 else ""
        return texts

    def _numbered(self, place: Place) -> bool:
        """Whether the moves are called 1, 2, ..."""
        if place.number not in self._numbered_places:
            names = [action_text(place.state, action) for action in place.children] if self.explicit else [""]
            self._numbered_places[place.number] = names == [str(i + 1) for i in range(len(names))]
        return self._numbered_places[place.number]

    def _boards(self) -> list[str]:
        """The positions of board games, for whole levels from the root down."""
        if self.explicit:
            return [""] * len(self.places)
        boards, level, levels = [], [self.root], 0
        while level and levels + len(level) <= MOST_BOARDS:
            boards += [_board(place) for place in level]
            levels += len(level)
            level = [child for place in level for child in place.children.values()]
        return boards + [""] * (len(self.places) - len(boards))

    def who(self, place: Place) -> str:
        """Whoever moves at a node: MAX, MIN, a seat, or chance."""
        if place.mover == CHANCE:
            return self.say("chance_node")
        if self.tuples:
            return self.game.seats[place.mover]
        return "MAX" if place.mover == self.player else "MIN"

    def ref(self, place: Place) -> str:
        """A node in a sentence, such as "MIN at B"."""
        who = self.who(place)
        if place.name:
            return self.say("at_name", who=who, name=place.name)
        if place.parent is None:
            return self.say("at_root", who=who)
        return self.say("after", who=who, moves=" ".join(self._path(place)))

    def name(self, place: Place) -> str:
        """A node by itself, such as "B", or by the moves that lead to it."""
        return place.name or " ".join(self._path(place)) or self.say("root")

    def _path(self, place: Place) -> list[str]:
        path: list[str] = []
        while place.parent is not None:
            path.append(action_text(place.parent.state, place.action))
            place = place.parent
        return path[::-1]

    def move(self, place: Place) -> str:
        """The action that leads to a node, in a sentence."""
        assert place.parent is not None
        text = action_text(place.parent.state, place.action)
        return self.say("numbered", number=text) if self._numbered(place.parent) else text

    def below_chance(self, place: Place) -> bool:
        """Whether the window was made at a chance node, where a bound is not somebody's value."""
        above = place.parent
        while above is not None and above.mover != CHANCE:
            above = above.parent
        return above is not None


def _board(place: Place) -> str:
    """The position as a small picture, without coordinates, the last move marked."""
    return small_board(place.state, None if place.parent is None else place.parent.state) or svg(place.state)
