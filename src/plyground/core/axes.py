"""The axes on which games are classified, and which kinds of games an algorithm can play."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from plyground.errors import UnsuitableGame

if TYPE_CHECKING:
    from plyground.core.game import Game

__all__ = ["Accepts", "Axes"]


@dataclass(frozen=True)
class Axes:
    """The axes on which every game is classified.

    How many players, whether they move at the same time, whether anything is hidden from them, whether chance moves,
    whether one side's gain is the other's loss, and who plays with whom.
    """

    players: int = 2
    simultaneous: bool = False
    hidden: bool = False
    chance: bool = False
    zero_sum: bool = True
    teams: tuple[tuple[int, ...], ...] | None = None

    def describe(self) -> str:
        """One line for people."""
        words = [
            f"{self.players} player{'s' if self.players != 1 else ''}",
            "simultaneous" if self.simultaneous else "turns",
            "imperfect information" if self.hidden else "perfect information",
            "stochastic" if self.chance else "deterministic",
            "zero-sum" if self.zero_sum else "general-sum",
        ]
        return ", ".join(words + (["teams"] if self.teams else []))


@dataclass(frozen=True)
class Accepts:
    """The kinds of games that an algorithm can play: with how many players, None for any number, and with what else."""

    players: tuple[int, ...] | None = None
    simultaneous: bool = False
    hidden: bool = False
    chance: bool = False
    general_sum: bool = False

    def obstacle(self, axes: Axes) -> str | None:
        """Which axis of the game is in the way, as the end of a sentence; None if none is."""
        if self.players is not None and axes.players not in self.players:
            wanted = " or ".join(map(str, self.players))
            return f"the game has {axes.players} player{'s' if axes.players != 1 else ''} (players: needs {wanted})"
        if axes.simultaneous and not self.simultaneous:
            return "players move at the same time (turns: needs turn-taking)"
        if axes.hidden and not self.hidden:
            return "players do not see everything (information: needs perfect information)"
        if axes.chance and not self.chance:
            return "chance has moves (chance: needs a deterministic game)"
        if not axes.zero_sum and not self.general_sum and axes.players > 1:
            return "one side's gain is not the other's loss (sum: needs a zero-sum game)"
        return None

    def obstacle_in(self, game: Game) -> str | None:
        """What is in the way in this very game, as the end of a sentence; an algorithm for one game overrides it."""
        return self.obstacle(game.axes) or self.obstacle_beyond(game)

    def obstacle_beyond(self, game: Game) -> str | None:
        """What is in the way besides the axes; an algorithm that needs more than these overrides it."""
        return None

    def check(self, algorithm: str, game: Game, alternatives: Iterable[str]) -> None:
        """Raise `UnsuitableGame` with a sentence that says which axis is in the way and what to use instead."""
        if obstacle := self.obstacle_in(game):
            names = list(alternatives)
            listed = " or ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))
            instead = f"use {listed} instead" if names else "no player here can play it"
            raise UnsuitableGame(f"{algorithm} cannot play {game.name}: {obstacle}; {instead}")
