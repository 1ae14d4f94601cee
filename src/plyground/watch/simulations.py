"""Simulations of Monte Carlo tree search as pictures: its four phases, step by step.

A drawing of a search with a seed shows the tree that the player ``mcts:seed=...`` grows for its first move.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from numpy.typing import NDArray

from plyground.core.game import Game
from plyground.core.recording import SimulationEvent
from plyground.core.rules import CHANCE, action_text, actions, playout_action, result, terminal, to_move
from plyground.errors import BadOption
from plyground.pictures.board import svg as state_svg
from plyground.pictures.guess import MOST_CHOICES, Guess, guess_among
from plyground.pictures.program import Program, Ran
from plyground.pictures.tree import Drawing, Look, Node, Step
from plyground.search.mcts_tree import Tree
from plyground.search.mcts_variant import GAME, GREEDY, LEARNED, WIN_DRAW_LOSS
from plyground.watch.answering import Answer, answer_of
from plyground.watch.mcts_run import MctsRun, Watching
from plyground.watch.programs import simulation_program
from plyground.watch.running import SimulationRunning, alternating
from plyground.watch.sentences import Sentences, sentences
from plyground.watch.simulation_numbers import ARROW, SimulationNumbers, fixed, trimmed
from plyground.watch.simulation_tree import MOST_CHILDREN, TOP, Path, TreeNodes, count_below
from plyground.watch.small_board import small_board

__all__ = ["SimulationStory", "simulations_drawing"]

MOST_BOARDS = 12
"""Positions of a playout that are shown, the first and the last among them."""
MOST_MOVES_NAMED = 8
MOST_PLANTED = 200
"""Nodes with preset counts that are drawn even where no simulation comes by."""


def _unwatched(run: MctsRun) -> AbstractContextManager[None]:
    return nullcontext()


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
    remarks: Mapping[int, str] | None = None,
) -> Drawing:
    """The last `shown` of this many simulations from `state`, phase by phase, and what the search answers with.

    `player` is a spec such as ``mcts:c=1,solver=off``; `boards` says whether nodes show their positions, and is
    decided by their number if it is None. `lang` is "en" or "zh". `watching` is a context for the time in which the
    tree grows. `remarks` are added to what is said of a choice so many plies below the root, counted from 1.
    """
    if shown < 1:
        raise BadOption(f"at least 1 simulation must be shown, not {shown}")
    mcts, first, last = MctsRun(game, state, simulations, player, seed), 0, simulations
    grows, watched = mcts, watching or _unwatched
    if simulations > shown:  # else all are shown, and nothing is compiled for them
        grows = MctsRun(game, state, simulations, player, seed)
        with watched(grows):
            grows.run(simulations)  # a solved root may end the search early; the last ones before that are shown
        first, last = max(0, grows.done - shown), grows.done
    if first:
        mcts.run(first)
    before = mcts.tree.nodes[: int(mcts.tree.used[0])].copy()
    with watched(mcts) if grows is mcts else nullcontext():
        events = mcts.record(last - first)
    say = sentences(lang)
    numbers = SimulationNumbers(mcts.variant, mcts.settings, say, mcts.view)
    first, last = mcts.preset + first, mcts.preset + mcts.done
    story = SimulationStory(
        game, state, numbers, before, mcts.tree, events, first, boards=boards, remarks=remarks, planted=mcts.planted,
        answer=answer_of(mcts, numbers),
    )  # fmt: skip
    which = say("which_simulations", first=first + 1, last=last, several=last > first + 1)
    whose = "" if mcts.view is None else game.seats[mcts.view]
    title = say("simulations_title", game=game.name, which=which, player=player, formula=numbers.formula, whose=whose)
    legend = say("simulations_legend", whose=whose, wins=mcts.variant.reward == WIN_DRAW_LOSS)
    return Drawing(say.spaced(title), *story.content(), legend=say.spaced(legend))


class SimulationStory:
    """From the events of some simulations to the nodes they met and the steps they took."""

    def __init__(
        self,
        game: Game,
        state: Any,
        numbers: SimulationNumbers,
        before: NDArray[Any],
        tree: Tree,
        events: Sequence[SimulationEvent],
        first: int = 0,
        *,
        boards: bool | None = None,
        playouts: bool = True,
        remarks: Mapping[int, str] | None = None,
        planted: Sequence[Path] = (),
        answer: Answer | None = None,
    ) -> None:
        self.game, self.numbers, self.variant, self.say = game, numbers, numbers.variant, numbers.say
        policy = {GREEDY: "greedy", LEARNED: "learned"}.get(self.variant.policy, "random")
        if self.variant.policy == GAME and type(state) in playout_action.implementations:
            policy = "game"
        self.policy = self.say(f"{policy}_policy")
        self.playouts = playouts
        """Whether the positions of playouts are shown."""
        self.remarks = remarks or {}
        nodes = tree.nodes[: int(tree.used[0])]
        answers = set() if answer is None else {(*TOP, answer.best), (*TOP, answer.played)}
        kept = _met(events, answers) | set(planted[:MOST_PLANTED])
        self.layout = TreeNodes(game, state, nodes, kept, lambda path: int(nodes[path[-1]]["action"]), self.say, boards)
        self.hidden = {path: count_below(nodes, hidden) for path, hidden in self.layout.hidden.items() if hidden}
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
        signs = game.axes.zero_sum and alternating(events, self.variant.players)
        written = simulation_program(numbers, self.policy, random=policy == "random", negamax=signs)
        expanded = {place for place in range(known) if before[place]["first"]}
        self.running = SimulationRunning(written, numbers, expanded, begun=first > 0)
        self.steps: list[Step] = []
        self.start = {
            index: self._look(path, state="done", edge="plain")
            for path, index in self.layout.at.items()
            if path == TOP or self.statistics[path[-1]][1]
        }
        self.lit: list[Path] = []
        """The nodes on the path of the simulation that is told."""
        self.rewards: Sequence[float] = ()
        """What each player has got from the simulation that is told."""
        self.number = first
        self._tell(events)
        if answer is not None:
            self._answer(answer)

    def content(self) -> tuple[list[Node], list[Step], dict[int, Look], str, Program | None]:
        """What a drawing has beside its title: nodes, steps, the looks to start with, no question, and the program."""
        return self.layout.nodes, self.steps, self.start, "", self.running.program

    def _look(self, path: Path, **more: Any) -> Look:
        total, visits = self.statistics[path[-1]]
        lines = [line for line in (self.terms.get(path), self.changed.get(path)) if line]
        exact = self.exact.get(path[-1], math.nan)
        if not math.isnan(exact) and self.numbers.proven(exact) not in lines:
            lines.append(self.numbers.proven(exact))
        if path in self.hidden:
            lines.append(self.say("hidden", count=self.hidden[path]))
        coloured = visits and path != TOP and self.numbers.view is None
        tint = self.numbers.tint(total, visits, exact) if coloured else None
        ratio = self.numbers.ratio(total, visits, self.layout.counts_for[path])
        return Look(value=ratio, lines=tuple(lines), tint=tint, **more)

    def _name(self, path: Path) -> str:
        return self.say("root") if path == TOP else self.layout.nodes[self.layout.at[path]].action

    def _step(
        self, phase: str, text: str, path: Path, changes: Mapping[int, Look], ran: Ran | None, **more: Any
    ) -> None:
        caption = self.say.spaced(self.say("step", number=self.number, phase=self.say(phase), text=text))
        self.steps.append(Step(caption, self.layout.at[path], {**self.put_out, **changes}, ran=ran, **more))
        self.put_out = {}

    def _tell(self, events: Sequence[SimulationEvent]) -> None:
        path = TOP
        scores: dict[int, SimulationEvent] = {}
        moves: list[SimulationEvent] = []
        rewards: list[float] = []
        for event in events:
            if event.kind == "simulation_started":
                self.number += 1
                self.running.start()
                path = TOP
                lit = {*self.terms, *self.changed}
                self.terms, self.changed, self.lit = {}, {}, []
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
        say = self.say
        who = say("chance") if mover == CHANCE else self.game.seats[mover]
        move = node.action.removeprefix(f"{who} ")
        self.terms.setdefault(path, "")
        self.lit.append(path)
        facts: dict[str, Any] = {"fresh": fresh, "chance": mover == CHANCE, "scores": scores}
        player = self.layout.counts_for[path]
        if fresh:
            text = say("drawn_first" if mover == CHANCE else "tried_first", who=who, move=move)
            ran = self.running.descend(
                self._name(path), parent[-1], place, self.statistics[place], player, bound="", **facts
            )
            lit = {self.layout.at[path]: self._look(path, state="open", edge="best")}
            self._step("expansion", text, path, lit, ran)
            return
        changes: dict[int, Look] = {}
        for child, score in scores.items():
            at = (*parent, child)
            if at in self.layout.at:
                self.terms[at] = self.numbers.terms(score, mover, self.exact.get(child, math.nan))
                changes[self.layout.at[at]] = self._look(at, state="done", edge="plain")
        beyond = [score.upper_bound for child, score in scores.items() if (*parent, child) not in self.layout.at]
        if mover == CHANCE:
            text = say("drawn", move=move)
        elif len(scores) == 1:
            text = say("only", who=who, move=move, forced=len(actions(state)) == 1)
        elif place in scores and math.isinf(scores[place].upper_bound):
            text = say("takes", who=who, move=move, proven=self.terms[path])
        elif self.variant.proportional:
            text = say("in_proportion", move=move, bound=self.terms[path], count=len(scores))
        else:
            text = say("compares", who=who, count=len(scores), move=move, bound=self.terms[path])
            if beyond and math.isfinite(max(beyond)):
                text += say("beyond", count=len(beyond), bound=fixed(max(beyond)))
        text += self.remarks.get(len(parent), "")
        changes[self.layout.at[path]] = self._look(path, state="open", edge="best")
        ran = self.running.descend(
            self._name(path), parent[-1], place, self.statistics[place], player, bound=self.terms[path], **facts
        )
        self._step("selection", text, path, changes, ran, guess=self._selected(parent, path, who, scores))

    def _selected(self, parent: Path, path: Path, who: str, scores: Mapping[int, SimulationEvent]) -> Guess | None:
        """What can be asked where bounds are compared and one is the highest: which move has it."""
        bounds = {child: score.upper_bound for child, score in scores.items() if (*parent, child) in self.layout.at}
        taken = path[-1]
        if taken not in bounds or self.variant.proportional or to_move(self.layout.states[parent]) == CHANCE:
            return None
        if any(child != taken and bound >= bounds[taken] for child, bound in bounds.items()):
            return None  # of equal ones any could be taken
        others = sorted((child for child in bounds if child != taken), key=lambda child: -bounds[child])
        drawn = sorted(self.layout.at[(*parent, child)] for child in (taken, *others[: MOST_CHOICES - 1]))
        moves = [self.layout.nodes[number].action.removeprefix(f"{who} ") for number in drawn]
        question = self.say.spaced(self.say("ask_selected", who=who, formula=self.numbers.formula))
        return guess_among(question, moves, moves[drawn.index(self.layout.at[path])])

    def _play_out(self, path: Path, moves: Sequence[SimulationEvent], rewards: Sequence[float]) -> None:
        """Simulation, or what takes its place."""
        state = self.layout.states[path]
        self.rewards = tuple(rewards)
        exact = self.exact.get(path[-1], math.nan)
        say, here, own = self.say, self._name(path), rewards[self.layout.counts_for[path]]
        results = self._results()
        if not moves:
            proven = "" if math.isnan(exact) else self.numbers.proven(exact)
            ended = bool(terminal(state))
            text = say("known_end", ended=ended, proven=proven, results=results)
            known = not ended or (bool(proven) and self.variant.solver)
            self._step("simulation", text, path, {}, self.running.play_out(here, 0, results, own, known=known))
            return
        above, last = self.layout.states[path[:-1]], moves[-1]
        positions = [*(event.state for event in moves), result(last.state, last.action)]
        named = [action_text(event.state, event.action) for event in moves]
        who = [self.layout.move(event.state, int(event.action or 0)) for event in moves]
        captions = [here, *(f"{number}. {move}" for number, move in enumerate(who, 1))]
        chosen = _evenly(len(positions), MOST_BOARDS)
        pictures = [
            (small_board(positions[i], positions[i - 1] if i else above) or state_svg(positions[i]), captions[i])
            for i in (chosen if self.playouts else ())
        ]
        told = " ".join(named if len(named) <= MOST_MOVES_NAMED else [*named[:4], "...", *named[-2:]])
        end = positions[-1]
        ending = say("then_evaluation") if not terminal(end) else _outcome(self.game, end, say)
        text = say("playout", count=len(moves), policy=self.policy, moves=told, ending=ending, results=results)
        ran = self.running.play_out(here, len(moves), results, own, known=False)
        self._step("simulation", text, path, {}, ran, boards=pictures)

    def _results(self) -> str:
        return self.say("and").join(
            self.say("reward", reward=trimmed(reward, 3), seat=seat)
            for reward, seat in zip(self.rewards, self.game.seats, strict=True)
        )

    def _credited(self, path: Path, event: SimulationEvent, was: str, now: str) -> Guess | None:
        """What can be asked below the root: what a node has afterwards, if one knows for whom it counts."""
        if path == TOP or len(self.rewards) != len(self.game.seats):
            return None
        others = [
            self.numbers.ratio(event.total - event.reward + reward, event.visits, event.player)
            for reward in self.rewards
        ]
        question = self.say("ask_credited", results=self._results(), here=self._name(path))
        return guess_among(self.say.spaced(question), sorted({was, now, *others}), now)

    def _credit(self, path: Path, event: SimulationEvent) -> None:
        """Backpropagation at one node."""
        place, player = path[-1], event.player
        was = self.numbers.ratio(*self.statistics[place], player)
        self.statistics[place] = (event.total, event.visits)
        now = self.numbers.ratio(event.total, event.visits, player)
        change = f"{was} {ARROW} {now}"
        reward = trimmed(self.numbers.seen(event.reward, 1, player), 3)
        here, who = self._name(path), self.game.seats[player]
        if self.numbers.view is not None:
            name, who = "gets_at", self.game.seats[self.numbers.view]
        elif path == TOP or to_move(self.layout.states[path[:-1]]) == CHANCE:
            name = "counts_for"
        else:
            name = "own_move"
        text = self.say(name, here=here, seat=who, reward=reward)
        self.changed[path] = change
        changes = {self.layout.at[twin]: self._look(twin) for twin in self.layout.places[place]}
        changes[self.layout.at[path]] = self._look(path, state="done")
        ran = self.running.credit(here, event)
        told = self.say("credit", text=text, change=change)
        self._step("backpropagation", told, path, changes, ran, guess=self._credited(path, event, was, now))

    def _prove(self, event: SimulationEvent) -> None:
        """A node is solved, which is said once."""
        if not math.isnan(self.exact.get(event.node, math.nan)):
            return
        self.exact[event.node] = event.reward
        path = self.layout.places[event.node][0]
        who = self.game.seats[self.layout.counts_for[path]]
        changes = {self.layout.at[twin]: self._look(twin) for twin in self.layout.places[event.node]}
        text = self.say("proves", here=self._name(path), proven=self.numbers.proven(event.reward), seat=who)
        self._step("proof", text, path, changes, self.running.prove(self._name(path), event.node))

    def _answer(self, answer: Answer) -> None:
        """The search is over. What it answers with is lit, and of the last path what leads on from there."""
        played = (*TOP, answer.played)
        changes = {
            self.layout.at[path]: self._look(path, state="done", edge="plain")
            for path in self.lit
            if path[:2] != played
        }
        changes[self.layout.at[played]] = self._look(played, state="done", edge="best")
        ran = self.running.answer(self.say("root"), self.statistics[0], self.layout.counts_for[TOP])
        self.steps.append(Step(self.say.spaced(answer.text), self.layout.at[played], changes, ran=ran))


def _met(events: Sequence[SimulationEvent], answers: set[Path]) -> set[Path]:
    """The paths that simulations took, with the children compared on them; of very many, those with high bounds.

    `answers` are paths to children of the root that are needed too.
    """
    taken: set[Path] = {TOP, *answers}
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
    """At most this many of 0, 1, ..., evenly chosen, the first and the last among them."""
    some = min(count, most)
    return [round(i * (count - 1) / max(1, some - 1)) for i in range(some)]


def _outcome(game: Game, state: Any, say: Sentences) -> str:
    """Who has won a finished game, in words."""
    values = game.returns(state)
    if game.axes.players != 2 or not game.axes.zero_sum:
        return say("the_end")
    if values[0] == values[1]:
        return say("a_draw")
    return say("wins", seat=game.seats[int(values[1] > values[0])])
