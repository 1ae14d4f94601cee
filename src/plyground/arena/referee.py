"""The referee: plays one game between players and keeps its rules.

The course's rules are the defaults: 60 seconds a move, and overstepping loses; so do three illegal moves in a row,
each of which is refused with the reason; a forced pass is made by the referee, and no other pass is legal; a player
who cannot go on loses. Chance is drawn by the referee from the game's seed. Where not everything is seen, players are
shown what they see.
"""

from __future__ import annotations

import operator
import time as clock
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import dataclass
from typing import Any

import numpy as np

from plyground.arena.clocks import Clocks
from plyground.core.chance import chance_action
from plyground.core.game import Game
from plyground.core.game_time import GameTime
from plyground.core.notation import must_pass, read_moves
from plyground.core.played_game import OVER, PlayedGame, PlayedMove, PlayerEntry, forfeited, undecided
from plyground.core.rules import (
    CHANCE,
    action_text,
    actions,
    as_seen,
    legal_actions,
    max_actions,
    refusal,
    result,
    to_move,
)
from plyground.errors import BadOption, BrokenRule, PlayerFailed, PlygroundError, ProgramKilled
from plyground.native.compiling import compiled, interpreted
from plyground.native.randomness import stream
from plyground.players.player import Choice, Move, Player, Position, Resign, TakeBack

__all__ = ["FRIENDLY", "OnMove", "Rules", "begun", "objection_to", "play_game", "quick_actions"]

LONGEST_WORD = 40
_NOTHING = nullcontext()
OnMove = Callable[[PlayedMove, Any, Move], None]
"""Called with every move: the move as it was played, the state after it, and what the player answered."""


@dataclass(frozen=True)
class Rules:
    """What the referee insists on; the defaults are the course's.

    `move_time` is the most seconds for a move and `game_time` those for all moves of a game; None is no limit.
    `illegal_moves` is how many in a row lose. With `forced_passes` the referee passes for whoever has no other move.
    Moves can be taken back with `take_back` only. A player that fails, in whatever way, loses if `failures_lose`;
    otherwise its error goes on to the caller, unless it is a program that was asked for a move: that one has lost.
    """

    move_time: float | None = 60.0
    game_time: GameTime | None = None
    illegal_moves: int = 3
    forced_passes: bool = True
    take_back: bool = False
    failures_lose: bool = True

    def __post_init__(self) -> None:
        if self.move_time is not None and not self.move_time > 0:
            raise BadOption(f"the time for a move must be a positive number of seconds, not {self.move_time:g}")
        if self.illegal_moves < 1:
            raise BadOption(f"at least 1 illegal move must be needed to lose, not {self.illegal_moves}")


FRIENDLY = Rules(move_time=None, forced_passes=False, take_back=True, failures_lose=False)
"""Rules for a game at the terminal: no clock, moves can be taken back, and faults of our own code are shown."""


@compiled
def _write_actions(state: Any, out: Any) -> int:
    return legal_actions(state, out)


def quick_actions(game: Game) -> Callable[[Any], list[int]]:
    """`actions` by machine code: worth the compiling where many games are played."""
    buffer = np.zeros(max_actions(game.initial), dtype=np.int64)

    def listed(state: Any) -> list[int]:
        return [int(action) for action in buffer[: _write_actions(state, buffer)]]

    return listed


@dataclass
class _Lost(Exception):
    """The seat has lost, and why."""

    seat: int
    reason: str


class _Disturbed(_Lost):
    """Somebody else has killed the program in this seat."""


@dataclass
class _Table:
    """A game in progress: the states, and the moves between them as they are recorded."""

    game: Game
    states: list[Any]
    moves: list[PlayedMove]
    history: list[int]
    """The actions of the moves."""

    def add(self, move: PlayedMove) -> None:
        """Record a move; the state after it is another matter."""
        self.moves.append(move)
        self.history.append(move.action)

    def take_back(self, player: int) -> bool:
        """Undo up to and including this player's last own decision; False if it has made none."""
        own = [n for n, move in enumerate(self.moves) if move.player == player and len(actions(self.states[n])) > 1]
        if own:
            del self.moves[own[-1] :], self.history[own[-1] :]
            del self.states[own[-1] + 1 :]
        return bool(own)


def begun(game: Game, moves: str) -> tuple[list[Any], list[PlayedMove]]:
    """The states and the moves of a game that begins with these moves, as people write them."""
    states, history = read_moves(game, moves)
    played = zip(states, history, strict=False)
    return states, [PlayedMove(int(to_move(state)), action, action_text(state, action)) for state, action in played]


def play_game(
    game: Game,
    players: Sequence[Player],
    *,
    seed: int = 0,
    rules: Rules = FRIENDLY,
    moves: str = "",
    on_move: OnMove | None = None,
    waiting: Callable[[int], AbstractContextManager[Any]] | None = None,
    record_into: list[PlayedMove] | None = None,
    list_actions: Callable[[Any], list[int]] = actions,
) -> PlayedGame:
    """Play one game to its end; it begins with `moves`, as people write them.

    `waiting(player)` is entered while a player thinks, to show it. `record_into` receives the moves while the game
    runs, so that an interrupted game is not lost. `list_actions` may be a faster way to list the legal actions. Whoever
    has made the players closes them.
    """
    started, start = clock.time(), clock.monotonic()
    states, opening = begun(game, moves)
    table = _Table(game, states, [] if record_into is None else record_into, [])
    for move, state in zip(opening, states[1:], strict=True):
        table.add(move)
        if on_move:
            on_move(move, state, Move(move.action))
    spent = [-player.processor_time() for player in players]
    try:
        for seat, player in enumerate(players):
            _attempt(rules, seat, game, player.prepare, game)
        _play_on(table, players, rules, seed, on_move, waiting, list_actions, spent)
        returns, reason = game.returns(table.states[-1]), OVER
    except _Disturbed as disturbed:
        returns, reason = undecided(game, disturbed.seat, disturbed.reason)
    except _Lost as lost:
        returns, reason = forfeited(game, lost.seat, lost.reason)
    entries = tuple(PlayerEntry(player.spec, player.spec) for player in players)
    seconds = clock.monotonic() - start
    used = tuple(own + player.processor_time() for own, player in zip(spent, players, strict=True))
    return PlayedGame("", game.spec, entries, returns, tuple(table.moves), reason, moves, started, seconds, used)


def _play_on(
    table: _Table,
    players: Sequence[Player],
    rules: Rules,
    seed: int,
    on_move: OnMove | None,
    waiting: Callable[[int], AbstractContextManager[Any]] | None,
    list_actions: Callable[[Any], list[int]],
    used: list[float],
) -> None:
    """The loop over the moves, to the end of the game; `_Lost` if it ends otherwise.

    To `used` is added what each seat has used of this process's processor time, in seconds.
    """
    game, rng = table.game, stream(seed)
    clocks = Clocks(len(players), rules.move_time, rules.game_time)
    seats = {id(player): seat for seat, player in enumerate(players)}
    ponder = [seat for seat in seats.values() if type(players[seat]).pondering is not Player.pondering]
    others = [[seat for seat in ponder if players[seat] is not player] for player in players]
    refused = 0
    while options := list_actions(table.states[-1]):
        state = table.states[-1]
        mover = int(to_move(state))
        spent = 0.0
        choice: Choice
        if mover == CHANCE:
            with interpreted():  # one draw a turn is not worth compiling for
                choice = Move(chance_action(state, options, len(options), rng))
        elif not 0 <= mover < game.axes.players:
            raise BrokenRule(f"{game.name}: to_move says {mover}, but the players are 0 to {game.axes.players - 1}")
        elif rules.forced_passes and must_pass(state, options):
            choice = Move(options[0])
        else:
            position = _position(table, mover)
            limit = clocks.limit(mover)
            with _meanwhile(table, [(other, players[other]) for other in others[mover]], waiting and waiting(mover)):
                start, before = clock.monotonic(), clock.process_time()
                try:
                    choice = _attempt(rules, mover, game, players[mover].choose, position, limit, at_a_move=True)
                finally:
                    spent = clock.monotonic() - start
                    used[mover] += clock.process_time() - before
            if isinstance(choice, Resign):
                raise _Lost(mover, "resigns")
            if overstepped := clocks.spend(mover, spent):
                raise _Lost(mover, overstepped)
            if isinstance(choice, TakeBack) and rules.take_back:
                if not table.take_back(mover):
                    players[mover].refused("you have no move to take back yet")
                continue
            if objection := objection_to(choice, state, options):
                refused += 1
                if refused == rules.illegal_moves:
                    raise _Lost(mover, f"played {refused} illegal moves in a row" if refused > 1 else objection)
                _attempt(rules, mover, game, players[mover].refused, objection)
                continue
            assert isinstance(choice, Move)
            clocks.moved(mover)
        refused = 0
        action = int(choice.action)
        text = action_text(state, action)
        table.add(PlayedMove(mover, action, text, spent, choice.value, choice.depth, choice.nodes))
        table.states.append(result(state, action))
        if on_move:
            on_move(table.moves[-1], table.states[-1], choice)


def _meanwhile(
    table: _Table, others: list[tuple[int, Player]], waiting: AbstractContextManager[Any] | None
) -> AbstractContextManager[Any]:
    """What goes on while a player thinks: the others ponder, and it is shown."""
    if not others and waiting is None:
        return _NOTHING
    stack = ExitStack()
    try:
        for seat, player in others:
            stack.enter_context(player.pondering(_position(table, seat)))
        if waiting:
            stack.enter_context(waiting)
    except BaseException:
        stack.close()
        raise
    return stack


def _position(table: _Table, seat: int) -> Position:
    """Where the game stands, as the player in this seat may know it."""
    if table.game.axes.hidden:
        return Position(table.game, as_seen(table.states[-1], seat))
    return Position(table.game, table.states[-1], tuple(table.history))


def objection_to(choice: Any, state: Any, options: list[int]) -> str | None:
    """Why a choice is refused, whatever it is; None for a legal move."""
    if isinstance(choice, TakeBack):
        return "moves are not taken back in this game"
    answer = choice.action if isinstance(choice, Move) else choice
    try:
        if isinstance(choice, Move) and operator.index(answer) in options:
            return None
    except TypeError:
        pass
    return refusal(state, f"action {str(answer)[:LONGEST_WORD]}", options)


def _attempt(
    rules: Rules, seat: int, game: Game, ask: Callable[..., Any], *arguments: Any, at_a_move: bool = False
) -> Any:
    """What a player answers; whatever goes wrong there is its loss and nobody else's."""
    try:
        return ask(*arguments)
    except (Exception, SystemExit) as error:
        if not rules.failures_lose and not (at_a_move and isinstance(error, PlayerFailed)):
            raise
        what = str(error) if isinstance(error, PlygroundError) else f"{type(error).__name__}: {error}"
        if isinstance(error, ProgramKilled):
            raise _Disturbed(seat, " ".join(what.split())) from error
        raise _Lost(seat, f"fails: {' '.join(what.split())}") from error
