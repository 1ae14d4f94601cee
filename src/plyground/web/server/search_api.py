"""The socket for searches: one a page, on which any number of them may be asked for, each with a number of its own.

The browser sends ``{"id": 3, "do": "hints", ...}`` and hears ``{"id": 3, "event": ...}`` until ``done`` or ``error``.
``{"id": 3, "do": "stop"}`` cancels one; when the socket closes, all are.
"""

from __future__ import annotations

import asyncio
import json
from typing import Annotated, Any, Literal

from fastapi import APIRouter, WebSocket
from pydantic import Field, ValidationError

from plyground.errors import PlygroundError
from plyground.web.lab.pacman_api import Watched
from plyground.web.lab.queens_api import Placement
from plyground.web.lab.wumpus_api import Name
from plyground.web.server.bodies import Body, Number, Spec, Text
from plyground.web.server.pool import Job, Pool, Stopped, WorkFailed
from plyground.web.server.refusals import Refusal, code_of, line_of, one_line, validation_line
from plyground.web.server.settings import Limits
from plyground.web.server.sockets import Outlet
from plyground.web.server.threads import off_loop

__all__ = ["router"]

router = APIRouter()
HINT_TIME = 5.0

Seconds = Annotated[float, Field(gt=0, le=600, allow_inf_nan=False)]
Depth = Annotated[int, Field(ge=1, le=64)]
Language = Literal["en", "zh"]


class Hints(Body):
    """What every legal move is worth."""

    game: Spec = "reversi"
    moves: Text = ""
    board: Text = ""
    player: Spec = ""
    time: Seconds | None = None
    depth: Depth | None = None

    def work(self, limits: Limits) -> tuple[dict[str, Any], float, bool]:
        """The work, how long it may take, and whether that is long."""
        from plyground.web.server.specs import allowed_game, allowed_player

        allowed_game(self.game)
        if self.player:
            allowed_player(self.player, self.game)
        time = min(self.time or HINT_TIME, limits.search)
        return {**self.model_dump(), "time": time}, time, True


class Analyse(Body):
    """A game judged move by move; `text` is in any format, `moves` are from the `board`."""

    game: Spec = "reversi"
    text: Text = ""
    moves: Text = ""
    board: Text = ""
    time: Seconds | None = None
    depth: Depth | None = None
    lines: Annotated[int, Field(ge=0, le=60)] = 0

    def work(self, limits: Limits) -> tuple[dict[str, Any], float, bool]:
        from plyground.web.server.specs import allowed_game

        allowed_game(self.game)
        time = None if self.time is None else min(self.time, limits.search)
        return {**self.model_dump(), "time": time}, limits.analysis, True


class Watch(Body):
    """A search to be drawn, on a game, a lesson or a tree; `steps` replays the last simulations of mcts."""

    game: Spec = ""
    lesson: Spec = ""
    tree: Any = None
    algorithm: Spec = ""
    depth: Depth | None = None
    moves: Text = ""
    board: Text = ""
    evaluation: Spec = ""
    order: Spec = ""
    symmetry: bool = False
    simulations: Annotated[int, Field(ge=1, le=1_000_000)] | None = None
    steps: Annotated[int, Field(ge=1, le=60)] | None = None
    seed: Annotated[int, Field(ge=0, lt=2**53)] = 0
    lang: Language = "en"

    def work(self, limits: Limits) -> tuple[dict[str, Any], float, bool]:
        work = self.model_dump()
        what, shown = work.pop("lesson") or self.game, work.pop("steps")
        del work["game"]
        if not what and self.tree is None:
            raise Refusal(422, "say what to watch: a game, a lesson or a tree")
        return {**work, "what": what, "shown": shown}, limits.search, False


class Think(Body):
    """A player to watch while it chooses a move that nobody plays."""

    game: Spec = "reversi"
    moves: Text = ""
    board: Text = ""
    player: Spec = "mcts:time=5"
    seed: Annotated[int, Field(ge=0, lt=2**53)] | None = None
    lang: Language = "en"
    large: bool = True

    def work(self, limits: Limits) -> tuple[dict[str, Any], float, bool]:
        from plyground.web.server.specs import HUMAN, allowed_player, own_limit

        if allowed_player(self.player, self.game) == HUMAN:
            raise Refusal(422, "a person thinks without a tree that could be shown; name a program")
        time = own_limit(self.player, limits.search).time or limits.search
        return {**self.model_dump(), "time": time}, time, True


class Bandit(Body):
    """The regret of some policies."""

    arms: Annotated[Text, Field(max_length=2000)] = "0.6,0.55,0.4"
    policies: Annotated[list[Spec], Field(min_length=1, max_length=12)] = Field(default_factory=lambda: ["ucb1"])
    pulls: Annotated[int, Field(ge=1, le=10_000_000)] = 1000
    runs: Annotated[int, Field(ge=1, le=100_000)] = 200
    seed: Annotated[int, Field(ge=0, lt=2**53)] = 0
    sigma: Annotated[float, Field(ge=0, le=1e6, allow_inf_nan=False)] | None = None
    log: bool = False

    def work(self, limits: Limits) -> tuple[dict[str, Any], float, bool]:
        return self.model_dump(), limits.analysis, True


class Matrix(Body):
    """A film of a matrix game, its learners, the repeated game, or a cake; `text` is the game or the people."""

    what: Literal["game", "learn", "repeated", "cake"] = "game"
    text: Annotated[Text, Field(max_length=20_000)] = ""
    learner: Literal["fictitious", "regret"] = "fictitious"
    steps: Annotated[int, Field(ge=1, le=10_000_000)] = 10_000
    seed: Annotated[int, Field(ge=0, lt=2**53)] = 0
    strategies: Annotated[list[Spec], Field(max_length=40)] = Field(default_factory=list)
    rounds: Annotated[int, Field(ge=1, le=1000)] = 200
    known: bool = True
    noise: Annotated[float, Field(ge=0, le=0.5, allow_inf_nan=False)] = 0.0
    method: Spec = ""
    narrow: bool = False
    lang: Language = "en"

    def work(self, limits: Limits) -> tuple[dict[str, Any], float, bool]:
        return self.model_dump(), limits.search, False


class Queens(Placement):
    """Queens on a board of any size up to a million."""

    n: Annotated[int, Field(ge=0, le=1_000_000)] = 1000

    def work(self, limits: Limits) -> tuple[dict[str, Any], float, bool]:
        return {**self.model_dump(), "seed": self.chosen_seed}, limits.search, False


class Wumpus(Body):
    """The scores of agents in many caves."""

    agents: Annotated[list[Name], Field(min_length=1, max_length=5)]
    worlds: Annotated[int, Field(ge=2, le=5000)] = 500
    width: Annotated[int, Field(ge=2, le=8)] = 4
    height: Annotated[int, Field(ge=2, le=8)] = 4
    pits: Annotated[float, Field(ge=0, le=0.6, allow_inf_nan=False)] = 0.2
    solvable: bool = False
    seed: Annotated[int, Field(ge=0, lt=2**53)] = 0

    def work(self, limits: Limits) -> tuple[dict[str, Any], float, bool]:
        return self.model_dump(), limits.analysis, True


class Hidden(Body):
    """Something of hidden information: an equilibrium, a hand of poker, shots at a fleet, or a deal of bridge."""

    what: Literal["solve", "hand", "battle", "deal"]
    game: Literal["kuhn", "leduc"] = "kuhn"
    iterations: Annotated[int, Field(ge=1, le=20_000)] = 1000
    moves: Annotated[list[Annotated[str, Field(max_length=10)]], Field(max_length=20)] = Field(default_factory=list)
    seat: Annotated[int, Field(ge=0, le=1)] = 0
    size: Annotated[int, Field(ge=4, le=10)] = 10
    aim: Literal["random", "hunt", "probable", "informed"] = "probable"
    seed: Annotated[int, Field(ge=0, lt=2**53)] = 0
    lang: Language = "en"

    def work(self, limits: Limits) -> tuple[dict[str, Any], float, bool]:
        return self.model_dump(), limits.search, False


WISHES: dict[str, type[Hints | Analyse | Watch | Think | Bandit | Matrix | Watched | Queens | Wumpus | Hidden]] = {
    "hints": Hints,
    "analyse": Analyse,
    "watch": Watch,
    "think": Think,
    "bandit": Bandit,
    "matrix": Matrix,
    "pacman": Watched,
    "queens": Queens,
    "wumpus": Wumpus,
    "hidden": Hidden,
}


class Envelope(Body):
    """Around every message."""

    id: Number
    do: Annotated[str, Field(max_length=20)]


class Conversation:
    """The searches of one socket."""

    def __init__(self, outlet: Outlet, pool: Pool, limits: Limits, visitor: str) -> None:
        self._outlet, self._pool, self._limits, self._visitor = outlet, pool, limits, visitor
        self._jobs: dict[int, Job] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def hear(self, text: str) -> None:
        """One message of the browser."""
        number: int | None = None
        try:
            message = json.loads(text)
            if not isinstance(message, dict):
                raise Refusal(422, "a message is a JSON object")
            envelope = Envelope(id=message.pop("id", None), do=message.pop("do", None))
            number = envelope.id
            if envelope.do == "stop":
                if number in self._jobs:
                    self._pool.cancel(self._jobs[number])
                return
            if envelope.do not in WISHES:
                raise Refusal(422, f"do: there is no '{envelope.do}'; there are: {', '.join(WISHES)}, stop")
            if number in self._jobs:
                raise Refusal(422, f"the search {number} is running already")
            wish = WISHES[envelope.do](**message)
        except (Refusal, ValidationError, ValueError, RecursionError) as error:
            line = validation_line(error.errors()) if isinstance(error, ValidationError) else line_of(error)
            if isinstance(error, json.JSONDecodeError):
                line = "a message is a JSON object"
            elif isinstance(error, RecursionError):
                line = "the message is nested too deeply"
            self._error(number, line, "422")
            return
        task = asyncio.create_task(self._search(number, envelope.do, wish))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _error(self, number: int | None, line: str, code: str) -> None:
        self._outlet.send({"id": number, "event": "error", "error": one_line(line), "code": code})

    async def _search(self, number: int, do: str, wish: Any) -> None:
        prefix = f'{{"id":{number},'
        try:
            work, time, long = await off_loop(wish.work, self._limits)
            job = self._pool.submit(
                self._visitor,
                {"do": do, **work},
                time=time,
                long=long,
                on_event=lambda event: self._outlet.send(prefix + event[1:]),
            )
            self._jobs[number] = job
            await job.result()
        except Stopped:
            self._outlet.send({"id": number, "event": "done", "stopped": True})
        except (Refusal, WorkFailed, PlygroundError) as error:
            self._error(number, line_of(error), code_of(error))
        else:
            self._outlet.send({"id": number, "event": "done"})
        finally:
            self._jobs.pop(number, None)

    async def end(self) -> None:
        """The browser has gone: nothing is wanted any more."""
        for job in list(self._jobs.values()):
            self._pool.cancel(job)
        await asyncio.gather(*self._tasks, return_exceptions=True)


@router.websocket("/ws/search")
async def search(socket: WebSocket) -> None:
    """Searches for one page."""

    async def talk(outlet: Outlet) -> None:
        state = socket.app.state
        conversation = Conversation(outlet, state.pool, state.settings.limits, socket.scope["visitor"])
        try:
            while True:
                conversation.hear(await socket.receive_text())
        finally:
            await conversation.end()

    await socket.app.state.receptionist.serve(socket, talk)
