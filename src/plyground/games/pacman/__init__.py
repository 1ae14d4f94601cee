"""Pac-Man: one player in a maze against ghosts that are played, or that move at random.

Pac-Man moves, then each ghost in turn; each of these moves is a ply. Who moves a ghost depends on its kind:

    minimax        the second player, against Pac-Man: all such ghosts are one team, as in minimax with n ghosts
    random         chance: every way that it may take is as likely
    directional    chance: with probability 0.8 a shortest way to Pac-Man, away from him while it is scared

So the game has two players if there is a ghost of the first kind, and one otherwise. A score starts with 10 points.

`plyground.games.pacman.board` says how cells, sets of them and what each ghost has of its own are written.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any, NamedTuple

import numpy as np

from plyground.core import rules
from plyground.core.axes import Axes
from plyground.core.game import Game
from plyground.core.rules import CHANCE, actions, refusal
from plyground.errors import BadOption, IllegalAction, UnreadableAction, suggestion
from plyground.games.pacman.board import (
    CAUGHT,
    DIRECTIONS,
    FAR,
    GOING_ON,
    NOTHING,
    NOWHERE,
    SOUTH,
    STOP,
    TIME_UP,
    WON,
    Cells,
    after,
    byte_of,
    cell_set,
    distance,
    empty,
    has,
    meet,
    size,
    spread,
    with_byte,
    with_cell,
    without,
)
from plyground.games.pacman.mazes import MOST_GHOSTS, Maze, find_maze
from plyground.games.pacman.picture import standing_picture
from plyground.games.pacman.weights import LEARNED
from plyground.native.bits import mix64
from plyground.native.randomness import random_below
from plyground.pictures.board import svg

__all__ = [
    "FEATURES", "GHOST_KINDS", "GUESSED", "Pacman", "believing", "features", "ghost_cell", "ghost_kinds",
    "ghost_scared", "new_game", "pacman", "score_alone", "weighed",
]  # fmt: skip

START_POINTS, STEP, FOOD, GHOST, WIN, LOSS = 10, -1, 10, 20, 1000, -1000
"""What a game is counted by: the start, each step, food, a scared ghost, all food eaten, being caught."""
SCARED_TURNS = 20
"""How many turns a ghost is scared; it rests in every second of them."""
CHASE = 0.8
"""How surely a directional ghost takes a shortest way."""

ADVERSARY, RANDOM, DIRECTIONAL = range(3)
GHOST_KINDS = ("minimax", "random", "directional")
ABSENT = "none"

MOST_FOOD_WEIGHT = 20
"""Points of room in the range of utilities for each piece of food, which evaluations count."""


class Pacman(NamedTuple):
    """The maze, what is left in it, where everybody is, and the score.

    `ghosts` is how many there are; `kinds`, `homes`, `cells`, `headings` and `scared` (for how many turns) have a byte
    for each of them. `left` are Pac-Man's steps before time is up. `turn` is 0 for Pac-Man, then 1, 2, ... for the
    ghosts.
    """

    floor: Cells
    food: Cells
    capsules: Cells
    width: int
    height: int
    ghosts: int
    kinds: int
    homes: int
    cells: int
    headings: int
    scared: int
    pacman: int
    points: int
    left: int
    turn: int
    ended: int


def ghost_cell(state: Pacman, ghost: int) -> int:
    """Where a ghost is, counted from 0."""
    return byte_of(state.cells, ghost)


def ghost_scared(state: Pacman, ghost: int) -> int:
    """For how many of its turns a ghost stays scared."""
    return byte_of(state.scared, ghost)


# The rules ---------------------------------------------------------------------------------------------------------


@rules.to_move.rule(Pacman)
def _(state: Pacman) -> int:
    if state.turn == 0:
        return 0
    return 1 if byte_of(state.kinds, state.turn - 1) == ADVERSARY else CHANCE


@rules.max_actions.rule(Pacman)
def _(state: Pacman) -> int:
    return 5


@rules.distinct_actions.rule(Pacman)
def _(state: Pacman) -> int:
    return 5


@rules.terminal.rule(Pacman)
def _(state: Pacman) -> bool:
    return state.ended != GOING_ON


@rules.legal_actions.rule(Pacman)
def _(state: Pacman, out: Any) -> int:
    """Pac-Man goes where no wall is, or stops. A ghost turns back only where there is no other way."""
    if state.ended != GOING_ON:
        return 0
    count = 0
    if state.turn == 0:
        for direction in range(STOP):
            if has(state.floor, after(state.pacman, direction, state.width)):
                out[count] = direction
                count += 1
        out[count] = STOP
        return count + 1
    ghost = state.turn - 1
    if byte_of(state.scared, ghost) & 1:  # it rests
        out[0] = STOP
        return 1
    cell, heading = byte_of(state.cells, ghost), byte_of(state.headings, ghost)
    back = heading ^ 2 if heading != NOWHERE else NOWHERE
    for direction in range(STOP):
        if direction != back and has(state.floor, after(cell, direction, state.width)):
            out[count] = direction
            count += 1
    if count == 0:
        out[0] = back if back != NOWHERE and has(state.floor, after(cell, back, state.width)) else STOP
        count = 1
    return count


@rules.result.rule(Pacman)
def _(state: Pacman, action: int) -> Pacman:
    if state.turn == 0:
        return pacman_moved(state, action)
    return ghost_moved(state, state.turn - 1, action)


def pacman_moved(state: Pacman, action: int) -> Pacman:
    """Pac-Man's ply: he pays for the step, meets ghosts, eats."""
    cell = after(state.pacman, action, state.width)
    food, capsules = state.food, state.capsules
    cells, headings, scared = state.cells, state.headings, state.scared
    points, ended = state.points + STEP, GOING_ON
    for ghost in range(state.ghosts):
        if byte_of(cells, ghost) == cell:
            if byte_of(scared, ghost) == 0:
                ended = CAUGHT
            else:
                points += GHOST
                cells = with_byte(cells, ghost, byte_of(state.homes, ghost))
                headings = with_byte(headings, ghost, NOWHERE)
                scared = with_byte(scared, ghost, 0)
    if ended == CAUGHT:
        points += LOSS
    else:
        if has(food, cell):
            food = without(food, cell)
            points += FOOD
            if empty(food):
                points += WIN
                ended = WON
        if has(capsules, cell):
            capsules = without(capsules, cell)
            for ghost in range(state.ghosts):
                scared = with_byte(scared, ghost, SCARED_TURNS)
        if ended == GOING_ON and state.left == 1:
            ended = TIME_UP
    turn = 1 if state.ghosts > 0 and ended == GOING_ON else 0
    return Pacman(
        state.floor, food, capsules, state.width, state.height, state.ghosts, state.kinds, state.homes,
        cells, headings, scared, cell, points, state.left - 1, turn, ended,
    )  # fmt: skip


def ghost_moved(state: Pacman, ghost: int, action: int) -> Pacman:
    """A ghost's ply: it catches Pac-Man, or is eaten if it is scared."""
    cell = after(byte_of(state.cells, ghost), action, state.width)
    heading = action if action != STOP else byte_of(state.headings, ghost)
    scared = byte_of(state.scared, ghost)
    points, ended = state.points, GOING_ON
    if cell == state.pacman and action != STOP:
        if scared > 0:
            points += GHOST
            cell, heading, scared = byte_of(state.homes, ghost), NOWHERE, 0
        else:
            points += LOSS
            ended = CAUGHT
    if scared > 0:
        scared -= 1
    turn = state.turn + 1 if state.turn < state.ghosts and ended == GOING_ON else 0
    return Pacman(
        state.floor, state.food, state.capsules, state.width, state.height, state.ghosts, state.kinds, state.homes,
        with_byte(state.cells, ghost, cell), with_byte(state.headings, ghost, heading),
        with_byte(state.scared, ghost, scared), state.pacman, points, state.left, turn, ended,
    )  # fmt: skip


@rules.probability.rule(Pacman)
def _(state: Pacman, action: int) -> float:
    """Of a random ghost every way is as likely; a directional one has shortest ways that it likes better."""
    ghost = state.turn - 1
    if byte_of(state.scared, ghost) & 1:
        return 1.0
    cell, heading = byte_of(state.cells, ghost), byte_of(state.headings, ghost)
    back = heading ^ 2 if heading != NOWHERE else NOWHERE
    chasing = byte_of(state.kinds, ghost) == DIRECTIONAL
    sign = -1 if byte_of(state.scared, ghost) > 0 else 1
    count, likely, best, own = 0, 0, 2 * FAR, 0
    for direction in range(STOP):
        there = after(cell, direction, state.width)
        if direction != back and has(state.floor, there):
            count += 1
            if chasing:
                steps = sign * distance(state.floor, state.width, there, state.pacman)
                if steps < best:
                    best, likely = steps, 0
                likely += steps == best
                if direction == action:
                    own = steps
    if count == 0:  # the only way is back, or there is none
        return 1.0
    if not chasing:
        return 1.0 / count
    return (1.0 - CHASE) / count + (CHASE / likely if own == best else 0.0)


@rules.utility.rule(Pacman)
def _(state: Pacman, player: int) -> float:
    """The score: what Pac-Man gains the ghosts lose."""
    return float(state.points) if player == 0 else -float(state.points)


@rules.score.rule(Pacman)
def _(state: Pacman, player: int) -> float:
    return float(state.points) if player == 0 else -float(state.points)


@rules.state_hash.rule(Pacman)
def _(state: Pacman) -> Any:
    """Of what changes during a game, and enough of the maze to tell mazes apart."""
    word = np.uint64(state.pacman | state.turn << 8 | state.left << 16 | state.kinds << 40)
    word = mix64(word ^ np.uint64(state.cells))
    word = mix64(word ^ np.uint64(state.headings) ^ np.uint64(state.points + (1 << 62)))
    word = mix64(word ^ np.uint64(state.scared) ^ np.uint64(state.ended << 60))
    for i in range(4):
        word = mix64(word ^ state.food[i])
        word = mix64(word ^ state.capsules[i] ^ (state.floor[i] << np.uint64(1)))
    return word


@rules.playout_action.rule(Pacman)
def _(state: Pacman, actions: Any, count: int, rng: Any) -> int:
    """In playouts Pac-Man neither stops nor walks up to a ghost that is not scared, if he has another way."""
    if state.turn != 0:
        return actions[random_below(rng, count)]  # type: ignore[no-any-return]
    wise = 0
    for i in range(count - 1):
        wise += is_wise(state, actions[i])
    if wise == 0:
        return actions[random_below(rng, count)]  # type: ignore[no-any-return]
    place = random_below(rng, wise)
    for i in range(count - 1):
        if is_wise(state, actions[i]):
            if place == 0:
                return actions[i]  # type: ignore[no-any-return]
            place -= 1
    return STOP


def is_wise(state: Pacman, direction: int) -> bool:
    """Whether no ghost that is not scared is where a step leads to, or beside it."""
    there = after(state.pacman, direction, state.width)
    for ghost in range(state.ghosts):
        if byte_of(state.scared, ghost) == 0:
            away = abs(byte_of(state.cells, ghost) - there)
            if away <= 1 or away == state.width:
                return False
    return True


# Evaluations -------------------------------------------------------------------------------------------------------


def features(state: Pacman) -> tuple[float, float, float, float, float, float]:
    """What evaluations are made of; distances are in steps, d is the distance of a ghost from Pac-Man.

    The food left, how far the nearest of it is, the sum of 1/d^2 over dangerous ghosts, how many of these are beside
    Pac-Man, the sum of 1/d over the scared ghosts that he can still catch, and 1/(1 + d) for the nearest capsule.
    """
    reached = with_cell(NOTHING, state.pacman)
    food_at, capsule_at = FAR, FAR
    danger, beside, prey = 0.0, 0.0, 0.0
    hungry, seeking = not empty(state.food), not empty(state.capsules)
    unseen = (1 << state.ghosts) - 1
    for steps in range(FAR):
        if hungry and meet(reached, state.food):
            food_at, hungry = steps, False
        if seeking and meet(reached, state.capsules):
            capsule_at, seeking = steps, False
        for ghost in range(state.ghosts):
            if unseen >> ghost & 1 and has(reached, byte_of(state.cells, ghost)):
                unseen &= ~(1 << ghost)
                away = max(1, steps)
                if byte_of(state.scared, ghost) == 0:
                    danger += 1.0 / (away * away)
                    beside += 1.0 if steps <= 1 else 0.0
                elif byte_of(state.scared, ghost) > steps:
                    prey += 1.0 / away
        if not (hungry or seeking or unseen):
            break
        reached = spread(reached, state.floor, state.width)
    near = 0.0 if capsule_at == FAR else 1.0 / (1.0 + capsule_at)
    return float(size(state.food)), float(food_at % FAR), danger, beside, prey, near


FEATURES = ("food", "food distance", "danger", "beside", "prey", "capsule")
"""What the features are called."""
GUESSED = (-10.0, -1.0, -100.0, 0.0, 15.0, 5.0)
"""Their weights, in points, as somebody who knows the game might guess them."""


def weighed(state: Pacman, weights: Any) -> float:
    """The score and what the features say is still to come, to the player to move."""
    seen = features(state)
    value = float(state.points)
    for i in range(len(seen)):
        value += weights[i] * seen[i]
    return value if state.turn == 0 else -value


@rules.evaluation.rule(Pacman)
def _(state: Pacman) -> float:
    return weighed(state, GUESSED)


def score_alone(state: Pacman) -> float:
    """The score so far: blind to everything beyond the horizon."""
    return float(state.points) if state.turn == 0 else -float(state.points)


def learned(state: Pacman) -> float:
    """The features with weights learned from games; ``plyground train pacman`` learns others."""
    return weighed(state, LEARNED)


# For networks and people -------------------------------------------------------------------------------------------


@rules.planes_shape.rule(Pacman)
def _(state: Pacman) -> tuple[int, int, int]:
    return (6, state.height, state.width)


@rules.planes.rule(Pacman)
def _(state: Pacman, out: Any) -> None:
    """Floor, food, capsules, Pac-Man, dangerous ghosts and scared ones."""
    for cell in range(state.width * state.height):
        row, column = cell // state.width, cell % state.width
        out[0, row, column] = 1.0 if has(state.floor, cell) else 0.0
        out[1, row, column] = 1.0 if has(state.food, cell) else 0.0
        out[2, row, column] = 1.0 if has(state.capsules, cell) else 0.0
        out[3, row, column] = 1.0 if state.pacman == cell else 0.0
    for ghost in range(state.ghosts):
        cell = byte_of(state.cells, ghost)
        plane = 5 if byte_of(state.scared, ghost) > 0 else 4
        out[plane, cell // state.width, cell % state.width] = 1.0


@rules.action_text.rule(Pacman)
def _(state: Pacman, action: int) -> str:
    return DIRECTIONS[action]


@rules.parse_action.rule(Pacman)
def _(state: Pacman, text: str) -> int:
    """A direction, or as much of its beginning as you like."""
    wanted = text.strip().lower()
    legal = {DIRECTIONS[action]: action for action in actions(state)}
    meant = [action for action, name in enumerate(DIRECTIONS) if wanted and name.startswith(wanted)]
    if wanted == "s":
        meant = [SOUTH]
    if not meant or len(meant) > 1:
        raise UnreadableAction(f"'{text}' is not a direction; legal: {', '.join(legal) or 'none, the game is over'}")
    if meant[0] not in legal.values():
        raise IllegalAction(refusal(state, f"'{text}'"))
    return meant[0]


@rules.text.rule(Pacman)
def _(state: Pacman) -> str:
    """The maze as a maze is written, scared ghosts as g, and a line about the score."""
    symbols = {cell: " " if has(state.floor, cell) else "#" for cell in range(state.width * state.height)}
    for cell in symbols:
        if has(state.food, cell):
            symbols[cell] = "."
        if has(state.capsules, cell):
            symbols[cell] = "o"
    symbols[state.pacman] = "P"
    for ghost in range(state.ghosts):
        symbols[ghost_cell(state, ghost)] = "g" if ghost_scared(state, ghost) else "G"
    rows = ["".join(symbols[row * state.width + c] for c in range(state.width)) for row in range(state.height)]
    return "\n".join([*rows, f"{state.points} points, {standing(state)}"])


def standing(state: Pacman) -> str:
    """How the game stands, in a few words."""
    if state.ended == GOING_ON:
        return f"{size(state.food)} food left, {state.left} steps left"
    return ("", "all food eaten", "caught", "time is up")[state.ended]


@svg.rule(Pacman)
def _(state: Pacman) -> str:
    return standing_picture(state)


# Making games ------------------------------------------------------------------------------------------------------


def ghost_kinds(names: tuple[str, ...], places: int) -> tuple[str, ...]:
    """The kind of every ghost of a maze with room for so many: one name stands for all, "none" leaves one out."""
    for name in names:
        if name not in (*GHOST_KINDS, ABSENT):
            end = suggestion(name, (*GHOST_KINDS, ABSENT))
            raise BadOption(f"pacman: there is no ghost '{name[:40]}'{end}")
    if len(names) == 1:
        return names * places
    if len(names) > places:
        raise BadOption(f"pacman: this maze has room for {places} ghost{'s' * (places != 1)}, not {len(names)}")
    return names + (ABSENT,) * (places - len(names))


def new_game(maze: Maze, ghosts: tuple[str, ...], steps: int = 0) -> Game:
    """The game in a maze, with these kinds of ghosts, one for each of the maze's, for so many of Pac-Man's steps."""
    present = [
        (cell, GHOST_KINDS.index(kind)) for cell, kind in zip(maze.ghosts, ghosts, strict=True) if kind != ABSENT
    ]
    if not 0 <= steps <= 10_000:
        raise BadOption(f"pacman: steps must be from 1 to 10000, or 0 for what fits the maze, not {steps}")
    left = steps or 100 + 5 * len(maze.floor)
    kinds = homes = headings = 0
    for ghost, (cell, kind) in enumerate(present):
        kinds, homes = with_byte(kinds, ghost, kind), with_byte(homes, ghost, cell)
        headings = with_byte(headings, ghost, NOWHERE)
    state = Pacman(
        cell_set(maze.floor), cell_set(maze.food), cell_set(maze.capsules), maze.width, maze.height, len(present),
        kinds, homes, homes, headings, 0, maze.pacman, START_POINTS, left, 0, GOING_ON,
    )  # fmt: skip
    eaten = GHOST * len(present) * len(maze.capsules)
    most = float(WIN + left + START_POINTS + eaten + (FOOD + MOST_FOOD_WEIGHT) * len(maze.food) + 500)
    game = Game(
        "pacman",
        state,
        utilities=(-most, most),
        opponent="alphabeta:depth=6",
        evaluations={"score": score_alone, "guessed": guessed, "learned": learned},
    )
    return _seated(game, state)


def guessed(state: Pacman) -> float:
    """The features with guessed weights, as the game's own evaluation."""
    return weighed(state, GUESSED)


def _seated(game: Game, state: Pacman) -> Game:
    """The game with the players that its ghosts make it one for."""
    kinds = [byte_of(state.kinds, ghost) for ghost in range(state.ghosts)]
    played = ADVERSARY in kinds
    axes = Axes(players=1 + played, chance=any(kind != ADVERSARY for kind in kinds), zero_sum=played)
    return replace(game, initial=state, axes=axes, seats=("Pac-Man", "ghosts")[: 1 + played])


def believing(game: Game, kind: str, state: Pacman | None = None) -> tuple[Game, Pacman]:
    """The game and a state of it as they look to somebody who takes all ghosts for that kind.

    "true" takes them for what they are.
    """
    state = game.initial if state is None else state
    if kind == "true":
        return game, state
    if kind not in GHOST_KINDS:
        raise BadOption(f"there is no ghost '{kind[:40]}' to believe in; there are: {', '.join(GHOST_KINDS)}, true")
    kinds = 0
    for ghost in range(state.ghosts):
        kinds = with_byte(kinds, ghost, GHOST_KINDS.index(kind))
    return _seated(game, game.initial._replace(kinds=kinds)), state._replace(kinds=kinds)


def pacman(
    maze: Annotated[str, "trapped, corridor, tiny, small, open, rooms, classic, or a file x.txt"] = "small",
    ghosts: Annotated[tuple[str, ...], "for each ghost minimax, random, directional or none; one alone for all"] = (
        "random",
    ),
    steps: Annotated[int, "Pac-Man's steps before time is up; 0 for what fits the maze"] = 0,
) -> Game:
    """Pac-Man in a maze, against ghosts that are played or move by lot."""
    found = find_maze(maze)
    return new_game(found, ghost_kinds(ghosts, len(found.ghosts)), steps)


assert MOST_GHOSTS * 8 < 63  # a byte for each in a word with a sign
