"""Plyground: adversarial search, readable, visible, playable and fast.

A game is a handful of functions of a state (`plyground.game`), an algorithm is one function (`plyground.search`),
and both are compiled to machine code when they meet.
"""

from plyground.compiling import compiled, interpreted
from plyground.game import (
    CHANCE,
    Accepts,
    Axes,
    Game,
    action_buffer,
    action_text,
    actions,
    count_actions,
    evaluation,
    grid,
    legal_actions,
    max_actions,
    observation,
    parse_action,
    planes,
    planes_shape,
    probability,
    result,
    score,
    state_hash,
    svg,
    symmetries,
    terminal,
    text,
    to_move,
    transformed,
    transformed_action,
    utility,
    with_item,
)
from plyground.games import make_game
from plyground.limits import Budget, Limit

__version__ = "0.1.0"

__all__ = [
    "CHANCE",
    "Accepts",
    "Axes",
    "Budget",
    "Game",
    "Limit",
    "action_buffer",
    "action_text",
    "actions",
    "compiled",
    "count_actions",
    "evaluation",
    "grid",
    "interpreted",
    "legal_actions",
    "make_game",
    "max_actions",
    "observation",
    "parse_action",
    "planes",
    "planes_shape",
    "probability",
    "result",
    "score",
    "state_hash",
    "svg",
    "symmetries",
    "terminal",
    "text",
    "to_move",
    "transformed",
    "transformed_action",
    "utility",
    "with_item",
]
