"""What a search did, told step by step: from its events to the nodes it met, what is known of them, and sentences.

A value is shown as far as what was seen proves it. At each node an interval is kept, and what was never looked at can
be anything:

    a MAX node lies between the largest lower and the largest upper bound of its children,
    a MIN node between the smallest lower and the smallest upper one,
    a chance node between the means of both.

So a node that was cut shows "≤ 2" or "≥ 5", and one whose children are all known shows its value.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from plyground.core.game import CHANCE, Game, action_text, grid, probability, svg, utility
from plyground.core.grid import column_name, grid_svg, with_last
from plyground.core.recording import ALPHA_CUT, BETA_CUT, CHANCE_CUT, Event, Value
from plyground.errors import BadOption
from plyground.games.symmetry import UpToSymmetry, multiplicities
from plyground.games.tree import LABELS, TreeNode
from plyground.pictures.tree import Drawing, Look, Node, Shape, Step
from plyground.watch.narration import English
from plyground.watch.search_numbers import TIMES, SearchNumbers, plain
from plyground.watch.search_tree import MOST_NODES, Place, all_places, grow_whole, places_of

__all__ = ["Cut", "SearchDrawing", "SeenNode", "Story"]

MOST_BOARDS = 2000
"""How many nodes may show their position; whole levels of the tree, from the root down."""
PRINCIPAL_WIDTH = 7.0


@dataclass(frozen=True)
class SeenNode:
    """What is known of a node in the end. Values are MAX's, or one for each player; `low` to `high` is what is proven.

    `text` is the value as it is shown. A node that was never visited has no value, unless it is a leaf of a given tree.
    """

    parent: int | None
    action: str
    who: str
    name: str
    visited: bool
    value: Value | None
    low: float
    high: float
    text: str
    alpha: float | None
    beta: float | None


@dataclass(frozen=True)
class Cut:
    """Where and why a search did not look further: `kind` is alpha, beta, chance, near or shallow."""

    node: int
    kind: str
    value: Value
    bound: float
    actions: tuple[str, ...]


@dataclass(frozen=True)
class SearchDrawing:
    """A drawing of a search, with what it found and what it cost. `leaves` counts those that were visited."""

    drawing: Drawing
    game: str
    algorithm: str
    depth: int | None
    value: Value
    text: str
    line: tuple[str, ...]
    visited: int
    leaves: int
    cuts: tuple[Cut, ...]
    nodes: tuple[SeenNode, ...]

    @property
    def moves_cut(self) -> int:
        """How many moves were cut off."""
        return sum(len(cut.actions) for cut in self.cuts)


class Story:
    """From the events of a search to the nodes it met and the steps it took."""

    def __init__(
        self,
        game: Game,
        state: Any,
        events: Sequence[Event],
        algorithm: str,
        player: int,
        numbers: SearchNumbers,
        words: English,
        windows: bool,
        coalitions: Sequence[int] | None = None,
    ) -> None:
        self.coalitions = range(game.axes.players) if coalitions is None else coalitions
        self.game, self.events, self.algorithm, self.player = game, events, algorithm, player
        self.numbers, self.words = numbers, words
        self.windows = windows or any(event.kind == "cut" for event in events)
        self.tuples = isinstance(events[-1].value, tuple)
        self.explicit = isinstance(state, TreeNode)
        self.root = Place(state)
        self.at = places_of(events, self.root)
        if self.explicit and len(state.table) <= MOST_NODES:
            grow_whole(self.root)
        self.places = all_places(self.root)
        if len(self.places) > MOST_NODES:
            raise BadOption(
                f"the tree would have {len(self.places):,} nodes, more than the {MOST_NODES:,} that can be drawn; "
                "give a smaller depth"
            )
        self._numbered_places: dict[int, bool] = {}
        self._name_places()
        self.nodes = self._nodes()
        self.steps: list[Step] = []
        self.cuts: dict[tuple[int, str], Cut] = {}
        self.changes: dict[int, Look] = {}
        self.seen: set[int] = set()
        self.start = self._start()
        self._tell()

    # Names and shapes ------------------------------------------------------------------------------------------

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
            return self.words.to_move(self.game.seats[place.mover])
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

    def _who(self, place: Place) -> str:
        if place.mover == CHANCE:
            return self.words.chance()
        if self.tuples:
            return self.game.seats[place.mover]
        return "MAX" if place.mover == self.player else "MIN"

    def _ref(self, place: Place) -> str:
        """A node in a sentence, such as "MIN at B"."""
        who = self._who(place)
        if place.name:
            return self.words.at_name(who, place.name)
        if place.parent is None:
            return self.words.at_root(who)
        return self.words.after(who, " ".join(self._path(place)))

    def _path(self, place: Place) -> list[str]:
        path: list[str] = []
        while place.parent is not None:
            path.append(action_text(place.parent.state, place.action))
            place = place.parent
        return path[::-1]

    def _move(self, place: Place) -> str:
        """The action that leads to a node, in a sentence."""
        assert place.parent is not None
        text = action_text(place.parent.state, place.action)
        return self.words.numbered(text) if self._numbered(place.parent) else text

    # Telling ---------------------------------------------------------------------------------------------------

    def _start(self) -> dict[int, Look]:
        """A given tree shows its leaves from the start."""
        if not self.explicit:
            return {}
        return {
            place.number: Look(value=self.numbers.text(self._utility(place))) for place in self.places if place.ended
        }

    def _utility(self, place: Place) -> Value:
        of = self.numbers.scale.of
        if self.tuples:
            return tuple(map(of, self.game.returns(place.state)))
        return of(float(utility(place.state, self.player)))

    def _change(self, place: Place, **look: Any) -> None:
        self.changes[place.number] = replace(self.changes.get(place.number, Look()), **look)

    def _step(self, caption: str, place: Place) -> None:
        self.steps.append(Step(self.words.spaced(caption), place.number, self.changes))
        self.changes = {}

    def _tell(self) -> None:
        events, at = self.events, self.at
        i = 0
        while i < len(events):
            event, place = events[i], at[i]
            following = events[i + 1] if i + 1 < len(events) and at[i + 1] is place else None
            if event.kind == "entered":
                if following is not None and following.kind in ("evaluated", "looked_up"):
                    self._leaf(place, following)
                    i += 1
                elif following is not None and following.kind == "window":
                    self._enter(place, following)
                    i += 1
                else:
                    self._enter(place, None)
            elif event.kind == "backed_up":
                changed = following if following is not None and following.kind == "window" else None
                self._back_up(place, event, changed)
                i += changed is not None
            elif event.kind == "cut":
                end = following if following is not None and following.kind == "chose" else None
                self._cut(place, event, end)
                i += end is not None
            elif event.kind == "skipped":
                left = [event]
                while i + 1 < len(events) and at[i + 1] is place and events[i + 1].kind == "skipped":
                    i += 1
                    left.append(events[i])
                moves = ", ".join(self._move(place.children[skip.action]) for skip in left if skip.action is not None)
                self._step(self.words.left_out(self._ref(place), moves), place)
            elif event.kind == "chose":
                self._chose(place, event)
            i += 1
        self._end()

    def _enter(self, place: Place, window: Event | None) -> None:
        again = place.number in self.seen
        self.seen.add(place.number)
        text = ""
        if window is not None and window.alpha is not None and window.beta is not None:
            place.asked = place.window = (window.alpha, window.beta)
            if self.windows:
                text = self.numbers.window(*place.window)
                self._change(place, lines=(text,))
        self._change(place, state="open")
        if place.parent is None:
            caption = (self.words.begin_again if again else self.words.begin)(self._ref(place), text)
            if self.algorithm == "mtdf" and place.window is not None:
                alpha, beta = place.window
                more = round(alpha, 9) == alpha
                caption = self.words.asks(self._ref(place), self.numbers.text(alpha if more else beta), text, more)
            if not again and not self.tuples and self.game.axes.players == 2 and self.game.seats != ("MAX", "MIN"):
                caption = f"{self.words.roles(*self.game.seats)} {caption}"
        else:
            self._uncut(place)
            caption = (self.words.down_again if again else self.words.down)(self._ref(place), self._move(place), text)
        self._step(caption, place)

    def _uncut(self, place: Place) -> None:
        """An edge that was cut by an earlier search of the node above is whole again when a later one takes it."""
        for key, cut in list(self.cuts.items()):
            if place.parent is not None and key[0] == place.parent.number:
                move = action_text(place.parent.state, place.action)
                if move in cut.actions:
                    rest = tuple(action for action in cut.actions if action != move)
                    self.cuts[key] = replace(cut, actions=rest)
                    self._change(place, edge="plain", note="")

    def _leaf(self, place: Place, event: Event) -> None:
        assert event.value is not None
        again = place.number in self.seen
        self.seen.add(place.number)
        self._uncut(place)
        place.value = event.value
        if not isinstance(event.value, tuple):
            place.low, place.high = self._leaf_bounds(place, event)
        text = self._text(place)
        terms = self.numbers.terms(place.state)
        self._change(place, state="done", value=text, lines=(terms,) if terms else ())
        if place.parent is None:
            return
        move = self._move(place)
        if event.kind == "looked_up":
            caption = self.words.known(move, text)
        elif not place.ended:
            caption = self.words.horizon(move, text, terms, again)
        else:
            caption = (self.words.leaf if self.explicit else self.words.over)(move, text, again)
        self._step(caption, place)

    def _leaf_bounds(self, place: Place, event: Event) -> tuple[float, float]:
        """The value of a leaf is exact; one from a table is so only inside the window that was asked for."""
        assert isinstance(event.value, float)
        above = place.parent.window if place.parent is not None else None
        if event.kind == "evaluated" or above is None or above[0] < event.value < above[1]:
            return event.value, event.value
        bounds = (-math.inf, event.value) if event.value <= above[0] else (event.value, math.inf)
        return max(place.low, bounds[0]), min(place.high, bounds[1])

    def _text(self, place: Place) -> str:
        if isinstance(place.value, tuple):
            return self.numbers.text(place.value)
        return self.numbers.bounded(place.bound, place.low, place.high)

    def _amount(self, place: Place) -> str:
        if isinstance(place.value, tuple):
            return self.numbers.text(place.value)
        if self.numbers.told(place.bound, place.low, place.high) == "exact":
            return self._text(place)
        low, high = self.numbers.text(place.low), self.numbers.text(place.high)
        return self.words.amount(place.bound, low, high)

    def _back_up(self, place: Place, event: Event, window: Event | None) -> None:
        assert event.action is not None
        assert event.value is not None
        child = place.children[event.action]
        if isinstance(event.value, tuple):
            child.value = event.value
            caption = self._compare_tuples(place, child, event.value)
        elif place.mover == CHANCE:
            caption = self._add_share(place, child, event.value)
        else:
            caption = self._compare(place, child, window)
        if window is not None and window.alpha is not None and window.beta is not None:
            place.window = (window.alpha, window.beta)
            if self.windows:
                self._change(place, lines=(self.numbers.window(*place.window),))
        self._step(caption, place)

    def _compare_tuples(self, place: Place, child: Place, value: tuple[float, ...]) -> str:
        ref, move, text = self._ref(place), self._move(child), self.numbers.text(value)
        if place.mover == CHANCE:
            chance = float(probability(place.state, child.action))
            part = self.numbers.text(tuple(chance * number for number in value))
            return self.words.share(ref, move, plain(chance), text, part)
        seat, best = self._together(place.mover), place.value
        if isinstance(best, tuple) and self._worth(value, place.mover) <= self._worth(best, place.mover):
            return self.words.not_best_for(ref, move, text, seat, self.numbers.text(best))
        place.value = value
        self._change(place, value=text)
        self._light(place, child.action)
        return self.words.best_for(ref, move, text, seat)

    def _allies(self, player: int) -> list[int]:
        """Who plays together with a player, the player included."""
        return [other for other, number in enumerate(self.coalitions) if number == self.coalitions[player]]

    def _together(self, player: int) -> str:
        return " + ".join(self.game.seats[other] for other in self._allies(player))

    def _worth(self, values: tuple[float, ...], player: int) -> float:
        """What the values are worth to whoever plays together with a player."""
        return sum(values[other] for other in self._allies(player))

    def _add_share(self, place: Place, child: Place, value: float) -> str:
        self._measure(place)
        chance = float(probability(place.state, child.action))
        product = self.numbers.text(chance * value)
        return self.words.share(self._ref(place), self._move(child), plain(chance), self._amount(child), product)

    def _compare(self, place: Place, child: Place, window: Event | None) -> str:
        before, old = (place.low, place.high), place.window
        self._measure(place)
        self._change(place, value=self._text(place))
        ref, move, amount = self._ref(place), self._move(child), self._amount(child)
        maximising = place.mover == self.player
        had, has = (before[0], place.low) if maximising else (before[1], place.high)
        change = ""
        if window is not None and old is not None and self.windows:
            assert window.alpha is not None
            assert window.beta is not None
            if window.alpha > old[0]:
                change = self.words.rises(self.numbers.text(old[0]), self.numbers.text(window.alpha))
            elif window.beta < old[1]:
                change = self.words.falls(self.numbers.text(old[1]), self.numbers.text(window.beta))
        if self._achieves(place, child) and (had != has or place.best is None):
            self._light(place, child.action)
            return self.words.better(ref, move, amount, change)
        if math.isinf(has) or place.bound == ("most" if maximising else "least"):
            return self.words.unclear(ref, move, amount)
        return self.words.no_better(ref, move, amount, self.numbers.text(has))

    def _measure(self, place: Place) -> None:
        """What the children prove of a node, together with what was known before."""
        lows, highs = [], []
        for action, child in place.children.items():
            if place.mover == CHANCE:
                chance = float(probability(place.state, action))
                least, most = self.numbers.scale.low, self.numbers.scale.high
                lows.append(chance * max(child.low, least) if chance else 0.0)
                highs.append(chance * min(child.high, most) if chance else 0.0)
            else:
                lows.append(child.low)
                highs.append(child.high)
        if place.mover == CHANCE:
            low, high = math.fsum(lows), math.fsum(highs)
        else:
            best = max if place.mover == self.player else min
            low, high = best(lows), best(highs)
        place.low, place.high = max(place.low, low), min(place.high, high)
        place.low = min(place.low, place.high)  # two ways to the same mean may round differently

    def _light(self, place: Place, action: int | None) -> None:
        """The edge to the best child is lit, and the one that was lit before is not."""
        if place.best is not None and place.best != action:
            self._change(place.children[place.best], edge="plain")
        if action is not None:
            self._change(place.children[action], edge="best")
        place.best = action

    def _cut(self, place: Place, event: Event, end: Event | None) -> None:
        assert event.value is not None
        assert event.bound is not None
        unseen = [child for child in place.children.values() if child.number not in self.seen]
        own = self._worth(event.value, place.mover) if isinstance(event.value, tuple) else event.value
        value, bound = self.numbers.text(own), self.numbers.text(event.bound)
        ref, rest = self._ref(place), len(unseen)
        low = own <= event.bound
        elsewhere = self.algorithm != "mtdf" and not self._below_chance(place)
        if isinstance(event.value, tuple):
            kind, note, caption = "shallow", "shallow", self.words.shallow_cut(ref, value, bound, rest)
        elif event.reason == ALPHA_CUT:
            kind, note, caption = "alpha", "alpha", self.words.alpha_cut(ref, value, bound, rest, elsewhere)
        elif event.reason == BETA_CUT:
            kind, note, caption = "beta", "beta", self.words.beta_cut(ref, value, bound, rest, elsewhere)
        elif event.reason == CHANCE_CUT:
            kind, note = "chance", "low chance" if low else "high chance"
            caption = self.words.chance_cut(ref, value, bound, low, rest)
        else:
            kind, note, caption = "near", "near", self.words.near_cut(ref, value, bound, rest)
        for number, child in enumerate(unseen):
            self._change(child, edge="cut", note="" if number else self.words.cut_note(note, value, bound))
        if unseen:
            moves = tuple(action_text(place.state, child.action) for child in unseen)
            self.cuts[place.number, kind] = Cut(place.number, kind, event.value, event.bound, moves)
        if end is not None:
            caption += " " + self._settle(place, end)
        self._step(caption, place)

    def _below_chance(self, place: Place) -> bool:
        """Whether the window was made at a chance node, where a bound is not somebody's value."""
        above = place.parent
        while above is not None and above.mover != CHANCE:
            above = above.parent
        return above is not None

    def _chose(self, place: Place, event: Event) -> None:
        self._step(self._settle(place, event), place)

    def _settle(self, place: Place, event: Event) -> str:
        """A node is done: show its value, light its best move, and say so."""
        assert event.value is not None
        place.value = event.value
        chosen = event.action if event.action in place.children else None
        if not isinstance(event.value, tuple):
            self._measure(place)
            if chosen is not None and not self._achieves(place, place.children[chosen]):
                chosen = next((a for a, child in place.children.items() if self._achieves(place, child)), None)
            if place.mover != CHANCE:
                self._light(place, chosen)
        self._change(place, state="done", value=self._text(place))
        ref = self._ref(place)
        if place.mover == CHANCE:
            return self.words.mean(ref, self._amount(place))
        return self.words.done(ref, self._amount(place), "" if chosen is None else self._move(place.children[chosen]))

    def _achieves(self, place: Place, child: Place) -> bool:
        """Whether a move proves what its player is sure of; where all moves fail, none is known to be best."""
        if place.mover == self.player:
            return child.low == place.low > -math.inf and place.bound != "most"
        return child.high == place.high < math.inf and place.bound != "least"

    def _line(self) -> list[Place]:
        """The best moves from the root, up to the first move of chance."""
        line, place = [], self.root
        while place.best is not None and place.mover != CHANCE:
            place = place.children[place.best]
            line.append(place)
            if place.ended or not place.children:
                break
        return line

    def _end(self) -> None:
        line = self._line()
        for place in line:
            self._change(place, edge="best", width=PRINCIPAL_WIDTH)
        moves = " ".join(action_text(place.parent.state, place.action) for place in line if place.parent is not None)
        first = self._move(line[0]) if line else ""
        caption = self.words.result(self._who(self.root), first, self._amount(self.root), moves if line[1:] else "")
        cut = sum(len(found.actions) for found in self.cuts.values())
        caption += self.words.cost(len(self.seen), self._leaves(), cut, self.windows)
        self._step(caption, self.root)

    def _leaves(self) -> int:
        return sum(
            place.number in self.seen and (place.ended or (place.value is not None and not self._searched(place)))
            for place in self.places
        )

    def _searched(self, place: Place) -> bool:
        return any(child.number in self.seen for child in place.children.values())

    def told(self, title: str, depth: int | None) -> SearchDrawing:
        """The whole story."""
        line = tuple(action_text(place.parent.state, place.action) for place in self._line() if place.parent)
        value = self.root.value
        assert value is not None
        told = self.numbers.scale.told
        value = tuple(map(told, value)) if isinstance(value, tuple) else told(value)
        return SearchDrawing(
            Drawing(title, self.nodes, self.steps, self.start),
            self.game.name,
            self.algorithm,
            depth,
            value,
            self._text(self.root),
            line,
            len(self.seen),
            self._leaves(),
            tuple(cut for cut in self.cuts.values() if cut.actions),
            tuple(self._facts()),
        )

    def _facts(self) -> Iterator[SeenNode]:
        for place in self.places:
            visited = place.number in self.seen
            value = place.value
            text = self._text(place) if visited else ""
            if self.explicit and place.ended and not visited:
                value = self._utility(place)
                text = self.numbers.text(value)
            alpha, beta = place.window if place.window is not None else (None, None)
            yield SeenNode(
                None if place.parent is None else place.parent.number,
                "" if place.parent is None else action_text(place.parent.state, place.action),
                "" if place.ended else self._who(place),
                place.name,
                visited,
                value,
                place.low,
                place.high,
                text,
                alpha,
                beta,
            )


def _board(place: Place) -> str:
    """The position as a small picture, without coordinates, the last move marked."""
    board = grid(place.state)
    if board is None:
        return svg(place.state)
    before = None if place.parent is None else grid(place.parent.state)
    marked = board if before is None else with_last(before, board)
    return grid_svg(replace(marked, columns=(), rows=(), dots=()))
