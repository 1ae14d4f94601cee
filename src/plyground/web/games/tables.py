"""All games in progress."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time as clock
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TYPE_CHECKING

from plyground.errors import PlygroundError
from plyground.web.games.ladder import counted, standing_facts
from plyground.web.games.store import Store
from plyground.web.games.table import Table
from plyground.web.server.chores import Chores
from plyground.web.server.pool import Pool
from plyground.web.server.refusals import Refusal
from plyground.web.server.settings import Limits
from plyground.web.server.threads import find_task, off_loop

if TYPE_CHECKING:
    from plyground.web.games.live import LiveGame

__all__ = ["Tables"]

log = logging.getLogger("plyground.web")
IDLE = 600.0
"""Seconds after which a game that nobody watches is put away; the disk has it."""
MOST_OPEN = 500
"""Games in memory that nobody watches; with more, the oldest are put away earlier."""
HOUR = 3600.0
LIVE_GAME = "games.live:LiveGame"


class Tables:
    """All games in progress. Those that nobody has touched for a while are on the disk alone."""

    def __init__(self, store: Store, pool: Pool, limits: Limits) -> None:
        self.store, self._pool, self._limits = store, pool, limits
        self._open: dict[str, Table] = {}
        self._chores = Chores()
        self._opening = asyncio.Lock()
        self._rating = asyncio.Lock()

    async def begin(self, game: LiveGame) -> Table:
        """A new game; `Refusal` if its owner has too many."""
        await self._make_room(game.owner, game.address)
        self._put_away()
        table = self._open[game.id] = self._table(game, watched=False)
        async with table.lock:
            await table.changed()
        return table

    async def begin_rated(self, visitor: str, game: str, make: Callable[[int], Awaitable[LiveGame]]) -> Table:
        """A new rated game; `make` gets the visitor's seat in it, which alternates. One of a game at a time."""
        async with self._rating:
            if unfinished := (await self.store.unfinished(visitor)).get(game):
                raise Refusal(409, f"finish your rated game first: /play/{unfinished}", "unfinished_rated")
            before = (await self.store.climbs(visitor)).get(game)
            return await self.begin(await make(1 - before[-1].seat if before else 0))

    async def _make_room(self, owner: str, address: str) -> None:
        limits = self._limits
        full = await self.store.make_room(owner, address, limits)
        if full == "games":
            raise Refusal(429, f"you have {limits.games} unfinished games; delete some first", "games")
        if full:
            raise Refusal(503, "too many games are being played; try again later", "busy")

    async def find(self, number: str) -> Table:
        """The game of that id; `Refusal` if there is none."""
        if number not in self._open:
            async with self._opening:
                if number not in self._open:
                    self._put_away()
                    self._open[number] = await self._load(number)
        return self._open[number]

    async def _load(self, number: str) -> Table:
        from plyground.web.games.live import LiveGame

        found = await self.store.load(number)
        if found is None:
            raise Refusal(404, "there is no such game; it may have been deleted", "gone")
        try:
            game = LiveGame.from_content(found[1])
            game.message = None
            await off_loop(game.shown)
        except (LookupError, TypeError, ValueError) as error:
            if isinstance(error, PlygroundError):
                raise
            log.error("the game %s cannot be read: %r", number, error)
            raise Refusal(404, "this game cannot be read any more; begin another one", "gone") from None
        return self._table(game, watched=True)  # a program does not think before somebody is there to see it

    def _table(self, game: LiveGame, *, watched: bool) -> Table:
        return Table(game, self._pool, self._limits, self._chores, self._keep, watched)

    @contextlib.asynccontextmanager
    async def changing(self, number: str) -> AsyncIterator[Table]:
        """The game, to be changed by nobody else meanwhile."""
        table = await self.find(number)
        async with table.lock:
            table.touched = clock.monotonic()
            table.watched = bool(table.audience)
            yield table

    async def _keep(self, game: LiveGame) -> None:
        """Write a game down; one that has just ended goes to the database too, and counts if it is rated."""
        climb = None
        if game.over is not None and game.unfinished:
            before = (await self.store.climbs(game.owner)).get(game.spec, [])
            climb = counted(game, before, clock.time())
            told = None if climb is None else standing_facts([*before, climb])
            game.rated = {"state": "void"} if told is None else {"state": "counted", **told}
        await self.store.save(game, climb)
        if game.over is not None:
            await self._record(game)

    async def _record(self, game: LiveGame, ended: float | None = None) -> None:
        try:
            await self.store.finished(game.id, lambda: game.record(ended))
        except PlygroundError as error:
            log.error("a finished game is not in the database: %s", error)

    async def look_after(self) -> None:
        """What an earlier server had no time for is done now, and forgotten games are forgotten, now and then."""
        for ended, content in await self.store.unrecorded():
            try:
                await self._record((await off_loop(find_task, LIVE_GAME)).from_content(content), ended)
            except (KeyError, TypeError, ValueError, PlygroundError) as error:  # it stays for another try
                log.error("a finished game cannot be read: %r", error)
        while True:
            await self._end_left_games()
            await self.store.expire(self._limits.untouched, self._limits.unmoved, self._limits.removed)
            await asyncio.sleep(HOUR)

    async def _end_left_games(self) -> None:
        """Rated games that nobody has gone on with are lost."""
        for number in await self.store.left(self._limits.rated_untouched):
            try:
                async with self.changing(number) as table:
                    await table.give_up("leaves", "has left the game")
                if table.game.unfinished:  # nobody has moved
                    await self.delete(number, table.game.owner)
            except PlygroundError as error:
                log.error("a rated game cannot be ended: %s", error)

    async def delete(self, number: str, visitor: str) -> None:
        """Forget a game that belongs to the visitor; a rated one that is not over is lost by that."""
        table = await self.find(number)
        if table.game.owner != visitor:
            raise Refusal(403, "only whoever has begun a game can delete it", "owner")
        async with table.lock:
            await table.give_up("resigns", "resigns")
            await self.store.delete(number)
            self._open.pop(number, None)
            table.close(4404, "the game has been deleted")

    async def restore(self, number: str, visitor: str, address: str) -> None:
        """Bring a game back that the visitor has deleted; once more changes nothing."""
        if await self.store.removed(number, visitor):
            await self._make_room(visitor, address)
            await self.store.restore(number)
        elif (await self.find(number)).game.owner != visitor:
            raise Refusal(403, "only whoever has deleted a game can bring it back", "owner")

    @property
    def open(self) -> int:
        """How many games are in memory."""
        return len(self._open)

    def _put_away(self) -> None:
        """Leave games to the disk that nobody has touched for a while, and the oldest if there are too many."""
        unused = sorted((table.touched, number) for number, table in self._open.items() if table.unused)
        excess = len(self._open) - MOST_OPEN
        for place, (touched, number) in enumerate(unused):
            if place < excess or clock.monotonic() - touched > IDLE:
                del self._open[number]

    async def close(self) -> None:
        """The server ends: everything is on the disk already."""
        for table in self._open.values():
            table.close(1001, "the server is ending")
        await self._chores.close()
