"""What a student's search is compared on: a tree or a position, how deep, and the trees that are tried one by one."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from plyground.core.game import Game
from plyground.core.notation import read_moves
from plyground.core.rules import action_text, actions, evaluation, grid, result, score, terminal, to_move, utility
from plyground.errors import BadOption, MissingRule, UnknownName, suggestion
from plyground.games import make_game
from plyground.games.tree import TreeNode, load_tree, read_tree
from plyground.games.tree_notation import is_notation, read_notation
from plyground.search.evaluations import Evaluation, evaluation_function
from plyground.watch.classroom import classroom

__all__ = [
    "DEPTH",
    "Positions",
    "Task",
    "game_task",
    "has_nine_squares",
    "is_reversi",
    "nine_square_tasks",
    "reversi_tasks",
    "tree_task",
    "usual_tasks",
]

MOST_POSITIONS = 200_000
SIMULATIONS = 60
DEPTH = 3
"""Plies of a search in a game, if nothing else is said."""
RANDOM_TREES = 24
PASSES = {
    "max": {
        "a": {"min": {"pass": {"max": {"c": 2, "d": 6}}}},
        "b": {"min": {"e": {"max": {"pass": {"min": {"f": 4, "g": 9}}}}, "h": {"max": {"pass": {"min": {"i": 7}}}}}},
    }
}
"""A tree in which some can only pass."""
PASS = "pass"
"""The action of whoever has no other."""
JUDGED = {
    "max": [
        {"value": 5, "min": [{"value": 4, "max": [1, 9]}, {"value": 6, "max": [7, 2]}]},
        {"value": 3, "min": [{"value": 8, "max": [0, 3]}, {"value": 7, "max": [6, 5]}]},
    ]
}
"""A tree whose inner nodes have evaluations."""
GAMES = {
    10: (37, 52, 107, 119, 253, 574, 730, 748),
    11: (32, 101, 311, 351, 468, 526, 600, 614),
    16: (469, 565, 957, 966, 1315, 1337, 2003, 2257),
}
"""Seeds of games of Reversi at random that are stopped with so many squares empty. There are three to six moves, and
somebody may have to pass within two plies; black moves in the first and the last row, white in the second."""
LEFT = {"en": "Reversi, {count} squares empty", "zh": "黑白棋，还有 {count} 个空格"}
TITLES = {"en": ("Players who must pass", "Nodes with evaluations"), "zh": ("有一方必须停一手", "节点带评估值")}
"""What these two are called."""


@dataclass(frozen=True)
class Task:
    """A search: `depth` plies, None for all of them, from `state`; `simulations` and `seed` are for UCT."""

    title: str
    game: Game
    state: Any
    depth: int | None = None
    evaluation: str = ""
    simulations: int = SIMULATIONS
    seed: int = 0

    @property
    def explicit(self) -> bool:
        """Whether it is a tree that is written down."""
        return isinstance(self.state, TreeNode)


def tree_task(text: str, **options: Any) -> Task:
    """A tree by its name in the classroom, in a file, or in one line such as ``((3 12 8) (2 4 6) (14 5 2))``."""
    if is_notation(text):
        game = read_tree(read_notation(text), text.strip(), "--tree")
    elif text in classroom() and not classroom()[text].game:
        game = classroom()[text].make(options.pop("lang", "en"))
    elif text.endswith(".json"):
        game = load_tree(text)
    else:
        names = [name for name, lesson in classroom().items() if not lesson.game]
        known = suggestion(text, names)
        raise UnknownName(f"there is no tree '{text}'{known} A tree is also written ((3 12 8) (2 4 6))")
    options.pop("lang", None)
    return _checked(Task(game.name, game, game.initial, **options))


def game_task(spec: str, moves: str = "", depth: int | None = None, **options: Any) -> Task:
    """A position of a game, after some moves."""
    options.pop("lang", None)
    game = make_game(spec)
    state = read_moves(game, moves)[0][-1]
    title = f"{game.name}, {moves.strip()}" if moves.strip() else game.name
    return _checked(Task(title, game, state, depth, **options))


def _checked(task: Task) -> Task:
    axes = task.game.axes
    if axes.players != 2 or axes.chance or axes.hidden or axes.simultaneous or not axes.zero_sum:
        raise BadOption(f"{task.title}: searches are compared in games of MAX and MIN, without chance or hidden cards")
    if terminal(task.state):
        raise BadOption(f"{task.title}: there is nothing to search: the game is over")
    if task.depth is not None and task.depth < 1:
        raise BadOption(f"the depth must be at least 1, not {task.depth}")
    if task.simulations < 1:
        raise BadOption(f"there must be at least 1 simulation, not {task.simulations}")
    return task


def _as_line(root: Any) -> str:
    """A tree as it is written in one line."""

    def write(node: Any) -> str:
        if isinstance(node, dict):
            (children,) = node.values()
            return f"({' '.join(map(write, children))})"
        return f"{node}"

    return ("min " if "min" in root else "") + write(root)


def usual_tasks(
    algorithm: str, seed: int = 0, lang: str = "en", simulations: int = SIMULATIONS, *, limited: bool = True
) -> Iterator[Task]:
    """What is tried one by one if nothing is named: small trees first, so that the first difference is easy to see.

    `limited` says whether the search can be limited to a depth.
    """
    if algorithm == "uct":
        root = _random_root(random.Random(seed), 3, 2)
        yield replace(game_task("tictactoe", "b2 a1 c3", None), simulations=simulations, seed=seed)
        yield replace(_explicit(_as_line(root), root), simulations=simulations, seed=seed)
        yield replace(game_task("reversi:size=4", "", None), simulations=simulations, seed=seed)
        return
    for name in ("worked", "exercise1", "exercise2", "exercise3"):
        yield tree_task(name, lang=lang)
    yield tree_task("((3 12 8) (3 4 6) (14 3 2))")
    yield tree_task("min ((5 2) (5 9) (1 4))")
    yield _explicit(TITLES[lang][0], PASSES)
    if limited:
        yield replace(_explicit(TITLES[lang][1], JUDGED), depth=2)
    numbers = random.Random(seed)
    for _ in range(RANDOM_TREES):
        root = _random_root(numbers, numbers.randint(1, 4), 3)
        yield _explicit(_as_line(root), root)
    if limited:
        yield game_task("tictactoe", "b2 a1", 2)
    yield game_task("tictactoe", "a1 b1 b2 c3", 9 if limited else None)


def nine_square_tasks() -> Iterator[Task]:
    """What is tried instead if a program knows tic-tac-toe alone: few squares are empty at first."""
    for moves in ("a1 b1 c1 a2 b2 c2", "b2 a1 a2 c2 b1", "a1 b1 b2 c3", "b2 a1 c3"):
        yield game_task("tictactoe", moves)


def has_nine_squares(task: Task) -> bool:
    """Whether it is a position of tic-tac-toe."""
    return task.game.name == "tictactoe"


def reversi_tasks(seed: int = 0, lang: str = "en") -> Iterator[Task]:
    """What a player of Reversi is tried on: positions near the end of games at random, see `GAMES`."""
    game = make_game("reversi")
    for left, seeds in GAMES.items():
        numbers, state = random.Random(seeds[seed % len(seeds)]), game.initial
        while sum(row.count(".") for row in _rows(state)) > left:
            state = result(state, numbers.choice(actions(state)))
        yield Task(LEFT[lang].format(count=left), game, state, seed=seed)


def _must_pass(state: Any) -> bool:
    return not terminal(state) and [action_text(state, action) for action in actions(state)] == [PASS]


def is_reversi(task: Task) -> bool:
    """Whether it is a position of Reversi on the board of the assignment."""
    return task.game.name == "reversi" and len(_rows(task.state)) == 8


def _rows(state: Any) -> list[str]:
    board = grid(state)
    return [] if board is None else ["".join(row) for row in board.cells]


def _explicit(title: str, root: Any) -> Task:
    game = read_tree({"title": title, "root": root})
    return Task(title, game, game.initial)


def _random_root(numbers: random.Random, levels: int, widest: int) -> Any:
    """A random tree, with few different values so that some are equal."""
    mover = numbers.randint(0, 1)

    def node(left: int, mover: int) -> Any:
        if left == 0 or (left < levels and numbers.random() < 0.15):
            return numbers.randint(-6, 6)
        return {("max", "min")[mover]: [node(left - 1, 1 - mover) for _ in range(numbers.randint(1, widest))]}

    return node(levels, mover)


class Positions:
    """The positions below the root of a task that anybody has asked for, each with its number; the root is 0.

    Values are to MAX, the first player. Without `passes` a pass is no move of its own: the position after a move is
    that in which somebody can move again.
    """

    def __init__(self, task: Task, *, passes: bool = True) -> None:
        self.task, self.passes = task, passes
        self._evaluation: Evaluation = evaluation
        if task.evaluation:
            self._evaluation = evaluation_function(task.evaluation, task.game)
        self.states: list[Any] = []
        self.above: list[int] = []
        self.by: list[int] = []
        """The place of the action that leads here, among those of the position above."""
        self.facts: list[dict[str, Any]] = []
        self._below: dict[tuple[int, int], int] = {}
        self._add(task.state, -1, -1)

    def _add(self, state: Any, above: int, by: int) -> int:
        if len(self.states) >= MOST_POSITIONS:
            raise BadOption(
                f"the search has seen {MOST_POSITIONS:,} positions, too many to compare; give a smaller depth"
            )
        number, over = len(self.states), bool(terminal(state))
        self.states.append(state)
        self.above.append(above)
        self.by.append(by)
        board = grid(state)
        self.facts.append(
            {
                "id": number,
                "mover": (1 - self.facts[above]["mover"]) if over else int(to_move(state)),
                "actions": [] if over else [action_text(state, action) for action in actions(state)],
                "over": over,
                "utility": float(utility(state, 0)) if over else None,
                "evaluation": None if over else self._judged(state),
                "margin": float(score(state, 0)) if over else None,
                "passed": False,
                "board": None if board is None else list(board.cells),
                "key": hash(state),
            }
        )
        return number

    def _judged(self, state: Any) -> float:
        try:
            value = float(self._evaluation(state))
        except MissingRule:
            return 0.0
        return value if int(to_move(state)) == 0 else -value

    def after(self, number: int, action: int) -> int:
        """The number of the position after the action in that place; it is made if nobody has asked for it."""
        if (number, action) not in self._below:
            state = self.states[number]
            state, passed = result(state, actions(state)[action]), False
            while not self.passes and _must_pass(state):
                state, passed = result(state, actions(state)[0]), True
            self._below[number, action] = self._add(state, number, action)
            self.facts[-1]["passed"] = passed
        return self._below[number, action]

    def grow(self, most: int) -> None:
        """Make the positions level by level, if they are no more than this."""
        number = 0
        while number < len(self.states) <= most:
            self.children(number)
            number += 1

    def children(self, number: int) -> list[int]:
        """The numbers of all positions that follow, in the order of the actions."""
        return [self.after(number, action) for action in range(len(self.facts[number]["actions"]))]

    def path(self, number: int) -> list[str]:
        """The actions that lead to a position."""
        path: list[str] = []
        while self.above[number] >= 0:
            above = self.above[number]
            path.append(self.facts[above]["actions"][self.by[number]])
            number = above
        return path[::-1]

    def move(self, number: int) -> str:
        """The last action that leads to a position."""
        return str(self.facts[self.above[number]]["actions"][self.by[number]])

    def ply(self, number: int) -> int:
        """How many actions lead to a position."""
        return len(self.path(number))

    def is_max(self, number: int) -> bool:
        """Whether MAX moves there."""
        return bool(self.facts[number]["mover"] == 0)

    def value(self, number: int, left: float, alpha: float = -math.inf, beta: float = math.inf) -> float:
        """The right value to MAX, `left` plies deep: exact between alpha and beta, else a bound (fail-soft)."""
        facts = self.facts[number]
        if facts["over"]:
            return float(facts["utility"])
        if left <= 0:
            return float(facts["evaluation"])
        maximising = self.is_max(number)
        best = -math.inf if maximising else math.inf
        for child in self.children(number):
            value = self.value(child, left - 1, alpha, beta)
            best = max(best, value) if maximising else min(best, value)
            if maximising:
                alpha = max(alpha, best)
            else:
                beta = min(beta, best)
            if alpha >= beta:
                break
        return best
