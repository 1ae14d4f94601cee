"""The referee: plays one game between players and keeps its rules.

The course's rules: overstepping the time for a move loses, and so do three illegal moves in a row. Chance is drawn by
the referee from the game's seed.
"""

from __future__ import annotations

import time as clock
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from typing import Any

from plyground.compiling import interpreted
from plyground.errors import BrokenRule, IllegalAction
from plyground.game import CHANCE, Game, action_text, actions, result, to_move
from plyground.limits import Limit
from plyground.players.player import Move, Player, Position, Resign, TakeBack
from plyground.randomness import stream
from plyground.search.playout import chance_action

__all__ = ["GameRecord", "Turn", "play_game", "read_moves"]

ILLEGAL_MOVES_TO_LOSE = 3
SEPARATORS = " \t\n,;"
"""What may stand between moves in a text."""
SAFETY = 0.05
LEAST_SAFETY = 0.005
"""The share of the move limit, and the least number of seconds, that a player is not told of, to have some room."""


@dataclass(frozen=True)
class Turn:
    """One move of a game as it was played: by whom (CHANCE for the dice), what, and how long it took."""

    player: int
    action: int
    text: str
    time: float
    move: Move


@dataclass(frozen=True)
class GameRecord:
    """A finished game. `returns` has one utility for each player; `reason` is a sentence's end for people."""

    game: Game
    turns: tuple[Turn, ...]
    final: Any
    returns: tuple[float, ...]
    reason: str
    complete: bool = True

    @property
    def winner(self) -> int | None:
        """The player with the highest utility; None if several share it."""
        best = max(self.returns)
        leaders = [player for player, value in enumerate(self.returns) if value == best]
        return leaders[0] if len(leaders) == 1 else None


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
            legal = ", ".join(list(named)[:12]) or "none, the game is over"
            word = rest.split()[0][:20]
            raise IllegalAction(f"move {len(history) + 1}: '{word}' is not legal here; legal: {legal}")
    return states, history


def play_game(
    game: Game,
    players: Sequence[Player],
    *,
    seed: int = 0,
    move_time: float | None = None,
    moves: str = "",
    on_turn: Callable[[Turn, Any], None] | None = None,
    waiting: Callable[[int], AbstractContextManager[Any]] | None = None,
    record_into: list[Turn] | None = None,
) -> GameRecord:
    """Play one game to its end. `on_turn` is told of every move and the state after it.

    `waiting(player)` is entered while a player thinks, to show it. `record_into` receives the turns while the game
    runs, so that an interrupted game is not lost.
    """
    rng = stream(seed)
    turns = record_into if record_into is not None else []
    states, history = read_moves(game, moves)
    for action, state, following in zip(history, states, states[1:], strict=False):
        turns.append(Turn(int(to_move(state)), action, action_text(state, action), 0.0, Move(action)))
        if on_turn:
            on_turn(turns[-1], following)
    for player in players:
        player.prepare(game)
    limit = Limit(
        time=None if move_time is None else max(move_time / 2, move_time - max(SAFETY * move_time, LEAST_SAFETY))
    )
    refused = 0
    while options := actions(states[-1]):
        state, mover = states[-1], int(to_move(states[-1]))
        if mover not in range(CHANCE, game.axes.players):
            raise BrokenRule(f"{game.name}: to_move says {mover}, but the players are 0 to {game.axes.players - 1}")
        if mover == CHANCE:
            with interpreted():  # one draw a turn is not worth compiling for
                choice: Any = Move(chance_action(state, options, len(options), rng))
            spent = 0.0
        else:
            position = Position(game, state, tuple(turn.action for turn in turns))
            with ExitStack() as meanwhile:
                for player in {id(player): player for player in players}.values():
                    if player is not players[mover]:
                        meanwhile.enter_context(player.pondering(position))
                if waiting:
                    meanwhile.enter_context(waiting(mover))
                start = clock.monotonic()
                choice = players[mover].choose(position, limit)
                spent = clock.monotonic() - start
        if isinstance(choice, TakeBack):
            if not _take_back(states, turns, mover):
                players[mover].refused("you have no move to take back yet")
            continue
        if isinstance(choice, Resign):
            return _lost(game, turns, state, mover, f"{game.seats[mover]} resigns")
        if move_time is not None and spent > move_time:
            why = f"{game.seats[mover]} took {spent:.3g} s of {move_time:g} s for a move"
            return _lost(game, turns, state, mover, why)
        try:
            game.legal(state, choice.action)
        except IllegalAction as error:
            refused += 1
            if refused == ILLEGAL_MOVES_TO_LOSE:
                why = f"{game.seats[mover]} played {ILLEGAL_MOVES_TO_LOSE} illegal moves in a row"
                return _lost(game, turns, state, mover, why)
            players[mover].refused(str(error))
            continue
        refused = 0
        turns.append(Turn(mover, choice.action, action_text(state, choice.action), spent, choice))
        states.append(result(state, choice.action))
        if on_turn:
            on_turn(turns[-1], states[-1])
    return GameRecord(game, tuple(turns), states[-1], game.returns(states[-1]), "the game is over")


def _take_back(states: list[Any], turns: list[Turn], player: int) -> bool:
    """Undo up to and including this player's last own decision; False if it has made none. A forced pass is none."""
    own = [n for n, turn in enumerate(turns) if turn.player == player and len(actions(states[n])) > 1]
    if own:
        del turns[own[-1] :]
        del states[own[-1] + 1 :]
    return bool(own)


def _lost(game: Game, turns: list[Turn], state: Any, loser: int, reason: str) -> GameRecord:
    low, high = game.utilities
    if game.axes.players == 1:
        returns: tuple[float, ...] = (low,)
    else:
        returns = tuple(low if player == loser else high for player in range(game.axes.players))
    return GameRecord(game, tuple(turns), state, returns, reason, complete=False)
