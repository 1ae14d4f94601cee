"""Moves as people write them, one after the other; a forced pass may be left out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from plyground.core.game import Game
from plyground.core.rules import action_text, actions, parse_action, refusal, result
from plyground.errors import ActionError, IllegalAction

__all__ = ["Fault", "must_pass", "read_beginning", "read_moves"]

SEPARATORS = " \t\n,;"
"""What may stand between moves in a text."""


@dataclass(frozen=True)
class Fault:
    """The first of written moves that cannot be made: its number, from 1, and where in the text it stands."""

    number: int
    start: int
    end: int
    error: ActionError


def read_moves(game: Game, moves: str) -> tuple[list[Any], list[int]]:
    """The states and actions of a text of moves from the initial state, with or without blanks: ``f5d6 c3``.

    Forced passes may be left out.
    """
    states, history, fault = read_beginning(game, moves)
    if fault is not None:
        raise fault.error
    return states, history


def read_beginning(game: Game, moves: str) -> tuple[list[Any], list[int], Fault | None]:
    """The same up to the first move that is not legal, and what is wrong with that one; None if all of them are."""
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
        elif (action := _spelled_otherwise(states[-1], word := rest.split()[0])) is not None:
            play(action)
            rest = rest[len(word) :]
        else:
            word = word[:20]
            why = refusal(states[-1], f"'{word}'")
            error = IllegalAction(f"move {len(history) + 1}: {why}")
            start = len(moves) - len(rest)
            return states, history, Fault(len(history) + 1, start, start + len(word), error)
    return states, history, None


def _spelled_otherwise(state: Any, word: str) -> int | None:
    """The action of a word that is not its text, such as e2e4 for e4 in chess."""
    try:
        return parse_action(state, word.rstrip(SEPARATORS))
    except ActionError:
        return None


def must_pass(state: Any, options: list[int]) -> bool:
    """Whether the only move is to pass."""
    return len(options) == 1 and action_text(state, options[0]) == "pass"
