"""The search of the program that is to move in a game, which runs in a worker."""

from __future__ import annotations

import json
import time as clock
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from plyground.web.server.pool import Job, Pool
from plyground.web.server.sockets import Audience, Outlet

if TYPE_CHECKING:
    from plyground.core.limits import Limit
    from plyground.web.games.live import LiveGame

__all__ = ["ProgramSearch"]


class ProgramSearch:
    """At most one search at a time; what it says is sent to those who watch, and kept for those who come later.

    `on_start` is called when the program's time begins to run.
    """

    def __init__(self, game: LiveGame, pool: Pool, audience: Audience, on_start: Callable[[], None]) -> None:
        self._game, self._pool, self._audience, self._on_start = game, pool, audience, on_start
        self._job: Job | None = None
        self._mover, self._since, self._node = 0, 0.0, 0
        self._asked: object | None = None
        self._said: dict[str, Any] | None = None
        self._pictures: dict[str, dict[str, Any]] = {}

    @property
    def runs(self) -> bool:
        """Whether a program thinks."""
        return self._job is not None

    def facts(self) -> dict[str, Any] | None:
        """Who thinks, and since when."""
        return {"player": self._mover, "since": self._since} if self.runs else None

    def begin(self, spec: str, limit: Limit) -> Job:
        """Let the program think; `Refusal` if too much is searched already."""
        from plyground.web.server.specs import own_spec

        game = self._game
        home = "" if own_spec(spec) is None else game.id
        work = {
            "do": "games.choosing:choose_move",
            "game": game.spec,
            "board": game.board,
            "history": game.history(),
            "player": spec,
            "time": limit.time,
            "clocks": limit.clock,
            "seed": game.seed if game.seeded else None,
            "tree": self._audience.languages,
            "table": home,
        }
        asked = self._asked = object()
        self._said = None

        def heard(event: str) -> None:
            if self._asked is asked:  # what is not wanted any more may still have something to say
                self._heard(event)

        self._job = self._pool.submit(
            game.owner, work, address=game.address, time=limit.time, counted=False, home=home, on_event=heard
        )
        self._mover, self._since, self._node = game.mover or 0, clock.time(), game.at
        return self._job

    def _heard(self, event: str) -> None:
        facts = json.loads(event)
        kind = facts.pop("event")
        if kind == "started" and self.runs:
            self._on_start()
        elif kind == "tree":
            message = {"type": "tree", "player": self._player, "node": self._node, **facts}
            self._pictures[facts["lang"]] = message
            Audience(outlet for outlet in self._audience if outlet.tree == facts["lang"]).tell(message)
        elif kind in ("compiling", "thinking"):
            self._said = {"type": "thinking", "player": self._player, **facts}
            self._audience.tell(self._said)

    @property
    def _player(self) -> int | None:
        return self._mover if self.runs else None

    def ended(self, job: Job) -> bool:
        """A job has come to its end; whether it is still the one that was waited for."""
        if self._job is not job:
            return False
        self._job = None
        return True

    def stop(self) -> None:
        """Its move is not wanted any more."""
        job, self._job, self._asked = self._job, None, None
        if job is not None:
            self._pool.cancel(job)

    def leave(self) -> None:
        """Somebody's programs are not needed any more in this game, or must forget what they have seen of it."""
        self._pool.leave(self._game.id)

    def tell(self, outlet: Outlet) -> None:
        """Tell somebody who has just come what was said last."""
        if self.runs and self._said is not None:
            outlet.send(self._said)

    def show(self, outlet: Outlet, lang: str) -> None:
        """A browser wants to see searches in this language from now on; "" if it does not."""
        before = self._audience.languages
        outlet.tree = lang
        if self._job is not None and self._audience.languages != before:
            self._pool.wish(self._job, {"tree": self._audience.languages})
        if lang in self._pictures:
            outlet.send(self._pictures[lang])
