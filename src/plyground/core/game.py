"""A game with its options settled: where it begins, what kind of game it is, and how people count in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from plyground.core.axes import Axes
from plyground.core.rules import actions, legal_actions, refusal, result, to_move, utility
from plyground.errors import GameError, IllegalAction, UnsuitableGame
from plyground.native.dispatch import is_state

__all__ = ["Game", "Points", "game_of", "noted"]


class Points(NamedTuple):
    """How people count an evaluation: in points, each of which is `size` of utility.

    `win` and `loss` are what a finished game counts instead, to the first player. `terms` says how the points of an
    unfinished state come about, to the first player too, such as "6 - 4".
    """

    size: float
    win: str = "win"
    loss: str = "loss"
    terms: Callable[[Any], str] | None = None


_KINDS: dict[type, dict[str, Game]] = {}
"""For each type of states, of every kind of game with such states the one that was made last."""
_NAMED: dict[type, dict[str, Game]] = {}
"""The same for games that were made by name, which come first: others may be experiments with their rules."""


def noted(game: Game) -> Game:
    """The game itself, which was made by name."""
    _NAMED.setdefault(type(game.initial), {})[f"{game.axes} {game.utilities}"] = game
    return game


def game_of(state: Any) -> Game:
    """A game that starts from this state, of the kind that has been made with states of its type.

    If none has been, it is taken for one of two players, zero sum, no chance, and utilities from -1 to 1;
    `UnsuitableGame` if there are several kinds.
    """
    kinds = list((_NAMED.get(type(state)) or _KINDS.get(type(state), {})).values())
    if len(kinds) > 1:
        raise UnsuitableGame(f"a {type(state).__name__} may belong to games of several kinds; say which one: game=...")
    return replace(kinds[0], initial=state) if kinds else Game(type(state).__name__.lower(), state)


@dataclass(frozen=True)
class Game:
    """A game with its options settled: an initial state whose type has rules, and what kind of game it is.

    `utilities` is the range that utilities lie in, `seats` what the players are called at the board, `spec` the
    text such as ``reversi:size=6`` that makes the same game again, `opponent` the player that people meet here if they
    name none, `evaluations` other evaluations than the rule's, by name. `points` says how people count an evaluation,
    by its name; "" is the rule's own. `draws` is whether it can end even: where it cannot, people do not agree on a
    draw either.
    """

    name: str
    initial: Any
    axes: Axes = field(default_factory=Axes)
    utilities: tuple[float, float] = (-1.0, 1.0)
    seats: tuple[str, ...] = ()
    summary: str = ""
    spec: str = ""
    opponent: str = ""
    evaluations: Mapping[str, Callable[[Any], float]] = field(default_factory=dict)
    points: Mapping[str, Points] = field(default_factory=dict)
    draws: bool = True

    def __post_init__(self) -> None:
        if not is_state(self.initial):
            raise GameError(
                f"the game {self.name} starts from {self.initial!r}, for whose type no rules are registered; "
                "register them first: @legal_actions.rule(YourState)"
            )
        for rule in (to_move, legal_actions, result, utility):
            rule.implementation(type(self.initial))
        if not self.seats:
            object.__setattr__(self, "seats", tuple(f"player {i + 1}" for i in range(self.axes.players)))
        if len(self.seats) != self.axes.players:
            raise GameError(f"{self.name} has {self.axes.players} players, but {len(self.seats)} seats: {self.seats}")
        if not self.spec:
            object.__setattr__(self, "spec", self.name)
        _KINDS.setdefault(type(self.initial), {})[f"{self.axes} {self.utilities}"] = self

    def returns(self, state: Any) -> tuple[float, ...]:
        """The utility of a terminal state to each player."""
        return tuple(float(utility(state, player)) for player in range(self.axes.players))

    def legal(self, state: Any, action: int) -> int:
        """The action itself if it is legal here; `IllegalAction` otherwise."""
        options = actions(state)
        if action not in options:
            raise IllegalAction(refusal(state, f"action {action}", options))
        return action
