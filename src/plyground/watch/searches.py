"""The classical searches as pictures, and as exercises.

The search that is drawn is the one that plays: its source runs under `plyground.core.recording`, and
`plyground.watch.story` turns its events into a tree that is replayed step by step.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from plyground.core.axes import Accepts
from plyground.core.game import Game
from plyground.core.limits import Budget
from plyground.core.recording import Value, recording, unrecorded
from plyground.core.rules import CHANCE, actions, result, symmetries, to_move
from plyground.errors import BadOption, suggestion
from plyground.games.symmetry import UpToSymmetry, up_to_symmetry
from plyground.games.tree import PLAYER, TreeNode
from plyground.pictures.tree import Drawing, Look, Step
from plyground.players.alphabeta import orders
from plyground.search import alphabeta, expectiminimax, maxn, minimax
from plyground.search.anytime import DEEPEST
from plyground.search.evaluations import evaluation_function, find_evaluation
from plyground.search.lines import new_line_memory
from plyground.search.mtdf import mtdf
from plyground.search.paranoid import parse_coalitions
from plyground.search.pvs import pvs
from plyground.search.stakes import Stakes, stakes_of
from plyground.watch.classroom import MONTE_CARLO
from plyground.watch.search_numbers import SearchNumbers
from plyground.watch.search_tree import MOST_NODES
from plyground.watch.sentences import sentences
from plyground.watch.story import SearchDrawing, Story

__all__ = ["ALGORITHMS", "exercise", "search_drawing", "usual_algorithm"]

USUAL_NODES = 100
"""A board game is searched so deep, unless a depth is given, that minimax sees no more nodes than this."""
WINDOWED = ("alphabeta", "pvs", "mtdf")
"""The searches that are alpha-beta in one form or another."""
TABLE_SIZE = 1 << 20
"""Bytes for what MTD(f) remembers from one of its searches to the next."""
FIRST_GUESS = 0.0
"""Where MTD(f) begins."""


# Which searches can be drawn -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Task:
    """What is to be searched: `depth` plies from `state`, for `player`; `evaluation` is a variant's.

    `coalitions` has the number of each player's coalition, None where everybody plays alone. With `quiescence` noisy
    moves are followed beyond the depth.
    """

    game: Game
    state: Any
    depth: int
    player: int
    evaluation: str
    orders: dict[str, Any]
    budget: Budget
    stakes: Stakes
    coalitions: Any = None
    quiescence: bool = False

    @property
    def settings(self) -> alphabeta.AlphaBetaSettings:
        """The settings of alpha-beta, on the scale that all searches of this game are drawn on."""
        scale = self.stakes.scale
        return alphabeta.settings_for(self.game)._replace(low=scale.low, high=scale.high, scale=scale)


@dataclass(frozen=True)
class Algorithm:
    """A search that can be drawn. `windows` says whether alpha and beta are part of it.

    `asked` is what an exercise asks for: cuts, means, utilities or values.
    """

    accepts: Accepts
    run: Callable[[Task], Value]
    windows: bool = True
    asked: str = "values"


def _minimax(task: Task) -> Value:
    variant = minimax.MinimaxVariant(task.evaluation)
    scale = task.stakes.scale
    return minimax.minimax_value(task.state, task.depth, task.player, task.budget, variant=variant, scale=scale)


def _variant(task: Task) -> alphabeta.AlphaBetaVariant:
    return replace(alphabeta.AlphaBetaVariant(evaluation=task.evaluation, quiescence=task.quiescence), **task.orders)


def _alphabeta(task: Task, *, scout: bool = False) -> Value:
    variant = pvs(_variant(task)) if scout else _variant(task)
    memory, settings = alphabeta.new_memory(task.game), task.settings

    def look(depth: int, budget: Budget) -> Value:
        return alphabeta.alphabeta(
            task.state, depth, -math.inf, math.inf, task.player, memory, settings, variant, budget
        )

    if variant.previous:  # the order of the last iteration needs one; what is watched is the deepest
        with unrecorded():
            for depth in range(1, task.depth):
                memory.counters[alphabeta.HORIZON] = 0
                budget = Budget(MOST_NODES)
                look(depth, budget)
                if budget.stopped:
                    break
                alphabeta.keep_order(memory)
                if memory.counters[alphabeta.HORIZON] == 0:
                    break
    return look(task.depth, task.budget)


def _mtdf(task: Task) -> Value:
    memory, settings = alphabeta.new_memory(task.game, TABLE_SIZE), task.settings
    variant = replace(_variant(task), table=True)
    return mtdf(task.state, task.depth, FIRST_GUESS, task.player, memory, settings, variant, task.budget)


def _expectiminimax(task: Task, *, star: int = 0) -> Value:
    variant = expectiminimax.ExpectiminimaxVariant(star, task.evaluation)
    return expectiminimax.expectiminimax(
        task.state, task.depth, -math.inf, math.inf, task.player, new_line_memory(), task.stakes, variant, task.budget
    )


def _maxn(task: Task) -> Value:
    values = np.zeros(task.game.axes.players)
    numbers = maxn.coalition_numbers(None, task.game.axes.players) if task.coalitions is None else task.coalitions
    variant = maxn.MaxnVariant(evaluation=task.evaluation)
    maxn.maxn(task.state, task.depth, values, numbers, new_line_memory(), task.stakes, variant, task.budget)
    return tuple(map(float, values))


def _paranoid(task: Task) -> Value:
    return _expectiminimax(task) if task.coalitions is None else _maxn(task)


TWO, ONE_OR_TWO = Accepts(players=(2,)), Accepts(players=(1, 2), chance=True)

ALGORITHMS = {
    "minimax": Algorithm(TWO, _minimax, windows=False),
    "alphabeta": Algorithm(TWO, _alphabeta, asked="cuts"),
    "pvs": Algorithm(TWO, lambda task: _alphabeta(task, scout=True), asked="cuts"),
    "mtdf": Algorithm(TWO, _mtdf, asked="cuts"),
    "expectiminimax": Algorithm(ONE_OR_TWO, _expectiminimax, windows=False, asked="means"),
    "star1": Algorithm(ONE_OR_TWO, lambda task: _expectiminimax(task, star=1), asked="means"),
    "star2": Algorithm(ONE_OR_TWO, lambda task: _expectiminimax(task, star=2), asked="means"),
    "maxn": Algorithm(Accepts(chance=True, general_sum=True), _maxn, windows=False, asked="utilities"),
    "paranoid": Algorithm(Accepts(chance=True, general_sum=True), _paranoid),
}


def usual_algorithm(game: Game) -> str:
    """The first search in the usual order that can be used for a game."""
    for name in ("alphabeta", "expectiminimax"):
        if ALGORITHMS[name].accepts.obstacle(game.axes) is None:
            return name
    return "maxn"


# Drawing -------------------------------------------------------------------------------------------------------------


def search_drawing(
    game: Game,
    state: Any = None,
    *,
    algorithm: str = "",
    depth: int | None = None,
    evaluation: str = "",
    order: str = "none",
    symmetry: bool = False,
    quiescence: bool = False,
    lang: str = "en",
) -> SearchDrawing:
    """Run a search from `state`, the start of the game if it is None, and draw what it did.

    In a game of two players MAX is the first of them, whoever is to move. Without a `depth` a tree is searched to its
    leaves, another game as deep as stays legible. `order` is as players have it, such as evaluation+killer;
    with previous, alpha-beta has searched less deep before, and what is drawn is its last iteration.
    `symmetry` leaves out moves that are mirror images of others. With `quiescence`, alpha-beta looks on along noisy
    moves, such as captures, where the depth ends.
    """
    say = sentences(lang)
    name, _, options = (algorithm or usual_algorithm(game)).partition(":")
    chosen = _algorithm(name, game)
    coalitions = _coalitions(name, options, game)
    fields = _orders(order, name)
    if quiescence and name not in WINDOWED:
        raise BadOption(f"quiescence is for {', '.join(WINDOWED[:-1])} and {WINDOWED[-1]}, not for {name}")
    if depth is not None and depth < 1:
        raise BadOption(f"the depth must be at least 1, not {depth}")
    state = game.initial if state is None else state
    if symmetry:
        if symmetries(state) == 1:
            raise BadOption(f"{game.name} has no symmetries; draw it without them")
        if evaluation:  # a function of the game's own positions, to be wrapped along with them
            named = {**game.evaluations, evaluation: evaluation_function(evaluation, game)}
            game = replace(game, evaluations=named)
        game, state = up_to_symmetry(game), UpToSymmetry(state)
    if not actions(state):
        raise BadOption("there is nothing to search: the game is over")
    explicit = isinstance(state, TreeNode)
    if depth is None and not explicit:
        depth = _usual_depth(state)
    if not explicit and depth != 1:
        _check_width(state)
    player = int(to_move(state)) if name == "paranoid" and to_move(state) != CHANCE else 0
    used = find_evaluation(evaluation, game)
    stakes = stakes_of(game)
    while True:
        budget = Budget(MOST_NODES)
        task = Task(
            game, state, min(depth or DEEPEST, DEEPEST), player, used, fields, budget, stakes.as_scaled(), coalitions,
            quiescence,
        )  # fmt: skip
        try:
            with recording() as events:
                chosen.run(task)
        except RecursionError:
            raise BadOption("the search goes too deep to be drawn; give a smaller depth") from None
        if budget.stopped:
            raise BadOption(
                f"the search sees more than {MOST_NODES:,} positions, too many to draw; give a smaller depth"
            )
        if stakes.scale.stray is None:
            break
        stakes.scale.stretch()  # as a player would: wins and losses count more than any evaluation
    alone = explicit and game.axes.players == 2 and not (state.table[:, PLAYER] == 1).any()
    numbers = SearchNumbers(game.points.get(evaluation), stakes.scale, alone)
    windows = chosen.windows and coalitions is None
    story = Story(game, state, events, name, player, numbers, say, windows, coalitions, depth)
    called = name if coalitions is None else f"{name}, {_sides(game, coalitions)}"
    title = say(
        "title", game=game.name, algorithm=called, depth=depth, symmetry=symmetry, evaluation=evaluation,
        quiescence=quiescence,
    )  # fmt: skip
    return story.told(title, depth)


def _coalitions(name: str, options: str, game: Game) -> Any:
    """The number of each player's coalition for options such as ``coalitions=0+2/1``; None if there are none."""
    if not options:
        return None
    key, _, value = options.partition("=")
    if name != "paranoid" or key != "coalitions" or not value:
        raise BadOption(
            f"--algorithm {name}:{options}: a search is drawn without options, but for coalitions, as in "
            "paranoid:coalitions=0+2/1"
        )
    return maxn.coalition_numbers(parse_coalitions(value), game.axes.players)


def _sides(game: Game, coalitions: Any) -> str:
    """Who plays with whom, such as "A + C / B"."""
    sides: dict[int, list[str]] = {}
    for seat, number in zip(game.seats, coalitions.tolist(), strict=True):
        sides.setdefault(number, []).append(seat)
    return " / ".join(" + ".join(side) for side in sides.values())


def _algorithm(name: str, game: Game) -> Algorithm:
    if name not in ALGORITHMS:
        raise BadOption(f"there is no search '{name}' to draw{suggestion(name, [*ALGORITHMS, *MONTE_CARLO])}")
    found = ALGORITHMS[name]
    others = ("minimax", "alphabeta", "expectiminimax", "maxn")
    fitting = [other for other in others if ALGORITHMS[other].accepts.obstacle(game.axes) is None]
    found.accepts.check(name, game, fitting)
    return found


def _orders(order: str, algorithm: str) -> dict[str, Any]:
    """The fields of a variant for an order, written as players have it."""
    fields = orders(order, algorithm)
    if fields and algorithm not in WINDOWED:
        raise BadOption(f"an order of moves is for alphabeta, pvs and mtdf, not for {algorithm}")
    return fields


def _usual_depth(state: Any) -> int:
    """The deepest search of which minimax would see only a few nodes, but at least one ply."""
    level, seen, depth = [state], 1, 0
    while level:
        level = [result(state, action) for state in level[:USUAL_NODES] for action in actions(state)]
        seen += len(level)
        if depth and seen > USUAL_NODES:
            break
        depth += bool(level)
    return max(depth, 1)


def _check_width(state: Any) -> None:
    """Refuse at once what is too wide to draw: whatever is cut, two plies are drawn whole."""
    count = 1
    for action in actions(state):
        count += 1 + len(actions(result(state, action)))
        if count > MOST_NODES:
            raise BadOption(
                f"the first two plies alone have more than {MOST_NODES:,} nodes; draw one, with a depth of 1"
            )


def exercise(found: SearchDrawing, lang: str = "en", *, answers: bool = True) -> Drawing:
    """The tree as a question: at first only its leaves, and blanks where alpha, beta and values belong.

    With `answers` the steps of the search follow, one by one; without, the question is all.
    """
    say, whole, algorithm = sentences(lang), found.drawing, ALGORITHMS[found.algorithm]
    blank = ("α = __, β = __",) if algorithm.windows else ()
    start = {}
    for number, node in enumerate(whole.nodes):
        look = whole.start.get(number, Look())
        if node.shape == "leaf":
            seen = found.nodes[number]
            start[number] = replace(look, state="done", value=seen.text)
        else:
            start[number] = replace(look, state="done", value="?", lines=blank)
    question, title = say(f"{algorithm.asked}_question"), say("exercise", title=found.game)
    if not answers:
        return Drawing(say("asked", title=title, question=question), whole.nodes, [], start, question)
    below: list[list[int]] = [[] for _ in whole.nodes]
    for number, node in enumerate(whole.nodes):
        if node.parent is not None:
            below[node.parent].append(number)
    steps = [replace(step, changes=_with_cut_off(step, below)) for step in whole.steps]
    return Drawing(title, whole.nodes, steps, start, question, whole.program)


def _with_cut_off(step: Step, below: list[list[int]]) -> dict[int, Look]:
    """The changes of a step; what hangs on an edge that is cut becomes grey, and its blanks go."""
    changes = dict(step.changes)
    waiting = [(number, True) for number, look in step.changes.items() if look.edge == "cut"]
    while waiting:
        number, top = waiting.pop()
        grey = Look(state="unseen", lines=()) if not below[number] else Look(state="unseen", value="", lines=())
        changes[number] = replace(step.changes[number], **_said(grey)) if top else grey
        waiting += [(child, False) for child in below[number]]
    return changes


def _said(look: Look) -> dict[str, Any]:
    return {name: value for name, value in vars(look).items() if value is not None}
