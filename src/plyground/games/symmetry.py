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

from plyground.core import rules
from plyground.core.game import Game
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
    images = Counter(symmetric_hash(rules.result(state.position, action)) for action in rules.actions(state.position))
    alone = rules.to_move(state.position) == rules.CHANCE
    return {
        action: 1 if alone else images[symmetric_hash(rules.result(state.position, action))]
        for action in rules.actions(state)
    }


def symmetric_hash(position: Any) -> Any:
    """63 bits of hash that are the same for all mirror images of a position."""
    return np.int64(rules.canonical_image(position)[0] >> np.uint64(1))


OF_STATES = (rules.to_move, rules.max_actions, rules.terminal, rules.evaluation, rules.grid, rules.text, svg)
OF_MORE = (rules.utility, rules.score, rules.evaluation_for, rules.noisy, rules.probability, rules.action_text)
"""Rules that say of a wrapped position what they say of the position: of it alone, or of a player or an action too."""


def _of_position(rule: Any) -> None:
    rule.rule(UpToSymmetry)(lambda state: rule(state.position))


def _of_position_and_more(rule: Any) -> None:
    rule.rule(UpToSymmetry)(lambda state, more: rule(state.position, more))


for _rule in OF_STATES:
    _of_position(_rule)
for _rule_of_more in OF_MORE:
    _of_position_and_more(_rule_of_more)


@rules.legal_actions.rule(UpToSymmetry)
def _(state: UpToSymmetry, out: Any) -> int:
    if rules.to_move(state.position) == rules.CHANCE:
        return rules.legal_actions(state.position, out)
    options, images = rules.action_buffer(state.position), rules.action_buffer(state.position)
    total = rules.legal_actions(state.position, options)
    kept = 0
    for i in range(total):
        image = symmetric_hash(rules.result(state.position, options[i]))
        new = True
        for j in range(kept):
            new = new and images[j] != image
        if new:
            out[kept], images[kept] = options[i], image
            kept += 1
    return kept


@rules.result.rule(UpToSymmetry)
def _(state: UpToSymmetry, action: int) -> UpToSymmetry:
    return UpToSymmetry(rules.result(state.position, action))


@rules.state_hash.rule(UpToSymmetry)
def _(state: UpToSymmetry) -> Any:
    return symmetric_hash(state.position)
