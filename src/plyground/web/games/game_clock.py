"""The clock of a game in progress."""

from __future__ import annotations

import asyncio
import time as clock
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from plyground.core.limits import Limit
    from plyground.web.games.live import LiveGame

__all__ = ["ClockRules", "GameClock"]

ROUNDING = 0.01


@dataclass(frozen=True)
class ClockRules:
    """Seconds for each move, for all moves of a game, and added after each move; None is no limit."""

    move: float | None = None
    game: float | None = None
    increment: float = 0.0


class GameClock:
    """What everybody has left of their time, whose time runs, and an alarm for when it is up.

    A game without a clock has one too, which measures and never rings. `on_alarm` gets the `turn` for which the alarm
    was set: how often the clock had been started.
    """

    def __init__(self, game: LiveGame, on_alarm: Callable[[int], None]) -> None:
        self._game, self._on_alarm = game, on_alarm
        self._clocks = game.new_clocks()
        self._began: float | None = None
        self.turn = 0
        self._alarm: asyncio.TimerHandle | None = None

    @property
    def runs(self) -> bool:
        """Whether somebody's time is running."""
        return self._began is not None

    @property
    def timed(self) -> bool:
        """Whether the game is played with a clock."""
        return self._clocks is not None

    @property
    def alarmed(self) -> bool:
        """Whether it will ring."""
        return self._alarm is not None

    @property
    def elapsed(self) -> float:
        """Seconds since it was started; 0 if it does not run."""
        return 0.0 if self._began is None else clock.monotonic() - self._began

    def facts(self) -> dict[str, Any] | None:
        """What the pages show; None without a clock. `now` is when that was so, in seconds of this machine's clock."""
        rules, clocks = self._game.clock, self._clocks
        if rules is None or clocks is None:
            return None
        now = clock.monotonic()
        running, spent = (None, 0.0) if self._began is None else (self._game.mover, now - self._began)
        whole = [rules.move or 0.0] * len(self._game.players) if rules.game is None else list(clocks.left)
        left = [max(0.0, time - (spent if seat == running else 0.0)) for seat, time in enumerate(whole)]
        move = None if rules.move is None else max(0.0, rules.move - spent)
        facts = {"left": [round(time, 3) for time in left], "running": running, "move": move and round(move, 3)}
        return {**facts, "now": round(now, 3)}

    def limit(self, mover: int, own: Limit) -> Limit:
        """What a player may use for a move, within a limit of its own."""
        return own if self._clocks is None else self._clocks.limit(mover).within(own)

    def start(self, mover: int) -> None:
        """Let a player's time run."""
        self._began = clock.monotonic()
        self.turn += 1
        rules, clocks = self._game.clock, self._clocks
        if clocks is None or rules is None:
            return
        limits = [rules.move] if rules.move is not None else []
        if rules.game is not None:
            limits.append(clocks.left[mover])
        if limits:
            loop = asyncio.get_running_loop()
            self._alarm = loop.call_later(max(0.0, min(limits)) + ROUNDING, self._on_alarm, self.turn)

    def stop(self) -> None:
        """Let nobody's time run."""
        self._began = None
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None

    def reset(self) -> None:
        """Everybody has what they had at the position that is on the board now."""
        self._clocks = self._game.new_clocks()

    def lost(self, mover: int, spent: float) -> bool:
        """Take `spent` seconds of a player's time; if that was too much, the game is lost."""
        reason = None if self._clocks is None else self._clocks.spend(mover, spent)
        if reason is not None:
            self._game.forfeit(mover, "time", reason)
        return reason is not None

    def moved(self, mover: int) -> None:
        """A player has moved in time."""
        if self._clocks is not None:
            self._clocks.moved(mover)
            self._game.note_clocks(self._clocks.left)
