"""A search that looks ahead, while it runs: the root's moves with their windows, bounds below them, and the cuts.

Everything is read from what the search keeps for itself; see `plyground.search.glimpse`. A node of which the table
holds only a bound on the far side of its mover's window was cut: for whoever moves there one move was enough. Its other
moves were looked at if the table has them as deep as that move; what it has not is drawn as cut off. A search without a
table has for each of the root's moves the line of best replies, along which the value is the same.

Values are utilities, as everywhere beside a board, and not the points in which a lecture counts: there a loss is −∞.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from plyground.core.game import Game
from plyground.core.rules import CHANCE, action_text, actions, probability, result, terminal, to_move, utility
from plyground.native.compiling import interpreted
from plyground.pictures.tree import Drawing, Look, Node, Shape
from plyground.players.player import Move
from plyground.search.glimpse import Glimpse, Known, RootMove
from plyground.watch.search_numbers import SearchNumbers, plain
from plyground.watch.sentences import sentences

__all__ = ["LookaheadTree"]

Path = tuple[int, ...]
STORED_FROM = {"utility": 1, "discs": 3}
"""The least depth of which a table holds entries: nothing can be said of moves that are searched less deep."""
LINES = ("averages", "shares")
"""Kinds of search that keep a line for each of the root's moves."""
MOST_OUTCOMES = 6


@dataclass(frozen=True)
class Size:
    """How much of a tree is drawn: moves of the root, more of them if there is nothing below but one line; replies to
    the best one, moves of other nodes; plies; nodes."""

    moves: int
    bare_moves: int
    replies: int
    others: int
    plies: int
    nodes: int


SMALL, LARGE = Size(3, 6, 2, 1, 3, 14), Size(5, 12, 3, 1, 4, 32)


class LookaheadTree:
    """Draws one search again and again; the positions that it meets are kept in between."""

    def __init__(self, game: Game, state: Any, lang: str = "en", *, large: bool = False) -> None:
        self.game, self.say = game, sentences(lang)
        self.size = LARGE if large else SMALL
        self._states: dict[Path, Any] = {(): state}
        self._options: dict[Path, list[int]] = {}
        self.player = int(to_move(state))
        """The player that searches."""

    def drawing(self, glimpse: Glimpse, thought: Move) -> Drawing:
        """How the search stands; `thought` is what it would choose now."""
        with interpreted():
            picture = _Picture(self, glimpse, thought)
            return Drawing("", picture.nodes, [], picture.looks)

    # Positions, which stay what they are -----------------------------------------------------------------------------

    def state(self, path: Path) -> Any:
        if path not in self._states:
            self._states[path] = result(self.state(path[:-1]), path[-1])
        return self._states[path]

    def options(self, path: Path) -> list[int]:
        if path not in self._options:
            self._options[path] = actions(self.state(path))
        return self._options[path]

    def ended(self, path: Path) -> bool:
        return bool(terminal(self.state(path)))

    def mover(self, path: Path) -> int:
        return int(to_move(self.state(path)))

    def own(self, path: Path) -> bool:
        """Whether the player that searches is to move."""
        return self.mover(path) == self.player

    def finals(self, path: Path) -> tuple[float, ...]:
        """What the end of a game is worth to each player."""
        state = self.state(path)
        return tuple(float(utility(state, player)) for player in range(self.game.axes.players))


class _Picture:
    """One moment of a search as nodes and how they look."""

    def __init__(self, tree: LookaheadTree, glimpse: Glimpse, thought: Move) -> None:
        self._tree, self._glimpse, self._line = tree, glimpse, tuple(thought.line or (thought.action,))
        self._numbers = SearchNumbers(None, glimpse.scale)
        self._finished = {move.action: move for move in glimpse.moves}
        self._before = {move.action: move for move in glimpse.before}
        self.nodes: list[Node] = []
        self.looks: dict[int, Look] = {}
        self._number: dict[Path, int] = {}
        self._root(self._best_so_far(thought))
        waiting: list[Path] = [()]
        while waiting:
            path = waiting.pop(0)
            waiting += self._grow(path)

    # Numbers ---------------------------------------------------------------------------------------------------------

    def _text(self, value: float) -> str:
        if self._glimpse.unit == "discs":
            return f"{'+' if value > 0 and math.isfinite(value) else ''}{plain(value)}"
        return self._numbers.text(value)

    def _bounded(self, low: float, high: float) -> str:
        if self._glimpse.unit == "utility":
            scale = self._glimpse.scale
            if low >= scale.high or high <= scale.low:  # nothing is better than a win
                return self._text(low if low >= scale.high else high)
        if low == high:
            return self._text(low)
        if math.isinf(low) and math.isinf(high):
            return ""
        if math.isinf(low):
            return f"≤ {self._text(high)}"
        return f"≥ {self._text(low)}" if math.isinf(high) else f"{self._text(low)} … {self._text(high)}"

    def _worth(self, move: RootMove) -> str:
        if move.visits is not None:
            return plain(move.low)
        return self._bounded(move.low, move.high) if move.values is None else self._numbers.text(move.values)

    def _final(self, path: Path) -> str:
        """The value of the end of a game, whatever bound was enough for the search; "" where the game goes on."""
        if not self._tree.ended(path) or self._glimpse.unit == "discs":
            return ""
        values = tuple(map(self._glimpse.scale.of, self._tree.finals(path)))
        return self._numbers.text(values if self._glimpse.kind == "shares" else values[self._tree.player])

    def _window(self, window: tuple[float, float] | None) -> tuple[str, ...]:
        return () if window is None else (self._numbers.window(*window),)

    # Nodes -----------------------------------------------------------------------------------------------------------

    def _root(self, value: str) -> None:
        tree, glimpse = self._tree, self._glimpse
        seat = tree.game.seats[tree.mover(())]
        self._number[()] = 0
        self.nodes.append(Node(None, self._shape(()), name=tree.say("to_move", seat=seat)))
        lines = [] if glimpse.depth is None else [tree.say("depth", plies=glimpse.depth)]
        lines += self._window(glimpse.window)
        rest = len(tree.options(())) - len(self._root_moves())
        if rest > 0 and glimpse.kind != "book":
            lines.append(tree.say("more_moves", count=rest))
        self.looks[0] = Look(state="open", value=value, lines=tuple(lines))

    def _best_so_far(self, thought: Move) -> str:
        """The best value of this look, or if it has none yet that of the last."""
        found = [move for move in self._glimpse.moves if math.isfinite(move.low)]
        if found:
            return self._worth(max(found, key=lambda move: move.low))
        if thought.value is None:
            return ""
        # What a player reports is no longer counted on the scale of its search.
        return self._text(thought.value * 64) if self._glimpse.unit == "discs" else plain(thought.value)

    def _add(self, path: Path, look: Look) -> None:
        tree = self._tree
        before, mover = tree.state(path[:-1]), tree.mover(path[:-1])
        text = action_text(before, path[-1])
        if mover == CHANCE:
            text = f"{text} ({plain(probability(before, path[-1]))})"
        else:
            text = f"{tree.game.seats[mover]} {text}"
        self._number[path] = len(self.nodes)
        self.looks[len(self.nodes)] = look
        self.nodes.append(Node(self._number[path[:-1]], self._shape(path), text))

    def _shape(self, path: Path) -> Shape:
        tree = self._tree
        if not tree.options(path):
            return "leaf"
        if tree.mover(path) == CHANCE:
            return "chance"
        if self._glimpse.kind in ("playouts", "shares"):
            return "player"
        return "max" if tree.own(path) else "min"

    def _grow(self, path: Path) -> Sequence[Path]:
        """Add what is to be seen below a node; the nodes that may have something below them."""
        if len(path) >= self._tree.size.plies or len(self.nodes) >= self._tree.size.nodes:
            return ()
        if not path:
            return [self._root_move(action) for action in self._root_moves()]
        if self._glimpse.kind == "playouts" or not self._tree.options(path):
            return ()
        if self._tree.mover(path) == CHANCE:
            return self._outcomes(path)
        known = self._known(path)
        if known is None:
            return self._along(path)
        if self._is_cut(path, known):
            return self._cut(path, known)
        on_line = path == self._line[: len(path)]
        first = self._line[len(path)] if on_line and len(path) < len(self._line) else known.action
        room = self._tree.size.replies if on_line and len(path) == 1 else self._tree.size.others
        rest = [action for action in self._looked_at(path, known.depth) if action != first]
        rest.sort(key=lambda action: not self._shows_cut((*path, action)))
        shown = [action for action in (first, *rest) if action is not None][:room]
        return [self._reply((*path, action)) for action in shown if action in self._tree.options(path)]

    def _root_moves(self) -> list[int]:
        """The root's moves that are drawn: the chosen one, those searched in this look, those of the last."""
        options = self._tree.options(())
        ranked = sorted(self._finished.values(), key=lambda move: -move.low)
        exact = [move.action for move in ranked if move.low > -math.inf]
        order = [self._line[0], *exact, *self._finished, *sorted(self._before, key=lambda a: -self._before[a].low)]
        order += sorted(options, key=lambda action: not self._shows_cut((action,)))
        legal = [action for action in dict.fromkeys(order) if action in options]
        if self._glimpse.window is None and self._glimpse.kind != "values":  # it is not known what will be looked at
            legal = [a for a in legal if a == self._line[0] or a in self._finished or self._known((a,)) is not None]
        size = self._tree.size
        return legal[: size.moves if self._glimpse.kind in ("windows", *LINES) else size.bare_moves]

    def _root_move(self, action: int) -> Path:
        path = (action,)
        edge: Any = "best" if action == self._line[0] else "plain"
        move = self._finished.get(action)
        if move is not None and move.visits is not None:
            self._add(path, Look("done", self._worth(move), (self._tree.say("games", count=move.visits),), edge))
        elif move is not None:
            value = self._final(path) or self._worth(move)
            self._add(path, Look("done", value, self._window(move.window), edge))
        else:
            self._add(path, self._look_of_last(action, edge))
        return path

    def _look_of_last(self, action: int, edge: Any) -> Look:
        """A move that this look has not come to yet: what the last one has left, and how deep that was."""
        glimpse, say = self._glimpse, self._tree.say
        before, known = self._before.get(action), self._known((action,))
        if before is not None:
            return Look("done", self._worth(before), (say("depth", plies=(glimpse.depth or 1) - 1),), edge)
        if known is None:
            return Look("unseen", "", (), edge)
        lines = (say("depth", plies=int(known.depth) + 1),) if math.isfinite(known.depth) and glimpse.moves else ()
        return Look("done", self._bounded(known.low, known.high), lines, edge)

    def _reply(self, path: Path) -> Path:
        known = self._known(path)
        text = "" if known is None else self._bounded(known.low, known.high)
        edge: Any = "best" if path == self._line[: len(path)] else "plain"
        self._add(path, Look("done" if known is not None or edge == "best" else "unseen", text, (), edge))
        return path

    def _along(self, path: Path) -> Sequence[Path]:
        """Nothing is known of a node but the line that goes through it."""
        line, chosen = self._line, path[0] == self._line[0]
        lines = self._glimpse.kind in LINES or (self._glimpse.kind == "values" and chosen)
        move = self._move(path[0]) if lines else None
        if move is not None:
            line = move.line
        if path != line[: len(path)] or len(line) <= len(path) or line[len(path)] not in self._tree.options(path):
            return ()
        if move is None:
            return [self._reply((*path, line[len(path)]))]
        below = (*path, line[len(path)])
        self._add(below, Look("done", self._worth(move), (), "best" if chosen else "plain"))
        return [below]

    def _move(self, action: int) -> RootMove | None:
        """What is known of a move at the root, from this look or from the last."""
        return self._finished.get(action) or self._before.get(action)

    def _outcomes(self, path: Path) -> Sequence[Path]:
        """What chance may do, the likeliest first. What is not an end has no value here: no search keeps it."""
        state, options = self._tree.state(path), self._tree.options(path)
        likely = sorted(options, key=lambda action: -float(probability(state, action)))[:MOST_OUTCOMES]
        for action in likely:
            self._add((*path, action), Look("done", self._final((*path, action)), (), "plain"))
        return ()

    # Cuts ------------------------------------------------------------------------------------------------------------

    def _known(self, path: Path) -> Known | None:
        known = self._glimpse.known(self._tree.state(path))
        if known is None and self._glimpse.unit == "utility" and self._tree.ended(path):
            value = self._glimpse.scale.of(self._tree.finals(path)[self._tree.player])
            return Known(value, value, math.inf)
        return known

    def _is_cut(self, path: Path, known: Known) -> bool:
        """One move was enough for whoever moves here: its value is on the far side of the window."""
        if self._glimpse.kind != "windows" or known.action is None:
            return False
        if self._tree.own(path):
            return math.isinf(known.high) and math.isfinite(known.low)
        return math.isinf(known.low) and math.isfinite(known.high)

    def _shows_cut(self, path: Path) -> bool:
        known = self._known(path)
        return known is not None and self._is_cut(path, known)

    def _looked_at(self, path: Path, depth: float) -> list[int]:
        """The moves whose positions the table holds as deep as a search to this depth has looked at them."""
        least = depth - 1  # what is searched to the end of the game needs all of it to be so
        found = []
        for action in self._tree.options(path):
            known = self._known((*path, action))
            if known is not None and known.depth >= least:
                found.append(action)
        return found

    def _cut(self, path: Path, known: Known) -> Sequence[Path]:
        """The move that was enough, and the others that were not looked at."""
        tree = self._tree
        assert known.action is not None
        own = tree.own(path)
        value = self._text(known.low if own else known.high)
        move: RootMove | None = self._finished.get(path[0]) if len(path) == 1 else None
        bound = self._text(move.window[0]) if move is not None and move.window is not None and not own else ""
        name, sign = ("β", "≥") if own else ("α", "≤")
        note = tree.say("live_cut", name=name, value=value, sign=sign, bound=bound or name)
        below = [self._reply((*path, known.action))] if known.action in tree.options(path) else []
        unseen = 0
        if known.depth > STORED_FROM[self._glimpse.unit]:
            seen = {*self._looked_at(path, known.depth), known.action}
            over = {action for action in tree.options(path) if not tree.options((*path, action))}
            unseen = len(set(tree.options(path)) - seen - over)
        number = self._number[path]
        if not unseen:
            look = self.looks[number]
            self.looks[number] = Look(look.state, look.value, (*(look.lines or ()), note), look.edge)
            return below
        stub = len(self.nodes)
        self.nodes.append(Node(number, "leaf", tree.say("cut_off", count=unseen)))
        self.looks[stub] = Look("unseen", "", (), "cut", note)
        return below
