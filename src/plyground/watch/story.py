"""What a search did, step by step, in sentences and in how the nodes look."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from plyground.core.game import Game
from plyground.core.recording import ALPHA_CUT, BETA_CUT, CHANCE_CUT, Event, Value
from plyground.core.rules import CHANCE, action_text, probability, utility
from plyground.pictures.guess import Guess, guess_among
from plyground.pictures.program import Ran
from plyground.pictures.tree import Drawing, Look, Step
from plyground.watch.bounds import achieves, leaf_bounds, measure
from plyground.watch.programs import search_program
from plyground.watch.running import SearchRunning
from plyground.watch.search_numbers import SearchNumbers, plain
from plyground.watch.search_tree import Place, SearchTree
from plyground.watch.sentences import Sentences

__all__ = ["Cut", "SearchDrawing", "SeenNode", "Story"]

PRINCIPAL_WIDTH = 7.0
CUTS: dict[int | None, str] = {ALPHA_CUT: "alpha", BETA_CUT: "beta", CHANCE_CUT: "chance"}


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
        say: Sentences,
        windows: bool,
        coalitions: Sequence[int] | None = None,
        depth: int | None = None,
    ) -> None:
        self.coalitions = range(game.axes.players) if coalitions is None else coalitions
        self.game, self.events, self.algorithm, self.player = game, events, algorithm, player
        self.numbers, self.say = numbers, say
        self.windows = windows or any(event.kind == "cut" for event in events)
        self.tree = SearchTree(game, state, events, player, say)
        written = search_program(algorithm, depth=depth is not None, windows=self.windows)
        if any(event.kind == "stood" for event in events):
            written = None  # the programs that stand beside films stop at the depth limit
        self.running = SearchRunning(written, self.tree, numbers, player, depth)
        self.steps: list[Step] = []
        self.cuts: dict[tuple[int, str], Cut] = {}
        self.changes: dict[int, Look] = {}
        self.seen: set[int] = set()
        self.again: set[int] = set()
        self.weighed: Place | None = None
        """Where a value has come back, and a cut is possible: what happens next can be guessed."""
        self.start = self._start()
        self._tell()

    def _start(self) -> dict[int, Look]:
        """A given tree shows its leaves from the start."""
        if not self.tree.explicit:
            return {}
        ended = (place for place in self.tree.places if place.ended)
        return {place.number: Look(value=self.numbers.text(self._utility(place))) for place in ended}

    def _utility(self, place: Place) -> Value:
        of = self.numbers.scale.of
        if self.tree.tuples:
            return tuple(map(of, self.game.returns(place.state)))
        return of(float(utility(place.state, self.player)))

    def _change(self, place: Place, **look: Any) -> None:
        self.changes[place.number] = replace(self.changes.get(place.number, Look()), **look)

    def _step(self, caption: str, place: Place, ran: Ran | None, guess: Guess | None = None) -> None:
        self.steps.append(Step(self.say.spaced(caption), place.number, self.changes, ran=ran, guess=guess))
        self.changes, self.weighed = {}, None

    def _tell(self) -> None:
        events, at = self.events, self.tree.at
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
                elif following is not None and following.kind == "stood":
                    self._enter(place, events[i + 2])
                    i += 2
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
                moves = ", ".join(
                    self.tree.move(place.children[skip.action]) for skip in left if skip.action is not None
                )
                self._step(self.say("left_out", at=self.tree.ref(place), moves=moves), place, self.running.skip(left))
            elif event.kind == "chose":
                told = self._settle(place, event)
                self._step(told, place, self.running.leave(event), self._mean(place))
            i += 1
        self._end()

    def _enter(self, place: Place, window: Event | None) -> None:
        again = place.number in self.seen
        (self.again if again else self.seen).add(place.number)
        text = ""
        if window is not None and window.alpha is not None and window.beta is not None:
            place.asked = place.window = (window.alpha, window.beta)
            if self.windows:
                text = self.numbers.window(*place.window)
        standing = self._stand(place)
        if text or standing:
            self._change(place, lines=self._lines(place))
        self._change(place, state="open")
        if place.parent is None:
            at = self.tree.ref(place)
            caption = self.say("begin_again" if again else "begin", at=at, window=text)
            if self.algorithm == "mtdf" and place.window is not None:
                alpha, beta = place.window
                more = round(alpha, 9) == alpha
                bound = self.numbers.text(alpha if more else beta)
                caption = self.say("asks", at=at, bound=bound, window=text, more=more)
            if not again and not self.tree.tuples and self.game.axes.players == 2 and self.game.seats != ("MAX", "MIN"):
                first, second = self.game.seats
                caption = f"{self.say('roles', first=first, second=second)} {caption}"
        else:
            self._uncut(place)
            name = "down_again" if again else "down_quiet" if standing else "down"
            count = len(place.children)
            caption = self.say(
                name, at=self.tree.ref(place), move=self.tree.move(place), window=text, value=standing, count=count
            )
        self._step(caption, place, self.running.enter(place, window), self._next(place.parent, "next"))

    def _stand(self, place: Place) -> str:
        """What the player to move has without a move, in a quiescence search; from now on it is sure of that."""
        if place.stand is None:
            return ""
        if place.mover == self.player:
            place.low = max(place.low, place.stand)
        else:
            place.high = min(place.high, place.stand)
        return self.numbers.text(place.stand)

    def _lines(self, place: Place) -> tuple[str, ...]:
        """What stands below a node that is being searched."""
        standing = () if place.stand is None else (self.say("stand_line", value=self.numbers.text(place.stand)),)
        window = () if place.window is None or not self.windows else (self.numbers.window(*place.window),)
        return standing + window

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
            place.low, place.high = leaf_bounds(place, event)
        text = self._text(place)
        terms = self.numbers.terms(place.state)
        self._change(place, state="done", value=text, lines=(terms,) if terms else ())
        if place.parent is None:
            return
        move = self.tree.move(place)
        if event.kind == "looked_up":
            name = "known"
        elif not place.ended:
            name = "horizon"
        else:
            name = "leaf" if self.tree.explicit else "over"
        caption = self.say(name, move=move, value=text, terms=terms, again=again)
        self._step(caption, place, self.running.leaf(place, event), self._next(place.parent, "next"))

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
        return self.say(place.bound or "unsure", low=low, high=high)

    def _back_up(self, place: Place, event: Event, window: Event | None) -> None:
        assert event.action is not None
        assert event.value is not None
        child = place.children[event.action]
        guess: Guess | None = None
        if isinstance(event.value, tuple):
            child.value = event.value
            caption, guess = self._compare_tuples(place, child, event.value)
        elif place.mover == CHANCE:
            caption = self._add_share(place, child, event.value)
        else:
            caption, guess = self._compare(place, child, window)
        if window is not None and window.alpha is not None and window.beta is not None:
            place.window = (window.alpha, window.beta)
            if self.windows:
                self._change(place, lines=self._lines(place))
        self._step(caption, place, self.running.back_up(event, window), guess)
        # What is shown of a node that is searched again is what both searches know, and not what decides.
        if self.windows and place.parent is not None and place.number not in self.again and self._unseen(place):
            self.weighed = place

    def _unseen(self, place: Place) -> list[Place]:
        return [child for child in place.children.values() if child.number not in self.seen]

    def _next(self, place: Place | None, kind: str) -> Guess | None:
        """What can be asked before a cut of this kind at a node, or before the "next" of its moves is looked at."""
        if place is None or place is not self.weighed:
            return None
        kinds = ("chance",) if place.mover == CHANCE else ("shallow",) if self.tree.tuples else ("alpha", "beta")
        choices = [self.say(f"{name}_choice") for name in kinds]
        choices.append(self.say("next_outcome" if place.mover == CHANCE else "next_move"))
        places = {name: number for number, name in enumerate((*kinds, "next"))}
        if kind not in places:
            return None
        window = self.numbers.window(*place.window) if place.window is not None else ""
        value = self._text(place)
        if not value:
            return None
        question = self.say("ask_next", at=self.tree.ref(place), value=value, window=window)
        return Guess(self.say.spaced(question), tuple(choices), places[kind])

    def _kept(self, place: Place, child: Place, had: str, new: str, *, better: bool) -> Guess | None:
        """What can be asked when a child's value comes back: which of two it keeps; at the root, which move is best."""
        if had == new or not new:
            return None
        at, move = self.tree.ref(place), self.tree.move(child)
        choices = (had, new)
        if place.parent is None and place.best is not None:
            choices = (self.tree.move(place.children[place.best]), move)
            question = self.say("ask_best", at=at, had=had, best=choices[0], move=move, new=new)
        else:
            question = self.say("ask_kept", at=at, had=had, move=move, new=new)
        return guess_among(self.say.spaced(question), choices, choices[better])

    def _compare_tuples(self, place: Place, child: Place, value: tuple[float, ...]) -> tuple[str, Guess | None]:
        ref, move, text = self.tree.ref(place), self.tree.move(child), self.numbers.text(value)
        if place.mover == CHANCE:
            chance = float(probability(place.state, child.action))
            part = self.numbers.text(tuple(chance * number for number in value))
            return self.say("share", at=ref, move=move, probability=plain(chance), value=text, product=part), None
        seat, best = self._together(place.mover), place.value
        guess = None
        if isinstance(best, tuple):
            better = self._worth(value, place.mover) > self._worth(best, place.mover)
            had = self.numbers.text(best)
            guess = self._kept(place, child, had, text, better=better)
            if not better:
                return self.say("not_best_for", at=ref, move=move, value=text, seat=seat, best=had), guess
        place.value = value
        self._change(place, value=text)
        self._light(place, child.action)
        return self.say("best_for", at=ref, move=move, value=text, seat=seat), guess

    def _allies(self, player: int) -> list[int]:
        """Who plays together with a player, the player included."""
        return [other for other, number in enumerate(self.coalitions) if number == self.coalitions[player]]

    def _together(self, player: int) -> str:
        return " + ".join(self.game.seats[other] for other in self._allies(player))

    def _worth(self, values: tuple[float, ...], player: int) -> float:
        """What the values are worth to whoever plays together with a player."""
        return sum(values[other] for other in self._allies(player))

    def _add_share(self, place: Place, child: Place, value: float) -> str:
        measure(place, self.player, self.numbers.scale)
        chance = float(probability(place.state, child.action))
        ref, move, product = self.tree.ref(place), self.tree.move(child), self.numbers.text(chance * value)
        share = plain(chance)
        return self.say("share", at=ref, move=move, probability=share, value=self._amount(child), product=product)

    def _compare(self, place: Place, child: Place, window: Event | None) -> tuple[str, Guess | None]:
        before, old = (place.low, place.high), place.window
        measure(place, self.player, self.numbers.scale)
        self._change(place, value=self._text(place))
        ref, move, amount = self.tree.ref(place), self.tree.move(child), self._amount(child)
        maximising = place.mover == self.player
        had, has = (before[0], place.low) if maximising else (before[1], place.high)
        change = ""
        if window is not None and old is not None and self.windows:
            assert window.alpha is not None
            assert window.beta is not None
            if window.alpha > old[0]:
                change = self.say("rises", old=self.numbers.text(old[0]), new=self.numbers.text(window.alpha))
            elif window.beta < old[1]:
                change = self.say("falls", old=self.numbers.text(old[1]), new=self.numbers.text(window.beta))
        first = place.best is None and place.stand is None
        better = achieves(place, child, self.player) and (had != has or first)
        guess = None
        decided = child.low > had or child.high <= had if maximising else child.high < had or child.low >= had
        if not math.isinf(had) and place.best is not None and decided and better == (had != has):
            guess = self._kept(place, child, self.numbers.text(had), self._text(child), better=better)
        if better:
            self._light(place, child.action)
            return self.say("better", at=ref, move=move, amount=amount, change=change), guess
        if math.isinf(has) or place.bound == ("most" if maximising else "least"):
            return self.say("unclear", at=ref, move=move, amount=amount), None
        return self.say("no_better", at=ref, move=move, amount=amount, best=self.numbers.text(has)), guess

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
        unseen = self._unseen(place)
        own = self._worth(event.value, place.mover) if isinstance(event.value, tuple) else event.value
        value, bound = self.numbers.text(own), self.numbers.text(event.bound)
        elsewhere = self.algorithm != "mtdf" and not self.tree.below_chance(place)
        kind = "shallow" if isinstance(event.value, tuple) else CUTS.get(event.reason, "near")
        name = kind if kind != "chance" else "low_chance" if own <= event.bound else "high_chance"
        rest = self.say("rest_of_outcomes" if kind == "chance" else "rest_of_moves", count=len(unseen))
        caption = self.say(
            f"{name}_cut", at=self.tree.ref(place), value=value, bound=bound, rest=rest, elsewhere=elsewhere
        )
        for number, child in enumerate(unseen):
            note = "" if number else self.say(f"{name}_note", value=value, bound=bound)
            self._change(child, edge="cut", note=note)
        if unseen:
            moves = tuple(action_text(place.state, child.action) for child in unseen)
            self.cuts[place.number, kind] = Cut(place.number, kind, event.value, event.bound, moves)
        ran, guess = None, self._next(place, kind)
        if end is not None:
            caption += " " + self._settle(place, end)
            ran = self.running.leave(end)
        self._step(caption, place, ran, guess)

    def _settle(self, place: Place, event: Event) -> str:
        """A node is done: show its value, light its best move, and say so."""
        assert event.value is not None
        place.value = event.value
        chosen = event.action if event.action in place.children else None
        if not isinstance(event.value, tuple):
            measure(place, self.player, self.numbers.scale)
            if chosen is not None and not achieves(place, place.children[chosen], self.player):
                chosen = next((a for a, child in place.children.items() if achieves(place, child, self.player)), None)
            if place.mover != CHANCE:
                self._light(place, chosen)
        self._change(place, state="done", value=self._text(place))
        ref = self.tree.ref(place)
        if place.mover == CHANCE:
            return self.say("mean", at=ref, amount=self._amount(place))
        move = "" if chosen is None else self.tree.move(place.children[chosen])
        return self.say("done", at=ref, amount=self._amount(place), move=move)

    def _mean(self, place: Place) -> Guess | None:
        """What can be asked of a chance node all of whose outcomes are known: beside the mean, what it is not."""
        below = [child.value for child in place.children.values() if isinstance(child.value, float | int)]
        known = all(child.low == child.high for child in place.children.values())
        if place.mover != CHANCE or not known or len(below) < len(place.children) or len(below) < 2:
            return None
        wrong = (min(below), max(below), math.fsum(below) / len(below))
        assert not isinstance(place.value, tuple)
        assert place.value is not None
        values = sorted((place.value, *wrong))
        question = self.say.spaced(self.say("ask_mean", at=self.tree.ref(place)))
        return guess_among(question, [self.numbers.text(value) for value in values], self.numbers.text(place.value))

    def _line(self) -> list[Place]:
        """The best moves from the root, up to the first move of chance."""
        line, place = [], self.tree.root
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
        first = self.tree.move(line[0]) if line else ""
        root, cut = self.tree.root, sum(len(found.actions) for found in self.cuts.values())
        who, amount, best_play = self.tree.who(root), self._amount(root), moves if line[1:] else ""
        caption = self.say("result", who=who, move=first, amount=amount, line=best_play)
        told = cut or self.windows
        caption += self.say("cost", visited=len(self.seen), leaves=self._leaves(), cut=cut, told=told)
        value = self.events[-1].value
        self._step(caption, root, None if isinstance(value, tuple) else self.running.end(root, value or 0.0))

    def _leaves(self) -> int:
        return sum(
            place.number in self.seen and (place.ended or (place.value is not None and not self._searched(place)))
            for place in self.tree.places
        )

    def _searched(self, place: Place) -> bool:
        return any(child.number in self.seen for child in place.children.values())

    def told(self, title: str, depth: int | None) -> SearchDrawing:
        """The whole story."""
        line = tuple(action_text(place.parent.state, place.action) for place in self._line() if place.parent)
        value = self.tree.root.value
        assert value is not None
        told = self.numbers.scale.told
        value = tuple(map(told, value)) if isinstance(value, tuple) else told(value)
        return SearchDrawing(
            Drawing(
                title, self.tree.nodes, self.steps, self.start, program=self.running.program, legend=self._legend()
            ),
            self.game.name,
            self.algorithm,
            depth,
            value,
            self._text(self.tree.root),
            line,
            len(self.seen),
            self._leaves(),
            tuple(cut for cut in self.cuts.values() if cut.actions),
            tuple(self._facts()),
        )

    def _legend(self) -> str:
        """How to read what stands at the nodes and beside the edges that are cut."""
        legend = self.say(
            "search_legend",
            several=self.tree.tuples,
            window=self.windows and not self.tree.tuples,
            sure=self.algorithm != "mtdf" and not self.game.axes.chance,
            chance=any(kind == "chance" for _, kind in self.cuts),
            null=self.algorithm in ("pvs", "mtdf"),
        )
        return self.say.spaced(legend)

    def _facts(self) -> Iterator[SeenNode]:
        for place in self.tree.places:
            visited = place.number in self.seen
            value = place.value
            text = self._text(place) if visited else ""
            if self.tree.explicit and place.ended and not visited:
                value = self._utility(place)
                text = self.numbers.text(value)
            alpha, beta = place.window if place.window is not None else (None, None)
            yield SeenNode(
                None if place.parent is None else place.parent.number,
                "" if place.parent is None else action_text(place.parent.state, place.action),
                "" if place.ended else self.tree.who(place),
                place.name,
                visited,
                value,
                place.low,
                place.high,
                text,
                alpha,
                beta,
            )
