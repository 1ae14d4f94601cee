"""What the moves of a game were worth, as any player sees it that says what a position is worth."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from plyground.core.game import Game
from plyground.core.limits import Interrupted, Limit
from plyground.core.rules import actions, result, to_move, utility
from plyground.errors import BadOption
from plyground.native.dispatch import coerced
from plyground.players.player import Move, Player, Position

__all__ = ["JudgedChoice", "judge_game", "loss_verdict"]

VERDICTS = ((0.5, "blunder"), (0.2, "mistake"), (0.05, "inaccuracy"), (1e-9, "good"))
"""The least loss for each verdict, as a share of what lies between a loss and a draw."""


@dataclass(frozen=True)
class JudgedChoice:
    """A move of a game, what it was worth, and what would have been best there.

    `index` is its place in the game, from 0. `best` is what the player who judges would have done; both values are
    utilities to whoever moved.
    """

    index: int
    action: int
    state: Any
    player: int
    choices: int
    value: float
    best: Move
    best_value: float
    verdict: str

    @property
    def loss(self) -> float:
        """How much better the best move is."""
        return self.best_value - self.value


def loss_verdict(game: Game, loss: float, choices: int) -> str:
    """What to call a move that loses so much utility, where there were so many to choose from."""
    low, high = game.utilities
    share = loss / ((high - low) / 2)
    return "forced" if choices == 1 else next((word for least, word in VERDICTS if share >= least), "best")


def judge_game(
    game: Game,
    history: Sequence[int],
    player: Player,
    limit: Limit,
    *,
    on_move: Callable[[JudgedChoice], None] | None = None,
) -> list[JudgedChoice]:
    """All moves of a game of two players, judged from the last to the first; in the order of the game.

    The player searches each position, and the one after the move that was made if it would have made another: to a
    depth less by one, where it searches by depth, so that both values look equally far. If the move then turns out to
    be better, it is the best. Where a game goes on after a draw by rule the moves lose nothing.

    Ctrl-C raises `Interrupted` with what has been judged until then.
    """
    states = [coerced(game.initial)]
    for action in history:
        states.append(coerced(result(states[-1], action)))
    judged: list[JudgedChoice] = []
    try:
        for index in reversed(range(len(history))):
            judged.append(_judged(game, states, tuple(history), index, player, limit))
            if on_move:
                on_move(judged[-1])
    except KeyboardInterrupt:
        raise Interrupted(judged[::-1]) from None
    return judged[::-1]


def _judged(
    game: Game, states: list[Any], history: tuple[int, ...], index: int, player: Player, limit: Limit
) -> JudgedChoice:
    state, action = states[index], history[index]
    options, mover = actions(state), int(to_move(state))
    best = _choice(game, state, history[:index], player, limit)
    best_value = value = best.value or 0.0
    if options and action != best.action:
        there = states[index + 1]
        shallower = limit if not best.depth else limit.within(Limit(depth=max(1, best.depth - 1)))
        reply = _choice(game, there, history[: index + 1], player, shallower)
        value = (reply.value or 0.0) * (1.0 if int(to_move(there)) == mover else -1.0) + 0.0
        if value > best_value:
            best, best_value = replace(best, action=action, value=value, line=(action, *reply.line)), value
    elif not options:
        best = replace(best, action=action, line=(action,))
    choices = max(1, len(options))
    verdict = loss_verdict(game, best_value - value, choices)
    return JudgedChoice(index, action, state, mover, choices, value, best, best_value, verdict)


def _choice(game: Game, state: Any, history: tuple[int, ...], player: Player, limit: Limit) -> Move:
    """What the player would do; where the game is over, nothing, with what that is worth to the side to move."""
    if not actions(state):
        return Move(-1, float(utility(state, int(to_move(state)))), depth=0)
    choice = player.choose(Position(game, state, history), limit)
    if not isinstance(choice, Move) or choice.value is None:
        raise BadOption(f"{player.spec} does not say what a position is worth; whoever analyses must search")
    return choice
