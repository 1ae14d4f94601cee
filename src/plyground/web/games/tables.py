"""Games in progress with everybody around them: browsers that watch, programs that think, clocks that run.

One change at a time is made to a game, and it is on the disk before anybody hears of it. A program thinks only while
somebody is there: when the last browser has gone, its search is cancelled, and it begins again when one comes back.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import time as clock
from collections.abc import AsyncIterator, Iterable
from typing import TYPE_CHECKING, Any

from plyground.errors import PlygroundError
from plyground.web.games.store import Store
from plyground.web.server.pool import Job, Pool, Stopped, WorkFailed
from plyground.web.server.refusals import Refusal, code_of, line_of
from plyground.web.server.settings import Limits
from plyground.web.server.sockets import Outlet
from plyground.web.server.threads import off_loop

if TYPE_CHECKING:
    from plyground.arena.clocks import Clocks
    from plyground.web.games.live import LiveGame

__all__ = ["Table", "Tables"]

OVER = "the game is over"
IDLE = 600.0
"""Seconds after which a game that nobody watches is put away; the disk has it."""
ROUNDING = 0.01
log = logging.getLogger("plyground.web")


class Table:
    """A game, and what goes on around it. Whoever changes it holds the lock; see `Tables.changing`."""

    def __init__(self, game: LiveGame, owner: Tables) -> None:
        self.game = game
        self.lock = asyncio.Lock()
        self.outlets: set[Outlet] = set()
        self.touched = clock.monotonic()
        self._tables = owner
        self._thinking: Job | None = None
        self._thinks: tuple[int, float] | None = None
        self._asked: object | None = None
        self._said: dict[str, Any] | None = None
        self._pictures: dict[str, dict[str, Any]] = {}
        self._failed = False
        self._clocks: Clocks | None = game.new_clocks()
        self._began: float | None = None
        self._alarm: asyncio.TimerHandle | None = None
        self._farewell: asyncio.TimerHandle | None = None
        self._watched = False

    # What is seen ------------------------------------------------------------------------------------------------

    def facts(self) -> dict[str, Any]:
        """The game for the pages."""
        thinks = self._thinks
        return {
            **self.game.facts(),
            "clocks": self._clock_facts(),
            "thinking": None if thinks is None else {"player": thinks[0], "since": thinks[1]},
            "failed": self._failed,
        }

    def _clock_facts(self) -> dict[str, Any] | None:
        rules, clocks = self.game.clock, self._clocks
        if rules is None or clocks is None:
            return None
        running = None if self._began is None else self.game.mover
        spent = 0.0 if self._began is None else clock.monotonic() - self._began
        whole = [rules.move or 0.0] * len(self.game.players) if rules.game is None else list(clocks.left)
        left = [max(0.0, time - (spent if seat == running else 0.0)) for seat, time in enumerate(whole)]
        move = None if rules.move is None else max(0.0, rules.move - spent)
        return {"left": [round(time, 3) for time in left], "running": running, "move": move and round(move, 3)}

    def broadcast(self, message: dict[str, Any], listeners: Iterable[Outlet] | None = None) -> None:
        """Tell everybody who watches, or some of them."""
        text = json.dumps(message, ensure_ascii=False, separators=(",", ":"))
        for outlet in self.outlets if listeners is None else listeners:
            outlet.send(text)

    def _show(self) -> None:
        self.broadcast({"type": "game", "game": self.facts()})

    # Changes -----------------------------------------------------------------------------------------------------

    async def move(self, action: int, at: int) -> None:
        """A person's move."""
        game = self.game
        if at != game.at:
            raise Refusal(409, f"the board is at position {game.at}, not {at}: somebody else has moved", "moved")
        if game.over:
            raise Refusal(409, OVER, "over")
        if game.program is not None:
            raise Refusal(409, f"it is the turn of {game.players[game.mover or 0]}", "turn")
        await off_loop(game.check_move, action)
        mover, spent = game.mover or 0, self._elapsed()
        game.paused = False
        if not self._lost_on_time(mover, spent):
            await off_loop(self._play, action, spent)
            self._moved(mover)
        await self._changed()

    def _play(self, action: int, spent: float | None, move: Any = None) -> None:
        self.game.passes.clear()
        self.game.add(action, move, spent)
        self.game.settle()

    def _elapsed(self) -> float:
        return 0.0 if self._began is None else clock.monotonic() - self._began

    def _lost_on_time(self, mover: int, spent: float) -> bool:
        """Let the clock have run; whether that was too long."""
        if self._clocks is None:
            return False
        reason = self._clocks.spend(mover, spent)
        if reason is not None:
            self.game.forfeit(mover, "time", reason)
        return reason is not None

    def _moved(self, mover: int) -> None:
        if self._clocks is not None:
            self._clocks.moved(mover)
            self.game.note_clocks(self._clocks.left)

    async def go_to(self, node: int, resume: bool) -> None:
        """Take moves back, or go forth again; programs wait there unless the game is to be resumed."""
        self._stop_thinking()
        self.game.passes.clear()
        await off_loop(self.game.go_to, node)
        self.game.paused = not resume
        if resume and not self.game.over:
            await off_loop(self.game.settle)
        self._clocks = self.game.new_clocks()
        await self._changed()

    async def resign(self, player: int) -> None:
        """A person gives up."""
        game = self.game
        if not 0 <= player < len(game.players) or game.players[player] != "human":
            raise Refusal(422, f"seat {player} is not a person's in this game")
        if game.over:
            raise Refusal(409, OVER, "over")
        self._stop_thinking()
        game.forfeit(player, "resigns", "resigns")
        await self._changed()

    async def retry(self) -> None:
        """Let a program think again whose search has failed."""
        if not self._failed:
            raise Refusal(409, "no search has failed in this game")
        self._failed = False
        self.game.message = None
        await self._changed()

    async def _changed(self) -> None:
        """The game is different now: keep it, tell everybody, and let it go on."""
        self._stop_clock()
        self._failed = self._failed and self.game.program is not None
        if not self._failed:
            self.game.message = None
        self.game.version += 1
        self.touched = clock.monotonic()
        await off_loop(self.game.shown)
        await self._tables.keep(self)
        self._go_on()
        self._show()

    def _go_on(self) -> None:
        """Whoever is to move begins to think."""
        game = self.game
        if game.over or (game.paused and game.program is not None):
            return
        if game.program is None:
            self._start_clock(game.mover or 0)
        elif not self._failed and self._thinking is None and self._somebody_waits():
            self._think(game.program)

    def _somebody_waits(self) -> bool:
        """Whether a program's move is for anybody: a browser, or a script that has just moved without one."""
        return bool(self.outlets) or (not self._watched and "human" in self.game.players)

    # Clocks ------------------------------------------------------------------------------------------------------

    def _start_clock(self, mover: int) -> None:
        self._began = clock.monotonic()
        if self._clocks is None or self.game.clock is None:
            return
        limits = [self.game.clock.move] if self.game.clock.move is not None else []
        if self.game.clock.game is not None:
            limits.append(self._clocks.left[mover])
        loop = asyncio.get_running_loop()
        version = self.game.version
        if limits:
            self._alarm = loop.call_later(
                max(0.0, min(limits)) + ROUNDING, lambda: self._tables.chore(self._time_is_up(version))
            )

    def _stop_clock(self) -> None:
        self._began = None
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None

    async def _time_is_up(self, version: int) -> None:
        async with self.lock:
            mover = self.game.mover
            if self.game.version != version or mover is None or self._began is None:
                return
            if self._lost_on_time(mover, self._elapsed()):
                self._stop_thinking()
                await self._changed()
            else:  # the alarm came early
                self._start_clock(mover)

    # Programs ----------------------------------------------------------------------------------------------------

    def _think(self, spec: str) -> None:
        from plyground.web.server.specs import own_limit

        game, mover = self.game, self.game.mover or 0
        limit = own_limit(spec, self._tables.limits.search)
        if self._clocks is not None:
            limit = self._clocks.limit(mover).within(limit)
        work = {
            "do": "games.choosing:choose_move",
            "game": game.spec,
            "board": game.board,
            "history": game.history(),
            "player": spec,
            "time": limit.time,
            "seed": game.seed if game.seeded else None,
            "tree": self._languages(),
        }
        asked = self._asked = object()
        self._said = None

        def heard(event: str) -> None:
            if self._asked is asked:  # what is not wanted any more may still have something to say
                self._heard(event)

        try:
            job = self._tables.pool.submit(game.owner, work, time=limit.time, counted=False, on_event=heard)
        except Refusal as refusal:
            self._fail(refusal)
            return
        self._thinking, self._thinks = job, (mover, clock.time())
        self._tables.chore(self._await_move(job, mover))

    def _languages(self) -> list[str]:
        """The languages in which somebody wants to see the search."""
        return sorted({outlet.tree for outlet in self.outlets if outlet.tree})

    def show_search(self, outlet: Outlet, lang: str) -> None:
        """A browser wants to see searches in this language from now on; "" if it does not."""
        before = self._languages()
        outlet.tree = lang
        if self._thinking is not None and self._languages() != before:
            self._tables.pool.wish(self._thinking, {"tree": self._languages()})
        if lang in self._pictures:
            outlet.send(self._pictures[lang])

    def _heard(self, event: str) -> None:
        facts = json.loads(event)
        kind = facts.pop("event")
        if kind == "started" and self._thinking is not None:
            self._start_clock(self.game.mover or 0)
            if self._clocks is not None:
                self._show()
        elif kind in ("compiling", "thinking", "tree"):
            player = None if self._thinks is None else self._thinks[0]
            message = {"type": "tree" if kind == "tree" else "thinking", "player": player, **facts}
            if kind == "tree":
                self._pictures[facts["lang"]] = message
            else:
                self._said = message
            listeners = self.outlets if kind != "tree" else [one for one in self.outlets if one.tree == facts["lang"]]
            self.broadcast(message, listeners)

    async def _await_move(self, job: Job, mover: int) -> None:
        try:
            answer = await job.result()
        except Stopped:
            return
        except (WorkFailed, Refusal) as error:
            async with self.lock:
                if self._thinking is job:
                    self._thinking = self._thinks = None
                    if not (isinstance(error, WorkFailed) and self._lost_on_time(mover, self._elapsed())):
                        self._fail(error)
                    await self._changed()
            return
        async with self.lock:
            if self._thinking is not job:
                return
            self._thinking = self._thinks = None
            await self._take(answer, mover)
            await self._changed()

    async def _take(self, answer: dict[str, Any], mover: int) -> None:
        """What a program has answered."""
        from plyground.players import Move

        if answer.get("resigns"):
            self.game.forfeit(mover, "resigns", "resigns")
            return
        if self._lost_on_time(mover, answer["spent"]):
            return
        move = Move(answer["action"], answer["value"], (), answer["depth"], answer["nodes"])
        try:
            await off_loop(self.game.check_move, move.action)
        except PlygroundError as error:
            self.game.forfeit(mover, "fails", f"fails: {line_of(error)}")
            return
        await off_loop(self._play, move.action, answer["spent"], move)
        self._moved(mover)

    def _fail(self, error: Exception) -> None:
        self._failed = True
        self.game.message, self.game.message_code = line_of(error), code_of(error)
        self.broadcast({"type": "failed", "message": self.game.message, "code": self.game.message_code})

    def _stop_thinking(self) -> None:
        job, self._thinking, self._thinks, self._asked = self._thinking, None, None, None
        if job is not None:
            self._tables.pool.cancel(job)

    # Coming and going --------------------------------------------------------------------------------------------

    async def join(self, outlet: Outlet) -> None:
        """A browser watches from now on."""
        async with self.lock:
            if self._farewell is not None:
                self._farewell.cancel()
                self._farewell = None
            self.outlets.add(outlet)
            self._watched = True
            self.touched = clock.monotonic()
            if self._thinking is None and self._began is None:
                self._go_on()
            outlet.send({"type": "game", "game": self.facts()})
            if self._thinking is not None and self._said is not None:
                outlet.send(self._said)

    def leave(self, outlet: Outlet) -> None:
        """A browser has gone."""
        self.show_search(outlet, "")
        self.outlets.discard(outlet)
        self.touched = clock.monotonic()
        if not self.outlets:
            loop = asyncio.get_running_loop()
            self._farewell = loop.call_later(self._tables.limits.away, self._abandoned)

    def _abandoned(self) -> None:
        self._farewell = None
        if not self.outlets and self._thinking is not None:
            self._stop_thinking()
            self._stop_clock()

    @property
    def idle(self) -> bool:
        """Whether nothing is lost if it is put away."""
        waits = self.outlets or self._thinking is not None or self._alarm is not None or self.lock.locked()
        return not waits and clock.monotonic() - self.touched > IDLE

    def close(self, code: int = 1001, reason: str = "") -> None:
        """Stop everything around the game."""
        self._stop_thinking()
        self._stop_clock()
        if self._farewell is not None:
            self._farewell.cancel()
        for outlet in list(self.outlets):
            outlet.close(code, reason)


class Tables:
    """All games in progress. Those that nobody has touched for a while are on the disk alone."""

    def __init__(self, store: Store, pool: Pool, limits: Limits) -> None:
        self.store, self.pool, self.limits = store, pool, limits
        self._open: dict[str, Table] = {}
        self._chores: set[asyncio.Task[Any]] = set()
        self._opening = asyncio.Lock()

    def chore(self, coroutine: Any) -> None:
        """Do something on the side; what goes wrong is told in the terminal."""

        def done(task: asyncio.Task[Any]) -> None:
            self._chores.discard(task)
            if not task.cancelled() and (error := task.exception()):
                log.error("a game could not go on", exc_info=error)

        task = asyncio.create_task(coroutine)
        self._chores.add(task)
        task.add_done_callback(done)

    async def begin(self, game: LiveGame) -> Table:
        """A new game; `Refusal` if its owner has too many."""
        limits = self.limits
        if not await self.store.make_room(game.owner, limits.games, limits.all_games):
            raise Refusal(429, f"you have {limits.games} unfinished games; delete some first", "games")
        self._put_away()
        table = self._open[game.id] = Table(game, self)
        async with table.lock:
            await table._changed()
        return table

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
        game = LiveGame.from_content(found[1])
        game.message = None
        await off_loop(game.shown)
        table = Table(game, self)
        # A program does not think before somebody is there to see it.
        table._watched = True
        return table

    @contextlib.asynccontextmanager
    async def changing(self, number: str) -> AsyncIterator[Table]:
        """The game, to be changed by nobody else meanwhile."""
        table = await self.find(number)
        async with table.lock:
            table.touched = clock.monotonic()
            table._watched = bool(table.outlets)
            yield table

    async def keep(self, table: Table) -> None:
        """Write a game down; one that has just ended goes to the database too."""
        game = table.game
        await self.store.save(game.id, game.owner, game.over is not None, game.summary(), game.content())
        if game.over is not None:
            try:
                await self.store.finished(game.record)
            except PlygroundError as error:
                log.error("a finished game is not in the database: %s", error)

    async def delete(self, number: str, visitor: str) -> None:
        """Forget a game that belongs to the visitor."""
        table = await self.find(number)
        if table.game.owner != visitor:
            raise Refusal(403, "only who has begun a game can delete it", "owner")
        async with table.lock:
            await self.store.delete(number)
            self._open.pop(number, None)
            table.close(4404, "the game has been deleted")

    def _put_away(self) -> None:
        for number, table in list(self._open.items()):
            if table.idle:
                del self._open[number]

    async def close(self) -> None:
        """The server ends: everything is on the disk already."""
        for table in self._open.values():
            table.close(1001, "the server is ending")
        for task in list(self._chores):
            task.cancel()
        await asyncio.gather(*self._chores, return_exceptions=True)
