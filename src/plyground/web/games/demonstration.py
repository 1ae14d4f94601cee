"""The game on the home page: two programs play it for everybody who looks, one game for all of them together.

It is played while somebody watches, and while nobody needs the processes for anything else. It is kept nowhere.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from plyground.web.server.chores import Chores
from plyground.web.server.pool import Job, Pool, Stopped, WorkFailed
from plyground.web.server.refusals import Refusal
from plyground.web.server.sockets import Audience, Outlet
from plyground.web.server.threads import off_loop

if TYPE_CHECKING:
    from plyground.web.games.live import LiveGame

__all__ = ["GAME", "PLAYERS", "Demonstration"]

GAME = "reversi"
PLAYERS = ("mcts:time=0.5", "engine:level=7")
"""Both are quick, and opponents of the play page, which are compiled ahead."""
PAUSE, REST, BUSY = 2.5, 8.0, 1.0
"""Seconds after a move, after the end of a game, and before looking again whether a process is free."""
NOBODY = "the demonstration"
"""The visitor in whose name it is searched."""
LONGEST = 5.0
"""Seconds for a move, if something is wrong with its limit."""


class Demonstration:
    """The game that is shown now, and whoever watches it. `ready` says whether the players are compiled."""

    def __init__(
        self,
        pool: Pool,
        workers: int,
        ready: Callable[[], bool],
        *,
        game: str = GAME,
        players: Sequence[str] = PLAYERS,
        pause: float = PAUSE,
        rest: float = REST,
    ) -> None:
        self._pool, self._most, self._ready = pool, max(1, workers - 1), ready
        self._spec, self._players, self._pause, self._rest = game, tuple(players), pause, rest
        self._audience = Audience()
        self._game: LiveGame | None = None
        self._shown: dict[str, Any] | None = None
        self._pictures: dict[str, dict[str, Any]] = {}
        self._job: Job | None = None
        self._chores = Chores()
        self._plays = False

    @property
    def watched(self) -> bool:
        """Whether anybody is there."""
        return bool(self._audience)

    def join(self, outlet: Outlet) -> None:
        """Somebody has come: what is on the board is shown at once, and the game goes on."""
        self._audience.add(outlet)
        if self._shown is not None:
            outlet.send(self._shown)
        if not self._plays:
            self._plays = True
            self._chores.add(self._play())

    def show_search(self, outlet: Outlet, lang: str) -> None:
        """A browser wants to see trees in this language from now on; "" if it does not."""
        before = self._audience.languages
        outlet.tree = lang
        if lang in self._pictures:
            outlet.send(self._pictures[lang])
        if self._job is not None and self._audience.languages != before:
            self._pool.wish(self._job, {"tree": self._audience.languages})

    def leave(self, outlet: Outlet) -> None:
        """Somebody has gone; for nobody nothing is searched."""
        self._audience.discard(outlet)
        if not self._audience and self._job is not None:
            self._pool.cancel(self._job)

    async def close(self) -> None:
        """The server ends."""
        await self._chores.close()

    async def _play(self) -> None:
        try:
            while self._audience:
                game = self._game
                if game is None or game.over:
                    made: LiveGame = await off_loop("games.live:new_game", NOBODY, self._spec, list(self._players))
                    game = self._game = made
                    self._pictures.clear()
                    await self._tell(game)
                await asyncio.sleep(self._pause if await self._move(game) else BUSY)
                if game.over and self._audience:
                    await asyncio.sleep(self._rest)
        finally:
            self._plays = False

    async def _move(self, game: LiveGame) -> bool:
        """Let the program whose turn it is play; whether it has."""
        if not self._ready() or self._pool.waiting or self._pool.running >= self._most:
            return False  # whoever plays or learns comes first
        work = {
            "do": "games.choosing:choose_move", "game": game.spec, "board": "", "history": game.history(),
            "player": game.program, "time": LONGEST, "seed": None, "tree": self._audience.languages,
        }  # fmt: skip
        self._pictures.clear()
        try:
            self._job = self._pool.submit(NOBODY, work, time=LONGEST, counted=False, on_event=self._heard)
            answer = await self._job.result()
        except (Refusal, WorkFailed, Stopped):
            return False
        finally:
            self._job = None
        if answer.get("resigns"):
            game.forfeit(game.mover or 0, "resigns", "resigns")
        else:
            game.add(answer["action"])
            game.settle()
        game.version += 1
        await self._tell(game)
        return True

    def _heard(self, event: str) -> None:
        facts = json.loads(event)
        if facts.pop("event") == "tree":
            message = self._pictures[facts["lang"]] = {"type": "tree", **facts}
            Audience(outlet for outlet in self._audience if outlet.tree == facts["lang"]).tell(message)

    async def _tell(self, game: LiveGame) -> None:
        position = await off_loop(game.shown)
        moves = [move.text for move in game.moves() if move.text != "pass"]
        self._shown = {
            "type": "game", "id": game.id, "game": game.spec, "players": list(game.players),
            "moves": " ".join(moves), "position": position, "over": game.over,
        }  # fmt: skip
        self._audience.tell(self._shown)
