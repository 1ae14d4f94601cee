"""A game in progress with everybody around it: browsers that watch, a program that thinks, a clock that runs.

One change at a time is made to a game, and it is on the disk before anybody is sent it. A program thinks only while
somebody is there: when the last browser has gone, its search is cancelled, and it begins again when one comes back.

Who may do what is decided here, by who holds the seats; see `plyground.web.games.seating`. What is posted once more,
because the answer was lost on its way, is answered once more and changes nothing.
"""

from __future__ import annotations

import asyncio
import time as clock
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from plyground.errors import PlygroundError
from plyground.web.games.game_clock import GameClock
from plyground.web.games.offers import Offer, Proposal
from plyground.web.games.presence import Presence
from plyground.web.games.program_search import ProgramSearch
from plyground.web.server.chores import Chores
from plyground.web.server.pool import Job, Pool, Stopped, WorkFailed
from plyground.web.server.refusals import Refusal, code_of, line_of, one_line
from plyground.web.server.settings import Limits
from plyground.web.server.sockets import Audience, Outlet
from plyground.web.server.threads import off_loop

if TYPE_CHECKING:
    from plyground.web.games.live import LiveGame
    from plyground.web.games.seating import Asker

__all__ = ["Table"]

OVER = "the game is over"
PEOPLE = 2
"""How many sides of people there must be for one to offer something and the other to answer."""
Keep = Callable[["LiveGame"], Awaitable[None]]


class Table:
    """A game, and what goes on around it. Whoever changes it holds the lock; see `Tables.changing`.

    `keep` writes the game down after each change. `watched` is whether a browser has been there since the last change
    by hand: a script that moves without one waits for the program's answer too.
    """

    def __init__(self, game: LiveGame, pool: Pool, limits: Limits, chores: Chores, keep: Keep, watched: bool) -> None:
        self.game, self.watched = game, watched
        self.lock = asyncio.Lock()
        self.audience = Audience()
        self.touched = clock.monotonic()
        self._limits, self._chores, self._keep = limits, chores, keep
        self._failed = False
        self._clock = GameClock(game, lambda turn: chores.add(self._time_is_up(turn)))
        self._search = ProgramSearch(game, pool, self.audience, self._program_starts)
        self._farewell: asyncio.TimerHandle | None = None
        self._presence = Presence(self.audience, limits.away, self._tell_presence)

    def facts(self, visitor: str) -> dict[str, Any]:
        """The game for a visitor's pages; `mine` are the visitor's seats, `own` whether the visitor has begun it."""
        mine, own = self._standing(visitor)
        return {**self._facts(), "mine": list(mine), "own": own}

    def _standing(self, visitor: str) -> tuple[tuple[int, ...], bool]:
        return tuple(self.game.seating.held(visitor)), visitor == self.game.owner

    def _facts(self) -> dict[str, Any]:
        return {
            **self.game.facts(),
            "clocks": self._clock.facts(),
            "thinking": self._search.facts(),
            "failed": self._failed,
            "present": self._present(),
        }

    def _show(self) -> None:
        facts = self._facts()
        alike: dict[tuple[tuple[int, ...], bool], Audience] = {}
        for outlet in self.audience:
            alike.setdefault(self._standing(outlet.visitor), Audience()).add(outlet)
        for (mine, own), group in alike.items():
            group.tell({"type": "game", "game": {**facts, "mine": list(mine), "own": own}})

    def _present(self) -> list[int]:
        return [seat for seat, holder in enumerate(self.game.seating.holders) if self._presence.of(holder)]

    def _tell_presence(self, visitor: str) -> None:
        if self.game.seating.held(visitor):
            self.audience.tell({"type": "presence", "present": self._present()})

    # Changes -----------------------------------------------------------------------------------------------------

    async def move(self, asker: Asker, action: int, at: int) -> None:
        """A person's move."""
        game = self.game
        visitor = game.seating.check_any(asker)
        if at != game.at and game.was_made(action, at) in game.seating.held(visitor):
            return
        if game.mover is not None and game.program is None:
            game.seating.check(asker, game.mover)
        self._check_complete()
        if at != game.at:
            raise Refusal(409, f"the board is at position {game.at}, not {at}: somebody else has moved", "moved")
        if game.over:
            raise Refusal(409, OVER, "over")
        if game.program is not None:
            raise Refusal(409, f"it is the turn of {game.players[game.mover or 0]}", "turn")
        await off_loop(game.check_move, action)
        mover, spent = game.mover or 0, self._clock.elapsed
        game.paused = False
        if not self._clock.lost(mover, spent):
            await off_loop(self._play, action, spent)
            self._clock.moved(mover)
        await self.changed()

    def _play(self, action: int, spent: float | None, move: Any = None) -> None:
        self.game.passes.clear()
        self.game.add(action, move, spent)
        self.game.settle()

    def _check_complete(self) -> None:
        if self.game.seating.free:
            raise Refusal(409, "the game begins when somebody has taken the other seat", "waiting")

    async def go_to(self, asker: Asker, node: int, resume: bool) -> None:
        """Take moves back, or go forth again; programs wait there unless the game is to be resumed."""
        self.game.seating.check_whole(asker)
        if self.game.rated is not None:
            raise Refusal(409, "nothing is taken back in a rated game", "rated")
        await self._rewind(node, resume)

    async def _rewind(self, node: int, resume: bool) -> None:
        self.game.check_node(node)
        self._search.stop()
        self._search.leave()
        self.game.passes.clear()
        await off_loop(self.game.go_to, node)
        self.game.paused = not resume
        if resume and not self.game.over:
            await off_loop(self.game.settle)
        self._clock.reset()
        await self.changed()

    async def resign(self, asker: Asker, player: int) -> None:
        """A person gives up."""
        game = self.game
        if not 0 <= player < len(game.players) or game.players[player] != "human":
            raise Refusal(422, f"seat {player} is not a person's in this game")
        game.seating.check(asker, player)
        if game.over:
            if (game.over["why"], game.over["loser"]) == ("resigns", player):
                return
            raise Refusal(409, OVER, "over")
        self._check_complete()
        self._excuse()
        self._search.stop()
        game.forfeit(player, "resigns", "resigns")
        await self.changed()

    async def give_up(self, why: str, reason: str) -> None:
        """A rated game ends because its visitor has gone: it is lost if a move was made, else nothing was begun."""
        game = self.game
        if game.unfinished and not game.over and game.begun_by_person:
            self._excuse()
            self._search.stop()
            game.forfeit(game.players.index("human"), why, reason)
            await self.changed()

    def _excuse(self) -> None:
        """Whoever gives up a rated game because its program cannot go on loses nothing."""
        if self._failed and self.game.unfinished:
            self.game.rated = {"state": "void"}

    async def retry(self, asker: Asker) -> None:
        """Let a program think again whose search has failed."""
        self.game.seating.check_any(asker)
        if not self._failed:
            raise Refusal(409, "no search has failed in this game")
        self._failed = False
        self.game.message = None
        await self.changed()

    # Two people --------------------------------------------------------------------------------------------------

    async def claim(self, asker: Asker) -> str:
        """Somebody has come by the invitation, and gets the free seat if there is one; the visitor."""
        visitor = self.game.seating.who(asker)
        if not self.game.over and self.game.seating.claim(visitor):
            await self.changed()
        return visitor

    async def invite(self, asker: Asker, player: int) -> None:
        """Whoever plays for both sides leaves one of them to whoever comes by the invitation."""
        if self.game.over:
            raise Refusal(409, OVER, "over")
        self.game.seating.give_up(self.game.seating.who(asker), player)
        await self.changed()

    async def offer(self, asker: Asker, what: Proposal, player: int | None, swap: bool) -> bool:
        """Propose something to the other side; whether it has proposed the same, so that both have agreed."""
        game = self.game
        seat = game.seating.own_seat(asker, player)
        self._check_offer(what, seat)
        if what == "rematch" and game.rematch:
            return False
        wish = Offer(what, seat, game.at, swap)
        if game.offer is not None and game.offer.seat != seat:
            if game.offer.what != what:
                raise Refusal(409, f"the other side has offered a {game.offer.what}: answer that first", "answer")
            return True
        if game.declined is not None and (game.declined.what, game.declined.seat) == (what, seat):
            raise Refusal(409, "this was declined; you can offer it again after the next move", "declined")
        if game.offer != wish:
            game.offer = wish
            await self._noted()
        return False

    def _check_offer(self, what: Proposal, seat: int) -> None:
        game = self.game
        if game.players.count("human") != PEOPLE:
            raise Refusal(409, "there is nobody to offer anything to: two people must play", "alone")
        self._check_complete()
        if what == "rematch":
            if not game.over:
                raise Refusal(409, "the game is not over: a rematch comes after it", "unfinished")
        elif game.over:
            raise Refusal(409, OVER, "over")
        elif what == "takeback" and game.choice_before(seat) is None:
            raise Refusal(409, "there is no move of yours to take back", "nothing")
        elif what == "draw" and not game.drawable:
            raise Refusal(409, f"{game.spec} cannot end in a draw", "undrawable")

    def check_answer(self, asker: Asker, what: Proposal, player: int | None) -> None:
        """`Refusal` if somebody cannot agree to this: it is not offered, or it is an offer of their own."""
        if self._offered(what).seat == self.game.seating.own_seat(asker, player):
            raise Refusal(403, "this is your own offer: the other side answers it", "own")

    def _offered(self, what: Proposal) -> Offer:
        offer = self.game.offer
        if offer is None or offer.what != what:
            raise Refusal(409, "this is not offered any more", "lapsed")
        return offer

    async def agree(self, offer: Offer) -> None:
        """Both sides want a move taken back, or a draw."""
        game = self.game
        game.offer = None
        if offer.what == "takeback":
            target = game.choice_before(offer.seat)
            await self._rewind(game.at if target is None else target, resume=True)
        else:
            game.draw()
            await self.changed()

    async def agree_on_rematch(self, number: str) -> None:
        """The game that both sides play next has begun."""
        self.game.offer, self.game.rematch = None, number
        await self._noted()
        self.audience.tell({"type": "rematch", "id": number})

    async def decline(self, asker: Asker, what: Proposal, player: int | None) -> None:
        """Say no to an offer, or take one's own back."""
        game = self.game
        seat = game.seating.own_seat(asker, player)
        offer = self._offered(what)
        game.offer, game.declined = None, game.declined if offer.seat == seat else offer
        await self._noted()

    # Going on ----------------------------------------------------------------------------------------------------

    async def changed(self) -> None:
        """The game is different now: keep it, tell everybody, and let it go on."""
        self._clock.stop()
        self._failed = self._failed and self.game.program is not None
        if not self._failed:
            self.game.message = None
        await self._write_down()
        if self.game.over:
            self._search.leave()
        self._go_on()
        self._show()

    async def _noted(self) -> None:
        """Something is said about the game, and it goes on as before: keep that, and tell everybody."""
        await self._write_down()
        self._show()

    async def _write_down(self) -> None:
        self.game.forget_offers()
        self.game.version += 1
        self.touched = clock.monotonic()
        await off_loop(self.game.shown)
        await self._keep(self.game)

    def _go_on(self) -> None:
        """Whoever is to move begins to think."""
        game = self.game
        if game.over or game.seating.free or (game.paused and game.program is not None):
            return
        if game.program is None:
            # Whoever has invited somebody may be elsewhere when they come: the first move of each side costs no time.
            if not game.seating.shared or game.choice_before(game.mover or 0) is not None:
                self._clock.start(game.mover or 0)
        elif not self._failed and not self._search.runs and self._somebody_waits():
            self._think(game.program)

    def _somebody_waits(self) -> bool:
        """Whether a program's move is for anybody: a browser, or a script that has just moved without one."""
        return bool(self.audience) or (not self.watched and "human" in self.game.players)

    async def _time_is_up(self, turn: int) -> None:
        async with self.lock:
            mover = self.game.mover
            if self._clock.turn != turn or mover is None or not self._clock.runs:
                return
            if self._clock.lost(mover, self._clock.elapsed):
                self._search.stop()
                await self.changed()
            else:  # the alarm came early
                self._clock.start(mover)

    # A program's turn --------------------------------------------------------------------------------------------

    def _think(self, spec: str) -> None:
        from plyground.web.server.specs import own_limit

        mover = self.game.mover or 0
        try:
            job = self._search.begin(spec, self._clock.limit(mover, own_limit(spec, self._limits.search)))
        except Refusal as refusal:
            self._fail(refusal)
        else:
            self._chores.add(self._await_move(job, mover))

    def _program_starts(self) -> None:
        self._clock.start(self.game.mover or 0)
        if self._clock.timed:
            self._show()

    async def _await_move(self, job: Job, mover: int) -> None:
        answer: Any = None
        error: WorkFailed | Refusal | None = None
        try:
            answer = await job.result()
        except Stopped:
            return
        except (WorkFailed, Refusal) as failure:
            error = failure
        async with self.lock:
            if not self._search.ended(job):
                return
            if error is None:
                await self._take(answer, mover)
            elif isinstance(error, Refusal) or not self._clock.lost(mover, self._clock.elapsed):
                self._fail(error)
            await self.changed()

    async def _take(self, answer: dict[str, Any], mover: int) -> None:
        """What a program has answered."""
        from plyground.players import Move

        if answer.get("resigns"):
            self.game.forfeit(mover, "resigns", "resigns")
            return
        if lost := answer.get("lost"):
            self.game.forfeit(mover, **{key: one_line(text) for key, text in lost.items()})
            return
        if self._clock.lost(mover, answer["spent"]):
            return
        move = Move(answer["action"], answer["value"], (), answer["depth"], answer["nodes"])
        try:
            await off_loop(self.game.check_move, move.action)
        except PlygroundError as error:
            self.game.forfeit(mover, "fails", f"fails: {line_of(error)}")
            return
        await off_loop(self._play, move.action, answer["spent"], move)
        self._clock.moved(mover)

    def _fail(self, error: Exception) -> None:
        self._failed = True
        self.game.message, self.game.message_code = line_of(error), code_of(error)
        self.audience.tell({"type": "failed", "message": self.game.message, "code": self.game.message_code})

    # Coming and going --------------------------------------------------------------------------------------------

    async def join(self, outlet: Outlet) -> None:
        """A browser watches from now on."""
        async with self.lock:
            if self._farewell is not None:
                self._farewell.cancel()
                self._farewell = None
            self._presence.came(outlet)  # which is told to those who were there before
            self.audience.add(outlet)
            self.watched = True
            self.touched = clock.monotonic()
            if not self._search.runs and not self._clock.runs:
                self._go_on()
            outlet.send({"type": "game", "game": self.facts(outlet.visitor)})
            self._search.tell(outlet)

    def show_search(self, outlet: Outlet, lang: str) -> None:
        """A browser wants to see searches in this language from now on; "" if it does not.

        In a rated game nobody does before it is over: what the opponent expects is a hint.
        """
        self._search.show(outlet, "" if self.game.unfinished else lang)

    def leave(self, outlet: Outlet) -> None:
        """A browser has gone."""
        self._search.show(outlet, "")
        self.audience.discard(outlet)
        self._presence.went(outlet)
        self.touched = clock.monotonic()
        if not self.audience:
            self._farewell = asyncio.get_running_loop().call_later(self._limits.away, self._abandoned)

    def _abandoned(self) -> None:
        self._farewell = None
        if not self.audience and self._search.runs:
            self._search.stop()
            self._clock.stop()
        if not self.audience:
            self._search.leave()

    @property
    def unused(self) -> bool:
        """Whether nothing is lost if it is put away."""
        return not (self.audience or self._search.runs or self._clock.alarmed or self.lock.locked())

    def close(self, code: int = 1001, reason: str = "") -> None:
        """Stop everything around the game."""
        self._search.stop()
        self._clock.stop()
        self._presence.close()
        if self._farewell is not None:
            self._farewell.cancel()
        for outlet in list(self.audience):
            outlet.close(code, reason)
