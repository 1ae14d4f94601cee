"""Moves as people write them, one after the other; a forced pass may be left out."""

from __future__ import annotations

from typing import Any

from plyground.core.game import Game
from plyground.core.rules import action_text, actions, refusal, result
from plyground.errors import IllegalAction

__all__ = ["must_pass", "read_moves"]

SEPARATORS = " \t\n,;"
"""What may stand between moves in a text."""


def read_moves(game: Game, moves: str) -> tuple[list[Any], list[int]]:
    """The states and actions of a text of moves from the initial state, with or without blanks: ``f5d6 c3``.

    Forced passes may be left out.
    """
    states, history = [game.initial], []

    def play(action: int) -> None:
        states.append(result(states[-1], action))
        history.append(action)

    rest = moves
    while rest := rest.lstrip(SEPARATORS):
        named = {action_text(states[-1], action): action for action in actions(states[-1])}
        spoken = named | {"pa": named["pass"], "ps": named["pass"]} if "pass" in named else named
        fitting = [name for name in spoken if rest.lower().startswith(name.lower())]
        # A whole word is meant before a part of one: a1 is not the beginning of a11.
        whole = [name for name in fitting if rest[len(name) :][:1] in ("", *SEPARATORS)]
        if fitting:
            name = max(whole or fitting, key=lambda name: (rest.startswith(name), len(name)))
            play(spoken[name])
            rest = rest[len(name) :]
        elif list(named) == ["pass"]:
            play(named["pass"])
        else:
            word = f"'{rest.split()[0][:20]}'"
            raise IllegalAction(f"move {len(history) + 1}: {refusal(states[-1], word)}")
    return states, history


def must_pass(state: Any, options: list[int]) -> bool:
    """Whether the only move is to pass."""
    return len(options) == 1 and action_text(state, options[0]) == "pass"
