"""Any explicit tree as a game, read from a small JSON form.

    {"title": "worked", "root":
        {"max": [{"min": [3, 12, 8]}, {"min": [2, 4, 6]}, {"min": [14, 5, 2]}]}}

A node is one of

    3                                 a leaf of a two-player zero-sum game: MAX's utility (MIN's is the opposite)
    [1, 2, 6]                         a leaf with one utility for each player
    {"max": CHILDREN}                 player 0 moves
    {"min": CHILDREN}                 player 1 moves
    {"player": 2, "children": ...}    player 2 moves (players count from 0)
    {"chance": [[0.5, NODE], ...]}    chance moves, each outcome with its probability
    {"chance": CHILDREN}              chance moves, all outcomes as likely; below chance a list is never a leaf
    {"leaf": 3}                       a leaf that has more to say, such as a name

CHILDREN is a list of nodes, whose actions are numbered from 1, or an object whose keys name the actions. An inner
node may also have "name", a label for pictures, and "value", what an evaluation says of it: a number for MAX, or one
for each player. Any node in braces may have "Q" and "N", a sum of rewards and a number of visits, from which a
Monte Carlo tree search that is drawn goes on. The whole file may be just a node; the outer object with "root" may add
"title", "players" (their names), "summary" and "view" (whose rewards all Q are, a player's number or name; without it
each is to whoever moved there, and the root's to whoever moves).

A tree without names, chance and counts is also a line, ``((3 12 8) (2 4 6))``: see `plyground.games.tree_notation`.
"""

from __future__ import annotations

import hashlib
import math
from collections import deque
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plyground.core import rules
from plyground.core.axes import Axes
from plyground.core.files import parse_json, read_text, shown_json
from plyground.core.game import Game
from plyground.core.rules import CHANCE, action_text, actions, terminal, to_move
from plyground.errors import FormatError
from plyground.native.bits import mix64

__all__ = ["Counts", "TreeNode", "counts_of", "load_tree", "node_path", "read_tree", "tree"]

LEAF = -2
PLAYER, FIRST_CHILD, CHILDREN, PROBABILITY, VALUES = range(5)
"""Columns of the table; from VALUES on, one column for each player's utility (or evaluation, at inner nodes)."""

LARGEST = 1_000_000
MOST_PLAYERS = 100
MOST_VISITS = 1_000_000_000
SHOWN = 10
"""Of a longer path to a node only the beginning and the end are shown."""


class TreeNode(NamedTuple):
    """A node of an explicit tree: which tree (a digest), which node, and the tree itself as a table, a row a node.

    The children of a node lie next to each other in the table. `widest` is the largest number of children in it.
    """

    tree: int
    node: int
    widest: int
    table: NDArray[np.float64]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TreeNode) and (self.tree, self.node) == (other.tree, other.node)

    def __hash__(self) -> int:
        return hash((self.tree, self.node))


@dataclass(frozen=True)
class Labels:
    """What a tree file says for people: the name of each node, and of the action that leads to it."""

    nodes: tuple[str, ...]
    actions: tuple[str, ...]


@dataclass(frozen=True)
class Counts:
    """What a tree file presets: sums of rewards and numbers of visits, shape (nodes,), zero where nothing is said.

    The sums are those of player `view`, or if that is None of whoever moved to the node, the root's of whoever moves.
    `above` is each node's parent, the root's is -1.
    """

    totals: NDArray[np.float64]
    visits: NDArray[np.int64]
    above: NDArray[np.int64]
    view: int | None


LABELS: dict[int, Labels] = {}
"""The labels of every tree read so far, by the tree's digest."""
COUNTS: dict[int, Counts] = {}
"""The preset counts of those trees that have some."""


def counts_of(state: Any) -> Counts | None:
    """What the file of this state's tree presets; None if it is not a tree, or presets nothing."""
    return COUNTS.get(state.tree) if isinstance(state, TreeNode) else None


def node_path(state: TreeNode, node: int, counts: Counts) -> str:
    """A node of a tree by the actions that lead to it, for errors."""
    place: _Place | None = None
    names = []
    while node > 0:
        names.append(LABELS[state.tree].actions[node])
        node = int(counts.above[node])
    for name in ("root", *reversed(names)):
        place = _Place(place, name)
    return str(place)


@rules.to_move.rule(TreeNode)
def _(state: TreeNode) -> int:
    return int(state.table[state.node, PLAYER])


@rules.max_actions.rule(TreeNode)
def _(state: TreeNode) -> int:
    return state.widest


@rules.legal_actions.rule(TreeNode)
def _(state: TreeNode, out: Any) -> int:
    count = int(state.table[state.node, CHILDREN])
    for action in range(count):
        out[action] = action
    return count


@rules.result.rule(TreeNode)
def _(state: TreeNode, action: int) -> TreeNode:
    child = int(state.table[state.node, FIRST_CHILD]) + action
    return TreeNode(state.tree, child, state.widest, state.table)


@rules.terminal.rule(TreeNode)
def _(state: TreeNode) -> bool:
    return bool(state.table[state.node, PLAYER] == LEAF)


@rules.utility.rule(TreeNode)
def _(state: TreeNode, player: int) -> float:
    return float(state.table[state.node, VALUES + player])


@rules.evaluation.rule(TreeNode)
def _(state: TreeNode) -> float:
    return float(state.table[state.node, VALUES + max(0, to_move(state))])


@rules.evaluation_for.rule(TreeNode)
def _(state: TreeNode, player: int) -> float:
    return float(state.table[state.node, VALUES + player])


@rules.probability.rule(TreeNode)
def _(state: TreeNode, action: int) -> float:
    return float(state.table[int(state.table[state.node, FIRST_CHILD]) + action, PROBABILITY])


@rules.state_hash.rule(TreeNode)
def _(state: TreeNode) -> Any:
    return mix64(state.tree ^ state.node)


@rules.planes_shape.rule(TreeNode)
def _(state: TreeNode) -> tuple[int, int, int]:
    return (1, 1, len(state.table))


@rules.planes.rule(TreeNode)
def _(state: TreeNode, out: Any) -> None:
    out[0, 0, state.node] = 1.0


@rules.action_text.rule(TreeNode)
def _(state: TreeNode, action: int) -> str:
    labels = LABELS.get(state.tree)
    return labels.actions[int(state.table[state.node, FIRST_CHILD]) + action] if labels else str(action + 1)


@rules.text.rule(TreeNode)
def _(state: TreeNode) -> str:
    labels = LABELS.get(state.tree)
    name = labels.nodes[state.node] if labels else ""
    values = "(" + ", ".join(f"{value:g}" for value in state.table[state.node, VALUES:]) + ")"
    if terminal(state):
        return f"leaf {name + ' ' if name else ''}{values}"
    mover = to_move(state)
    who = {CHANCE: "chance", 0: "MAX", 1: "MIN"}.get(mover, f"player {mover + 1}")
    if state.table.shape[1] - VALUES != 2 and mover != CHANCE:
        who = f"player {mover + 1}"
    children = ", ".join(action_text(state, action) for action in actions(state))
    return f"{who} at {name or 'node ' + str(state.node)}: {children}"


# Reading ---------------------------------------------------------------------------------------------------------


def load_tree(path: str | Path) -> Game:
    """The game in a JSON file of the form above."""
    content = read_text(path, "tree file")
    value = parse_json(content, str(path), parse_constant=_no_constant, object_pairs_hook=_without_repeats)
    return read_tree(value, name=Path(path).stem, source=str(path))


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is not a number that a tree can hold; utilities must be finite")


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of the file; JSON would keep the last of two children with one name, and lose the other."""
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f'"{key}" stands twice in one object; give the second another name')
        found[key] = value
    return found


def tree(file: Annotated[str, "a tree in JSON; see the documentation of trees"]) -> Game:
    """Any explicit tree with MAX, MIN, chance or several players, from a JSON file."""
    return load_tree(file)


class _Place(NamedTuple):
    """Where a node stands, written out only for an error: all paths of a tree take more room than the tree."""

    above: _Place | None
    name: str

    def __str__(self) -> str:
        names: list[str] = []
        place: _Place | None = self
        while place is not None:
            names.append(place.name if place.above is None else " ".join(place.name[:40].split()))
            place = place.above
        names.reverse()
        return " > ".join(names if len(names) <= SHOWN else [*names[:2], "...", *names[2 - SHOWN :]])


class _Node(NamedTuple):
    player: int
    children: list[tuple[str, float, Any]]
    values: tuple[float, ...]
    name: str
    total: float = 0.0
    visits: int = 0


def read_tree(value: Any, name: str = "tree", source: str = "tree") -> Game:
    """The game that a value as `json.loads` gives it describes; `FormatError` says where it is wrong.

    >>> game = read_tree({"max": [{"min": [3, 12, 8]}, {"min": [2, 4, 6]}, {"min": [14, 5, 2]}]})
    >>> game.axes.describe()
    '2 players, turns, perfect information, deterministic, zero-sum'
    """
    whole = value if isinstance(value, dict) and "root" in value else {"root": value}
    nodes: list[_Node] = []
    labels: list[str] = []
    chances: list[float] = []
    first_child: list[int] = []
    places: list[_Place] = []
    pending = deque([("", 1.0, whole["root"], _Place(None, f"{source}: root"))])
    expected = 1  # where the next node's children will start: nodes are numbered in the order they are met
    while pending:
        label, chance, item, where = pending.popleft()
        node = _read_node(item, where)
        nodes.append(node)
        labels.append(label)
        chances.append(chance)
        first_child.append(expected)
        places.append(where)
        expected += len(node.children)
        if expected > LARGEST:
            raise FormatError(f"{source}: the tree has more than {LARGEST:,} nodes")
        for text_, probability_, child in node.children:
            pending.append((text_, probability_, child, _Place(where, text_)))

    seats = _seats(whole, source)
    players = max([2, len(seats), *(len(node.values) for node in nodes), *(node.player + 1 for node in nodes)])
    table = np.zeros((len(nodes), VALUES + players))
    for i, node in enumerate(nodes):
        values = node.values
        if len(values) == 1 and players == 2:
            values = (values[0], -values[0])
        if values and len(values) != players:
            raise FormatError(
                f"{source}: a leaf has {len(values)} utilities where the game has {players} players; "
                f"write one for each, such as {[0] * players}"
            )
        table[i, :VALUES] = node.player, first_child[i], len(node.children), chances[i]
        table[i, VALUES : VALUES + len(values)] = values
    leaves = table[table[:, PLAYER] == LEAF, VALUES:]
    counts = _counts(nodes, first_child, places, _view(whole, seats, players, source))
    content = table.tobytes() + "\0".join(labels).encode()
    if counts is not None:
        content += counts.totals.tobytes() + counts.visits.tobytes() + repr(counts.view).encode()
    identity = int.from_bytes(hashlib.sha256(content).digest()[:8], "big") >> 1
    LABELS[identity] = Labels(tuple(node.name for node in nodes), tuple(labels))
    if counts is not None:
        COUNTS[identity] = counts
    chance, zero_sum = (table[:, PLAYER] == CHANCE).any(), np.allclose(leaves.sum(axis=1), 0.0, atol=1e-9)
    axes = Axes(players=players, chance=bool(chance), zero_sum=bool(zero_sum))
    return Game(
        str(whole.get("title", name)),
        TreeNode(identity, 0, int(table[:, CHILDREN].max()), table),
        axes=axes,
        utilities=_utilities(leaves, table[table[:, PLAYER] >= 0, VALUES:]),
        seats=seats or (("MAX", "MIN") if players == 2 else ()),
        summary=str(whole.get("summary", "")),
        spec=f"tree:file={source}",
    )


def _utilities(leaves: NDArray[np.float64], guesses: NDArray[np.float64]) -> tuple[float, float]:
    """The range of the utilities, widened where an evaluation would not lie strictly inside."""
    low, high = float(leaves.min()), float(leaves.max())
    if guesses.size and guesses.min() <= low:
        low = float(np.nextafter(guesses.min(), -np.inf))
    if guesses.size and guesses.max() >= high:
        high = float(np.nextafter(guesses.max(), np.inf))
    return low, high


def _seats(whole: dict[str, Any], source: str) -> tuple[str, ...]:
    names = whole.get("players", [])
    if not (isinstance(names, list) and len(names) <= MOST_PLAYERS and all(isinstance(name, str) for name in names)):
        raise FormatError(f'{source}: "players" must be a list of names, not {shown_json(names)}')
    return tuple(names)


def _view(whole: dict[str, Any], seats: tuple[str, ...], players: int, source: str) -> int | None:
    """The player whose rewards the file counts; None for whoever moved to a node."""
    view = whole.get("view")
    if isinstance(view, str) and view in seats:
        view = seats.index(view)
    if view is None or (isinstance(view, int) and not isinstance(view, bool) and 0 <= view < players):
        return view
    named = f", or a name: {', '.join(seats)}" if seats else ""
    raise FormatError(f'{source}: "view" must be a player from 0 to {players - 1}{named}; not {shown_json(view)}')


def _counts(nodes: list[_Node], first_child: list[int], places: list[_Place], view: int | None) -> Counts | None:
    """What the nodes preset, if it adds up; None if that is nothing."""
    visits = np.array([node.visits for node in nodes], np.int64)
    if not visits.any():
        return None
    above = np.full(len(nodes), -1, np.int64)
    for number, node in enumerate(nodes):
        below = slice(first_child[number], first_child[number] + len(node.children))
        above[below] = number
        if visits[below].sum() > node.visits:
            raise FormatError(
                f"{places[number]}: the children have N = {visits[below].sum():,} together, more than the "
                f"{node.visits:,} of the node itself"
            )
    return Counts(np.array([node.total for node in nodes]), visits, above, view)


def _preset(item: dict[str, Any], where: _Place) -> tuple[float, int]:
    """Q and N of a node, 0 and 0 if it has none."""
    if ("Q" in item) != ("N" in item):
        raise FormatError(f'{where}: "Q" and "N" belong together; add "{"N" if "Q" in item else "Q"}"')
    if "N" not in item:
        return 0.0, 0
    visits, total = item["N"], _number(item["Q"], where)
    if not isinstance(visits, int) or isinstance(visits, bool) or not 0 <= visits <= MOST_VISITS:
        raise FormatError(f'{where}: "N" must be a whole number from 0 to {MOST_VISITS:,}, not {shown_json(visits)}')
    if total and not visits:
        raise FormatError(f'{where}: "Q" must be 0 where "N" is 0, not {total:g}')
    return total, visits


def _read_node(item: Any, where: _Place) -> _Node:
    """One node, its children still as they stand in the file."""
    if isinstance(item, (int, float)) and not isinstance(item, bool):
        return _Node(LEAF, [], (_number(item, where),), "")
    if isinstance(item, list):
        if not item:
            raise FormatError(f"{where}: a leaf needs at least one utility, not []")
        return _Node(LEAF, [], _utilities_of(item, where), "")
    if not isinstance(item, dict):
        raise FormatError(f"{where}: a node is a number, a list of numbers or an object, not {shown_json(item)}")
    kinds = [kind for kind in ("max", "min", "chance", "player", "leaf") if kind in item]
    if len(kinds) != 1:
        known = '"max", "min", "chance", "player", "leaf"'
        raise FormatError(f"{where}: a node has exactly one of {known}, not {kinds or 'none'}")
    kind = kinds[0]
    player = {"max": 0, "min": 1, "chance": CHANCE, "leaf": LEAF}.get(kind)
    content = item[kind]
    if player is None:
        player, content = item["player"], item.get("children")
        if not isinstance(player, int) or isinstance(player, bool) or not 0 <= player < MOST_PLAYERS:
            raise FormatError(f'{where}: "player" must be a whole number from 0, not {shown_json(player)}')
    allowed = {kind, "name", "Q", "N"} | {"leaf": set(), "player": {"children", "value"}}.get(kind, {"value"})
    if unknown := sorted(set(item) - allowed):
        raise FormatError(
            f"{where}: unknown key {shown_json(unknown[0])}; a {kind} node knows: {', '.join(sorted(allowed))}"
        )
    name = item.get("name", "")
    if not isinstance(name, str):
        raise FormatError(f'{where}: "name" must be a text, not {shown_json(name)}')
    if kind == "leaf":
        if content == []:
            raise FormatError(f"{where}: a leaf needs at least one utility, not []")
        values = _utilities_of(content if isinstance(content, list) else [content], where)
        return _Node(LEAF, [], values, name, *_preset(item, where))
    estimate = item.get("value", [])
    values = _utilities_of(estimate if isinstance(estimate, list) else [estimate], where)
    return _Node(player, _read_children(kind, content, where), values, name, *_preset(item, where))


def _utilities_of(values: list[Any], where: _Place) -> tuple[float, ...]:
    if len(values) > MOST_PLAYERS:
        raise FormatError(f"{where}: {len(values):,} utilities, and a game may have {MOST_PLAYERS} players")
    return tuple(_number(value, where) for value in values)


def _read_children(kind: str, content: Any, where: _Place) -> list[tuple[str, float, Any]]:
    """Each child with the text of its action and, below chance, its probability."""
    if not isinstance(content, (list, dict)) or not content:
        raise FormatError(f"{where}: the children are a list or an object with at least one node")
    pairs = list(content.items()) if isinstance(content, dict) else [(str(i + 1), c) for i, c in enumerate(content)]
    if len({"".join(label.split()).lower() for label, _ in pairs}) != len(pairs):
        raise FormatError(f"{where}: two actions have the same name, apart from case and blanks")
    if kind != "chance":
        return [(label, 1.0, child) for label, child in pairs]
    weighted = [isinstance(child, list) for _, child in pairs]
    if not any(weighted):
        return [(label, 1.0 / len(pairs), child) for label, child in pairs]
    if not all(isinstance(child, list) and len(child) == 2 for _, child in pairs):
        raise FormatError(f"{where}: either every chance outcome is [probability, node], or none is a list")
    chances = [_number(child[0], where) for _, child in pairs]
    if wrong := [chance for chance in chances if not 0.0 <= chance <= 1.0 + 1e-6]:
        raise FormatError(f"{where}: a probability is a number from 0 to 1, not {wrong[0]:g}")
    if not math.isclose(sum(chances), 1.0, abs_tol=1e-6):
        raise FormatError(f"{where}: the probabilities must sum to 1, not {sum(chances):g}")
    return [(label, chance, child[1]) for (label, child), chance in zip(pairs, chances, strict=True)]


def _number(value: Any, where: _Place) -> float:
    try:
        if isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value):
            return float(value)
    except OverflowError:
        pass
    raise FormatError(f"{where}: expected a finite number, not {shown_json(value)}")
