"""Any game up to symmetry: of moves that lead to mirror images of each other, only the first is a move.

Tic-tac-toe begins with nine moves, but a corner is a corner: up to symmetry there are three. The value of a position
stays what it was. Chance outcomes are all kept, since their probabilities count.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from plyground.core.game import Game
from plyground.core.grid import Grid
from plyground.core.rules import (
    CHANCE,
    action_buffer,
    action_text,
    actions,
    canonical_image,
    evaluation,
    evaluation_for,
    grid,
    legal_actions,
    max_actions,
    noisy,
    probability,
    result,
    score,
    state_hash,
    terminal,
    text,
    to_move,
    utility,
)
from plyground.pictures.board import svg

__all__ = ["UpToSymmetry", "multiplicities", "up_to_symmetry"]


class UpToSymmetry(NamedTuple):
    """A position of the game itself."""

    position: Any


def up_to_symmetry(game: Game) -> Game:
    """The same game, with one move for each class of symmetric ones."""

    def of_position(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
        def of_wrapped(state: UpToSymmetry) -> Any:
            return function(state.position)

        of_wrapped.__name__ = function.__name__
        return of_wrapped

    return replace(
        game,
        initial=UpToSymmetry(game.initial),
        evaluations={name: of_position(function) for name, function in game.evaluations.items()},
        points={
            name: points if points.terms is None else points._replace(terms=of_position(points.terms))
            for name, points in game.points.items()
        },
    )


def multiplicities(state: UpToSymmetry) -> dict[int, int]:
    """For each move, how many moves of the game itself it stands for."""
    images = Counter(symmetric_hash(result(state.position, action)) for action in actions(state.position))
    alone = to_move(state.position) == CHANCE
    return {action: 1 if alone else images[symmetric_hash(result(state.position, action))] for action in actions(state)}


def symmetric_hash(position: Any) -> Any:
    """63 bits of hash that are the same for all mirror images of a position."""
    return np.int64(canonical_image(position)[0] >> np.uint64(1))


@to_move.rule(UpToSymmetry)
def _(state: UpToSymmetry) -> int:
    return to_move(state.position)


@max_actions.rule(UpToSymmetry)
def _(state: UpToSymmetry) -> int:
    return max_actions(state.position)


@legal_actions.rule(UpToSymmetry)
def _(state: UpToSymmetry, out: Any) -> int:
    if to_move(state.position) == CHANCE:
        return legal_actions(state.position, out)
    options, images = action_buffer(state.position), action_buffer(state.position)
    total = legal_actions(state.position, options)
    kept = 0
    for i in range(total):
        image = symmetric_hash(result(state.position, options[i]))
        new = True
        for j in range(kept):
            new = new and images[j] != image
        if new:
            out[kept], images[kept] = options[i], image
            kept += 1
    return kept


@result.rule(UpToSymmetry)
def _(state: UpToSymmetry, action: int) -> UpToSymmetry:
    return UpToSymmetry(result(state.position, action))


@terminal.rule(UpToSymmetry)
def _(state: UpToSymmetry) -> bool:
    return terminal(state.position)


@utility.rule(UpToSymmetry)
def _(state: UpToSymmetry, player: int) -> float:
    return utility(state.position, player)


@score.rule(UpToSymmetry)
def _(state: UpToSymmetry, player: int) -> float:
    return score(state.position, player)


@evaluation.rule(UpToSymmetry)
def _(state: UpToSymmetry) -> float:
    return evaluation(state.position)


@evaluation_for.rule(UpToSymmetry)
def _(state: UpToSymmetry, player: int) -> float:
    return evaluation_for(state.position, player)


@noisy.rule(UpToSymmetry)
def _(state: UpToSymmetry, action: int) -> bool:
    return noisy(state.position, action)


@probability.rule(UpToSymmetry)
def _(state: UpToSymmetry, action: int) -> float:
    return probability(state.position, action)


@state_hash.rule(UpToSymmetry)
def _(state: UpToSymmetry) -> Any:
    return symmetric_hash(state.position)


@action_text.rule(UpToSymmetry)
def _(state: UpToSymmetry, action: int) -> str:
    return action_text(state.position, action)


@grid.rule(UpToSymmetry)
def _(state: UpToSymmetry) -> Grid | None:
    return grid(state.position)


@text.rule(UpToSymmetry)
def _(state: UpToSymmetry) -> str:
    return text(state.position)


@svg.rule(UpToSymmetry)
def _(state: UpToSymmetry) -> str:
    return svg(state.position)
